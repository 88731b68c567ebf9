"""Fire & Water as a picture."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import CHANCE, State
from empedocles.game import Drawing
from empedocles.games.fire_and_water.artwork import COLOURS, ELEMENTS, art, marker, tiles
from empedocles.games.fire_and_water.lookups import (
    COLUMNS,
    FIRE,
    HALF_CELL,
    HALF_VALUE,
    MARKERS,
    NAMES,
    ROWS,
    SUPPLY,
    WATER,
)
from empedocles.games.fire_and_water.moves import LEADER_TARGET, PASS_TARGET
from empedocles.games.fire_and_water.overlays import OVERLAYS
from empedocles.games.fire_and_water.places import CAPTION, Places, fixed_boxes, places, square
from empedocles.games.fire_and_water.rules import (
    ELEMENTALS,
    HAND,
    LEADERLESS,
    NO_CELL,
    NO_SEAT,
    NOT_LAID,
    leader_stands,
    scores,
    setting_up,
    tokens_for,
    winner,
)
from empedocles.games.fire_and_water.text import SEATS
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.render import marks
from empedocles.render.art import scaled
from empedocles.render.picture import Box, Glyph, Look, Sheet, button, coordinates, rect, text, use

LAST_TURN = (  # by the finale
    _("a token or a pass each, then the game ends"),
    _("a token, an elemental or a pass each, then the game ends"),
)
LONGEST_NAME = 16  # letters of a player's name that there is room for
BESIDE = 0.6  # the scale of tokens that share a square with an elemental or a leader

SIGNS = "▲≈"  # fire and water in a terminal
SHAPES = "●■★◆"  # and the seats
LINES = tuple(f"{colour}-line" for colour in COLOURS)


class Seen(NamedTuple):
    """A state in plain Python, which is much faster to read."""

    players: int
    turn: int
    over: bool
    by_chance: bool
    leader: list[int]
    placed: list[int]
    hidden: list[int]
    revealed: list[int]
    laid: list[list[int]]
    elementals: list[int]  # their cells
    tokens: list[list[int]]  # the cells of each seat's tokens


def _see(s: State) -> Seen:
    return Seen(
        int(s.seats),
        int(s.turn),
        bool(s.over),
        bool(s.mover == CHANCE and not s.over),
        s.leader.tolist(),
        s.placed.tolist(),
        s.hidden.tolist(),
        s.revealed.tolist(),
        s.laid.tolist(),
        members(s.elementals),
        [members(cells) for cells in s.tokens],
    )


# ── The sheet ────────────────────────────────────────────────────────────────────────────────────────────────────────


def sheet(s: State, look: Look) -> Sheet:
    seen, where = _see(s), places(int(s.seats), look.wide, look.seat)
    drawn = Sheet(where.layout, _art(where), look)
    drawn.ground = [_ground(where, tuple(members(s.fire)))]
    drawn.boxes = fixed_boxes(where) | _boxes_in_panel(seen, where)
    points = np.zeros(seen.players, np.int32)
    scores(s, points)
    stands = [seen.leader[seat] != NO_CELL and leader_stands(s, seat) for seat in range(seen.players)]
    for seat in range(seen.players):
        _panel(seen, seat, int(points[seat]), stands[seat], where, drawn)
        _markers(seen, seat, where, drawn)
    _elementals(seen, where, drawn)
    for seat in range(seen.players):
        _leader(seen, seat, stands[seat], where, drawn)
    for seat in range(seen.players):
        _tokens(s, seen, seat, where, drawn)
    _below(s, seen, where, drawn)
    _revealed_last(s, seen, where, drawn)
    for name in look.overlays:
        OVERLAYS[name].draw(s, drawn)
    return drawn


@functools.cache
def _art(where: Places) -> str:
    return art(where.players, where.zoom)


def _within(box: Box) -> Box:
    return Box(box.x + 2, box.y + 2, box.width - 4, box.height - 4)


@functools.lru_cache(maxsize=64)
def _ground(where: Places, fire: tuple[int, ...]) -> str:
    columns, (x, y), (width, height) = COLUMNS[where.players], where.squares, where.extent
    board = tiles(columns, set(fire), x, y, where.turned) + rect("frame", Box(x, y, width, height))
    labels = coordinates(columns, ROWS, x, y, 1.3 * where.words if where.layout.fold else 1, where.turned)
    return rect("shadow", Box(x + 3, y + 4, width, height)) + board + labels


def _boxes_in_panel(seen: Seen, where: Places) -> dict[str, Box]:
    """Targets among what the seat to move has; if chance is to move, the markers that can come."""
    if seen.over:
        return {}
    seat = seen.turn
    if seen.by_chance:
        return {MARKERS[m]: where.face_down(seat, m) for m in members(seen.hidden[seat])}
    boxes = {MARKERS[m]: where.in_hand(seat, k) for k, m in enumerate(members(seen.revealed[seat]))}
    return boxes if seen.leader[seat] != NO_CELL else boxes | {LEADER_TARGET: where.unplaced_leader(seat)}


def _say(drawn: Sheet, words: str, **values: object) -> str:
    return translate(words, drawn.look.language).format(**values)


# ── Panels ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _panel(seen: Seen, seat: int, points: int, stands: bool, where: Places, drawn: Sheet) -> None:
    """A seat's name and points, and room for its markers, tokens and leader."""
    to, (x, y) = where.plans[seat], drawn.layout.panels[seat]
    numbers = int(SUPPLY[seen.players]) - seen.placed[seat], seen.hidden[seat].bit_count()
    active = seat == seen.turn and not seen.over and not drawn.look.ended
    drawn.panels += [
        rect("plate-active" if active else "plate", Box(x, y, *to.size), 10),
        use(f"{COLOURS[seat]}-coin", x + to.coin[0], y + to.coin[1]) if to.coin else "",
        scaled(text("big", 0, 0, _signed(points)), where.words, x + to.score[0], y + to.score[1]),
        f'<g class="void">{"".join(rect("", _within(where.in_hand(seat, k)), 6) for k in range(HAND))}</g>',
        use("matrix", *where.matrices[seat]),
        f'<g class="name">{(_counts_small if where.layout.fold else _counts)(seat, numbers, where, drawn)}</g>',
    ]
    _slot(seen.leader[seat] != NO_CELL and not stands, where.unplaced_leader(seat), where, drawn)


