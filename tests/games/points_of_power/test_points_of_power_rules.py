"""Points of Power, rule by rule.

Drawings have row 11 on top: F A E W are pieces, the middle of the block e5–g7 is the material plane. The other marks
tell the reader what an empty square is: * a point of power, f a e w a plane, m the material plane.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from empedocles import Position, Result, new
from empedocles.core.bits import two_words
from empedocles.games.points_of_power import GAME
from empedocles.games.points_of_power.lookups import NAMES, SIZE
from empedocles.testing.contract import check_legal

PLANES = {
    "fire": "i9,j9,k9,i10,j10,k10,i11,j11,k11",
    "air": "i1,j1,k1,i2,j2,k2,i3,j3,k3",
    "earth": "a1,b1,c1,a2,b2,c2,a3,b3,c3",
    "water": "a9,b9,c9,a10,b10,c10,a11,b11,c11",
}
ELEMENTS = tuple(PLANES)
POINTS = ["f2", "f4", "f8", "f10", "b6", "d6", "h6", "j6"]
BLOCK = [f"{column}{row}" for row in "567" for column in "efg"]
SQUARES = [name for name in NAMES if name not in BLOCK]  # "mp" included


def rows(drawing: str) -> str:
    """A board in one word."""
    return "/".join(drawing.split())


# A board on which all first steps of Air lead to points of power.
WALLED = rows("""
    WWW.EEE....
    WWW.EEE....
    WWW.EEE....
    ...........
    mmm........
    mmm.......*
    mmm........
    .......****
    FFF....*AAA
    FFF....*AAA
    FFF....*AAA
""")

# And one on which captures are possible at once. Its material plane lies at the edge.
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


def at(fire: str, air: str, earth: str, water: str, *, mover: int = 0, **fields: Any) -> Position:
    """A position from the squares of each element, separated by blanks."""
    sets = zip(ELEMENTS, (fire, air, earth, water), strict=True)
    words = [f"{element}={','.join(squares.split()) or '-'}" for element, squares in sets]
    words += [f"{name}={value}" for name, value in fields.items()]
    return Position(" ".join(["points-of-power", *words, f"to-move={mover}"]))


def drawn(drawing: str, mover: int = 0) -> Position:
    """A position from a drawing of the whole board."""
    squares: dict[str, list[str]] = {letter: [] for letter in "FAEW"}
    for row, letters in zip(range(SIZE, 0, -1), drawing.strip().splitlines(), strict=True):
        for column, letter in zip("abcdefghijk", letters.split(), strict=True):
            squares.get(letter, []).append("mp" if f"{column}{row}" == "f6" else f"{column}{row}")
    return at(*(" ".join(squares[letter]) for letter in "FAEW"), mover=mover)


def fields_of(position: Position) -> dict[str, str]:
    return dict(word.split("=") for word in position.text.split()[1:])


def squares_of(position: Position, element: str) -> list[str]:
    return fields_of(position)[element].split(",")


def from_to(move: str) -> tuple[str, str]:
    start, _, end = move.replace("x", "-").partition("-")
    return start, end


def moves_from(position: Position, square: str) -> set[str]:
    """The moves of the piece on a square, without its name."""
    return {move.removeprefix(square) for move in position.legal_moves if from_to(move)[0] == square}


def movers(position: Position) -> set[str]:
    """The elements that have legal moves."""
    where = {square: element for element in ELEMENTS for square in squares_of(position, element)}
    return {where[from_to(move)[0]] for move in position.legal_moves}


def refusal(position: Position, move: str) -> str | None:
    why = position.reason(move)
    assert (why is None) == (move in position.legal_moves)
    return why.rule if why else None


def end(position: Position) -> tuple[str, set[int]]:
    """The rule that ended the game, and the winners."""
    assert position.result is not None
    assert position.ending is not None
    return position.ending.rule, set(position.result.winners)


def wander(seed: int, plies: int, **options: Any) -> Iterator[Position]:
    """The positions of a random match from its start, for so many plies at most."""
    rng = random.Random(seed)
    match = new("points-of-power", **options)
    yield match.position
    for _ in range(plies):
        if match.is_over:
            return
        yield match.play(rng.choice(match.legal_moves)).position


# ── Board ────────────────────────────────────────────────────────────────────────────────────────────────────────────

START = """\
11 Ww Ww Ww .  .  .  .  .  Ff Ff Ff
10 Ww Ww Ww .  .  *  .  .  Ff Ff Ff
 9 Ww Ww Ww .  .  .  .  .  Ff Ff Ff
 8 .  .  .  .  .  *  .  .  .  .  .
 7 .  .  .  .  m  m  m  .  .  .  .
 6 .  *  .  *  m  mp m  *  .  *  .
 5 .  .  .  .  m  m  m  .  .  .  .
 4 .  .  .  .  .  *  .  .  .  .  .
 3 Ee Ee Ee .  .  .  .  .  Aa Aa Aa
 2 Ee Ee Ee .  .  *  .  .  Aa Aa Aa
 1 Ee Ee Ee .  .  .  .  .  Aa Aa Aa
   a  b  c  d  e  f  g  h  i  j  k
