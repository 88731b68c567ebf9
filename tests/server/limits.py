"""Generous limits for tests of other things: all their requests come from one address."""

from __future__ import annotations

from typing import Any

LIMITLESS: dict[str, Any] = {
    **dict.fromkeys(("rate", "burst", "messages", "messages_burst", "processor", "processor_burst"), 1e6),
    **dict.fromkeys(("players", "players_burst", "tables", "tables_burst"), 1e6),
    **dict.fromkeys(("open_tables", "open_tables_in_all"), 10_000),
    **dict.fromkeys(("at_once", "connections", "spectating", "spectators_each", "windows_in_all"), 10_000),
}
