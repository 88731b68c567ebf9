"""Ignite and Flow as a picture."""

from __future__ import annotations

import functools

import numpy as np

from empedocles.core.bits import NONE, bit, count, has, members
from empedocles.core.kernel import State
from empedocles.game import Drawing
from empedocles.games.ignite_and_flow.lookups import CELLS, EARTH, NAMES, SIZE, STRIDE
from empedocles.games.ignite_and_flow.moves import DECLINE, SEATS, SUPPLY
from empedocles.games.ignite_and_flow.rules import (
    PATIENCE,
    TEMPLE_CHOICE,
    landmasses,
    scores,
    unused_temples,
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
    coordinates,
    define,
    rect,
    seat_panel,
    text,
    use,
)

MARGIN = 26  # of the board, for coordinates
BOARD = MARGIN + SIZE * CELL + 4, SIZE * CELL + 24 + 84
PANELS = {True: (240, 132), False: (188, 162)}  # beside the board, and next to each other below it
LONGEST_NAME = 18  # letters of a player's name that there is room for
ELEMENTS = ("fire", "water", "earth", "desert")
COLOURS = ("white", "black")

SIGNS = {"fire": "▲", "water": "≈", "earth": "▦", "desert": "∴"}  # in a terminal

# A temple seen from the front, coloured by its owner.
TEMPLE = (
    '<path d="M12 24L30 11L48 24Z"/><rect x="13" y="25" width="34" height="4"/>'
    '<rect x="16" y="30" width="5" height="16"/>'
    '<rect x="27.5" y="30" width="5" height="16"/><rect x="39" y="30" width="5" height="16"/>'
    '<rect x="11" y="46" width="38" height="5"/>'
)

RIM = f'<rect class="ink-line" width="{CELL}" height="{CELL}"/>'
ART = define(
    {name: tile(name) + emblem(name, 38, 11, 11) + RIM for name in ELEMENTS}
    | {"site": tile("earth") + RIM, "temple": TEMPLE, "small-temple": scaled(TEMPLE, 0.55)}
)


