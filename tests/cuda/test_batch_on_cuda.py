"""Batches on a GPU or Numba's simulator of one: the same as on the CPU, array for array."""

from __future__ import annotations

import copy
import os
import pickle
from typing import Any

import numpy as np
import pytest

import empedocles
from empedocles import Batch
from empedocles.game import Game
from empedocles.testing.samples import all_options, random_match

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def has_gpu() -> bool:
    from numba import cuda

    return bool(cuda.is_available())


pytestmark = pytest.mark.skipif(not SIMULATED and not has_gpu(), reason="needs a GPU; `make test` runs it simulated")
on_a_gpu = pytest.mark.skipif(SIMULATED or not has_gpu(), reason="needs a GPU: simulated ones have no memory to share")

N, STEPS, LOOKS = (2, 40, 1) if SIMULATED else (5_000, 700, 4)


def facts(batch: Batch) -> list[np.ndarray[Any, Any]]:
    arrays = [batch.to_move, batch.returns, batch.done, batch.legal_counts, batch.random_actions()]
    return [array if batch.device == "cpu" else array.numpy() for array in arrays]


def wide_facts(batch: Batch) -> list[np.ndarray[Any, Any]]:
    arrays = [batch.legal_actions, batch.legal_mask, *([batch.observe()] if batch.game.view else [])]
    return [array if batch.device == "cpu" else array.numpy() for array in arrays]


def assert_alike(cpu: Batch, gpu: Batch, look: Any = facts) -> None:
    for one, two in zip(look(cpu), look(gpu), strict=True):
        assert one.dtype == two.dtype
        assert np.array_equal(one, two)


