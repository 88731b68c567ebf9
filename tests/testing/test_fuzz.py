"""Damaged input of all kinds finds nothing in our games and in the server, and something where something is wrong."""

from __future__ import annotations

import dataclasses
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stones import GAME as STONES

from empedocles.core.kernel import Actions, State
from empedocles.errors import BadValue
from empedocles.game import Fields, Game
from empedocles.games import GAMES, add, all_games
from empedocles.testing.fuzz import records
from empedocles.testing.fuzz.findings import Finding, Tally
from empedocles.testing.fuzz.trials import KINDS, run_chunk
from empedocles.testing.fuzz.workers import Worker, environment

TEMPLATE = Path(__file__).parents[2] / "examples" / "add_a_game"
ALL = list(GAMES.values())

# ── Nothing is found ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("kind", "seed", "count"),
    [
        ("requests", 1, 500),
        ("messages", 1, 500),
        pytest.param("requests", 2, 1000, marks=pytest.mark.long),
        pytest.param("messages", 2, 1000, marks=pytest.mark.long),
        ("positions", 1, 1500),
        ("records", 1, 1000),
        ("boards", 1, 1000),
        ("actions", 1, 1500),
    ],
)
def test_nothing_is_found(kind: str, seed: int, count: int) -> None:
    with Worker(checked=False) as worker:
        tally = worker.run(kind, seed, count, list(GAMES))
    assert not tally.findings, "\n".join(map(str, tally.findings))
    assert tally.tried == count
    assert tally.accepted > count / 20, "much of it is almost right"
    assert tally.refused > count / 20, "and much of it is wrong"


@pytest.mark.parametrize("kind", ["positions", "records", "boards", "actions"])
def test_inputs_follow_from_the_seed(kind: str) -> None:
    def made(seed: int) -> list[str]:
        trial = KINDS[kind](random.Random(seed), ALL)
        try:
            return [repr(trial.make()) for _ in range(30)]
        finally:
            trial.close()

    assert made(5) == made(5) != made(6)


# ── Games with something wrong ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def announced() -> Iterator[Any]:
    """Makes games known that are Stones but for something."""
    before = dict(all_games())

    def announce(**changed: Any) -> Game:
        game = dataclasses.replace(STONES, name="toy", **changed)
        add(game)
        return game

    yield announce
    all_games().clear()
    all_games().update(before)


def interpreted(function: Any) -> Any:
    return getattr(function, "py_func", function)


def found(game: Game, kind: str = "positions") -> list[str]:
    tally = run_chunk(kind, 1, 400, [game])
    assert all(finding.seed == 1 and finding.given for finding in tally.findings)
    return [finding.what for finding in tally.findings]


def test_a_whole_game_of_others_is_no_finding(announced: Any) -> None:
    assert found(announced()) == []


def test_a_bound_that_is_too_small_is_found(announced: Any) -> None:
    game = announced(max_legal=2, rules=STONES.rules._replace(legal=interpreted(STONES.rules.legal)))
    assert found(game)


def test_an_action_that_is_listed_twice_is_found(announced: Any) -> None:
    def legal(s: State, out: Actions) -> int:
        n = int(interpreted(STONES.rules.legal)(s, out))
        if s.stones == 2:
            out[1] = out[0]
        return n

    assert "an action is listed twice" in found(announced(rules=STONES.rules._replace(legal=legal)))


def test_a_text_that_is_misread_is_found(announced: Any) -> None:
    def restore(s: State, fields: Fields) -> None:
        STONES.restore(s, fields)
        s.mover = 0

    assert "another text after a round trip" in found(announced(restore=restore))


def test_a_text_that_allows_too_much_is_found(announced: Any) -> None:
    def restore(s: State, fields: Fields) -> None:
        heap, s.heap = int(s.heap), 127
        STONES.restore(s, fields)
        s.heap = heap

    what = found(announced(restore=restore))
    assert "a game goes on for more than max_plies" in what


def test_a_wrong_reason_is_found(announced: Any) -> None:
    game = announced(reason=lambda s, a: None if a == 0 else STONES.reason(s, a))
    assert "an action is refused exactly if it is not legal" in found(game)


def test_an_error_that_is_not_ours_is_found(announced: Any) -> None:
    def restore(s: State, fields: Fields) -> None:
        int(fields.text("stones"))
        STONES.restore(s, fields)

    assert any(what.startswith("ValueError at ") for what in found(announced(restore=restore)))


# ── A server with something wrong ────────────────────────────────────────────────────────────────────────────────────


def test_a_handler_that_fails_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from empedocles.server.web.pages import templates as pages
    from empedocles.testing.fuzz import requests

    def fail() -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(pages, "_style_sheet", fail)
    monkeypatch.setattr(requests, "PAGES", ("/themes.css",) * 30)
    tally = run_chunk("requests", 1, 60, ALL)
    assert tally.findings
    for finding in tally.findings:  # the page of an error names the style sheet, too
        assert finding.what.startswith("ZeroDivisionError at pages/templates.py:")
        assert "/themes.css" in finding.given


