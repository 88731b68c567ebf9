"""Moves of Fire & Water for people: the clicks that enter them, and their words.

Targets are squares, the markers of the seat to move (`F4W3`), its `leader` as long as it has not placed it, and `pass`.
"""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import CHANCE, State
from empedocles.game import Bags, Clicks, Interface
from empedocles.games.fire_and_water.lookups import (
    CELLS,
    CLAIM,
    ELEMENTAL,
    FIRE,
    HALF_CELL,
    HALF_VALUE,
    LEADER,
    MARKER,
    MARKER_SET,
    MARKERS,
    NAMES,
    PASS,
    PLACES,
    REVEAL,
    SUPPLY,
    TOKEN,
    WATER,
)
from empedocles.games.fire_and_water.rules import (
    LAST_TOKEN,
    NO_CELL,
    NO_SEAT,
    elementals_left,
    ending,
    leader_stands,
    score,
    winner,
)
from empedocles.games.fire_and_water.text import actions
from empedocles.language import Message, Reason, Term, because, one_of
from empedocles.language import mark as _

SEATS = (_("Red"), _("Green"), _("Gold"), _("Violet"))
LEADER_TARGET, PASS_TARGET = "leader", "pass"

PLAYERS = tuple(Term(name) for name in SEATS)
# What a turn may be spent on, by the first action of its kind, in their order.
DEEDS = {
    MARKER: Term(_("a marker")),
    LEADER: Term(_("the leader")),
    TOKEN: Term(_("a square to possess")),
    CLAIM: Term(_("an elemental to claim")),
}
LAST_TURN = (  # by the finale
    _("Last turn of {player}, as no marker fits any more: a token or a pass"),
    _("Last turn of {player}, as no marker fits any more: a token, an elemental or a pass"),
)
SENTENCES = {
    ELEMENTAL: _("{player} places an elemental on {square}"),
    LEADER: _("{player} places the leader on {square}"),
    TOKEN: _("{player} takes possession of {square}"),
    CLAIM: _("{player} claims the elemental on {square}"),
}


# ── Clicks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def clicks(action: int) -> Clicks:
    return tuple(frozenset({target}) for target in _path(action))


def _path(action: int) -> tuple[str, ...]:
    """A marker is laid by its fire half, then its water half."""
    if action == PASS:
        return (PASS_TARGET,)
    if REVEAL <= action < MARKER:
        return (MARKERS[action - REVEAL],)
    if MARKER <= action < LEADER:
        marker, place = divmod(action - MARKER, PLACES)
        return MARKERS[marker], *squares_under(place)
    kind, square = _kind_and_square(action)
    return (LEADER_TARGET, square) if kind == LEADER else (square,)


def _kind_and_square(action: int) -> tuple[int, str]:
    """For an action that names one square: the first action of its kind, and the square."""
    start = ELEMENTAL if action < REVEAL else LEADER
    kind, cell = divmod(action - start, CELLS)
    return start + kind * CELLS, NAMES[cell]


def squares_under(place: int) -> tuple[str, str]:
    """Where the fire half and the water half of a marker lie."""
    return NAMES[HALF_CELL[FIRE, place]], NAMES[HALF_CELL[WATER, place]]


def halves(marker: int) -> dict[str, int]:
    return {"fire": int(HALF_VALUE[FIRE, marker]), "water": int(HALF_VALUE[WATER, marker])}


# ── Words ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def words(s: State, action: int) -> Message:
    player = {"player": Term(SEATS[s.turn])}
    if action == PASS:
        return Message(_("{player} passes"), player)
    if REVEAL <= action < MARKER:
        text = _("{player}'s marker fire {fire}, water {water} is revealed")
        return Message(text, player | halves(action - REVEAL))
    if MARKER <= action < LEADER:
        marker, place = divmod(action - MARKER, PLACES)
        under = dict(zip(("one", "two"), squares_under(place), strict=True))
        return Message(
            _("{player} lays fire {fire} on {one} and water {water} on {two}"), player | halves(marker) | under
        )
    return _on_one_square(s, action, player)