def place(cell: int, layout: Layout) -> tuple[float, float]:
    x, y = layout.board
    return x + MARGIN + cell % STRIDE * CELL, y + (SIZE - 1 - cell // STRIDE) * CELL


@functools.cache
def _layout(wide: bool) -> Layout:
    return arrange(BOARD, 2, PANELS[wide], wide)


@functools.cache
def _boxes(layout: Layout) -> dict[str, Box]:
    boxes = {NAMES[cell]: Box(*place(cell, layout)) for cell in CELLS}
    x, y = layout.board[0] + MARGIN, layout.board[1] + SIZE * CELL + 30
    boxes |= {name: Box(x + k * (CELL + 8), y) for k, name in enumerate(SUPPLY)}
    boxes[DECLINE] = Box(x + 3.4 * CELL, y, 1.35 * CELL, CELL)
    boxes["confirm"] = Box(x + 4.85 * CELL, y, 1.15 * CELL, CELL)
    return boxes


@functools.cache
def _ground(layout: Layout) -> str:
    squares = "".join(rect("void", Box(*place(cell, layout))) for cell in CELLS)
    x, y = layout.board[0] + MARGIN, layout.board[1]
    frame = rect("frame", Box(x, y, SIZE * CELL, SIZE * CELL))
    boxes = _boxes(layout)
    piles = "".join(
        rect("shadow", Box(boxes[name].x + 3, boxes[name].y + 3)) + use(element, boxes[name].x, boxes[name].y)
        for name, element in zip(SUPPLY, ELEMENTS, strict=False)
    )
    return squares + frame + coordinates(SIZE, SIZE, x, y) + piles


def sheet(s: State, look: Look) -> Sheet:
    layout = _layout(look.wide)
    drawn = Sheet(layout, ART, look)
    drawn.ground = [_ground(layout)]
    drawn.boxes = _boxes(layout)
    temples = s.temples[0] | s.temples[1]
    for element, cells in zip(ELEMENTS, s.ground, strict=True):
        for cell in members(cells):
            drawn.piece(element, NAMES[cell], *place(cell, layout), use("site" if has(temples, cell) else element))
    points = np.zeros(2, np.int32)
    scores(s, points)
    for seat in range(2):
        _seat(s, seat, int(points[seat]), drawn)
    _status(s, drawn)
    if "landmasses" in look.overlays:
        _landmasses(s, drawn)
    return drawn


def _seat(s: State, seat: int, points: int, drawn: Sheet) -> None:
    """Temples on the board, those left, and those taken: beside their names, or below where it is narrow."""
    (x, y), wide = drawn.layout.panels[seat], drawn.look.wide
    labels, rows, indent = ((56, 100), (34, 80), 118) if wide else ((64, 112), (64, 112), 12)
    say = functools.partial(translate, language=drawn.look.language)
    title, who = say(SEATS[seat]), drawn.look.player(seat, LONGEST_NAME)
    active = bool(s.mover == seat and not s.over)
    drawn.panels.append(seat_panel((x, y), PANELS[wide], title, points, active, who if wide else ""))
    drawn.panels.append("" if wide else text("small", x + 14, y + 43, who))
    drawn.panels.append(text("small", x + 14, y + labels[0], say(_("temples left"))))
    drawn.panels.append(text("small", x + 14, y + labels[1], say(_("temples taken"))))
    temple = use("small-temple", looks=COLOURS[seat])
    for k in range(unused_temples(s, seat)):
        drawn.piece(f"temple-{COLOURS[seat]}", f"left-{k}", x + indent + 36 * k, y + rows[0], temple)
    for k in range(int(s.taken[seat])):
        other = use("small-temple", looks=COLOURS[1 - seat])
        drawn.piece(f"temple-{COLOURS[1 - seat]}", f"taken-{k}", x + indent + 36 * k, y + rows[1], other)
    for cell in members(s.temples[seat]):
        temple = use("temple", looks=COLOURS[seat])
        drawn.piece(f"temple-{COLOURS[seat]}", NAMES[cell], *place(cell, drawn.layout), temple)


def _status(s: State, drawn: Sheet) -> None:
    say = functools.partial(translate, language=drawn.look.language)
    boxes = drawn.boxes
    drawn.panels.append(button(boxes[DECLINE], say(_("no temple")), bool(s.due == TEMPLE_CHOICE and not s.over)))
    drawn.panels.append(button(boxes["confirm"], say(_("confirm")), "confirm" in drawn.look.targets))
    x, y = boxes["F"].x, boxes["F"].y + CELL + 15
    quiet = say(_("{n} of {all} actions without progress")).format(n=s.quiet, all=PATIENCE)
    drawn.panels.append(text("small", x, y, quiet))


def _landmasses(s: State, drawn: Sheet) -> None:
    """Each landmass tinted by its owner, with its points; one that both own has a cross instead."""
    earth, todo = s.ground[EARTH], s.ground[EARTH]
    while todo:
        first = members(todo)[0]
        land = np.uint64(landmasses(earth, bit(first)))
        todo &= ~land
        owners = [seat for seat in range(2) if s.temples[seat] & land != NONE]
        points = str(count(land)) if len(owners) == 1 else "×" if owners else "–"
        for cell in members(land) if len(owners) == 1 else ():
            drawn.notes.append(rect(f"{COLOURS[owners[0]]}-tint", Box(*place(cell, drawn.layout))))
        x, y = place(first, drawn.layout)
        drawn.notes.append(f'<path class="note-line" d="{_outline(land, drawn.layout)}"/>')
        drawn.notes.append(rect("note-plate", Box(x + 3, y + CELL - 21, 24, 18), 5))
        drawn.notes.append(text("note", x + 15, y + CELL - 7, points))


def _outline(land: np.uint64, layout: Layout) -> str:
    path = ""
    for cell in members(land):
        x, y = place(cell, layout)
        sides = ((STRIDE, x, y, "h60"), (-STRIDE, x, y + CELL, "h60"), (-1, x, y, "v60"), (1, x + CELL, y, "v60"))
        for step, left, top, line in sides:
            if cell + step < 0 or not has(land, cell + step):
                path += f"M{left:g} {top:g}{line}"
    return path


def glyphs(s: State) -> dict[str, Glyph]:
    found = {NAMES[cell]: Glyph("") for cell in CELLS}
    for element, cells in zip(ELEMENTS, s.ground, strict=True):
        found |= {NAMES[cell]: Glyph(SIGNS[element], element, f"{element}-deep") for cell in members(cells)}
    for seat in range(2):
        found |= {NAMES[cell]: Glyph("▟█▙", "earth", COLOURS[seat]) for cell in members(s.temples[seat])}
    found |= {name: Glyph(SIGNS[e], e, f"{e}-deep") for name, e in zip(SUPPLY, ELEMENTS, strict=False)}
    return found


LINES = tuple(f"{colour}-line" for colour in COLOURS)
DRAWING = Drawing(sheet, glyphs, {"landmasses": _("landmasses with their owner and points")}, LINES)