def _counts(seat: int, numbers: tuple[int, int], where: Places, drawn: Sheet) -> str:
    """The names of the seat and its player, and what the seat still has, in words."""
    to, (x, y), (left, hidden) = where.plans[seat], drawn.layout.panels[seat], numbers
    return (
        text("", x + to.name[0], y + to.name[1], _seat_name(seat, drawn), drawn.look.player(seat, LONGEST_NAME))
        + text("", x + to.hidden[0], y + to.hidden[1], hidden, _say(drawn, _("face-down")))
        + text("", x + to.tokens[0], y + to.tokens[1], left, _say(drawn, _("tokens left")))
    )


def _counts_small(seat: int, numbers: tuple[int, int], where: Places, drawn: Sheet) -> str:
    """The same on a tall sheet: only what there is room for; the number of face-down markers is repeated with them."""
    to, (x, y), (left, hidden) = where.plans[seat], drawn.layout.panels[seat], numbers
    a, b = where.matrices[seat]
    down = scaled(use(f"{COLOURS[seat]}-hidden"), 1 / where.zoom, x + to.hidden[0] - 24, y + to.hidden[1] - 17)
    signs = down + use(f"{COLOURS[seat]}-coin", a, b - CAPTION + 2)
    words = [
        (x + to.name[0], y + to.name[1], _seat_name(seat, drawn)),
        (x + to.tokens[0], y + to.tokens[1], left),
        (x + to.hidden[0], y + to.hidden[1], hidden),
        (a + 30, b - CAPTION + 20, f"{hidden} {_say(drawn, _('face-down'))}"),
    ]
    return signs + "".join(scaled(text("", 0, 0, word), where.words, a, b) for a, b, word in words)


def _seat_name(seat: int, drawn: Sheet) -> str:
    return _say(drawn, SEATS[seat])


def _signed(points: int) -> str:
    return str(points).replace("-", "−")


