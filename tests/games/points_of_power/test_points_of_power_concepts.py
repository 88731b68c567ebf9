"""What is said about moves and positions of Points of Power, against the referee and the text of positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from games.points_of_power.facts import NAMES, RECOUNTS, is_true, places

from empedocles import Position
from empedocles.game import Deed
from empedocles.games.points_of_power import GAME
from empedocles.language import Message, Number
from empedocles.testing.samples import random_match

IDEAS = {idea.name: idea for idea in GAME.concepts}
MEASURES = {name: idea for name, idea in IDEAS.items() if idea.measure}


def at(fire: str, air: str, earth: str, water: str, mover: int, players: int = 2) -> Position:
    pieces = zip(NAMES, (fire, air, earth, water), strict=True)
    fields = " ".join(f"{name}={squares.replace(' ', ',')}" for name, squares in pieces)
    return Position(f"points-of-power players={players} board=cross {fields} moved=FAEW quiet=9 to-move={mover}")


def deeds(position: Position, move: str) -> Iterator[tuple[str, Deed]]:
    before, after = position.state, position.play(move).state
    for idea in GAME.concepts:
        for deed in idea.deeds(before, position.action(move), after) if idea.deeds else ():
            yield idea.name, deed
    assert before == position.state  # nothing was changed


# ── Sampled positions ────────────────────────────────────────────────────────────────────────────────────────────────


def sampled(options: dict[str, Any], count: int) -> list[Position]:
    rng, found = random.Random(7), []
    for seed in range(2):
        match = random_match(GAME, options, seed, plies=150)
        positions = [position for position in match.positions() if not position.is_over]
        found += [*rng.sample(positions, min(count, len(positions))), positions[-1]]
    return found


def tried(position: Position) -> list[str]:
    """All captures, and some other moves."""
    rng, moves = random.Random(position.key), position.legal_moves
    return [*(move for move in moves if "x" in move), *rng.sample(moves, min(4, len(moves)))]


@pytest.mark.parametrize("options", GAME.variants(), ids=str)
def test_measures_are_what_a_plain_count_finds(options: dict[str, Any]) -> None:
    assert set(RECOUNTS) == set(MEASURES)
    for position in sampled(options, 4):
        for name, idea in MEASURES.items():
            for seat in range(position.seats):
                assert idea.measure
                found = idea.measure(position.state, seat)
                assert found == RECOUNTS[name](position, seat), (name, seat, position)
                if idea.places:
                    assert set(idea.places(position.state, seat)) == places(position, seat)[name]
                assert idea.words
                number = "no" if not found else "one" if found == 1 else Message("{n}", {"n": Number(found)}).say()
                assert idea.words(found).say().startswith(f"{number} ")


@pytest.mark.parametrize("options", GAME.variants(), ids=str)
def test_what_is_said_of_a_move_is_true(options: dict[str, Any]) -> None:
    said = set()
    for position in sampled(options, 4):
        for move in tried(position):
            after, found = position.play(move), list(deeds(position, move))
            for name, deed in found:
                assert is_true(name, deed, position, move, after), (name, deed, position, move)
                assert deed.worth > 0
                assert deed.words.say()
                assert not set("{}") & set(deed.words.say())
                assert deed.victim in (None, *range((position.to_move or 0) % 2 == 0, position.seats, 2))
            names = [name for name, _ in found]
            told = {"free-capture", "exchange", "last-piece", "last-exposed", "no-move"} & set(names)
            assert len(told) == ("x" in move) or after.is_over, (names, position, move)
            said |= set(names)
    assert {"free-capture", "saved"} <= said


# ── Made by hand ─────────────────────────────────────────────────────────────────────────────────────────────────────

SEVEN = "b6 d6 h6 j6 d9"  # Earth on four points of power; Fire has f2, f4 and f8
CASES = [
    (
        "last-point",
        at("f2 f4 f8 g9", "k1 e1", SEVEN, "a11 d11", 0),
        "g9-f10",
        "take the last point of power, f10, and win",
    ),
    ("last-piece", at("e4", "h1 k1", "h8", "d4 d11", 1), "d4xe4", "capture the last piece of Fire on e4 and win"),
    (
        "last-exposed",
        at("e4 k11", "h1", "h8", "d4 d11", 1),
        "d4xe4",
        "capture the last exposed piece of Fire on e4 and win",
    ),
    (
        "last-exposed",
        at("mp k11", "h1", "h8", "d4", 3, 4),
        "d4xmp",
        "capture the last exposed piece of Fire on the material plane and win",
    ),
    ("no-move", at("b2 b1 a3", "a1", "j11 j10 k10", "k11", 0), "a3-a2", "leave no legal move and win"),
    ("no-move", at("b2 b1 a3", "a1", "j11 j10 k10", "k11", 0, 4), "a3-a2", "leave Air without a legal move and win"),
    ("saved-last", at("e4 k11", "h1", "h8", "d4", 0), "e4-f3", "save the last exposed piece of Fire on e4"),
    (
        "blocked",
        at("f2 f4 f8 g9", "e1 g11", SEVEN, "d11", 1),
        "g11-f10",
        "block f10, the last point of power that the enemy needs",
    ),
    (
        "near-last-point",
        at("f2 f4 f8 g8", "k1 e1", SEVEN, "d11", 0),
        "g8-g9",
        "threaten to take the last point of power, f10",
    ),
    ("threatened-last", at("e4 k11", "h1", "h8", "c4", 1), "c4-d4", "threaten the last exposed piece of Fire on e4"),
    ("free-capture", at("e4 g9", "h1", "h8", "d4 d11", 1), "d4xe4", "capture Fire on e4 without risk of recapture"),
    ("exchange", at("e4 g9", "h1", "e3", "d4 d11", 1), "d4xe4", "capture Fire on e4 at the risk of recapture"),
    ("exchange", at("e4 g9", "h1", "e3", "d4 d11", 3, 4), "d4xe4", "capture Fire on e4 at the risk of recapture"),
    ("double-threat", at("e4 e3 g9", "h1", "h8", "c4", 1), "c4-d4", "threaten two more pieces at once"),
    ("saved", at("e4 g9", "h1", "h8", "d4", 0), "e4-f3", "save the piece on e4"),
    ("saved", at("e4 g9", "h1", "c3 c4", "d4 a11 c8", 2, 4), "c4xd4", "save the piece on e4"),
    ("point", at("g9 k8", "h1", "h8", "d4", 0), "g9-f10", "take the point of power f10"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "position", "move", "words"), CASES, ids=lambda case: str(case)[:20])
def test_a_deed_of_each_kind(name: str, position: Position, move: str, words: str) -> None:
    found = dict(deeds(position, move))
    assert found[name].words.say() == words
    assert is_true(name, found[name], position, move, position.play(move))
    (*others,) = [other for other in position.legal_moves if other != move]
    assert any(name not in dict(deeds(position, other)) for other in others) or not others


def test_every_deed_has_a_case() -> None:
    assert {name for name, *_ in CASES} == {name for name, idea in IDEAS.items() if idea.deeds}


POINTED = "FFF*AAA/FFF.AAA/FFF*AAA/*.*m*.*/EEE*WWW/EEE.WWW/EEE*WWW"  # on which points of power touch


@pytest.mark.parametrize(("other", "threatens"), [("e1", False), ("d6", True)])
def test_a_piece_on_a_point_does_not_threaten_the_last_one(other: str, threatens: bool) -> None:
    """It would leave its own: c4 and e4 touch d5, and so does d6, which is no point."""
    pieces = f"fire=d7,c4,b4,{other} air=a1 earth=e4,g4,d3,d1,f4 water=a7"
    position = Position(f"points-of-power players=2 board={POINTED} {pieces} moved=FAEW quiet=9 to-move=0")
    assert ("near-last-point" in dict(deeds(position, "b4-a4"))) == threatens


def test_moving_on_from_a_point_takes_none() -> None:
    assert "point" not in dict(deeds(at("f4 k8", "h1", "h8", "d8", 0), "f4-f3"))


GUARDED = at("e4 g9", "h1 h2", "e3 h8", "d4 d11", 0)
MEASURED = [
    ("last-at-risk", at("e4 k11", "h1", "h8", "d4", 0), 0, 1, "one element whose last exposed piece can be captured"),
    ("loose", at("e4 g9", "h1", "h8", "d4", 0), 0, 1, "one piece that can be captured without risk"),
    ("covered", GUARDED, 0, 1, "one threatened piece that is covered"),
    ("tied-guards", GUARDED, 0, 1, "one piece tied down as the only guard of another"),
    ("thin", at("e4 g9", "h1", "h8", "d4", 0), 1, 2, "two elements with only one exposed piece"),
    ("points-near", at("g9 k8", "h1", "h8", "d4", 0), 0, 2, "two free points of power one step away"),
    ("prey-near", at("e4 k8", "d11", "h8", "c4", 1), 1, 1, "one enemy almost within reach"),
    ("room", at("k8", "i7", "a4", "d9", 0, 4), 0, 3, "three squares in the open to step to, out of the hunters' reach"),
]


@pytest.mark.parametrize(("name", "position", "seat", "n", "words"), MEASURED, ids=lambda case: str(case)[:20])
def test_a_measure_of_each_kind(name: str, position: Position, seat: int, n: int, words: str) -> None:
    idea = IDEAS[name]
    assert idea.measure
    assert idea.words
    assert idea.measure(position.state, seat) == n
    assert idea.words(n).say() == words


def test_every_measure_has_a_case() -> None:
    assert {name for name, *_ in MEASURED} == set(MEASURES)


@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        (at("e4 g9", "h1", "e8", "d4 d11", 0), "e4-e3", "move Fire from e4 to e3"),
        (at("e4 g9", "h1", "e8", "d4 d11", 0), "e4-f4", "move Fire from e4 onto the point of power f4"),
        (at("e4 g9", "h1", "e8", "d4 d11", 0), "e4-mp", "move Fire from e4 onto the material plane"),
        (at("mp g9", "h1", "e9", "d4 d11", 0), "mp-h5", "move Fire from the material plane to h5"),
        (at("mp g9", "h1", "e9", "d4 d11", 0), "mp-f4", "move Fire from the material plane onto the point of power f4"),
        (at("mp g9", "h4", "e9", "d4 d11", 0), "mpxh4", "capture Air on h4 with Fire from the material plane"),
        (at("mp g9", "h4", "e9", "d4 d11", 1), "d4xmp", "capture Fire on the material plane with Water from d4"),
        (at("e4 g9", "h4", "e9", "d4 d11", 1), "d4xe4", "capture Fire on e4 with Water from d4"),
    ],
)
def test_moves_as_advice(position: Position, move: str, words: str) -> None:
    assert GAME.advised(position.state, position.action(move)).say() == words


def test_a_pass_as_advice() -> None:
    assert GAME.advised(GAME.start({"players": 4}), GAME.action_of["pass"]).say() == "pass"
