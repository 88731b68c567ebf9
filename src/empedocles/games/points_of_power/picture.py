"""Points of Power as a picture."""

from __future__ import annotations

import functools
import math

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.game import Drawing
from empedocles.games.points_of_power.artwork import art, board
from empedocles.games.points_of_power.board import (
    ELEMENTS,
    LETTERS,
    MATERIAL,
    POINT,
    SEATS,
    ground,
)
from empedocles.games.points_of_power.lookups import CAPTURE, MP, NAMES, PASS
from empedocles.games.points_of_power.moves import PASS_TARGET, due, quiet_turns
from empedocles.games.points_of_power.places import BEFORE, PANEL_WIDTH, ROW, Places, boxes, height, places
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
    Look,
    Sheet,
    button,
    group,
    rect,
    seat_panel,
    text,
    use,
)

LONGEST_NAME = 20  # letters of a player's name that there is room for
LARGE = 1.6  # a piece on the material plane, beside others
SMALL = 0.42  # a captured one
HUNT = 226  # where who captures whom begins, after its words
SIGNS = ("▲", "≋", "■", "~")  # in a terminal, by element

# ── A position ───────────────────────────────────────────────────────────────────────────────────────────────────────


def sheet(s: State, look: Look) -> Sheet:
    where = places(ground(s), int(s.seats), look.wide, look.seat)
    drawn = Sheet(where.layout, art(where.quarters, where.scale if look.wide else 1.82), look)
    drawn.ground = [group(*where.origin, board(where.drawing) + where.coordinates)]
    drawn.boxes = boxes(where, bool(may_pass(s)))
    stands, movers = standings(s), [] if look.ended else to_move(s)
    for e in range(4):
        _pieces(s, e, stands[e], drawn)
    for seat in range(len(where.layout.panels)):
        (_panel if look.wide else _side)(s, seat, stands, movers, where, drawn)
    _strip(s, where, drawn)
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


def _panel(s: State, seat: int, stands: list[Standing], movers: list[int], where: Places, drawn: Sheet) -> None:
    """The points of power of its side, and the standing of each of its elements."""
    seats, look = len(drawn.layout.panels), drawn.look
    elements, title = range(seat, 4, seats), translate(SEATS[seats][seat], look.language)
    score, active = f"{points_held(stands)[seat % 2]}/{size(points(s))}", any(e in movers for e in elements)
    parts = [seat_panel((0, 0), (PANEL_WIDTH, height(seats)), title, score, active)]
    parts.append(scaled(use("jewel"), 0.4, PANEL_WIDTH - 72, 9))
    parts.append(text("small", 14, 43, _who(seat, seats, look)))
    for row, e in enumerate(elements):
        parts.append(group(0, BEFORE + row * ROW, _row(e, stands[e], e in movers, look)))
        at = where.scale * 140, where.scale * (BEFORE + row * ROW + 21.5)
        _captured(e, stands, seat, at, where.scale, drawn)
    drawn.panels.append(scaled("".join(parts), where.scale, *drawn.layout.panels[seat]))


def _side(s: State, seat: int, stands: list[Standing], movers: list[int], where: Places, drawn: Sheet) -> None:
    """The same on a tall sheet: one line for the seat and what it captured, and one for its elements."""
    seats, look, (x, y), width = len(drawn.layout.panels), drawn.look, drawn.layout.panels[seat], where.panel[0]
    elements, title = range(seat, 4, seats), translate(SEATS[seats][seat], look.language)
    score, active = f"{points_held(stands)[seat % 2]}/{size(points(s))}", any(e in movers for e in elements)
    drawn.panels += [
        rect("plate-active" if active else "plate", Box(x, y, *where.panel), 10),
        scaled(text("name", 0, 0, title), 1.42, x + 12, y + 28),
        scaled(use("jewel"), 0.5, x + width - 86, y + 4),
        scaled(text("big", 0, 0, score), 1.1, x + width - 10, y + 28),
    ]
    for row, e in enumerate(elements):
        drawn.panels.append(group(x + 346 * row, y + 37, _cell(e, stands[e], e in movers, look)))
        _captured(e, stands, seat, (225 + 175 * row if seats == 2 else 110, 4), 1.4, drawn)


