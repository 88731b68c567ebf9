"""What players of Fire & Water talk about: what moves do, and what positions have for a seat; the gravest first.

Worths are in points. What is measured is weighed about as in advice.py, in the middle of a game and by the weight of a
token on the board.

In one file, as in every game: whoever looks for a concept finds all of them here.
"""

from __future__ import annotations

from collections.abc import Iterator

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.game import Deed, Idea
from empedocles.games.fire_and_water.advice import elementals_for, led, strength
from empedocles.games.fire_and_water.lookups import CLAIM, EITHER, NAMES, NEAR, NO_HALF, OUTSIDE, PASS, TOKEN
from empedocles.games.fire_and_water.moves import PLAYERS
from empedocles.games.fire_and_water.patterns import by_empty_neighbours
from empedocles.games.fire_and_water.rules import (
    CLAIMS_TOO,
    LAST_TOKEN,
    LEADERLESS,
    NO_SEAT,
    covered,
    ending,
    leader_stands,
    lowest,
    score,
    sums,
    surrounded,
    winner,
)
from empedocles.games.fire_and_water.text import contains, ground
from empedocles.language import NONE, NONE_AT_ALL, NOT_ONE, Message, Term, alone, counted, valued
from empedocles.language import mark as _

ELEMENTS = (Term(_("fire")), Term(_("water")))

WIN = 100.0
LAST_TURNS = 2.0
SPOILT_CLAIM = 2.0
THREAT = 1.5
RESCUE = 1.0
WON_MAJORITY, BROKEN_MAJORITY = 1.0, 0.5  # on a square without empty neighbours,
NOT_YET = 0.6  # of that while it has one
INFLUENCE = 0.1  # for each number and each square that it has influenced
LOUD = 4  # a half is worth talking about if it influenced squares by this much, all together


# ── Sets of squares ──────────────────────────────────────────────────────────────────────────────────────────────────


def leads(s: State, seat: int) -> set[int]:
    """Squares that a seat may take once they are surrounded."""
    return set(members([led(s, seat, word) for word in range(2)]))


def closed(s: State) -> set[int]:
    """Squares without an empty orthogonal neighbour."""
    return set(members([surrounded(s, word) for word in range(2)]))


def nearly_closed(s: State) -> set[int]:
    """Squares with one empty orthogonal neighbour."""
    return set(members([by_empty_neighbours(s, word)[1] for word in range(2)]))


def taken(s: State) -> set[int]:
    return set(members([covered(s, word) for word in range(2)]))


def to_come(s: State, seat: int) -> bool:
    """Whether a seat has, or will have, another turn: in last turns (FW-20) each has one, in order."""
    if s.over or s.last == NO_SEAT:
        return not s.over
    behind = (seat - int(s.last)) % int(s.seats)
    return behind >= (int(s.turn) - int(s.last)) % int(s.seats)


def ready_cells(s: State, seat: int) -> set[int]:
    """FW-15: squares that a seat may take when it has the turn."""
    return leads(s, seat) & closed(s) if to_come(s, seat) else set()


def others(s: State, seat: int) -> Iterator[int]:
    return (other for other in range(int(s.seats)) if other != seat)


def claims_allowed(s: State, seat: int) -> bool:
    """Whether a seat has a turn to come in which it may claim elementals (FW-20)."""
    return to_come(s, seat) and (s.last == NO_SEAT or s.finale == CLAIMS_TOO)


def claimable(s: State, seat: int) -> set[int]:
    """FW-18: elementals that a seat may claim when it has the turn."""
    if not (leader_stands(s, seat) and claims_allowed(s, seat)):
        return set()
    shy = set(members(s.elementals)) & closed(s) - taken(s)
    return {cell for cell in shy if lowest(sums(s, cell, EITHER), seat)}


def influenced(s: State, cell: int) -> list[int]:
    """Squares that the half on a cell influences, as long as they can be taken."""
    element, gone = (int(s.half[cell]) - 1) // 4 % 2, taken(s) | set(members(s.elementals))
    near = (int(square) for square in NEAR[s.seats, cell])
    return [square for square in near if square != OUTSIDE and square not in gone and ground(s, square) == element]


# ── What moves do ────────────────────────────────────────────────────────────────────────────────────────────────────


