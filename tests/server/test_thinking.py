"""The order of work: people's requests never delay bots."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from server.fixtures import opened
from server.memories import Shelf
from server.people import House

import empedocles
from empedocles import agents
from empedocles.server.domain.refusals import Refused
from empedocles.server.limits.budgets import Who
from empedocles.server.settings import Settings
from empedocles.server.workers.analyses import Analyses
from empedocles.server.workers.bots import Bots
from empedocles.server.workers.jobs import Judged, choose
from empedocles.server.workers.lines import EACH, MOST_WAITING, Thinkers


class Slow:
    """Replaces processes: works until told to stop."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.enough = asyncio.Event()
        self.answer: Any = None  # instead of what it was given

    async def run(self, _work: Callable[..., Any], name: str, *_: object) -> Any:
        self.came.append(name)
        await self.enough.wait()
        return self.answer or name


def thinkers_with(**settings: Any) -> tuple[Thinkers, Slow]:
    """Thinkers whose processes are all slow."""
    thinkers, slow = Thinkers(Settings(**settings)), Slow()
    thinkers.bots = thinkers.quick_line.pool = thinkers.patient_line.pool = slow  # type: ignore[assignment]
    return thinkers, slow


def ask(thinkers: Thinkers, household: str, what: str, urgent: bool = False) -> asyncio.Task[str]:
    return asyncio.create_task(thinkers.asked(Who(household), str, what, urgent=urgent))


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("bots", [0, 1, 3])
def test_a_crowd_that_asks_keeps_no_bot_waiting(bots: int) -> None:
    async def scene() -> None:
        thinkers, slow = thinkers_with(bots=bots)
        crowd = [ask(thinkers, f"house {k}", "person") for k in range(40)]
        await settle()
        moves = [asyncio.create_task(thinkers.quick(str, "bot")) for _ in range(5)]
        await settle()
        assert slow.came == ["person"] + ["bot"] * max(1, bots)
        slow.enough.set()
        assert await asyncio.gather(*crowd) == ["person"] * 40
        assert await asyncio.gather(*moves) == ["bot"] * 5

    asyncio.run(scene())


def test_one_who_asks_for_much_keeps_no_other_waiting() -> None:
    async def scene() -> None:
        thinkers, slow = thinkers_with()
        much = [ask(thinkers, "greedy", "evaluation") for _ in range(18)]
        await settle()
        hint = ask(thinkers, "modest", "hint", urgent=True)
        await settle()
        assert slow.came == ["evaluation"]
        assert thinkers.waiting == EACH - 1 + 1
        slow.enough.set()
        answers = await asyncio.gather(*much, return_exceptions=True)
        assert await hint == "hint"
        assert slow.came == ["evaluation", "hint"] + ["evaluation"] * (EACH - 1)
        refused = [answer for answer in answers if isinstance(answer, Refused)]
        assert len(refused) == 18 - EACH
        assert {(one.code, bool(one.retry)) for one in refused} == {("too-many-requests", True)}

    asyncio.run(scene())


def test_a_hint_goes_before_what_else_waits_in_its_household() -> None:
    async def scene() -> None:
        thinkers, slow = thinkers_with()
        tasks = [ask(thinkers, "home", "evaluation") for _ in range(EACH)]
        tasks.append(ask(thinkers, "home", "hint", urgent=True))
        await settle()
        slow.enough.set()
        await asyncio.gather(*tasks)
        assert slow.came == ["evaluation", "hint"] + ["evaluation"] * (EACH - 1)

    asyncio.run(scene())


def test_who_has_used_up_the_allowance_waits_for_it() -> None:
    async def scene() -> None:
        thinkers, slow = thinkers_with(work_rate=0.5, work_burst=60)
        slow.enough.set()
        thinkers.seconds.spend("greedy", 90)
        with pytest.raises(Refused) as refused:
            await ask(thinkers, "greedy", "evaluation")
        assert refused.value.code == "too-many-requests"
        assert refused.value.retry == pytest.approx(60, abs=1)
        with pytest.raises(Refused):
            await thinkers.patient(Who("greedy", "another player"), str, "picture")
        assert await ask(thinkers, "modest", "evaluation") == "evaluation"
        assert await thinkers.quick(str, "bot") == "bot"

    asyncio.run(scene())


