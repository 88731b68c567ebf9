"""The arena as users call it; that its results survive anything is tested in tests/play/test_arena.py."""

from __future__ import annotations

import io
import math
from pathlib import Path

import pytest
from cli.test_cli import run
from rich.console import Console

from empedocles import EmpedoclesError
from empedocles.cli.app import app
from empedocles.cli.arena import _elo, encounters, endings, standings
from empedocles.games import GAMES
from empedocles.play.arena import Contest, Played, Tally
from empedocles.play.ratings import Rating
from empedocles.search.limits import Limit

SMALL = ["arena", "ignite-and-flow", "random", "alphabet", "--games", "2", "--jobs", "1"]


def test_the_arena_shows_tables_and_goes_on(tmp_path: Path) -> None:
    found = run(*SMALL, folder=tmp_path)
    assert found.returncode == 0, found.stderr
    for said in (
        "Ignite and Flow reactions=all: 1000 simulations a move, seed 0",
        "random – alphabet",
        "Elo",
        "2 games",
    ):
        assert said in found.stdout, said
    results = tmp_path / "arena-ignite-and-flow.jsonl"
    assert results.read_text().count("\n") == 3
    before = results.read_bytes()
    again = run(*SMALL, folder=tmp_path)
    assert "2 of them played before" in again.stdout
    assert "0 games played now" in again.stdout
    assert results.read_bytes() == before
    other = run(*SMALL, "--seed", "1", folder=tmp_path)
    assert other.returncode == 2
    assert "holds another contest: seed is 0 there, 1 here. Name another file with --results" in other.stderr
    assert results.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", "random", "search"], "unknown game 'chess'"),
        (["ignite-and-flow", "random", "hal"], "unknown agent 'hal' in Ignite and Flow: there are random, search"),
        (["ignite-and-flow", "random"], "an arena needs two agents or more"),
        (["ignite-and-flow", "random", "random"], "'random' is named twice"),
        (["ignite-and-flow", "random", "search", "colour=red"], "unknown option 'colour'"),
        (["fire-and-water", "random", "search", "players=9"], "unknown value '9'"),
        (["ignite-and-flow", "random", "search", "--games", "0"], "an even number above 0"),
        (["ignite-and-flow", "random", "search", "--games", "3"], "an even number above 0"),
        (["ignite-and-flow", "random", "search", "--simulations", "0"], "a limit of simulations"),
        (["ignite-and-flow", "random", "search", "--seconds", "0"], "a limit of seconds"),
        (["ignite-and-flow", "random", "search", "--seconds", "1", "--simulations", "1"], "either --seconds or"),
        (["ignite-and-flow", "random", "search", "--seed", "-1"], "a seed is a whole number"),
        (["ignite-and-flow", "random", "search", "--results", "no/such/folder"], "No such file"),
        (["ignite-and-flow", "random", "search", "--results", "."], "Is a directory"),
    ],
)
def test_impossible_arenas_are_refused(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((EmpedoclesError, OSError), match=said):
        app(["arena", *arguments], standalone_mode=False)
    assert list(tmp_path.glob("*.jsonl")) == [], "nothing is left behind"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument"),
        (["random", "search", "--jobs", "0"], "Invalid value"),
        (["random", "hal"], "Error: unknown agent 'hal' in Ignite and Flow: there are random, search"),
    ],
)
def test_errors_are_one_line_and_no_traceback(arguments: list[str], said: str, tmp_path: Path) -> None:
    found = run("arena", "ignite-and-flow", *arguments, folder=tmp_path)
    assert found.returncode == 2
    assert said in found.stderr
    assert "Traceback" not in found.stderr


def test_ratings_in_words() -> None:
    assert _elo(Rating(12.4, -7.6, 32.4)) == ("+12", "20")
    assert _elo(Rating(-0.2, -10.2, 9.8)) == ("0", "10")
    assert _elo(Rating(math.inf, 183.2, math.inf)) == ("> +183", "")
    assert _elo(Rating(-math.inf, -math.inf, -40.0)) == ("< -40", "")
    assert _elo(Rating(math.inf, -math.inf, math.inf)) == (">>", "")
    assert _elo(Rating(math.nan, -math.inf, math.inf)) == ("–", "")


def test_tables_fit_a_terminal_of_eighty_columns() -> None:
    names = ("random", "alphabet", "talkative")
    contest = Contest("ignite-and-flow", GAMES["ignite-and-flow"].complete({}), names, Limit(simulations=1))
    tally = Tally(contest)
    console = Console(file=io.StringIO(), width=80)
    console.print(standings(tally))  # before the first game
    for task in contest.tasks(4):
        rule = "IF-15" if task.number else "IF-16"
        tally.add(Played(task.number, task.seats, task.seed, (0, 0), ((-1.0) ** task.number, 0.0), 3, "", rule))
    console.print(standings(tally), encounters(tally), endings(tally))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert len(lines) == 3 * 4 + 3
    assert lines[-2].split()[-5:] == ["filled.", "(IF-15)", "11", "91.7", "%"]
    assert all(len(line) <= 80 for line in lines)
