"""Moves of Points of Power for people: the clicks that enter them, and their words.

Targets are squares, `mp`, the material plane, and `pass`.
"""

from __future__ import annotations

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.game import Clicks, Interface
from empedocles.games.points_of_power.board import ELEMENTS, SEATS
from empedocles.games.points_of_power.lookups import CAPTURE, FROM, MOVES, MP, NAMES, PASS, TO
from empedocles.games.points_of_power.reasons import SIDES, why_over
from empedocles.games.points_of_power.rules import NOBODY, PATIENCE, can_move, ends, points
from empedocles.games.points_of_power.text import (
    Standing,
    element_on,
    free_points,
    opening_turn,
    points_held,
    standings,
    to_move,
)
from empedocles.language import Message, Term
from empedocles.language import mark as _

PASS_TARGET = MOVES[PASS]


def clicks(action: int) -> Clicks:
    """From where, then to where. A step and a capture have the same clicks: only one of them can be legal."""
    if action == PASS:
        return (frozenset({PASS_TARGET}),)
    return frozenset({NAMES[FROM[action]]}), frozenset({NAMES[TO[action]]})


def words(s: State, action: int) -> Message:
    if action == PASS:
        return Message(_("{player} passes"), {"player": Term(SEATS[4][s.mover])})
    start, end = ends(s, action)
    e = element_on(s, start)
    values = {"element": Term(ELEMENTS[e]), "start": NAMES[start], "end": NAMES[end]}
    if action >= CAPTURE:
        return Message(_capture(action), values | {"prey": Term(ELEMENTS[(e + 1) % 4])})
    return Message(_step(action, end in members(points(s))), values)


def _capture(action: int) -> str:
    if FROM[action] == MP:
        return _("{element} captures {prey} on {end} from the material plane")
    if TO[action] == MP:
        return _("{element} captures {prey} on the material plane from {start}")
    return _("{element} captures {prey} on {end} from {start}")


def _step(action: int, onto_point: bool) -> str:
    if FROM[action] == MP:
        return (
            _("{element} steps from the material plane onto the point of power {end}")
            if onto_point
            else _("{element} steps from the material plane to {end}")
        )
    if TO[action] == MP:
        return _("{element} steps from {start} onto the material plane")
    if onto_point:
        return _("{element} steps from {start} onto the point of power {end}")
    return _("{element} steps from {start} to {end}")


def target(name: str) -> Message:
    known = {NAMES[MP]: _("the material plane"), PASS_TARGET: _("pass")}
    return Message(known[name], {}) if name in known else Message("{square}", {"square": name})


def status(s: State) -> list[Message]:
    stands = standings(s)
    one, two = points_held(stands)
    sides = {"one": SIDES[0], "two": SIDES[1], "n": one, "m": two, "free": free_points(s, stands)}
    text = _("Points of power: {one} {n}, {two} {m}, free {free}")
    return [*(_standing(e, stands[e]) for e in range(4)), Message(text, sides), quiet_turns(s), *due(s)]


def _standing(e: int, stand: Standing) -> Message:
    # As short as this, the lines of all elements and what follows them fit a terminal of 80 × 24.
    values = {"element": Term(ELEMENTS[e]), "left": len(stand.pieces), "exposed": len(stand.exposed)}
    return Message(_("{element}: {left} left, {exposed} exposed"), values)


def quiet_turns(s: State) -> Message:
    return Message(_("{n} of {all} turns without a capture"), {"n": s.quiet, "all": PATIENCE})


def due(s: State) -> list[Message]:
    """Who may move what, or how the game ended and why."""
    if s.over:
        draw = Message(_("A draw"), {})
        won = draw if s.winner == NOBODY else Message(_("{side} win"), {"side": SIDES[s.winner]})
        return [won, why_over(s).message]
    if not can_move(s, int(s.mover)):
        return [Message(_("{player} has no legal move and passes"), {"player": Term(SEATS[4][s.mover])})]
    turn = opening_turn(s)
    if turn is None:
        return [Message(_("{player} to move"), {"player": Term(SEATS[int(s.seats)][s.mover])})]
    movers = dict(zip(("one", "two"), (Term(ELEMENTS[e]) for e in to_move(s)), strict=False))
    either, only = _("Turn {turn} of the opening: {one} or {two} moves"), _("Turn {turn} of the opening: {one} moves")
    return [Message(either if "two" in movers else only, {"turn": turn, **movers})]


INTERFACE = Interface(clicks, words, target, status, SEATS.__getitem__)
