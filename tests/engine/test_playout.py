"""Playouts and random numbers."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import INTERPRETED

from empedocles.core.bits import mix
from empedocles.core.rng import draw, normal, random_word
from empedocles.engine.playout import playouts
from empedocles.errors import BadValue, UnknownName
from empedocles.game import Game
from empedocles.position import Position


def test_playouts_depend_on_the_seed_alone(game: Game) -> None:
    start = Position.start(game)
    one, two, later = playouts(start, 4, seed=5), playouts(start, 4, seed=5), playouts(start, 2, seed=7)
    assert np.array_equal(one.plies, two.plies)
    assert np.array_equal(one.states, two.states)
    assert np.array_equal(one.states[2:], later.states), "game i depends on seed + i"
    assert np.all(one.states["over"] == 1)
    assert np.all(one.plies <= game.max_plies)


def test_unknown_devices_are_refused(game: Game) -> None:
    with pytest.raises(UnknownName, match="unknown device 'tpu': there are cpu, cuda"):
        playouts(Position.start(game), 1, device="tpu")


def test_random_numbers_are_the_same_on_every_back_end() -> None:
    """Frozen: records and playthroughs made with a seed stay what they are."""
    assert [int(random_word(np.uint64(1), k)) for k in range(3)] == RANDOM_WORDS
    assert [draw(np.uint64(7), k, 10) for k in range(12)] == DRAWS
    assert int(mix(np.uint64(1))) == 6238072747940578789


def test_draws_are_uniform() -> None:
    n, size = 7, 700 if INTERPRETED else 70_000
    counts = np.bincount([draw(np.uint64(3), k, n) for k in range(size)], minlength=n)
    assert counts.size == n
    assert np.all(np.abs(counts - size / n) < 5 * np.sqrt(size / n))


RANDOM_WORDS = [4455725808831290745, 7255708332913644382, 13439297715463125556]
DRAWS = [0, 8, 9, 0, 3, 6, 5, 3, 0, 4, 7, 4]


def test_normal_draws_have_mean_0_and_variance_1() -> None:
    assert normal(np.uint64(7), 2**62) == -0.3587799072265625, "on every back-end"
    drawn = [normal(np.uint64(3), k) for k in range(2000)]
    assert abs(np.mean(drawn)) < 0.1
    assert 0.95 < np.std(drawn) < 1.05


def test_numbers_that_make_no_sense_are_refused(game: Game) -> None:
    start = Position.start(game)
    for games, seed in ((-1, 0), (1, -1), (1, 2**63)):
        with pytest.raises(BadValue, match="games and seed are whole numbers"):
            playouts(start, games, seed)
    assert len(playouts(start, 0).plies) == 0
