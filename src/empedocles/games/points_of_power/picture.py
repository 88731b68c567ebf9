"""Points of Power as a picture."""

from __future__ import annotations

import functools
import math

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.game import Drawing
from empedocles.games.points_of_power.artwork import ART, board, corner, material_box
from empedocles.games.points_of_power.board import (
    ABSENT,
    ELEMENTS,
    LETTERS,
    MATERIAL,
    POINT,
    SEATS,
    Extent,
    extent,
    ground,
)
from empedocles.games.points_of_power.lookups import CAPTURE, CELLS, MP, NAMES, PASS, SIZE
from empedocles.games.points_of_power.moves import PASS_TARGET, due, quiet_turns
from empedocles.games.points_of_power.rules import (
    MAX_LEGAL,
    PATIENCE,
    PIECES,
    can_move,
    ends,
    legal,
    may_pass,
    points,
    size,
)
from empedocles.games.points_of_power.text import ELEMENTS as KINDS
from empedocles.games.points_of_power.text import Standing, name_of, points_held, standings, to_move
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.render.art import CELL, scaled
from empedocles.render.picture import (
    Box,
    Glyph,
    Layout,
    Look,
    Sheet,
    arrange,
    button,
    group,
    rect,
    seat_panel,
    text,
    use,
)

MARGIN = 30  # of the board, for coordinates
WIDTH = SIZE * CELL  # of the largest board, and of the strip below every one
STRIP = 66  # below the board: what is due, the turns without a capture, the button
PASS_ROW = 56  # for a second button
PANEL_WIDTH = 250
LONGEST_NAME = 20  # letters of a player's name that there is room for
ROW = 56  # of a panel, for each element
BEFORE = 52  # the height of a panel above its rows
LARGE = 1.6  # a piece on the material plane, beside others
SMALL = 0.42  # a captured one
SIGNS = ("▲", "≋", "■", "~")  # in a terminal, by element

# ── Where things are ─────────────────────────────────────────────────────────────────────────────────────────────────


def _scale(wide: bool) -> float:
    """How much larger words are than elsewhere: the board is large, and the sheet is shown smaller for it."""
    return 1.1 if wide else 1.35


def _height(seats: int) -> float:
    return BEFORE + 4 // seats * ROW + 6


@functools.cache
def _layout(seats: int, wide: bool, rows: int, passing: bool) -> Layout:
    scale = _scale(wide)
    below = rows * CELL + 30 + STRIP + (PASS_ROW if passing else 0)
    return arrange((MARGIN + WIDTH + 4, below), seats, (scale * PANEL_WIDTH, scale * _height(seats)), wide)


def _origin(size: Extent, layout: Layout) -> tuple[float, float]:
    """Where the squares begin; a narrow board is in the middle."""
    x, y = layout.board
    return x + MARGIN + (WIDTH - size.columns * CELL) / 2, y


@functools.cache
def _coordinates(size: Extent, scale: float) -> str:
    height = size.rows * CELL
    letters = ((NAMES[k][0], (k + 0.5) * CELL, height + 21) for k in range(size.columns))
    numbers = ((row, -14, height - (row - 0.5) * CELL + 5) for row in range(1, size.rows + 1))
    return "".join(scaled(text("label", 0, 0, sign), scale, x, y) for sign, x, y in (*letters, *numbers))


@functools.lru_cache(maxsize=64)
def _boxes(drawing: str, layout: Layout, passing: bool) -> dict[str, Box]:
    size = extent(drawing)
    left, top = _origin(size, layout)
    cells = (c for c in range(CELLS) if drawing[c] not in ABSENT + MATERIAL)
    places = {NAMES[c]: Box(*corner(c, size.rows)) for c in cells} | {NAMES[MP]: material_box(drawing)}
    boxes = {name: box._replace(x=box.x + left, y=box.y + top) for name, box in places.items()}
    x, y = layout.board[0] + MARGIN + WIDTH - 1.8 * CELL, top + size.rows * CELL + 38
    boxes["confirm"] = Box(x, y, 1.8 * CELL, 0.8 * CELL)
    if passing:
        boxes[PASS_TARGET] = Box(x, y + PASS_ROW, 1.8 * CELL, 0.8 * CELL)
    return boxes


# ── A position ───────────────────────────────────────────────────────────────────────────────────────────────────────


def sheet(s: State, look: Look) -> Sheet:
    drawing, passing = ground(s), may_pass(s)
    size = extent(drawing)
    layout = _layout(int(s.seats), look.wide, size.rows, passing)
    drawn = Sheet(layout, ART, look)
    drawn.ground = [group(*_origin(size, layout), board(drawing) + _coordinates(size, _scale(look.wide)))]
    drawn.boxes = _boxes(drawing, layout, passing)
    stands, movers = standings(s), to_move(s)
    for e in range(4):
        _pieces(s, e, stands[e], drawn)
    for seat in range(len(layout.panels)):
        _seat(s, seat, stands, movers, drawn)
    _strip(s, drawn)
    if "exposed" in look.overlays:
        _exposed(s, stands, drawn)
    if "threats" in look.overlays:
        _threats(s, drawn)
    return drawn