def _on_one_square(s: State, action: int, player: dict[str, Term]) -> Message:
    kind, square = _kind_and_square(action)
    values: dict[str, str] = {**player, "square": square}
    leaders = s.leader.tolist()
    if kind == TOKEN and action - TOKEN in leaders:
        values["other"] = Term(SEATS[leaders.index(action - TOKEN)])
        return Message(_("{player} takes possession of {square} and conquers {other}'s leader"), values)
    return Message(SENTENCES[kind], values)


def target(name: str) -> Message:
    if name in MARKERS:
        return Message(_("marker fire {fire}, water {water}"), halves(MARKERS.index(name)))
    if name == LEADER_TARGET:
        return Message(_("the leader"), {})
    return Message(_("pass"), {}) if name == PASS_TARGET else Message("{square}", {"square": name})


# ── Status ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def status(s: State) -> list[Message]:
    return [*(_seat(s, seat) for seat in range(s.seats)), due(s)]


def _seat(s: State, seat: int) -> Message:
    text = _("{player}: {points} points, {left} tokens left, {leader}, revealed: {hand}, face-down: {hidden}")
    values = {
        "player": Term(SEATS[seat]),
        "points": score(s, seat),
        "left": int(SUPPLY[s.seats] - s.placed[seat]),
        "leader": _leader(s, seat),
        "hand": " ".join(MARKERS[m] for m in members(s.revealed[seat])) or "–",
        "hidden": len(members(s.hidden[seat])),
    }
    return Message(text, values)


def _leader(s: State, seat: int) -> Message:
    if s.leader[seat] == NO_CELL:
        return Message(_("leader not placed"), {})
    if not leader_stands(s, seat):
        return Message(_("leader conquered"), {})
    return Message(_("leader on {square}"), {"square": NAMES[s.leader[seat]]})


def due(s: State) -> Message:
    """What happens next, and who does it; or who has won, and why the game is over."""
    if s.over:
        equals = _("{player} wins, equal in points but first in turn order; {why}")
        text = equals if _tied(s) else _("{player} wins; {why}")
        return Message(text, {"player": PLAYERS[winner(s)], "why": why_over(s).message})
    if deeds := _deeds(s):
        return Message(_("{player} to choose: {deeds}"), {"player": PLAYERS[s.turn], "deeds": one_of(deeds)})
    return Message(_due(s), {"player": PLAYERS[s.turn], "n": elementals_left(s)})


def _tied(s: State) -> bool:
    """Whether the order of turns has decided, not points or a last token."""
    points = [score(s, seat) for seat in range(s.seats)]
    return points.count(max(points)) > 1 and ending(s) != LAST_TOKEN


def why_over(s: State) -> Reason:
    if ending(s) == LAST_TOKEN:
        why = _("the game is over: {player} has placed their last token")
        return because("FW-19", why, player=PLAYERS[winner(s)])
    return because("FW-20", _("the game is over: everyone has had their last turn"))


def _deeds(s: State) -> list[Term]:
    """What can be chosen in a regular turn; nothing in other turns."""
    if s.mover == CHANCE or elementals_left(s) or s.last != NO_SEAT:
        return []
    starts = [*DEEDS, PASS]
    kinds = np.unique(np.searchsorted(starts, actions(s), side="right")) - 1
    return [DEEDS[starts[kind]] for kind in kinds if starts[kind] != PASS]


def _due(s: State) -> str:
    if s.mover == CHANCE:
        return _("A marker of {player} is revealed")
    if elementals_left(s):
        return _("{player} places an elemental; left: {n}")
    if s.last != NO_SEAT:
        return LAST_TURN[s.finale]
    return _("{player} can only pass")


BAGS = Bags(lambda s: [REVEAL + marker for marker in members(MARKER_SET[s.seats])], lambda s: int(s.turn))
INTERFACE = Interface(clicks, words, target, status, lambda seats: SEATS[:seats], BAGS)
