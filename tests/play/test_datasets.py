"""Datasets: what is written is what was played and thought, whoever made it in how many parts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from empedocles import BadValue, Match, MissingExtra, Position, UnknownName, agents
from empedocles.agents.simple import AlphabetAgent
from empedocles.games import GAMES
from empedocles.play.arena import Contest, Played, run
from empedocles.play.datasets import METADATA, Plan, Rows, match_seed, play, replays, save, self_play
from empedocles.play.results import Results, read_results
from empedocles.search.limits import Limit

parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra empedocles[dataset]")

Row = dict[str, Any]


def plan(game: str = "elemental-defenders", **more: Any) -> Plan:
    options = more.pop("options", {})
    return Plan(Position.start(game, options), **{"simulations": 10, "seed": 4, **more})


def written(folder: Path, one: Plan, matches: Any) -> tuple[list[Row], Row]:
    """The rows of a dataset and what it says of itself."""
    file = folder / "found.parquet"
    number = save(file, one, matches)
    table = parquet.read_table(file)
    assert table.num_rows == number
    assert [path.name for path in folder.iterdir()] == [file.name], "nothing else is left"
    file.unlink()
    return table.to_pylist(), json.loads(table.schema.metadata[METADATA])


def again(start: Position, rows: list[Row], seed: int | None = None) -> Match:
    """The match that the rows are of: chance draws from its seed."""
    match = Match(start, seed=seed)
    for row in rows:
        assert row["ply"] == match.plies
        assert row["seat"] == match.to_move
        assert Position(row["state"]) == match.position
        assert row["actions"] == match.position.legal_actions
        assert row["played"] in row["actions"]
        match.play(match.game.moves[row["played"]])
    return match


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("ignite-and-flow", {}),
        ("fire-and-water", {"players": 4}),
        ("elemental-defenders", {"mode": "basic"}),
        ("points-of-power", {"players": 4}),
    ],
)
def test_rows_are_the_decisions_of_a_match(game: str, options: Row, tmp_path: Path) -> None:
    one = plan(game, options=options, planes=True, agent="level-1", simulations=3)
    rows, facts = written(tmp_path, one, self_play(one, 1, first=7, jobs=1))
    assert {row["match"] for row in rows} == {7}
    match = again(one.start, rows, match_seed(one, 7))
    assert match.is_over
    for row in rows:
        assert row["outcome"] == list(match.position.returns)
        assert len(row["visits"]) == len(row["values"]) == len(row["actions"])
        assert row["value"] is not None
        assert -1 <= row["value"] <= 1
    seen = Position(rows[-1]["state"]).observe()
    np.testing.assert_array_equal(np.reshape(rows[-1]["planes"], facts["planes"]), seen)
    assert facts["game"] == game
    assert facts["options"].items() >= options.items()


def test_the_search_counts_visits_and_solved_games_have_exact_values(tmp_path: Path) -> None:
    flow = plan("ignite-and-flow", simulations=20)
    (row, *_), _ = written(tmp_path, flow, self_play(flow, 1, jobs=1))
    assert sum(row["visits"]) >= 19
    solved = plan(options={"mode": "basic"})
    (row, *_), _ = written(tmp_path, solved, self_play(solved, 1, jobs=1))
    assert set(row["values"]) <= {-1.0, 0.0, 1.0}
    assert row["value"] == max(row["values"])


def test_parts_made_anywhere_are_the_whole(tmp_path: Path) -> None:
    one = plan("ignite-and-flow", simulations=5)
    whole, _ = written(tmp_path, one, self_play(one, 4, jobs=2))
    first, _ = written(tmp_path, one, self_play(one, 2, jobs=1))
    second, _ = written(tmp_path, one, self_play(one, 2, first=2, jobs=1))
    assert whole == first + second
    assert whole[0]["played"] in whole[0]["actions"]
    assert len({tuple(d.played for d in play(one, number).decisions) for number in range(4)}) == 4, "matches vary"


def test_games_of_the_arena_keep_their_moves_and_may_be_looked_at(tmp_path: Path) -> None:
    contest = Contest(
        "fire-and-water", GAMES["fire-and-water"].complete({"players": 3}), ("random", "alphabet"), GLANCE
    )
    path = tmp_path / "results.jsonl"
    with Results(path, contest) as results:
        for game in run(contest, contest.tasks(2), jobs=1):
            assert isinstance(game, Played)
            results.add(game)
    start, played = read_results(path)
    path.unlink()
    assert [game.number for game in played] == [0, 1]
    bare = Plan(start, simulations=None)
    rows, facts = written(tmp_path, bare, replays(bare, played, jobs=1))
    assert facts["agent"] is None
    assert {row["match"] for row in rows} == {0, 1}
    assert all(row["visits"] is row["values"] is row["value"] is None for row in rows)
    seen = Plan(start, simulations=4)
    (row, *_), _ = written(tmp_path, seen, replays(seen, played[:1], jobs=1))
    assert row["played"] == rows[0]["played"]
    assert row["value"] is not None


GLANCE = Limit(simulations=1)
HEADER = {"arena": 1, "game": "ignite-and-flow", "options": {}, "rules": GAMES["ignite-and-flow"].rules_version}
GAME = {
    "number": 0,
    "seats": ["a", "b"],
    "seed": 1,
    "scores": [0, 0],
    "returns": [0.0, 0.0],
    "plies": 1,
    "moves": "Ea1",
}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "is not a results file of an arena"),
        ([{"a": 1}], "is not a results file of an arena"),
        ([HEADER | {"game": "chess"}], "unknown game 'chess'"),
        ([HEADER | {"rules": 99}], "games by version 99 of the rules, here is"),
        ([HEADER | {"options": {"colour": "red"}}], "unknown option 'colour'"),
        ([HEADER, {"number": 0}], "line 2: not a game of this contest"),
        ([HEADER, GAME, GAME], "line 3: game 0 is there for the second time"),
        ([HEADER, GAME], "game 0 does not end as it says"),
        ([HEADER, GAME | {"moves": "Ea1 Ea1"}], "game 0 cannot be replayed: illegal move 'Ea1'"),
        ([HEADER, GAME | {"moves": "xyz"}], "game 0 cannot be replayed: illegal move 'xyz'"),
    ],
)
def test_results_that_are_none_are_refused(lines: list[Row], said: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises((BadValue, UnknownName), match=said):
        read_and_replay(path)


def read_and_replay(path: Path) -> list[Rows]:
    start, played = read_results(path)
    return list(replays(Plan(start, simulations=None), played, jobs=1))


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    def failing() -> Any:
        yield play(one, 0)
        raise KeyboardInterrupt

    one = plan("ignite-and-flow", simulations=2)
    with pytest.raises(KeyboardInterrupt):
        save(tmp_path / "half.parquet", one, failing())
    assert not list(tmp_path.iterdir())
    (tmp_path / "mine.parquet").write_text("mine")
    with pytest.raises(BadValue, match="is there already: delete it, or give another name"):
        save(tmp_path / "mine.parquet", one, iter(()))
    assert (tmp_path / "mine.parquet").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    assert written(tmp_path / "empty", one, iter(())) == ([], one.facts)


def test_what_cannot_be_planned_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict(agents.all_agents())
    monkeypatch.setattr(agents, "all_agents", lambda: known)
    agents.add("silent", lambda _seed: Silent())  # type: ignore[arg-type, return-value]
    for wrong, said in (
        ({"simulations": 0}, "a limit of simulations is a whole number above 0"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"varied": -1}, "varied decisions is 0 or more"),
        ({"agent": "silent"}, "'silent' does not say what it thinks: it has no method analyse"),
    ):
        with pytest.raises(BadValue, match=said):
            plan(**wrong)
    with pytest.raises(UnknownName, match="unknown agent 'gnome' in Elemental Defenders"):
        plan(agent="gnome")
    with pytest.raises(BadValue, match="self-play needs a number of simulations"):
        self_play(plan(simulations=None), 1)
    with pytest.raises(BadValue, match="a dataset has 1 match or more"):
        self_play(plan(), 0)


class Silent:
    choose = AlphabetAgent.choose


def test_agents_that_do_not_evaluate_leave_no_values() -> None:
    rows: Rows = play(plan(agent="alphabet"), 0)
    assert all(one.value is None and one.values is None for one in rows.decisions)


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"empedocles\[dataset\]"):
        save(tmp_path / "a.parquet", plan(), iter(()))
