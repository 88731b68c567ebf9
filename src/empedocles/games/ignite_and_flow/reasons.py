"""Why a move of Ignite and Flow is refused, by rule id, from the functions that decide legality."""

from __future__ import annotations

from empedocles.core.bits import NONE, bit, has, members
from empedocles.core.kernel import State
from empedocles.games.ignite_and_flow.lookups import (
    ACTION_SHAPE,
    BEND,
    BLOCK,
    BURN,
    CHAIN,
    CHAIN_REACTS,
    DESERT,
    EARTH,
    FIRE,
    FLOW,
    FORK,
    LINKS,
    LITERAL,
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
    BENT,
    EXACT,
    PATIENCE,
    SPLIT,
    TEMPLE_CHOICE,
    TOUCHING,
    beside,
    burnable,
    empty_cells,
    floodable,
    temple_cells,
)
from empedocles.games.ignite_and_flow.text import FLOWS
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
    if has(s.ground[DESERT], target):
        return _occupied(s, "IF-6", target)
    return because(
        "IF-6",
        _("{cell} holds {element}: fire spreads to empty squares and earth only"),
        cell=NAMES[target],
        element=_content(s, target),
    )


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


def _bend(s: State, a: int) -> Reason | None:
    if not s.flow & BENT:
        return because("IF-8", _("water does not turn with flow={value}"), value=FLOWS[s.flow])
    return _wide_flow(s, a)


def _fork(s: State, a: int) -> Reason | None:
    if not s.flow & SPLIT:
        return because("IF-8", _("water does not split with flow={value}"), value=FLOWS[s.flow])
    return _wide_flow(s, a)


def _wide_flow(s: State, a: int) -> Reason | None:
    source, one, two = squares_of(a)
    return _lacks(s, "IF-8", source, WATER) or _occupied(s, "IF-8", one) or _occupied(s, "IF-8", two)


def _reacting(s: State, rule: str, cells: list[int]) -> Reason | None:
    """All squares hold fire or water, and both occur."""
    for c in cells:
        if not has(s.ground[FIRE] | s.ground[WATER], c):
            return because(rule, _("{cell} holds neither fire nor water"), cell=NAMES[c])
    if len({has(s.ground[FIRE], c) for c in cells}) == 1:
        return _alike(rule, cells, _content(s, cells[0]))
    return None


def _alike(rule: str, cells: list[int], element: Term) -> Reason:
    if len(cells) == 2:
        one, two = (NAMES[c] for c in cells)
        return because(
            rule, _("{a} and {b} both hold {element}: fire and water are needed"), a=one, b=two, element=element
        )
    return because(rule, _("{cells} all hold {element}: fire and water are needed"), cells=_row(cells), element=element)


def _row(cells: list[int]) -> str:
    return ", ".join(NAMES[c] for c in cells)


def _unlinked(s: State, a: int) -> bool:
    return not linked(SHAPES[ACTION_SHAPE[a]].squares, LINKS[s.reactions])


def _pair(s: State, a: int) -> Reason | None:
    one, two = cells = squares_of(a)
    if _unlinked(s, a):
        text = (
            _("{a} and {b} are vertical neighbours, which do not react with reactions=literal")
            if s.reactions == LITERAL
            else _("{a} and {b} touch at a corner only: with reactions=orthogonal they do not react")
        )
        return because("IF-10", text, a=NAMES[one], b=NAMES[two])
    return _reacting(s, "IF-10", cells)


def _chain(s: State, a: int) -> Reason | None:
    cells = squares_of(a)
    if _unlinked(s, a):
        text = (
            _("none of {cells} has a horizontal or diagonal link to both others, as reactions=literal needs")
            if s.reactions == LITERAL
            else _("none of {cells} shares an edge with both others, as reactions=orthogonal needs")
        )
        return because("IF-11", text, cells=_row(cells))
    return _reacting(s, "IF-11", cells) or _single(s, a, cells)


def _single(s: State, a: int, cells: list[int]) -> Reason | None:
    """The single element does not become desert, and it joins the others where it has to."""
    k, desert = divmod(int(ACTION_SHAPE[a]) - CHAIN, 3)
    fires = [has(s.ground[FIRE], c) for c in cells]
    odd = next(place for place, fire in enumerate(fires) if fires.count(fire) == 1)
    if odd == desert:
        text = _("{cell} is the only {element} of the three: one of the two equal elements becomes desert")
    elif not CHAIN_REACTS[s.reactions, s.chain, k, odd]:
        text = _("{cell} is the only {element} of the three, and must touch both others with chain=middle")
    else:
        return None
    return because("IF-11", text, cell=NAMES[cells[odd]], element=_content(s, cells[odd]))


def _scorch(s: State, a: int) -> Reason | None:
    cells = squares_of(a)
    if lacking := next((lack for c in cells if (lack := _lacks(s, "IF-12", c, FIRE))), None):
        return lacking
    if s.scorch == TOUCHING and ACTION_SHAPE[a] != BLOCK:
        return because("IF-12", _("not all of {cells} touch each other, as scorch=touching needs"), cells=_row(cells))
    if s.scorch == EXACT and (more := _further_fire(s, cells)):
        return because("IF-12", _("a further fire on {cell} touches them: scorch=exact needs a whole group"), cell=more)
    return None


def _further_fire(s: State, cells: list[int]) -> str | None:
    """A fire beside some of these squares and not on them."""
    chosen = NONE
    for cell in cells:
        chosen |= bit(cell)
    return next((NAMES[cell] for cell in members(beside(chosen) & s.ground[FIRE] & ~chosen)), None)


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
    (FORK, _fork),
    (BEND, _bend),
    (SCORCH, _scorch),
    (CHAIN, _chain),
    (PAIR, _pair),
    (STREAM, _stream),
    (FLOW, _flow),
    (BURN, _burn),
    (PLACE, _place),
)
