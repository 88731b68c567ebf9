"""The one decorator of every rule function, and dispatch by the type of a state.

A kernel is a plain Python function on a small state and integers. It runs interpreted (`NUMBA_DISABLE_JIT=1`),
compiled for the CPU, and inside CUDA kernels, from the same source. Kernels trust their input, allocate nothing, raise
nothing and own no randomness. Legal actions are written through `listed`, which cannot pass the end of its buffer.

Games of other packages are guests: their kernels are compiled with a check of every index, so that a mistake in one is
an IndexError, and never a process that dies later.

Code above the games calls `legal(s, out)`, `play(s, a)` …: the type of `s` decides which game's function that is. In
compiled code it does so at compile time, so that Numba can keep the result on disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba.core.target_extension import current_target
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from empedocles.core.cache import PACKAGE, cache_folder, digest

F = TypeVar("F", bound=Callable[..., Any])


class State(np.void):  # type: ignore[misc] # which NumPy itself inherits from as well
    """Fields as attributes, interpreted as well as compiled: what `np.record` offers, in a third of the time."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"a state with the fields {self.dtype.names} has no {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


Record = State  # its older name
Actions = npt.NDArray[np.int16]
Words = npt.NDArray[np.uint64]

CHANCE = -1  # `mover` when a chance move is due
HEADER = [
    ("mover", np.int8),  # seat to move, or CHANCE; 0 when the game is over
    ("over", np.int8),  # 1 when the game is over
    ("seats", np.int8),  # how many seats this game has
]
LARGEST_STATE = 512  # bytes: a CUDA thread keeps its game in fast memory


# ── Compiling and keeping what was compiled ──────────────────────────────────────────────────────────────────────────


def kernel(function: F) -> F:
    """Compile a rule function for the types it meets, and keep the machine code on disk where that is possible.

    No signature is given: a CUDA kernel that calls the function has it compiled for the device.
    """
    return _compiled(function)


def tiny_kernel(function: F) -> F:
    """`kernel` for one-liners used everywhere: they are copied into their callers, not compiled by themselves."""
    return _compiled(function, inline="always")


def _compiled(function: F, **options: Any) -> F:
    folder = cache_folder(Path(inspect.getfile(function)).parent)
    # Nothing here is called from C or allocates: without that entry point, and without counting references to arrays,
    # compiling takes less time.
    options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    options |= CHECKED if is_guest(function) else {}
    with _numba_cache(folder):
        compiled: F = numba.njit(cache=folder is not None, **options)(function)
    if hasattr(compiled, "get_call_template"):
        _take_integers_alike(compiled)
    return compiled


CHECKED = {"boundscheck": True}  # costs our own games 5 to 25 %; they are fuzzed with it instead


def is_guest(function: Callable[..., Any]) -> bool:
    """Whether a function comes from another package."""
    return not Path(inspect.getfile(function)).is_relative_to(PACKAGE)


def _take_integers_alike(compiled: Any) -> None:
    """Compile a function once for all signed integers.

    Numba would compile it again for each width, and for every constant that it is called with.
    """
    ask = compiled.get_call_template
    compiled.get_call_template = lambda args, kws: ask(tuple(map(_alike, args)), kws)


def _alike(given: Any) -> Any:
    plain = numba.types.unliteral(given)
    return numba.types.int64 if isinstance(plain, numba.types.Integer) and plain.signed else plain


@contextlib.contextmanager
def _numba_cache(folder: Path | None) -> Iterator[None]:
    # Numba reads the setting once per function, when it is decorated; other people's functions keep theirs.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or before)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _mangling(state: numba.types.Record) -> tuple[str, tuple[str]]:
    """What the names of compiled functions say of a state: a digest of its fields.

    Numba's own is a number that depends on what the process compiled before. Machine code that two processes have kept
    on disk could then have the same names for functions of different games, and one would be taken for the other.
    """
    return type(state).__name__, (hashlib.sha256(state.name.encode()).hexdigest()[:16],)


numba.types.Record.mangling_args = property(_mangling)


# ── States and dispatch ──────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def no_ending(s: State) -> int:  # noqa: ARG001
    """For games that do not say which rule ended them."""
    return 0


class Rules(NamedTuple):
    """The kernels of one game, all on one state `s`."""

    state: np.dtype[State]
    new: Callable[[State, Words], None]  # the start position; the options come as words
    legal: Callable[[State, Actions], int]  # all legal actions into the buffer, each once; how many
    play: Callable[[State, int], None]  # trusts that the action is legal
    scores: Callable[[State, npt.NDArray[np.int32]], None]
    returns: Callable[[State, npt.NDArray[np.float32]], None]  # utilities in [-1, 1]
    key: Callable[[State], np.uint64]  # equal positions have equal keys
    ending: Callable[[State], int] = (
        no_ending  # the number of the rule that ended the game, a key of `Game.endings`; or 0
    )


def state_type(fields: Sequence[tuple[Any, ...]], sources: str) -> np.dtype[State]:
    """The type of a game's states: the common header, then the game's fields, aligned as CUDA needs it.

    Arrays of states must be made from this very object, `np.zeros(n, STATE)`: Numba recognises record types by the
    address of the NumPy type, and an equal one that NumPy makes in passing and frees again can be mistaken for another.

    The last field's name carries a digest of the game's source folder. So rules that changed have another type, and
    code compiled for the old ones — playouts, search — is not taken for theirs, wherever the game is installed.
    """
    for name, *_ in fields:
        if hasattr(State, name):
            raise TypeError(f"a state cannot have a field {name!r}: interpreted, it would be np.void.{name}")
    seal = f"seal_{digest(Path(sources).parent)}"
    plain = np.dtype([*HEADER, *fields, (seal, np.int8)], align=True)
    # `align=True` must be given to the inner type: NumPy ignores it on the outer one.
    state: np.dtype[State] = np.dtype((State, plain))  # type: ignore[assignment]
    return state


_rules: dict[np.dtype[Any], Rules] = {}


def register(rules: Rules) -> Rules:
    """Let the generic functions find these rules by the type of their state."""
    if rules.state.itemsize > LARGEST_STATE:
        raise TypeError(f"a state may have {LARGEST_STATE} bytes, this one has {rules.state.itemsize}")
    if _rules.setdefault(rules.state, rules) != rules:
        raise TypeError("another game has the same state type: their kernels could not be told apart")
    return rules


def rules_of(s: State) -> Rules:
    return _rules[s.dtype]


Worths = npt.NDArray[np.float32]  # one per seat
Numbers = npt.NDArray[np.float64]
Table = npt.NDArray[np.int16]
Places = npt.NDArray[np.int32]
Planes = npt.NDArray[np.float32]  # planes × rows × columns
UNIT = 2048  # the numbers of a trained table are logits times this


class Weights(NamedTuple):
    """What an evaluation weighs with. Arrays have the same types always, so that other weights compile nothing anew."""

    numbers: Numbers  # of the hand-made evaluation; empty: the game's own
    table: Table  # of a trained network; empty: there is none
    places: Places  # room for the places of the table that count in a position, one array for each thread

    def with_room(self) -> Weights:
        """For another thread."""
        return self._replace(places=np.empty_like(self.places))


NO_WEIGHTS = Weights(np.empty(0), np.empty(0, np.int16), np.empty(0, np.int32))
_offers: dict[tuple[str, np.dtype[Any]], Callable[..., Any]] = {}


def offer(state: np.dtype[State], function: Callable[..., Any], name: str | None = None) -> None:
    """Register a game's own `evaluate`, `features` or `observe`: the generic function finds it by the type of a state.

    A `Game` registers those that it names.
    """
    name = name or function.__name__
    stubs: dict[str, Callable[..., Any]] = {"evaluate": evaluate, "features": features, "observe": observe}
    expected = inspect.signature(stubs[name]).parameters
    given = inspect.signature(getattr(function, "py_func", function)).parameters
    if len(given) != len(expected):
        raise TypeError(f"{name} takes ({', '.join(expected)}), but this game's takes ({', '.join(given)})")
    if _offers.setdefault((name, state), function) is not function:
        raise TypeError(f"another game with the same state type has its own {name}: they could not be told apart")


def offered(name: str, state: np.dtype[Any]) -> Callable[..., Any]:
    """A game's own function, or the stand-in for games that offer none."""
    return _offers.get((name, state), NONE_OFFERED[name])


@kernel
def no_opinion(s: State, weights: Weights, out: Worths) -> None:  # noqa: ARG001
    """For games that offer no evaluation: all seats can expect the same."""
    for seat in range(len(out)):
        out[seat] = 0


@kernel
def no_features(s: State, seat: int, places: Places) -> int:  # noqa: ARG001
    """For games without a network."""
    return 0


@kernel
def no_view(s: State, seat: int, planes: Planes) -> None:
    """For games that offer no observations: there are no planes to fill."""


NONE_OFFERED: dict[str, Callable[..., Any]] = {"evaluate": no_opinion, "features": no_features, "observe": no_view}


def _own_kernel(name: str, s: Any) -> Callable[..., Any]:
    """A game's own function, by the Numba type of its state."""
    for dtype, rules in _rules.items():
        if from_dtype(dtype) == s:
            chosen = getattr(rules, name, None) or offered(name, dtype)
            return cast(Callable[..., Any], getattr(chosen, "py_func", chosen))
    raise TypeError(f"no game has states of the type {s}")


def _by_state(stub: F) -> F:
    """Resolve calls of `stub` in compiled code to the same-named kernel of the first argument's game."""

    def unchecked(s, *_):  # type: ignore[no-untyped-def]
        chosen = _own_kernel(stub.__name__, s)
        return None if _is_checked(chosen) else chosen

    def checked(s, *_):  # type: ignore[no-untyped-def]
        chosen = _own_kernel(stub.__name__, s)
        return chosen if _is_checked(chosen) else None

    overload(stub, strict=False)(unchecked)
    overload(stub, strict=False, jit_options=CHECKED)(checked)
    return stub


def _is_checked(chosen: Callable[..., Any]) -> bool:
    """Numba-cuda has no bounds checks: on a GPU, a guest is safe only as far as it lists actions by `listed`."""
    return is_guest(chosen) and current_target() == "cpu"


@_by_state
def new(s: State, options: Words) -> None:
    rules_of(s).new(s, options)


@_by_state
def legal(s: State, out: Actions) -> int:
    return rules_of(s).legal(s, out)


@_by_state
def play(s: State, a: int) -> None:
    rules_of(s).play(s, a)


@_by_state
def scores(s: State, out: npt.NDArray[np.int32]) -> None:
    rules_of(s).scores(s, out)


@_by_state
def returns(s: State, out: npt.NDArray[np.float32]) -> None:
    rules_of(s).returns(s, out)


@_by_state
def key(s: State) -> np.uint64:
    return rules_of(s).key(s)


@_by_state
def ending(s: State) -> int:
    return rules_of(s).ending(s)


@_by_state
def evaluate(s: State, weights: Weights, out: Worths) -> None:
    """What each seat can expect while the game is on, from −1 to 1, at a glance.

    Weights are an argument, so that players with different ones can meet, and new ones need not be compiled.
    """
    offered("evaluate", s.dtype)(s, weights, out)


@_by_state
def features(s: State, seat: int, places: Places) -> int:
    """The places of a trained table that count for a seat; how many: 0 if its worth follows from the others'."""
    return offered("features", s.dtype)(s, seat, places)  # type: ignore[no-any-return]


@kernel
def tabled(table: Table, places: Places, n: int) -> int:
    """The sum of a table's numbers at the first n places."""
    total = 0
    for k in range(n):
        total += int(table[places[k]])
    return total


@_by_state
def observe(s: State, seat: int, planes: Planes) -> None:
    """What a seat sees, as planes of numbers from 0 to 1: all of them are written."""
    offered("observe", s.dtype)(s, seat, planes)


# ── Lists of actions ─────────────────────────────────────────────────────────────────────────────────────────────────


@tiny_kernel
def listed(out: Actions, n: int, action: int) -> int:
    """Write an action to place n of a list. Returns the new length of the list.

    What does not fit overwrites the last place, and is counted: so whoever calls `legal` sees that a list is too long.
    Without a branch, and with an unsigned index, this costs next to nothing, on a GPU too. A buffer has at least one
    place.
    """
    out[np.uint64(min(n, len(out) - 1))] = action
    return n + 1


BROKEN = 0  # instead of a number of legal actions


@tiny_kernel
def listing(s: State, out: Actions, seats: int) -> int:
    """List the legal actions of an unfinished game, for all code above the games. Returns how many, or BROKEN."""
    n = legal(s, out)
    return n if n <= len(out) and is_sound(s, n, seats) else BROKEN


def is_sound(s: State, n: int, seats: int) -> bool:
    """Whether there are actions, and somebody to choose one."""
    return n > 0 and CHANCE <= s.mover < seats


@overload(is_sound, strict=False)
def _is_sound(s, n, seats):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if is_guest(_own_kernel("legal", s)):
        return lambda s, n, seats: n > 0 and CHANCE <= s.mover < seats
    return lambda s, n, seats: True  # noqa: ARG005  # our own are tested for it, and need not pay for it
