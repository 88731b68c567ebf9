"""Portraits: distinct, light, without styles, in every theme, and a plain one for whoever has none."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from empedocles.errors import UnknownName
from empedocles.games import GAMES
from empedocles.opponents import Character, characters, plain_cast
from empedocles.render.portraits import Portrait, draw, plain
from empedocles.render.themes import THEMES

LARGEST = 6_000  # bytes
ALL = [one for game in GAMES.values() for one in characters(game)]


def test_all_32_have_a_portrait_of_their_own() -> None:
    assert len(ALL) == 32
    drawn = {re.sub("<title>.*?</title>", "", str(draw(one.face, "", 1, 8))) for one in ALL}
    assert len(drawn) == 32, "two differ in nothing but their level"


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_a_portrait_is_small_plain_svg(one: Character) -> None:
    for theme in THEMES:
        svg = str(one.portrait(theme))
        assert len(svg.encode()) <= LARGEST
        root = ElementTree.fromstring(svg)
        assert root.find("{*}title") is not None
        assert not any("style" in part.attrib or part.tag.endswith("style") for part in root.iter())
        assert not re.search(r"class=|href=|\ue000", svg)
    assert str(one.portrait("light")) != str(one.portrait("dark"))
    assert str(one.portrait()) == str(one.portrait("light")), "stable"


def test_a_medallion_has_as_many_studs_as_the_level() -> None:
    face = ALL[0].face
    counts = [str(draw(face, "", level, 8)).count('r="1.4"') for level in range(1, 9)]
    assert counts == list(range(1, 9))


def test_stronger_opponents_have_grander_medallions() -> None:
    face = ALL[0].face
    rims = [re.sub(r'<circle cx=[^>]*r="1.4"/>', "", str(draw(face, "", level, 8))) for level in (1, 5, 7, 8)]
    assert all(one != other for one, other in pairwise(rims))


def test_a_notebook_shows_the_portrait() -> None:
    assert ALL[0]._repr_svg_() == str(ALL[0].portrait())


def test_opponents_without_a_portrait_get_a_plain_one_that_stays() -> None:
    assert plain("Troll", 3) == plain("Troll", 3)
    assert len({plain(f"Troll {k}", 1) for k in range(40)}) > 10
    known = plain_cast(GAMES["fire-and-water"]).characters
    assert [one.name for one in known] == [one.name for one in characters("fire-and-water")]
    assert known[0].line() == known[0].voice == ""
    assert len({str(one.portrait()) for one in known}) == len(known)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"face": "potato"}, "'potato' is not a portrait's face"),
        ({"eyes": "x-ray"}, "'x-ray' is not a portrait's eyes"),
        ({"ornaments": ("bow tie",)}, "'bow tie' is not a portrait's ornament"),
        ({"elements": ("plasma",)}, "'plasma' is not an element"),
        ({"elements": ()}, "one or two elements, not 0"),
    ],
)
def test_an_unknown_feature_is_refused_by_name(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(UnknownName, match=told):
        Portrait(**({"elements": ("fire",), "face": "flame"} | wrong))  # type: ignore[arg-type]
