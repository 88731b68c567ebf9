"""Records: matches on disk, as text (`.emp`).

    [Game "ignite-and-flow"]
    [Rules "1"]
    [Option reactions "all"]
    [Seat 0 "Ada"]
    [Seat 1 "Bo"]
    [Date "2026-11-15"]
    [Result "4-7, won by 1"]

    1. Fc3 {a quiet start} 2. Wd4 3. c3+d4 Tc3
    checked: 4 moves, 1c291ca3

Header values are JSON strings. A number begins each turn: the decisions of one seat in a row, with the chance moves
after them. A comment in braces belongs to the move before it, or to the start. `[Result "*"]` is an unfinished match.
`[Commitment "…"]`, `[Secret "…"]`, and `[Promise 0 "…"]` and `[Value 0 "…"]` of players who took part, all in
hexadecimal, say how chance was decided, so that `empedocles verify` can draw again; `[Elsewhere "12"]` says how many
moves were played before that.
The last line closes the record, so that a cut-off file is noticed; its check covers game, options and moves, so that an
edited game is noticed too. A record written by hand may end with a plain `end`. A file holds any number of records.

In one file, as what is written must be read.
"""

from __future__ import annotations

import contextlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from empedocles.errors import BadValue, EmpedoclesError, IllegalMove, RecordError
from empedocles.game import Game
from empedocles.games import all_games, find
from empedocles.language import Message
from empedocles.language import mark as _
from empedocles.play.evidence import Evidence
from empedocles.play.match import Match
from empedocles.position import Position, Result

UNFINISHED = "*"
WIDTH = 100  # of a line of moves
MOST_HEADERS = 100  # of one record; a game has a handful of options, and a name for each seat
QUOTED = 80  # characters that an error quotes of what cannot be read

_HEADER = re.compile(r"\[([A-Z][a-z]+)(?: (\S+))? (\".*\")\]")
_TOKEN = re.compile(r"(?P<comment>\{[^{}]*\})|(?P<number>\d+\.)|(?P<move>[^\s{}]+)|(?P<wrong>[{}])")
_END = re.compile(r"end|checked: (\d{1,9}) moves?, ([0-9a-f]{8})")


@dataclass
class Record:
    """A match with its headers and comments; `match` is checked move by move when a record is read."""

    match: Match
    names: dict[int, str] = field(default_factory=dict)  # of the players, by seat
    date: str = ""  # ISO, such as 2026-11-15
    comments: dict[int, str] = field(default_factory=dict)  # after how many moves → text
    evidence: Evidence | None = None  # of how chance was decided

    def __str__(self) -> str:
        self._check()
        return "\n".join([*_headers(self), "", *_wrapped(_tokens(self)), _closing(self.match), ""])

    def _check(self) -> None:
        """Refuse to write what could not be read again."""
        seats, plies = self.match.position.seats, self.match.plies
        for seat in self.names:
            if seat not in range(seats):
                raise BadValue(f"there is no seat {seat!r} to name: seats are 0 to {seats - 1}")
        for ply in self.comments:
            if ply not in range(plies + 1):
                raise BadValue(f"there is no move {ply!r} to comment on: this match has {plies}")


class Most(NamedTuple):
    """How much a text from a stranger may hold, in all of its records together."""

    records: int
    plies: int
    comments: int
    words: int  # characters of all comments


# ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def write_records(file: TextIO, records: Iterable[Record]) -> None:
    file.writelines(f"{record}\n" for record in records)


def _headers(record: Record) -> Iterator[str]:
    match = record.match
    yield _header("Game", match.game.name)
    yield _header("Rules", str(match.game.rules_version))
    for name, value in match.game.named(match.options).items():
        yield _header(f"Option {name}", str(value))
    if match.start != Position.start(match.game, match.options):
        yield _header("Position", match.start.text)
    for seat, name in sorted(record.names.items()):
        yield _header(f"Seat {seat}", name)
    if record.date:
        yield _header("Date", record.date)
    if record.evidence:
        yield from _evidence(record.evidence)
    yield _header("Result", result_text(match.result))


