"""Fire & Water for people: clicks, words, and what a position is said to be."""

from __future__ import annotations

import random

import pytest

from empedocles import Position, new
from empedocles.games.fire_and_water import GAME
from empedocles.play.partial import Partial
from empedocles.testing.samples import random_match

BOARD = "fire-and-water board=chessboard"
SETUP = f"{BOARD} elementals=c3 to-move=1"
REVEALING = f"{BOARD} elementals=b2,b7,g2 hands=F1W1,F1W2/- to-move=chance"
# Around e5, a water square: 3 and 1 of Red, 2 and 3 of Green
STAR = f"{BOARD} markers=F1e7W3e6,F1g5W1f5/F1e3W2e4,F2c5W3d5 hands=F4W1,F4W3,F4W4/F1W1,F4W3,F4W4"
TURN = f"{STAR} elementals=b2,b7,g2"
CONQUEST = f"{TURN} leaders=e5/- to-move=1"
CLAIM = f"{STAR} elementals=b2,b7,e5 leaders=h2/- to-move=0"


@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        (SETUP, "Ee5", "Green places an elemental on e5"),
        (REVEALING, "+F4W3", "Red's marker fire 4, water 3 is revealed"),
        (f"{TURN} to-move=0", "F4c3W3c4", "Red lays fire 4 on c3 and water 3 on c4"),
        (f"{TURN} to-move=1", "Lb5", "Green places the leader on b5"),
        (f"{TURN} to-move=1", "Pe5", "Green takes possession of e5"),
        (CONQUEST, "Pe5", "Green takes possession of e5 and conquers Red's leader"),
        (CLAIM, "Ce5", "Red claims the elemental on e5"),
        (f"{TURN} to-move=1", "pass", "Green passes"),
    ],
)
def test_words(position: str, move: str, words: str) -> None:
    assert Position(position).words(move).say() == words
    if move != "pass":
        assert Position(position).play(move)


@pytest.mark.parametrize(
    ("position", "move", "targets"),
    [
        (SETUP, "Ee5", ["e5"]),
        (REVEALING, "+F4W3", ["F4W3"]),
        (f"{TURN} to-move=0", "F4c3W3c4", ["F4W3", "c3", "c4"]),
        (f"{TURN} to-move=0", "F4c4W3c3", ["F4W3", "c4", "c3"]),
        (f"{TURN} to-move=1", "Lb5", ["leader", "b5"]),
        (CONQUEST, "Pe5", ["e5"]),
        (CLAIM, "Ce5", ["e5"]),
    ],
)
def test_clicks(position: str, move: str, targets: list[str]) -> None:
    entry = Partial(Position(position))
    for target in targets:
        assert entry.move is None
        entry = entry.choose(target)
    assert entry.move == move


def test_targets_have_names() -> None:
    names = [GAME.target(target).say() for target in ("F4W3", "leader", "pass", "c3")]
    assert names == ["marker fire 4, water 3", "the leader", "pass", "c3"]


def test_seats_have_the_names_of_their_colours() -> None:
    assert [GAME.seat_name(4, seat).say() for seat in range(4)] == ["Red", "Green", "Gold", "Violet"]


def status(position: Position) -> list[str]:
    assert GAME.interface
    return [line.say() for line in GAME.interface.status(position.state)]


def test_status_tells_what_each_seat_has() -> None:
    red, green, due = status(Position(CONQUEST).play("Pe5"))
    assert red == "Red: -2 points, 20 tokens left, leader conquered, revealed: F4W1 F4W3 F4W4, face-down: 11"
    assert green == "Green: 0 points, 18 tokens left, leader not placed, revealed: F1W1 F4W3 F4W4, face-down: 11"
    assert due == "Red to choose: a marker"
    assert "leader on h2" in status(Position(CLAIM))[0]


@pytest.mark.parametrize(
    ("position", "due"),
    [
        (SETUP, "Green places an elemental; left: 2"),
        (REVEALING, "A marker of Red is revealed"),
        (CLAIM, "Red to choose: a marker or an elemental to claim"),
    ],
)
def test_status_tells_what_is_due(position: str, due: str) -> None:
    assert status(Position(position))[-1] == due


def test_a_last_turn_that_allows_claims() -> None:
    options = {"players": 2, "board": "medallion", "finale": "claims"}
    turns = [
        position
        for seed in range(20)
        for position in random_match(GAME, options, seed).positions()
        if "last=-" not in position.text and not position.is_over
    ]
    last = "Last turn of {}, as no marker fits any more: a token, an elemental or a pass"
    assert {status(turn)[-1] for turn in turns} == {last.format(seat) for seat in ("Red", "Green")}
    turn, claim = next((turn, move) for turn in turns for move in turn.legal_moves if move[0] == "C")
    assert turn.words(claim).say() == f"{('Red', 'Green')[turn.to_move or 0]} claims the elemental on {claim[1:]}"
    assert Partial(turn).choose(claim[1:]).move == claim
    assert ">a token, an elemental or a pass each, then the game ends<" in turn.draw().markup


def test_status_of_the_last_turns_and_the_end() -> None:
    match, said = new("fire-and-water", seed=1), set()
    while not match.is_over:
        match.play(match.legal_moves[0])
        said.add(status(match.position)[-1])
    last = "Last turn of {}, as no marker fits any more: a token or a pass"
    assert said & {last.format(seat) for seat in ("Red", "Green")}
    won, _, why = status(match.position)[-1].partition("; ")
    assert won in ("Red wins", "Green wins")
    assert why in (
        "the game is over: everyone has had their last turn",
        f"the game is over: {won[:-5]} has placed their last token",
    )


def test_status_says_that_the_order_of_turns_has_decided() -> None:
    """Random matches, of which about one in ten ends with equal points."""
    found = set()
    for seed in range(60):
        match, luck = new("fire-and-water", seed=seed), random.Random(seed)
        while not match.is_over:
            match.play(luck.choice(match.legal_moves))
        assert match.result
        equal = len(set(match.result.scores)) == 1 and "last token" not in status(match.position)[-1]
        assert ("equal in points but first in turn order" in status(match.position)[-1]) == equal
        found.add(equal)
    assert found == {True, False}


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (SETUP, "leader not placed yet"),  # the score begins at -2 : -2
        (f"{TURN} leaders=e5/- tokens=-/e5 to-move=0", "leader missing"),
    ],
)
def test_the_score_says_why_points_are_off(position: str, words: str) -> None:
    assert GAME.interface
    assert GAME.interface.tally
    off = GAME.interface.tally(Position(position).state).counts[1]
    assert (off.what.say(), off.values, off.worth) == (words, (1, 1), -2)
