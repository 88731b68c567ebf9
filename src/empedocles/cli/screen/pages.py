"""Pages that are read instead of the board, and scrolled: keys, moves, rules."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import NamedTuple

from prompt_toolkit.formatted_text import ANSI, to_formatted_text
from prompt_toolkit.formatted_text.utils import split_lines
from rich.console import Console
from rich.markdown import Markdown

from empedocles.cli.screen.canvas import Line, wrap
from empedocles.cli.table import Table
from empedocles.language import mark as _
from empedocles.language import translate

WIDEST = 90  # lines longer than this are hard to read


class Page(NamedTuple):
    title: str
    lines: Callable[[int], list[Line]]  # for a width
    start: str = ""  # the words of the line that is shown first


KEYS = (
    ("↑ ↓ ← →", _("move the cursor")),
    ("Tab", _("move the cursor to the next target that can be chosen")),
    ("Enter, Space", _("choose what is under the cursor")),
    ("Backspace, Esc", _("take the last choice back")),
    ("/", _("type a move, a target or a command; Tab completes it, Enter enters it, Esc leaves it")),
    ("u", _("undo: take the last move back")),
    ("h", _("hint, in three steps: where to look, which move (with numbers on the board), and why")),
    ("s", _("save the match to a file")),
    ("l", _("load a match from a file")),
    ("m", _("moves: those played so far, and those that can be played now")),
    ("r", _("rules: the book, opened at the rule named last")),
    ("?", _("this page")),
    ("q, Ctrl-C", _("quit: the match is kept; continue with 'empedocles play --resume'")),
)


def keys(language: str) -> Page:
    def lines(width: int) -> list[Line]:
        rows = ((keys, wrap(translate(what, language), width - 18)) for keys, what in KEYS)
        return [
            [("bold", f"{keys if k == 0 else '':<17} "), ("", text)]
            for keys, texts in rows
            for k, text in enumerate(texts)
        ]

    return Page(translate(_("Keys"), language), lines)


def rules(table: Table, rule: str) -> Page:
    book = table.rules()

    def lines(width: int) -> list[Line]:
        page = Console(
            file=io.StringIO(), width=min(width, WIDEST), force_terminal=True, no_color=True, legacy_windows=False
        )
        page.print(Markdown(book))
        assert isinstance(page.file, io.StringIO)
        return list(split_lines(to_formatted_text(ANSI(page.file.getvalue()))))

    return Page(translate(_("Rules"), table.language), lines, f" {rule} " if rule else "")


def moves(table: Table, possible: Iterable[str]) -> Page:
    """What was played and what can be played, opened at the latter."""
    language, match = table.language, table.match
    now = translate(_("Can be played now"), language)
    played = [
        position.words(move).say(language) for position, move in zip(match.positions(), match.moves, strict=False)
    ]
    listed = [(move, match.position.words(move).say(language)) for move in possible]
    room = max((len(move) for move, _words in listed), default=0) + 2

    def lines(width: int) -> list[Line]:
        before: list[Line] = [
            [("", line)] for k, text in enumerate(played, 1) for line in wrap(f"{k:>3}  {text}", width, " " * 5)
        ]
        after: list[Line] = [[("bold", f"{move:<{room}}"), ("", text)] for move, text in listed]
        return [[("bold", translate(_("Played so far"), language))], *before, [], [("bold", now)], *after]

    return Page(translate(_("Moves"), language), lines, now)
