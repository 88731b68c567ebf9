"""What can go wrong, as exceptions.

Each is one of Python's own kinds as well::

    EmpedoclesError
    ├── UnknownName      (LookupError)  no such game, option, option value or back-end; the message lists what exists
    ├── BadValue         (ValueError)   a number or text outside of what is allowed
    ├── BoardError       (ValueError)   a board drawing breaks the game's needs
    ├── IllegalMove      (ValueError)   .move .rule .reason
    │   └── UnreadableMove              the text is not a move of the game: .rule is None
    ├── BrokenGame       (RuntimeError) a game breaks its own promises, such as `max_legal`
    ├── Unsolvable       (ValueError)   an exact value was asked for where there is none
    ├── PositionError    (ValueError)   .field .reason — a position's text breaks an invariant
    ├── RecordError      (ValueError)   .file .line .move .rule .reason — a record that is not a game
    ├── UnfairChance     (ValueError)   .ply — draws that do not follow from what was promised before the match
    ├── NothingToUndo    (IndexError)   undo at the start
    └── MissingExtra     (ImportError)  .extra — an optional dependency is not installed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from empedocles.language import Message


class EmpedoclesError(Exception):
    """Base of all errors this package raises on purpose."""


class UnknownName(EmpedoclesError, LookupError):
    pass


class BadValue(EmpedoclesError, ValueError):
    pass


class BoardError(EmpedoclesError, ValueError):
    pass


class IllegalMove(EmpedoclesError, ValueError):
    def __init__(self, move: str, rule: str | None, message: Message, position: str) -> None:
        super().__init__(move, rule, message, position)
        self.move, self.rule, self.message, self.position = move, rule, message, position

    @property
    def reason(self) -> str:
        """In English; `message.say("de")` says it in German."""
        return self.message.say()

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        return f"illegal move {self.move!r}: {self.reason}{rule} in <{self.position}>"


class UnreadableMove(IllegalMove):
    pass


class BrokenGame(EmpedoclesError, RuntimeError):
    pass


class Unsolvable(EmpedoclesError, ValueError):
    pass


class PositionError(EmpedoclesError, ValueError):
    def __init__(self, field: str, reason: str) -> None:
        super().__init__(field, reason)
        self.field, self.reason = field, reason

    def __str__(self) -> str:
        return f"position field {self.field!r}: {self.reason}"


class RecordError(EmpedoclesError, ValueError):
    def __init__(self, line: int, reason: str, move: str | None = None, rule: str | None = None) -> None:
        super().__init__(line, reason, move, rule)
        self.line, self.reason, self.move, self.rule = line, reason, move, rule
        self.file = ""  # set by whoever knows it

    def __str__(self) -> str:
        file = f"{self.file}, " if self.file else ""
        move = f", move {self.move!r}" if self.move else ""
        rule = f" ({self.rule})" if self.rule else ""
        return f"{file}line {self.line}{move}: {self.reason}{rule}"


class UnfairChance(EmpedoclesError, ValueError):
    def __init__(self, reason: str, ply: int | None = None) -> None:
        super().__init__(reason, ply)
        self.reason, self.ply = reason, ply

    def __str__(self) -> str:
        return self.reason


class NothingToUndo(EmpedoclesError, IndexError):
    pass


class MissingExtra(EmpedoclesError, ImportError):
    def __init__(self, extra: str, reason: str) -> None:
        super().__init__(extra, reason)
        self.extra, self.reason = extra, reason

    def __str__(self) -> str:
        return f"this needs the extra {self.extra!r} ({self.reason}): python -m pip install 'empedocles[{self.extra}]'"
