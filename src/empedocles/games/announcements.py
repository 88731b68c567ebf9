"""What other installed packages announce by entry points, loaded one by one: a failure harms no other package."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from empedocles.core.kernel import HEADER, Rules, rules_of
from empedocles.errors import BadValue
from empedocles.game import Game, Option

MOST_ACTIONS = 2**15  # their numbers fit 16 bits
MOST_LEGAL = 2**15 - 1
MOST_PLIES = 100_000  # the most that the server counts
MOST_SEATS = 8
LONGEST_NAME = 60  # of a game or a move, in characters

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MOVE = re.compile(r"(?!end$|\d+\.)[^\s{}]+")  # records have other uses for the rest
_FIELD = re.compile(r"[^\s=]{1,40}")


def announced(group: str) -> Iterator[EntryPoint]:
    yield from entry_points(group=group)


def load(entry: EntryPoint) -> Any:
    """Load what a package announces. Any error on the way is a BadValue that names the package."""
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        raise BadValue(f"{_said_by(entry)}, which fails: {type(error).__name__}: {error}") from error


def load_game(entry: EntryPoint) -> Game:
    found = load(entry)
    try:
        return checked_game(found)
    except Exception as error:  # also from an object that fails when it is looked at
        raise BadValue(f"{_said_by(entry)}: {error}") from error


def _said_by(entry: EntryPoint) -> str:
    package = f"the package {entry.dist.name} {entry.dist.version}" if entry.dist else "a package"
    return f"{package} announces it as {entry.value!r}"


def warn(what: str, why: object) -> None:
    warnings.warn(f"{what} is left out: {why}", RuntimeWarning, stacklevel=3)


# ── Facts of a game that cannot be ───────────────────────────────────────────────────────────────────────────────────


def checked_game(game: Any) -> Game:
    """The game, if its facts are possible: the rest of the package relies on them without checking."""
    if not isinstance(game, Game):
        raise BadValue(f"{game!r:.80} is no Game but a {type(game).__name__}")
    if not (isinstance(game.name, str) and _NAME.fullmatch(game.name) and len(game.name) <= LONGEST_NAME):
        raise BadValue(f"the name of a game is of the form 'ignite-and-flow', not {game.name!r:.80}")
    for field in ("title", "authors", "summary"):
        _need(game, field, isinstance(getattr(game, field), str), "is text")
    _need(game, "title", bool(game.title.strip()), "is not empty")
    _need(game, "rules_version", _is_number(game.rules_version, 1, 10**6), "is a whole number from 1")
    _need(game, "seats", _are_seats(game.seats), f"is a tuple of numbers of players from 1 to {MOST_SEATS}, in order")
    _check_moves(game)
    most = min(MOST_LEGAL, game.n_actions)
    _need(game, "max_legal", _is_number(game.max_legal, 1, most), f"is a number from 1 to {most}, the number of moves")
    _need(game, "max_plies", _is_number(game.max_plies, 1, MOST_PLIES), f"is a number from 1 to {MOST_PLIES}")
    _check_options(game)
    _check_rules(game)
    return game


def _need(game: Game, field: str, holds: bool, promise: str) -> None:
    if not holds:
        raise BadValue(f"{field} of the game {game.name!r} {promise}, not {getattr(game, field)!r:.80}")


def _is_number(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _are_seats(seats: Any) -> bool:
    numbers = isinstance(seats, tuple) and bool(seats) and all(_is_number(n, 1, MOST_SEATS) for n in seats)
    return numbers and list(seats) == sorted(set(seats))


def _check_moves(game: Game) -> None:
    moves = game.moves
    _need(
        game, "moves", isinstance(moves, tuple) and 0 < len(moves) <= MOST_ACTIONS, f"is a tuple of 1 to {MOST_ACTIONS}"
    )
    for move in moves:
        if not isinstance(move, str) or not _MOVE.fullmatch(move) or len(move) > LONGEST_NAME:
            raise BadValue(
                f"moves of the game {game.name!r} have 1 to {LONGEST_NAME} characters and no blanks or braces, and are "
                f"not 'end' or begin with a number and a full stop, as {move!r:.80} does"
            )
    if len(set(moves)) < len(moves):
        twice = next(move for move in moves if moves.count(move) > 1)
        raise BadValue(f"moves of the game {game.name!r} have a text each, but {twice!r} is there twice")


def _check_options(game: Game) -> None:
    options = game.options
    known = isinstance(options, tuple) and all(isinstance(option, Option) for option in options)
    _need(game, "options", known, "is a tuple of Options")
    names = [option.name for option in options]
    words = all(isinstance(name, str) and _FIELD.fullmatch(name) for name in names)
    _need(game, "options", words and len(set(names)) == len(names), "have names of their own without blanks")
    for option in options:
        plain = all(isinstance(value, (str, int)) for value in option.values)
        _need(game, "options", plain and option.default in option.values, "have texts or numbers, one the default")


def _check_rules(game: Game) -> None:
    _need(game, "rules", isinstance(game.rules, Rules), "is a Rules")
    names = game.rules.state.names or ()
    _need(game, "rules", names[: len(HEADER)] == tuple(name for name, _ in HEADER), "has a state made by state_type")
    try:
        known = rules_of(game.blank())
    except KeyError:
        raise BadValue(f"rules of the game {game.name!r} are not registered: wrap them in register(Rules(…))") from None
    _need(game, "rules", known.state == game.rules.state, "are those of their state")
