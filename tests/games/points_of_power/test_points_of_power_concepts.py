"""What is said about moves and positions of Points of Power, against the referee and the text of positions."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from games.points_of_power.referee import ELEMENTS, SIDES, Referee

from empedocles import Position
from empedocles.boards import parse
from empedocles.game import Deed
from empedocles.games.points_of_power import GAME
from empedocles.games.points_of_power.board import BOARDS
from empedocles.language import Message, Number
from empedocles.testing.samples import random_match

NAMES = {"fire": "F", "air": "A", "earth": "E", "water": "W"}
DRAWN = {name: "/".join(parse(path.read_text(encoding="utf-8"))) for name, path in BOARDS.items()}
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


# ── The same again, from the referee ─────────────────────────────────────────────────────────────────────────────────


def fields_of(position: Position) -> dict[str, str]:
    return dict(field.split("=") for field in position.text.split()[1:])


def referee(position: Position, seat: int) -> Referee:
    """A referee who thinks that it is a seat's turn."""
    fields = fields_of(position)
    game = Referee(DRAWN[fields["board"]], position.seats, str(position.options["stuck"]))
    game.pieces = {
        square: letter for name, letter in NAMES.items() for square in fields[name].split(",") if fields[name] != "-"
    }
    game.had, game.quiet = set(fields["moved"]) & set(ELEMENTS), int(fields["quiet"])
    return turn_of(game, seat)


def turn_of(game: Referee, seat: int) -> Referee:
    game = copy.copy(game)
    game.had = set(ELEMENTS) if game.hand(seat) <= game.had else set(game.had)
    game.turns = 4 + seat if len(game.had) == 4 else 3 if len(game.had) == 3 and 3 % game.players == seat else seat
    return game


def risks(position: Position, seat: int) -> dict[str, list[set[str]]]:
    """Squares of pieces that can be captured → for each capture, the squares from which it can be avenged."""
    if position.is_over:
        return {}
    hunter = (seat + 1) % 2 if position.seats == 2 else {0: 3, 1: 0, 2: 1, 3: 2}[seat]
    avenger = seat if position.seats == 2 else (seat + 2) % 4
    game, found = referee(position, hunter), dict[str, list[set[str]]]()
    for move in (move for move in game.moves() if "x" in move):
        then, square = copy.copy(game), move.split("x")[1]
        then.had = set(game.had)
        then.play(move)
        answers = [] if then.rule else [m.split("x") for m in turn_of(then, avenger).moves() if "x" in m]
        found.setdefault(square, []).append({start for start, end in answers if end == square})
    return found


def loose(position: Position, seat: int) -> set[str]:
    return {square for square, ways in risks(position, seat).items() if set() in ways}


def exposed_of(position: Position, seat: int) -> dict[str, set[str]]:
    game = referee(position, seat)
    return {element: game.exposed(game.pieces, element) for element in game.hand(seat)}


def last_exposed(position: Position, square: str) -> bool:
    game = referee(position, 0)
    return game.exposed(game.pieces, game.pieces[square]) == {square}


def near(game: Referee, elements: set[str]) -> set[str]:
    return {end for start, what in game.pieces.items() if what in elements for end in game.board.touching[start]}


def points_near(position: Position, seat: int) -> int:
    game = referee(position, seat)
    return len((near(game, game.hand(seat)) & game.board.points) - set(game.pieces))


def prey_near(position: Position, seat: int) -> int:
    game, touching = referee(position, seat), referee(position, seat).board.touching
    hunted = {"F": "A", "A": "E", "E": "W", "W": "F"}
    total = 0
    for element in game.hand(seat):
        for square in game.exposed(game.pieces, hunted[element]):
            at_once = any(game.pieces.get(by) == element for by in touching[square])
            ways = [by for by in touching[square] if by not in game.pieces]
            total += not at_once and any(game.pieces.get(start) == element for by in ways for start in touching[by])
    return total


