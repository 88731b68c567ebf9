"""On a page with many games, a failure affects its own game only: it is logged once, and the others are shown."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

from empedocles.game import Game

log = logging.getLogger(__name__)
_told: set[tuple[str, str]] = set()


@contextlib.contextmanager
def alone(game: Game, what: str) -> Iterator[None]:
    """Continue after this block, whatever fails in it: it concerns one game, perhaps another package's."""
    try:
        yield
    except Exception as error:
        if (game.name, what) not in _told:
            _told.add((game.name, what))
            log.warning("%s of the game %s cannot be shown:", what, game.name, exc_info=error)
