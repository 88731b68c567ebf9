"""Text boards: a grid of short texts with column letters and row numbers."""

from __future__ import annotations

from collections.abc import Callable


def grid(columns: int, rows: int, cell: Callable[[int, int], str], width: int = 1) -> str:
    """A board with row 1 at the bottom; `cell(column, row)` counts from 0, its text is centred in `width`."""
    margin = len(str(rows))
    lines = [
        f"{row + 1:>{margin}} " + " ".join(f"{cell(column, row):^{width}}" for column in range(columns)).rstrip()
        for row in reversed(range(rows))
    ]
    names = " ".join(f"{chr(ord('a') + column):^{width}}" for column in range(columns))
    return "\n".join([*lines, " " * margin + " " + names.rstrip()])
