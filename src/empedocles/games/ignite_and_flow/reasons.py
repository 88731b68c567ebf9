"""Why a move of Ignite and Flow is refused, by rule id, from the functions that decide legality."""

from __future__ import annotations

from empedocles.core.bits import has
from empedocles.core.kernel import State
from empedocles.games.ignite_and_flow.lookups import (
    ACTION_SHAPE,
    BURN,
    CHAIN,
    DESERT,
    EARTH,
    FIRE,
    FLOW,
    LITERAL_LINKS,
    NAMES,
    NO_TEMPLE,
    PAIR,
    PLACE,
    SCORCH,
    SHAPES,
    STREAM,
    TEMPLE,
    WATER,
    linked,
    squares_of,
)
from empedocles.games.ignite_and_flow.rules import (
    PATIENCE,
    TEMPLE_CHOICE,
    burnable,
    empty_cells,
    floodable,
    temple_cells,
)
from empedocles.language import Reason, Term, because
from empedocles.language import mark as _

ELEMENTS = (Term(_("fire")), Term(_("water")), Term(_("earth")), Term(_("desert")))


def reason(s: State, a: int) -> Reason | None:
    if s.over:
        return why_over(s)
    shape = TEMPLE if a == NO_TEMPLE else int(ACTION_SHAPE[a])
    if s.due == TEMPLE_CHOICE:
        return (
            _temple(s, a)
            if shape == TEMPLE
            else because("IF-4", _("the action is done: place a temple or decline with '-'"))
        )
    if shape == TEMPLE:
        return because("IF-4", _("an action comes first, a temple may follow it"))
    return next(check(s, a) for first, check in KINDS if shape >= first)


def why_over(s: State) -> Reason:
    if not empty_cells(s):
        return because("IF-15", _("the game is over: no square is empty"))
    return because("IF-16", _("the game is over: {n} actions in a row without progress"), n=PATIENCE)


def _content(s: State, cell: int) -> Term:
    return next(ELEMENTS[e] for e in range(4) if has(s.ground[e], cell))


def _occupied(s: State, rule: str, cell: int) -> Reason | None:
    if has(empty_cells(s), cell):
        return None
    if has(s.ground[DESERT], cell):
        return because("IF-14", _("{cell} is desert, which never changes"), cell=NAMES[cell])
    return because(rule, _("{cell} is not empty: it holds {element}"), cell=NAMES[cell], element=_content(s, cell))


def _lacks(s: State, rule: str, cell: int, element: int) -> Reason | None:
    if has(s.ground[element], cell):
        return None
    return because(rule, _("there is no {element} on {cell}"), element=ELEMENTS[element], cell=NAMES[cell])


# ── One function per kind of move ────────────────────────────────────────────────────────────────────────────────────


def _place(s: State, a: int) -> Reason | None:
    return _occupied(s, "IF-5", squares_of(a)[0])


def _burn(s: State, a: int) -> Reason | None:
    source, target = squares_of(a)
    if (lack := _lacks(s, "IF-6", source, FIRE)) or has(burnable(s), target):
        return lack
    return _occupied(s, "IF-6", target)


def _flow(s: State, a: int) -> Reason | None:
    source, target = squares_of(a)
    if (lack := _lacks(s, "IF-8", source, WATER)) or has(floodable(s, int(s.mover)), target):
        return lack
    if not has(s.ground[EARTH], target):
        return _occupied(s, "IF-8", target)
    if has(s.temples[0] | s.temples[1], target):
        return because("IF-9", _("{cell} carries a temple: water does not enter"), cell=NAMES[target])
    return because("IF-9", _("the landmass of {cell} carries no temple of yours"), cell=NAMES[target])


def _stream(s: State, a: int) -> Reason | None:
    source, target = squares_of(a)
    between = (source + target) // 2
    return _lacks(s, "IF-8", source, WATER) or _occupied(s, "IF-8", between) or _occupied(s, "IF-8", target)


def _reacting(s: State, rule: str, cells: list[int]) -> Reason | None:
    """All squares hold fire or water, and both occur."""
    for c in cells:
        if not has(s.ground[FIRE] | s.ground[WATER], c):
            return because(rule, _("{cell} holds neither fire nor water"), cell=NAMES[c])
    if len({has(s.ground[FIRE], c) for c in cells}) == 1:
        return because(
            rule,
            _("{cells} all hold {element}: fire and water are needed"),
            cells=", ".join(NAMES[c] for c in cells),
            element=_content(s, cells[0]),
        )
    return None


def _unlinked(s: State, a: int) -> bool:
    return bool(s.literal) and not linked(SHAPES[ACTION_SHAPE[a]].squares, LITERAL_LINKS)


def _pair(s: State, a: int) -> Reason | None:
    one, two = cells = squares_of(a)
    if _unlinked(s, a):
        return because(
            "IF-10", _("{a} and {b} are vertical neighbours, which do not react here"), a=NAMES[one], b=NAMES[two]
        )
    return _reacting(s, "IF-10", cells)


def _chain(s: State, a: int) -> Reason | None:
    cells = squares_of(a)
    desert = cells[(int(ACTION_SHAPE[a]) - CHAIN) % 3]
    if _unlinked(s, a):
        return because(
            "IF-11",
            _("none of {cells} has a horizontal or diagonal link to both others"),
            cells=", ".join(NAMES[c] for c in cells),
        )
    if wrong := _reacting(s, "IF-11", cells):
        return wrong
    if sum(has(s.ground[FIRE], c) == has(s.ground[FIRE], desert) for c in cells) == 2:
        return None
    return because(
        "IF-11",
        _("{cell} is the only {element} of the three: one of the two equal elements becomes desert"),
        cell=NAMES[desert],
        element=_content(s, desert),
    )


def _scorch(s: State, a: int) -> Reason | None:
    return next((lack for c in squares_of(a) if (lack := _lacks(s, "IF-12", c, FIRE))), None)


def _temple(s: State, a: int) -> Reason | None:
    if a == NO_TEMPLE:
        return None
    cell = squares_of(a)[0]
    if has(temple_cells(s, int(s.mover)), cell):
        return None
    if not has(s.ground[EARTH], cell):
        return because("IF-13", _("{cell} is not earth"), cell=NAMES[cell])
    if has(s.temples[0] | s.temples[1], cell):
        return because("IF-13", _("{cell} already carries a temple"), cell=NAMES[cell])
    return because("IF-13", _("the landmass of {cell} carries a temple of the opponent"), cell=NAMES[cell])


# By the first shape of each kind, the last kind first.
KINDS = (
    (SCORCH, _scorch),
    (CHAIN, _chain),
    (PAIR, _pair),
    (STREAM, _stream),
    (FLOW, _flow),
    (BURN, _burn),
    (PLACE, _place),
)
