"""The smallest of games with an evaluation that can be trained: whoever leaves a multiple of four stones wins."""

from __future__ import annotations

import dataclasses

import stones

from empedocles.core.kernel import UNIT, Places, State, Weights, Worths, kernel, tabled
from empedocles.core.maths import tanh
from empedocles.game import Advice, Features

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
