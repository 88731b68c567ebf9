"""Many matches of one game at once, as arrays: on all cores of a CPU, or a thread each on a GPU.

>>> import empedocles
>>> batch = empedocles.vector("ignite-and-flow", n=4, seed=0)
>>> batch.step(batch.random_actions()).done
array([False, False, False, False])
>>> batch.legal_counts, batch.legal_mask.shape
(array([108,   2, 108, 113], dtype=int32), (4, 3546))
"""

from __future__ import annotations

import operator
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.engine.batch import STUCK, HostBatch, match_seed
from empedocles.engine.playout import DEVICES
from empedocles.engine.rng import checked_seed
from empedocles.engine.sharing import DeviceArray
from empedocles.errors import BadValue, IllegalMove, UnknownName
from empedocles.game import Game
from empedocles.games import find
from empedocles.position import Position

Array = Any  # NumPy's on the CPU, a DeviceArray on a GPU; as actions also other libraries' arrays there
Seeds = int | Sequence[int] | npt.NDArray[np.integer[Any]]  # of the first environment, or of each


class Step(NamedTuple):
    returns: Array  # float32[n, seats]: not 0 only where a game has just ended
    done: Array  # bool[n]: where a game has just ended or, without automatic reset, is over


def vector(
    game: str,
    n: int,
    *,
    device: str = "cpu",
    seed: Seeds | None = 0,
    auto_reset: bool = True,
    threads: int | None = None,
    **options: Any,
) -> Batch:
    """`n` environments that play a game with these options; see `Batch`.

    `threads` (of the CPU; all cores if none is given) changes the speed alone, and so does `device`: "cpu" or "cuda".
    """
    found = find(game)
    start = Position.start(found, found.complete(options, files=True))
    return Batch(start, n, device=device, seed=seed, auto_reset=auto_reset, threads=threads)


