"""Puzzles over HTTP: verdicts, skills, refutations that betray nothing, reports, and the pages."""

from __future__ import annotations

import asyncio
import datetime
import functools
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from server.fixtures import opened
from server.people import House, Json
from typer.testing import CliRunner

from empedocles.cli.app import app
from empedocles.coach.puzzles import Attempt, Puzzle, Skill, Verdict, of_the_day, puzzles
from empedocles.coach.refutations import refutation, strongest_answer
from empedocles.games import GAMES
from empedocles.language import LANGUAGES
from empedocles.play.records import read_records
from empedocles.position import Position
from empedocles.search.limits import Evaluation
from empedocles.server.storage import schema
from empedocles.server.web import wire
from empedocles.server.web.pages import puzzles as pages

ALL = [puzzle for game in GAMES.values() for puzzle in puzzles(game)]
LONG = next(
    puzzle
    for puzzle in ALL
    if puzzle.own_moves > 1 and puzzle.start.play(puzzle.line[0]).to_move == 1 - (puzzle.start.to_move or 0)
)
NEW = {"mu": 25.0, "sigma": 25 / 3}


def wrong(puzzle: Puzzle) -> str:
    """A legal move that does not solve a puzzle, and that an opponent answers."""
    found = (move for move in puzzle.start.legal_moves if Attempt(puzzle).answer(move) is Verdict.WRONG)
    return next(move for move in found if puzzle.start.play(move).to_move not in (None, -1, puzzle.start.to_move))


def place(puzzle: Puzzle, what: str = "") -> str:
    return f"/api/puzzles/{puzzle.game.name}/{puzzle.id}{what}"


def post(house: House, address: str, **body: Any) -> Json:
    answer = house.client.post(address, json=body)
    assert answer.status_code == 200, answer.text
    told: Json = answer.json()
    return told


def own_moves(puzzle: Puzzle) -> list[str]:
    attempt, moves = Attempt(puzzle), []
    while not attempt.is_solved:
        moves.append(attempt.expected)
        attempt.answer(moves[-1])
    return moves


