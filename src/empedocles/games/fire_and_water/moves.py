"""Moves of Fire & Water for people: the clicks that enter them, and their words.

Targets are squares, the markers of the seat to move (`F4W3`), its `leader` as long as it has not placed it, and `pass`.
"""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import CHANCE, State
from empedocles.game import POINTS, Bags, Clicks, Count, Interface, Tally
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
    LEADERLESS,
    NO_CELL,
    NO_SEAT,
    elementals_left,
    ending,
    leader_stands,
    score,
    winner,
)
from empedocles.games.fire_and_water.text import SEATS, actions
from empedocles.language import Message, Reason, Term, because, one_of
from empedocles.language import mark as _

LEADER_TARGET, PASS_TARGET = "leader", "pass"

PLAYERS = tuple(Term(name) for name in SEATS)
# What a turn may be spent on, by the first action of its kind, in their order.
DEEDS = {
    MARKER: Term(_("a marker")),
    LEADER: Term(_("the leader")),
    TOKEN: Term(_("a square to possess")),
    CLAIM: Term(_("an elemental to claim")),
}
# The same as what to choose.
WISHES = {
    MARKER: Term(_("a marker to lay")),
    LEADER: Term(_("your leader to place")),
    TOKEN: Term(_("a square to take")),
    CLAIM: Term(_("an elemental to claim for yourself")),
    PASS: Term(_("“pass”")),
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
# The same as infinitives.
ADVICE = {
    ELEMENTAL: _("place an elemental on {square}"),
    LEADER: _("place the leader on {square}"),
    TOKEN: _("take possession of {square}"),
    CLAIM: _("claim the elemental on {square}"),
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


def advised(s: State, action: int) -> Message:
    """An action as what its player could do; what chance does is said as always."""
    if action == PASS:
        return Message(_("pass"), {})
    if REVEAL <= action < MARKER:
        return words(s, action)
    if MARKER <= action < LEADER:
        text = _("lay fire {fire} on {one} and water {water} on {two}")
        return Message(text, words(s, action).values)
    kind, square = _kind_and_square(action)
    if kind == TOKEN and action - TOKEN in s.leader.tolist():
        return Message(_("conquer {other}'s leader on {square}"), words(s, action).values)
    return Message(ADVICE[kind], {"square": square})


def target(name: str) -> Message:
    if name in MARKERS:
        return Message(_("marker fire {fire}, water {water}"), halves(MARKERS.index(name)))
    if name == LEADER_TARGET:
        return Message(_("the leader"), {})
    return Message(_("pass"), {}) if name == PASS_TARGET else Message("{square}", {"square": name})


# ── What comes next ──────────────────────────────────────────────────────────────────────────────────────────────────


def prompt(s: State, chosen: tuple[str, ...], _can: frozenset[str], _whole: bool) -> Message:
    if not chosen:
        return _beginning(s)
    if chosen[0] == LEADER_TARGET:
        return Message(_("Now choose the square for your leader"), {})
    half = _("Now choose the square for the water half ({water})")
    if len(chosen) == 1:
        half = _("Now choose the square for the fire half ({fire})")
    return Message(half, halves(MARKERS.index(chosen[0])))


def _beginning(s: State) -> Message:
    if left := elementals_left(s):
        ask = _("First come the prizes: choose a square for an elemental, worth two tokens to its winner. Left: {n}")
        return Message(ask, {"n": left})
    kinds = _kinds(s)
    if kinds == [PASS]:
        return Message(_("You can only pass: choose “pass”"), {})
    ask = _("Choose {wishes}") if s.last == NO_SEAT else _("Your last turn: choose {wishes}")
    return Message(ask, {"wishes": one_of([WISHES[kind] for kind in kinds])})


# ── Status ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def status(s: State) -> list[Message]:
    return [*(_seat(s, seat) for seat in range(s.seats)), due(s)]


def _seat(s: State, seat: int) -> Message:
    text = _("{player}: {points}, {left} tokens left, {leader}, revealed: {hand}, face-down: {hidden}")
    values = {
        "player": Term(SEATS[seat]),
        "points": POINTS(score(s, seat)),
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
    return [DEEDS[kind] for kind in _kinds(s) if kind != PASS]


def _kinds(s: State) -> list[int]:
    """The first action of each kind that a turn may be spent on, in their order."""
    starts = list(WISHES)
    return [starts[kind] for kind in np.unique(np.searchsorted(starts, actions(s), side="right")) - 1]


def _due(s: State) -> str:
    if s.mover == CHANCE:
        return _("A marker of {player} is revealed")
    if elementals_left(s):
        return _("{player} places an elemental; left: {n}")
    if s.last != NO_SEAT:
        return LAST_TURN[s.finale]
    return _("{player} can only pass")


def tally(s: State) -> Tally:
    """FW-21, and FW-19: the first player without tokens wins at once."""
    seats = range(int(s.seats))
    tokens = tuple(int(s.placed[seat]) for seat in seats)
    missing = tuple(int(not leader_stands(s, seat)) for seat in seats)
    counts = (
        Count(Message(_("tokens placed"), {}), tokens),
        Count(Message(_missing(s), {}), missing, -LEADERLESS),
    )
    return Tally(Message(_("Aim: most points"), {}), counts, _tie(s) if s.over else _supply(s))


def _missing(s: State) -> str:
    """Why a score is below 0 before anything has happened."""
    conquered = any(s.leader[seat] != NO_CELL and not leader_stands(s, seat) for seat in range(int(s.seats)))
    return _("leader missing") if s.over or conquered else _("leader not placed yet")


def _supply(s: State) -> Message:
    return Message(_("{n} tokens win at once"), {"n": int(SUPPLY[s.seats])})


def _tie(s: State) -> Message | None:
    """FW-22."""
    return Message(_("equal points: turn order decides (FW-22)"), {}) if _tied(s) else None


BAGS = Bags(lambda s: [REVEAL + marker for marker in members(MARKER_SET[s.seats])], lambda s: int(s.turn))
INTERFACE = Interface(
    clicks, words, target, status, lambda seats: SEATS[:seats], BAGS, prompt, tally=tally, advice=advised
)