def _to(s: State, victim: int, cell: int, texts: tuple[str, str], worth: float, **values: object) -> Deed:
    """Something done to a seat on a square. Of two players, there is no need to name the other one."""
    said = {"square": NAMES[cell], "other": PLAYERS[victim], **values}
    return Deed(Message(texts[int(s.seats) > 2], said), worth, victim, (NAMES[cell],))


def _square(action: int) -> tuple[str, ...]:
    """The square that gets a token, if the action places one."""
    if not TOKEN <= action < PASS:
        return ()
    return (NAMES[action - (TOKEN if action < CLAIM else CLAIM)],)


def won(before: State, action: int, after: State) -> list[Deed]:
    """FW-19, FW-22."""
    seat = int(before.turn)
    if not after.over or winner(after) != seat:
        return []
    text = _("take the last turn of the game and win")
    if ending(after) == LAST_TOKEN:
        text = _("place the last token and win at once")
    return [Deed(Message(text, {}), WIN, 1 - seat if before.seats == 2 else None, _square(action))]


CONQUER = (
    _("conquer the leader on {square} (a swing of {n} points)"),
    _("conquer {other}'s leader on {square} (a swing of {n} points)"),
)


def conquered(before: State, action: int, after: State) -> list[Deed]:
    """FW-16: the tokens count for the conqueror, the missing leader against its owner."""
    cell, leaders = action - TOKEN, before.leader.tolist()
    if not TOKEN <= action < CLAIM or cell not in leaders:
        return []
    swing = gained(before, after) + LEADERLESS
    conquest = _to(before, leaders.index(cell), cell, CONQUER, swing, n=swing)
    return [conquest._replace(told=_("{move} (a swing of {n} points)"), news=_("That is a swing of {n} points."))]


def gained(before: State, after: State) -> int:
    """Tokens that the action has placed."""
    return int(after.placed[before.turn]) - int(before.placed[before.turn])


CLAIM_ONE = (
    _("claim the elemental on {square} ({n} point)"),
    _("{move} ({n} point)"),
    _("That is worth {n} point."),
)
CLAIM_MORE = (
    _("claim the elemental on {square} ({n} points)"),
    _("{move} ({n} points)"),
    _("That is worth {n} points."),
)


def claimed(before: State, action: int, after: State) -> list[Deed]:
    """FW-18."""
    if not CLAIM <= action < PASS:
        return []
    n, (square,) = gained(before, after), _square(action)
    text, told, news = CLAIM_ONE if n == 1 else CLAIM_MORE
    return [Deed(Message(text, {"square": square, "n": n}), n, None, (square,), told=told, news=news)]


SPOIL = (
    _("spoil the claim to the elemental on {square}"),
    _("spoil {other}'s claim to the elemental on {square}"),
)


def spoilt(before: State, action: int, after: State) -> list[Deed]:  # noqa: ARG001
    """Somebody else could have claimed an elemental (FW-18), and cannot now."""
    return [
        _to(before, other, cell, SPOIL, SPOILT_CLAIM)
        for other in others(before, before.turn)
        if to_come(after, other)
        for cell in sorted(claimable(before, other) - claimable(after, other))
    ]


THREATEN = (
    _("get ready to conquer the leader on {square}"),
    _("get ready to conquer {other}'s leader on {square}"),
)


def threatened(before: State, action: int, after: State) -> list[Deed]:  # noqa: ARG001
    """A token may now be placed on another player's leader (FW-15), and could not before."""
    seat = int(before.turn)
    new = ready_cells(after, seat) - ready_cells(before, seat)
    prey = ((other, int(after.leader[other])) for other in others(after, seat))
    return [_to(before, other, cell, THREATEN, THREAT) for other, cell in prey if cell in new]


def rescued(before: State, action: int, after: State) -> list[Deed]:  # noqa: ARG001
    """Somebody led on the square of the mover's leader, and nobody else does now."""
    seat = int(before.turn)
    if after.over or not danger(before, seat) or danger(after, seat):
        return []
    square = NAMES[int(before.leader[seat])]
    words = Message(_("bring the leader on {square} out of danger"), {"square": square})
    return [Deed(words, RESCUE, None, (square,), saves=True)]


def still_in_danger(before: State, _deed: Deed, after: State) -> bool:
    return not after.over and bool(danger(after, int(before.turn)))


WIN_MAJORITY = (_("win the majority on {square}"), _("win the majority on {square} from {other}"))
BREAK_MAJORITY = (_("break the majority on {square}"), _("break {other}'s majority on {square}"))