def _evidence(shown: Evidence) -> Iterator[str]:
    yield _header("Commitment", shown.commitment)
    for seat, commitment in sorted(shown.commitments.items()):
        yield _header(f"Promise {seat}", commitment)
    yield _header("Secret", shown.secret.hex())
    for seat, value in sorted(shown.values.items()):
        yield _header(f"Value {seat}", value.hex())
    if shown.start:
        yield _header("Elsewhere", str(shown.start))


def _header(name: str, value: str) -> str:
    return f"[{name} {json.dumps(value, ensure_ascii=False)}]"


def result_text(result: Result | None) -> str:
    if result is None:
        return UNFINISHED
    winners = " and ".join(map(str, sorted(result.winners)))
    return "-".join(map(str, result.scores)) + (f", won by {winners}" if winners else ", a draw")


def _tokens(record: Record) -> Iterator[str]:
    comments = record.comments
    if 0 in comments:
        yield _comment(comments[0])
    turns = record.match.turn_numbers()
    for ply, move in enumerate(record.match.moves):
        if ply in turns:
            yield f"{turns[ply]}."
        yield move
        if ply + 1 in comments:
            yield _comment(comments[ply + 1])


def _comment(text: str) -> str:
    # Braces and line ends would not come back as they were.
    return "{" + " ".join(text.replace("{", "(").replace("}", ")").split()) + "}"


def _wrapped(tokens: Iterable[str]) -> Iterator[str]:
    line = ""
    for token in tokens:
        if line and len(line) + 1 + len(token) > WIDTH:
            yield line
            line = ""
        line = f"{line} {token}".lstrip()
    if line:
        yield line


def _closing(match: Match) -> str:
    n = match.plies
    return f"checked: {n} move{'' if n == 1 else 's'}, {check(match):08x}"


def check(match: Match) -> int:
    """A number that changes with the game, its rules and options, the start and any move."""
    content = [match.game.name, str(match.game.rules_version), match.start.text, *match.moves]
    return zlib.crc32("\n".join(content).encode())


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def record_of(text: str) -> Record | None:
    """A match of no moves from a position's text; None if the text does not begin with a game's name."""
    name = text.split(maxsplit=1)[:1]
    return Record(Match(Position(text), chance="manual")) if name and name[0] in all_games() else None


def open_records(path: Path) -> Iterator[Record]:
    """The records of the file at a path, at least one."""
    found = False
    try:
        with path.open(encoding="utf-8-sig") as file:
            for record in read_records(file):
                found = True
                yield record
        if not found:
            raise RecordError(1, Message(_("this file holds no match"), {}))
    except UnicodeDecodeError as error:
        raise _in_file(path, RecordError(1, Message(_("this is not a text file: {error}"), {"error": error}))) from None
    except RecordError as error:
        raise _in_file(path, error) from None


def _in_file(path: Path, error: RecordError) -> RecordError:
    error.file = str(path)
    return error


def read_records(file: Iterable[str], most: Most | None = None) -> Iterator[Record]:
    """The records of a file, one by one; each is played through and verified before it is returned.

    The time this takes is linear in the size of the file. `most` is for files from strangers.
    """
    if isinstance(file, str):
        raise TypeError("read_records takes a file or lines of text; for text itself, use io.StringIO(text)")
    count = _Count(most)
    reader = _Reader(count)
    try:
        for number, line in enumerate(file, start=1):
            if record := reader.take(number, line.rstrip("\n")):
                yield record
                reader = _Reader(count)
        reader.stop()
    except RecordError as error:
        text = _("line {line}, move {move!r}") if error.move else _("line {line}")
        error.place = Message(text, {"line": error.line, "move": error.move})
        raise


class _Count:
    """What was read so far, and the most that a file may hold."""

    def __init__(self, most: Most | None) -> None:
        self.most = most
        self.read = dict.fromkeys(Most._fields, 0)

    def add(self, line: int, what: str, amount: int = 1) -> None:
        self.read[what] += amount
        if self.most and self.read[what] > (most := getattr(self.most, what)):
            raise RecordError(line, Message(_TOO_MUCH[what], {"most": f"{most:,}"}))


