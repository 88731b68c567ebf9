"""One seat for single-agent learning, as Gymnasium knows it."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import empedocles
from empedocles.adapters.single import SingleSeat
from empedocles.agents import AGENTS
from empedocles.engine.environments import NOBODY
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.position import Position
from empedocles.search.limits import Limit


@pytest.fixture(params=[game for game in GAMES.values() if game.view], ids=lambda game: game.name)
def seen(request: pytest.FixtureRequest) -> Game:
    found: Game = request.param
    return found


def any_legal(infos: dict[str, Any], rng: np.random.Generator) -> list[int]:
    """An ended match has none: then anything goes."""
    return [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in infos["action_mask"]]


def test_the_learner_is_to_move_or_the_match_is_over(seen: Game) -> None:
    envs = SingleSeat(seen.name, 6, seed=1)
    rng = np.random.default_rng(0)
    observations, infos = envs.reset(seed=1)
    ended, results = np.zeros(6, bool), 0
    while results < 12:
        assert observations in envs.observation_space
        to_move = envs.batch.to_move
        assert np.all((to_move == envs.seats) | ended)
        for i in range(6):
            assert np.array_equal(observations[i], envs.batch[i].observe(i % envs.batch.seats))
        before = ended
        observations, rewards, ended, truncated, infos = envs.step(any_legal(infos, rng))
        assert not truncated.any()
        assert not (before & ended).any(), "the step after an end begins the next match"
        assert np.all(ended == (envs.batch.to_move == NOBODY))
        assert np.all(rewards[~ended] == 0)
        for i in np.flatnonzero(ended).tolist():
            result = envs.batch[i].result
            assert result is not None
            assert (rewards[i] > 0) == (i % envs.batch.seats in result.winners)
            results += 1
    envs.close()


def test_a_seed_repeats_everything(seen: Game) -> None:
    told = []
    for _ in range(2):
        envs, rng = SingleSeat(seen.name, 4, seat=1), np.random.default_rng(0)
        observations, infos = envs.reset(seed=3)
        for _step in range(20):
            observations, *_, infos = envs.step(any_legal(infos, rng))
        told.append(observations)
    assert np.array_equal(told[0], told[1])


def test_environments_may_have_a_seed_each() -> None:
    envs = SingleSeat("elemental-defenders", 2, seat=0, seed=[8, 3])
    first, _ = envs.reset(seed=[3, 8])
    second, _ = envs.reset(seed=np.array([8, 3]))
    assert np.array_equal(first[::-1], second)
    assert not np.array_equal(first, second)
    for seed in (-1, [1], 1.5):
        with pytest.raises(empedocles.BadValue, match="seed"):
            envs.reset(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
@pytest.mark.parametrize("opponent", ["random", "level-1"])
def test_a_copy_goes_on_as_its_original_would(opponent: str, copied: Callable[[SingleSeat], SingleSeat]) -> None:
    envs = SingleSeat("ignite-and-flow", 3, opponent=opponent, limit=Limit(simulations=3))
    _, infos = envs.reset(seed=1)
    for _ in range(3):
        *_, infos = envs.step(infos["action_mask"].argmax(1))
    twin, before = copied(envs), [envs.batch[i] for i in range(3)]
    seen = [twin.step(infos["action_mask"].argmax(1))]
    assert [envs.batch[i] for i in range(3)] == before
    seen.append(envs.step(infos["action_mask"].argmax(1)))
    seen += [each.step(seen[0][4]["action_mask"].argmax(1)) for each in (twin, envs)]
    assert np.array_equal(seen[0][0], seen[1][0])
    assert np.array_equal(seen[2][0], seen[3][0])


def test_every_environment_has_an_opponent_of_its_own() -> None:
    seen: list[int] = []

    class Seeded:
        def __init__(self, seed: int) -> None:
            seen.append(seed)

        def choose(self, position: Position, _limit: Limit) -> str:
            return position.legal_moves[0]

    envs = SingleSeat("ignite-and-flow", 8, seat=1, opponent="level-1", seed=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("empedocles.adapters.single.find", lambda _name, seed, _game: Seeded(seed))
        envs.reset(seed=0)
    assert len(set(seen)) == 8
    assert all(0 <= seed < 2**63 for seed in seen)


def test_an_opponent_that_cannot_be_copied_says_so() -> None:
    envs = SingleSeat("ignite-and-flow", 2, opponent="search", limit=Limit(simulations=3))
    copy.deepcopy(envs)
    envs.reset(seed=1)
    for refused in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(empedocles.BadValue, match="a search that has begun cannot be copied or pickled"):
            refused(envs)


def test_any_agent_may_be_the_opponent(seen: Game) -> None:
    for opponent in ("level-1", AGENTS["alphabet"](0)):
        envs = SingleSeat(seen.name, 2, opponent=opponent, limit=Limit(simulations=2))
        rng = np.random.default_rng(0)
        _, infos = envs.reset(seed=0)
        for _ in range(4):
            *_, infos = envs.step(any_legal(infos, rng))
        assert np.all((envs.batch.to_move == envs.seats) | (envs.batch.to_move == NOBODY))


def test_refused_actions_change_nothing(seen: Game) -> None:
    envs = SingleSeat(seen.name, 2)
    _, infos = envs.reset(seed=0)
    before = [envs.batch[i] for i in range(2)]
    with pytest.raises(empedocles.BadValue, match="environment 1"):
        envs.step([any_legal(infos, np.random.default_rng(0))[0], seen.n_actions - 1 + infos["action_mask"][1, -1]])
    assert [envs.batch[i] for i in range(2)] == before


def test_nothing_is_played_before_the_first_reset() -> None:
    envs = SingleSeat("ignite-and-flow", 2, seat=1)
    before = [envs.batch[i] for i in range(2)]
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"reset\(\) before step"):
        envs.step([0, 0])
    assert [envs.batch[i] for i in range(2)] == before


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0, -1, 0], "environment 1: action -1 is refused.*cannot wait"),
        (0, r"shape \(3,\), not \(\)"),
        ([0, 0], r"shape \(3,\), not \(2,\)"),
        ([[0], [0], [0]], r"not \(3, 1\)"),
        ([0.0, 0.0, 0.0], "whole numbers, not float64"),
        (None, "actions"),
    ],
)
def test_actions_that_are_none_are_refused(actions: Any, said: str) -> None:
    envs = SingleSeat("ignite-and-flow", 3, seat=0)
    envs.reset(seed=0)
    before = [envs.batch[i] for i in range(3)]
    assert all(position.legal_actions[0] == 0 for position in before)
    with pytest.raises(empedocles.BadValue, match=said):
        envs.step(actions)
    assert [envs.batch[i] for i in range(3)] == before


def test_seats_and_opponents_that_do_not_exist_are_refused(seen: Game) -> None:
    for seat in (9, -1, 1.0, True, "0"):
        with pytest.raises(empedocles.BadValue, match="a seat of this match is a number from 0"):
            SingleSeat(seen.name, 2, seat=seat)  # type: ignore[arg-type]
    for opponent in (None, 5, AGENTS["random"]):
        with pytest.raises(empedocles.BadValue, match="an opponent is an agent or the name of one, not"):
            SingleSeat(seen.name, 2, opponent=opponent)  # type: ignore[arg-type]
    for limit in (5, "x", 0):
        with pytest.raises(empedocles.BadValue, match="a limit is a Limit"):
            SingleSeat(seen.name, 2, limit=limit)  # type: ignore[arg-type]
    with pytest.raises(empedocles.UnknownName, match="unknown agent 'nobody'"):
        SingleSeat(seen.name, 2, opponent="nobody")
    assert SingleSeat(seen.name, 2, opponent="Random").reset(seed=0)


def test_opponents_of_another_game_are_refused() -> None:
    with pytest.raises(empedocles.UnknownName, match=r"unknown agent 'gnome' in Ignite and Flow: there are .*pebble"):
        SingleSeat("ignite-and-flow", 2, opponent="gnome")
    assert SingleSeat("points-of-power", 2, opponent="Gnome")


def test_without_gymnasium_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "empedocles.adapters.single")
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ImportError, match=r"empedocles\[research\]"):
        __import__("empedocles.adapters.single")
