"""What a reading of an ambiguous rule changes, seen on a position: a move that is legal by it alone, or no longer."""

from __future__ import annotations

from typing import Any, NamedTuple

from empedocles.errors import PositionError
from empedocles.game import Ambiguity, Game
from empedocles.language import Message
from empedocles.language import mark as _
from empedocles.position import Position


class Difference(NamedTuple):
    """A reading's example, ready to be played or shown."""

    position: Position  # as the reading has it
    usual: Position | None  # by the default; None where the default has ended the game
    move: str
    around: tuple[str, ...]  # targets that a picture is cropped to

    @property
    def allowed(self) -> bool:
        """Whether the reading allows the move, and the default does not; else it is the other way round."""
        return self.move in self.position.legal_moves

    @property
    def targets(self) -> tuple[str, ...]:
        """What the move is about, to be pointed out."""
        game = self.position.game
        return tuple(target for group in game.paths[game.action_of[self.move]] for target in sorted(group))

    @property
    def message(self) -> Message:
        legal = self.position if self.allowed or self.usual is None else self.usual
        if self.allowed:
            text = _("Allowed by this reading, not by the usual one: {move}.")
        else:
            text = _("Allowed by the usual reading, not by this one: {move}.")
        return Message(text, {"move": legal.words(self.move)})


def difference(game: Game, entry: Ambiguity, value: Any) -> Difference | None:
    """None if the register has no example of this reading."""
    if value not in entry.examples:
        return None
    example = entry.examples[value]
    usual = entry.default
    texts = [f"{game.name} {entry.option}={reading} {example.fields}" for reading in (value, usual)]
    return Difference(Position(texts[0]), _running(texts[1]), example.move, example.around)


def _running(text: str) -> Position | None:
    try:
        return Position(text)
    except PositionError:  # a rule that ends the game may be what is read differently
        return None


def differences(game: Game) -> list[Difference]:
    """All examples in a game's register of readings."""
    found = [difference(game, entry, value) for entry in game.readings for value in entry.readings]
    return [one for one in found if one]
