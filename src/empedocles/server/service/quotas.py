"""How many players, tables, open tables and reports a visitor may create in the database."""

from __future__ import annotations

from collections import OrderedDict

from fastapi import Request

from empedocles.server.domain.events import Seat
from empedocles.server.domain.refusals import Refused
from empedocles.server.limits.budgets import MOST_KNOWN, Allowance, household_of
from empedocles.server.settings import Settings
from empedocles.server.storage.store import Store

PLAYERS_OF_A_HOUSEHOLD = 5  # a household may open as many tables as this many players
REPORTS, REPORTS_BURST = 20.0, 10.0  # of puzzles, from one household: per hour in the long run, and at once
WAIT = 60.0  # seconds: by then, somebody may have sat down


class Quotas:
    def __init__(self, settings: Settings, store: Store) -> None:
        self._store = store
        self._players = Allowance(settings.players / 3600, settings.players_burst)
        self._tables = Allowance(settings.tables / 3600, settings.tables_burst)
        self._reports = Allowance(REPORTS / 3600, REPORTS_BURST)
        share = PLAYERS_OF_A_HOUSEHOLD
        self._of_household = Allowance(share * settings.tables / 3600, share * settings.tables_burst)
        self._open, self._open_in_all = settings.open_tables, settings.open_tables_in_all
        self._opened: OrderedDict[str, list[str]] = OrderedDict()  # by household: no address is kept in the database

    def player(self, request: Request) -> None:
        """Refuse a new player if there have been too many."""
        if wait := self._players.take(household_of(request)):
            raise Refused("too-many-players", "too many new players from your network: try again later", retry=wait)

    def table(self, request: Request, player: str) -> None:
        """Refuse a new table if there have been too many."""
        if wait := self._tables.take(player) or self._of_household.take(household_of(request)):
            raise Refused("too-many-tables", "you have opened too many tables: try again later", retry=wait)

    def report(self, request: Request) -> None:
        """Refuse another report of a puzzle if there have been too many."""
        if wait := self._reports.take(household_of(request)):
            raise Refused("too-many-reports", "you have reported many puzzles: try again later", retry=wait)

    async def open(self, request: Request, player: str, seats: list[Seat]) -> None:
        """Refuse a table with a seat open to anyone if too many of this visitor's are still waiting."""
        if not any(seat.is_public for seat in seats):
            return
        waiting = len(await self._store.open_tables(player))
        if waiting >= self._open or await self._waiting(household_of(request)) >= self._open_in_all:
            message = "too many of your tables are waiting for players: wait until they fill up, or delete one"
            raise Refused("too-many-open", message, retry=WAIT)

    async def _waiting(self, household: str) -> int:
        opened = self._opened.get(household, [])
        if len(opened) >= self._open_in_all:  # otherwise there is no need to look
            opened[:] = await self._store.still_open(opened)
        return len(opened)

    def opened(self, request: Request, match: str, seats: list[Seat]) -> None:
        """Remember a table with a seat open to anyone."""
        if any(seat.is_public for seat in seats):
            name = household_of(request)
            self._opened.setdefault(name, []).append(match)
            self._opened.move_to_end(name)
            while len(self._opened) > MOST_KNOWN:
                self._opened.popitem(last=False)
