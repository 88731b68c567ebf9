"""What readers of a table see: its moves in words, frames and pictures, made once for all of them.

For a long match, this is done beside the event loop, so that nobody else waits.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

from empedocles.coach.talk import Saying, Talk
from empedocles.game import Milestone
from empedocles.play.match import Match
from empedocles.render.picture import Look
from empedocles.server.domain.table import Table
from empedocles.server.limits.processor import Aside
from empedocles.server.web import views
from empedocles.server.web.faces import speakers
from empedocles.server.web.guests import alone

FEW = 60  # moves put into words on the event loop: about 2 ms
LONG = 6  # positions whose pieces are followed there: about as long
STRIDE = 10  # positions whose pieces are followed before the time is checked
MOST_WORDS = 100_000  # moves in words that are cached
MOST_DRAWN = 256  # frames and pictures that are cached

T = TypeVar("T")


def common(before: list[str], after: list[str]) -> int:
    """The number of moves that two matches share at the start."""
    least = min(len(before), len(after))
    if before[:least] == after[:least]:  # nearly always true, and fast to check
        return least
    return next(ply for ply in range(least) if before[ply] != after[ply])


class _Words:
    """A cache of moves in words, by table and language. A take-back keeps the moves before it."""

    def __init__(self, most: int) -> None:
        self._most, self._total = most, 0
        self._known: OrderedDict[tuple[str, str], tuple[list[str], list[str]]] = OrderedDict()  # moves, and in words

    def get(self, match: str, language: str, moves: list[str]) -> list[str]:
        """The known words for a beginning of these moves."""
        before, words = self._known.get((match, language), ([], []))
        return words[: common(before, moves)]

    def keep(self, match: str, language: str, moves: list[str], words: list[str]) -> None:
        before, _ = self._known.pop((match, language), ([], []))
        self._known[match, language] = moves, words
        self._total += len(moves) - len(before)
        while self._total > self._most and len(self._known) > 1:
            _, (moves, _) = self._known.popitem(last=False)
            self._total -= len(moves)


class Reports:
    def __init__(self, aside: Aside) -> None:
        self._aside = aside
        self._words = _Words(MOST_WORDS)
        self._drawn: OrderedDict[Hashable, Any] = OrderedDict()
        self._milestones: OrderedDict[str, tuple[list[str], dict[int, Milestone]]] = OrderedDict()  # with their moves
        self._talks: OrderedDict[str, Talk] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[Any]] = {}

    async def words(self, table: Table, language: str, stop: int | None = None) -> list[str]:
        """All moves in words, or those before ply `stop`."""
        match, moves = table.match, table.match.moves[:stop]
        known = self._words.get(table.id, language, moves)
        if len(known) < len(moves):
            if len(moves) - len(known) > FEW:
                key = ("words", table.id, table.number, language, len(known), len(moves))
                known = known + await self._once(key, lambda: self._many_words(match, len(known), len(moves), language))
            else:
                known = known + views.words(match, len(known), language, len(moves))
            self._words.keep(table.id, language, moves, known)
        return known

    async def _many_words(self, match: Match, start: int, stop: int, language: str) -> list[str]:
        words: list[str] = []

        def some(done: int, until: float) -> int:
            while done < stop and time.thread_time() < until:
                words.extend(views.words(match, done, language, min(done + FEW, stop)))
                done = start + len(words)
            return done

        await self._aside.all(some, start, stop)
        return words

    async def milestones(self, table: Table) -> dict[int, Milestone]:
        """The moves that ended a part of the game, by the number of moves then played."""
        match, moves = table.match, table.match.moves
        before, known = self._milestones.pop(table.id, ([], {}))
        same = common(before, moves)
        found = {ply: one for ply, one in known.items() if ply <= same}

        def some(done: int, until: float) -> int:
            while done < len(moves) and time.thread_time() < until:
                stop = min(done + FEW, len(moves))
                found.update(views.milestones(match, done, stop))
                done = stop
            return done

        if len(moves) - same > FEW:
            await self._aside.all(some, same, len(moves))
        else:
            found.update(views.milestones(match, same, len(moves)))
        self._milestones[table.id] = moves, found
        while len(self._milestones) > MOST_DRAWN:
            self._milestones.popitem(last=False)
        return found

    async def saying(self, table: Table) -> Saying | None:
        """What an opponent has said last; None if nobody talks."""
        if not (voices := speakers(table)):
            return None
        match, moves = table.match, table.match.moves
        talk = self._talks.pop(table.id, None)
        if talk is None or talk.speakers != voices or not talk.is_about(moves):
            talk = Talk(voices, table.id)

        def some(done: int, until: float) -> int:
            while done < len(moves) and time.thread_time() < until:
                talk.hear(match.at(done), moves[done])
                done = len(talk.moves)
            return done

        with alone(table.game, "what opponents say"):
            await self._aside.all(some, len(talk.moves), len(moves))
            self._talks[table.id] = talk
        while len(self._talks) > MOST_DRAWN:
            self._talks.popitem(last=False)
        return talk.sayings[-1] if talk.sayings else None

    async def milestone(self, table: Table, ply: int, milestone: Milestone, look: Look) -> dict[str, Any]:
        """The frame of the moment when a part of the game ended."""

        def draw(match: Match, ply: int, look: Look) -> dict[str, Any]:
            return views.milestone_frame(match, ply, milestone, look)

        return await self._drawing("milestone", draw, table, ply, look)

    async def frame(self, table: Table, ply: int, look: Look) -> dict[str, Any]:
        return await self._drawing("frame", views.frame, table, ply, look)

    async def picture(self, table: Table, ply: int, look: Look) -> str:
        """For a page."""
        return await self._drawing("picture", _picture, table, ply, look)

    async def _drawing(self, kind: str, draw: Callable[[Match, int, Look], T], table: Table, ply: int, look: Look) -> T:
        key = (kind, table.id, table.number, ply, look.language, look.wide, look.seat, look.overlays)
        if key not in self._drawn:
            await self.follow(table, ply)
        if key not in self._drawn:  # unless another has drawn it meanwhile
            self._drawn[key] = draw(table.match, ply, look)
            while len(self._drawn) > MOST_DRAWN:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(key)
        drawn: T = self._drawn[key]
        return drawn

    async def follow(self, table: Table, ply: int) -> None:
        """Follow the pieces up to a position before it is drawn, through all positions before it."""
        match = table.match
        match.at(ply)  # raises if there is no such ply
        if ply - followed(match, ply) > LONG:
            await self._once(("pieces", table.id, table.number, ply), lambda: self._follow(match, ply))

    async def _follow(self, match: Match, ply: int) -> None:
        def some(done: int, until: float) -> int:
            while done < ply and time.thread_time() < until:
                done = min(done + STRIDE, ply)
                match.ids(done)
            return done

        await self._aside.all(some, followed(match, ply), ply)

    async def _once(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Make something once, even if several want it at the same time."""
        if key not in self._making:
            self._making[key] = making = asyncio.create_task(make())
            making.add_done_callback(lambda done: self._forget(key, done))
        made: T = await asyncio.shield(self._making[key])  # others may wait for it too
        return made

    def _forget(self, key: Hashable, done: asyncio.Task[Any]) -> None:
        del self._making[key]
        if not done.cancelled():
            done.exception()  # its caller may be gone


def followed(match: Match, ply: int) -> int:
    """The last ply up to `ply` up to which pieces have been followed."""
    return max((at for at in match.known_ids if at <= ply), default=0)


def _picture(match: Match, ply: int, look: Look) -> str:
    looks: dict[str, Any] = {name: getattr(look, name) for name in ("language", "wide", "seat", "overlays", "names")}
    return match.draw(ply, **looks).for_page
