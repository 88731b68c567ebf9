"""The pieces of Fire & Water, as they are on the screen and on paper; each fits a square of CELL by CELL.

Every seat has a colour and a shape of its own, and each of its pieces bears both.
"""

from __future__ import annotations

import functools
import math
import re

from empedocles.games.fire_and_water.lookups import FIRE, HALF_VALUE, MARKER_SET, MARKERS, ROWS, VALUES, WATER
from empedocles.render.art import CELL, OUTLINES, scaled, tile
from empedocles.render.picture import Box, define, rect, text, use

COLOURS = ("red", "green", "gold", "violet")
ELEMENTS = ("fire", "water")
MIDDLE = CELL / 2

COIN = 24  # a token in the supply
STEP = 22  # from one face-down marker to the next
SMALL = 0.36  # the scale of a marker's half there
HEAD = 20  # of the face-down markers: the values that their rows and columns stand for


def _polygon(corners: int, radius: float, inner: float, cx: float, cy: float) -> str:
    """A star with its first corner up."""
    turns = ((k * math.pi / corners, inner if k % 2 else radius) for k in range(2 * corners))
    points = (f"{cx + r * math.sin(turn):.3g} {cy - r * math.cos(turn):.3g}" for turn, r in turns)
    return f"M{'L'.join(points)}Z"


def _path_of_shape(seat: int, cx: float, cy: float, radius: float) -> str:
    """What tells the seats apart without colour: circle, square, star, diamond."""
    if seat == 0:
        r = round(0.88 * radius, 1)
        return f"M{cx - r:g} {cy:g}a{r:g} {r:g} 0 0 1 {2 * r:g} 0a{r:g} {r:g} 0 0 1-{2 * r:g} 0z"
    if seat == 1:
        side = round(1.6 * radius, 1)
        return f"M{cx - side / 2:g} {cy - side / 2:g}h{side:g}v{side:g}h-{side:g}z"
    if seat == 2:
        return _polygon(5, 1.2 * radius, 0.5 * radius, cx, cy)
    across, down = round(0.85 * radius, 1), round(1.25 * radius, 1)
    return f"M{cx:g} {cy - down:g}l{across:g} {down:g}l-{across:g} {down:g}l-{across:g}-{down:g}z"


def shape(seat: int, cx: float, cy: float, radius: float, more: str = "") -> str:
    """The shape of a seat as it is on its pieces, in one path with whatever else is drawn in that colour."""
    return f'<path class="on-{COLOURS[seat]}" d="{more}{_path_of_shape(seat, cx, cy, radius)}"/>'


# ── The board ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tile(element: str) -> str:
    return tile(element) + rect("soft-line", Box(0, 0))


