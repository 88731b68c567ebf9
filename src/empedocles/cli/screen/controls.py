"""What a person at a screen does: the cursor, the move being entered, commands. It knows no terminal and no game."""

from __future__ import annotations

import contextlib
import functools
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from empedocles.cli.screen import pages
from empedocles.cli.screen.board import Marks
from empedocles.cli.screen.layout import Rect
from empedocles.cli.screen.pages import Page
from empedocles.cli.screen.thinker import Thinker
from empedocles.cli.table import Note, Table
from empedocles.language import Message, translate
from empedocles.language import mark as _
from empedocles.play.hints import Hint
from empedocles.play.partial import Partial, target_name
from empedocles.position import Position

Command = Callable[[str], None]  # with the rest of the line

DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
COMMANDS = {  # by their keys
    "u": "undo",
    "h": "hint",
    "s": "save",
    "l": "load",
    "r": "rules",
    "m": "moves",
    "?": "help",
    "q": "quit",
}
ASKEW = 3.0  # how much farther a target seems for each step off the straight line


class About(NamedTuple):
    """What to say about a target: what it leads to, or why it cannot be chosen."""

    words: str
    possible: bool
    rule: str = ""


class Controls:
    def __init__(self, table: Table, thinker: Thinker, leave: Callable[[], None]) -> None:
        self.table, self.thinker, self.leave = table, thinker, leave
        self.notes: list[Note] = []  # what the last action led to
        self.page: Page | None = None  # to be read instead of the board
        self.cursor: str | None = None
        self.refused = ""  # the target that was refused last
        self._advised: Position | None = None  # where a hint is being looked for
        self.entry = Partial(self.position)
        self.hint: Hint | None = None
        self.told = 0  # steps of the hint
        table.tell = self.notes.append

    def start(self) -> None:
        self._turn()

    # ── The position ──

    @property
    def position(self) -> Position:
        return self.table.match.position

    @property
    def is_drawn(self) -> bool:
        return self.position.game.drawing is not None and self.position.game.interface is not None

    def _turn(self) -> None:
        """Begin with a new position: a person may enter a move, or an agent thinks."""
        position = self.position
        self.entry, self.hint, self.told = Partial(position), None, 0
        if not self.table.is_peoples_turn and not position.is_over:
            self.thinker.ask(lambda: self._answer(position), lambda move: self._answered(position, move))

    def _answer(self, position: Position) -> str:
        # An answer for a position that was taken back is not needed.
        return self.table.answer(position) if position is self.position else ""

    def _answered(self, position: Position, move: str) -> None:
        if position is self.position:
            self.table.play(move)
            self._turn()

    @property
    def thinking(self) -> Message | None:
        """Who is thinking, for a note."""
        position, seat = self.position, self.position.to_move
        if self._advised is position:
            return Message(_("Looking for a good move …"), {})
        if seat is None or self.table.is_peoples_turn:
            return None
        return Message(_("{player} is thinking …"), {"player": self.player(seat)})

    def player(self, seat: int) -> str:
        return self.position.game.seat_name(self.position.seats, seat).say(self.table.language)

    # ── What is shown ──

    def say(self, message: Message) -> str:
        return message.say(self.table.language)

    def name(self, target: str) -> str:
        return target_name(self.position.game, target, self.table.language)

    @property
    def can(self) -> list[str]:
        return self.entry.targets if self.table.is_peoples_turn else []

    def marks(self) -> Marks:
        match = self.table.match
        return Marks(
            can=frozenset(self.can),
            chosen=self.entry.chosen,
            last=match.last_targets(len(match.moves)),
            hint=self._hinted_way(),
            cursor=self.cursor,
        )

    def about(self) -> About | None:
        """What to say about the target under the cursor."""
        if self.cursor is None or not self.table.is_peoples_turn:
            return None
        return about(self.entry, self.cursor, self.table.language)

    # ── The cursor ──

    def point(self, rects: Mapping[str, Rect]) -> None:
        """Put the cursor somewhere useful if it is nowhere, as soon as somebody here has something to choose."""
        if self.cursor in rects or not rects or not self.can:
            return
        across = [rect.centre for rect in rects.values()]
        middle = (max(x for x, _ in across) / 2, max(y for _, y in across) / 2)
        places = {target: rect for target, rect in rects.items() if target in self.can} or rects
        self.cursor = min(places, key=lambda target: _distance(middle, places[target].centre))

    def move(self, direction: str, rects: Mapping[str, Rect]) -> None:
        """Move the cursor to the nearest target in a direction."""
        if here := rects.get(self.cursor or ""):
            there = {target: far for target, rect in rects.items() if (far := way(here, rect, direction)) is not None}
            self.cursor = min(there, key=lambda target: there[target], default=self.cursor)

    def next(self, step: int, rects: Mapping[str, Rect]) -> None:
        """Move the cursor to the next target that can be chosen, row by row."""
        possible = sorted((rects[target].top, rects[target].left, target) for target in self.can if target in rects)
        order = [target for _, _, target in possible]
        if order:
            here = order.index(self.cursor) if self.cursor in order else -min(step, 0) - 1
            self.cursor = order[(here + step) % len(order)]

    # ── Entering a move ──

    def _clear(self) -> None:
        self.refused = ""
        self.notes.clear()

    def choose(self, target: str | None) -> None:
        self._clear()
        if target is None or not self._is_my_turn():
            return None
        if target not in self.can:
            return self._refuse(target)
        self.entry = self.entry.choose(target)
        if self.entry.move:
            return self._play(self.entry.move)
        if len(self.can) == 1:
            self.cursor = self.can[0]
        return None

    def _is_my_turn(self) -> bool:
        if self.position.is_over:
            self.table.tell(self.table.end())
        return self.table.is_peoples_turn

    def _refuse(self, target: str) -> None:
        """Move the cursor to the target: what is said about it says why."""
        self.cursor = self.refused = target
        about = self.about()
        self.table.rule = (about.rule if about else "") or self.table.rule

    def _play(self, *moves: str) -> None:
        if self.table.play(*moves):
            self._turn()

    def back(self) -> None:
        """Take the last choice back."""
        self._clear()
        self.entry = self.entry.back()

    # ── Typing ──

    def submit(self, line: str) -> None:
        """A line that was typed: a move, a target or a command."""
        self._clear()
        line = line.strip()
        word, _space, rest = line.partition(" ")
        if word in self.position.legal_moves and self.table.is_peoples_turn:
            self._play(*line.split())
        elif line in self.names:
            self.choose(line)
        elif word.lower() in self.commands:
            self.commands[word.lower()](rest.strip())
        elif target := self._target(line):
            self.choose(target)
        elif word and self._is_my_turn():
            self._play(*line.split())

    @property
    def names(self) -> list[str]:
        """All targets: those that can be chosen, then the others."""
        drawing = self.position.game.drawing
        return list(dict.fromkeys([*self.can, *(drawing.glyphs(self.position.state) if drawing else ())]))

    def _target(self, words: str) -> str | None:
        """The target with a name."""
        words = words.casefold()
        return next((name for name in self.names if words in (name.casefold(), self.name(name).casefold())), None)

    def completions(self, beginning: str) -> list[str]:
        """What a line with this beginning can become: targets, moves and commands."""
        words = [*self.can, *(self.entry.moves if self.table.is_peoples_turn else ()), *COMMANDS.values()]
        return [word for word in dict.fromkeys(words) if word.casefold().startswith(beginning.casefold())]

    # ── Commands ──

    @property
    def commands(self) -> dict[str, Command]:
        calls = (self._undo, self._hint, self.table.save, self._load, self._rules, self._moves, self._help, self._quit)
        words: dict[str, Command] = dict(zip(COMMANDS.values(), calls, strict=True))
        return words | {key: words[word] for key, word in COMMANDS.items()}

    def _undo(self, _rest: str = "") -> None:
        if self.table.undo():
            self._turn()

    def _hint(self, _rest: str = "") -> None:
        """The next step of a hint: where to look, which move, why. One look at the position is enough for all."""
        position = self.position
        if not self._is_my_turn() or self._advised is position:
            return
        if self.hint is not None:
            self.told += 1
            self._tell_hint(self.hint)
        else:
            self._advised = position
            self.thinker.ask(lambda: self.table.hint(position), lambda found: self._hinted(position, found))

    def _hinted(self, position: Position, found: Hint) -> None:
        self._advised = None
        if position is self.position:
            self.hint, self.told = found, 1
            self._tell_hint(found)

    def _hinted_way(self) -> Sequence[str]:
        """Where the hint says to look, then the way to its move."""
        if self.hint is None:
            return ()
        return self.hint.targets if self.told == 1 else self.table.match.way(self.hint.move)

    def _tell_hint(self, found: Hint) -> None:
        self.table.tell(Note(found.steps[min(self.told, len(found.steps)) - 1], "good"))

    def _load(self, name: str) -> None:
        with contextlib.redirect_stderr(io.StringIO()):  # rules that must be compiled first say so there
            loaded = self.table.load(name)
        if loaded:
            self.cursor = None
            self._turn()

    def _rules(self, rule: str) -> None:
        about = self.about()
        named = rule or (about.rule if about else "") or self.table.rule
        if not rule or self.table.rules(rule):
            self.page = pages.rules(self.table, named)

    def _moves(self, beginning: str) -> None:
        if not beginning or self.table.legal(beginning):
            self.page = pages.moves(self.table, [m for m in self.entry.moves if m.startswith(beginning)])

    def _help(self, _rest: str = "") -> None:
        self.page = pages.keys(self.table.language)

    def _quit(self, _rest: str = "") -> None:
        self.leave()


@functools.lru_cache(maxsize=64)  # a screen is drawn often, and reasons are many
def about(entry: Partial, target: str, language: str) -> About:
    if target in entry.targets:
        return About(entry.leads_to(target).say(language), True)
    if target in entry.chosen:
        return About(translate(_("already chosen"), language), False)
    reason = entry.why_not(target)
    if reason is None:
        return About(translate(_("no move uses this now"), language), False)
    return About(reason.say(language), False, reason.rule)


def free_name(table: Table) -> str:
    """The name of a new file for a match."""
    name, number = table.match.game.name, 1
    while (path := Path(f"{name}-{number}.emp")).exists():
        number += 1
    return str(path)


def _distance(one: tuple[float, float], two: tuple[float, float]) -> float:
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


def way(here: Rect, there: Rect, direction: str) -> float | None:
    """How far a target seems in a direction; None if it is not there."""
    right, down = DIRECTIONS[direction]
    (x, y), (u, v) = here.centre, there.centre
    ahead = (u - x) * right + (v - y) * down
    sizes = (here.height + there.height) if right else (here.width + there.width) / 2
    aside = max(0.0, abs(v - y if right else u - x) - sizes / 2)
    return ahead + ASKEW * aside if ahead > 0 else None
