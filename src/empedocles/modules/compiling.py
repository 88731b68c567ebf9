"""Compile one game's module, in a process of its own: python -m empedocles.modules.compiling GAME FILE."""

# Numba must be told before it hears of the first kernel, hence before the imports below.

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from empedocles.engine.webassembly import Entry, module_of, take_over

if __name__ == "__main__":
    take_over()

from numba.core import types
from numba.np.numpy_support import from_dtype

from empedocles.game import Game
from empedocles.games import find
from empedocles.modules import entries
from empedocles.search.mcts import judges_children

INT, LONG, WORD, REAL = types.int32, types.int64, types.uint64, types.float64


def entries_of(game: Game) -> list[Entry]:
    """What a module of a game offers: the same names and types for all games."""
    state, look, found = (_at(from_dtype(kind)) for kind in (game.rules.state, entries.LOOK, entries.FOUND))
    actions, words = _at(types.int16), _at(WORD)
    simulate = entries.simulate if judges_children(game) else entries.simulate_games
    return [
        Entry("new", entries.new, (state, words, INT)),
        Entry("legal", entries.legal, (state, actions, INT), INT),
        Entry("play", entries.play, (state, INT)),
        Entry("scores", entries.scores, (state, _at(INT), INT)),
        Entry("returns", entries.returns, (state, _at(types.float32), INT)),
        Entry("key", entries.key, (state,), WORD),
        Entry("ending", entries.ending, (state,), INT),
        Entry("playouts", entries.playouts, (state, INT, LONG, _at(INT), actions, INT)),
        Entry("leaves", entries.leaves, (state, actions, _at(LONG), INT, INT), LONG),
        Entry("lay_out", entries.lay_out, (look, INT, INT), INT),
        Entry("simulate", simulate, (look, state, INT, INT), INT),
        Entry("evaluate", entries.evaluate, (look, state)),
        Entry("keep", entries.keep, (look, INT, look, _at(LONG))),
        Entry("children", entries.children, (look,), INT),
        Entry("is_settled", entries.is_settled, (look,), INT),
        Entry("child", entries.child, (look, INT, INT, INT, found)),
        Entry("line", entries.line, (look, INT, actions, INT), INT),
        Entry("form", entries.form, (WORD, REAL), REAL),
        Entry("seen", entries.seen, (WORD, state, REAL, actions, INT), INT),
        Entry("misjudged", entries.misjudged, (WORD, state, INT, INT, REAL), REAL),
        *_solving(game, state, actions),
    ]


def _solving(game: Game, state: Any, actions: Any) -> Iterator[Entry]:
    if game.solve and game.solve.kernel and game.solve.room:
        solve = entries.solve_with(game.solve.kernel, game.solve.room, game.max_legal)
        yield Entry("solve", solve, (state, _at(LONG), actions, state, actions, actions, _at(INT)), INT)


def _at(kind: Any) -> Any:
    return types.CPointer(kind)  # type: ignore[attr-defined]


if __name__ == "__main__":
    name, file = sys.argv[1:]
    Path(file).write_bytes(module_of(entries_of(find(name))))
