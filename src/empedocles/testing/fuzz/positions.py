"""Damaged texts of positions: refused with an error of ours, or a sound position from which a game can be played."""

from __future__ import annotations

import random
from collections.abc import Sequence

from empedocles.errors import BrokenGame, EmpedoclesError
from empedocles.game import Game
from empedocles.position import Position
from empedocles.testing.fuzz.boards import some_options
from empedocles.testing.fuzz.damage import damaged
from empedocles.testing.fuzz.soundness import check_sound, play_out
from empedocles.testing.samples import random_match

MATCHES = 4  # of each game
NAMES = 0.03  # the share of texts in which the game's name may be changed too
EARLY = 14  # plies: set-ups are short, and have rules of their own
FINEST = (",", "")  # within a seat's or a row's part, items or characters


class Positions:
    def __init__(self, luck: random.Random, games: Sequence[Game]) -> None:
        self.luck = luck
        self.texts = {game.name: list(_texts(luck, game)) for game in games}
        self.all = [text for texts in self.texts.values() for text in texts]

    def make(self) -> str:
        luck, texts = self.luck, self.luck.choice(list(self.texts.values()))
        others = texts if luck.random() < 0.9 else self.all
        name, _, fields = luck.choice(texts).partition(" ")
        if luck.random() < NAMES:
            return damaged(luck, f"{name} {fields}", others, (" ",))
        return f"{name} {damaged(luck, fields, others, (' ', '/', luck.choice(FINEST)))}"

    def take(self, text: str) -> bool:
        try:
            position = Position(text)
        except BrokenGame:
            raise
        except EmpedoclesError:
            return False
        check_sound(position, self.luck)
        play_out(position, self.luck)
        self._learn(position)
        return True

    def _learn(self, position: Position) -> None:
        """A text that was not known is damaged further: so, step by step, positions come up that no match leads to."""
        texts = self.texts.get(position.game.name, [])
        if position.text not in texts:
            texts.append(position.text)

    def close(self) -> None:
        pass


def _texts(luck: random.Random, game: Game) -> list[str]:
    """The texts of positions from random matches with all sorts of options."""
    found = []
    for _ in range(MATCHES):
        positions = random_match(game, some_options(luck, game), luck.getrandbits(32)).positions()
        found += luck.choices(positions[:EARLY], k=4) + luck.choices(positions, k=5) + positions[-1:]
    return [position.text for position in found]
