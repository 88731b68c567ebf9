"""Positions of Elemental Defenders as text: there and back, by hand, and refused with the field at fault."""

from __future__ import annotations

import random

import pytest

import empedocles
from empedocles import Position, PositionError
from empedocles.games.elemental_defenders import GAME

MINE = "MaWeWfWaPfPwKeKfKwNw"
YOURS = "MeMfMwWwPePaKaNeNfNa"
DEAL = f"elemental-defenders dealt={MINE}"


def positions(seed: int, mode: str, answer: str) -> list[Position]:
    """Every position of a random match in which attacks without an answer are put off, so that rounds become long."""
    rng = random.Random(seed)
    found = [Position.start(GAME, {"mode": mode, "answer": answer})]
    while not found[-1].is_over:
        position = found[-1]
        choices = [position.play(rng.choice(position.legal_moves)) for _ in range(4)]
        found.append(next((choice for choice in choices if choice.state.led >= 0 and not choice.is_over), choices[0]))
    return found


@pytest.mark.parametrize("mode", ["basic", "mediators", "challenge", "advanced"])
@pytest.mark.parametrize("answer", ["element", "either"])
def test_every_position_comes_back_byte_for_byte(mode: str, answer: str) -> None:
    for seed in range(6):
        for position in positions(seed, mode, answer):
            again = Position(position.text)
            assert again.state.tobytes() == position.state.tobytes(), position.text
            assert again.text == position.text
            assert max(len(line) for line in str(position).splitlines()) <= 80


def test_the_rare_positions_come_back_too() -> None:
    ninth = Position(f"{DEAL} mediators=Ma/- hands=Wf/NfKa to-move=1")
    end = Position(f"{DEAL} round=2 mediators=-/Pw hands=Ka/Wf scores=70/0 to-move=1").play("Wf")
    tie = Position(f"{DEAL} round=2 mediators=-/Pw hands=Nf/Wf scores=70/0 to-move=1").play("Wf").play("Nf")
    for position in (ninth, ninth.play("Nf"), ninth.play("Nf").play("Wf"), end, tie):
        assert Position(position.text).state.tobytes() == position.state.tobytes()


# ── By hand ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_start_needs_no_fields() -> None:
    start = empedocles.new("elemental-defenders", chance="manual").position
    assert Position("elemental-defenders to-move=chance") == start
    assert start.text == (
        "elemental-defenders mode=advanced dealt=- round=1 hands=-/- mediators=?/? led=- scores=0/0 to-move=chance"
    )


def test_hands_are_what_was_dealt_less_the_table() -> None:
    assert f"hands={MINE}/{YOURS}" in Position(f"{DEAL} to-move=0").text
    assert f"hands={YOURS}/{MINE}" in Position(f"{DEAL} round=2 to-move=1").text
    attacked = Position(f"{DEAL} mediators=Pw/Ka led=Ma! to-move=1")
    assert f"hands={MINE.replace('Pw', '').replace('Ma', '')}/{YOURS.replace('Ka', '')}" in attacked.text
    assert attacked.legal_moves == ["Me", "Mf", "Mw"]


def test_cards_may_be_given_in_any_order() -> None:
    one = Position(f"{DEAL} mediators=-/- hands=WfKe/NaMe to-move=0")
    other = Position("elemental-defenders dealt=NwMaKeKfWeWfKwWaPfPw mediators=-/- hands=KeWf/MeNa to-move=0")
    assert one == other
    assert one.state.tobytes() == other.state.tobytes()


BASIC, MEDIATORS, CHALLENGE = (
    DEAL.replace("dealt", f"mode={mode} dealt") for mode in ("basic", "mediators", "challenge")
)
UNDECIDED, PLAIN, ONE, TWO = (f"{DEAL} mediators={chosen}" for chosen in ("?/?", "-/-", "Pw/-", "Pw/Ka"))


