"""Action numbers that are illegal or none at all: at the door of a position, and in batches."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from empedocles.engine.batch import Batch
from empedocles.errors import BadValue, BrokenGame, IllegalMove
from empedocles.game import Game
from empedocles.position import Position
from empedocles.testing.fuzz.boards import some_options
from empedocles.testing.fuzz.findings import need
from empedocles.testing.fuzz.soundness import check_sound

ENVIRONMENTS = 8
FAR = (-(2**63), -(2**31), -32769, -2, -1, 32767, 32768, 65535, 65536, 2**31, 2**32 - 1, 2**63 - 1)
TYPES = (int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


class Played(NamedTuple):
    """A number for the position that some random moves lead to."""

    position: str
    action: Any


class Stepped(NamedTuple):
    """Numbers for a batch, after some steps of random actions."""

    start: str
    seed: int
    steps: int
    actions: list[int]
    check: bool


class Actions:
    def __init__(self, luck: random.Random, games: Sequence[Game]) -> None:
        self.luck = luck
        self.starts = [Position.start(game, some_options(luck, game)) for game in games for _ in range(3)]

    def make(self) -> Played | Stepped:
        luck, start = self.luck, self.luck.choice(self.starts)
        if luck.random() < 0.5:
            return Played(_later(luck, start).text, _number(luck, start.game))
        check = luck.random() < 0.5
        steps = luck.choice((0, 1, 5, 20, 60))
        actions = [_number(luck, start.game, far=check) for _ in range(ENVIRONMENTS)]
        return Stepped(start.text, luck.getrandbits(32), steps, [int(action) for action in actions], check)

    def take(self, given: Played | Stepped) -> bool:
        return self._play(given) if isinstance(given, Played) else _step(given)

    def _play(self, given: Played) -> bool:
        position = Position(given.position)
        try:
            after = position.play(given.action)
        except IllegalMove:
            return False
        need(int(given.action) in position.legal_actions, "an illegal action is played", given)
        check_sound(after, self.luck)
        return True

    def close(self) -> None:
        pass


def _later(luck: random.Random, position: Position) -> Position:
    for _ in range(luck.choice((0, 1, 5, 20, 60))):
        if not position.is_over:
            position = position.play(luck.choice(position.legal_actions))
    return position


def _number(luck: random.Random, game: Game, far: bool = True) -> Any:
    """Often an action of the game; else, if `far`, one outside, as some type of integer."""
    if not far or luck.random() < 0.6:
        return luck.randrange(game.n_actions)
    number = luck.choice((*FAR, game.n_actions, game.n_actions + 1, luck.getrandbits(64)))
    kind = luck.choice(TYPES)
    try:
        return kind(number)
    except OverflowError:
        return number


def _step(given: Stepped) -> bool:
    batch = Batch(Position(given.start), ENVIRONMENTS, seed=given.seed, threads=1)
    for _ in range(given.steps):
        batch.step(batch.random_actions())
    before = list(batch)
    try:
        batch.step(np.array(given.actions), check=given.check)
    except BadValue:
        need(given.check, "a batch refuses what it was told to trust", given)
        need(before == list(batch), "a refused step has changed a batch", given)
        return False
    if given.check:
        _check_legal(before, given)
    _look_at(batch)
    return True


def _check_legal(before: list[Position], given: Stepped) -> None:
    for position, action in zip(before, given.actions, strict=True):
        need(action == -1 or action in position.legal_actions, "a batch plays an illegal action", action, position)


def _look_at(batch: Batch) -> None:
    """Whatever nonsense an illegal action has left: further steps and looks stay within their arrays."""
    for _ in range(3):
        need(batch.legal_mask.shape and batch.legal_actions.shape, "a batch without arrays", batch)
        if batch.game.view:
            batch.observe()
        try:
            batch.step(batch.random_actions())
        except BrokenGame as error:  # there are no moves after nonsense; but no kernel may have reached outside
            need(not isinstance(error.__cause__, IndexError), "a batch reaches outside an array", error)
            return
    batch.reset(seed=1)
