"""How long the first search of a game takes to compile, beyond its rules, in a new process with an empty cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from empedocles.games import GAMES

CODE = """
import sys, time
import empedocles
from empedocles.agents import find
from empedocles.search.limits import Limit
position = empedocles.new(sys.argv[1], seed=0).position
position.legal_moves, position.play(position.legal_moves[0]), position.key
start, busy = time.perf_counter(), time.process_time()
find(sys.argv[2]).analyse(position, Limit(simulations=1))
print(f"{time.perf_counter() - start:.1f} s, of which the processor worked {time.process_time() - busy:.1f} s")
"""


def main() -> None:
    for game in GAMES:
        for agent in ("search", "level-3"):
            with tempfile.TemporaryDirectory() as cache:
                environment = os.environ | {"NUMBA_CACHE_DIR": cache}
                command = [sys.executable, "-c", CODE, game, agent]
                found = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
                print(f"{game}, {agent}: {found.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main()
