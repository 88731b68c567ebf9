"""Why a move of Fire & Water is refused, by rule id, from the functions that decide legality."""

from __future__ import annotations

from empedocles.core.bits import members
from empedocles.core.kernel import CHANCE, State
from empedocles.games.fire_and_water.lookups import (
    AROUND,
    CLAIM,
    COLUMNS,
    CORNERS,
    EITHER,
    ELEMENTAL,
    HALF_CELL,
    INNER,
    LEADER,
    MARKER,
    MARKER_SET,
    MARKERS,
    MOVES,
    NAMES,
    NEAR,
    OUTSIDE,
    PASS,
    PLACES,
    REVEAL,
    ROWS,
    TOKEN,
)
from empedocles.games.fire_and_water.moves import PLAYERS, why_over
from empedocles.games.fire_and_water.rules import (
    ELEMENTALS,
    NO_CELL,
    NO_SEAT,
    TOKENS_ONLY,
    choices,
    covered,
    elementals_left,
    leader_stands,
    of_seat,
    setting_up,
    sums,
)
from empedocles.games.fire_and_water.text import contains, ground, holds, some_action
from empedocles.language import Reason, because
from empedocles.language import mark as _

LAST_TURN = (  # by the finale
    _("this is a last turn: place a token or pass"),
    _("this is a last turn: place a token, claim an elemental or pass"),
)


def reason(s: State, a: int) -> Reason | None:
    if s.over:
        return why_over(s)
    if s.mover == CHANCE:
        return _reveal(s, a)
    if elementals_left(s):
        return _elemental(s, a)
    if s.last != NO_SEAT and (refused := _last_turn(s, a)):
        return refused
    if a < MARKER:
        return _set_up(a)
    kinds = ((PASS, _pass), (CLAIM, _claim), (TOKEN, _token), (LEADER, _leader), (MARKER, _marker))
    return next(check(s, a) for start, check in kinds if a >= start)


def _allowed(s: State, kind: int, cell: int) -> bool:
    return holds(choices(s, kind, cell >> 6), cell)


def _near(s: State, cell: int) -> list[int]:
    return [int(near) for near in NEAR[s.seats, cell] if near != OUTSIDE]


def _missing(s: State, cell: int) -> Reason | None:
    if cell < COLUMNS[s.seats] * ROWS:
        return None
    why = _("{cell} is not on the board of {players} players")
    return because("FW-1", why, cell=NAMES[cell], players=int(s.seats))


def _unknown(s: State, marker: int) -> Reason | None:
    if int(MARKER_SET[s.seats]) >> marker & 1:
        return None
    why = _("{marker} is left out with {players} players")
    return because("FW-3", why, marker=MARKERS[marker], players=int(s.seats))


def _last_turn(s: State, a: int) -> Reason | None:
    """Refuses kinds of moves that last turns do not have."""
    if a < TOKEN:
        return because("FW-20", LAST_TURN[s.finale])
    if CLAIM <= a < PASS and s.finale == TOKENS_ONLY:
        return because("FW-20", _("elementals are claimed in last turns only with the option finale=claims"))
    return None


# ── Setup and chance ─────────────────────────────────────────────────────────────────────────────────────────────────


def _reveal(s: State, a: int) -> Reason | None:
    rule, player = "FW-6" if setting_up(s) else "FW-9", PLAYERS[s.turn]
    if not REVEAL <= a < MARKER:
        return because(rule, _("a marker of {player} is revealed first"), player=player)
    marker = a - REVEAL
    if (unknown := _unknown(s, marker)) or _allowed(s, REVEAL, marker):
        return unknown
    return because(rule, _("{marker} of {player} is not face-down any more"), marker=MARKERS[marker], player=player)


def _elemental(s: State, a: int) -> Reason | None:
    if REVEAL <= a < MARKER:
        return because("FW-6", _("markers are revealed after the third elemental"))
    if a >= MARKER:
        return because("FW-5", _("the elementals come first: {n} are still to be placed"), n=elementals_left(s))
    cell = a - ELEMENTAL
    if (missing := _missing(s, cell)) or _allowed(s, ELEMENTAL, cell):
        return missing
    if not contains(INNER[s.seats], cell):
        return because("FW-5", _("{cell} is on the edge of the board"), cell=NAMES[cell])
    if contains(s.elementals, cell):
        return because("FW-5", _("an elemental is on {cell} already"), cell=NAMES[cell])
    other = next(c for c in members(s.elementals) if contains(AROUND[c], cell))
    return because("FW-5", _("{cell} is a neighbour of the elemental on {other}"), cell=NAMES[cell], other=NAMES[other])


def _set_up(a: int) -> Reason:
    if a < REVEAL:
        return because("FW-5", _("all {n} elementals are placed"), n=ELEMENTALS)
    return because("FW-9", _("a marker is revealed only after one has been placed"))


# ── One function per action of a turn ────────────────────────────────────────────────────────────────────────────────


