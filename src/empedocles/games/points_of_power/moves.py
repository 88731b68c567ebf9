"""Moves of Points of Power for people: the clicks that enter them, and their words.

Targets are squares, `mp`, the material plane, and `pass`.
"""

from __future__ import annotations

from collections.abc import Iterable

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.game import Clicks, Count, Interface, Milestone, Tally
from empedocles.games.points_of_power.board import ELEMENTS, SEATS, SUBJECTS
from empedocles.games.points_of_power.lookups import CAPTURE, FROM, MOVES, MP, NAMES, PASS, TO
from empedocles.games.points_of_power.reasons import SIDES, lost_element, why_over
from empedocles.games.points_of_power.rules import NOBODY, PATIENCE, can_move, ending, ends, play, points, size
from empedocles.games.points_of_power.text import (
    Standing,
    element_on,
    free_points,
    name_of,
    opening_turn,
    points_held,
    standings,
    to_move,
)
from empedocles.language import Message, Term, one_of
from empedocles.language import mark as _

PASS_TARGET = MOVES[PASS]
LOST = {  # by the rule that ended a match
    15: _("{element} has no pieces left: {side} lose."),
    16: _("{element} has no exposed piece left: {side} lose."),
}
SOME = 3  # pieces to capture that a sentence names


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


def advised(s: State, action: int) -> Message:
    """A move as something that its player could do."""
    if action == PASS:
        return target(PASS_TARGET)
    start, end = ends(s, action)
    e = element_on(s, start)
    values = {"element": Term(ELEMENTS[e]), "start": NAMES[start], "end": NAMES[end]}
    if action >= CAPTURE:
        return Message(_capture_advised(action), values | {"prey": Term(ELEMENTS[(e + 1) % 4])})
    return Message(_step_advised(action, end in members(points(s))), values)


def _capture_advised(action: int) -> str:
    if FROM[action] == MP:
        return _("capture {prey} on {end} with {element} from the material plane")
    if TO[action] == MP:
        return _("capture {prey} on the material plane with {element} from {start}")
    return _("capture {prey} on {end} with {element} from {start}")


def _step_advised(action: int, onto_point: bool) -> str:
    if FROM[action] == MP:
        return (
            _("move {element} from the material plane onto the point of power {end}")
            if onto_point
            else _("move {element} from the material plane to {end}")
        )
    if TO[action] == MP:
        return _("move {element} from {start} onto the material plane")
    if onto_point:
        return _("move {element} from {start} onto the point of power {end}")
    return _("move {element} from {start} to {end}")


def target(name: str) -> Message:
    known = {NAMES[MP]: _("the material plane"), PASS_TARGET: _("pass")}
    return Message(known[name], {}) if name in known else Message("{square}", {"square": name})


def located(name: str) -> Message:
    return Message(_("on the material plane"), {}) if name == NAMES[MP] else target(name)


# ── What comes next ──────────────────────────────────────────────────────────────────────────────────────────────────


def described(s: State, name: str) -> Message:
    """The piece on a square, if there is one."""
    if (e := _pieces(s).get(name)) is None:
        return target(name)
    if name == NAMES[MP]:
        return Message(_("{element} on the material plane"), {"element": Term(ELEMENTS[e])})
    return Message(_("{element} on {square}"), {"element": Term(ELEMENTS[e]), "square": name})


def _pieces(s: State) -> dict[str, int]:
    """The element of the piece on each square that has one."""
    return {name_of(s, cell): e for e, stand in enumerate(standings(s)) for cell in stand.pieces}


def prompt(s: State, chosen: tuple[str, ...], can: frozenset[str], _whole: bool) -> Message:
    if PASS_TARGET in can:
        return Message(_("You have no legal move: choose “pass”"), {})
    if not chosen:
        one = _("Choose the piece that moves: {elements}")
        opening = _("Choose the piece that moves: {elements}. In the opening each element moves once")
        elements = one_of([Term(ELEMENTS[e]) for e in to_move(s)])
        return Message(one if opening_turn(s) is None else opening, {"elements": elements})
    return _goals(s, chosen[0], can)


def _goals(s: State, start: str, can: frozenset[str]) -> Message:
    """Where a piece can go, and what it can capture."""
    victims = sorted(can & _pieces(s).keys())
    piece = {"piece": described(s, start)}
    if not victims:
        return Message(_("Choose where {piece} goes"), piece)
    if len(victims) == len(can):
        return Message(_("Choose what {piece} captures"), piece)
    if len(victims) > SOME:
        return Message(_("Choose where {piece} goes, or what it captures"), piece)
    named = {"victims": one_of([described(s, name) for name in victims])}
    return Message(_("Choose where {piece} goes, or capture {victims}"), piece | named)


# ── Status ───────────────────────────────────────────────────────────────────────────────────────────────────────────


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


def tally(s: State) -> Tally:
    """PP-14 to PP-16: what each side still lacks, or must not lose."""
    stands = standings(s)
    pieces, exposed = _fewest(stand.pieces for stand in stands), _fewest(stand.exposed for stand in stands)
    counts = (
        Count(Message(_("points of power"), {}), _shared(s, points_held(stands)), 0),
        Count(Message(_("fewest of an element (0 loses)"), {}), _shared(s, pieces), 0),
        Count(Message(_("fewest exposed (0 loses)"), {}), _shared(s, exposed), 0),
    )
    return Tally(Message(_("Aim: all {n} points of power"), {"n": size(points(s))}), counts)


def _fewest(cells: Iterable[list[int]]) -> tuple[int, int]:
    """The least that either side has of one of its elements."""
    fire, air, earth, water = map(len, cells)
    return min(fire, earth), min(air, water)


def _shared(s: State, sides: tuple[int, int]) -> tuple[int, ...]:
    return tuple(sides[seat % 2] for seat in range(int(s.seats)))


def milestone(s: State, action: int) -> Milestone | None:
    """PP-15, PP-16: the end of a match by an element that is gone or hidden, which is named."""
    end = s.copy()
    play(end, action)
    rule = ending(end)
    if rule not in LOST:
        return None
    e = lost_element(end, rule)
    return Milestone(Message(LOST[rule], {"element": Term(ELEMENTS[e]), "side": SIDES[e % 2]}), f"PP-{rule}", end)


INTERFACE = Interface(
    clicks,
    words,
    target,
    status,
    SEATS.__getitem__,
    prompt=prompt,
    described=described,
    tally=tally,
    milestone=milestone,
    subjects=SUBJECTS.__getitem__,
    advice=advised,
    located=located,
)
