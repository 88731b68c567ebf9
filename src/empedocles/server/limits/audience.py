"""Who may read a table live: its players always, and others while there is room for them."""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple, TypeVar

from empedocles.server.domain.refusals import Refused
from empedocles.server.limits.budgets import Places
from empedocles.server.settings import Settings

K = TypeVar("K", bound=Hashable)

RETRY = 30  # seconds until a spectator may find room


class _Seated(NamedTuple):
    number: int  # higher for those who came later
    place: tuple[str, str]  # match and player
    household: str
    end: Callable[[], None]


class Audience:
    """Connections to tables. A player's newest always gets in: beyond a limit, one of their older ones is closed."""

    def __init__(self, settings: Settings) -> None:
        self._of_table = Places(settings.spectators)
        self._of_table_and_household = Places(settings.spectators_each)
        self._of_household = Places(settings.spectating)
        self._windows, self._most = settings.windows, settings.windows_in_all
        self._by_place: defaultdict[tuple[str, str], list[_Seated]] = defaultdict(list)  # the oldest first
        self._by_household: defaultdict[str, list[_Seated]] = defaultdict(list)
        self._numbers = itertools.count()

    @contextlib.contextmanager
    def watch(self, match: str, household: str) -> Iterator[None]:
        """A place for a spectator."""
        full = Refused("crowded", "too many people are watching: try again later", retry=RETRY)
        yours = Refused("crowded", "too many people are watching from your address: try again later", retry=RETRY)
        with (
            self._of_household.held(household, yours),
            self._of_table_and_household.held(f"{household} {match}", yours),
            self._of_table.held(match, full),
        ):
            yield

    @contextlib.contextmanager
    def sit(self, match: str, household: str, player: str, end: Callable[[], None]) -> Iterator[None]:
        """A place for a player of the match; `end` is called when a newer connection needs it."""
        self._make_room((match, player), household)
        seated = _Seated(next(self._numbers), (match, player), household, end)
        self._by_place[seated.place].append(seated)
        self._by_household[household].append(seated)
        try:
            yield
        finally:
            self._remove(seated)

    def windows(self, match: str, player: str) -> int:
        """A player's connections to a table."""
        return len(self._by_place.get((match, player), ()))

    def _make_room(self, place: tuple[str, str], household: str) -> None:
        if len(windows := self._by_place.get(place, [])) >= self._windows:
            self._end(windows[0])
        if len(all_here := self._by_household.get(household, [])) >= self._most:
            (most, _), *_ = Counter(one.place[1] for one in all_here).most_common(1)
            self._end(next(one for one in all_here if one.place[1] == most))

    def _end(self, seated: _Seated) -> None:
        self._remove(seated)
        seated.end()

    def _remove(self, seated: _Seated) -> None:
        """Remove a connection, unless that was done before."""
        _take_out(self._by_place, seated.place, seated)
        _take_out(self._by_household, seated.household, seated)


def _take_out(found: defaultdict[K, list[_Seated]], key: K, seated: _Seated) -> None:
    if seated in found.get(key, ()):
        found[key].remove(seated)
        if not found[key]:
            del found[key]