def _pieces(s: State, e: int, stand: Standing, drawn: Sheet) -> None:
    """The pieces of an element on the board; points of power under them glow."""
    for cell in stand.powerful:
        box = drawn.boxes[NAMES[cell]]
        drawn.panels.append(use("glow", box.x, box.y))
    for cell in stand.pieces:
        name = name_of(s, cell)
        scale, (x, y) = _size(drawn.boxes[name]), drawn.boxes[name].centre
        shown = scaled(use(KINDS[e]), scale) if scale > 1 else use(KINDS[e])
        drawn.piece(KINDS[e], name, x - scale * CELL / 2, y - scale * CELL / 2, shown)


def _size(box: Box) -> float:
    """How large a piece is drawn there, beside others."""
    return LARGE if min(box.width, box.height) > CELL else 1


# ── Panels ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _seat(s: State, seat: int, stands: list[Standing], movers: list[int], drawn: Sheet) -> None:
    """The points of power of its side, and the standing of each of its elements."""
    seats, look = len(drawn.layout.panels), drawn.look
    elements, title = range(seat, 4, seats), translate(SEATS[seats][seat], look.language)
    score, active = f"{points_held(stands)[seat % 2]}/{size(points(s))}", any(e in movers for e in elements)
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
    if PASS_TARGET in drawn.boxes:
        stuck = not s.over and not can_move(s, int(s.mover))
        drawn.panels.append(button(drawn.boxes[PASS_TARGET], translate(_("pass"), look.language), stuck))
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


def _exposed(s: State, stands: list[Standing], drawn: Sheet) -> None:
    """A ring around each piece: a full one where it could be captured, a broken one where it is safe."""
    exposed = [cell for stand in stands for cell in stand.exposed]
    safe = [cell for stand in stands for cell in stand.pieces if cell not in exposed]
    for looks, cells in (("warn", exposed), ("safe", safe)):
        rings = "".join(_ring(drawn.boxes[name_of(s, c)], 25) for c in cells)
        drawn.notes.append(f'<path class="{looks}" d="{rings}"/>')


def _ring(box: Box, radius: float) -> str:
    (x, y), radius = box.centre, radius * _size(box)
    half = f"a{radius:g} {radius:g} 0 1 1"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0"


def _threats(s: State, drawn: Sheet) -> None:
    """Captures that the side to move has, and those that the other side would have if it were its turn."""
    for looks, side in (("warn", 1 - s.mover % 2), ("note-line", s.mover % 2)):
        pairs = [pair for seat in range(side, s.seats, 2) for pair in _captures(s, seat)]
        boxes = [(drawn.boxes[name_of(s, start)], drawn.boxes[name_of(s, end)]) for start, end in pairs]
        arrows = "".join(_arrow(*pair) for pair in boxes)
        victims = {end for _start, end in pairs}
        rings = "".join(_ring(drawn.boxes[name_of(s, c)], 23) for c in sorted(victims))
        drawn.notes.append(f'<path class="{looks}" d="{arrows}{rings}"/>')


def _captures(s: State, seat: int) -> list[tuple[int, int]]:
    """The cells from and to which a seat could capture if it were to move."""
    then, out = s.copy(), np.empty(MAX_LEGAL, np.int16)
    then.mover = seat
    return [ends(then, a) for a in out[: legal(then, out)].tolist() if CAPTURE <= a < PASS]


def _arrow(start: Box, end: Box) -> str:
    """An arrow from within one piece to the rim of another."""
    (x, y), (to_x, to_y) = start.centre, end.centre
    angle = math.atan2(to_y - y, to_x - x)
    x, y = x + 13 * _size(start) * math.cos(angle), y + 13 * _size(start) * math.sin(angle)
    to_x, to_y = to_x - 18 * _size(end) * math.cos(angle), to_y - 18 * _size(end) * math.sin(angle)
    wings = [(to_x - 10 * math.cos(angle + turn), to_y - 10 * math.sin(angle + turn)) for turn in (0.55, -0.55)]
    (a, b), (c, d) = wings
    return f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}M{a:.1f} {b:.1f}L{to_x:.1f} {to_y:.1f}L{c:.1f} {d:.1f}"


# ── Terminals ────────────────────────────────────────────────────────────────────────────────────────────────────────


def glyphs(s: State) -> dict[str, Glyph]:
    drawing, found = ground(s), {}
    grounds = dict(zip(LETTERS, KINDS, strict=True))
    for cell in members(s.squares):
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
