"""Positions as text: garbage is refused with the field at fault, never misread."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empedocles import BadValue, EmpedoclesError, Position, PositionError, new
from empedocles.games import GAMES
from empedocles.testing.samples import random_positions

TEXTS = [position.text for game in GAMES.values() for position in random_positions(game, 24, seed=3)]


def refused(text: str) -> str:
    with pytest.raises(PositionError) as caught:
        Position(text)
    return caught.value.field


def test_fields_must_be_known_complete_and_single() -> None:
    board = "ignite-and-flow board=6/6/6/6/6/6"
    assert Position(f"{board} to-move=0") == Position(f"{board} taken=0/0 quiet=0 due=action to-move=0 reactions=all")
    assert refused(board) == "to-move"
    assert refused(f"{board} to-move=0 colour=red") == "colour"
    assert refused(f"{board} to-move=0 to-move=1") == "to-move"
    assert refused(f"{board} to-move=2") == "to-move"
    assert refused(f"{board} nonsense") == "nonsense"


@pytest.mark.parametrize(
    "text", ["", "   ", "chess board=8/8", "ignite-and-flow reactions=some board=6/6/6/6/6/6 to-move=0"]
)
def test_unknown_games_and_options_are_refused(text: str) -> None:
    with pytest.raises(EmpedoclesError, match="unknown"):
        Position(text)


@pytest.mark.parametrize("text", [None, 7, b"ignite-and-flow"])
def test_other_types_are_refused(text: object) -> None:
    with pytest.raises(TypeError, match="a position is made from its text"):
        Position(text)  # type: ignore[arg-type]


@given(st.sampled_from(TEXTS), st.data())
def test_damaged_text_is_refused_or_a_sound_position(text: str, data: st.DataObject) -> None:
    """Cut, change or insert characters anywhere: either an error, or a position whose text round-trips."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 6)))
    new = data.draw(st.text(st.sampled_from("abcdefgh12345678/,=-+.?! FWELPTDmchance"), max_size=6))
    damaged = text[:start] + new + text[end:]
    try:
        position = Position(damaged)
    except EmpedoclesError:
        return
    assert Position(position.text) == position
    assert bool(position.legal_moves) != position.is_over


@given(st.text(max_size=40))
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(EmpedoclesError):
        Position(text)
    for name in GAMES:
        with pytest.raises(EmpedoclesError):
            Position(f"{name} {text}")


@pytest.mark.parametrize("seat", [1.0, True, "0", -1, 2])
def test_seats_that_are_none_see_nothing(seat: Any) -> None:
    position = new("ignite-and-flow").position
    with pytest.raises(BadValue, match="a seat of this match is a number from 0 to 1, not"):
        position.observe(seat)
