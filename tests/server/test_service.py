"""Two services on one database, which stand for two processes: they share only the database."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.engine import Connection

from empedocles.server.domain.events import OPEN, PERSON, Entry, Moved, Seat
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.stored import Stored
from empedocles.server.domain.table import Table
from empedocles.server.service import tables
from empedocles.server.service.service import Service
from empedocles.server.settings import Settings
from empedocles.server.storage import schema
from empedocles.server.storage.database import connect
from empedocles.server.storage.migrate import migrate
from empedocles.server.storage.news import LONGEST_NEWS, news, read_news
from empedocles.server.storage.store import Store

Scene = Callable[[Service, Service], Awaitable[None]]


@asynccontextmanager
async def both(database: str) -> AsyncIterator[tuple[Service, Service]]:
    stores = [Store(connect(Settings(database).url)) for _ in range(2)]
    await asyncio.gather(*(migrate(store.engine) for store in stores))  # at the same time, as when several start
    try:
        yield Service(stores[0]), Service(stores[1])
    finally:
        for store in stores:
            await store.close()


def play(database: str, scene: Scene) -> None:
    async def run() -> None:
        async with both(database) as (here, there):
            await scene(here, there)

    asyncio.run(run())


async def table_of(here: Service, *owners: str) -> str:
    seats = [Seat(PERSON, owner, owner=owner) if owner else Seat(OPEN) for owner in owners]
    table, _ = await here.create(owners[0], "ignite-and-flow", {}, seats)
    return table.id


def test_who_has_not_heard_yet_looks_before_refusing(database: str) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        await there.table(match)
        await here.play("ada", match, 1, "Fc3")
        assert (await there.table(match)).number == 1  # no news has arrived
        assert (await there.play("bo", match, 2, "Wd4")).match.moves == ["Fc3", "Wd4"]
        assert (await here.latest(match)).number == 3
        with pytest.raises(Refused, match="moved on"):
            await here.play("ada", match, 2, "Wd5")

    play(database, scene)


def test_news_that_come_while_a_table_is_loaded_are_not_missed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        read, first = there.store.read, True

        async def slowly(match: str) -> Stored | None:
            nonlocal first
            stored = await read(match)
            if first:
                first = False
                played = await here.play("ada", match, 1, "Fc3")
                await there.changed(match, 1, played.log[-1])
            return stored

        monkeypatch.setattr(there.store, "read", slowly)
        loaded = await asyncio.gather(there.table(match), there.table(match))
        assert [table.number for table in loaded] == [2, 2]
        assert (await there.table(match)).number == 2
        there.forget()
        assert (await there.table(match)).number == 2

    play(database, scene)


def test_a_table_that_somebody_thinks_about_stays_as_it_is(database: str) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        before = await there.table(match)
        await here.play("ada", match, 1, "Fc3")
        after = await there.latest(match)
        assert (before.number, before.match.moves, after.number) == (1, [], 2)

    play(database, scene)


def test_many_at_once_write_one_entry(database: str) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        wanted = [service.play("ada", match, 1, "Fc3") for service in (here, there) for _ in range(10)]
        played = await asyncio.gather(*wanted)
        assert {table.number for table in played} == {2}
        different = [here.play("bo", match, 2, "Wd4"), there.play("bo", match, 2, "Wd5")]
        answers = await asyncio.gather(*different, return_exceptions=True)
        assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "Table"]
        assert (await here.latest(match)).number == (await there.latest(match)).number == 3

    play(database, scene)


def test_one_seat_is_taken_once(database: str) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "")
        wanted = [here.join("bo", "Bo", match), there.join("cy", "Cy", match)]
        answers = await asyncio.gather(*wanted, return_exceptions=True)
        assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "Table"]
        seats = [(await service.latest(match)).seats[1] for service in (here, there)]
        assert seats[0] == seats[1]
        assert seats[0].owner in ("bo", "cy")

    play(database, scene)


def test_one_rematch_for_both(database: str) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        await here.command("ada", match, 1, "resign")
        first, second = await asyncio.gather(here.rematch("ada", match), there.rematch("bo", match))
        assert first.id == second.id
        assert len(await here.store.of_player("ada", 10)) == 2

    play(database, scene)


def test_all_processes_know_who_has_forgotten_a_match(database: str) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        await here.command("ada", match, 1, "resign")
        await there.table(match)
        await here.delete("ada", match)
        assert [seat.owner for seat in (await there.latest(match)).seats] == ["", "bo"]
        assert [seat.kind for seat in (await there.rematch("bo", match)).seats] == [PERSON, OPEN]
        assert await here.store.of_player("ada", 10) == []
        with pytest.raises(Refused, match="only players"):
            await here.delete("ada", match)
        await there.delete("bo", match)
        with pytest.raises(Refused, match="no match"):
            await there.latest(match)

    play(database, scene)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_who_sits_down_at_the_last_moment_keeps_the_match_or_is_refused(
    database: str, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "")
        joining: list[asyncio.Task[Table]] = []
        delete = here.store.delete

        async def late(table: Table) -> bool:
            """Somebody joins after the check that nobody else sits there."""
            if not joining:
                joining.append(asyncio.create_task((there if elsewhere else here).join("bo", "Bo", match)))
                await asyncio.wait(joining, timeout=None if elsewhere else 0.2)
            return await delete(table)

        monkeypatch.setattr(here.store, "delete", late)
        deleted, joined = await _either(here.delete("ada", match)), await _either(joining[0])
        assert (deleted, joined) == (("in-progress", "done") if elsewhere else ("done", "no-match"))

    play(database, scene)


async def _either(asked: Awaitable[object]) -> str:
    """The code of the refusal, or "done"."""
    try:
        await asked
    except Refused as refused:
        return refused.code
    return "done"


def test_who_hangs_up_leaves_nothing_half_done(database: str) -> None:
    async def scene(here: Service, _there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        for number in range(1, 20):
            table = await here.table(match)
            mover = ("ada", "bo")[table.match.to_move or 0]
            asking = asyncio.create_task(here.play(mover, match, number, table.match.legal_moves[0]))
            await asyncio.sleep(0.0005 * (number % 4))
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            while (await here.table(match)).number == number:  # it is done nevertheless, and known here
                await asyncio.sleep(0.01)
        kept, read = await here.table(match), await here.store.load(match)
        assert read is not None
        assert kept.log == read.log

    play(database, scene)


def test_tables_that_memory_has_no_room_for(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_TABLES", 2)

    async def scene(here: Service, there: Service) -> None:
        told: list[str] = []
        there.tell = lambda match, _number: told.append(match)
        matches = [await table_of(here, "ada", "bo") for _ in range(5)]
        for match in matches:
            await here.play("ada", match, 1, "Fc3")
            await there.changed(match, 1, None)  # readers there must hear of it, whether it is in memory or not
        assert told == matches
        for match in matches:
            assert (await here.play("bo", match, 2, "Wd4")).number == 3

    play(database, scene)


def test_one_bot_worker_thinks_about_a_move(database: str) -> None:
    async def scene(here: Service, there: Service) -> None:
        table, _ = await here.create("ada", "ignite-and-flow", {}, [Seat("bot", agent="level-1")] * 2)
        assert await here.store.with_bots() == [table.id]
        claims = [await store.claim(table.id, 1, 60.0) for store in (here.store, there.store)]
        assert claims == [True, False]
        assert await there.store.with_bots() == []
        await here.store.commit((sa.update(schema.matches), {"bot_until": time.time() - 1}))  # the first has died
        assert await there.store.with_bots() == [table.id]
        assert await there.store.claim(table.id, 1, 10)
        await there.bot_plays(table.id, 1, "Fc3")
        assert (
            await here.bot_plays(table.id, 1, "Fc4")
        ).number == 2  # the first was only slow: its move comes too late
        assert await here.store.with_bots() == [table.id]

    play(database, scene)


def test_processes_tell_each_other_who_is_there(database: str) -> None:
    async def scene(here: Service, there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        here.seen[match, 1] = time.time()
        await here.share_presence()
        await there.share_presence()
        assert there.seen[match, 1] == pytest.approx(time.time(), abs=5)
        left = here.seen[match, 1] = time.time() - 100  # gone again, and known here
        await here.share_presence()
        assert here.seen[match, 1] == left

    play(database, scene)


def test_news_have_a_limit() -> None:
    short, long = Entry(3, 1.5, Moved(0, "Fc3", ("+w",))), Entry(3, 1.5, Moved(0, "é" * LONGEST_NEWS))
    assert read_news(news("abc", short)) == ("abc", 3, short)
    assert read_news(news("abc", long)) == ("abc", 3, None)


@pytest.mark.parametrize("match", ["", "x" * 25, "a b", "a\x00", "../a", "é"])
def test_what_cannot_be_a_match_is_not_looked_for(database: str, match: str) -> None:
    async def scene(here: Service, _there: Service) -> None:
        with pytest.raises(Refused, match="no match"):
            await here.table(match)

    play(database, scene)


def test_migrations_lead_to_what_the_schema_says(database: str) -> None:
    def compare(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), schema.metadata))

    async def scene(here: Service, _there: Service) -> None:
        async with here.store.engine.connect() as connection:
            assert await connection.run_sync(compare) == []

    play(database, scene)


def test_who_stops_waiting_takes_no_connection_along(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(here: Service, _there: Service) -> None:
        match = await table_of(here, "ada", "bo")
        with anyio.move_on_after(0.02) as scope:  # like an aborted request, which cancels again and again
            async with anyio.create_task_group() as many:
                for _ in range(100):
                    many.start_soon(here.store.read, match)
        assert scope.cancelled_caught

    play(database, scene)
    gc.collect()  # unretrieved exceptions would be reported now
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