def _slot(conquered: bool, box: Box, where: Places, drawn: Sheet) -> None:
    """Where a leader waits; once it is conquered, the points that this costs are written there."""
    drawn.panels.append(rect("void", _within(box), 6))
    if conquered:
        x, y = box.centre
        drawn.panels.append(scaled(text("sign", 0, 0, _signed(-LEADERLESS)), where.signs, x, y + 5 * where.signs))


def _below(s: State, seen: Seen, where: Places, drawn: Sheet) -> None:
    """The button to pass, and a notice when the game ends or is over."""
    active = PASS_TARGET in drawn.look.targets
    drawn.panels.append(button(drawn.boxes[PASS_TARGET], _say(drawn, _("pass")), active, where.signs))
    if seen.over:
        player = _say(drawn, SEATS[winner(s)])
        heading, more = _say(drawn, _("{player} wins"), player=player), _say(drawn, _("the game is over"))
    elif s.last != NO_SEAT and not drawn.look.ended:
        heading, more = _say(drawn, _("Last turns")), _say(drawn, LAST_TURN[s.finale])
    else:
        return
    x, y = where.notice
    words = text("name", 0, 0, heading)
    words += text("name", 0, 24, more) if where.layout.fold else text("small", 0, 20, more)
    drawn.panels.append(scaled(words, where.words, x, y))


# ── Pieces ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _markers(seen: Seen, seat: int, where: Places, drawn: Sheet) -> None:
    """All markers of a seat: face-down, in its hand, on the board."""
    kind, hidden = f"{COLOURS[seat]}-", use(f"{COLOURS[seat]}-hidden")
    for m in members(seen.hidden[seat]):
        drawn.piece(kind + MARKERS[m], "face-down", *where.face_down(seat, m)[:2], hidden)
    for k, m in enumerate(members(seen.revealed[seat])):
        shown = scaled(marker(seat, m), where.plans[seat].marker)
        drawn.piece(kind + MARKERS[m], "hand", *where.in_hand(seat, k)[:2], shown)
    for m, place in enumerate(seen.laid[seat]):
        if place != NOT_LAID:
            x, y, fire_first, upright = _lies(place, where.turned)
            left, top = drawn.layout.board
            drawn.piece(kind + MARKERS[m], "board", left + x, top + y, marker(seat, m, fire_first, upright))


@functools.cache
def _lies(place: int, turned: bool) -> tuple[float, float, bool, bool]:
    """Where a marker's first half is, from the board's corner; whether it is fire, and whether the other is below."""
    fire, water = (square(int(HALF_CELL[element, place]), (0, 0), turned) for element in (FIRE, WATER))
    return *min(fire, water), fire < water, fire[0] == water[0]


def _elementals(seen: Seen, where: Places, drawn: Sheet) -> None:
    for cell in seen.elementals:
        drawn.piece("elemental", NAMES[cell], *drawn.boxes[NAMES[cell]][:2], use("elemental"))
    for k in range(ELEMENTALS - len(seen.elementals)):
        drawn.piece("elemental", f"supply-{k}", *where.waiting(k), use("elemental"))


def _leader(seen: Seen, seat: int, stands: bool, where: Places, drawn: Sheet) -> None:
    """Waiting, standing, or toppled."""
    cell, figure = seen.leader[seat], use(f"{COLOURS[seat]}-leader")
    if cell == NO_CELL:
        x, y, *_size = where.unplaced_leader(seat)
        drawn.piece(f"leader-{COLOURS[seat]}", "supply", x, y, scaled(figure, where.plans[seat].figure))
        return
    x, y, *_size = drawn.boxes[NAMES[cell]]
    fallen = f'<g transform="translate(3 44) rotate(-90) scale(0.8)">{figure}</g>'
    drawn.piece(f"leader-{COLOURS[seat]}", NAMES[cell], x, y, figure if stands else fallen)


def _tokens(s: State, seen: Seen, seat: int, where: Places, drawn: Sheet) -> None:
    kind, left = f"token-{COLOURS[seat]}", int(SUPPLY[seen.players]) - seen.placed[seat]
    x, y = drawn.layout.panels[seat]
    to, coin = where.plans[seat], use(f"{COLOURS[seat]}-coin")
    for k in range(left):
        drawn.piece(kind, f"supply-{k}", x + to.coins[0] + to.spread * k, y + to.coins[1], coin)
    token, shared = use(f"{COLOURS[seat]}-token"), _shared(s, seen, seat)
    small = scaled(token, BESIDE)
    for cell in seen.tokens[seat]:
        x, y, *_size = drawn.boxes[NAMES[cell]]
        if cell not in shared:
            drawn.piece(kind, NAMES[cell], x, y, token)
        for k in range(shared.get(cell, 0)):
            drawn.piece(kind, f"{NAMES[cell]}-{k}", x - 3 + 30 * k, y + 28, small)


