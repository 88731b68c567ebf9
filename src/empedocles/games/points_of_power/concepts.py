"""What players of Points of Power talk about: what moves do and what positions have, for reasons in words.

Whatever is said here follows from the rules: that a piece can be captured means that its hunter could legally capture
it if the turn were the hunter's. The unit is one piece; how much else weighs follows the evaluation (advice.py).

The seat before a seat hunts it, with two players as with four: element e is hunted by e - 1, which e - 2 hunts. So the
seat before the hunter avenges: with two players the hunted one itself, with four its partner.

In one file, as in every game: whoever looks for a concept finds all of them here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.game import Deed, Idea
from empedocles.games.points_of_power.board import ELEMENTS, SEATS
from empedocles.games.points_of_power.lookups import CAPTURE, MP, NAMES, NEAR, PASS, Cells
from empedocles.games.points_of_power.rules import (
    ALL_MOVED,
    MAX_LEGAL,
    around,
    ends,
    exposed,
    free_cells,
    legal,
    missing,
    play,
    points,
    row_of,
    rule_after,
    shelter,
)
from empedocles.games.points_of_power.text import element_on, name_of
from empedocles.language import NONE, NONE_AT_ALL, NOT_ONE, Message, Number, Term, alone, counted
from empedocles.language import mark as _

WIN = 100.0
Told = tuple[str, str | None]  # a deed after the words of its move, and what is new in it to those who know the move
Risks = dict[int, list[frozenset[int]]]  # cell of a piece → for each capture of it, the cells of those who can avenge

# ── Who can capture what ─────────────────────────────────────────────────────────────────────────────────────────────


def elements(s: State, seat: int) -> range:
    return range(seat, 4, int(s.seats))


def before_seat(s: State, seat: int) -> int:
    """The seat whose pieces hunt this seat's."""
    return (seat - 1) % int(s.seats)


def turn_of(s: State, seat: int) -> State:
    """A copy of a state in which it is a seat's turn; after its turns of the opening, the opening is over (PP-9)."""
    copy = np.zeros(1, s.dtype)
    copy[0] = s
    turn: State = copy[0]
    turn.mover = seat
    if all(int(s.moved) >> e & 1 for e in elements(s, seat)):
        turn.moved = ALL_MOVED
    return turn


def captures(s: State, seat: int) -> list[int]:
    """The captures that a seat could make if it were its turn."""
    out = np.empty(MAX_LEGAL, np.int16)
    n = legal(turn_of(s, seat), out)
    return [a for a in out[:n].tolist() if CAPTURE <= a < PASS]


def avengers(s: State, seat: int, capture: int) -> frozenset[int]:
    """The cells from which a capture by a seat could be avenged; none if it ends the game."""
    turn, cell = turn_of(s, seat), ends(s, capture)[1]
    play(turn, capture)
    ways = [ends(turn, a) for a in captures(turn, before_seat(s, seat))]
    return frozenset(start for start, end in ways if end == cell)


def risks(s: State, seat: int) -> Risks:
    """The pieces of a seat that can be captured."""
    hunter, found = before_seat(s, seat), Risks()
    for a in captures(s, hunter):
        found.setdefault(ends(s, a)[1], []).append(avengers(s, hunter, a))
    return found


def loose_pieces(s: State, seat: int) -> list[int]:
    """The pieces of a seat that can be captured in a way that nobody could avenge."""
    return [cell for cell, ways in risks(s, seat).items() if not all(ways)]


def last_exposed(s: State, e: int) -> int | None:
    """The cell of an element's only exposed piece."""
    cells = members(exposed(s, e))
    return cells[0] if len(cells) == 1 else None


# ── What moves do ────────────────────────────────────────────────────────────────────────────────────────────────────


def win_by_points(before: State, action: int, after: State) -> list[Deed]:
    """PP-14."""
    if _rule(before, after) != 14:
        return []
    name = name_of(after, ends(before, action)[1])
    text = _("take the last point of power, {square}, and win")
    told, news = _("{move} and win with the last point of power"), _("It is the last point of power, and you win.")
    return [Deed(Message(text, {"square": name}), WIN, _enemy(before), (name,), told=told, news=news)]


def win_by_last_piece(before: State, action: int, after: State) -> list[Deed]:
    """PP-15."""
    text = _("capture the last piece of {element} {where} and win")
    told = (
        _("{move} and win, as it is the last piece of {element}"),
        _("It is the last piece of {element}, and you win."),
    )
    return [_on_prey(before, action, text, WIN, told)] if _rule(before, after) == 15 else []


