"""Many environments of one game, side by side: the kernels that both devices share, and the CPU's threads around them.

An environment plays one game after another. Its game number g is a match with the seed `match_seed(seed, g)`: chance
falls in it as in a `Match` with that seed, since both draw by the seed and the ply from the outcomes in order.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles.bits import stir
from empedocles.engine.rng import draw
from empedocles.kernel import BROKEN, CHANCE, Actions, Planes, Record, State, kernel, listing, observe, play, returns
from empedocles.position import Position

WAIT = -1  # the action of an environment that stays as it is
NO_ACTION = -1  # behind the legal ones
NOBODY = -1  # to move in a finished environment
STUCK = -2  # instead of a mover: the rules have no list of moves that fits
UNSTARTED = -1  # the ply of a game that is still to be set up
CHOICES = np.uint64(0x43484F4943455321)  # tells the draws of random actions from those of chance
ALIGNMENT = 64  # bytes: other libraries share arrays that begin so, and copy others
FEWEST = 256  # environments that are worth a thread
KEPT = ("words", "clocks", "lists", "counts", "movers", "gains", "done")  # the other arrays are made from these

Clock = Record
CLOCK: np.dtype[Clock] = np.dtype(  # type: ignore[assignment]
    (
        Clock,
        np.dtype(
            [
                ("seed", np.uint64),  # of the environment
                ("game", np.int64),  # how many games it has finished or left
                ("ply", np.int64),  # of that game, chance moves included; or UNSTARTED
            ],
            align=True,
        ),
    )
)

Array = npt.NDArray[Any]
Loop = Callable[..., Any]  # a kernel over a range of environments: first, last, and the arrays it needs


# ── One environment ──────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def match_seed(seed: np.uint64, game: int) -> np.uint64:
    """The seed of an environment's game: its own at first, so that a batch begins as matches with these seeds do."""
    return stir(seed, np.uint64(game)) if game > 0 else seed


@kernel
def chance_move(clock: Clock, outcomes: Actions, n: int) -> int:
    in_order(outcomes, n)
    return int(outcomes[draw(match_seed(clock.seed, int(clock.game)), int(clock.ply), n)])


@kernel
def in_order(actions: Actions, n: int) -> None:
    """Sort by insertion: most games list their outcomes in order, and then it only looks at them."""
    for k in range(1, n):
        action, place = actions[k], k
        while place > 0 and actions[place - 1] > action:
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action


@kernel
def random_action(clock: Clock, actions: Actions, n: int) -> int:
    if n == 0:
        return WAIT
    seed = stir(match_seed(clock.seed, int(clock.game)), CHOICES)
    return int(actions[draw(seed, int(clock.ply), n)])


@kernel
def is_allowed(action: int, actions: Actions, n: int, mover: int) -> bool:
    """Is it legal, or ignored anyway? Nothing is where the rules are stuck."""
    if mover == STUCK:
        return False
    if action == WAIT or n == 0:
        return True
    found = False
    for k in range(n):  # to the end: so the compiler compares many at a time
        found |= actions[k] == action
    return found


@kernel
def advance(
    i: int,
    s: State,
    words: Array,
    start: Array,
    clock: Clock,
    action: int,
    actions: int,
    again: bool,
    lists: Actions,
    counts: Array,
    movers: Array,
    gains: Array,
    done: Array,
) -> None:
    """Play an action in environment i, and on to the next decision: through chance moves and, if `again`, the end of a
    game and the beginning of the next. `words` is the memory of the state `s`, `start` that of a new game.

    Numbers that are none of the game's `actions` do nothing, as WAIT does.
    """
    # Each rule is called in one place of one loop: a GPU's compiler copies it to every place.
    for seat in range(gains.shape[1]):
        gains[i, seat] = 0
    done[i] = clock.ply >= 0 and s.over
    if clock.ply >= 0 and (not 0 <= action < actions or s.over or movers[i] == STUCK):
        return
    out, n = lists[i], 0
    while True:
        if clock.ply < 0:
            for w in range(len(start)):
                words[w] = start[w]
            clock.ply = 0
        else:
            play(s, action)
            clock.ply += 1
        if s.over:
            returns(s, gains[i])
            done[i] = True
            if not again:
                break
            clock.game += 1
            clock.ply = UNSTARTED
        else:
            n = listing(s, out, gains.shape[1])
            if s.mover != CHANCE or n == BROKEN:
                break
            action = chance_move(clock, out, n)
    counts[i] = n if not s.over else 0
    movers[i] = NOBODY if s.over else STUCK if n == BROKEN else s.mover


# ── A range of them on the CPU ───────────────────────────────────────────────────────────────────────────────────────


@kernel
def advance_all(
    first: int,
    last: int,
    states: Array,
    words: Array,
    start: Array,
    clocks: Array,
    chosen: Array,
    actions: int,
    again: bool,
    lists: Array,
    counts: Array,
    movers: Array,
    gains: Array,
    done: Array,
) -> None:
    for i in range(first, last):
        advance(
            i,
            states[i],
            words[i],
            start,
            clocks[i],
            int(chosen[i]),
            actions,
            again,
            lists,
            counts,
            movers,
            gains,
            done,
        )


@kernel
def check_all(first: int, last: int, actions: Array, lists: Array, counts: Array, movers: Array) -> int:
    """The first environment whose action is illegal, or −1."""
    for i in range(first, last):
        if not is_allowed(int(actions[i]), lists[i], int(counts[i]), int(movers[i])):
            return i
    return -1


@kernel
def choose_all(first: int, last: int, clocks: Array, lists: Array, counts: Array, actions: Array) -> None:
    for i in range(first, last):
        actions[i] = random_action(clocks[i], lists[i], int(counts[i]))


