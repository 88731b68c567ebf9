"""What a seat sees of Fire & Water: positions can be read off the planes, and the symmetries are those of the rules."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import INTERPRETED

from empedocles.core.bits import two_words
from empedocles.core.kernel import CHANCE, Planes, State
from empedocles.core.planes import TURNS
from empedocles.games.fire_and_water import GAME
from empedocles.games.fire_and_water.lookups import FIRE, MARKERS, NO_HALF, SUPPLY, WATER
from empedocles.games.fire_and_water.observation import BLOCK, FIRST_BLOCK, LAST, PLANES, VIEW, symmetries, symmetry
from empedocles.games.fire_and_water.rules import NO_CELL, new, update_lead
from empedocles.position import Position
from empedocles.testing.samples import all_options, random_match, random_positions
from empedocles.testing.views import check_group, check_planes, check_symmetries, check_view

# Boards of one's own: one element alone, and patterns with fewer symmetries or none
ALL_FIRE = "/".join(["FFFFFFFF"] * 8)
STRIPES = "/".join(["FFFFWWWW"] * 8)
BANDS = "/".join(["F" * 12, "W" * 12] * 4)
ODD_SQUARE = "/".join(["FWWWWWWWWWWW", *["W" * 12] * 7])
CORNER = "/".join(["FWWWWWWW", *["WWWWWWWW"] * 7])
OWN = [
    {"players": 2, "board": ALL_FIRE},
    {"players": 2, "board": STRIPES},
    {"players": 3, "board": BANDS},
    {"players": 4, "board": ODD_SQUARE},
]


def positions(count: int) -> Iterator[Position]:
    yield from random_positions(GAME, count)
    for k, options in enumerate(OWN):
        yield from random.Random(k).sample(random_match(GAME, options, k).positions(), 2 if INTERPRETED else 8)


# ── A position, read off the planes of a seat ──


class Seen:
    """The planes, by name and as sets of cells."""

    def __init__(self, planes: Planes) -> None:
        self.planes = planes
        self.number = {plane.name: k for k, plane in enumerate(PLANES)}

    def cells(self, name: str) -> dict[int, float]:
        rows, columns = np.nonzero(self.planes[self.number[name]])
        return {
            8 * int(column) + int(row): float(self.planes[self.number[name], row, column])
            for row, column in zip(rows, columns, strict=True)
        }

    def everywhere(self, name: str) -> float:
        plane = self.planes[self.number[name]]
        assert np.all(plane == plane[0, 0]), f"{name} differs from square to square"
        return float(plane[0, 0])


PLAYERS = ("me", "next player", "second next player", "third next player")


def read(planes: Planes, seat: int) -> State:
    """The state that a seat sees, without what lies where under tokens."""
    seen = Seen(planes)
    present = [player for player in PLAYERS if seen.everywhere(f"{player}: in the match")]
    s = GAME.blank()
    claims = 0.5 in [seen.everywhere(f"{player}: last regular turn") for player in present]
    new(s, np.array([len(present), *two_words(seen.cells("fire squares")), claims], np.uint64))
    s.elementals = two_words(seen.cells("elementals"))
    s.empty = two_words(seen.cells("empty squares"))
    s.turn = s.mover = 0
    for k, player in enumerate(present):
        read_player(s, seen, player, (seat + k) % len(present))
    s.mover = CHANCE if seen.everywhere("reveal due") else s.turn
    return s


def read_player(s: State, seen: Seen, player: str, seat: int) -> None:
    read_halves(s, seen, player, seat)
    s.leader[seat] = next(iter(seen.cells(f"{player}: leader")), NO_CELL)
    s.tokens[seat] = two_words(seen.cells(f"{player}: tokens"))
    s.placed[seat] = round(float(SUPPLY[s.seats]) * (1 - seen.everywhere(f"{player}: tokens left")))
    held = [seen.everywhere(f"{player}: {marker}") for marker in MARKERS]
    s.hidden[seat] = sum(1 << m for m, value in enumerate(held) if value == 0.5)
    s.revealed[seat] = sum(1 << m for m, value in enumerate(held) if value == 1)
    if seen.everywhere(f"{player}: last regular turn") == 1:
        s.last = seat
    if seen.everywhere(f"{player}: turn"):
        s.turn = seat
    if seen.everywhere(f"{player}: won"):
        s.over = 1


def read_halves(s: State, seen: Seen, player: str, seat: int) -> None:
    for element, name in ((FIRE, "fire"), (WATER, "water")):
        for cell, value in seen.cells(f"{player}: {name} halves").items():
            assert s.half[cell] == NO_HALF
            s.half[cell] = round(4 * value) + 4 * element + 8 * seat
            update_lead(s, cell, element)


def fields(s: State) -> dict[str, Any]:
    """All that a state has, but for the places of markers."""
    return {name: s[name].tolist() for name in s.dtype.names or () if name != "laid"}


def test_a_position_can_be_read_off_what_any_seat_sees_of_it() -> None:
    for position in positions(12 if INTERPRETED else 400):
        for seat in range(position.seats):
            found = read(position.observe(seat), seat)
            assert fields(found) == fields(position.state), f"player {seat}: {position!r}"


def test_fw20_the_finale_is_seen_from_the_start_and_the_default_as_before() -> None:
    last = [FIRST_BLOCK + BLOCK * k + LAST for k in range(4)]
    usual, claims = (Position.start(GAME, {"finale": finale}).observe(0) for finale in ("tokens", "claims"))
    assert np.flatnonzero((usual != claims).any(axis=(1, 2))).tolist() == last[:2]
    assert np.all(usual[last] == 0)
    assert np.all(claims[last[:2]] == 0.5)


def test_where_markers_lie_under_tokens_changes_nothing_later() -> None:
    for seed in range(2 if INTERPRETED else 30):
        options, luck = all_options(GAME)[seed % 6], random.Random(seed)
        position = random_match(GAME, options, seed, plies=20 * (1 + seed % 4)).position
        found = read(position.observe(0), 0)
        while not position.is_over:
            out = np.zeros(GAME.max_legal, np.int16)
            assert sorted(out[: GAME.rules.legal(found, out)].tolist()) == position.legal_actions
            action = luck.choice(position.legal_actions)
            position = position.play(action)
            GAME.rules.play(found, action)
        results = np.zeros((2, position.seats), np.float32)
        GAME.rules.returns(found, results[0])
        GAME.rules.returns(position.state, results[1])
        assert np.array_equal(*results)


def test_the_winner_is_seen() -> None:
    for seed in range(1 if INTERPRETED else 20):
        end = random_match(GAME, {"players": 2 + seed % 3, "board": "medallion"}, seed).position
        assert end.result is not None
        for seat in range(end.seats):
            seen = Seen(end.observe(seat))
            won = {(seat + k) % end.seats for k, player in enumerate(PLAYERS) if seen.everywhere(f"{player}: won")}
            assert won == end.result.winners


def test_a_small_example_square_by_square() -> None:
    position = Position(
        "fire-and-water board=chessboard elementals=b2,b7,g2 markers=F2d4W3d5/F1e4W4e5 leaders=-/h4"
        " hands=F1W1,F2W4,F3W3/F4W4,F1W2,F2W2 to-move=1"
    )
    assert position.observe().shape == (105, 8, 12)
    mine, theirs = Seen(position.observe(1)), Seen(position.observe(0))
    assert mine.cells("me: fire halves") == theirs.cells("next player: fire halves") == {8 * 4 + 3: 0.25}
    assert mine.cells("next player: water halves") == theirs.cells("me: water halves") == {8 * 3 + 4: 0.75}
    assert mine.cells("me: leader") == {8 * 7 + 3: 1}
    assert [mine.everywhere(f"me: {marker}") for marker in ("F4W4", "F1W4", "F1W3")] == [1, 0, 0.5]
    assert mine.everywhere("me: turn") == theirs.everywhere("next player: turn") == 1
    assert mine.everywhere("next player: turn") == theirs.everywhere("me: turn") == 0
    assert not mine.planes[FIRST_BLOCK + 2 * BLOCK :].any()  # two players need the first 55 planes alone
    assert FIRST_BLOCK + 2 * BLOCK == 55


# ── What learning programs rely on ──


def test_view() -> None:
    if not INTERPRETED:
        check_view(GAME)
        return
    for position in random_positions(GAME, 12):
        check_planes(position, VIEW)
    check_symmetries(GAME, {"players": 2, "board": "medallion"}, matches=1)


@pytest.mark.skipif(INTERPRETED, reason="whole matches")
@pytest.mark.parametrize("options", OWN)
def test_symmetries_of_other_boards(options: dict[str, Any]) -> None:
    check_symmetries(GAME, options)


NAMED = [(2, "medallion", 8, 4), (2, "chessboard", 8, 4), (3, "medallion", 4, 2), (4, "chessboard", 4, 2)]
OTHERS = [(2, ALL_FIRE, 8, 0), (2, STRIPES, 4, 2), (3, BANDS, 4, 2), (4, ODD_SQUARE, 1, 0), (2, CORNER, 2, 0)]


@pytest.mark.parametrize(("players", "board", "number", "exchanging"), NAMED + OTHERS)
def test_so_many_symmetries(players: int, board: str, number: int, exchanging: int) -> None:
    names = [found.name for found in symmetries({"players": players, "board": board})]
    assert len(set(names)) == len(names) == number
    assert sum("fire and water" in name for name in names) == exchanging


@pytest.mark.parametrize("options", OWN)
def test_symmetries_of_other_boards_are_a_group(options: dict[str, Any]) -> None:
    check_group(symmetries(options))


UNTRUE = [
    (players, board, name, exchanged)
    for players, board in ((2, "medallion"), (2, ALL_FIRE), (2, STRIPES), (3, BANDS))
    for name in list(TURNS)[: 8 if players == 2 else 4]
    for exchanged in (False, True)
    if symmetry(name, players, exchanged).name not in [s.name for s in symmetries({"players": players, "board": board})]
]


@pytest.mark.skipif(INTERPRETED, reason="whole matches")
@pytest.mark.parametrize(("players", "board", "name", "exchanged"), UNTRUE)
def test_what_is_no_symmetry_is_found_out(players: int, board: str, name: str, exchanged: bool) -> None:
    same, untrue = symmetry("as it is", players, False), symmetry(name, players, exchanged)
    claimed = dataclasses.replace(GAME, view=VIEW._replace(symmetries=lambda _: (same, untrue)))
    with pytest.raises(AssertionError, match=name):
        check_symmetries(claimed, {"players": players, "board": board})


def test_exchanged_markers_are_found_out() -> None:
    true = symmetry("as it is", 2, False)
    shuffled = true.planes.copy()
    first = next(k for k, plane in enumerate(PLANES) if plane.name == "me: F1W1")
    shuffled[[first, first + 1]] = first + 1, first
    claimed = dataclasses.replace(
        GAME, view=VIEW._replace(symmetries=lambda _: (true, true._replace(planes=shuffled, name="F1W1 and F1W2")))
    )
    with pytest.raises(AssertionError, match="F1W1 and F1W2"):
        check_symmetries(claimed, {"players": 2, "board": "medallion"})
