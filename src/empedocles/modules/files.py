"""The files of a module, and whether they belong to the rules as they are: for whoever offers one.

Apart from what builds them, since a server need not load that.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from empedocles.core.cache import PACKAGE, SHARED, kernel_sources
from empedocles.game import Game

CODE, CARD = "module.wasm", "module.json"


def is_fresh(game: Game, folder: Path | None = None) -> bool:
    """Whether there is a module, made from the sources as they are."""
    folder = folder or game.folder
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        code = (folder / CODE).read_bytes()
    except (OSError, ValueError):
        return False
    return bool(card.get("sources") == sources(game) and card.get("code") == hashlib.sha256(code).hexdigest())


def sources(game: Game) -> str:
    """A digest of all sources that a module depends on, the same on every machine."""
    content = hashlib.sha256()
    for folder in (*SHARED, PACKAGE / "modules", game.folder):
        for file in sorted(kernel_sources(folder)):
            content.update(file.relative_to(folder).as_posix().encode())
            content.update(file.read_text(encoding="utf-8").encode())  # whatever ends its lines
    return content.hexdigest()
