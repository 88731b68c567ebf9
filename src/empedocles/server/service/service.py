"""What people, bots and programs may do at tables. Every interface — pages, API, WebSockets, bots — uses this.

A request names the number of the entry that it wants to write. If that entry already exists, a repeated request gets
the same answer as the first, and a late one is refused: nothing happens twice.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

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
WAY = 12  # plies: an engine's view of a position this soon after the one being played would still help


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Fitting(NamedTuple):
    level: int  # of the bot
    seat: int  # of the player
    played: int  # matches against bots so far, as far as it matters


class Service(Presence):
    # ── Players ──

    async def new_player(self, name: str) -> tuple[str, str]:
        """Create a player; returns id and token. We store only the token's digest."""
        player, token = new_id(), secrets.token_urlsafe(TOKEN_BYTES)
        await self.store.add_player(player, digest(token), names.checked(name))
        return player, token

    async def player(self, token: str) -> tuple[str, str] | None:
        """The id and name of the player with a token; refused if they are banned."""
        found = await self.store.player_with(digest(token)) if token else None
        if found:
            self.bans.check(player=found[0])
        return found

    async def renew_token(self, player: str, token: str) -> str:
        """Give a player a new token; the old one becomes invalid everywhere."""
        new = secrets.token_urlsafe(TOKEN_BYTES)
        await self._revoke(player, digest(token), digest(new))
        return new

    async def _revoke(self, player: str, old: str, new: str, **more: Any) -> None:
        if not await self.store.change_token(player, old, new, **more):
            raise Refused("no-player", "this token has been revoked in the meantime")
        self.doubt(old)

    async def forget_player(self, player: str) -> int:
        """Delete a player's data; returns the number of tables. Their opponents keep the moves, but not the name."""
        await self._revoke(player, await self.store.token(player), f"{GONE}{player}", name="")
        return await self.finish_forgetting(player)

    async def finish_forgetting(self, player: str) -> int:
        """Safe to repeat, also by several processes: one of them may have been killed in the middle."""
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
        """Resign a match that is not over: the others win, or play on against a bot."""
        while (table := await self.latest(match)).status == PLAYING and table.owned(player):
            try:
                await self.command(player, match, table.number, "resign")
            except Refused as refused:
                if refused.code not in ("late", "over"):  # the game has moved on: try again
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
        """Open a table; returns it, and the secrets of the links to its invited seats."""
        invites = {number: secrets.token_urlsafe(TOKEN_BYTES) for number, seat in enumerate(seats) if seat.invite}
        known = [replace(seat, invite=digest(invites[k])) if k in invites else seat for k, seat in enumerate(seats)]
        table = new_table(player, game, options, known, clock or Clock(), listed, start)
        if start and any(seat.kind == BOT for seat in seats):
            await self.check_help(table.match)  # a bot's move would be help
        await self._add(table)
        return table, invites

    async def import_record(self, player: str, script: Script) -> Table:
        """Turn a match played elsewhere into a table: to review, to share, and to play on if it is not over."""
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
        """Take an open seat: the one that the link is for, or any."""
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
        """Tables in memory where all are seated but nothing is dealt yet."""
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
            table.match.position.action(move)  # raises unless it is exactly one move
            assert table.match.to_move is not None
            return Moved(table.match.to_move, move)

        await self.flag(match)
        return await self._write(match, decide)

    async def bot_plays(self, match: str, number: int, move: str) -> Table:
        """Play a bot's move, unless the table has moved on in the meantime."""

        def decide(table: Table) -> Event | None:
            if table.number != number or not table.bot_is_due:
                return None
            assert table.match.to_move is not None
            return Moved(table.match.to_move, move)

        return await self._write(match, decide)

    async def command(self, player: str, match: str, number: int, kind: str, text: str = "") -> Table:
        """Anything else: resign, offer or accept a draw or a take-back, decline, claim, let a bot take over."""
        await self.flag(match)
        if kind in ("claim", "bot"):  # another process may have seen the other player
            self._heard(await self.store.seen(now() - FORGET, match))
        return await self._write(match, lambda table: commands.decide(table, player, number, kind, text, self.seen))

    async def flag(self, match: str) -> None:
        """Let the seat to move lose if it has no time left."""

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
        """Refuse help with a position that people are playing against each other, or that may soon follow from it."""
        way = await asyncio.to_thread(fingerprints, match.positions()[-WAY - 1 :])
        if await self.store.is_contested(way):
            raise being_played()

    # ── Opponents ──

    async def fitting(self, player: str, game: Game, first: int = NEWCOMERS) -> Fitting:
        """What fits a player's next match of a game against bots; `first` is the level of the first opponent.

        After a win the level goes up by one, after a loss down by one; seats rotate.
        """
        hardest = max(1, len(opponents.names(game)))
        played = await self.store.against_bots(player, game.name)
        async for table in self.tables(played):
            mine = table.owned(player)
            met = max((opponents.level(game, seat.agent) or 0 for seat in table.seats if seat.kind == BOT), default=0)
            if met and mine:
                change = 0 if not table.winners else 1 if table.winners & set(mine) else -1
                return Fitting(min(max(met + change, 1), hardest), (mine[0] + 1) % game.seats[0], len(played))
        return Fitting(min(first, hardest), 0, len(played))

    # ── Afterwards ──

    async def rematch(self, player: str, match: str) -> Table:
        """Open the same table again with seats exchanged; other people's seats are kept until they ask for it too."""
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
            if table.next != again.id:  # somebody else was faster
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
        """Delete a match, or only the player's part if others sit there. Before the start, the seat becomes free."""
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
        """Delete a table that nobody has touched since; returns whether it existed."""
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
    """The fingerprints of all positions in which somebody decides; slow for a long match."""
    return frozenset(fingerprint(position) for position in positions if position.to_move != CHANCE)


def being_played() -> Refused:
    return Refused("being-played", "people are playing this position: the engine will not help until they move on")
