"""What fails for one game on a page of many fails for that game alone: it is logged once, and the others are shown."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

from empedocles.game import Game

log = logging.getLogger(__name__)
_told: set[tuple[str, str]] = set()


@contextlib.contextmanager
def alone(game: Game, what: str) -> Iterator[None]:
    """Go on after this part, whatever goes wrong in it: that is a matter of one game, perhaps another package's."""
    try:
        yield
    except Exception as error:
        if (game.name, what) not in _told:
            _told.add((game.name, what))
            log.warning("%s of the game %s cannot be shown:", what, game.name, exc_info=error)