def win_by_last_exposed(before: State, action: int, after: State) -> list[Deed]:
    """PP-16: a capture, or in turn 4 whatever ends the opening while an enemy element has no exposed piece."""
    if _rule(before, after) != 16:
        return []
    if is_capture(action) and not any(exposed(after, _prey(before, action))):
        told = (
            _("{move} and win, as {element} has no exposed piece left"),
            _("{element} then has no exposed piece left, and you win."),
        )
        return [_on_prey(before, action, _("capture the last exposed piece of {element} {where} and win"), WIN, told)]
    hidden = next(e for e in range(1 - int(before.mover) % 2, 4, 2) if not any(exposed(after, e)))
    text = _("end the opening while {element} has no exposed piece, and win")
    return [Deed(Message(text, {"element": Term(ELEMENTS[hidden])}), WIN, hidden % int(before.seats))]


def win_by_no_move(before: State, _action: int, after: State) -> list[Deed]:
    """PP-18."""
    if _rule(before, after) != 18:
        return []
    victim = (int(before.mover) + 1) % int(before.seats)
    if before.seats == 2:
        return [Deed(Message(_("leave no legal move and win"), {}), WIN, victim)]
    text = _("leave {victim} without a legal move and win")
    return [Deed(Message(text, {"victim": Term(SEATS[4][victim])}), WIN, victim)]


def last_exposed_saved(before: State, action: int, after: State) -> list[Deed]:
    text = _("save the last exposed piece of {element} {where}")
    told = (
        _("{move} and save the last exposed piece of {element}"),
        _("That saves the last exposed piece of {element}."),
    )
    return [_for(before, cell, text, 8.0, told) for cell in _saved(before, action, after) if _is_last(before, cell)]


def last_point_blocked(before: State, action: int, _after: State) -> list[Deed]:
    """PP-14: the enemy needs just the point that this move occupies."""
    if action == PASS or members(missing(before, 1 - int(before.mover) % 2)) != [ends(before, action)[1]]:
        return []
    name = name_of(before, ends(before, action)[1])
    text = _("block {square}, the last point of power that the enemy needs")
    told, news = _("{move}, the last one that the enemy needs"), _("It is the last one that the enemy needs.")
    return [Deed(Message(text, {"square": name}), 5.0, _enemy(before), (name,), told=told, news=news)]


def last_point_threatened(before: State, _action: int, after: State) -> list[Deed]:
    """PP-14: the mover's side is now one step away from winning."""
    side = int(before.mover) % 2
    cell = _last_point_near(after, side)
    if after.over or cell is None or _last_point_near(before, side) == cell:
        return []
    text = _("threaten to take the last point of power, {square}")
    return [Deed(Message(text, {"square": NAMES[cell]}), 3.0, _enemy(before), (NAMES[cell],))]


def last_exposed_threatened(before: State, _action: int, after: State) -> list[Deed]:
    text = _("threaten the last exposed piece of {element} {where}")
    return [_about(after, cell, text, 1.5) for cell in _threatened(before, after) if _is_last(after, cell)]


def captures_for_free(before: State, action: int, after: State) -> list[Deed]:
    if after.over or not is_capture(action) or avengers(before, int(before.mover), action):
        return []
    text = _("capture {element} {where} without risk of recapture")
    told = _("{move} without risk of recapture"), _("Nobody can recapture.")
    return [_on_prey(before, action, text, 1.0, told)]


def exchanges(before: State, action: int, after: State) -> list[Deed]:
    if after.over or not is_capture(action) or not avengers(before, int(before.mover), action):
        return []
    text = _("capture {element} {where} at the risk of recapture")
    told = _("{move}, at the risk of recapture"), None
    return [_on_prey(before, action, text, 0.6, told)]


def double_threats(before: State, _action: int, after: State) -> list[Deed]:
    victim = (int(before.mover) + 1) % int(before.seats)
    cells = sorted(_threatened(before, after))
    if len(cells) < 2:
        return []
    names = tuple(name_of(after, cell) for cell in cells)
    return [Deed(Message(_("threaten {n} more pieces at once"), {"n": Number(len(cells))}), 0.8, victim, names)]


