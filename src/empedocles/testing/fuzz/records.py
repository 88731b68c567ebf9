"""Damaged records: refused with the line at fault, or matches that can be written and read again, in good time."""

from __future__ import annotations

import io
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from empedocles.errors import EmpedoclesError, RecordError
from empedocles.game import Game
from empedocles.play.match import Match
from empedocles.play.records import Record, open_records, read_records
from empedocles.position import Position
from empedocles.testing.fuzz.boards import some_options
from empedocles.testing.fuzz.damage import CHARACTERS, MANY, damaged
from empedocles.testing.fuzz.findings import need
from empedocles.testing.samples import random_match

MATCHES = 5  # of each game
SLOW = 1.0  # seconds of processor time for an input
SHORT = 20_000  # characters that are read in less
COMMENTS = (
    "{}",
    "{ }",
    "{a}",
    "{{",
    "}}",
    "{ {} }",
    "{\n}",
    "{" + "x" * 3000 + "}",
    "end",
    "checked: 0 moves, 00000000",
)


class Records:
    def __init__(self, luck: random.Random, games: Sequence[Game]) -> None:
        self.luck = luck
        self.texts = [str(_record(luck, game)) for game in games for _ in range(MATCHES)]
        self.folder = tempfile.TemporaryDirectory()

    def make(self) -> str:
        luck, text = self.luck, self.luck.choice(self.texts)
        way = luck.random()
        if way < 0.1:
            return "\n".join(luck.choices(self.texts, k=luck.randint(2, 12)))[:SHORT]
        if way < 0.2:
            return _with_many(luck, text)[:SHORT]
        text = damaged(luck, text, self.texts, luck.choice((("\n", " "), ("\n", ""), (" ",))))
        # Most damage makes the check wrong, and then nothing else is looked at: so it is often left out.
        return text if luck.random() < 0.5 else _unchecked(text)

    def take(self, text: str) -> bool:
        start = time.process_time()
        try:
            records = self._read(text)
        except EmpedoclesError as error:
            need(isinstance(error, RecordError), "a record is refused by another error", repr(error))
            return False
        finally:
            seconds = time.process_time() - start
            need(seconds < SLOW or len(text) > SHORT, "a short record takes long", f"{seconds:.1f} s, {len(text)} long")
        for record in records:
            _check(record)
        return True

    def _read(self, text: str) -> list[Record]:
        """Read records from lines, or from a file, which need not hold text."""
        if self.luck.random() < 0.7:
            return list(read_records(io.StringIO(text)))
        path = Path(self.folder.name) / "record.emp"
        data = text.encode("utf-8", "surrogatepass")
        path.write_bytes(data if self.luck.random() < 0.9 else data[:7] + b"\xfe" + data[7:])
        return list(open_records(path))

    def close(self) -> None:
        self.folder.cleanup()


def _record(luck: random.Random, game: Game) -> Record:
    match = random_match(game, some_options(luck, game), luck.getrandbits(32), luck.choice((None, 0, 1, 6, 40)))
    if luck.random() < 0.3:  # a match that was set up
        match = Match(luck.choice(match.positions()), chance="manual")
        for _ in range(luck.randint(0, 5)):
            match = match if match.is_over else match.play(luck.choice(match.legal_moves))
    names = {seat: luck.choice(("Ada", "Bo", 'a "quoted" \\ name', "", "名")) for seat in range(match.position.seats)}
    plies = range(len(match.moves) + 1)
    comments = {luck.choice(plies): luck.choice(("a remark", "12. no move", "end", "[Game]")) for _ in range(3)}
    return Record(match, names if luck.random() < 0.7 else {}, luck.choice(("", "2026-11-15")), comments)


def _with_many(luck: random.Random, text: str) -> str:
    """A record with many of something between its moves."""
    words = text.split(" ")
    at = luck.randint(0, len(words))
    words[at:at] = [luck.choice((*COMMENTS, *CHARACTERS, "1."))] * (luck.choice(MANY) * luck.choice((1, 10)))
    return _unchecked(" ".join(words))


def _unchecked(text: str) -> str:
    return "\n".join("end" if line.startswith("checked:") else line for line in text.split("\n"))


def _check(record: Record) -> None:
    match = record.match
    again = Match(Position(match.start.text), chance="manual").play(*match.moves)
    need(again.position == match.position, "moves of a record lead elsewhere", match.position.text)
    (twin,) = read_records(io.StringIO(str(record)))
    need(twin.match.moves == match.moves, "other moves after a round trip", match.moves)
    need(twin.names == record.names and twin.date == record.date, "other headers after a round trip", str(record))
    need(str(twin) == str(record), "another record after a round trip", str(record))
