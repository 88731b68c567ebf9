"""Moves entered by clicks; that every move can be is part of each game's contract."""

from __future__ import annotations

import pytest

import empedocles
from empedocles.errors import BadValue
from empedocles.play.partial import CONFIRM, Partial, after
from empedocles.position import Position


def path(*groups: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(group.split()) for group in groups)


@pytest.mark.parametrize(
    ("chosen", "left"),
    [
        ((), path("a b", "c")),
        (("b",), path("a", "c")),
        (("b", "a"), path("c")),
        (("a", "b", "c"), ()),
        (("c",), None),
        (("a", "a"), None),
        (("a", "b", "c", "c"), None),
    ],
)
def test_groups_come_in_order_and_their_targets_in_any(chosen: tuple[str, ...], left: object) -> None:
    assert after(path("a b", "c"), chosen) == left


def reacting() -> Position:
    """Fire on c3 and d5, water on c4: a pair is the beginning of a chain."""
    return Position("ignite-and-flow board=6/3F2/2W3/2F3/6/6 to-move=0")


def test_only_the_legal_moves_are_offered() -> None:
    entry = Partial(empedocles.new("ignite-and-flow").position)
    assert entry.targets == ["E", "F", "W"]
    assert len(entry.choose("F").targets) == 36
    assert entry.choose("F").choose("c3").move == "Fc3"


def test_squares_of_a_reaction_come_in_any_order() -> None:
    entry = Partial(reacting())
    for squares in (("c3", "c4", "d5"), ("d5", "c3", "c4"), ("c4", "d5", "c3")):
        chosen = entry
        for square in squares:
            chosen = chosen.choose(square)
        assert chosen.targets == ["c3", "d5"], "either of the equal elements becomes desert"
        assert chosen.choose("d5").move == "c3+c4+d5=Dd5"


def test_a_move_that_could_go_on_waits_to_be_confirmed() -> None:
    entry = Partial(reacting()).choose("c4").choose("c3")
    assert entry.whole == "c3+c4"
    assert entry.move is None
    assert entry.targets == ["d5", CONFIRM]
    assert entry.choose(CONFIRM).move == "c3+c4"
    assert entry.choose(CONFIRM).targets == []


def test_a_choice_can_be_taken_back() -> None:
    entry = Partial(reacting())
    assert entry.choose("c4").choose("c3").back() == entry.choose("c4")
    assert entry.back() == entry


def test_a_target_that_cannot_be_chosen_is_named_with_what_can() -> None:
    entry = Partial(reacting()).choose("c4").choose("c3")
    with pytest.raises(BadValue, match="'f6' cannot be chosen here: expected d5, confirm"):
        entry.choose("f6")


def test_choices_are_said_in_words() -> None:
    entry = Partial(reacting()).choose("c4").choose("c3")
    assert entry.leads_to("confirm").say() == "White lets c3 and c4 react to earth"
    assert Partial(reacting()).leads_to("F").say() == "fire from the supply …"
    assert Partial(reacting()).choose("F").leads_to("a1").say("de") == "Weiß legt Feuer auf a1"


def test_what_is_refused_has_a_reason_with_its_rule() -> None:
    entry = Partial(reacting()).choose("F")
    reason = entry.why_not("c4")
    assert reason is not None
    assert reason.rule == "IF-5"
    assert entry.why_not("a1") is None
    assert entry.why_not("nowhere") is None


def said(position: Position, *targets: str) -> str:
    """Why the last target cannot be chosen after the others."""
    reason = Partial(position, targets[:-1]).why_not(targets[-1])
    return f"{reason.say()} ({reason.rule})" if reason else ""


def test_a_reason_is_about_the_simplest_move_and_what_was_chosen() -> None:
    position = empedocles.new("points-of-power").position
    assert said(position, "k11") == "j10 is not free: it holds fire (PP-8)"  # and not about the material plane
    assert said(position, "mp") == "there is no piece on mp (PP-7)"
    assert said(reacting(), "F", "c4") == "c4 is not empty: it holds water (IF-5)"
    assert said(reacting(), "c4", "f6") == ""  # moves with both would need fire or water elsewhere


def test_what_comes_too_early_says_what_comes_before_it() -> None:
    supply = "earth from the supply, fire from the supply or water from the supply"
    assert said(reacting(), "a1").endswith(f"; before a1, choose {supply} (IF-4)")
    assert (
        said(empedocles.new("points-of-power").position, "d3")
        == "there is no piece on d3; before d3, choose Earth on c2 or Earth on c3 (PP-7)"
    )


def test_a_card_of_the_other_player_is_refused_as_such() -> None:
    position = empedocles.new("elemental-defenders", seed=1).play("m-").position
    other = next(name for name in ("Ma", "Me", "Mf", "Mw") if name not in Partial(position).targets)
    assert " is a card of " in said(position, other)


def test_half_of_a_move_is_said_with_all_that_was_chosen() -> None:
    match = empedocles.new("fire-and-water", seed=1)
    while not match.position.legal_moves[0].startswith("F"):
        match.play(match.position.legal_moves[0])
    entry = Partial(match.position)
    marker = next(target for target in entry.targets if target.startswith("F"))
    square = next(
        target for target in entry.choose(marker).targets if len(entry.choose(marker).choose(target).targets) > 1
    )
    name = match.game.target(marker).say()
    assert entry.choose(marker).leads_to(square).say() == f"{name} → {square} …"
