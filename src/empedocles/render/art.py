"""The artwork that all games share: the elements as emblems and as ground, drawn on a square of CELL by CELL.

Nothing here has a colour: shapes have classes, and a theme says what a class looks like. An emblem tells its element
without colour, and so does the pattern of the ground.
"""

from __future__ import annotations

CELL = 60  # the side of a square in every drawing
ELEMENTS = ("fire", "water", "earth", "air", "desert")

_FLAME = (
    "M31 5C34 16 47 22 47 37C47 48 39 55 30 55C21 55 13 48 13 37C13 29 19 25 21 16C25 20 26 24 26 28C30 21 32 13 31 5Z"
)
_TONGUE = "M30 52C25 52 21 48 21 43C21 37 27 34 29 27C33 33 39 37 39 43C39 48 35 52 30 52Z"
_DROP = "M30 5C36 17 46 26 46 38A16 16 0 0 1 14 38C14 26 24 17 30 5Z"
_STONE = "M8 45L14 27L24 19L36 13L47 23L53 39L49 49L15 51Z"
_FACETS = "M24 19L29 33L14 27M29 33L47 23M29 33L33 50M29 33L8 45"
_GUSTS = "M7 23H36A7 7 0 1 0 29 16M7 33H46A7 7 0 1 1 39 40M14 43H27A6 6 0 1 1 21 49"
_DUNES = "M5 49C14 36 22 35 31 43C37 35 46 36 55 49Z"

OUTLINES = {"fire": _FLAME, "water": _DROP}  # for emblems that have something written on them
EMBLEMS = {
    "fire": f'<path class="fire-deep" d="{_FLAME}"/><path class="fire-glow" d="{_TONGUE}"/>',
    "water": f'<path class="water-deep" d="{_DROP}"/><path class="water-glow-line" d="M21 39A9 9 0 0 0 29 47"/>',
    "earth": f'<path class="earth-deep" d="{_STONE}"/><path class="earth-glow-line" d="{_FACETS}"/>',
    "air": f'<path class="air-deep-line" d="{_GUSTS}"/>',
    "desert": f'<circle class="desert-deep" cx="38" cy="20" r="8"/><path class="desert-deep" d="{_DUNES}"/>',
}

# Each pattern meets itself at the edges, so that neighbouring squares of one element join.
_PATTERNS = {
    "fire": "M6 16L10 7L14 16M36 16L40 7L44 16M21 31L25 22L29 31M51 31L55 22L59 31M6 46L10 37L14 46M36 46L40 37L44 46"
    "M21 60L25 52L29 60M51 60L55 52L59 60",
    "water": "M0 9Q7.5 3 15 9T30 9T45 9T60 9M0 24Q7.5 18 15 24T30 24T45 24T60 24M0 39Q7.5 33 15 39T30 39T45 39T60 39"
    "M0 54Q7.5 48 15 54T30 54T45 54T60 54",
    "earth": "M0 0H60M0 20H60M0 40H60M15 0V20M45 0V20M0 20V40M30 20V40M15 40V60M45 40V60",
    "air": "M4 12H20A4 4 0 1 0 16 8M34 22H50A4 4 0 1 0 46 18M6 38H22A4 4 0 1 0 18 34M34 50H50A4 4 0 1 0 46 46",
    "desert": "M8 10h1M23 6h1M40 12h1M53 5h1M14 24h1M31 21h1M47 27h1M5 38h1M22 37h1M38 40h1M55 40h1"
    "M12 52h1M29 54h1M46 53h1",
}


def tile(element: str, inset: float = 0, corner: float = 0) -> str:
    """A square of ground, as seen from above."""
    side = CELL - 2 * inset
    rim = f'x="{inset:g}" y="{inset:g}" width="{side:g}" height="{side:g}" rx="{corner:g}"'
    return f'<rect class="{element}" {rim}/><path class="{element}-line" d="{_PATTERNS[element]}"/>'


def scaled(markup: str, scale: float, x: float = 0, y: float = 0) -> str:
    move = f"translate({x:g} {y:g}) " if x or y else ""
    return f'<g transform="{move}scale({scale:g})">{markup}</g>'


def emblem(element: str, size: float = CELL, x: float = 0, y: float = 0) -> str:
    return scaled(EMBLEMS[element], size / CELL, x, y)
