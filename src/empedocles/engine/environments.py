"""Many environments of one game side by side: their arrays, the kernels that play in one of them on every device, and
what each device implements.

An environment plays one match after another, from its own start. Its match number g has the seed `match_seed(seed, g)`
and draws chance as a `Match` with that seed: both draw by the seed and the ply, from the outcomes in order.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import stir
from empedocles.core.kernel import BROKEN, CHANCE, Actions, State, kernel, listing, play, returns, tiny_kernel
from empedocles.core.rng import draw

WAIT = -1  # the action of an environment that stays as it is
NO_ACTION = -1  # in the places behind the legal ones
NOBODY = -1  # to move in a finished environment
STUCK = -2  # instead of a mover: the list of legal actions is empty or too long
UNSTARTED = -1  # the ply of a match that begins from the environment's start
SET_UP = -2  # the ply of a match that begins from the state that is already there
CHOICES = np.uint64(0x43484F4943455321)  # tells the draws of random actions from those of chance

Counter = State
COUNTER: np.dtype[Counter] = np.dtype(  # type: ignore[assignment]
    (
        Counter,
        np.dtype(
            [
                ("seed", np.uint64),  # of the environment
                ("game", np.int64),  # how many matches it has finished or left
                ("ply", np.int64),  # of the match now, chance moves included; or UNSTARTED or SET_UP
            ],
            align=True,
        ),
    )
)

Array = Any  # NumPy's, or in a GPU's memory
States = npt.NDArray[np.void]


class Environments(NamedTuple):
    """The arrays of a batch, all but `starts` with a row for each environment."""

    words: Array  # unsigned[n, words of a state]: the memory of its state
    starts: Array  # unsigned[starts, words of a state]: the states that matches begin from, one of all or one of each
    origins: Array  # int32[n]: which of `starts` is its own
    counters: Array  # COUNTER[n]: what its draws depend on
    legal_actions: Array  # int16[n, max_legal]: in any order; those behind the first `legal_counts` mean nothing
    legal_counts: Array  # int32[n]
    to_move: Array  # int8[n]: a seat, NOBODY or STUCK
    returns: Array  # float32[n, seats]: what the last step brought
    done: Array  # bool[n]: whether it ended a match, or the environment is finished


class Backend(Protocol):
    """The environments of a batch in the memory of one device, and all that is done with them. Input is trusted.

    Arrays that it hands out are NumPy's on the CPU and `DeviceArray`s on a GPU: its own, which later calls overwrite.
    """

    @property
    def arrays(self) -> Environments: ...

    def start_from(self, states: States) -> None:
        """Let matches begin from this state, if it is one, or those of each environment from its own."""

    def reseed(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Draw from these seeds from now on, each as in the first match of an environment with that seed."""

    def begin(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Begin the first match of every environment."""

    def begin_next(self, finished: bool) -> None:
        """Begin the next match of every environment, or only of the finished ones."""

    def set_up(self, indices: npt.NDArray[np.int64], states: States) -> None:
        """Begin the next match of these environments, each from its own state instead of its start."""

    def step(self, actions: Array) -> None: ...

    def first_illegal(self, actions: Array) -> int | None:
        """The first environment whose action is refused."""

    def random_actions(self) -> Array: ...

    def legal_mask(self) -> Array: ...

    def padded_actions(self) -> Array:
        """The legal actions, NO_ACTION behind them."""

    def observe(self, seats: npt.NDArray[np.int8] | None) -> Array:
        """What these seats see, one per environment, or the ones to move."""

    def gather(self, indices: npt.NDArray[np.int64]) -> Self:
        """A copy of these environments."""

    def to_host(self) -> Environments:
        """All arrays as NumPy's."""

    def restore(self, arrays: Environments) -> None:
        """Go on as the environments that these NumPy arrays describe."""

    def borrow(self, array: Any) -> Array:
        """Another library's array on this device, without copying, for `numbers`."""

    def numbers(self, array: Array) -> Array:
        """Whole numbers of any type, in the type that kernels are compiled for."""

    def number(self, numbers: Array, i: int) -> int: ...

    def mover(self, i: int) -> int:
        """Who is to move in an environment: a seat, NOBODY or STUCK."""

    def counter(self, i: int) -> tuple[int, int, int]:
        """Seed, match and ply of an environment."""

    def states(self, first: int, last: int) -> States:
        """A copy of a range of states."""


# ── States as words ──────────────────────────────────────────────────────────────────────────────────────────────────


def word_type(state: np.dtype[Any]) -> np.dtype[Any]:
    """The largest unsigned integer whose size divides a state's: states are copied as such, padding included."""
    return next(np.dtype(f"u{size}") for size in (8, 4, 2, 1) if state.itemsize % size == 0)


def as_words(states: States) -> npt.NDArray[Any]:
    """The memory of states, a row each."""
    return states.view(word_type(states.dtype)).reshape(len(states), -1)


def origins_of(starts: States, n: int) -> npt.NDArray[np.int32]:
    """Which of these states each environment begins from: the only one, or its own."""
    return np.zeros(n, np.int32) if len(starts) == 1 else np.arange(n, dtype=np.int32)


# ── Kernels on one environment ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def match_seed(seed: np.uint64, game: int) -> np.uint64:
    """The seed of an environment's match: its own at first, so that a batch begins as matches with these seeds do."""
    return stir(seed, np.uint64(game)) if game > 0 else seed


@kernel
def chance_move(counter: Counter, outcomes: Actions, n: int) -> int:
    in_order(outcomes, n)
    return int(outcomes[draw(match_seed(counter.seed, int(counter.game)), int(counter.ply), n)])


@kernel
def in_order(actions: Actions, n: int) -> None:
    """Sort by insertion: most games list their outcomes in order, and then one pass is all it takes."""
    for k in range(1, n):
        action, place = actions[k], k
        while place > 0 and actions[place - 1] > action:
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action


@kernel
def random_action(counter: Counter, actions: Actions, n: int) -> int:
    if n == 0:
        return WAIT
    seed = stir(match_seed(counter.seed, int(counter.game)), CHOICES)
    return int(actions[draw(seed, int(counter.ply), n)])


@kernel
def is_allowed(action: int, actions: Actions, n: int, mover: int) -> bool:
    """Whether an action is legal, or ignored anyway. None is where the rules are stuck."""
    if mover == STUCK:
        return False
    if action == WAIT or n == 0:
        return True
    found = False
    for k in range(n):  # to the end: so the compiler compares many at a time
        found |= actions[k] == action
    return found


@kernel
def mark(mask: Array, action: int) -> None:
    """Mark an action as legal. Another package's game may list numbers that are none of its actions."""
    if 0 <= action < len(mask):
        mask[action] = True


@tiny_kernel  # copied into its one caller: handing over the arrays would cost short games a tenth of their speed
def advance(i: int, s: State, words: Array, envs: Environments, action: int, actions: int, again: bool) -> None:
    """Play an action in environment i, and on to the next decision: through chance moves and, if `again`, the end of a
    match and the beginning of the next. `words` is the memory of the state `s`.

    Numbers outside the game's `actions` do nothing, as WAIT does.
    """
    # Each rule is called in one place of one loop: a GPU's compiler copies it to every place.
    counter, gains = envs.counters[i], envs.returns[i]
    for seat in range(len(gains)):
        gains[seat] = 0
    envs.done[i] = counter.ply >= 0 and s.over
    if counter.ply >= 0 and (not 0 <= action < actions or s.over or envs.to_move[i] == STUCK):
        return
    out, n, fresh = envs.legal_actions[i], 0, False
    while True:
        if counter.ply < 0:
            if counter.ply == UNSTARTED:
                origin = envs.origins[i]
                for w in range(len(words)):
                    words[w] = envs.starts[origin, w]
            counter.ply = 0
            fresh = True
        else:
            play(s, action)
            counter.ply += 1
        if s.over:
            if not (again and fresh):  # a match that chance alone has ended is nobody's, and another begins
                returns(s, gains)
                envs.done[i] = True
            if not again:
                break
            counter.game += 1
            counter.ply = UNSTARTED
        else:
            n = listing(s, out, len(gains))
            if s.mover != CHANCE or n == BROKEN:
                break
            action = chance_move(counter, out, n)
    envs.legal_counts[i] = n if not s.over else 0
    envs.to_move[i] = NOBODY if s.over else STUCK if n == BROKEN else s.mover


@tiny_kernel
def copy_environment(source: Environments, i: int, target: Environments, k: int, lane: int, lanes: int) -> None:
    """What one of `lanes` threads does to make environment k of `target` a copy of environment i of `source`.

    Both have the same `starts`.
    """
    for w in range(lane, source.words.shape[1], lanes):
        target.words[k, w] = source.words[i, w]
    for place in range(lane, source.legal_counts[i], lanes):
        target.legal_actions[k, place] = source.legal_actions[i, place]
    if lane == 0:
        target.origins[k] = source.origins[i]
        target.counters[k] = source.counters[i]
        target.legal_counts[k] = source.legal_counts[i]
        target.to_move[k] = source.to_move[i]
        for seat in range(source.returns.shape[1]):
            target.returns[k, seat] = source.returns[i, seat]
        target.done[k] = source.done[i]
