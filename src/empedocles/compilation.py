"""Compiling ahead: the one place that does it, keeps note of what is done on this machine, and tells about it.

What there is to compile is a dictionary of uses: a name for whoever waits, and a small use of what is to be compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

from empedocles.core.cache import cache_folder
from empedocles.game import Game
from empedocles.games import leave_out

Uses = Mapping[str, Callable[[Game], object]]
Begin = Callable[[Game, str], None]  # told before each use
Fail = Callable[[Game, Exception], None]  # told about a game that is left out


def use_rules(game: Game) -> None:
    """Call each kernel of the rules once."""
    s = game.start({})
    out = np.empty(game.max_legal, np.int16)
    game.rules.legal(s, out)
    game.rules.play(s, int(out[0]))
    game.rules.scores(s, np.zeros(int(s.seats), np.int32))
    game.rules.returns(s, np.zeros(int(s.seats), np.float32))
    game.rules.key(s)


RULES: Uses = {"the rules": use_rules}


def compile_once(game: Game, uses: Uses = RULES, begin: Begin | None = None) -> None:
    """What has not been compiled on this machine yet, told on standard error unless somebody else is to be told."""
    for name in missing(game, uses):
        (begin or _print)(game, name)
        _compile(game, name, uses)


def missing(game: Game, uses: Uses) -> list[str]:
    """What was never compiled on this machine; nothing where nothing can be kept."""
    return [name for name in uses if (note := _note(game, name)) and not note.exists()]


def compile_each(games: Iterable[Game], uses: Uses, begin: Begin, fail: Fail) -> None:
    """All uses of all games, compiled before or not. A game that cannot be compiled is left out from now on."""
    for game in list(games):
        try:
            for name in uses:
                begin(game, name)
                _compile(game, name, uses)
        except Exception as error:  # of another package's game: the others have nothing to do with it
            leave_out(game.name, f"its rules cannot be compiled: {error}")
            fail(game, error)


def _compile(game: Game, name: str, uses: Uses) -> None:
    uses[name](game)
    if note := _note(game, name):
        note.touch()


def _note(game: Game, name: str) -> Path | None:
    """The file that says that something is compiled; its folder goes with the machine code."""
    folder = cache_folder(game.folder) if hasattr(game.rules.legal, "py_func") else None
    return folder / f"{game.name}.{name.rsplit(maxsplit=1)[-1]}" if folder else None


def _print(game: Game, name: str) -> None:
    print(f"Empedocles: compiling {name} of {game.title} for this machine (once, a few seconds) …", file=sys.stderr)
