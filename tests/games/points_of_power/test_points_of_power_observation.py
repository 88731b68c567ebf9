"""What a seat sees of Points of Power: positions can be read off the planes; the symmetries are those of the rules."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import INTERPRETED

from empedocles.core.bits import members, two_words
from empedocles.core.kernel import Planes, State
from empedocles.core.planes import TURNS
from empedocles.game import Symmetry
from empedocles.games.points_of_power import GAME
from empedocles.games.points_of_power.board import encode
from empedocles.games.points_of_power.lookups import FROM, MP, NAMES, TO, ring
from empedocles.games.points_of_power.observation import GRID, PLANES, VIEW, symmetries, symmetry
from empedocles.games.points_of_power.rules import NOBODY, PATIENCE, new
from empedocles.position import Position
from empedocles.testing.samples import random_match, random_positions
from empedocles.testing.views import check_group, check_planes, check_symmetries, check_view


def rows(drawing: str) -> str:
    return "/".join(drawing.split())


# Left and right are alike, and top and bottom with partners exchanged.
STACKED = rows("""
    .FFFFFFFFF.
    ...........
    .AAAAAAAAA.
    ...........
    ....mmm....
    ****mmm****
    ....mmm....
    ...........
    .WWWWWWWWW.
    ...........
    .EEEEEEEEE.
""")

# Nothing is alike, and the material plane lies at the edge.
CLOSE = rows("""
    WWW.EEE....
    WWW.EEE....
    WWW.EEE....
    ...........
    FFF.....mmm
    FFF.....mmm
    FFF.....mmm
    ...........
    .....*.*AAA
    ...*.*.*AAA
    ...*.*.*AAA
""")

# A rectangle with holes and a material plane of two cells; top and bottom are alike with partners exchanged.
SMALL = rows("""
    FFF.*.AAA
    FFF---AAA
    FFF...AAA
    .*..m..*.
    .*..m..*.
    EEE...WWW
    EEE---WWW
    EEE.*.WWW
