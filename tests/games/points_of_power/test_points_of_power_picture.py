"""Points of Power as a picture: what must be there, and what stays the same from move to move."""

from __future__ import annotations

import random
import re

import pytest

import empedocles
from empedocles import Position
from empedocles.games.points_of_power import GAME
from empedocles.games.points_of_power.rules import PIECES
from empedocles.games.points_of_power.text import ELEMENTS
from empedocles.render.picture import Look, Sheet

# On this board captures are possible at once; its material plane lies at the edge.
EDGE = "WWW.EEE..../WWW.EEE..../WWW.EEE..../.........../FFF.....mmm/FFF.....mmm/FFF.....mmm/.........../.....*.*AAA/"
EDGE += "...*.*.*AAA/...*.*.*AAA"

# Fire on the material plane, and a capture for each side.
THREATS = (
    "points-of-power players={} board=cross fire=i9,h8,mp air=g9,k1 earth=a1,b2,e8 water=d8,e4 "
    "moved=FAEW quiet=37 to-move=1"
)


def sheet(position: Position, **looks: object) -> Sheet:
    return GAME.sheet(position.state, Look(**looks))  # type: ignore[arg-type]


@pytest.mark.parametrize("board", ["cross", EDGE])
def test_targets_are_the_squares_and_one_large_material_plane(board: str) -> None:
    boxes = sheet(empedocles.new("points-of-power", board=board).position).boxes
    assert len(boxes) == 121 - 9 + 1
    assert boxes["mp"].width == 3 * boxes["a1"].width
    assert ("e5" in boxes) == (board != "cross")


# Nine columns and seven rows with holes, and a material plane of one cell.
HOLES = "FFF*.*AAA/FFF-.-AAA/FFF...AAA/*--.m.--*/EEE...WWW/EEE-.-WWW/EEE*.*WWW"


@pytest.mark.parametrize(("board", "squares"), [("wheel", 121 - 12 - 9 + 1), (HOLES, 63 - 8)])
def test_absent_squares_are_no_targets_and_not_drawn(board: str, squares: int) -> None:
    position = empedocles.new("points-of-power", board=board).position
    drawn = sheet(position)
    assert len(drawn.boxes) == squares
    assert "d6" not in drawn.boxes or board == "wheel"
    assert GAME.drawing
    assert set(GAME.drawing.glyphs(position.state)) == set(drawn.boxes)
    (ground,) = drawn.ground
    assert ground.count("h60v60h-60z") + ground.count("-plane") == squares - 1
    assert 'class="frame" stroke-linecap' in ground


@pytest.mark.parametrize(("board", "width", "height"), [("wheel", 11, 11), (HOLES, 9, 7)])
def test_a_board_on_paper_is_as_large_as_its_squares(board: str, width: int, height: int) -> None:
    assert GAME.printing
    printed, *_ = GAME.printing.components(GAME.complete({"board": board}), "en")
    assert (round(printed.width / 17), round(printed.height / 17)) == (width, height)
    assert printed.markup.count('class="label"') == width + height


@pytest.mark.parametrize("players", [2, 4])
def test_every_piece_keeps_its_id(players: int) -> None:
    """Captured pieces stay in the picture, with those that captured them."""
    rng, match = random.Random(players), empedocles.new("points-of-power", players=players, board=EDGE)
    expected = {f"{kind}-{number}" for kind in ELEMENTS for number in range(PIECES)}
    while len(match.moves) < 80 and not match.is_over:
        captures = [move for move in match.legal_moves if "x" in move]
        match.play(rng.choice(captures or match.legal_moves))
    assert any("x" in move for move in match.moves)
    for ply in range(len(match.moves) + 1):
        drawn = match.draw(ply).markup
        assert set(re.findall(r'<g id="((?:fire|air|earth|water)-\d)" transform', drawn)) == expected


def test_a_piece_that_moves_takes_its_id_along() -> None:
    match = empedocles.new("points-of-power").play("i9-h8")
    before, after = match.ids(0), match.ids(1)
    assert after["fire", "h8"] == before["fire", "i9"]
    assert {key: after[key] for key in after if key != ("fire", "h8")}.items() <= before.items()


def test_panels_say_who_may_move_and_what_was_captured() -> None:
    panels = "".join(sheet(Position(THREATS.format(4)), names={1: "Ada"}).panels)
    for words in ("with Water · Ada", "2 left, 2 exposed", "37 of 200 turns without a capture", "Air to move", "0/8"):
        assert f">{words}<" in panels
    captured = [piece for piece in sheet(Position(THREATS.format(4))).pieces if piece.place.startswith("captured")]
    assert len(captured) == 4 * PIECES - 10


def test_the_exposed_overlay_rings_what_could_be_captured_and_nothing_else() -> None:
    (rings,) = sheet(Position(THREATS.format(2)), overlays=["exposed"]).notes
    assert rings.count("M") == 6
    (rings,) = sheet(empedocles.new("points-of-power").position, overlays=["exposed"]).notes
    assert rings.count("M") == 0, "at the start, all pieces are safe"


def test_a_phone_says_who_captures_whom_and_counts_quiet_turns_when_they_matter() -> None:
    said = {37: ">Who captures whom:<", 100: ">100 of 200 turns without a capture<"}
    for quiet, words in said.items():
        panels = "".join(sheet(Position(THREATS.format(2).replace("=37", f"={quiet}")), wide=False).panels)
        assert [one for one in said.values() if one in panels] == [words]


@pytest.mark.parametrize("players", [2, 4])
def test_the_threats_overlay_shows_the_captures_of_both_sides(players: int) -> None:
    """An arrow has a line and a head, and each victim has a ring."""
    theirs, own = sheet(Position(THREATS.format(players)), overlays=["threats"]).notes
    assert theirs.count("M") == 2 * 2 + 2  # h8xg9, e8xd8
    assert own.count("M") == 2 * 2 + 1  # d8xmp, e4xmp


def test_glyphs() -> None:
    assert GAME.drawing
    glyphs = GAME.drawing.glyphs(Position(THREATS.format(2).replace("a1,b2", "a1,b6")).state)
    assert [glyphs[name].text for name in ("mp", "b6", "f8", "d8", "e9")] == ["▲", "■✦", "✦", "~", ""]
    assert glyphs["i9"].ground == "fire"
    assert "e5" not in glyphs


def test_components_are_the_board_and_nine_discs_of_each_element() -> None:
    assert GAME.printing
    board, *discs = GAME.printing.components(GAME.complete({}), "en")
    assert board.folded
    assert board.width < 190, "a page of A4 with margins"
    assert [(disc.name, disc.number) for disc in discs] == [(name.title(), PIECES) for name in ELEMENTS]
    for use in re.findall('href="#(.*?)"', board.markup):
        assert f'id="{use}"' in GAME.printing.art
