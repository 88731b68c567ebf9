"""Moves of Ignite and Flow for people: the clicks that enter them, and their words.

Targets are squares, the supply of an element (`F`, `W`, `E`) and `-` for no temple.
"""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import has
from empedocles.core.kernel import State
from empedocles.game import Clicks, Interface
from empedocles.games.ignite_and_flow.lookups import (
    ACTION_SHAPE,
    BEND,
    BURN,
    CHAIN,
    FLOW,
    FORK,
    MOVES,
    NAMES,
    NO_TEMPLE,
    PAIR,
    SCORCH,
    TEMPLE,
    squares_of,
)
from empedocles.games.ignite_and_flow.reasons import why_over
from empedocles.games.ignite_and_flow.rules import PATIENCE, TEMPLE_CHOICE, scores, unused_temples
from empedocles.language import Message, Term
from empedocles.language import mark as _

SEATS = (_("White"), _("Black"))
SUPPLY = {"F": _("fire"), "W": _("water"), "E": _("earth")}
DECLINE = "-"


def clicks(action: int) -> Clicks:
    """Squares that react, or that water splits to, are chosen in any order; a chain's desert is chosen again."""
    if action == NO_TEMPLE:
        return (frozenset({DECLINE}),)
    shape, move = ACTION_SHAPE[action], MOVES[action]
    squares = [NAMES[cell] for cell in squares_of(action)]
    if shape < BURN:
        return frozenset({move[0]}), frozenset(squares)
    if shape < PAIR or BEND <= shape < FORK:
        return tuple(frozenset({square}) for square in squares)
    if shape >= FORK:
        return frozenset(squares[:1]), frozenset(squares[1:])
    desert = (frozenset({move[-2:]}),) if CHAIN <= shape < SCORCH else ()
    return frozenset(squares), *desert


def words(s: State, action: int) -> Message:
    move, player = MOVES[action], Term(SEATS[s.mover])
    if action == NO_TEMPLE:
        return Message(_("{player} founds no temple"), {"player": player})
    cells = squares_of(action)
    squares = dict(zip(("one", "two", "three", "four"), (NAMES[cell] for cell in cells), strict=False))
    values = {"player": player, **squares}
    return Message(_sentence(s, action, cells), values | _extra(move))


def _extra(move: str) -> dict[str, str]:
    return {"element": Term(SUPPLY[move[0]])} if move[0] in SUPPLY else {"desert": move[-2:]}


def _sentence(s: State, action: int, cells: list[int]) -> str:
    shape = ACTION_SHAPE[action]
    if shape < BURN:
        return _("{player} places {element} on {one}")
    if shape < FLOW:
        burnt = any(has(temples, cells[1]) for temples in s.temples)
        return (
            _("{player} burns from {one} to {two} and destroys the temple there")
            if burnt
            else _("{player} burns from {one} to {two}")
        )
    if shape < PAIR:
        return _("{player} lets water flow from {one} to {two}")
    if shape < CHAIN:
        return _("{player} lets {one} and {two} react to earth")
    if shape < SCORCH:
        return _("{player} lets {one}, {two} and {three} react, {desert} to desert")
    if shape < TEMPLE:
        return _("{player} scorches {one}, {two}, {three} and {four} to desert")
    if shape < BEND:
        return _("{player} founds a temple on {one}")
    if shape < FORK:
        return _("{player} lets water flow from {one} over {two} to {three}")
    return _("{player} lets water flow from {one} to {two} and {three} at once")


def target(name: str) -> Message:
    if name in SUPPLY:
        return Message(_("{element} from the supply"), {"element": Term(SUPPLY[name])})
    return Message(_("no temple"), {}) if name == DECLINE else Message("{square}", {"square": name})


def status(s: State) -> list[Message]:
    points = np.zeros(2, np.int32)
    scores(s, points)
    seats = (
        {"player": Term(SEATS[seat]), "points": points[seat], "left": unused_temples(s, seat), "taken": s.taken[seat]}
        for seat in range(2)
    )
    lines = [Message(_("{player}: {points} points, {left} temples left, {taken} taken"), values) for values in seats]
    lines.append(Message(_("{n} of {all} actions without progress"), {"n": s.quiet, "all": PATIENCE}))
    return [*lines, _due(s)]


def _due(s: State) -> Message:
    if s.over:
        return Message(_("{result}; {why}"), {"result": _result(s), "why": why_over(s).message})
    due = _("{player} may found a temple")
    if s.due != TEMPLE_CHOICE:
        due = _("{player} places an element or uses fire or water")
    return Message(due, {"player": Term(SEATS[s.mover])})


def _result(s: State) -> Message:
    points = np.zeros(2, np.int32)
    scores(s, points)
    ours, theirs = points.tolist()
    if ours == theirs:
        return Message(_("a draw, {points} points each"), {"points": ours})
    values = {"player": Term(SEATS[ours < theirs]), "more": max(ours, theirs), "less": min(ours, theirs)}
    return Message(_("{player} wins by {more} to {less}"), values)


INTERFACE = Interface(clicks, words, target, status, lambda _seats: SEATS)
