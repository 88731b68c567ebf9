"""The programs that measure a server under attack work, and notice losses. Figures are in benchmarks/README.md."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LOG: list[tuple[int, str, dict[str, Any]]] = [
    (0, "start", {"drawn": []}),
    (1, "join", {}),
    (2, "move", {"move": "Fc3", "drawn": []}),
    (3, "move", {"move": "Wd4", "drawn": ["+E"]}),
    (4, "back", {"ply": 1}),
    (5, "move", {"move": "Fa1", "drawn": []}),
]


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


def compared(log: list[tuple[int, str, dict[str, Any]]]) -> list[str]:
    from visitors import Ledger

    ledger = Ledger()
    ledger.acknowledge("m", 2, "Fc3")
    ledger.hear("m", 3, ["Fc3"])
    ledger.acknowledge("m", 3, "Wd4")
    ledger.hear("m", 4, ["Fc3", "Wd4", "+E"])
    ledger.hear("m", 5, ["Fc3"])
    ledger.acknowledge("m", 5, "Fa1")
    ledger.hear("m", 6, ["Fc3", "Fa1"])
    return ledger.compare({"m": log})


def test_a_log_as_it_was_told_is_right() -> None:
    assert compared(LOG) == []


@pytest.mark.parametrize(
    "log",
    [
        LOG[:-1],
        [*LOG[:3], (3, "move", {"move": "Fc3", "drawn": []}), *LOG[4:]],
        [*LOG[:2], (2, "move", {"move": "Wd4", "drawn": ["+E"]}), (3, "move", {"move": "Fc3", "drawn": []}), *LOG[4:]],
        [*LOG[:3], *LOG[4:]],
        [*LOG[:4], LOG[3], *LOG[4:]],
        [*LOG[:4], (4, "back", {"ply": 0}), LOG[5]],
        [],
    ],
    ids=["the last lost", "doubled", "reordered", "a gap", "an entry twice", "another take-back", "all lost"],
)
def test_a_log_that_was_told_otherwise_is_noticed(log: list[tuple[int, str, dict[str, Any]]]) -> None:
    assert compared(log)


def test_who_is_told_two_things_has_noticed_a_loss() -> None:
    from visitors import Ledger

    ledger = Ledger()
    ledger.hear("m", 3, ["Fc3"])
    ledger.hear("m", 3, ["Wd4"])
    assert ledger.compare(
        {"m": [(0, "start", {"drawn": []}), (1, "join", {}), (2, "move", {"move": "Fc3", "drawn": []})]}
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")
def test_attacks_and_a_long_run_can_be_measured() -> None:
    """Both at the same time: they wait more than they work."""
    attacks = started("attacks.py", "--only", "players", "churn", "--seconds", "2", "--shared")
    soak = started("soak.py", "--seconds", "12", "--people", "4")
    said = finished(attacks)
    for name in ("players", "churn"):
        row = next(line for line in said.splitlines() if line.startswith(f"| {name} |"))
        moves, core, lost = (re.search(r"\| (\d+): ", row), re.search(r"\| (\d+)% \|", row), row.split("|")[11])
        assert moves, row
        assert core, row
        assert (int(moves[1]) > 0, int(core[1]) <= 60, lost.strip()) == (True, True, "0"), row
        assert f"| `{name}` |" in said
    said = finished(soak)
    acknowledged = re.search(r"acknowledged moves: (\d+)", said)
    assert acknowledged, said
    assert int(acknowledged[1]) > 0, said
    assert "lost, doubled or reordered: 0" in said


def started(program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(ROOT / "benchmarks" / program), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> str:
    with process:
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return said
