"""Tree searches on a GPU: moves per second with 32 simulations a move, beside mctx with the environments of Pgx.

    python benchmarks/search_on_gpu.py                          all parts that what is installed allows
    python benchmarks/search_on_gpu.py ours --games points-of-power --sizes 4096,16384
    python benchmarks/search_on_gpu.py mctx network --out figures.json

"ours": our search without a network, so that its own speed is seen, in positions from random matches at all stages.
"mctx": `gumbel_muzero_policy`, jitted, on a state's own step function, with a constant network: the same question.
"network": both with a network of the same layers, by PyTorch and by JAX, and the network's share of the time.

Everything is compiled and run once before it is measured; a figure is the median of rounds, with the GPU waited for.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX would take most of the memory for itself

import numpy as np

import empedocles
from empedocles.games import GAMES
from empedocles.search.limits import Limit

SIMULATIONS = 32
SIZES = (1024, 4096, 16384, 65536)
MCTX_SIZES = (1024, 4096, 16384)
PGX_GAMES = ("go_9x9", "animal_shogi")
WARM_UP = 100  # random steps until environments are at all stages of their games
ROUNDS = 3
CHANNELS, LAYERS = 64, 4  # of the network

Row = dict[str, Any]


def median_seconds(run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Of something that waits for the GPU."""
    run()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


# ── Ours ──


def ours(game: str, n: int, policy: Any = None, **options: Any) -> Row:
    """A search of each of n positions, from its start until the actions are known."""
    from numba import cuda

    from empedocles.search.cuda_guided import CudaSearch

    batch = empedocles.vector(game, n, device="cuda", seed=1, **options)
    for _ in range(WARM_UP):
        batch.step(batch.random_actions(), check=False)
    search = CudaSearch(batch, policy, simulations=SIMULATIONS)

    def run() -> None:
        search.begin(batch, seed=2)
        search.run(Limit(simulations=SIMULATIONS))
        search.actions()
        cuda.synchronize()

    seconds = median_seconds(run)
    done, used = search.done.numpy(), search.used.numpy()
    return {
        "what": f"{game}{''.join(f', {value} {name}' for name, value in options.items())}",
        "n": n,
        "seconds": seconds,
        "moves/s": n / seconds,
        "simulations/s": float(done.sum()) / seconds,
        "moves a position": float(batch.legal_counts.numpy().mean()),
        "nodes a tree": float(used.mean()),
        "full trees": int((used > search.nodes - batch.game.max_legal).sum()),  # or nearly so
    }


def our_rows(games: list[str], sizes: list[int]) -> Iterator[Row]:
    for game in games:
        for n in sizes:
            yield from guarded(game, n, functools.partial(ours, game, n))


def guarded(what: str, n: int, measure: Callable[[], Row]) -> Iterator[Row]:
    """A row of figures, or of what went wrong, such as too little memory: the others are worth having all the same."""
    try:
        yield measure()
    except Exception as error:
        yield {"what": what, "n": n, "error": f"{type(error).__name__}: {error}"[:300]}


# ── mctx ──


