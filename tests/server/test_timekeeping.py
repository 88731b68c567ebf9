"""Changes of the system time, restarts of the server and of the machine: nobody's clock loses more than has passed."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest
from server.fixtures import opened
from server.people import House, Json, Person
from server.postgresql import PostgreSQL

from empedocles.server.domain import moments
from empedocles.server.settings import Settings
from empedocles.server.storage import boots
from empedocles.server.storage.database import connect
from empedocles.server.storage.migrate import migrate
from empedocles.server.storage.store import Store
from empedocles.server.web import app

HOUR = 3600.0
SLACK = 60.0  # seconds that a test may take on a busy machine
CLOCKS: list[Json] = [{"kind": "minutes", "base": 1800, "increment": 5}, {"kind": "days", "base": 86400}]


class Wall:
    """The system time of the machine and of the database server, as somebody sets it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.step, real = 0.0, time.time

        async def wall(_connection: object) -> tuple[float, float]:
            return time.time(), moments.since_boot()

        monkeypatch.setattr(time, "time", lambda: real() + self.step)
        monkeypatch.setattr(boots, "_wall", wall)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    monkeypatch.setattr(moments, "_offset", moments._offset)  # restored afterwards
    return Wall(monkeypatch)


def restart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reboot the machine."""
    started = moments.since_boot()
    real = moments.since_boot
    monkeypatch.setattr(boots, "boot", lambda: "the next one")
    monkeypatch.setattr("empedocles.server.storage.signs.boot", lambda: "the next one")
    for module in (moments, boots):
        monkeypatch.setattr(module, "since_boot", lambda: real() - started)


def left(person: Person, match: str) -> list[float]:
    found: list[float] = person.look(match)["left"]
    return found


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock["kind"])
@pytest.mark.parametrize("step", [HOUR, -HOUR], ids=["forwards", "backwards"])
def test_a_step_of_the_wall_clock_costs_nobody_time(database: str, wall: Wall, clock: Json, step: float) -> None:
    with opened(database) as house:
        ada, bo, match = house.pair(clock=clock)
        ada.play(match, "Fc3")
        before = left(ada, match)
        wall.step += step
        assert left(ada, match) == pytest.approx(before, abs=SLACK)
        bo.play(match, "Wd4")
        after = left(ada, match)
        assert after == pytest.approx([before[0], before[1] + clock.get("increment", 0)], abs=SLACK)
    wall.step += step  # while no server runs
    with opened(database) as house:
        ada.client = bo.client = house.client
        assert left(ada, match) == pytest.approx(after, abs=SLACK)
        ada.play(match)
        wall.step -= 3 * step
        assert left(bo, match)[1] == pytest.approx(after[1], abs=SLACK)
        assert bo.look(match)["status"] == "playing"


@pytest.mark.parametrize("step", [HOUR, -HOUR], ids=["forwards", "backwards"])
def test_nobody_is_gone_by_a_step(database: str, wall: Wall, step: float) -> None:
    with opened(database) as house:
        ada, bo, match = house.pair()
        ada.play(match, "Fc3")
        gone_in = bo.look(match)["gone_in"]
        wall.step += step
        assert ada.look(match)["gone_in"] == pytest.approx(gone_in, abs=SLACK)
        assert ada.look(match)["here"] == [True, True]
        assert ada.may_not(match, "claim") == "not-gone"
    with opened(database) as house:
        ada.client = house.client
        assert ada.look(match)["gone_in"] == pytest.approx(gone_in, abs=SLACK)
        assert ada.may_not(match, "claim") == "not-gone"


@pytest.mark.parametrize("step", [HOUR, -HOUR], ids=["forwards", "backwards"])
def test_a_bot_keeps_its_turn_over_a_step(database: str, wall: Wall, step: float) -> None:
    with opened(database) as house:
        match = house.person("Ada").create("ignite-and-flow", "level-1", "me")["id"]
        store, portal = house.service.store, house.client.portal
        assert portal
        assert portal.call(store.claim, match, 1, 20.0)
        wall.step += step
        assert portal.call(store.with_bots) == []
        assert not portal.call(store.claim, match, 1, 20.0)


def test_after_a_restart_of_the_machine_time_goes_on(
    database: str, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(database) as house:
        ada, bo, match = house.pair(clock=CLOCKS[0])
        ada.play(match, "Fc3")
        before, then = left(bo, match), moments.now()
    restart(monkeypatch)
    wall.step -= HOUR  # its battery is empty
    with opened(database) as house:
        ada.client = bo.client = house.client
        assert moments.now() == pytest.approx(then, abs=SLACK)
        assert left(bo, match) == pytest.approx(before, abs=SLACK)
        assert left(bo, match)[1] <= before[1] + 1
        bo.play(match, "Wd4")
        wall.step += 24 * HOUR
        assert left(ada, match)[0] == pytest.approx(before[0], abs=SLACK)


def test_an_hour_without_the_machine_is_an_hour(database: str, wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(database) as house:
        house.pair()
        then = moments.now()
    restart(monkeypatch)
    wall.step += HOUR
    with opened(database):
        assert moments.now() == pytest.approx(then + HOUR, abs=SLACK)


def test_time_is_noted_also_where_nothing_happens(database: str, wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    beaten = asyncio.Event()
    note = Store.note_time

    async def noting(store: Store) -> None:
        monkeypatch.setattr(moments, "_offset", moments._offset + 2 * HOUR)  # much later
        await note(store)
        beaten.set()

    monkeypatch.setattr(Store, "note_time", noting)
    with opened(database) as house:
        assert house.client.portal
        house.client.portal.call(beaten.wait)
        then = moments.now()
    monkeypatch.setattr(Store, "note_time", note)
    restart(monkeypatch)
    with opened(database):
        assert moments.now() == pytest.approx(then, abs=SLACK)


def test_processes_of_a_machine_agree(database: str, wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        engines = [connect(Settings(database).url) for _ in range(2)]
        await migrate(engines[0])
        await asyncio.gather(*(boots.agree(engine) for engine in engines))
        first = moments._offset
        for step in (HOUR, -HOUR):
            wall.step += step
            monkeypatch.setattr(moments, "_offset", 0.0)  # another process
            await boots.agree(engines[1])
            assert moments._offset == first
        for engine in engines:
            await engine.dispose()

    asyncio.run(scene())


def test_machines_that_share_a_database_server_take_its_time(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    monkeypatch.setattr(moments, "_offset", moments._offset)

    async def scene() -> None:
        engine = connect(Settings(postgresql.create("machines")).url)
        await migrate(engine)
        for machine, step in (("one", HOUR), ("two", -HOUR)):
            monkeypatch.setattr(time, "time", lambda step=step: real() + step)
            monkeypatch.setattr(boots, "boot", lambda machine=machine: machine)
            await boots.agree(engine)
            assert moments.now() == pytest.approx(real(), abs=5)
        await engine.dispose()

    asyncio.run(scene())


def test_nothing_else_asks_the_wall_clock() -> None:
    for file in Path(app.__file__).parents[1].rglob("*.py"):
        if file.name not in ("moments.py", "boots.py"):
            assert not re.search(r"\btime\.time\(|datetime\.(now|utcnow)\(", file.read_text(encoding="utf-8")), file


def test_pages_count_down_by_durations() -> None:
    """A browser's date may be wrong, and may be set while somebody plays."""
    static = Path(app.__file__).parent / "static"
    for file in static.rglob("*.js"):
        said = file.read_text(encoding="utf-8")
        assert not re.search(r"Date\.now\(|new Date\(\)", said), file
    assert "performance.now()" in (static / "table" / "seats.js").read_text(encoding="utf-8")


def test_the_house_of_the_tests_is_not_shifted(house: House) -> None:
    assert moments.now() == pytest.approx(time.time(), abs=SLACK)
