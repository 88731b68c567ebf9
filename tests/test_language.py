"""Catalogues: complete, with the same placeholders, and up to date with the sources."""

from __future__ import annotations

import re
from pathlib import Path

import catalogues
import pytest

from empedocles import IllegalMove, UnknownName, new
from empedocles.language import LANGUAGES, Message, Term, translate


def fields(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)(?::[^}]*)?\}", text))


@pytest.mark.parametrize("path", catalogues.paths(), ids=lambda path: str(path.parts[-3]))
def test_every_message_is_translated_with_the_same_values(path: Path) -> None:
    wanted = {str(message.id) for message in catalogues.extracted() if message.id}
    found = {str(message.id): str(message.string) for message in catalogues.read(path) if message.id}
    assert set(found) == wanted, "run: make catalogues"
    for text, translation in found.items():
        assert translation, f"{text!r} has no translation"
        assert fields(text) == fields(translation), text


def test_a_reason_in_german() -> None:
    with pytest.raises(IllegalMove) as caught:
        new("ignite-and-flow").play("Fc3", "Fc3")
    assert caught.value.message.say("de") == "c3 ist nicht leer: Dort liegt Feuer"


def test_terms_are_translated_inside_messages() -> None:
    assert Message("{element}", {"element": Term("fire")}).say("de") == "Feuer"
    assert Message("{name}", {"name": "fire"}).say("de") == "fire"


def test_unknown_languages_are_refused() -> None:
    assert LANGUAGES == ("en", "de")
    with pytest.raises(UnknownName, match="unknown language 'xx': there are en, de"):
        translate("fire", "xx")
