"""Ignite and Flow as a picture."""

from __future__ import annotations

import functools
import textwrap

import numpy as np

from empedocles.core.bits import NONE, bit, count, has, members
from empedocles.core.kernel import State
from empedocles.game import Drawing
from empedocles.games.ignite_and_flow.lookups import CELLS, EARTH, NAMES, SIZE, STRIDE
from empedocles.games.ignite_and_flow.moves import DECLINE, SUPPLY
from empedocles.games.ignite_and_flow.rules import (
    PATIENCE,
    TEMPLE_CHOICE,
    TEMPLES,
    landmasses,
    scores,
    unused_temples,
)
from empedocles.games.ignite_and_flow.text import SEATS
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
PANEL = 240, 132  # beside the board
STRIP = MARGIN + SIZE * CELL + 4, 38  # above and below it, on a tall sheet
EDGE = 6  # of a tall sheet
LINE = 22  # letters in a line beside the supply there
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
def _layout(wide: bool, near: int | None) -> Layout:
    """The panel of the seat that is near is the lower one."""
    if wide:
        found = arrange(BOARD, 2, PANEL, wide)
        return found._replace(panels=found.panels[::-1]) if near == 0 else found
    width, height = STRIP
    top = EDGE + height + 4
    low = top + SIZE * CELL + 26 + CELL + 6
    strips = (EDGE, low), (EDGE, EDGE)
    return Layout(width + 2 * EDGE, low + height + EDGE, (EDGE, top), strips[::-1] if near else strips)


@functools.cache
def _boxes(layout: Layout, wide: bool) -> dict[str, Box]:
    boxes = {NAMES[cell]: Box(*place(cell, layout)) for cell in CELLS}
    x, y = layout.board[0] + MARGIN, layout.board[1] + SIZE * CELL + (30 if wide else 26)
    boxes |= {name: Box(x + k * (CELL + 8), y) for k, name in enumerate(SUPPLY)}
    boxes[DECLINE] = Box(x + 3.4 * CELL, y, 1.35 * CELL if wide else 2.6 * CELL, CELL)
    return boxes


@functools.cache
def _ground(layout: Layout, wide: bool) -> str:
    squares = "".join(rect("void", Box(*place(cell, layout))) for cell in CELLS)
    x, y = layout.board[0] + MARGIN, layout.board[1]
    frame = rect("frame", Box(x, y, SIZE * CELL, SIZE * CELL))
    boxes = _boxes(layout, wide)
    piles = "".join(
        rect("shadow", Box(boxes[name].x + 3, boxes[name].y + 3)) + use(element, boxes[name].x, boxes[name].y)
        for name, element in zip(SUPPLY, ELEMENTS, strict=False)
    )
    return squares + frame + coordinates(SIZE, SIZE, x, y, 1 if wide else 1.15) + piles


def sheet(s: State, look: Look) -> Sheet:
    layout = _layout(look.wide, look.seat)
    drawn = Sheet(layout, ART, look)
    drawn.ground = [_ground(layout, look.wide)]
    drawn.boxes = _boxes(layout, look.wide)
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
    """Temples on the board, those left, and those taken."""
    (x, y), wide = drawn.layout.panels[seat], drawn.look.wide
    active = bool(s.mover == seat and not s.over) and not drawn.look.ended
    (_plate if wide else _strip)(seat, points, active, drawn)
    if s.taken[seat] and not wide:
        drawn.panels.append(text("big", x + 218, y + 26, "+"))
    start, step, gap = ((118, 34), 36, (0, 46)) if wide else ((92, 4), 27, (134, 0))
    left = [(x + start[0] + step * k, y + start[1]) for k in range(TEMPLES)]
    taken = [(at + gap[0], top + gap[1]) for at, top in left]  # below those left, or behind a plus
    own, other = (use("small-temple", looks=COLOURS[one]) for one in (seat, 1 - seat))
    for k, at in zip(range(unused_temples(s, seat)), left, strict=False):
        drawn.piece(f"temple-{COLOURS[seat]}", f"left-{k}", *at, own)
    for k, at in zip(range(int(s.taken[seat])), taken, strict=False):
        drawn.piece(f"temple-{COLOURS[1 - seat]}", f"taken-{k}", *at, other)
    for cell in members(s.temples[seat]):
        temple = use("temple", looks=COLOURS[seat])
        drawn.piece(f"temple-{COLOURS[seat]}", NAMES[cell], *place(cell, drawn.layout), temple)


def _plate(seat: int, points: int, active: bool, drawn: Sheet) -> None:
    x, y = drawn.layout.panels[seat]
    say = functools.partial(translate, language=drawn.look.language)
    title, who = say(SEATS[seat]), drawn.look.player(seat, LONGEST_NAME)
    drawn.panels.append(seat_panel((x, y), PANEL, title, points, active, who))
    drawn.panels.append(text("small", x + 14, y + 56, say(_("temples left"))))
    drawn.panels.append(text("small", x + 14, y + 100, say(_("temples taken"))))


def _strip(seat: int, points: int, active: bool, drawn: Sheet) -> None:
    """The same in one line: what is left stands in a row of places, what was taken behind a plus."""
    (x, y), (width, height) = drawn.layout.panels[seat], STRIP
    slots = "".join(rect("", Box(x + 95 + 27 * k, y + 6, 25, 26), 4) for k in range(TEMPLES))
    drawn.panels += [
        rect("plate-active" if active else "plate", Box(x, y, width, height), 10),
        text("name", x + 12, y + 25, translate(SEATS[seat], drawn.look.language)),
        f'<g class="void">{slots}</g>',
        text("big", x + width - 12, y + 27, points),
    ]


def _status(s: State, drawn: Sheet) -> None:
    """The button to go without a temple, and how long nothing has happened."""
    say, boxes = functools.partial(translate, language=drawn.look.language), drawn.boxes
    due = bool(s.due == TEMPLE_CHOICE and not s.over)
    if drawn.look.wide or due:
        drawn.panels.append(button(boxes[DECLINE], say(_("no temple")), due))
    if not s.quiet:  # who has just begun would ask what is counted
        return
    quiet = say(_("{n} of {all} actions without progress")).format(n=s.quiet, all=PATIENCE)
    if drawn.look.wide:
        drawn.panels.append(text("small", boxes["F"].x, boxes["F"].y + CELL + 15, quiet))
    elif not due:  # there is no room for both
        x, y, *_size = boxes[DECLINE]
        lines = textwrap.wrap(quiet, LINE)
        drawn.panels += [text("words", x, y + 17 + 18 * k, line) for k, line in enumerate(lines)]


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
MOTIONS = {"fire": "burn", "water": "flow", "earth": "rise", "desert": "rise", "temple": "settle"}
DRAWING = Drawing(sheet, glyphs, {"landmasses": _("landmasses with their owner and points")}, LINES, MOTIONS)
