"""Board drawings: text with one character per square, the top row first."""

from __future__ import annotations

from pathlib import Path

from empedocles.errors import BoardError
from empedocles.language import Message
from empedocles.language import mark as _

Rows = list[str]


def parse(text: str) -> Rows:
    """The rows of a drawing; blanks, empty lines and lines that begin with # do not count."""
    lines = ("".join(line.split()) for line in text.splitlines() if not line.startswith("#"))
    return [line for line in lines if line]


def is_file(path: Path) -> bool:
    """Whether there is a file; False also for text that cannot be a path, such as a very long one."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_board(path: Path) -> Rows:
    """The rows of a board file."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        text = _("board file {path} cannot be read: {error}")
        raise BoardError(Message(text, {"path": repr(str(path)), "error": error})) from None


def find_board(value: str, named: dict[str, Path]) -> Rows:
    """The rows of a board given by its name, or by the rows themselves joined by `/`."""
    return read_board(named[value]) if value in named else value.split("/")


def check_board(rows: Rows, columns: int, height: int, letters: str) -> None:
    """Refuse a drawing of another size or with other letters."""
    if len(rows) != height:
        raise BoardError(
            Message(_("the board has {rows} rows, expected {height}"), {"rows": len(rows), "height": height})
        )
    for number, row in zip(range(height, 0, -1), rows, strict=True):
        if len(row) != columns:
            text = _("row {row} of the board has {squares} squares, expected {columns}")
            raise BoardError(Message(text, {"row": number, "squares": len(row), "columns": columns}))
        for letter in row:
            if letter not in letters:
                text = _("{letter} in row {row} of the board is none of {letters}")
                raise BoardError(Message(text, {"letter": repr(letter), "row": number, "letters": " ".join(letters)}))
