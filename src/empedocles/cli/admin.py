"""`empedocles admin`: looking after a server's database, while it runs."""

from __future__ import annotations

import asyncio
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.markup import escape
from rich.table import Table

from empedocles.cli.console import console, errors
from empedocles.cli.options import Database
from empedocles.errors import BadValue

if TYPE_CHECKING:
    from empedocles.server.service.service import Service
    from empedocles.server.settings import Settings

T = TypeVar("T")
UNITS = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
PATIENCE = 5.0  # seconds for a server to answer

app = typer.Typer(
    help="Look after a server: list, delete, ban, back up, restore, check. Servers may keep running.",
    no_args_is_help=True,
)
lists = typer.Typer(help="List tables, players or reported puzzles, the newest first.", no_args_is_help=True)
deletes = typer.Typer(help="Delete a table, or a player with all their data.", no_args_is_help=True)
app.add_typer(lists, name="list")
app.add_typer(deletes, name="delete")

Limit = Annotated[int, typer.Option(min=1, help="How many to show.")]
Sure = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is already there.")]


def _settings(database: str) -> Settings:
    from empedocles.cli.server import settings_from

    return settings_from(database, 0)


def _run(database: str, action: Callable[[Service], Awaitable[T]]) -> T:
    from empedocles.server.operations.administration import opened

    async def run() -> T:
        async with opened(_settings(database)) as service:
            return await action(service)

    return asyncio.run(run())


def _local_time(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def _print(table: Table, shown: int, total: int) -> None:
    console.print(table)
    console.print(f"{shown} of {total}")


# ── Lists ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@lists.command("tables")
def list_tables(
    status: Annotated[str, typer.Option(help="Only those that are waiting, playing or over.")] = "",
    game: Annotated[str, typer.Option(help="Only those of a game.")] = "",
    player: Annotated[str, typer.Option(metavar="ID", help="Only those of a player.")] = "",
    limit: Limit = 20,
    database: Database = "",
) -> None:
    """List tables, the most recently active first."""
    from empedocles.server.operations import administration

    found = _run(database, lambda service: administration.tables(service.store, status, game, player, limit))
    table = Table("Table", "Game", "Status", "Last", "Creator", "Seats", box=None, pad_edge=False)
    for match, name, state, creator, touched, seats in found.rows:
        table.add_row(match, name, state, _local_time(touched), creator, escape(", ".join(seats)))
    _print(table, len(found.rows), found.total)


@lists.command("players")
def list_players(
    name: Annotated[str, typer.Option(help="Only those whose name contains this.")] = "",
    limit: Limit = 20,
    database: Database = "",
) -> None:
    """List players, the newest first."""
    from empedocles.server.operations import administration

    found = _run(database, lambda service: administration.players(service.store, name, limit))
    table = Table("Player", "Name", "Since", "Tables", box=None, pad_edge=False)
    for player, called, created, sits in found.rows:
        table.add_row(player, escape(called), _local_time(created), str(sits))
    _print(table, len(found.rows), found.total)


@lists.command("reports")
def list_reports(
    game: Annotated[str, typer.Option(help="Only those of a game.")] = "", limit: Limit = 20, database: Database = ""
) -> None:
    """List the puzzles that visitors have reported, the latest first."""
    from empedocles.server.operations import administration

    found = _run(database, lambda service: administration.complaints(service.store, game, limit))
    table = Table("Puzzle", "When", "Reason", "Note", box=None, pad_edge=False)
    for name, puzzle, at, reason, note in found.rows:
        table.add_row(f"/puzzles/{name}/{puzzle}", _local_time(at), reason, escape(note))
    _print(table, len(found.rows), found.total)


# ── Delete ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@deletes.command("table")
def delete_table(
    table: Annotated[str, typer.Argument(metavar="ID")], yes: Sure = False, database: Database = ""
) -> None:
    """Delete a table with its log, for all who sat there."""
    from empedocles.server.operations import administration

    _ask(yes, f"Delete the table {table}, with all that happened there?")
    _run(database, lambda service: administration.delete_table(service.store, table))
    console.print(f"The table {table} is deleted.")


@deletes.command("player")
def delete_player(
    player: Annotated[str, typer.Argument(metavar="ID")], yes: Sure = False, database: Database = ""
) -> None:
    """Delete a player, and the tables where no other person sits; elsewhere they resign, and their name goes."""
    from empedocles.server.operations import administration

    name = _run(database, lambda service: administration.known_player(service.store, player))
    _ask(yes, f"Delete the player {player} ({name}), with all their data?")
    deleted = _run(database, lambda service: administration.delete_player(service, player))
    console.print(f"The player {player} is deleted, and {deleted} tables.")


def _ask(yes: bool, question: str) -> None:
    if not yes:
        typer.confirm(question, abort=True)


# ── Bans ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

Who = Annotated[str, typer.Argument(metavar="WHO", help="A player's id, an address, or a network (192.0.2.0/24).")]


@app.command()
def ban(
    who: Who,
    reason: Annotated[str, typer.Option(help="Shown to them.")] = "",
    duration: Annotated[
        str, typer.Option("--for", metavar="TIME", help="30m, 12h, 7d or 4w.", show_default="for ever")
    ] = "",
    database: Database = "",
) -> None:
    """Ban a player, an address (with IPv6, its /64) or a network, within seconds."""
    from empedocles.server.operations import administration

    seconds = _seconds(duration)
    made = _run(database, lambda service: administration.ban(service.store, who, reason[:200], seconds))
    console.print(f"{escape(made.what)} is banned {_ends(made.until)}.")


def _seconds(duration: str) -> float | None:
    if not duration:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,4})([mhdw])", duration)
    if not found:
        raise BadValue(f"{duration!r} is not a duration such as 30m, 12h, 7d or 4w")
    return float(int(found[1]) * UNITS[found[2]])


