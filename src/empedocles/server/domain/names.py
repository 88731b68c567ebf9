"""Players' names: nothing invisible, nothing that reverses text, no towers of accents."""

from __future__ import annotations

import unicodedata

from empedocles.server.domain.refusals import Refused

LONGEST = 40  # characters
MOST_MARKS = 3  # on one letter: more than Hebrew or Vietnamese need

VIRAMA = 9  # the combining class of signs after which Indic scripts use joiners
NON_JOINER = "\u200c"
JOINERS = frozenset(("\u200d", NON_JOINER))
EMOJI_STYLE = "\ufe0f"  # makes the character before it an emoji
KEYS = frozenset("#*0123456789")  # characters that it turns into emoji
STACKING = ("Mn", "Me")

# Letters and symbols, by category, that are invisible nevertheless.
BLANK = frozenset(
    "\u034f"  # combining grapheme joiner
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u17b4\u17b5"  # inherent vowels of Khmer
    "\u180b\u180c\u180d\u180f"  # variation selectors of Mongolian
    "\u2800"  # Braille without dots
    "\ufffc"  # stands for an object
    "\U00016fe4"  # filler of Khitan
    "\U0001d159"  # null note head
)
SELECTORS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))


def checked(name: str) -> str:
    """The name as it is shown: trimmed, composed, not too long. A name with invisible characters is refused."""
    name = _spaced(name)
    if not 1 <= len(name) <= LONGEST:
        raise Refused("bad-name", f"a name must have 1 to {LONGEST} characters, not {len(name)}")
    for k, character in enumerate(name):
        if not _shows(name[:k], character, name[k + 1 : k + 2]):
            raise Refused("invisible-name", f"a name must not contain invisible characters like U+{ord(character):04X}")
    return name


def cleaned(name: str) -> str:
    """A name from elsewhere, without what would be refused here; possibly nothing is left."""
    name, kept = _spaced(name[: 4 * LONGEST]), ""
    for k, character in enumerate(name):
        if character not in JOINERS and _shows(kept, character, name[k + 1 : k + 2]):
            kept += character
    return _spaced(kept)[:LONGEST].strip()


def _spaced(name: str) -> str:
    """The name with all kinds of blanks replaced by one, so that no two names differ only in blanks."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


def _shows(before: str, character: str, after: str) -> bool:
    """Whether a reader sees that a character is there."""
    if character in JOINERS:
        return _joins(before, character, after)
    if character == EMOJI_STYLE:
        return before[-1:] in KEYS or unicodedata.category(before[-1:] or " ").startswith("S")
    if character in BLANK or character in SELECTORS or not character.isprintable():
        return False
    return not unicodedata.category(character).startswith("M") or _carried(before, character)


def _carried(before: str, mark: str) -> bool:
    """Whether a combining mark has something to stand on that does not carry too many marks already."""
    if not before or before[-1] == " ":
        return False
    marks = [unicodedata.category(c) in STACKING for c in (before + mark)[-MOST_MARKS - 1 :]]
    return len(marks) <= MOST_MARKS or not all(marks)


def _joins(before: str, joiner: str, after: str) -> bool:
    """Whether a joiner changes what is seen: in Indic scripts, in Arabic ones, and between emoji."""
    if not before or not after or after == " ":
        return False
    if unicodedata.combining(before[-1]) == VIRAMA:
        return True
    if joiner == NON_JOINER:
        return unicodedata.bidirectional(before[-1]) == unicodedata.bidirectional(after) == "AL"
    emoji = before.rstrip(EMOJI_STYLE)[-1:]
    return all(c and unicodedata.category(c) in ("So", "Sk") for c in (emoji, after))