"""


@pytest.mark.parametrize("players", [2, 4])
def test_pp1_the_cross_board(players: int) -> None:
    assert str(new("points-of-power", players=players)).startswith(START)


def test_pp2_the_material_plane_touches_the_sixteen_squares_around_it() -> None:
    around = {f"{column}{row}" for row in range(4, 9) for column in "defgh"} - set(BLOCK)
    assert len(around) == 16
    assert moves_from(at("mp k8", "a5", "a4", "k4"), "mp") == {f"-{square}" for square in around}
    for square in SQUARES[:-1]:
        assert ("-mp" in moves_from(alone(square), square)) == (square in around)


def test_pp2_squares_of_the_material_plane_are_not_named() -> None:
    position = at("d8 k8", "mp", "a4", "k4")
    assert refusal(position, "d8xe7") == "PP-2"
    assert refusal(position, "d8-e7") == "PP-2"
    assert refusal(position, "f6-f7") == "PP-2"
    assert refusal(position, "d8xmp") is None


def test_pp2_only_one_elemental_stands_on_the_material_plane() -> None:
    position = at("d8 mp", "h8 a5", "a4 g4", "k4")
    assert refusal(position, "d8-mp") == "PP-8"
    assert refusal(position, "g4-mp") == "PP-8"


def test_pp3_eight_points_of_power_the_rest_is_void() -> None:
    marks = [mark for line in START.splitlines()[:SIZE] for mark in line.split()[1:]]
    assert (marks.count("*"), marks.count(".")) == (8, 68)
    for square in POINTS:
        beside = min(touching(square) - {"mp"})
        assert refusal(at(f"{beside} k8", f"{square} b9", "a4", "k4"), f"{beside}x{square}") == "PP-10"


WHEEL = """\
11       .  .  Ww Ww Ww .  .
10    *  .  .  Ww Ww Ww .  .  *
 9 .  .  .  .  Ww Ww Ww .  .  .  .
 8 .  .  .  *  .  .  .  *  .  .  .
 7 Ee Ee Ee .  m  m  m  .  Ff Ff Ff
 6 Ee Ee Ee .  m  mp m  .  Ff Ff Ff
 5 Ee Ee Ee .  m  m  m  .  Ff Ff Ff
 4 .  .  .  *  .  .  .  *  .  .  .
 3 .  .  .  .  Aa Aa Aa .  .  .  .
 2    *  .  .  Aa Aa Aa .  .  *
 1       .  .  Aa Aa Aa .  .
   a  b  c  d  e  f  g  h  i  j  k
