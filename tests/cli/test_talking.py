"""Opponents talk at the terminal, too, until they are silenced."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from empedocles.cli.table import Note, Table, seating
from empedocles.coach.talk import VOICES
from empedocles.play.match import new
from empedocles.play.records import Record
from empedocles.search.limits import Limit

TEXTS = {text for voice in VOICES.values() for text in (*voice.own, *voice.yours)}


def said(silent: bool = False, people: int = 1) -> list[str]:
    """What opponents say in a match with random moves of people."""
    record = Record(new("ignite-and-flow", seed=4))
    table = Table(record, seating(record, people, "puddle", []), "en", Limit(simulations=4))
    notes: list[Note] = []
    table.tell, table.silent = notes.append, silent
    luck = random.Random(1)
    while not table.match.is_over:
        position = table.match.position
        table.play(luck.choice(position.legal_moves) if table.is_peoples_turn else table.answer(position))
    spoken = [note for note in notes if "words" in note.message.values]
    assert all(note.message.values["words"].text in TEXTS for note in spoken)
    assert 6 * len(spoken) <= table.match.plies
    return [note.say("en") for note in spoken]


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_opponents_talk_and_say_the_same_again() -> None:
    first = said()
    assert first
    assert first == said()
    assert all(line.startswith("Black: “") for line in first)


def test_nobody_talks_when_silenced_or_among_people() -> None:
    assert said(silent=True) == []
    assert said(people=2) == []