def turned(before: State, action: int, after: State) -> list[Deed]:  # noqa: ARG001
    """Somebody else led on a square that has one empty neighbour at most, and the mover leads there now."""
    mine = leads(after, before.turn)
    return [
        _to(before, other, cell, WIN_MAJORITY, WON_MAJORITY * _part(after, cell))
        for other in others(before, before.turn)
        for cell in sorted(_lost(before, after, other) & mine)
    ]


def broken(before: State, action: int, after: State) -> list[Deed]:  # noqa: ARG001
    """Somebody else led on a square that has one empty neighbour at most, and neither they nor the mover do now."""
    seat = int(before.turn)
    spared = leads(after, seat) | {int(before.leader[seat])}  # the mover's own leader is rescued instead
    return [
        _to(before, other, cell, BREAK_MAJORITY, BROKEN_MAJORITY * _part(after, cell))
        for other in others(before, seat)
        for cell in sorted(_lost(before, after, other) - spared)
    ]


def _lost(before: State, after: State, seat: int) -> set[int]:
    """Squares closed, or nearly so, that a seat led on and leads on no more, though it could still take some."""
    if not to_come(after, seat):
        return set()
    near = closed(before) | nearly_closed(before)
    return leads(before, seat) & near - leads(after, seat)


def _part(s: State, cell: int) -> float:
    """How much of a majority's worth is there already."""
    return 1.0 if cell in closed(s) else NOT_YET


SILENCE = (
    _("silence the {element} {value} on {square}"),
    _("silence {other}'s {element} {value} on {square}"),
)


def silenced(before: State, action: int, after: State) -> list[Deed]:
    """FW-14: a half below a token has no influence any more."""
    cell = action - TOKEN
    half = int(before.half[cell]) if TOKEN <= action < CLAIM else NO_HALF
    owner, element, value = (half - 1) // 8, (half - 1) // 4 % 2, (half - 1) % 4 + 1
    if half == NO_HALF or owner == before.turn or not to_come(after, owner):
        return []
    influence = value * len(influenced(before, cell))
    if influence < LOUD:
        return []
    return [_to(before, owner, cell, SILENCE, INFLUENCE * influence, element=ELEMENTS[element], value=value)]


def hastened(before: State, action: int, after: State) -> list[Deed]:  # noqa: ARG001
    """FW-20, while nobody has more points: among equals, the player of the last regular turn wins (FW-22)."""
    seat = int(before.turn)
    if (
        after.over
        or after.last == before.last
        or any(score(after, other) > score(after, seat) for other in others(after, seat))
    ):
        return []
    return [Deed(Message(_("bring on the last turns while nobody has more points"), {}), LAST_TURNS)]


# ── What positions have ──────────────────────────────────────────────────────────────────────────────────────────────


def danger(s: State, seat: int) -> int:
    """1 if somebody else leads on the square of a seat's leader."""
    cell = int(s.leader[seat])
    return int(leader_stands(s, seat) and any(contains(s.lead[other], cell) for other in others(s, seat)))


def danger_places(s: State, seat: int) -> list[str]:
    return [NAMES[int(s.leader[seat])]] if danger(s, seat) else []


def standing(s: State, seat: int) -> int:
    """1 if a seat's leader is on the board and not conquered."""
    return int(leader_stands(s, seat))


def tokens(s: State, seat: int) -> int:
    return int(s.placed[seat])


def ready(s: State, seat: int) -> int:
    return len(ready_cells(s, seat))


def ready_places(s: State, seat: int) -> list[str]:
    return _names(ready_cells(s, seat))


def soon_cells(s: State, seat: int) -> set[int]:
    """Squares that a seat leads on, with one empty neighbour."""
    return leads(s, seat) & nearly_closed(s)


def soon(s: State, seat: int) -> int:
    return len(soon_cells(s, seat))


def soon_places(s: State, seat: int) -> list[str]:
    return _names(soon_cells(s, seat))


def _names(cells: set[int]) -> list[str]:
    return [NAMES[cell] for cell in sorted(cells)]


def later(s: State, seat: int) -> int:
    """Squares that a seat leads on, with more empty neighbours."""
    return len(leads(s, seat) - nearly_closed(s) - closed(s))


def friends(s: State, seat: int) -> int:
    """Elementals that a seat may claim (FW-18), or could, if the squares around were occupied and its leader placed."""
    return int(sum(elementals_for(s, seat))) if claims_allowed(s, seat) else 0


