"""Marks are told apart by their shapes: in every theme, on every ground, and without colours."""

from __future__ import annotations

import io
import itertools

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import empedocles
from empedocles.render import marks, themes
from empedocles.render.art import CELL, tile
from empedocles.render.formats import png
from empedocles.render.picture import Box, Look, Picture, rect

CELL_BOX = Box(0, 0)
KINDS = {
    "nothing": "",
    "may be chosen, on an empty square": marks.dot(CELL_BOX),
    "may be chosen, with a piece": marks.ticks(CELL_BOX),
    "chosen": marks.ring(CELL_BOX),
    "last move": marks.last(CELL_BOX),
    "hint": marks.arrow({"a1": CELL_BOX}, ["a1"]),
}
GROUNDS = {"void": rect("void", CELL_BOX)} | {name: tile(name) for name in ("fire", "water", "earth", "air", "desert")}
VISIBLE = 25  # of 255 shades of grey
LEAST = 0.014  # of a square: about a dot


def greys(theme: str, ground: str) -> dict[str, npt.NDArray[np.int16]]:
    """A square with each mark, in greys."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CELL} {CELL}" width="{CELL}" height="{CELL}">'
    pictures = [Picture("", f"{head}{ground}{mark}</svg>", CELL, CELL, theme) for mark in KINDS.values()]
    shown = (Image.open(io.BytesIO(data)).convert("L") for data in png(pictures, 1.0))
    return {kind: np.asarray(image, np.int16) for kind, image in zip(KINDS, shown, strict=True)}


def test_a_hint_for_a_button_leaves_its_words_in_view() -> None:
    assert "<circle" in marks.arrow({"a1": CELL_BOX}, ["a1"])
    around = marks.arrow({"pass": Box(10, 20, 90, 48)}, ["pass"])
    assert 'x="9" y="19" width="92" height="50"' in around
    assert "<circle" not in around


@pytest.mark.parametrize("theme", themes.THEMES)
def test_all_marks_differ_in_greys_on_every_ground(theme: str) -> None:
    for name, ground in GROUNDS.items():
        for (one, a), (two, b) in itertools.combinations(greys(theme, ground).items(), 2):
            differing = float((abs(a - b) > VISIBLE).mean())
            assert differing > LEAST, f"{one} and {two} look alike on {name}: {differing:.1%} of the square differs"


def test_marks_leave_most_of_a_square_to_the_art() -> None:
    plain, *marked = greys("light", GROUNDS["fire"]).values()
    for shown in marked:
        assert (shown == plain).mean() > 0.55


def test_what_may_be_chosen_has_a_dot_where_nothing_lies_and_ticks_around_a_piece() -> None:
    markup = empedocles.new("ignite-and-flow").play("Fc3").draw(targets=["c3", "d4"], chosen=["e5"], last=False).markup
    assert marks.ticks(_box("c3")) in markup
    assert marks.dot(_box("d4")) in markup
    assert marks.ring(_box("e5")) in markup


def _box(square: str) -> Box:
    game = empedocles.new("ignite-and-flow")
    return game.game.sheet(game.position.state, Look()).boxes[square]
