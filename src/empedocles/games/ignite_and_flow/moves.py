"""Moves of Ignite and Flow for people: the clicks that enter them, and their words.

Targets are squares, the supply of an element (`F`, `W`, `E`) and `-` for no temple.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from empedocles.core.bits import has
from empedocles.core.kernel import State
from empedocles.game import POINTS, Clicks, Count, Interface, Tally
from empedocles.games.ignite_and_flow.lookups import (
    ACTION_SHAPE,
    BEND,
    BURN,
    CHAIN,
    EFFECT,
    FIRE,
    FLOW,
    FORK,
    MOVES,
    NAMES,
    NO_TEMPLE,
    PAIR,
    SCORCH,
    TEMPLE,
    WATER,
    squares_of,
)
from empedocles.games.ignite_and_flow.reasons import why_over
from empedocles.games.ignite_and_flow.rules import PATIENCE, TAKEN, TEMPLE_CHOICE, scores, unused_temples
from empedocles.games.ignite_and_flow.text import SEATS, UNUSED
from empedocles.language import Message, Term, one_of
from empedocles.language import mark as _

SUPPLY = {"F": _("fire"), "W": _("water"), "E": _("earth")}
DECLINE = "-"
GROUND = (*(Term(name) for name in SUPPLY.values()), Term(_("desert")))
CELL_OF = {name: cell for cell, name in NAMES.items()}
SCORCHED = 4  # fires that become desert together
# Moves as infinitives, by the first shape that is none of the kind.
INFINITIVES = (
    (BURN, _("place {element} on {one}")),
    (FLOW, _("burn from {one} to {two}")),
    (PAIR, _("let water flow from {one} to {two}")),
    (CHAIN, _("let {one} and {two} react to earth")),
    (SCORCH, _("let {one}, {two} and {three} react, {desert} to desert")),
    (TEMPLE, _("scorch {one}, {two}, {three} and {four} to desert")),
    (BEND, _("place a temple on {one}")),
    (FORK, _("let water flow from {one} over {two} to {three}")),
    (len(EFFECT), _("let water flow from {one} to {two} and {three} at once")),
)
# What a fire and a water can do next: spread, react, or both.
USES = {
    FIRE: (
        _("Choose where the fire on {square} burns to"),
        _("Choose what the fire on {square} reacts with"),
        _("Choose where the fire on {square} burns to, or what it reacts with"),
    ),
    WATER: (
        _("Choose where the water on {square} flows to"),
        _("Choose what the water on {square} reacts with"),
        _("Choose where the water on {square} flows to, or what it reacts with"),
    ),
}


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
        return Message(_("{player} places no temple"), {"player": player})
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
        return _("{player} places a temple on {one}")
    if shape < FORK:
        return _("{player} lets water flow from {one} over {two} to {three}")
    return _("{player} lets water flow from {one} to {two} and {three} at once")


def advised(s: State, action: int) -> Message:
    """A move as an infinitive."""
    if action == NO_TEMPLE:
        return Message(_("do without a temple"), {})
    cells, move = squares_of(action), MOVES[action]
    squares = dict(zip(("one", "two", "three", "four"), (NAMES[cell] for cell in cells), strict=False))
    return Message(_infinitive(s, action, cells), squares | _extra(move))


def _infinitive(s: State, action: int, cells: list[int]) -> str:
    shape = ACTION_SHAPE[action]
    if BURN <= shape < FLOW and any(has(temples, cells[1]) for temples in s.temples):
        return _("burn from {one} to {two} and destroy the temple there")
    return next(text for end, text in INFINITIVES if shape < end)


def target(name: str) -> Message:
    if name in SUPPLY:
        return Message(_("{element} from the supply"), {"element": Term(SUPPLY[name])})
    return Message(_("no temple"), {}) if name == DECLINE else Message("{square}", {"square": name})


# ── What comes next ──────────────────────────────────────────────────────────────────────────────────────────────────


def described(s: State, name: str) -> Message:
    if (element := _element(s, name)) is None:
        return target(name)
    return Message(_("{element} on {square}"), {"element": GROUND[element], "square": name})


def _element(s: State, name: str) -> int | None:
    """What lies on a square; None if it is empty, or the target is no square."""
    cell = CELL_OF.get(name)
    return None if cell is None else next((e for e, cells in enumerate(s.ground) if has(cells, cell)), None)


def prompt(s: State, chosen: tuple[str, ...], can: frozenset[str], whole: bool) -> Message:
    if not chosen:
        return _beginning(s, can)
    if chosen[0] in SUPPLY:
        return Message(_("Now choose an empty square for {element}"), {"element": Term(SUPPLY[chosen[0]])})
    if len(chosen) == 1:
        return _use(s, chosen[0], can)
    if not _active(s, chosen[1]):
        return Message(_("Choose another square for the water, or play it as it is"), {})
    return _reaction(s, chosen, can, whole)


def _active(s: State, name: str) -> bool:
    """Whether fire or water lies there."""
    return _element(s, name) in USES


def _beginning(s: State, can: Collection[str]) -> Message:
    if s.due == TEMPLE_CHOICE:
        return Message(_("Place a temple on a marked square, or choose “no temple”"), {})
    used = sorted({element for name in can if (element := _element(s, name)) is not None})
    if not any(s.ground):
        empty = _("Choose fire, water or earth, then any square: one in the middle has the most neighbours")
        return Message(empty, {})
    if not used:
        return Message(_("Choose fire, water or earth from the supply to place it"), {})
    both = _("Choose an element from the supply to place it, or {elements} on the board to use it")
    return Message(both, {"elements": one_of([GROUND[element] for element in used])})


def _use(s: State, square: str, can: Collection[str]) -> Message:
    """After one fire or water: where it goes, or what it reacts with."""
    reacts = {_active(s, name) for name in can}
    element = _element(s, square)
    assert element is not None
    return Message(USES[element][2 if len(reacts) > 1 else reacts.pop()], {"square": square})


def _reaction(s: State, chosen: tuple[str, ...], can: frozenset[str], whole: bool) -> Message:
    """After two or more fires and waters."""
    if can <= set(chosen):
        return Message(_("Now choose which becomes desert: {squares}"), {"squares": one_of(sorted(can))})
    if whole:
        values = dict(zip(("one", "two"), chosen, strict=True))
        return Message(_("Choose a third square that reacts, or play it: {one} and {two} become earth"), values)
    if all(_element(s, name) == FIRE for name in (*chosen, *can)):
        return Message(_("Choose another fire to scorch: {n} to go"), {"n": SCORCHED - len(chosen)})
    return Message(_("Choose the next square that reacts"), {})


# ── Status ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def status(s: State) -> list[Message]:
    points = np.zeros(2, np.int32)
    scores(s, points)
    lines = [_seat(s, seat, int(points[seat])) for seat in range(2)]
    lines.append(Message(_("{n} of {all} actions without progress"), {"n": s.quiet, "all": PATIENCE}))
    return [*lines, _due(s)]


def _seat(s: State, seat: int, points: int) -> Message:
    values = {
        "player": Term(SEATS[seat]),
        "points": POINTS(points),
        "left": UNUSED(unused_temples(s, seat)),
        "taken": int(s.taken[seat]),
    }
    return Message(_("{player}: {points}, {left}, {taken} taken"), values)


def _due(s: State) -> Message:
    if s.over:
        return Message(_("{result}; {why}"), {"result": _result(s), "why": why_over(s).message})
    due = _("{player} may place a temple")
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


def tally(s: State) -> Tally:
    """IF-17."""
    points = np.zeros(2, np.int32)
    scores(s, points)
    taken = tuple(int(n) for n in s.taken)
    land = tuple(int(points[seat]) - TAKEN * taken[seat] for seat in range(2))
    counts = Count(Message(_("land"), {}), land), Count(Message(_("temples taken"), {}), taken, TAKEN)
    return Tally(Message(_("Aim: most points"), {}), counts)


INTERFACE = Interface(
    clicks, words, target, status, lambda _seats: SEATS, prompt=prompt, described=described, tally=tally, advice=advised
)
