"""Moves of Fire & Water for people: the clicks that enter them, and their words.

Targets are squares, the markers of the seat to move (`F4W3`), its `leader` as long as it has not placed it, and `pass`.
"""

from __future__ import annotations

from empedocles.game import Clicks, Interface
from empedocles.games.fire_and_water.rules import (
    NO_CELL,
    NO_SEAT,
    elementals_left,
    leader_stands,
    score,
    winner,
)
from empedocles.games.fire_and_water.tables import (
    CELLS,
    CLAIM,
    ELEMENTAL,
    FIRE,
    HALF_CELL,
    HALF_VALUE,
    LEADER,
    MARKER,
    MARKERS,
    NAMES,
    PASS,
    PLACES,
    REVEAL,
    SUPPLY,
    TOKEN,
    WATER,
)
from empedocles.games.fire_and_water.text import markers_in, some_action
from empedocles.kernel import CHANCE, State
from empedocles.language import Message, Term
from empedocles.language import mark as _

SEATS = (_("Red"), _("Green"), _("Gold"), _("Violet"))
LEADER_TARGET, PASS_TARGET = "leader", "pass"

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
    """Of an action that names one square: the first action of its kind, and the square."""
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
        "hand": " ".join(MARKERS[m] for m in markers_in(s.revealed[seat])) or "–",
        "hidden": len(markers_in(s.hidden[seat])),
    }
    return Message(text, values)


def _leader(s: State, seat: int) -> Message:
    if s.leader[seat] == NO_CELL:
        return Message(_("leader not placed"), {})
    if not leader_stands(s, seat):
        return Message(_("leader conquered"), {})
    return Message(_("leader on {square}"), {"square": NAMES[s.leader[seat]]})


def due(s: State) -> Message:
    """What is to happen next, and by whom."""
    player = Term(SEATS[winner(s) if s.over else s.turn])
    return Message(_due(s), {"player": player, "n": elementals_left(s)})


def _due(s: State) -> str:
    if s.over:
        return _("The game is over: {player} wins")
    if s.mover == CHANCE:
        return _("A marker of {player} is revealed")
    if elementals_left(s):
        return _("{player} places an elemental; left: {n}")
    if s.last != NO_SEAT:
        return _("Last turn of {player}: a token or a pass")
    if some_action(s) == PASS:
        return _("{player} can only pass")
    return _("{player} places a marker, the leader or a token, or claims an elemental")


INTERFACE = Interface(clicks, words, target, status, lambda seats: SEATS[:seats])