_TOO_MUCH = {
    "records": _("more than {most} records in one text"),
    "plies": _("more than {most} moves in one text"),
    "comments": _("more than {most} comments in one text"),
    "words": _("more than {most} characters of comments in one text"),
}


class _Reader:
    """Reads the lines of one record."""

    def __init__(self, count: _Count) -> None:
        self.count = count
        self.line = 0
        self.headers: dict[tuple[str, str], tuple[str, int]] = {}
        self.match: Match | None = None
        self.comments: dict[int, list[str]] = {}
        self.pending: list[str] = []  # the lines of a comment that goes on in the next

    def take(self, number: int, line: str) -> Record | None:
        self.line = number
        if self.match is None and line.startswith("["):
            self._header(line)
        elif not self.pending and (end := _END.fullmatch(line.strip())):
            return self._close(end)
        elif line.strip() or self.pending:
            self._moves(line)
        return None

    def _error(self, text: str, **values: Any) -> RecordError:
        """What is wrong in this line."""
        return RecordError(self.line, Message(text, values))

    def stop(self) -> None:
        """The file ends here, which is fine only between two records."""
        if self.headers or self.match:
            raise self._error(_("the record is cut off: no closing line"))

    def _header(self, line: str) -> None:
        found = _HEADER.fullmatch(line.strip())
        try:
            value = json.loads(found[3]) if found else None
            (value or "").encode()  # half a surrogate pair could not be written again
        except (json.JSONDecodeError, UnicodeEncodeError):
            value = None
        if found is None or value is None:
            raise self._error(_('{line} is not a header of the form [Name "value"]'), line=repr(_short(line)))
        name = (found[1], found[2] or "")
        if name in self.headers:
            raise self._error(_("the header {name} is given twice"), name=_short(" ".join(name).strip()))
        if len(self.headers) == MOST_HEADERS:
            raise self._error(_("a record has at most {most} headers"), most=MOST_HEADERS)
        self.headers[name] = value, self.line

    def _moves(self, line: str) -> None:
        self.match = self.match or self._start()
        if self.pending and not ("{" in line or "}" in line):
            self.pending.append(line.strip())
            return
        text = " ".join([*self.pending, line.strip()]) if self.pending else line
        opening = text.rfind("{")
        open_ended = opening > text.rfind("}")
        self.pending = [text[opening:]] if open_ended else []
        for token in _TOKEN.finditer(text[:opening] if open_ended else text):
            self._token(self.match, token)

    def _token(self, match: Match, token: re.Match[str]) -> None:
        if token["wrong"]:
            raise self._error(_("a lone {sign}: comments are written {{like this}}"), sign=repr(token["wrong"]))
        if token["comment"]:
            self._comment(match.plies, token["comment"][1:-1])
        elif token["move"]:
            self._move(match, token["move"])

    def _comment(self, ply: int, text: str) -> None:
        self.count.add(self.line, "comments")
        self.count.add(self.line, "words", len(text))
        self.comments.setdefault(ply, []).append(text)

    def _move(self, match: Match, move: str) -> None:
        self.count.add(self.line, "plies")
        try:
            match.play(move)
        except IllegalMove as error:
            raise RecordError(self.line, _Quoted(error.message), _short(error.move), error.rule) from None

    def _start(self) -> Match:
        game = self._game()
        options = {key: value for (name, key), (value, _) in self.headers.items() if name == "Option"}
        for name, value in options.items():
            with self._blaming("Option", name):
                game.complete({name: value})
        with self._blaming("Option", *list(options)[:1]):
            position = Position.start(game, options)
        if text := self._value("Position"):
            with self._blaming("Position"):
                position = self._set_up(Position(text), position, options)
        return Match(position, chance="manual")

    @contextlib.contextmanager
    def _blaming(self, name: str, key: str = "") -> Iterator[None]:
        """Report errors with the line of this header."""
        try:
            yield
        except EmpedoclesError as error:
            raise RecordError(self._line(name, key), error) from None

    def _set_up(self, position: Position, start: Position, options: dict[str, str]) -> Position:
        """A position to start from, which must be of the same game and options as the other headers say."""
        if position.game is not start.game or (options and position.options != start.options):
            raise BadValue(Message(_("the headers Game and Option contradict the header Position"), {}))
        return position

    def _game(self) -> Game:
        if not self._value("Game"):
            first = min((line for _value, line in self.headers.values()), default=self.line)
            raise RecordError(first, Message(_("the header Game is missing"), {}))
        with self._blaming("Game"):
            game = find(self._value("Game"))
        rules = self._value("Rules") or str(game.rules_version)
        if rules != str(game.rules_version):
            text = _("played by version {rules} of the rules of {game}, this is version {version}")
            values = {"rules": repr(_short(rules)), "game": game.name, "version": game.rules_version}
            raise RecordError(self._line("Rules"), Message(text, values))
        return game

    def _line(self, name: str, key: str = "") -> int:
        """The line of a header; the one being read, if there is no such header."""
        return self.headers.get((name, key), ("", self.line))[1]

    def _value(self, name: str, key: str = "") -> str:
        return self.headers.get((name, key), ("", 0))[0]

    def _close(self, end: re.Match[str]) -> Record:
        self.count.add(self.line, "records")
        match = self.match or self._start()
        if end[1] and (int(end[1]), int(end[2], 16)) != (match.plies, check(match)):
            text = _("the record was changed: it does not match its check; here {closing}")
            raise self._error(text, closing=repr(_closing(match)))
        self._check_result(match)
        comments = {ply: " ".join(texts).lstrip() for ply, texts in self.comments.items()}
        seats = match.position.seats
        names = {seat: value for seat, (value, _line) in self._of_seats("Seat", seats).items()}
        return Record(match, names, self._value("Date"), comments, self._evidence(seats))

    def _check_result(self, match: Match) -> None:
        """What the headers say of the result must be what the moves lead to."""
        result = result_text(match.result)
        said, line = self.headers.get(("Result", ""), (result, self.line))
        if said != result:
            text = _("the result is given as {said}, the moves lead to {result}")
            raise RecordError(line, Message(text, {"said": repr(_short(said)), "result": repr(result)}))

    def _of_seats(self, name: str, seats: int) -> dict[int, tuple[str, int]]:
        """The headers of a name that are about a seat, by seat."""
        found = {}
        for (known, key), given in self.headers.items():
            if known == name:
                if key not in map(str, range(seats)):
                    text = _("there is no seat {seat}: seats are 0 to {last}")
                    raise RecordError(given[1], Message(text, {"seat": repr(_short(key)), "last": seats - 1}))
                found[int(key)] = given
        return found

    def _evidence(self, seats: int) -> Evidence | None:
        if ("Secret", "") not in self.headers:
            return None
        values = {seat: self._bytes(*given) for seat, given in self._of_seats("Value", seats).items()}
        commitments = {seat: value for seat, (value, _line) in self._of_seats("Promise", seats).items()}
        start, line = self.headers.get(("Elsewhere", ""), ("0", 0))
        if not (start.isdecimal() and len(start) < 10):
            raise RecordError(line, Message(_("{text} is not a number of moves"), {"text": repr(_short(start))}))
        secret = self._bytes(*self.headers["Secret", ""])
        return Evidence(secret, self._value("Commitment"), values, commitments, int(start))

    def _bytes(self, text: str, line: int) -> bytes:
        if not re.fullmatch(r"([0-9a-f]{2})+", text):
            raise RecordError(line, Message(_("{text} is not written in hexadecimal"), {"text": repr(_short(text))}))
        return bytes.fromhex(text)


class _Quoted(NamedTuple):
    """As much of a message as an error quotes: it may name a move of any length."""

    message: Message

    def say(self, language: str = "en") -> str:
        return _short(self.message.say(language))


def _short(text: str) -> str:
    """As much of a text as an error quotes."""
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"
