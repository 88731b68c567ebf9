"""One seat of a game for single-agent learning, as a Gymnasium vector environment: the other seats play by themselves.

>>> from empedocles.adapters.single import SingleSeat
>>> envs = SingleSeat("points-of-power", 64, opponent="random")
>>> observations, infos = envs.reset(seed=1)
>>> actions = [mask.nonzero()[0][0] for mask in infos["action_mask"]]
>>> observations, rewards, terminated, truncated, infos = envs.step(actions)
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles.agents import Agent, find
from empedocles.core.rng import random_word
from empedocles.engine.batch import Batch, vector
from empedocles.engine.checks import Seeds
from empedocles.engine.environments import NOBODY, WAIT
from empedocles.errors import BadValue
from empedocles.extras import Extra
from empedocles.game import Game
from empedocles.position import checked_seat
from empedocles.search.limits import Limit

with Extra("research"):
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Array = npt.NDArray[Any]
Infos = dict[str, Any]

RANDOM = "random"  # this opponent is played for all environments at once
OPPONENTS = 0x4F50504F4E454E54  # tells their seeds from the draws of chance


class SingleSeat(VectorEnv[Array, Array, Array]):
    """`n` matches in which the learner has one seat, on the CPU.

    `seat` is the learner's; without one, environment i has seat i modulo the number of seats. `opponent` is the name of
    an agent (see `empedocles.agents`) or an agent, and plays all other seats; "random" is by far the fastest. A named
    one is made anew for every match. `limit` is how long it may think. `seed` is one for all or an array, see `Batch`.

    `infos["action_mask"]` says which actions are legal. The reward is the match's result, from −1 to 1, when it ends;
    the observation is then of its end, and the next step, whose action is ignored, begins the next match.

    A copy (`copy.deepcopy`, `copy.copy` or pickle) goes on as these would, with matches and opponents of its own. An
    opponent "search" that has begun to think refuses that.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        n: int,
        *,
        seat: int | None = None,
        opponent: str | Agent = RANDOM,
        limit: Limit | None = None,
        seed: Seeds | None = 0,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.batch: Batch = vector(game, n, seed=seed, auto_reset=False, threads=threads, **options)
        view = self.batch.game.needed_view()
        self.seats = self._seats(seat)
        self.opponent = _checked_opponent(opponent, self.batch.game)
        self.limit = Limit(simulations=100) if limit is None else limit
        if not isinstance(self.limit, Limit):
            raise BadValue(f"a limit is a Limit, such as Limit(simulations=100), not {limit!r}")
        self._agents: dict[int, Agent] = {}  # by environment
        self._was_reset = False
        self.num_envs = n
        self.single_observation_space = spaces.Box(0, 1, view.shape, np.float32)
        self.single_action_space = spaces.Discrete(self.batch.n_actions)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)

    def reset(self, *, seed: Seeds | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Infos]:  # noqa: ARG002
        self.batch.reset(seed)
        super().reset(seed=self.batch.seed if seed is not None and isinstance(self.batch.seed, int) else None)
        self._agents.clear()
        self._was_reset = True
        self._let_others_play(np.zeros(self.num_envs, np.float32))
        return self._seen(), self._infos()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, Infos]:
        if not self._was_reset:
            raise ResetNeeded("call reset() before step(): the other seats may have to move first")
        ended = self.batch.to_move == NOBODY
        mine = self._checked(actions, ended)  # before anything changes
        self._begin_next(ended)
        rewards = np.zeros(self.num_envs, np.float32)
        self._play(mine, rewards)
        self._let_others_play(rewards)
        terminated = self.batch.to_move == NOBODY
        return self._seen(), rewards, terminated, np.zeros(self.num_envs, np.bool_), self._infos()

    def __copy__(self) -> SingleSeat:
        return copy.deepcopy(self)

    # ── Inside ──

    def _checked(self, actions: Any, ended: Array) -> Array:
        self.batch.check(actions)
        mine = np.where(ended, WAIT, np.asarray(actions).astype(np.int64))
        for i in np.flatnonzero((mine == WAIT) & ~ended).tolist():
            said = f"action {WAIT} is refused, and no environment has changed: the seat to move cannot wait"
            raise BadValue(f"environment {i}: {said}")
        return mine

    def _seats(self, seat: int | None) -> Array:
        seats = self.batch.seats
        if seat is None:
            return np.arange(self.batch.n, dtype=np.int64) % seats
        return np.full(self.batch.n, checked_seat(seat, seats), np.int64)

    def _play(self, actions: Array, rewards: Array) -> None:
        returns, _done = self.batch.step(actions, check=False)
        rewards += returns[np.arange(self.num_envs), self.seats]

    def _begin_next(self, ended: Array) -> None:
        for i in np.flatnonzero(ended).tolist():
            self._agents.pop(i, None)
        if ended.any():
            self.batch.reset_done()

    def _let_others_play(self, rewards: Array) -> None:
        """Play the other seats until the learner is to move or the match is over, in every environment."""
        while (waiting := (self.batch.to_move != self.seats) & (self.batch.to_move != NOBODY)).any():
            self._play(self._others_actions(waiting), rewards)

    def _others_actions(self, waiting: Array) -> Array:
        if isinstance(self.opponent, str) and self.opponent == RANDOM:
            return np.where(waiting, self.batch.random_actions(), WAIT)
        actions = np.full(self.num_envs, WAIT, np.int64)
        for i in np.flatnonzero(waiting).tolist():
            position = self.batch[i]
            actions[i] = position.action(self._agent(i).choose(position, self.limit))
        return actions

    def _agent(self, i: int) -> Agent:
        if not isinstance(self.opponent, str):
            return self.opponent
        if i not in self._agents:
            # Stirred, as halves of neighbouring seeds are equal; and halved, as others may keep it in a signed word.
            seed = int(random_word(np.uint64(self.batch.match_seed(i)), OPPONENTS)) // 2
            self._agents[i] = find(self.opponent, seed, self.batch.game)
        return self._agents[i]

    def _seen(self) -> Array:
        seen: Array = self.batch.observe(self.seats)
        return seen.copy()

    def _infos(self) -> Infos:
        return {"action_mask": self.batch.legal_mask.copy(), "_action_mask": np.ones(self.num_envs, np.bool_)}


def _checked_opponent(opponent: Any, game: Game) -> str | Agent:
    if isinstance(opponent, str):
        find(opponent, game=game)  # refuses an unknown name
        return opponent.lower()
    if isinstance(opponent, type) or not callable(getattr(opponent, "choose", None)):
        raise BadValue(f"an opponent is an agent or the name of one, not {opponent!r}")
    agent: Agent = opponent
    return agent
