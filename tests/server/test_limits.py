"""Limits on what a stranger may request: long matches, large records, many things at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import empedocles
from empedocles.games import find
from empedocles.play.match import Match
from empedocles.play.records import Record
from empedocles.testing.samples import random_match

pytest.importorskip("fastapi")

from server.fixtures import opened
from server.loops import longest_hold
from server.memories import Shelf
from server.people import House

from empedocles.server.domain.events import Entry, Seat, Started
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import Table
from empedocles.server.limits.budgets import Who
from empedocles.server.service import service
from empedocles.server.workers import analyses
from empedocles.server.workers.analyses import Analyses
from empedocles.server.workers.files import Made
from empedocles.server.workers.jobs import MOST_READ, Judged

HEAD = '[Game "points-of-power"]\n\n'
HELD = 0.15  # processor seconds at most; a picture of such a match once took twice as much


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened(str(tmp_path_factory.mktemp("limits") / "empedocles.db")) as found:
        yield found


@pytest.fixture(scope="module")
def long() -> Match:
    """A match of about a thousand plies."""
    match = random_match(find("points-of-power"), {}, seed=1)
    assert match.plies > 800
    return match


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}{'{} ' * 60_000}\nend\n", "line 3: more than 5,000 comments in one text"),
        (f"{HEAD}{{{'x' * 150_000}}}\nend\n", "line 3: more than 100,000 characters of comments in one text"),
        (f"{HEAD}end\n" * 200, "line 303: more than 100 records in one text"),
    ],
)
def test_a_record_that_holds_too_much_is_refused(house: House, text: str, said: str) -> None:
    ada = house.person("Ada")
    for path in ("records", "imports"):
        answer = house.client.post(f"/api/{path}", json={"record": text}, headers=ada.headers)
        assert (answer.status_code, answer.json()["message"]) == (422, said)


def test_a_match_that_is_too_long_is_refused(house: House, long: Match) -> None:
    times = MOST_READ.plies // long.plies + 1
    answer = house.client.post("/api/records", json={"record": str(Record(long)) * times})
    assert answer.status_code == 422
    assert answer.json()["message"].endswith("more than 3,000 moves in one text")


def test_a_long_match_holds_nobody_up(house: House, long: Match) -> None:
    ada = house.person("Ada")
    with longest_hold() as held:
        given = {"record": str(Record(long))}
        made = house.client.post("/api/imports", json=given, headers=ada.headers)
        assert made.status_code == 201, made.text
        match = made.json()["id"]
        house.service._tables.clear()
        paths = ["", "/picture.svg", "/picture.svg?ply=500", "/record", "/draws", "/frames?start=300"]
        for path in [*(f"/api/matches/{match}{path}" for path in paths), f"/review/{match}"]:
            assert house.client.get(path, headers=ada.headers).status_code == 200
    assert held.seconds < HELD


def test_frames_of_a_long_match_are_those_of_a_short_one(house: House, long: Match) -> None:
    """They are drawn in another process, and sent zipped to clients that accept it."""
    ada = house.person("Ada")
    ids = []
    for match in (long, long.until(290)):
        given = {"record": str(Record(match)).replace("[Result", "[Date").split("checked")[0] + "end\n"}
        ids.append(house.client.post("/api/imports", json=given, headers=ada.headers).json()["id"])
    first, second, plain = (
        house.client.get(f"/api/matches/{match}/frames?start=100&picture=true", headers={"accept-encoding": accepted})
        for match, accepted in zip([*ids, ids[0]], ["gzip", "gzip", "identity"], strict=True)
    )
    assert first.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert first.json() == plain.json()
    assert _told(first.json()) == _told(second.json())
    assert first.json()["picture"] == second.json()["picture"]


def _told(answer: dict[str, Any]) -> list[Any]:
    """Plies with the markup of their pieces, which answers number by first occurrence."""
    texts = answer["texts"]
    return [
        (ply["ply"], ply["words"], [(*piece[:3], texts[piece[3]]) for piece in ply["pieces"]])
        for ply in answer["plies"]
    ]


# ── What is kept in memory ───────────────────────────────────────────────────────────────────────────────────────────


def table(name: str, plies: int) -> Table:
    match = empedocles.new("points-of-power")
    for _ in range(plies):
        match.play(match.legal_moves[0])
    seats = (Seat("person"), Seat("person"))
    return Table(name, match, b"", log=[Entry(0, 0.0, Started(seats))], seats=list(seats))


def test_tables_in_memory_are_bounded_by_their_length() -> None:
    kept = service.Service(SimpleNamespace(bans=None), most_plies=50)  # type: ignore[arg-type]
    for name in "abcd":
        kept._keep(table(name, 19))
    assert kept.known() == ["c", "d"]
    kept._drop("c")
    kept._keep(table("e", 19))
    kept._keep(table("f", 19))
    assert kept.known() == ["e", "f"]
    kept._keep(table("g", 90))
    assert kept.known() == ["g"], "one is always there"


def test_comments_count_as_well() -> None:
    plain, talkative = table("a", 3), table("b", 3)
    talkative.comments = {1: "x" * 50_000}
    assert talkative.weight == plain.weight + 100


@pytest.mark.parametrize("most", [2, 5])
def test_what_was_made_is_bounded_by_its_size(most: int) -> None:
    async def scene() -> None:
        kept: Made[str] = Made(most, weigh=lambda text: len(text) // 2)

        async def make() -> str:
            return "1234"

        for key in range(9):
            await kept.get(key, make)
        assert kept.size == 2 * len(kept._kept) <= most

    asyncio.run(scene())


# ── Analyses ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Waiting:
    """Thinkers that never finish."""

    async def patient(self, *_: object) -> dict[str, str]:
        await asyncio.Event().wait()
        return {}


def test_one_visitor_has_two_analyses_at_a_time() -> None:
    async def scene() -> None:
        going: Any = Analyses(Waiting(), 0.1, Shelf())  # type: ignore[arg-type]
        for name in "ab":
            assert going.of(table(name, 3), Who("greedy")).running
        with pytest.raises(Refused) as refused:
            going.of(table("c", 3), Who("greedy", "another player"))
        assert (refused.value.code, refused.value.retry > 0) == ("too-many-requests", True)
        assert going.of(table("c", 3), Who("modest")).running
        await going.stop()

    asyncio.run(scene())


def test_analyses_that_are_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "MOST_PLIES", 10)

    class Done:
        async def patient(self, *_: object) -> Judged:
            return Judged("{}", {"en": "{}"})

    async def scene() -> None:
        going = Analyses(Done(), 0.1, Shelf())  # type: ignore[arg-type]
        for name in "abcde":
            analysis = going.of(table(name, 4), Who("here"))
            assert analysis.task
            await analysis.task
        assert list(going._kept) == ["d.1", "e.1"]

    asyncio.run(scene())


def test_an_analysis_waits_when_others_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "PAUSE", 0.001)

    class Busy:
        times = 0

        async def patient(self, *_: object) -> Judged:
            self.times += 1
            if self.times % 2:
                raise Refused("too-many-requests", "wait", retry=9)
            return Judged("{}", {"en": "{}"})

    async def scene() -> None:
        analysis = Analyses(Busy(), 0.1, Shelf()).of(table("a", 4), Who("here"))  # type: ignore[arg-type]
        assert analysis.task
        await analysis.task
        assert (len(analysis.remarks), analysis.failed) == (4, False)

    asyncio.run(scene())


def test_a_refusal_says_when_to_come_again(house: House) -> None:
    thinkers = house.client.app.state.thinkers  # type: ignore[attr-defined]
    thinkers.seconds.spend("testclient", 10_000)
    try:
        answer = house.client.post("/api/records", json={"record": f"{HEAD}end\n"})
    finally:
        thinkers.seconds._levels.clear()
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-requests")
    assert int(answer.headers["retry-after"]) > 60


def test_imports_are_tables_too(tmp_path: Path) -> None:
    with opened(str(tmp_path / "empedocles.db"), tables=1.0, tables_burst=2.0) as house:
        ada = house.person("Ada")
        given = {"record": empedocles.new("ignite-and-flow").position.text}
        answers = [house.client.post("/api/imports", json=given, headers=ada.headers) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert int(answers[-1].headers["retry-after"]) > 60
