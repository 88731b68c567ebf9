"""Mine puzzles from games of the ladder, and choose those that are shipped.

python tools/mine_puzzles.py mine [--out build/puzzles] [--processes N] [--seconds S] [--only PART-OF-A-NAME]
python tools/mine_puzzles.py select [--out build/puzzles]        chooses among these and those in the games' folders
python tools/mine_puzzles.py check [--sample 100] [--processes N] [--seconds S]      checks what was written once more

Mining and checking go on where they were when they ended, however they ended: the folder `--out` keeps their work.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import multiprocessing
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from empedocles.coach.puzzles import FILE, Puzzle, puzzles
from empedocles.games import find
from empedocles.play.mining.candidates import Source
from empedocles.play.mining.judging import Effort
from empedocles.play.mining.rechecks import Recheck, rechecked
from empedocles.play.mining.selection import fit, selected, summary, write
from empedocles.play.mining.work import Work, run

# Where a game has many moves, decisions between a few are dull; and where strong opponents rarely leave one good move
# only, weaker ones play. Games of earlier seeds are used up: their puzzles are shipped.
SOURCES = (
    Source("elemental-defenders", {"mode": "basic"}, seed=2),
    Source("elemental-defenders", {"mode": "advanced"}, seed=2),
    Source("ignite-and-flow", {}, levels=(2, 6), choice=10, seed=4),
    Source("points-of-power", {"players": 2}, levels=(2, 4), choice=10, seed=4),
    Source("fire-and-water", {"players": 2}, levels=(2, 5), choice=6, seed=3),
)
MOST, LEAST = 180, 150  # puzzles that are shipped of each source


def main() -> None:
    choices = arguments()
    steps = {"mine": mine, "select": select, "check": check}
    steps[choices.step](choices)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("mine", "select", "check"))
    parser.add_argument("--out", type=Path, default=Path("build/puzzles"), help="folder of the work files")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="when to stop")
    parser.add_argument("--only", default="", help="sources, or games to select and check, by a part of the name")
    parser.add_argument("--target", type=int, default=230, help="puzzles to find for each source: some to choose from")
    parser.add_argument("--simulations", type=int, default=Effort().simulations, help="of each of the long searches")
    parser.add_argument("--nodes", type=int, default=Effort().nodes, help="of a search tree, 50 bytes each")
    parser.add_argument("--sample", type=int, default=100, help="puzzles of each game to check once more")
    return parser.parse_args()


def mine(choices: argparse.Namespace) -> None:
    choices.out.mkdir(parents=True, exist_ok=True)
    effort = Effort(choices.simulations, choices.nodes)
    sources = [source for source in SOURCES if choices.only in source.name]
    works = [Work(choices.out, source, effort, choices.target) for source in sources]
    begun = time.monotonic()
    run(works, choices.processes, choices.seconds, Teller(begun).tell)
    print(*works, sep="\n")


class Teller:
    """Says how far the work is, now and then."""

    def __init__(self, begun: float, every: float = 10.0) -> None:
        self.begun, self.every, self.told = begun, every, 0.0

    def tell(self, words: str) -> None:
        passed = time.monotonic() - self.begun
        if passed - self.told >= self.every:
            print(f"{passed:.0f} s  {words}", flush=True)
            self.told = passed


def select(choices: argparse.Namespace) -> None:
    chosen: dict[str, list[Puzzle]] = defaultdict(list)
    for source in (source for source in SOURCES if choices.only in source.game):  # all sources of a game or none
        found = fit([*shipped(source), *puzzles_in(choices.out / f"{source.name}.jsonl")])
        taken = selected(found, MOST, LEAST)
        print(f"{source.name}: {len(taken)} of {len(found)}\n{summary(taken)}")
        chosen[source.game] += taken
    for game, taken in chosen.items():
        write(find(game).folder / FILE, taken)


def shipped(source: Source) -> list[Puzzle]:
    """The puzzles of a source that are in its game's folder."""
    wanted = source.options.items()
    return [puzzle for puzzle in puzzles(find(source.game)) if wanted <= puzzle.start.options.items()]


def puzzles_in(path: Path) -> list[Puzzle]:
    """What a work file has found so far."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.is_file() else []
    return [Puzzle.of(facts["puzzle"]) for facts in map(json.loads, lines) if facts.get("puzzle")]


# ── Once more ────────────────────────────────────────────────────────────────────────────────────────────────────────


def check(choices: argparse.Namespace) -> None:
    """By the solver, by brute force or by a third long search; names those that do not hold."""
    deadline = time.monotonic() + choices.seconds
    effort = Effort(choices.simulations, choices.nodes)
    choices.out.mkdir(parents=True, exist_ok=True)
    path, samples = choices.out / "checked.jsonl", wanted(choices)
    known = checks_in(path)
    left = [(puzzle, effort) for puzzle in samples if key(puzzle) not in known]
    with multiprocessing.get_context("spawn").Pool(choices.processes) as pool, path.open("a", encoding="utf-8") as file:
        for puzzle, rechecks in pool.imap_unordered(checked_again, left):
            known[key(puzzle)] = rechecks
            print(json.dumps([key(puzzle), rechecks]), file=file, flush=True)
            for recheck in rechecks:
                if not recheck.holds:
                    print(f"{puzzle.game.name}: does not hold: {recheck}", flush=True)
            if time.monotonic() > deadline:
                pool.terminate()
                break
    print(*counts(samples, known), sep="\n")


def wanted(choices: argparse.Namespace) -> list[Puzzle]:
    """A sample of each game. By their ids, so that it hardly changes when a few puzzles are exchanged."""
    return [
        puzzle
        for game in dict.fromkeys(source.game for source in SOURCES)
        for puzzle in sorted(puzzles(find(game)), key=drawn)[: choices.sample]
        if choices.only in game
    ]


def drawn(puzzle: Puzzle) -> bytes:
    return hashlib.sha256(puzzle.id.encode()).digest()


def key(puzzle: Puzzle) -> str:
    """A puzzle whose line has changed is another one."""
    return " ".join([puzzle.id, *puzzle.line])


def checks_in(path: Path) -> dict[str, list[Recheck]]:
    """What a file says about puzzles that were checked before."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {key: [Recheck(*each) for each in rechecks] for key, rechecks in map(json.loads, lines)}


def checked_again(task: tuple[Puzzle, Effort]) -> tuple[Puzzle, list[Recheck]]:
    puzzle, effort = task
    return puzzle, list(rechecked(puzzle, effort))


def counts(samples: Sequence[Puzzle], known: dict[str, list[Recheck]]) -> Iterator[str]:
    """For each game, how many puzzles were checked, and their moves by what checked them."""
    for game, group in itertools.groupby(samples, key=lambda puzzle: puzzle.game.name):
        done = [known[key(puzzle)] for puzzle in group if key(puzzle) in known]
        hold = sum(all(recheck.holds for recheck in rechecks) for rechecks in done)
        how = Counter(recheck.how for rechecks in done for recheck in rechecks)
        moves = ", ".join(f"{number} by {name}" for name, number in how.most_common())
        yield f"{game}: {hold} of {len(done)} puzzles hold; moves checked: {moves or 'none'}"


if __name__ == "__main__":
    main()
