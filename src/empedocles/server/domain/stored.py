"""Tables as stored in the database."""

from __future__ import annotations

from typing import Any, NamedTuple

from empedocles.play.match import Match
from empedocles.play.shuffle import OLD_BYTES, Shuffle
from empedocles.position import Position
from empedocles.server.domain.events import Entry
from empedocles.server.domain.table import Clock, Table


class Stored(NamedTuple):
    """A table as stored in the database; another process can rebuild it."""

    row: dict[str, Any]
    entries: list[Entry]

    @property
    def begun(self) -> Table:
        """The table before its first entry."""
        row, secret = self.row, bytes.fromhex(self.row["secret"])
        match = start_match(row["game"], row["options"], secret, row["start"])
        given = Clock(**row["clock"]), bool(row["listed"]), row["creator"], row["created"]
        return Table(row["id"], match, secret, *given)

    @property
    def table(self) -> Table:
        table = self.begun
        for entry in self.entries:
            table.apply(entry)
        return table


def start_match(game: str, options: dict[str, Any], secret: bytes, start: str = "") -> Match:
    """A match that draws nothing before the deal, or an older one. It never reads board files for a stranger."""
    position = Position(start) if start else Position.start(game, options)
    return Match(position, shuffle=Shuffle(secret)) if len(secret) == OLD_BYTES else Match(position, chance="manual")
