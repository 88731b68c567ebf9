"""How long a picture takes and how large it is, over random matches: `python benchmarks/picture_speed.py`."""

from __future__ import annotations

import statistics
import time

from empedocles.games import GAMES
from empedocles.testing.samples import all_options, random_match


def main() -> None:
    for game in GAMES.values():
        for options in all_options(game):
            match = random_match(game, options, seed=1)
            plies = range(0, len(match.moves) + 1, max(1, len(match.moves) // 100))
            match.draw()  # once, so that the ids of all pieces are known
            seconds, sizes = [], []
            for ply in plies:
                start = time.perf_counter()
                picture = match.draw(ply, targets=match.game.paths[0][0]).for_page
                seconds.append(time.perf_counter() - start)
                sizes.append(len(picture.encode()))
            words = " ".join(f"{name}={value}" for name, value in options.items())
            print(
                f"{game.name} {words}: median {1000 * statistics.median(seconds):.2f} ms, "
                f"slowest {1000 * max(seconds):.2f} ms, largest {max(sizes) / 1000:.1f} kB of {len(plies)} pictures"
            )


if __name__ == "__main__":
    main()
