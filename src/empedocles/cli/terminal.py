"""A game at the terminal: people type moves, an agent answers."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from pathlib import Path

import platformdirs
from rich.markdown import Markdown
from rich.markup import escape

from empedocles import agents
from empedocles.cli.console import console
from empedocles.errors import BadValue, IllegalMove, NothingToUndo
from empedocles.games import all_games
from empedocles.language import Message, translate
from empedocles.language import mark as _
from empedocles.play.records import Record, open_records, result_text
from empedocles.search.limits import Limit

PERSON = "person"  # the name of seats that people here play, unless a record has names
MOST_LISTED = 60  # legal moves that are listed without asking for a beginning


def autosave() -> Path:
    """Where the match at this terminal is kept after every move, so that nothing is lost."""
    return platformdirs.user_state_path("empedocles", appauthor=False, ensure_exists=False) / "last.emp"


def load(path: Path) -> Record:
    """The last match of a file."""
    return list(open_records(path))[-1]


def last() -> Record:
    """The match played last at this terminal."""
    if not autosave().exists():
        raise BadValue("no match has been played at this terminal yet")
    return load(autosave())


def save(record: Record, path: Path) -> None:
    """Write a record so that a crash leaves the old or the new one, never half of one."""
    record.date = record.date or datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(str(record), encoding="utf-8")
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def ask_game() -> str:
    games = list(all_games().values())
    console.print("[bold]Empedocles[/] — which game?\n")
    for number, game in enumerate(games, start=1):
        console.print(f"  [bold]{number}[/]  {game.title}: {game.summary}")
    answer = _ask("\nnumber or name> ")
    if answer is None:
        raise SystemExit(0)
    if answer.isdecimal() and 1 <= int(answer) <= len(games):
        return games[int(answer) - 1].name
    return answer


def _ask(prompt: str) -> str | None:
    """One line of input; None when there is no more."""
    try:
        return console.input(prompt, markup=False).strip()
    except EOFError:
        return None


def seating(record: Record, people: int | None, opponent: str, words: list[str]) -> dict[int, str]:
    """Who sits where: PERSON or an agent's name by seat. A resumed match keeps its players unless told otherwise."""
    seats = record.match.position.seats
    if people is not None and not 0 <= people <= seats:
        raise BadValue(f"{people} people cannot sit at {record.match.game.name} for {seats}: 0 to {seats}")
    known = {PERSON, *agents.all_agents()} if people is None else set()
    before = {seat: name for seat, name in record.names.items() if name in known}
    fresh = {seat: PERSON if seat < (1 if people is None else people) else opponent for seat in range(seats)}
    return fresh | before | dict(_seat(word, seats) for word in words)


def _seat(word: str, seats: int) -> tuple[int, str]:
    seat, equals, name = word.partition("=")
    if not (equals and seat.isdecimal() and int(seat) < seats and name):
        raise BadValue(f"{word!r} does not say who sits where: SEAT=AGENT, with a seat from 0 to {seats - 1}")
    return int(seat), name