def tiles(columns: int, fire: set[int], x: float, y: float, turned: bool = False) -> str:
    """The squares of a board, of which these cells are fire; two at a time, which halves the markup."""
    letters = {cell: "f" if cell in fire else "w" for cell in range(columns * ROWS)}
    if turned:
        pairs = (divmod(cell, ROWS) for cell in range(0, columns * ROWS, 2))
        corners = ((column * ROWS + row, x + row * CELL, y + column * CELL) for column, row in pairs)
        return "".join(use(letters[cell] + letters[cell + 1], left, top) for cell, left, top in corners)
    return "".join(
        use(letters[cell] + letters[cell + ROWS], x + cell // ROWS * CELL, y + (ROWS - 1 - cell % ROWS) * CELL)
        for cell in range(columns * ROWS)
        if cell // ROWS % 2 == 0
    )


def frame(columns: int, x: float, y: float) -> str:
    return rect("frame", Box(x, y, columns * CELL, ROWS * CELL))


_TILES = {name[0]: _tile(name) for name in ELEMENTS}
_PAIRS = {one + two: use(one) + use(two, CELL) for one in _TILES for two in _TILES}


# ── Markers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def half(element: int, value: int) -> str:
    """A flame or a drop with its number in it, with room for the shape of the seat above and below."""
    name = ELEMENTS[element]
    return scaled(use(f"{name}-outline") + text(f"{name}-number", MIDDLE, 47, value), 0.9, 3, 3)


def _body(seat: int, upright: bool) -> str:
    """The two squares of a marker, without its halves: the shape of the seat is on the joint."""
    width, height = (CELL, 2 * CELL) if upright else (2 * CELL, CELL)
    x, y = width / 2, height / 2
    bars = ((8, y - 0.8), (42, y - 0.8)) if upright else ((x - 0.8, 8), (x - 0.8, 42))
    bar = "h10v1.6h-10z" if upright else "h1.6v10h-1.6z"
    grooves = "".join(f"M{left:g} {top:g}{bar}" for left, top in bars)
    return (
        use("v-shadow" if upright else "h-shadow")
        + rect(COLOURS[seat], Box(3, 3, width - 6, height - 6), 10)
        + shape(seat, x, y, 7, grooves)
    )


# [fire half first, upright]: where the fire half and the water half are
_HALVES = {
    (True, False): ((0, 0), (CELL, 0)),
    (False, False): ((CELL, 0), (0, 0)),
    (True, True): ((0, 0), (0, CELL)),
    (False, True): ((0, CELL), (0, 0)),
}


@functools.cache
def marker(seat: int, number: int, fire_first: bool = True, upright: bool = False) -> str:
    """A marker on two squares side by side, or one above the other; its first half is the left or upper one."""
    values = HALF_VALUE[FIRE, number], HALF_VALUE[WATER, number]
    places = _HALVES[fire_first, upright]
    halves = (use(f"{letter}{value}", x, y) for letter, value, (x, y) in zip("FW", values, places, strict=True))
    return use(f"{COLOURS[seat]}-{'v' if upright else 'h'}") + "".join(halves)


def _face_down(seat: int) -> str:
    """A marker that is still to come, small, at its place among all of them."""
    return rect(COLOURS[seat], Box(2, 2, STEP - 4, STEP - 4), 4) + shape(seat, STEP / 2, STEP / 2, 4.5)


@functools.cache
def among_all(number: int) -> tuple[int, int]:
    """Where a face-down marker is shown: its fire value says the row, its water value the column."""
    fire, water = (int(HALF_VALUE[element, number]) - 1 for element in (FIRE, WATER))
    return HEAD + STEP * water, HEAD + STEP * fire


def _matrix(players: int) -> str:
    """Room for all markers of a seat that can be face-down."""
    along = [(HEAD + STEP * k) / SMALL for k in range(len(VALUES))]
    heads = "".join(use(f"F{n}", -2, at) + use(f"W{n}", at, -5) for n, at in zip(VALUES, along, strict=True))
    known = (m for m in range(len(MARKERS)) if int(MARKER_SET[players]) >> m & 1)
    rooms = "".join(rect("", Box(x + 2, y + 2, STEP - 4, STEP - 4), 4) for x, y in map(among_all, known))
    return scaled(heads, SMALL) + f'<g class="void">{rooms}</g>'


# ── Tokens, leaders, elementals ──────────────────────────────────────────────────────────────────────────────────────


def _token(seat: int) -> str:
    return use("token-rim") + (
        f'<circle class="{COLOURS[seat]}" cx="30" cy="30" r="20"/>'
        f'<circle class="on-{COLOURS[seat]}-line" cx="30" cy="30" r="15.5"/>' + shape(seat, MIDDLE, MIDDLE, 8.5)
    )


_NEUTRAL = use("token-rim") + (
    '<circle class="void" cx="30" cy="30" r="20"/><circle class="soft-line" cx="30" cy="30" r="15.5"/>'
)


def _coin(seat: int) -> str:
    """A token in the supply."""
    middle = COIN / 2
    circles = f'<circle class="plate" cx="{middle:g}" cy="{middle:g}" r="11.5"/>'
    circles += f'<circle class="{COLOURS[seat]}" cx="{middle:g}" cy="{middle:g}" r="9.5"/>'
    return circles + shape(seat, middle, middle, 5)


_CROWN = "M20 6L25.5 12L30 4L34.5 12L40 6L38 18H22Z"
_ROBE = "M30 27C39 27 43 36 46 50H14C17 36 21 27 30 27Z"


# A crowned figure in a robe
_FIGURE = (
    f'<path d="{_ROBE}"/><circle cx="30" cy="22.5" r="8"/><path d="{_CROWN}"/>'
    '<rect x="11" y="49" width="38" height="7" rx="3"/>'
)


def _leader(seat: int) -> str:
    shadow = '<ellipse class="shadow" cx="32" cy="55" rx="21" ry="4"/>'
    return shadow + use("figure", looks=COLOURS[seat]) + shape(seat, MIDDLE, 40, 6.5)


_SPIRIT = (
    "M34 4C36 14 50 23 50 38C50 49 41 56 30 56C19 56 10 49 10 38C10 28 17 24 20 14C23 18 24 21 24 25C29 20 34 12 34 4Z"
)
_SPIRIT_WATER = "M34 4C36 14 50 23 50 38C50 49 41 56 30 56C21 51 23 43 30 37C38 30 37 15 34 4Z"

# A shy spirit, half flame and half drop; it belongs to nobody.
_TOKEN_RIM = '<circle class="shadow" cx="31.5" cy="32.5" r="22.5"/><circle class="plate" cx="30" cy="30" r="22.5"/>'
_ELEMENTAL = (
    '<circle class="shadow" cx="31.5" cy="32.5" r="28"/><circle class="plate" cx="30" cy="30" r="28"/>'
    f'<path class="fire-deep" d="{_SPIRIT}"/><path class="water-deep" d="{_SPIRIT_WATER}"/>'
    f'<path class="ink-line" d="{_SPIRIT}"/>'
    '<circle class="paper" cx="22" cy="37" r="4.6"/><circle class="paper" cx="37" cy="37" r="4.6"/>'
    '<circle class="ink" cx="23" cy="38" r="2.2"/><circle class="ink" cx="38" cy="38" r="2.2"/>'
)


# ── All of it ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _of_seat(seat: int, zoom: float) -> dict[str, str]:
    colour = COLOURS[seat]
    return {
        f"{colour}-h": _body(seat, upright=False),
        f"{colour}-v": _body(seat, upright=True),
        f"{colour}-hidden": scaled(_face_down(seat), zoom),
        f"{colour}-token": _token(seat),
        f"{colour}-coin": _coin(seat),
        f"{colour}-leader": _leader(seat),
    }


@functools.cache
def art(players: int, zoom: float = 1) -> str:
    """What the pieces are made of; `zoom` is the scale of face-down markers."""
    pieces = _TILES | _PAIRS
    pieces |= {f"{letter}{value}": half(e, value) for e, letter in enumerate("FW") for value in VALUES}
    pieces |= {f"{name}-outline": f'<path class="{name}-edge" d="{OUTLINES[name]}"/>' for name in ELEMENTS}
    pieces |= {"h-shadow": rect("shadow", Box(4.5, 5.5, 2 * CELL - 6, CELL - 6), 10)}
    pieces |= {"v-shadow": rect("shadow", Box(4.5, 5.5, CELL - 6, 2 * CELL - 6), 10), "token-rim": _TOKEN_RIM}
    pieces |= {"elemental": _ELEMENTAL, "figure": _FIGURE, "matrix": scaled(_matrix(players), zoom)}
    for seat in range(players):
        pieces |= _of_seat(seat, zoom)
    return define(pieces)


def flat_art(players: int) -> str:
    """The art for paper: what is printed casts no shadow. Only there are tokens that belong to nobody."""
    return re.sub(r'<\w+ class="shadow"[^>]*/>', "", art(players) + define({"neutral-token": _NEUTRAL}))
