"""What learning programs rely on, checked for any game: `check_view(GAME)` in a game's own tests."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import numpy as np

from empedocles.game import Game, Symmetry, View
from empedocles.position import Position
from empedocles.testing.samples import all_options, random_positions


def check_view(game: Game, positions: int = 60) -> None:
    """Everything below."""
    assert game.view is not None
    assert len({plane.name for plane in game.view.planes}) == len(game.view.planes)
    assert all(plane.meaning for plane in game.view.planes)
    seen = list(random_positions(game, positions))
    for position in seen:
        check_planes(position, game.view)
    check_apart(seen)
    for options in all_options(game):
        check_group(game.view.symmetries(options))
        check_symmetries(game, options)


def check_planes(position: Position, view: View) -> None:
    """All planes of every seat are written, with numbers from 0 to 1."""
    for seat in range(position.seats):
        planes = np.full(view.shape, np.nan, np.float32)
        view.observe(position.state, seat, planes)
        assert np.all((planes >= 0) & (planes <= 1)), f"player {seat} in {position!r}"
        assert np.array_equal(planes, position.observe(seat))


def check_apart(positions: Iterable[Position]) -> None:
    """Positions with the same planes have the same legal moves and the same result, and the same seat is to move."""
    known: dict[tuple[int, bytes], tuple[object, ...]] = {}
    for position in positions:
        facts = position.seats, position.to_move, position.legal_actions, position.result
        for seat in range(position.seats):
            other = known.setdefault((seat, position.observe(seat).tobytes()), facts)
            assert other == facts, f"player {seat} cannot tell {position!r} from another position"


def check_group(symmetries: Sequence[Symmetry]) -> None:
    """All symmetries differ, and one after another is again one of them."""
    known = {_maps(symmetry) for symmetry in symmetries}
    assert len(known) == len(symmetries)
    assert {_maps(one.then(other)) for one in symmetries for other in symmetries} == known


def check_symmetries(game: Game, options: dict[str, object], matches: int = 2) -> None:
    """A match and its image under each symmetry: legal moves, seats, planes and results go together to the end."""
    assert game.view is not None
    symmetries = game.view.symmetries(options)
    assert _changes_nothing(symmetries[0])
    for number, symmetry in enumerate(symmetries):
        for seed in range(matches):
            _play_together(game, options, symmetry, random.Random(matches * number + seed))


def _maps(symmetry: Symmetry) -> tuple[bytes, ...]:
    return (*(index.tobytes() for index in symmetry[1:4]), bytes(symmetry.seats))


def _changes_nothing(symmetry: Symmetry) -> bool:
    maps = symmetry.cells, symmetry.planes, symmetry.actions, np.array(symmetry.seats)
    return all(np.array_equal(index, np.arange(len(index))) for index in maps)


def _play_together(game: Game, options: dict[str, object], symmetry: Symmetry, luck: random.Random) -> None:
    assert game.view is not None
    one, other = Position.start(game, options), Position.start(game, options)
    while not one.is_over:
        _check_image(one, other, symmetry)
        action = luck.choice(one.legal_actions)
        one, other = one.play(action), other.play(int(symmetry.actions[action]))
    _check_image(one, other, symmetry)
    assert one.result is not None
    assert other.result is not None
    assert {symmetry.seats[seat] for seat in one.result.winners} == other.result.winners


def _check_image(one: Position, other: Position, symmetry: Symmetry) -> None:
    assert sorted(symmetry.actions[one.legal_actions].tolist()) == other.legal_actions, f"{symmetry.name} of {one!r}"
    seats = dict(enumerate(symmetry.seats))
    assert other.to_move == (one.to_move if one.to_move is None else seats.get(one.to_move, one.to_move))
    for seat in range(one.seats):
        image = symmetry.observation(one.observe(seat))
        assert np.array_equal(image, other.observe(symmetry.seats[seat])), f"{symmetry.name} of {one!r}"
