"""The `empedocles` command."""

from __future__ import annotations

import io
import sys
from pathlib import Path


def main() -> None:
    from empedocles.cli.app import app
    from empedocles.cli.console import errors
    from empedocles.errors import EmpedoclesError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a dash still shows the rest
    sys.path.append(str(Path.cwd()))  # agents named by MODULE:CLASS may be in this folder; it comes last
    try:
        app()
    except (EmpedoclesError, OSError) as error:
        errors.print(f"[bold red]Error:[/] {_plain(error)}", highlight=False, soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def _plain(error: Exception) -> str:
    from rich.markup import escape

    return escape(str(error))
