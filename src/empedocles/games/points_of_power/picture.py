"""Points of Power as a picture."""

from __future__ import annotations

import functools
import math

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.game import Drawing
from empedocles.games.points_of_power.lookups import AIR, CAPTURE, CELLS, EARTH, FIRE, MP, NAMES, SIZE, SQUARES, WATER
from empedocles.games.points_of_power.moves import ELEMENTS, SEATS, due, quiet_turns
from empedocles.games.points_of_power.rules import MAX_LEGAL, PATIENCE, PIECES, ends, legal
from empedocles.games.points_of_power.text import ELEMENTS as KINDS
from empedocles.games.points_of_power.text import (
    LETTERS,
    MATERIAL,
    POINT,
    POINTS,
    VOID,
    Standing,
    ground,
    name_of,
    points_held,
    standings,
    to_move,
)
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.render.art import CELL, emblem, scaled, tile
from empedocles.render.picture import (
    Box,
    Glyph,
    Layout,
    Look,
    Sheet,
    arrange,
    button,
    define,
    group,
    rect,
    seat_panel,
    text,
    use,
)

MARGIN = 30  # of the board, for coordinates
SIDE = SIZE * CELL
STRIP = 66  # below the board: what is due, the turns without a capture, the button
BOARD = MARGIN + SIDE + 4, SIDE + 30 + STRIP
PANEL_WIDTH = 250
LONGEST_NAME = 20  # letters of a player's name that there is room for
ROW = 56  # of a panel, for each element
BEFORE = 52  # the height of a panel above its rows
LARGE = 1.6  # a piece on the material plane, beside others
SMALL = 0.42  # a captured one
SIGNS = ("▲", "≋", "■", "~")  # in a terminal, by element

# ── Artwork ──────────────────────────────────────────────────────────────────────────────────────────────────────────


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


def _material() -> str:
    """Where all elements meet: one square as large as nine."""
    middle = 1.5 * CELL
    quarters = ((FIRE, 1, -1), (AIR, 1, 1), (EARTH, -1, 1), (WATER, -1, -1))
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
        + text("label", 14, 172, NAMES[MP])
        + rect("ink-line", Box(0, 0, 3 * CELL, 3 * CELL))
    )


_RIM = f'<rect class="soft-line" width="{CELL}" height="{CELL}"/>'
_JEWEL = _star(4, 19, 6, math.pi / 4) + _star(4, 27, 7) + _circle("white", 4.5)
ART = define(
    {f"{kind}-plane": tile(kind) + _RIM for kind in KINDS}
    | {kind: _disc(e) for e, kind in enumerate(KINDS)}
    | {
        "point": _circle("gold-tint", 22) + _JEWEL,
        "glow": _star(16, 29, 23.5),
        "jewel": _JEWEL,
        "material": _material(),
    }
)

# ── The board ────────────────────────────────────────────────────────────────────────────────────────────────────────