def room(position: Position, seat: int) -> int:
    game = referee(position, seat)
    hunters = {"A": "F", "E": "A", "W": "E", "F": "W"}
    return len(
        {
            square
            for e in game.hand(seat)
            for square in near(game, {e}) - near(game, {hunters[e]}) - set(game.pieces)
            if game.board.kinds[square] not in ("*", e)
        }
    )


def tied_guards(position: Position, seat: int) -> int:
    partner = seat if position.seats == 2 else (seat + 2) % 4
    ways = [way for ways in risks(position, partner).values() for way in ways]
    return len({min(way) for way in ways if len(way) == 1})


RECOUNTS: dict[str, Callable[[Position, int], int]] = {
    "last-at-risk": lambda p, seat: sum(last_exposed(p, square) for square in risks(p, seat)),
    "loose": lambda p, seat: len(loose(p, seat)),
    "covered": lambda p, seat: len(set(risks(p, seat)) - loose(p, seat)),
    "thin": lambda p, seat: [len(squares) for squares in exposed_of(p, seat).values()].count(1),
    "points-near": points_near,
    "prey-near": prey_near,
    "tied-guards": tied_guards,
    "room": room,
}


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
                assert idea.words
                number = "no" if not found else "one" if found == 1 else Message("{n}", {"n": Number(found)}).say()
                assert idea.words(found).say().startswith(f"{number} ")


def is_ours(position: Position, square: str, seat: int) -> bool:
    return referee(position, 0).pieces.get(square) in SIDES[seat % 2]


def captured(before: Position, after: Position, deed: Deed) -> bool:
    """An element of the victim has lost just the square that the deed is about."""
    then, now = fields_of(before), fields_of(after)
    lost = {name: set(then[name].split(",")) - set(now[name].split(",")) for name in NAMES}
    (name,) = [name for name in NAMES if lost[name] == set(deed.targets) and now[name] != then[name]]
    return list(NAMES).index(name) % before.seats == deed.victim and name.title() in deed.words.say()


def won(rule: str, before: Position, after: Position, seat: int) -> bool:
    assert after.ending
    return after.ending.rule == rule and after.returns[seat] > 0 and not before.is_over


def avenged(after: Position, square: str, seat: int) -> bool:
    avenger = (seat - 1) % after.seats
    return any(move.endswith(f"x{square}") for move in referee(after, avenger).moves())


def holds(position: Position, seat: int) -> set[str]:
    return {square for square in referee(position, 0).board.points if is_ours(position, square, seat)}


def is_true(name: str, deed: Deed, before: Position, move: str, after: Position) -> bool:
    seat, victim = before.to_move or 0, ((before.to_move or 0) + 1) % before.seats
    rules = {"last-point": "PP-14", "last-piece": "PP-15", "last-exposed": "PP-16", "no-move": "PP-18"}
    if name in rules:
        return won(rules[name], before, after, seat)
    (square, *_), points = deed.targets, referee(before, 0).board.points
    start, end = move.replace("x", "-").split("-")
    threats = set(deed.targets) <= loose(after, victim) and not set(deed.targets) & set(risks(before, victim))
    moved = end if square == start else square
    owners = range(seat % 2, before.seats, 2)
    saved = any(square in loose(before, one) for one in owners) and not any(moved in risks(after, o) for o in owners)
    checks: dict[str, Callable[[], bool]] = {
        "saved-last": lambda: saved and last_exposed(before, square),
        "saved": lambda: saved and not last_exposed(before, square),
        "blocked": lambda: holds(before, seat + 1) == points - {square} and square == end,
        "near-last-point": lambda: holds(after, seat) == points - {square} and square not in fields_of(after).values(),
        "threatened-last": lambda: threats and last_exposed(after, square),
        "double-threat": lambda: threats and deed.words.values["n"] == len(deed.targets) > 1,
        "free-capture": lambda: captured(before, after, deed) and not avenged(after, square, seat),
        "exchange": lambda: captured(before, after, deed) and avenged(after, square, seat),
        "point": lambda: holds(after, seat) - holds(before, seat) == {square},
    }
    return checks[name]()


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
    ("prey-near", at("e4 k8", "d11", "h8", "c4", 1), 1, 1, "one enemy two steps away to hunt"),
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
