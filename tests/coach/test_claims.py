"""Whatever the coach claims is true: each claim is checked by playing its line."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from empedocles.agents import SearchAgent
from empedocles.agents import find as find_agent
from empedocles.coach.claims import DEPTH, Claim, Explanation, explain
from empedocles.coach.lines import deeds
from empedocles.game import Game
from empedocles.games import find
from empedocles.language import LANGUAGES, Message
from empedocles.play.analysis import remark
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

GAMES = ("fire-and-water", "elemental-defenders", "ignite-and-flow", "points-of-power")
EACH = 6  # moves of one match
LOOK = Limit(simulations=1500)


def mistakes(game: Game, number: int, seed: int = 0) -> Iterator[tuple[Position, Explanation]]:
    """Explained mistakes of weak opponents, in matches with every combination of options."""
    rng, found = random.Random(f"{game.name} {seed}"), 0
    for options in itertools.cycle(game.variants()):
        for position, move in rng.sample(played := moves_of_a_match(game, options, rng), min(EACH, len(played))):
            told = remark(position, 0, move, SearchAgent(), LOOK)
            if why := told.explained(position):
                yield position, why
                found += 1
                if found == number:
                    return


def moves_of_a_match(game: Game, options: dict[str, object], rng: random.Random) -> list[tuple[Position, str]]:
    match = Match(Position.start(game, options), seed=rng.getrandbits(32))
    players = [find_agent(f"level-{rng.randint(1, 3)}", rng.getrandbits(32)) for _ in range(match.position.seats)]
    played = []
    while not match.is_over and match.plies < 200:
        here = match.position
        move = players[here.to_move or 0].choose(here, Limit(seconds=5.0))
        if len(here.legal_actions) > 1:
            played.append((here, move))
        match.play(move)
    return played


# ── What must be true ────────────────────────────────────────────────────────────────────────────────────────────────


def check(position: Position, why: Explanation) -> None:
    assert why.move != why.better
    assert 1 <= len(why.claims) <= 2
    for language in LANGUAGES:
        assert "{" not in why.say(language)
    for claim in why.claims:
        check_claim(position, why, claim)
    if "prevents" in why.advice.text:
        check_prevented(position, why)


def check_claim(position: Position, why: Explanation, claim: Claim) -> None:
    """Play the line: what is said to be done is done there, and what a position is said to have, it has."""
    places = [position]
    for move in claim.line:
        places.append(places[-1].play(move))  # refuses what is not legal
    assert claim.line[0] in (why.move, why.better)
    if claim.concept == DEPTH:
        return
    if deed := claim.words.values.get("deed"):
        done = [one.words for idea, one in deeds(places[-2], claim.line[-1]) if idea.name == claim.concept]
        assert deed in done
        named = claim.words.values.get("player")
        mover = position.game.seat_name(position.seats, places[-2].to_move or 0)
        assert named == mover or claim.line[0] == why.better
        if fact := FACTS.get(deed.text):
            assert fact(places[-2], places[-1], deed)
    else:
        check_measure(places[-1], claim)


def check_measure(there: Position, claim: Claim) -> None:
    """Somebody of the name that is said has what is said."""
    (idea,) = [idea for idea in there.game.concepts if idea.name == claim.concept]
    assert idea.measure
    assert idea.words
    names = [there.game.seat_name(there.seats, seat) for seat in range(there.seats)]
    has = [idea.words(int(idea.measure(there.state, seat))) for seat in range(there.seats)]
    assert (claim.words.values["player"], claim.words.values["what"]) in list(zip(names, has, strict=True))


def check_prevented(position: Position, why: Explanation) -> None:
    """No answer to the better move does the same."""
    after, claim = position.play(why.better), why.claims[0]
    for answer in after.legal_actions:
        assert claim.words.values["deed"] not in [one.words for _, one in deeds(after, answer)]


# ── By the rule book, without the concepts' own code ─────────────────────────────────────────────────────────────────


def scores(position: Position) -> list[int]:
    found = np.zeros(position.seats, np.int32)
    position.game.rules.scores(position.state, found)
    return found.tolist()


def fields(position: Position) -> dict[str, str]:
    return dict(word.split("=", 1) for word in position.text.split()[1:])


def temple_is_burnt(before: Position, after: Position, deed: Message) -> bool:
    """IF-7: the square had the other's temple, has fire now, and the taker has one temple more."""
    actor, square = before.to_move or 0, str(deed.values["square"])
    taken = [int(fields(position)["taken"].split("/")[actor]) for position in (before, after)]
    was_there = on(before, square) == "tT"[actor] and on(after, square) == "F"
    return was_there and taken[1] == taken[0] + 1 and deed.values["n"] == 4


def on(position: Position, square: str) -> str:
    """What the text of a position has on a square, rows from the top."""
    rows = fields(position)["board"].split("/")
    row = "".join("." * int(letter) if letter.isdecimal() else letter for letter in rows[-int(square[1])])
    return row[ord(square[0]) - ord("a")]


def land_is_gained(before: Position, after: Position, deed: Message) -> bool:
    """IF-17: points without taken temples."""
    actor = before.to_move or 0
    return land(after)[actor] - land(before)[actor] == int(deed.values["n"])


def land_is_lost(before: Position, after: Position, deed: Message) -> bool:
    other = 1 - (before.to_move or 0)
    return land(before)[other] - land(after)[other] == int(deed.values["n"])


def land(position: Position) -> list[int]:
    taken = [int(number) for number in fields(position)["taken"].split("/")]
    return [score - 4 * number for score, number in zip(scores(position), taken, strict=True)]


FACTS = {
    "burn the temple on {square} ({n} points)": temple_is_burnt,
    "burn the last temple, on {square} ({n} points)": temple_is_burnt,
    "gain {n} squares of land": land_is_gained,
    "found a temple on {square} that owns {n} more squares of land": land_is_gained,
    "destroy {n} squares of land": land_is_lost,
    "cut off {n} squares of land": land_is_lost,
    "join landmasses, so that {n} squares count for nobody": land_is_lost,
}


# ── Tests ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", GAMES)
def test_claims_are_true(name: str) -> None:
    for position, why in mistakes(find(name), 25):
        check(position, why)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_two_thousand_explanations_are_true_and_helpful(name: str) -> None:
    concepts: Counter[str] = Counter()
    for position, why in mistakes(find(name), 2000, seed=1):
        check(position, why)
        concepts[why.claims[0].concept] += 1
    total = concepts.total()
    print(name, concepts.most_common())
    assert concepts[DEPTH] <= 0.1 * total
    assert max(concepts.values()) <= 0.5 * total


def test_a_game_without_concepts_gets_reasons_of_depth() -> None:
    game = replace(find("ignite-and-flow"), concepts=())
    position = Position.of(game, game.start({}))
    first, second = position.legal_moves[:2]
    why = explain(position, Evaluation(first, -0.5, line=(first,)), Evaluation(second, 0.5, line=(second,)))
    assert why.is_deep
    assert why.say().startswith("Only looking far ahead shows it: the chances fall from about 75")


def test_an_agent_that_explains_gives_reasons() -> None:
    position = Match(Position.start("ignite-and-flow")).play("Ec3").play("Tc3").play("Fc4").position
    found = SearchAgent(explains=True).analyse(position, Limit(simulations=500))
    assert not found[0].reasons
    claim, advice = found[-1].reasons
    assert claim.say().endswith(".")
    assert advice.say().startswith("Better: ")
    assert not any(one.reasons for one in SearchAgent().analyse(position, Limit(simulations=100)))
