"""Hints: three steps from one look at a position, and each of them is true."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from empedocles.agents import SearchAgent
from empedocles.coach import claims
from empedocles.games import find
from empedocles.language import LANGUAGES, Message
from empedocles.play.hints import OTHERWISE, REASONS, hint
from empedocles.play.match import new
from empedocles.position import Position
from empedocles.search.limits import Limit

GAMES = ("fire-and-water", "elemental-defenders", "ignite-and-flow", "points-of-power")
LOOK = Limit(simulations=800)


def positions(game: str, number: int) -> Iterator[Position]:
    """Positions of random matches, with every number of seats."""
    rng = random.Random(game)
    variants = find(game).variants()
    for k in range(number):
        match = new(game, seed=k, **variants[k % len(variants)])
        for _ in range(rng.randrange(3, 30)):
            if not match.is_over:
                match.play(rng.choice(match.legal_moves))
        if not match.is_over:
            yield match.position


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_says_where_to_look_which_move_and_why(game: str) -> None:
    targets = {target for path in find(game).paths for group in path for target in group}
    for position in positions(game, 8):
        found = hint(position, SearchAgent(), LOOK)
        assert found.move in position.legal_moves
        assert found.targets
        assert set(found.targets) <= targets
        for language in LANGUAGES:
            assert all(step.say(language) and "{" not in step.say(language) for step in found.steps)


@pytest.mark.parametrize("game", GAMES)
def test_a_reason_names_a_legal_move_other_than_the_best(game: str) -> None:
    for position in positions(game, 8):
        found = hint(position, SearchAgent(), LOOK)
        others = [
            position.game.advised(position.state, action)
            for action in position.legal_actions
            if position.game.moves[action] != found.move
        ]
        if "{move}" in found.why.text:
            assert found.why.values["move"] in others


def test_every_claim_can_be_a_reason() -> None:
    said = {value for name, value in vars(claims).items() if name.isupper() and type(value) is str} - {claims.DEPTH}
    assert {text for text in said if "{when}" not in text} == set(REASONS)
    assert {*claims.AFTER_THIS, *claims.AFTER_BETTER, *claims.ELSE} == set(OTHERWISE)


@pytest.mark.parametrize("game", GAMES)
def test_a_reason_speaks_to_the_player_who_is_to_move(game: str) -> None:
    for position in positions(game, 8):
        why = hint(position, SearchAgent(), LOOK).why
        if "{player}" in why.text:
            assert why.values["player"] != position.game.subject(position.seats, position.to_move or 0)


def test_the_only_move_needs_no_reason() -> None:
    match = new("elemental-defenders", seed=4)
    while len(match.legal_moves) > 1:
        match.play(match.legal_moves[0])
    assert hint(match.position, SearchAgent(), LOOK).why == Message("It is the only move.", {})
