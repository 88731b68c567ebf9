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
