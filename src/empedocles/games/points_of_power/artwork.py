"""The drawings of Points of Power: pieces, squares and boards, on the table and on paper."""

from __future__ import annotations

import functools
import math

from empedocles.games.points_of_power.board import (
    ABSENT,
    LARGEST_BLOCK,
    LETTERS,
    POINT,
    VOID,
    block_of,
    extent,
    marked,
)
from empedocles.games.points_of_power.lookups import AIR, CELLS, EARTH, FIRE, MP, NAMES, SIZE, WATER
from empedocles.games.points_of_power.text import ELEMENTS as KINDS
from empedocles.render.art import CELL, emblem, scaled, tile
from empedocles.render.picture import Box, define, rect, text, use

MP_WORDS = 1.3  # how much larger the name of the material plane is: it is read in small pictures without coordinates

# ── Pieces and squares ───────────────────────────────────────────────────────────────────────────────────────────────


def _circle(looks: str, radius: float, x: float = CELL / 2, y: float = CELL / 2) -> str:
    return f'<circle class="{looks}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def face(e: int) -> str:
    """A piece from above. Fire and Earth have one heavy rim, Air and Water two fine ones."""
    kind = KINDS[e]
    rims = (
        _circle(f"{kind}-glow", 20) + _circle(f"{kind}-deep-line", 19)
        if e % 2 == 0
        else _circle(f"{kind}-edge", 20.5) + _circle(f"{kind}-edge {kind}-glow", 16.5)
    )
    return rims + emblem(kind, 25, 17.5, 17.5)


def _disc(e: int) -> str:
    """A piece as it lies on the board: its edge can be seen, and it casts a shadow."""
    return _circle("shadow", 21.5, 32, 34.5) + _circle(f"{KINDS[e]}-deep", 21, y=32.5) + face(e)


def _spikes(rays: int, long: float, short: float, turn: float = 0) -> list[tuple[float, float]]:
    """The corners of a star around the middle of a square, first the tip of a ray, then the notch after it."""
    corners = ((k * math.pi / rays + turn, short if k % 2 else long) for k in range(2 * rays))
    return [(CELL / 2 + r * math.sin(angle), CELL / 2 - r * math.cos(angle)) for angle, r in corners]


def _star(rays: int, long: float, short: float, turn: float = 0) -> str:
    """A star cut like a jewel: one half of each ray lies in the shade."""
    corners = _spikes(rays, long, short, turn)
    outline = "L".join(f"{x:.1f} {y:.1f}" for x, y in corners)
    halves = zip(corners[::2], corners[1::2], strict=True)
    shade = "".join(f"M30 30L{a:.1f} {b:.1f}L{c:.1f} {d:.1f}Z" for (a, b), (c, d) in halves)
    return f'<path class="gold" d="M{outline}Z"/><path class="shadow" d="{shade}"/>'


def _quarter(e: int, x: int, y: int) -> str:
    """A quarter of the material plane, towards x, y: its ground and an emblem, pale since it is not a piece."""
    kind, middle = KINDS[e], 1.5 * CELL
    sweep = int(x * y > 0)
    path = f"M{middle} {middle}h{80 * x}A80 80 0 0 {sweep} {middle} {middle + 80 * y}Z"
    at = middle - 14 + 40 * x, middle - 14 + 40 * y
    return f'<path class="{kind}" d="{path}"/><g class="faded">{emblem(kind, 28, *at)}</g>'


def _material(turned: int, words: float) -> str:
    """Where all elements meet: one square as large as nine, turned clockwise by quarters."""
    middle = 1.5 * CELL
    corners = ((1, -1), (1, 1), (-1, 1), (-1, -1))
    quarters = [(e, *corners[(k + turned) % 4]) for k, e in enumerate((FIRE, AIR, EARTH, WATER))]
    cross = f'<path class="soft-line" d="M{middle} 10V170M10 {middle}H170"/>'
    rings = "".join(_circle(looks, r, middle, middle) for looks, r in (("ink-line", 80), ("soft-line", 75)))
    return (
        rect("void", Box(0, 0, 3 * CELL, 3 * CELL))
        + "".join(_quarter(*quarter) for quarter in quarters)
        + cross
        + rings
        + _circle("void", 39, middle, middle)
        + _circle("ink-line", 39, middle, middle)
        + _circle("soft-line", 35, middle, middle)
        + scaled(text("label", 0, 0, NAMES[MP]), MP_WORDS * words, 1 + 13 * MP_WORDS * words, 172)
        + rect("ink-line", Box(0, 0, 3 * CELL, 3 * CELL))
    )