class Batch:
    """`n` environments of one game. Chance moves are drawn inside: whoever is to move has a decision.

    **Arrays are allocated once and written anew by every step**: `copy()` what is to stay. On the CPU they are NumPy's,
    and PyTorch and JAX share them without copying; on a GPU they are of the type `DeviceArray`, and shared likewise.
    Do not write into them.

    **Seeds.** Environment i of a batch with seed s has the seed s + i: batches whose seeds are less than n apart have
    environments in common. With an array of n seeds, environment i has the i-th. Its first game is the match
    `empedocles.new(…, seed=…)` with that seed, whatever else is in the batch; `match_seed(i)` is the seed of its game
    now. Draws depend on that seed and the ply alone.

    **Copies** (`copy()`, also `copy.deepcopy` and pickle) go on as this batch would, in arrays of their own.
    """

    def __init__(
        self,
        start: Position,
        n: int,
        *,
        device: str = "cpu",
        seed: Seeds | None = 0,
        auto_reset: bool = True,
        threads: int | None = None,
    ) -> None:
        self._start, self._threads = start, threads
        self.game, self.options, self.seats = start.game, start.options, start.seats
        self.n, self.device, self.auto_reset = _positive("n", n), device, bool(auto_reset)
        self.seed = self._checked_seed(seed)
        self._engine = _engine(start, self.n, self.auto_reset, device, threads)
        self._wrapped: dict[str, Array] = {}  # arrays as they are handed out
        self._current: set[str] = set()  # arrays computed on demand that are up to date
        self._engine.seed(self._seeds)

    # ── Facts: arrays that are always there ──

    @property
    def to_move(self) -> Array:
        """int8[n]: the seat to move, or −1 in a finished environment."""
        return self._share("movers")

    @property
    def legal_counts(self) -> Array:
        """int32[n]: how many legal actions there are."""
        return self._share("counts")

    @property
    def returns(self) -> Array:
        """float32[n, seats]: what the last step brought each seat."""
        return self._share("gains")

    @property
    def done(self) -> Array:
        """bool[n]: see `Step`."""
        return self._share("done")

    # ── Facts that take time: computed when asked for ──

    @property
    def legal_mask(self) -> Array:
        """bool[n, n_actions]: which actions are legal."""
        if "masks" not in self._current:
            self._engine.mask()
            self._current.add("masks")
        return self._share("masks")

    @property
    def legal_actions(self) -> Array:
        """int16[n, max_legal]: the legal actions, `legal_counts[i]` of them in row i; behind them −1."""
        if "lists" not in self._current:
            self._engine.pad()
            self._current.add("lists")
        return self._share("lists")

    def observe(self, seat: Any = None) -> Array:
        """float32[n, planes, rows, columns]: what the seat to move sees, or a given one; see `game.view.planes`.

        On the CPU also an array with a seat for each environment.
        """
        if self.game.view is None:
            raise BadValue(f"{self.game.name} offers no observations: its Game record has no view")
        if seat is None:
            self._engine.observe(self._engine.movers, -1)
        elif np.ndim(seat) == 0:
            self._engine.observe(self._engine.movers, int(self._checked_seats(seat)))
        elif self.device == "cpu":
            self._engine.observe(self._checked_seats(self._numbers(seat, "seats")), -1)
        else:
            raise BadValue(f"on {self.device!r} a seat is a number from 0 to {self.seats - 1} or None, not an array")
        return self._share("planes")

    def random_actions(self) -> Array:
        """int64[n]: a legal action each, all equally likely; −1 where none is legal.

        They depend on seeds and plies alone: asked again before the next step, they are the same.
        """
        self._engine.choose()
        return self._share("choices")

    def position(self, i: int) -> Position:
        """Environment i as it is now, for a look or for an agent."""
        return Position.of(self.game, self._engine.state(self._index(i)))

    def match_seed(self, i: int) -> int:
        """The seed of the match that environment i plays now."""
        seed, game, _ply = self._engine.clock(self._index(i))
        return int(match_seed(np.uint64(seed), game))

    def plies(self, i: int) -> int:
        """How many moves, those of chance included, have been made in the match that environment i plays now."""
        _seed, _game, ply = self._engine.clock(self._index(i))
        return int(ply)

    # ── Changes ──

    def reset(self, seed: Seeds | None = None) -> Batch:
        """Begin anew: with a seed or seeds all over again, without with every environment's next game."""
        if seed is None:
            self._engine.next_game(finished=False)
        else:
            self.seed = self._checked_seed(seed)
            self._engine.seed(self._seeds)
        self._current.clear()
        return self

    def reset_done(self) -> Batch:
        """Begin the next game in every finished environment; for batches without automatic reset."""
        self._engine.next_game(finished=True)
        self._current.clear()
        return self

    def step(self, actions: Array, check: bool = True) -> Step:
        """Play an action in each environment: whole numbers on this batch's device. Where it is −1, nothing happens;
        finished environments ignore theirs.

        If an action is illegal, no environment has changed. Checking takes a moment, on a GPU because its answer must
        be waited for; `check=False` trusts, and an illegal action then leaves nonsense behind, though nowhere else.
        """
        numbers = self._numbers(actions, "actions")
        if check:
            self._check(numbers)
        self._engine.step(numbers)
        self._current.clear()
        return Step(self.returns, self.done)

    def check(self, actions: Array) -> None:
        """Refuse what `step` would refuse, and change nothing."""
        self._check(self._numbers(actions, "actions"))

    # ── Copies ──

    def copy(self) -> Batch:
        """A batch that goes on as this one would, on the same device; neither notices what is done with the other."""
        return _continued(self._made, self._engine.kept())

    @property
    def _made(self) -> dict[str, Any]:
        """What it was made with."""
        return {
            "start": self._start,
            "n": self.n,
            "device": self.device,
            "seed": self.seed,
            "auto_reset": self.auto_reset,
            "threads": self._threads,
        }

    def __copy__(self) -> Batch:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., Batch], tuple[Any, ...]]:
        kept = self._engine.kept()
        if self.device != "cpu":
            kept = {name: DeviceArray(array).numpy() for name, array in kept.items()}
        return _unpickled, (_layout(self.game), self._made, kept)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        seed = f"seed={self.seed}" if isinstance(self.seed, int) else "a seed each"
        return f"<Batch of {self.n} {self.game.name} on {self.device}, {seed}{options}>"

    # ── The door ──

    def _share(self, name: str) -> Array:
        """An array of the engine, as users get it."""
        if name not in self._wrapped:
            data = getattr(self._engine, name)
            self._wrapped[name] = data if self.device == "cpu" else DeviceArray(data)
        return self._wrapped[name]

    def _numbers(self, given: Array, name: str) -> Array:
        """Whole numbers, one per environment, in the memory that this batch works in."""
        data = self._on_this_device(given, name)
        if tuple(data.shape) != (self.n,):
            raise BadValue(f"{name} are one per environment, shape ({self.n},), not {tuple(data.shape)}")
        if np.dtype(data.dtype).kind not in "iu":
            raise BadValue(f"{name} are whole numbers, not {data.dtype}")
        if np.dtype(data.dtype) == np.uint64:  # the largest would become −1
            raise BadValue(f"{name} are signed whole numbers, or unsigned ones up to 32 bits, not uint64")
        return self._engine.as_numbers(data)

    def _on_this_device(self, given: Array, name: str) -> Array:
        on_gpu = isinstance(given, DeviceArray) or _is_on_gpu(given)
        if on_gpu != (self.device == "cuda"):
            where = "on a GPU" if on_gpu else f"on the CPU ({type(given).__name__})"
            raise BadValue(f"this batch is on {self.device!r}, but these {name} are {where}")
        if isinstance(given, DeviceArray):
            return given.data
        return self._engine.borrow(given)

    def _check(self, numbers: Array) -> None:
        if (i := self._engine.first_illegal(numbers)) is not None:
            raise self._refusal(i, numbers)

    def _refusal(self, i: int, actions: Array) -> BadValue:
        action, position = self._engine.number(actions, i), self.position(i)
        if self._engine.number(self._engine.movers, i) == STUCK:
            raise self.game.broken()
        try:
            position.play(action)
        except IllegalMove as why:
            return BadValue(f"environment {i}: action {action} is refused, and no environment has changed: {why}")
        raise AssertionError(f"action {action} is legal in {position.text}")

    def _checked_seats(self, seats: Any) -> Any:
        found = np.asarray(seats)
        if found.dtype.kind not in "iu" or not np.all((found >= 0) & (found < self.seats)):
            raise BadValue(f"a seat of this batch is a number from 0 to {self.seats - 1}, not {seats!r}")
        return found

    @property
    def _seeds(self) -> npt.NDArray[np.uint64]:
        """Of each environment."""
        if isinstance(self.seed, int):
            return np.uint64(self.seed) + np.arange(self.n, dtype=np.uint64)
        return self.seed

    def _checked_seed(self, seed: Any) -> int | npt.NDArray[np.uint64]:
        if seed is None:
            return secrets.randbits(63)
        if isinstance(seed, Sequence) and not isinstance(seed, str):  # in NumPy's hands, large ones become fractions
            return self._checked_seeds(np.array([checked_seed(each) for each in seed], np.uint64))
        if np.ndim(seed) > 0:
            return self._checked_seeds(np.array(seed))
        last = 2**64 - self.n
        if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed <= last:
            expected = f"a whole number from 0 to {last}, or an array of {self.n}"
            raise BadValue(f"a seed for {self.n} environments is {expected}, not {seed!r}")
        return int(seed)

    def _checked_seeds(self, seeds: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        if seeds.shape != (self.n,):
            raise BadValue(f"seeds are one per environment, shape ({self.n},), not {seeds.shape}")
        if seeds.dtype.kind not in "iu":
            raise BadValue(f"seeds are whole numbers, not {seeds.dtype}")
        if (seeds < 0).any():
            raise BadValue(f"seeds are whole numbers from 0 to 2**64 - 1, not {seeds.min()}")
        return seeds.astype(np.uint64)

    def _index(self, i: int) -> int:
        if not isinstance(i, (int, np.integer)) or not 0 <= i < self.n:
            raise BadValue(f"environments are numbered from 0 to {self.n - 1}: there is no {i!r}")
        return int(i)


def _engine(start: Position, n: int, again: bool, device: str, threads: int | None) -> Any:
    if device not in DEVICES:
        raise UnknownName(f"unknown device {device!r}: there are {', '.join(DEVICES)}")
    if device == "cpu":
        return HostBatch(start, n, again, None if threads is None else _positive("threads", threads))
    if threads is not None:
        raise BadValue(f"threads are the CPU's: device={device!r} takes none")
    from empedocles.engine.cuda_batch import GpuBatch

    return GpuBatch(start, n, again)


def _continued(made: dict[str, Any], kept: dict[str, Array]) -> Batch:
    batch = Batch(**made)
    batch._engine.take(kept)
    return batch


def _unpickled(layout: tuple[Any, ...], made: dict[str, Any], kept: dict[str, Array]) -> Batch:
    game = made["start"].game
    if layout != _layout(game):
        raise BadValue(f"this batch was pickled by another version of {game.name}: its states mean nothing here")
    return _continued(made, kept)


def _layout(game: Game) -> tuple[Any, ...]:
    """Tells states that can be read here from others; without the seal, which is another on another Python."""
    *fields, _seal = game.rules.state.names or ()
    return game.rules_version, game.rules.state.itemsize, *fields


def _positive(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1 or isinstance(value, bool):
        raise BadValue(f"{name} is a whole number from 1, not {value!r}")
    return number


def _is_on_gpu(given: Any) -> bool:
    # Numba's own arrays are asked first: simulated ones lack the interface.
    return hasattr(given, "__cuda_ndarray__") or hasattr(given, "__cuda_array_interface__")
