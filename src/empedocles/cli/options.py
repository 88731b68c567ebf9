"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="EMPEDOCLES_DATABASE",
        show_envvar=True,
        help="postgresql://USER:PASSWORD@HOST/NAME, or a SQLite file.",
        show_default="one in your data folder",
    ),
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `empedocles games` lists them.")]
OptionWords = Annotated[
    list[str] | None, typer.Argument(metavar="[OPTION=VALUE]...", help="Options of the game, such as players=3.")
]
ServedAgents = Annotated[
    list[str] | None,
    typer.Option(
        "--agent", metavar="NAME=MODULE:CLASS", help="An agent of yours as one more opponent by this name; repeatable."
    ),
]