_RIM = f'<rect class="soft-line" width="{CELL}" height="{CELL}"/>'
_JEWEL = _star(4, 19, 6, math.pi / 4) + _star(4, 27, 7) + _circle("white", 4.5)
_PIECES = define(
    {f"{kind}-plane": tile(kind) + _RIM for kind in KINDS}
    | {kind: _disc(e) for e, kind in enumerate(KINDS)}
    | {"point": _circle("gold-tint", 22) + _JEWEL, "glow": _star(16, 29, 23.5), "jewel": _JEWEL}
)


@functools.cache
def art(turned: int = 0, words: float = 1) -> str:
    """All of it, for a board that is turned clockwise by quarters; `words` is the scale of what is written on it."""
    return _PIECES + define({"material": _material(turned, words)})


ART = art()  # on paper

# ── The board ────────────────────────────────────────────────────────────────────────────────────────────────────────


def corner(cell: int, rows: int) -> tuple[int, int]:
    """Where a cell begins on a board of so many rows."""
    return cell % SIZE * CELL, (rows - 1 - cell // SIZE) * CELL


def material_box(drawing: str) -> Box:
    """Where the material plane lies on its board."""
    block = block_of(drawing)
    x, y = corner(block.cells[-block.wide], extent(drawing).rows)
    return Box(x, y, block.wide * CELL, block.high * CELL)


@functools.lru_cache(maxsize=64)
def board(drawing: str) -> str:
    """A board as its file draws it, which may be a custom one."""
    place = functools.partial(corner, rows=extent(drawing).rows)
    places = {letter: [place(c) for c in marked(drawing, letter)] for letter in VOID + POINT + LETTERS}
    squares = "".join(f"M{x} {y}h60v60h-60z" for x, y in places[VOID] + places[POINT])
    planes = [(kind, at) for kind, letter in zip(KINDS, LETTERS, strict=True) for at in places[letter]]
    edges = "".join(_outline(places[letter]) for letter in LETTERS)
    return (
        f'<path class="void" d="{squares}"/>'
        + "".join(use(f"{kind}-plane", *at) for kind, at in planes)
        + f'<path class="ink-line" d="{edges}"/>'
        + "".join(use("point", *at) for at in places[POINT])
        + _material_plane(material_box(drawing))
        + _frame(drawing, [place(c) for c in range(CELLS) if drawing[c] != ABSENT])
    )


def _material_plane(box: Box) -> str:
    """Its picture is a square; in another rectangle it lies in the middle of the void."""
    scale = min(box.width, box.height) / (LARGEST_BLOCK * CELL)
    if scale == 1:
        return use("material", box.x, box.y)
    (x, y), half = box.centre, scale * LARGEST_BLOCK * CELL / 2
    return rect("void", box) + scaled(use("material"), scale, x - half, y - half) + rect("ink-line", box)


def _frame(drawing: str, places: list[tuple[int, int]]) -> str:
    columns, rows = extent(drawing)
    if len(places) == columns * rows:
        return rect("frame", Box(0, 0, columns * CELL, rows * CELL))
    return f'<path class="frame" stroke-linecap="square" d="{_outline(places)}"/>'


def _outline(places: list[tuple[int, int]]) -> str:
    """Around squares, wherever they lie."""
    path, inside = "", {*places}
    for x, y in sorted(inside):
        sides = ((0, -1, x, y, "h60"), (0, 1, x, y + CELL, "h60"), (-1, 0, x, y, "v60"), (1, 0, x + CELL, y, "v60"))
        for right, down, left, top, line in sides:
            if (x + right * CELL, y + down * CELL) not in inside:
                path += f"M{left} {top}{line}"
    return path