def mctx_search(name: str, n: int, network: Any = None) -> Callable[[], object]:
    """A compiled search of n positions of a game of Pgx, from its start until the actions are known."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env = pgx.make(name)
    step = jax.vmap(env.step)

    def judged(params: Any, state: Any) -> tuple[Any, Any]:
        if network is None:
            logits, value = jnp.zeros(state.legal_action_mask.shape), jnp.zeros(len(state.terminated))
        else:
            logits, value = network(params, state.observation)
        return jnp.where(state.legal_action_mask, logits, jnp.finfo(jnp.float32).min), value

    def recurrent(params: Any, _key: Any, action: Any, state: Any) -> Any:
        mover = state.current_player
        state = step(state, action)
        logits, value = judged(params, state)
        reward = state.rewards[jnp.arange(n), mover]
        value, discount = (jnp.where(state.terminated, 0.0, x) for x in (value, -1.0))
        return mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value), state

    def search(params: Any, state: Any, key: Any) -> Any:
        logits, value = judged(params, state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        invalid = ~state.legal_action_mask
        return mctx.gumbel_muzero_policy(params, key, root, recurrent, SIMULATIONS, invalid_actions=invalid).action

    state = random_states(env, n)
    params = network.init(state.observation.shape, env.num_actions) if network else ()
    compiled = jax.jit(search).lower(params, state, jax.random.key(0)).compile()
    key = jax.random.key(1)
    return lambda: jax.block_until_ready(compiled(params, state, key))


def random_states(env: Any, n: int, plies: int = 20) -> Any:
    """States of a game of Pgx after random moves."""
    import jax
    import jax.numpy as jnp

    def move(_: Any, carried: Any) -> Any:
        state, key = carried
        key, own = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        return jax.vmap(env.step)(state, jax.random.categorical(own, logits, axis=1)), key

    begin = jax.vmap(env.init)(jax.random.split(jax.random.key(2), n))
    return jax.jit(lambda s, k: jax.lax.fori_loop(0, plies, move, (s, k))[0])(begin, jax.random.key(3))


def mctx_row(name: str, n: int, prepared: Callable[[], object] | None = None) -> Row:
    seconds = median_seconds(prepared or mctx_search(name, n))
    return {"what": f"mctx, {name}", "n": n, "seconds": seconds, "moves/s": n / seconds}


def mctx_rows(sizes: list[int]) -> Iterator[Row]:
    for name in PGX_GAMES:
        for n in sizes:
            yield from guarded(f"mctx, {name}", n, functools.partial(mctx_row, name, n))


# ── With a network ──


class TorchNetwork:
    """Convolutions, and from the last of them logits and a value."""

    def __init__(self, shape: tuple[int, ...], actions: int) -> None:
        import torch
        from torch import nn

        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True  # as JAX does
        planes, rows, columns = shape
        layers: list[Any] = []
        for k in range(LAYERS):
            layers += [nn.Conv2d(CHANNELS if k else planes, CHANNELS, 3, padding=1), nn.ReLU()]
        self.body = nn.Sequential(*layers, nn.Flatten()).cuda()
        self.head = nn.Linear(CHANNELS * rows * columns, actions + 1).cuda()

    def __call__(self, planes: Any) -> tuple[Any, Any]:
        import torch

        with torch.inference_mode():
            found = self.head(self.body(torch.as_tensor(planes, device="cuda")))
            return found[:, 1:].contiguous(), torch.tanh(found[:, 0])


class JaxNetwork:
    """The same layers."""

    def init(self, shape: tuple[int, ...], actions: int) -> Any:
        import jax

        _, rows, columns, planes = shape
        keys = jax.random.split(jax.random.key(0), LAYERS + 1)
        normal = functools.partial(jax.random.normal, dtype=np.float32)
        kernels = [0.05 * normal(keys[k], shape=(3, 3, CHANNELS if k else planes, CHANNELS)) for k in range(LAYERS)]
        return kernels, 0.01 * normal(keys[-1], shape=(CHANNELS * rows * columns, actions + 1))

    def __call__(self, params: Any, observation: Any) -> tuple[Any, Any]:
        import jax

        kernels, head = params
        x = observation.astype(np.float32)
        for kernel in kernels:
            x = jax.nn.relu(
                jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", None, None, ("NHWC", "HWIO", "NHWC"))
            )
        found = x.reshape(len(x), -1) @ head
        return found[:, 1:], jax.numpy.tanh(found[:, 0])


def our_network_row(game: str, n: int) -> Row:
    import torch

    view = GAMES[game].needed_view()
    position = empedocles.new(game).position
    network = TorchNetwork(view.shape, position.n_actions)
    row = ours(game, n, network)
    planes = torch.zeros((n, *view.shape), device="cuda")

    def alone() -> None:
        for _ in range(SIMULATIONS):
            network(planes)
        torch.cuda.synchronize()

    return row | {"what": f"{game} with a network", "share": median_seconds(alone) / row["seconds"]}


def mctx_network_row(name: str, n: int) -> Row:
    import jax
    import pgx

    network, env = JaxNetwork(), pgx.make(name)
    row = mctx_row(name, n, mctx_search(name, n, network))
    observation = random_states(env, n).observation
    params, call = network.init(observation.shape, env.num_actions), jax.jit(network.__call__)

    def alone() -> None:
        for _ in range(SIMULATIONS + 1):
            found = call(params, observation)
        jax.block_until_ready(found)

    return row | {"what": f"mctx, {name} with a network", "share": median_seconds(alone) / row["seconds"]}


def network_rows(games: list[str], n: int = 16384) -> Iterator[Row]:
    if importlib.util.find_spec("torch"):
        for game in games:
            yield from guarded(f"{game} with a network", n, functools.partial(our_network_row, game, n))
    if importlib.util.find_spec("mctx"):
        for name in PGX_GAMES:
            yield from guarded(f"mctx, {name} with a network", n, functools.partial(mctx_network_row, name, n))


# ── Report ──


def shown(row: Row) -> str:
    if "error" in row:
        return f"{row['what']:<40} {row['n']:>7,}  {row['error']}"
    share = f"  network {row['share']:.0%}" if "share" in row else ""
    more = f"  {row['simulations/s'] / 1e6:>7,.2f} M simulations/s" if "simulations/s" in row else ""
    nodes = f"  {row['nodes a tree']:,.0f} nodes, {row['full trees']:,} full" if "nodes a tree" in row else ""
    return f"{row['what']:<40} {row['n']:>7,}  {row['moves/s']:>12,.0f} moves/s{more}{nodes}{share}"


def save(rows: list[Row], file: Path | None) -> None:
    if file:
        file.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["ours", "mctx", "network"])
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--sizes", default="")
    parser.add_argument("--out", type=Path)
    told = parser.parse_args()
    games, sizes = told.games.split(","), [int(size) for size in told.sizes.split(",") if size]
    parts: dict[str, Iterator[Row]] = {
        "ours": our_rows(games, sizes or list(SIZES)),
        "mctx": mctx_rows(sizes or list(MCTX_SIZES)) if importlib.util.find_spec("mctx") else iter(()),
        "network": network_rows(games, *sizes[:1]),
    }
    rows: list[Row] = []
    for part in told.parts:
        for row in parts[part]:
            print(shown(row), flush=True)
            rows.append(row)
            save(rows, told.out)


if __name__ == "__main__":
    main()
