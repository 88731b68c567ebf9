"""Explained mistakes of weak opponents, and a check of each claim about them by playing its line."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import NamedTuple

from empedocles.agents import SearchAgent
from empedocles.agents import find as find_agent
from empedocles.coach import claims
from empedocles.coach.claims import DEPTH, Claim, Explanation
from empedocles.coach.lines import deeds, ends
from empedocles.coach.measures import gone, other_number, what
from empedocles.core.kernel import CHANCE
from empedocles.game import Deed, Game
from empedocles.language import LANGUAGES, Message
from empedocles.play.analysis import Remark, remark
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search import exact
from empedocles.search.limits import Limit

EACH = 6  # moves of one match
WEAK = 4  # the strongest level that makes them
LONG = 200  # decisions after which a match is left
LOOK = Limit(simulations=1500)
DRAWS = 5  # of a line's chance moves that are looked at


class Facts(NamedTuple):
    """What a game's rule book says, without the code of the game's concepts."""

    does: Callable[[Position, str, str, Deed], bool]  # whether a move does what a deed of a concept says
    has: Callable[[Position, int], Mapping[str, int]]  # how much a seat has of what each concept measures
    places: Callable[[Position, int], Mapping[str, set[str]]]  # and where, for concepts that say so
    # Whether the danger that a deed wards off in one position threatens in another, after another move there.
    looms: Callable[[Position, Deed, Position], bool] | None = None


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
    assert 1 <= len(why.sentences) <= 2
    for language in LANGUAGES:
        assert "{" not in why.say(language)
        assert not EXCLUSIVE.search(why.say(language)), why.say(language)
    for claim in why.claims:
        check_claim(position, claim, why.move, why.better, facts)
    if "prevents" in why.advice.text:
        _check_prevented(position, why, facts)
    if points := [words.values["n"] for words in why.sentences if "saves" in words.text or words.text == claims.COSTS]:
        values = exact.values(position)
        assert points == [values[why.better] - values[why.move]]


# Two moves are compared, so nothing may be said of all others.
EXCLUSIVE = re.compile(
    r"\bonly (then|this move|after|with|by)\b|no other move|nothing else|\berst dann\b"
    r"|\bnur (dann|so|damit|dieser Zug|mit|nach)\b|kein anderer Zug|nichts anderes",
    re.IGNORECASE,
)


def check_claim(position: Position, claim: Claim, move: str, better: str, facts: Facts) -> None:
    """Play the lines: what is said to be done is done there, and what positions are said to have, they have.

    However chance moves on the way turn out.
    """
    assert claim.line[0] in (move, better)
    if claim.concept == DEPTH:
        _ = reduce(Position.play, claim.line, position)  # it speaks of chances: one way that luck goes is enough
    elif isinstance(words := claim.words.values.get("deed"), Message):
        other = position.play(better if claim.line[0] == move else move)
        for place in _played(position, claim.line[:-1]):
            _check_deed(place, claim, words, facts, other)
        assert claim.words.text in (MISSED if claim.line[0] == better else ALLOWED)
    else:
        assert {claim.line[0], claim.against[0]} == {move, better}
        assert _decisions(position, claim.line) == _decisions(position, claim.against)
        for place, other in zip(_played(position, claim.line), itertools.cycle(_played(position, claim.against))):
            is_lost = claim.words.text == claims.NO_LONGER
            _check_measure(place, other, claim, facts, position if is_lost else place)
            assert not is_lost or not _chosen(position, claim.line[0]) & set(claim.targets), "the move used it up"


def _check_deed(before: Position, claim: Claim, words: Message, facts: Facts, other: Position) -> None:
    """The last move of a claim's line does what is said, which wards off only what the other move allows."""
    move = claim.line[-1]
    (deed,) = (one for one in _deeds_of(before, claim) if one.words == words)
    assert facts.does(before, move, claim.concept, deed), f"{words.say()} is not what {move} does"
    assert not deed.saves or (facts.looms and facts.looms(before, deed, other)), f"{words.say()} wards off nothing"
    assert claim.seat == before.to_move
    assert claim.targets == deed.targets
    assert claim.words.values["player"] == before.game.subject(before.seats, claim.seat or 0)