def _ends(until: float | None) -> str:
    return f"until {_local_time(until)}" if until else "for ever"


@app.command()
def unban(who: Who, database: Database = "") -> None:
    """Lift a ban."""
    from empedocles.server.operations import administration

    _run(database, lambda service: administration.unban(service.store, who))
    console.print(f"{escape(who)} is no longer banned.")


@app.command()
def bans(database: Database = "") -> None:
    """List who is banned, the latest first."""
    from empedocles.server.domain.moments import now

    found = _run(database, lambda service: service.store.bans())
    table = Table("Who", "Kind", "Since", "Until", "Reason", box=None, pad_edge=False)
    for one in found:
        ends = "over" if one.is_over(now()) else _local_time(one.until) if one.until else "for ever"
        table.add_row(one.what, one.kind, _local_time(one.created), ends, escape(one.reason))
    _print(table, len(found), len(found))


# ── Backups ──────────────────────────────────────────────────────────────────────────────────────────────────────────

File = Annotated[Path, typer.Argument(metavar="FILE")]


@app.command()
def backup(file: File, force: Force = False, database: Database = "") -> None:
    """Write the database, as it is now, to a file; servers may keep running. It holds secrets of matches."""
    from empedocles.server.storage import backups

    backups.back_up(_settings(database), file, force)
    console.print(f"Written to {escape(str(file))} ({file.stat().st_size / 1e6:.1f} MB).", soft_wrap=True)


@app.command()
def restore(file: File, force: Force = False, database: Database = "") -> None:
    """Replace the database by a backup, after checking it. Stop the servers first."""
    from empedocles.server.storage import backups

    aside = backups.restore(_settings(database), file, force)
    console.print("Restored. The next server that starts brings it up to date.")
    if aside:
        console.print(f"What was there before is now {escape(str(aside))}.", soft_wrap=True)


# ── Checks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command()
def check(database: Database = "") -> None:
    """Check that the file is intact and the log of every table can be replayed; exits with 1 if not."""
    from empedocles.server.operations import administration

    total, wrong = asyncio.run(administration.check(_settings(database)))
    for line in wrong:
        errors.print(escape(line), soft_wrap=True)
    console.print(f"{total} tables, {len(wrong)} problems")
    if wrong:
        raise typer.Exit(1)


def server_problem(url: str) -> str:
    """What is wrong with a server, as it says itself; "" if nothing is."""
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=PATIENCE):
            return ""
    except urllib.error.HTTPError as error:
        with error:
            return _wrong(error.read()) or f"the server answers with {error.code}"
    except (OSError, ValueError) as error:
        return f"no server answers at {url} ({error})"


def _wrong(answer: bytes) -> str:
    try:
        checks = json.loads(answer)["checks"]
        return "; ".join(f"{name}: {found['message']}" for name, found in checks.items() if not found["ok"])
    except (ValueError, KeyError, TypeError):
        return ""


def local_problem(database: str) -> str:
    """What is wrong with the server's processes on this machine, as they noted; "" if nothing is."""
    from empedocles.server.operations.health import check_host

    try:
        return _run(database, lambda service: check_host(service.store))
    except (BadValue, OSError) as error:
        return str(error)
