"""One way to ask for a search, whichever method plays a game best."""

from __future__ import annotations

import threading
from typing import Protocol

from empedocles.position import Position
from empedocles.search import mcts
from empedocles.search.limits import Evaluation, Limit


class Search(Protocol):
    """Goes on as long as one lets it, and can be asked at any time."""

    def run(self, limit: Limit, stop: threading.Event | None = None) -> None: ...

    def evaluations(self) -> list[Evaluation]: ...

    def follow(self, position: Position) -> bool: ...


def look(
    position: Position,
    seed: int = 0,
    noise: float = 0.0,
    overlooks: float = 0.0,
    only: str | None = None,
    threads: int = 1,
) -> Search:
    """A search by the method that the game's style names; `only` asks about one move."""
    advice = position.game.advice
    if advice and advice.style.method == "alphabeta":
        raise NotImplementedError
    return mcts.Search(position, seed, noise=noise, overlooks=overlooks, only=only, threads=threads)
