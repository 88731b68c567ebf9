"""Compiling ahead of time: once per machine, with a word to whoever waits.

What to compile is a dictionary of uses: a name to show, and a function that calls what is to be compiled.
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
    """Compile what this machine has not compiled yet, and say so to `begin`, or else on standard error."""
    for name in uncompiled(game, uses):
        (begin or _print)(game, name)
        _compile(game, name, uses)


def uncompiled(game: Game, uses: Uses) -> list[str]:
    """The uses never compiled on this machine; none if machine code cannot be kept."""
    return [name for name in uses if (note := _note(game, name)) and not note.exists()]


def compile_each(games: Iterable[Game], uses: Uses, begin: Begin, fail: Fail) -> None:
    """Compile all uses of all games, whether compiled before or not. A game that fails is left out from now on."""
    for game in list(games):
        try:
            for name in uses:
                begin(game, name)
                _compile(game, name, uses)
        except Exception as error:  # another package's game must not stop the others
            leave_out(game.name, f"its rules cannot be compiled: {error}")
            fail(game, error)


def _compile(game: Game, name: str, uses: Uses) -> None:
    uses[name](game)
    if note := _note(game, name):
        note.touch()


def _note(game: Game, name: str) -> Path | None:
    """The file that marks a use as compiled. It lies with the machine code, and goes with it."""
    folder = cache_folder(game.folder) if hasattr(game.rules.legal, "py_func") else None
    return folder / f"{game.name}.{name.rsplit(maxsplit=1)[-1]}" if folder else None


def _print(game: Game, name: str) -> None:
    print(f"Empedocles: compiling {name} of {game.title} for this machine (once, a few seconds) …", file=sys.stderr)
