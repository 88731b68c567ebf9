"""What Elemental Defenders shows over its cards: the answers that an attack would leave to the other player."""

from __future__ import annotations

from typing import NamedTuple

from empedocles.core.bits import has, members
from empedocles.core.kernel import State
from empedocles.games.elemental_defenders.cards import MICRO, MINI, micro
from empedocles.games.elemental_defenders.lookups import CARD, CARDS, CHALLENGE, MYSTIC, NAMES, level
from empedocles.games.elemental_defenders.rules import answers, play
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.render.art import scaled
from empedocles.render.picture import Box, Sheet, group, rect, text

NOTES = 70  # the width of a card that has room for three answers in a row
LETTER = 7.7  # about the width of a letter


def answers_overlay(s: State, drawn: Sheet) -> None:
    """On each card what could answer it, and that it wins if nothing can; a Mystic also as a challenge."""
    wins = translate(_("wins"), drawn.look.language)
    for card in range(CARDS):
        if has(s.hands[s.mover], card):
            box = drawn.boxes[NAMES[card]]
            large = box.width > MINI[0]
            rows = _rows("", _left(s, CARD + card), box.width)
            if s.with_challenge and level(card) == MYSTIC and large:
                rows += _rows("!", _left(s, CHALLENGE + card), box.width - 6)
            _note(rows, wins if large else "–", box, drawn)


def _left(s: State, attack: int) -> list[int]:
    """The answers to an attack: none if it wins the round."""
    then = s.copy()
    play(then, attack)
    won = then.over or then.second != s.second
    return [] if won else members(answers(then, 1 - int(s.mover)))


class Row(NamedTuple):
    sign: str  # of a challenge
    cards: list[int]


def _rows(sign: str, cards: list[int], width: float) -> list[Row]:
    """At most three cards in a row, if there is room for them; one row for none."""
    step = 1 if width <= MINI[0] else 2 if width < NOTES or len(cards) != 3 else 3
    return [Row(sign, cards[k : k + step]) for k in range(0, len(cards), step)] or [Row(sign, [])]


def _note(rows: list[Row], otherwise: str, box: Box, drawn: Sheet) -> None:
    """Answers as small cards, since their codes say little to whoever is new to them."""
    across, down = MICRO[0] + 2, MICRO[1] + 2
    height = down * len(rows) + 4
    x, top = box.centre[0], box.y + 0.47 * box.height - height / 2
    drawn.notes.append(rect("note-plate", Box(box.x + 4, top, box.width - 8, height), 5))
    for k, (sign, cards) in enumerate(rows):
        y = top + 3 + down * k
        if not cards:
            words = f"{sign} {otherwise}".strip()
            scale = min(0.89, (box.width - 14) / (LETTER * len(words)))
            drawn.notes.append(scaled(text("note", 0, 0, words), scale, x, y + 15))
            continue
        ahead = LETTER if sign else 0
        width = ahead + across * len(cards)
        scale = min(1, (box.width - 10) / width)
        tiles = text("note", ahead / 2, 15, sign) if sign else ""
        tiles += "".join(group(ahead + across * n, 0, micro(card)) for n, card in enumerate(cards))
        drawn.notes.append(scaled(tiles, scale, x - scale * (width - 2) / 2, y))
