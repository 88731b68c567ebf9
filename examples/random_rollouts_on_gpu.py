"""Many random matches at once, entirely on a GPU, with PyTorch: the mean return of each seat, and the speed.

python examples/random_rollouts_on_gpu.py points-of-power
python examples/random_rollouts_on_gpu.py ignite-and-flow --device cpu --environments 4096
"""

import argparse
import sys
import time

import torch

import empedocles


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="ignite-and-flow")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    parser.add_argument("--environments", type=int, default=65_536)
    parser.add_argument("--steps", type=int, default=500)
    given = parser.parse_args()
    try:
        batch = empedocles.vector(given.game, given.environments, device=given.device)
    except empedocles.BadValue as why:
        sys.exit(f"{why}\nWithout one: --device cpu")
    # Shared, not copied: every step writes into these.
    returns, done = (torch.as_tensor(array, device=given.device) for array in (batch.returns, batch.done))
    sums, matches = torch.zeros(batch.seats, device=given.device), torch.zeros((), device=given.device)
    batch.step(batch.random_actions())  # compiles
    begin = time.perf_counter()
    for _ in range(given.steps):
        batch.step(batch.random_actions(), check=False)  # random actions are legal: nothing to wait for
        sums += returns.sum(0)
        matches += done.sum()
    ended = int(matches)  # waits for the GPU
    spent = time.perf_counter() - begin
    print(f"{batch}: {ended:,} matches, {given.steps * batch.n / spent:,.0f} steps/s")
    print("a seat's mean return:", " ".join(f"{value:+.4f}" for value in (sums / max(ended, 1)).tolist()))


if __name__ == "__main__":
    main()
