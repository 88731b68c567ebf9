"""A game at the terminal: people enter moves, agents answer; full-screen, or line by line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

from rich.markdown import Markdown
from rich.markup import escape

from empedocles.cli.console import console
from empedocles.cli.table import Note, Table
from empedocles.games import all_games
from empedocles.language import Message
from empedocles.language import mark as _
from empedocles.position import Position

MOST_LISTED = 60  # legal moves that are listed without asking for a beginning
PLAYED = _("{words} ({move}).")  # a move with its player, and its notation
STYLES = {"good": "green", "bad": "red", "warning": "yellow", "news": "cyan", "": None}


def ask_game() -> str:
    games = list(all_games().values())
    console.print("[bold]Empedocles[/] — which game?\n")
    for number, game in enumerate(games, start=1):
        console.print(f"  [bold]{number}[/]  {game.title}: {game.summary}")
    answer = ask("\nnumber or name> ")
    if answer is None:
        raise SystemExit(0)
    if answer.isdecimal() and 1 <= int(answer) <= len(games):
        return games[int(answer) - 1].name
    return answer


def ask(prompt: str) -> str | None:
    """One line of input; None when there is no more."""
    try:
        return console.input(prompt, markup=False).strip()
    except EOFError:
        return None


def play(table: Table, theme: str, plain: bool) -> None:
    if plain or not _is_screen():
        Lines(table).play()
    else:
        from empedocles.cli.screen import application

        application.play(table, theme)


def _is_screen() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Lines:
    """A table played line by line."""

    def __init__(self, table: Table) -> None:
        self.table = table
        table.tell = self._tell
        self._hinted: tuple[Position, Iterator[Message]] | None = (
            None  # where a hint was asked for, and what is left of it
        )
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._help,
            "help": self._help,
            "moves": self._list,
            "hint": self._hint,
            "undo": self._undo,
            "save": table.save,
            "rules": self._rules,
            "board": self._board,
            "silence": table.silence,
        }

    def _tell(self, note: Note) -> None:
        console.print(escape(note.say(self.table.language)), style=STYLES[note.kind])

    def play(self) -> None:
        self._board()
        while not self.table.match.is_over:
            if not self.table.is_peoples_turn:
                self._opponent()
            elif not self._person():
                return self._leave()
        return self._tell(self.table.end())

    def _person(self) -> bool:
        line = ask(f"{self._mover().say(self.table.language)}> ")
        if line is None or line in ("quit", "exit"):
            return False
        word, _, rest = line.partition(" ")
        if word in self.commands:
            self.commands[word](rest.strip())
        elif line and self.table.play(*line.split()):
            self._board_for_people()
        return True

    def _mover(self) -> Message:
        position = self.table.match.position
        return position.game.seat_name(position.seats, position.to_move or 0)

    def _opponent(self) -> None:
        table = self.table
        player = self._mover()
        thinking = Message(_("{player} is thinking …"), {"player": player}).say(table.language)
        with console.status(escape(thinking)):  # the first time, a search is compiled: that takes some seconds
            move = table.answer(table.match.position)
        self._tell(Note(Message(PLAYED, {"words": table.match.position.words(move), "move": move}), "news"))
        table.play(move)
        self._board_for_people()

    def _board_for_people(self) -> None:
        if self.table.is_peoples_turn or self.table.match.is_over:
            self._board()

    def _leave(self) -> None:
        if self.table.match.moves:
            self.table.keep()
            self._tell(self.table.end())

    # ── Commands ──

    def _board(self, _rest: str = "") -> None:
        console.print(f"\n{escape(self.table.match.position.board(self.table.language))}\n")

    def _help(self, _rest: str = "") -> None:
        commands = "moves [beginning], hint, undo, save FILE, rules [id], board, silence, help, quit"
        self.table.say(_("Type a move, or one of: {commands}."), commands=commands)
        self._list()

    def _list(self, beginning: str = "") -> None:
        moves = self.table.legal(beginning)
        if moves:
            console.print(escape("  ".join(moves[:MOST_LISTED])))
        if len(moves) > MOST_LISTED:
            more = _("… and {n} more: type 'moves' and the beginning of a move to see fewer.")
            self.table.say(more, n=len(moves) - MOST_LISTED)

    def _hint(self, _rest: str = "") -> None:
        """The next step of a hint for this position."""
        here = self.table.match.position
        if self._hinted is None or self._hinted[0] is not here:
            self._hinted = here, iter(self.table.hint(here).steps)
        step = next(self._hinted[1], None)
        if step is None:
            return self.table.say(_("That was the whole hint."))
        return self._tell(Note(step, "good"))

    def _undo(self, _rest: str = "") -> None:
        if self.table.undo():
            self._board()

    def _rules(self, rule: str) -> None:
        if text := self.table.rules(rule):
            console.print(Markdown(text))
