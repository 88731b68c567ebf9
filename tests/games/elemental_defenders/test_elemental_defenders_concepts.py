"""What is said of moves and hands in Elemental Defenders is true, recounted from positions as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from games.elemental_defenders.facts import CHECKS, Table, Told, cards, has, places

import empedocles
from empedocles import Match, Position
from empedocles.games.elemental_defenders import GAME
from empedocles.testing.samples import random_match

IDEAS = {idea.name: idea for idea in GAME.concepts}
DEEDS = [name for name, idea in IDEAS.items() if idea.deeds]
MEASURES = [name for name, idea in IDEAS.items() if idea.measure]
VARIANTS = GAME.variants()


def told_of(name: str, position: Position, move: str) -> Iterator[Told]:
    deeds = IDEAS[name].deeds
    assert deeds
    state = position.state.copy()
    for deed in deeds(position.state, position.action(move), position.play(move).state):
        yield Told(position, move, deed)
    assert position.state == state


def samples() -> Iterator[tuple[Position, str]]:
    """Moves of random matches in all variants; random play often leaves a round to its last card."""
    for seed in range(3):
        for options in VARIANTS:
            match = random_match(GAME, options, seed)
            yield from zip(match.positions()[10:-1], match.moves[10:], strict=True)


SAMPLES = list(samples())


@pytest.mark.parametrize("name", DEEDS)
def test_what_deeds_say_is_true(name: str) -> None:
    for position, move in SAMPLES:
        for told in told_of(name, position, move):
            CHECKS[name](told)
            assert told.words[0].islower()
            assert not set(told.words) & set("{}")
            assert told.deed.worth > 0
            assert told.deed.victim in (None, 1 - told.before.seat)
            assert set(told.deed.targets) <= {*cards(told.words), "no-mediator"}
            assert told.deed.targets


def test_every_kind_of_deed_has_a_check() -> None:
    assert set(CHECKS) == set(DEEDS)


def test_dealing_does_nothing() -> None:
    position = Position.start(GAME, {})
    assert not [name for name in DEEDS for _ in told_of(name, position, "+Mw")]
    assert not [name for name in MEASURES if name not in HANDS and measured(name, position.play("+Mw"), 0)]


# ── Completeness: wins and mediators are never passed over ───────────────────────────────────────────────────────────


def test_every_round_that_ends_is_told_once() -> None:
    for position, move in SAMPLES:
        before, after = Table.of(position), Table.of(position.play(move))
        names = ("righteous-victories", "victories", "ties")
        assert sum(1 for name in names for _ in told_of(name, position, move)) == before.ended(after)


# ── Hand-made positions ──────────────────────────────────────────────────────────────────────────────────────────────

EXAMPLE = "+Pw +Ke +Ma +Kw +Kf +Wf +Nw +We +Wa +Pf"  # the rule book's
BEGUN = "mPw m- Ke Ne Ma! Mf Ww Kw"


def played(moves: str, mode: str = "advanced") -> Match:
    return empedocles.new("elemental-defenders", mode=mode, chance="manual").play(*f"{EXAMPLE} {moves}".split())


@pytest.mark.parametrize(
    ("name", "before", "move", "words"),
    [
        ("victories", f"{BEGUN} Nf Kf", "Wf", "win the round with the Warden of Fire, which has no answer (70 points)"),
        (
            "mediators",
            "",
            "mPw",
            "set the Priestess of Water aside as mediator, so that a win counts one card more",
        ),
        ("mediators-declined", "", "m-", "decline a mediator, so that the other has none in this round, either"),
        ("challenges", "mPw m- Ke Ne", "Ma!", "force out a Mystic by challenging with the Mystic of Air"),
    ],
)
def test_the_example_of_the_rule_book(name: str, before: str, move: str, words: str) -> None:
    (told,) = told_of(name, played(before).position, move)
    assert told.words == words


ONE = "elemental-defenders mode=advanced dealt=MaMwWfPwKeKfKwNfNaNw round=1 mediators=Na/Ww"
TWO = "elemental-defenders mode=advanced dealt=MeMaMwWeWfWaPePaKeNe round=2 scores=90/0 mediators=Kf/Me"
ALONE = "elemental-defenders mode=advanced dealt=MeMaMwWeWwPaKwNfNaNw round=2 scores=0/30 mediators=-/Na"
BASIC = "elemental-defenders mode=basic dealt=MeMaWfWaPeKwNeNfNaNw round=2 scores=0/30"
OPEN = "elemental-defenders mode=advanced dealt=MeMaMwPePwKeKfKaNeNf round=1 mediators=-/-"


@pytest.mark.parametrize(
    ("name", "text", "move", "words"),
    [
        (
            "righteous-victories",
            f"{ALONE} hands=Kf/Mw to-move=1",
            "Mw",
            "win the round righteously with the Mystic of Water (242 points)",
        ),
        (
            "turned-tables",
            f"{OPEN} hands=MeMaKeNe/MfWaNw led=Na to-move=0",
            "Ma",
            "take over the attack with the Mystic of Air, after which no card answers the Knight of Earth (24 points)",
        ),
        (
            "forced-wins",
            f"{ONE} hands=WfNf/WeWa to-move=1",
            "We",
            "attack with the Warden of Earth and win the round after any answer (at least 110 points)",
        ),
        (
            "parries",
            f"{TWO} hands=WwPwNf/WeWf led=Mw to-move=0",
            "Pw",
            "answer with the Priestess of Water and keep an answer to the Warden of Earth, "
            "which would win the round (100 points)",
        ),
        (
            "parries",
            f"{BASIC} hands=MwWwPfPaPw/MeMaWaKwNaNw led=Ka to-move=1",
            "Ma",
            "take over the attack with the Mystic of Air, before the Priestess of Fire wins the round (24 points)",
        ),
        (
            "kept-attacks",
            f"{ONE} hands=WfNf/WeWa to-move=1",
            "We",
            "keep the attack with the Warden of Earth, so that the Neonate of Fire does not win the round next "
            "(77 points)",
        ),
        (
            "guards-forced-out",
            f"{ONE} hands=WfNf/WeWa to-move=1",
            "We",
            "force out the Warden of Fire, without which no card answers the Warden of Air",
        ),
        (
            "tenth-exchanges",
            f"{ALONE} hands=Kf/Mw led=Pw to-move=1",
            "Mw",
            "attack in the tenth exchange with the Mystic of Water again (242 points for a righteous victory)",
        ),
        (
            "tenth-exchanges",
            f"{ALONE} hands=MfWf/- led=Nf to-move=0",
            "Mf",
            "attack in the tenth exchange, where only the Neonate of Fire is left to answer",
        ),
        (
            "ties",
            f"{TWO} hands=Nf/- led=Wf to-move=0",
            "Nf",
            "answer the last attack with the Neonate of Fire, so that nobody wins the round",
        ),
        (
            "virtue-drawn-out",
            f"{ALONE} hands=PeNeMf/WeNw to-move=0",
            "Ne",
            "force out the Warden of Earth (virtue 10) with the Neonate of Earth",
        ),
    ],
)
def test_positions_made_for_it(name: str, text: str, move: str, words: str) -> None:
    (told,) = told_of(name, Position(text), move)
    assert told.words == words
    CHECKS[name](told)


@pytest.mark.parametrize(
    ("name", "text", "move"),
    [
        ("victories", f"{ONE} hands=WfNf/WeWa to-move=1", "We"),  # answered
        ("forced-wins", f"{ONE} hands=WfPwKf/WePeKa to-move=1", "We"),  # the Priestess and the Knight are answered
        ("parries", f"{TWO} hands=WwPwNf/WeWf led=Mw to-move=0", "Ww"),  # loses at once
        ("tenth-exchanges", f"{ALONE} hands=Kf/Nw led=Pw to-move=1", "Nw"),  # the other attacks
        ("challenges", f"{TWO} hands=MfWw/MwWe to-move=1", "Mw"),  # not declared
        ("virtue-drawn-out", f"{ALONE} hands=PeNeMf/WeNw to-move=0", "Mf"),  # not answered
    ],
)
def test_positions_where_it_is_not_said(name: str, text: str, move: str) -> None:
    assert not list(told_of(name, Position(text), move))


# ── What a seat has ──────────────────────────────────────────────────────────────────────────────────────────────────

HANDS = ("virtue-in-hand", "mystics-in-hand")


def measured(name: str, position: Position, seat: int) -> int:
    measure = IDEAS[name].measure
    assert measure
    return measure(position.state, seat)


def test_measures_are_what_one_counts() -> None:
    for position, _move in SAMPLES[::5]:
        for seat in range(2):
            assert {name: measured(name, position, seat) for name in MEASURES} == has(position, seat)
            for name, held in places(position, seat).items():
                assert (find := IDEAS[name].places)
                assert set(find(position.state, seat)) == held


@pytest.mark.parametrize("name", MEASURES)
def test_measures_are_said_in_words(name: str) -> None:
    words = IDEAS[name].words
    assert words
    none, one, some = (words(n).say() for n in range(3))
    assert none.startswith("no ")
    assert name == "attack-held" or re.search(r"\b(1|one)\b", one)
    assert name == "attack-held" or re.search(r"\b(2|two)\b", some)
    assert not set(none + one + some) & set("{}")
    assert IDEAS[name].worth


@pytest.mark.parametrize("chosen", ["", "mPw", "m-", "mPw mNe", "mPw m-"])
def test_choosing_mediators_leaves_the_attack_to_the_attacker(chosen: str) -> None:
    """ED-6, ED-14: whoever has the Neonate of Water attacks first; in the rule book's example, the first player."""
    position = played(chosen).position
    assert [measured("attack-held", position, seat) for seat in range(2)] == [
        measured("attack-held", played("m-").position, seat) for seat in range(2)
    ]


def test_nothing_is_left_to_attack_with_after_the_match() -> None:
    match = random_match(GAME, {}, 1)
    assert {measured(name, match.position, seat) for name in MEASURES if name not in HANDS for seat in range(2)} == {0}


# ── Moves as advice ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "move", "words"),
    [
        ("", "mPw", "set the Priestess of Water aside as mediator"),
        ("", "m-", "set no mediator aside"),
        ("m-", "Ma", "attack with the Mystic of Air"),
        ("m-", "Ma!", "attack with the Mystic of Air and challenge"),
        ("m- Ke", "Ne", "answer with the Neonate of Earth"),
    ],
)
def test_advice(before: str, move: str, words: str) -> None:
    position = played(before).position
    assert GAME.advised(position.state, position.action(move)).say() == words


def test_advice_tells_a_deal_as_ever() -> None:
    position = Position.start(GAME, {})
    assert GAME.advised(position.state, position.action("+Mw")) == position.words("+Mw")
