"""Elemental Defenders, solved: the exact value of any position, by remembering every position of a round once.

Only the difference of points matters. The higher total wins the match, so more difference is never worse for it; and
round two, being round one with the seats exchanged, adds the same number whatever happens in round one.

A hand is ten bits, one for each card of the deal that came to it. Between two exchanges a round is described by both
hands, who attacks, and who has a mediator. Hands are of one size, or a mediator apart, which leaves 1.4 million
positions: small enough for a processor's cache. Their values are remembered from the attacker's point of view. Round
two uses the same memory: a *role* is the half of the deal that a seat plays, 0 for the cards that seat 0 was dealt.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import first, has, rest
from empedocles.core.kernel import Actions, State, kernel, tiny_kernel
from empedocles.core.solving import Leads, Room, Work, new_work
from empedocles.games.elemental_defenders.lookups import (
    CARDS,
    HAND,
    MYSTICS,
    SAME_ELEMENT,
    SAME_LEVEL,
    VIRTUE,
)
from empedocles.games.elemental_defenders.rules import (
    MAX_LEGAL,
    NO_CARD,
    RIGHTEOUS,
    RULES,
    UNDECIDED,
    legal,
    play,
    start_round,
    undealt,
)

UNKNOWN = -(2**15)
MOST = RIGHTEOUS * int(VIRTUE.max())  # points of one round
ROUND = 2 * MOST  # more than a round changes a lead by

Cache = npt.NDArray[np.int16]
Deal = npt.NDArray[np.int64]

# A deal as kernels read it, for each role: the cards of its ten bits; for each card of the deck, the bits that answer
# it and, if all of these are gone, those that answer it then; and its Mystics. The options are part of it: without the
# challenge no card counts as a Mystic, and with answer=either all answers are among the first.
CARD, ANSWER, ELSE, MYSTIC = 0, HAND, HAND + CARDS, HAND + 2 * CARDS


# ── The place of a position in the memory ────────────────────────────────────────────────────────────────────────────

HANDS = range(1 << HAND)
ALL = (1 << HAND) - 1
SIZE = np.array([hand.bit_count() for hand in HANDS], np.int64)
SIZES = range(HAND + 1)
RANK = np.array([sum(SIZE[:hand] == SIZE[hand]) for hand in HANDS], np.int64)  # among hands of its size
ALIKE = np.bincount(SIZE)  # hands of a size
NOWHERE = -1


def _are_possible(mine: int, theirs: int, role: int, mediators: int) -> bool:
    """The sizes of an attacker's hand and of the other one: whoever has a mediator has one card less."""
    less = mediators >> role & 1
    other = mediators >> (1 - role) & 1
    tenth = mine == theirs == 1 and less != other  # ED-18
    return tenth or (mine > 0 and theirs > 0 and mine + less == theirs + other <= HAND)


def _starts() -> tuple[npt.NDArray[np.int64], list[int]]:
    """Where the positions with hands of some sizes begin, for mediators and roles; and how far each number of seats
    with mediators reaches.
    """
    starts, n, ends = np.full((4, 2, HAND + 1, HAND + 1), NOWHERE, np.int64), 0, []
    for mediators in range(4):
        for role, mine, theirs in itertools.product(range(2), SIZES, SIZES):
            if _are_possible(mine, theirs, role, mediators):
                starts[mediators, role, mine, theirs] = n
                n += int(ALIKE[mine] * ALIKE[theirs])
        ends.append(n)
    return starts, ends


START, ENDS = _starts()
LEVELS = 3  # moves until a round is between two exchanges: both mediators, or the answer to an attack
ROOM = Room((2, MYSTIC + 1), ENDS[-1], LEVELS)


@tiny_kernel
def place(mine: int, theirs: int, role: int, mediators: int) -> int:
    start = START[mediators, role, SIZE[mine], SIZE[theirs]]
    found: int = start + RANK[mine] * ALIKE[SIZE[theirs]] + RANK[theirs]
    return found


# `attack` and `after` are copied into `value`, which calls itself: functions that call each other in a circle crash
# when they come from Numba's cache (seen with 0.68).

# ── Between two exchanges ────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def value(deal: Deal, memo: Cache, mine: int, theirs: int, role: int, mediators: int) -> int:
    """What the attacker, in this role, makes of the rest of the round, less what the other makes."""
    where = place(mine, theirs, role, mediators)
    if memo[where] != UNKNOWN:
        return int(memo[where])
    best = -MOST
    for challenge in range(2):
        todo = mine & deal[role, MYSTIC] if challenge else mine
        while todo:
            card = todo & -todo
            todo ^= card
            worth = attack(deal, memo, mine ^ card, theirs, card, challenge, role, mediators, best)
            best = max(best, worth)
    memo[where] = best
    return best


