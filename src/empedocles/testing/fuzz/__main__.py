"""python -m empedocles.testing.fuzz --seconds 60: see the package."""

from __future__ import annotations

import argparse
import shlex
import sys

from empedocles.testing.fuzz.findings import Finding
from empedocles.testing.fuzz.workers import SIZES, fuzz


def main(words: list[str]) -> int:
    wanted = _read(words)

    def say(finding: Finding) -> None:
        games = ["--games", ",".join(wanted.games)] if wanted.games else []
        more = ["--unchecked"] if wanted.unchecked else []
        again = ["--kinds", finding.kind, "--seed", str(finding.seed), "--rounds", "1", *games, *more]
        print(f"{finding}\n    again: python -m empedocles.testing.fuzz {shlex.join(again)}", flush=True)

    tallies = fuzz(wanted.kinds, wanted.seconds, wanted.seed, wanted.games, not wanted.unchecked, wanted.rounds, say)
    print("\n".join(map(str, tallies)))
    return 1 if any(tally.findings for tally in tallies) else 0


def _read(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m empedocles.testing.fuzz", description="Try damaged input of all kinds.")
    add = parser.add_argument
    add("--seconds", type=float, default=1e9, help="how long; until stopped if neither this nor --rounds is given")
    add("--rounds", type=int, help="how many chunks of each kind")
    add("--seed", type=int, default=0, help="of the first chunk; the next has the next number")
    add("--kinds", type=_kinds, default=list(SIZES), help=f"of {','.join(SIZES)}; all of them if not given")
    add("--games", type=lambda text: text.split(","), default=[], help="names, joined by commas; all if not given")
    add("--unchecked", action="store_true", help="kernels as users have them, without bounds checks")
    return parser.parse_args(words)


def _kinds(text: str) -> list[str]:
    kinds = text.split(",")
    for kind in kinds:
        if kind not in SIZES:
            raise argparse.ArgumentTypeError(f"unknown kind {kind!r}: there are {', '.join(SIZES)}")
    return kinds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
