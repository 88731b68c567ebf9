"""Events get fields, which include who sits where. Before, they had a kind, a seat and a text, without the seats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

SOME = 100  # matches at a time

Row = dict[str, Any]
Seats = list[dict[str, str]]

log = sa.table(
    "log",
    *(sa.column(name) for name in ("id", "match", "number", "kind", "seat", "text", "body")),
)
seats = sa.table("seats", *(sa.column(name) for name in ("match", "seat", "kind", "name", "agent", "owner", "invite")))


def upgrade() -> None:
    op.add_column("log", sa.Column("body", sa.Text, nullable=False, server_default=""))
    connection = op.get_bind()
    for match in list(_matches(connection)):
        entries = _rows(connection, sa.select(log).where(log.c.match == match).order_by(log.c.number))
        sitting = _rows(connection, sa.select(seats).where(seats.c.match == match).order_by(seats.c.seat))
        for entry, body in zip(entries, bodies(entries, sitting), strict=True):
            connection.execute(sa.update(log).where(log.c.id == entry["id"]).values(body=json.dumps(body)))
    op.drop_column("log", "seat")
    op.drop_column("log", "text")
    if connection.dialect.name != "sqlite":  # SQLite cannot change a column, and does not need it
        op.alter_column("log", "body", server_default=None)


def _matches(connection: sa.Connection) -> Iterator[str]:
    """The ids of all matches, some at a time."""
    last = ""
    while some := connection.scalars(
        sa.select(log.c.match).distinct().where(log.c.match > last).order_by(log.c.match).limit(SOME)
    ).all():
        yield from some
        last = some[-1]


def _rows(connection: sa.Connection, query: Any) -> list[Row]:
    return [dict(row) for row in connection.execute(query).mappings()]


def bodies(entries: Sequence[Row], sitting: Sequence[Row]) -> list[Row]:
    """The fields of each event. Who sat where is reconstructed backwards from who sits where now."""
    now: Seats = [{name: row[name] for name in ("kind", "name", "agent", "owner", "invite")} for row in sitting]
    found = [_fields(entry, now) for entry in reversed(entries)]
    return found[::-1]


def _fields(entry: Row, now: Seats) -> Row:
    """The fields of one event; `now` is changed to who sat where before it."""
    kind, seat, text = entry["kind"], entry["seat"], entry["text"]
    if kind == "start":
        return {"seats": now.copy(), "drawn": text.split()}
    if kind == "import":
        return {"seats": now.copy(), **json.loads(text)}
    return {"seat": seat, **FIELDS.get(kind, _nothing)(text, now, seat)}


def _nothing(_text: str, _now: Seats, _seat: int) -> Row:
    return {}


def _move(text: str, _now: Seats, _seat: int) -> Row:
    move, *drawn = text.split()
    return {"move": move, "drawn": drawn}


def _offer(text: str, _now: Seats, _seat: int) -> Row:
    what, _, ply = text.partition(" ")
    return {"what": what, "ply": int(ply or 0)}


def _join(_text: str, now: Seats, seat: int) -> Row:
    sitting = now[seat]
    now[seat] = {"kind": "open", "name": "", "agent": "", "owner": "", "invite": sitting["invite"]}
    return {"sitting": sitting}


def _leave(_text: str, now: Seats, seat: int) -> Row:
    name_too = not now[seat]["name"]
    if now[seat]["kind"] == "open":  # freed before the match began: who it was is unknown
        now[seat] = {**now[seat], "kind": "person"}
    return {"name_too": name_too}


def _bot(text: str, now: Seats, seat: int) -> Row:
    agent, _, player = text.partition("\n")
    now[seat] = {"kind": "person", "name": "", "agent": "", "owner": player, "invite": ""}
    return {"agent": agent, "player": player}


FIELDS: dict[str, Callable[[str, Seats, int], Row]] = {
    "move": _move,
    "back": lambda text, _now, _seat: {"ply": int(text)},
    "offer": _offer,
    "consent": lambda text, _now, _seat: {"what": text},
    "decline": lambda text, _now, _seat: {"what": text},
    "join": _join,
    "leave": _leave,
    "bot": _bot,
    "next": lambda text, _now, _seat: {"match": text},
}
