"""The two consoles of the command: what was asked for, and what went wrong."""

from __future__ import annotations

from rich.console import Console

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)
