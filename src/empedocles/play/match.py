"""Match: a game being played, with its history."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from empedocles.core.kernel import CHANCE
from empedocles.core.rng import checked_seed, draw
from empedocles.errors import BadValue, NothingToUndo, UnknownName
from empedocles.game import Ending, Game
from empedocles.play.shuffle import Shuffle
from empedocles.position import Position, Result
from empedocles.render.picture import Ids, Look, Picture, Piece, follow

CHANCE_MODES = ("auto", "manual")
IDS_EVERY = 16  # plies between positions whose ids of pieces a match keeps for good
IDS_RECENT = 4  # more positions whose ids it keeps: whoever goes through a match asks for the next one


def new(game: str, *, seed: int | None = None, chance: str = "auto", **options: Any) -> Match:
    """A new match; the keywords are the game's options, such as `players=3`.

    Chance moves are drawn from `seed` (a random one if none is given), or played by the caller if chance is "manual".
    """
    return Match(Position.start(game, options, files=True), seed=seed, chance=chance)


class Match:
    """A game being played: a start, the moves since, and where that led."""

    def __init__(
        self, start: Position, *, seed: int | None = None, chance: str = "auto", shuffle: Shuffle | None = None
    ) -> None:
        """With a `shuffle`, chance moves come from it instead of the seed."""
        if chance not in CHANCE_MODES:
            raise UnknownName(f"unknown value {chance!r} for chance: there are {', '.join(CHANCE_MODES)}")
        self.seed = _checked(seed)
        self.chance, self.shuffle = chance, shuffle
        self._positions = [start]
        self._actions: list[int] = []
        self._ids: dict[int, Ids] = {}  # of pieces, in some of the positions drawn so far, by ply
        self._draw_chance()

    # ── Facts ──

    @property
    def position(self) -> Position:
        return self._positions[-1]

    @property
    def start(self) -> Position:
        return self._positions[0]

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def options(self) -> dict[str, Any]:
        return self.position.options

    @property
    def to_move(self) -> int | None:
        """The seat to move, CHANCE, or None when the game is over."""
        return self.position.to_move

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def result(self) -> Result | None:
        return self.position.result

    @property
    def ending(self) -> Ending | None:
        """The rule that ended the match; None before the end, and in games that do not say."""
        return self.position.ending

    @property
    def legal_moves(self) -> list[str]:
        return list(self.position.legal_moves)

    @property
    def plies(self) -> int:
        """How many moves were played, chance moves included."""
        return len(self._actions)

    @property
    def moves(self) -> list[str]:
        """All moves played, chance moves included."""
        names = self.game.moves
        return [names[action] for action in self._actions]

    def move(self, ply: int) -> str:
        """Move number `ply`, counted from 1."""
        if not 1 <= ply <= len(self._actions):
            raise BadValue(f"there is no move {ply}: this match has {len(self._actions)}")
        return self.game.moves[self._actions[ply - 1]]

    def moves_since(self, ply: int) -> list[str]:
        """The moves after the first `ply`."""
        names = self.game.moves
        return [names[action] for action in self._actions[ply:]]

    def history(self) -> Iterator[tuple[int, str]]:
        """Who played what: pairs of a seat (or CHANCE) and a move."""
        names = self.game.moves
        for position, action in zip(self._positions, self._actions, strict=False):
            yield int(position.to_move or 0), names[action]

    def positions(self) -> list[Position]:
        """Every position from the start to now."""
        return self._positions.copy()

    def at(self, ply: int) -> Position:
        """The position after `ply` moves."""
        if not 0 <= ply <= len(self._actions):
            raise BadValue(f"there is no position after {ply} moves: this match has {len(self._actions)}")
        return self._positions[ply]

    # ── Changes ──

    def play(self, *moves: str | int) -> Match:
        """Play moves by their text or action number. If one is illegal, nothing has changed."""
        before = len(self._actions)
        try:
            for move in moves:
                self._play(move)
                self._draw_chance()
        except Exception:
            self._cut(before)
            raise
        return self

    def undo(self) -> Match:
        """Take back the last decision with the chance moves after it; with manual chance, the last move."""
        for ply in reversed(range(len(self._actions))):
            if self.chance == "manual" or self._positions[ply].to_move != CHANCE:
                self._cut(ply)
                return self
        raise NothingToUndo("nothing to undo: no decision has been made in this match")

    def resume(self, seed: int | None = None, shuffle: Shuffle | None = None) -> Match:
        """A copy that draws chance moves by itself, such as for a match read from a record."""
        twin = self.copy()
        twin.seed, twin.chance, twin.shuffle = _checked(seed), "auto", shuffle
        twin._draw_chance()
        return twin

    def until(self, ply: int) -> Match:
        """A copy that ends after `ply` moves and leaves chance to the caller, to try something else from there."""
        self.at(ply)
        twin = self.copy()
        twin.chance = "manual"
        twin._cut(ply)
        return twin

    def copy(self) -> Match:
        twin = Match.__new__(Match)
        twin.seed, twin.chance, twin.shuffle = self.seed, self.chance, self.shuffle
        twin._positions, twin._actions, twin._ids = self._positions.copy(), self._actions.copy(), self._ids.copy()
        return twin

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()  # positions never change

    def __reduce__(self) -> tuple[Callable[..., Match], tuple[Any, ...]]:
        # The moves are played again: that takes less room and time than the text of every position.
        return _replayed, (self.start, self.seed, self.chance, self.shuffle, tuple(self._actions))

    def _play(self, move: str | int) -> None:
        before = self.position
        after = before.play(move)
        self._actions.append(before.action(move))
        self._positions.append(after)
        before.forget()  # nine tenths of the memory that a match would take

    def _draw_chance(self) -> None:
        """Play the chance moves now due. A draw depends on the seed and the ply alone: undo never re-rolls."""
        while self.chance == "auto" and self.to_move == CHANCE:
            outcomes = self.position.legal_actions
            self._play(outcomes[self._pick(len(self._actions), len(outcomes))])

    def _pick(self, ply: int, n: int) -> int:
        return self.shuffle.pick(ply, n) if self.shuffle else draw(np.uint64(self.seed), ply, n)

    def _cut(self, ply: int) -> None:
        del self._actions[ply:], self._positions[ply + 1 :]
        self._ids = {at: ids for at, ids in self._ids.items() if at <= ply}

    # ── Pictures and text ──

    def draw(self, ply: int | None = None, *, arrows: Iterable[str] = (), last: bool = True, **looks: Any) -> Picture:
        """A picture of the match now, or after `ply` moves, with the last move marked.

        `arrows` are moves to point out; all else is as in `Position.draw`. A piece has the same id in every picture.
        """
        ply = len(self._actions) if ply is None else ply
        position = self.at(ply)
        look = Look(arrows=[self.way(move) for move in arrows])
        return position.draw(self.marked(ply, look) if last else look, self.ids(ply), **looks)

    def way(self, move: str | int) -> tuple[str, ...]:
        """The targets of a move in a row, for an arrow."""
        return tuple(t for group in self.game.paths[self.position.action(move)] for t in sorted(group))

    def last_targets(self, ply: int) -> frozenset[str]:
        """The targets of the last turn in the first `ply` moves: all that one seat did, and what chance gave it."""
        done = self._actions[self.turn(ply) : ply]
        return frozenset().union(*(group for action in done for group in self.game.paths[action]))

    def marked(self, ply: int, look: Look) -> Look:
        """A look that marks the last turn in the first `ply` moves."""
        before = self._positions[self._decision(ply)].state if ply else None
        return replace(look, last=self.last_targets(ply), before=before)

    def turn(self, ply: int) -> int:
        """The ply at which the last turn in the first `ply` moves began."""
        positions, last = self._positions, self._decision(ply)
        first, seat = last, positions[last].to_move
        while first > 0 and positions[first - 1].to_move in (seat, CHANCE):
            first -= 1
        while positions[first].to_move != seat:  # chance that was another's, or the deal
            first += 1
        return first

    def turn_numbers(self) -> dict[int, int]:
        """The plies at which turns begin, each with its turn's number from 1.

        A turn is the decisions of one seat in a row, with the chance moves between and after them.
        """
        numbers: dict[int, int] = {}
        last = CHANCE
        for ply, (seat, _move) in enumerate(self.history()):
            if seat not in (CHANCE, last):
                numbers[ply], last = len(numbers) + 1, seat
        return numbers

    def _decision(self, ply: int) -> int:
        """The ply of the last decision in the first `ply` moves; of the first move, if there was none."""
        self.at(ply)  # refuses a ply that the match does not have
        start = max(0, ply - 1)
        while start > 0 and self._positions[start].to_move == CHANCE:
            start -= 1
        return start

    def ids(self, ply: int, pieces: Iterable[Piece] | None = None) -> Ids:
        """The ids of the pieces after `ply` moves, so that a piece has the same id in every picture.

        `pieces` are those of that position in any look, if it is drawn already.
        """
        known = self._ids.copy()  # exchanged at once: pages are drawn in several threads
        near = max((at for at in known if at <= ply), default=None)
        if near == ply:
            return known[ply]
        here = {} if near is None else known[near]
        for at in range(0 if near is None else near + 1, ply + 1):
            given = pieces if at == ply else None
            here = follow(here, self.game.sheet(self.at(at).state, Look()).pieces if given is None else given)
            if at % IDS_EVERY == 0:
                known[at] = here
        known[ply] = here
        for at in [at for at in known if at % IDS_EVERY][:-IDS_RECENT]:
            del known[at]
        self._ids = known
        return here

    @property
    def known_ids(self) -> dict[int, Ids]:
        """The ids of pieces that are known so far, by ply."""
        return self._ids.copy()

    def recall(self, known: dict[int, Ids]) -> None:
        """Take over the ids that another copy of this match knows, such as one in another process."""
        self._ids = {at: ids for at, ids in known.items() if at <= len(self._actions)} | self._ids

    def _repr_svg_(self) -> str:
        return str(self.draw())

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"<Match {self.game.name}, {len(self._actions)} moves, {self.position.text}>"


def _replayed(start: Position, seed: int, chance: str, shuffle: Shuffle | None, actions: Iterable[int]) -> Match:
    match = Match(start, seed=seed, chance="manual").play(*actions)
    match.chance, match.shuffle = chance, shuffle
    return match


def _checked(seed: int | None) -> int:
    return secrets.randbits(64) if seed is None else checked_seed(seed)
