"""Measure the ladder: each level against the one below, and what its moves lose by the top level's judgement.

`python benchmarks/ladder.py [GAME …] [--games N] [--moves N]` plays what is missing (results are kept in build/ladder,
interrupted or not) and writes the tables of docs/opponents.md.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import zlib
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

import empedocles
from empedocles.agents import SearchAgent
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.analysis import remark
from empedocles.play.arena import Contest, Played, Tally, run
from empedocles.play.results import Results
from empedocles.position import Position
from empedocles.search.limits import Limit

FOLDER, PAGE = Path("build/ladder"), Path("docs/opponents.md")
LEVELS = range(1, 9)
SEED = 1
# Few enough to be repeated: in three seconds, the top level runs about ten times as many.
TOP = {
    "fire-and-water": Limit(simulations=2_000),
    "elemental-defenders": Limit(simulations=1),  # solved
    "ignite-and-flow": Limit(simulations=5_000),
    "points-of-power": Limit(simulations=2_400),
}
MOVES_FROM = 40  # games of each file
LOSSES = (0.02, 0.1, 0.3, 0.6)  # value lost per move: the columns of the table


# ── Who beats whom ───────────────────────────────────────────────────────────────────────────────────────────────────


def contest(game: Game, level: int, options: dict[str, object]) -> Contest:
    agents = f"level-{level}", f"level-{level + 1}"
    return Contest(game.name, game.complete(options), agents, TOP[game.name], SEED)


def pair(game: Game, level: int, games: int, options: dict[str, object]) -> Tally:
    """A level against the next one."""
    match = contest(game, level, options)
    return Tally(match, played(match, results(game, level, options), games))


def results(game: Game, level: int, options: dict[str, object]) -> Path:
    """The file with the games of a level against the next one; a new one whenever either is tuned."""
    opponents = digest(game.opponents[level - 1 : level + 1])
    return FOLDER / f"{'-'.join([game.name, *map(str, options.values()), str(level), opponents])}.jsonl"


def digest(value: object) -> str:
    return f"{zlib.crc32(repr(value).encode()):08x}"


def played(match: Contest, file: Path, games: int) -> list[Played]:
    """`games` games of each pair: those in the file, and new ones."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with Results(file, match) as kept:
        wanted = list(match.tasks(games))
        todo = [task for task in wanted if task.number not in kept.games]
        for game in run(match, todo) if todo else ():
            assert isinstance(game, Played), game
            kept.add(game)
        return [kept.games[task.number] for task in wanted]


def ladder_table(game: Game, games: int, options: dict[str, object]) -> list[str]:
    names = [opponent.name for opponent in game.opponents]
    rows = ["| level | | against the level below | 95 % interval | draws | games |", "|---|---|---|---|---|---|"]
    rows.append(f"| 1 | {names[0]} | | | | |")
    for level in LEVELS[:-1]:
        tally = pair(game, level, games, options)
        points, played, draws = tally.points[1, 0], int(tally.games[1, 0]), tally.draws[1, 0]
        low, high = tally.interval(1, 0)
        rows.append(
            f"| {level + 1} | {names[level]} | {points / played:.1%} | {low:.1%} – {high:.1%} "
            f"| {draws / played:.1%} | {played} |"
        )
        print(game.name, options, rows[-1], flush=True)
    return rows


# ── How much their moves lose ────────────────────────────────────────────────────────────────────────────────────────


def moves_of(game: Game, level: int, number: int) -> list[tuple[str, str]]:
    """`number` moves of a level with their positions, from its games against its neighbours."""
    found: list[tuple[str, str]] = []
    for file in (results(game, below, {}) for below in (level - 1, level) if below in LEVELS[:-1]):
        games = sorted(map(json.loads, file.read_text().splitlines()[1:]), key=lambda played: int(played["number"]))
        for played in games[:MOVES_FROM]:
            match = empedocles.new(game.name, chance="manual").play(*played["moves"].split())
            for ply, (seat, move) in enumerate(match.history()):
                chosen = seat >= 0 and played["seats"][seat] == f"level-{level}"
                if chosen and len(match.at(ply).legal_moves) > 1:
                    found.append((match.at(ply).text, move))
    return random.Random(SEED).sample(found, min(number, len(found)))


def lost(text: str, move: str, limit: Limit) -> float:
    """How much worse a move is than the best one, judged by the top level."""
    return remark(Position(text), 0, move, SearchAgent(SEED), limit).lost


def losses_table(game: Game, number: int) -> list[str]:
    heads = [f"over {loss}" for loss in LOSSES]
    rows = [f"| level | | mean | {' | '.join(heads)} | moves |", "|---|---|---|" + "---|" * (len(LOSSES) + 1)]
    for level in LEVELS:
        moves = moves_of(game, level, number)
        kept = FOLDER / f"{game.name}-lost-{level}-{digest(moves)}.json"
        values = json.loads(kept.read_text()) if kept.exists() else []
        if not values:
            judged = Parallel(n_jobs=-1)(delayed(lost)(*move, TOP[game.name]) for move in moves)
            values = [round(value, 4) for value in judged]
            kept.write_text(json.dumps(values))
        shares = " | ".join(f"{np.mean(np.array(values) > loss):.1%}" for loss in LOSSES)
        name = game.opponents[level - 1].name
        rows.append(f"| {level} | {name} | {np.mean(values):.3f} | {shares} | {len(values)} |")
        print(game.name, rows[-1], flush=True)
    return rows


# ── The page ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def put(section: str, rows: list[str], page: Path = PAGE) -> None:
    """Replace a section of a page, between its two marks."""
    begin, end = f"<!-- {section} -->", f"<!-- end of {section} -->"
    text = page.read_text()
    assert begin in text, f"{page} has no place for {section}"
    page.write_text(re.sub(f"{begin}.*?{end}", lambda _: "\n".join([begin, *rows, end]), text, flags=re.DOTALL))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", choices=[[], *GAMES])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--moves", type=int, default=400)
    parser.add_argument("--players", type=int, help="measure the ladder with so many seats instead")
    given = parser.parse_args()
    for name in given.game or GAMES:
        game, options = GAMES[name], {"players": given.players} if given.players else {}
        put(" ".join([name, "ladder", *map(str, options.values())]), ladder_table(game, given.games, options))
        if not options:
            put(f"{name} losses", losses_table(game, given.moves))


if __name__ == "__main__":
    main()
