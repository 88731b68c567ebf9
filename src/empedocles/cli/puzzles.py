"""Puzzles at the terminal: a position, moves typed in, and reasons why a wrong one is wrong."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.markup import escape

from empedocles.agents import SearchAgent
from empedocles.cli import files
from empedocles.cli.console import console
from empedocles.cli.terminal import MOST_LISTED, PLAYED, STYLES, ask
from empedocles.coach import puzzles as known
from empedocles.coach.puzzles import Attempt, Puzzle, Verdict
from empedocles.coach.refutations import refutation
from empedocles.coach.sheets import PER_PAGE, print_puzzles, solution_of, task_of
from empedocles.errors import BadValue, IllegalMove, UnknownName
from empedocles.game import Game
from empedocles.language import Message, Term, translate
from empedocles.language import mark as _
from empedocles.play.hints import why
from empedocles.position import Position
from empedocles.search.limits import Limit

LOOK = Limit(simulations=20_000)  # to say why a move is wrong
STRIDE = 75  # the next puzzle is harder by this if one was solved, and easier if not


@dataclass
class Choice:
    """Which puzzles are wanted."""

    game: Game
    rating: float = known.MIDDLE
    theme: str | None = None
    day: datetime.date | None = None
    name: str | None = None

    def next(self, seen: set[str]) -> Puzzle | None:
        """The next one; None if there are no more."""
        if not known.puzzles(self.game):
            raise UnknownName(Message(_("{game} has no puzzles"), {"game": self.game.title}))
        if self.day or self.name:
            if seen:
                return None
            return known.of_the_day(self.game, self.day) if self.day else known.find(self.game, self.name or "")
        return known.next_for(self.game, self.rating, seen, self.theme)


def list_themes(game: Game, language: str) -> None:
    number = Counter(puzzle.theme for puzzle in known.puzzles(game))
    for name, idea in known.themes(game).items():
        console.print(f"[bold]{name}[/]  {escape(translate(idea.title, language))} ({number[name]})")


def print_sheets(choice: Choice, path: Path, sheets: int, paper: str, language: str) -> None:
    """Write puzzles for paper, from easy to difficult."""
    if path.suffix.lower() != ".pdf":
        raise BadValue(f"{str(path)!r} must end in .pdf")
    files.need_folder(path)
    found: dict[str, Puzzle] = {}
    while len(found) < PER_PAGE * sheets and (puzzle := choice.next(set(found))):
        found[puzzle.id] = puzzle
    path.write_bytes(print_puzzles(sorted(found.values(), key=lambda one: one.rating), paper, language))
    console.print(f"Written to {escape(str(path))}.")


class Solving:
    """Somebody solves puzzles, one after another."""

    def __init__(self, choice: Choice, language: str) -> None:
        translate("", language)  # an unknown language is refused now, not at the first message
        self.choice, self.language = choice, language
        self.seen: set[str] = set()
        self.attempt: Attempt | None = None
        self.hints = self.mistakes = 0
        self.commands: dict[str, Callable[[], None]] = {
            "?": self._help,
            "help": self._help,
            "hint": self._hint,
            "moves": self._list,
            "board": self._board,
            "solution": self._give_up,
            "next": self._leave,
        }

    def run(self) -> None:
        while puzzle := self.choice.next(self.seen):
            if not self._solve(puzzle):
                return
        self._say(_("That was the last one."))

    def _solve(self, puzzle: Puzzle) -> bool:
        """One puzzle, until it is solved or left; False if there is no more input."""
        self.seen.add(puzzle.id)
        self.attempt, self.hints, self.mistakes = Attempt(puzzle), 0, 0
        self._introduce(puzzle)
        while self.attempt:
            line = ask("> ")
            if line is None or line in ("quit", "exit"):
                return False
            if line in self.commands:
                self.commands[line]()
            elif line:
                self._answer(line)
        return True

    def _say(self, text: str, kind: str = "", **values: object) -> None:
        console.print(escape(Message(text, values).say(self.language)), style=STYLES[kind])

    def _introduce(self, puzzle: Puzzle) -> None:
        stars = "★" * puzzle.stars + "☆" * (5 - puzzle.stars)
        console.rule(f"{escape(puzzle.game.title)} · {puzzle.id} · {stars} {puzzle.rating}")
        self._board()
        console.print(escape(task_of(puzzle).say(self.language)), style="bold")
        if len(self.seen) == 1:
            self._help()

    # ── Answers ──

    def _answer(self, move: str) -> None:
        assert self.attempt
        place, ply = self.attempt.position, self.attempt.ply
        try:
            verdict = self.attempt.answer(move)
        except IllegalMove as error:
            console.print(escape(error.say(self.language)), style=STYLES["bad"])
            return
        if verdict is Verdict.WRONG:
            self.mistakes += 1
            with console.status(translate(_("Looking at it …"), self.language)):
                why = refuted(self.attempt, move)
            self._say(_("That is not it. {why}"), "bad", why=why)
        elif verdict is Verdict.RIGHT:
            self._say(_("Right!"), "good")
            self._show_answers(place.play(move), self.attempt.puzzle.line[ply + 1 : self.attempt.ply])
        else:
            self._say(_("Right, solved! It is about {theme}."), "good", theme=Term(self.attempt.puzzle.idea.title))
            self._end(not self.mistakes and not self.hints)

    def _show_answers(self, place: Position, answers: Sequence[str]) -> None:
        """What the other side does, and the board after it."""
        for move in answers:
            self._say(PLAYED, "news", words=place.words(move), move=move)
            place = place.play(move)
        self._board()

    def _end(self, solved: bool) -> None:
        self.choice.rating += STRIDE if solved else -STRIDE
        self.attempt = None

    # ── Commands ──

    def _help(self) -> None:
        self._say(_("Type a move, or one of: {commands}."), commands="hint, solution, next, moves, board, help, quit")

    def _hint(self) -> None:
        """First the theme, then where the move begins."""
        assert self.attempt
        self.hints += 1
        if self.hints == 1:
            self._say(_("It is about {theme}."), "news", theme=Term(self.attempt.puzzle.idea.title))
            return
        position = self.attempt.position
        first = min(position.game.paths[position.action(self.attempt.expected)][0])
        self._say(_("Begin with: {target}."), "news", target=position.game.described(position.state, first))

    def _list(self) -> None:
        assert self.attempt
        here = self.attempt.position
        for action in here.legal_actions[:MOST_LISTED]:
            words = here.game.advised(here.state, action).say(self.language)
            console.print(escape(f"{words} ({here.game.moves[action]})"))
        if len(here.legal_actions) > MOST_LISTED:
            self._say(_("… and {n} more."), n=len(here.legal_actions) - MOST_LISTED)

    def _board(self) -> None:
        assert self.attempt
        console.print(f"\n{escape(self.attempt.position.board(self.language))}\n")

    def _give_up(self) -> None:
        assert self.attempt
        puzzle = self.attempt.puzzle
        self._say(_("The solution: {line}."), "news", line=solution_of(puzzle, self.attempt.ply))
        with console.status(translate(_("Looking at it …"), self.language)):
            reason = reason_of(self.attempt)
        if reason:
            console.print(escape(reason.say(self.language)), style=STYLES["news"])
        self._say(_("It is about {theme}."), "news", theme=Term(puzzle.idea.title))
        self._end(solved=False)

    def _leave(self) -> None:
        self._end(solved=False)


def refuted(attempt: Attempt, move: str) -> Message:
    """What is wrong with a move, by a short search of it and of the right one."""
    place, agent = attempt.position, SearchAgent()
    return refutation(place, *(agent.judge(place, each, LOOK) for each in (move, attempt.expected)))


def reason_of(attempt: Attempt) -> Message | None:
    """Why the move that was to be found is better than the others, by a short search of it and of them."""
    place, agent = attempt.position, SearchAgent()
    right = agent.judge(place, attempt.expected, LOOK)
    others = [one for one in agent.analyse(place, LOOK) if one.move != right.move]
    return why(place, [right, *others])