"""


def test_pp1_the_wheel_board() -> None:
    assert str(new("points-of-power", board="wheel")).startswith(WHEEL)
    assert (WHEEL.count("*"), WHEEL.count(".")) == (8, 56)


def test_pp1_nothing_goes_to_absent_squares() -> None:
    position = at("c11 i8", "h3 i3", "b8 d10", "d9 c9", board="wheel", mover=0)
    assert moves_from(position, "c11") == {"-d11", "-c10", "-b10"}
    assert refusal(position, "c11-b11") == "PP-1"


@pytest.mark.parametrize(
    ("middle", "around"),
    [
        ("...../..m../.....", 8),
        ("...../.mm../.....", 10),
        ("...../.mm../.mm..", 12),
        ("..m../..m../..m..", 12),
        (".mmm./.mmm./.....", 14),
        (".mmm./.mmm./.mmm.", 16),
    ],
)
def test_pp2_the_material_plane_may_be_smaller(middle: str, around: int) -> None:
    one, two, three = (f"...{row}..*" for row in middle.split("/"))
    board = "/".join(
        ["WWW.....FFF"] * 3
        + ["..........."]
        + [f"{row}" for row in (one, two, three)]
        + ["..........."]
        + ["EEE.....AAA"] * 3
    )
    position = at("mp k8", "a5", "a4", "k4", board=board)
    reached = {move.removeprefix("-") for move in moves_from(position, "mp")}
    assert len(reached) == around
    assert not any(from_to(move)[0] not in {"mp", "k8", "a4"} for move in position.legal_moves)
    for square in sorted(reached):
        there = at(f"{square} k8", "a5", "a4", "k4", board=board)
        assert "-mp" in moves_from(there, square)
        assert position.play(f"mp-{square}").state.pieces.tolist() == there.state.pieces.tolist()
        check_legal(there)
    hunted = at("mp k8", f"a5 {min(reached)}", "a4", "k4", board=board)
    assert f"mpx{min(reached)}" in hunted.legal_moves


def test_pp14_a_board_may_have_other_numbers_of_points() -> None:
    board = "WWW.....FFF/WWW..*..FFF/WWW.....FFF/.........../....mmm..../....mmm..../....mmm..../.........../" + (
        "EEE.....AAA/EEE..*..AAA/EEE.....AAA"
    )
    position = at("f2 g9 k8", "a5", "d3", "a8", board=board)
    assert end(position.play("g9-f10")) == ("PP-14", {0})


def test_pp4_nine_of_each_start_on_their_plane() -> None:
    fields = fields_of(new("points-of-power").position)
    assert {element: fields[element] for element in ELEMENTS} == PLANES


def test_pp5_fire_and_earth_are_one_side_air_and_water_the_other() -> None:
    assert end(at("h8", "mp", "d3", "a5").play("h8xmp")) == ("PP-15", {0})
    assert end(at("h8", "a5", "d4", "mp").play("d4xmp")) == ("PP-15", {0})
    assert end(at("mp", "a5", "d3", "h8", mover=1).play("h8xmp")) == ("PP-15", {1})
    assert end(at("h9", "d4", "mp", "a8", mover=1).play("d4xmp")) == ("PP-15", {1})


def test_pp5_another_board_needs_no_code() -> None:
    match = new("points-of-power", board=CLOSE)
    assert refusal(match.position, "h7-i7") == "PP-2"
    match.play("c7-d7", "c9-d8", "e9xd8")
    assert squares_of(match.position, "water") == ["a9", "b9", "a10", "b10", "c10", "a11", "b11", "c11"]


# ── Turns ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def alone(square: str) -> Position:
    """Fire to move, on this square and, so that PP-12 does not matter, on two more far away; nobody else."""
    state = GAME.start({})
    state.moved = 0b1111
    state.pieces[:] = 0
    cell = 60 if square == "mp" else NAMES.index(square)
    far = [c for c in (3, 5, 115, 117) if abs(c - cell) > 44][:2]
    state.pieces[0] = two_words([cell, *far])
    return Position.of(GAME, state)


def touching(square: str) -> set[str]:
    """PP-7, in other words than the rules have."""
    column, row = ord("f") if square == "mp" else ord(square[0]), 6 if square == "mp" else int(square[1:])
    distance = {name: max(abs(ord(name[0]) - column), abs(int(name[1:]) - row)) for name in NAMES[:-1]}
    if square == "mp":
        return {name for name in distance if distance[name] == 2}
    return {name for name in SQUARES[:-1] if distance[name] == 1} | ({"mp"} if square in touching("mp") else set())


def test_pp6_two_players_have_two_elements_each() -> None:
    cells = "h8 h9", "h4 g3", "d4 d3", "d8 d9"
    assert movers(at(*cells, mover=0)) == {"fire", "earth"}
    assert movers(at(*cells, mover=1)) == {"air", "water"}
    assert refusal(at(*cells, mover=0), "h4-h5") == "PP-6"
    after = at(*cells, mover=0).play("h8-i7")
    assert after.to_move == 1
    assert after.play("d8-c7").to_move == 0


def test_pp6_four_players_move_in_the_order_fire_air_earth_water() -> None:
    match = new("points-of-power", players=4)
    for ply in range(12):
        assert match.to_move == ply % 4
        assert movers(match.position) == {ELEMENTS[ply % 4]}
        match.play(match.legal_moves[0])


def test_pp6_four_players_do_not_move_their_partner() -> None:
    position = at("h8 h9", "h4 g3", "d4 d3", "d8 d9", players=4)
    assert refusal(position, "d4-d5") == "PP-6"


def test_pp7_a_piece_goes_to_the_squares_that_touch_its_own() -> None:
    for square in SQUARES:
        assert moves_from(alone(square), square) == {f"-{name}" for name in touching(square)}, square


def test_pp7_a_move_needs_a_piece() -> None:
    assert refusal(at("h8 h9", "h4 g3", "d4 d3", "d8 d9", players=4), "e8-d7") == "PP-7"


def test_pp7_the_material_plane_is_out_of_reach_elsewhere() -> None:
    position = at("c6 mp", "a5", "i6", "k4")
    assert refusal(position, "c6-mp") == "PP-7"
    assert refusal(position, "i6xmp") == "PP-7"
    assert refusal(position, "mp-c6") == "PP-7"


def test_pp8_a_step_needs_a_free_square() -> None:
    position = at("d2 h8", "e3 f11", "e2 h9", "d1 k4")
    assert refusal(position, "d2-e2") == "PP-8"  # the other element
    assert refusal(position, "d2-d1") == "PP-8"  # an enemy that Fire does not capture
    assert refusal(position, "d2-e3") == "PP-8"  # to capture is written otherwise
    assert refusal(position, "d2xe3") is None
    assert refusal(position, "h8-h9") == "PP-8"


def test_pp9_each_element_moves_once_in_the_opening() -> None:
    match = new("points-of-power").play("c3-d4")
    assert movers(match.position) == {"air", "water"}
    match.play("c9-d8")
    assert movers(match.position) == {"fire"}
    assert refusal(match.position, "d4-d5") == "PP-9"
    match.play("i9-h8")
    assert movers(match.position) == {"air"}
    match.play("i3-h4")
    assert movers(match.position) == {"fire", "earth"}


# ── Capture ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("hunter", range(4))
@pytest.mark.parametrize("victim", range(4))
def test_pp10_who_captures_whom(hunter: int, victim: int) -> None:
    cells = ["b8 h9", "c5 i7", "i4 e2", "e4 d3"]  # exposed pieces out of the way
    cells[hunter] += " g10"
    cells[victim] += " g9"
    position = at(*cells, mover=hunter % 2)
    assert "g10-g9" not in position.legal_moves
    if (ELEMENTS[hunter], ELEMENTS[victim]) not in {
        ("water", "fire"),
        ("fire", "air"),
        ("air", "earth"),
        ("earth", "water"),
    }:
        assert refusal(position, "g10xg9") == "PP-10"
        return
    after = position.play("g10xg9")
    assert "g9" in squares_of(after, ELEMENTS[hunter])
    assert "g9" not in squares_of(after, ELEMENTS[victim])
    assert "g10" not in after.text
    assert fields_of(after)["quiet"] == "0"


def test_pp10_safe_on_points_of_power_and_on_the_own_plane() -> None:
    position = at("h3 g9 c8", "i3 f10 b9 e11", "d4", "k4")
    assert refusal(position, "h3xi3") == "PP-10"  # Air on the Air plane
    assert refusal(position, "g9xf10") == "PP-10"  # on a point of power
    assert refusal(position, "c8xb9") is None  # Air on the Water plane
    assert refusal(position, "h3xh4") == "PP-10"  # nothing there


def test_pp10_the_capturer_may_come_from_anywhere() -> None:
    position = at("f10 i9 b9 mp h1", "g9 h8 c8 e8", "d4 d5", "k4")
    assert {move for move in position.legal_moves if "x" in move} == {"f10xg9", "i9xh8", "b9xc8", "mpxe8", "mpxh8"}


def test_pp10_captures_from_and_on_the_material_plane() -> None:
    position = at("mp a7", "h8 d4 i5", "h7 k8", "k4")
    assert {move for move in moves_from(position, "mp") if move[0] == "x"} == {"xh8", "xd4"}
    assert squares_of(position.play("mpxh8"), "fire") == ["a7", "h8"]
    position = at("h8 a7", "mp i3 h1", "d4 d8", "k4")
    assert {move for move in position.legal_moves if "mp" in move} == {"h8xmp"}
    assert squares_of(position.play("h8xmp"), "fire") == ["mp", "a7"]


def test_pp11_exposed_in_the_void_on_the_material_plane_and_on_foreign_planes() -> None:
    for square in ("e9", "mp", "c9", "k9", "c3"):
        assert "Air (A): 2 pieces, 1 exposed" in str(at("h10", f"{square} f10", "d5", "a7", mover=1))
    for square in ("f2", "i1"):
        assert "Air (A): 2 pieces, 1 exposed" in str(at("h10", f"{square} h3", "d5", "a7", mover=1))


# ── The examples of the rule book ────────────────────────────────────────────────────────────────────────────────────

LAST_POINT = """
    w w w . . . . . f f F
    w w w . . E . . f f f
    w w w . . . . . f f f
    . . . . . E . . . . .
    . . . . m m m W . . .
    . F . F m m m * F F .
    . . . . m m m . . . .
    . . . . . E . . . . .
    e e e E . . . . a a a
    e e e . . E . . A a a
    e e e . . . . A a a a
