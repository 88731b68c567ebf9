"""Explained mistakes of weak opponents, and a check of each claim about them by playing its line."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from empedocles.agents import SearchAgent
from empedocles.agents import find as find_agent
from empedocles.coach.claims import DEPTH, Claim, Explanation
from empedocles.coach.lines import deeds
from empedocles.core.kernel import CHANCE
from empedocles.game import Game
from empedocles.language import LANGUAGES, Message
from empedocles.play.analysis import Remark, remark
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Limit

EACH = 6  # moves of one match
WEAK = 4  # the strongest level that makes them
LONG = 200  # decisions after which a match is left
LOOK = Limit(simulations=1500)

# By the text of a deed: whether it was done between two positions, judged without the concept's own code.
Facts = Mapping[str, Callable[[Position, Position, Message], bool]]


class Mistake(NamedTuple):
    position: Position
    remark: Remark
    why: Explanation


def mistakes(game: Game, number: int, seed: int = 0) -> Iterator[Mistake]:
    """Explained mistakes of weak opponents, in matches with every combination of options."""
    rng = random.Random(f"{game.name} {seed}")
    return itertools.islice(_mistakes(game, rng), number)


def _mistakes(game: Game, rng: random.Random) -> Iterator[Mistake]:
    variants = game.variants()
    rng.shuffle(variants)
    for options in itertools.cycle(variants):
        played = _moves_of_a_match(game, options, rng)
        for position, move in rng.sample(played, min(EACH, len(played))):
            told = remark(position, 0, move, SearchAgent(), LOOK)
            if why := told.explained(position):
                yield Mistake(position, told, why)


def _moves_of_a_match(game: Game, options: dict[str, object], rng: random.Random) -> list[tuple[Position, str]]:
    match = Match(Position.start(game, options), seed=rng.getrandbits(32))
    players = [find_agent(f"level-{rng.randint(1, WEAK)}", rng.getrandbits(32)) for _ in range(match.position.seats)]
    played: list[tuple[Position, str]] = []
    while not match.is_over and len(played) < LONG:
        here = match.position
        move = players[here.to_move or 0].choose(here, Limit(seconds=5.0))
        played.append((here, move))
        match.play(move)
    return [(here, move) for here, move in played if len(here.legal_actions) > 1]


# ── What must be true ────────────────────────────────────────────────────────────────────────────────────────────────


def check_explanation(position: Position, why: Explanation, facts: Facts) -> None:
    assert why.move != why.better
    assert 1 <= len(why.claims) <= 2
    for language in LANGUAGES:
        assert "{" not in why.say(language)
    for claim in why.claims:
        check_claim(position, claim, why.move, why.better, facts)
    if "prevents" in why.advice.text:
        _check_prevented(position, why)


def check_claim(position: Position, claim: Claim, move: str, better: str, facts: Facts) -> None:
    """Play the line: what is said to be done is done there, and what a position is said to have, it has."""
    places = [position]
    for one in claim.line:
        assert places[-1].to_move != CHANCE, f"{claim.line} passes a chance move"
        places.append(places[-1].play(one))  # refuses what is not legal
    assert claim.line[0] in (move, better)
    if claim.concept == DEPTH:
        return
    if isinstance(deed := claim.words.values.get("deed"), Message):
        done = [one.words for idea, one in deeds(places[-2], claim.line[-1]) if idea.name == claim.concept]
        assert deed in done
        named = claim.words.values.get("player")
        mover = position.game.subject(position.seats, places[-2].to_move or 0)
        assert named == mover or claim.line[0] == better
        if fact := facts.get(deed.text):
            assert fact(places[-2], places[-1], deed), f"{deed.say()} is not what {claim.line[-1]} does"
    else:
        _check_measure(places[-1], claim)


def _check_measure(there: Position, claim: Claim) -> None:
    """Somebody of the name that is said has what is said."""
    (idea,) = [idea for idea in there.game.concepts if idea.name == claim.concept]
    assert idea.measure
    assert idea.words
    names = [there.game.subject(there.seats, seat) for seat in range(there.seats)]
    has = [idea.words(int(idea.measure(there.state, seat))) for seat in range(there.seats)]
    assert (claim.words.values["player"], claim.words.values["what"]) in list(zip(names, has, strict=True))


def _check_prevented(position: Position, why: Explanation) -> None:
    """No answer to the better move does the same."""
    after, claim = position.play(why.better), why.claims[0]
    for answer in after.legal_actions:
        assert claim.words.values["deed"] not in [one.words for _, one in deeds(after, answer)]