""")
OWN = [GAME.complete({"players": players, "board": board}) for players in (2, 4) for board in (STACKED, CLOSE, SMALL)]


def positions(count: int) -> Iterator[Position]:
    yield from random_positions(GAME, count)
    for k, options in enumerate(OWN):
        plies = 30 if INTERPRETED else None
        yield from random.Random(k).sample(random_match(GAME, options, k, plies).positions(), 2 if INTERPRETED else 12)


# ── A position, read off the planes of a seat ──

ELEMENTS = ("my own", "prey", "partner", "hunter")


class Seen:
    """The planes, by name and as sets of cells."""

    def __init__(self, planes: Planes) -> None:
        self.planes = planes
        self.number = {plane.name: k for k, plane in enumerate(PLANES)}

    def cells(self, name: str) -> set[int]:
        return set(np.flatnonzero(self.planes[self.number[name]]).tolist())

    def everywhere(self, name: str) -> float:
        plane = self.planes[self.number[name]]
        assert np.all(plane == plane[0, 0]), f"{name} differs from square to square"
        return float(plane[0, 0])


def options(seen: Seen, seat: int) -> dict[str, Any]:
    """The options of the game. Whether two players would pass is not seen, as it makes no difference."""
    four = seen.everywhere("four players")
    middle = seen.planes[seen.number["material plane"]].ravel()
    marks = {"m": {*np.flatnonzero(middle == 1).tolist()}, "-": {*np.flatnonzero(middle == 0.5).tolist()}}
    marks["*"] = seen.cells("points of power")
    for e, letter in enumerate("FAEW"):
        marks[letter] = seen.cells(f"plane: {ELEMENTS[(e - seat) % 4]}")
    letters = {cell: letter for letter, cells in marks.items() for cell in cells}
    lines = ["".join(letters.get(11 * row + column, ".") for column in range(11)) for row in reversed(range(11))]
    columns = max(len(line.rstrip("-")) for line in lines)
    board = "/".join(line[:columns] for line in lines if line != "-" * 11)
    return {"players": 4 if four else 2, "board": board, "stuck": "passes" if four == 0.5 else "loses"}


def read(planes: Planes, seat: int) -> State:
    """The state that a seat sees."""
    seen, s = Seen(planes), GAME.blank()
    new(s, encode(options(seen, seat)))
    for k, element in enumerate(ELEMENTS):
        read_element(s, seen, element, (seat + k) % 4)
    s.quiet = round(PATIENCE * seen.everywhere("turns without a capture"))
    read_result(s, seen, seat % 2)
    return s


def read_element(s: State, seen: Seen, element: str, e: int) -> None:
    s.pieces[e] = two_words(seen.cells(f"pieces: {element}") & {*members(s.squares)})
    s.moved = int(s.moved) | int(seen.everywhere(f"moved: {element}")) << e
    if seen.everywhere(f"turn: {element}"):
        s.mover = e % int(s.seats)


def read_result(s: State, seen: Seen, side: int) -> None:
    results = {"won": side, "lost": 1 - side, "draw": NOBODY}
    for name, winner in results.items():
        if seen.everywhere(name):
            s.over, s.winner = 1, winner


def fields(s: State) -> dict[str, Any]:
    seen = {name: s[name].tolist() for name in s.dtype.names or ()}
    return seen if s.seats == 4 else seen | {"passes": 0}


def test_a_position_can_be_read_off_what_any_seat_sees_of_it() -> None:
    for position in positions(4 if INTERPRETED else 200):
        for seat in range(position.seats):
            found = read(position.observe(seat), seat)
            assert fields(found) == fields(position.state), f"player {seat}: {position!r}"


def test_a_draw_and_both_results_are_seen() -> None:
    def last(fields: str) -> list[float]:
        seen = Seen(Position(f"points-of-power {fields} to-move=none").observe(1))
        return [seen.everywhere(name) for name in ("won", "lost", "draw")]

    sets = "fire=d8 air=h4 earth=d4"
    assert last(f"{sets} water=h8 quiet=200 winner=-") == [0, 0, 1]
    assert last(f"{sets} water=- winner=fire-earth") == [0, 1, 0]
    assert last("fire=- air=h4 earth=d4 water=h8 winner=air-water") == [1, 0, 0]


@pytest.mark.parametrize("square", ["mp", "d8", "e8", "h6"])
def test_cells_that_touch_are_squares_that_touch(square: str) -> None:
    position = Position(f"points-of-power fire={square},g10 air=h3 earth=b5 water=b8 to-move=0")
    seen = Seen(position.observe(0))
    block, occupied = seen.cells("material plane"), seen.cells("pieces: my own") - {NAMES.index("g10")}
    assert occupied == (block if square == "mp" else {NAMES.index(square)})
    touched = {near for cell in occupied for near in ring(cell, 1)} - occupied
    reached = {int(TO[a]) for a in position.legal_actions if FROM[a] == NAMES.index(square)}
    assert reached == touched - block | ({MP} if touched & block else set())


# ── What learning programs rely on ──


def test_view() -> None:
    if not INTERPRETED:
        check_view(GAME)
        return
    for position in random_positions(GAME, 4):
        check_planes(position, VIEW)
    check_symmetries(GAME, GAME.complete({}), matches=1)


@pytest.mark.skipif(INTERPRETED, reason="whole matches")
@pytest.mark.parametrize("options", OWN)
def test_symmetries_of_other_boards(options: dict[str, Any]) -> None:
    check_symmetries(GAME, options)


@pytest.mark.parametrize(
    ("players", "board", "number", "exchanging"),
    [
        (2, "cross", 2, 1),
        (4, "cross", 1, 0),
        (2, STACKED, 4, 2),
        (4, STACKED, 2, 0),
        (2, CLOSE, 1, 0),
        (2, "wheel", 2, 1),
        (4, "wheel", 1, 0),
        (2, SMALL, 2, 1),
        (4, SMALL, 1, 0),
    ],
)
def test_so_many_symmetries(players: int, board: str, number: int, exchanging: int) -> None:
    names = [found.name for found in symmetries(GAME.complete({"players": players, "board": board}))]
    assert len(set(names)) == len(names) == number
    assert sum("partners" in name for name in names) == exchanging


@pytest.mark.parametrize("options", OWN)
def test_symmetries_of_other_boards_are_a_group(options: dict[str, Any]) -> None:
    check_group(symmetries(options))


def way(name: str, options: dict[str, Any], partners: bool) -> Symmetry:
    return symmetry(name, GRID, options, partners)


CLAIMED: list[dict[str, Any]] = [{"players": 2}, {"players": 4}, {"board": STACKED}, {"board": "wheel"}]
UNTRUE = [
    (options, name, partners)
    for options in (GAME.complete(some) for some in CLAIMED)
    for name in TURNS
    for partners in (False, True)
    if way(name, options, partners).name not in [known.name for known in symmetries(options)]
]


@pytest.mark.skipif(INTERPRETED, reason="whole matches")
@pytest.mark.parametrize(("options", "name", "partners"), UNTRUE)
def test_what_is_no_symmetry_is_found_out(options: dict[str, Any], name: str, partners: bool) -> None:
    same, untrue = way("as it is", options, partners=False), way(name, options, partners)
    claimed = dataclasses.replace(GAME, view=VIEW._replace(symmetries=lambda _: (same, untrue)))
    with pytest.raises(AssertionError):
        check_symmetries(claimed, options)
