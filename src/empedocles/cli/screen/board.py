"""A position in characters: glyphs of the game on their targets, marks, coordinates and the cursor."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from empedocles.cli.screen.canvas import Canvas, Colours, blend, cut, width
from empedocles.cli.screen.layout import SQUARE, Arrangement, Rect
from empedocles.render.picture import Glyph

EMPTY = Glyph("")
POSSIBLE = "·"  # on an empty square that can be chosen, as colour is not the only sign
THIN, HEAVY = tuple("┌─┐│└┘"), tuple("┏━┓┃┗┛")


class Marks(NamedTuple):
    """What is shown on targets beside what stands there."""

    can: Collection[str] = ()  # may be chosen now
    chosen: Collection[str] = ()
    last: Collection[str] = ()  # targets of the last move
    hint: Sequence[str] = ()  # a way to a good move, in order
    cursor: str | None = None


class Board:
    """Paints one position."""

    def __init__(self, canvas: Canvas, colours: Colours, marks: Marks) -> None:
        self.canvas, self.colours, self.marks = canvas, colours, marks

    def paint(self, found: Arrangement, glyphs: Mapping[str, Glyph], buttons: Mapping[str, str]) -> None:
        for label in found.labels:
            self.canvas.put(label.left, label.top, label.text, self.colours.words("soft"))
        for target, rect in found.rects.items():
            if target in buttons:
                self._button(target, buttons[target], rect)
            else:
                self._target(target, glyphs.get(target, EMPTY), rect)

    def _target(self, target: str, glyph: Glyph, rect: Rect) -> None:
        text, more = glyph.text, "bold" if glyph.text else ""
        framed = rect.height >= 3 and rect.width >= width(text) + 2
        ground, ink = self._ground(target, glyph, framed), self.colours.fill(glyph.ink)
        if target in self.marks.can:
            text, ink, more = (text, ink, "bold underline") if text else (POSSIBLE, self.colours.fill("can"), "bold")
        style = self.colours.style(ground, ink)
        if target == self.marks.cursor and not framed:
            style = self.colours.cursor()
        self.canvas.fill(rect, style)
        self._frame(target, rect, ground, framed)
        self._text(rect, text, f"{style} {more}")
        self._order(target, rect)

    def _ground(self, target: str, glyph: Glyph, framed: bool) -> str:
        """The ground with the marks shining through; squares alternate a little, as there are no lines."""
        colours, marks = self.colours, self.marks
        ground = colours.fill(glyph.ground)
        if (square := SQUARE.fullmatch(target)) and (ord(square[1]) + int(square[2])) % 2:
            ground = blend(ground, colours.fill("ink"), 0.06)
        clear = 1 if framed else 2  # without a frame, the ground alone has to tell
        shine = (("last", marks.last, 0.12 * clear), ("can", marks.can, 0.14), ("chosen", marks.chosen, 0.25 * clear))
        for name, targets, opacity in shine:
            if target in targets:
                ground = blend(ground, colours.fill(name), opacity)
        return ground

    def _frame(self, target: str, rect: Rect, ground: str, framed: bool) -> None:
        marks = self.marks
        if not framed or not (target == marks.cursor or target in marks.chosen or target in marks.last):
            return
        left, line, right, side, below, end = HEAVY if target == marks.cursor else THIN
        named = "can" if target == marks.cursor or target in marks.chosen else "last"
        style = self.colours.style(ground, self.colours.fill(named), "bold" if named == "can" else "")
        inside = rect.width - 2
        self.canvas.put(rect.left, rect.top, left + line * inside + right, style)
        self.canvas.put(rect.left, rect.bottom - 1, below + line * inside + end, style)
        for row in range(rect.top + 1, rect.bottom - 1):
            self.canvas.put(rect.left, row, side, style)
            self.canvas.put(rect.right - 1, row, side, style)

    def _text(self, rect: Rect, text: str, style: str) -> None:
        text = cut(text, rect.width)
        self.canvas.put(rect.left + (rect.width - width(text)) // 2, rect.top + (rect.height - 1) // 2, text, style)

    def _order(self, target: str, rect: Rect) -> None:
        """A number where a hint says what to choose."""
        if target in self.marks.hint:
            style = self.colours.style(self.colours.fill("last"), self.colours.fill("paper"), "bold")
            self.canvas.put(rect.right - 1, rect.top, str(1 + list(self.marks.hint).index(target)), style)

    def _button(self, target: str, words: str, rect: Rect) -> None:
        can, colours = target in self.marks.can, self.colours
        ground = blend(colours.fill("plate"), colours.fill("can"), 0.3 if can else 0)
        style = colours.style(ground, colours.fill("ink" if can else "soft"), "bold" if can else "")
        if target == self.marks.cursor:
            style = colours.cursor("bold" if can else "")
        self.canvas.put(rect.left, rect.top, f"[{words}]" if can else f" {words} ", style)
        self._order(target, rect)