def corner(cell: int) -> tuple[int, int]:
    """Where a cell begins on the board."""
    return cell % SIZE * CELL, (SIZE - 1 - cell // SIZE) * CELL


@functools.lru_cache(maxsize=64)
def board(drawing: str) -> str:
    """A board as its file draws it, which may be a custom one."""
    marked = {letter: [c for c in range(CELLS) if drawing[c] == letter] for letter in VOID + POINT + MATERIAL + LETTERS}
    left, top = corner(marked[MATERIAL][6])  # the block's first cell in the drawing
    squares = "".join(f"M{x} {y}h60v60h-60z" for x, y in map(corner, marked[VOID] + marked[POINT]))
    planes = [(kind, c) for kind, letter in zip(KINDS, LETTERS, strict=True) for c in marked[letter]]
    edges = "".join(_outline(marked[letter]) for letter in LETTERS)
    return (
        f'<path class="void" d="{squares}"/>'
        + "".join(use(f"{kind}-plane", *corner(c)) for kind, c in planes)
        + f'<path class="ink-line" d="{edges}"/>'
        + "".join(use("point", *corner(c)) for c in marked[POINT])
        + use("material", left, top)
        + rect("frame", Box(0, 0, SIDE, SIDE))
    )


def _outline(cells: list[int]) -> str:
    """Around a plane, wherever its squares lie."""
    path, inside = "", {corner(c) for c in cells}
    for x, y in sorted(inside):
        sides = ((0, -1, x, y, "h60"), (0, 1, x, y + CELL, "h60"), (-1, 0, x, y, "v60"), (1, 0, x + CELL, y, "v60"))
        for right, down, left, top, line in sides:
            if (x + right * CELL, y + down * CELL) not in inside:
                path += f"M{left} {top}{line}"
    return path


@functools.cache
def _coordinates(scale: float) -> str:
    letters = ((letter, (k + 0.5) * CELL, SIDE + 21) for k, letter in enumerate("abcdefghijk"))
    numbers = ((row, -14, SIDE - (row - 0.5) * CELL + 5) for row in range(1, SIZE + 1))
    return "".join(scaled(text("label", 0, 0, sign), scale, x, y) for sign, x, y in (*letters, *numbers))


# ── Where things are ─────────────────────────────────────────────────────────────────────────────────────────────────


def _scale(wide: bool) -> float:
    """How much larger words are than elsewhere: the board is large, and the sheet is shown smaller for it."""
    return 1.1 if wide else 1.35


def _height(seats: int) -> float:
    return BEFORE + 4 // seats * ROW + 6


@functools.cache
def _layout(seats: int, wide: bool) -> Layout:
    scale = _scale(wide)
    return arrange(BOARD, seats, (scale * PANEL_WIDTH, scale * _height(seats)), wide)


def _place(cell: int, layout: Layout) -> tuple[float, float]:
    (x, y), (left, top) = layout.board, corner(cell)
    return x + MARGIN + left, y + top


@functools.lru_cache(maxsize=64)
def _boxes(mp: int, layout: Layout) -> dict[str, Box]:
    cells = members((SQUARES[mp, 0], SQUARES[mp, 1]))
    boxes = {NAMES[cell]: Box(*_place(cell, layout)) for cell in cells if cell != mp}
    x, y = _place(mp, layout)
    boxes[NAMES[MP]] = Box(x - CELL, y - CELL, 3 * CELL, 3 * CELL)
    x, y = layout.board[0] + MARGIN, layout.board[1] + SIDE + 38
    boxes["confirm"] = Box(x + SIDE - 1.8 * CELL, y, 1.8 * CELL, 0.8 * CELL)
    return boxes


# ── A position ───────────────────────────────────────────────────────────────────────────────────────────────────────


def sheet(s: State, look: Look) -> Sheet:
    layout = _layout(int(s.seats), look.wide)
    drawn = Sheet(layout, ART, look)
    x, y = layout.board
    drawn.ground = [group(x + MARGIN, y, board(ground(s)) + _coordinates(_scale(look.wide)))]
    drawn.boxes = _boxes(int(s.mp), layout)
    stands, movers = standings(s), to_move(s)
    for e in range(4):
        _pieces(s, e, stands[e], drawn)
    for seat in range(len(layout.panels)):
        _seat(seat, stands, movers, drawn)
    _strip(s, drawn)
    if "exposed" in look.overlays:
        _exposed(s, stands, drawn)
    if "threats" in look.overlays:
        _threats(s, drawn)
    return drawn


def _pieces(s: State, e: int, stand: Standing, drawn: Sheet) -> None:
    """The pieces of an element on the board; points of power under them glow."""
    mp, kind, layout = int(s.mp), KINDS[e], drawn.layout
    for cell in stand.powerful:
        drawn.panels.append(use("glow", *_place(cell, layout)))
    for cell in stand.pieces:
        x, y = _place(cell, layout)
        if cell == mp:
            by = CELL * (LARGE - 1) / 2
            drawn.piece(kind, NAMES[MP], x - by, y - by, scaled(use(kind), LARGE))
        else:
            drawn.piece(kind, NAMES[cell], x, y, use(kind))


# ── Panels ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _seat(seat: int, stands: list[Standing], movers: list[int], drawn: Sheet) -> None:
    """The points of power of its side, and the standing of each of its elements."""
    seats, look = len(drawn.layout.panels), drawn.look
    elements, title = range(seat, 4, seats), translate(SEATS[seats][seat], look.language)
    score, active = f"{points_held(stands)[seat % 2]}/{POINTS}", any(e in movers for e in elements)
    parts = [seat_panel((0, 0), (PANEL_WIDTH, _height(seats)), title, score, active)]
    parts.append(scaled(use("jewel"), 0.4, PANEL_WIDTH - 72, 9))
    parts.append(text("small", 14, 43, _who(seat, seats, look)))
    for row, e in enumerate(elements):
        parts.append(group(0, BEFORE + row * ROW, _row(e, stands[e], e in movers, look)))
        _captured(e, PIECES - len(stands[(e + 1) % 4].pieces), seat, row, drawn)
    drawn.panels.append(scaled("".join(parts), _scale(look.wide), *drawn.layout.panels[seat]))


def _captured(e: int, number: int, seat: int, row: int, drawn: Sheet) -> None:
    """What an element has captured, as a row of small pieces that overlap."""
    scale, (x, y), kind = _scale(drawn.look.wide), drawn.layout.panels[seat], KINDS[(e + 1) % 4]
    top = y + scale * (BEFORE + row * ROW + 21.5)
    for k in range(number):
        drawn.piece(kind, f"captured-{k}", x + scale * (140 + 9.5 * k), top, scaled(use(kind), scale * SMALL))


def _who(seat: int, seats: int, look: Look) -> str:
    """The partner's element, with four players, and the player's name."""
    say = functools.partial(translate, language=look.language)
    partner = [say(_("with {partner}")).format(partner=say(ELEMENTS[(seat + 2) % 4]))] if seats == 4 else []
    return " · ".join([*partner, *filter(None, [look.player(seat, LONGEST_NAME)])])


def _row(e: int, stand: Standing, may_move: bool, look: Look) -> str:
    say = functools.partial(translate, language=look.language)
    left, exposed, powerful = map(len, stand)
    counts = say(_("{left} left, {exposed} exposed")).format(left=left, exposed=exposed)
    prey = say(_("captures {prey}")).format(prey=say(ELEMENTS[(e + 1) % 4]))
    arrow = '<path class="arrow-head" d="M4 17L12 23L4 29Z"/>' if may_move else ""
    return (
        arrow
        + scaled(use(KINDS[e]), 0.75, 12, 0)
        + text("words", 62, 18, counts)
        + text("small", 62, 38, prey)
        + scaled(use("jewel"), 0.3, PANEL_WIDTH - 44, 4)
        + text("words", PANEL_WIDTH - 22, 18, powerful)
    )


def _strip(s: State, drawn: Sheet) -> None:
    """Below the board: what is due and the turns without a capture, or how the game ended and why; and the button."""
    look, box = drawn.look, drawn.boxes["confirm"]
    drawn.panels.append(button(box, translate(_("confirm"), look.language), "confirm" in look.targets))
    first, *why = (message.say(look.language) for message in due(s))
    below = text("words", 0, 34, *why) if why else _quiet_bar(s, look)
    x, y = drawn.layout.board[0] + MARGIN, box.y
    drawn.panels.append(scaled(text("name" if why else "words", 0, 13, first) + below, _scale(look.wide), x, y))


def _quiet_bar(s: State, look: Look) -> str:
    track, gone = Box(0, 25, 180, 9), Box(0, 25, 180 * int(s.quiet) / PATIENCE, 9)
    return (
        rect("plate", track, 4.5) + rect("soft", gone, 4.5) + text("small", 190, 34, quiet_turns(s).say(look.language))
    )


# ── Overlays ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _centre(cell: int, layout: Layout) -> tuple[float, float]:
    x, y = _place(cell, layout)
    return x + CELL / 2, y + CELL / 2


def _size(s: State, cell: int) -> float:
    """How large a piece is drawn there, beside others."""
    return LARGE if cell == s.mp else 1


def _exposed(s: State, stands: list[Standing], drawn: Sheet) -> None:
    """A ring around each piece: a full one where it could be captured, a broken one where it is safe."""
    exposed = [cell for stand in stands for cell in stand.exposed]
    safe = [cell for stand in stands for cell in stand.pieces if cell not in exposed]
    for looks, cells in (("warn", exposed), ("safe", safe)):
        rings = "".join(_ring(*_centre(c, drawn.layout), 25 * _size(s, c)) for c in cells)
        drawn.notes.append(f'<path class="{looks}" d="{rings}"/>')


def _ring(x: float, y: float, radius: float) -> str:
    half = f"a{radius:g} {radius:g} 0 1 1"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0"


def _threats(s: State, drawn: Sheet) -> None:
    """Captures that the side to move has, and those that the other side would have if it were its turn."""
    for looks, side in (("warn", 1 - s.mover % 2), ("note-line", s.mover % 2)):
        pairs = [pair for seat in range(side, s.seats, 2) for pair in _captures(s, seat)]
        arrows = "".join(_arrow(s, *pair, drawn.layout) for pair in pairs)
        victims = {end for _start, end in pairs}
        rings = "".join(_ring(*_centre(c, drawn.layout), 23 * _size(s, c)) for c in sorted(victims))
        drawn.notes.append(f'<path class="{looks}" d="{arrows}{rings}"/>')


def _captures(s: State, seat: int) -> list[tuple[int, int]]:
    """The cells from and to which a seat could capture if it were to move."""
    then, out = s.copy(), np.empty(MAX_LEGAL, np.int16)
    then.mover = seat
    return [ends(then, a) for a in out[: legal(then, out)].tolist() if a >= CAPTURE]


def _arrow(s: State, start: int, end: int, layout: Layout) -> str:
    """An arrow from within one piece to the rim of another."""
    (x, y), (to_x, to_y) = _centre(start, layout), _centre(end, layout)
    angle = math.atan2(to_y - y, to_x - x)
    x, y = x + 13 * _size(s, start) * math.cos(angle), y + 13 * _size(s, start) * math.sin(angle)
    to_x, to_y = to_x - 18 * _size(s, end) * math.cos(angle), to_y - 18 * _size(s, end) * math.sin(angle)
    wings = [(to_x - 10 * math.cos(angle + turn), to_y - 10 * math.sin(angle + turn)) for turn in (0.55, -0.55)]
    (a, b), (c, d) = wings
    return f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}M{a:.1f} {b:.1f}L{to_x:.1f} {to_y:.1f}L{c:.1f} {d:.1f}"


# ── Terminals ────────────────────────────────────────────────────────────────────────────────────────────────────────


def glyphs(s: State) -> dict[str, Glyph]:
    drawing, found = ground(s), {}
    grounds = dict(zip(LETTERS, KINDS, strict=True))
    for cell in members((SQUARES[s.mp, 0], SQUARES[s.mp, 1])):
        mark = drawing[cell]
        free = {POINT: "✦", MATERIAL: NAMES[MP]}.get(mark, "")
        found[name_of(s, cell)] = Glyph(free, grounds.get(mark, "void"), "gold" if mark == POINT else "soft")
    for e, stand in enumerate(standings(s)):
        for cell in stand.pieces:
            name = name_of(s, cell)
            sign = SIGNS[e] + ("✦" if drawing[cell] == POINT else "")
            found[name] = Glyph(sign, found[name].ground, f"{KINDS[e]}-deep")
    return found


OVERLAYS = {
    "exposed": _("exposed pieces in full rings, safe ones in broken rings"),
    "threats": _("which pieces could be captured, and from where"),
}
DRAWING = Drawing(sheet, glyphs, OVERLAYS, tuple(f"{kind}-deep-line" for kind in KINDS))