def friends_places(s: State, seat: int) -> list[str]:
    shy = set(members(s.elementals)) - taken(s)
    return _names({cell for cell in shy if lowest(sums(s, cell, EITHER), seat)}) if friends(s, seat) else []


def hand(s: State, seat: int) -> int:
    return int(strength(s, seat))


CONCEPTS: tuple[Idea, ...] = (
    Idea("wins", _("won games"), won, do=_("win at once")),
    Idea("conquests", _("conquered leaders"), conquered, did=_("conquered more leaders"), do=_("conquer leaders")),
    Idea("claims", _("claimed elementals"), claimed, did=_("claimed more elementals"), do=_("claim elementals")),
    Idea(
        "spoilt-claims",
        _("spoilt claims"),
        spoilt,
        did=_("spoilt more claims to elementals"),
        do=_("spoil claims to elementals"),
    ),
    Idea("last-turns", _("last turns"), hastened, do=_("bring on the last turns")),
    Idea("threats", _("threatened leaders"), threatened, did=_("threatened more leaders"), do=_("threaten leaders")),
    Idea(
        "rescues",
        _("rescued leaders"),
        rescued,
        did=_("brought a leader out of danger more often"),
        do=_("bring the leader out of danger"),
        looms=still_in_danger,
    ),
    Idea("won-majorities", _("won majorities"), turned, did=_("won more majorities"), do=_("win majorities")),
    Idea("broken-majorities", _("broken majorities"), broken, did=_("broke more majorities"), do=_("break majorities")),
    Idea(
        "silenced",
        _("numbers covered with tokens"),
        silenced,
        did=_("covered more of the others' numbers"),
        do=_("cover the others' numbers"),
    ),
    Idea(
        "tokens",
        _("tokens on the board"),
        measure=tokens,
        words=counted(_("no token on the board"), _("one token on the board"), _("{n} tokens on the board")),
        worth=1.0,
        is_placed=True,
        other=alone(NOT_ONE),
        gone=_("no token on the board any more"),
    ),
    Idea(
        "danger",
        _("leaders in danger"),
        measure=danger,
        words=valued(_("no leader in danger"), _("a leader on a square with another player's majority")),
        worth=-0.6,
        places=danger_places,
        gone=_("no leader in danger any more"),
    ),
    Idea(
        "leader",
        _("leaders on the board"),
        measure=standing,
        words=valued(_("no leader on the board"), _("a leader on the board")),
        worth=0.6,
        is_placed=True,
        other=alone(NOT_ONE),
        gone=_("no leader on the board any more"),
    ),
    Idea(
        "elementals",
        _("elementals in reach"),
        measure=friends,
        words=counted(
            _("no elemental within reach"), _("one elemental within reach"), _("{n} elementals within reach")
        ),
        worth=0.5,
        places=friends_places,
        other=alone(NONE_AT_ALL),
        gone=_("no elemental within reach any more"),
    ),
    Idea(
        "ready",
        _("squares ready to be taken"),
        measure=ready,
        words=counted(
            _("no square ready to be taken"), _("one square ready to be taken"), _("{n} squares ready to be taken")
        ),
        worth=0.4,
        places=ready_places,
        other=alone(NONE_AT_ALL),
        gone=_("no square any more that is ready to be taken"),
    ),
    Idea(
        "soon",
        _("squares that can soon be taken"),
        measure=soon,
        words=counted(
            _("no majority on squares with only one empty neighbour"),
            _("one majority on a square with only one empty neighbour"),
            _("{n} majorities on squares with only one empty neighbour"),
        ),
        worth=0.15,
        places=soon_places,
        other=alone(NONE),
        gone=_("no majority any more on squares with only one empty neighbour"),
    ),
    Idea(
        "later",
        _("majorities on open squares"),
        measure=later,
        words=counted(
            _("no majority on wide-open squares"),
            _("one majority on a wide-open square"),
            _("{n} majorities on wide-open squares"),
        ),
        worth=0.1,
        other=alone(NONE),
        gone=_("no majority on wide-open squares any more"),
    ),
    Idea(
        "hand",
        _("numbers on revealed markers"),
        measure=hand,
        words=valued(_("nothing on the revealed markers"), _("a total of {n} on the revealed markers")),
        worth=0.03,
        other=alone(_("nothing")),
        gone=_("nothing on the revealed markers any more"),
    ),
)

DANGERS = ("wins", "conquests", "claims", "silenced")
