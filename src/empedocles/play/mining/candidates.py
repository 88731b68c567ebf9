"""Games of the ladder, and their positions that may be puzzles. A game follows from its number."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from empedocles.agents import LadderAgent
from empedocles.agents.searchers import can_be_solved
from empedocles.coach.claims import DEPTH, explain
from empedocles.coach.puzzles import identity
from empedocles.core.kernel import CHANCE
from empedocles.play.match import Match
from empedocles.play.mining.glances import does_most, is_idle, looks_best
from empedocles.play.mining.judging import Effort, Judgement, meets_chance, shortly, solved, standing_out
from empedocles.position import Position
from empedocles.search.limits import Limit

QUICKLY = Limit(simulations=5000)  # for the top level, as where the ladder is measured
TRIES = 8  # of the weakest opponent
OFTEN, SOMETIMES = 1 / 2, 1 / 4  # of them
PER_GAME = 2  # positions of one game look alike


@dataclass(frozen=True)
class Source:
    """A game with its options, from whose matches puzzles are mined."""

    game: str
    options: dict[str, Any]
    levels: tuple[int, int] = (2, 7)  # who plays: weak enough to make mistakes, strong enough to have reasons
    choice: int = 3  # legal moves that a puzzle has at least
    seed: int = 1

    @property
    def name(self) -> str:
        return "-".join([self.game, *map(str, self.options.values())])


@dataclass(frozen=True)
class Candidate:
    """A position that may be a puzzle."""

    id: str
    position: str
    theme: str
    source: str
    goes_on: bool = False  # with another move to find, as far as a short look tells

    @property
    def facts(self) -> dict[str, Any]:
        return asdict(self)


def candidates(source: Source, number: int, effort: Effort) -> list[Candidate]:
    """The candidates in one game, at most a few."""
    found: dict[str, Candidate] = {}  # by answer: two with the same one are one puzzle
    for position, origin in _positions(source, number):
        if len(found) == PER_GAME:
            break
        if (judgement := _promising(position, effort)) and (theme := theme_of(position, judgement)):
            candidate = Candidate(identity(position), position.text, theme, origin, goes_on(position, judgement))
            found.setdefault(judgement.best.move, candidate)
    return list(found.values())


def _positions(source: Source, number: int) -> Iterator[tuple[Position, str]]:
    """The decisions of one game after its last chance move, in any order, with where they come from."""
    seed = source.seed * 1_000_000 + number
    match, named = _played(source, seed)
    history = list(match.history())
    first = max((ply + 1 for ply, (seat, _move) in enumerate(history) if seat == CHANCE), default=0)
    plies = range(first, len(history))
    for ply in random.Random(seed).sample(plies, len(plies)):
        position = match.at(ply)
        if len(position.legal_actions) >= source.choice:
            yield position, f"{named}, seed {seed}, move {ply + 1}"


def _played(source: Source, seed: int) -> tuple[Match, str]:
    """A game between opponents of about the same level, and their names."""
    rng = random.Random(seed)
    match = Match(Position.start(source.game, source.options), seed=seed)
    low, high = source.levels
    first = rng.randint(low, high)
    others = [min(high, max(low, first + rng.randint(-1, 1))) for _ in range(match.position.seats - 1)]
    players = [LadderAgent(level, rng.getrandbits(32)) for level in (first, *others)]
    while match.to_move is not None:
        match.play(players[match.to_move].choose(match.position, QUICKLY))
    return match, " against ".join(f"level-{player.level}" for player in players)


def _promising(position: Position, effort: Effort) -> Judgement | None:
    """What is cheap to find out comes first: most positions are none."""
    if can_be_solved(position):
        found = shortly(position, effort)
        return found if found and not is_trivial(position, found.best.move) and not meets_chance(position) else None
    best = standing_out(position)
    if best is None or is_trivial(position, best) or meets_chance(position):
        return None
    found = shortly(position, effort)
    return found if found and (found.best.move == best or not is_trivial(position, found.best.move)) else None


def goes_on(position: Position, judgement: Judgement) -> bool:
    """Whether there is another move to find, after the right one and the answers that a search expects to it."""
    place = position.play(judgement.best.move)
    for answer in judgement.best.line[1:]:
        if place.to_move == position.to_move and len(place.legal_actions) > 1:
            break
        place = place.play(answer)
    if place.to_move != position.to_move or len(place.legal_actions) == 1:
        return False
    if can_be_solved(place):
        return solved(place) is not None
    best = standing_out(place)
    return best is not None and not is_trivial(place, best)


def is_trivial(position: Position, best: str) -> bool:
    """Whether there is nothing to find: a move that wins at once, that declines something, or that is obvious."""
    return position.play(best).is_over or is_idle(position, best) or is_obvious(position, best)


def is_obvious(position: Position, best: str) -> bool:
    """Whether a glance is enough: the weakest opponent finds the move as often as not, or it clearly looks best.

    A move that does the most at once is obvious as well, unless the weakest opponent hardly ever finds it: there is
    more to it.
    """
    if looks_best(position, best):
        return True
    found = sum(LadderAgent(1, seed).choose(position, QUICKLY) == best for seed in range(TRIES)) / TRIES
    return found >= OFTEN or (found >= SOMETIMES and does_most(position, best))


def theme_of(position: Position, judgement: Judgement) -> str | None:
    """The concept that tells the best move from the second; None if only looking far ahead does."""
    claims = explain(position, judgement.second, judgement.best).claims
    return next((claim.concept for claim in claims if claim.concept != DEPTH), None)
