"""Many environments of one game as arrays: on all cores of a CPU, or a thread each on a GPU.

>>> import empedocles
>>> batch = empedocles.vector("ignite-and-flow", n=4, seed=0)
>>> batch.step(batch.random_actions()).done
array([False, False, False, False])
>>> batch.legal_counts, batch.legal_mask.shape
(array([108,   2, 108, 113], dtype=int32), (4, 3546))
>>> batch[[0, 0, 1]].to_move, batch[1].to_move
(array([1, 1, 0], dtype=int8), 0)

In one file, as it is all that users see of a batch; the arrays and their kernels are in `environments.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import State
from empedocles.engine.checks import (
    SeedArray,
    Seeds,
    checked_index,
    checked_indices,
    checked_positions,
    checked_seeds,
    checked_starts,
    positive,
    seed_of_each,
    states_of,
)
from empedocles.engine.cpu_batch import CpuBackend
from empedocles.engine.device_array import DeviceArray, is_on_gpu
from empedocles.engine.environments import STUCK, Array, Backend, Environments, States, match_seed
from empedocles.engine.playout import checked_device
from empedocles.errors import BadValue, IllegalMove
from empedocles.game import Game
from empedocles.games import find
from empedocles.position import Position

# Arrays are NumPy's on the CPU and DeviceArrays on a GPU; actions there may be other libraries' arrays, too.
Index = int | np.integer[Any]
Indices = slice | Sequence[int] | npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_] | DeviceArray


class Step(NamedTuple):
    returns: Array  # float32[n, seats]: not 0 only where a match has just ended
    done: Array  # bool[n]: where a match has just ended or, without automatic reset, is over


def vector(
    game: str,
    n: int | None = None,
    *,
    positions: Position | Sequence[Position] | States | None = None,
    device: str = "cpu",
    seed: Seeds | None = 0,
    auto_reset: bool = True,
    threads: int | None = None,
    **options: Any,
) -> Batch:
    """`n` environments that play a game with these options; see `Batch`.

    With `positions`, there is one environment for each, whose matches all begin there; options are then those of the
    positions. A single position is for all `n`. States will do as well.

    `threads` (of the CPU, by default one per core) and `device` ("cpu" or "cuda") change nothing but the speed.
    """
    start = _start(find(game), positions, options)
    return Batch(start, n, device=device, seed=seed, auto_reset=auto_reset, threads=threads)


class _Plan(NamedTuple):
    """What a batch has in common with its copies."""

    game: Game
    options: dict[str, Any]
    seats: int
    device: str
    auto_reset: bool
    threads: int | None  # as requested

    @property
    def actions(self) -> int:
        return self.game.actions_with(self.options)

    def backend(self, n: int, starts: int) -> Backend:
        if checked_device(self.device) == "cpu":
            threads = None if self.threads is None else positive("threads", self.threads)
            return CpuBackend(self.game, n, starts, self.seats, self.actions, self.auto_reset, threads)
        if self.threads is not None:
            raise BadValue(f"threads are the CPU's: device={self.device!r} takes none")
        from empedocles.engine.cuda_batch import CudaBackend

        return CudaBackend(self.game, n, starts, self.seats, self.actions, self.auto_reset)


class Batch:
    """Environments of one game. The batch draws chance moves itself: whoever is to move has a decision.

    **Starts.** `start` is a position that all `n` environments begin from, or a position for each. Every match of an
    environment begins from its start: the first one, those after a reset, and those after the end of a match.

    **Arrays are allocated once, and each step overwrites them**: `copy()` what is to stay. On the CPU they are NumPy's,
    and PyTorch and JAX share them without copying; on a GPU they are of the type `DeviceArray`, and shared likewise.
    Do not write into them.

    **Seeds.** Environment i of a batch with seed s has the seed s + i: batches whose seeds are less than n apart have
    environments in common. With an array of n seeds, environment i has the i-th. Its first match is
    `Match(start, seed=…)` with that seed, whatever else is in the batch; `match_seed(i)` is the seed of its match now.
    Draws depend on that seed and the ply alone.

    **Indices.** `batch[i]` is environment i as it is now, a `Position`; −1 is the last one. A slice, an array of
    numbers or a mask chooses several, and gives a batch of copies: see `gather`.

    **Setting.** `batch[…] = positions` begins a match from a position in each of the chosen environments, or from one
    position in all of them; states, as `states()` makes them, will do as well. It is the environment's next match,
    `Match(position, seed=batch.match_seed(i))`. Its start stays what it was: the match after that begins there.

    **Copies** (`copy()`, also `copy.deepcopy` and pickle) go on as this batch would, in arrays of their own.
    """

    def __init__(
        self,
        start: Position | Sequence[Position],
        n: int | None = None,
        *,
        device: str = "cpu",
        seed: Seeds | None = 0,
        auto_reset: bool = True,
        threads: int | None = None,
    ) -> None:
        starts, n = checked_starts(start, n)
        first = starts[0]
        plan = _Plan(first.game, first.options, first.seats, device, bool(auto_reset), threads)
        seed = checked_seeds(seed, n)
        backend = plan.backend(n, len(starts))
        backend.start_from(states_of(starts, len(starts)))
        backend.begin(seed_of_each(seed, n))
        self._set(plan, seed, backend)

    def _set(self, plan: _Plan, seed: int | SeedArray, backend: Backend) -> None:
        self.game, self.options, self.seats = plan.game, dict(plan.options), plan.seats
        self.n_actions = plan.actions  # the numbers from 0 on that matches with these options use
        self.device, self.auto_reset = plan.device, plan.auto_reset
        self.n, self.seed = len(backend.arrays.to_move), seed
        self._plan, self._backend = plan, backend
        self._changed()

    def _changed(self) -> None:
        """Forget what was computed on demand."""
        self._mask: Array = None
        self._lists: Array = None

    # ── Facts: arrays that are always there ──

    @property
    def to_move(self) -> Array:
        """int8[n]: the seat to move, or −1 in a finished environment."""
        return self._backend.arrays.to_move

    @property
    def legal_counts(self) -> Array:
        """int32[n]: how many legal actions there are."""
        return self._backend.arrays.legal_counts

    @property
    def returns(self) -> Array:
        """float32[n, seats]: what the last step brought each seat."""
        return self._backend.arrays.returns

    @property
    def done(self) -> Array:
        """bool[n]: see `Step`."""
        return self._backend.arrays.done

    # ── Facts that take time: computed when asked for ──

    @property
    def legal_mask(self) -> Array:
        """bool[n, n_actions]: which actions are legal."""
        if self._mask is None:
            self._mask = self._backend.legal_mask()
        return self._mask

    @property
    def legal_actions(self) -> Array:
        """int16[n, max_legal]: the legal actions, `legal_counts[i]` of them in row i; behind them −1."""
        if self._lists is None:
            self._lists = self._backend.padded_actions()
        return self._lists

    def observe(self, seat: Any = None) -> Array:
        """float32[n, planes, rows, columns]: what the seat to move sees, a given one, or those of an array with a seat
        for each environment; see `game.view.planes`.
        """
        self.game.needed_view()
        return self._backend.observe(None if seat is None else self._seat_of_each(seat))

    def random_actions(self) -> Array:
        """int64[n]: a legal action each, all equally likely; −1 where none is legal.

        They depend on seeds and plies alone: asked again before the next step, they are the same.
        """
        return self._backend.random_actions()

    @property
    def words(self) -> Array:
        """unsigned[n, words of a state]: the memory of all states, for kernels of yours."""
        return self._backend.arrays.words

    def states(self) -> States:
        """A copy of all states in the CPU's memory, as a NumPy array of `game.rules.state`."""
        return self._backend.states(0, self.n)

    def match_seed(self, i: Index) -> int:
        """The seed of the match that environment i plays now."""
        seed, number, _ply = self._backend.counter(checked_index(i, self.n))
        return int(match_seed(np.uint64(seed), number))

    def plies(self, i: Index) -> int:
        """How many moves, those of chance included, have been made in the match that environment i plays now."""
        return self._backend.counter(checked_index(i, self.n))[2]

    def __len__(self) -> int:
        return self.n

    def __iter__(self) -> Iterator[Position]:
        return (Position.of(self.game, state) for state in self.states())

    # ── Changes ──

    def reset(self, seed: Seeds | None = None) -> Batch:
        """Restart from the given seed or seeds, or with each environment's next match."""
        if seed is None:
            self._backend.begin_next(finished=False)
        else:
            self.seed = checked_seeds(seed, self.n)
            self._backend.begin(self._seeds)
        self._changed()
        return self

    def reset_done(self) -> Batch:
        """Begin the next match in every finished environment; for batches without automatic reset."""
        self._backend.begin_next(finished=True)
        self._changed()
        return self

    def step(self, actions: Array, check: bool = True) -> Step:
        """Play an action in each environment: whole numbers on this batch's device. Where it is −1, nothing happens;
        finished environments ignore theirs.

        If an action is illegal, no environment has changed. Checking takes time, on a GPU because the answer must be
        waited for. With `check=False` actions are trusted: an illegal one leaves nonsense in its own environment.
        """
        numbers = self._actions(actions)
        if check:
            self._check(numbers)
        self._backend.step(numbers)
        self._changed()
        return Step(self.returns, self.done)

    def check(self, actions: Array) -> None:
        """Refuse what `step` would refuse, and change nothing."""
        self._check(self._actions(actions))

    def __setitem__(self, where: Index | Indices, positions: Position | State | Sequence[Position] | States) -> None:
        """See `Batch`. If a position or an index is refused, no environment has changed."""
        indices = self._indices(where)
        if len(np.unique(indices)) < len(indices):
            raise BadValue(f"every environment is set once, not as in {indices.tolist()}")
        given = checked_positions(positions, self.game, self.options)
        if len(given) != len(indices) and not isinstance(positions, (Position, np.void)):
            raise BadValue(f"{len(indices)} environments are set from as many positions, or from one: not {len(given)}")
        if len(indices):
            self._backend.set_up(indices, states_of(given, len(indices)))
            self._changed()

    # ── Copies ──

    @overload
    def __getitem__(self, where: Index) -> Position: ...

    @overload
    def __getitem__(self, where: Indices) -> Batch: ...

    def __getitem__(self, where: Index | Indices) -> Position | Batch:
        """Environment i as it is now, for a look or for an agent; or a batch of several, see `gather`."""
        if isinstance(where, (int, np.integer)):
            i = checked_index(where, self.n)
            return Position.of(self.game, self._backend.states(i, i + 1)[0])
        return self.gather(where)

    def position(self, i: int) -> Position:
        """The older name of `batch[i]`."""
        return self[i]

    def gather(self, indices: Indices, seed: Seeds | None = None) -> Batch:
        """A batch of copies of the chosen environments, in this order, on the same device; repeats are allowed.

        Each goes on as the environment it was copied from would: it has its start, its seed, and the ply it is at. So
        copies of one environment draw alike, for chance moves and `random_actions`. With a seed, or one for each, they
        draw from these instead, from here on: the same positions, other luck.
        """
        chosen = self._indices(indices)
        if not len(chosen):
            raise BadValue(f"a batch has at least one environment, but {indices!r} chooses none")
        batch = _assembled(self._plan, self._seeds[chosen], self._backend.gather(chosen))
        if seed is not None:
            batch.seed = checked_seeds(seed, batch.n)
            batch._backend.reseed(batch._seeds)
        return batch

    def copy(self) -> Batch:
        """An independent batch that goes on as this one would, on the same device."""
        return _assembled(self._plan, self.seed, self._backend.gather(np.arange(self.n)))

    def __copy__(self) -> Batch:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., Batch], tuple[Any, ...]]:
        game, *made = self._plan
        return _unpickled, (game.name, _layout(game), tuple(made), self.seed, self._backend.to_host())

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        seed = f"seed={self.seed}" if isinstance(self.seed, int) else "a seed each"
        return f"<Batch of {self.n} {self.game.name} on {self.device}, {seed}{options}>"

    # ── The door ──

    @property
    def _seeds(self) -> SeedArray:
        return seed_of_each(self.seed, self.n)

    def _actions(self, given: Array) -> Array:
        """Whole numbers, one per environment, in the memory that this batch works in."""
        self._need_device(given, "actions", is_on_gpu(given))
        data = self._backend.borrow(given)
        if tuple(data.shape) != (self.n,):
            raise BadValue(f"actions are one per environment, shape ({self.n},), not {tuple(data.shape)}")
        if np.dtype(data.dtype).kind not in "iu":
            raise BadValue(f"actions are whole numbers, not {data.dtype}")
        if np.dtype(data.dtype) == np.uint64:  # the largest would become −1
            raise BadValue("actions are signed whole numbers, or unsigned ones up to 32 bits, not uint64")
        return self._backend.numbers(data)

    def _need_device(self, given: Array, name: str, on_gpu: bool) -> None:
        if on_gpu != (self.device == "cuda"):
            where = "on a GPU" if on_gpu else f"on the CPU ({type(given).__name__})"
            raise BadValue(f"this batch is on {self.device!r}, but these {name} are {where}")

    def _check(self, numbers: Array) -> None:
        if (i := self._backend.first_illegal(numbers)) is not None:
            raise self._refusal(i, numbers)

    def _refusal(self, i: int, numbers: Array) -> BadValue:
        action, position = self._backend.number(numbers, i), self[i]
        if self._backend.mover(i) == STUCK:
            raise self.game.broken()
        try:
            position.play(action)
        except IllegalMove as why:
            return BadValue(f"environment {i}: action {action} is refused, and no environment has changed: {why}")
        raise AssertionError(f"action {action} is legal in {position.text}")

    def _seat_of_each(self, seat: Any) -> npt.NDArray[np.int8]:
        found = np.asarray(self._on_host(seat, "seats"))
        if found.dtype.kind not in "iu" or not np.all((found >= 0) & (found < self.seats)):
            raise BadValue(f"a seat of this batch is a number from 0 to {self.seats - 1}, not {seat!r}")
        if found.shape not in ((), (self.n,)):
            raise BadValue(f"seats are one per environment, shape ({self.n},), not {found.shape}")
        return np.full(self.n, found, np.int8)

    def _indices(self, where: Any) -> npt.NDArray[np.int64]:
        return checked_indices(self._on_host(where, "indices"), self.n)

    def _on_host(self, given: Any, name: str) -> Any:
        """A small array in the CPU's memory, where it is checked. This waits for a GPU's work."""
        if not is_on_gpu(given):
            return given
        self._need_device(given, name, on_gpu=True)
        return self._backend.borrow(given).copy_to_host()


