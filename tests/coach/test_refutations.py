"""What is wrong with a move: true, more than a number, and no word about the right move."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from empedocles.agents import SearchAgent
from empedocles.coach.lines import deeds
from empedocles.coach.puzzles import Attempt, Verdict, puzzles
from empedocles.coach.refutations import answered, refutation
from empedocles.games import find
from empedocles.language import LANGUAGES
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

GAMES = ("fire-and-water", "elemental-defenders", "ignite-and-flow", "points-of-power")
LOOK = Limit(simulations=1000)
COSTS = ("Your chances fall", "With best play by both, this costs", "Another move is clearly better")


def wrong_moves(name: str) -> Iterator[tuple[Position, Evaluation, Evaluation]]:
    rng, agent = random.Random(name), SearchAgent()
    for puzzle in rng.sample(list(puzzles(find(name))), 8):
        wrong = [move for move in puzzle.start.legal_moves if Attempt(puzzle).answer(move) is Verdict.WRONG]
        right = agent.judge(puzzle.start, puzzle.line[0], LOOK)
        for move in rng.sample(wrong, min(2, len(wrong))):
            yield puzzle.start, agent.judge(puzzle.start, move, LOOK), right


@pytest.mark.parametrize("name", GAMES)
def test_a_refutation_is_more_than_a_number(name: str) -> None:
    for position, wrong, right in wrong_moves(name):
        words = refutation(position, wrong, right)
        line = answered(position, wrong)
        advised = position.game.advised(position.state, position.action(right.move))
        assert all(advised.say(language) not in words.say(language) for language in LANGUAGES)
        assert not line or not words.say().startswith(COSTS), f"{line[-1].move} is not told"


@pytest.mark.parametrize("name", GAMES)
def test_what_an_answer_does_is_what_it_does(name: str) -> None:
    """The answer is a legal move of another side, and the deed that is told is one of it."""
    for position, wrong, right in wrong_moves(name):
        line, words = answered(position, wrong), refutation(position, wrong, right)
        if not line or "cost" not in words.values:
            continue
        answer, sides = line[-1], position.game.sides(position.seats)
        assert answer.move in answer.before.legal_moves
        assert sides[answer.seat] != sides[position.to_move or 0]
        told = words.values["words"].values
        if "deed" in told and told["player"] == position.game.subject(position.seats, answer.seat):
            line_says = [deed.words for step in line for _idea, deed in deeds(step.before, step.move)]
            assert told["deed"] in line_says or words.values["words"].text.startswith(("Soon", "With"))
