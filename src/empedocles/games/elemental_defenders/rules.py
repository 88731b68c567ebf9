"""The rules of Elemental Defenders (RULES.md), as kernels on one state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import NONE, bit, count, has, left, numbered, stir
from empedocles.core.kernel import CHANCE, Actions, Rules, State, Words, kernel, register, state_type, tiny_kernel
from empedocles.games.elemental_defenders.lookups import (
    CARD,
    CARDS,
    CHALLENGE,
    DEAL,
    DECK,
    HAND,
    MEDIATOR,
    MYSTICS,
    NEONATE_OF_WATER,
    NO_MEDIATOR,
    SAME_ELEMENT,
    SAME_LEVEL,
    UNLIKE,
    VIRTUE,
)

NO_CARD = -1  # nothing led; no mediator
UNDECIDED = -2  # a mediator that may still be chosen
RIGHTEOUS = 22  # times virtue, for a righteous victory

# The first draw of the deal has all 20 cards. Later a mediator is one of ten cards or none, and an attack one of ten
# cards, four of which can be Mystics with a challenge.
MAX_LEGAL = CARDS

STATE = state_type(
    [
        ("with_mediators", np.int8),  # 1: mode=mediators or advanced
        ("with_challenge", np.int8),  # 1: mode=challenge or advanced
        ("either", np.int8),  # 1: answer=either
        ("second", np.int8),  # 1 in the second round
        ("mediators", np.int8, 2),  # each seat's card, NO_CARD or UNDECIDED
        ("led", np.int8),  # the card of the attack to be answered, or that won the match; else NO_CARD
        ("challenge", np.int8),  # 1: that attack is a mystic challenge
        ("scores", np.int16, 2),  # each seat's points so far
        ("dealt", np.uint64),  # seat 0's cards of the deal, which are seat 1's in the second round
        ("hands", np.uint64, 2),  # each seat's cards in hand
    ],
    __file__,
)


@kernel
def new(s: State, options: Words) -> None:
    s.mover, s.over, s.seats = CHANCE, 0, 2
    s.with_mediators = np.int8(options[0])
    s.with_challenge = np.int8(options[1])
    s.either = np.int8(options[2])
    s.dealt = NONE
    for seat in range(2):
        s.scores[seat] = 0
        s.hands[seat] = NONE
    clear_round(s, 0)


@kernel
def clear_round(s: State, second: int) -> None:
    s.second, s.led, s.challenge = second, NO_CARD, 0
    for seat in range(2):
        s.mediators[seat] = UNDECIDED if s.with_mediators else NO_CARD


# ── What the cards allow ─────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def undealt(s: State) -> np.uint64:
    dealt: np.uint64 = s.dealt
    return DECK & ~dealt


@kernel
def share(s: State, seat: int) -> np.uint64:
    """ED-4, ED-5: the ten cards of a seat in this round."""
    return s.dealt if seat == s.second else undealt(s)


@kernel
def first_attacker(s: State) -> int:
    """ED-6."""
    return 0 if has(share(s, 0), NEONATE_OF_WATER) else 1


@kernel
def possible_mediators(s: State, seat: int) -> np.uint64:
    """ED-14, ED-15: what a seat may set aside; the second mediator differs from the first."""
    hand: np.uint64 = s.hands[seat]
    other = int(s.mediators[1 - seat])
    return hand & UNLIKE[other] if other >= 0 else hand


@kernel
def wanted(s: State, hand: np.uint64) -> np.uint64:
    """ED-9, ED-10, ED-21: the set from which the attack must be answered by a player with this hand."""
    if s.challenge and hand & MYSTICS:
        return MYSTICS
    element: np.uint64 = SAME_ELEMENT[int(s.led)]
    level: np.uint64 = SAME_LEVEL[int(s.led)]
    if s.either:
        return element | level
    return element if hand & element else level


@kernel
def answers(s: State, seat: int) -> np.uint64:
    hand: np.uint64 = s.hands[seat]
    return hand & wanted(s, hand)


@kernel
def exchanges(s: State) -> int:
    """ED-17, ED-18: how many exchanges the round can have."""
    return HAND - 1 if s.mediators[0] >= 0 and s.mediators[1] >= 0 else HAND


@kernel
def exchange(s: State) -> int:
    """Which exchange of the round this is, from 1."""
    cards = count(s.hands[0] | s.hands[1]) + int(s.led != NO_CARD)
    # Each exchange to come takes two cards. An odd one means that its partner, played before, will be played again.
    return exchanges(s) + 1 - (cards + 1) // 2


# ── Legal actions ────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def legal(s: State, out: Actions) -> int:
    if s.over:
        return 0
    seat = int(s.mover)
    if seat == CHANCE:
        return numbered(undealt(s), DEAL, out, 0)
    if s.mediators[seat] == UNDECIDED:
        return numbered(possible_mediators(s, seat) | bit(NO_MEDIATOR - MEDIATOR), MEDIATOR, out, 0)
    if s.led == NO_CARD:
        return numbered(attacks(s, seat), CARD, out, 0)
    return numbered(answers(s, seat), CARD, out, 0)


@kernel
def attacks(s: State, seat: int) -> np.uint64:
    """ED-8, ED-21: the hand, and its Mystics once more for the challenges."""
    hand: np.uint64 = s.hands[seat]
    return hand | left(hand & MYSTICS, CHALLENGE - CARD) if s.with_challenge else hand


# ── Playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def play(s: State, a: int) -> None:
    if a >= CHALLENGE:
        attack(s, a - CHALLENGE, 1)
    elif a >= CARD:
        if s.led == NO_CARD:
            attack(s, a - CARD, 0)
        else:
            answer(s, a - CARD)
    elif a >= MEDIATOR:
        mediate(s, a - MEDIATOR)
    else:
        deal(s, a - DEAL)


@tiny_kernel
def mover(s: State) -> int:
    """The seat to move: one of the two even if chance is due and the action is not one for it."""
    return int(s.mover) & 1


@kernel
def deal(s: State, card: int) -> None:
    dealt = s.dealt | bit(card)
    s.dealt = s.hands[0] = dealt
    if count(dealt) == HAND:
        start_round(s, 0)


@kernel
def start_round(s: State, second: int) -> None:
    clear_round(s, second)
    for seat in range(2):
        s.hands[seat] = share(s, seat)
    s.mover = first_attacker(s)


@kernel
def mediate(s: State, card: int) -> None:
    seat = mover(s)
    other = 1 - seat
    if card == NO_MEDIATOR - MEDIATOR:
        s.mediators[seat] = NO_CARD
        if s.mediators[other] == UNDECIDED:  # ED-14: the defender gets no choice, the attacker begins
            s.mediators[other] = NO_CARD
            return
    else:
        s.mediators[seat] = card
        s.hands[seat] ^= bit(card)
    s.mover = other


@kernel
def attack(s: State, card: int, challenge: int) -> None:
    seat = mover(s)
    s.hands[seat] ^= bit(card)
    s.led, s.challenge = card, challenge
    if answers(s, 1 - seat):
        s.mover = 1 - seat
    else:  # ED-11
        s.scores[seat] += points(s, seat)
        end_round(s)


@kernel
def points(s: State, seat: int) -> int:
    """ED-13, ED-16, ED-19: what a seat scores if its attack cannot be answered."""
    virtue = int(VIRTUE[int(s.led)])
    if is_righteous(s, seat):
        return RIGHTEOUS * virtue
    return (HAND + int(s.mediators[seat] >= 0) - count(s.hands[seat])) * virtue


@kernel
def is_righteous(s: State, seat: int) -> bool:
    """ED-19: whether an attack of this seat that cannot be answered is a righteous victory."""
    return s.mediators[seat] >= 0 and exchange(s) == HAND


@kernel
def answer(s: State, card: int) -> None:
    seat, led = mover(s), int(s.led)
    s.hands[seat] ^= bit(card)
    s.led, s.challenge = NO_CARD, 0
    if not s.hands[0] | s.hands[1]:  # ED-12
        end_round(s)
        return
    # ED-18: hands can be of different size only if one player has a mediator, who is then out of cards first.
    if not s.hands[seat]:
        s.hands[seat] = bit(card)
    elif not s.hands[1 - seat]:
        s.hands[1 - seat] = bit(led)
    if led < card:
        s.mover = 1 - seat


@kernel
def end_round(s: State) -> None:
    if not s.second:
        start_round(s, 1)
    else:
        s.over, s.mover = 1, 0


# ── Results ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def scores(s: State, out: npt.NDArray[np.int32]) -> None:
    out[0], out[1] = s.scores[0], s.scores[1]


@kernel
def returns(s: State, out: npt.NDArray[np.float32]) -> None:
    lead = int(s.scores[0]) - int(s.scores[1])
    out[0] = 1 if lead > 0 else -1 if lead < 0 else 0
    out[1] = -out[0]


@kernel
def attacker(s: State) -> int:
    """The seat whose card lies there as an attack; before the attack, the seat to move."""
    if s.led == NO_CARD:
        return int(s.mover)
    return 0 if has(share(s, 0), int(s.led)) else 1


@kernel
def ending(s: State) -> int:
    """The rule that ended the second round."""
    if not s.over:
        return 0
    if s.led == NO_CARD:
        return 12
    return 19 if is_righteous(s, attacker(s)) else 11


@kernel
def key(s: State) -> np.uint64:
    small = (int(s.mover) + 1) | int(s.over) << 2 | int(s.second) << 4 | int(s.challenge) << 5
    open_cards = (int(s.led) + 1) | (int(s.mediators[0]) + 2) << 5 | (int(s.mediators[1]) + 2) << 10
    # Weak opponents misjudge positions by their keys. So that they play as ever, the basic and the advanced game have
    # the keys that they had when there were no others.
    options = int(s.with_mediators) << 3 | (int(s.with_mediators) ^ int(s.with_challenge)) << 54 | int(s.either) << 55
    k = np.uint64(small | open_cards << 6 | int(s.scores[0]) << 22 | int(s.scores[1]) << 38 | options)
    return stir(stir(k, s.dealt), s.hands[0] | left(s.hands[1], CARDS))


RULES = register(Rules(STATE, new, legal, play, scores, returns, key, ending))
