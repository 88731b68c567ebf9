"""Opponents and analysts. An agent says what it thinks of each move; choosing is taking the best."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from empedocles.agents import policies
from empedocles.agents.policies import Found, PolicyAgent, search_all
from empedocles.agents.references import Reference, is_reference
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
    "Found",
    "LadderAgent",
    "NetworkAgent",
    "PolicyAgent",
    "RandomAgent",
    "SearchAgent",
    "add",
    "agents_for",
    "all_agents",
    "analyst",
    "find",
    "ladder",
    "need",
    "opponents",
    "origin",
    "rename",
    "search_all",
    "spelled",
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
    if all_agents().setdefault(_checked(name), maker) != maker:
        raise UnknownName(f"there is already an agent {name!r}")


@dataclass(frozen=True)
class _Renamed:
    origin: str

    def __call__(self, seed: int) -> Agent:
        return find(self.origin, seed)


def rename(origin: str, name: str) -> None:
    """Register an agent that has no name of its own, such as `package.module:Class`. It is not looked for yet."""
    add(name, _Renamed(origin))


def find(name: str, seed: int = 0, game: Game | None = None) -> Agent:
    """An agent by its name; a seed makes it repeatable. With a game, other games' opponents are unknown.

    `net:FOLDER` searches with the network of a training run, `onnx:FILE` with one in an ONNX file.
    `package.module:Class` is anybody's class, made with the seed. Its module is imported: check names from strangers by
    `need` first.
    """
    if (maker := _maker(name, game)) is None:
        raise _unknown(name, game)
    return maker(checked_seed(seed))


def analyst(name: str, seed: int = 0, game: Game | None = None) -> Agent:
    """The same, of an agent that says what it thinks, which those of others need not do."""
    agent = find(name, seed, game)
    if not hasattr(agent, "analyse"):
        raise BadValue(f"the agent {name!r} does not say what it thinks: it has no method analyse")
    return agent


def need(name: str, game: Game) -> None:
    """Refuse an agent that does not play a game here under a name of its own. No file is read, nothing is imported."""
    if _checked(name) not in agents_for(game):
        raise _unknown(name, game)


def origin(name: str) -> str:
    """What was renamed to this: other processes find the agent by that. All other names stay."""
    maker = all_agents().get(_checked(name))
    return maker.origin if isinstance(maker, _Renamed) else name


def spelled(name: str) -> str:
    """A name as it is kept: files and classes differ in case, names of their own do not."""
    return name if ":" in name else name.lower()


def _maker(name: str, game: Game | None) -> Maker | None:
    known = agents_for(game) if game else all_agents()
    if maker := known.get(_checked(name)):
        return maker
    if name.startswith(NETWORK):
        return functools.partial(NetworkAgent, name.removeprefix(NETWORK))
    if name.startswith(policies.FILE):
        return functools.partial(policies.of_file, name.removeprefix(policies.FILE))
    return Reference(name) if is_reference(name) else None


def _unknown(name: str, game: Game | None) -> UnknownName:
    where, known = (f" in {game.title}", agents_for(game)) if game else ("", all_agents())
    return UnknownName(f"unknown agent {name!r}{where}: there are {', '.join(known)}")


def _checked(name: object) -> str:
    if not isinstance(name, str):
        raise BadValue(f"the name of an agent is text, not {name!r}")
    return name.lower()
