"""Opponents and analysts. An agent says what it thinks of each move; choosing is taking the best."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Protocol

from empedocles.agents.searchers import LadderAgent, NetworkAgent, SearchAgent
from empedocles.agents.simple import AlphabetAgent, RandomAgent, TalkativeAgent
from empedocles.core.rng import checked_seed
from empedocles.errors import BadValue, UnknownName
from empedocles.game import Game
from empedocles.games import all_games
from empedocles.games.announcements import announced, load, warn
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

__all__ = [
    "AGENTS",
    "Agent",
    "LadderAgent",
    "NetworkAgent",
    "RandomAgent",
    "SearchAgent",
    "add",
    "agents_for",
    "all_agents",
    "find",
    "ladder",
    "opponents",
]


class Agent(Protocol):
    def choose(self, position: Position, limit: Limit) -> str:
        """The move to play."""
        ...

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        """The moves with their evaluations, the best first."""
        ...


Maker = Callable[[int], Agent]  # from a seed
NETWORK = "net:"  # what the name of an agent begins with that plays with the network of a training run

AGENTS: dict[str, Maker] = {
    "random": RandomAgent,
    "search": SearchAgent,
    "alphabet": lambda _seed: AlphabetAgent(),
    "talkative": lambda _seed: TalkativeAgent(),
}


def opponents(game: Game) -> dict[str, Maker]:
    """A game's opponents by level (`level-1` is the weakest) and by name, in lower case."""
    makers: dict[str, Maker] = {}
    for level, opponent in enumerate(game.opponents, start=1):
        makers[f"level-{level}"] = functools.partial(LadderAgent, level)
        makers[opponent.name.lower()] = functools.partial(LadderAgent, level, game=game.name)
    return makers


@functools.cache
def ladder() -> dict[str, Maker]:
    """The opponents of all games; levels play any of them."""
    return {name: maker for game in all_games().values() for name, maker in opponents(game).items()}


@functools.cache
def all_agents() -> dict[str, Maker]:
    """Our agents and those of other installed packages (entry point group `empedocles.agents`), by name.

    One that cannot be imported is left out, with a warning.
    """
    known = AGENTS | ladder()
    for entry in announced("empedocles.agents"):
        try:
            known[entry.name.lower()] = load(entry)
        except BadValue as error:
            warn(f"the agent {entry.name!r}", error)
    return known


def agents_for(game: Game) -> dict[str, Maker]:
    """The agents that can play a game: its own opponents, and those of no particular game."""
    named = ladder()
    return {name: maker for name, maker in all_agents().items() if named.get(name) is not maker} | opponents(game)


def add(name: str, maker: Maker) -> None:
    """Register an agent that no installed package announces. The maker gets a seed; names ignore case."""
    if all_agents().setdefault(_checked(name), maker) is not maker:
        raise UnknownName(f"there is already an agent {name!r}")


def find(name: str, seed: int = 0, game: Game | None = None) -> Agent:
    """An agent by its name; a seed makes it repeatable. With a game, other games' opponents are unknown.

    `net:FOLDER` searches with the network of a training run.
    """
    if isinstance(name, str) and name.startswith(NETWORK):
        return NetworkAgent(name.removeprefix(NETWORK), checked_seed(seed))
    known = agents_for(game) if game else all_agents()
    if _checked(name) not in known:
        where = f" in {game.title}" if game else ""
        raise UnknownName(f"unknown agent {name!r}{where}: there are {', '.join(known)}")
    return known[_checked(name)](checked_seed(seed))


def _checked(name: object) -> str:
    if not isinstance(name, str):
        raise BadValue(f"the name of an agent is text, not {name!r}")
    return name.lower()