def test_too_many_who_wait_are_told_when_to_come_again() -> None:
    async def scene() -> None:
        thinkers, slow = thinkers_with()
        crowd = [ask(thinkers, f"house {k}", "person") for k in range(MOST_WAITING + 1)]
        await settle()
        with pytest.raises(Refused) as refused:
            await ask(thinkers, "one more", "person")
        assert refused.value.code == "busy"
        assert refused.value.retry
        slow.enough.set()
        await asyncio.gather(*crowd)

    asyncio.run(scene())


def test_the_same_question_is_thought_about_once() -> None:
    async def scene() -> None:
        thinkers, slow = thinkers_with()
        analyses, position = Analyses(thinkers, 0.1, Shelf()), empedocles.new("ignite-and-flow").position
        asked = [asyncio.create_task(analyses.answer(position, 1.0, Who(f"house {k}"))) for k in range(18)]
        await settle()
        slow.answer = Judged("[]", {"en": "[]"})
        slow.enough.set()
        await asyncio.gather(*asked)
        assert slow.came == [position.text]

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

    async def think(*_: object, urgent: bool) -> dict[str, dict[str, str]]:
        assert urgent
        began.release()
        await asyncio.to_thread(enough.wait, 60)
        return {"en": {"move": "Fc3"}}

    monkeypatch.setattr(house.client.app.state.thinkers, "asked", think)  # type: ignore[attr-defined]
    ada = house.person("Ada")
    one, other = (ada.create("ignite-and-flow", "me", "here")["id"] for _ in range(2))
    with ThreadPoolExecutor(2) as people:
        hints = [people.submit(ada.ok, "POST", f"{match}/hint", {}) for match in (one, other)]
        for _ in hints:
            assert began.acquire(timeout=60)
        assert ada.refused("POST", f"{one}/hint", {}) == (503, "busy")
        enough.set()
        assert [hint.result()["move"] for hint in hints] == ["Fc3", "Fc3"]
    assert ada.ok("POST", f"{one}/hint", {})["move"] == "Fc3"


def test_a_bot_whose_processes_die_plays_on_by_lot(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = 0

    async def die(*_: object) -> str:
        nonlocal tries
        tries += 1
        raise Refused("worker-died", "dead", retry=5)

    thinkers = house.client.app.state.thinkers  # type: ignore[attr-defined]
    monkeypatch.setattr(thinkers, "quick", die)
    start = empedocles.new("ignite-and-flow").position
    chosen = asyncio.run(Bots(house.service, thinkers, 1)._chosen("search", start.text, 1, 0.1))
    assert chosen in start.legal_moves
    assert tries == 2


def test_visitors_choose_agents_of_the_operator_and_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict(agents.all_agents())
    monkeypatch.setattr(agents, "all_agents", lambda: known)
    where = "empedocles.agents.simple:RandomAgent"
    with opened(str(tmp_path / "empedocles.db"), bots=1, agents=f"house-bot={where}") as house:
        ada = house.person("Ada")
        for name in (where, "net:run", "no-bot"):
            wanted = {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "bot", "agent": name}]}
            assert ada.ask("POST", "", wanted).status_code == 422
        assert 'value="agent-house-bot"' in house.client.get("/new?game=ignite-and-flow").text
        wanted = {"game": "ignite-and-flow", "seats": [{"kind": "bot", "agent": "house-bot"}, {"kind": "me"}]}
        match, end = ada.ok("POST", "", wanted)["id"], time.monotonic() + 120
        while ada.ok("GET", match)["plies"] == 0:
            assert time.monotonic() < end, "the bot does not move"
            time.sleep(0.1)
        assert ada.ok("GET", match)["seats"][0]["name"] == "house-bot"
