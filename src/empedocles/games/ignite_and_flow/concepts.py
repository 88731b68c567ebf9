"""What players of Ignite and Flow talk about: what a move does to land and temples, and what threatens them."""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import count, members
from empedocles.core.kernel import State, kernel
from empedocles.game import Deed, Idea
from empedocles.games.ignite_and_flow.advice import around, reach
from empedocles.games.ignite_and_flow.lookups import EARTH, FIRE, NAMES, WATER
from empedocles.games.ignite_and_flow.rules import TAKEN, TEMPLES, empty_cells, landmasses, unused_temples
from empedocles.language import NONE_AT_ALL, NOT_ONE, Message, Number, alone, counted
from empedocles.language import mark as _

MUCH_LAND = 2  # squares at once that are worth a word
FUTURE = 1.5  # what a temple is worth beyond the land it owns now
THREAT = 2.0  # a temple that can be burnt next

# ── What moves do ────────────────────────────────────────────────────────────────────────────────────────────────────


def burnt(before: State, _action: int, after: State) -> list[Deed]:
    """IF-7."""
    victim = 1 - int(before.mover)
    found = members(before.temples[victim] & ~after.temples[victim])
    return [_burning(victim, cell, after) for cell in found]


def _burning(victim: int, cell: int, after: State) -> Deed:
    values = {"square": NAMES[cell], "n": TAKEN}
    last = not after.temples[victim] and not unused_temples(after, victim)
    if last:
        text, told = _("burn the last temple, on {square} ({n} points)"), _("{move}, the last one ({n} points)")
        news = _("It is the last one ({n} points).")
        return Deed(Message(text, values), 10, victim, (NAMES[cell],), told=told, news=news)
    text, told = _("burn the temple on {square} ({n} points)"), _("{move} ({n} points)")
    news = _("That is worth {n} points.")
    return Deed(Message(text, values), TAKEN + FUTURE, victim, (NAMES[cell],), told=told, news=news)


def founded(before: State, _action: int, after: State) -> list[Deed]:
    """IF-13: a temple with land that did not count before."""
    seat = int(before.mover)
    new = members(after.temples[seat] & ~before.temples[seat])
    won = counting(after, seat) - counting(before, seat)
    if not new or won < MUCH_LAND:
        return []
    text = _("place a temple on {square} that owns {n} more squares of land")
    told, news = _("{move}, which owns {n} more squares of land"), _("It owns {n} more squares of land.")
    values = {"square": NAMES[new[0]], "n": Number(won)}
    return [Deed(Message(text, values), won, None, (NAMES[new[0]],), told=told, news=news)]


def grown(before: State, _action: int, after: State) -> list[Deed]:
    """IF-3, IF-17: land that counts, without a new temple."""
    seat = int(before.mover)
    won = counting(after, seat) - counting(before, seat)
    if won < MUCH_LAND or after.temples[seat] != before.temples[seat]:
        return []
    squares = tuple(NAMES[cell] for cell in members(own(after, seat) & ~own(before, seat)))
    return [Deed(Message(_("gain {n} squares of land"), {"n": Number(won)}), won, None, squares)]


def ruined(before: State, _action: int, after: State) -> list[Deed]:
    """IF-17: the other's land that is burnt or cut off, or counts for nobody now."""
    victim = 1 - int(before.mover)
    lost = counting(before, victim) - counting(after, victim)
    if lost < MUCH_LAND or after.temples[victim] != before.temples[victim]:
        return []
    gone = own(before, victim) & ~own(after, victim)
    squares = tuple(NAMES[cell] for cell in members(gone))
    shared = gone & np.uint64(landmasses(after.ground[EARTH], after.temples[1 - victim]))
    if shared == gone:
        text = _("join landmasses, making {n} squares count for nobody")
    else:
        text = _("cut off {n} squares of land")
    return [Deed(Message(text, {"n": Number(lost)}), lost, victim, squares)]


# ── What positions have ──────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def land_of(s: State, seat: int) -> np.uint64:
    """Land that counts for a seat."""
    mine: np.uint64 = landmasses(s.ground[EARTH], s.temples[seat])
    return mine & ~landmasses(s.ground[EARTH], s.temples[1 - seat])


def own(s: State, seat: int) -> np.uint64:
    return np.uint64(land_of(s, seat))  # compiled code gives numbers of Python


@kernel
def counting(s: State, seat: int) -> int:
    return count(land_of(s, seat))


@kernel
def reactive(s: State) -> np.uint64:
    """IF-10: fires and waters that can react."""
    fire, water = s.ground[FIRE], s.ground[WATER]
    found: np.uint64 = (fire & reach(s, water)) | (water & reach(s, fire))
    return found


@kernel
def heated(s: State, seat: int) -> np.uint64:
    """IF-6: temples that the other's next fire can enter."""
    found: np.uint64 = s.temples[seat] & around(s.ground[FIRE])
    return found


@kernel
def threatened(s: State, seat: int) -> int:
    return count(heated(s, seat))


