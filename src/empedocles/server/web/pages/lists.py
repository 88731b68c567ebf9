"""Lists of tables on pages: a player's own, and the lobby, which shows those of others."""

from __future__ import annotations

import time
from collections import OrderedDict
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from empedocles.game import Game, Option
from empedocles.language import Message, translate
from empedocles.language import mark as _
from empedocles.position import Position
from empedocles.server.domain.events import OPEN, PERSON
from empedocles.server.domain.table import PLAYING, WAITING, Clock, Table
from empedocles.server.service.service import Service
from empedocles.server.web import views
from empedocles.server.web.guests import alone

FEW = 5  # tables in a list on the front page
LAST = 3  # finished ones there
SPARE = 6  # more of them, since a reader's own are left out
MANY = 100  # tables in a list of a player's own
FRESH = 2.0  # seconds for which the lobby is shown as it was read
MOST_LEVELS = 500  # players' levels that are remembered
MINUTE, DAY = 60, 24 * 3600  # seconds

Line = dict[str, Any]

# ── One's own tables ─────────────────────────────────────────────────────────────────────────────────────────────────


async def own(service: Service, player: str, limit: int, language: str, over: bool) -> list[Line]:
    """A player's tables; those that wait for their move come first."""
    found = await service.store.of_player(player, limit, over) if player else []
    shown = lines([table async for table in service.tables(found)], language, player)
    return sorted(shown, key=lambda line: not line["my_move"])


# ── The lobby ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Public(NamedTuple):
    open: list[Line]  # a seat is free
    live: list[Line]  # to watch


class Lobby:
    """Public tables, read from the database once for all visitors who look at the same time."""

    def __init__(self) -> None:
        self._read, self._tables = -FRESH, (list[Table](), list[Table]())
        self._levels: OrderedDict[tuple[str, str], int] = OrderedDict()

    async def lines(self, service: Service, player: str, language: str, fresh: bool = False) -> Public:
        """The tables with a free seat, and those to watch; without the player's own. `fresh`: as they are now."""
        if fresh or time.monotonic() - self._read >= FRESH:
            self._read = time.monotonic()
            self._tables = await self._found(service, WAITING), await self._found(service, PLAYING)
        waiting, playing = ([table for table in some if not _sits_at(table, player)][:FEW] for some in self._tables)
        levels = {table.id: await self._level(service, table) for table in waiting}
        shown = [line | {"host_level": levels[line["id"]]} for line in lines(waiting, language)]
        return Public(shown, lines(playing, language))

    async def _found(self, service: Service, status: str) -> list[Table]:
        return [table async for table in service.tables(await service.store.listed(status, FEW + SPARE))]

    async def _level(self, service: Service, table: Table) -> int:
        """The level of bots that the player who waits can hold their own against; 0 if they have met none."""
        host = next((seat.owner for seat in table.seats if seat.kind == PERSON and seat.owner), "")
        key = table.id, host
        if key not in self._levels:
            fit = await service.fitting(host, table.game) if host else None
            self._levels[key] = fit.level if fit and fit.played else 0
            if len(self._levels) > MOST_LEVELS:
                self._levels.popitem(last=False)
        return self._levels[key]


def _sits_at(table: Table, player: str) -> bool:
    return bool(table.owned(player) or table.kept_for(player))


# ── Lines ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def lines(tables: list[Table], language: str, player: str = "") -> list[Line]:
    shown = []
    for table in tables:
        with alone(table.game, "a table in a list"):
            shown.append(_line(table, language, player))
    return shown


def _line(table: Table, language: str, player: str) -> Line:
    """A table in a list. Unnamed players, as in some records, go by their seat's name."""
    line = views.summary(table, player)
    for seat, name in zip(line["seats"], table.game.seat_names(len(table.seats), language), strict=True):
        if seat["kind"] != OPEN:
            seat["name"] = seat["name"] or name
    return line | {
        "mine": table.owned(player),
        "score": views.score(table, player),
        "won": ", ".join(line["seats"][seat]["name"] for seat in line["winners"] or ()),
        "host": next((seat["name"] for seat in line["seats"] if seat["kind"] == PERSON), ""),
        "seat_names": table.game.seat_names(len(table.seats), language),
        "begun": datetime.fromtimestamp(table.created, UTC).isoformat(timespec="seconds"),
        "others": bool(table.people - {player, ""}),
        "imported": views.is_imported(table),
        "clock": clock_words(table.clock, language),
        "options": option_words(table.game, table.match.options, language),
        "readings": reading_words(table.game, table.match.options, language),
        "picture": _picture(table),
        "public": [number for number, seat in enumerate(table.seats) if seat.is_public],
        "links": [number for number, seat in enumerate(table.seats) if seat.kind == OPEN and seat.invite],
    }


def _picture(table: Table) -> str:
    """The address of a table's small picture. Matches that begin alike share one, so that a browser loads it once."""
    match = table.match
    usual = match.plies == 0 and match.start == Position.start(table.game, match.options)
    if usual and all(match.options[option.name] in option.values for option in table.game.options):
        return f"/start/{table.game.name}.svg?{urlencode(match.options)}"
    return f"/t/{table.id}/small.svg?number={table.number}"


def clock_words(clock: Clock, language: str) -> str:
    """How much time there is; "" without a clock."""
    if clock.kind == "minutes":
        text = _("{minutes} min + {seconds} s per move") if clock.increment else _("{minutes} min each")
        values = {"minutes": _short(clock.base / MINUTE), "seconds": _short(clock.increment)}
        return Message(text, values).say(language)
    if clock.kind == "days":
        days = clock.base / DAY
        return Message(_("1 day per move") if days == 1 else _("{n} days per move"), {"n": _short(days)}).say(language)
    return ""


def _short(number: float) -> str:
    return f"{number:.3g}"


def option_words(game: Game, options: dict[str, Any], language: str) -> list[str]:
    """The options that are not the usual ones. The number of players shows in the seats, and readings are sentences."""
    told = (option for option in game.options if option is not game.seating and not option.is_reading)
    unusual = ((option, options[option.name]) for option in told if options[option.name] != option.default)
    return [_option(option, value, language) for option, value in unusual]


def reading_words(game: Game, options: dict[str, Any], language: str) -> list[str]:
    """The sentences of the rules that are read differently from what is usual."""
    other = {option.name for option in game.options if option.is_reading and options[option.name] != option.default}
    return [
        translate(entry.readings[options[entry.option]], language) for entry in game.readings if entry.option in other
    ]


def _option(option: Option, value: object, language: str) -> str:
    if value not in option.values:
        return translate(_("a board of their own"), language)
    return f"{translate(option.name, language)}: {translate(str(value), language)}"
