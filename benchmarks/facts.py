"""The games in numbers, for researchers: their sizes, how long they take, who beats whom.

`python benchmarks/facts.py [--games N] [--pairs N]` plays what is missing (results are kept in build/facts,
interrupted or not) and writes the tables of docs/research.md; `--quick` writes those that need no matches.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from ladder import played, put

import empedocles
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.arena import Contest, Played, Tally
from empedocles.position import Position
from empedocles.search.limits import Limit
from empedocles.testing.samples import all_options

FOLDER, PAGE = Path("build/facts"), Path("docs/research.md")
BASELINES = ("random", "level-1", "level-3", "level-5")
MIDDLING = BASELINES[-2:]
LIMIT = Limit(simulations=1_000)  # more than any opponent uses
SEED = 2
FEWER = 5  # times fewer matches between opponents with unusual options


class Lengths(NamedTuple):
    """Statistics of matches: one number per match, except branching, which has one per decision."""

    plies: npt.NDArray[Any]
    branching: npt.NDArray[Any]
    draws: npt.NDArray[Any]


def variants(game: Game) -> list[dict[str, Any]]:
    """All combinations of options without readings, on the default board: others do not change the rules."""
    fixed = {option.name: option.default for option in game.options if option.is_reading or option.name == "board"}
    return [options for options in all_options(game) if fixed.items() <= options.items()]


def readings(game: Game) -> list[dict[str, Any]]:
    """The readings that are not usual, each alone, on the default board."""
    boards = {option.name: option.default for option in game.options if option.name == "board"}
    usual = variants(game)
    return [options for options in game.variants() if options not in usual and boards.items() <= options.items()]


def name_of(game: Game, options: dict[str, Any]) -> str:
    named = [f"{name}={value}" for name, value in game.named(options).items() if name != "board"]
    return f"`{game.name}` {' '.join(named)}"


# ── What they are ────────────────────────────────────────────────────────────────────────────────────────────────────


def rules_table() -> list[str]:
    heads = "seats | teams | chance | actions | most legal | longest | state | observation | symmetries"
    rows = [f"| | {heads} |", "|---|" + "---|" * 9]
    return rows + [rules_row(game, options) for game in GAMES.values() for options in variants(game) + readings(game)]


def rules_row(game: Game, options: dict[str, Any]) -> str:
    assert game.view is not None
    seats = Position.start(game, options).seats
    teams = "yes" if game.has_teams and seats > 2 else "no"
    shape = " × ".join(map(str, game.view.shape))
    return (
        f"| {name_of(game, options)} | {seats} | {teams} | {'yes' if game.has_chance else 'no'} "
        f"| {game.actions_with(options):,} | {game.max_legal:,} | {game.max_plies:,} "
        f"| {game.rules.state.itemsize} bytes | {shape} | {len(game.view.symmetries(options))} |"
    )


def planes_table(game: Game) -> list[str]:
    assert game.view is not None
    rows = [f"<details><summary>{game.title}: {len(game.view.planes)} planes</summary>", ""]
    rows += ["| | plane | meaning |", "|---|---|---|"]
    rows += [f"| {k} | {plane.name} | {plane.meaning} |" for k, plane in enumerate(game.view.planes)]
    return [*rows, "", "</details>"]


# ── How they go ──────────────────────────────────────────────────────────────────────────────────────────────────────


def at_random(game: Game, options: dict[str, Any], games: int) -> Lengths:
    batch = empedocles.vector(game.name, games, seed=SEED, auto_reset=False, **options)
    returns, branching = np.zeros((games, batch.seats)), []
    while not batch.done.all():
        branching.append(batch.legal_counts[~batch.done])
        returns += batch.step(batch.random_actions(), check=False).returns
    plies = np.array([batch.plies(i) for i in range(games)])
    return Lengths(plies, np.concatenate(branching), np.ptp(returns, 1) == 0)


def between_opponents(matches: list[Played], game: Game, options: dict[str, Any]) -> Lengths:
    returns = np.array([match.returns for match in matches])
    branching = [count for match in matches for count in choices(match, game, options)]
    plies = np.array([match.plies for match in matches])
    return Lengths(plies, np.array(branching), np.ptp(returns, 1) == 0)


def choices(match: Played, game: Game, options: dict[str, Any]) -> list[int]:
    """The number of legal moves at each decision."""
    played_again = empedocles.new(game.name, chance="manual", **options).play(*match.moves.split())
    on_turn = (position for position in played_again.positions() if position.to_move not in (None, empedocles.CHANCE))
    return [len(position.legal_actions) for position in on_turn]


def lengths_table(games: int, pairs: int) -> list[str]:
    rows = [
        "| | played by | matches | plies: mean | median | longest | decisions | branching: mean | largest | draws |"
    ]
    rows.append("|---|---|" + "---|" * 8)
    for game in GAMES.values():
        for options in variants(game):
            rows.append(lengths_row(name_of(game, options), "random", at_random(game, options, games)))
            matches = middling(game, options, pairs)
            rows.append(lengths_row("", " – ".join(MIDDLING), between_opponents(matches, game, options)))
            print("\n".join(rows[-2:]), flush=True)
        found = ((name_of(game, options), at_random(game, options, games)) for options in readings(game))
        rows += [lengths_row(name, "random", lengths) for name, lengths in found]
    return rows


def lengths_row(name: str, who: str, found: Lengths) -> str:
    matches = len(found.plies)
    return (
        f"| {name} | {who} | {matches:,} | {found.plies.mean():.1f} | {np.median(found.plies):.0f} "
        f"| {found.plies.max():,} | {len(found.branching) / matches:.1f} | {found.branching.mean():.1f} "
        f"| {found.branching.max():,} | {found.draws.mean():.1%} |"
    )


# ── Who beats whom ───────────────────────────────────────────────────────────────────────────────────────────────────


def middling(game: Game, options: dict[str, Any], pairs: int) -> list[Played]:
    """Matches between the middling opponents, taken from the baselines' contest if there is one."""
    if options == game.complete({}):
        return [match for match in baselines(game, pairs)[1] if set(match.seats) == set(MIDDLING)]
    contest = Contest(game.name, options, MIDDLING, LIMIT, SEED)
    name = "-".join([game.name, *map(str, options.values())])
    return played(contest, FOLDER / f"{name}.jsonl", max(2, pairs // FEWER // 2 * 2))


def baselines(game: Game, pairs: int) -> tuple[Contest, list[Played]]:
    contest = Contest(game.name, game.complete({}), BASELINES, LIMIT, SEED)
    return contest, played(contest, FOLDER / f"{game.name}.jsonl", pairs)


def baselines_table(pairs: int) -> list[str]:
    rows = ["| | | " + " | ".join(f"against {name}" for name in BASELINES[:-1]) + " |", "|---|---|" + "---|" * 3]
    for game in GAMES.values():
        tally = Tally(*baselines(game, pairs))
        for row in range(1, len(BASELINES)):
            scores = [scored(tally, row, column) if column < row else "" for column in range(len(BASELINES) - 1)]
            rows.append(f"| {f'`{game.name}`' if row == 1 else ''} | {BASELINES[row]} | {' | '.join(scores)} |")
            print(rows[-1], flush=True)
    return rows


def scored(tally: Tally, row: int, column: int) -> str:
    points, games = tally.points[row, column], int(tally.games[row, column])
    low, high = tally.interval(row, column)
    return f"{points / games:.0%} ({low:.0%} – {high:.0%})"


# ── The page ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def quick_sections() -> dict[str, list[str]]:
    """The sections that need no matches, only the `Game`s."""
    return {"rules": rules_table()} | {f"planes of {name}": planes_table(game) for name, game in GAMES.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only the tables that need no matches")
    parser.add_argument("--games", type=int, default=10_000, help="random matches")
    parser.add_argument("--pairs", type=int, default=100, help="matches of each pair of opponents")
    given = parser.parse_args()
    for section, rows in quick_sections().items():
        put(section, rows, PAGE)
    if not given.quick:
        put("baselines", baselines_table(given.pairs), PAGE)
        put("lengths", lengths_table(given.games, given.pairs), PAGE)


if __name__ == "__main__":
    main()
