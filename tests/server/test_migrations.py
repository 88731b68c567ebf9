"""Databases written by earlier versions: nothing in them is lost.

`databases/version-0004.json` has the rows of one, from people and bots who played with the last version before events
had fields, and that version's view of each table: in every state, with clocks, take-backs, offers, rematches, imports,
and players who had left or were deleted.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from sqlalchemy.engine import Connection

from empedocles.play.evidence import verify
from empedocles.server.domain.table import Table
from empedocles.server.settings import Settings
from empedocles.server.storage import database_file, schema
from empedocles.server.storage.database import connect
from empedocles.server.storage.migrate import _config, migrate
from empedocles.server.storage.store import Store
from empedocles.server.web import views

Json = dict[str, Any]

WRITTEN: Json = json.loads((Path(__file__).parent / "databases" / "version-0004.json").read_text(encoding="utf-8"))
JSON_COLUMNS = {"options", "clock"}


def fill(connection: Connection) -> None:
    """The database as the earlier version left it."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, WRITTEN["version"])
    known = sa.MetaData()
    known.reflect(connection)
    for name, rows in WRITTEN["rows"].items():
        columns = known.tables[name].c
        for row in rows:
            given = {key: _given(columns[key], value) for key, value in row.items()}
            connection.execute(sa.insert(known.tables[name]), given)
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT setval('log_id_seq', (SELECT max(id) FROM log))"))


def _given(column: sa.Column[Any], value: Any) -> Any:
    return json.dumps(value) if column.name in JSON_COLUMNS and not isinstance(column.type, sa.JSON) else value


async def read(database: str) -> dict[str, Table]:
    settings = Settings(database)
    database_file.prepare(settings.file)
    store = Store(connect(settings.url))
    try:
        async with store.engine.begin() as connection:
            await connection.run_sync(fill)
        await migrate(store.engine)
        found = {name: await store.load(told["id"]) for name, told in WRITTEN["tables"].items()}
        await _check_seats(store)
        return {name: table for name, table in found.items() if table}
    finally:
        await store.close()


async def _check_seats(store: Store) -> None:
    """The seats in events equal the seats stored beside them."""
    for row in await store.ask(sa.select(schema.seats)):
        table = await store.load(row.match)
        assert table
        seat = table.seats[row.seat]
        assert (seat.kind, seat.name, seat.agent, seat.owner, seat.invite) == tuple(row[2:7])


def told(table: Table, player: str) -> Json:
    """The same facts as in the fixture."""
    facts = {
        **views.state(table, player),
        "time": [round(seconds, 6) for seconds in table.left],
        "turned": table.turned,
        "record": str(replace(table.record(), evidence=None)),  # which records did not have then
        "owners": [seat.owner for seat in table.seats],
        "comments": table.comments,
    }
    written: Json = json.loads(json.dumps(facts))
    return written


def test_nothing_of_an_earlier_version_is_lost(database: str) -> None:
    tables = asyncio.run(read(database))
    assert tables.keys() == WRITTEN["tables"].keys()
    ada = next(row["id"] for row in WRITTEN["rows"]["players"] if row["name"] == "Ada")
    for name, expected in WRITTEN["tables"].items():
        found = told(tables[name], ada)
        found["options"] = tables[name].game.named(found["options"])  # others came later
        assert {key: found[key] for key in expected} == expected, name


def test_the_chance_of_earlier_matches_can_be_verified(tmp_path: Path) -> None:
    tables = asyncio.run(read(str(tmp_path / "empedocles.db"))).values()
    shown = [(table.match, table.evidence) for table in tables if table.evidence]
    assert sum(verify(match, evidence) for match, evidence in shown) > 100


def test_the_fixture_has_all_that_can_happen() -> None:
    kinds = {row["kind"] for row in WRITTEN["rows"]["log"]}
    assert kinds == {
        "start", "import", "move", "back", "offer", "consent", "decline", "agree", "resign", "time", "claim", "join",
        "leave", "bot", "next",
    }  # fmt: skip
    assert {table["status"] for table in WRITTEN["tables"].values()} == {"waiting", "playing", "over"}
