"""Measure what opponents are like: what they do to others, what they take at once, what they pass over and risk.

`python benchmarks/characters.py [GAME …] [--games N]` lets neighbours of a ladder play N games each (seats exchanged,
the same shuffles for each pair of games) and writes the figures into the games' opponents.toml and docs/opponents.md.
The strongest level runs as many simulations as in ladder.py. All is counted in the coach's concepts (`Game.concepts`):

attack    things done to somebody else, per 100 moves
takes     decisions, of those where something was on offer, in which it took what was worth most at once, in per cent
misses    of the same decisions, those in which it took nothing at all, in per cent
risk      what its own pieces risk after its moves: measured concepts that are bad to have, by their worth
blunders  moves that lose more than 0.3 by the top level's judgement, in per cent; from ladder.py, by docs/opponents.md
"""

from __future__ import annotations

import argparse
import datetime
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from joblib import Parallel, delayed
from ladder import PAGE, TOP, put

from empedocles.agents import find
from empedocles.coach.lines import deeds
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.opponents import cast_of
from empedocles.play.match import new
from empedocles.position import Position

SEED = 7
EVERY = 3  # of its moves, those that are compared with all others that were legal
WORTHWHILE = 0.5  # the least worth of something on offer
MOST_LEGAL = 60  # moves that are compared; of more, these many, evenly spread


@dataclass
class Counts:
    """What one opponent did in some games."""

    moves: int = 0
    attacks: int = 0
    offers: int = 0
    taken: int = 0
    missed: int = 0
    risk: float = 0.0
    concepts: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def __iadd__(self, other: Counts) -> Counts:
        for name in ("moves", "attacks", "offers", "taken", "missed", "risk"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name, number in other.concepts.items():
            self.concepts[name] += number
        return self

    def figures(self) -> dict[str, float]:
        return {
            "moves": self.moves,
            "attack": round(100 * self.attacks / self.moves, 1),
            "takes": round(100 * self.taken / max(1, self.offers), 1),
            "misses": round(100 * self.missed / max(1, self.offers), 1),
            "risk": round(self.risk / self.moves, 3),
        }


def worth(position: Position, action: int) -> float:
    return sum(deed.worth for _idea, deed in deeds(position, action))


def risked(position: Position, seat: int) -> float:
    """What a seat has that is bad to have."""
    bad = (idea for idea in position.game.concepts if idea.measure and idea.worth < 0)
    return sum(-idea.worth * int(idea.measure(position.state, seat)) for idea in bad if idea.measure)


def count(counts: Counts, position: Position, move: str) -> None:
    """Add one move."""
    done, seat = deeds(position, move), position.to_move or 0
    counts.moves += 1
    counts.attacks += sum(deed.victim not in (None, seat) for _idea, deed in done)
    for idea, _deed in done:
        counts.concepts[idea.name] += 1
    counts.risk += risked(position.play(move), seat)
    legal = position.legal_actions
    if counts.moves % EVERY or len(legal) < 2:
        return
    step = max(1, len(legal) // MOST_LEGAL)
    gained = sum(deed.worth for _idea, deed in done)
    best = max(gained, *(worth(position, action) for action in legal[::step]))
    if best >= WORTHWHILE:
        counts.offers += 1
        counts.taken += gained >= best - 1e-9
        counts.missed += gained < min(WORTHWHILE, best / 2)


def played(game: str, below: int, number: int) -> tuple[Counts, Counts]:
    """One game of a level against the next one; in games with even numbers the lower level has the first seat."""
    found, match = GAMES[game], new(game, seed=SEED + number // 2)
    levels = (below, below + 1) if number % 2 == 0 else (below + 1, below)
    agents = [find(f"level-{level}", seed=SEED + 100 * number + level, game=found) for level in levels]
    counts = {level: Counts() for level in levels}
    while not match.is_over:
        seat = match.to_move or 0
        position, move = match.position, agents[seat].choose(match.position, TOP[game])
        count(counts[levels[seat]], position, move)
        match.play(move)
    return counts[below], counts[below + 1]


def measured(game: Game, games: int) -> list[Counts]:
    """What each opponent did, the weakest first."""
    totals = [Counts() for _ in game.opponents]
    tasks = [(below, number) for below in range(1, len(totals)) for number in range(games)]
    found = Parallel(n_jobs=2)(delayed(played)(game.name, below, number) for below, number in tasks)
    for (below, _number), (lower, upper) in zip(tasks, found, strict=True):
        totals[below - 1] += lower
        totals[below] += upper
    return totals


def with_blunders(game: Game, rows: list[dict[str, float]]) -> list[dict[str, float]]:
    section = PAGE.read_text(encoding="utf-8").partition(f"<!-- {game.name} losses -->")[2]
    shares = {
        name: float(share) for name, share in re.findall(r"\| ([A-Z]\w+) \|(?: [^|]+ \|){3} ([\d.]+)% \|", section)
    }
    return [row | {"blunders": shares[one.name]} for one, row in zip(game.opponents, rows, strict=True)]


def scores(rows: list[dict[str, float]]) -> Iterator[dict[str, float]]:
    """How far each figure is from the ladder's mean, in standard deviations."""
    names = [name for name in rows[0] if name != "moves"]
    means = {name: np.mean([row[name] for row in rows]) for name in names}
    spreads = {name: np.std([row[name] for row in rows]) or 1.0 for name in names}
    for row in rows:
        yield {name: round(float((row[name] - means[name]) / spreads[name]), 1) for name in names}


def write(game: Game, rows: list[dict[str, float]], games: int) -> None:
    """Replace the figures of opponents.toml."""
    path = game.folder / "opponents.toml"
    text = path.read_text(encoding="utf-8")
    for opponent, row in zip(game.opponents, rows, strict=True):
        figures = ", ".join(f"{name} = {value:g}" for name, value in row.items())
        mark = re.compile(rf'(name = "{opponent.name}"\n(?:(?!\[\[).*\n)*?figures = ).*')
        text = mark.sub(rf"\g<1>{{ {figures} }}", text, count=1)
    note = f"{datetime.date.today()}: {games} games against each neighbour, seeds from {SEED}"
    path.write_text(re.sub(r"^measured = .*", f'measured = "{note}"', text, flags=re.MULTILINE), encoding="utf-8")


def table(game: Game) -> list[str]:
    """The figures of opponents.toml, with the lines about the opponents, for the page."""
    names = ("attack", "takes", "misses", "risk", "blunders")
    rows = [f"| | character | how to beat it | {' | '.join(names)} |", "|---|---|---|" + "---|" * len(names)]
    cast_of.cache_clear()
    for one in cast_of(game).characters:
        figures = " | ".join(f"{one.figures[name]:g}" for name in names)
        rows.append(f"| {one.name} | {one.line()} | {one.beaten()} | {figures} |")
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=list(GAMES), choices=[*GAMES, []])
    parser.add_argument("--games", type=int, default=20, help="of each level against the next one (default: 20)")
    asked = parser.parse_args()
    for name in asked.game:
        counted = measured(GAMES[name], asked.games)
        rows = with_blunders(GAMES[name], [one.figures() for one in counted])
        for opponent, one, row, score in zip(GAMES[name].opponents, counted, rows, scores(rows), strict=True):
            print(f"{name} {opponent.name:12} {row} z {score} {dict(one.concepts)}", flush=True)
        write(GAMES[name], rows, asked.games)
        put(f"{name} characters", table(GAMES[name]))