def _captured(e: int, stands: list[Standing], seat: int, at: tuple[float, float], scale: float, drawn: Sheet) -> None:
    """What an element has captured, as a row of small pieces that overlap."""
    (x, y), kind = drawn.layout.panels[seat], KINDS[(e + 1) % 4]
    for k in range(PIECES - len(stands[(e + 1) % 4].pieces)):
        left = x + at[0] + scale * 9.5 * k
        drawn.piece(kind, f"captured-{k}", left, y + at[1], scaled(use(kind), scale * SMALL))


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


def _cell(e: int, stand: Standing, may_move: bool, look: Look) -> str:
    """An element, and how it stands. How many points of power it has shows the board."""
    counts = translate(_("{left} left, {exposed} exposed"), look.language)
    arrow = '<path class="arrow-head" d="M4 14L13 21L4 28Z"/>' if may_move else ""
    counted = counts.format(left=len(stand.pieces), exposed=len(stand.exposed))
    return arrow + scaled(use(KINDS[e]), 0.75, 14, -1.5) + scaled(text("words", 0, 0, counted), 1.68, 66, 29)


def _hunt(look: Look) -> str:
    """Which element captures which, as a row from one to the next."""
    icons = (scaled(use(KINDS[k % 4]), 0.45, HUNT + 44 * k, 1) for k in range(5))
    arrows = (
        f'<path class="soft" d="M{HUNT + 44 * k + 31:g} 9L{HUNT + 44 * k + 40:g} 15L{HUNT + 44 * k + 31:g} 21Z"/>'
        for k in range(4)
    )
    return scaled(text("words", 0, 0, translate(_("Who captures whom:"), look.language)), 1.68, 0, 22) + "".join(
        (*icons, *arrows)
    )


def _strip(s: State, where: Places, drawn: Sheet) -> None:
    """Below the board: what is due and the turns without a capture, or how the game ended and why; and the button."""
    look = drawn.look
    if PASS_TARGET in drawn.boxes:
        stuck = not s.over and not can_move(s, int(s.mover))
        box = drawn.boxes[PASS_TARGET]
        drawn.panels.append(button(box, translate(_("pass"), look.language), stuck, 1 if look.wide else 1.6))
    first, *why = [""] if look.ended else [message.say(look.language) for message in due(s)]
    if look.wide:
        below = text("words", 0, 34, *why) if why else _quiet_bar(s, look)
        drawn.panels.append(scaled(text("name" if why else "words", 0, 13, first) + below, where.scale, *where.strip))
        return
    # There, the page around it says what is due.
    said = first if why else quiet_turns(s).say(look.language) if 2 * int(s.quiet) >= PATIENCE else ""
    words = scaled(text("name" if why else "words", 0, 13, said), where.scale) if said else _hunt(look)
    drawn.panels.append(group(*where.strip, words))


def _quiet_bar(s: State, look: Look) -> str:
    track, gone = Box(0, 25, 180, 9), Box(0, 25, 180 * int(s.quiet) / PATIENCE, 9)
    said = quiet_turns(s).say(look.language)
    return rect("plate", track, 4.5) + rect("soft", gone, 4.5) + text("small", 190, 34, said)


# ── Overlays ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _exposed(s: State, stands: list[Standing], drawn: Sheet) -> None:
    """A ring around each piece that could be captured; those without one are safe."""
    exposed = [cell for stand in stands for cell in stand.exposed]
    rings = "".join(_ring(drawn.boxes[name_of(s, c)], 25) for c in exposed)
    drawn.notes.append(f'<path class="warn" d="{rings}"/>')


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
    "exposed": _("ring: exposed, no ring: safe"),
    "threats": _("arrow: possible capture"),
}
MOTIONS = {"fire": "burn", "water": "flow", "earth": "rise", "air": "drift"}
DRAWING = Drawing(sheet, glyphs, OVERLAYS, tuple(f"{kind}-deep-line" for kind in KINDS), MOTIONS)
