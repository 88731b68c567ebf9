"""Board drawings: text with one character per square, the top row first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def unfit(text: str, **values: Any) -> BoardError:
    """The error that says, in the reader's language, what is wrong with a board."""
    return BoardError(Message(text, values))


def read_board(path: Path) -> Rows:
    """The rows of a board file."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        text = _("board file {path} cannot be read: {error}")
        raise unfit(text, path=repr(str(path)), error=error) from None


def find_board(value: str, named: dict[str, Path]) -> Rows:
    """The rows of a board given by its name, or by the rows themselves joined by `/`."""
    return read_board(named[value]) if value in named else value.split("/")


def check_board(rows: Rows, columns: int, height: int, letters: str) -> None:
    """Refuse a drawing of another size or with other letters."""
    if len(rows) != height:
        raise unfit(_("the board has {rows} rows, expected {height}"), rows=len(rows), height=height)
    _check_rows(rows, columns)
    check_letters(rows, letters)


def check_size(rows: Rows, least: int, most: int) -> None:
    """Refuse a drawing that is not a rectangle, or whose sides do not have from `least` to `most` squares."""
    columns = max(map(len, rows))
    if not (least <= columns <= most and least <= len(rows) <= most):
        text = _("the board has {columns} × {rows} squares: from {least} × {least} to {most} × {most} are possible")
        raise unfit(text, columns=columns, rows=len(rows), least=least, most=most)
    _check_rows(rows, columns)


def _check_rows(rows: Rows, columns: int) -> None:
    for number, row in _numbered(rows):
        if len(row) != columns:
            text = _("row {row} of the board has {squares} squares, expected {columns}")
            raise unfit(text, row=number, squares=len(row), columns=columns)


def check_letters(rows: Rows, letters: str) -> None:
    for number, row in _numbered(rows):
        for letter in row:
            if letter not in letters:
                text = _("{letter} in row {row} of the board is none of {letters}")
                raise unfit(text, letter=repr(letter), row=number, letters=" ".join(letters))


def _numbered(rows: Rows) -> Iterator[tuple[int, str]]:
    """The rows with their numbers, the top one first."""
    return zip(range(len(rows), 0, -1), rows, strict=True)
