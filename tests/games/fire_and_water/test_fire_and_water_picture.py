"""Fire & Water as a picture: what must be there, and what stays the same from move to move."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import empedocles
from empedocles import Position
from empedocles.games.fire_and_water import GAME
from empedocles.games.fire_and_water.artwork import COLOURS
from empedocles.games.fire_and_water.overlays import SMALL_SCREEN
from empedocles.games.fire_and_water.places import square
from empedocles.render.art import CELL
from empedocles.render.picture import Look, Sheet
from empedocles.testing.samples import random_match

BOARD = "fire-and-water board=chessboard"
REVEALING = f"{BOARD} elementals=b2,b7,g2 hands=F1W1,F1W2/- to-move=chance"
# Around e5, a water square: 3 and 1 of Red, 2 and 3 of Green. Both have F4W3 in their hands.
STAR = f"{BOARD} markers=F1e7W3e6,F1g5W1f5/F1e3W2e4,F2c5W3d5 hands=F4W1,F4W3,F4W4/F1W1,F4W3,F4W4"
TURN = f"{STAR} elementals=b2,b7,g2"
CONQUERED = f"{STAR} elementals=b2,b7,g2 leaders=e5/- tokens=-/e5 to-move=0"
CLAIMED = f"{STAR} elementals=b2,b7,e5 leaders=h2/- tokens=e5/- to-move=1"
# The example of the rule book
EXAMPLE = "fire-and-water elementals=b2,b7,g7 markers=F4f4W3f3/- to-move=1"


def sheet(position: str, **looks: object) -> Sheet:
    return GAME.sheet(Position(position).state, Look(**looks))  # type: ignore[arg-type]


def at(drawn: Sheet, kind: str) -> list[str]:
    return [piece.place for piece in drawn.pieces if piece.kind == kind]


# ── Targets ──


def test_markers_and_the_leader_of_the_seat_to_move_are_targets() -> None:
    red, green = (sheet(f"{TURN} to-move={seat}").boxes for seat in range(2))
    assert {"F4W1", "F4W3", "leader", "pass", "a1", "h8"} <= set(red)
    assert "F1W1" not in red
    assert red["F4W3"] != green["F4W3"]
    assert red["pass"] == green["pass"]
    assert "leader" not in sheet(f"{TURN} leaders=h4/- to-move=0").boxes


def test_when_chance_is_to_move_face_down_markers_are_targets() -> None:
    boxes = sheet(REVEALING).boxes
    assert "F1W3" in boxes
    assert "F1W1" not in boxes


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_overlaps_or_is_cut_off(players: int, wide: bool) -> None:
    match = random_match(GAME, {"players": players, "board": "medallion"}, seed=1, plies=40)
    drawn = GAME.sheet(match.position.state, Look(wide=wide))
    boxes = list(drawn.boxes.values())
    for k, (x, y, width, height) in enumerate(boxes):
        assert 0 <= x < x + width <= drawn.layout.width
        assert 0 <= y < y + height <= drawn.layout.height
        for other in boxes[:k]:
            apart = abs(x - other.x) >= min(width, other.width) or abs(y - other.y) >= min(height, other.height)
            assert apart, (x, y, other)


# ── Pieces ──


@pytest.mark.parametrize(("players", "markers", "tokens"), [(2, 16, 20), (3, 16, 20), (4, 12, 15)])
def test_every_piece_keeps_its_id(players: int, markers: int, tokens: int) -> None:
    """All that a seat has is in every picture: face-down, in hand, in the supply, on the board."""
    match = random_match(GAME, {"players": players, "board": "medallion"}, seed=2)
    first = set(re.findall(r'<g id="([^"]*)" transform', match.draw(0).markup))
    kinds = Counter("marker" if re.search(r"-F\dW\d", name) else name.split("-")[0] for name in first)
    assert kinds == {
        "marker": players * markers,
        "token": players * tokens,
        "leader": players,
        "elemental": 3,
    }
    for ply in range(0, len(match.moves) + 1, 7):
        assert set(re.findall(r'<g id="([^"]*)" transform', match.draw(ply).markup)) == first


def test_a_marker_goes_from_face_down_to_the_hand_to_the_board() -> None:
    position = Position(f"{BOARD} elementals=b2,b7,g2 hands=-/- to-move=chance")
    drawn = GAME.sheet(position.state, Look())
    assert at(drawn, "red-F4W3") == ["face-down"]
    drawn = GAME.sheet(position.play("+F4W3").state, Look())
    assert at(drawn, "red-F4W3") == ["hand"]
    drawn = GAME.sheet(Position(f"{TURN} to-move=0").play("F4c3W3c4").state, Look())
    (piece,) = (piece for piece in drawn.pieces if piece.kind == "red-F4W3")
    assert (piece.x, piece.y) == square(19, drawn.layout.board), "c4 is above c3"
    assert re.findall("[FW][1-4]", piece.markup) == ["F4", "W3"]
    assert 'F4" y="60"' in piece.markup, "the fire half is below"


def test_a_token_goes_from_the_supply_to_the_board() -> None:
    position = Position(f"{TURN} to-move=1")
    before, after = (at(GAME.sheet(p.state, Look()), "token-green") for p in (position, position.play("Pe5")))
    assert set(after) - set(before) == {"e5"}
    assert set(before) - set(after) == {"supply-19"}


@pytest.mark.parametrize(("position", "kind"), [(CONQUERED, "token-green"), (CLAIMED, "token-red")])
def test_two_tokens_lie_on_leaders_and_elementals(position: str, kind: str) -> None:
    places = at(sheet(position), kind)
    assert {"e5-0", "e5-1"} <= set(places)
    assert len(places) == 20


def test_a_leader_waits_stands_or_is_toppled() -> None:
    def leader(position: str) -> tuple[str, bool]:
        (piece,) = (piece for piece in sheet(position).pieces if piece.kind == "leader-red")
        return piece.place, "rotate" in piece.markup

    assert leader(f"{TURN} to-move=0") == ("supply", False)
    assert leader(f"{TURN} leaders=e5/- to-move=0") == ("e5", False)
    assert leader(CONQUERED) == ("e5", True)
    assert ">−2<" in "".join(sheet(CONQUERED).panels)


def test_every_seat_has_a_shape() -> None:
    assert GAME.printing
    shapes = re.findall(rf'id="\W?({"|".join(COLOURS)})-token">.*?<path class="on-\w+" d="(.*?)"', GAME.printing.art)
    assert len({path for _, path in shapes}) == len(COLOURS)


# ── What is said ──


def test_the_last_turns_and_the_winner_are_announced() -> None:
    match, last = empedocles.new("fire-and-water", seed=1), False
    while not match.is_over:
        last |= "Last turns" in "".join(GAME.sheet(match.position.state, Look()).panels)
        match.play(match.legal_moves[0])
    assert last
    assert match.result
    (winner,) = match.result.winners
    assert f">{('Red', 'Green')[winner]} wins<" in match.draw().markup


def test_who_sits_there_is_named() -> None:
    panels = "".join(sheet(f"{TURN} to-move=0", names={1: "Ada <3", 0: "someone with a long name"}).panels)
    assert "Ada &lt;3" in panels
    assert "someone with a …" in panels


def test_the_last_move_is_marked_with_the_marker_that_was_revealed() -> None:
    """Green has F4W3 too, and is to move; that one is not meant."""
    match = empedocles.Match(Position(f"{TURN} to-move=0"), chance="manual")
    laid = match.play("F4c3W3c4").draw().markup
    assert len(re.findall('class="corner"', laid)) == 2
    drawn = match.play("+F4W2").draw().markup
    assert len(re.findall('class="corner"', drawn)) == 3


# ── Overlays ──


def test_influence_of_the_example_in_the_rule_book() -> None:
    red, green = sheet(EXAMPLE, overlays=["influence"]).notes
    assert sorted(re.findall(r">(\d+)<", red)) == ["3", "3", "4", "4"]
    assert not re.findall(r">(\d+)<", green)


def test_influence_beside_an_elemental_counts_both_elements() -> None:
    claim = CLAIMED.replace("tokens=e5/-", "").replace("to-move=1", "to-move=0")
    x, y = square(36, sheet(claim).layout.board)
    near = rf'x="{x + 13:g}" y="{y + 17:g}">4<'
    assert re.search(near, "".join(sheet(claim, overlays=["influence"]).notes))


def test_influence_leaves_the_numbers_of_markers_in_view_on_a_phone() -> None:
    """They are in the lower half of their squares."""
    drawn = sheet(f"{TURN} to-move=0", wide=False, overlays=["influence"])
    written = re.findall(r' y="(\d+)">\d<', "".join(drawn.notes))
    assert written
    assert all((SMALL_SCREEN * int(y) - drawn.boxes["a8"].y) % CELL < CELL / 2 for y in written)


def test_influence_of_four_players_stays_within_its_squares_on_a_phone() -> None:
    match = random_match(GAME, {"players": 4}, seed=1)
    drawn = GAME.sheet(match.at(match.plies // 2).state, Look(wide=False, overlays=["influence"]))
    (left, top, *_size), notes = drawn.boxes["a8"], "".join(drawn.notes)
    written = [
        (SMALL_SCREEN * int(x), SMALL_SCREEN * (int(y) - 5)) for x, y in re.findall(r'x="(\d+)" y="(\d+)">\d<', notes)
    ]
    assert len(written) > 40
    assert len(set(written)) == len(written)
    widest = 13.8  # half a plate
    assert all(
        widest - 1 < (at - edge) % CELL < CELL - widest + 1 for x, y in written for at, edge in ((x, left), (y, top))
    )


def test_possession_of_all_seats_whoever_is_to_move() -> None:
    notes = {seat: sheet(f"{TURN} to-move={seat}", overlays=["possession"]).notes for seat in range(2)}
    assert notes[0] == notes[1]
    assert sum("green-coin" in note for note in notes[0]) == 1, "e5"
    assert not any("red-coin" in note for note in notes[0])


# ── Elsewhere ──


def test_glyphs() -> None:
    assert GAME.drawing
    glyphs = GAME.drawing.glyphs(Position(CONQUERED).state)
    assert [glyphs[name].text for name in ("e5", "e6", "d5", "b2", "a1", "F4W1", "F4W3")] == [
        "(■)♟",
        "●3≈",
        "■3≈",
        "✺",
        "",
        "4▲1≈",
        "4▲3≈",
    ]
    assert (glyphs["e6"].ground, glyphs["e6"].ink) == ("fire", "red")


@pytest.mark.parametrize(
    ("players", "numbers"),
    [(2, (1, 32, 40, 2, 3)), (3, (1, 48, 60, 3, 3)), (4, (1, 48, 60, 4, 3))],
)
def test_components(players: int, numbers: tuple[int, ...]) -> None:
    assert GAME.printing
    found = GAME.printing.components(GAME.complete({"players": players}), "en")
    count: Counter[str] = Counter()
    for component in found:
        count[component.name] += component.number
        assert component.width / component.view[0] == pytest.approx(component.height / component.view[1])
        for use in re.findall('href="#(.*?)"', component.markup):
            assert f'id="{use}"' in GAME.printing.art
    assert tuple(count.values()) == numbers
    assert [component.name for component in found if component.folded] == ["board"]
    assert "shadow" not in GAME.printing.art.replace("-shadow", "")
