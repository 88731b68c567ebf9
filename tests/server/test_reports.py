"""What readers of a table see is made once; for a long match, beside the event loop."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from empedocles.play.match import Match, new
from empedocles.render.picture import Look
from empedocles.server.domain.events import PERSON, Entry, Moved, Seat
from empedocles.server.domain.table import Table
from empedocles.server.limits.processor import Aside
from empedocles.server.web import reports, views
from empedocles.server.web.reports import Reports, common


def table_of(match: Match) -> Table:
    log = [Entry(k, 0.0, Moved(0, move)) for k, move in enumerate(match.moves)]
    return Table("x", match, bytes(24), log=log, seats=[Seat(PERSON, "Ada", owner="ada")] * match.position.seats)


@pytest.fixture(scope="module")
def long() -> Table:
    match, luck = new("points-of-power", seed=1), random.Random(1)
    while len(match.moves) < 300:
        match.play(luck.choice(match.legal_moves))
    return table_of(match)


def told(ask: Callable[[Reports], Awaitable[Any]]) -> Any:
    async def scene() -> Any:
        aside = Aside()
        try:
            return await ask(Reports(aside))
        finally:
            aside.close()

    return asyncio.run(scene())


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Collects the threads in which moves were put into words, and how many moves."""
    seen: list[tuple[str, int]] = []
    put = views.words

    def words(*given: Any) -> list[str]:
        found = put(*given)
        seen.append((threading.current_thread().name.partition("_")[0], len(found)))
        return found

    monkeypatch.setattr(views, "words", words)
    return seen


def test_the_words_of_a_long_match_are_made_once_and_aside(long: Table, made: list[tuple[str, int]]) -> None:
    async def ask(all_told: Reports) -> list[list[str]]:
        first = await asyncio.gather(*(all_told.words(long, "en") for _ in range(5)))
        return [*first, await all_told.words(long, "en")]

    answers = told(ask)
    assert sum(count for _, count in made) == len(long.match.moves)
    assert {thread for thread, _ in made} == {"aside"}
    assert all(answer == views.words(long.match, 0, "en") for answer in answers)


def test_only_new_moves_are_put_into_words(made: list[tuple[str, int]]) -> None:
    match = new("ignite-and-flow").play("Fc3", "Wd4")

    async def ask(all_told: Reports) -> list[list[str]]:
        first = await all_told.words(table_of(match), "en")
        more = await all_told.words(table_of(match.copy().play("Fa1")), "en")
        back = await all_told.words(table_of(match.copy().undo().play("We5")), "en")
        return [first, more, back]

    first, more, back = told(ask)
    assert [count for _, count in made] == [2, 1, 1]
    assert (more[:2], back[:1]) == (first, first[:1])
    assert len({*more, *back}) == 4


def test_words_are_forgotten_when_there_are_too_many(
    made: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MOST_WORDS", 3)
    tables = [table_of(new("ignite-and-flow").play("Fc3", "Wd4")) for _ in range(2)]
    tables[1].id = "y"

    async def ask(all_told: Reports) -> None:
        for table in (*tables, tables[1], tables[0]):
            await all_told.words(table, "en")

    told(ask)
    assert [count for _, count in made] == [2, 2, 2]


def test_pieces_of_a_long_match_are_followed_aside(long: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    threads, ids = set(), Match.ids

    def following(match: Match, ply: int, *more: Any) -> Any:
        if ply - reports.followed(match, ply) > reports.LONG:
            threads.add(threading.current_thread().name.partition("_")[0])
        return ids(match, ply, *more)

    monkeypatch.setattr(Match, "ids", following)
    frames = told(lambda all_told: asyncio.gather(*(all_told.frame(long, 300, Look()) for _ in range(3))))
    assert threads == {"aside"}
    assert frames[0] is frames[1] is frames[2]
    assert reports.followed(long.match, 300) == 300


def test_the_moves_at_the_beginning_that_are_the_same() -> None:
    assert common([], ["a"]) == 0
    assert common(["a", "b"], ["a", "b", "c"]) == 2
    assert common(["a", "x", "c"], ["a", "b", "c"]) == 1
