"""The rules of Fire & Water, one by one, on positions built for them.

Most positions are small: an otherwise empty chessboard with a star of four markers around e5, a water square, or around
f5, a fire square.

        . . . . n . .        The inner halves n, e, s, w are what a test is about: "0W3" is a water 3 of Red, seat 0.
    7   . . . . n . .
    6   . . . . n . .
    5   . . w w * e e
    4   . . . . s . .
    3   . . . . s . .
        a b c d e f g
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import numpy as np
import pytest

from empedocles import CHANCE, Position, new
from empedocles.games.fire_and_water import GAME, lookups
from empedocles.games.fire_and_water.lookups import MOVES, NAMES
from empedocles.games.fire_and_water.rules import MAX_LEGAL, of_seat, sums, surrounded
from empedocles.games.fire_and_water.text import contains, ground, holds
from empedocles.testing.samples import random_match

FAR = "b2,b7,i7"  # elementals that are in nobody's way, on the large board
NEAR = "b2,b7,g2"  # and on the small one
ALL = [f"F{fire}W{water}" for fire in "1234" for water in "1234"]
UNEQUAL = [name for name in ALL if name[1] != name[3]]


def position(**fields: object) -> Position:
    words = (f"{name.replace('_', '-')}={value}" for name, value in fields.items())
    return Position(" ".join(["fire-and-water", *words]))


def star(*halves: str, seats: int = 2, around: str = "e5", more: str = "") -> str:
    """The field `markers`: the inner halves north, east, south and west of a square, "-" for none; `more` as in it."""
    laid: list[list[str]] = [part.split(",") if part else [] for part in (more or "/" * (seats - 1)).split("/")]
    used: set[tuple[int, str, str]] = set()
    column, row = ord(around[0]), int(around[1])
    for half, (x, y) in zip(halves, ((0, 1), (1, 0), (0, -1), (-1, 0)), strict=True):
        if half == "-":
            continue
        seat, element, value = int(half[0]), half[1], half[2]
        inner, outer = f"{chr(column + x)}{row + y}", f"{chr(column + 2 * x)}{row + 2 * y}"
        ways = ((value, v) if element == "F" else (v, value) for v in "1234" if seats < 4 or v != value)
        fire, water = next(way for way in ways if (seat, *way) not in used)
        used.add((seat, fire, water))
        cells = (inner, outer) if element == "F" else (outer, inner)
        laid[seat].append(f"F{fire}{cells[0]}W{water}{cells[1]}")
    return "/".join(",".join(moves) or "-" for moves in laid)


def chess(markers: str, **fields: object) -> Position:
    """A position on the chessboard of as many players as there are lists of markers."""
    players = markers.count("/") + 1
    elementals = NEAR if players == 2 else FAR
    return position(
        **{"players": players, "board": "chessboard", "elementals": elementals, "markers": markers} | fields
    )


def kinds(moves: Iterable[str]) -> str:
    """The first letters of moves, each once."""
    return "".join(sorted({move[0] for move in moves}))


def influence(of: Position) -> dict[str, list[int]]:
    """The influence of each player on every square where somebody has some."""
    found = {}
    s = of.state
    for cell, name in enumerate(NAMES[: 64 if of.seats == 2 else 96]):
        lanes = sums(s, cell, ground(s, cell))
        if lanes:
            found[name] = [of_seat(lanes, seat) for seat in range(of.seats)]
    return found


def changed(of: Position, **fields: object) -> Position:
    """The same position with some fields changed."""
    words = dict(word.split("=", 1) for word in of.text.split()[1:])
    return position(**words | {name.replace("_", "-"): value for name, value in fields.items()})


def may(of: Position, move: str) -> list[int]:
    """The players who may make a move if it is their turn."""
    return [seat for seat in range(of.seats) if move in changed(of, to_move=seat).legal_moves]


def full(players: int = 2, leave: str = "", owners: str = "") -> dict[str, object]:
    """The fields of a chessboard full of upright markers with fire below, of the players in turn or as in `owners`.

    Three elementals are on b2, d4 and f6; the squares below them are empty, and those in `leave`, whole pairs of them.
    """
    names = NAMES[: 64 if players == 2 else 96]
    supply = [list(UNEQUAL if players == 4 else ALL) for _ in range(players)]
    laid: list[list[str]] = [[] for _ in range(players)]
    turns = itertools.cycle(map(int, owners or "0123"[:players]))
    for low, high in zip(names[::2], names[1::2], strict=True):
        if not {low, high} & {"b2", "d4", "f6", *leave.split(",")}:
            seat = next(turns)
            name = supply[seat].pop(0)
            laid[seat].append(f"{name[:2]}{low}{name[2:]}{high}")
    markers = "/".join(map(",".join, laid))
    return {"players": players, "board": "chessboard", "elementals": "b2,d4,f6", "markers": markers}


def shared_out(fields: dict[str, object], *numbers: int, avoid: str = "") -> str:
    """The field `tokens`: so many tokens of each player, on marker halves without an empty neighbour."""
    s = position(**fields).state
    free = (name for cell, name in enumerate(NAMES) if s.half[cell] and holds(surrounded(s, cell >> 6), cell))
    chosen = iter([name for name in free if name not in avoid.split(",")])
    return "/".join(",".join(itertools.islice(chosen, n)) or "-" for n in numbers)


# ── Material ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("players", "columns"), [(2, "bcdefg"), (3, "bcdefghijk"), (4, "bcdefghijk")])
def test_fw1_size_of_the_board(players: int, columns: str) -> None:
    start = new("fire-and-water", players=players)
    assert start.legal_moves == [f"E{column}{row}" for column in columns for row in range(2, 8)]


def test_fw1_small_board_ends_at_column_h() -> None:
    small = chess("-/-", to_move=0)
    assert "F1g4W1h4" in small.legal_moves
    assert not [move for move in small.legal_moves if set("ijkl") & set(move)]
    assert str(small.reason("F1h4W1i4")).startswith("Reason(rule='FW-1'")


def test_fw1_columns_h_and_i_of_the_large_board_are_neighbours() -> None:
    large = chess("-/-/-", to_move=0)
    assert {"F1h4W1i4", "F1i4W1h4"} <= set(large.legal_moves)
    assert "La1" not in large.legal_moves
    assert {"Lh1", "Lh8", "Li1"} <= set(large.legal_moves)
    elementals = position(players=3, elementals="h4", to_move=1).legal_moves
    assert not {"Ei3", "Ei4", "Ei5"} & set(elementals)
    assert {"Ej3", "Ej4", "Ef5"} <= set(elementals)
    assert "Li4" not in chess("-/-/-", elementals="h4,b2,b7", to_move=0).legal_moves


@pytest.mark.parametrize("around", ["h5", "i5"])
def test_fw1_influence_crosses_from_h_to_i(around: str) -> None:
    element = "F" if around == "h5" else "W"
    halves = [f"0{element}{value}" for value in (1, 2, 3, 4)]
    whole = chess(star(*halves, seats=3, around=around), elementals="b2,b7,e7", to_move=0)
    assert influence(whole)[around] == [10, 0, 0]
    assert "P" + around in whole.legal_moves
    for missing in range(4):
        arms = [half if k != missing else "-" for k, half in enumerate(halves)]
        assert (
            "P" + around not in chess(star(*arms, seats=3, around=around), elementals="b2,b7,e7", to_move=0).legal_moves
        )


@pytest.mark.parametrize(("players", "tokens", "markers"), [(2, 20, 16), (3, 20, 16), (4, 15, 12)])
def test_fw2_material(players: int, tokens: int, markers: int) -> None:
    drawn = str(new("fire-and-water", players=players)).splitlines()
    lines = [line.split() for line in drawn if "not placed" in line]
    assert [line[-6:] for line in lines] == [["-2", str(tokens), "not", "placed", "-", str(markers)]] * players


def test_fw3_all_combinations_once() -> None:
    revealing = position(elementals=NEAR, hands="-/-", to_move="chance")
    assert revealing.legal_moves == ["+" + name for name in ALL]


def test_fw3_equal_values_are_left_out_with_four_players() -> None:
    revealing = position(players=4, elementals=FAR, hands="-/-/-/-", to_move="chance")
    assert revealing.legal_moves == ["+" + name for name in UNEQUAL]
    assert len(UNEQUAL) == 12


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["medallion", "chessboard"])
def test_fw4_pattern(board: str, players: int) -> None:
    s = GAME.start({"players": players, "board": board})
    columns, left = (8, 2) if players == 2 else (12, 4)
    for column, row in itertools.product(range(columns), range(1, 9)):
        fire = (column + 8 - row) % 2 == 0
        in_block, at_end = left <= column <= left + 3 and 3 <= row <= 6, column in (left, left + 3) and row in (3, 6)
        inverted = board == "medallion" and in_block and not at_end
        assert contains(s.fire, column * 8 + row - 1) == (fire != inverted)


# ── Setup ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("players", "seats"), [(2, [0, 1, 0]), (3, [0, 1, 2]), (4, [0, 1, 2])])
def test_fw5_who_places_elementals(players: int, seats: list[int]) -> None:
    match = new("fire-and-water", players=players, chance="manual")
    for seat, move in zip(seats, ("Ec3", "Ee5", "Eg3"), strict=True):
        assert match.to_move == seat
        match.play(move)
    assert match.to_move == CHANCE


def test_fw5_not_on_the_edge_and_not_beside_another() -> None:
    match = new("fire-and-water").play("Ec3")
    around = {f"E{column}{row}" for column in "bcd" for row in (2, 3, 4)}
    inner = {f"E{column}{row}" for column in "bcdefg" for row in range(2, 8)}
    assert set(match.legal_moves) == inner - around
    assert not around & set(match.play("Ee3").legal_moves)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_fw6_three_reveals_each_in_turn(players: int) -> None:
    match = new("fire-and-water", players=players, chance="manual").play("Ec3", "Ee5", "Eg3")
    names = UNEQUAL if players == 4 else ALL
    for _ in range(players):
        for number in range(3):
            assert match.to_move == CHANCE
            assert match.legal_moves == ["+" + name for name in names[number:]]
            match.play("+" + names[number])
    assert match.to_move != CHANCE


def test_fw6_nobody_is_handed_a_fourth_marker() -> None:
    """Even in a state that no match leads to, in which the later ones show theirs already."""
    start = new("fire-and-water", players=3, chance="manual").play("Ec3", "Ee5", "Eg3", "+F1W1", "+F1W2")
    state, three = start.position.state, int("111", 2)
    for seat in (1, 2):
        state.revealed[seat], state.hidden[seat] = three, int(state.hidden[seat]) & ~three
    start.game.rules.play(state, start.position.action("+F1W3"))
    assert state.revealed.tolist()[:3] == [three] * 3
    assert state.mover != CHANCE


@pytest.mark.parametrize(("players", "first"), [(2, 1), (3, 0), (4, 3)])
def test_fw7_first_turn(players: int, first: int) -> None:
    assert new("fire-and-water", players=players, seed=1).play("Ec3", "Ee5", "Eg3").to_move == first


# ── A turn ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def striped(count: int, **fields: object) -> Position:
    """Red has laid so many markers upright in columns a, c, e and g; no square is surrounded.

    8  x . x . x . x .
    7  x . x . x . x .
    6  x . x E x . x .
    5  x . x . x . x L
    4  x . x . x E x .
    3  x . x E x . x .
    2  x . x . x . x .
    1  x . x . x . x .
    """
    places = [(f"{column}{row}", f"{column}{row + 1}") for column in "aceg" for row in (1, 3, 5, 7)]
    laid = [f"F{name[1]}{low}W{name[3]}{high}" for name, (low, high) in zip(ALL, places, strict=True)]
    markers = f"{','.join(laid[:count])}/-"
    return chess(markers, **{"elementals": "d3,d6,f4", "leaders": "h5/-", "to_move": 0} | fields)


def test_fw8_pass_only_without_any_action() -> None:
    stuck = striped(16)
    assert stuck.legal_moves == ["pass"]
    assert "can only pass" in str(stuck)
    after = stuck.play("pass")
    assert after.to_move == 1
    assert kinds(after.legal_moves) == "FL"


@pytest.mark.parametrize("fields", [{"leaders": "-/-"}, {"to_move": 1}])
def test_fw8_no_pass_with_an_action(fields: dict[str, object]) -> None:
    assert "pass" not in striped(16, **fields).legal_moves
    assert kinds(striped(16, leaders="-/-").legal_moves) == "L"


def test_fw8_no_pass_with_a_marker() -> None:
    assert kinds(striped(15).legal_moves) == "F"


def test_fw9_revealed_markers_on_empty_neighbours_either_way_round() -> None:
    turn = chess("F1d4W1d5/-", hands="F2W1,F4W3/F1W1,F1W2,F1W3", leaders="e5/h5", to_move="chance").play("+F3W3")
    turn = changed(turn, to_move=0)
    markers = {move for move in turn.legal_moves if move[0] == "F"}
    assert {move[:2] + move[4:6] for move in markers} == {"F2W1", "F4W3", "F3W3"}
    assert {"F2a1W1a2", "F2a2W1a1", "F2a1W1b1", "F2b1W1a1"} <= markers
    for taken in ("d4", "d5", "e5", "h5", "b2"):
        assert not [move for move in markers if taken in move]
    free = set(NAMES[:64]) - {"d4", "d5", "e5", "h5", "b2", "b7", "g2"}
    beside = [(a, b) for a in free for b in free if abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1]
    assert len(markers) == 3 * len(beside)


def test_fw9_a_marker_is_revealed_before_the_next_turn() -> None:
    turn = chess("-/-", hands="F1W1,F1W2,F1W3/F1W1,F1W2,F1W3", to_move=0).play("F1a1W1a2")
    assert turn.to_move == CHANCE
    assert turn.legal_moves == ["+" + name for name in ALL[3:]]
    after = turn.play("+F4W4")
    assert after.to_move == 1
    assert "hands=F1W2,F1W3,F4W4/F1W1,F1W2,F1W3" in after.text


def test_fw9_a_reveal_with_one_outcome_is_a_move() -> None:
    turn = striped(12)
    turn = turn.play(turn.legal_moves[0])
    assert turn.to_move == CHANCE
    assert turn.legal_moves == ["+F4W4"]
    assert turn.play("+F4W4").to_move == 1


def test_fw9_nothing_to_reveal() -> None:
    turn = striped(13)
    assert turn.play(turn.legal_moves[0]).to_move == 1


def test_fw10_where_a_leader_may_go() -> None:
    leaders = {move for move in chess("F1d4W1d5/-", leaders="-/h5", to_move=0).legal_moves if move[0] == "L"}
    corners, elementals, taken = {"a1", "a8", "h1", "h8"}, {"b2", "b7", "g2"}, {"d4", "d5", "h5"}
    beside = {"a2", "b1", "b3", "c2", "a7", "b6", "b8", "c7", "f2", "g1", "g3", "h2"}
    assert leaders == {"L" + name for name in set(NAMES[:64]) - corners - elementals - taken - beside}


def test_fw10_once_and_without_influence() -> None:
    after = chess("F1d4W1d5/-", to_move=0).play("Lc3")
    assert after.to_move == 1
    assert influence(after) == influence(chess("F1d4W1d5/-", to_move=0))
    assert kinds(changed(after, to_move=0).legal_moves) == "F"


def test_fw11_a_token_is_an_action() -> None:
    after = chess(star("0W1", "0W2", "0W3", "0W4"), to_move=0).play("Pe5")
    assert after.to_move == 1
    assert "tokens=e5/-" in after.text


def test_fw12_a_claim_is_an_action() -> None:
    turn = chess(star("0W1", "0W2", "0W3", "0W4"), elementals="b2,e5,g2", leaders="a5/-", to_move=0)
    after = turn.play("Ce5")
    assert after.to_move == 1
    assert "tokens=e5/-" in after.text


# ── Influence and possession ─────────────────────────────────────────────────────────────────────────────────────────


def test_fw13_the_example_of_the_rule_book() -> None:
    turn = position(elementals=NEAR, markers="F4f4W3f3/-", to_move=0)
    assert influence(turn) == {"f2": [3, 0], "f3": [4, 0], "g3": [3, 0], "g4": [4, 0]}


def test_fw13_the_colour_of_the_number_counts() -> None:
    """On the chessboard all neighbours of a fire square are water squares: a fire half on it has no influence."""
    assert influence(chess("-/F2d5W1d4", to_move=0)) == {}
    assert influence(chess("-/F2d4W1d5", to_move=0)) == {
        **{name: [0, 2] for name in ("c4", "d3", "d5", "e4")},
        **{name: [0, 1] for name in ("c5", "d4", "d6", "e5")},
    }


def test_fw14_a_covered_half_is_silent_and_the_other_is_not() -> None:
    markers = "F4f4W3f3,F1f6W1f5/F1d4W1e4,F1h4W2g4"
    before = influence(position(elementals=NEAR, markers=markers, to_move=1))
    after = influence(position(elementals=NEAR, markers=markers, tokens="-/f4", to_move=0))
    silent = {"f3": [4, 0], "g4": [4, 1]}, {"g4": [0, 1]}
    assert all(before[name] == what for name, what in silent[0].items())
    assert after == {name: what for name, what in before.items() if name not in silent[0]} | silent[1]


TOKENS = [
    (("0W3", "0W1", "1W2", "1W1"), [0]),
    (("0W3", "0W1", "1W4", "1W1"), [1]),
    (("0W3", "0F4", "1W2", "0F4"), [0]),
    (("0W1", "0F4", "1W2", "0F4"), [1]),
    (("0F3", "0F4", "1F2", "0F1"), []),
    (("0W3", "0W1", "-", "0W1"), []),
    (("0W3", "1W1", "2W2", "2W2"), [2]),
    (("0W3", "1W2", "1F4", "2W2"), [0]),
]


@pytest.mark.parametrize(("halves", "who"), TOKENS)
def test_fw15_strictly_greatest_influence_on_a_surrounded_square(halves: tuple[str, ...], who: list[int]) -> None:
    assert may(chess(star(*halves, seats=3), to_move=0), "Pe5") == who


@pytest.mark.parametrize(
    "halves", [("0W3", "0W1", "1W2", "1W2"), ("0W3", "1W3", "2W1", "2W1"), ("0W3", "1W3", "2W3", "0F1")]
)
def test_fw15_tie_is_not_a_majority(halves: tuple[str, ...]) -> None:
    assert may(chess(star(*halves, seats=3), to_move=0), "Pe5") == []


def test_fw15_a_tie_below_does_not_matter() -> None:
    assert may(chess(star("0W1", "1W1", "2W1", "3W2", seats=4), to_move=0), "Pe5") == [3]


@pytest.mark.parametrize(
    "fields",
    [{"leaders": "-/f5"}, {"leaders": "f5/-"}, {"elementals": "b2,f5,b7"}],
    ids=["leader of the other", "own leader", "elemental"],
)
def test_fw15_what_may_surround_a_square(fields: dict[str, object]) -> None:
    markers = star("0W3", "-", "1W1", "1W1")
    assert may(chess(markers, to_move=0), "Pe5") == []
    assert may(chess(markers, **fields, to_move=0), "Pe5") == [0]


def test_fw15_a_token_may_surround_a_square() -> None:
    markers = star("0W3", "1W4", "1W1", "-", more="F2e5W2d5,F3f6W3f7,F4f4W3f3/")
    assert may(chess(markers, to_move=0), "Pe5") == []  # 3 + 2 against 4 + 1
    assert may(chess(markers, tokens="f5/-", to_move=0), "Pe5") == [0]


def test_fw15_three_neighbours_at_the_edge_and_two_in_the_corner() -> None:
    assert may(chess("F1c1W1d1,F1g1W2f1,F1e3W3e2/-", to_move=0), "Pe1") == [0]
    assert may(chess("F1c1W1d1,F1g1W2f1/-", to_move=0), "Pe1") == []
    assert may(chess("F1a3W1a2,F1c1W2b1/-", to_move=0), "Pa1") == [0]
    assert may(chess("F1a3W1a2/-", to_move=0), "Pa1") == []


def test_fw15_what_may_be_on_the_square() -> None:
    markers = star("0W1", "0W2", "0W3", "0W4")
    assert may(chess(markers, leaders="-/e5", to_move=0), "Pe5") == [0]
    assert may(chess(markers, leaders="e5/-", to_move=0), "Pe5") == []
    assert may(chess(markers, elementals="b2,e5,g2", to_move=0), "Pe5") == []
    assert may(chess(markers, tokens="-/e5", to_move=0), "Pe5") == []
    inside = star("0W3", "0W4", "0W1", "-", more="/F1e5W1d5")
    assert may(chess(inside, to_move=0), "Pe5") == [0]


def left_and_right(**fields: object) -> Position:
    """The example of the rule book: L is d4, a water square, R is e4.

    5   .    .   1W1  0F1   .    .
    4   .   0W4   L    R   1F1   .      L holds Green's fire 1, R the water 3 of the same marker
    3   .    .   1W2  0F2   .    .
        b    c    d    e    f    g
    """
    red, green = "F4b4W4c4,F1e5W1e6,F2e3W2e2", "F1d4W3e4,F3d6W1d5,F3d2W2d3,F1f4W2g4"
    return chess(f"{red}/{green}", **{"elementals": "b2,b7,g7"} | fields)


def test_fw15_the_example_of_the_rule_book() -> None:
    before = left_and_right(to_move=0)
    assert influence(before)["d4"] == [4, 6]
    assert influence(before)["e4"] == [3, 2]
    assert "Pd4" not in before.legal_moves
    assert "Pe4" in before.legal_moves
    after = changed(before.play("Pe4"), to_move=0)
    assert influence(after)["d4"] == [4, 3]
    assert "Pd4" in after.legal_moves
    assert after == left_and_right(tokens="e4/-", to_move=0)


def conquered(**fields: object) -> Position:
    """Red may conquer the leader of Green on e5."""
    return chess(star("0W1", "0W2", "0W3", "0W4"), **{"leaders": "a4/e5", "to_move": 0} | fields)


def scores(of: Position) -> list[int]:
    points = np.zeros(of.seats, np.int32)
    GAME.rules.scores(of.state, points)
    found: list[int] = points.tolist()
    return found


def test_fw16_a_conquered_leader_costs_two_tokens_and_counts_as_not_placed() -> None:
    assert scores(conquered()) == [0, 0]
    after = conquered().play("Pe5")
    assert scores(after) == [2, -2]
    assert "L" not in kinds(after.legal_moves)


def test_fw16_without_a_leader_no_claim() -> None:
    halves = star("0F1", "1F2", "1F3", "1F4", more="F4a2W4a3,F3a6W4a5,F4c4W3b4/")
    turn = chess(halves, elementals="b2,b7,e5", leaders="a4/-", to_move=0)
    assert may(turn, "Ce5") == [0]
    assert may(changed(turn, tokens="-/a4"), "Ce5") == []


def crowning(turn: dict[str, object], first: str = "", avoid: str = "") -> Position:
    """Red has one token left; there is one on the square `first`, if that is given."""
    tokens = shared_out(turn, 18 if first else 19, *[0] * (int(str(turn["players"])) - 1), avoid=avoid)
    return position(**turn, tokens=",".join(filter(None, [first, tokens])))


def test_fw16_with_one_token_left_that_one_is_placed() -> None:
    turn = full(leave="h5,h6,a7,a8") | {"leaders": "h6/h5", "to_move": 0}
    after = crowning(turn, avoid="g5").play("Ph5")
    assert after.result is not None
    assert after.result.scores == (20, -2)
    assert after.result.winners == {0}


def test_fw17_a_token_stays() -> None:
    match = random_match(GAME, {"players": 3, "board": "chessboard"}, seed=2)
    boards = [p.state.tokens for p in match.positions()]
    assert boards[-1].any()
    assert all(((later & before) == before).all() for before, later in itertools.pairwise(boards))
    assert not [move for move in match.moves if match.moves.count(move) > 1 and move[0] == "P"]


CLAIMS = [
    (("0W1", "1W2", "1F2", "0F1"), [0]),  # both elements count: 2 against 4
    (("0W4", "1W1", "1F2", "0F1"), [1]),
    (("0W1", "0W2", "0F3", "0F4"), [0]),  # players without a half do not matter
    (("0W1", "1F1", "0W2", "1F2"), []),
    (("0W3", "1W1", "1F1", "2F2"), []),  # a tie for the lowest: not even the third
    (("0W3", "1W1", "1F1", "2F4"), [1]),
    (("0W3", "1W4", "2F4", "2F4"), [0]),
    (("0W1", "1W2", "-", "1F2"), []),
]


@pytest.mark.parametrize(("halves", "who"), CLAIMS)
def test_fw18_lowest_sum_claims(halves: tuple[str, ...], who: list[int]) -> None:
    turn = chess(star(*halves, seats=3), elementals="b2,b7,e5", leaders="a4/a5/h4", to_move=0)
    assert may(turn, "Ce5") == who
    assert may(changed(turn, leaders="-/-/-"), "Ce5") == []


def test_fw18_covered_halves_do_not_count_but_tokens_fill() -> None:
    markers = star("0W1", "1W2", "1F2", "1F1", more="F4d7W4d6,F4d3W3d4/")
    turn = chess(markers, elementals="b2,b7,e5", leaders="a4/a5", to_move=0)
    assert may(turn, "Ce5") == [0]
    assert may(changed(turn, tokens="d5/-"), "Ce5") == [0]  # 1 against 4
    more = star("1W1", "1W2", "1F2", "0F1", more="F4d7W4d6,F4d3W3d4/")
    assert may(changed(turn, markers=more), "Ce5") == [0]
    assert may(changed(turn, markers=more, tokens="-/d5"), "Ce5") == [1]  # 0 does not count


def test_fw18_a_claim_takes_two_tokens_and_is_for_good() -> None:
    turn = chess(star("0W1", "1W2", "1F2", "0F1"), elementals="b2,b7,e5", leaders="a4/a5", to_move=0)
    after = turn.play("Ce5")
    assert scores(after) == [2, 0]
    assert may(after, "Ce5") == []
    assert may(after, "Pe5") == []


def test_fw18_with_one_token_left_that_one_is_placed() -> None:
    turn = full(leave="h5,h6,a7,a8", owners="10") | {"leaders": "h6/h5", "to_move": 0}
    claim = crowning(turn, first="b1", avoid="a2,b3,c2")
    assert scores(claim) == [19, 0]
    after = claim.play("Cb2")
    assert after.result is not None
    assert after.result.scores == (20, 0)
    assert after.result.winners == {0}


# ── End ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_fw19_the_last_token_wins_at_once() -> None:
    turn = crowning(full(leave="h5,h6,a7,a8") | {"to_move": 0})
    tokens = [move for move in turn.legal_moves if move[0] == "P"]
    after = turn.play(tokens[0])
    assert after.to_move is None
    assert after.legal_moves == []
    assert after.result is not None
    assert after.result.winners == {0}
    assert "last=-" in after.text


def test_fw19_in_a_last_turn_too() -> None:
    turn = crowning(full(3) | {"last": 2, "to_move": 0})
    after = turn.play(next(move for move in turn.legal_moves if move[0] == "P"))
    assert after.to_move is None  # though Green has had no last turn
    assert after.result is not None
    assert after.result.winners == {0}
    assert turn.play("pass").to_move == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_fw20_each_other_player_has_one_last_turn(players: int) -> None:
    column = "h" if players == 2 else "l"
    turn = position(**full(players, leave=f"{column}7,{column}8"), to_move=1)
    marker = next(move for move in turn.legal_moves if move[0] == "F")
    turn = turn.play(marker)
    assert turn.text.endswith(f"last=1 to-move={2 % players}")
    for seat in [*range(2, players), 0]:
        assert turn.to_move == seat
        assert "pass" in turn.legal_moves
        assert set(kinds(turn.legal_moves)) <= set("Pp")
        turn = turn.play("pass")
    assert turn.is_over


def test_fw20_drops_the_reveal() -> None:
    """Green has four markers left, three of them revealed."""
    owners = "01" * 12 + "0000"
    regular = position(**full(leave="h7,h8,g7,g8", owners=owners), to_move=1).play("F4h7W1h8")
    assert regular.to_move == CHANCE
    crowding = position(**full(leave="h7,h8", owners=owners), to_move=1).play("F4h7W1h8")
    assert "hands=-/F4W2,F4W3 " in crowding.text
    assert crowding.text.endswith("last=1 to-move=0")


def test_fw20_a_free_pair_is_left() -> None:
    turn = position(**full(leave="h7,h8,a1,a2"), to_move=1).play("Lh7")
    assert turn.text.endswith("last=- to-move=0")
    assert "F" in kinds(turn.legal_moves)


def test_fw20_caused_by_a_leader() -> None:
    turn = position(**full(leave="h5,h6"), to_move=1).play("Lh6")
    assert turn.text.endswith("last=1 to-move=0")
    assert kinds(turn.legal_moves) == "Pp"
    assert turn.play("pass").is_over


def test_fw20_a_token_in_a_last_turn_may_conquer() -> None:
    turn = position(**full(leave="h5,h6", owners="10"), leaders="h6/h5", last=1, to_move=0)
    after = turn.play("Ph5")
    assert after.result is not None
    assert after.result.scores == (2, -2)


# Next to b2 Red has less than Green.
CLAIM = {"leaders": "h6/h5", "tokens": "b1/-", "last": 1, "to_move": 0}


def finale(claims: str = "claims", **fields: object) -> Position:
    """A last turn of Red under the reading of FW-20 that allows claims, or the other one."""
    board = full(leave="h5,h6")
    return position(**{"players": board.pop("players"), "finale": claims} | board | CLAIM | fields)


def test_fw20_no_claim_in_a_last_turn() -> None:
    regular = position(**full(leave="h5,h6,h7,h8") | CLAIM | {"last": "-"})
    assert "Cb2" in regular.legal_moves
    assert kinds(finale("tokens").legal_moves) == "Pp"


def test_fw20_a_claim_in_a_last_turn_where_the_finale_allows_it() -> None:
    assert set(finale().legal_moves) - set(finale("tokens").legal_moves) == {"Cb2"}
    over = finale().play("Cb2")
    assert over.result is not None
    assert over.result.scores == (3, 0)


def test_fw20_passing_is_allowed_beside_a_claim() -> None:
    over = finale().play("pass")
    assert over.result is not None
    assert over.result.scores == (1, 0)


def test_fw20_a_claim_in_a_last_turn_is_one_of_fw18() -> None:
    assert "Cb2" not in finale(tokens="-/-").legal_moves  # b1 is empty
    assert "Cb2" not in finale(tokens="b1/h6").legal_moves  # Red's leader is conquered
    assert "Cb2" not in finale(last=0, to_move=1).legal_moves  # Green has more


def test_fw20_after_a_claim_the_others_have_their_last_turns() -> None:
    board = full(3, leave="l5,l6")
    turn = position(finale="claims", **board, leaders="l5/l6/-", tokens="b1/-/-", last=2, to_move=0)
    after = turn.play("Cb2")
    assert after.to_move == 1
    assert after.play("pass").is_over


def test_fw19_two_last_tokens_on_an_elemental_win_in_a_last_turn() -> None:
    board = full(leave="h5,h6") | CLAIM
    tokens = shared_out(board, 17, 0, avoid="a2,c2,b3,b1").replace("/-", ",b1/-")
    over = finale(tokens=tokens).play("Cb2")
    assert over.ending is not None
    assert over.ending.rule == "FW-19"
    assert over.result is not None
    assert over.result.winners == {0}


def test_fw19_and_fw20_are_what_ends_a_game() -> None:
    assert [GAME.endings[n].rule for n in sorted(GAME.endings)] == ["FW-19", "FW-20"]
    assert finale().ending is None
    assert GAME.rules.ending(finale().state) == 0
    assert GAME.rules.ending(finale().play("pass").state) == 20


def test_fw21_score() -> None:
    """Red has a leader and three tokens, one of them beside another on an elemental; Green neither."""
    halves = star("0W1", "0W2", "0F3", "0F4", more="F4d7W4d6,F4d3W3d4/")
    turn = chess(halves, elementals="b2,b7,e5", leaders="a4/-", tokens="d5,e5/-", to_move=0)
    assert scores(turn) == [3, -2]
    assert scores(changed(turn, leaders="a4/a5")) == [3, 0]
    assert scores(conquered(tokens="e5/-")) == [2, -2]


TIES = [
    (2, 0, (3, 3), 0),
    (2, 1, (3, 3), 1),
    (2, 1, (4, 3), 0),
    (3, 1, (2, 2, 2), 1),
    (3, 1, (3, 2, 3), 2),
    (3, 2, (3, 3, 2), 0),
    (4, 2, (0, 0, 0, 0), 2),
    (4, 3, (2, 1, 2, 1), 0),
    (4, 1, (2, 1, 2, 1), 2),
    (4, 3, (1, 2, 2, 1), 1),
]


@pytest.mark.parametrize(("players", "last", "tokens", "winner"), TIES)
def test_fw22_ties_go_to_the_first_from_the_last_regular_turn_on(
    players: int, last: int, tokens: tuple[int, ...], winner: int
) -> None:
    board = full(players) | {"last": last, "to_move": "none"}
    over = position(**board, tokens=shared_out(board, *tokens))
    assert over.result is not None
    assert over.result.scores == tuple(n - 2 for n in tokens)
    assert over.result.winners == {winner}
    returns = np.zeros(players, np.float32)
    GAME.rules.returns(over.state, returns)
    assert returns.tolist() == pytest.approx([1 if seat == winner else -1 / (players - 1) for seat in range(players)])


def test_fw22_the_last_token_beats_the_score() -> None:
    board = full(leave="h5,h6") | {"leaders": "-/h5", "last": 1, "to_move": "none"}
    over = position(**board, tokens=shared_out(board, 20, 19))
    assert over.result is not None
    assert over.result.scores == (18, 19)
    assert over.result.winners == {0}


# ── Symmetry, bounds ─────────────────────────────────────────────────────────────────────────────────────────────────


def reflected(move: str, columns: int, upside_down: bool) -> str:
    """A move on the board turned by 180°; or reflected left to right, which makes fire squares of water squares."""

    def there(name: str) -> str:
        row = 9 - int(name[1]) if upside_down else int(name[1])
        return f"{chr(2 * ord('a') + columns - 1 - ord(name[0]))}{row}"

    if move == "pass":
        return move
    if move[0] == "+":
        return move if upside_down else f"+F{move[4]}W{move[2]}"
    if move[0] != "F":
        return move[0] + there(move[1:])
    (fire, fire_cell), (water, water_cell) = (move[1], there(move[2:4])), (move[5], there(move[6:8]))
    return f"F{fire}{fire_cell}W{water}{water_cell}" if upside_down else f"F{water}{water_cell}W{fire}{fire_cell}"


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize(("players", "board"), [(2, "medallion"), (3, "chessboard"), (4, "medallion")])
def test_a_reflected_game_is_the_same_game(players: int, board: str, upside_down: bool) -> None:
    match = random_match(GAME, {"players": players, "board": board}, seed=players)
    twin = Position.start(GAME, {"players": players, "board": board})
    for position_, move in zip(match.positions(), [*match.moves, ""], strict=True):
        turned = [reflected(legal, 8 if players == 2 else 12, upside_down) for legal in position_.legal_moves]
        assert sorted(turned) == twin.legal_moves
        if move:
            twin = twin.play(reflected(move, 8 if players == 2 else 12, upside_down))
    assert twin.result == match.result


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_seat_is_special(players: int) -> None:
    """With all that belongs to a player handed on to the next, the next one has the same moves."""
    for ply in (40, 55, 70):
        turn = random_match(GAME, {"players": players, "board": "medallion"}, seed=1, plies=ply).position
        if turn.to_move in (None, CHANCE):
            continue
        fields = dict(word.split("=", 1) for word in turn.text.split()[1:])
        for name in ("markers", "hands", "leaders", "tokens"):
            *others, final = fields[name].split("/")
            fields[name] = "/".join([final, *others])
        handed_on = changed(turn, **fields | {"to-move": (int(fields["to-move"]) + 1) % players})
        assert handed_on.legal_moves == turn.legal_moves
        assert scores(handed_on) == [*scores(turn)[-1:], *scores(turn)[:-1]]


@pytest.mark.parametrize("elementals", ["b2,d2,f2", "b2,b4,d2"])
def test_the_most_legal_moves_there_can_be(elementals: str) -> None:
    """Nothing but three elementals, two of them one square away from the third, so that they share neighbours."""
    turn = chess("-/-/-", elementals=elementals, to_move=0)
    assert len(turn.legal_moves) == len(turn.legal_actions) == MAX_LEGAL == GAME.max_legal == 1039


def test_fewer_legal_moves_everywhere_else() -> None:
    turns = [
        chess("-/-/-/-", elementals="c3,f5,i3", to_move=0),
        chess("F1a1W1a2/-/-", elementals="b2,d2,f2", to_move=0),
        chess("F1a3W1a2,F1c1W2b1/-/-", elementals="d3,f3,h3", to_move=0),  # with a token in the corner
        position(**full(3, leave="l7,l8"), to_move=0),
        position(**full(3), last=2, to_move=0),
    ]
    assert all(len(set(turn.legal_actions)) == len(turn.legal_actions) < MAX_LEGAL for turn in turns)


def test_play_keeps_who_leads_up_to_date() -> None:
    """What the rules keep step by step is what they find when they put the position up anew."""
    for players in (2, 3, 4):
        match = random_match(GAME, {"players": players, "board": "medallion"}, seed=8)
        rng = random.Random(players)
        for turn in rng.sample(match.positions(), 8):
            assert (Position(turn.text).state.lead == turn.state.lead).all()
            assert Position(turn.text).state.tobytes() == turn.state.tobytes()


def test_every_action_has_its_move() -> None:
    cells, markers, pairs = 96, 16, 12 * 7 + 11 * 8
    assert len(MOVES) == len(set(MOVES)) == GAME.n_actions == 4 * cells + markers + 2 * markers * pairs + 1


def test_the_map_of_cells_is_that_of_the_lookups() -> None:
    rows = []
    for row in reversed(range(8)):
        cells = [f"{column * 8 + row:2}" for column in range(12)]
        rows.append(f"    {row + 1} | {' '.join(cells[:8])} | {' '.join(cells[8:])}")
    assert "\n".join(rows) in str(lookups.__doc__)
    assert [NAMES[cell] for cell in (0, 7, 63, 64, 95)] == ["a1", "a8", "h8", "i1", "l8"]
