"""Who thinks when: bots are not kept waiting by what people ask for."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from server.people import House

import empedocles
from empedocles import agents
from empedocles.server.bots import Bots, choose
from empedocles.server.tables import Refused
from empedocles.server.thinking import MOST_ASKED, Thinkers


class Slow:
    """Instead of processes: thinks until it is told to stop."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.enough = asyncio.Event()

    async def run(self, _work: Callable[..., Any], name: str) -> str:
        self.came.append(name)
        await self.enough.wait()
        return name


@pytest.mark.parametrize(("workers", "places"), [(0, 1), (1, 1), (3, 2)])
def test_a_crowd_that_asks_keeps_no_bot_waiting(workers: int, places: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        thinkers, slow = Thinkers(workers), Slow()
        monkeypatch.setattr(thinkers, "_quick", slow)
        crowd = [asyncio.create_task(thinkers.asked(str, "person")) for _ in range(40)]
        await asyncio.sleep(0)
        bot = asyncio.create_task(thinkers.quick(str, "bot"))
        await asyncio.sleep(0)
        assert slow.came == ["person"] * places + ["bot"]
        slow.enough.set()
        answers = await asyncio.gather(*crowd, return_exceptions=True)
        assert answers.count("person") == MOST_ASKED
        assert sum(isinstance(answer, Refused) for answer in answers) == 40 - MOST_ASKED
        assert await bot == "bot"
        assert await thinkers.asked(str, "person") == "person"  # there is room again

    asyncio.run(scene())


@pytest.mark.parametrize("chosen", ["no such move", "Tc3", None])
def test_an_agent_that_does_nonsense_does_not_stop_a_match(chosen: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Fool:
        def choose(self, _position: object, _limit: object) -> str | None:
            if chosen is None:
                raise ZeroDivisionError
            return chosen

    find = agents.find
    monkeypatch.setattr(agents, "find", lambda name, seed: Fool() if name == "fool" else find(name, seed))
    start = empedocles.new("ignite-and-flow").position
    assert choose("fool", start.text, 1, 0.01) in start.legal_moves


def test_bots_leave_people_time_to_see_a_move(house: House) -> None:
    ada, _, match = house.pair()
    ada.play(match)
    table = house.service._tables[match]
    bots = Bots(house.service, house.client.app.state.thinkers, 1, pace=60)  # type: ignore[attr-defined]
    assert bots._too_early(table)
    table.log[-1] = table.log[-1]._replace(at=time.time() - 61)
    assert not bots._too_early(table)


def test_one_hint_at_a_time_for_each_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    began, enough = threading.Semaphore(0), threading.Event()

    async def think(*_: object) -> str:
        began.release()
        await asyncio.to_thread(enough.wait, 60)
        return "Fc3"

    monkeypatch.setattr(house.client.app.state.thinkers, "asked", think)  # type: ignore[attr-defined]
    ada = house.person("Ada")
    one, other = (ada.create("ignite-and-flow", "me", "here")["id"] for _ in range(2))
    with ThreadPoolExecutor(2) as people:
        hints = [people.submit(ada.ok, "POST", f"{match}/hint", {}) for match in (one, other)]
        for _ in hints:
            assert began.acquire(timeout=60)
        assert ada.refused("POST", f"{one}/hint", {}) == (409, "busy")
        enough.set()
        assert [hint.result()["move"] for hint in hints] == ["Fc3", "Fc3"]
    assert ada.ok("POST", f"{one}/hint", {})["move"] == "Fc3"
