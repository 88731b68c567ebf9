"""Batches on the CPU: the same games as matches, whatever the number of environments and threads."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import INTERPRETED
from engine.batches import LONG, MANY, check_against, facts, play_alike

import empedocles
from empedocles import Batch, Position
from empedocles.engine.environments import NOBODY, WAIT
from empedocles.game import Game
from empedocles.testing.samples import all_options


def test_environments_play_as_matches_do(game: Game) -> None:
    """Two games in a row of every environment, with every option, move for move."""
    for options in all_options(game):
        batch = empedocles.vector(game.name, 3, seed=5, threads=1, **options)
        matches = [empedocles.new(game.name, seed=5 + i, **options) for i in range(3)]
        games = [0, 0, 0]
        while min(games) < 2:
            for i in range(3):
                check_against(batch, i, matches[i])
            actions = batch.random_actions()
            returns, done = batch.step(actions)
            for i, action in enumerate(actions.tolist()):
                over = matches[i].play(action).is_over
                assert done[i] == over
                expected = np.zeros(batch.seats, np.float32)
                if over:
                    game.rules.returns(matches[i].position.state, expected)
                    matches[i] = empedocles.new(game.name, seed=batch.match_seed(i), **options)
                    games[i] += 1
                assert np.array_equal(returns[i], expected)
            if INTERPRETED and max(games):
                break


def test_an_environment_depends_on_its_own_seed_alone(game: Game) -> None:
    for i in (0, MANY - 1):
        many, alone = empedocles.vector(game.name, MANY, seed=3), empedocles.vector(game.name, 1, seed=3 + i)
        assert play_alike(alone, many, LONG, slice(i, i + 1))
    assert not play_alike(empedocles.vector(game.name, 2, seed=4), empedocles.vector(game.name, 2, seed=3), 2)


def test_threads_change_nothing(game: Game) -> None:
    for threads in (2, 7):
        one, several = (empedocles.vector(game.name, 8 * MANY, threads=k) for k in (1, threads))
        assert play_alike(one, several, 20)


def test_reset_begins_anew_or_with_the_next_game(game: Game) -> None:
    batch = empedocles.vector(game.name, 5, seed=8)
    for _ in range(30):
        batch.step(batch.random_actions())
    assert play_alike(batch.reset(8), empedocles.vector(game.name, 5, seed=8), 30)
    before = [batch.match_seed(i) for i in range(5)]
    batch.reset()
    assert [batch.plies(i) for i in range(5)] == [len(empedocles.new(game.name, seed=1).moves)] * 5
    assert not set(before) & {batch.match_seed(i) for i in range(5)}
    assert np.all(batch.returns == 0)
    assert not batch.done.any()


def test_without_automatic_reset_finished_games_stay(game: Game) -> None:
    batch = empedocles.vector(game.name, 4, auto_reset=False)
    returns = np.zeros((4, batch.seats), np.float32)
    while not batch.done.all():
        batch.step(batch.random_actions())
        returns += batch.returns  # each match brings its result once
    ended = [batch[i] for i in range(4)]
    for i, position in enumerate(ended):
        expected = np.zeros(batch.seats, np.float32)
        game.rules.returns(position.state, expected)
        assert np.array_equal(returns[i], expected)
    assert np.all(batch.random_actions() == WAIT)
    assert np.all(batch.to_move == NOBODY)
    assert not batch.legal_mask.any()
    batch.step([0, 1, -1, game.n_actions])
    assert [batch[i] for i in range(4)] == ended
    assert np.all(batch.returns == 0)
    assert batch.done.all()
    batch.reset_done()
    assert not batch.done.any()
    assert [batch.match_seed(i) for i in range(4)] != [0, 1, 2, 3]
    assert np.all(batch.legal_counts > 0)


def test_environments_that_wait_stay_as_they_are(game: Game) -> None:
    batch = empedocles.vector(game.name, 4, seed=2)
    before = facts(batch)
    actions = batch.random_actions().copy()
    actions[[0, 2]] = WAIT
    batch.step(actions)
    after = facts(batch)
    assert all(np.array_equal(a[[0, 2]], b[[0, 2]]) for a, b in zip(before, after, strict=True))
    assert batch.plies(1) > batch.plies(0)


def test_an_illegal_action_changes_no_environment(game: Game) -> None:
    batch = empedocles.vector(game.name, 4, seed=1)
    before = facts(batch)
    illegal = int(np.flatnonzero(~batch.legal_mask[2])[0])
    for action, said in ((illegal, game.moves[illegal]), (game.n_actions, "action numbers"), (-2, "action numbers")):
        actions = batch.random_actions().copy()
        actions[2] = action
        for refuse in (batch.step, batch.check):
            with pytest.raises(empedocles.BadValue, match=f"environment 2: action {action} is refused") as caught:
                refuse(actions)
            assert said in str(caught.value)
    assert all(np.array_equal(a, b) for a, b in zip(before, facts(batch), strict=True))


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([1, 2], r"one per environment, shape \(3,\), not \(2,\)"),
        (1, r"shape \(3,\), not \(\)"),
        ([[1], [2], [3]], r"not \(3, 1\)"),
        ([1.0, 2.0, 3.0], "whole numbers, not float64"),
        ([True, False, True], "whole numbers, not bool"),
        (["a", "b", "c"], "whole numbers, not <U1"),
        (np.full(3, 2**64 - 1, np.uint64), "not uint64"),
    ],
)
def test_actions_that_are_none_are_refused(actions: Any, said: str) -> None:
    with pytest.raises(empedocles.BadValue, match=said):
        empedocles.vector("ignite-and-flow", 3).step(actions)


def test_actions_on_another_device_are_refused() -> None:
    class OnGpu:
        __cuda_array_interface__ = {"shape": (3,)}  # noqa: RUF012

    with pytest.raises(empedocles.BadValue, match="this batch is on 'cpu', but these actions are on a GPU"):
        empedocles.vector("ignite-and-flow", 3).step(OnGpu())


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"n": 0}, empedocles.BadValue, "n is a whole number from 1, not 0"),
        ({"n": -3}, empedocles.BadValue, "not -3"),
        ({"n": 1.5}, empedocles.BadValue, "not 1.5"),
        ({"n": True}, empedocles.BadValue, "not True"),
        ({"game": "chess"}, empedocles.UnknownName, "unknown game 'chess'"),
        ({"colour": 1}, empedocles.UnknownName, "unknown option 'colour'"),
        ({"device": "tpu"}, empedocles.UnknownName, "unknown device 'tpu': there are cpu, cuda"),
        ({"threads": 0}, empedocles.BadValue, "threads is a whole number from 1, not 0"),
        ({"seed": -1}, empedocles.BadValue, "a seed for 2 environments"),
        ({"seed": 2**64 - 1}, empedocles.BadValue, "from 0 to 18446744073709551614"),
        ({"seed": "7"}, empedocles.BadValue, "not '7'"),
        ({"seed": [1, 2, 3]}, empedocles.BadValue, r"one per environment, shape \(2,\), not \(3,\)"),
        ({"seed": np.array([[1, 2]])}, empedocles.BadValue, r"shape \(2,\), not \(1, 2\)"),
        ({"seed": np.array([1, -2])}, empedocles.BadValue, r"from 0 to 2\*\*64 - 1, not -2"),
        ({"seed": np.array([1.0, 2.0])}, empedocles.BadValue, "whole numbers, not float64"),
        ({"seed": np.array([True, False])}, empedocles.BadValue, "whole numbers, not bool"),
        ({"seed": [1, [2, 3]]}, empedocles.BadValue, r"a whole number from 0 to 2\*\*64 - 1, not \[2, 3\]"),
        ({"seed": (1, -2)}, empedocles.BadValue, "not -2"),
        ({"seed": [0, 2**64]}, empedocles.BadValue, "not 18446744073709551616"),
        ({"seed": [0, True]}, empedocles.BadValue, "not True"),
    ],
)
def test_batches_that_make_no_sense_are_refused(wrong: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        empedocles.vector(**{"game": "ignite-and-flow", "n": 2, **wrong})


def test_seats_and_environments_that_are_not_there_are_refused(game: Game) -> None:
    batch = empedocles.vector(game.name, 2)
    for i in (-3, 2, True):
        with pytest.raises(empedocles.BadValue, match="environments are numbered from 0 to 1"):
            _ = batch[i]
        with pytest.raises(empedocles.BadValue, match="environments are numbered from 0 to 1"):
            batch.match_seed(i)
    if game.view:
        for seat in (-1, batch.seats, 0.5, True, [0, batch.seats]):
            with pytest.raises(empedocles.BadValue, match="a seat of this batch"):
                batch.observe(seat)
    blind = Batch(Position.start(dataclasses.replace(game, view=None), {}), 2)
    with pytest.raises(empedocles.BadValue, match="offers no observations"):
        blind.observe()


def test_environments_may_have_a_seed_each(game: Game) -> None:
    seeds = [2**64 - 1, 5, 5, 0]
    batch = empedocles.vector(game.name, 4, seed=seeds)
    for i, seed in enumerate(seeds):
        assert batch.match_seed(i) == seed
        assert play_alike(empedocles.vector(game.name, 1, seed=seed), batch, 3, slice(i, i + 1))
        batch.reset(np.array(seeds, np.uint64))


def test_a_batch_keeps_its_own_seeds() -> None:
    seeds = np.array([3, 4])
    batch = empedocles.vector("elemental-defenders", 2, seed=seeds)
    seeds[0] = 9
    assert batch.seed.tolist() == [3, 4]  # type: ignore[union-attr]
    assert "a seed each" in repr(batch)


def test_the_largest_seeds_work() -> None:
    batch = empedocles.vector("elemental-defenders", 2, seed=2**64 - 2)
    assert batch[1] == empedocles.new("elemental-defenders", seed=2**64 - 1).position


@pytest.mark.parametrize(
    "copied", [Batch.copy, copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))]
)
@pytest.mark.parametrize("auto_reset", [True, False])
def test_a_copy_goes_on_as_its_original_would(game: Game, copied: Callable[[Batch], Batch], auto_reset: bool) -> None:
    batch = empedocles.vector(game.name, 6 * MANY, seed=3, threads=2, auto_reset=auto_reset)
    for _ in range(LONG // 5):
        batch.step(batch.random_actions())
    twin, position, told = copied(batch), batch[0], facts(batch)
    assert all(np.array_equal(a, b) for a, b in zip(told, facts(twin), strict=True))
    assert [twin[i] for i in range(3)] == [batch[i] for i in range(3)]
    for _ in range(5):  # alone: the original does not notice
        twin.step(twin.random_actions())
    assert batch[0] == position
    assert all(np.array_equal(a, b) for a, b in zip(told, facts(batch), strict=True))
    for _ in range(5):
        batch.step(batch.random_actions())
    assert play_alike(batch, twin, LONG // 5)
    assert [twin[i] for i in range(3)] == [batch[i] for i in range(3)]
    assert play_alike(batch.reset(), twin.reset(), 2)


def test_a_batch_pickled_by_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = pickle.dumps(empedocles.vector("ignite-and-flow", 2))
    monkeypatch.setattr("empedocles.engine.batch._layout", lambda _game: ("other",))
    with pytest.raises(empedocles.BadValue, match="pickled by another version of ignite-and-flow"):
        pickle.loads(content)


def test_no_seed_is_a_random_one() -> None:
    one, two = (empedocles.vector("elemental-defenders", 2, seed=None) for _ in range(2))
    assert one.seed != two.seed
