"""Compile ahead of time, with a progress bar: every kernel that a command or a match will need."""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Iterable

from rich.markup import escape
from rich.progress import Progress

from empedocles.cli.console import console
from empedocles.compilation import RULES, Uses, compile_each, uncompiled
from empedocles.engine.perft import perft
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.games import all_games, find
from empedocles.play.match import new
from empedocles.position import Position
from empedocles.search.exact import solve
from empedocles.search.limits import Limit
from empedocles.search.mcts import search


def compile_all(games: Iterable[Game]) -> None:
    games, done = list(games), itertools.count()
    with Progress(console=console) as progress:
        task = progress.add_task("Compiling", total=len(games) * len(USES))

        def begin(game: Game, name: str) -> None:
            progress.update(task, description=f"Compiling {name} of {game.title}", completed=next(done))

        def fail(game: Game, error: Exception) -> None:
            progress.console.print(f"[bold]{game.name}[/] is left out: {escape(repr(error))}", soft_wrap=True)

        compile_each(games, USES, begin, fail)
        progress.update(task, description="Compiled", completed=len(games) * len(USES))


def compile_once() -> None:
    """Compile what this machine has not compiled yet."""
    if new := [game for game in all_games().values() if uncompiled(game, USES)]:
        compile_apart(new)


def compile_apart(games: Iterable[Game]) -> None:
    """Compile in another process: a server that compiles keeps a quarter of a gigabyte that it never uses again.

    If that process fails, the server compiles by itself later, and the error is seen.
    """
    process = multiprocessing.get_context("spawn").Process(target=_compile, args=([game.name for game in games],))
    process.start()
    process.join()


def _compile(games: list[str]) -> None:
    compile_all(map(find, games))


def _solve(game: Game) -> None:
    if game.solve:
        solve(new(game.name, seed=0).position)


# One small use of everything compiled; the rules come first.
USES: Uses = {
    **RULES,
    "playouts": lambda game: playouts(Position.start(game), 1),
    "perft": lambda game: perft(Position.start(game), 1),
    "search": lambda game: search(Position.start(game), Limit(simulations=1)),
    "the solver": _solve,
}
