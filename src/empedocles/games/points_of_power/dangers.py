"""What an answer can do to a player of Points of Power, for warnings before bad moves; the gravest first."""

from __future__ import annotations

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.games.points_of_power.board import ELEMENTS
from empedocles.games.points_of_power.lookups import CAPTURE, NAMES, PASS
from empedocles.games.points_of_power.reasons import SIDES
from empedocles.games.points_of_power.rules import ends, exposed, missing
from empedocles.games.points_of_power.text import element_on
from empedocles.language import Message, Term
from empedocles.language import mark as _


def last_exposed(before: State, after: State, answer: int) -> Message | None:
    """PP-16: an element without an exposed piece loses."""
    e = _prey(before, after, answer)
    if e is None or len(members(exposed(after, e))) > 1:
        return None
    text = _("Your last exposed {element} can be captured {where}.")
    return _about(before, after, answer, text, _("Your partner's last exposed {element} can be captured {where}."))


def last_point(before: State, after: State, answer: int) -> Message | None:
    """PP-14: a side that holds all points of power wins."""
    side = 1 - int(before.mover) % 2
    if answer == PASS or members(missing(after, side)) != [ends(after, answer)[1]]:
        return None
    values = {"side": SIDES[side], "square": NAMES[ends(after, answer)[1]]}
    return Message(_("{side} can take the last point of power, {square}."), values)


def capture(before: State, after: State, answer: int) -> Message | None:
    if _prey(before, after, answer) is None:
        return None
    text = _("Your {element} {where} can be captured.")
    return _about(before, after, answer, text, _("Your partner's {element} {where} can be captured."))


def _prey(before: State, after: State, answer: int) -> int | None:
    """The element of the player's side that an answer captures, if any."""
    if answer < CAPTURE or answer == PASS:
        return None
    e = element_on(after, ends(after, answer)[1])
    return e if e % 2 == int(before.mover) % 2 else None


def _about(before: State, after: State, answer: int, mine: str, partners: str) -> Message:
    end = ends(after, answer)[1]
    e = element_on(after, end)
    on_plane = end == int(after.mp)
    where = Message(_("on the material plane"), {}) if on_plane else Message(_("on {square}"), {"square": NAMES[end]})
    text = partners if before.seats == 4 and e != int(before.mover) else mine
    return Message(text, {"element": Term(ELEMENTS[e]), "where": where})


DANGERS = (last_exposed, last_point, capture)