class Table:
    """One match between people here and agents in the other seats."""

    def __init__(self, record: Record, players: dict[int, str], language: str, limit: Limit) -> None:
        self.record, self.match = record, record.match
        translate("", language)  # an unknown language is refused now, not at the first message
        self.people = {seat for seat, name in players.items() if name == PERSON}
        self.agents = {
            seat: agents.find(name, (self.match.seed + seat) % 2**64)
            for seat, name in players.items()
            if seat not in self.people
        }
        for seat, name in players.items():  # a person's own name stays
            if seat in self.agents or record.names.get(seat) in {None, *agents.all_agents()}:
                record.names[seat] = name
        self.language, self.limit = language, limit
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._help,
            "help": self._help,
            "moves": self._list,
            "undo": self._undo,
            "save": self._save,
            "rules": self._rules,
            "board": self._board,
        }

    def say(self, text: str, style: str = "", **values: object) -> None:
        console.print(escape(Message(text, values).say(self.language)), style=style or None)

    def play(self) -> None:
        self._board()
        while not self.match.is_over:
            before = self.match.moves
            if self.match.to_move in self.people:
                if not self._person():
                    return self._leave()
            else:
                self._opponent()
            if self.match.moves != before:
                self._keep()
        self.say(_("The game is over: {result}."), style="bold green", result=result_text(self.match.result))
        return None

    def _person(self) -> bool:
        line = _ask(f"player {self.match.to_move}> ")
        if line is None or line in ("quit", "exit"):
            return False
        word, _, rest = line.partition(" ")
        if word in self.commands:
            self.commands[word](rest.strip())
        elif line:
            self._move(line)
        return True

    def _move(self, line: str) -> None:
        try:
            self.match.play(*line.split())
        except IllegalMove as error:
            rule = f" ({error.rule})" if error.rule else ""
            console.print(f"[red]{escape(error.message.say(self.language))}{rule}[/]")
        else:
            self._board_for_people()

    def _opponent(self) -> None:
        seat = self.match.to_move
        assert seat is not None
        thinking = Message(_("Player {seat} is thinking …"), {"seat": seat}).say(self.language)
        with console.status(escape(thinking)):  # the first time, a search is compiled: that takes some seconds
            move = self.agents[seat].choose(self.match.position, self.limit)
        self.match.play(move)
        self.say(_("Player {seat} plays {move}."), style="cyan", seat=seat, move=move)
        self._board_for_people()

    def _board_for_people(self) -> None:
        if self.match.to_move in self.people or self.match.is_over:
            self._board()

    def _keep(self) -> None:
        try:
            save(self.record, autosave())
        except OSError as error:
            self.say(_("This match cannot be kept for later: {error}"), style="yellow", error=error)

    def _leave(self) -> None:
        if self.match.moves:
            self._keep()
            self.say(_("Go on later with: empedocles play --resume"))

    # ── Commands ──

    def _board(self, _rest: str = "") -> None:
        console.print(f"\n{escape(str(self.match))}\n")

    def _help(self, _rest: str = "") -> None:
        self.say(_("Type a move, or one of: moves [beginning], undo, save FILE, rules [id], board, help, quit."))
        self._list()

    def _list(self, beginning: str = "") -> None:
        moves = [move for move in self.match.legal_moves if move.startswith(beginning)]
        if not moves:
            return self.say(_("No legal move begins with {beginning}."), beginning=beginning)
        console.print(escape("  ".join(moves[:MOST_LISTED])))
        if len(moves) > MOST_LISTED:
            self.say(
                _("… and {n} more: type 'moves' and the beginning of a move to see fewer."), n=len(moves) - MOST_LISTED
            )
        return None

    def _undo(self, _rest: str = "") -> None:
        before = self.match.copy()
        try:
            before.undo()
            while before.to_move not in self.people:
                before.undo()
        except NothingToUndo:
            return self.say(_("There is nothing to take back."), style="red")
        self.match = self.record.match = before
        self.record.comments = {ply: text for ply, text in self.record.comments.items() if ply <= len(before.moves)}
        return self._board()

    def _save(self, name: str) -> None:
        if not name:
            return self.say(_("Save where? Type: save FILE"), style="red")
        try:
            save(self.record, Path(name))
            self.say(_("Saved to {name}."), style="green", name=name)
        except (OSError, ValueError) as error:
            self.say(_("{name} cannot be written: {error}"), style="red", name=name, error=error)
        return None

    def _rules(self, rule: str) -> None:
        book = self.match.game.rule_book(self.language)
        if rule:
            items = [item for item in book.split("\n- ") if item.startswith(f"**{rule.upper()}**")]
            book = f"- {items[0]}" if items else ""
        if book:
            console.print(Markdown(book))
        else:
            self.say(_("There is no rule {rule}."), style="red", rule=rule)
