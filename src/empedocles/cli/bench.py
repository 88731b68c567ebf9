"""Benchmarks: random playouts beside OpenSpiel's in the same run, and start-up times in new processes."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from rich.table import Table

from empedocles.cli.console import console
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.games import all_games, find
from empedocles.position import Position

BATCH = 500  # games between two looks at the time
SIMULATIONS = 1000  # of one search of the reference: a larger tree would slow it down
ROUNDS = 5  # all are measured in turns, since machines change their speed

Measured = tuple[int, float]  # plies and seconds


def run(names: list[str], seconds: float, startup: bool) -> None:
    chosen = [find(name) for name in names] or list(all_games().values())
    console.print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, one core\n")
    console.print(_playouts(chosen, seconds))
    if startup:
        console.print(_startup(chosen))


def _playouts(games: list[Game], seconds: float) -> Table:
    runners: list[Callable[[float], Measured]]
    runners = [partial(measure_playouts, Position.start(game)) for game in games]
    if reference := openspiel_runner():
        runners.append(reference)
    plies, spent = np.zeros(len(runners)), np.zeros(len(runners))
    for _ in range(ROUNDS):
        for k, runner in enumerate(runners):
            more = runner(seconds / ROUNDS)
            plies[k] += more[0]
            spent[k] += more[1]
    speeds = plies / spent
    table = Table("Random playouts", "plies/s", "× OpenSpiel", "state bytes")
    for game, speed in zip(games, speeds, strict=False):
        ratio = f"{speed / speeds[-1]:.2f}" if reference else "not installed"
        table.add_row(game.title, f"{speed / 1e6:.2f} M", ratio, str(game.rules.state.itemsize))
    if reference:
        table.add_row("OpenSpiel breakthrough, C++ MCTS rollouts", f"{speeds[-1] / 1e6:.2f} M", "1.00", "")
    return table


def measure_playouts(start: Position, seconds: float) -> Measured:
    """Uniform random playouts with all legal moves at every ply, chance plies counted."""
    playouts(start, 1)  # compile, or load what was compiled
    games, plies, begin = 0, 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        plies += int(playouts(start, BATCH, seed=games).plies.sum())
        games += BATCH
    return plies, spent


def openspiel_runner() -> Callable[[float], Measured] | None:
    """OpenSpiel's C++ rollouts of breakthrough inside its MCTS; plies are simulations × plies of a random game."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("breakthrough")
    length = _random_length(game.new_initial_state)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)  # the bot does not keep it alive

    def measure(seconds: float) -> Measured:
        searches, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, searches, False)
            bot.mcts_search(game.new_initial_state())
            searches += 1
        return int(searches * SIMULATIONS * length), spent

    return measure


def _random_length(new_state: Callable[[], Any], games: int = 300) -> float:
    rng = np.random.default_rng(1)
    plies = 0
    for _ in range(games):
        state = new_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
    return plies / games


def _startup(games: list[Game]) -> Table:
    table = Table("Start-up, in a new process", "cold cache", "warm cache")
    table.add_row("import empedocles", "", f"{_timed('import empedocles'):.2f} s")
    for game in games:
        code = f"import empedocles; print(len(empedocles.new({game.name!r}).legal_moves))"
        with tempfile.TemporaryDirectory() as cache:
            cold = _timed(code, cache)
            warm = min(_timed(code, cache) for _ in range(3))
        table.add_row(f"first legal moves of {game.title}", f"{cold:.2f} s", f"{warm:.2f} s")
    return table


def _timed(code: str, cache: str | None = None) -> float:
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start