MISSED = {claims.COULD, claims.COULD_NEXT, claims.COULD_SOON, claims.COULD_LATER}
ALLOWED = {claims.CAN, claims.CAN_SOON, claims.CAN_LATER}

# By the text of a comparison, whether two numbers are as it says, and whether it is about something good; None: either.
COMPARISONS: Mapping[str, tuple[Callable[[int, int], bool], bool | None]] = {
    claims.HAS_ONLY: (lambda has, other: 0 < has < other, True),
    claims.HAS: (lambda has, other: has > other > 1, True),
    claims.HAS_MORE: (lambda has, other: has > other == 1, True),
    claims.HAS_NOT_SO: (lambda has, other: has > other == 0, True),
    claims.NO_LONGER: (lambda has, other: other > has == 0, None),
    claims.FEARS_ONLY: (lambda has, other: 0 < has < other, False),
    claims.FEARS: (lambda has, other: has > other > 1, False),
    claims.FEARS_MORE: (lambda has, other: has > other == 1, False),
    claims.FEARS_NOT_SO: (lambda has, other: has > other == 0, False),
}


def _played(position: Position, line: tuple[str, ...]) -> list[Position]:
    """Where a line ends, for some ways in which chance moves turn out; in all of them, each move must be legal."""
    places = ends(position, line)
    assert places, f"{line} depends on luck"
    return places[:: -(-len(places) // DRAWS)]


def _chosen(position: Position, move: str) -> frozenset[str]:
    return frozenset[str]().union(*position.game.paths[position.action(move)])


def _decisions(position: Position, line: tuple[str, ...]) -> int:
    number = 0
    for move in line:
        number += position.to_move != CHANCE
        position = position.play(move)
    return number


def _check_measure(there: Position, elsewhere: Position, claim: Claim, facts: Facts, had: Position) -> None:
    """The player who is named has, or had, what is said, there and nowhere else, and the other number elsewhere."""
    (idea,) = [idea for idea in there.game.concepts if idea.name == claim.concept]
    assert claim.seat is not None
    has, other = (facts.has(place, claim.seat)[claim.concept] for place in (there, elsewhere))
    said, (is_so, is_good) = claim.words.values, COMPARISONS[claim.words.text]
    assert said["player"] == there.game.subject(there.seats, claim.seat)
    number = facts.has(had, claim.seat)[claim.concept]
    assert number > 0
    if had is there:
        assert said["what"] == what(idea, had, claim.seat, number)
        assert said["other"] == other_number(idea, other)
    else:
        assert said["gone"] == gone(idea, had, claim.seat, number)
    assert set(claim.targets) == (facts.places(had, claim.seat)[claim.concept] if idea.places else set())
    assert is_so(has, other)
    assert is_good in (idea.worth > 0, None)


def _check_prevented(position: Position, why: Explanation, facts: Facts) -> None:
    """What the opponent does after the move played, no answer to the better move does."""
    claim, after = why.claims[0], position.play(why.better)
    (deed,) = (one for one in _deeds_of(position.play(claim.line[0]), claim) if one.words == claim.words.values["deed"])
    for answer in after.legal_moves:
        assert not _is_fact(after, answer, claim.concept, deed, facts), f"{answer} does it: {deed.words.say()}"


def _deeds_of(before: Position, claim: Claim) -> list[Deed]:
    return [one for idea, one in deeds(before, claim.line[-1]) if idea.name == claim.concept]


def _is_fact(position: Position, move: str, concept: str, deed: Deed, facts: Facts) -> bool:
    """Whether the second referee agrees; one who finds nothing of the kind to count there does not."""
    try:
        return facts.does(position, move, concept, deed)
    except (AssertionError, KeyError, ValueError):
        return False
