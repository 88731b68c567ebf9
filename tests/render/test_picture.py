"""What all pictures share: identities, themes, layouts, and the files they are saved in."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import empedocles
from empedocles.errors import UnknownName
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.position import Position
from empedocles.render import themes
from empedocles.render.picture import Box, Look, Piece, arrange, follow
from empedocles.testing.samples import random_match

SVG = "{http://www.w3.org/2000/svg}"


def pieces(*places: str) -> list[Piece]:
    """Pieces as "kind@place"."""
    return [Piece(place.split("@")[0], place.split("@")[1], 0, 0, "") for place in places]


def test_a_piece_keeps_its_number_while_it_stays() -> None:
    first = follow({}, pieces("fire@a1", "fire@b1", "air@c1"))
    assert follow(first, pieces("air@c1", "fire@a1", "fire@b1")) == first


def test_a_piece_keeps_its_number_when_it_moves() -> None:
    first = follow({}, pieces("fire@a1", "fire@b1"))
    assert follow(first, pieces("fire@a1", "fire@b2"))["fire", "b2"] == first["fire", "b1"]


def test_a_new_piece_gets_a_number_of_its_own() -> None:
    first = follow({}, pieces("fire@a1", "fire@b1"))
    assert follow(first, pieces("fire@a1", "fire@b1", "fire@c1"))["fire", "c1"] == 2


def test_a_captured_piece_is_not_taken_for_another_kind() -> None:
    first = follow({}, pieces("fire@a1", "air@b1"))
    assert follow(first, pieces("fire@b1")) == {("fire", "b1"): 0}


@pytest.mark.parametrize("name", GAMES)
def test_most_pieces_stay_where_they_are_from_move_to_move(name: str) -> None:
    """An animation is an attribute patch: after a move, nearly all ids are still there, and nearly all unmoved."""
    match = random_match(GAMES[name], {}, seed=3)
    middle = len(match.moves) // 2
    before, after = (
        {e.attrib["id"]: e.attrib["transform"] for e in layer(match.draw(ply).markup, "pieces")}
        for ply in (middle, middle + 1)
    )
    assert len(before.keys() & after.keys()) >= len(before) - 4
    assert sum(before[k] != after[k] for k in before.keys() & after.keys()) <= 12


def layer(markup: str, name: str) -> list[ElementTree.Element]:
    return list(next(g for g in ElementTree.fromstring(markup) if g.attrib.get("data-layer") == name))


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_the_motions_of_pieces_are_known_to_pages_and_begin_kinds_of_pieces(game: Game) -> None:
    script = (Path(empedocles.__file__).parent / "play" / "static" / "motion.js").read_text(encoding="utf-8")
    assert game.drawing
    assert {*game.drawing.motions.values()} <= set(re.findall(r"^  (\w+): \{", script, re.MULTILINE))
    kinds = {piece.kind for piece in game.sheet(random_match(game, {}, seed=1).position.state, Look()).pieces}
    for kind in kinds:
        assert any(kind.startswith(named) for named in game.drawing.motions), f"{kind} has no motion"


@pytest.mark.parametrize("theme", themes.THEMES)
def test_every_class_in_every_drawing_has_a_look(theme: str) -> None:
    for game in GAMES.values():
        markup = random_match(game, {}, seed=1).draw(5, overlays=list(game.overlays)).markup
        names = {name for found in re.findall(r'class="([^"]*)"', markup) for name in found.split()}
        assert names <= themes.classes(theme).keys()


def test_a_standing_drawing_has_attributes_and_no_classes() -> None:
    svg = str(empedocles.new("ignite-and-flow").play("Fc3").draw(theme="dark"))
    assert 'class="' not in svg
    assert themes.PALETTES["dark"].paper in svg
    assert themes.PLACEHOLDER not in svg


def test_drawings_of_two_themes_share_no_artwork() -> None:
    match = empedocles.new("ignite-and-flow")
    light, dark = (set(re.findall(r'<g id="([^"]+)">', str(match.draw(theme=theme)))) for theme in ("light", "dark"))
    assert light
    assert not light & dark


def test_a_style_sheet_has_a_rule_for_each_class() -> None:
    rules = themes.style_sheet().splitlines()
    assert [rule.split("{")[0] for rule in rules] == [f".e-{name}" for name in themes.classes("light")]
    used = set(re.findall(r"var\((--[^)]+)\)", "".join(rules)))
    for theme in themes.THEMES:
        assert {variable.split(":")[0] for variable in themes.variables(theme).split(";")} == used


def test_a_drawing_for_a_page_has_prefixed_classes() -> None:
    svg = empedocles.new("ignite-and-flow").draw().for_page
    names = {name for found in re.findall(r'class="([^"]*)"', svg) for name in found.split()}
    assert names
    assert all(name.startswith("e-") for name in names)


def test_looks_that_do_not_exist_are_refused_at_once() -> None:
    match = empedocles.new("ignite-and-flow")
    for draw in (match.draw, match.position.draw):
        with pytest.raises(UnknownName, match="unknown theme 'x': there are light"):
            draw(theme="x")
        with pytest.raises(UnknownName, match="unknown choice 'foo' for a picture: there are theme, language"):
            draw(foo=1)


def test_an_unknown_theme_is_refused_with_the_list() -> None:
    with pytest.raises(UnknownName, match="unknown theme 'sepia': there are light, dark, contrast, print"):
        str(empedocles.new("ignite-and-flow").draw(theme="sepia"))


def test_an_unknown_overlay_is_refused_with_the_list() -> None:
    with pytest.raises(UnknownName, match="unknown overlay 'wind' of ignite-and-flow: there are landmasses"):
        empedocles.new("ignite-and-flow").draw(overlays=["wind"])


def test_targets_that_may_be_chosen_are_marked() -> None:
    markup = empedocles.new("ignite-and-flow").draw(targets=["F", "c3"], chosen=["F"]).markup
    found = {e.attrib["data-target"]: e.attrib["class"] for e in layer(markup, "targets")}
    assert found["F"] == "target chosen"
    assert found["c3"] == "target can"
    assert found["d4"] == "target"


def test_the_last_move_is_marked_unless_not_wanted() -> None:
    match = empedocles.new("ignite-and-flow").play("Fc3")
    assert len(layer(match.draw().markup, "last")) == 1  # the square, but not the supply
    assert not layer(match.draw(last=False).markup, "last")
    assert not layer(match.draw(0).markup, "last")


def test_moves_are_pointed_out_by_arrows_and_rings() -> None:
    match = empedocles.new("ignite-and-flow").play("Ec3")
    (ring,) = layer(match.draw(arrows=["Tc3"]).markup, "arrows")
    assert [e.tag for e in ring] == [f"{SVG}circle"] * 2
    match.play("-").play("Fd4")
    (arrow,) = layer(match.draw(arrows=["Fd4>c4"]).markup, "arrows")
    assert [e.tag for e in arrow] == [f"{SVG}path"] * 3


def test_titles_say_whose_turn_it_is_in_the_readers_language() -> None:
    match = empedocles.new("ignite-and-flow")
    assert "<title>Ignite and Flow: White to move</title>" in match.draw().markup
    assert "<title>Ignite and Flow: Weiß am Zug</title>" in match.draw(language="de").markup


def test_notebooks_show_positions_and_matches() -> None:
    match = empedocles.new("ignite-and-flow")
    assert match._repr_svg_() == match.position._repr_svg_() == str(match.draw())


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("panels", [2, 3, 4])
def test_panels_lie_inside_and_do_not_overlap(wide: bool, panels: int) -> None:
    layout = arrange((400, 300), panels, (180, 90), wide)
    boxes = [Box(*layout.board, 400, 300), *(Box(*at, 180, 90) for at in layout.panels)]
    for box in boxes:
        assert 0 <= box.x <= box.x + box.width <= layout.width
        assert 0 <= box.y <= box.y + box.height <= layout.height
    for k, one in enumerate(boxes):
        for other in boxes[k + 1 :]:
            apart = one.x + one.width <= other.x or other.x + other.width <= one.x
            assert apart or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_pictures_are_saved_by_the_ending_of_the_name(tmp_path: Path) -> None:
    picture = empedocles.new("ignite-and-flow").draw()
    for name, begins in {"x.svg": b"<svg", "x.PNG": b"\x89PNG", "x.pdf": b"%PDF"}.items():
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begins)
    with pytest.raises(UnknownName, match=r"cannot draw 'x.bmp': a picture's name ends in .svg, .png or .pdf"):
        picture.save(tmp_path / "x.bmp")


def test_a_png_has_the_size_of_its_scale(tmp_path: Path) -> None:
    from PIL import Image

    picture = empedocles.new("ignite-and-flow").draw()
    picture.save(tmp_path / "x.png", scale=1.5)
    with Image.open(tmp_path / "x.png") as image:
        assert abs(image.width - 1.5 * picture.width) <= 1
        assert abs(image.height - 1.5 * picture.height) <= 1


def test_a_game_without_artwork_is_drawn_as_its_text_board() -> None:
    from stones import GAME

    position = Position.of(GAME, GAME.start({}))
    markup = position.draw().markup
    assert "<text" in markup
    assert GAME.sheet(position.state, Look()).boxes == {}
