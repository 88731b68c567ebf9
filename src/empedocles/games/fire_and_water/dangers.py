"""What an answer can do to a player of Fire & Water, for warnings before bad moves; the gravest first."""

from __future__ import annotations

from empedocles.core.kernel import State
from empedocles.games.fire_and_water.lookups import CLAIM, NAMES, NO_HALF, PASS, TOKEN
from empedocles.games.fire_and_water.text import SEATS
from empedocles.language import Message, Term
from empedocles.language import mark as _

ELEMENTS = (Term(_("fire")), Term(_("water")))


def conquered_leader(before: State, after: State, answer: int) -> Message | None:
    """FW-16."""
    if not TOKEN <= answer < CLAIM or int(after.leader[before.turn]) != answer - TOKEN:
        return None
    return Message(_("{player} can conquer your leader on {square}."), _on(after, answer - TOKEN))


def claimed_elemental(before: State, after: State, answer: int) -> Message | None:  # noqa: ARG001
    """FW-18."""
    if not CLAIM <= answer < PASS:
        return None
    return Message(_("{player} can claim the elemental on {square}."), _on(after, answer - CLAIM))


def silenced_marker(before: State, after: State, answer: int) -> Message | None:
    """FW-14: a half below a token has no influence any more."""
    half = int(after.half[answer - TOKEN]) if TOKEN <= answer < CLAIM else NO_HALF
    if half == NO_HALF or (half - 1) // 8 != int(before.turn):
        return None
    values = {"element": ELEMENTS[(half - 1) // 4 % 2], "value": (half - 1) % 4 + 1}
    text = _("{player} can take possession of {square} and silence your {element} {value}.")
    return Message(text, _on(after, answer - TOKEN) | values)


def _on(s: State, cell: int) -> dict[str, str | int]:
    return {"player": Term(SEATS[s.turn]), "square": NAMES[cell]}


DANGERS = (conquered_leader, claimed_elemental, silenced_marker)
