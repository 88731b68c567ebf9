"""How fast the coach is: a hint with its reason, and a match of 60 moves explained, in all games and player counts.

python benchmarks/coach_speed.py [--games NAMES] [--matches 2]

Measured in a process of its own, on the functions that a server's jobs are. A hint should take at most a second, a
match 40 seconds on two cores, and its first key moment, a remark with a reason, should be there after 5 seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple

from empedocles.agents import LadderAgent
from empedocles.game import Game
from empedocles.games import GAMES, find
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Limit
from empedocles.server.settings import Settings
from empedocles.server.web.routes.moves import THINKS
from empedocles.server.workers import jobs
from empedocles.server.workers.analyses import GLANCE

MOVES = 60  # decisions of a match
LEVELS = (2, 4, 3, 5)  # who plays it, in this order: some make mistakes
QUICKLY = Limit(simulations=300)
HINTS = 12  # positions of a match in which a hint is asked for


class Times(NamedTuple):
    """Seconds from the beginning, for one match."""

    hints: list[float]
    ordered: float  # until it was clear where to begin
    first: float | None  # until the first key moment; None if there is none
    looked: int  # moves that were looked at until then
    explained: float
    moments: int


def measured(name: str, options: dict[str, Any], seed: int) -> Times:
    match = played(find(name), options, seed)
    due = decisions(match)
    jobs.find_hint(match.at(due[0]).text, THINKS)  # compiles
    hints = [timed(jobs.find_hint, match.at(ply).text, THINKS) for ply in due[:: max(1, len(due) // HINTS)]]
    return explained(match, due, hints)


def played(game: Game, options: dict[str, Any], seed: int) -> Match:
    match = Match(Position.start(game, options), seed=seed)
    players = [LadderAgent(level, seed) for level in LEVELS[: match.position.seats]]
    while match.to_move is not None and len(decisions(match)) < MOVES:
        match.play(players[match.to_move].choose(match.position, QUICKLY))
    return match


def decisions(match: Match) -> list[int]:
    """The plies that are no chance moves."""
    return [ply for ply, (seat, _move) in enumerate(match.history()) if seat in range(match.position.seats)]


def timed(job: Callable[..., object], *work: object) -> float:
    began = time.perf_counter()
    job(*work)
    return time.perf_counter() - began


def explained(match: Match, due: list[int], hints: list[float]) -> Times:
    """As a review does it."""
    script, seconds = (match.start.text, tuple(match.moves)), Settings().analysis_seconds
    began, facts, moments = time.perf_counter(), dict[int, str](), list[tuple[float, int]]()
    order = jobs.where_to_begin(*script, due, GLANCE)
    ordered = time.perf_counter() - began
    for ply in order:
        judged = jobs.consider(match.at(ply).text, ply, match.move(ply + 1), seconds)
        facts[ply] = judged.facts
        if json.loads(judged.said["en"])["reason"]:
            moments.append((time.perf_counter() - began, len(facts)))
    jobs.sum_up(*script, [facts[ply] for ply in due])
    first, looked = moments[0] if moments else (None, len(due))
    return Times(hints, ordered, first, looked, time.perf_counter() - began, len(moments))


def by_players(game: Game) -> Iterator[dict[str, Any]]:
    """Options for each number of players."""
    seen = set[int]()
    for options in game.variants():
        seats = Position.start(game, options).seats
        if seats not in seen:
            seen.add(seats)
            yield options


def report(found: list[Times]) -> None:
    hints = [seconds for one in found for seconds in one.hints]
    print(f"  hint: median {statistics.median(hints):.2f} s, slowest {max(hints):.2f} s of {len(hints)}")
    for one in found:
        first = "none" if one.first is None else f"{one.first:.1f} s, move {one.looked} of those looked at"
        print(
            f"  match explained: {one.explained:.1f} s, order {one.ordered:.1f} s, first key moment {first}, "
            f"{one.moments} in all"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    parser.add_argument("--matches", type=int, default=2)
    given = parser.parse_args()
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for game in map(find, given.games):
            for options in by_players(game):
                submitted = [pool.submit(measured, game.name, options, seed) for seed in range(1, given.matches + 1)]
                found = [done.result() for done in submitted]
                words = " ".join(f"{name}={value}" for name, value in options.items())
                print(f"{game.name} {words} (load {os.getloadavg()[0]:.1f})")
                report(found)


if __name__ == "__main__":
    main()
