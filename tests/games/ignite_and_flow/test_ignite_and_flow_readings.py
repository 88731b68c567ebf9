"""Readings of Ignite and Flow: the engine beside a second set of the rules, and each reading's edge cases by its rule."""

from __future__ import annotations

import random
import re

import pytest
from conftest import INTERPRETED
from games.ignite_and_flow.referee import Referee

from empedocles import IllegalMove, Position
from empedocles.games.ignite_and_flow import GAME, lookups
from empedocles.play.partial import CONFIRM, Partial

FEW, MANY = 2 if INTERPRETED else 16, 2000

# Options, and the moves that random play prefers, so that the rule in question is met.
BIASED = {
    "default": ({}, ".*"),
    "literal": ({"reactions": "literal"}, r"[FW]..|..\+.*"),
    "orthogonal": ({"reactions": "orthogonal"}, r"[FW]..|..\+.*"),
    "middle": ({"chain": "middle"}, r"[FW]..|.*=D.."),
    "bent": ({"flow": "bent"}, "W.*"),
    "split": ({"flow": "split"}, "W.*"),
    "free": ({"flow": "free"}, "W.*"),
    "exact": ({"scorch": "exact"}, "F.*|.*=D"),
    "touching": ({"scorch": "touching"}, "F.*|.*=D"),
    "all at once": ({"reactions": "orthogonal", "chain": "middle", "flow": "free", "scorch": "exact"}, r"[FW].*|..\+.*"),
}
readings = pytest.mark.parametrize("reading", BIASED)


def at(board: str, mover: int | str = 0, **fields: object) -> Position:
    """A position from a drawing: rows separated by blanks or line ends, `.` for an empty square."""
    packed = re.sub(r"\.+", lambda dots: str(len(dots[0])), "/".join(board.split()))
    words = [f"{name}={value}" for name, value in fields.items()]
    return Position(" ".join(["ignite-and-flow", f"board={packed}", *words, f"to-move={mover}"]))


def moves(position: Position, pattern: str) -> list[str]:
    """The legal moves that match a pattern as a whole."""
    return [move for move in position.legal_moves if re.fullmatch(pattern, move)]


def refusal(position: Position, move: str) -> str:
    """The rule and the words that refuse a move."""
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    return f"{caught.value.rule}: {caught.value.message.say()}"


# ── Beside the referee ──


@readings
def test_the_referee_agrees(reading: str) -> None:
    check_games(reading, FEW)


@pytest.mark.long
@readings
def test_the_referee_agrees_over_many_games(reading: str) -> None:
    check_games(reading, MANY)


def check_games(reading: str, games: int) -> None:
    """Every other game starts in the midst of things: fires and waters everywhere, and little patience left."""
    options, liked = BIASED[reading]
    for number in range(games):
        luck = random.Random(f"{reading} {number}")
        position = crowded(options, luck) if number % 2 else Position.start(GAME, options)
        check_game(position, liked, luck)


def crowded(options: dict[str, str], luck: random.Random) -> Position:
    board = luck.choices("FWED.", [luck.random() for _ in "FWED."], k=36)
    board[luck.randrange(36)] = "."
    for square in luck.sample(range(36), 6):
        board[square] = luck.choice("Tt.") if board[square] == "E" else board[square]
    rows = " ".join("".join(board[row : row + 6]) for row in range(0, 36, 6))
    while any(rows.count(temple) > 3 for temple in "Tt"):
        rows = rows.replace("T", "E", 1).replace("t", "E", 1)
    return at(rows, luck.randrange(2), quiet=luck.choice((0, 37)), **options)


def check_game(position: Position, liked: str, luck: random.Random) -> None:
    referee = Referee(position.text)
    while not position.is_over:
        assert set(position.legal_moves) == referee.legal(), position.text
        preferred = moves(position, liked) if luck.random() < 0.7 else []
        move = luck.choice(preferred or position.legal_moves)
        position = position.play(move)
        referee.play(move)
        assert position.is_over or position.to_move == referee.mover
    assert position.result is not None
    assert position.ending is not None
    assert (position.result.scores, position.ending.rule) == (referee.scores(), referee.ending), position.text
