"""Whatever the coach claims is true: each claim is checked by playing its line."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from empedocles.agents import SearchAgent
from empedocles.coach.claims import DEPTH, explain
from empedocles.games import find
from empedocles.language import Message
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit
from empedocles.testing.claims import check_explanation, mistakes

GAMES = ("fire-and-water", "elemental-defenders", "ignite-and-flow", "points-of-power")


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
    "cut off {n} squares of land": land_is_lost,
    "join landmasses, making {n} squares count for nobody": land_is_lost,
}


# ── Tests ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", GAMES)
def test_claims_are_true(name: str) -> None:
    for position, _remark, why in mistakes(find(name), 25):
        check_explanation(position, why, FACTS)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_explanations_are_true_and_helpful(name: str) -> None:
    """benchmarks/reasons.py does the same with more of them, on all cores."""
    concepts: Counter[str] = Counter()
    for position, _remark, why in mistakes(find(name), 500, seed=1):
        check_explanation(position, why, FACTS)
        concepts[why.claims[0].concept] += 1
    assert concepts[DEPTH] <= 0.1 * concepts.total()
    assert max(concepts.values()) <= 0.5 * concepts.total()


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
