"""All deals of Elemental Defenders, solved: what each first move makes of a round, basic and advanced.

The hand with the Neonate of Water attacks first, and the other hand is all that is not in it: 92,378 deals. They are
numbered by the nine other cards, in the order of their bits. `tools/solve_deals.py` makes the file and checks it.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import lzma
import warnings
from collections.abc import Mapping
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import State
from empedocles.errors import BadValue
from empedocles.games.elemental_defenders.lookups import CARDS, HAND, NEONATE_OF_WATER
from empedocles.games.elemental_defenders.moves import card_name
from empedocles.games.elemental_defenders.rules import NO_CARD, UNDECIDED
from empedocles.games.elemental_defenders.text import SEATS
from empedocles.language import Figure, Message, Term, in_a_row
from empedocles.language import mark as _

Table = npt.NDArray[np.int16]  # a row for each deal: the points of the first attacker, less the other's

FILE = Path(__file__).parent / "deals.xz"
MODES = {"basic": HAND, "advanced": HAND + 1}  # and how many first moves: each card in order, and to decline
DEALS = comb(CARDS - 1, HAND - 1)


@functools.cache
def _hands() -> npt.NDArray[np.int32]:
    """The first attacker's hand in each deal, as the bits of its cards."""
    others = [card for card in range(CARDS) if card != NEONATE_OF_WATER]
    nine = itertools.combinations(others, HAND - 1)
    return np.sort(np.array([sum(1 << card for card in cards) for cards in nine], np.int32)) | 1 << NEONATE_OF_WATER


def hand_of(number: int) -> int:
    return int(_hands()[number])


def number_of(hand: int) -> int:
    """The number of the deal in which the first attacker has this hand."""
    if not hand >> NEONATE_OF_WATER & 1 or hand.bit_count() != HAND:
        raise BadValue(f"the first attacker has ten cards, among them the Neonate of Water, not {hand:#b}")
    return int(np.searchsorted(_hands(), hand))


def write(tables: Mapping[str, Table], file: Path = FILE) -> None:
    """Each move's values follow each other: a deal differs little from the one before."""
    best = [tables[mode].max(axis=1, keepdims=True) for mode in MODES]
    columns = [np.hstack([most, most - tables[mode]]).T for mode, most in zip(MODES, best, strict=True)]
    content = b"".join(np.ascontiguousarray(column, "<i2").tobytes() for column in columns)
    file.write_bytes(lzma.compress(_header(content) + content, preset=9 | lzma.PRESET_EXTREME))


def _header(content: bytes) -> bytes:
    return json.dumps({"digest": hashlib.sha256(content).hexdigest()}).encode() + b"\n"


@functools.cache
def tables() -> dict[str, Table]:
    return read(FILE)


def read(file: Path) -> dict[str, Table]:
    """The values of each mode; BadValue if the file is missing or damaged."""
    try:
        content = lzma.decompress(file.read_bytes())
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise BadValue(f"{file.name} cannot be read: {error}") from error
    header, _, numbers = content.partition(b"\n")
    if header + b"\n" != _header(numbers) or len(numbers) != 2 * DEALS * sum(n + 1 for n in MODES.values()):
        raise BadValue(f"{file.name} is damaged: its digest is another than it says")
    values, found = np.frombuffer(numbers, "<i2").reshape(-1, DEALS), {}
    for mode, n in MODES.items():
        found[mode], values = np.ascontiguousarray((values[0] - values[1 : n + 1]).T, np.int16), values[n + 1 :]
    return found


def table(mode: str) -> Table:
    return tables()[mode]


@functools.cache
def is_stored() -> bool:
    """Whether the file can be used; the games are played as well without it."""
    try:
        tables()
    except BadValue as error:
        warnings.warn(f"Elemental Defenders is shown without its solution: {error}", stacklevel=2)
        return False
    return True


# ── In words ─────────────────────────────────────────────────────────────────────────────────────────────────────────

OUTCOME = {
    1: _("With best play {player} wins this round, by {n} points."),
    0: _("With best play nobody wins this round."),
    -1: _("With best play {player} loses this round, by {n} points."),
}
COMPARED = _("In {worse} of all {deals} deals the first attacker fares worse, in {better} better.")
RIGHT = _("Of {all} first moves, {right} are right.")
ONE_RIGHT = _("Of {all} first moves, only one is right.")

