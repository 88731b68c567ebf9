"""Text that is almost right: parts dropped, doubled, exchanged or taken from elsewhere, numbers changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

NUMBERS = (
    *("-1", "-0", "00", "01", "+1", "1.5", "1e3", "0x1", "1_0", "nan", "127", "128", "255", "256", "32767", "32768"),
    *("65536", "2147483648", "4294967295", "9223372036854775808", "18446744073709551616", "7" * 400),
    *("٣", "３", "²", "½", "Ⅷ", "一"),  # digits to some of Python's functions and not to others
)
CHARACTERS = "\t\n\r\0\x1b\x7f\x85\xa0\u2028\u202e\u200b\ufeff\ud800 {}[]()\"\\/,=-+.:;?!%&<>'`~|*#@^_$…éſ中😀"
CHANGED = (1, 1, 1, 1, 2, 2, 3, 5)  # places; of texts that are changed in many, few are accepted
INSIDE, MOVED = 0.7, 0.1  # how often a change is inside of a part, and moves something from one to another
MANY = (8, 60, 400)  # how often a part is repeated

_DIGITS = re.compile(r"\d+")


def damaged(luck: random.Random, text: str, others: Sequence[str], separators: Sequence[str]) -> str:
    """A text with a few changes.

    `separators` split it into parts, and these into finer ones; parts are also taken from other texts of its kind.
    """
    for _ in range(luck.choice(CHANGED)):
        if luck.random() < 0.1:
            text = changed_characters(luck, text)
        else:
            text = _changed_parts(luck, text, luck.choice(others), separators)
    return text


# ── Parts ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _changed_parts(luck: random.Random, text: str, other: str, separators: Sequence[str]) -> str:
    separator, *finer = separators
    parts, from_there = _split(text, separator), _split(other, separator)
    k = luck.randrange(len(parts))
    twin = _twin(luck, parts[k], from_there)
    deeper = luck.random()
    if deeper < INSIDE:
        label, content = _labelled(parts[k])
        parts[k] = label + _changed_content(luck, content, _labelled(twin)[1], finer)
    elif finer and deeper < INSIDE + MOVED:
        _move(luck, parts, k, luck.choice(finer))
    else:
        luck.choice(CHANGES)(luck, parts, k, twin)
    return separator.join(parts)


def _move(luck: random.Random, parts: list[str], k: int, separator: str) -> None:
    """Move something from one part into another, so that nothing is lost, as when a card changes hands."""
    other = luck.randrange(len(parts))
    (one, mine), (two, theirs) = _labelled(parts[k]), _labelled(parts[other])
    items, others = _split(mine, separator), _split(theirs, separator)
    moved = items.pop(luck.randrange(len(items)))
    if others == ["-"]:
        others = []
    others.insert(luck.randint(0, len(others)), moved)
    parts[k] = one + (separator.join(items) or "-")
    parts[other] = two + separator.join(others)


def _changed_content(luck: random.Random, content: str, twin: str, finer: Sequence[str]) -> str:
    if finer and content and luck.random() < 0.75:
        return _changed_parts(luck, content, twin, finer)
    way = luck.random()
    if way < 0.45:
        return twin
    return changed_number(luck, content) if way < 0.75 else changed_characters(luck, content) if way < 0.9 else "-"


def _split(text: str, separator: str) -> list[str]:
    return text.split(separator) if separator else list(text) or [""]


def _labelled(part: str) -> tuple[str, str]:
    """`name=` and what follows; changes inside a part leave its name alone."""
    label, equals, content = part.partition("=")
    return (label + equals, content) if equals else ("", part)


def _twin(luck: random.Random, part: str, others: list[str]) -> str:
    """A part of another text with the same name, or any of them."""
    label = _labelled(part)[0]
    alike = [other for other in others if _labelled(other)[0] == label]
    return luck.choice(alike or others)


Change = Callable[[random.Random, list[str], int, str], object]


def _swap(luck: random.Random, parts: list[str], k: int, _twin: str) -> None:
    other = luck.randrange(len(parts))
    parts[k], parts[other] = parts[other], parts[k]


def _exchange_contents(luck: random.Random, parts: list[str], k: int, _twin: str) -> None:
    other = luck.randrange(len(parts))
    (one, mine), (two, theirs) = _labelled(parts[k]), _labelled(parts[other])
    parts[k], parts[other] = one + theirs, two + mine


def _repeat(luck: random.Random, parts: list[str], k: int, _twin: str) -> None:
    parts[k:k] = [parts[k]] * luck.choice(MANY)


def _replace(_luck: random.Random, parts: list[str], k: int, twin: str) -> None:
    parts[k] = twin


def _drop(_luck: random.Random, parts: list[str], k: int, _twin: str) -> None:
    if len(parts) > 1:
        del parts[k]


def _double(luck: random.Random, parts: list[str], k: int, _twin: str) -> None:
    parts.insert(luck.randint(0, len(parts)), parts[k])


def _insert(_luck: random.Random, parts: list[str], k: int, twin: str) -> None:
    parts.insert(k, twin)


# Those that keep the number of parts come several times: of what they leave, more is accepted.
CHANGES: tuple[Change, ...] = (
    *(_swap, _replace, _exchange_contents) * 3,
    *(_drop, _drop, _double, _insert, _repeat),
)


# ── Numbers and characters ───────────────────────────────────────────────────────────────────────────────────────────


def changed_number(luck: random.Random, text: str) -> str:
    """One number a little larger or smaller, or a strange one in its place."""
    found = list(_DIGITS.finditer(text))
    if not found:
        return text + luck.choice(NUMBERS)
    at = luck.choice(found)
    nearby = str(max(0, int(at[0][:9]) + luck.choice((-2, -1, 1, 2))))
    return text[: at.start()] + (nearby if luck.random() < 0.7 else luck.choice(NUMBERS)) + text[at.end() :]


def changed_characters(luck: random.Random, text: str) -> str:
    """A few characters cut out, or others put in: often some that the text knows."""
    start = luck.randint(0, len(text))
    end = min(len(text), start + luck.choice((0, 0, 1, 1, 2, 5)))
    known = text if text and luck.random() < 0.6 else CHARACTERS
    return text[:start] + "".join(luck.choices(known, k=luck.choice((0, 1, 1, 2, 4)))) + text[end:]