def test_whole_games_are_the_same_as_on_the_cpu(game: Game) -> None:
    for options in all_options(game)[: 2 if SIMULATED else None]:
        cpu, gpu = (empedocles.vector(game.name, N, device=device, seed=9, **options) for device in ("cpu", "cuda"))
        ended = 0
        for step in range(STEPS):
            assert_alike(cpu, gpu)
            if step % (STEPS // LOOKS) == STEPS // LOOKS - 1:
                assert_alike(cpu, gpu, wide_facts)
            cpu.step(cpu.random_actions())
            gpu.step(gpu.random_actions(), check=step % 2 == 0)
            ended += int(cpu.done.sum())
        assert SIMULATED or ended > 0
        assert cpu[N - 1] == gpu[N - 1]
        assert cpu.match_seed(N - 1) == gpu.match_seed(N - 1)
        assert cpu.plies(0) == gpu.plies(0)


def test_finished_games_and_resets_are_the_same_as_on_the_cpu() -> None:
    name = "elemental-defenders"  # the shortest
    cpu, gpu = (empedocles.vector(name, 2, device=device, auto_reset=False) for device in ("cpu", "cuda"))
    while not cpu.done.all():
        cpu.step(cpu.random_actions())
        gpu.step(gpu.random_actions())
        assert_alike(cpu, gpu)
    for change in ("step", "reset_done", "reset", "seed", "seeds"):
        for batch in (cpu, gpu):
            if change == "step":
                batch.step(batch.random_actions())
            elif change == "seed":
                batch.reset(77)
            elif change == "seeds":
                batch.reset([2**64 - 1, 4])
            else:
                getattr(batch, change)()
        assert_alike(cpu, gpu)
        assert_alike(cpu, gpu, wide_facts)


def test_an_illegal_action_changes_no_environment() -> None:
    from numba import cuda

    gpu = empedocles.vector("ignite-and-flow", 3, device="cuda")
    before = [gpu[i] for i in range(3)]
    for kind in (np.int64, np.int32, np.int16):
        actions = gpu.random_actions().numpy().astype(kind)
        actions[1] = 3545
        with pytest.raises(empedocles.BadValue, match=r"environment 1: action 3545 is refused.*IF-4"):
            gpu.step(cuda.to_device(actions))
        assert [gpu[i] for i in range(3)] == before
    legal = gpu.random_actions().numpy().astype(np.int32)
    gpu.step(cuda.to_device(legal))
    assert [gpu[i] for i in range(3)] == [p.play(int(a)) for p, a in zip(before, legal, strict=True)]


def test_actions_of_the_wrong_kind_or_place_are_refused() -> None:
    from numba import cuda

    gpu = empedocles.vector("ignite-and-flow", 3, device="cuda")
    for actions, said in (
        (np.zeros(3, np.int64), r"this batch is on 'cuda', but these actions are on the CPU \(ndarray\)"),
        (cuda.to_device(np.zeros(2, np.int64)), r"shape \(3,\), not \(2,\)"),
        (cuda.to_device(np.zeros(3, np.float32)), "whole numbers, not float32"),
    ):
        with pytest.raises(empedocles.BadValue, match=said):
            gpu.step(actions)
    with pytest.raises(empedocles.BadValue, match="threads are the CPU's"):
        empedocles.vector("ignite-and-flow", 3, device="cuda", threads=2)


def test_arrays_can_be_copied() -> None:
    gpu = empedocles.vector("ignite-and-flow", 3, device="cuda")
    kept = gpu.legal_counts.copy()
    before = kept.numpy()
    gpu.step(gpu.random_actions())
    assert np.array_equal(kept.numpy(), before)
    assert not np.array_equal(gpu.legal_counts.numpy(), before)
    assert len(kept) == 3


def test_a_copy_goes_on_as_its_original_would() -> None:
    gpu = empedocles.vector("elemental-defenders", 3, device="cuda", seed=4)
    for _ in range(4):
        gpu.step(gpu.random_actions())
    twins = [gpu.copy(), copy.deepcopy(gpu), pickle.loads(pickle.dumps(gpu))]
    before = gpu[0]
    for twin in twins:
        twin.step(twin.random_actions())
    assert gpu[0] == before
    gpu.step(gpu.random_actions())
    for twin in twins:
        assert_alike(gpu, twin)
        assert_alike(gpu, twin, wide_facts)
        assert gpu[2] == twin[2]


def test_positions_copies_and_settings_are_the_same_as_on_the_cpu(game: Game) -> None:
    match = random_match(game, all_options(game)[0], 3, plies=24)
    positions = match.positions()[8:20:4]
    cpu, gpu = (empedocles.vector(game.name, positions=positions, device=device, seed=5) for device in ("cpu", "cuda"))
    for _ in range(4):
        assert_alike(cpu, gpu)
        cpu.step(cpu.random_actions())
        gpu.step(gpu.random_actions())
    assert list(cpu) == list(gpu)
    assert np.array_equal(cpu.states(), gpu.states())
    some, others = cpu[[2, 0, 2, -2]], gpu[[2, 0, 2, -2]]
    assert_alike(some, others)
    assert_alike(cpu.gather([1, 1], seed=9), gpu.gather([1, 1], seed=9))
    for batch in (some, others):
        batch[[3, 1]] = positions[:2]
        batch[0] = positions[2].state
        batch.step(batch.random_actions())
    assert_alike(some, others)
    assert_alike(some, others, wide_facts)
    assert_alike(some.reset(), others.reset())
    assert [some.match_seed(k) for k in range(4)] == [others.match_seed(k) for k in range(4)]
    assert list(some) == list(others)


def test_indices_and_seats_may_be_on_the_gpu() -> None:
    from numba import cuda

    cpu, gpu = (empedocles.vector("elemental-defenders", 3, device=device) for device in ("cpu", "cuda"))
    chosen = np.array([2, 2, 0])
    assert_alike(cpu[chosen], gpu[cuda.to_device(chosen)])
    for seats in (1, np.array([1, 0, 1]), cuda.to_device(np.array([1, 0, 1]))):
        expected = cpu.observe(1 if isinstance(seats, int) else [1, 0, 1])
        assert np.array_equal(gpu.observe(seats).numpy(), expected)
    with pytest.raises(empedocles.BadValue, match="this batch is on 'cpu', but these indices are on a GPU"):
        _ = cpu[cuda.to_device(chosen)]
    with pytest.raises(empedocles.BadValue, match="environments are numbered from 0 to 2: there is no 3"):
        _ = gpu[cuda.to_device(np.array([3]))]


def arrays_of(gpu: Batch) -> list[Any]:
    arrays = [gpu.to_move, gpu.returns, gpu.done, gpu.legal_counts, gpu.legal_actions, gpu.legal_mask]
    return [*arrays, *([gpu.observe()] if gpu.game.view else [])]


@on_a_gpu
def test_pytorch_shares_the_arrays(game: Game) -> None:
    torch = pytest.importorskip("torch")
    gpu = empedocles.vector(game.name, 300, device="cuda")
    for array in arrays_of(gpu):
        for tensor in (torch.as_tensor(array, device="cuda"), torch.from_dlpack(array)):
            assert tensor.data_ptr() == array.__cuda_array_interface__["data"][0]
            assert np.array_equal(tensor.cpu().numpy(), array.numpy())
    mask = torch.as_tensor(gpu.legal_mask, device="cuda")
    for _ in range(5):
        gpu.step(torch.multinomial(gpu_mask(gpu, mask).float(), 1).squeeze(1))


def gpu_mask(gpu: Batch, shared: Any) -> Any:
    """The mask as a tensor that was shared before: asking for it brings it up to date."""
    assert gpu.legal_mask.__cuda_array_interface__["data"][0] == shared.data_ptr()
    return shared


@on_a_gpu
def test_jax_shares_the_arrays(game: Game) -> None:
    jax = pytest.importorskip("jax")
    if not any(device.platform == "gpu" for device in jax.devices()):
        pytest.skip("this JAX has no GPU")
    gpu = empedocles.vector(game.name, 300, device="cuda")
    for array in arrays_of(gpu):
        shared = jax.dlpack.from_dlpack(array)
        assert shared.unsafe_buffer_pointer() == array.__cuda_array_interface__["data"][0]
        assert np.array_equal(np.asarray(shared), array.numpy())
    for _ in range(5):
        gpu.step(jax.numpy.argmax(jax.dlpack.from_dlpack(gpu.legal_mask), axis=1))
