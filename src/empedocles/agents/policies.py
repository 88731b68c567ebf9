"""Agents of anybody's networks: a function from observations to a policy and values guides their search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from empedocles.agents.simple import Analyst
from empedocles.core.kernel import Planes
from empedocles.engine.batch import Batch
from empedocles.engine.environments import Array
from empedocles.engine.playout import checked_device
from empedocles.errors import BadValue
from empedocles.extras import Extra
from empedocles.position import Position
from empedocles.search.guided import GuidedSearch, Policy
from empedocles.search.limits import Evaluation, Limit

FILE = "onnx:"  # what the name of an agent begins with that plays with a network in this file
NO_ACTION = -1


class PolicyAgent(Analyst):
    """A tree search with one call of `policy` for every few nodes.

    `policy(observations)` gets float32[n, planes, rows, columns], what the seat to move sees in each position, and
    returns logits [n, n_actions] and values [n] or [n, seats], in NumPy's, PyTorch's or JAX's arrays. A value is what
    can be expected, from −1 to 1: by the seat to move, or, with a column each, by that seat, the next one and so on.
    Logits of illegal actions do not matter. The array of observations is used again: copy what is to stay.

    What it thinks depends on its seed, the position and the limit alone.
    """

    def __init__(self, policy: Policy, seed: int = 0, **how: Any) -> None:
        """`how`: see `GuidedSearch`."""
        self.policy, self.seed, self.how = policy, seed, how

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        search = GuidedSearch([position], self.policy, self.seed, simulations=limit.simulations, **self.how)
        search.run(limit)
        return search.evaluations()


class Found(NamedTuple):
    """What a search of many positions says: a row for each. Arrays are NumPy's, or on a GPU each is a `DeviceArray`."""

    actions: Array  # int64[n]: the best; −1 where the game is over
    visits: Array  # int32[n, n_actions]: how often each action was tried; all 0 where the game is over
    values: Array  # float32[n, seats]: what each seat can expect, or the returns of a finished game


def search_all(
    positions: Batch | Sequence[Position],
    policy: Policy | None,
    simulations: int,
    seed: int = 0,
    *,
    noise: float = 0.0,
    device: str = "cpu",
    **how: Any,
) -> Found:
    """Search many positions at once, such as the environments of a batch: leaves of all trees are evaluated together.

    For self-play, `noise` is mixed into the policy at the roots, 0.25 for example; give another seed each time.
    Without a policy, all moves are alike and all seats can expect the same.

    With `device="cuda"` the search and all arrays are on a GPU, those that the policy gets and returns as well; see
    `CudaSearch`, which keeps its memory for the next search. Results are those of the CPU, as far as the policy's are,
    until a tree is full: `nodes` is the size of each.
    """
    limit = Limit(simulations=simulations)
    if checked_device(device) == "cuda":
        return _searched_on_gpu(positions, policy, simulations, seed, noise, how)
    every = list(positions)
    alive = [number for number, position in enumerate(every) if not position.is_over]
    if not every:
        raise BadValue("there is no position to search")
    found = _nothing(every)
    if alive:
        search = GuidedSearch([every[n] for n in alive], policy, seed, simulations=simulations, **how)
        if noise:
            search.disturb(noise, seed)
        search.run(limit)
        found.actions[alive], found.visits[alive] = search.actions(), search.visits()
        found.values[alive] = search.values()
    return found


def _searched_on_gpu(
    positions: Batch | Sequence[Position],
    policy: Policy | None,
    simulations: int,
    seed: int,
    noise: float,
    how: dict[str, Any],
) -> Found:
    from empedocles.search.cuda_guided import CudaSearch

    search = CudaSearch(positions, policy, seed, simulations=simulations, **how)
    if noise:
        search.disturb(noise, seed)
    search.run(Limit(simulations=simulations))
    return Found(search.actions(), search.visits(), search.values())


def _nothing(every: list[Position]) -> Found:
    n, first = len(every), every[0]
    return Found(
        np.full(n, NO_ACTION, np.int64),
        np.zeros((n, first.n_actions), np.int32),
        np.array([position.returns for position in every], np.float32),
    )


# ── Networks in files ────────────────────────────────────────────────────────────────────────────────────────────────


class OnnxPolicy:
    """A network in an ONNX file: one input, the observations, and two outputs, logits and values.

    Outputs are told apart by their names, if these contain `logits` or `policy` and `value`; else by their order. It
    runs on one core. The first dimension of the input may be of any size, or fixed: then it is asked several times.
    """

    def __init__(self, file: str | Path) -> None:
        with Extra("onnx"):
            import onnxruntime
        if not Path(file).is_file():
            raise BadValue(f"there is no file {str(file)!r}")
        self._file = file
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # worker processes have a core each
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # whose types are private
            raise BadValue(f"{file} is not an ONNX network: {error}") from error
        self._input = self._the_input()
        self._outputs = self._the_outputs()

    def __call__(self, observations: Planes) -> tuple[Any, Any]:
        self._check(observations)
        size = self._input.shape[0]
        if not isinstance(size, int):
            return self._run(observations)
        parts = [self._run(_filled(observations[k : k + size], size)) for k in range(0, len(observations), size)]
        logits, values = (np.concatenate(each)[: len(observations)] for each in zip(*parts, strict=True))
        return logits, values

    def _run(self, observations: Planes) -> tuple[Any, Any]:
        logits, values = self._session.run(self._outputs, {self._input.name: observations})
        return logits, values

    def _the_input(self) -> Any:
        inputs = self._session.get_inputs()
        if len(inputs) != 1 or len(inputs[0].shape) != 4 or inputs[0].type != "tensor(float)":
            said = ", ".join(f"{one.name}: {one.type} {one.shape}" for one in inputs) or "none"
            raise BadValue(f"{self._file} needs one input of floats [n, planes, rows, columns]; it has {said}")
        return inputs[0]

    def _the_outputs(self) -> list[str]:
        names = [output.name for output in self._session.get_outputs()]
        if len(names) != 2:
            raise BadValue(f"{self._file} needs two outputs, logits and values; it has {', '.join(names) or 'none'}")
        return names[::-1] if "value" in names[0].lower() and "value" not in names[1].lower() else names

    def _check(self, observations: Planes) -> None:
        for wanted, given in zip(self._input.shape[1:], observations.shape[1:], strict=True):
            if isinstance(wanted, int) and wanted != given:
                planes = " × ".join(map(str, self._input.shape[1:]))
                here = " × ".join(map(str, observations.shape[1:]))
                raise BadValue(f"{self._file} was trained on observations of {planes}; here they are {here}")


def _filled(observations: Planes, size: int) -> Planes:
    """Observations with empty ones behind them, up to this size."""
    rest = size - len(observations)
    return np.pad(observations, [(0, rest), *[(0, 0)] * 3]) if rest else observations


def of_file(file: str, seed: int) -> PolicyAgent:
    """The agent `onnx:FILE`."""
    return PolicyAgent(OnnxPolicy(file), seed)