def _marker(s: State, a: int) -> Reason | None:
    marker, place = divmod(a - MARKER, PLACES)
    if unknown := _unknown(s, marker):
        return unknown
    for cell in HALF_CELL[:, place].tolist():
        if missing := _missing(s, cell):
            return missing
        if not contains(s.empty, cell):
            return because("FW-9", _("{cell} is not empty"), cell=NAMES[cell])
    if int(s.revealed[s.turn]) >> marker & 1:
        return None
    hidden = int(s.hidden[s.turn]) >> marker & 1
    why = _("{marker} of {player} is still face-down") if hidden else _("{marker} of {player} is laid already")
    return because("FW-9", why, marker=MARKERS[marker], player=PLAYERS[s.turn])


def _leader(s: State, a: int) -> Reason | None:
    cell, seat, own = a - LEADER, int(s.turn), int(s.leader[s.turn])
    if (missing := _missing(s, cell)) or _allowed(s, LEADER, cell):
        return missing
    if leader_stands(s, seat):
        return because("FW-10", _("the leader of {player} is on {cell} already"), player=PLAYERS[seat], cell=NAMES[own])
    if own != NO_CELL:
        why = _("the leader of {player} was conquered on {cell} and cannot be placed again")
        return because("FW-16", why, player=PLAYERS[seat], cell=NAMES[own])
    if not contains(s.empty, cell):
        return because("FW-10", _("{cell} is not empty"), cell=NAMES[cell])
    if contains(CORNERS[s.seats], cell):
        return because("FW-10", _("{cell} is a corner of the board"), cell=NAMES[cell])
    other = next(near for near in _near(s, cell) if contains(s.elementals, near))
    return because("FW-10", _("{cell} is next to the elemental on {other}"), cell=NAMES[cell], other=NAMES[other])


def _token(s: State, a: int) -> Reason | None:
    cell, seat = a - TOKEN, int(s.turn)
    if (missing := _missing(s, cell)) or _allowed(s, TOKEN, cell):
        return missing
    if holds(covered(s, cell >> 6), cell):
        return because("FW-15", _("a token is on {cell} already"), cell=NAMES[cell])
    if contains(s.elementals, cell):
        return because("FW-15", _("an elemental is on {cell}"), cell=NAMES[cell])
    if s.leader[seat] == cell:
        return because("FW-15", _("the leader on {cell} is {player}'s own"), cell=NAMES[cell], player=PLAYERS[seat])
    for near in _near(s, cell):
        if contains(s.empty, near):
            return because("FW-15", _("{other} next to {cell} is empty"), cell=NAMES[cell], other=NAMES[near])
    return _no_majority(s, cell, seat)


def _no_majority(s: State, cell: int, seat: int) -> Reason:
    name, lanes = NAMES[cell], sums(s, cell, ground(s, cell))
    mine = of_seat(lanes, seat)
    if mine == 0:
        return because("FW-15", _("{player} has no influence on {cell}"), player=PLAYERS[seat], cell=name)
    rival = next(other for other in range(s.seats) if other != seat and of_seat(lanes, other) >= mine)
    why = _("on {cell} {player} has an influence of {mine}, {rival} one of {theirs}")
    return because("FW-15", why, cell=name, **_compared(lanes, seat, rival))


def _claim(s: State, a: int) -> Reason | None:
    cell, seat = a - CLAIM, int(s.turn)
    if (missing := _missing(s, cell)) or _allowed(s, CLAIM, cell):
        return missing
    if not contains(s.elementals, cell):
        return because("FW-18", _("there is no elemental on {cell}"), cell=NAMES[cell])
    if holds(covered(s, cell >> 6), cell):
        return because("FW-18", _("the elemental on {cell} is claimed already"), cell=NAMES[cell])
    for near in _near(s, cell):
        if contains(s.empty, near):
            return because("FW-18", _("{other} next to {cell} is empty"), cell=NAMES[cell], other=NAMES[near])
    if s.leader[seat] == NO_CELL:
        return because("FW-18", _("{player} has not placed the leader"), player=PLAYERS[seat])
    if not leader_stands(s, seat):
        return because("FW-18", _("the leader of {player} is conquered"), player=PLAYERS[seat])
    return _not_lowest(s, cell, seat)


def _not_lowest(s: State, cell: int, seat: int) -> Reason:
    name, lanes = NAMES[cell], sums(s, cell, EITHER)
    mine = of_seat(lanes, seat)
    if mine == 0:
        return because(
            "FW-18", _("{player} has no uncovered marker half next to {cell}"), player=PLAYERS[seat], cell=name
        )
    rival = next(other for other in range(s.seats) if other != seat and 0 < of_seat(lanes, other) <= mine)
    why = _("next to {cell} the marker halves of {player} add up to {mine}, those of {rival} to {theirs}")
    return because("FW-18", why, cell=name, **_compared(lanes, seat, rival))


def _compared(lanes: int, seat: int, rival: int) -> dict[str, object]:
    return {
        "player": PLAYERS[seat],
        "mine": of_seat(lanes, seat),
        "rival": PLAYERS[rival],
        "theirs": of_seat(lanes, rival),
    }


def _pass(s: State, a: int) -> Reason | None:
    example = some_action(s)
    if s.last != NO_SEAT or example == a:
        return None
    return because("FW-8", _("a pass is allowed only when no action is, and here {move} is"), move=MOVES[example])
