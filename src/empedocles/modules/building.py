"""Build the modules: one command, two files in each game's folder, which the wheel contains.

`module.wasm` is the code, `module.json` says what a caller needs to know of it. Both are made where developers work
and where a release is made, never on a player's machine: whatever uses them does without where they are missing, or
where the rules have changed since.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from empedocles.engine.webassembly import check_tools
from empedocles.errors import BadValue
from empedocles.game import Game
from empedocles.modules import entries
from empedocles.modules.files import CARD, CODE, is_fresh, sources
from empedocles.search.mcts import judges_children, style_of

VERSION = 1  # of the interface; a caller refuses another
PROCESSES = 2  # at once: each needs about 400 MB
# For the process that compiles. Numba keeps no machine code where there is no folder: none of it is for a processor.
COMPILING = {"NUMBA_CACHE_DIR": sys.executable, "NUMBA_DISABLE_JIT": "0"}


def build(games: Iterable[Game], into: Path | None = None) -> list[Path]:
    """Build the modules of games, in their folders or in `into`/NAME, where they are missing or too old.

    Returns the folders.
    """
    games = list(games)
    folders = {game.name: into / game.name if into else game.folder for game in games}
    todo = [game for game in games if not is_fresh(game, folders[game.name])]
    if todo:
        check_tools()
    with ThreadPoolExecutor(PROCESSES) as pool:
        list(pool.map(lambda game: _build(game, folders[game.name]), todo))
    return list(folders.values())


def _build(game: Game, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:  # nobody ever reads half a file
        code, card = Path(scratch) / CODE, Path(scratch) / CARD
        command = [sys.executable, "-m", "empedocles.modules.compiling", game.name, str(code)]
        done = subprocess.run(command, env=os.environ | COMPILING, check=False, capture_output=True, text=True)
        if done.returncode:
            raise BadValue(f"the module of {game.title} cannot be built:\n{done.stderr}")
        seals = {"sources": sources(game), "code": hashlib.sha256(code.read_bytes()).hexdigest()}
        card.write_text(json.dumps(card_of(game) | seals, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        for file in (code, card):
            file.replace(folder / file.name)


# ── What callers need to know ────────────────────────────────────────────────────────────────────────────────────────


def card_of(game: Game) -> dict[str, Any]:
    advice, style, usual = game.advice, style_of(game), game.complete({})
    starts = [usual, *(options for options in game.variants() if options != usual)]
    return {
        "version": VERSION,
        "game": game.name,
        "rules": game.rules_version,
        "state": game.rules.state.itemsize,  # bytes: the first three are those of HEADER
        "most": game.max_legal,
        "longest": game.max_plies,
        "moves": game.moves,  # by action
        "starts": [[options, _words(game.encode(options))] for options in starts],  # the first: with the defaults
        "style": {**style._asdict(), "judges": judges_children(game)},
        "opponents": [opponent._asdict() for opponent in game.opponents],
        "features": [advice.features.size, advice.features.most] if advice and advice.features else None,
        "room": game.solve.room._asdict() if game.solve and game.solve.room else None,
        "look": _places(entries.LOOK),
        "found": _places(entries.FOUND),
    }


def _words(options: Any) -> list[str]:
    """As text: JavaScript's numbers have 53 bits."""
    return [str(word) for word in np.asarray(options, np.uint64).tolist()]


def _places(record: np.dtype[Any]) -> dict[str, Any]:
    """Where the fields of a record lie, and of what type they are."""
    assert record.fields is not None
    fields = {name: [offset, kind.str[1:]] for name, (kind, offset, *_) in record.fields.items()}
    return {"size": record.itemsize, "fields": fields}