"""

EXCUSED = """
    w w w . . . . . f f f
    w w F . . * . . f f f
    w A w W . . . . f f f
    . . . . . * . . . . .
    . . . . m m m . . . .
    . * . * m m m * . * .
    . . . . m m m . . . .
    E E E E E * . . . . .
    e e e E E . . . A A A
    e e e E E * . . A A A
    e e e . . . . . a a a
"""


def test_pp16_example_water_takes_the_last_exposed_fire() -> None:
    assert end(drawn(LAST_POINT, mover=1).play("h7xi6")) == ("PP-16", {1})


def test_pp14_example_fire_steps_onto_the_last_point() -> None:
    after = drawn(LAST_POINT).play("i6-h6")
    assert end(after) == ("PP-14", {0})
    assert "Fire (F): 5 pieces, 0 exposed" in str(after)


def test_pp16_example_fire_takes_the_air_on_the_water_plane() -> None:
    assert end(drawn(EXCUSED).play("c10xb9")) == ("PP-16", {0})


def test_pp15_example_water_takes_the_last_fire_from_its_own_plane() -> None:
    after = drawn(EXCUSED, mover=1).play("d9xc10")
    assert end(after) == ("PP-15", {1})
    assert "Water (W): 1 piece, 0 exposed" in str(after)


def test_pp12_example_water_may_not_enter_its_own_plane() -> None:
    assert refusal(drawn(EXCUSED, mover=1), "d9-c9") == "PP-12"


# ── PP-12 ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_pp12_the_only_exposed_piece_may_not_hide() -> None:
    position = at("h9 k11", "a5", "d4", "a7")
    assert moves_from(position, "h9") == {"-g8", "-h8", "-i8", "-g9", "-g10", "-h10"}
    assert refusal(position, "h9-i10") == "PP-12"
    assert refusal(position, "k11-j10") is None  # hidden before and after
    assert refusal(at("g9 k11", "a5", "d4", "a7"), "g9-f10") == "PP-12"
    assert refusal(at("mp k11", "a5", "d4", "a7"), "mp-d6") == "PP-12"
    assert refusal(at("mp k11 k8", "a5", "d4", "a7"), "mp-d6") is None
    assert refusal(at("g9 k11 k8", "a5", "d4", "a7"), "g9-f10") is None


def test_pp12_is_about_each_element() -> None:
    position = at("g9", "a5", "d4 d3 e3", "a7")
    assert refusal(position, "g9-f10") == "PP-12"
    assert refusal(position, "e3-f2") is None
    assert refusal(at("g9", "a5", "d4 d3 e3", "a7", players=4), "g9-f10") == "PP-12"


def test_pp12_foreign_planes_and_the_material_plane_do_not_hide() -> None:
    assert refusal(at("h3", "a5", "d4", "a7"), "h3-i2") is None
    assert refusal(at("h4", "a5", "d3", "a7"), "h4-mp") is None


def test_pp12_excuses_pp14_only_on_the_last_point() -> None:
    missing_two = LAST_POINT.replace("* F F .", "* F . .")
    assert refusal(drawn(missing_two), "i6-h6") == "PP-12"
    assert refusal(drawn(missing_two), "i6-j6") == "PP-12"


def test_pp12_excuses_pp15_only_on_the_last_piece() -> None:
    more = EXCUSED.replace(". . . . m m m . . . .\n    . *", ". . F . m m m . . . .\n    . *")
    assert refusal(drawn(more, mover=1), "d9xc10") == "PP-12"


def test_pp12_does_not_excuse_pp16() -> None:
    # Fire on f10 is not exposed, so the capture on c10 would win by PP-16 as well; but it hides the only exposed Water.
    more = EXCUSED.replace("w w F . . * .", "w w F . . F .")
    assert refusal(drawn(more, mover=1), "d9xc10") == "PP-12"
    other_water = more.replace(". . . . m m m . . . .\n    . *", ". . W . m m m . . . .\n    . *")
    assert end(drawn(other_water, mover=1).play("d9xc10")) == ("PP-16", {1})


def test_pp12_pieces_move_into_shelter_when_another_stays_exposed() -> None:
    position = at("h9 h10", "a5", "d4", "a7")
    assert refusal(position, "h9-i10") is None
    after = position.play("h9-i10").play("a5-b5")
    assert refusal(after, "h10-i11") == "PP-12"


def test_pp12_in_the_opening_the_moved_piece_must_be_exposed() -> None:
    match = new("points-of-power", board=WALLED).play("c3-d4")
    assert movers(match.position) == {"water"}
    for move in ("i3-h4", "k3-k4", "i1-h1"):
        assert refusal(match.position, move) == "PP-12"


def test_pp12_excuses_pp14_in_the_opening_too() -> None:
    position = at(
        "c3 d4", "i1 j1 k1 i2 j2 k2 i3 j3 k3", "e9 f8", "h1 h2 h3 h4 i4 j4 k6 d8", mover=1, moved="FEW", board=WALLED
    )
    assert position.legal_moves == ["j3-k4", "k3-k4"]
    assert end(position.play("k3-k4")) == ("PP-14", {1})


# ── End ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

SEVEN = "b6 d6 f2 f4 f8 f10 j6"  # all points of power but h6


def test_pp13_pp14_comes_before_pp17() -> None:
    position = at(f"{SEVEN} h7 k8", "a5", "d3", "a8", quiet=199)
    assert end(position.play("h7-h6")) == ("PP-14", {0})
    assert end(position.play("h7-i8")) == ("PP-17", set())


def test_pp13_pp15_comes_before_pp16() -> None:
    assert end(at("h8", "mp", "d3", "a5").play("h8xmp")) == ("PP-15", {0})


def test_pp13_pp14_comes_before_pp16() -> None:
    # The fourth turn has just left Water without an exposed piece: any move of player 0 wins.
    position = at(f"{SEVEN} h7 k8", "a5", "d3", "a9", quiet=1)
    assert end(position.play("h7-h6")) == ("PP-14", {0})
    assert end(position.play("h7-i8")) == ("PP-16", {0})


STUCK = "k4", "a8"  # Air and Water beside their planes
WARDENS = "i5 k5 j4", "a7 b7 b8 c8 d9 c9"  # Fire and Earth around them; Fire on i5 is still one step away


def test_pp13_pp17_comes_before_pp18() -> None:
    fire, earth = WARDENS
    air, water = STUCK
    position = at(fire, air, earth, water, quiet=199)
    assert end(position.play("i5-j5")) == ("PP-17", set())


def test_pp14_all_eight_points_of_power() -> None:
    position = at("b6 d6 f2 f4 k8", "a5", "f8 f10 j6 i7 d3", "a8")
    assert end(position.play("i7-h6")) == ("PP-14", {0})
    assert not position.play("i7-h7").is_over


def test_pp14_with_enemies_on_a_point_nobody_has_all() -> None:
    position = at("b6 d6 f2 f4 k8", "h6 a5", "f8 f10 i7 d3", "a8")
    assert not position.play("i7-j6").is_over


@pytest.mark.parametrize("players", [2, 4])
def test_pp14_is_for_the_side_of_the_mover(players: int) -> None:
    position = at("k8", "b6 d6 f2 f4 a5", "d3", "f8 f10 j6 i7 a8", mover=players - 1, players=players)
    assert end(position.play("i7-h6")) == ("PP-14", set(range(1, players, 2)))


def test_pp15_a_side_without_one_element_loses() -> None:
    position = at("h8 h7", "mp", "d3 d4", "a5 a6", players=4)
    after = position.play("h8xmp")
    assert end(after) == ("PP-15", {0, 2})
    assert "Air (A): 0 pieces" in str(after)


def test_pp16_an_enemy_element_without_exposed_pieces_loses() -> None:
    position = at("h8 h7", "mp f2 i1", "d3 d4", "a5 a6")
    assert end(position.play("h8xmp")) == ("PP-16", {0})
    position = at("h8 h7", "mp a9 i1", "d3 d4", "a5 a6")
    assert not position.play("h8xmp").is_over


def test_pp16_both_elements_of_the_other_side_count() -> None:
    position = at("h8 h7", "g9 g10", "d4 d3", "mp a9", players=4, mover=2)
    assert end(position.play("d4xmp")) == ("PP-16", {0, 2})


def test_pp16_does_not_look_at_the_side_that_moved() -> None:
    # With four players a partner's element may be hidden only by its own player, so PP-12 keeps this from happening.
    position = at("h8 h7", "g3 i1", "d4 d3", "a7 a9", players=4, mover=1)
    assert refusal(position, "g3-f2") == "PP-12"


def test_pp16_is_not_tested_before_the_end_of_the_fourth_turn() -> None:
    match = new("points-of-power", board=CLOSE).play("c7-d8", "c9xd8")
    assert "Fire (F): 8 pieces, 0 exposed" in str(match)
    match.play("e9-e8")
    assert not match.is_over
    assert end(match.play("i3-i4").position) == ("PP-16", {1})


def test_pp16_the_fourth_turn_may_win_by_a_capture() -> None:
    match = new("points-of-power", board=CLOSE, players=4).play("c7-d8", "i3-i4", "e9-e8", "c9xd8")
    assert end(match.position) == ("PP-16", {1, 3})


def test_pp16_after_a_capture_in_the_third_turn() -> None:
    # Water is captured in turn 3, player 1 has to move Air in turn 4, and any move of player 0 in turn 5 wins.
    match = new("points-of-power", board=CLOSE).play("c7-d7", "c9-d8", "e9xd8", "i3-i4")
    assert match.to_move == 0
    assert Position(match.position.text) == match.position
    assert end(match.play("d7-d6").position) == ("PP-16", {0})


def test_pp17_two_hundred_turns_without_a_capture() -> None:
    position = at("h8 h7", "a5 a4", "d3 d4", "k5", quiet=198)
    after = position.play("h8-h9")
    assert not after.is_over
    assert end(after.play("a5-a6")) == ("PP-17", set())


def test_pp17_a_capture_begins_the_count_anew() -> None:
    position = at("h8 h7", "mp a4", "d3 d4", "k5", quiet=199)
    after = position.play("h8xmp")
    assert not after.is_over
    assert fields_of(after)["quiet"] == "0"
    assert fields_of(after.play("a4-a5"))["quiet"] == "1"


def test_pp17_counts_from_the_first_turn() -> None:
    match = new("points-of-power", players=4).play("i10-h10", "j3-j4", "c2-d2", "b9-b8")
    there = "h10-h9", "j4-i4", "d2-d3", "b8-c8"
    back = "h9-h10", "i4-j4", "d3-d2", "c8-b8"
    for ply in range(4, 200):
        assert fields_of(match.position)["quiet"] == str(ply)
        match.play((there if ply % 8 >= 4 else back)[ply % 4])
    assert end(match.position) == ("PP-17", set())


@pytest.mark.parametrize("players", [2, 4])
def test_pp18_every_step_would_break_pp12(players: int) -> None:
    fire, earth = WARDENS
    air, water = STUCK
    after = at(fire, air, earth, water, players=players).play("i5-j5")  # Air and Water can only enter their own planes
    assert end(after) == ("PP-18", set(range(0, players, 2)))


def test_pp18_no_step_is_possible_at_all() -> None:
    after = at("b2 b1 a3", "a1", "j11 j10 k10", "k11").play("a3-a2")
    assert end(after) == ("PP-18", {0})


def test_pp18_even_if_a_partner_could_move() -> None:
    fire, earth = WARDENS
    air, _ = STUCK
    position = at(fire, air, earth, "h11", players=4)
    assert end(position.play("i5-j5")) == ("PP-18", {0, 2})
    assert not at(fire, air, earth, "h11", players=2).play("i5-j5").is_over


def test_pp18_with_two_players_one_element_is_enough_to_move() -> None:
    fire, earth = WARDENS
    air, water = STUCK
    position = at(fire, f"{air} h3", earth, water).play("i5-j5")
    assert movers(position) == {"air"}


def test_pp18_in_the_opening() -> None:
    for players, moves in ((4, ["c3-d4"]), (2, ["c3-d4", "c9-d8", "e9-e8"])):
        match = new("points-of-power", players=players, board=WALLED).play(*moves)
        assert end(match.position) == ("PP-18", set(range(0, players, 2)))


def hemmed_in(mover: int = 0, **fields: Any) -> Position:
    """Fire on i5 is one step away from leaving Air only its own plane; four players, who pass."""
    fire, earth = WARDENS
    return at(fire, STUCK[0], earth, "h11 h10", players=4, stuck="passes", mover=mover, **fields)


def test_pp18_of_four_players_one_without_a_legal_move_may_pass() -> None:
    position = hemmed_in(quiet=7).play("i5-j5")
    assert not position.is_over
    assert position.to_move == 1
    assert position.legal_moves == ["pass"]
    assert refusal(position, "k4-k3") == "PP-12"
    after = position.play("pass")
    assert after.to_move == 2
    assert fields_of(after) == fields_of(position) | {"quiet": "9", "to-move": "2"}
    assert Position(after.text) == after
    assert {"pass"} != set(after.legal_moves)


def test_pp18_nobody_passes_who_can_move() -> None:
    position = hemmed_in()
    assert "pass" not in position.legal_moves
    assert refusal(position, "pass") == "PP-18"


def test_pp18_a_pass_is_a_turn_without_a_capture() -> None:
    position = hemmed_in(quiet=198).play("i5-j5")
    assert end(position.play("pass")) == ("PP-17", set())


def test_pp18_with_two_players_the_option_changes_nothing() -> None:
    fire, earth = WARDENS
    air, water = STUCK
    after = at(fire, air, earth, water, stuck="passes").play("i5-j5")
    assert end(after) == ("PP-18", {0})
    assert refusal(at(fire, air, earth, water, stuck="passes"), "pass") == "PP-18"


def test_pp18_in_the_opening_a_pass_is_the_turn_of_the_element() -> None:
    match = new("points-of-power", players=4, stuck="passes", board=WALLED).play("c3-d4", "pass")
    assert fields_of(match.position)["moved"] == "FA"
    assert match.to_move == 2
    match.play("e9-e8", "c9-c8")
    assert fields_of(match.position)["moved"] == "FAEW"
    assert Position(match.position.text) == match.position
    # Air has not come out in its turn, so it has no exposed piece when its side is looked at for the first time.
    assert end(match.play("d4-e5").position) == ("PP-16", {0, 2})


def test_pp18_after_a_pass_the_end_is_tested_as_after_any_move() -> None:
    walled = WALLED.translate(str.maketrans("FAEW", "AWFE"))  # all first steps of Water lead to points of power
    match = new("points-of-power", players=4, stuck="passes", board=walled)
    # Water passes in turn 4, and only then Fire and Earth must have exposed pieces, which they have.
    match.play("e9-e8", "c3-d4", "c9-c8", "pass")
    assert not match.is_over
    assert Position(match.position.text) == match.position
    assert end(match.play("e8-e7").position) == ("PP-16", {0, 2})


def test_pp18_all_four_may_pass() -> None:
    board = rows("""
        FFF*AAA
        FFF-AAA
        FFF*AAA
        **-*-**
        ---m---
        **-*-**
        EEE*WWW
        EEE-WWW
        EEE*WWW
    """)
    match = new("points-of-power", players=4, stuck="passes", board=board)
    assert match.legal_moves == ["pass"]
    match.play("pass", "pass", "pass", "pass")
    assert end(match.position) == ("PP-16", {1, 3})  # nobody has come out, and Water moved last
    assert Position(match.position.text) == match.position


def test_pp19_all_players_of_the_winning_side_win() -> None:
    position = at("h8", "mp", "d3", "a5", players=4).play("h8xmp")
    assert position.result == Result((1, 0, 1, 0), frozenset({0, 2}))
    assert returns(position) == [1, -1, 1, -1]
    position = at("mp", "a5", "d3", "h8", players=4, mover=3).play("h8xmp")
    assert position.result == Result((0, 1, 0, 1), frozenset({1, 3}))
    assert returns(position) == [-1, 1, -1, 1]
    position = at("h8 h7", "a5 a4", "d3 d4", "k5", quiet=199).play("h8-h9")
    assert position.result == Result((0, 0), frozenset())
    assert returns(position) == [0, 0]


def returns(position: Position) -> list[float]:
    out = np.zeros(position.seats, np.float32)
    GAME.rules.returns(position.state, out)
    return [float(value) for value in out]


# ── Symmetry ─────────────────────────────────────────────────────────────────────────────────────────────────────────
#
# A quarter turn clockwise takes Fire to Air, Air to Earth, Earth to Water and Water to Fire, which keeps who captures
# whom: it gives every position to the next player. A mirror would not do: it turns the circle of captures round.


def turned(square: str, turns: int) -> str:
    if turns == 0 or square in ("mp", "-"):
        return square
    column, row = ord(square[0]) - ord("a"), int(square[1:]) - 1
    return turned(NAMES[(SIZE - 1 - column) * SIZE + row], turns - 1)


def turned_move(move: str, turns: int) -> str:
    sign = "x" if "x" in move else "-"
    return sign.join(turned(square, turns) for square in from_to(move))


def turned_position(position: Position, turns: int) -> Position:
    fields = fields_of(position)
    for k, element in enumerate(ELEMENTS):
        squares = squares_of(position, ELEMENTS[(k - turns) % 4])
        fields[element] = ",".join(turned(square, turns) for square in squares)
    letters = {"FAEW"[("FAEW".index(letter) + turns) % 4] for letter in fields["moved"].strip("-")}
    fields["moved"] = "".join(letter for letter in "FAEW" if letter in letters) or "-"
    if position.is_over and turns % 2:
        fields["winner"] = {"fire-earth": "air-water", "air-water": "fire-earth", "-": "-"}[fields["winner"]]
    if not position.is_over:
        fields["to-move"] = str((int(fields["to-move"]) + turns) % position.seats)
    return Position(" ".join(["points-of-power", *(f"{name}={value}" for name, value in fields.items())]))


def check_turns(position: Position, move: str, turns: int) -> None:
    other = turned_position(position, turns)
    assert other.legal_moves == sorted(turned_move(legal, turns) for legal in position.legal_moves)
    assert other.play(turned_move(move, turns)) == turned_position(position.play(move), turns)


@pytest.mark.parametrize("players", [2, 4])
def test_a_quarter_turn_gives_the_position_to_the_next_player(players: int) -> None:
    for seed in range(3):
        positions = [position for position in wander(seed, 90, players=players) if not position.is_over]
        for position in positions[4::10]:
            check_turns(position, random.Random(seed).choice(position.legal_moves), turns=1)


def test_a_half_turn_exchanges_the_elements_of_each_player() -> None:
    for seed in range(3):
        for position in wander(seed, 8):  # from the start: either element may begin
            check_turns(position, random.Random(seed).choice(position.legal_moves), turns=2)


@pytest.mark.parametrize("turns", range(4))
def test_the_examples_can_be_turned(turns: int) -> None:
    check_turns(drawn(LAST_POINT), "i6-h6", turns)
    check_turns(drawn(LAST_POINT, mover=1), "h7xi6", turns)
    check_turns(drawn(EXCUSED), "c10xb9", turns)
    check_turns(drawn(EXCUSED, mover=1), "d9xc10", turns)
    check_turns(at("b2 b1 a3", "a1", "j11 j10 k10", "k11"), "a3-a2", turns)


# ── Numbers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


CROWD = """
    A . . . . . . . . . .
    . F . E . F . E . F .
    . . . . . . . . . . .
    W E . . . . . . . E .
    . . . . m m m . . . .
    . F . . m E m . . F .
    . . . . m m m . . . .
    . E . . . F . . . E .
    . . . . . . . . . . .
    . F . E . F . E . F .
    . . . . . . . . . . .