def test_a_message_that_fails_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from empedocles.server.web.routes.live import Reader

    show = Reader._show

    async def fail(reader: Reader, ply: int) -> None:
        if ply < 9:
            raise ZeroDivisionError
        await show(reader, ply)

    monkeypatch.setattr(Reader, "_show", fail)
    tally = run_chunk("messages", 1, 120, ALL)
    assert any("ZeroDivisionError" in finding.what for finding in tally.findings)


def test_a_slow_record_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "SLOW", 0.0)
    assert [finding.what for finding in run_chunk("records", 1, 20, ALL).findings] == ["a short record takes long"]


# ── Processes that die ───────────────────────────────────────────────────────────────────────────────────────────────


def install(folder: Path, name: str, *changes: tuple[str, str, str]) -> None:
    """The template under another name, with some text in some file changed, as an installed package."""
    shutil.copytree(TEMPLATE / "stones", folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (folder / name).glob("*.py"):
        text = file.read_text(encoding="utf-8")
        text = text.replace("from stones", f"from {name}").replace('name="stones"', f'name="{name}"')
        for changed, old, new in changes:
            if file.name == changed:
                assert old in text
                text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
    metadata = folder / f"{name}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[empedocles.games]\n{name} = {name}:GAME\n")


def fuzzed(folder: Path, name: str, *more: str, compiled: bool = False) -> subprocess.CompletedProcess[str]:
    words = ["--kinds", "positions", "--games", name, "--rounds", "1", *more]
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "empedocles.testing.fuzz", *words],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ
        | {"PYTHONPATH": path, "NUMBA_CACHE_DIR": str(folder / "cache"), "NUMBA_DISABLE_JIT": str(int(not compiled))},
    )


def test_a_process_that_dies_is_found_and_the_run_goes_on(tmp_path: Path) -> None:
    install(
        tmp_path,
        "dying",
        ("text.py", "    winner = fields", "    if s.stones == 7:\n        os.abort()\n    winner = fields"),
        ("text.py", "import numpy as np\n", "import os\n\nimport numpy as np\n"),
    )
    ended = fuzzed(tmp_path, "dying", "--rounds", "2", "--unchecked")
    assert ended.returncode == 1, ended.stderr
    assert "the process is ended by SIGABRT (1 times)" in ended.stdout
    assert re.search(r"input: .*stones=7", ended.stdout)
    assert (
        "again: python -m empedocles.testing.fuzz --kinds positions --seed 0 --rounds 1 --games dying" in ended.stdout
    )


def test_a_kernel_that_reads_outside_is_found(tmp_path: Path) -> None:
    """Which nobody would notice without a check: what lies behind an array is a number too."""
    install(
        tmp_path,
        "leaky",
        ("rules.py", "min(MOST, int(s.stones))", "min(MOST, int(LEFT[int(s.stones)]))"),
        ("rules.py", "STATE = ", "LEFT = np.arange(20)\nSTATE = "),
    )
    ended = fuzzed(tmp_path, "leaky", compiled=True)
    assert ended.returncode == 1, ended.stderr
    assert "BrokenGame from IndexError at empedocles/position.py" in ended.stdout


def test_workers_check_the_kernels_of_our_games_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "somewhere")
    apart = str(Path("somewhere") / "checked")
    assert environment(checked=True) == {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": apart}
    assert environment(checked=False) == {}


def test_a_run_without_findings_says_so(tmp_path: Path) -> None:
    install(tmp_path, "sound")
    ended = fuzzed(tmp_path, "sound", "--unchecked")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.fullmatch(r"positions +500 tried +\d+ accepted +\d+ refused +0 findings\n", ended.stdout)


def test_a_chunk_that_hangs_is_found() -> None:
    with Worker(checked=False, patience=0.01) as worker:
        tally = worker.run("positions", 1, 10**9, ["ignite-and-flow"])
    assert [finding.what for finding in tally.findings] == ["a chunk takes more than 0.01 s"]


def test_a_worker_refuses_games_that_do_not_exist() -> None:
    with Worker(checked=False) as worker, pytest.raises(LookupError, match="unknown game 'chess'"):
        worker.run("positions", 1, 1, ["chess"])


# ── Reports ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_findings_of_one_sort_are_counted_and_the_shortest_input_is_kept() -> None:
    tally = Tally("positions", accepted=1)
    for given in ("long input", "short", "another long input"):
        tally.note(Finding("positions", len(given), "it breaks", given))
    more = Tally("positions", refused=2)
    more.note(Finding("positions", 9, "it breaks", "tiny"))
    tally.add(more)
    (finding,) = tally.findings
    assert (finding.given, finding.seed, finding.times) == ("tiny", 9, 4)
    assert tally.tried == 7
    assert "it breaks (4 times)" in str(finding)


def test_the_server_is_asked_for_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastapi.testclient", None)
    with pytest.raises(BadValue, match="requests and messages need the extras server and dev"):
        run_chunk("requests", 1, 1, ALL)
