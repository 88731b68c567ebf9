"""Benchmarks: random playouts beside OpenSpiel's in the same run, and start-up times in new processes."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
from rich.table import Table

from empedocles.cli.console import console
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.games import all_games, find
from empedocles.position import Position

BATCH = 500  # games between two looks at the clock


def run(names: list[str], seconds: float, startup: bool) -> None:
    chosen = [find(name) for name in names] or list(all_games().values())
    console.print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, one core\n")
    reference = openspiel_plies_per_second(seconds)
    console.print(_playouts(chosen, seconds, reference))
    if startup:
        console.print(_startup(chosen))


def plies_per_second(game: Game, seconds: float) -> tuple[float, float]:
    """Plies per second and plies per game of uniform random playouts, chance plies counted."""
    start = Position.start(game, {})
    playouts(start, 1)
    games, plies, begin = 0, 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        plies += int(playouts(start, BATCH, seed=games).plies.sum())
        games += BATCH
    return plies / spent, plies / games


def openspiel_plies_per_second(seconds: float) -> float | None:
    """OpenSpiel's C++ rollouts of breakthrough inside its MCTS: simulations per second × plies of a random game."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("breakthrough")
    length = _random_length(game.new_initial_state)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)  # the bot does not keep it alive
    simulations, spent = 4096, 0.0
    while spent < seconds:
        simulations *= 2
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 1, False)
        state, start = game.new_initial_state(), time.perf_counter()
        root = bot.mcts_search(state)
        assert root.explore_count >= simulations
        spent = time.perf_counter() - start
    return simulations / spent * length


def _random_length(new_state: Callable[[], object], games: int = 300) -> float:
    rng = np.random.default_rng(1)
    plies = 0
    for _ in range(games):
        state = new_state()
        while not state.is_terminal():  # type: ignore[attr-defined]
            state.apply_action(rng.choice(state.legal_actions()))  # type: ignore[attr-defined]
            plies += 1
    return plies / games


def _playouts(games: list[Game], seconds: float, reference: float | None) -> Table:
    table = Table("Random playouts", "plies/s", "× OpenSpiel", "plies/game", "state bytes")
    if reference:
        table.add_row("OpenSpiel breakthrough, C++ MCTS rollouts", f"{reference / 1e6:.2f} M", "1.00", "", "")
    for game in games:
        speed, length = plies_per_second(game, seconds)
        ratio = f"{speed / reference:.2f}" if reference else "not installed"
        table.add_row(game.title, f"{speed / 1e6:.2f} M", ratio, f"{length:.1f}", str(game.rules.state.itemsize))
    return table


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
    # Without PYTHONPATH: what the reference needs (SciPy, which Numba would import too) is not part of a user's start.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"NUMBA_CACHE_DIR": cache} if cache else {}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start
