"""Cards and actions of Elemental Defenders.

Cards are numbered from the strongest, level by level, so that a hand is a set of bits in one word:

               Earth   Fire    Air  Water
    Mystic         0      1      2      3
    Warden         4      5      6      7
    Priestess      8      9     10     11
    Knight        12     13     14     15
    Neonate       16     17     18     19

Of two cards of one element the higher level has the lower number, and of two cards of one level the stronger element
has it: whatever way an attack was answered, the lower number attacks next.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

LEVELS = ("Mystic", "Warden", "Priestess", "Knight", "Neonate")
ELEMENTS = ("Earth", "Fire", "Air", "Water")
CARDS = len(LEVELS) * len(ELEMENTS)
NAMES = tuple(level[0] + element[0].lower() for level in LEVELS for element in ELEMENTS)
HAND = CARDS // 2  # cards dealt to each player

MYSTIC = 0
NEONATE_OF_WATER = NAMES.index("Nw")
VIRTUE = np.repeat(np.array([11, 10, 4, 3, 7], dtype=np.int16), len(ELEMENTS))  # ED-2, by card


def level(card: int) -> int:
    return card // len(ELEMENTS)


def element(card: int) -> int:
    return card % len(ELEMENTS)


BY_ELEMENT = sorted(range(CARDS), key=lambda card: (element(card), level(card)))  # as people sort a hand


def _alike(trait: Callable[[int], int]) -> npt.NDArray[np.uint64]:
    """For each card the set of cards that share its level or its element, itself included."""
    sets = [sum(1 << other for other in range(CARDS) if trait(other) == trait(card)) for card in range(CARDS)]
    return np.array(sets, dtype=np.uint64)


DECK = np.uint64(2**CARDS - 1)
SAME_LEVEL = _alike(level)
SAME_ELEMENT = _alike(element)
UNLIKE = DECK & ~(SAME_LEVEL | SAME_ELEMENT)  # ED-15: another level and another element
MYSTICS: np.uint64 = SAME_LEVEL[MYSTIC]

# The moves that can be legal at one moment follow each other, and each kind is in the order of the cards. So the legal
# actions are one word and a first number: card 20 of the mediators is "none", cards 20 to 23 of the attacks are the
# Mystics with a challenge.
_KINDS = (
    [f"+{card}" for card in NAMES],
    [f"m{card}" for card in NAMES],
    ["m-"],
    list(NAMES),
    [f"{card}!" for card in NAMES if card[0] == "M"],
)
DEAL, MEDIATOR, NO_MEDIATOR, CARD, CHALLENGE, ACTIONS = itertools.accumulate(map(len, _KINDS), initial=0)

MOVES = tuple(itertools.chain(*_KINDS))
