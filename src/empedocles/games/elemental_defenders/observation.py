"""Elemental Defenders for learning programs: what a seat sees as planes of 5 × 4 numbers, one for each card.

Rows are levels from Mystic to Neonate, columns are elements from Earth to Water, the stronger first: of the two cards
of an exchange, the one further up or further left attacks next. "Me" is the seat that looks. No plane tells its number:
only the deal, in which nobody decides anything, treats the two seats differently.
"""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import NONE, bit, has
from empedocles.core.kernel import CHANCE, Planes, State, kernel
from empedocles.core.planes import fill
from empedocles.game import Options, Plane, Symmetry, View
from empedocles.games.elemental_defenders.lookups import ACTIONS, CARDS, ELEMENTS, LEVELS, VIRTUE
from empedocles.games.elemental_defenders.rules import NO_CARD, RIGHTEOUS, UNDECIDED, share

MOST_POINTS = 2 * RIGHTEOUS * int(max(VIRTUE))  # two righteous victories with a Mystic: 484

PLANES = (
    Plane("my hand", "1 for each card in my hand"),
    Plane("their hand", "1 for each card in the opponent's hand"),
    Plane("my cards", "1 for each of the cards I was dealt or, in round two, took over, in hand or not"),
    Plane("their cards", "the same for the opponent: what is neither mine nor theirs is still to be dealt"),
    Plane("my mediator", "1 for the card I set aside in this round"),
    Plane("their mediator", "1 for the card the opponent set aside in this round"),
    Plane("my attack", "1 for my card that is to be answered, or that won the match"),
    Plane("their attack", "1 for the opponent's card that is to be answered, or that won the match"),
    # All others have the same number for every card.
    Plane("my mediator undecided", "1 while I may still choose a mediator in this round"),
    Plane("their mediator undecided", "1 while the opponent may still choose a mediator in this round"),
    Plane("my points", "my points from finished rounds / 484, which nobody can exceed"),
    Plane("their points", "the opponent's points from finished rounds / 484"),
    Plane("challenge", "1 when the attack is a mystic challenge, else 0; 3/4 and 1/4 with the option answer=either"),
    Plane("second round", "1 in the second round"),
    Plane("deal", "1 when a chance move is due: cards are being dealt"),
    Plane("my turn", "1 when I am to move; 0 when the opponent or chance is, or when the match is over"),
    Plane("match over", "1 when the match is over"),
    Plane("advanced", "0, 1/3, 2/3 or 1 with the option mode=basic, challenge, mediators or advanced"),
)
HANDS, SHARES, MEDIATORS, ATTACKS, UNDECIDED_OF, POINTS = range(0, 12, 2)  # of pairs, mine
CHALLENGE, SECOND, DEAL, TURN, OVER, ADVANCED = range(12, 18)


@kernel
def observe(s: State, seat: int, planes: Planes) -> None:
    for k in range(2):
        observe_player(s, seat if k == 0 else 1 - seat, planes, k)
    fill(planes, CHALLENGE, (1.0 if s.challenge else 0.0) if not s.either else 0.75 if s.challenge else 0.25)
    fill(planes, SECOND, 1.0 if s.second else 0.0)
    fill(planes, DEAL, 1.0 if s.mover == CHANCE else 0.0)
    fill(planes, TURN, 1.0 if s.mover == seat and not s.over else 0.0)
    fill(planes, OVER, 1.0 if s.over else 0.0)
    fill(planes, ADVANCED, (2 * int(s.with_mediators) + int(s.with_challenge)) / 3)


@kernel
def observe_player(s: State, seat: int, planes: Planes, k: int) -> None:
    # Before all cards are dealt the rest does not belong to Dusk yet.
    owned = s.hands[seat] if s.mover == CHANCE else share(s, seat)
    mark(planes, HANDS + k, s.hands[seat])
    mark(planes, SHARES + k, owned)
    mark(planes, MEDIATORS + k, alone(int(s.mediators[seat])))
    mark(planes, ATTACKS + k, alone(int(s.led)) & owned)
    fill(planes, UNDECIDED_OF + k, 1.0 if s.mediators[seat] == UNDECIDED else 0.0)
    fill(planes, POINTS + k, int(s.scores[seat]) / MOST_POINTS)


@kernel
def alone(card: int) -> np.uint64:
    """The set of one card, or of none where there is no card."""
    return bit(card) if card > NO_CARD else NONE


@kernel
def mark(planes: Planes, k: int, cards: np.uint64) -> None:
    for level in range(len(LEVELS)):
        for element in range(len(ELEMENTS)):
            planes[k, level, element] = 1.0 if has(cards, len(ELEMENTS) * level + element) else 0.0


def symmetries(_options: Options) -> tuple[Symmetry, ...]:
    """Only the one that changes nothing.

    Of any two cards of a level the stronger element attacks next, and of any two of an element the higher level: no two
    elements and no two levels can change places. Nor can the players, since the deal goes to Dawn card by card; but
    both see the cards from their own side.
    """
    return (Symmetry("as it is", np.arange(CARDS), np.arange(len(PLANES)), np.arange(ACTIONS), (0, 1)),)


VIEW = View(PLANES, len(LEVELS), len(ELEMENTS), observe, symmetries)
