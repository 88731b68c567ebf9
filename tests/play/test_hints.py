"""Hints: three steps from one look at a position, and each of them is true."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from empedocles.agents import SearchAgent
from empedocles.coach import claims
from empedocles.coach.claims import Claim
from empedocles.coach.lines import deeds
from empedocles.coach.puzzles import find as find_puzzle
from empedocles.games import find
from empedocles.language import LANGUAGES, Message
from empedocles.play.hints import OTHERWISE, REASONS, _is_new, _where, _without_reason, hint, why
from empedocles.play.match import new
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

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


@pytest.mark.parametrize("game", GAMES)
def test_no_reason_repeats_the_move(game: str) -> None:
    for position in positions(game, 12):
        for move in position.legal_moves[:20]:
            for _idea, deed in deeds(position, move):
                assert not deed.told or deed.news or deed.told == "{move}" or "risk" in deed.told
                news = Message(deed.news or "", deed.words.values)
                moved = position.game.advised(position.state, position.action(move))
                assert all(moved.say(language) not in news.say(language) for language in LANGUAGES)
                assert "{" not in news.say()


@pytest.mark.parametrize(
    ("game", "puzzle", "move", "new"),
    [
        ("fire-and-water", "00e9db0f", "claim the elemental on g5", "That is worth 2 points."),
        ("fire-and-water", "1e2237dd", "conquer Red's leader on a4", "That is a swing of 4 points."),
        ("ignite-and-flow", "4d457a8f", "place a temple on a5", "It owns four more squares of land."),
        ("elemental-defenders", "018c9c8a", "set no mediator aside", "Then the other has none in this round, either."),
    ],
)
def test_a_reason_says_what_the_words_of_the_move_do_not(game: str, puzzle: str, move: str, new: str) -> None:
    found = find_puzzle(find(game), puzzle)
    position, best = found.start, found.line[0]
    other = next(one for one in position.legal_moves if one != best)
    judged = [Evaluation(best, *found.best, line=(best,)), Evaluation(other, *found.second, line=(other,))]
    assert position.game.advised(position.state, position.action(best)).say() == move
    told = why(position, judged)
    assert told
    assert told.say() == new


@pytest.mark.parametrize(
    ("text", "told", "news", "is_new"),
    [
        (claims.COULD, "{move}", None, False),  # it takes a point of power, and its words say so
        (claims.COULD, "{move} ({n} points)", Message("That is worth {n} points.", {"n": 2}), True),
        (claims.COULD, None, None, True),
        (claims.COULD_NEXT, "{move}", None, True),  # of another move than the one that is told
    ],
)
def test_what_the_words_of_the_move_say_is_no_reason(
    text: str, told: str | None, news: Message | None, is_new: bool
) -> None:
    claim = Claim("point", Message(text, {}), ("a1-b2",), 0, 1.0, told=told, news=news)
    assert _is_new(claim) == is_new


def test_without_words_the_chances_are_a_reason() -> None:
    position = Position.start(find("ignite-and-flow"), {})
    found = [Evaluation("Fc3", 0.5), Evaluation("Ec3", 0.1), Evaluation("Wc3", -0.9)]
    said = _without_reason(position, found).say().replace("\N{NO-BREAK SPACE}", " ")
    assert said == "With another move (place earth on c3), your chances are 60 %, not 95 %."
    assert "about as good" in _without_reason(position, found[:1] * 2).say()


FIRST = (
    "elemental-defenders mode=mediators dealt=MeMaWfWaPePaPwNeNaNw round=1 hands=MeMaWfWaPePaPwNeNaNw/"
    "MfMwWeWwPfKeKfKaKwNf mediators=?/? led=- scores=0/0 to-move=0"
)


def test_a_choice_that_lies_nowhere_is_nothing_to_look_at() -> None:
    position = Position(FIRST)
    found = [_where(position, targets).say() for targets in (("no-mediator",), ("Ma",), ("no-mediator", "Ma"))]
    assert found == [
        "Think about this choice: no mediator.",
        "Look here: Mystic of Air.",
        "Look here: no mediator and Mystic of Air.",
    ]
    assert _where(position, ("no-mediator",)).say("de") == "Denk über diese Möglichkeit nach: keine Vermittlerin."


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
