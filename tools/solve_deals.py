"""Solve Elemental Defenders completely, or check what is stored of it.

python tools/solve_deals.py solve              all deals, basic and advanced, into the game's folder: some minutes
python tools/solve_deals.py check              stored values against the game's own solver: a sample, and the digest
python tools/solve_deals.py check --deals 2000

The game's own solver looks ahead from one deal. This program works backwards instead: two hands of disjoint cards, and
who attacks, are all that matters of a position, whatever was dealt and played before. So 377 million positions of the
basic game serve all 92,378 deals. The values of all pairs of hands with n cards follow from those with n − 1, from one
card each up to ten. Nothing of the rules is taken from the game's own code; that is what makes the check worth
something.
"""

# mypy: allow-untyped-decorators, no-warn-return-any

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from math import comb
from os import cpu_count
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from empedocles.games.elemental_defenders import deals
from empedocles.games.elemental_defenders.solver import Solver

Words = npt.NDArray[np.int32]
Values = npt.NDArray[np.int16]

CARDS, HAND, HALF = 20, 10, 10  # HALF: bits that one lookup takes
LOW = (1 << HALF) - 1
FULL = (1 << CARDS) - 1
VIRTUES = np.repeat(np.array([11, 10, 4, 3, 7]), 4)
ELEMENT = np.array([sum(1 << c for c in range(CARDS) if c % 4 == card % 4) for card in range(CARDS)])
LEVEL = np.array([sum(1 << c for c in range(CARDS) if c // 4 == card // 4) for card in range(CARDS)])
MYSTICS = 0b1111
WORST = -1000

# Who has set a mediator aside: nobody, both, the attacker alone or the defender alone.
NOBODY, BOTH, ATTACKER, DEFENDER = range(4)


# ── Sets of cards and their numbers ──────────────────────────────────────────────────────────────────────────────────


def _ranks() -> tuple[Words, list[Words]]:
    """The number of each set among sets of its size, in the order of their bits; and the sets of each size."""
    sizes = np.array([word.bit_count() for word in range(1 << CARDS)], np.int8)
    sets = [np.flatnonzero(sizes == size).astype(np.int32) for size in range(CARDS + 1)]
    ranks = np.zeros(1 << CARDS, np.int32)
    for some in sets:
        ranks[some] = np.arange(len(some))
    return ranks, sets


def _packing() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """For each mask: the bits of a word that lie in it, pushed together; and the reverse."""
    packed = np.zeros((1 << HALF, 1 << HALF), np.int16)
    spread = np.zeros((1 << HALF, 1 << HALF), np.int16)
    words = np.arange(1 << HALF)
    for mask in range(1 << HALF):
        for k, bit in enumerate(bit for bit in range(HALF) if mask >> bit & 1):
            packed[mask] |= ((words >> bit & 1) << k).astype(np.int16)
            spread[mask] |= ((words >> k & 1) << bit).astype(np.int16)
    return packed, spread


SIZE = np.array([word.bit_count() for word in range(1 << HALF)])
RANK, SETS = _ranks()
PACKED, SPREAD = _packing()
COUNT = np.array([[comb(n, k) for k in range(CARDS + 1)] for n in range(CARDS + 1)])


@numba.njit(nogil=True)
def size(word: int) -> int:
    return SIZE[word & LOW] + SIZE[word >> HALF]


@numba.njit(nogil=True)
def pack(word: int, mask: int) -> int:
    """The bits of a word that lie in a mask, pushed together."""
    low = mask & LOW
    return PACKED[low, word & LOW] | PACKED[mask >> HALF, word >> HALF] << size(low)


@numba.njit(nogil=True)
def unpack(word: int, mask: int) -> int:
    low = mask & LOW
    n = size(low)
    return SPREAD[low, word & ((1 << n) - 1)] | SPREAD[mask >> HALF, word >> n] << HALF


@numba.njit(nogil=True)
def number(mine: int, theirs: int, count: int) -> int:
    """The number of a pair of hands among those of their sizes; `count` is how many hands the other can have."""
    return np.int64(RANK[mine]) * count + RANK[pack(theirs, FULL ^ mine)]


# ── Working backwards ────────────────────────────────────────────────────────────────────────────────────────────────


@numba.njit(nogil=True)
def answers(card: int, theirs: int, challenge: bool) -> int:
    """ED-9, ED-10, ED-21."""
    if challenge and theirs & MYSTICS:
        return theirs & MYSTICS
    if theirs & ELEMENT[card]:
        return theirs & ELEMENT[card]
    return theirs & LEVEL[card]


@numba.njit(nogil=True)
def won(card: int, left: int, mediators: int) -> int:
    """ED-13, ED-16: what an attack is worth that cannot be answered, by the cards left in hand."""
    own = mediators in (BOTH, ATTACKER)
    return (HAND - left + own) * VIRTUES[card]


@numba.njit(nogil=True)
def tenth(card: int, other: int, mediators: int) -> int:
    """ED-18 to ED-20: what the attacker makes of the tenth exchange."""
    if answers(card, 1 << other, False):
        return 0
    return (22 if mediators == ATTACKER else HAND) * VIRTUES[card]


@numba.njit(nogil=True)
def after(card: int, reply: int, mine: int, theirs: int, mediators: int, same: Values, swapped: Values) -> int:
    """The value after an exchange, for who attacked; hands as they are then, and the values of one card less."""
    if not mine and not theirs:
        return 0  # ED-12
    again = card < reply
    if not mine or not theirs:  # of two single cards; RANK tells which
        one = card if not mine else RANK[mine]
        two = reply if not theirs else RANK[theirs]
        if again:
            return tenth(one, two, mediators)
        return -tenth(two, one, DEFENDER if mediators == ATTACKER else ATTACKER)
    if again:
        return same[number(mine, theirs, COUNT[CARDS - size(mine), size(theirs)])]
    return -swapped[number(theirs, mine, COUNT[CARDS - size(theirs), size(mine)])]


@numba.njit(nogil=True)
def attack(
    card: int,
    challenge: bool,
    mine: int,
    theirs: int,
    mediators: int,
    same: Values,
    swapped: Values,
    enough: int = WORST,
) -> int:
    """What an attack is worth; exact if it is more than `enough`."""
    left = mine & ~(1 << card)
    todo = answers(card, theirs, challenge)
    if not todo:
        return won(card, size(left), mediators)
    worst = -WORST
    while todo and worst > enough:
        bit = todo & -todo
        todo ^= bit
        worst = min(worst, after(card, RANK[bit], left, theirs ^ bit, mediators, same, swapped))
    return worst


@numba.njit(nogil=True)
def best(mine: int, theirs: int, mediators: int, challenges: bool, same: Values, swapped: Values) -> int:
    most, todo = WORST, mine
    while todo:
        bit = todo & -todo
        todo ^= bit
        card = RANK[bit]
        most = max(most, attack(card, False, mine, theirs, mediators, same, swapped, most))
        if challenges and bit & MYSTICS:
            most = max(most, attack(card, True, mine, theirs, mediators, same, swapped, most))
    return most


@numba.njit(nogil=True)
def solve_some(
    hands: Words,
    others: Words,
    mediators: int,
    challenges: bool,
    same: Values,
    swapped: Values,
    found: Values,
) -> None:
    """The values of some first hands with all second ones, which come as numbers of cards that are left."""
    for mine in hands:
        row = np.int64(RANK[mine]) * len(others)
        for k in range(len(others)):
            theirs = unpack(others[k], FULL ^ mine)
            found[row + k] = best(mine, theirs, mediators, challenges, same, swapped)


def solve_all(mine: int, theirs: int, mediators: int, challenges: bool, same: Values, swapped: Values) -> Values:
    """The values of all pairs of hands with so many cards."""
    hands, others = SETS[mine], SETS[theirs][: comb(CARDS - mine, theirs)]
    found = np.zeros(len(hands) * len(others), np.int16)
    with ThreadPoolExecutor(cpu_count()) as pool:
        parts = np.array_split(hands, 64)
        list(pool.map(lambda part: solve_some(part, others, mediators, challenges, same, swapped, found), parts))
    return found


NOTHING = np.zeros(1, np.int16)


def equal_hands(mediators: int, challenges: bool, most: int) -> Values:
    found = NOTHING
    for n in range(1, most + 1):
        found = solve_all(n, n, mediators, challenges, found, found)
    return found


def one_mediator(most: int) -> Values:
    """For so many cards of the attacker, who has the mediator, against one more."""
    attacker = defender = NOTHING
    for n in range(1, most + 1):
        attacker, defender = (
            solve_all(n, n + 1, ATTACKER, True, attacker, defender),
            solve_all(n + 1, n, DEFENDER, True, defender, attacker),
        )
    return attacker


# ── First moves ──────────────────────────────────────────────────────────────────────────────────────────────────────


def basic(hands: list[int]) -> Values:
    nine = equal_hands(NOBODY, False, HAND - 1)
    return np.array(
        [
            [attack(card, False, hand, FULL ^ hand, NOBODY, nine, nine) for card in range(CARDS) if hand >> card & 1]
            for hand in hands
        ],
        np.int16,
    )


def advanced(hands: list[int]) -> Values:
    none, both, one = equal_hands(NOBODY, True, HAND), equal_hands(BOTH, True, HAND - 1), one_mediator(HAND - 1)
    return np.array([[*mediated(hand, both, one), none[number(hand, FULL ^ hand, 1)]] for hand in hands], np.int16)


def mediated(hand: int, both: Values, one: Values) -> list[int]:
    """What each card is worth as a mediator, when the defender sets one aside, too, or declines (ED-15)."""
    found = []
    for card in (card for card in range(CARDS) if hand >> card & 1):
        mine, theirs = hand & ~(1 << card), FULL ^ hand
        apart = theirs & ~(ELEMENT[card] | LEVEL[card])
        choices = [theirs & ~(1 << other) for other in range(CARDS) if apart >> other & 1]
        values = [both[number(mine, left, COUNT[CARDS - HAND + 1, HAND - 1])] for left in choices]
        found.append(min([one[number(mine, theirs, COUNT[CARDS - HAND + 1, HAND])], *values]))
    return found


# ── Commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def solve() -> None:
    hands = [deals.hand_of(n) for n in range(deals.DEALS)]
    tables: dict[str, Any] = {}
    for mode, solved in (("basic", basic), ("advanced", advanced)):
        begun = time.perf_counter()
        tables[mode] = solved(hands)
        print(f"{mode}: {len(hands):,} deals in {time.perf_counter() - begun:.0f} s")
    deals.write(tables)
    print(f"{deals.FILE.name}: {deals.FILE.stat().st_size:,} bytes")


def check(number_of_deals: int, seed: int) -> int:
    """Compare stored values with the game's own solver. Returns how many deals differ."""
    wrong = 0
    for mode in deals.MODES:
        table, with_both = deals.table(mode), int(mode == "advanced")
        chosen = np.random.default_rng(seed).choice(deals.DEALS, number_of_deals, replace=False)
        for n in chosen.tolist():
            expected = Solver(deals.hand_of(n), with_both, with_both, 0).first_moves(0)
            if not np.array_equal(table[n], expected):
                wrong += 1
                print(f"{mode} deal {n}: stored {table[n].tolist()}, solved {expected.tolist()}")
        print(f"{mode}: {number_of_deals:,} deals compared")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["solve", "check"])
    parser.add_argument(
        "--deals", type=int, default=deals.DEALS // 100, help="how many to check in each mode: 1 % of all"
    )
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.command == "solve":
        solve()
    elif wrong := check(given.deals, given.seed):
        sys.exit(f"{wrong} deals differ")


if __name__ == "__main__":
    main()