@pytest.fixture
def here_and_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work of other processes in a thread of this one."""

    async def asked(_self: object, _who: object, work: Any, *given: Any) -> Any:
        return await asyncio.to_thread(work, *given)

    monkeypatch.setattr("empedocles.server.workers.lines.Thinkers.asked", asked)


# ── Solving ──


def test_right_moves_are_answered_until_the_puzzle_is_solved(house: House) -> None:
    moves = own_moves(LONG)
    for number in range(1, len(moves)):
        told = post(house, place(LONG, "/answers"), moves=moves[:number], skill=NEW)
        assert (told["verdict"], told["skill"], told["about"]) == ("right", None, None)
        assert Position(told["turn"]["position"]).to_move == LONG.start.to_move
    last = post(house, place(LONG, "/answers"), moves=moves, skill=NEW)
    assert (last["verdict"], last["turn"]) == ("solved", None)
    assert last["skill"]["rating"] > Skill().rating
    assert [move for move, _ in last["about"]["line"]] == list(LONG.line)
    match = next(iter(read_records([*last["about"]["record"].splitlines(keepends=True)]))).match
    assert (match.start, match.moves) == (LONG.start, list(LONG.line))


def test_the_steps_are_the_move_and_the_answers_to_it(house: House) -> None:
    told = post(house, place(LONG, "/answers"), moves=[LONG.line[0]], language="de")
    after = Position(told["turn"]["position"])
    played = [step["move"] for step in told["steps"]]
    assert played == list(LONG.line[: len(played)])
    assert LONG.start.play(*played[:1]) != after or len(played) == 1
    assert told["steps"][0]["words"] == LONG.start.words(LONG.line[0]).say("de")


def test_a_wrong_move_lowers_the_skill_and_betrays_nothing(house: House) -> None:
    told = post(house, place(LONG, "/answers"), moves=[wrong(LONG)], skill=NEW)
    assert (told["verdict"], told["turn"], told["about"]) == ("wrong", None, None)
    assert told["skill"]["rating"] < Skill().rating
    assert told["skill"]["sigma"] < NEW["sigma"]
    assert [step["move"] for step in told["steps"]] == [wrong(LONG)]


def test_an_answer_that_does_not_count_changes_no_skill(house: House) -> None:
    assert post(house, place(LONG, "/answers"), moves=[wrong(LONG)])["skill"] is None
    assert post(house, place(LONG, "/answers"), moves=own_moves(LONG))["skill"] is None


def test_the_solution_counts_as_a_puzzle_that_was_not_solved(house: House) -> None:
    whole = post(house, place(LONG, "/solution"), skill=NEW)
    assert [step["move"] for step in whole["steps"]] == list(LONG.line)
    assert whole["skill"]["rating"] < Skill().rating
    rest = post(house, place(LONG, "/solution"), moves=[LONG.line[0]])
    assert 0 < len(rest["steps"]) < len(LONG.line)
    assert rest["skill"] is None


def test_the_next_puzzle_is_near_and_new(house: House) -> None:
    game = LONG.game
    known = {puzzle.id: puzzle for puzzle in puzzles(game)}
    first = post(house, f"/api/puzzles/{game.name}")["id"]
    assert abs(known[first].rating - 1500) == min(abs(puzzle.rating - 1500) for puzzle in known.values())
    second = post(house, f"/api/puzzles/{game.name}", seen=[first])["id"]
    assert second != first
    weak = post(house, f"/api/puzzles/{game.name}", skill={"mu": -100, "sigma": 2})["id"]
    assert known[weak].rating == min(puzzle.rating for puzzle in known.values())
    none = house.client.post(f"/api/puzzles/{game.name}", json={"seen": list(known)})
    assert (none.status_code, none.json()["code"]) == (404, "no-puzzle")


@pytest.mark.parametrize(
    ("body", "status", "code", "named"),
    [
        ({"moves": []}, 422, "bad-request", "moves"),
        ({"moves": ["nonsense"]}, 422, "illegal-move", "nonsense"),
        ({"moves": [LONG.line[0]], "skill": {"mu": 25}}, 422, "bad-request", "sigma"),
        ({"moves": [LONG.line[0]], "skill": {"mu": 1e6, "sigma": 8}}, 422, "bad-request", "mu"),
        ({"moves": [LONG.line[0]], "skill": {"mu": 25, "sigma": 0}}, 422, "bad-request", "sigma"),
        ({"moves": [wrong(LONG), LONG.line[0]]}, 422, "bad-value", "over after 1"),
        ({"moves": [*own_moves(LONG), LONG.line[0]]}, 422, "bad-value", "over after"),
    ],
)
def test_bad_answers_are_refused_clearly(house: House, body: Json, status: int, code: str, named: str) -> None:
    refused = house.client.post(place(LONG, "/answers"), json=body)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert named in refused.text


def test_puzzles_that_do_not_exist(house: House) -> None:
    name = LONG.game.name
    for address in (f"/api/puzzles/{name}/00000000", f"/puzzles/{name}/00000000", "/puzzles/chess"):
        assert house.client.get(address).status_code == 404
    assert house.client.get(f"/puzzles/{name}?theme=nothing").status_code == 404
    assert house.client.post(f"/api/puzzles/{name}", json={"theme": "nothing"}).status_code == 422


# ── Refutations ──


def test_a_wrong_move_is_refuted_by_the_strongest_answer(house: House, here_and_now: None) -> None:
    bad = wrong(LONG)
    for language in LANGUAGES:
        told = post(house, place(LONG, "/refutations"), moves=[bad], language=language)
        wire.Refutation.model_validate(told)
        assert told["words"].endswith(".")
        assert LONG.start.words(LONG.line[0]).say(language) not in told["words"]
        assert told["answer"]
        assert told["frame"]["arrows"]
    right = house.client.post(place(LONG, "/refutations"), json={"moves": [LONG.line[0]]})
    assert (right.status_code, right.json()["code"]) == (422, "bad-value")


@pytest.mark.parametrize("puzzle", ALL[:: max(1, len(ALL) // 40)], ids=lambda puzzle: puzzle.id)
def test_no_refutation_is_about_the_right_move(puzzle: Puzzle) -> None:
    right = Evaluation(puzzle.line[0], *puzzle.best, line=puzzle.line)
    advised = puzzle.game.advised(puzzle.start.state, puzzle.start.action(right.move))
    for move in puzzle.start.legal_moves[:6]:
        if Attempt(puzzle).answer(move) is Verdict.WRONG:
            bad = Evaluation(move, *puzzle.second, line=(move,))
            words = refutation(puzzle.start, bad, right)
            assert all(advised.say(language) not in words.say(language) for language in LANGUAGES)
            *own, answer = strongest_answer(puzzle.start, bad) or (None,)
            there = functools.reduce(Position.play, own, puzzle.start.play(move))
            assert answer is None or (answer in there.legal_moves and there.to_move != puzzle.start.to_move)


# ── Reports ──


def test_a_report_reaches_the_operator(tmp_path: Path) -> None:
    database = str(tmp_path / "empedocles.db")
    with opened(database) as house:
        for reason, note in (("another", "  Wd4   [b]too[/b] "), ("dull", "")):
            sent = house.client.post(place(LONG, "/reports"), json={"reason": reason, "note": note})
            assert sent.status_code == 204
    listed = CliRunner().invoke(app, ["admin", "list", "reports", "--database", database], env={"COLUMNS": "200"})
    assert listed.exit_code == 0, listed.output
    assert f"/puzzles/{LONG.game.name}/{LONG.id}" in listed.output
    assert "Wd4 [b]too[/b]" in listed.output
    assert "2 of 2" in listed.output
    other = CliRunner().invoke(app, ["admin", "list", "reports", "--game", "none", "--database", database])
    assert "0 of 0" in other.output


@pytest.mark.parametrize("body", [{"reason": "boring"}, {"reason": "dull", "note": "x" * 301}, {"note": "x"}])
def test_bad_reports_are_refused(house: House, body: Json) -> None:
    assert house.client.post(place(LONG, "/reports"), json=body).status_code == 422


def test_nobody_floods_the_operator_with_reports(house: House) -> None:
    sent = [house.client.post(place(LONG, "/reports"), json={"reason": "dull"}) for _ in range(12)]
    assert sent[0].status_code == 204
    assert (sent[-1].status_code, sent[-1].json()["code"]) == (429, "too-many-reports")
    assert int(sent[-1].headers["retry-after"]) > 0


def test_only_the_latest_reports_are_kept(house: House) -> None:
    portal, store = house.client.portal, house.service.store
    assert portal
    for number in range(5):
        portal.call(lambda: store.complain("game", "00000000", "dull", str(number), 3))  # noqa: B023
    rows = portal.call(store.ask, sa.select(schema.complaints.c.note))
    assert [row[0] for row in rows] == ["2", "3", "4"]


# ── Pages ──


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages(house: House, language: str) -> None:
    cookie = {"cookie": f"language={language}"}
    shelf = house.client.get("/puzzles", headers=cookie).text
    for game in GAMES.values():
        assert (f'href="/puzzles/{game.name}"' in shelf) == bool(puzzles(game))
    day = f"/puzzles/{LONG.game.name}/day"
    for address in ("/puzzles", f"/puzzles/{LONG.game.name}", day, f"/puzzles/{LONG.game.name}/{LONG.id}"):
        page = house.client.get(address, headers=cookie)
        assert page.status_code == 200
        assert "style=" not in page.text
        assert "content-security-policy" in page.headers
    small = house.client.get(f"/puzzles/{LONG.game.name}/{LONG.id}/small.svg")
    assert small.headers["content-type"] == "image/svg+xml"


def test_the_puzzle_of_the_day_changes_at_midnight_utc(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = LONG.game
    for seconds, day in ((1_790_000_000.0 // 86400 * 86400 - 1, 0), (1_790_000_000.0 // 86400 * 86400, 1)):
        monkeypatch.setattr(pages, "now", lambda seconds=seconds: seconds)
        date = datetime.date.fromtimestamp(0) + datetime.timedelta(days=1_790_000_000 // 86400 - 1 + day)
        page = house.client.get(f"/puzzles/{game.name}/day").text
        assert f'"day": "{date}"' in page
        assert f'"id": "{of_the_day(game, date).id}"' in page
