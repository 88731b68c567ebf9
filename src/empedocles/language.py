"""Messages in the player's language, through gettext catalogues.

Code marks a message with `_("… {cell} …")` and keeps it with its values; words appear when somebody reads them, in that
reader's language. English is the language of the messages themselves.
"""

from __future__ import annotations

import functools
import gettext
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from empedocles.errors import UnknownName

LOCALES = Path(os.environ.get("EMPEDOCLES_LOCALES") or Path(__file__).parent / "locales")  # a translation to try
LANGUAGES = ("en", "de")


class Term(str):
    """A word inside a message that is itself translated, such as the name of an element."""

    __slots__ = ()


class Number(int):
    """A number inside a message that is meant for reading: two to twelve are written out."""

    __slots__ = ()


class Figure(str):
    """A number with a decimal point, or commas between thousands, which other languages write in their own way."""

    __slots__ = ()


SIGNS = {"en": ".,", "de": ",."}  # what stands before decimals, and between thousands


def mark(message: str) -> str:
    """Mark a message for the catalogues; its translation is looked up later."""
    return message


_ = mark

NUMBERS = (
    _("two"),
    _("three"),
    _("four"),
    _("five"),
    _("six"),
    _("seven"),
    _("eight"),
    _("nine"),
    _("ten"),
    _("eleven"),
    _("twelve"),
)


class Message(NamedTuple):
    text: str
    values: dict[str, Any]

    def say(self, language: str = "en") -> str:
        values = {name: _in(language, value) for name, value in self.values.items()}
        return translate(self.text, language).format(**values)


class Sentence(Message):
    """A message that begins with a capital letter, whatever its first word is."""

    __slots__ = ()

    def say(self, language: str = "en") -> str:
        words = super().say(language)
        return words[:1].upper() + words[1:]


def counted(none: str, one: str, many: str) -> Callable[[int], Message]:
    """A number of something in words, each of three texts marked for translation: none, one, or {n} of it.

    The first two do without a digit: in other languages, the words for none and one depend on what is counted.
    """
    return lambda n: Message((none, one)[n] if 0 <= n < 2 else many, {"n": Number(n)})


# None of something, by itself, with which a comparison ends: one text for each gender of the languages that tell them
# apart. The translator of "no temple" knows which of them fits "temple".
NONE, NOT_ONE, NONE_AT_ALL = _("none"), _("not one"), _("none at all")


def alone(none: str) -> Callable[[int], Message]:
    """A number of something without saying again of what: only none of it needs the words for it."""
    return lambda n: Message("{n}" if n else none, {"n": Number(n)})


def in_digits(none: str, one: str, many: str) -> Callable[[int], Message]:
    """The same for boards and tables, where numbers stay digits."""
    return lambda n: Message((none, one)[n] if 0 <= n < 2 else many, {"n": n})


def lines(words: Sequence[str | Message]) -> Message:
    """Several lines as one message."""
    return in_a_row(words, "\n")


def valued(none: str, some: str) -> Callable[[int], Message]:
    """Something that has a value {n}, always in digits, or is either there or not."""
    return lambda n: Message(some if n else none, {"n": n})


def _in(language: str, value: Any) -> Any:
    """Values of a message may be messages or terms themselves."""
    if isinstance(value, Message):
        return value.say(language)
    if isinstance(value, Number):
        return translate(NUMBERS[value - 2], language) if 1 < value < 2 + len(NUMBERS) else str(int(value))
    if isinstance(value, Figure):
        return value.translate(str.maketrans(SIGNS["en"], SIGNS[language]))
    return translate(value, language) if isinstance(value, Term) else value


class Reason(NamedTuple):
    """Why a move is refused: the rule, and what is wrong here."""

    rule: str
    message: Message

    def say(self, language: str = "en") -> str:
        return self.message.say(language)


def because(rule: str, text: str, **values: Any) -> Reason:
    return Reason(rule, Message(text, values))


def in_a_row(words: Sequence[str | Message], between: str, end: str = "") -> Message:
    places = between.join(f"{{word{k}}}" for k in range(len(words)))
    return Message(places + end, {f"word{k}": word for k, word in enumerate(words)})


def plain(text: str) -> Message:
    """A text as it is, braces included."""
    return Message("{text}", {"text": Term(text)})


def either(words: Sequence[str | Message]) -> Message:
    """Any number of words, with "or" between them."""
    first, *rest = words
    return functools.reduce(
        lambda some, last: Message(_("{some} or {last}"), {"some": some, "last": last}), rest, in_a_row([first], "")
    )


def all_of(words: Sequence[str | Message]) -> Message:
    return _joined(words, _("{some} and {last}"))


def one_of(words: Sequence[str | Message]) -> Message:
    return _joined(words, _("{some} or {last}"))


def _joined(words: Sequence[str | Message], text: str) -> Message:
    *some, last = words
    return Message(text, {"some": in_a_row(some, ", "), "last": last}) if some else in_a_row(words, "")


def translate(message: str, language: str) -> str:
    return _catalogue(language).gettext(message)


@functools.cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    if language not in LANGUAGES:
        raise UnknownName(f"unknown language {language!r}: there are {', '.join(LANGUAGES)}")
    return gettext.translation("empedocles", LOCALES, [language])
