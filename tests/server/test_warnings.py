"""Warnings before bad moves, at tables where no other person plays."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from server.fixtures import opened
from server.people import House, Json, Person

from empedocles.server.limits.budgets import Who
from empedocles.server.web import wire
from empedocles.server.workers.jobs import find_danger

GAME = "ignite-and-flow"
START = f"{GAME} reactions=all board=tW3F/FFF1W1/W1FWW1/F1WtW1/5W/2W2t taken=0/0 quiet=0 due=action to-move=1"
BAD, GOOD = "Ed5", "a5+b5+b6=Db5"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server whose engine works in this process, which starts faster."""

    async def think(_who: Who, work: Any, *given: Any, urgent: bool = False) -> Any:
        assert (work, urgent) == (find_danger, True)
        return await asyncio.to_thread(work, *given)

    with opened(str(tmp_path / "empedocles.db")) as found:
        found.client.app.state.thinkers.asked = think  # type: ignore[attr-defined]
        yield found


def wanted(who: Person, match: str, move: str, **more: Any) -> Json:
    return {"number": who.look(match)["number"], "move": move} | more


def test_a_bad_move_is_warned_of_and_a_good_one_is_not(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create(GAME, "level-1", "me", start=START)["id"]
    found = ada.ok("POST", f"{match}/warning", wanted(ada, match, BAD))
    wire.WarningAnswer.model_validate(found)
    assert found["warning"]["words"].startswith("White can burn the temple on a6 (4 points). Your chances")
    assert "arrow" in found["warning"]["arrows"]
    german = ada.ok("POST", f"{match}/warning", wanted(ada, match, BAD, language="de"))["warning"]
    assert german["words"].startswith("Weiß kann den Tempel auf a6 verbrennen (4 Punkte)")
    assert ada.ok("POST", f"{match}/warning", wanted(ada, match, GOOD)) == {"warning": None}


def test_there_are_no_warnings_in_games_between_people(house: House) -> None:
    ada, bo, match = house.pair(GAME)
    move = ada.look(match)["legal"][0]
    assert ada.refused("POST", f"{match}/warning", wanted(ada, match, move)) == (403, "not-alone")
    assert bo.refused("POST", f"{match}/warning", wanted(bo, match, move)) == (403, "not-alone")


def test_there_are_no_warnings_where_people_share_a_device(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create(GAME, "here", "me", start=START)["id"]
    assert (ada.look(match)["alone"], ada.look(match)["shared"]) == (True, True)
    assert ada.refused("POST", f"{match}/warning", wanted(ada, match, BAD)) == (403, "not-alone")


def test_a_table_may_ask_about_several_moves_at_a_time(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create(GAME, "level-1", "me", start=START)["id"]
    with ThreadPoolExecutor() as several:
        found = several.map(lambda move: ada.ok("POST", f"{match}/warning", wanted(ada, match, move)), (BAD, GOOD))
    assert [bool(one["warning"]) for one in found] == [True, False]


def test_a_question_about_a_move_that_cannot_be_played_now_is_refused(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create(GAME, "level-1", "me", start=START)["id"]
    path = f"{match}/warning"
    assert ada.refused("POST", path, wanted(ada, match, BAD, number=99)) == (409, "late")
    assert ada.refused("POST", path, wanted(ada, match, "Ea6")) == (422, "illegal-move")
    ada.play(match, GOOD)
    assert ada.refused("POST", path, wanted(ada, match, BAD)) == (403, "not-your-turn")
