"""Opponents and analysts. An agent says what it thinks of each move; choosing is taking the best."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Protocol

from empedocles.agents.simple import AlphabetAgent, RandomAgent, TalkativeAgent
from empedocles.agents.thinking import LadderAgent, SearchAgent
from empedocles.errors import UnknownName
from empedocles.games import all_games
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

__all__ = ["AGENTS", "Agent", "LadderAgent", "RandomAgent", "SearchAgent", "all_agents", "find", "ladder"]


class Agent(Protocol):
    def choose(self, position: Position, limit: Limit) -> str:
        """The move to play."""
        ...

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        """The moves with what is known of them, the best first."""
        ...


Maker = Callable[[int], Agent]  # from a seed

AGENTS: dict[str, Maker] = {
    "random": RandomAgent,
    "search": SearchAgent,
    "alphabeta": lambda seed: SearchAgent(seed, method="alphabeta"),  # where there are two sides and no chance
    "alphabet": lambda _seed: AlphabetAgent(),
    "talkative": lambda _seed: TalkativeAgent(),
}


@functools.cache
def ladder() -> dict[str, Maker]:
    """The games' opponents by name, in lower case, and by level for any game: `level-1` is everybody's weakest."""
    makers: dict[str, Maker] = {}
    for game in all_games().values():
        for level, opponent in enumerate(game.advice.opponents if game.advice else (), start=1):
            maker = functools.partial(LadderAgent, level)
            makers |= {f"level-{level}": maker, opponent.name.lower(): maker}
    return makers


@functools.cache
def all_agents() -> dict[str, Maker]:
    """Our agents and those of other installed packages (entry point group `empedocles.agents`), by name."""
    return AGENTS | ladder() | {entry.name: entry.load() for entry in entry_points(group="empedocles.agents")}


def find(name: str, seed: int = 0) -> Agent:
    """An agent by its name; a seed makes it repeatable."""
    known = all_agents()
    if name.lower() not in known:
        raise UnknownName(f"unknown agent {name!r}: there are {', '.join(known)}")
    return known[name.lower()](seed)