def pieces_saved(before: State, action: int, after: State) -> list[Deed]:
    cells = [cell for cell in _saved(before, action, after) if not _is_last(before, cell)]
    start, text = ends(before, action)[0], _("save the piece {where}")
    told = _("{move}, out of danger"), _("There it is out of danger.")
    return [_for(before, cell, text, 0.7, told if cell == start else None) for cell in cells]


def points_taken(before: State, action: int, after: State) -> list[Deed]:
    if action == PASS or after.over:
        return []
    start, end = ends(before, action)
    power = members(points(before))
    if end not in power or start in power:
        return []
    name = name_of(before, end)
    told = None if is_capture(action) else "{move}"  # which names the point of power
    return [Deed(Message(_("take the point of power {square}"), {"square": name}), 0.4, None, (name,), told=told)]


def is_capture(action: int) -> bool:
    return CAPTURE <= action < PASS


def _rule(before: State, after: State) -> int:
    """The rule by which a move won, 0 if it did not."""
    rule = rule_after(after, int(before.mover)) if after.over else 0
    return 0 if rule == 17 else rule


def _enemy(s: State) -> int | None:
    """The seat that loses by a move if only one can."""
    return 1 - int(s.mover) if s.seats == 2 else None


def _prey(before: State, action: int) -> int:
    return element_on(before, ends(before, action)[1])


def _on_prey(before: State, action: int, text: str, worth: float, told: Told) -> Deed:
    """A deed that is done to the captured piece."""
    return _about(before, ends(before, action)[1], text, worth, told)


def _about(s: State, cell: int, text: str, worth: float, told: Told | None = None) -> Deed:
    """A deed about the enemy piece on a cell."""
    e = element_on(s, cell)
    values = {"element": Term(ELEMENTS[e]), "where": where(s, cell)}
    deed = Deed(Message(text, values), worth, e % int(s.seats), (name_of(s, cell),))
    return deed._replace(told=told[0], news=told[1]) if told else deed


def _for(s: State, cell: int, text: str, worth: float, told: Told | None) -> Deed:
    """A deed that saves a piece of the mover's side."""
    return _about(s, cell, text, worth, told)._replace(victim=None, saves=True)


def where(s: State, cell: int) -> Message:
    if cell == int(s.mp):
        return Message(_("on the material plane"), {})
    return Message(_("on {square}"), {"square": NAMES[cell]})


def _is_last(s: State, cell: int) -> bool:
    return last_exposed(s, element_on(s, cell)) == cell


def _last_point_near(s: State, side: int) -> int | None:
    """The only point that a side lacks, if it is free and a piece of the side touches it: PP-12 allows that step."""
    last = _cells(missing(s, side))
    near = touching(s, (_pieces(s, side) | _pieces(s, side + 2)) - _cells(points(s)))  # others would leave a point
    return next(iter(last)) if len(last) == 1 and last <= near & _cells(free_cells(s)) else None


def _saved(before: State, action: int, after: State) -> Iterator[int]:
    """Where the mover's side had pieces that could be captured without revenge, and now cannot be captured at all."""
    if action == PASS or after.over:
        return
    start, end = ends(before, action)
    for seat in range(int(before.mover) % 2, int(before.seats), 2):
        now = risks(after, seat)
        yield from (cell for cell in loose_pieces(before, seat) if (end if cell == start else cell) not in now)


def still_loose(before: State, deed: Deed, after: State) -> bool:
    """Whether a piece that a deed saves could be captured without revenge after another move, too."""
    cell, seats = _where_now(before, deed, after), range(int(before.mover) % 2, int(before.seats), 2)
    return not after.over and any(cell in loose_pieces(after, seat) for seat in seats)


def last_still_loose(before: State, deed: Deed, after: State) -> bool:
    cell = _where_now(before, deed, after)
    return cell is not None and still_loose(before, deed, after) and _is_last(after, cell)


def _where_now(before: State, deed: Deed, after: State) -> int | None:
    """Where another move leaves the piece that a deed saves; None if it is gone."""
    (name,) = deed.targets
    cell = int(before.mp) if name == NAMES[MP] else NAMES.index(name)
    e = element_on(before, cell)
    now = _pieces(after, e)
    return cell if cell in now else next(iter(now - _pieces(before, e)), None)


def _threatened(before: State, after: State) -> set[int]:
    """The enemies that the mover could capture without revenge now, and could not capture at all before."""
    victim = (int(before.mover) + 1) % int(before.seats)
    return set() if after.over else set(loose_pieces(after, victim)) - set(risks(before, victim))


