"""Pictures from the side of a seat: its own hand, plane and panel are the nearest, whichever seat it is."""

from __future__ import annotations

import pytest

import empedocles
from empedocles import Position
from empedocles.errors import BadValue
from empedocles.games import GAMES
from empedocles.games.points_of_power.board import LETTERS, ground, marked
from empedocles.games.points_of_power.lookups import NAMES
from empedocles.render.picture import Look, Sheet
from empedocles.testing.samples import random_match

DEAL = "+Pw +Ke +Ma +Kw +Kf +Wf +Nw +We +Wa +Pf"


def sheet(position: Position, seat: int | None, wide: bool) -> Sheet:
    return position.game.sheet(position.state, Look(seat=seat, wide=wide))


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_own_hand_is_at_the_bottom(seat: int, wide: bool) -> None:
    position = empedocles.new("elemental-defenders", chance="manual").play(*DEAL.split()).position
    boxes = sheet(position, seat, wide).boxes
    hands = [[], []]  # type: list[list[float]]
    for move in DEAL.split():
        hands[0].append(boxes[move[1:]].y)
    dealt = {move[1:] for move in DEAL.split()}
    hands[1] = [box.y for name, box in boxes.items() if len(name) == 2 and name not in dealt]
    assert len(hands[1]) == 10
    assert min(hands[seat]) > max(hands[1 - seat])


@pytest.mark.parametrize("board", ["cross", "wheel"])
@pytest.mark.parametrize(("players", "seat"), [(2, 0), (2, 1), (4, 0), (4, 1), (4, 2), (4, 3)])
def test_no_plane_is_nearer_than_the_own_one(board: str, players: int, seat: int) -> None:
    position = empedocles.new("points-of-power", players=players, board=board).position
    drawing, boxes = ground(position.state), sheet(position, seat, wide=True).boxes
    planes = [sum(boxes[NAMES[c]].y for c in marked(drawing, letter)) for letter in LETTERS]
    assert max(planes[seat::players]) == max(planes)


def test_a_board_of_another_shape_turns_with_its_coordinates() -> None:
    """Nine columns and seven rows become seven columns and nine rows."""
    holes = "FFF*.*AAA/FFF-.-AAA/FFF...AAA/*--.m.--*/EEE...WWW/EEE-.-WWW/EEE*.*WWW"
    position = empedocles.new("points-of-power", players=4, board=holes).position
    drawn = sheet(position, 0, wide=True)
    a1, a7, i1 = (drawn.boxes[name] for name in ("a1", "a7", "i1"))
    assert (a1.y, i1.x) == (a7.y, a1.x)
    assert (abs(a7.x - a1.x), abs(i1.y - a1.y)) == (6 * 60, 8 * 60)
    (shown,) = drawn.ground
    assert shown.count('class="label"') == 9 + 7
    untold = sheet(position, None, wide=True)
    assert set(untold.boxes) == set(drawn.boxes)


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("name", ["fire-and-water", "ignite-and-flow", "points-of-power"])
def test_no_panel_is_nearer_than_the_own_one(name: str, wide: bool) -> None:
    game = GAMES[name]
    for players in game.seats:
        options = game.complete({"players": players} if len(game.seats) > 1 else {})
        position = random_match(game, options, seed=1, plies=20).position
        for seat in range(players):
            heights = [y for _, y in sheet(position, seat, wide).layout.panels]
            assert heights[seat] == max(heights)


def test_a_tall_sheet_shows_every_target_of_the_player_before_its_fold() -> None:
    for game in GAMES.values():
        for players in game.seats:
            options = game.complete({"players": players} if len(game.seats) > 1 else {})
            match = random_match(game, options, seed=players)
            for position in match.positions()[:: max(1, match.plies // 12)]:
                if position.to_move is None or position.to_move < 0:
                    continue
                drawn = sheet(position, position.to_move, wide=False)
                paths = (game.paths[action] for action in position.legal_actions)
                targets = {target for path in paths for group in path for target in group}
                lowest = max(drawn.boxes[target].y + drawn.boxes[target].height for target in targets)
                assert lowest <= drawn.layout.first <= drawn.layout.height


def test_a_seat_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadValue, match="there is no seat 2 here: seats are numbered from 0 to 1"):
        empedocles.new("ignite-and-flow").draw(seat=2)