def threatened_places(s: State, seat: int) -> list[str]:
    return [NAMES[cell] for cell in members(np.uint64(heated(s, seat)))]


@kernel
def exposed_land(s: State, seat: int) -> int:
    return count(land_of(s, seat) & around(s.ground[FIRE]))


@kernel
def standing_temples(s: State, seat: int) -> int:
    """Those on the board and those still to be placed."""
    return TEMPLES - int(s.taken[1 - seat])


@kernel
def prospects_of(s: State, seat: int) -> np.uint64:
    """Fires and waters beside one's land that can react to earth."""
    found: np.uint64 = around(land_of(s, seat)) & reactive(s)
    return found


@kernel
def prospects(s: State, seat: int) -> int:
    return count(prospects_of(s, seat))


def prospects_places(s: State, seat: int) -> list[str]:
    return [NAMES[cell] for cell in members(np.uint64(prospects_of(s, seat)))]


@kernel
def unowned_of(s: State, seat: int) -> np.uint64:
    """Earth without a temple, for whoever can still place one."""
    found: np.uint64 = s.ground[EARTH] & ~landmasses(s.ground[EARTH], s.temples[0] | s.temples[1])
    return found if unused_temples(s, seat) else np.uint64(0)


@kernel
def unowned(s: State, seat: int) -> int:
    return count(unowned_of(s, seat))


def unowned_places(s: State, seat: int) -> list[str]:
    return [NAMES[cell] for cell in members(np.uint64(unowned_of(s, seat)))]


@kernel
def in_contact(s: State, seat: int) -> int:
    """Land that one more square of earth would join with the other's: it would count for nobody."""
    mine = land_of(s, seat)
    meeting = around(mine) & around(land_of(s, 1 - seat)) & (empty_cells(s) | reactive(s))
    return count(mine) if meeting else 0


LAND = counted(_("no land"), _("one square of land"), _("{n} squares of land"))
THREATENED = counted(_("no temple beside fire"), _("one temple beside fire"), _("{n} temples beside fire"))
EXPOSED = counted(_("no land beside fire"), _("one square of land beside fire"), _("{n} squares of land beside fire"))
LEFT = counted(_("no temple left"), _("one temple left"), _("{n} temples left"))
PROSPECTS = counted(
    _("no neighbour that can become earth"),
    _("one neighbour that can become earth"),
    _("{n} neighbours that can become earth"),
)
UNOWNED = counted(
    _("no earth to place a temple on"),
    _("one square of earth to place a temple on"),
    _("{n} squares of earth to place a temple on"),
)
CONTACT = counted(
    _("no land one step from the other’s"),
    _("one square of land one step from the other’s"),
    _("{n} squares of land one step from the other’s"),
)

CONCEPTS = (
    Idea("burnt-temple", _("burnt temples"), burnt, did=_("burnt more temples"), do=_("burn temples")),
    Idea(
        "new-temple",
        _("new temples with land"),
        founded,
        did=_("placed more temples with land"),
        do=_("place temples with land"),
    ),
    Idea(
        "ruined-land",
        _("land destroyed or cut off"),
        ruined,
        did=_("spoilt the other’s land more often"),
        do=_("spoil the other’s land"),
    ),
    Idea("grown-land", _("land gained"), grown, did=_("gained land more often"), do=_("gain land")),
    Idea(
        "temples",
        _("temples kept"),
        None,
        standing_temples,
        LEFT,
        TAKEN,
        other=alone(NOT_ONE),
    ),
    Idea(
        "threatened-temple",
        _("threatened temples"),
        None,
        threatened,
        THREATENED,
        -THREAT,
        places=threatened_places,
        other=alone(NOT_ONE),
        gone=_("no temple beside fire any more"),
    ),
    Idea(
        "land",
        _("land that counts"),
        None,
        counting,
        LAND,
        1.0,
        other=alone(NONE_AT_ALL),
        gone=_("no land any more"),
    ),
    Idea(
        "exposed-land",
        _("land beside fire"),
        None,
        exposed_land,
        EXPOSED,
        -0.6,
        other=alone(NONE_AT_ALL),
        gone=_("no land beside fire any more"),
    ),
    Idea(
        "prospects",
        _("neighbours that can become earth"),
        None,
        prospects,
        PROSPECTS,
        0.5,
        places=prospects_places,
        other=alone(NONE_AT_ALL),
        gone=_("no neighbour any more that can become earth"),
    ),
    Idea(
        "unowned-earth",
        _("earth without a temple"),
        None,
        unowned,
        UNOWNED,
        0.5,
        places=unowned_places,
        other=alone(NONE_AT_ALL),
        gone=_("no earth any more to place a temple on"),
    ),
    Idea(
        "contact",
        _("land about to be joined"),
        None,
        in_contact,
        CONTACT,
        -0.25,
        other=alone(NONE_AT_ALL),
        gone=_("no land any more one step from the other’s"),
    ),
)

DANGERS = ("burnt-temple",)
