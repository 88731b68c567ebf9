"""Games as told to a friend: in all languages alike, with pictures that come about by legal moves."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from server.test_rules_pages import Outline, games, languages, page

from empedocles import scenes
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.language import LANGUAGES
from empedocles.render.picture import Look
from empedocles.scenes import Scene
from empedocles.server.web.pages.tellings import Telling, telling


def told(game: Game, language: str) -> Telling:
    found = telling(game, language, art=True)
    assert found is not None
    return found


def shown(game: Game, language: str) -> list[Scene]:
    tokens = MarkdownIt().parse(game.telling(language) or "")
    return [scenes.read(token.info, token.content) for token in tokens if token.type == "fence"]


@games
@languages
def test_a_telling_has_an_aim_a_turn_an_example_an_end_and_mistakes(game: Game, language: str) -> None:
    found = told(game, language)
    titles = {"en": ["What you want", "Your turn", "An example", "How it ends", "Easily forgotten"]}
    titles["de"] = ["Worum es geht", "Dein Zug", "Ein Beispiel", "Wie es endet", "Was man leicht vergisst"]
    assert [section.title for section in found.sections if section.title in titles[language]] == titles[language]
    assert found.facts.count("<li>") == 3, "players, playing time, luck"
    assert found.introduction.startswith("<p>")


@games
def test_tellings_in_all_languages_show_the_same(game: Game) -> None:
    counts = [(told(game, language).facts.count("<li>"), len(told(game, language).sections)) for language in LANGUAGES]
    assert len(set(counts)) == 1
    assert len({tuple(shown(game, language)) for language in LANGUAGES}) == 1


@games
@languages
def test_every_picture_of_a_telling_has_its_caption(game: Game, language: str) -> None:
    figure = r"<li><figure>(.*?)<figcaption>(.*?)</figcaption></figure></li>"
    captions = re.findall(figure, told(game, language).body, re.DOTALL)
    assert len(captions) == sum(len(scene.positions) for scene in shown(game, language)) >= 3
    assert all("<svg" in picture and words for picture, words in captions)


@games
def test_scenes_are_written_as_positions_are_and_show_what_they_name(game: Game) -> None:
    for scene in shown(game, "en"):
        assert scene.start.game is game
        known = game.sheet(scene.start.state, Look(wide=scene.wide)).boxes
        assert set(scene.corners) <= set(known)


@games
@languages
def test_the_rule_page_opens_with_the_telling(game: Game, language: str) -> None:
    text = page(f"/rules/{game.name}", language).text
    assert 0 < text.index('id="told-1"') < text.index('id="reference"') < text.index('id="section-1"')
    for section in told(game, language).sections:
        assert f'href="#{section.anchor}"' in text
    assert Outline(text).open == []


def test_what_moves_is_an_arrow_and_what_is_placed_is_marked() -> None:
    pictures = re.findall(r"<svg.*?</svg>", told(GAMES["ignite-and-flow"], "en").body, re.DOTALL)
    flowing, reacting = pictures[:2]
    assert re.search(r'data-layer="arrows"><g>', flowing)
    assert not re.search(r'data-layer="arrows"><g>', reacting)
    assert re.search(r'data-layer="targets"><', reacting)


def test_a_game_without_a_telling_shows_its_rules_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "RULES.md").write_text("# A\n\nB.\n\n## C\n\n- **XX-1** D\n", encoding="utf-8")
    bare = dataclasses.replace(GAMES["ignite-and-flow"], folder=tmp_path)
    assert telling(bare, "de", art=True) is None
    monkeypatch.setattr("empedocles.server.web.pages.rulebooks.known_game", lambda _name: bare)
    text = page("/rules/ignite-and-flow").text
    assert 'id="XX-1"' in text
    assert 'id="reference"' not in text


def test_a_telling_cannot_bring_markup_and_may_lack_everything(tmp_path: Path) -> None:
    (tmp_path / "TELLING.md").write_text("<script>x</script>\n\n## A <b>\n\n[y](javascript:z)\n", encoding="utf-8")
    found = told(dataclasses.replace(GAMES["ignite-and-flow"], folder=tmp_path), "de")
    assert found.sections[0].title == "A <b>", "templates escape it"
    assert not any(tag in found.introduction + found.body for tag in ("<script", "<b>", "href"))
