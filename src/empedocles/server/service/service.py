"""What people, bots and programs may do at tables. Every interface — pages, API, WebSockets, bots — comes through here.

A request names the number of the entry that it wants to write. If that entry exists already, a repeated request is
answered as the first one was, and a late one is refused: nothing happens twice.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import hmac
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy.exc import SQLAlchemyError

from empedocles.errors import EmpedoclesError
from empedocles.game import Game
from empedocles.kernel import CHANCE
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.server.domain import commands, names, opponents
from empedocles.server.domain.events import (
    BOT,
    OPEN,
    PERSON,
    Entry,
    Event,
    Joined,
    Left,
    Moved,
    RanOutOfTime,
    Rematched,
    Seat,
)
from empedocles.server.domain.moments import now
from empedocles.server.domain.openings import imported_table, new_id, new_table, seated_again
from empedocles.server.domain.presence import ABANDONED, Seen
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.scripts import Script
from empedocles.server.domain.table import OVER, PLAYING, WAITING, Clock, Table, fingerprint
from empedocles.server.limits.bans import Bans
from empedocles.server.storage.news import DELETED, REVOKED
from empedocles.server.storage.store import GONE, Store, Taken

MOST_TABLES = 2000  # kept in memory; the others are in the database
MOST_PLIES = 60_000  # of all those: each is a kilobyte or two
TOKEN_BYTES = 24
NEWCOMERS = 2  # the level of their first opponent
FORGET = 3600.0  # seconds after which it does not matter any more when somebody was connected
SIGNS = 10.0  # seconds between two signs of life that other processes are told of
MOST_FORGOTTEN = 100_000  # tables of one player
WAY = 12  # plies after a position that people play in which an engine could still tell them what to do in it
RECENT = 60.0  # seconds: more than processes need to tell each other who is connected
ID = re.compile(r"[A-Za-z0-9_-]{1,24}")

log = logging.getLogger(__name__)

Decide = Callable[[Table], Event | None]


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Service:
    def __init__(
        self,
        store: Store,
        tell: Callable[[str, int], None] = lambda _match, _number: None,
        abandoned: float = ABANDONED,
        most_plies: int = MOST_PLIES,
        doubt: Callable[[str], None] = lambda _digest: None,
    ) -> None:
        """`tell` hears of each entry that this process has written or taken in, `doubt` of tokens that were revoked."""
        self.store, self.tell, self.doubt = store, tell, doubt
        self.written: Callable[[str], None] = lambda _kind: None  # hears of each entry that this process has written
        self.bans = Bans(store.bans)
        self.most_plies, self.plies = most_plies, 0  # of tables in memory, about
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._outdated: set[str] = set()  # of those, what something has happened to meanwhile
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # only those that are in use
        self.seen = Seen(abandoned)
        self._told: dict[tuple[str, int], float] = {}  # what of that other processes know from this one

    # ── Players ──

    async def new_player(self, name: str) -> tuple[str, str]:
        """Id and token of a new player. The token is theirs to keep; we keep a digest."""
        player, token = new_id(), secrets.token_urlsafe(TOKEN_BYTES)
        await self.store.add_player(player, digest(token), names.checked(name))
        return player, token

    async def player(self, token: str) -> tuple[str, str] | None:
        """Who has a token; refused, if they are banned."""
        found = await self.store.find_player(digest(token)) if token else None
        if found:
            self.bans.check(player=found[0])
        return found

    async def renew_token(self, player: str, token: str) -> str:
        """Another token for a player; the one until now, wherever it is, is worth nothing any more."""
        new = secrets.token_urlsafe(TOKEN_BYTES)
        await self._revoke(player, digest(token), digest(new))
        return new

    async def _revoke(self, player: str, old: str, new: str, **more: Any) -> None:
        if not await self.store.change_token(player, old, new, **more):
            raise Refused("no-player", "this token was revoked meanwhile")
        self.doubt(old)

    async def forget_player(self, player: str) -> int:
        """All that is kept of a player: how many tables. Those they played against keep the moves, but no name."""
        await self._revoke(player, await self.store.token(player), f"{GONE}{player}", name="")
        return await self.finish_forgetting(player)

    async def finish_forgetting(self, player: str) -> int:
        """May be done again, and by several processes: one of them may have been ended in the middle."""
        alone = await self.store.delete_alone(player)
        for match in alone:
            self._drop(match)
            self.tell(match, DELETED)
        async for table in self.tables(await self.store.of_player(player, MOST_FORGOTTEN, over=False)):
            await self._give_up(player, table.id)
        for match in await self.store.leave_all(player):
            self._drop(match)
            self.tell(match, DELETED)
        await self.store.remove_player(player)
        return len(alone)

    async def _give_up(self, player: str, match: str) -> None:
        """A match that others have not finished: those who play on have won, or go on against a bot."""
        while (table := await self.latest(match)).status == PLAYING and table.owned(player):
            try:
                await self.command(player, match, table.number, "resign")
            except Refused as refused:
                if refused.code not in ("late", "over"):  # something has happened meanwhile
                    raise
        if table.status == WAITING:
            await self._leave(player, match)

    # ── Tables ──

    async def table(self, match: str) -> Table:
        """As this process knows it. A table that somebody has got never changes: what happens makes another one."""
        if match in self._tables:
            self._tables.move_to_end(match)
            return self._tables[match]
        if match not in self._loading:
            self._loading[match] = loading = asyncio.create_task(self._load(match))
            loading.add_done_callback(_heed)
        return await asyncio.shield(self._loading[match])  # others may wait for it too

    async def _load(self, match: str) -> Table:
        """From the database, once more if there was news of it meanwhile: what was read may be older than that."""
        try:
            while True:
                self._outdated.discard(match)
                found = await self.store.load(match) if ID.fullmatch(match) else None
                if found is None:
                    raise Refused("no-match", f"there is no match {match!r}")
                if match not in self._outdated:
                    return self._keep(found)
        finally:
            del self._loading[match]

    def _drop(self, *matches: str) -> None:
        """Do not answer from memory any more."""
        for match in matches:
            self._tables.pop(match, None)
        self._outdated |= self._loading.keys() & set(matches)

    async def tables(self, matches: Iterable[str]) -> AsyncIterator[Table]:
        """Tables of a list, without those that cannot be loaded: one such must not hide the others."""
        for match in matches:
            try:
                table = await self.table(match)
            except (SQLAlchemyError, OSError):  # of the database: no table can be loaded
                raise
            except Exception as error:  # deleted meanwhile, of a game not installed, or of another version
                log.warning("the match %s is left out of a list: %r", match, error)
                continue
            yield table

    async def latest(self, match: str) -> Table:
        """With what other processes have written up to now; news of it may still be on their way."""
        async with self._lock(match):
            await self._catch_up(await self.table(match))
            return await self.table(match)

    def _keep(self, table: Table) -> Table:
        """The newest version of a table that is known here; who loaded one slowly may come with an older."""
        if (known := self._tables.get(table.id)) is None or known.number < table.number:
            self._tables[table.id] = table
            self.plies += table.weight - (known.weight if known else 0)
        self._tables.move_to_end(table.id)
        if self.plies > self.most_plies:  # it seems: tables may have been dropped
            self.plies = sum(one.weight for one in self._tables.values())
        while len(self._tables) > 1 and (len(self._tables) > MOST_TABLES or self.plies > self.most_plies):
            self.plies -= self._tables.popitem(last=False)[1].weight
        return self._tables[table.id]

    def _lock(self, match: str) -> asyncio.Lock:
        return self._locks.setdefault(match, asyncio.Lock())

    async def create(
        self,
        player: str,
        game: str,
        options: dict[str, Any],
        seats: list[Seat],
        clock: Clock | None = None,
        listed: bool = True,
        start: str = "",
    ) -> tuple[Table, dict[int, str]]:
        """A new table, and the secrets of the links to its seats that wait for somebody invited."""
        invites = {number: secrets.token_urlsafe(TOKEN_BYTES) for number, seat in enumerate(seats) if seat.invite}
        known = [replace(seat, invite=digest(invites[k])) if k in invites else seat for k, seat in enumerate(seats)]
        table = new_table(player, game, options, known, clock or Clock(), listed, start)
        if start and any(seat.kind == BOT for seat in seats):
            await self.check_help(table.match)  # a bot's move is help
        await self._add(table)
        return table, invites

    async def _add(self, table: Table) -> None:
        await self.store.add(table)
        self._keep(table)
        self.tell(table.id, 0)

    async def import_record(self, player: str, script: Script) -> Table:
        """A match played elsewhere as a table of one's own: to look at, to share, and to play on if it is not over."""
        table = await asyncio.to_thread(imported_table, player, script)
        await self._add(table)
        return table

    async def changed(self, match: str, number: int, entry: Entry | None) -> None:
        """A process has written an entry, maybe this one; or has deleted the match."""
        if number == REVOKED:
            self.doubt(match)
        elif number == DELETED:
            self._gone(match)
        elif match not in self._tables:
            self._drop(match)
            self.tell(match, number)
        elif self._tables[match].number <= number:
            async with self._lock(match):
                await self._take_in(match, number, entry)

    async def _take_in(self, match: str, number: int, entry: Entry | None) -> None:
        table = self._tables.get(match)
        if table is None or table.number > number:
            return
        if entry is None or table.number < number:
            await self._catch_up(table)
        else:
            self._keep(table.after(entry))
            self.tell(match, number)

    async def _catch_up(self, table: Table) -> bool:
        """Whether others had written something."""
        newer = self._keep(await self.store.refreshed(table))
        for number in range(table.number, newer.number):
            self.tell(table.id, number)
        return newer.number > table.number

    def known(self) -> list[str]:
        """Matches in memory."""
        return list(self._tables)

    def forget(self) -> None:
        """News may have been missed: read every table again when it is wanted."""
        self._drop(*self._tables, *self._loading)

    async def _write(self, match: str, decide: Decide) -> Table:
        """Let `decide` say, from the table as it is, what happens; None if it has happened already."""
        writing = asyncio.create_task(self._written(match, decide))
        writing.add_done_callback(_heed)
        # Who hangs up in the middle must not leave this process behind what the database holds.
        return await asyncio.shield(writing)

    async def _written(self, match: str, decide: Decide) -> Table:
        async with self._lock(match):
            while True:
                table = await self.table(match)
                try:
                    if (event := decide(table)) is None:
                        return table
                    after = table.after(Entry(table.number, now(), event))
                except EmpedoclesError:
                    if await self._catch_up(table):  # it was refused for what the table was before
                        continue
                    raise
                try:
                    await self.store.append(table, after)
                except Taken:
                    if not await self._catch_up(table):  # nobody was quicker: the match was deleted elsewhere
                        self._drop(match)
                    continue
                self._keep(after)
                self.written(event.kind)
                self.tell(match, table.number)
                return after

    # ── Sitting down ──

    async def join(self, player: str, name: str, match: str, seat: int | None = None, invite: str = "") -> Table:
        """Take an open seat: that of a link, or any one."""
        sitting = Seat(PERSON, names.checked(name), owner=player, invite=digest(invite) if invite else "")

        def decide(table: Table) -> Event | None:
            if kept := table.kept_for(player):
                return Joined(seat if seat in kept else kept[0], sitting)
            if table.owned(player) and (not invite or _came_by(table, player, sitting.invite)):
                return None
            return Joined(_free_seat(table, seat, sitting.invite), sitting)

        return await self._write(match, decide)

    # ── Playing ──

    async def play(self, player: str, match: str, number: int, move: str) -> Table:
        def decide(table: Table) -> Event | None:
            if _was_played(table, player, number, move):
                return None
            _check_turn(table, player, number)
            table.match.position.action(move)  # one move and no more, or it says so
            assert table.match.to_move is not None
            return Moved(table.match.to_move, move)

        await self.flag(match)
        return await self._write(match, decide)

    async def bot_plays(self, match: str, number: int, move: str) -> Table:
        """A bot's move, unless the table has gone on meanwhile."""

        def decide(table: Table) -> Event | None:
            if table.number != number or not table.bot_is_due:
                return None
            assert table.match.to_move is not None
            return Moved(table.match.to_move, move)

        return await self._write(match, decide)

    async def command(self, player: str, match: str, number: int, kind: str, text: str = "") -> Table:
        """Anything else: resign, offer or accept a draw or a take-back, decline, claim, let a bot play on."""
        await self.flag(match)
        if kind in ("claim", "bot"):  # another process may know when the other was seen
            self._heard(await self.store.seen(now() - FORGET, match))
        return await self._write(match, lambda table: commands.decide(table, player, number, kind, text, self.seen))

    async def flag(self, match: str) -> None:
        """The seat to move loses if it has no time left."""

        def decide(table: Table) -> Event | None:
            if not _is_out_of_time(table):
                return None
            assert table.match.to_move is not None
            return commands.drop_out(table, RanOutOfTime(table.match.to_move))

        if _is_out_of_time(await self.table(match)):
            await self._write(match, decide)

    def timed(self) -> list[str]:
        """Tables in memory whose clocks run."""
        return [match for match, table in self._tables.items() if table.clock.counts and table.status == PLAYING]

    # ── Fair play ──

    async def check_help(self, match: Match) -> None:
        """No engine helps with a position that people play against each other now, nor with what may follow from it."""
        way = await asyncio.to_thread(fingerprints, match.positions()[-WAY - 1 :])
        if await self.store.is_contested(way):
            raise being_played()

    # ── Who is there ──

    def saw(self, table: Table, player: str) -> None:
        """A player has given a sign of life, by a connection or by asking."""
        for seat in table.owned(player):
            self.seen[table.id, seat] = now()

    async def share_presence(self) -> None:
        """Tell other processes who is connected to this one, and hear from them."""
        moment = now()
        for seat in [seat for seat, at in self.seen.items() if at < moment - FORGET]:
            del self.seen[seat]
            self._told.pop(seat, None)
        fresh = [seat for seat in self.seen.connected() if self.seen[seat] > self._told.get(seat, 0.0) + SIGNS]
        if fresh:
            await self.store.saw(fresh, moment)
            self._told |= dict.fromkeys(fresh, moment)
        self._heard(await self.store.seen(moment - RECENT))

    def _heard(self, seen: dict[tuple[str, int], float]) -> None:
        for seat, at in seen.items():
            if at > self.seen.get(seat, 0.0) and at != self._told.get(seat):
                self.seen[seat] = self._told[seat] = at

    # ── Opponents ──

    async def fitting(self, player: str, game: Game) -> tuple[int, int]:
        """The level of a bot for a player's next match of a game, and the player's own seat in it.

        Who won the last one meets the next level, and who lost the one before; seats go round.
        """
        hardest = max(1, len(opponents.names(game)))
        played = await self.store.against_bots(player, game.name)
        async for table in self.tables(played):
            mine = table.owned(player)
            met = max((opponents.level(game, seat.agent) or 0 for seat in table.seats if seat.kind == BOT), default=0)
            if met and mine:
                change = 0 if not table.winners else 1 if table.winners & set(mine) else -1
                return min(max(met + change, 1), hardest), (mine[0] + 1) % game.seats[0]
        return min(NEWCOMERS, hardest), 0

    # ── Afterwards ──

    async def rematch(self, player: str, match: str) -> Table:
        """The same table again with the seats exchanged, where other people's are kept until they ask for it too."""
        table = await self.latest(match)
        mine = commands.seats_of(table, player)
        if table.status != OVER:
            raise Refused("not-over", "the match is not over")
        seats = [seated_again(seat, player) for seat in (*table.seats[1:], table.seats[0])]
        again = new_table(
            player, table.game.name, table.match.options, seats, table.clock, table.listed, table.match.start.text
        )
        gone = "" if await self._exists(table.next) else table.next

        def decide(table: Table) -> Event | None:
            there_is_one = table.next and table.next != gone
            return None if there_is_one else Rematched(mine[0], again.id)

        if table.next in (None, gone):
            await self._add(again)
            table = await self._write(match, decide)
            if table.next != again.id:  # somebody else was quicker
                await self.store.remove(again.id)
                self._gone(again.id)
        rematch = await self.latest(table.next or "")
        for seat in rematch.kept_for(player):
            rematch = await self.join(player, rematch.seats[seat].name, rematch.id, seat)
        return rematch

    async def _exists(self, match: str | None) -> bool:
        try:
            return bool(await self.table(match or ""))
        except Refused:
            return False

    async def delete(self, player: str, match: str) -> None:
        """Forget a match; for oneself alone, if others are there too. A seat becomes free before all are taken."""
        if not await self._delete_if_alone(player, match):
            await self._leave(player, match)

    async def _delete_if_alone(self, player: str, match: str) -> bool:
        async with self._lock(match):
            while True:
                await self._catch_up(await self.table(match))
                table = await self.table(match)
                if _others_at(table, player):
                    return False
                done = await self.store.delete(table)
                self._drop(match)
                if done:
                    self._gone(match)
                    return True

    async def expire(self, match: str, touched: float) -> bool:
        """Delete a table that nobody has touched since; whether it was there."""
        async with self._lock(match):
            done = await self.store.expire(match, touched)
            if done:
                self._gone(match)
            return done

    def _gone(self, match: str) -> None:
        """A match was deleted: whoever reads it is told, and nothing of it stays in memory."""
        self._drop(match)
        self.seen.forget(match)
        self._told = {place: at for place, at in self._told.items() if place[0] != match}
        self.tell(match, DELETED)

    async def _leave(self, player: str, match: str) -> None:
        table = await self.table(match)
        for seat in table.owned(player):
            await self._write(match, functools.partial(_leaving, player=player, seat=seat))
        await self.store.disown(match, player)
        self._drop(match)


