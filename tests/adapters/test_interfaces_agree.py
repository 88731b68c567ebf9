"""One match, played through every interface: the same players, legal moves, observations and returns everywhere.

An interface is a driver in the table below.
"""

from __future__ import annotations

import functools
from typing import Any, Protocol

import numpy as np
import pyspiel
import pytest

import empedocles
from empedocles.adapters import openspiel, pettingzoo
from empedocles.core.kernel import Planes
from empedocles.errors import PositionError
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.testing.samples import all_options

SEEDS = range(2)


class Driver(Protocol):
    draws_chance: bool  # by itself, from the seed

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None: ...
    def to_move(self) -> int | None: ...
    def legal(self) -> list[int]: ...
    def observation(self) -> Planes:
        """For the seat to move."""
        ...

    def play(self, action: int) -> None: ...
    def returns(self) -> list[float]: ...


class Kernels:
    draws_chance = False

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self.game, self.state = game, game.start(options)

    def to_move(self) -> int | None:
        return None if self.state.over else int(self.state.mover)

    def legal(self) -> list[int]:
        out = np.empty(self.game.max_legal, np.int16)
        return sorted(out[: self.game.rules.legal(self.state, out)].tolist())

    def observation(self) -> Planes:
        assert self.game.view is not None
        planes = np.empty(self.game.view.shape, np.float32)
        self.game.view.observe(self.state, int(self.state.mover), planes)
        return planes

    def play(self, action: int) -> None:
        self.game.rules.play(self.state, action)

    def returns(self) -> list[float]:
        returns = np.zeros(int(self.state.seats), np.float32)
        self.game.rules.returns(self.state, returns)
        return [float(worth) for worth in returns]


class PettingZoo:
    draws_chance = True

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        module = getattr(pettingzoo, pettingzoo.module_name(game))
        self.env = module.env(**options)
        self.env.reset(seed=seed)

    def to_move(self) -> int | None:
        return None if any(self.env.terminations.values()) else self._seat()

    def _seat(self) -> int:
        return int(self.env.possible_agents.index(self.env.agent_selection))

    def legal(self) -> list[int]:
        mask, again = self.env.last()[0]["action_mask"], self.env.last()[4]["action_mask"]
        assert np.array_equal(mask, again)
        return [int(action) for action in np.flatnonzero(mask)]

    def observation(self) -> Planes:
        planes: Planes = self.env.last()[0]["observation"]
        return planes

    def play(self, action: int) -> None:
        self.env.step(action)

    def returns(self) -> list[float]:
        return [float(self.env.rewards[agent]) for agent in self.env.possible_agents]


class OpenSpiel:
    draws_chance = False

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self.state = pyspiel.load_game(openspiel.spiel_name(game), options).new_initial_state()
        assert game.view is not None
        self.shape = game.view.shape

    def to_move(self) -> int | None:
        return None if self.state.is_terminal() else int(self.state.current_player())

    def legal(self) -> list[int]:
        actions: list[int] = self.state.legal_actions()
        return actions

    def observation(self) -> Planes:
        return np.array(self.state.observation_tensor(), np.float32).reshape(self.shape)

    def play(self, action: int) -> None:
        self.state.apply_action(action)

    def returns(self) -> list[float]:
        returns: list[float] = self.state.returns()
        return returns


class Batch:
    """The first of two environments; nothing happens in the other."""

    draws_chance = True

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self.batch = empedocles.vector(game.name, n=2, seed=seed, auto_reset=False, **options)

    def to_move(self) -> int | None:
        return None if self.batch.done[0] else int(self.batch.to_move[0])

    def legal(self) -> list[int]:
        mask, listed = self.batch.legal_mask[0], self.batch.legal_actions[0][: self.batch.legal_counts[0]]
        assert sorted(listed) == np.flatnonzero(mask).tolist()
        return sorted(listed.tolist())

    def observation(self) -> Planes:
        planes: Planes = self.batch.observe()[0]
        return planes

    def play(self, action: int) -> None:
        self.batch.step(np.array([action, -1]))

    def returns(self) -> list[float]:
        return [float(worth) for worth in self.batch.returns[0]]


DRIVERS: list[type[Driver]] = [Kernels, PettingZoo, OpenSpiel, Batch]
CASES = [(game, options) for game in GAMES.values() for options in all_options(game)]


def finished_match(game: Game, options: dict[str, Any], seed: int) -> Match:
    """A match of random moves that draws its chance from the seed."""
    luck, match = np.random.default_rng(seed), empedocles.new(game.name, seed=seed, **options)
    while not match.is_over:
        match.play(int(luck.choice(match.position.legal_actions)))
    return match


# On this board the first step of Fire may leave Air no move.
WALLED = (
    "WWW.EEE..../WWW.EEE..../WWW.EEE..../.........../mmm......../mmm.......*/mmm......../.......****/"
    "FFF....*AAA/FFF....*AAA/FFF....*AAA"
)
SMALL = {"stuck": {"board": WALLED}}  # for readings that hardly ever matter elsewhere
READ = [
    (game, options | SMALL.get(option.name, {}), option.name)
    for game, options in CASES
    for option in game.options
    if option.is_reading and options[option.name] != option.default
]


@functools.cache
def decided_by(game: Game, reading: str, *chosen: tuple[str, Any]) -> int:
    """The seed of a match in which the reading matters: by the default, the legal moves would be others."""
    options = dict(chosen)
    named = f" {reading}={options[reading]}"
    for seed in range(400):
        for position in finished_match(game, options, seed).positions():
            try:
                usual = None if position.is_over else Position(position.text.replace(named, ""))
            except PositionError:  # the default ends the game here
                return seed
            if usual and usual.legal_actions != position.legal_actions:
                return seed
    raise AssertionError(f"{named} never matters")


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(("game", "options", "reading"), READ, ids=[f"{g.name} {n}={o[n]}" for g, o, n in READ])
def test_an_interface_plays_a_match_that_a_reading_decides(
    driver: type[Driver], game: Game, options: dict[str, Any], reading: str
) -> None:
    seed = decided_by(game, reading, *options.items())
    test_an_interface_plays_as_a_match_does(driver, game, options, seed)


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(("game", "options"), CASES, ids=[f"{g.name} {o}" for g, o in CASES])
@pytest.mark.parametrize("seed", SEEDS)
def test_an_interface_plays_as_a_match_does(
    driver: type[Driver], game: Game, options: dict[str, Any], seed: int
) -> None:
    match = finished_match(game, options, seed)
    played = driver(game, options, seed)
    for position, move in zip(match.positions(), match.moves, strict=False):
        is_chance = position.to_move == empedocles.CHANCE
        if is_chance and played.draws_chance:
            continue
        assert played.to_move() == position.to_move
        assert played.legal() == position.legal_actions
        assert is_chance or np.array_equal(played.observation(), position.observe())
        played.play(position.action(move))
    assert played.to_move() is None
    assert played.returns() == pytest.approx(match.position.returns, abs=1e-6)
