"""What players of Stones talk about, for reasons, hints and warnings: things that moves do, and that positions have."""

from __future__ import annotations

from empedocles.core.kernel import State
from empedocles.game import Deed, Idea
from empedocles.language import Message, valued
from empedocles.language import mark as _
from stones.lookups import MOST

WIN, GRIP = 100.0, 10.0  # in one unit for all concepts: here, a hundredth of a game


def wins(before: State, _action: int, after: State) -> list[Deed]:
    """ST-3."""
    if not after.over:
        return []
    return [Deed(Message(_("take the last stone and win"), {}), WIN, victim=1 - int(before.mover))]


def fours(before: State, _action: int, after: State) -> list[Deed]:
    """Whatever the other takes then, four can be made up."""
    if after.over or int(after.stones) % (MOST + 1):
        return []
    text = _("leave {n} stones, a multiple of four")
    return [Deed(Message(text, {"n": int(after.stones)}), GRIP, victim=1 - int(before.mover))]


def within_reach(s: State, seat: int) -> int:
    """The stones left, if a seat can take all of them next."""
    return int(s.stones) if seat == int(s.mover) and int(s.stones) <= MOST else 0


CONCEPTS = (
    Idea("wins", _("last stones"), wins, do=_("take the last stone")),
    Idea(
        "fours",
        _("multiples of four"),
        fours,
        did=_("left a multiple of four more often"),
        do=_("leave multiples of four"),
    ),
    Idea(
        "reach",
        _("stones within reach"),
        measure=within_reach,
        words=valued(_("no winning move"), _("all of the last {n} within reach")),
        worth=GRIP,
    ),
)

DANGERS = ("wins",)