def fingerprints(positions: Iterable[Position]) -> frozenset[str]:
    """Of all positions in which somebody decides. Of a long match, that takes a while."""
    return frozenset(fingerprint(position) for position in positions if position.to_move != CHANCE)


def being_played() -> Refused:
    return Refused("being-played", "people are playing this position now: no engine helps until they move on")


def _heed(task: asyncio.Task[Table]) -> None:
    """Whoever waited for it may be gone: then nobody else would hear that it failed."""
    if not task.cancelled():
        task.exception()


def _others_at(table: Table, player: str) -> set[str]:
    """Who would miss a match that a player wants to forget."""
    if player != table.creator:
        commands.seats_of(table, player)
    others = table.people - {player, ""}
    if others and table.status == PLAYING:
        raise Refused("in-progress", "others are still playing here: resign first")
    return others


def _leaving(table: Table, player: str, seat: int) -> Event | None:
    return Left(seat) if seat in table.owned(player) else None


def _came_by(table: Table, player: str, invite: str) -> bool:
    return any(seat.owner == player and hmac.compare_digest(seat.invite, invite) for seat in table.seats)


def _free_seat(table: Table, seat: int | None, invite: str) -> int:
    """Which seat somebody may take."""
    free = [k for k, one in enumerate(table.seats) if one.kind == OPEN and table.status != OVER]
    if invite:
        fits = [k for k in free if table.seats[k].invite and hmac.compare_digest(table.seats[k].invite, invite)]
        if not fits:
            raise Refused("bad-invite", "this link was used already, or is not for this table")
        return fits[0]
    public = [k for k in free if table.seats[k].is_public]
    if seat is not None and seat not in public:
        raise Refused("no-seat", f"seat {seat} cannot be taken: open are {', '.join(map(str, public)) or 'none'}")
    if not public:
        raise Refused("no-seat", "no seat is open at this table")
    return public[0] if seat is None else seat


def _check_turn(table: Table, player: str, number: int) -> None:
    mover = table.match.to_move
    if table.status == OVER:
        raise Refused("over", "the match is over")
    if table.status != PLAYING:
        raise Refused("waiting", "not all seats are taken yet")
    commands.check_number(table, number)
    if mover is None or mover == CHANCE or table.seats[mover].kind != PERSON or table.seats[mover].owner != player:
        raise Refused("not-your-turn", "it is not your turn")


def _was_played(table: Table, player: str, number: int, move: str) -> bool:
    """Whether this very request was granted before."""
    if number >= table.number or not isinstance(done := table.log[number].event, Moved):
        return False
    return done.move == move and done.seat in table.owned(player)


def _is_out_of_time(table: Table) -> bool:
    mover = table.match.to_move
    if not table.clock.counts or table.status != PLAYING or mover is None or mover == CHANCE:
        return False
    if table.seats[mover].kind == BOT and table.goes_on_without(mover):
        return False  # it could only be replaced by itself
    return table.time_left(mover, now()) <= 0
