"""Fire & Water as a picture."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import CHANCE, State
from empedocles.game import Drawing
from empedocles.games.fire_and_water.artwork import COLOURS, ELEMENTS, art, frame, marker, tiles
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
from empedocles.games.fire_and_water.moves import LEADER_TARGET, PASS_TARGET, SEATS
from empedocles.games.fire_and_water.overlays import OVERLAYS
from empedocles.games.fire_and_water.places import (
    face_down,
    fixed_boxes,
    in_hand,
    layout,
    plan,
    square,
    supply,
    unplaced_leader,
)
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
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.render.art import CELL, scaled
from empedocles.render.picture import Box, Glyph, Look, Sheet, button, coordinates, define, rect, text, use

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
    seen = _see(s)
    drawn = Sheet(layout(seen.players, look.wide), _art(seen.players, look.wide), look)
    drawn.ground = [_ground(seen.players, look.wide, tuple(members(s.fire)))]
    drawn.boxes = fixed_boxes(seen.players, look.wide) | _boxes_in_panel(seen, look.wide)
    points = np.zeros(seen.players, np.int32)
    scores(s, points)
    stands = [seen.leader[seat] != NO_CELL and leader_stands(s, seat) for seat in range(seen.players)]
    for seat in range(seen.players):
        _panel(seen, seat, int(points[seat]), stands[seat], drawn)
        _markers(seen, seat, drawn)
    _elementals(seen, drawn)
    for seat in range(seen.players):
        _leader(seen, seat, stands[seat], drawn)
    for seat in range(seen.players):
        _tokens(s, seen, seat, drawn)
    _below(s, seen, drawn)
    _revealed_last(s, seen, drawn)
    for name in look.overlays:
        OVERLAYS[name].draw(s, drawn)
    return drawn


@functools.cache
def _art(players: int, wide: bool) -> str:
    to = plan(players, wide)
    slots = (rect("", _within(in_hand(to, (0, 0), k)), 6) for k in range(HAND))
    return art(players, to.zoom) + define({"hand": f'<g class="void">{"".join(slots)}</g>'})


def _within(box: Box) -> Box:
    return Box(box.x + 2, box.y + 2, box.width - 4, box.height - 4)


@functools.lru_cache(maxsize=64)
def _ground(players: int, wide: bool, fire: tuple[int, ...]) -> str:
    board, columns = layout(players, wide).board, COLUMNS[players]
    (x, y), width, height = square(ROWS - 1, board), columns * CELL, ROWS * CELL
    shadow = rect("shadow", Box(x + 3, y + 4, width, height))
    return shadow + tiles(columns, set(fire), x, y) + frame(columns, x, y) + coordinates(columns, ROWS, x, y)


def _boxes_in_panel(seen: Seen, wide: bool) -> dict[str, Box]:
    """Targets among what the seat to move has; if chance is to move, the markers that can come."""
    if seen.over:
        return {}
    seat, to = seen.turn, plan(seen.players, wide)
    at = layout(seen.players, wide).panels[seat]
    if seen.by_chance:
        return {MARKERS[m]: face_down(to, at, m) for m in members(seen.hidden[seat])}
    boxes = {MARKERS[m]: in_hand(to, at, k) for k, m in enumerate(members(seen.revealed[seat]))}
    return boxes if seen.leader[seat] != NO_CELL else boxes | {LEADER_TARGET: unplaced_leader(to, at)}


def _say(drawn: Sheet, words: str, **values: object) -> str:
    return translate(words, drawn.look.language).format(**values)


# ── Panels ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _panel(seen: Seen, seat: int, points: int, stands: bool, drawn: Sheet) -> None:
    """A seat's name and points, and room for its markers, tokens and leader."""
    to, (x, y) = plan(seen.players, drawn.look.wide), drawn.layout.panels[seat]
    left, hidden = int(SUPPLY[seen.players]) - seen.placed[seat], seen.hidden[seat].bit_count()
    matrix, coins = (x + to.matrix[0], y + to.matrix[1]), (x + to.coins[0], y + to.coins[1])
    texts = (
        _name(seat, x + 42, y + 27, drawn),
        text("", matrix[0] + 26 * to.zoom, matrix[1] + 108 * to.zoom + 17, hidden, _say(drawn, _("face-down"))),
        text("", coins[0] + 2, coins[1] + 43, left, _say(drawn, _("tokens left"))),
    )
    drawn.panels += [
        rect("plate-active" if seat == seen.turn and not seen.over else "plate", Box(x, y, *to.size), 10),
        use(f"{COLOURS[seat]}-coin", x + 11, y + 9),
        text("big", x + to.score, y + 28, _signed(points)),
        use("hand", x, y),
        use("matrix", *matrix),
        f'<g class="name">{"".join(texts)}</g>',
    ]
    _slot(seen.leader[seat] != NO_CELL and not stands, unplaced_leader(to, (x, y)), drawn)


def _name(seat: int, x: float, y: float, drawn: Sheet) -> str:
    """The seat's name, and the player's."""
    return text("", x, y, _say(drawn, SEATS[seat]), drawn.look.player(seat, LONGEST_NAME))


def _signed(points: int) -> str:
    return str(points).replace("-", "−")


def _slot(conquered: bool, box: Box, drawn: Sheet) -> None:
    """Where a leader waits; once it is conquered, the points that this costs are written there."""
    drawn.panels.append(rect("void", _within(box), 6))
    if conquered:
        x, y = box.centre
        drawn.panels.append(text("sign", x, y + 5, _signed(-LEADERLESS)))


