"""What an answer can do to a player of Ignite and Flow, for warnings before bad moves; the gravest first."""

from __future__ import annotations

from empedocles.core.bits import has
from empedocles.core.kernel import State
from empedocles.games.ignite_and_flow.lookups import ACTION_SHAPE, BURN, FLOW, NAMES, NO_TEMPLE, squares_of
from empedocles.games.ignite_and_flow.rules import TAKEN
from empedocles.games.ignite_and_flow.text import SEATS
from empedocles.language import Message, Term
from empedocles.language import mark as _


def burnt_temple(before: State, after: State, answer: int) -> Message | None:
    """IF-7: the opponent takes a temple that burns."""
    if answer == NO_TEMPLE or not BURN <= ACTION_SHAPE[answer] < FLOW:
        return None
    cell = squares_of(answer)[1]
    if not has(after.temples[before.mover], cell):
        return None
    values = {"player": Term(SEATS[after.mover]), "square": NAMES[cell], "n": TAKEN}
    return Message(_("{player} can burn your temple on {square} and take it for {n} points."), values)


DANGERS = (burnt_temple,)
