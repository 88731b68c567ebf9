"""Checks of what users give to a batch: seeds, indices of environments, and positions. Kernels trust it all."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import CHANCE
from empedocles.core.rng import checked_seed
from empedocles.engine.environments import States
from empedocles.errors import BadValue
from empedocles.game import Game
from empedocles.position import Position

Seeds = int | Sequence[int] | npt.NDArray[np.integer[Any]]  # one for the first environment, or one for each
SeedArray = npt.NDArray[np.uint64]


def positive(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1 or isinstance(value, bool):
        raise BadValue(f"{name} is a whole number from 1, not {value!r}")
    return number


# ── Seeds ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def checked_seeds(seed: Any, n: int) -> int | SeedArray:
    """A seed for `n` environments, a random one for None, or an array of them."""
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, Sequence) and not isinstance(seed, str):  # NumPy would turn large ones into fractions
        return _checked_array(np.array([checked_seed(each) for each in seed], np.uint64), n)
    if np.ndim(seed) > 0:
        return _checked_array(np.array(seed), n)
    last = 2**64 - n
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed <= last:
        expected = f"a whole number from 0 to {last}, or an array of {n}"
        raise BadValue(f"a seed for {n} environments is {expected}, not {seed!r}")
    return int(seed)


def _checked_array(seeds: npt.NDArray[Any], n: int) -> SeedArray:
    if seeds.shape != (n,):
        raise BadValue(f"seeds are one per environment, shape ({n},), not {seeds.shape}")
    if seeds.dtype.kind not in "iu":
        raise BadValue(f"seeds are whole numbers, not {seeds.dtype}")
    if (seeds < 0).any():
        raise BadValue(f"seeds are whole numbers from 0 to 2**64 - 1, not {seeds.min()}")
    return seeds.astype(np.uint64)


def seed_of_each(seed: int | SeedArray, n: int) -> SeedArray:
    return np.uint64(seed) + np.arange(n, dtype=np.uint64) if isinstance(seed, int) else seed


# ── Environments ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_index(where: Any) -> bool:
    return isinstance(where, (int, np.integer)) and not isinstance(where, bool)


def checked_index(i: Any, n: int) -> int:
    """The number of an environment; as in Python's lists, −1 is the last one."""
    if not is_index(i) or not -n <= i < n:
        raise BadValue(f"environments are numbered from 0 to {n - 1}: there is no {i!r}")
    return int(i) % n


def checked_indices(where: Any, n: int) -> npt.NDArray[np.int64]:
    """The environments that a number, a slice, an array of numbers or a mask stands for."""
    if is_index(where):
        return np.array([checked_index(where, n)])
    if isinstance(where, slice):
        return np.arange(n)[where]
    found = np.asarray(where)
    if found.dtype == np.bool_:
        if found.shape != (n,):
            raise BadValue(f"a mask has an entry per environment, shape ({n},), not {found.shape}")
        return np.flatnonzero(found)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        expected = "a number, a slice, whole numbers in one dimension, or a mask"
        raise BadValue(f"environments are chosen by {expected}, not {where!r}")
    outside = (found < -n) | (found >= n)
    if outside.any():
        raise BadValue(f"environments are numbered from 0 to {n - 1}: there is no {found[outside][0]}")
    return found.astype(np.int64) % n


# ── Positions ────────────────────────────────────────────────────────────────────────────────────────────────────────


def checked_starts(start: Position | Sequence[Position], n: int | None) -> tuple[list[Position], int]:
    """The position that `n` environments begin from, or one for each; and the number of environments."""
    if isinstance(start, Position):
        starts, n = [start], positive("n", n)
    else:
        starts = list(start)
        if n is not None and positive("n", n) != len(starts):
            raise BadValue(f"positions are one per environment, {n}, or n is left out: these are {len(starts)}")
        n = len(starts)
    if not starts:
        raise BadValue("a batch has at least one environment, but there are no positions to begin from")
    if not isinstance(starts[0], Position):
        raise BadValue(f"position 0 must be a Position, not {starts[0]!r}")
    checked_positions(starts, starts[0].game)
    _need_decisions(starts)
    return starts, n


def checked_positions(given: Any, game: Game, options: dict[str, Any] | None = None) -> list[Position]:
    """A position, several, or states: all of this game with these options, or those of the first; none is finished."""
    positions = _positions(given, game)
    for k, position in enumerate(positions):
        if not isinstance(position, Position):
            raise BadValue(f"position {k} must be a Position, not {position!r}")
        if position.game is not game:
            raise BadValue(f"position {k} must be one of {game.name}, not {position!r}")
        options = position.options if options is None else options
        if position.options != options:
            wanted, found = game.named(options), game.named(position.options)
            raise BadValue(f"position {k} must have the options {wanted}, not {found}: {position!r}")
        if position.is_over:
            raise BadValue(f"position {k} must have a move due, but the game is over: {position!r}")
    return positions


def _positions(given: Any, game: Game) -> list[Position]:
    if isinstance(given, Position):
        return [given]
    if isinstance(given, (np.ndarray, np.void)):
        if given.dtype != game.rules.state or given.ndim > 1:
            expected = f"a row of states of {game.name}, {game.rules.state.itemsize} bytes each"
            raise BadValue(f"an array to begin from is {expected}, not shape {given.shape} of {given.dtype.name}")
        return [Position.of(game, state) for state in np.atleast_1d(given)]
    if isinstance(given, Iterable) and not isinstance(given, str):
        return list(given)
    raise BadValue(f"environments begin from a Position, several of them, or an array of states, not {given!r}")


def _need_decisions(positions: Iterable[Position]) -> None:
    """Refuse starts from which no match comes to a decision: environments would restart for ever."""
    for position in {position for position in positions if position.to_move == CHANCE}:
        if not _comes_to_a_decision(position):
            raise BadValue(f"a start leads to a decision, but here chance alone ends the game: {position!r}")


def _comes_to_a_decision(position: Position) -> bool:
    if position.to_move != CHANCE:
        return not position.is_over
    return any(_comes_to_a_decision(position.play(outcome)) for outcome in position.legal_actions)


def states_of(positions: Sequence[Position], n: int) -> States:
    """The states of `n` positions, or of one position `n` times."""
    states = np.zeros(n, positions[0].game.rules.state)
    for k, position in enumerate(positions):
        states[k] = position.state
    if len(positions) == 1:
        states[:] = states[0]
    return states