def _below(s: State, seen: Seen, drawn: Sheet) -> None:
    """Buttons, and a notice when the game ends or is over."""
    signs = {PASS_TARGET: _say(drawn, _("pass")), "confirm": _say(drawn, _("confirm"))}
    drawn.panels += [button(drawn.boxes[name], sign, name in drawn.look.targets) for name, sign in signs.items()]
    x, y = supply(0, drawn.layout.board)
    if seen.over:
        player = _say(drawn, SEATS[winner(s)])
        heading, more = _say(drawn, _("{player} wins"), player=player), _say(drawn, _("the game is over"))
    elif s.last != NO_SEAT:
        heading, more = _say(drawn, _("Last turns")), _say(drawn, LAST_TURN[s.finale])
    else:
        return
    drawn.panels += [text("name", x, y + 24, heading), text("small", x, y + 44, more)]


# ── Pieces ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _markers(seen: Seen, seat: int, drawn: Sheet) -> None:
    """All markers of a seat: face-down, in its hand, on the board."""
    to, at, kind = plan(seen.players, drawn.look.wide), drawn.layout.panels[seat], f"{COLOURS[seat]}-"
    hidden = use(f"{COLOURS[seat]}-hidden")
    for m in members(seen.hidden[seat]):
        drawn.piece(kind + MARKERS[m], "face-down", *face_down(to, at, m)[:2], hidden)
    for k, m in enumerate(members(seen.revealed[seat])):
        drawn.piece(kind + MARKERS[m], "hand", *in_hand(to, at, k)[:2], scaled(marker(seat, m), to.marker))
    for m, place in enumerate(seen.laid[seat]):
        if place != NOT_LAID:
            x, y, fire_first, upright = _lies(place)
            left, top = drawn.layout.board
            drawn.piece(kind + MARKERS[m], "board", left + x, top + y, marker(seat, m, fire_first, upright))


@functools.cache
def _lies(place: int) -> tuple[float, float, bool, bool]:
    """Where a marker's first half is, from the board's corner; whether it is fire, and whether the other is below."""
    fire, water = (square(int(HALF_CELL[element, place]), (0, 0)) for element in (FIRE, WATER))
    return *min(fire, water), fire < water, fire[0] == water[0]


def _elementals(seen: Seen, drawn: Sheet) -> None:
    for cell in seen.elementals:
        drawn.piece("elemental", NAMES[cell], *square(cell, drawn.layout.board), use("elemental"))
    for k in range(ELEMENTALS - len(seen.elementals)):
        drawn.piece("elemental", f"supply-{k}", *supply(k, drawn.layout.board), use("elemental"))


def _leader(seen: Seen, seat: int, stands: bool, drawn: Sheet) -> None:
    """Waiting, standing, or toppled."""
    cell, figure = seen.leader[seat], use(f"{COLOURS[seat]}-leader")
    if cell == NO_CELL:
        to = plan(seen.players, drawn.look.wide)
        x, y, *_size = unplaced_leader(to, drawn.layout.panels[seat])
        drawn.piece(f"leader-{COLOURS[seat]}", "supply", x, y, scaled(figure, to.figure))
        return
    x, y = square(cell, drawn.layout.board)
    fallen = f'<g transform="translate(3 44) rotate(-90) scale(0.8)">{figure}</g>'
    drawn.piece(f"leader-{COLOURS[seat]}", NAMES[cell], x, y, figure if stands else fallen)


def _tokens(s: State, seen: Seen, seat: int, drawn: Sheet) -> None:
    kind, left = f"token-{COLOURS[seat]}", int(SUPPLY[seen.players]) - seen.placed[seat]
    x, y = drawn.layout.panels[seat]
    to, coin = plan(seen.players, drawn.look.wide), use(f"{COLOURS[seat]}-coin")
    for k in range(left):
        drawn.piece(kind, f"supply-{k}", x + to.coins[0] + to.coin * k, y + to.coins[1], coin)
    token, shared = use(f"{COLOURS[seat]}-token"), _shared(s, seen, seat)
    small = scaled(token, BESIDE)
    for cell in seen.tokens[seat]:
        x, y = square(cell, drawn.layout.board)
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


def _revealed_last(s: State, seen: Seen, drawn: Sheet) -> None:
    """The last move may name a marker of the seat before; the one of that name in the mover's hand is not meant."""
    named = {MARKERS.index(name) for name in drawn.look.last if name in MARKERS}
    if not named:
        return
    drawn.look = replace(drawn.look, last=[name for name in drawn.look.last if name not in MARKERS])
    if seen.by_chance or setting_up(s):
        return
    before, to = (seen.turn - 1) % seen.players, plan(seen.players, drawn.look.wide)
    for k, m in enumerate(members(seen.revealed[before])):
        if m in named:
            x, y, width, height = in_hand(to, drawn.layout.panels[before], k)
            drawn.panels.append(rect("last", Box(x - 3, y - 3, width + 6, height + 6), 8))


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
    return {name: Glyph(signs[name], "plate", COLOURS[seen.turn]) for name in _boxes_in_panel(seen, wide=True)}


DRAWING = Drawing(sheet, glyphs, {name: overlay.shows for name, overlay in OVERLAYS.items()}, LINES)
