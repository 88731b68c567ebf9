"""`empedocles modules`: games as WebAssembly modules, for browsers."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Annotated

import typer

from empedocles.cli.console import say
from empedocles.errors import MissingExtra


def modules(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Without, the four games.")] = None,
    if_possible: Annotated[
        bool, typer.Option("--if-possible", help="Build nothing where the linker is missing.")
    ] = False,
    into: Annotated[
        Path | None, typer.Option(help="A folder for them, instead of those of the games.", show_default=False)
    ] = None,
) -> None:
    """Build games as WebAssembly modules, for browsers; those that are up to date stay as they are."""
    from empedocles.games import GAMES, find
    from empedocles.modules.building import build
    from empedocles.modules.files import CODE

    try:
        folders = build([*map(find, games)] if games else GAMES.values(), into)
    except MissingExtra as error:
        if not if_possible:
            raise
        say(f"No modules for browsers: {error}")
        return
    for folder in folders:
        code = (folder / CODE).read_bytes()
        say(f"{folder / CODE}: {len(code):,} bytes, {len(gzip.compress(code)):,} compressed")