def _start(game: Game, positions: Any, options: dict[str, Any]) -> Position | list[Position]:
    """What the environments of a batch begin from: the start of a game, or given positions with these options."""
    if positions is None:
        return Position.start(game, options, files=True)
    given = checked_positions(positions, game)
    if given and options:
        checked_positions(given, game, game.complete({**given[0].options, **options}, files=True))
    return given[0] if isinstance(positions, Position) else given


def _unpickled(
    name: str, layout: tuple[Any, ...], made: tuple[Any, ...], seed: int | SeedArray, arrays: Environments
) -> Batch:
    game = find(name)
    if layout != _layout(game):
        raise BadValue(f"this batch was pickled by another version of {game.name}: its states mean nothing here")
    plan = _Plan(game, *made)
    backend = plan.backend(len(arrays.to_move), len(arrays.starts))
    backend.restore(arrays)
    return _assembled(plan, seed, backend)


def _assembled(plan: _Plan, seed: int | SeedArray, backend: Backend) -> Batch:
    """A batch of environments that are already playing."""
    batch = Batch.__new__(Batch)
    batch._set(plan, seed, backend)
    return batch


def _layout(game: Game) -> tuple[Any, ...]:
    """Tells states that can be read here from others. Not by the seal, which differs between versions of Python."""
    *fields, _seal = game.rules.state.names or ()
    return game.rules_version, game.rules.state.itemsize, *fields