@kernel
def pad_all(first: int, last: int, lists: Array, counts: Array) -> None:
    for i in range(first, last):
        lists[i, counts[i] :] = NO_ACTION


@kernel
def mark(mask: Array, action: int) -> None:
    """Another package's game may list what is no action of it."""
    if 0 <= action < len(mask):
        mask[action] = True


@kernel
def mask_all(first: int, last: int, lists: Array, counts: Array, masks: Array) -> None:
    for i in range(first, last):
        masks[i] = False
        for k in range(counts[i]):
            mark(masks[i], int(lists[i, k]))


@kernel
def observe_all(first: int, last: int, states: Array, seats: Array, seat: int, planes: Planes) -> None:
    for i in range(first, last):
        observe(states[i], max(int(seats[i]) if seat < 0 else seat, 0), planes[i])


# ── The batch on the CPU ─────────────────────────────────────────────────────────────────────────────────────────────


def word_type(state: np.dtype[Any]) -> np.dtype[Any]:
    """The largest unsigned integer that a state is a whole number of: states are copied so, padding included."""
    return next(np.dtype(f"u{size}") for size in (8, 4, 2, 1) if state.itemsize % size == 0)


def as_words(state: State) -> Array:
    """The memory of a state, as words of its own."""
    one = np.zeros(1, state.dtype)
    one[0] = state
    return one.view(word_type(state.dtype))


def aligned(shape: tuple[int, ...], dtype: Any) -> Array:
    """Zeros that begin where other libraries can share them."""
    memory = np.zeros(int(np.prod(shape)) * np.dtype(dtype).itemsize + ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % ALIGNMENT
    return np.frombuffer(memory.data, dtype, int(np.prod(shape)), begin).reshape(shape)


class HostBatch:
    """The arrays of a batch, allocated once, and what threads do with them. Input is trusted."""

    def __init__(self, start: Position, n: int, again: bool, threads: int | None = None) -> None:
        game, self.n, self.again = start.game, n, again
        self.start = as_words(start.state)
        self.states = np.zeros(n, game.rules.state)
        self.words = self.states.view(self.start.dtype).reshape(n, -1)
        self.clocks = np.zeros(n, CLOCK)
        self.lists = aligned((n, game.max_legal), np.int16)
        self.counts = aligned((n,), np.int32)
        self.movers = aligned((n,), np.int8)
        self.gains = aligned((n, start.seats), np.float32)
        self.done = aligned((n,), np.bool_)
        self.choices = aligned((n,), np.int64)
        self.threads = min(threads or os.cpu_count() or 1, -(-n // FEWEST))
        self._game = game

    @cached_property
    def masks(self) -> Array:
        return aligned((self.n, self._game.n_actions), np.bool_)

    @cached_property
    def planes(self) -> Planes:
        assert self._game.view is not None
        return aligned((self.n, *self._game.view.shape), np.float32)

    def seed(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Let every environment begin with its first game."""
        self.clocks["seed"] = seeds
        self.clocks["game"] = 0
        self.clocks["ply"] = UNSTARTED
        self._set_up()

    def next_game(self, finished: bool) -> None:
        """Let all environments begin their next game, or only the finished ones."""
        chosen = self.movers == NOBODY if finished else np.ones(self.n, np.bool_)
        self.clocks["game"] += chosen
        self.clocks["ply"][chosen] = UNSTARTED
        self._set_up()

    def _set_up(self) -> None:
        self.step(np.full(self.n, WAIT, np.int64))

    def kept(self) -> dict[str, Array]:
        """All that another batch needs to go on as this one would."""
        return {name: getattr(self, name) for name in KEPT}

    def take(self, kept: dict[str, Array]) -> None:
        for name, array in kept.items():
            getattr(self, name)[:] = array

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        arrays = (self.lists, self.counts, self.movers, self.gains, self.done)
        known = self._game.n_actions
        self._loop(advance_all, self.states, self.words, self.start, self.clocks, actions, known, self.again, *arrays)

    def first_illegal(self, actions: npt.NDArray[np.int64]) -> int | None:
        found = self._loop(check_all, actions, self.lists, self.counts, self.movers)
        return next((i for i in found if i >= 0), None)

    def choose(self) -> None:
        self._loop(choose_all, self.clocks, self.lists, self.counts, self.choices)

    def mask(self) -> None:
        self._loop(mask_all, self.lists, self.counts, self.masks)

    def observe(self, seats: npt.NDArray[np.int8], seat: int) -> None:
        """As seen by one seat or, if that is negative, in each environment by its own of `seats`."""
        self._loop(observe_all, self.states, seats, seat, self.planes)

    def pad(self) -> None:
        self._loop(pad_all, self.lists, self.counts)

    def borrow(self, array: Any) -> Array:
        return np.asarray(array)

    def as_numbers(self, array: Array) -> npt.NDArray[np.int64]:
        return np.ascontiguousarray(array, np.int64)

    def number(self, array: Array, i: int) -> int:
        return int(array[i])

    def state(self, i: int) -> State:
        """A copy of it."""
        state: State = self.words[i].copy().view(self.states.dtype)[0]
        return state

    def clock(self, i: int) -> tuple[int, int, int]:
        seed, game, ply = self.clocks[i].tolist()
        return seed, game, ply

    # ── Threads ──

    @cached_property
    def _helpers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads - 1)

    def _loop(self, loop: Loop, *arrays: Any) -> list[Any]:
        """Run a kernel over all environments, a range per thread: kernels let go of Python's lock."""
        ends = [self.n * k // self.threads for k in range(self.threads + 1)]
        mine, *others = itertools.pairwise(ends)
        work = [self._helpers.submit(loop, *part, *arrays) for part in others]
        with self._game.blamed():
            return [loop(*mine, *arrays), *(part.result() for part in work)]