# ── What positions have ──────────────────────────────────────────────────────────────────────────────────────────────


def last_at_risk(s: State, seat: int) -> int:
    return len(_last_at_risk(s, seat))


def last_at_risk_places(s: State, seat: int) -> list[str]:
    return _names(s, _last_at_risk(s, seat))


def _last_at_risk(s: State, seat: int) -> list[int]:
    return [cell for cell in risks(s, seat) if _is_last(s, cell)]


def loose(s: State, seat: int) -> int:
    return len(loose_pieces(s, seat))


def loose_places(s: State, seat: int) -> list[str]:
    return _names(s, loose_pieces(s, seat))


def covered(s: State, seat: int) -> int:
    return len(_covered(s, seat))


def covered_places(s: State, seat: int) -> list[str]:
    return _names(s, _covered(s, seat))


def _covered(s: State, seat: int) -> list[int]:
    return [cell for cell, ways in risks(s, seat).items() if all(ways)]


def _names(s: State, cells: Iterable[int]) -> list[str]:
    return [name_of(s, cell) for cell in sorted(cells)]


def thin(s: State, seat: int) -> int:
    return sum(last_exposed(s, e) is not None for e in elements(s, seat))


def tied_guards(s: State, seat: int) -> int:
    return len(_tied(s, seat))


def tied_places(s: State, seat: int) -> list[str]:
    return _names(s, _tied(s, seat))


def _tied(s: State, seat: int) -> set[int]:
    """The pieces of a seat without which some capture could not be avenged."""
    ways = [one for all_ways in risks(s, (seat + 2) % int(s.seats)).values() for one in all_ways]
    return {cell for guards in ways if len(guards) == 1 for cell in guards}


def points_near(s: State, seat: int) -> int:
    return len(_near_points(s, seat))


def near_places(s: State, seat: int) -> list[str]:
    return _names(s, _near_points(s, seat))


def _near_points(s: State, seat: int) -> set[int]:
    near = {cell for e in elements(s, seat) for cell in touching(s, _pieces(s, e))}
    return near & _cells(points(s)) & _cells(free_cells(s))


def prey_near(s: State, seat: int) -> int:
    """Two steps away: one step to a free square, then the capture."""
    return sum(len(_at_two_steps(s, e)) for e in elements(s, seat))


def room(s: State, seat: int) -> int:
    return len({cell for e in elements(s, seat) for cell in _safe_steps(s, e)})


def _at_two_steps(s: State, e: int) -> set[int]:
    near = touching(s, _pieces(s, e))
    return (_cells(exposed(s, (e + 1) % 4)) & touching(s, near & _cells(free_cells(s)))) - near


def _safe_steps(s: State, e: int) -> set[int]:
    hunted = touching(s, _pieces(s, (e - 1) % 4))
    return (touching(s, _pieces(s, e)) & _cells(free_cells(s))) - hunted - _cells(shelter(s, e))


# From Python, kernels give plain integers, which others do not take: sets are sets here.


def _cells(bits: Cells) -> set[int]:
    return set(members(bits))


def _pieces(s: State, e: int) -> set[int]:
    return _cells(row_of(s.pieces, e))


def touching(s: State, cells: set[int]) -> set[int]:
    """PP-7: what touches one of these cells. Cells that are no squares may be among them."""
    near, mp = _cells(around(s)), int(s.mp)
    found = {other for cell in cells for other in members(NEAR[cell])}
    return found | (near if mp in cells else set()) | ({mp} if cells & near else set())


