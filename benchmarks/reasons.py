"""How true and how helpful the coach is: explained mistakes of weak opponents, in all games and player counts.

python benchmarks/reasons.py --mistakes 2000 --processes 2 --out build/reasons

Each claim is checked by playing its line and asking the game's second referee, not the code of its concepts. Prints,
for each game, false claims (there must be none), how many mistakes have a reason beyond depth, and how the reasons
spread over the concepts. The folder gets all sentences, to be read.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from empedocles.coach.claims import DEPTH
from empedocles.games import find
from empedocles.language import LANGUAGES
from empedocles.testing.claims import check_explanation, mistakes

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from coach.test_claims import FACTS

SOME = 50  # mistakes of one job


class Told(NamedTuple):
    concept: str
    seats: int
    words: tuple[str, ...]  # one for each language
    position: str
    move: str
    better: str
    lost: float
    points: int
    seconds: float  # to explain it, the search not counted
    false: str  # what is wrong with it
    moves: int  # in the line of the main claim, chance moves not counted
    claims: int


def job(name: str, seed: int, number: int) -> list[Told]:
    found = []
    for position, remark, why in mistakes(find(name), number, seed):
        began = time.perf_counter()
        remark.explained(position)
        seconds, false = time.perf_counter() - began, ""
        try:
            check_explanation(position, why, FACTS[name])
        except Exception:
            false = traceback.format_exc()
        words = tuple(why.say(language) for language in LANGUAGES)
        lost = (round(remark.lost, 3), remark.points_lost)
        main = why.claims[0]
        moves = sum(not move.startswith("+") for move in main.line)
        told = Told(
            main.concept,
            position.seats,
            words,
            position.text,
            why.move,
            why.better,
            *lost,
            seconds,
            false,
            moves,
            len(why.claims),
        )
        found.append(told)
    return found


def report(name: str, told: list[Told]) -> None:
    concepts = Counter(one.concept for one in told)
    deep, (most, n) = concepts[DEPTH], concepts.most_common(1)[0]
    slow = sorted(one.seconds for one in told)
    print(f"\n{name}: {len(told)} mistakes, {sum(bool(one.false) for one in told)} with a false claim")
    print(f"  beyond depth: {1 - deep / len(told):.1%}; most frequent: {most} {n / len(told):.1%}")
    farther = sum(one.moves > 1 for one in told) / len(told)
    print(
        f"  {sum(one.claims for one in told)} claims checked; {farther:.1%} of main claims are about what comes later"
    )
    print(f"  seconds to explain: median {slow[len(slow) // 2]:.3f}, largest {slow[-1]:.3f}")
    for seats in sorted({one.seats for one in told}):
        some = [one for one in told if one.seats == seats]
        print(f"  {seats} players: {1 - sum(one.concept == DEPTH for one in some) / len(some):.1%} of {len(some)}")
    print("  " + ", ".join(f"{concept} {n}" for concept, n in concepts.most_common()))
    for one in told:
        if one.false:
            print("  FALSE", one, one.false, sep="\n")
            break


def write(path: Path, told: list[Told]) -> None:
    lines = []
    for one in told:
        lines += [f"## {one.concept}: {one.move}, better {one.better}; lost {one.lost} / {one.points}", one.position]
        lines += [*one.words, ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mistakes", type=int, default=200)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--games", nargs="*", default=list(FACTS))
    parser.add_argument("--out", type=Path, default=Path("build/reasons"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    some = min(SOME, -(-given.mistakes // given.processes))
    with ProcessPoolExecutor(given.processes) as pool:
        for name in given.games:
            job(name, 0, 1)  # compiles what all of them need
            jobs = [pool.submit(job, name, seed, some) for seed in range(1, -(-given.mistakes // some) + 1)]
            told = [one for done in jobs for one in done.result()]
            report(name, told)
            write(given.out / f"{name}.md", told)


if __name__ == "__main__":
    main()
