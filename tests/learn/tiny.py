"""The smallest of games with an evaluation that can be trained: whoever leaves a multiple of four stones wins."""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path

import stones

from empedocles.core.kernel import UNIT, Places, State, Weights, Worths, kernel, tabled
from empedocles.core.maths import tanh
from empedocles.game import Advice, Features
from empedocles.learn.training import Plan, Training
from empedocles.position import Position

PLACES = 32


@kernel
def left(s: State, seat: int, places: Places) -> int:
    if seat != int(s.mover):
        return 0
    places[0] = int(s.stones)
    return 1


@kernel
def judge(s: State, weights: Weights, out: Worths) -> None:
    worth = 0.0
    if len(weights.table):
        weights.places[0] = int(s.stones)
        worth = tanh(tabled(weights.table, weights.places, 1) / UNIT / 2)
    out[int(s.mover)] = worth
    out[1 - int(s.mover)] = -worth


STONES = dataclasses.replace(stones.GAME, advice=Advice(judge, features=Features(left, PLACES, 1)))


DIGEST = "516d14903fee7bf0"  # of what two rounds teach: the same on all back-ends


def digest_of_two_rounds(folder: Path) -> str:
    training = Training(Plan(Position.start(STONES, {"heap": "large"}), seed=5), folder)
    for _ in range(2):
        training.round()
    learnt = b"".join(array.tobytes() for array in (training.table, *training.memory))
    return hashlib.sha256(learnt).hexdigest()[:16]
