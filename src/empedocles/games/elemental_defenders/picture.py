"""Elemental Defenders as a picture, with the hand of the reader's side at the bottom, or Dawn's.

A card in hand has a place of its own among the ten of its round, by element and level, and stands out when it can
answer the attack. An attack lies in the middle, and its answer with it until the next attack. What is neither there nor
in a hand nor set aside lies small at its place in the overview of all cards: undealt during the deal, played later.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import CHANCE, State
from empedocles.game import Drawing
from empedocles.games.elemental_defenders.cards import (
    ART,
    CHIP,
    GROUNDS,
    HEIGHT,
    MICRO,
    MINI,
    WIDTH,
    chip,
    faces,
    ground,
    micro,
    mini,
    thing,
)
from empedocles.games.elemental_defenders.lookups import (
    BY_ELEMENT,
    CARDS,
    NAMES,
    VIRTUE,
    element,
    level,
)
from empedocles.games.elemental_defenders.moves import (
    DECLARE,
    DECLINE,
    due,
    last_won,
    moment,
    ways,
)
from empedocles.games.elemental_defenders.overlays import answers_overlay
from empedocles.games.elemental_defenders.places import Places, places
from empedocles.games.elemental_defenders.rules import (
    NO_CARD,
    UNDECIDED,
    answers,
    possible_mediators,
    share,
)
from empedocles.games.elemental_defenders.text import ELEMENT_TERMS, LEVEL_TERMS, SEATS
from empedocles.language import Message, Term, translate
from empedocles.language import mark as _
from empedocles.render.art import scaled
from empedocles.render.picture import Box, Glyph, Look, Sheet, button, define, group, rect, text, use

SUN = (
    '<path class="gold" d="M7 21A8 8 0 0 1 23 21Z"/>'
    '<path class="ink-line" d="M2 21H28M15 8.500V4M6.5 12.500L3.5 9.500M23.5 12.500L26.5 9.500M10 25.500H20"/>'
)
MOON = (
    '<path class="violet" d="M16 3A12 12 0 1 0 27 19A10 10 0 0 1 16 3Z"/>'
    '<path class="ink" d="M23.5 3L24.7 6.800L28.5 8L24.7 9.200L23.5 13L22.3 9.200L18.5 8L22.3 6.800Z"/>'
)
SIGNS = "dawn", "dusk"
OWN_ART = ART + define({"dawn": SUN, "dusk": MOON, "shade": rect("shadow", Box(3, 3.5, WIDTH, HEIGHT), 10)})
LONGEST_NAME = 16  # letters of a player's name that there is room for
LETTER = 7.4  # about the width of a letter on a button
DENSE = 7  # the same in a sentence
WHEEL = 80  # the radius of the elements around the led card


# ── What never changes ───────────────────────────────────────────────────────────────────────────────────────────────


@functools.cache
def _ground(wide: bool) -> str:
    where = places(wide)
    hands = "".join(rect("", box, _rounding(box)) for hand in where.hands for box in hand)
    overview = "".join(rect("", box, 4) for box in where.overview)
    empty = f'<g class="faded"><g class="void">{hands}</g></g><g class="void">{overview}</g>'
    return empty + _labels(where) + (_wheel(where) if wide else "") + rect("void", where.led, 7)


def _rounding(box: Box) -> float:
    return 7 if box.width > MINI[0] else 4


def _labels(where: Places) -> str:
    """What a card that is elsewhere says, at its place; the thing of a level over its column, and beside small cards,
    which have no room for it, the emblem of an element before its row.
    """
    boxes = where.overview
    small = boxes[0].width < MINI[0]
    tops = ((k, boxes[k * len(GROUNDS)]) for k in range(len(LEVEL_TERMS)))
    signs = [group(box.centre[0], boxes[0].y - 10, _thing(k, 9.5 if small else 11)) for k, box in tops]
    if small:
        signs += [_before(card, boxes[card]) for card in range(len(GROUNDS))]
    return "".join(_place(card, box) for card, box in enumerate(boxes)) + "".join(signs)


def _before(card: int, box: Box) -> str:
    return group(box.x - 9, box.centre[1], _emblem(card, 11))


def _place(card: int, box: Box) -> str:
    x, y = box.centre
    if box.width < MINI[0]:
        return text("label", x, y + 4.5, VIRTUE[card])
    return f'<g class="faded">{group(x, y - 9, _emblem(card, 12))}</g>' + text("label", x, box.y + 40, VIRTUE[card])


def _wheel(where: Places) -> str:
    """The elements from the strongest, clockwise from the top."""
    x, y = where.led.centre
    ring = f'<circle class="soft-line" cx="{x:g}" cy="{y:g}" r="{WHEEL}"/>'
    for name, (right, down) in zip(GROUNDS, ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True):
        a, b = x + WHEEL * right, y + WHEEL * down
        ring += f'<circle class="paper" cx="{a:g}" cy="{b:g}" r="14"/>'
        ring += scaled(use(f"emblem-{name}"), 1 / 3, a - 10, b - 10)
    return ring


# ── Cards ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Now(NamedTuple):
    """A state, and its fields as plain numbers: reading a state is slow."""

    state: State
    mover: int
    over: int
    with_mediators: int
    with_challenge: int
    second: int
    mediators: tuple[int, ...]
    led: int
    challenge: int
    scores: tuple[int, ...]
    hands: tuple[int, ...]

    @property
    def choosing(self) -> bool:
        """Whether a mediator is due."""
        return not self.over and self.mover != CHANCE and self.mediators[self.mover] == UNDECIDED


def _now(s: State) -> Now:
    fields = dict(zip(s.dtype.names or (), s.item(), strict=True))
    lists = {name: tuple(fields[name].tolist()) for name in ("mediators", "scores", "hands")}
    return Now(s, **{name: fields[name] for name in Now._fields[1:]} | lists)


def sheet(s: State, look: Look) -> Sheet:
    where, now = places(look.wide, look.seat or 0), _now(s)
    drawn = Sheet(where.layout, OWN_ART + faces(look.language, large=not look.wide), look)
    drawn.ground = [_ground(look.wide)]
    spots, pair = _spots(now, where), _exchanged(now, look.before)
    for card, box in zip(pair, where.exchange, strict=False):
        spots[card] = spots[card][0], box
    for card in sorted(range(CARDS), key=lambda card: card in pair[1:]):  # an answer lies upon the attack
        _card(card, *spots[card], drawn)
    _seats(now, where, drawn)
    _stage(now, where, drawn)
    if "answers" in look.overlays and now.led == NO_CARD and not (now.over or now.choosing or now.mover == CHANCE):
        answers_overlay(s, drawn)
    return drawn


def _spots(now: Now, where: Places) -> list[tuple[str, Box]]:
    """Where each card lies."""
    found = [("overview", box) for box in where.overview]
    raised = _raised(now)
    for seat, hand in enumerate(now.hands):
        own = hand if now.mover == CHANCE else int(share(now.state, seat))
        for number, card in enumerate(card for card in BY_ELEMENT if own >> card & 1):
            if hand >> card & 1:
                found[card] = "hand", where.in_hand(seat, number, bool(raised >> card & 1))
    for seat, card in enumerate(now.mediators):
        if card >= 0:
            found[card] = "mediator", where.mediator(seat)
    if now.led != NO_CARD:
        found[now.led] = "led", where.led
    return found


def _exchanged(now: Now, before: State | None) -> tuple[int, ...]:
    """The attack and the answer that were just played: they lie together until somebody attacks again."""
    if before is None or before.led == NO_CARD or before.second != now.second:
        return ()
    played = int(before.hands[before.mover]) & ~now.hands[before.mover]
    pair = int(before.led), *members(np.uint64(played))
    return () if any((now.hands[0] | now.hands[1]) >> card & 1 for card in pair) else pair


def _raised(now: Now) -> int:
    """The cards that can answer, or that can be the second mediator."""
    if now.choosing:
        second = now.mediators[1 - now.mover] >= 0
        return int(possible_mediators(now.state, now.mover)) if second else 0
    return 0 if now.over or now.led == NO_CARD else int(answers(now.state, now.mover))


def _card(card: int, place: str, box: Box, drawn: Sheet) -> None:
    name = NAMES[card]
    drawn.boxes[name] = box
    drawn.piece(f"card-{name}", place, box.x, box.y, _markup(card, box.width))


@functools.cache
def _markup(card: int, width: float) -> str:
    if width <= MINI[0]:
        return mini(card) if width > MICRO[0] else micro(card) if width > CHIP[0] else chip(card)
    return scaled(use("shade") + use(f"card-{NAMES[card]}"), width / WIDTH)


# ── Seats ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _seats(now: Now, where: Places, drawn: Sheet) -> None:
    won = last_won(now.state) if now.over else [0, 0]
    for seat, total in enumerate(now.scores):
        brought = won[seat] if now.over else None
        rounds = (total - won[seat], brought) if now.second else (brought, None)
        drawn.panels.append(_plate(seat, not (now.over or drawn.look.ended) and now.mover == seat, where))
        drawn.panels.append(_seat(seat, total, rounds, where, drawn.look))
        if now.with_mediators:
            drawn.panels.append(_aside(now.mediators[seat], seat, where, drawn.look))


def _plate(seat: int, active: bool, where: Places) -> str:
    (x, y), panel = where.layout.panels[seat], where.panel
    plate = rect("plate-active" if active else "plate", Box(x, y, panel.width, panel.height), 10)
    return plate + use(SIGNS[seat], x + panel.sign[0], y + panel.sign[1])


def _seat(seat: int, total: int, rounds: tuple[int | None, ...], where: Places, look: Look) -> str:
    (x, y), panel = where.layout.panels[seat], where.panel
    title, player = translate(SEATS[seat], look.language), look.player(seat, LONGEST_NAME)
    lines = text("name", x + panel.title[0], y + panel.title[1], title)
    lines += text("small", x + panel.player[0], y + panel.player[1], player) if look.wide else ""
    lines += text("big", x + panel.total[0], y + panel.total[1], total)
    for number, (at, brought) in enumerate(zip(panel.rounds, rounds, strict=True)):
        words = Message(_("round {n}: {points}"), {"n": number + 1, "points": "–" if brought is None else brought})
        line, size = text("small", 0, 0, words.say(look.language)), 1 if look.wide else 1.05
        lines += scaled(line, size, x + at[0], y + at[1])
    return lines


def _aside(card: int, seat: int, where: Places, look: Look) -> str:
    """The place of the mediator, crossed out once a seat goes without."""
    box, (x, y), (a, b) = where.mediator(seat), where.layout.panels[seat], where.panel.caption
    width, height = box.width - 16, box.height - 16
    cross = f"M{box.x + 8:g} {box.y + 8:g}l{width:g} {height:g}m0 {-height:g}l{-width:g} {height:g}"
    slot = rect("void", box, 5) + text("label", x + a, y + b, translate(_("mediator"), look.language))
    return slot + (f'<path class="soft-line" d="{cross}"/>' if card == NO_CARD else "")


# ── The middle ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _stage(now: Now, where: Places, drawn: Sheet) -> None:
    """What is due, in words and as a sign, and the buttons."""
    say, (x, y) = drawn.look.language, where.words
    challenged = translate(_("challenge!"), say)
    heading = moment(now.state).say(say) + (f" · {challenged}" if now.challenge else "")
    if drawn.look.wide:  # elsewhere, only the page around it has room for that
        drawn.panels.append(text("label", x, y, heading))
    if not drawn.look.ended:
        said = call(now).say(say)
        fits = 1 if drawn.look.wide else min(1, where.panel.width / (DENSE * len(said)))
        drawn.panels += [scaled(text("sign", 0, 0, said), fits, x, y + 20), _sign(now, where, drawn.look)]
    if now.challenge:
        a, b, width, height = where.led
        drawn.panels.append(rect("note-line", Box(a - 5, b - 5, width + 10, height + 10), 10))
    dealing = now.mover == CHANCE and not now.over
    drawn.panels.append(text("label", *where.caption, translate(_("not dealt yet") if dealing else _("played"), say)))
    _buttons(now, where, drawn)


def call(now: Now) -> Message:
    """What is due, briefly: the card that is led lies beside it."""
    player = {"player": Term(SEATS[now.mover])}
    if now.choosing:
        return Message(_("{player} may set a mediator aside"), player)
    if now.over or now.led == NO_CARD:
        return due(now.state)
    by_element, by_level = ways(now.state)
    values = player | {"element": ELEMENT_TERMS[element(now.led)], "level": LEVEL_TERMS[level(now.led)]}
    if by_element and by_level:
        return Message(_("{player} must answer with {element} or another {level}"), values)
    if by_element:
        return Message(_("{player} must answer with {element}"), values)
    return Message(_("{player} must answer with another {level}"), values)


def _sign(now: Now, where: Places, look: Look) -> str:
    """A roundel that shows what the answer must be; else whose turn it is, or who has won."""
    x, y, radius = where.sign
    inside, *names = _whose(now, radius) if now.over or now.led == NO_CARD else _wanted(now, radius)
    roundel = f'<circle class="plate" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>' + group(x, y, inside)
    lines = (text("label", x, y + radius + 17 * k, translate(name, look.language)) for k, name in enumerate(names, 1))
    return roundel + "".join(lines)


def _wanted(now: Now, radius: float) -> tuple[str, ...]:
    """The emblem of the element, the thing of the level or, where both are answers, both of them side by side."""
    by_element, by_level = ways(now.state)
    number = level(now.led)
    if by_element and by_level:
        size, x = 0.62 * radius, 0.43 * radius
        signs = _emblem(now.led, size, -x) + _thing(number, size, x)
        return signs, ELEMENT_TERMS[element(now.led)], LEVEL_TERMS[number]
    if by_element:
        return _emblem(now.led, radius), ELEMENT_TERMS[element(now.led)]
    return _thing(number, radius), LEVEL_TERMS[number]


def _emblem(card: int, radius: float, x: float = 0) -> str:
    size = radius / 48
    return scaled(use(f"emblem-{ground(card)}"), size, x - 30 * size, -30 * size)


def _thing(number: int, radius: float, x: float = 0) -> str:
    size = radius / 72
    return scaled(thing(number), size, x - 63 * size, -80 * size)


def _whose(now: Now, radius: float) -> tuple[str, str]:
    lead, size = now.scores[0] - now.scores[1], radius / 23
    if now.over and not lead:
        both = zip(SIGNS, (-0.85, 0.05), strict=True)
        return "".join(scaled(use(sign), radius / 36, x * radius, -0.4 * radius) for sign, x in both), _("draw")
    seat = int(lead < 0) if now.over else max(now.mover, 0)  # chance deals to the first seat
    return scaled(use(SIGNS[seat]), size, -15 * size, -15.5 * size), SEATS[seat]


BUTTONS = {DECLINE: _("no mediator"), DECLARE: _("challenge")}


def _buttons(now: Now, where: Places, drawn: Sheet) -> None:
    """The buttons that the mode uses. On a tall sheet they share a place: they are never needed at the same time."""
    for name, box in where.buttons.items():
        shown = drawn.look.wide or (name == DECLINE) == now.choosing
        if shown and (now.with_mediators if name == DECLINE else now.with_challenge):
            drawn.boxes[name] = box
            active = name in drawn.look.targets or (name == DECLINE and now.choosing)
            sign = translate(BUTTONS[name], drawn.look.language)
            drawn.panels.append(button(box, sign, active, min(1, (box.width - 6) / (LETTER * len(sign)))))


# ── Overlay ──────────────────────────────────────────────────────────────────────────────────────────────────────────


# ── Terminals ────────────────────────────────────────────────────────────────────────────────────────────────────────


def glyphs(s: State) -> dict[str, Glyph]:
    """Cards that have been played are shown without their ground."""
    now = _now(s)
    kept = now.hands[0] | now.hands[1] | sum(1 << card for card in (now.led, *now.mediators) if card >= 0)
    return {
        name: Glyph(name, ground(card), f"{ground(card)}-deep")
        if kept >> card & 1 or now.mover == CHANCE
        else Glyph(name, ink="soft")
        for card, name in enumerate(NAMES)
    }


OVERLAYS = {"answers": _("number of answers to each attack; a star wins")}
DRAWING = Drawing(sheet, glyphs, OVERLAYS, ("gold-line", "violet-line"), {"card": "turn"})
