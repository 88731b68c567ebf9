"""Teachers of a table: larger networks, or the table of another run, that say what positions are worth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles import networks
from empedocles.agents import NETWORK
from empedocles.agents.policies import FILE, OnnxPolicy, PolicyAgent
from empedocles.agents.references import is_reference, named
from empedocles.core.kernel import (
    BROKEN,
    CHANCE,
    Actions,
    Planes,
    Weights,
    Worths,
    evaluate,
    kernel,
    listing,
    observe,
    play,
    returns,
)
from empedocles.core.rng import draw, random_word
from empedocles.engine.playout import States
from empedocles.errors import BadValue, UnknownName
from empedocles.learn.selfplay import Floats
from empedocles.position import Position
from empedocles.search.guided import Policy, as_array, relation

AT_ONCE = 1024  # positions that a policy is asked about in one call, at most

Teacher = Callable[[States, np.uint64], Floats]  # of positions and luck: what each seat can expect


def teacher(name: str, start: Position, seed: int = 0) -> Teacher:
    """`onnx:FILE`, `module:NAME` (a policy, or a class of agents that have one) or `net:RUN`, for a game."""
    if name.startswith(NETWORK):
        return of_table(networks.read(Path(name.removeprefix(NETWORK)) / networks.FILE, start.game), start)
    if name.startswith(FILE):
        return of_policy(OnnxPolicy(name.removeprefix(FILE)), start)
    if is_reference(name):
        return of_policy(_policy(named(name, "teacher"), name, seed), start)
    raise UnknownName(f"unknown teacher {name!r}: there are onnx:FILE, net:RUN, and MODULE:NAME, a policy or an agent")


def _policy(found: Any, name: str, seed: int) -> Policy:
    """A class is made with the seed; what a PolicyAgent is guided by, or anything else that can be called, teaches."""
    made: Any = found
    if isinstance(found, type):
        maker: Any = found
        try:
            made = maker(seed)
        except TypeError as error:
            raise BadValue(f"the teacher {name!r} cannot be made from a seed: {error}") from error
    policy = made.policy if isinstance(made, PolicyAgent) else made
    if not callable(policy):
        raise BadValue(f"the teacher {name!r} is a {type(made).__name__}: a function of observations is needed")
    return policy


# ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def of_table(network: networks.Network, start: Position) -> Teacher:
    network.check(start.game, start.options)
    weights = network.weights()

    def tell(states: States, _luck: np.uint64) -> Floats:
        worths = np.zeros((len(states), start.seats), np.float32)
        with start.game.blamed():
            evaluate_all(states, weights, worths)
        return worths.astype(np.float64)

    return tell


@kernel
def evaluate_all(states: States, weights: Weights, worths: Worths) -> None:
    for k in range(len(states)):
        evaluate(states[k], weights, worths[k])


# ── Policies ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def of_policy(policy: Policy, start: Position) -> Teacher:
    """A function from observations to logits, which do not matter here, and values: see `PolicyAgent`."""
    shape, seats = start.game.needed_view().shape, start.seats
    planes, out = np.zeros((AT_ONCE, *shape), np.float32), np.empty(start.game.max_legal, np.int16)
    shares = relation(start.game, seats)

    def tell(states: States, luck: np.uint64) -> Floats:
        goals = np.zeros((len(states), seats), np.float32)
        seen = states.copy()
        with start.game.blamed():
            if not settle(seen, luck, out, goals):
                raise start.game.broken()
        asked = np.flatnonzero(seen["over"] == 0)
        for first in range(0, len(asked), AT_ONCE):
            some = asked[first : first + AT_ONCE]
            with start.game.blamed():
                look(seen, some, planes)
            movers = seen["mover"][some].astype(np.int64)
            values = _values(policy(planes[: len(some)]), len(some), seats)
            values = values if values.shape == (len(some), seats) else values.reshape(-1, 1) * shares
            goals[some[:, None], (movers[:, None] + np.arange(seats)) % seats] = values.clip(-1, 1)
        return goals.astype(np.float64)

    return tell


def _values(answer: Any, n: int, seats: int) -> Worths:
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise BadValue(f"a policy returns logits and values, two arrays, not {type(answer).__name__}")
    values = as_array(answer[1])
    if values.shape not in ((n,), (n, 1), (n, seats)):
        raise BadValue(f"values are of shape {(n,)} or {(n, seats)} here, not {values.shape}")
    if not np.isfinite(values).all():
        raise BadValue("a policy's values are finite: some are not")
    return values


@kernel
def settle(states: States, luck: np.uint64, out: Actions, goals: Worths) -> int:
    """Draw the chance moves that are due, until somebody is to move: a policy sees for whoever is. Returns 1 if all
    went well; where the game is over, the goals are its returns.
    """
    for k in range(len(states)):
        s, counter, word = states[k], 0, random_word(luck, k)
        while not s.over and s.mover == CHANCE:
            n = listing(s, out, goals.shape[1])
            if n == BROKEN:
                return 0
            play(s, int(out[draw(word, counter, n)]))
            counter += 1
        if s.over:
            returns(s, goals[k])
    return 1


@kernel
def look(states: States, chosen: npt.NDArray[np.int64], planes: Planes) -> None:
    for row in range(len(chosen)):
        s = states[chosen[row]]
        observe(s, int(s.mover), planes[row])