@tiny_kernel
def attack(
    deal: Deal,
    memo: Cache,
    mine: int,
    theirs: int,
    card: int,
    challenge: int,
    role: int,
    mediators: int,
    enough: int,
) -> int:
    """The value of an attack with a card that has left the hand; exact if it is more than `enough`."""
    led = deal[role, CARD + SIZE[card - 1]]
    answers = replies(deal, 1 - role, theirs, led, challenge)
    if not answers:
        return points(int(VIRTUE[led]), SIZE[mine], SIZE[theirs], mediators >> role & 1, mediators)
    worst = MOST
    while answers and worst > enough:
        reply = answers & -answers
        answers ^= reply
        worst = min(worst, after(deal, memo, mine, theirs ^ reply, card, reply, role, mediators))
    return worst


@tiny_kernel
def after(deal: Deal, memo: Cache, mine: int, theirs: int, card: int, reply: int, role: int, mediators: int) -> int:
    """The value after an exchange."""
    if not mine | theirs:
        return 0  # ED-12
    if not mine:
        mine = card  # ED-18
    elif not theirs:
        theirs = reply
    if deal[role, CARD + SIZE[card - 1]] < deal[1 - role, CARD + SIZE[reply - 1]]:
        return value(deal, memo, mine, theirs, role, mediators)
    return -value(deal, memo, theirs, mine, 1 - role, mediators)


@kernel
def replies(deal: Deal, role: int, hand: int, led: int, challenge: int) -> int:
    """ED-9, ED-10, ED-21: the cards with which a hand may answer."""
    if challenge and hand & deal[role, MYSTIC]:
        return int(hand & deal[role, MYSTIC])
    if hand & deal[role, ANSWER + led]:
        return int(hand & deal[role, ANSWER + led])
    return int(hand & deal[role, ELSE + led])


@kernel
def points(virtue: int, mine: int, theirs: int, mediator: int, mediators: int) -> int:
    """ED-13, ED-16, ED-19: for an attack that cannot be answered, by the sizes of the hands that are left."""
    if not mediator:
        return (HAND - mine) * virtue
    # With the only mediator, the hand is one card smaller than the other, but for the tenth exchange.
    if mediators != 3 and mine + 1 == theirs:
        return RIGHTEOUS * virtue
    return (HAND + 1 - mine) * virtue


# ── The first move of a round ────────────────────────────────────────────────────────────────────────────────────────


@kernel
def first_moves(deal: Deal, memo: Cache, role: int, with_mediators: int, found: npt.NDArray[np.int16]) -> None:
    """What the first attacker makes of the round with each of ten cards: as an attack, or set aside as a mediator.

    With mediators, the eleventh number is for declining.
    """
    for k in range(HAND):
        card = 1 << k
        if with_mediators:
            found[k] = mediated(deal, memo, ALL ^ card, k, role)
        else:
            found[k] = attack(deal, memo, ALL ^ card, ALL, card, 0, role, 0, -MOST)
    if with_mediators:
        found[HAND] = value(deal, memo, ALL, ALL, role, 0)


@kernel
def mediated(deal: Deal, memo: Cache, mine: int, mediator: int, role: int) -> int:
    """ED-15: the value for the attacker whose mediator is chosen, when the defender chooses or declines."""
    worst = value(deal, memo, mine, ALL, role, 1 << role)
    card = deal[role, CARD + mediator]
    choices = ALL & ~(deal[1 - role, ANSWER + card] | deal[1 - role, ELSE + card])
    while choices:
        choice = choices & -choices
        choices ^= choice
        worst = min(worst, value(deal, memo, mine, ALL ^ choice, role, 3))
    return worst


# ── Any position ─────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def solved(s: State, work: Work, actions: Actions, leads: Leads) -> int:
    """The legal actions, and by how much the seat to move leads at the end after each; how many."""
    remember(s, work)
    first_round = whole_round(s, work)
    n = legal(s, actions)
    for k in range(n):
        work.states[0] = s
        child = work.states[0]
        play(child, int(actions[k]))
        found = lead(child)
        if not child.over:
            # ED-7: round two is round one with the seats exchanged.
            found += rest_of_round(work, 0) - (0 if child.second else first_round)
        leads[k] = found if s.mover == 0 else -found
    return n


@kernel
def remember(s: State, work: Work) -> None:
    """Prepare for the deal and the options of a state; what is known of another deal is forgotten."""
    deal, new = work.numbers, False
    for role in range(2):
        dealt: np.uint64 = undealt(s) if role else s.dealt
        k = 0
        while dealt:
            new |= changed(deal, role, CARD + k, first(dealt))
            dealt = rest(dealt)
            k += 1
        for card in range(CARDS):
            answers = SAME_ELEMENT[card] | SAME_LEVEL[card] if s.either else SAME_ELEMENT[card]
            new |= changed(deal, role, ANSWER + card, hand_of(deal, role, answers))
            new |= changed(deal, role, ELSE + card, hand_of(deal, role, SAME_LEVEL[card]))
        new |= changed(deal, role, MYSTIC, hand_of(deal, role, MYSTICS) if s.with_challenge else 0)
    if new:
        for where in range(len(work.memo)):
            work.memo[where] = UNKNOWN


