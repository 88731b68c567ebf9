"""Random games: from a position to the end, one uniform move after another, on every back-end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import BROKEN, Actions, State, kernel, listing, play
from empedocles.core.rng import draw
from empedocles.errors import BadValue, UnknownName
from empedocles.game import Game
from empedocles.position import Position

DEVICES = ("cpu", "cuda")
STUCK = -1  # instead of a number of plies: a list of legal actions is empty or too long

States = npt.NDArray[np.void]
Plies = npt.NDArray[np.int32]


class Playouts(NamedTuple):
    states: States  # how each game ended
    plies: Plies  # how long it took, chance moves included


def playouts(position: Position, games: int, seed: int = 0, device: str = "cpu") -> Playouts:
    """`games` random games from a position; game i depends on seed + i alone, and is the same on every device."""
    checked_device(device)
    if games < 0 or not 0 <= seed < 2**63 - games:
        raise BadValue(f"games and seed are whole numbers from 0, below 2**63 together, not {games!r} and {seed!r}")
    if device == "cuda":
        from empedocles.engine.cuda import playouts_on_gpu

        return playouts_on_gpu(position, games, seed)
    states = np.zeros(games, position.game.rules.state)
    states[:] = position.state
    plies = np.zeros(games, np.int32)
    with position.game.blamed():
        play_out(states, seed, plies, np.empty(position.game.max_legal, np.int16))
    return checked_playouts(position.game, Playouts(states, plies))


def checked_device(device: str) -> str:
    if device not in DEVICES:
        raise UnknownName(f"unknown device {device!r}: there are {', '.join(DEVICES)}")
    return device


def checked_playouts(game: Game, found: Playouts) -> Playouts:
    """The playouts, if all games came to an end."""
    if (found.plies == STUCK).any():
        raise game.broken()
    return found


@kernel
def play_out(states: States, seed: int, plies: Plies, out: Actions) -> None:
    """Play every state to its end, in place."""
    for i in range(len(states)):
        plies[i] = playout(states[i], np.uint64(seed + i), out)


@kernel
def playout(s: State, seed: np.uint64, out: Actions) -> int:
    """Play random moves until the game is over. Returns the number of plies, or STUCK."""
    ply, seats = 0, int(s.seats)
    while not s.over:
        n = listing(s, out, seats)
        if n == BROKEN:
            return STUCK
        play(s, int(out[draw(seed, ply, n)]))
        ply += 1
    return ply
