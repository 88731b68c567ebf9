"""One way to ask for a search, whichever method plays a game best."""

from __future__ import annotations

import threading
from typing import Protocol

from empedocles.position import Position
from empedocles.search import alphabeta, mcts
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
    simulations: int = mcts.MOST_NODES,
    method: str | None = None,
) -> Search:
    """A search by the method that the game's style names, unless another is asked for.

    `only` asks about one move. Who knows that there will be few simulations gets a small tree, which is made faster.
    """
    advice = position.game.advice
    if (method or (advice.style.method if advice else "mcts")) == "alphabeta":
        return alphabeta.Search(position, seed, noise, overlooks, only=only)
    nodes = min(mcts.MOST_NODES, (simulations + 1) * position.game.max_legal + 1)
    return mcts.Search(position, seed, noise=noise, overlooks=overlooks, only=only, nodes=nodes, threads=threads)
