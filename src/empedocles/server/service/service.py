"""What people, bots and programs may do at tables. Every interface — pages, API, WebSockets, bots — comes through here.

A request names the number of the entry that it wants to write. If that entry exists already, a repeated request is
answered as the first one was, and a late one is refused: nothing happens twice.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from empedocles.core.kernel import CHANCE
from empedocles.game import Game
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.server.domain import admission, commands, names, opponents, shuffles, turns
from empedocles.server.domain.events import (
    BOT,
    PERSON,
    Event,
    Joined,
    Moved,
    RanOutOfTime,
    Rematched,
    Seat,
)
from empedocles.server.domain.fingerprints import fingerprint
from empedocles.server.domain.moments import now
from empedocles.server.domain.openings import imported_table, new_id, new_table, seated_again
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.scripts import Script
from empedocles.server.domain.table import OVER, PLAYING, WAITING, Clock, Table
from empedocles.server.service.presence import FORGET, Presence
from empedocles.server.storage.news import DELETED
from empedocles.server.storage.players import GONE

TOKEN_BYTES = 24
NEWCOMERS = 2  # the level of their first opponent
MOST_FORGOTTEN = 100_000  # tables of one player
WAY = 12  # plies after a position that people play in which an engine could still tell them what to do in it


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Service(Presence):
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
            raise Refused("no-player", "this token has been revoked in the meantime")
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

    async def import_record(self, player: str, script: Script) -> Table:
        """A match played elsewhere as a table of one's own: to look at, to share, and to play on if it is not over."""
        table = await asyncio.to_thread(imported_table, player, script)
        await self._add(table)
        return table

    # ── Sitting down ──

    async def join(
        self,
        player: str,
        name: str,
        match: str,
        seat: int | None = None,
        invite: str = "",
        shuffles: bool = False,
    ) -> Table:
        """Take an open seat: that of a link, or any one."""
        link = digest(invite) if invite else ""
        sitting = Seat(PERSON, names.checked(name), owner=player, invite=link, shuffles=shuffles)

        def decide(table: Table) -> Event | None:
            if kept := table.kept_for(player):
                return Joined(seat if seat in kept else kept[0], sitting)
            if table.owned(player) and (not invite or admission.came_by(table, player, sitting.invite)):
                return None
            return Joined(admission.free_seat(table, seat, sitting.invite), sitting)

        return await self._write(match, decide)

    # ── Deciding chance ──

    async def commit(self, player: str, match: str, value_digest: str) -> Table:
        return await self._write(match, lambda table: shuffles.commit(table, player, value_digest))

    async def open_value(self, player: str, match: str, value: str) -> Table:
        return await self._write(match, lambda table: shuffles.open_value(table, player, value))

    def shuffling(self) -> list[str]:
        """Tables in memory at which all are seated, and nothing is dealt yet."""
        return [match for match, table in self._tables.items() if table.status == WAITING and table.is_full]

    async def cancel_overdue(self, match: str) -> None:
        def decide(table: Table) -> Event | None:
            return shuffles.overdue(table, self.seen, now())

        if decide(await self.table(match)):
            await self._write(match, decide)

    # ── Playing ──

    async def play(self, player: str, match: str, number: int, move: str) -> Table:
        def decide(table: Table) -> Event | None:
            if turns.was_played(table, player, number, move):
                return None
            turns.check_turn(table, player, number)
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
            if not turns.is_out_of_time(table):
                return None
            assert table.match.to_move is not None
            return commands.drop_out(table, RanOutOfTime(table.match.to_move))

        if turns.is_out_of_time(await self.table(match)):
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
            kept = rematch.seats[seat]
            rematch = await self.join(player, kept.name, rematch.id, seat, shuffles=kept.shuffles)
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
                if admission.others_at(table, player):
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

    async def _leave(self, player: str, match: str) -> None:
        table = await self.table(match)
        for seat in table.owned(player):
            await self._write(match, functools.partial(admission.leaving, player=player, seat=seat))
        await self.store.disown(match, player)
        self._drop(match)


def fingerprints(positions: Iterable[Position]) -> frozenset[str]:
    """Of all positions in which somebody decides. Of a long match, that takes a while."""
    return frozenset(fingerprint(position) for position in positions if position.to_move != CHANCE)


def being_played() -> Refused:
    return Refused("being-played", "people are playing this position: the engine will not help until they move on")