def _shared(s: State, seen: Seen, seat: int) -> dict[int, int]:
    """Elementals and leaders under a seat's tokens, with their number: the last token may be the only one of two."""
    figures = {*seen.elementals, *seen.leader}
    numbers = {cell: tokens_for(s, cell) for cell in seen.tokens[seat] if cell in figures}
    placed = len(seen.tokens[seat]) - len(numbers) + sum(numbers.values())
    if placed > seen.placed[seat]:
        numbers[max(numbers)] -= 1
    return numbers


def _revealed_last(s: State, seen: Seen, where: Places, drawn: Sheet) -> None:
    """The last move may name a marker of the seat before; the one of that name in the mover's hand is not meant."""
    named = {MARKERS.index(name) for name in drawn.look.last if name in MARKERS}
    if not named:
        return
    drawn.look = replace(drawn.look, last=[name for name in drawn.look.last if name not in MARKERS])
    if seen.by_chance or setting_up(s):
        return
    before = (seen.turn - 1) % seen.players
    for k, m in enumerate(members(seen.revealed[before])):
        if m in named:
            x, y, width, height = where.in_hand(before, k)
            drawn.notes.append(marks.last((x - 3, y - 3, width + 6, height + 6)))


# ── In a terminal ────────────────────────────────────────────────────────────────────────────────────────────────────


def glyphs(s: State) -> dict[str, Glyph]:
    """A half says whose it is, its value and its element, as ●4▲; a token is in brackets, before what it lies on."""
    seen, burning = _see(s), set(members(s.fire))
    signs = dict.fromkeys(range(COLUMNS[seen.players] * ROWS), ("", "ink"))
    for seat in range(seen.players):
        signs |= {cell: (SHAPES[seat] + half, COLOURS[seat]) for cell, half in _laid_halves(seen, seat)}
    signs |= dict.fromkeys(seen.elementals, ("✺", "ink"))
    for seat in range(seen.players):
        if (cell := seen.leader[seat]) != NO_CELL:
            signs[cell] = SHAPES[seat] + "♟", COLOURS[seat]
    for seat in range(seen.players):
        figures = {cell: "".join(set(signs[cell][0]) & set("✺♟")) for cell in seen.tokens[seat]}
        signs |= {cell: (f"({SHAPES[seat]}){figure}", COLOURS[seat]) for cell, figure in figures.items()}
    grounds = {cell: ELEMENTS[FIRE if cell in burning else WATER] for cell in signs}
    board = {NAMES[cell]: Glyph(sign, grounds[cell], ink) for cell, (sign, ink) in signs.items()}
    return board | _glyphs_in_panel(seen)


def _laid_halves(seen: Seen, seat: int) -> list[tuple[int, str]]:
    laid = ((m, place) for m, place in enumerate(seen.laid[seat]) if place != NOT_LAID)
    return [(int(HALF_CELL[element, place]), _half(m, element)) for m, place in laid for element in (FIRE, WATER)]


def _half(m: int, element: int) -> str:
    return f"{HALF_VALUE[element, m]}{SIGNS[element]}"


def _glyphs_in_panel(seen: Seen) -> dict[str, Glyph]:
    signs = {name: _half(m, FIRE) + _half(m, WATER) for m, name in enumerate(MARKERS)} | {LEADER_TARGET: "♟"}
    return {
        name: Glyph(signs[name], "plate", COLOURS[seen.turn])
        for name in _boxes_in_panel(seen, places(seen.players, wide=True))
    }


MOTIONS = {**dict.fromkeys(COLOURS, "turn"), "elemental": "burn", "token": "settle", "leader": "settle"}
DRAWING = Drawing(sheet, glyphs, {name: overlay.shows for name, overlay in OVERLAYS.items()}, LINES, MOTIONS)
