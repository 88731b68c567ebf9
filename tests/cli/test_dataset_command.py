"""`empedocles dataset` as users call it; what it writes is tested in tests/play/test_datasets.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.test_cli import run

pytest.importorskip("pyarrow", reason="needs the extra empedocles[dataset]")


def test_matches_of_the_search_and_of_the_arena_are_written(tmp_path: Path) -> None:
    made = run(
        "dataset", "ignite-and-flow", "--games", "2", "--simulations", "2", "--out", "a.parquet", folder=tmp_path
    )
    assert made.returncode == 0, made.stderr
    assert "decisions of 2 matches are in a.parquet" in made.stdout
    again = run("dataset", "ignite-and-flow", "--out", "a.parquet", folder=tmp_path)
    assert again.returncode == 2
    assert "a.parquet is there already" in again.stderr
    run("arena", "ignite-and-flow", "random", "alphabet", "--games", "2", "--jobs", "1", folder=tmp_path)
    made = run("dataset", "--from", "arena-ignite-and-flow.jsonl", "--out", "b.parquet", "--jobs", "1", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "b.parquet").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give a GAME for self-play, or the arena's results with --from: one of the two"),
        (["ignite-and-flow", "--from", "a.jsonl"], "one of the two"),
        (["--from", "a.jsonl"], "a.jsonl cannot be read: No such file or directory"),
        (["--from", "a.jsonl", "--games", "3"], "no --games"),
        (["chess"], "unknown game 'chess'"),
        (["ignite-and-flow", "colour=red"], "unknown option 'colour'"),
        (["ignite-and-flow", "--agent", "gnome"], "unknown agent 'gnome'"),
        (["ignite-and-flow", "--out", "nowhere/a.parquet"], "there is no folder 'nowhere'"),
    ],
)
def test_wrong_requests_are_refused(arguments: list[str], said: str, tmp_path: Path) -> None:
    found = run("dataset", *arguments, folder=tmp_path)
    assert found.returncode == 2
    assert said in found.stderr
    assert "Traceback" not in found.stderr