ALL_SOLVED = _("All {deals} deals are solved. Every match is a draw with best play: round two gives back round one.")
GAMES = {"basic": Term(_("Basic game")), "advanced": Term(_("Advanced game"))}
BALANCE = _(
    "{game}: with best play the first attacker wins the round in {won} of the deals and loses it in {lost}; in {tied} "
    "nobody wins. On average the round is worth {n} points to them."
)
COST = _("{game}: in {only} of the deals only one first move is right. A wrong one costs {n} points on average.")
ATTACKS = _(
    "The first attack of the basic game that is right most often, in {share} of the deals that have it: {card}. "
    "Least often, in {less}: {other}."
)
MEDIATED = _(
    "A mediator at the start is better than none in {better} of the deals and worse in {worse}. The best one is worth "
    "{n} points less on average than to decline."
)


def known(s: State) -> Message | None:
    """What there is to know of a deal before the first move of a round."""
    mode, mover = mode_of(s), int(s.mover)
    if mode is None or s.over or not _is_untouched(s) or not is_stored():
        return None
    worths = table(mode).max(axis=1)
    row = table(mode)[number_of(int(s.hands[mover]))]
    worth, right = int(row.max()), int((row == row.max()).sum())
    values = {
        "player": Term(SEATS[mover]),
        "n": abs(worth),
        "worse": share((worths < worth).mean()),
        "better": share((worths > worth).mean()),
        "deals": Figure(f"{DEALS:,}"),
        "all": len(row),
        "right": right,
    }
    parts = (OUTCOME[(worth > 0) - (worth < 0)], COMPARED, RIGHT if right > 1 else ONE_RIGHT)
    return in_a_row([Message(part, values) for part in parts], " ")


def mode_of(s: State) -> str | None:
    """The mode that is solved completely and played here."""
    if s.either or s.with_mediators != s.with_challenge:
        return None
    return "advanced" if s.with_mediators else "basic"


def _is_untouched(s: State) -> bool:
    full = all(int(hand).bit_count() == HAND for hand in s.hands)
    return s.mover >= 0 and full and s.led == NO_CARD and (not s.with_mediators or s.mediators[s.mover] == UNDECIDED)


@functools.cache
def summary() -> tuple[Message, ...]:
    """What the whole solution says, for readers."""
    if not is_stored():
        return ()
    found = [Message(ALL_SOLVED, {"deals": Figure(f"{DEALS:,}")})]
    for mode, game in GAMES.items():
        found += _of_mode(game, table(mode))
    return (*found, *_of_cards(), *_of_mediators(table("advanced")))


def _of_mode(game: Term, values: Table) -> list[Message]:
    best = values.max(axis=1)
    right = values == best[:, None]
    shares = {"won": share((best > 0).mean()), "lost": share((best < 0).mean()), "tied": share((best == 0).mean())}
    lost = (best[:, None] - values)[~right].mean()
    return [
        Message(BALANCE, {"game": game, **shares, "n": Figure(f"{best.mean():.1f}")}),
        Message(COST, {"game": game, "only": share((right.sum(axis=1) == 1).mean()), "n": round(float(lost))}),
    ]


def _of_cards() -> list[Message]:
    """The first attacks that are right most often and least often."""
    often = often_right("basic")
    most, least = int(np.argmax(often)), int(np.argmin(often))
    values_of = {"card": card_name(most), "share": share(often[most])}
    return [Message(ATTACKS, {**values_of, "other": card_name(least), "less": share(often[least])})]


def often_right(mode: str) -> list[float]:
    """For each card, how often it is right as the first move, among the deals in which the first attacker has it."""
    values = table(mode)
    right = (values == values.max(axis=1, keepdims=True))[:, :HAND]
    return [float(right[_column(card)].mean()) for card in range(CARDS)]


def _column(card: int) -> npt.NDArray[np.bool_]:
    """Where a first attacker's card stands in the table."""
    cards = _hands()[:, None] >> np.arange(CARDS) & 1
    place = np.cumsum(cards[:, : card + 1], axis=1)[:, -1] - 1
    here: npt.NDArray[np.bool_] = (np.arange(HAND) == place[:, None]) & (cards[:, card, None] == 1)
    return here


def _of_mediators(values: Table) -> list[Message]:
    with_one, without = values[:, :HAND].max(axis=1), values[:, HAND]
    better, worse = share((with_one > without).mean()), share((with_one < without).mean())
    return [Message(MEDIATED, {"better": better, "worse": worse, "n": Figure(f"{(without - with_one).mean():.1f}")})]


def share(part: float) -> str:
    return f"{part:.0%}".replace("%", "\N{NO-BREAK SPACE}%")
