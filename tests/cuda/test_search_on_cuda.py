"""Searches on a GPU or Numba's simulator of one: the same as on the CPU, bit for bit."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from empedocles import BadValue, Batch, Position, UnknownName, new
from empedocles.agents import search_all
from empedocles.games import GAMES
from empedocles.search.cuda_guided import WIDE, CudaSearch, room_on_gpu
from empedocles.search.guided import GuidedSearch
from empedocles.search.limits import Limit
from empedocles.testing.samples import random_match

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def has_gpu() -> bool:
    from numba import cuda

    return bool(cuda.is_available())


needs_gpu = pytest.mark.skipif(not SIMULATED and not has_gpu(), reason="needs a GPU; `make test` runs it simulated")

WATER, DEFENDERS = GAMES["fire-and-water"], GAMES["elemental-defenders"]
N, SIMULATIONS = (2, 4) if SIMULATED else (300, 32)
SMALL = {"nodes": 1100} if SIMULATED else {"nodes": 33_000}  # of both: trees on the CPU are smaller if they are many


def policy(actions: int, columns: int = 1) -> Any:
    """Logits and values that differ between positions, by whole numbers: so their bits do not depend on who adds."""
    from numba import cuda

    def answer(planes: Any) -> Any:
        given = planes if isinstance(planes, np.ndarray) else planes.numpy()
        seen = (given.reshape(len(given), -1) > 0).astype(np.int64)
        weighed = (seen * (np.arange(seen.shape[1]) % 97 + 1)).sum(1, keepdims=True)
        logits = ((weighed * (np.arange(actions) % 31 + 1)) % 61 / 16).astype(np.float32)
        values = ((weighed * (np.arange(columns) + 5)) % 129 / 64 - 1).astype(np.float32)
        if given is planes:
            return logits, values
        return cuda.to_device(logits), cuda.to_device(values)

    return answer


def numbers(found: Any) -> list[npt.NDArray[Any]]:
    return [array if isinstance(array, np.ndarray) else array.numpy() for array in found]


def assert_alike(positions: Any, f: Any, **how: Any) -> list[npt.NDArray[Any]]:
    """The same from both: actions, visits and values, which are returned."""
    one = numbers(search_all(positions, f, SIMULATIONS, seed=3, **how))
    two = numbers(search_all(positions, f, SIMULATIONS, seed=3, device="cuda", **how))
    for cpu, gpu in zip(one, two, strict=True):
        assert cpu.dtype == gpu.dtype
        np.testing.assert_array_equal(cpu, gpu)
    return two


@needs_gpu
def test_searches_with_chance_and_three_seats_are_those_of_the_cpu() -> None:
    batch = Batch(Position.start(WATER, {"players": 3}), N, device="cuda", seed=4)
    for _ in range(8):
        batch.step(batch.random_actions())
    # What all seats see of it takes the simulator too long.
    assert_alike(batch, None if SIMULATED else policy(batch.n_actions, columns=3), **SMALL)


@needs_gpu
@pytest.mark.parametrize(("device", "columns"), [("cpu", 1), ("cuda", 2)])
def test_batches_in_any_memory_are_searched_as_on_the_cpu(device: str, columns: int) -> None:
    batch = Batch(Position.start(DEFENDERS), N, device=device, seed=4)
    for _ in range(3):
        batch.step(batch.random_actions())
    assert_alike(batch, policy(batch.n_actions, columns), at_once=2)


@needs_gpu
def test_finished_games_are_left_out_and_noise_is_that_of_the_cpu() -> None:
    late = [random_match(DEFENDERS, {}, seed=k, plies=20).position for k in range(N)]
    over = random_match(DEFENDERS, {}, seed=1).position
    actions, visits, values = assert_alike([late[0], over, *late[1:]], policy(over.n_actions), noise=0.5)
    assert actions[1] == -1
    assert not visits[1].any()
    assert values[1].tolist() == list(over.returns)
    assert visits[0].sum() > 0
    # Ties are broken by seeds, which finished games do not count for.
    assert assert_alike([over, *late], None)[0][0] == -1
    assert assert_alike([over], None)[0].tolist() == [-1]


@needs_gpu
def test_a_search_begins_anew_and_full_trees_are_searched_on() -> None:
    position = new(DEFENDERS.name, seed=5).position
    how: dict[str, Any] = {"nodes": DEFENDERS.max_legal + 1, "at_once": 1}
    gpu = CudaSearch([position], None, 9, simulations=12, **how)
    cpu = GuidedSearch([position], None, 9, simulations=12, **how)
    for _ in range(2):
        gpu.run(Limit(simulations=6))
        gpu.run(Limit(simulations=6))
        gpu_found = numbers((gpu.actions(), gpu.visits(), gpu.values(), gpu.done))
        gpu.begin([position], 9)
    cpu.run(Limit(simulations=12))
    for one, two in zip((cpu.actions(), cpu.visits(), cpu.values(), cpu.done), gpu_found, strict=True):
        np.testing.assert_array_equal(one, two)
    assert gpu.used.numpy().tolist() == [1]


@needs_gpu
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda logits, values: (logits[:, 1:], values), r"logits are of shape \(1, 65\) here, not \(1, 64\)"),
        (lambda logits, values: (logits, values[:, :0]), r"values are of shape \(1,\) or \(1, 2\) here"),
        (lambda logits, values: (logits * np.nan, values), "logits are numbers or −∞"),
        (lambda logits, values: (logits, values * np.inf), "its values finite"),
    ],
)
def test_answers_that_are_none_are_refused(answer: Any, said: str) -> None:
    from numba import cuda

    position = new(DEFENDERS.name, seed=5).position
    given = answer(np.zeros((1, position.n_actions), np.float32), np.ones((1, 1), np.float32))
    on_gpu = tuple(cuda.to_device(np.ascontiguousarray(array)) for array in given)
    with pytest.raises(BadValue, match=said):
        search_all([position], lambda _: on_gpu, 1, device="cuda", at_once=1)


@needs_gpu
def test_searches_that_cannot_be_are_refused() -> None:
    position, other = new(DEFENDERS.name, seed=5).position, new("ignite-and-flow").position
    for positions, how, said in (
        ([], {}, "no position to search"),
        ([position, other], {}, "one game with the same options"),
        ([position], {"simulations": 0}, "simulations is a whole number above 0, not 0"),
        ([position], {"nodes": 20}, "more than 20 nodes here, not 20"),
        ([position], {"nodes": 99.5}, "more than 20 nodes here, not 99.5"),
        ([position], {"at_once": 0}, "at least 1 leaf"),
        ([position], {"noise": 2}, "from 0 to 1, not 2"),
        ([position], {"policy": lambda _: None}, "two arrays, not NoneType"),
        ([position], {"policy": lambda _: (np.zeros((1, 65)), [0])}, "arrays on the GPU, not ndarray"),
    ):
        told: dict[str, Any] = {"policy": None, "simulations": 1, **how}
        with pytest.raises(BadValue, match=said):
            search_all(positions, device="cuda", **told)
    search = CudaSearch([position], None, simulations=1)
    with pytest.raises(BadValue, match="this search is for 1 positions of elemental-defenders"):
        search.begin([position, position])
    with pytest.raises(BadValue, match="needs a limit of seconds or simulations"):
        search.run(Limit(depth=3))


def test_without_a_gpu_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("empedocles.engine.cuda.cuda.is_available", lambda: False)
    position = new(DEFENDERS.name, seed=5).position
    with pytest.raises(BadValue, match=r"no GPU that Numba can use was found: .* the extra empedocles\[cuda\]"):
        search_all([position], None, 1, device="cuda")
    with pytest.raises(UnknownName, match="unknown device 'tpu': there are cpu, cuda"):
        search_all([position], None, 1, device="tpu")


def test_trees_have_room_for_all_simulations_of_usual_positions() -> None:
    assert room_on_gpu(WATER, 32, None) == 32 * WIDE + 1
    assert room_on_gpu(DEFENDERS, 32, None) == 32 * DEFENDERS.max_legal + 1, "no position has more moves"
    assert room_on_gpu(WATER, 1, None) == WATER.max_legal + 1, "room for any list of moves"
