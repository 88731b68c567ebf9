"""The two consoles of the command: what was asked for, and what went wrong."""

from __future__ import annotations

from textwrap import fill

from rich.console import Console

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """Print text as it is: no markup, no emoji names, no line breaks of our own."""
    console.print(text, markup=False, emoji=False, soft_wrap=True)


def paragraph(text: str) -> None:
    """Print plain text in lines that never end at a no-break space, as those of Rich may."""
    say(fill(text, console.width, break_on_hyphens=False))
