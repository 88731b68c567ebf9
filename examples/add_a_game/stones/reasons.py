"""Why a move of Stones is refused, by rule id."""

from __future__ import annotations

from empedocles.core.kernel import State
from empedocles.language import Reason, because
from empedocles.language import mark as _
from stones.rules import winner


def reason(s: State, a: int) -> Reason | None:
    if s.over:
        return because("ST-3", _("the game is over: player {seat} took the last stone"), seat=winner(s))
    if a < s.stones:
        return None
    return because("ST-2", _("there are only {left} stones, not {wanted}"), left=int(s.stones), wanted=a + 1)
