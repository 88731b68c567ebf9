"""What a player may ask for beside moves. Each command looks at the table and returns an event or refuses."""

from __future__ import annotations

from collections.abc import Callable

from empedocles import agents
from empedocles.core.kernel import CHANCE
from empedocles.server.domain.events import (
    PERSON,
    Agreed,
    Claimed,
    Consented,
    Declined,
    Event,
    Offer,
    Offered,
    RanOutOfTime,
    Replaced,
    Resigned,
    TookBack,
)
from empedocles.server.domain.moments import now
from empedocles.server.domain.presence import Seen
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import OVER, WAITING, Table

NOT_BEGUN = "the match has not begun: seats are open, or the shuffle is not over"
REPLACEMENT = "level-3"  # takes over for a player who is gone


def decide(table: Table, player: str, number: int, kind: str, text: str, seen: Seen) -> Event | None:
    """The event that a command leads to; None if this very request was granted before."""
    if kind not in COMMANDS:
        raise Refused("unknown-command", f"unknown command {kind!r}: there are {', '.join(COMMANDS)}")
    if _was_done(table, player, number, kind):
        return None
    mine = seats_of(table, player)
    if table.status == OVER:
        raise Refused("over", "the match is over")
    if table.status == WAITING:
        raise Refused("waiting", NOT_BEGUN)
    check_number(table, number)
    return COMMANDS[kind](table, mine, text, seen)


def seats_of(table: Table, player: str) -> list[int]:
    if not (mine := table.owned(player)):
        raise Refused("not-seated", "only players at this table can do that")
    return mine


def check_number(table: Table, number: int) -> None:
    if number != table.number:
        raise Refused("late", "the game has moved on in the meantime", number=table.number)


def _resign(table: Table, mine: list[int], _text: str, _seen: Seen) -> Event:
    mover = table.match.to_move
    loser = mover if mover is not None and mover in mine else mine[0]
    return drop_out(table, Resigned(loser))


def drop_out(table: Table, lost: Resigned | RanOutOfTime) -> Event:
    """The event when a seat loses: if others still play against each other, a bot takes it over and they play on."""
    if table.goes_on_without(lost.seat):
        return Replaced(lost.seat, REPLACEMENT, table.seats[lost.seat].owner)
    return lost


def _take_back(table: Table, mine: list[int], _text: str, _seen: Seen) -> Event:
    """Take back at once if nobody else plays; otherwise ask, unless chance has decided something since."""
    if table.offers.get("back", mine[0]) not in mine:
        return _agreed(table, mine, "back", TookBack(mine[0], table.asked))
    ply = _ply_before(table, mine)
    if not _others(table, mine):
        return TookBack(mine[0], ply)
    _check_not_asked(table, mine, "back")
    if any(seat == CHANCE for seat, _ in list(table.match.history())[ply:]):
        raise Refused("revealed", "that move cannot be taken back: chance has decided something since")
    return Offered(mine[0], "back", ply)


def _draw(table: Table, mine: list[int], _text: str, _seen: Seen) -> Event:
    """Offer a draw, or accept another player's offer."""
    if not _others(table, mine):
        raise Refused("no-person", "bots do not accept draws")
    if len(set(table.sides())) > 2:
        raise Refused("no-draw", "only two sides can agree on a draw")
    if table.offers.get("draw", mine[0]) not in mine:
        return _agreed(table, mine, "draw", Agreed(mine[0]))
    _check_not_asked(table, mine, "draw")
    return Offered(mine[0], "draw")


def _agreed(table: Table, mine: list[int], what: Offer, event: Event) -> Event:
    """The event that all have agreed to; or this player's consent, while others have yet to answer."""
    asker = {table.seats[table.offers[what]].owner}
    if table.seats[mine[0]].owner in table.consents:
        raise Refused("agreed", "you have already agreed; the others have not answered yet")
    if _others(table, mine) - asker - table.consents:
        return Consented(mine[0], what)
    return event


def _check_not_asked(table: Table, mine: list[int], what: str) -> None:
    """Refuse to ask again: that would discard the others' consent."""
    if what in table.offers and table.offers[what] in mine:
        raise Refused("asked", "you have already asked; the others have not answered yet")


def _decline(table: Table, mine: list[int], text: str, _seen: Seen) -> Event:
    what = next((offer for offer in table.offers if offer == text), None)
    if what is None:
        raise Refused("no-offer", f"there is no offer {text!r}: there are {', '.join(table.offers) or 'none'}")
    return Declined(mine[0], what)


def _claim(table: Table, mine: list[int], _text: str, seen: Seen) -> Event:
    if len(set(table.sides())) > 2:
        raise Refused("no-claim", "a win can be claimed only between two sides: let a bot take over instead")
    return Claimed(_gone(table, mine, seen))


def _bot(table: Table, mine: list[int], text: str, seen: Seen) -> Event:
    """Let a bot take the seat of a player who is gone."""
    agents.need(text or REPLACEMENT, table.game)
    return Replaced(_gone(table, mine, seen), text or REPLACEMENT)


COMMANDS: dict[str, Callable[[Table, list[int], str, Seen], Event]] = {
    "resign": _resign,
    "back": _take_back,
    "draw": _draw,
    "decline": _decline,
    "claim": _claim,
    "bot": _bot,
}
Granted = Resigned | Replaced | TookBack | Offered | Consented | Agreed | Declined | Claimed
GRANTED: dict[str, tuple[type[Granted], ...]] = {  # the events that a command may lead to
    "resign": (Resigned, Replaced),
    "back": (TookBack, Offered, Consented),
    "draw": (Agreed, Offered, Consented),
    "decline": (Declined,),
    "claim": (Claimed,),
    "bot": (Replaced,),
}


def _was_done(table: Table, player: str, number: int, kind: str) -> bool:
    if number >= table.number or not isinstance(done := table.log[number].event, GRANTED[kind]):
        return False
    mine = table.owned(player)
    if kind in ("claim", "bot"):  # these name the absent player's seat
        return bool(mine)
    if isinstance(done, Replaced) and done.player == player:
        return True  # after resigning among three, the player no longer sits there
    return done.seat in mine


def _others(table: Table, mine: list[int]) -> set[str]:
    """The other people at a table."""
    return table.people - {table.seats[mine[0]].owner, ""}


def _gone(table: Table, mine: list[int], seen: Seen) -> int:
    """The seat to move, if its player is gone."""
    mover = table.match.to_move
    if mover is None or mover in mine or table.seats[mover].kind != PERSON:
        raise Refused("not-gone", "nobody is being waited for")
    left = seen.gone_in(table, now())
    if left is None or left > 0:
        raise Refused("not-gone", f"the player was here less than {seen.abandoned:g} s ago")
    return mover


def _ply_before(table: Table, mine: list[int]) -> int:
    """The ply of these seats' last decision; if another seat is to move, the ply where that whole turn began."""
    match = table.match
    for ply, (seat, _) in reversed(list(enumerate(match.history()))):
        if seat in mine:
            return ply if match.to_move in mine else match.turn(ply + 1)
    raise Refused("nothing-to-undo", "you have not moved yet")
