"""A table: one match between people here and agents in the other seats, however it is shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from empedocles import agents
from empedocles.cli import files
from empedocles.coach import talk
from empedocles.errors import BadValue, EmpedoclesError, IllegalMove, NothingToUndo
from empedocles.language import Message, in_a_row, translate
from empedocles.language import mark as _
from empedocles.play.hints import Hint, hint
from empedocles.play.match import Match
from empedocles.play.records import Record
from empedocles.position import Position
from empedocles.search.limits import Limit

PERSON = "person"  # the name of seats that people here play, unless a record has names
OPPONENT = "level-3"
HINT = Limit(seconds=0.6)


class Note(NamedTuple):
    """Something to tell the people here."""

    message: Message
    kind: str = ""  # good, bad, warning or news: how it is shown
    rule: str = ""  # its id, where one is the reason

    def say(self, language: str) -> str:
        return self.message.say(language) + (f" ({self.rule})" if self.rule else "")


def seating(record: Record, people: int | None, opponent: str, words: list[str]) -> dict[int, str]:
    """Who sits where: PERSON or an agent's name by seat. A resumed match keeps its players unless told otherwise."""
    seats = record.match.position.seats
    if people is not None and not 0 <= people <= seats:
        raise BadValue(f"{record.match.game.name} has {seats} seats here, for 0 to {seats} people, not {people}")
    known = {PERSON, *agents.agents_for(record.match.game)} if people is None else set()
    before = {seat: name for seat, name in record.names.items() if name in known}
    fresh = {
        seat: PERSON if seat < (1 if people is None else people) else agents.spelled(opponent) for seat in range(seats)
    }
    return fresh | before | dict(_seat(word, seats) for word in words)


def _seat(word: str, seats: int) -> tuple[int, str]:
    seat, equals, name = word.partition("=")
    if not (equals and seat.isdecimal() and int(seat) < seats and name):
        raise BadValue(f"{word!r} does not say who sits where: SEAT=AGENT, with a seat from 0 to {seats - 1}")
    return int(seat), agents.spelled(name)