"""


def test_the_most_legal_moves() -> None:
    position = drawn(CROWD)
    check_legal(position)
    # 16 pieces on the rim with eight ways each, f4 with five, and the material plane, of whose 16 squares f4 is one.
    assert len(position.legal_moves) == 16 * 8 + 5 + 15
    for turns in (1, 2, 3):
        check_legal(turned_position(position, turns))
    assert GAME.max_legal == 17 * 8 + 16


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}, {"board": CLOSE}, {"board": WALLED}])
def test_no_legal_move_is_listed_twice(options: dict[str, Any]) -> None:
    for position in list(wander(5, 60, **options))[::6]:
        check_legal(position)


def test_equal_positions_have_equal_keys() -> None:
    one = new("points-of-power").play("i9-h8", "c9-d8", "c3-d4", "i3-h4").position
    two = new("points-of-power").play("c3-d4", "i3-h4", "i9-h8", "c9-d8").position
    assert one == two
    assert one.key == two.key
    cells = "h8 h7", "a5 a4", "d3 d4", "k5"
    others = [at(*cells), at(*cells, mover=1), at(*cells, quiet=1), at(*cells, players=4), at(*cells[:3], "k4")]
    assert len({position.key for position in others}) == len(others)
    assert new("points-of-power").position.key != new("points-of-power", board=WALLED).position.key
