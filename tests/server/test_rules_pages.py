"""Rule books as pages: every rule is an anchor, rulings are marked, and nothing in a book becomes markup."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from empedocles.differences import difference
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.language import LANGUAGES
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.server.settings import Settings
from empedocles.server.web.app import create_app
from empedocles.server.web.pages import material as teaching
from empedocles.server.web.pages.rulebooks import RULING, book
from empedocles.testing.contract import rule_ids

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
languages = pytest.mark.parametrize("language", LANGUAGES)


class Outline(HTMLParser):
    """Ids, links within the page, and elements in the order in which they open and close."""

    VOID = frozenset({"meta", "link", "img", "br", "input"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.rulings = 0
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert "style" not in found, "the policy for pages allows no style attributes"
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links |= {(found["href"] or "")[1:]} if (found.get("href") or "").startswith("#") else set()
        self.rulings += "ruling" in (found.get("class") or "").split() and tag == "a"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"


def page(path: str, language: str = "en") -> httpx.Response:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(create_app(Settings(bots=0)))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get(path, headers={"cookie": f"language={language}"})

    return asyncio.run(asked())


@games
@languages
def test_every_rule_is_an_anchor_and_every_link_leads_somewhere(game: Game, language: str) -> None:
    outline = Outline(page(f"/rules/{game.name}", language).text)
    rules = rule_ids(game)
    assert [name for name in outline.ids if name in rules] == rules
    own = [name for name in outline.ids if not name.startswith(game.name)]  # not those of artwork
    assert len(own) == len(set(own))
    assert outline.links - {"main"} <= set(outline.ids) | {"main"}
    assert outline.open == []


@games
@languages
def test_rulings_are_marked_and_explained(game: Game, language: str) -> None:
    text = " ".join(game.rule_book(language).split())
    written = text.count(f"*{RULING[language]}*")
    response = page(f"/rules/{game.name}", language)
    assert Outline(response.text).rulings == written - 1, "all but the one in the explanation are links to it"
    assert 'id="rulings"' in response.text
    assert f"*{RULING[language]}*" not in response.text
    assert book(game, language).rulings


@games
def test_books_in_all_languages_have_the_same_anchors(game: Game) -> None:
    anchors = [[section.anchor for section in book(game, language).sections] for language in LANGUAGES]
    assert all(one == anchors[0] for one in anchors)


@games
@languages
def test_rules_are_quoted_whole(game: Game, language: str) -> None:
    quoted = book(game, language).rules
    assert list(quoted) == rule_ids(game, language)
    assert all(len(text) > 10 and "**" not in text for text in quoted.values())


def test_players_have_names_not_numbers() -> None:
    said = " ".join(page("/rules/fire-and-water", "en").text.split())
    assert "Order of turns: Red → Green → Gold → Violet" in said
    said = " ".join(page("/rules/points-of-power", "de").text.split())
    assert "Zugreihenfolge mit 2 Spielern: Feuer und Erde → Luft und Wasser" in said
    assert "Zugreihenfolge mit 4 Spielern: Feuer → Luft → Erde → Wasser" in said
    for game, language in itertools.product(GAMES, LANGUAGES):
        assert not re.search(r"\b([Pp]layer|Spieler) \d\b", page(f"/rules/{game}", language).text)


def test_a_book_cannot_bring_markup(tmp_path: Path) -> None:
    bad = (
        "# <i>A</i>\n\n<script>x</script>\n\n## B & <b>\n\n- **XX-1** <img src=x> *(house ruling)* [y](javascript:z)\n"
    )
    (tmp_path / "RULES.md").write_text(bad + "- *(house ruling)* means <u>", encoding="utf-8")
    game = dataclasses.replace(GAMES["ignite-and-flow"], name="bad", folder=tmp_path)
    written = book(game, "en")
    assert written.title == "<i>A</i>", "templates escape it"
    for tag in ("<script", "<img", "<b>", "<u>", 'href="javascript'):
        assert tag not in written.body
    assert 'id="XX-1"' in written.body


@games
def test_diagrams_show_what_they_say(game: Game) -> None:
    shown = teaching.diagrams(game)
    assert shown
    for diagram in shown:
        assert diagram.rule in rule_ids(game)
        assert set(diagram.caption) == set(LANGUAGES)
        position = Position(diagram.position)
        assert position.text == diagram.position, "written as positions write themselves"
        known = game.sheet(position.state, Look(wide=diagram.broad)).boxes
        targets = {*diagram.around, *diagram.marked, *(target for path in diagram.arrows for target in path)}
        assert targets <= set(known)


@games
def test_diagrams_stand_beside_their_rules(game: Game) -> None:
    text = page(f"/rules/{game.name}").text
    assert text.partition('id="readings"')[0].count('<figure class="diagram') == len(teaching.diagrams(game))
    assert len(re.findall(r"<defs>", text)) == 1, "the artwork comes once"


@languages
def test_the_shelf_has_all_games(language: str) -> None:
    text = page("/rules", language).text
    for game in GAMES.values():
        assert f'href="/rules/{game.name}"' in text
        assert book(game, language).title.replace("&", "&amp;") in text


def test_a_game_that_does_not_exist() -> None:
    assert page("/rules/chess").status_code == 404


@games
def test_the_usual_reading_is_the_options_default(game: Game) -> None:
    text = page(f"/rules/{game.name}").text
    marked = re.findall(r"<code>(\w+)=(\w+)</code> <small>usual</small>", text)
    assert marked == [(entry.option, str(game.option(entry.option).default)) for entry in game.readings]


@languages
@games
def test_each_other_reading_has_a_picture_of_what_it_changes(game: Game, language: str) -> None:
    text = page(f"/rules/{game.name}", language).text
    shown = re.findall(r"</svg></div><figcaption><code>(\w+)=(\w+)</code> ([^<]+)<", text)
    entries = [(entry, value) for entry in game.readings for value in entry.readings]
    expected = [(entry, value) for entry, value in entries if value != game.option(entry.option).default]
    assert [found[:2] for found in shown] == [(entry.option, str(value)) for entry, value in expected]
    for entry, value in expected:
        found = difference(game, entry, value)
        assert found
        assert escape(found.message.say(language)) in [caption for *_, caption in shown]
