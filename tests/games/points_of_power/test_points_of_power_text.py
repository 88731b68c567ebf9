"""Points of Power as text: boards of one's own, hand-written positions and what is refused, the text board."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest

import empedocles
from empedocles import BoardError, Position, PositionError, new
from empedocles.games.points_of_power import GAME, lookups
from empedocles.games.points_of_power.lookups import CELLS, MOVES, NAMES, SIZE

CROSS = """\
WWW.....FFF
WWW..*..FFF
WWW.....FFF
.....*.....
....mmm....
.*.*mmm*.*.
....mmm....
.....*.....
EEE.....AAA
EEE..*..AAA
EEE.....AAA
"""

# On this board captures are possible at once; its material plane lies at the edge.
CLOSE = """\
# planes, points and the material plane, as on every board
W W W . E E E . . . .
W W W . E E E . . . .
W W W . E E E . . . .

. . . . . . . . . . .
F F F . . . . . m m m
F F F . . . . . m m m
F F F . . . . . m m m
. . . . . . . . . . .
. . . . . * . * A A A
. . . * . * . * A A A
. . . * . * . * A A A
"""

# All first steps of Fire lead to points of power, which PP-12 does not allow.
WALLED = """\
WWW....*FFF
WWW....*FFF
WWW....*FFF
.......****
....mmm....
....mmm....
....mmm....
.....*.....
EEE.....AAA
EEE.....AAA
EEE.....AAA
"""


# Nine columns and seven rows, with holes; the material plane is a single cell.
SMALL = """\
FFF*.*AAA
FFF-.-AAA
FFF...AAA
*--.m.--*
EEE...WWW
EEE-.-WWW
EEE*.*WWW
"""


def rows(drawing: str) -> str:
    lines = ("".join(line.split()) for line in drawing.splitlines() if not line.startswith("#"))
    return "/".join(line for line in lines if line)


# ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_map_of_the_cells() -> None:
    lines = [
        f"    {row + 1:>2} | " + " ".join(f"{row * SIZE + column:>3}" for column in range(SIZE))
        for row in reversed(range(SIZE))
    ]
    assert lookups.__doc__ is not None
    assert "\n".join(lines) in lookups.__doc__
    assert (NAMES[0], NAMES[10], NAMES[60], NAMES[110], NAMES[120], NAMES[121]) == (
        "a1",
        "k1",
        "f6",
        "a11",
        "k11",
        "mp",
    )


def test_every_move_has_one_text() -> None:
    assert len(MOVES) == len(set(MOVES)) == 2 * (840 + CELLS + CELLS) + 1
    assert MOVES[-1] == "pass"
    assert {"c9-d8", "e8-mp", "d8xe7", "d8xmp", "mpxh8", "a1-mp", "mp-f6"} <= set(MOVES)
    assert not {"a1-a3", "a1-k2", "mp-mp", "a1-a1", "a1+a2"} & set(MOVES)


# ── Boards ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_board_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "close.txt"
    file.write_text(CLOSE, encoding="utf-8")
    match = new("points-of-power", board=file)
    assert match.options == {"players": 2, "board": rows(CLOSE), "stuck": "loses"}
    assert new("points-of-power", board=str(file)).position == match.position
    assert new("points-of-power", board=rows(CLOSE)).position == match.position
    assert new("points-of-power", board=match.options["board"]).position == match.position
    assert "mp" in str(match)


def test_the_cross_drawn_by_hand_is_the_cross(tmp_path: Path) -> None:
    file = tmp_path / "cross.txt"
    file.write_text(CROSS, encoding="utf-8")
    assert new("points-of-power", board=file).options["board"] == "cross"


@pytest.mark.parametrize(
    ("old", "new_", "why"),
    [
        ("WWW.....FFF", "WWW....FFF", "row 11 of the board has 10 squares, expected 11"),
        ("....mmm....", "....mmX....", "'X' in row 7 of the board is none of . * F A E W m -"),
        ("WWW.....FFF", "WWW......FFF", "the board has 12 × 11 squares: from 5 × 5 to 11 × 11 are possible"),
        (".....*.....\n", "...........\n.....*.....\n", "the board has 11 × 13 squares: from 5 × 5 to 11"),
        ("*", ".", "the board has 0 points of power (*): from 1 to 16 are possible"),
        ("EEE.....AAA", "EEE*****AAA", "the board has 18 points of power (*): from 1 to 16 are possible"),
        ("EEE..*..AAA", "EEE..*..AA.", "the plane of Air has 8 squares (A), expected 9"),
        ("EEE..*..AAA", "EEEE.*..AAA", "the plane of Earth has 10 squares (E), expected 9"),
        ("FFF", "FF.", "the plane of Fire has 6 squares (F), expected 9"),
        ("WWW..*", "W.W..*", "the plane of Water has 8 squares (W), expected 9"),
        ("....mmm....\n.*.*mmm", "...mmm.....\n.*.*mmm", "the squares marked m are not one block of at most 3 × 3"),
        ("....mmm....\n.....*", "....mm.....\n.....*", "the squares marked m are not one block of at most 3 × 3"),
        (".*.*mmm*.*.", ".*.*m.m*.*.", "the squares marked m are not one block of at most 3 × 3"),
        ("m", ".", "the squares marked m are not one block of at most 3 × 3"),
        ("W", "-", "the plane of Water has 0 squares (W), expected 9"),
    ],
)
def test_a_board_that_breaks_the_needs_is_refused(old: str, new_: str, why: str) -> None:
    assert old in CROSS
    with pytest.raises(BoardError) as refused:
        new("points-of-power", board=rows(CROSS.replace(old, new_)))
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("F/", "the board has 1 × 2 squares: from 5 × 5 to 11 × 11 are possible"),
        ("/", "the board has 0 × 2 squares: from 5 × 5 to 11 × 11 are possible"),
        (rows(CROSS.replace("F", "-").replace("A", "-")), "the plane of Fire has 0 squares (F), expected 9"),
        (f"---------/{rows(SMALL)}", "row 8 of the board has no squares: leave it out"),
        (f"{rows(SMALL)}/---------", "row 1 of the board has no squares: leave it out"),
        ("-" + rows(SMALL).replace("/", "/-"), "column a of the board has no squares: leave it out"),
        (rows(SMALL).replace("/", "-/") + "-", "column j of the board has no squares: leave it out"),
        (rows(SMALL).replace("...", "---").replace(".m.", "-m-"), "no way leads from the material plane to a1"),
    ],
)
def test_other_boards_that_are_refused(board: str, why: str) -> None:
    with pytest.raises(BoardError) as refused:
        new("points-of-power", board=board)
    assert str(refused.value).startswith(why)
    assert pickle.loads(pickle.dumps(refused.value)).say("de") == refused.value.say("de")


def test_the_material_plane_is_not_wrapped_round_the_edge() -> None:
    board = rows(CROSS.replace("....mmm....", "mm........m").replace(".*.*mmm*.*.", "mm*.*.*.*.m"))
    with pytest.raises(BoardError):
        new("points-of-power", board=board)


def test_a_board_on_which_the_first_player_cannot_move_is_refused() -> None:
    assert new("points-of-power", board=rows(WALLED)).legal_moves  # Earth can
    with pytest.raises(BoardError) as refused:
        new("points-of-power", board=rows(WALLED), players=4)
    assert str(refused.value) == "Fire could not make the first move on this board"
    assert new("points-of-power", board=rows(WALLED), players=4, stuck="passes").legal_moves == ["pass"]


# ── Positions ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("board", "players"),
    [
        *((board, players) for board in ("cross", "wheel", rows(CLOSE), rows(SMALL)) for players in (2, 4)),
        (rows(WALLED), 2),
    ],
)
def test_every_position_comes_back_from_its_text(board: str, players: int) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        match = new("points-of-power", board=board, players=players)
        while not match.is_over and len(match.moves) < 45:
            captures = [move for move in match.legal_moves if "x" in move]
            match.play(rng.choice(captures if captures and seed % 3 else match.legal_moves))
            if match.is_over or len(match.moves) < 7 or rng.random() < 0.2:
                again = Position(match.position.text)
                assert again.state.tobytes() == match.position.state.tobytes()
                assert again.text == match.position.text


PIECES = "fire=h8,h9 air=a5 earth=d3 water=mp"
START = (
    "fire=i9,j9,k9,i10,j10,k10,i11,j11,k11 air=i1,j1,k1,i2,j2,k2,i3,j3,k3 "
    "earth=a1,b1,c1,a2,b2,c2,a3,b3,c3 water=a9,b9,c9,a10,b10,c10,a11,b11,c11"
)


def test_a_position_written_by_hand() -> None:
    position = Position("points-of-power fire=h9,h8 air=a5 earth=d3 water=mp to-move=1")
    assert position.text == (
        "points-of-power players=2 board=cross fire=h8,h9 air=a5 earth=d3 water=mp moved=FAEW quiet=0 to-move=1"
    )
    assert Position(f"points-of-power {START} moved=- to-move=0") == new("points-of-power").position


@pytest.mark.parametrize(
    ("text", "field", "why"),
    [
        ("air=a5 earth=d3 water=mp to-move=0", "fire", "is missing"),
        (f"{PIECES}", "to-move", "is missing"),
        (f"{PIECES} to-move=2", "to-move", "'2' is not one of"),
        (f"{PIECES} to-move=chance", "to-move", "there is no chance"),
        (f"{PIECES} quiet=201 to-move=0", "quiet", "'201' is not a number"),
        (f"{PIECES} wind=1 to-move=0", "wind", "is not a field"),
        (PIECES.replace("h8", "l8") + " to-move=0", "fire", "'l8' is not a square"),
        (PIECES.replace("h8", "e5") + " to-move=0", "fire", "'e5' is not a square"),
        (PIECES.replace("h8", "f6") + " to-move=0", "fire", "'f6' is not a square"),
        (PIECES.replace("h8", "h9") + " to-move=0", "fire", "h9 is taken already, by fire"),
        (PIECES.replace("d3", "h8") + " to-move=0", "earth", "h8 is taken already, by fire"),
        (PIECES.replace("d3", "mp") + " to-move=0", "water", "mp is taken already, by earth"),
        (PIECES.replace("a5", "a1,a2,a3,a4,a5,a6,a7,a8,b4,b5") + " to-move=0", "air", "has 10 pieces"),
        (PIECES.replace("a5", "-") + " to-move=0", "air", "has no pieces"),
        (PIECES.replace("a5", "-") + " to-move=1", "air", "has no pieces"),
        (PIECES.replace("a5", "i1") + " to-move=1", "to-move", "is 'none' here: the game is over by PP-16"),
        (PIECES.replace("a5", "i1") + " quiet=2 to-move=0", "air", "has no exposed piece"),
        (PIECES.replace("d3", "f2") + " to-move=1", "earth", "has no exposed piece"),
        (PIECES.replace("a5", "i1") + " players=4 to-move=0", "air", "has no exposed piece"),
        (f"{PIECES} moved=FX to-move=0", "moved", "'FX' is not some of FAEW"),
        (f"{PIECES} moved=AF to-move=0", "moved", "'AF' is not some of FAEW"),
        (f"{PIECES} quiet=200 to-move=0", "to-move", "is 'none' here: the game is over by PP-17"),
        (f"{PIECES} winner=- to-move=0", "winner", "is given only when"),
        (f"{PIECES} to-move=none", "winner", "is missing"),
        (f"{PIECES} winner=fire to-move=none", "winner", "'fire' is not one of"),
        (f"{PIECES} winner=fire-earth to-move=none", "winner", "no rule ends the game"),
        (f"{PIECES} quiet=199 winner=- to-move=none", "winner", "no rule ends the game"),
        (PIECES.replace("a5", "-") + " winner=air-water to-move=none", "air", "has no pieces"),
        (PIECES.replace("a5", "-") + " quiet=200 winner=- to-move=none", "air", "has no pieces"),
        (PIECES.replace("a5", "i1") + " quiet=200 winner=- to-move=none", "air", "has no exposed piece"),
        (
            "fire=b6,d6,f2,f4,f8,f10,j6,h6,k8 air=a5 earth=d3 water=a8 to-move=1",
            "to-move",
            "Fire and Earth has won: it has all points",
        ),
        (
            "fire=b6,d6,f2,f4,f8,f10,j6,h6,k8 air=a5 earth=d3 water=a8 to-move=0",
            "to-move",
            "Fire and Earth has won: it has all points",
        ),
        (
            "fire=b6,d6,f2,f4,f8,f10,j6,h6,k8 air=a5 earth=d3 water=a8 quiet=200 winner=- to-move=none",
            "winner",
            "Fire and Earth has won: it has all points",
        ),
        (
            "fire=j5,k5,j4 air=k4 earth=a7,b7,b8 water=a8 to-move=1",
            "to-move",
            "is 'none' here: the game is over by PP-18",
        ),
    ],
)
def test_a_position_that_breaks_an_invariant_is_refused(text: str, field: str, why: str) -> None:
    with pytest.raises(PositionError) as refused:
        Position(f"points-of-power {text}")
    assert (refused.value.field, refused.value.reason[: len(why)]) == (field, why)


@pytest.mark.parametrize(
    ("text", "field", "why"),
    [
        ("moved=- to-move=1", "to-move", "is 0, Fire and Earth, in turn 1 of the opening"),
        ("moved=A to-move=1", "moved", "in 1 turns, Fire and Earth had 1, but moved 0 elements"),
        ("moved=FE to-move=0", "moved", "in 2 turns, Fire and Earth had 1, but moved 2 elements"),
        ("moved=FE players=4 to-move=2", "moved", "in 2 turns, Air had 1, but moved 0 elements"),
        ("moved=- quiet=1 to-move=0", "quiet", "is 1 after 0 turns"),
        ("moved=- winner=fire-earth to-move=none", "winner", "no rule ends the game"),
    ],
)
def test_the_opening_is_held_to_its_order(text: str, field: str, why: str) -> None:
    with pytest.raises(PositionError) as refused:
        Position(f"points-of-power {START} {text}")
    assert (refused.value.field, refused.value.reason[: len(why)]) == (field, why)


@pytest.mark.parametrize("change", [("k3", "h4"), ("i1,", "")])
def test_an_element_that_has_not_moved_stands_on_its_plane(change: tuple[str, str]) -> None:
    with pytest.raises(PositionError) as refused:
        Position(f"points-of-power {START.replace(*change)} moved=- to-move=0")
    assert refused.value.field == "air"


# ── The text board ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_text_board_shows_all_that_a_player_needs() -> None:
    position = Position("points-of-power fire=h8,f10,i9,c9 air=a5,i1 earth=d3,h6 water=mp,a9 quiet=7 to-move=1")
    assert (
        str(position)
        == """\