class Table:
    """The match and who plays it. What is worth telling goes to `tell`, which is set by whatever shows the table."""

    def __init__(self, record: Record, players: dict[int, str], language: str, limit: Limit) -> None:
        translate("", language)  # an unknown language is refused now, not at the first message
        self.language, self.limit = language, limit
        self.tell: Callable[[Note], None] = lambda _note: None
        self.rule = ""  # named last
        self.silent = False  # whether opponents keep their remarks to themselves
        self._sit(record, players)

    def _sit(self, record: Record, players: dict[int, str]) -> None:
        people = {seat for seat, name in players.items() if name == PERSON}
        chosen = {
            seat: agents.find(name, (record.match.seed + seat) % 2**64, record.match.game)
            for seat, name in players.items()
            if seat not in people
        }
        for seat, name in players.items():  # a person's own name stays
            if seat in chosen or record.names.get(seat) in {None, *agents.all_agents()}:
                record.names[seat] = name
        self.record, self.people, self.agents = record, people, chosen
        self._talk = self._listening()

    @property
    def match(self) -> Match:
        return self.record.match

    @property
    def is_peoples_turn(self) -> bool:
        return self.match.to_move in self.people

    def say(self, text: str, kind: str = "", **values: object) -> None:
        self.tell(Note(Message(text, values), kind))

    # ── Moves ──

    def play(self, *moves: str) -> bool:
        """Play moves, keep the match, and say whether they were legal."""
        try:
            self.match.play(*moves)
        except IllegalMove as error:
            self.refuse(error.message, error.rule or "")
            return False
        self.keep()
        self._chat()
        return True

    def _chat(self) -> None:
        """Tell what opponents say about the moves played since."""
        match, heard = self.match, self._talk
        for ply in range(len(heard.moves), match.plies):
            if (said := heard.hear(match.at(ply), match.move(ply + 1))) and not self.silent:
                player = match.game.seat_name(match.position.seats, said.seat)
                self.say(_("{player}: “{words}”"), "news", player=player, words=said.words)

    def _listening(self) -> talk.Talk:
        """What opponents have said up to now."""
        match, seats = self.match, self.match.position.seats
        levels = {seat: getattr(agent, "level", 0) for seat, agent in self.agents.items()}
        talks = talk.may_talk(match.game, seats, levels)
        heard = talk.Talk(talk.voices(match.game, levels) if talks else {}, str(match.seed))
        for ply, move in enumerate(match.moves):
            heard.hear(match.at(ply), move)
        return heard

    def silence(self, _rest: str = "") -> None:
        """Silence opponents, or let them talk again."""
        self.silent = not self.silent
        self.say(
            _("Opponents are silent now; the same again lets them talk.") if self.silent else _("Opponents talk again.")
        )

    def refuse(self, reason: Message, rule: str) -> None:
        self.rule = rule or self.rule
        self.tell(Note(reason, "bad", rule))

    def answer(self, position: Position) -> str:
        """What the agent to move plays in a position."""
        seat = position.to_move
        assert seat is not None
        return self.agents[seat].choose(position, self.limit)

    def hint(self, position: Position) -> Hint:
        return hint(position, self._adviser, HINT)

    @cached_property
    def _adviser(self) -> agents.Agent:
        return agents.find("search")

    def undo(self) -> bool:
        """Go back to the last decision of a person here; False if there is none."""
        before = self.match.copy()
        try:
            before.undo()
            while before.to_move not in self.people:
                before.undo()
        except NothingToUndo:
            self.say(_("There is nothing to take back."), "bad")
            return False
        self.record.match = before
        self._talk = self._listening()
        self.record.comments = {ply: text for ply, text in self.record.comments.items() if ply <= len(before.moves)}
        self.keep()
        return True

    def legal(self, beginning: str = "") -> list[str]:
        moves = [move for move in self.match.legal_moves if move.startswith(beginning)]
        if not moves:
            self.say(_("No legal move begins with {beginning}."), beginning=beginning)
        return moves

    # ── Files ──

    def keep(self) -> None:
        try:
            files.autosave().parent.mkdir(parents=True, exist_ok=True)
            files.save(self.record, files.autosave())
        except OSError as error:
            self.say(_("This match cannot be kept for later: {error}"), "warning", error=error)

    def save(self, name: str) -> None:
        if not name:
            return self.say(_("Save where? Type: save FILE"), "bad")
        try:
            files.save(self.record, Path(name))
            self.say(_("Saved to {name}."), "good", name=name)
        except (OSError, ValueError) as error:
            self.say(_("{name} cannot be written: {error}"), "bad", name=name, error=error)
        return None

    def load(self, name: str) -> bool:
        """Go on with the last match of a file instead; False if that is not possible, and nothing has changed."""
        if not name:
            self.say(_("Load what? Type: load FILE"), "bad")
            return False
        try:
            record = files.load(Path(name))
            record.match = record.match.resume()
            self._sit(record, seating(record, *self._habits(record), []))
        except (OSError, EmpedoclesError) as error:
            self.say(_("{name} cannot be loaded: {error}"), "bad", name=name, error=error)
            return False
        self.say(_("Loaded {name}."), "good", name=name)
        self.keep()
        return True

    def _habits(self, record: Record) -> tuple[int | None, str]:
        """How many people play, and against whom, in a match whose record does not say."""
        if not self.agents:
            return record.match.position.seats, OPPONENT
        name = self.record.names[min(self.agents)]
        return None, name if name.lower() in agents.agents_for(record.match.game) else OPPONENT

    # ── Words ──

    def rules(self, rule: str = "") -> str:
        """The rule book, or one rule of it; empty if there is no such rule."""
        book = self.match.game.rule_book(self.language)
        if not rule:
            return book
        for item in book.split("\n- "):
            if item.startswith(f"**{rule.upper()}**"):
                return f"- {item}"
        self.say(_("There is no rule {rule}."), "bad", rule=rule)
        return ""

    def end(self) -> Note:
        """What is said last: the result, or how to go on."""
        if self.match.is_over:
            over = Message(_("The game is over: {result}."), {"result": self.match.position.outcome})
            return Note(in_a_row([over, self.match.ending.message], " ") if self.match.ending else over, "good")
        return Note(Message(_("Continue later with: empedocles play --resume"), {}))
