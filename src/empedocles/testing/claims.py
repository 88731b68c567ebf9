"""Explained mistakes of weak opponents, and a check of each claim about them by playing its line."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from empedocles.agents import SearchAgent
from empedocles.agents import find as find_agent
from empedocles.coach import claims
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
    """Play the lines: what is said to be done is done there, and what positions are said to have, they have."""
    places = _played(position, claim.line)
    assert claim.line[0] in (move, better)
    if claim.concept == DEPTH:
        return
    if isinstance(deed := claim.words.values.get("deed"), Message):
        done = [one.words for idea, one in deeds(places[-2], claim.line[-1]) if idea.name == claim.concept]
        assert deed in done
        assert claim.seat == places[-2].to_move
        assert claim.words.values["player"] == position.game.subject(position.seats, claim.seat or 0)
        assert claim.words.text in (MISSED if claim.line[0] == better else ALLOWED)
        if fact := facts.get(deed.text):
            assert fact(places[-2], places[-1], deed), f"{deed.say()} is not what {claim.line[-1]} does"
    else:
        assert {claim.line[0], claim.against[0]} == {move, better}
        assert len(claim.against) == len(claim.line)
        _check_measure(places[-1], _played(position, claim.against)[-1], claim)


MISSED = {claims.COULD, claims.COULD_NEXT, claims.COULD_SOON, claims.COULD_LATER}
ALLOWED = {claims.CAN, claims.CAN_SOON, claims.CAN_LATER}

# By the text of a comparison, whether two numbers are as it says, and whether it is about something good.
COMPARISONS: Mapping[str, tuple[Callable[[int, int], bool], bool]] = {
    claims.HAS_ONLY: (lambda has, other: 0 < has < other, True),
    claims.HAS: (lambda has, other: has > other > 1, True),
    claims.HAS_MORE: (lambda has, other: has > other == 1, True),
    claims.HAS_NOT_SO: (lambda has, other: has > other == 0, True),
    claims.FEARS_ONLY: (lambda has, other: 0 < has < other, False),
    claims.FEARS: (lambda has, other: has > other > 1, False),
    claims.FEARS_MORE: (lambda has, other: has > other == 1, False),
    claims.FEARS_NOT_SO: (lambda has, other: has > other == 0, False),
}


def _played(position: Position, line: tuple[str, ...]) -> list[Position]:
    """All positions of a line, which refuses what is not legal."""
    places = [position]
    for one in line:
        assert places[-1].to_move != CHANCE, f"{line} passes a chance move"
        places.append(places[-1].play(one))
    return places


def _check_measure(there: Position, elsewhere: Position, claim: Claim) -> None:
    """The player who is named has what is said, and the other number after the other move."""
    (idea,) = [idea for idea in there.game.concepts if idea.name == claim.concept]
    assert idea.measure
    assert idea.words
    assert claim.seat is not None
    has, other = (int(idea.measure(place.state, claim.seat)) for place in (there, elsewhere))
    said, (is_so, is_good) = claim.words.values, COMPARISONS[claim.words.text]
    assert said["player"] == there.game.subject(there.seats, claim.seat)
    assert said["what"] == idea.words(has)
    assert said["other"] == other
    assert is_so(has, other)
    assert is_good == (idea.worth > 0)


def _check_prevented(position: Position, why: Explanation) -> None:
    """No answer to the better move does the same."""
    after, claim = position.play(why.better), why.claims[0]
    for answer in after.legal_actions:
        assert claim.words.values["deed"] not in [one.words for _, one in deeds(after, answer)]