CONCEPTS = (
    Idea("last-point", _("last points of power"), win_by_points, do=_("take the last point of power")),
    Idea("last-piece", _("last pieces"), win_by_last_piece, do=_("capture the last piece of an element")),
    Idea(
        "last-exposed",
        _("last exposed pieces"),
        win_by_last_exposed,
        do=_("capture the last exposed piece of an element"),
    ),
    Idea("no-move", _("players without a move"), win_by_no_move, do=_("block all moves")),
    Idea(
        "saved-last",
        _("saved last exposed pieces"),
        last_exposed_saved,
        did=_("saved the last exposed piece of an element more often"),
        do=_("save the last exposed piece of an element"),
        looms=last_still_loose,
    ),
    Idea(
        "blocked",
        _("blocked points of power"),
        last_point_blocked,
        did=_("blocked the last point of power more often"),
        do=_("block the last point of power"),
    ),
    Idea(
        "last-at-risk",
        _("last exposed pieces at risk"),
        measure=last_at_risk,
        words=counted(
            _("no element whose last exposed piece can be captured"),
            _("one element whose last exposed piece can be captured"),
            _("{n} elements whose last exposed piece can be captured"),
        ),
        worth=-5.0,
        places=last_at_risk_places,
        other=alone(NONE_AT_ALL),
        gone=_("no element any more whose last exposed piece can be captured"),
    ),
    Idea(
        "near-last-point",
        _("threats to take the last point of power"),
        last_point_threatened,
        did=_("reached for the last point of power more often"),
        do=_("reach for the last point of power"),
    ),
    Idea(
        "threatened-last",
        _("threatened last exposed pieces"),
        last_exposed_threatened,
        did=_("threatened more last exposed pieces"),
        do=_("threaten last exposed pieces"),
    ),
    Idea(
        "free-capture",
        _("captures without risk"),
        captures_for_free,
        did=_("captured more pieces without risk"),
        do=_("capture pieces without risk"),
    ),
    Idea("exchange", _("exchanges"), exchanges, did=_("entered more exchanges"), do=_("exchange pieces")),
    Idea(
        "double-threat",
        _("double threats"),
        double_threats,
        did=_("made more double threats"),
        do=_("make double threats"),
    ),
    Idea(
        "saved",
        _("saved pieces"),
        pieces_saved,
        did=_("saved more pieces"),
        do=_("save pieces"),
        looms=still_loose,
    ),
    Idea(
        "point",
        _("points of power taken"),
        points_taken,
        did=_("took more points of power"),
        do=_("take points of power"),
    ),
    Idea(
        "thin",
        _("elements with one exposed piece"),
        measure=thin,
        words=counted(
            _("no element with only one exposed piece"),
            _("one element with only one exposed piece"),
            _("{n} elements with only one exposed piece"),
        ),
        worth=-1.0,
        other=alone(NONE_AT_ALL),
        gone=_("no element with only one exposed piece any more"),
    ),
    Idea(
        "loose",
        _("loose pieces"),
        measure=loose,
        words=counted(
            _("no piece that can be captured without risk"),
            _("one piece that can be captured without risk"),
            _("{n} pieces that can be captured without risk"),
        ),
        worth=-0.8,
        places=loose_places,
        other=alone(NONE),
        gone=_("no piece any more that can be captured without risk"),
    ),
    Idea(
        "covered",
        _("threatened pieces that are covered"),
        measure=covered,
        words=counted(
            _("no threatened piece that is covered"),
            _("one threatened piece that is covered"),
            _("{n} threatened pieces that are covered"),
        ),
        worth=-0.6,
        places=covered_places,
        other=alone(NONE),
        gone=_("no threatened piece any more that is covered"),
    ),
    Idea(
        "points-near",
        _("points of power within reach"),
        measure=points_near,
        words=counted(
            _("no free point of power one step away"),
            _("one free point of power one step away"),
            _("{n} free points of power one step away"),
        ),
        worth=0.4,
        places=near_places,
        other=alone(NOT_ONE),
        gone=_("no free point of power one step away any more"),
    ),
    Idea(
        "prey-near",
        _("prey two steps away"),
        measure=prey_near,
        words=counted(
            _("no enemy almost within reach"),
            _("one enemy almost within reach"),
            _("{n} enemies almost within reach"),
        ),
        worth=0.35,
        other=alone(NONE),
        gone=_("no enemy almost within reach any more"),
    ),
    Idea(
        "tied-guards",
        _("pieces that are tied down"),
        measure=tied_guards,
        words=counted(
            _("no piece tied down as the only guard of another"),
            _("one piece tied down as the only guard of another"),
            _("{n} pieces tied down as the only guards of others"),
        ),
        worth=-0.3,
        places=tied_places,
        other=alone(NONE),
        gone=_("no piece tied down any more as the only guard of another"),
    ),
    Idea(
        "room",
        _("safe squares"),
        measure=room,
        words=counted(
            _("no square in the open to step to, out of the hunters' reach"),
            _("one square in the open to step to, out of the hunters' reach"),
            _("{n} squares in the open to step to, out of the hunters' reach"),
        ),
        worth=0.08,
        other=alone(NONE_AT_ALL),
        gone=_("no square in the open any more to step to, out of the hunters' reach"),
    ),
)

DANGERS = ("last-exposed", "last-piece", "last-point", "no-move", "free-capture", "exchange")