@kernel
def changed(deal: Deal, role: int, where: int, number: int) -> bool:
    """Set a number of a deal; whether it was another one."""
    before = int(deal[role, where])
    deal[role, where] = number
    return before != number


@kernel
def hand_of(deal: Deal, role: int, cards: np.uint64) -> int:
    """The cards of a role among some, as bits of its hand."""
    found = 0
    for k in range(HAND):
        if has(cards, int(deal[role, CARD + k])):
            found |= 1 << k
    return found


@kernel
def whole_round(s: State, work: Work) -> int:
    """What seat 0 makes of round one, less what seat 1 makes."""
    work.states[0] = s
    start_round(work.states[0], 0)
    return rest_of_round(work, 0)


@kernel
def rest_of_round(work: Work, level: int) -> int:
    """What seat 0 makes of a round from the state of this level on, less what seat 1 makes."""
    s = work.states[level]
    if s.led == NO_CARD and s.mediators[int(s.mover)] != UNDECIDED:
        return from_attack(s, work)
    sign = 1 if s.mover == 0 else -1
    best, n = -ROUND, legal(s, work.out[level])
    for k in range(n):
        work.states[level + 1] = s
        child = work.states[level + 1]
        play(child, int(work.out[level, k]))
        gain = lead(child) - lead(s)
        if not child.over and child.second == s.second:
            gain += rest_of_round(work, level + 1)
        best = max(best, sign * gain)
    return sign * best


@kernel
def from_attack(s: State, work: Work) -> int:
    second = int(s.second)
    role, mediators = int(s.mover) ^ second, 0
    for seat in range(2):
        if s.mediators[seat] >= 0:
            mediators |= 1 << (seat ^ second)
    mine = hand_of(work.numbers, role, s.hands[role ^ second])
    theirs = hand_of(work.numbers, 1 - role, s.hands[1 - role ^ second])
    found = value(work.numbers, work.memo, mine, theirs, role, mediators)
    return found if s.mover == 0 else -found


@kernel
def lead(s: State) -> int:
    return int(s.scores[0]) - int(s.scores[1])


class Solver:
    """All positions of one deal, with the options of one state."""

    def __init__(self, dealt: int, with_mediators: int, with_challenge: int, either: int) -> None:
        s = np.zeros(1, RULES.state)[0]
        RULES.new(s, np.array([with_mediators, with_challenge, either], np.uint64))
        s.dealt = np.uint64(dealt)
        memo = ENDS[-1 if with_mediators else 0]
        self.work = new_work(ROOM._replace(memo=memo), RULES.state, MAX_LEGAL)
        remember(s, self.work)
        self.deal, self.memo = self.work.numbers, self.work.memo

    def hand(self, role: int, cards: np.uint64) -> int:
        """The cards of a role among some, as bits of its hand."""
        return int(hand_of(self.deal, role, cards))

    def first_moves(self, role: int) -> npt.NDArray[np.int16]:
        """What each first move of the attacker with this role makes of the round: ten cards, and to decline."""
        with_mediators = len(self.memo) > ENDS[0]
        found = np.empty(HAND + with_mediators, np.int16)
        first_moves(self.deal, self.memo, role, int(with_mediators), found)
        return found


def children(s: State) -> Iterator[tuple[int, State]]:
    """The legal actions and where they lead."""
    out = np.empty(MAX_LEGAL, np.int16)
    for action in out[: RULES.legal(s, out)].tolist():
        child = np.zeros(1, RULES.state)
        child[0] = s
        RULES.play(child[0], action)
        yield action, child[0]


def solver_of(s: State) -> Solver:
    return _solver(int(s.dealt), int(s.with_mediators), int(s.with_challenge), int(s.either))


_solver = functools.lru_cache(maxsize=4)(Solver)


def values(s: State) -> dict[int, int]:
    """For each legal action, by how much the player to move will be ahead at the end of the match, under best play."""
    actions, leads = np.empty(MAX_LEGAL, np.int16), np.empty(MAX_LEGAL, np.int32)
    n = solved(s, solver_of(s).work, actions, leads)
    return dict(zip(actions[:n].tolist(), leads[:n].tolist(), strict=True))


def facts(s: State) -> dict[str, int]:
    work = solver_of(s).work
    work.states[0] = s
    found = int(rest_of_round(work, 0))
    return {"lead in the rest of this round": found if s.mover == 0 else -found}
