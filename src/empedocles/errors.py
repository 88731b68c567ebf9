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

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from empedocles.language import Message


class Sayable(Protocol):
    """What can be said in several languages: a message, or another error."""

    def say(self, language: str = "en") -> str: ...


def _said(words: str | Sayable, language: str) -> str:
    return words if isinstance(words, str) else words.say(language)


class EmpedoclesError(Exception):
    """Base of all errors this package raises on purpose.

    Made of a text, or of a message that can be said in several languages.
    """

    def say(self, language: str = "en") -> str:
        """In a reader's language, if there are words in it; else in English."""
        return _said(self.args[0], language) if self.args else ""

    def __str__(self) -> str:
        return self.say()


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

    def say(self, language: str = "en") -> str:
        return self.message.say(language)

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
    def __init__(self, field: str, reason: str | Sayable, told: Sayable | None = None) -> None:
        """`told` says both in a sentence; without it, the sentence is English."""
        super().__init__(field, reason, told)
        self.field = field

    @property
    def reason(self) -> str:
        return _said(self.args[1], "en")

    def say(self, language: str = "en") -> str:
        return _said(self.args[2] or f"position field {self.field!r}: {self.reason}", language)


class RecordError(EmpedoclesError, ValueError):
    def __init__(self, line: int, reason: str | Sayable, move: str | None = None, rule: str | None = None) -> None:
        super().__init__(line, reason, move, rule)
        self.line, self.move, self.rule = line, move, rule
        self.file = ""  # set by whoever knows it
        self.place: str | Sayable = f"line {line}, move {move!r}" if move else f"line {line}"

    @property
    def reason(self) -> str:
        return _said(self.args[1], "en")

    def say(self, language: str = "en") -> str:
        file = f"{self.file}, " if self.file else ""
        rule = f" ({self.rule})" if self.rule else ""
        return f"{file}{_said(self.place, language)}: {_said(self.args[1], language)}{rule}"


class UnfairChance(EmpedoclesError, ValueError):
    def __init__(self, reason: str, ply: int | None = None) -> None:
        super().__init__(reason, ply)
        self.reason, self.ply = reason, ply


class NothingToUndo(EmpedoclesError, IndexError):
    pass


class MissingExtra(EmpedoclesError, ImportError):
    def __init__(self, extra: str, reason: str) -> None:
        super().__init__(extra, reason)
        self.extra, self.reason = extra, reason

    def say(self, language: str = "en") -> str:  # noqa: ARG002  # whoever installs packages reads English
        return f"this needs the extra {self.extra!r} ({self.reason}): python -m pip install 'empedocles[{self.extra}]'"
