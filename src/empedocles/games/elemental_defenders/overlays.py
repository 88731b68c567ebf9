"""What Elemental Defenders shows over its cards: how an attack with each could be answered."""

from __future__ import annotations

from empedocles.core.bits import has, members
from empedocles.core.kernel import State
from empedocles.games.elemental_defenders.cards import MINI, WIDTH, star
from empedocles.games.elemental_defenders.lookups import CARD, CARDS, CHALLENGE, MYSTIC, NAMES, level
from empedocles.games.elemental_defenders.rules import answers, play
from empedocles.render.picture import Box, Sheet, rect, text

BADGE = 24, 19  # on a card between its virtue and its element, where it hides neither them nor the art
TOP = 22.5 / WIDTH  # of a card's width: the middle of what is in its corners
WINS = star(0, 0, 7.5, 3)


def answers_overlay(s: State, drawn: Sheet) -> None:
    """On each card the number of cards that could answer it, or a star if it wins; a Mystic also as a challenge."""
    for card in range(CARDS):
        box = drawn.boxes[NAMES[card]]
        if has(s.hands[s.mover], card) and box.width > MINI[0]:
            _badge("", _left(s, CARD + card), 0, box, drawn)
            if s.with_challenge and level(card) == MYSTIC:
                _badge("!", _left(s, CHALLENGE + card), 1, box, drawn)


def _left(s: State, attack: int) -> int:
    """The number of answers to an attack: none if it wins the round."""
    then = s.copy()
    play(then, attack)
    won = then.over or then.second != s.second
    return 0 if won else len(members(answers(then, 1 - int(s.mover))))


def _badge(sign: str, number: int, row: int, box: Box, drawn: Sheet) -> None:
    across, down = BADGE
    x, y = box.centre[0], box.y + TOP * box.width + row * (down + 1)
    wide = across + (6 if sign else 0)
    drawn.notes.append(rect("note-plate" if number else "corner", Box(x - wide / 2, y - down / 2, wide, down), 5))
    if number or sign:
        drawn.notes.append(text("note", x - (0 if number else 7), y + 5, f"{sign}{number or ''}"))
    if not number:
        right = x + (5 if sign else 0)
        drawn.notes.append(f'<path class="ink" transform="translate({right:g} {y:g})" d="{WINS}"/>')
