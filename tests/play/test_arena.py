"""The arena: fair schedules, repeatable games, and results that survive whatever ends the program."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from empedocles import BadValue, UnknownName, agents
from empedocles.agents.simple import AlphabetAgent
from empedocles.games import GAMES
from empedocles.play.arena import Contest, Failed, Played, Tally, mixtures, play, run
from empedocles.play.match import Match
from empedocles.play.results import Results
from empedocles.search.limits import Limit

NAMES = ("random", "alphabet", "talkative")


def contest(game: str = "ignite-and-flow", names: tuple[str, ...] = NAMES, **options: Any) -> Contest:
    return Contest(game, GAMES[game].complete(options), names, Limit(simulations=20), seed=5)


def played(path: Path) -> list[str]:
    """The lines of a results file, in the order of games."""
    header, *games = path.read_text().splitlines()
    return [header, *sorted(games, key=lambda line: int(json.loads(line)["number"]))]


def fill(path: Path, games: int, jobs: int = 1) -> None:
    one = contest()
    with Results(path, one) as results:
        for game in run(one, [task for task in one.tasks(games) if task.number not in results.games], jobs):
            assert isinstance(game, Played)
            results.add(game)


# ── Schedules ──


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("ignite-and-flow", {}, 2),
        ("elemental-defenders", {"mode": "basic"}, 2),
        ("fire-and-water", {"players": 3}, 3),
        ("fire-and-water", {"players": 4}, 4),
        ("points-of-power", {"players": 4}, 4),
    ],
)
def test_every_agent_has_every_seat_equally_often(game: str, options: dict[str, Any], seats: int) -> None:
    tasks = list(contest(game, **options).tasks(14))
    assert len(tasks) == len({task.number for task in tasks}) == 14 * 3
    for seat in range(seats):
        assert len(set(Counter(task.seats[seat] for task in tasks).values())) == 1
    assert all(len(set(task.seats)) == 2 for task in tasks)


def test_seats_are_exchanged_under_the_same_shuffles() -> None:
    one = contest("elemental-defenders", ("random", "alphabet"))
    tasks = list(one.tasks(20))
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.seats == second.seats[::-1]
        assert first.seed == second.seed
        assert Match(one.start, seed=first.seed).moves == Match(one.start, seed=second.seed).moves
    assert len({task.seed for task in tasks}) == 10
    assert {task.seed for task in tasks}.isdisjoint(
        task.seed for task in Contest(one.game, one.options, one.agents, one.limit, seed=6).tasks(20)
    )


def test_three_and_four_free_seats_see_every_mixture() -> None:
    for sides in (2, 3, 4):
        found = mixtures(sides)
        assert len(set(found)) == len(found) == 2**sides - 2
        for first, second in zip(found[::2], found[1::2], strict=True):
            assert all(a != b for a, b in zip(first, second, strict=True))


def test_team_mates_are_the_same_agent() -> None:
    one = contest("points-of-power", players=4)
    assert one.sides == [0, 1, 0, 1]
    assert all(task.seats[:2] == task.seats[2:] for task in one.tasks(4))
    assert contest("points-of-power", players=2).sides == [0, 1]


def test_more_games_begin_with_the_same_ones() -> None:
    one = contest()
    assert list(one.tasks(20))[: 3 * 10] == list(one.tasks(10))


# ── Games ──


@pytest.mark.parametrize("name", list(GAMES))
def test_a_game_is_a_function_of_its_number(name: str) -> None:
    # Random games of Points of Power are long; there a search would take its time.
    one = contest(name, ("random", "talkative" if name == "points-of-power" else "search"))
    game = play(one, one.task(3))
    assert game == play(one, one.task(3))
    assert game.moves != play(one, one.task(5)).moves
    again = Match(one.start, chance="manual").play(*game.moves.split())
    assert again.is_over
    assert again.result is not None
    assert again.result.scores == game.scores
    assert game.plies == len(again.moves)


def ended(seats: Sequence[str], *returns: float) -> Played:
    return Played(0, tuple(seats), 0, (0,) * len(seats), returns, 0, "")


def test_seats_are_compared_that_the_game_has_told_apart() -> None:
    assert ended("ab", 1, -1).compare("a", "b") == (1, 1)
    assert ended("ab", 0, 0).compare("a", "b") == (0.5, 1)
    assert ended("ab", 0, 0).is_draw
    assert ended("abab", 1, -1, 1, -1).compare("a", "b") == (4, 4)
    assert ended("baa", 1, -0.5, -0.5).compare("a", "b") == (0, 2)
    assert ended("baa", -0.5, 1, -0.5).compare("a", "b") == (1, 1)
    assert ended("baaa", -1, -1, 1, -1).compare("b", "a") == (0, 1)
    assert ended("abb", 0.5, 0.5, -1).compare("a", "b") == (1.5, 2)
    assert ended("abb", -1, 0, 1).compare("a", "b") == (0, 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_scores_do_not_depend_on_how_many_play(seats: int) -> None:
    """If one agent's chance to win is three times another's on every seat, it scores three quarters."""
    strength = {"a": 3.0, "b": 1.0}
    won = told = 0.0
    for mixture in mixtures(seats):
        names = "".join("ab"[who] for who in mixture)
        for winner in range(seats):
            chance = strength[names[winner]] / sum(strength[name] for name in names)
            returns = [1.0 if seat == winner else -1.0 for seat in range(seats)]
            points, number = ended(names, *returns).compare("a", "b")
            won, told = won + chance * points, told + chance * number
    assert won / told == pytest.approx(0.75)


def test_unequal_games_are_less_evidence() -> None:
    one = contest("fire-and-water", ("random", "search"), players=4)
    lone = ["search", "random", "random", "random"]
    tally = Tally(one, [ended(lone, 1, -1, -1, -1), ended(lone, -1, 1, -1, -1)])
    assert tally.games.tolist() == [[0, 2], [2, 0]]
    assert tally.points == pytest.approx(np.array([[0, 0.5], [1.5, 0]]))  # one comparison of four, and three
    assert tally.evidence.sum() == pytest.approx((3 + 1) ** 2 / (3**2 + 1))
    low, high = tally.interval(1, 0)
    assert low < 0.75 < high


def test_a_tally_counts_every_point_once() -> None:
    one = contest("fire-and-water", players=3)
    tally = Tally(one, [play(one, task) for task in one.tasks(6)])
    assert tally.total == 18
    assert tally.points.sum() == pytest.approx(18)
    assert tally.games.tolist() == [[0, 6, 6], [6, 0, 6], [6, 6, 0]]
    assert tally.plies > 0


def test_a_game_that_fails_is_reported_and_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clumsy(AlphabetAgent):
        def choose(self, position: Any, limit: Limit) -> str:
            return "Zz9" if len(position.legal_moves) < 100 else super().choose(position, limit)

    monkeypatch.setitem(agents.all_agents(), "clumsy", lambda _seed: Clumsy())
    one = contest(names=("random", "clumsy", "alphabet"))
    found = list(run(one, one.tasks(2), jobs=1))
    failed = [game for game in found if isinstance(game, Failed)]
    assert len(found) == 6
    assert {game.task.number % 3 for game in failed} == {0, 2}, "both pairs with the clumsy one"
    assert "illegal move 'Zz9'" in str(failed[0])
    assert f"seed {failed[0].task.seed}" in str(failed[0])


@pytest.mark.parametrize(
    ("names", "games", "kind", "said"),
    [
        (("random",), 2, BadValue, "two agents or more: there are random, search"),
        (("random", "random"), 2, BadValue, "'random' is named twice"),
        (("random", "hal"), 2, UnknownName, "unknown agent 'hal'"),
        (("pebble", "Pebble"), 2, BadValue, "'pebble' is named twice"),
        (("random", "gnome"), 2, UnknownName, "unknown agent 'gnome' in Ignite and Flow: there are .*pebble"),
        (NAMES, 0, BadValue, "an even number above 0"),
        (NAMES, 7, BadValue, "an even number above 0"),
    ],
)
def test_impossible_contests_are_refused(names: tuple[str, ...], games: int, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        contest(names=names).tasks(games)


# ── Results ──


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "whole.jsonl"
    fill(path, 4)
    return path


def test_workers_give_the_same_results(whole: Path, tmp_path: Path) -> None:
    fill(tmp_path / "two.jsonl", 4, jobs=2)
    assert played(tmp_path / "two.jsonl") == played(whole)


def test_a_file_cut_anywhere_leads_to_the_same_results(whole: Path, tmp_path: Path) -> None:
    content = whole.read_bytes()
    cut = tmp_path / "cut.jsonl"
    ends = [end for end, byte in enumerate(content) if byte == 10]
    for length in sorted({*range(0, len(content), 997), *ends, *(end + 1 for end in ends), ends[0] // 2}):
        cut.write_bytes(content[:length])
        with Results(cut, contest()) as results:
            assert len(results.games) == max(0, content[:length].count(b"\n") - 1)
        assert content.startswith(cut.read_bytes())
        assert cut.read_bytes().endswith(b"\n")
    for length in (0, ends[0] // 2, ends[3] + 40):
        cut.write_bytes(content[:length])
        fill(cut, 4)
        assert played(cut) == played(whole)


def test_each_game_names_the_rule_that_ended_it_and_older_files_are_read_without(whole: Path, tmp_path: Path) -> None:
    one = contest()
    with Results(whole, one) as results:
        assert {game.ending for game in results.games.values()} <= {
            end.rule for end in GAMES[one.game].endings.values()
        }
    older = tmp_path / "older.jsonl"
    older.write_text(re.sub(r', "ending": "[^"]*"', "", whole.read_text()))
    with Results(older, contest()) as results:
        assert {game.ending for game in results.games.values()} == {""}


def test_a_broken_last_line_with_its_end_is_cut_too(whole: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(whole.read_bytes() + b"\0" * 50 + b"\n")
    with Results(cut, contest()) as results:
        assert len(results.games) == 12
    assert cut.read_bytes() == whole.read_bytes()


def test_more_games_go_on_and_fewer_change_nothing(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    path.write_bytes(whole.read_bytes())
    fill(path, 2)
    assert path.read_bytes() == whole.read_bytes()
    fill(path, 6)
    fill(tmp_path / "six.jsonl", 6)
    assert played(path) == played(tmp_path / "six.jsonl")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"agents": ("random", "alphabet")}, r'agents is \["random", "alphabet", "talkative"\] there, \["random", "al'),
        ({"limit": Limit(seconds=1)}, r'limit is {"simulations": 20} there, {"seconds": 1} here'),
        ({"seed": 6}, "seed is 5 there, 6 here"),
        ({"options": {"reactions": "literal"}}, "options is"),
        ({"version": "0.0.1"}, "version is"),
        ({"game": "points-of-power", "options": {}}, 'game is "ignite-and-flow" there, "points-of-power" here'),
    ],
)
def test_another_contest_is_refused_with_the_difference(
    whole: Path, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    before = whole.read_bytes()
    other = Contest(**{**vars(Contest("ignite-and-flow", {"reactions": "all"}, NAMES, Limit(None, 20), 5)), **change})
    with pytest.raises(BadValue, match=said):
        Results(whole, other)
    assert whole.read_bytes() == before


@pytest.mark.parametrize("content", [b"my diary", b"my diary\n", b'{"a": 1}\n', b"[]\n", b"\xff\n\xff", b"\n\n"])
def test_other_files_are_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "diary.txt"
    path.write_bytes(content)
    with pytest.raises(BadValue, match="is not a results file"):
        Results(path, contest())
    assert path.read_bytes() == content


def test_edited_results_are_refused(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "edited.jsonl"
    header, *games = whole.read_text().splitlines(keepends=True)
    changed = games[0].replace('"random"', '"alphabet"', 1)
    for lines in (
        [games[0], games[0]],
        [changed],
        ["nonsense\n", games[0]],
        [games[0].replace('"seed": ', '"seed": 1')],
    ):
        path.write_text(header + "".join(lines))
        with pytest.raises(BadValue, match=r"line [23]: not a game of this contest"):
            Results(path, contest())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("returns", '"won"'),
        ("returns", "[1.0]"),
        ("returns", "[NaN, 1.0]"),
        ("returns", "[-1e300, 1.0]"),
        ("returns", '["1", "-1"]'),
        ("scores", "[null, 1]"),
        ("scores", "3"),
        ("plies", '"many"'),
        ("plies", "-4"),
        ("moves", "[]"),
        ("ending", "7"),
        ("number", "true"),
        ("number", "0.5"),
        ("seats", '[["random"], "alphabet"]'),
    ],
)
def test_values_that_no_game_has_are_refused_with_file_and_line(
    whole: Path, tmp_path: Path, name: str, value: str
) -> None:
    path = tmp_path / "edited.jsonl"
    header, game, *_ = whole.read_text().splitlines()
    changed = re.sub(rf'("{name}": )(\[[^]]*\]|"[^"]*"|[^,}}]*)', lambda found: found[1] + value, game, count=1)
    assert changed != game
    path.write_text(f"{header}\n{changed}\n")
    with pytest.raises(BadValue, match=rf"edited\.jsonl, line 2: {name} of a game cannot be"):
        Results(path, contest())
    assert path.read_text() == f"{header}\n{changed}\n"


def test_two_arenas_cannot_fill_one_file(tmp_path: Path) -> None:
    with Results(tmp_path / "a.jsonl", contest()), pytest.raises(BadValue, match="in use by another arena"):
        Results(tmp_path / "a.jsonl", contest())


def test_a_game_is_kept_once(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(whole.read_bytes())
    with Results(tmp_path / "a.jsonl", contest()) as results, pytest.raises(BadValue, match="already"):
        results.add(results.games[0])


# ── Programs that end early ──


def start(path: Path, games: int, jobs: int) -> subprocess.Popen[str]:
    command = ["arena", "ignite-and-flow", *NAMES, "--simulations", "20", "--seed", "5", "--games", str(games)]
    return subprocess.Popen(
        [sys.executable, "-m", "empedocles", *command, "--jobs", str(jobs), "--results", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for(path: Path, lines: int) -> None:
    end = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < end, "the arena does not get on"
        time.sleep(0.002)


def test_a_killed_arena_goes_on_to_the_same_results(tmp_path: Path) -> None:
    path, games = tmp_path / "killed.jsonl", 40
    for lines, jobs in ((2, 1), (25, 2), (60, 1)):
        program = start(path, games, jobs)
        wait_for(path, lines)
        program.kill()
        program.communicate(timeout=20)  # returns when the workers are gone too: they hold the other end
        assert program.returncode == -signal.SIGKILL
    before = path.read_bytes().count(b"\n")
    assert before < 1 + 3 * games, "it was killed in the middle"
    program = start(path, games, 1)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 0, err
    assert f"{3 * games} games" in out
    assert "of them played before" in out
    fill(tmp_path / "whole.jsonl", games)
    assert played(path) == played(tmp_path / "whole.jsonl")


def test_ctrl_c_keeps_the_file_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "stopped.jsonl"
    program = start(path, 400, 2)
    wait_for(path, 5)
    os.killpg(program.pid, signal.SIGINT)  # as a terminal does: to the workers too
    out, _ = program.communicate(timeout=30)  # a worker that is only just starting may still complain
    assert program.returncode == 130
    assert "Interrupted" in out
    assert "the same command" in out
    assert "Elo" in out
    assert path.read_bytes().endswith(b"\n")
    with Results(path, contest()) as results:
        assert len(results.games) == path.read_bytes().count(b"\n") - 1 >= 4
