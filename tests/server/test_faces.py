"""Opponents on pages: their portraits, what is said about them, and what they say."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from server.people import House, facts, next_kind

from empedocles.coach import talk
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.opponents import cast_of, characters
from empedocles.play.match import Match
from empedocles.server.domain.events import BOT, PERSON, Entry, Moved, Seat
from empedocles.server.domain.table import Table
from empedocles.server.limits.processor import Aside
from empedocles.server.web import faces
from empedocles.server.web.reports import Reports
from empedocles.testing.samples import random_match

ADA, BO = Seat(PERSON, "Ada", owner="ada"), Seat(PERSON, "Bo", owner="bo")
GEYSER = Seat(BOT, agent="level-4")


def table_of(match: Match, *seats: Seat) -> Table:
    log = [Entry(k, 0.0, Moved(0, move)) for k, move in enumerate(match.moves)]
    return Table("x", match, bytes(24), log=log, seats=list(seats))


def sayings(*tables: Table) -> list[talk.Saying | None]:
    """What was said last at these tables, asked of one server in this order."""

    async def scene() -> list[talk.Saying | None]:
        aside = Aside()
        try:
            reports = Reports(aside)
            return [await reports.saying(table) for table in tables]
        finally:
            aside.close()

    return asyncio.run(scene())


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_portraits_are_served_in_the_readers_colours_and_may_be_kept(house: House, game: Game) -> None:
    for one in characters(game):
        for theme in ("light", "dark"):
            answer = house.client.get(f"/opponents/{game.name}/{one.level}.svg?theme={theme}")
            assert answer.headers["content-type"] == "image/svg+xml"
            assert "max-age" in answer.headers["cache-control"]
            assert answer.text == str(one.portrait(theme))


def test_there_is_no_portrait_of_nobody(house: House) -> None:
    for path in ("fire-and-water/9.svg", "chess/1.svg"):
        assert house.client.get(f"/opponents/{path}").status_code == 404
    assert house.client.get("/opponents/fire-and-water/0.svg").status_code in (404, 422)
    assert house.client.get("/opponents/fire-and-water/1.svg?theme=pink").status_code in (400, 422)


def test_the_form_tells_what_opponents_are_like_and_how_to_beat_them(house: House) -> None:
    for language in ("en", "de"):
        found = facts(house, "/new?game=ignite-and-flow", {"accept-language": language})["opponents"]
        told = [(one["about"], one["beaten"]) for one in found]
        assert told == [(one.line(language), one.beaten(language)) for one in characters("ignite-and-flow")]


def test_a_table_knows_how_to_beat_its_opponents_and_no_others(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "bot")["id"]
    found = facts(house, f"/t/{match}", ada.headers)
    level = ada.ok("GET", match)["seats"][1]["level"]
    assert found["beaten"] == {str(level): characters("ignite-and-flow")[level - 1].beaten()}
    assert "let opponents talk" in house.client.get(f"/t/{match}", headers=ada.headers).text


def test_people_among_themselves_have_no_switch_for_talk(house: House) -> None:
    ada, _bo, match = house.pair()
    assert "let opponents talk" not in house.client.get(f"/t/{match}", headers=ada.headers).text
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        assert next_kind(socket, "state")["saying"] is None


def test_what_is_said_is_the_same_whenever_it_is_asked_for() -> None:
    match = random_match(GAMES["points-of-power"], {}, 1)
    last, heard = None, talk.Talk({1: characters("points-of-power")[3].voice}, "x")
    for ply, move in enumerate(match.moves):
        last = heard.hear(match.at(ply), move) or last
    assert last
    whole, part = table_of(match, ADA, GEYSER), table_of(match.until(last.ply - 1), ADA, GEYSER)
    at_once, step_by_step, taken_back = sayings(whole)[0], sayings(part, whole)[1], sayings(whole, part)[1]
    assert at_once == step_by_step == last
    assert taken_back != last
    assert taken_back == sayings(part)[0]


def test_nobody_talks_where_people_play_each_other() -> None:
    match = random_match(GAMES["points-of-power"], {}, 1)
    assert sayings(table_of(match, ADA, BO)) == [None]
    assert sayings(table_of(match, ADA, Seat(BOT, agent="random"))) == [None], "not one of the opponents"
    assert not faces.speakers(
        table_of(random_match(GAMES["points-of-power"], {"players": 4}, 1), ADA, BO, GEYSER, GEYSER)
    )


def test_a_concept_that_fails_silences_its_game_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: Any) -> None:
        raise ZeroDivisionError

    match = random_match(GAMES["points-of-power"], {}, 1)
    monkeypatch.setattr(talk, "deeds", broken)
    assert sayings(table_of(match, ADA, GEYSER)) == [None]


def test_a_file_that_cannot_be_read_leaves_plain_portraits(tmp_path: Any) -> None:
    (tmp_path / "opponents.toml").write_text("[[opponent]")
    game = replace(GAMES["ignite-and-flow"], folder=tmp_path)
    known = faces.cast(game).characters
    assert [one.name for one in known] == [one.name for one in cast_of(GAMES["ignite-and-flow"]).characters]
    assert all(one.portrait() and not one.voice for one in known)