@pytest.mark.parametrize(
    ("field", "text"),
    [
        # The deal
        ("dealt", "elemental-defenders dealt=MaXe to-move=chance"),
        ("dealt", "elemental-defenders dealt=MaW to-move=chance"),
        ("dealt", "elemental-defenders dealt= to-move=chance"),
        ("dealt", "elemental-defenders dealt=MaWeMa to-move=chance"),
        ("dealt", "elemental-defenders dealt=MaWeWfWaPfPwKeKfKwNwMe to-move=0"),
        ("round", "elemental-defenders dealt=MaWe round=2 to-move=chance"),
        ("round", f"{DEAL} round=3 to-move=0"),
        ("to-move", "elemental-defenders dealt=MaWe to-move=0"),
        ("to-move", "elemental-defenders dealt=MaWe to-move=none"),
        ("to-move", f"{DEAL} to-move=chance"),
        ("hands", "elemental-defenders dealt=MaWe hands=MaWe/Kf to-move=chance"),
        ("mediators", "elemental-defenders dealt=MaWe mediators=Ma/? to-move=chance"),
        ("led", "elemental-defenders dealt=MaWe hands=MaWe/- led=Ma to-move=chance"),
        ("scores", "elemental-defenders dealt=MaWe scores=7/0 to-move=chance"),
        # Mediators
        ("mediators", f"{DEAL} mediators=Xx/- to-move=0"),
        ("mediators", f"{DEAL} mediators=Pw to-move=0"),
        ("mediators", f"{BASIC} mediators=Pw/- to-move=0"),
        ("mediators", f"{BASIC} mediators=?/? to-move=0"),
        ("mediators", f"{CHALLENGE} mediators=Pw/- to-move=0"),
        ("mediators", f"{CHALLENGE} mediators=?/? to-move=0"),
        ("mediators", f"{DEAL} mediators=Ka/- to-move=0"),  # Dusk's card
        ("mediators", f"{DEAL} mediators=-/Ka to-move=0"),  # without one of the first attacker
        ("mediators", f"{DEAL} mediators=?/- to-move=0"),
        ("mediators", f"{DEAL} mediators=-/? to-move=1"),
        ("mediators", f"{DEAL} mediators=Pw/Mw to-move=0"),  # one element
        ("mediators", f"{DEAL} mediators=Pw/Pa to-move=0"),  # one level
        ("mediators", f"{DEAL} round=2 mediators=Ka/- to-move=1"),  # Dusk chooses first in round two
        # Hands
        ("hands", f"{PLAIN} hands=WfKe to-move=0"),
        ("hands", f"{PLAIN} hands=WfXx/NaMe to-move=0"),
        ("hands", f"{PLAIN} hands=/NaMe to-move=0"),
        ("hands", f"{PLAIN} hands=WfWf/NaMe to-move=0"),
        ("hands", f"{PLAIN} hands=WfNe/NaMe to-move=0"),  # Ne is Dusk's
        ("hands", f"{PLAIN} round=2 hands=WfKe/NaMe to-move=0"),
        ("hands", f"{PLAIN} hands=WfKe/Na to-move=0"),
        ("hands", f"{PLAIN} hands=WfKe/NaMe led=Pf to-move=1"),
        ("hands", f"{PLAIN} hands=WfKe/NaMeNf led=Wf to-move=1"),  # led and in hand
        ("hands", f"{PLAIN} hands=-/- to-move=0"),
        ("hands", f"{ONE} hands=WfPw/NaMeKa to-move=0"),  # mediator and in hand
        ("hands", f"{ONE} hands=WfKe/NaMe to-move=0"),
        ("hands", f"{ONE} hands=-/Na to-move=1"),  # the ninth card is played again
        ("hands", f"{ONE} hands=WfKe/Na to-move=1"),
        ("hands", f"{TWO} hands=WfKe/NaMeNf to-move=0"),
        ("hands", f"{TWO} hands=-/- to-move=0"),
        ("hands", f"{UNDECIDED} hands=WfKe/NaMe to-move=0"),
        # The attack
        ("led", f"{PLAIN} led=Xx to-move=1"),
        ("led", f"{PLAIN} led=Wf! to-move=1"),
        ("led", f"{PLAIN} led=Ma!! to-move=1"),
        ("led", f"{BASIC} led=Ma! to-move=1"),
        ("led", f"{MEDIATORS} mediators=-/- led=Ma! to-move=1"),
        ("led", f"{UNDECIDED} led=Ma to-move=1"),
        ("led", f"{PLAIN} led=Mf to-move=0"),  # Dawn attacks first
        ("led", f"{PLAIN} hands=KeNw/MeMwNa led=Wf to-move=1"),  # there is no answer
        # Whose turn
        ("to-move", f"{DEAL} mediators=-/-"),
        ("to-move", f"{DEAL} to-move=2"),
        ("to-move", f"{DEAL} to-move=1"),
        ("to-move", f"{BASIC} to-move=1"),
        ("to-move", f"{PLAIN} to-move=1"),
        ("to-move", f"{DEAL} mediators=Pw/? to-move=0"),
        ("to-move", f"{PLAIN} led=Wf to-move=0"),
        ("to-move", f"{PLAIN} led=Wf to-move=none"),
        ("to-move", f"{PLAIN} round=2 to-move=none"),
        ("to-move", f"{PLAIN} round=2 hands=NfKa/Ke led=Wf to-move=none"),  # there is an answer
        ("to-move", f"{PLAIN} hands=KeNw/MeMwNa led=Wf to-move=none"),  # round two is still to come
        ("to-move", f"{PLAIN} hands=-/- to-move=none"),
        # Scores
        ("scores", f"{DEAL} scores=7/0 to-move=0"),
        ("scores", f"{DEAL} round=2 scores=7/7 to-move=1"),
        ("scores", f"{DEAL} round=2 scores=13/0 to-move=1"),
        ("scores", f"{DEAL} round=2 scores=500/0 to-move=1"),
        ("scores", f"{BASIC} round=2 scores=121/0 to-move=1"),
        ("scores", f"{CHALLENGE} round=2 scores=121/0 to-move=1"),
        ("scores", f"{PLAIN} round=2 hands=MeMwNa/KeNw led=Wf scores=70/0 to-move=none"),  # 80 for the attack
        ("scores", f"{PLAIN} round=2 hands=MeMwNa/KeNw led=Wf scores=70/87 to-move=none"),
        ("more", f"{DEAL} more=1 to-move=0"),
    ],
)
def test_what_cannot_be_is_refused_with_the_field_at_fault(field: str, text: str) -> None:
    with pytest.raises(PositionError) as refused:
        Position(text)
    assert refused.value.field == field, str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        f"{ONE} hands=Wf/Na to-move=0",  # the tenth exchange
        f"{ONE} hands=Wf/NaMe to-move=1",
        f"{ONE} hands=-/Nf led=Wf to-move=1",
        f"{TWO} hands=WfKe/NaMe to-move=1",
        f"{DEAL} round=2 scores=0/242 to-move=1",
        f"{PLAIN} round=2 hands=MeMwNa/KeNw led=Wf scores=70/80 to-move=none",
        f"{PLAIN} round=2 hands=MeMwNa/KeNw led=Wf scores=0/87 to-move=none",
        f"{ONE.replace('Pw/-', '-/Pw')} round=2 hands=-/- scores=70/0 to-move=none",
        f"{BASIC} round=2 scores=110/0 to-move=1",
        f"{MEDIATORS} round=2 scores=0/242 to-move=1",
        f"{CHALLENGE} led=Ma! to-move=1",
    ],
)
def test_what_can_be_is_taken(text: str) -> None:
    position = Position(text)
    assert Position(position.text) == position


