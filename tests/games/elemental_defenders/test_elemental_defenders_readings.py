"""Every mode and every way to answer, move by move against a referee that shares nothing with the engine."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from conftest import INTERPRETED
from games.elemental_defenders.referee import Referee

from empedocles import CHANCE, Position
from empedocles.games.elemental_defenders import GAME

VARIANTS = [
    (mode, answer) for mode in ("basic", "mediators", "challenge", "advanced") for answer in ("element", "either")
]
FEW = 3 if INTERPRETED else 200


def play(mode: str, answer: str, seed: int) -> Referee:
    """A random match under the eyes of the referee."""
    rng, referee = random.Random(f"{mode} {answer} {seed}"), Referee(mode, answer)
    position = Position.start(GAME, {"mode": mode, "answer": answer})
    while not referee.is_over:
        legal = sorted(referee.legal())
        assert position.legal_moves == legal, position.text
        assert position.to_move == (CHANCE if referee.round == 0 else referee.mover), position.text
        move = choice(rng, referee, legal)
        referee.play(move)
        position = position.play(move)
        assert position.state.scores.tolist() == referee.totals, position.text
    assert position.is_over
    assert position.ending is not None
    assert position.ending.rule == referee.ended_by
    return referee


def choice(rng: random.Random, referee: Referee, legal: list[str]) -> str:
    """A move; more often than not one that the readings are about, or one that makes the round longer."""
    if rng.random() < 0.3 or referee.round == 0:
        return rng.choice(legal)
    return rng.choice([move for move in legal if promotes(referee, move)] or legal)


def promotes(referee: Referee, move: str) -> bool:
    """Whether a move is a mediator, a challenge, an answer by level, or an attack that can be answered."""
    assert referee.mover is not None
    if move[0] == "m":
        return move != "m-"
    if referee.attack:
        return move[0] == referee.attack[0]
    other = referee.hands[1 - referee.mover]
    return any(card[0] == move[0] or card[1] == move[1] for card in other)


@pytest.mark.parametrize(("mode", "answer"), VARIANTS)
def test_every_move_is_as_the_referee_says(mode: str, answer: str) -> None:
    for seed in range(FEW):
        play(mode, answer, seed)


@pytest.mark.long
@pytest.mark.parametrize(("mode", "answer"), VARIANTS)
def test_every_move_of_two_thousand_matches_is_as_the_referee_says(mode: str, answer: str) -> None:
    endings = Counter(play(mode, answer, seed).ended_by for seed in range(2000))
    righteous = {"ED-19"} if mode in ("mediators", "advanced") else set()
    assert set(endings) == {"ED-11", "ED-12"} | righteous, "the matches meet every end"
