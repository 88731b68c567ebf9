"""Characters with colours: a page that is painted on, and the colours of a theme."""

from __future__ import annotations

import functools
import math
import textwrap
from itertools import groupby
from typing import NamedTuple

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.utils import get_cwidth

from empedocles.cli.screen.layout import Rect
from empedocles.render import themes

Line = StyleAndTextTuples


class Colours:
    """The classes of a theme as colours of a terminal, which has neither lines nor opacity."""

    def __init__(self, theme: str, depth: ColorDepth = ColorDepth.DEPTH_24_BIT) -> None:
        self.theme, self.depth = theme, depth

    def fill(self, name: str) -> str:
        return _fill(self.theme, name)

    def style(self, ground: str, ink: str, more: str = "") -> str:
        """A style of prompt_toolkit, from two colours."""
        if self.depth == ColorDepth.DEPTH_8_BIT:
            ground, ink = of_256(ground), of_256(ink)
        return f"bg:{ground} fg:{ink} {more}".rstrip()

    def words(self, name: str = "ink", more: str = "") -> str:
        """Text on the paper."""
        return self.style(self.fill("paper"), self.fill(name), more)

    def cursor(self, more: str = "") -> str:
        """The style under a cursor that is a whole ground, not a frame."""
        colourless = self.depth == ColorDepth.DEPTH_1_BIT
        return self.style(self.fill("can"), self.fill("paper"), f"{more} reverse" if colourless else more)


@functools.cache
def _fill(theme: str, name: str) -> str:
    if name == "line":
        return blend(_fill(theme, "paper"), _fill(theme, "soft"), 0.5)
    looks = themes.classes(theme)[name]
    found = looks.get("fill", "none")
    return found if found != "none" else looks.get("stroke", "#000000")


@functools.lru_cache(maxsize=4096)
def blend(ground: str, over: str, opacity: float) -> str:
    mixed = (round(a + (b - a) * opacity) for a, b in zip(_rgb(ground), _rgb(over), strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


# The 256 colours of older terminals are a cube and some greys. The nearest one would often be grey, and what tells
# elements apart would be lost: so what has a hue keeps it.

_STEPS = (0, 95, 135, 175, 215, 255)
_CUBE = [(r, g, b) for r in _STEPS for g in _STEPS for b in _STEPS if not r == g == b]
_GREYS = [(level, level, level) for level in (0, *range(8, 239, 10), 255)]


class _Seen(NamedTuple):
    bright: float  # from 0 to 255
    strength: float  # 0 is grey
    hue: float  # an angle


def _seen(red: int, green: int, blue: int) -> _Seen:
    bright = 0.299 * red + 0.587 * green + 0.114 * blue
    u, v = 0.564 * (blue - bright), 0.713 * (red - bright)
    return _Seen(bright, math.hypot(u, v), math.atan2(v, u))


def _difference(one: _Seen, two: _Seen) -> float:
    turn = abs(one.hue - two.hue)
    return math.hypot(one.bright - two.bright, 0.6 * (one.strength - two.strength), 60 * min(turn, math.tau - turn))


@functools.cache
def of_256(colour: str) -> str:
    """The most similar of the 256 colours of older terminals."""
    parts = _rgb(colour)
    seen = _seen(*parts)
    if seen.strength > 17 or (seen.strength > 6 and min(parts) < 0.7 * max(parts)):
        found = min(_CUBE, key=lambda other: _difference(seen, _seen(*other)))
    else:
        found = min(_GREYS, key=lambda other: abs(seen.bright - other[0]))
    return "#{:02x}{:02x}{:02x}".format(*found)


def width(text: str) -> int:
    return get_cwidth(text)


def cut(text: str, room: int) -> str:
    """A text cut to `room` characters, with an ellipsis if something is missing."""
    if width(text) <= room:
        return text
    while text and width(text) > room - 1:
        text = text[:-1]
    return text + "…" if room > 0 else ""


def wrap(text: str, room: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, max(room, 8), subsequent_indent=indent, break_on_hyphens=False) or [""]


class Canvas:
    """A page of characters. What does not fit is left out: nothing can break a screen."""

    def __init__(self, columns: int, rows: int, style: str) -> None:
        self.columns, self.rows = columns, rows
        self._cells = [[(style, " ")] * columns for _ in range(rows)]

    def fill(self, rect: Rect, style: str) -> None:
        for row in range(rect.top, rect.bottom):
            self.put(rect.left, row, " " * rect.width, style)

    def put(self, left: int, top: int, text: str, style: str) -> None:
        if not 0 <= top < self.rows:
            return
        for character in text:
            size = width(character)
            if left >= 0 and left + size <= self.columns and size:
                self._cells[top][left : left + size] = [(style, character), *[(style, "")] * (size - 1)]
            left += size

    def lines(self) -> list[Line]:
        return [
            [(style, "".join(text for _, text in run)) for style, run in groupby(row, key=lambda cell: cell[0])]
            for row in self._cells
        ]
