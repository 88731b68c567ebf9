"""Clocks, with the times that entries say: no test waits."""

from __future__ import annotations

import pytest

from empedocles.server.domain.table import NOBODY, PERSON, SECRET_BYTES, Clock, Entry, Seat, Table, start_match


def table(clock: Clock, *happened: tuple[str, int, str, float]) -> Table:
    """Of two people, from second 0 on."""
    secret = bytes(SECRET_BYTES)
    found = Table("t", start_match("ignite-and-flow", {}, secret), secret, [Seat(PERSON)] * 2, clock)
    for number, (kind, seat, text, at) in enumerate([("start", NOBODY, "", 0.0), *happened]):
        found.apply(Entry(number, kind, seat, text, at))
    return found


def test_time_spent_is_spent_whoever_takes_a_move_back() -> None:
    minutes = Clock("minutes", 100.0, 5.0)
    found = table(minutes, ("move", 0, "Fc3", 10.0), ("move", 1, "Wd4", 30.0), ("back", 1, "1", 37.0))
    assert found.left == [88.0, 85.0]  # 100 - 10 + 5 - 7, 100 - 20 + 5: no increment for taking back
    assert found.time_left(1, 40.0) == 82.0
    found = table(minutes, ("move", 0, "Fc3", 10.0), ("back", 0, "0", 70.0), ("move", 0, "Fc3", 71.0))
    assert found.left == [99.0, 40.0]  # the other has thought for a minute


@pytest.mark.parametrize("back", ["0", "1"])
def test_each_move_has_its_days_also_after_one_was_taken_back(back: str) -> None:
    found = table(Clock("days", 1000.0), ("move", 0, "Fc3", 10.0), ("move", 1, "Wd4", 30.0), ("back", 1, back, 90.0))
    assert found.left == [1000.0, 1000.0]
    assert found.time_left(int(back), 100.0) == 990.0


def test_without_a_clock_nothing_is_counted() -> None:
    assert table(Clock(), ("move", 0, "Fc3", 10.0), ("back", 0, "0", 70.0)).left == [0.0, 0.0]
