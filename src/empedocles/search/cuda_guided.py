"""Tree search guided by a policy and a value, on a GPU: thousands of trees at once. Imported only for a GPU.

Trees, leaves, observations and answers stay in the GPU's memory. A tree belongs to one thread; where the moves of its
leaves are played, to see which of them end the game, to a warp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import config, cuda

from empedocles.core.rng import checked_seed
from empedocles.engine.batch import Batch
from empedocles.engine.cuda import WARP, Launch, clear, launch, need_gpu
from empedocles.engine.cuda_views import Views, bytes_of_views
from empedocles.engine.device_array import DeviceArray, borrowed, is_on_gpu
from empedocles.engine.environments import STUCK, Array, as_words, word_type
from empedocles.errors import BadValue
from empedocles.game import Game
from empedocles.position import Position
from empedocles.search import cuda_forest as on_gpu
from empedocles.search.forest import How, Leaves, Trees
from empedocles.search.guided import (
    DEEPEST,
    FAR,
    UNUSABLE,
    Policy,
    check_part,
    check_shapes,
    checked_room,
    checked_roots,
    leaves_at_once,
    noise_of,
    relation,
    two_arrays,
)
from empedocles.search.limits import Limit
from empedocles.search.tree import Tree

WIDE = 768  # moves of a position: few have more, and a tree has room for so many of each node that gets children
EACH = 32  # numbers for a thread that does next to nothing with them
LOOK = 8  # rounds between looks at what is left to do, for which the CPU waits


class Roots(NamedTuple):
    """Positions to search: a row for each, those of finished games among them."""

    game: Game
    options: dict[str, Any]
    seats: int
    words: Array  # the memory of their states, on the GPU
    alive: npt.NDArray[np.bool_]


class CudaSearch:
    """What `GuidedSearch` does, on a GPU, for a batch or positions of one game with the same options.

    The policy gets all leaves of a round as one `DeviceArray`, always the same and of the same shape; rows of trees
    that are finished have no meaning. It returns arrays on the GPU, of PyTorch, JAX, CuPy or Numba. Without a policy,
    all moves are alike and all seats can expect the same; nothing is observed.

    As long as no tree is full, results are those of `GuidedSearch` with the same seed and `at_once`, bit for bit, if
    the policy's answers are. A full tree is searched on, but no longer grows: a leaf that finds no room for its moves
    is valued again at each visit. Finished games among the positions are left out.
    """

    def __init__(
        self,
        positions: Batch | Sequence[Position],
        policy: Policy | None,
        seed: int = 0,
        *,
        simulations: int,
        exploration: float = 1.5,
        doubt: float = 0.25,
        at_once: int | None = None,
        nodes: int | None = None,
    ) -> None:
        """`simulations`: how many there will be, for the size of trees, unless `nodes` says how large each is."""
        need_gpu()
        roots = roots_of(positions)
        self.game, self.options, self.seats = roots.game, roots.options, roots.seats
        self.policy, self.n = policy, len(roots.alive)
        self.how = How(float(exploration), float(doubt))
        at_once = leaves_at_once(self.n, at_once)
        self._actions, self._at_once = self.game.actions_with(self.options), at_once
        self.nodes = room_on_gpu(self.game, simulations, nodes)
        self._make_room(self.nodes, self.n * at_once)
        self._make_launches(self.n * at_once)
        self._plant(roots, seed)

    def begin(self, positions: Batch | Sequence[Position], seed: int = 0) -> None:
        """Forget all trees, and begin anew from other positions in the same memory."""
        roots = roots_of(positions)
        if roots.game is not self.game or roots.options != self.options or len(roots.alive) != self.n:
            raise BadValue(f"this search is for {self.n} positions of {self.game.name} with its options, no others")
        self._plant(roots, seed)

    # ── Memory ──

    def _make_room(self, nodes: int, leaves: int) -> None:
        n, seats, state, word = self.n, self.seats, self.game.rules.state, word_type(self.game.rules.state)
        size, every = state.itemsize // word.itemsize, n * nodes
        seen = bytes_of_views(self.game, leaves) if self.policy is not None else 0
        _check_memory(n, nodes, every * (20 + 12 * seats) + leaves * (DEEPEST * 8 + state.itemsize) + seen)
        self._dirty: list[Array] = []  # what new trees need empty, as words
        tree = Tree(
            family=self._empty(every, np.int64),
            action=cuda.device_array(every, np.int16),
            mover=cuda.device_array(every, np.int8),
            settled=self._empty(every, np.int8),
            visits=self._empty(every, np.int32),
            prior=cuda.device_array(every, np.float32),
            worth=self._empty(every * seats, np.int64),
            expect=cuda.device_array(every * seats, np.float32),
            size=cuda.device_array(2, np.int64),
        )
        used, done, seeds = (cuda.device_array(n, kind) for kind in (np.int64, np.int64, np.uint64))
        self._broken: Array = _zeros(1)
        self._trees = Trees(tree, cuda.to_device(np.array([nodes])), used, done, seeds, self._broken)
        self._leaves = Leaves(
            cuda.device_array((leaves, size), word),
            cuda.device_array(leaves, np.int8),
            cuda.device_array((leaves, DEEPEST), np.int64),
            cuda.device_array(leaves, np.int64),
            cuda.device_array(leaves, np.int8),
        )
        self._roots = cuda.device_array((n, size), word)
        self._outs = cuda.device_array((n, self.game.max_legal), np.int16)
        self._stops, self._news = cuda.device_array(n, np.int64), _zeros(2)
        self._values = cuda.to_device(np.zeros((leaves, seats), np.float32))
        self._no_logits = cuda.device_array((leaves, 0), np.float32)
        self._relation = cuda.to_device(relation(self.game, seats))
        self._views = Views(self.game, leaves) if self.policy is not None else None
        self._floats: dict[str, Array] = {}  # copies of answers in other types

    def _empty(self, size: int, kind: Any) -> Array:
        words, array = _words(size, kind)
        self._dirty.append(words)
        return array

    def _make_launches(self, leaves: int) -> None:
        state, n = self.game.rules.state, self.n
        made = on_gpu.kernels(state, word_type(state), max(self.game.seats))
        lanes = min(WARP, 1 << (self.game.max_legal.bit_length() - 1))
        self._lanes = 1 if config.ENABLE_CUDASIM else lanes  # each of its threads is one of the CPU's
        self._descend, self._grow = Launch(made.descend, n), Launch(made.grow, n)
        self._settle, self._worths = Launch(made.settle, leaves * self._lanes), Launch(made.worths, n)
        self._take, self._look = Launch(made.take, n), Launch(on_gpu.look, n)
        self._clear = [Launch(clear, -(-len(words) // EACH)) for words in self._dirty]
        self._check = Launch(on_gpu.check, -(-leaves * self._actions // EACH))
        self._spread = Launch(on_gpu.spread, leaves)

    def _plant(self, roots: Roots, seed: int) -> None:
        self._alive, self._round = roots.alive, 0
        self._is_alive = cuda.to_device(roots.alive)
        numbers = cuda.to_device(np.maximum(np.cumsum(roots.alive) - 1, 0))  # `GuidedSearch` gets only the living
        for do, words in zip(self._clear, self._dirty, strict=True):
            do(words)
        self._broken.copy_to_device(np.zeros(1, np.int64))
        places = self._trees, self._roots, self._leaves
        launch(on_gpu.plant, self.n, *places, roots.words, numbers, np.uint64(checked_seed(seed)))

    # ── Simulations ──

    @property
    def done(self) -> DeviceArray:
        """int64[n]: how many simulations each tree had."""
        return DeviceArray(self._trees.done).copy()

    @property
    def used(self) -> DeviceArray:
        """int64[n]: how many of its `nodes` each tree has used."""
        return DeviceArray(self._trees.used).copy()

    def run(self, limit: Limit) -> None:
        """Go on until a limit is reached, for each tree, or all are settled."""
        if limit.seconds is None and limit.simulations is None:
            raise BadValue(f"a tree search needs a limit of seconds or simulations, not {limit}")
        deadline, more = limit.start(), limit.simulations or FAR
        self._allow(more)
        left = more
        while True:
            rounds = max(1, min(LOOK, -(-left // self._at_once)))
            for _ in range(rounds):
                self._step()
            left -= rounds * self._at_once
            if not self._unfinished() or deadline.seconds_left() <= 0:
                return

    def _allow(self, more: int) -> None:
        launch(on_gpu.allow, self.n, self._trees.done, self._is_alive, more, self._stops)

    def _step(self) -> None:
        """Walk in all trees and evaluate the leaves. The CPU does not wait for it."""
        trees, leaves, outs, seats = self._trees, self._leaves, self._outs, self.seats
        self._descend(trees, self._roots, leaves, outs, self._stops, seats, self.how)
        logits, values = self._asked()
        self._grow(trees, leaves, outs, logits, seats)
        self._settle(trees, leaves, outs, self._lanes, seats)
        self._take(trees, leaves, outs, values, seats)

    def _unfinished(self) -> bool:
        """Whether a tree is to have more simulations; this waits for the GPU."""
        self._look(self._trees, self._stops, self._news)
        unfinished, unusable = self._news.copy_to_host().tolist()
        self._news.copy_to_device(np.zeros(2, np.int64))
        if self._broken.copy_to_host()[0]:
            raise self.game.broken()
        if unusable:
            raise BadValue(UNUSABLE)
        return bool(unfinished)

    def disturb(self, part: float, seed: int = 0) -> None:
        """Mix noise into the priors of all roots, so that self-play tries more. They are evaluated first."""
        check_part(part)
        if not self._round:
            launch(on_gpu.allow_first, self.n, self._is_alive, self._stops)
            self._step()
            self._unfinished()
        counts = cuda.device_array(self.n, np.int64)
        launch(on_gpu.count_children, self.n, self._trees, counts)
        widths = np.where(self._alive, counts.copy_to_host(), 0)
        noise = np.zeros((self.n, max(1, int(widths.max()))))
        for number, row in enumerate(np.flatnonzero(self._alive)):
            if widths[row]:
                noise[row, : widths[row]] = noise_of(int(widths[row]), seed, number)
        launch(on_gpu.mix, self.n, self._trees, cuda.to_device(noise), float(part))

    # ── The function ──

    def _asked(self) -> tuple[Array, Array]:
        """What the function says of all leaves. Whether it is usable is seen later."""
        self._round += 1
        if self._views is None or self.policy is None:
            return self._no_logits, self._values
        self._answer = self.policy(self._views.observe(self._leaves.words, self._leaves.movers))
        # Kept until the next answer is there: its owner could use the memory for something else while we read it.
        logits, values = (_on_gpu(part) for part in two_arrays(self._answer))
        asked = len(self._values)
        check_shapes(logits.shape, values.shape, asked, self._actions, self.seats)
        logits, values = self._in_floats("logits", logits), self._in_floats("values", _in_rows(values))
        self._check(logits.reshape(-1), self._news)
        self._spread(values, self._relation, self._values, self._news)
        return logits, self._values

    def _in_floats(self, name: str, array: Array) -> Array:
        """The array itself, or a copy, in the type that kernels are compiled for."""
        if array.dtype == np.float32 and array.is_c_contiguous():
            return array
        if name not in self._floats:
            self._floats[name] = cuda.device_array(array.shape, np.float32)
        launch(on_gpu.convert, array.size, array, self._floats[name])
        return self._floats[name]

    # ── What was found ──

    def actions(self) -> DeviceArray:
        """int64[n]: the best action of each; −1 where the game is over."""
        found = cuda.device_array(self.n, np.int64)
        launch(on_gpu.choose, self.n, self._trees, self.seats, found)
        return DeviceArray(found)

    def visits(self) -> DeviceArray:
        """int32[n, actions]: how often each action was tried."""
        words, found = _words(self.n * self._actions, np.int32)
        launch(clear, -(-len(words) // EACH), words)
        found = found.reshape(self.n, self._actions)
        launch(on_gpu.count, WARP * self.n, self._trees, found)
        return DeviceArray(found)

    def values(self) -> DeviceArray:
        """float32[n, seats]: what each seat can expect, or the returns of a finished game."""
        found = cuda.device_array((self.n, self.seats), np.float32)
        self._worths(self._trees, self._roots, self._is_alive, found)
        return DeviceArray(found)


def roots_of(positions: Batch | Sequence[Position]) -> Roots:
    """What is to be searched, with its states on the GPU."""
    if isinstance(positions, Batch):
        on_gpu = positions.device == "cuda"
        movers = positions.to_move.numpy() if on_gpu else positions.to_move
        if (movers == STUCK).any():
            raise positions.game.broken()
        words = positions.words.data if on_gpu else cuda.to_device(positions.words)
        return Roots(positions.game, positions.options, positions.seats, words, movers >= 0)
    every = list(positions)
    alive = [position for position in every if not position.is_over]
    first = checked_roots(alive) if alive or not every else every[0]
    for position in every:
        if position.game is not first.game or position.options != first.options:
            raise BadValue(f"positions of one game with the same options are searched together, not {position.text}")
    states = np.zeros(len(every), first.game.rules.state)
    states[:] = [position.state for position in every]
    return Roots(first.game, first.options, first.seats, cuda.to_device(as_words(states)), states["over"] == 0)


def room_on_gpu(game: Game, simulations: int, nodes: int | None) -> int:
    """The size of a tree: enough for all simulations, as long as positions do not have more moves than usual."""
    Limit(simulations=simulations)  # refuses what is no number of simulations
    if nodes is not None:
        return checked_room(game, nodes)
    return min(simulations * game.max_legal, max(simulations * WIDE, 2 * game.max_legal)) + 1


def _check_memory(trees: int, nodes: int, needed: int) -> None:
    if config.ENABLE_CUDASIM:
        return
    context = cuda.current_context()
    if needed > context.get_memory_info().free:
        context.memory_manager.deallocations.clear()  # what an earlier search had, for example
    free = context.get_memory_info().free
    if needed > free:
        raise BadValue(
            f"{trees} trees of {nodes} nodes need {needed / 1e9:.1f} GB of the GPU's memory, and {free / 1e9:.1f} GB"
            " are free: search fewer positions at once, or give a smaller number of nodes"
        )


def _words(size: int, kind: Any) -> tuple[Array, Array]:
    """An array, and its memory in words, which are cleared faster."""
    per_word = 8 // np.dtype(kind).itemsize
    words = cuda.device_array(-(-size // per_word), np.uint64)
    return words, words.view(kind)[:size]


def _zeros(size: int) -> Array:
    return cuda.to_device(np.zeros(size, np.int64))


def _on_gpu(given: Any) -> Array:
    """Numba's view of an array that a policy returned."""
    if hasattr(given, "detach"):  # PyTorch's: it may need gradients
        given = given.detach().float().contiguous()
    if hasattr(given, "block_until_ready"):  # JAX's, which works on streams of its own
        given.block_until_ready()
    if not is_on_gpu(given):
        raise BadValue(f"with device='cuda' a policy returns arrays on the GPU, not {type(given).__name__}")
    return borrowed(given)


def _in_rows(values: Array) -> Array:
    """Values as a column each, or the mover's as the only column."""
    if values.ndim == 2:
        return values
    if not values.is_c_contiguous():
        raise BadValue("values of one column are an array without gaps here: return a copy of the column")
    return values.reshape(len(values), 1)
