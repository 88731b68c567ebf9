"""Position: the friendly face of one state."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from empedocles.compilation import compile_once
from empedocles.core.kernel import CHANCE, Planes, State
from empedocles.errors import BadValue, IllegalMove, UnknownName, UnreadableMove
from empedocles.game import Ending, Fields, Game, Options, impossible
from empedocles.games import find
from empedocles.language import Message, Reason, because, in_a_row, plain, translate
from empedocles.language import mark as _
from empedocles.render.picture import Ids, Look, Picture, picture


@dataclass(frozen=True)
class Result:
    scores: tuple[int, ...]  # one per seat
    winners: frozenset[int]  # empty: a draw


class Position:
    """One state of a game; it never changes. Made from its one-line text, which `repr` shows."""

    def __init__(self, text: str) -> None:
        game, state = _read(text)
        self._set(game, state)

    @classmethod
    def of(cls, game: Game, state: State) -> Position:
        """The position of a state, which must not change afterwards."""
        position = cls.__new__(cls)
        position._set(game, state)
        return position

    @classmethod
    def start(cls, game: Game | str, options: Options | None = None, files: bool = False) -> Position:
        """The start of a game, with these options and the defaults of the others. Board files are read if `files`."""
        found = game if isinstance(game, Game) else find(game)
        compile_once(found)
        return cls.of(found, found.start(options or {}, files))

    def _set(self, game: Game, state: State) -> None:
        self.game = game
        self._state = state

    # ── Facts ──

    @property
    def state(self) -> State:
        """A copy of the state, for kernels."""
        # Not `state.copy()`: that leaves the padding between fields undefined, and `_bytes` compares it.
        copy = np.zeros(1, self._state.dtype)
        copy[0] = self._state
        state: State = copy[0]
        return state

    @property
    def options(self) -> dict[str, Any]:
        return self.game.decode(self._state)

    # Read once, and by name: fields of a state are slow to read from Python, as attributes most of all.
    @cached_property
    def seats(self) -> int:
        return int(self._state["seats"])

    @cached_property
    def is_over(self) -> bool:
        return bool(self._state["over"])

    @cached_property
    def to_move(self) -> int | None:
        """The seat to move, CHANCE, or None when the game is over."""
        return None if self.is_over else int(self._state["mover"])

    @property
    def result(self) -> Result | None:
        if not self.is_over:
            return None
        scores = np.zeros(self.seats, np.int32)
        self.game.rules.scores(self._state, scores)
        winners = frozenset(seat for seat, worth in enumerate(self.returns) if worth > 0)
        return Result(tuple(scores.tolist()), winners)

    @property
    def outcome(self) -> Message:
        """The result for people: who has how many points, and who wins. Only once the game is over."""
        result, names = self.result, [self.game.seat_name(self.seats, seat) for seat in range(self.seats)]
        assert result
        points = [Message("{name} {n}", {"name": name, "n": n}) for name, n in zip(names, result.scores, strict=True)]
        winners = in_a_row([names[seat] for seat in sorted(result.winners)], ", ")
        text = _("a win for {names}") if result.winners else _("a draw")  # some seats' names are plural
        return Message("{points}: {end}", {"points": in_a_row(points, ", "), "end": Message(text, {"names": winners})})

    @property
    def ending(self) -> Ending | None:
        """The rule that ended the game; None before the end, and in games that do not say."""
        return self.game.endings.get(int(self.game.rules.ending(self._state))) if self.is_over else None

    @property
    def n_actions(self) -> int:
        """How many action numbers games with these options use, from 0 on."""
        return self.game.actions_with(self.options)

    @property
    def returns(self) -> tuple[float, ...]:
        """What the end is worth to each seat, from −1 to 1, with sum 0; all 0 before the end."""
        returns = np.zeros(self.seats, np.float32)
        if self.is_over:
            self.game.rules.returns(self._state, returns)
        return tuple(returns.tolist())

    @property
    def key(self) -> int:
        """64 bits for caches: equal positions have equal keys."""
        return int(self.game.rules.key(self._state))

    def forget(self) -> None:
        """Drop what can be computed again: a long match keeps each of its positions."""
        for name in ("legal_actions", "_legal", "legal_moves", "text"):
            self.__dict__.pop(name, None)

    # ── Moves ──

    @cached_property
    def legal_actions(self) -> list[int]:
        out = np.empty(self.game.max_legal, np.int16)
        with self.game.blamed():
            n = self.game.rules.legal(self._state, out)
        if not 0 <= n <= len(out):
            raise self.game.broken(f"{n} legal moves, max_legal is {len(out)}, in {self.text}")
        return sorted(out[:n].tolist())

    @cached_property
    def _legal(self) -> frozenset[int]:
        return frozenset(self.legal_actions)

    @cached_property
    def legal_moves(self) -> list[str]:
        return sorted(self.game.moves[action] for action in self.legal_actions)

    def play(self, move: str | int) -> Position:
        """The position after a legal move or action number; this one stays as it is."""
        action = self.action(move)
        if action not in self._legal:
            why = self.reason(action)
            assert why is not None, f"{self.game.moves[action]} is refused without a reason in {self.text}"
            raise self._refusal(IllegalMove, self.game.moves[action], why)
        state = self.state
        with self.game.blamed():
            self.game.rules.play(state, action)
        return Position.of(self.game, state)

    def action(self, move: str | int) -> int:
        """The action number of a move's text; numbers are checked and stay as they are."""
        if isinstance(move, str):
            if (action := self.game.action_of.get(move)) is not None:
                return action
        elif isinstance(move, (int, np.integer)) and not isinstance(move, bool):
            if 0 <= move < self.game.n_actions:
                return int(move)
        else:
            raise TypeError(f"a move is text or an action number, not {type(move).__name__}: {move!r}")
        raise self._refusal(UnreadableMove, str(move), self._unreadable(move))

    def reason(self, move: str | int) -> Reason | None:
        """Why a move is refused here, or None if it is legal."""
        return self.game.reason(self._state, self.action(move))

    def _refusal(self, kind: type[IllegalMove], move: str, why: Reason) -> IllegalMove:
        return kind(move, why.rule or None, why.message, self.text)

    def _unreadable(self, move: str | int) -> Reason:
        if not isinstance(move, str):
            return because(
                "",
                _("action numbers of {game} go from 0 to {last}"),
                game=self.game.title,
                last=self.game.n_actions - 1,
            )
        if self.is_over:
            return because("", _("the game is over, and this is not a move of {game} anyway"), game=self.game.title)
        examples = ", ".join(self.legal_moves[:3])
        return because(
            "",
            _("this is not a move of {game}; legal moves here are, for example, {examples}"),
            game=self.game.title,
            examples=examples,
        )

    def observe(self, seat: int | None = None) -> Planes:
        """What a seat sees, by default the one to move, as planes of numbers: see `game.view.planes`."""
        view = self.game.needed_view()
        seat = max(self.to_move or 0, 0) if seat is None else checked_seat(seat, self.seats)
        planes = np.empty(view.shape, np.float32)
        view.observe(self._state, seat, planes)
        return planes

    def words(self, move: str | int) -> Message:
        """A legal move in words."""
        return self.game.words(self._state, self.action(move))

    # ── Pictures ──

    def draw(self, look: Look | None = None, ids: Ids | None = None, **looks: Any) -> Picture:
        """A picture of this position: `draw(theme="dark", overlays=["landmasses"])`, or with a whole Look.

        `draw(seat=1)` is seen from the side of that seat, and `draw(wide=False)` made for a phone.

        `ids` are those that the pieces have in a match with this position.
        """
        if unknown := looks.keys() - {field.name for field in fields(Look)}:
            known = ", ".join(field.name for field in fields(Look))
            raise UnknownName(f"unknown choice {min(unknown)!r} for a picture: there are {known}")
        look = replace(look or Look(), **looks)
        sheet = self.game.sheet(self._state, look)
        return picture(self.game.name, sheet, self._title(look.language), str(self), ids)

    def _title(self, language: str) -> str:
        seat = self.to_move
        if seat is None:
            status = Message(_("the game is over"), {})
        elif seat == CHANCE:
            status = Message(_("a chance move is due"), {})
        else:
            status = Message(_("{player} to move"), {"player": self.game.seat_name(self.seats, seat)})
        return f"{translate(self.game.title, language)}: {status.say(language)}"

    def _repr_svg_(self) -> str:
        return str(self.draw())

    # ── Text and identity ──

    @cached_property
    def text(self) -> str:
        """One line that stands for this position: the game, its options, and the game's own fields."""
        fields = {**self.game.named(self.options), **self.game.describe(self._state)}
        return " ".join([self.game.name, *(f"{name}={value}" for name, value in fields.items())])

    def board(self, language: str = "en") -> str:
        """The text board in a language; `str(position)` is the English one."""
        return self.game.text_board(self._state, language)

    def __str__(self) -> str:
        return self.board()

    def __repr__(self) -> str:
        return f"Position({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    @property
    def _bytes(self) -> bytes:
        # States are canonical: what the rules do not distinguish has the same bytes.
        return self._state.tobytes()

    def __reduce__(self) -> tuple[type[Position], tuple[str]]:
        # Text outlives versions of the state.
        return Position, (self.text,)

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self


def checked_seat(seat: Any, seats: int) -> int:
    """A seat from outside, checked."""
    if not isinstance(seat, (int, np.integer)) or isinstance(seat, bool) or not 0 <= seat < seats:
        raise BadValue(f"a seat of this match is a number from 0 to {seats - 1}, not {seat!r}")
    return int(seat)


def _read(text: str) -> tuple[Game, State]:
    if not isinstance(text, str):
        raise TypeError(f"a position is made from its text, not {type(text).__name__}: {text!r}")
    name, *words = text.split() or [""]
    game = find(name)
    values: dict[str, str] = {}
    for word in words:
        field, equals, value = word.partition("=")
        if not equals:
            raise impossible(word, plain(_("is not of the form name=value")))
        if field in values:
            raise impossible(field, plain(_("is given twice")))
        values[field] = value
    options = {option.name: values.pop(option.name) for option in game.options if option.name in values}
    compile_once(game)
    state = game.start(options)
    fields = Fields(values, int(state.seats))
    game.restore(state, fields)
    fields.done()
    return game, state
