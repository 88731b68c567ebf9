"""Why moves of Points of Power are refused: the rule and the words, square by square."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from empedocles import IllegalMove, Position, new
from empedocles.games.points_of_power import reasons
from empedocles.games.points_of_power.lookups import CAPTURE, INTO, MOVES, OUT, STEP

KINDS = [
    range(start + side, end + side)
    for start, end in ((STEP, INTO), (INTO, OUT), (OUT, CAPTURE))
    for side in (0, CAPTURE)
]
BOARD = "WWW.EEE..../WWW.EEE..../WWW.EEE..../.........../FFF.....mmm/FFF.....mmm/FFF.....mmm/.........../" + (
    ".....*.*AAA/...*.*.*AAA/...*.*.*AAA"
)
OPTIONS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 4},
    {"players": 2, "board": BOARD},
    {"players": 4, "board": BOARD},
]


def sampled(seed: int) -> Iterator[Position]:
    """Positions of random matches: the opening, and some of the moves after it."""
    rng = random.Random(seed)
    for options in OPTIONS:
        match = new("points-of-power", **options)
        while not match.is_over and len(match.moves) < 90:
            if len(match.moves) < 5 or rng.random() < 0.1:
                yield match.position
            captures = [move for move in match.legal_moves if "x" in move]
            match.play(rng.choice(captures or match.legal_moves))
        yield match.position


@pytest.mark.parametrize("seed", range(4))
def test_a_move_is_refused_exactly_when_it_is_not_legal(seed: int) -> None:
    rng = random.Random(seed)
    for position in sampled(seed):
        legal = set(position.legal_actions)
        near = [action for action in range(len(MOVES)) if action % CAPTURE in {a % CAPTURE for a in legal}]
        tried = {action for kind in KINDS for action in rng.sample(kind, 8)} | set(rng.sample(near, min(16, len(near))))
        for action in tried:
            assert (position.reason(action) is None) == (action in legal), (MOVES[action], position)


PIECES = "fire=h8,f10,mp air=h7,h9,j1,b9 earth=d4,d5 water=d8,c4 to-move=0"
OPENING = "fire=h8,j9,k9,i10,j10,k10,i11,j11,k11 air=i1,j1,k1,i2,j2,k2,i3,j3,k3 earth=a1,b1,c1,a2,b2,c2,a3,b3,c3 " + (
    "water=d8,a9,b9,a10,b10,c10,a11,b11,c11 moved=FW quiet=2 to-move=0"
)
CLOSE = (
    f"board={BOARD} fire=a5,b5,c5,a6,b6,c6,a7,b7,d7 air=i1,j1,k1,i2,j2,k2,i3,j3,k3 "
    "earth=e9,f9,g9,e10,f10,g10,e11,f11,g11 water=a9,b9,c9,a10,b10,c10,a11,b11,c11 moved=F quiet=1 to-move=1"
)
SAFE = "fire=h3,g9 air=i3,f10,b9 earth=d4 water=k4 to-move=0"
HIDING = "fire=h9,k11 air=a5 earth=g9,g10 water=a7 to-move=0"
ALL_POINTS = "fire=b6,d6,f2,f4,f8,f10,j6,h6 air=a5 earth=d3 water=a8 winner=fire-earth to-move=none"
NO_FIRE = "fire=- air=a5 earth=d3 water=a8 winner=air-water to-move=none"
NO_WATER = "fire=h8 air=a5 earth=d3 water=- winner=fire-earth to-move=none"
HIDDEN = "fire=h8 air=a5 earth=f2 water=a8 winner=air-water to-move=none"
QUIET = "fire=h8 air=a5 earth=d3 water=a8 quiet=200 winner=- to-move=none"
WHEEL = "board=wheel fire=h8,b9 air=h7,h9 earth=d4,d5 water=d8,c4 to-move=0"
WAITING = "players=4 stuck=passes fire=d8,d9 air=k4 earth=a5,a6 water=h9,h10 to-move={}"
STUCK = "fire=j5,k5,j4 air=k4 earth=a7,b7,b8 water=a8 winner=fire-earth to-move=none"

REFUSALS = [
    (WHEEL, "b9-a10", "PP-1", "the board has no square a10"),
    (WHEEL, "k11-k10", "PP-1", "the board has no square k11"),
    (PIECES, "h8-g7", "PP-2", "g7 is part of the material plane, which is one square, written mp"),
    (PIECES, "f6-f7", "PP-2", "f6 is part of the material plane, which is one square, written mp"),
    (PIECES, "a1-a2", "PP-7", "there is no piece on a1"),
    (PIECES, "d8-d9", "PP-6", "the piece on d8 is water, whose turn it is not"),
    (f"players=4 {PIECES}", "d4-d3", "PP-6", "the piece on d4 is earth, whose turn it is not"),
    (PIECES, "mp-c4", "PP-7", "c4 does not touch the material plane"),
    (PIECES, "f10xmp", "PP-7", "f10 does not touch the material plane"),
    (PIECES, "b9xmp", "PP-6", "the piece on b9 is air, whose turn it is not"),
    (PIECES, "d4-d5", "PP-8", "d5 is not free: it holds earth"),
    (PIECES, "h8-mp", "PP-8", "mp is not free: it holds fire"),
    (PIECES, "h8-h9", "PP-8", "h9 is not free: it holds air, and to capture it is written h8xh9"),
    (OPENING, "h8-h7", "PP-9", "fire has had its one move of the opening"),
    (PIECES, "h8xg8", "PP-10", "there is nothing to capture on g8: a step there is written h8-g8"),
    (PIECES, "mpxd4", "PP-10", "fire captures only air, and d4 holds earth"),
    (PIECES, "mpxd8", "PP-10", "fire captures only air, and d8 holds water"),
    (SAFE, "h3xi3", "PP-10", "air on i3 is safe: it stands on its own plane"),
    (SAFE, "g9xf10", "PP-10", "air on f10 is safe: it stands on a point of power"),
    (HIDING, "h9-i10", "PP-12", "fire would have no exposed piece left: i10 is its own plane"),
    (HIDING.replace("h9", "e9"), "e9-f10", "PP-12", "fire would have no exposed piece left: f10 is a point of power"),
    (CLOSE, "i3-h3", "PP-12", "in the opening air must be exposed after its move: h3 is a point of power"),
    (ALL_POINTS, "h8-h9", "PP-14", "the game is over: Fire and Earth have all points of power"),
    (NO_FIRE, "h8-h9", "PP-15", "the game is over: fire has no pieces left"),
    (NO_WATER, "h8-g7", "PP-15", "the game is over: water has no pieces left"),
    (HIDDEN, "h8-h9", "PP-16", "the game is over: earth has no exposed piece"),
    (QUIET, "a5xa6", "PP-17", "the game is over: 200 turns in a row without a capture"),
    (PIECES, "pass", "PP-18", "nobody passes in a game for two players"),
    (f"stuck=passes {PIECES}", "pass", "PP-18", "nobody passes in a game for two players"),
    (
        f"players=4 {PIECES}",
        "pass",
        "PP-18",
        "nobody passes here: with stuck=loses, whoever has no legal move loses",
    ),
    (WAITING.format(1), "pass", "PP-18", "Air has a legal move and may not pass"),
    (STUCK, "pass", "PP-18", "the game is over: the player to move had no legal move"),
    (STUCK, "k4-k3", "PP-18", "the game is over: the player to move had no legal move"),
]


@pytest.mark.parametrize(("text", "move", "rule", "words"), REFUSALS)
def test_the_rule_and_the_words(text: str, move: str, rule: str, words: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        Position(f"points-of-power {text}").play(move)
    assert (refused.value.rule, refused.value.reason) == (rule, words)


def test_every_rule_that_can_refuse_a_move_is_here() -> None:
    named = re.findall(r'because\(\s*"(PP-\d+)"', Path(reasons.__file__).read_text(encoding="utf-8"))
    assert {rule for _, _, rule, _ in REFUSALS} == set(named)
