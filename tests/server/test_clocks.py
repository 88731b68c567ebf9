"""Clocks, driven by the times in entries: no test waits."""

from __future__ import annotations

import pytest

from empedocles.play.shuffle import BYTES
from empedocles.server.domain.events import PERSON, Entry, Event, Moved, Seat, Started, TookBack
from empedocles.server.domain.stored import start_match
from empedocles.server.domain.table import Clock, Table


def table(clock: Clock, *happened: tuple[float, Event]) -> Table:
    """A table of two people, starting at second 0."""
    secret = bytes(BYTES)
    found = Table("t", start_match("ignite-and-flow", {}, secret), secret, clock)
    for number, (at, event) in enumerate([(0.0, Started((Seat(PERSON), Seat(PERSON)))), *happened]):
        found.apply(Entry(number, at, event))
    return found


def test_time_spent_is_spent_whoever_takes_a_move_back() -> None:
    minutes = Clock("minutes", 100.0, 5.0)
    found = table(minutes, (10.0, Moved(0, "Fc3")), (30.0, Moved(1, "Wd4")), (37.0, TookBack(1, 1)))
    assert found.left == [88.0, 85.0]  # 100 - 10 + 5 - 7, 100 - 20 + 5: no increment for taking back
    assert found.time_left(1, 40.0) == 82.0
    found = table(minutes, (10.0, Moved(0, "Fc3")), (70.0, TookBack(0, 0)), (71.0, Moved(0, "Fc3")))
    assert found.left == [99.0, 40.0]  # the other has been thinking for a minute


@pytest.mark.parametrize("back", [0, 1])
def test_each_move_has_its_days_also_after_one_was_taken_back(back: int) -> None:
    found = table(Clock("days", 1000.0), (10.0, Moved(0, "Fc3")), (30.0, Moved(1, "Wd4")), (90.0, TookBack(1, back)))
    assert found.left == [1000.0, 1000.0]
    assert found.time_left(back, 100.0) == 990.0


def test_without_a_clock_nothing_is_counted() -> None:
    assert table(Clock(), (10.0, Moved(0, "Fc3")), (70.0, TookBack(0, 0))).left == [0.0, 0.0]
