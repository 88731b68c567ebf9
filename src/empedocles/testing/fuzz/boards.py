"""Damaged board drawings, as text and as files, for the games that take custom boards."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from empedocles.boards import parse
from empedocles.errors import BrokenGame, EmpedoclesError
from empedocles.game import Game, Option
from empedocles.position import Position
from empedocles.testing.fuzz.damage import damaged
from empedocles.testing.fuzz.soundness import check_sound, play_out
from empedocles.testing.samples import all_options

OWN = 0.4  # the share of matches with a custom board, where the game takes one
TRIES = 20  # to draw a board that the game takes


def board_option(game: Game) -> Option | None:
    return next((option for option in game.options if option.takes_board), None)


def drawings(game: Game) -> list[tuple[dict[str, Any], list[str]]]:
    """Options with the rows of a board that fits them, for every board that comes with the game."""
    option = board_option(game)
    assert option
    boards = [parse(file.read_text(encoding="utf-8")) for file in sorted((game.folder / "boards").glob("*.txt"))]
    pairs = [(options, rows) for options in all_options(game) for rows in boards]
    return [(options, rows) for options, rows in pairs if _fits(game, options | {option.name: "/".join(rows)})]


def _fits(game: Game, options: dict[str, Any]) -> bool:
    try:
        game.encode(game.complete(options))
    except EmpedoclesError:
        return False
    return True


def some_options(luck: random.Random, game: Game) -> dict[str, Any]:
    """Any combination of a game's options, also with a custom board."""
    option = board_option(game)
    if option and luck.random() < OWN and (known := drawings(game)):
        for _ in range(TRIES):
            options, rows = luck.choice(known)
            own = options | {option.name: "/".join(_shuffled(luck, rows))}
            if _fits(game, own):
                return own
    return luck.choice(all_options(game))


def _shuffled(luck: random.Random, rows: list[str]) -> list[str]:
    """The squares of a drawing in another order, or a few of them exchanged, or rows."""
    letters = [list(row) for row in rows]
    for _ in range(luck.choice((1, 4, 200))):
        one, other = luck.choice(letters), luck.choice(letters)
        a, b = luck.randrange(len(one)), luck.randrange(len(other))
        one[a], other[b] = other[b], one[a]
    return ["".join(row) for row in letters]


class Drawn(NamedTuple):
    game: str
    options: dict[str, Any]
    option: str
    board: str | bytes  # rows joined by "/", or what is in a file


class Boards:
    def __init__(self, luck: random.Random, games: Sequence[Game]) -> None:
        self.luck = luck
        self.games = {game.name: game for game in games if board_option(game)}
        self.drawings = {game.name: drawings(game) for game in self.games.values()}
        self.folder = tempfile.TemporaryDirectory()

    def make(self) -> Drawn | None:
        if not any(self.drawings.values()):
            return None
        luck = self.luck
        game = self.games[luck.choice([name for name, known in self.drawings.items() if known])]
        option, (options, rows) = board_option(game), luck.choice(self.drawings[game.name])
        assert option
        as_file = luck.random() < 0.5
        joint = "\n" if as_file else "/"
        other = joint.join(luck.choice(self.drawings[game.name])[1])
        text = damaged(luck, joint.join(_shuffled(luck, rows)), [other], (joint, ""))
        return Drawn(game.name, options, option.name, _bytes(luck, text) if as_file else text)

    def take(self, drawn: Drawn | None) -> bool:
        if drawn is None:
            return False
        game, board = self.games[drawn.game], drawn.board
        try:
            if isinstance(board, bytes):
                file = Path(self.folder.name) / "board.txt"
                file.write_bytes(board)
                position = Position.start(game, drawn.options | {drawn.option: file}, files=True)
            else:
                position = Position.start(game, drawn.options | {drawn.option: board})
        except BrokenGame:
            raise
        except EmpedoclesError:
            return False
        check_sound(position, self.luck)
        play_out(position, self.luck)
        return True

    def close(self) -> None:
        self.folder.cleanup()


def _bytes(luck: random.Random, text: str) -> bytes:
    """What a file holds: remarks and blanks that do not count, and now and then bytes that are not text."""
    if luck.random() < 0.2:
        text = f"# {text[:8]}\r\n" + text.replace("\n", luck.choice((" \r\n", "\n\n", "\v\n")))
    if luck.random() < 0.1:
        return b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass")
    return text.encode("utf-8", "surrogatepass")
