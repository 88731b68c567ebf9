"""Entries of tables' logs as rows of the database, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from empedocles.server.domain import events
from empedocles.server.domain.events import Entry
from empedocles.server.storage import schema

Step = tuple[Any, Any]  # a statement, and its values


def read_entry(number: int, at: float, kind: str, body: str) -> Entry:
    return Entry(number, at, events.read(kind, body))


def hide(match: str, entries: Iterable[Entry], player: str, name_too: bool) -> list[Step]:
    c, steps = schema.log.c, []
    for entry in entries:
        if (hidden := events.without(entry.event, player, name_too)) != entry.event:
            same = sa.update(schema.log).where(c.match == match, c.number == entry.number)
            steps.append((same, {"body": events.write(hidden)}))
    return steps


def log_row(match: str, entry: Entry) -> dict[str, Any]:
    event = entry.event
    return {
        "match": match,
        "number": entry.number,
        "at": entry.at,
        "kind": event.kind,
        "body": events.write(event),
    }