def test_answer_is_named_only_if_it_is_not_the_default() -> None:
    assert "answer" not in Position(f"{DEAL} answer=element to-move=0").text
    either = Position(f"{DEAL} answer=either to-move=0")
    assert either.text.startswith("elemental-defenders mode=advanced answer=either dealt=")
    assert either != Position(f"{DEAL} to-move=0")


# ── The text board ───────────────────────────────────────────────────────────────────────────────────────────────────


def board(text: str) -> str:
    return str(Position(text))


def test_the_table_shows_an_attack() -> None:
    assert board(
        f"{DEAL} round=2 mediators=-/Pw hands=MeMfMwWwPePaKaNfNa/WeWfWaPfKfKwNw led=Ma! scores=70/0 to-move=0"
    ) == (
        """\
Advanced game, round 2 of 2, exchange 2 of at most 10

        Earth           Fire            Air             Water
> Dawn  Me  . Pe  .  .  Mf  .  .  . Nf   .  . Pa Ka Na  Mw Ww  .  .  .
  Dusk   . We  .  .  .   . Wf Pf Kf  .   . Wa  .  .  .   .  .  . Kw Nw

  Dawn: 70 points, no mediator
  Dusk: 0 points, mediator Pw
  Dusk attacks with Ma! (Mystic of Air, a challenge)
  Dawn to move: an answer to Ma!"""
    )


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        (
            "elemental-defenders dealt=MaWe to-move=chance",
            "Advanced game, round 1 of 2",
            "  Chance to move: card 3 of 10 for Dawn, the rest is Dusk's",
        ),
        (
            f"{DEAL} to-move=0",
            "Advanced game, round 1 of 2",
            "  Dawn to move: a mediator (m and a card) or none (m-)",
        ),
        (
            f"{TWO} hands=Wf/Na to-move=1",
            "Advanced game, round 1 of 2, exchange 9 of at most 9",
            "  Dusk to move: an attack",
        ),
        (
            f"{ONE} hands=Wf/Na to-move=1",
            "Advanced game, round 1 of 2, exchange 10 of at most 10",
            "  Dusk to move: an attack",
        ),
        (
            f"{MEDIATORS} answer=either mediators=Pw/- hands=Wf/Na to-move=1",
            "Game with mediators, answer=either, round 1 of 2, exchange 10 of at most 10",
            "  Dusk to move: an attack",
        ),
        (
            f"{CHALLENGE} to-move=0",
            "Game with challenges, round 1 of 2, exchange 1 of at most 10",
            "  Dawn to move: an attack",
        ),
        (
            f"{BASIC} round=2 hands=MeMwNa/KeNw led=Wf scores=70/80 to-move=none",
            "Basic game, round 2 of 2",
            "  The match is over.",
        ),
    ],
)
def test_the_table_says_what_is_due(text: str, first: str, last: str) -> None:
    lines = board(text).splitlines()
    assert lines[0] == first
    assert lines[-1] == last
