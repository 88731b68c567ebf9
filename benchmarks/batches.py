"""Steps per second of batches with random legal actions, beside other libraries' environments, measured in turn:

    python benchmarks/batches.py                          on all cores, beside PettingZoo's connect_four_v3
    python benchmarks/batches.py --device cuda --pgx      on a GPU, beside Pgx, if it is installed

A step is one decision in one environment. "steps": legal actions are listed and one is played; "checked": its legality
is checked too; "masks": all masks are filled after every step; "observations": masks and all planes are.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import empedocles
from empedocles import Batch
from empedocles.games import GAMES

Runner = Callable[[int], None]  # plays this many steps in every environment
PGX_GAMES = ("othello", "hex", "animal_shogi", "go_9x9")
WARM_UP = 200  # steps until environments are at all stages of their games


def ours(batch: Batch, *, check: bool = False, masks: bool = False, observations: bool = False) -> Runner:
    def run(steps: int) -> None:
        for _ in range(steps):
            batch.step(batch.random_actions(), check=check)
            if masks:
                _ = batch.legal_mask
            if observations:
                batch.observe()
        wait(batch)

    return run


def wait(batch: Batch) -> None:
    if batch.device == "cuda":
        from numba import cuda

        cuda.synchronize()


def our_runners(device: str, n: int) -> dict[str, Runner]:
    runners: dict[str, Runner] = {}
    for name, game in GAMES.items():
        batch = empedocles.vector(name, n, device=device)
        ours(batch)(WARM_UP)
        runners[f"{name}, steps"] = ours(batch)
        runners[f"{name}, checked"] = ours(batch, check=True)
        runners[f"{name}, masks"] = ours(batch, masks=True)
        if game.view:
            runners[f"{name}, observations"] = ours(batch, masks=True, observations=True)
        else:
            print(f"{name} offers no observations: not measured")
    return runners


def pettingzoo(observations: bool) -> Runner:
    """One environment: with its own list of legal moves, or with mask and observation as its users get them."""
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.raw_env()
    env.reset()

    def run(steps: int) -> None:
        for k in range(steps):
            if env.terminations[env.agent_selection]:
                env.reset()
            legal = env.last()[0]["action_mask"].nonzero()[0] if observations else env._legal_moves()
            env.step(int(legal[k * 7919 % len(legal)]))

    return run


def pgx_runners(n: int) -> dict[str, Runner]:
    try:
        import pgx  # noqa: F401
    except ImportError as missing:
        print(f"Pgx is not measured: {missing}")
        return {}
    return {f"Pgx {name}, masks and observations": pgx_game(name, n) for name in PGX_GAMES}


def pgx_game(name: str, n: int) -> Runner:
    """Jitted and vectorised, with automatic reset; many steps in one call, so that Python costs nothing."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: int, carried: Any) -> Any:
        state, key = carried
        key, choice, chance = jax.random.split(key, 3)
        action = jax.random.categorical(choice, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
        return step(state, action, jax.random.split(chance, n)), key

    many = jax.jit(lambda carried, steps: jax.lax.fori_loop(0, steps, one, carried))
    carried = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n)), jax.random.PRNGKey(1)

    def run(steps: int) -> None:
        nonlocal carried
        carried = jax.block_until_ready(many(carried, steps))

    return run


def speed(run: Runner, n: int, seconds: float) -> float:
    """Steps per second of all environments; the number of steps is doubled until they take long enough."""
    steps = 1
    while True:
        begin = time.perf_counter()
        run(steps)
        if (spent := time.perf_counter() - begin) > seconds:
            return n * steps / spent
        steps *= 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--environments", type=int, help="4,096 on the CPU, 65,536 on a GPU")
    parser.add_argument("--pgx", action="store_true", help="beside Pgx, too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each measurement, at least")
    given = parser.parse_args()
    n = given.environments or (65_536 if given.device == "cuda" else 4096)
    sizes: dict[str, tuple[Runner, int]] = {name: (run, n) for name, run in our_runners(given.device, n).items()}
    if given.device == "cpu":
        sizes["PettingZoo connect_four_v3, legal moves"] = pettingzoo(observations=False), 1
        sizes["PettingZoo connect_four_v3, mask and observation"] = pettingzoo(observations=True), 1
    if given.pgx:
        sizes |= {name: (run, n) for name, run in pgx_runners(n).items()}
    for run, _ in sizes.values():
        run(2)  # compile
    speeds: dict[str, list[float]] = {name: [] for name in sizes}
    for _ in range(given.rounds):
        for name, (run, size) in sizes.items():
            speeds[name].append(speed(run, size, given.seconds))
    print(f"{n:,} environments on {given.device}: steps/s, the median of {given.rounds} rounds and their range")
    for name, found in speeds.items():
        print(f"{name:50} {statistics.median(found):14,.0f}   {min(found):,.0f} – {max(found):,.0f}")


if __name__ == "__main__":
    main()
