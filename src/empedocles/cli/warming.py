"""Compile ahead of time: every kernel that a command or a match will need."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from rich.markup import escape
from rich.progress import Progress

from empedocles.cli.console import console
from empedocles.core.cache import cache_folder
from empedocles.engine.perft import perft
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.games import all_games, find, leave_out
from empedocles.play.match import new
from empedocles.position import Position
from empedocles.search.exact import solve
from empedocles.search.limits import Limit
from empedocles.search.mcts import search


def steps(games: Iterable[Game]) -> Iterator[tuple[str, Callable[[], object]]]:
    """What to compile: pairs of a name for progress bars and a function that does it."""
    for game in games:
        for name, use in USES.items():
            yield f"{name} of {game.title}", partial(use, game)
        yield f"{game.title}", partial(_note, game)


def compile_all(games: Iterable[Game]) -> None:
    """With a progress bar. A game that cannot be compiled is left out from now on."""
    todo = {game: list(steps([game])) for game in games}
    with Progress(console=console) as progress:
        task = progress.add_task("Compiling", total=sum(map(len, todo.values())))
        for game, parts in todo.items():
            try:
                for name, compile_it in parts:
                    progress.update(task, description=f"Compiling {name}")
                    compile_it()
                    progress.advance(task)
            except Exception as error:  # of another package's game: the others have nothing to do with it
                leave_out(game.name, f"its rules cannot be compiled: {error}")
                progress.console.print(f"[bold]{game.name}[/] is left out: {escape(repr(error))}", soft_wrap=True)
        progress.update(task, description="Compiled")


def compile_once() -> None:
    """What has not been compiled on this machine yet; nothing, where nothing can be kept."""
    if new := [game for game in all_games().values() if (note := _noted(game)) and not note.exists()]:
        compile_apart(new)


def compile_apart(games: Iterable[Game]) -> None:
    """In a process of its own: a server that has compiled would keep a quarter of a gigabyte that it never uses again.

    Should that process fail, the same happens here, later, and is seen.
    """
    process = multiprocessing.get_context("spawn").Process(target=_compile, args=([game.name for game in games],))
    process.start()
    process.join()


def _compile(games: list[str]) -> None:
    compile_all(map(find, games))


def _noted(game: Game) -> Path | None:
    folder = cache_folder(game.folder) if hasattr(game.rules.legal, "py_func") else None
    return folder / f"{game.name}.warm" if folder else None


def _note(game: Game) -> None:
    if note := _noted(game):
        note.touch()


def _solve(game: Game) -> None:
    if game.solve:
        solve(new(game.name, seed=0).position)


# One small use of everything compiled; the rules come first, and say so by themselves.
USES: dict[str, Callable[[Game], object]] = {
    "the rules": lambda game: Position.start(game, {}),
    "playouts": lambda game: playouts(Position.start(game, {}), 1),
    "perft": lambda game: perft(Position.start(game, {}), 1),
    "search": lambda game: search(Position.start(game, {}), Limit(simulations=1)),
    "the solver": _solve,
}
