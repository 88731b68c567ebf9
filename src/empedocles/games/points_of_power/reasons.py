"""Why a move of Points of Power is refused, by rule id, from the functions that decide legality."""

from __future__ import annotations

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.games.points_of_power.board import SEATS, block
from empedocles.games.points_of_power.lookups import CAPTURE, FROM, MOVES, MP, NAMES, PASS, TO
from empedocles.games.points_of_power.rules import (
    ALL_MOVED,
    PATIENCE,
    barred,
    can_move,
    ending,
    ends,
    exposed,
    free_cells,
    may_pass,
    movable,
    points,
    prey,
    row_of,
)
from empedocles.games.points_of_power.text import element_on, name_of
from empedocles.language import Reason, Term, because
from empedocles.language import mark as _

ELEMENTS = (Term(_("fire")), Term(_("air")), Term(_("earth")), Term(_("water")))
SIDES = (Term(_("Fire and Earth")), Term(_("Air and Water")))


def reason(s: State, a: int) -> Reason | None:
    if s.over:
        return why_over(s)
    if a == PASS:
        return _pass(s)
    start, end = ends(s, a)
    if wrong := _squares(s, a) or _piece(s, start) or _apart(s, a):
        return wrong
    e = element_on(s, start)
    return (_capture(s, e, end, a) if a >= CAPTURE else _step(s, e, end, a)) or _hidden(s, e, start, end)


def why_over(s: State) -> Reason:
    rule = ending(s)
    if rule == 14:
        return because("PP-14", _("the game is over: {side} have all points of power"), side=SIDES[s.winner])
    if rule == 15:
        gone = _("the game is over: {element} has no pieces left")
        return because("PP-15", gone, element=ELEMENTS[lost_element(s, rule)])
    if rule == 16:
        hidden = _("the game is over: {element} has no exposed piece")
        return because("PP-16", hidden, element=ELEMENTS[lost_element(s, rule)])
    if rule == 17:
        return because("PP-17", _("the game is over: {n} turns in a row without a capture"), n=PATIENCE)
    return because("PP-18", _("the game is over: the player to move had no legal move"))


def lost_element(s: State, rule: int) -> int:
    """The element that ended the game: by PP-15 it has no pieces left, by PP-16 none that is exposed."""
    lost = range(1 - s.winner, 4, 2)
    return next(e for e in lost if not any(row_of(s.pieces, e) if rule == 15 else exposed(s, e)))


# ── What a move needs, in this order ─────────────────────────────────────────────────────────────────────────────────


def _pass(s: State) -> Reason | None:
    if s.seats == 2:
        return because("PP-18", _("nobody passes in a game for two players"))
    if not may_pass(s):
        return because("PP-18", _("nobody passes here: with stuck=loses, whoever has no legal move loses"))
    if can_move(s, int(s.mover)):
        return because("PP-18", _("{player} has a legal move and may not pass"), player=Term(SEATS[4][s.mover]))
    return None


def _squares(s: State, a: int) -> Reason | None:
    """Both ends are squares of this board."""
    for c in (int(FROM[a]), int(TO[a])):
        if c in block(s).cells:
            return because(
                "PP-2", _("{cell} is part of the material plane, which is one square, written mp"), cell=NAMES[c]
            )
        if c != MP and c not in members(s.squares):
            return because("PP-1", _("the board has no square {cell}"), cell=NAMES[c])
    return None


def _apart(s: State, a: int) -> Reason | None:
    """The squares touch each other: on every board, but for the material plane, which may be elsewhere."""
    named = int(FROM[a]), int(TO[a])
    far = [c for c in named if c != MP and c not in members(s.around)]
    if MP not in named or not far:
        return None
    return because("PP-7", _("{cell} does not touch the material plane"), cell=NAMES[far[0]])


def _piece(s: State, cell: int) -> Reason | None:
    """There is a piece that the player may move now."""
    if cell in members(free_cells(s)):
        return because("PP-7", _("there is no piece on {cell}"), cell=name_of(s, cell))
    e = element_on(s, cell)
    if e % s.seats != s.mover:
        text = _("the piece on {cell} is {element}, whose turn it is not")
        return because("PP-6", text, cell=name_of(s, cell), element=ELEMENTS[e])
    if not any(movable(s, e)):
        return because("PP-9", _("{element} has had its one move of the opening"), element=ELEMENTS[e])
    return None


def _step(s: State, e: int, end: int, a: int) -> Reason | None:
    if end in members(free_cells(s)):
        return None
    cell, other = name_of(s, end), ELEMENTS[element_on(s, end)]
    if end in members(prey(s, e)):
        text = _("{cell} is not free: it holds {element}, and to capture it is written {move}")
        return because("PP-8", text, cell=cell, element=other, move=MOVES[a + CAPTURE])
    return because("PP-8", _("{cell} is not free: it holds {element}"), cell=cell, element=other)


def _capture(s: State, e: int, end: int, a: int) -> Reason | None:
    if end in members(prey(s, e)):
        return None
    cell, victim = name_of(s, end), (e + 1) % 4
    if end in members(free_cells(s)):
        text = _("there is nothing to capture on {cell}: a step there is written {move}")
        return because("PP-10", text, cell=cell, move=MOVES[a - CAPTURE])
    other = element_on(s, end)
    if other != victim:
        text = _("{element} captures only {victim}, and {cell} holds {other}")
        return because("PP-10", text, element=ELEMENTS[e], victim=ELEMENTS[victim], cell=cell, other=ELEMENTS[other])
    if end in members(points(s)):
        return because(
            "PP-10", _("{element} on {cell} is safe: it stands on a point of power"), element=ELEMENTS[other], cell=cell
        )
    return because(
        "PP-10", _("{element} on {cell} is safe: it stands on its own plane"), element=ELEMENTS[other], cell=cell
    )


def _hidden(s: State, e: int, start: int, end: int) -> Reason | None:
    if end not in members(barred(s, e, start)):
        return None
    place = Term(_("a point of power")) if end in members(points(s)) else Term(_("its own plane"))
    if s.moved == ALL_MOVED:
        text = _("{element} would have no exposed piece left: {cell} is {place}")
    else:
        text = _("in the opening {element} must be exposed after its move: {cell} is {place}")
    return because("PP-12", text, element=ELEMENTS[e], cell=name_of(s, end), place=place)
