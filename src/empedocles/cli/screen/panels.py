"""What is said beside the board: the score, the cursor, notes, moves."""

from __future__ import annotations

from typing import NamedTuple

from empedocles.cli.screen.canvas import Canvas, Colours, cut, wrap
from empedocles.cli.screen.controls import Controls
from empedocles.cli.screen.layout import Rect
from empedocles.cli.table import PERSON
from empedocles.language import mark as _
from empedocles.language import translate

KINDS = {"good": "green", "bad": "red", "warning": "last", "news": "ink", "": "ink"}
ABOUT = 5  # lines for the move being entered and the target under the cursor, used or not: nothing jumps
PROMPT = 3  # of them for what comes next
NOTES = 3
MOVES = 3
TWO_COLUMNS = 56  # a panel this wide below the board has two


class Text(NamedTuple):
    text: str
    style: str


Block = list[Text]


class Panels:
    """Writes all that is said beside the board into a part of a canvas."""

    def __init__(self, controls: Controls, canvas: Canvas, colours: Colours) -> None:
        self.controls, self.canvas, self.colours = controls, canvas, colours

    def beside(self, rect: Rect) -> None:
        head, entry = self._head(rect.width), [*self._about(rect.width), *self._notes(rect.width)]
        room = max(rect.height - ABOUT - MOVES - 1, 2)
        rest = self._write(rect, [*head[:room], self._line(rect), *entry])
        self._write(rest, self._moves(rest))

    def below(self, rect: Rect) -> None:
        """In two columns where there is room for them."""
        if rect.width < TWO_COLUMNS:
            rest = self._write(rect, [*self._about(rect.width), *self._notes(rect.width), *self._head(rect.width)])
        else:
            half = rect.width // 2 - 1
            self._write(rect._replace(width=half), self._head(half))
            right = rect._replace(left=rect.left + half + 2, width=rect.width - half - 2)
            rest = self._write(right, [*self._about(right.width), *self._notes(right.width)])
        self._write(rest, self._moves(rest))

    def _write(self, rect: Rect, block: Block) -> Rect:
        """Write a block. Returns what is left of the place."""
        for row, (text, style) in enumerate(block[: rect.height]):
            self.canvas.put(rect.left, rect.top + row, cut(text, rect.width), style)
        used = min(len(block), rect.height)
        return rect._replace(top=rect.top + used, height=rect.height - used)

    def _line(self, rect: Rect, heading: str = "") -> Text:
        words = f"─ {heading} " if heading else ""
        return Text(words + "─" * (rect.width - len(words)), self.colours.words("line"))

    def _wrapped(self, text: str, width: int, style: str, indent: str = "  ") -> Block:
        return [Text(line, style) for line in wrap(text, width, indent)]

    # ── Blocks ──

    def _head(self, width: int) -> Block:
        """The game, who has what, and who plays."""
        controls, colours = self.controls, self.colours
        position = controls.position
        status = position.game.interface.status(position.state) if position.game.interface else []
        block = [Text(translate(position.game.title, controls.table.language), colours.words("soft"))]
        for number, message in enumerate([*status[-1:], *status[:-1]]):  # what is due comes last there, and first here
            block += self._wrapped(controls.say(message), width, colours.words("ink", "" if number else "bold"))
        players = " · ".join(f"{controls.player(seat)}: {self._who(seat)}" for seat in range(position.seats))
        return block + self._wrapped(players, width, colours.words("soft"))

    def _who(self, seat: int) -> str:
        name = self.controls.table.record.names[seat]
        return translate(_("person"), self.controls.table.language) if name == PERSON else name

    def _state(self, width: int) -> Block:
        """What to choose next, or why nothing is to be chosen."""
        controls, colours = self.controls, self.colours
        if controls.position.is_over:
            return [Text(controls.table.end().say(controls.table.language), colours.words("green", "bold"))]
        if asked := controls.thinking or controls.entry.prompt:
            return self._wrapped(controls.say(asked), width, colours.words("can", "bold"), "")[:PROMPT]
        return []

    def _about(self, width: int) -> Block:
        """What comes next, and what the cursor would do."""
        found, colours = self.controls.about(), self.colours
        if found is None:
            return _tall(self._state(width), ABOUT)
        refused = self.controls.refused == self.controls.cursor
        style = (
            colours.words() if found.possible else colours.words("red", "bold") if refused else colours.words("soft")
        )
        sign = "→ " if found.possible else "✗ "
        rule = f" ({found.rule})" if found.rule else ""
        return _tall([*self._state(width), *self._wrapped(f"{sign}{found.words}{rule}", width, style)], ABOUT)

    def _notes(self, width: int) -> Block:
        language = self.controls.table.language
        notes = [
            line
            for note in self.controls.notes
            for line in self._wrapped(note.say(language), width, self.colours.words(KINDS[note.kind], "bold"))
        ]
        return notes[-NOTES:]

    def _moves(self, rect: Rect) -> Block:
        """The last moves, as many as there is room for."""
        language, colours, room = self.controls.table.language, self.colours, rect.height - 1
        match = self.controls.table.match
        block: Block = []
        for ply, (position, move) in reversed(list(enumerate(zip(match.positions(), match.moves, strict=False), 1))):
            words, style = position.words(move).say(language), colours.words("soft" if block else "ink")
            said = self._wrapped(f"{ply:>3} {words}", rect.width, style, " " * 4)
            if block and len(said) + len(block) > room:
                break
            block = [*said, *block]
        return [self._line(rect, translate(_("Moves"), language)), *block] if room > 0 else []


def _tall(block: Block, rows: int) -> Block:
    return (block + [Text("", "")] * rows)[: max(rows, 0)]