11 w  w  w  .  .  .  .  .  f  f  f
10 w  w  w  .  .  F* .  .  f  f  f
 9 Ww w  Fw .  .  .  .  .  Ff f  f
 8 .  .  .  .  .  *  .  F  .  .  .
 7 .  .  .  .  m  m  m  .  .  .  .
 6 .  *  .  *  m  Wm m  E* .  *  .
 5 A  .  .  .  m  m  m  .  .  .  .
 4 .  .  .  .  .  *  .  .  .  .  .
 3 e  e  e  E  .  .  .  .  a  a  a
 2 e  e  e  .  .  *  .  .  a  a  a
 1 e  e  e  .  .  .  .  .  Aa a  a
   a  b  c  d  e  f  g  h  i  j  k

  Fire (F): 4 pieces, 2 exposed, 1 on points of power
> Air (A): 2 pieces, 1 exposed, 0 on points of power
  Earth (E): 2 pieces, 1 exposed, 1 on points of power
> Water (W): 2 pieces, 1 exposed, 0 on points of power
  Points of power: Fire and Earth 2, Air and Water 0, free 6
  7 of 200 turns without a capture
  Air and Water to move: Air or Water"""
    )


def test_the_text_board_says_what_is_due_in_the_opening() -> None:
    match = new("points-of-power")
    assert str(match).endswith("Fire and Earth to move, turn 1 of the opening: Fire or Earth")
    assert str(match.play("c3-d4", "c9-d8")).endswith("Fire and Earth to move, turn 3 of the opening: Fire")
    assert str(new("points-of-power", players=4).play("i9-h8")).endswith("Air to move, turn 2 of the opening")


def test_the_text_board_says_who_has_won() -> None:
    after = Position("points-of-power fire=h8 air=mp earth=d3 water=a5 to-move=0").play("h8xmp")
    assert str(after).endswith("The game is over: Fire and Earth win (PP-15).")
    assert ">" not in str(after)
    drawn = Position(f"points-of-power {PIECES} quiet=199 to-move=0").play("h8-g8")
    assert str(drawn).endswith("The game is over: a draw (PP-17).")


def test_the_text_board_fits_a_narrow_window() -> None:
    assert max(map(len, str(empedocles.new("points-of-power", players=4)).splitlines())) <= 80


def test_the_facts_of_the_game() -> None:
    assert GAME.max_plies == 33 * 200
    assert GAME.n_actions == 2165
    used = {
        (p, s): GAME.actions_with(GAME.complete({"players": p, "stuck": s}))
        for p in (2, 4)
        for s in ("loses", "passes")
    }
    assert used == {(2, "loses"): 2164, (2, "passes"): 2164, (4, "loses"): 2164, (4, "passes"): 2165}
