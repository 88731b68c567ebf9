"""`empedocles puzzles`, as users call it."""

from __future__ import annotations

import datetime
import io
import sys
import time
from pathlib import Path

import pypdf
import pytest

from empedocles.cli import main
from empedocles.cli.puzzles import reason_of
from empedocles.coach.puzzles import Attempt, Puzzle, of_the_day, own_plies, puzzles, themes, today
from empedocles.coach.sheets import PER_PAGE, print_puzzles, solution_of
from empedocles.games import GAMES, find

GAME = find("elemental-defenders")


@pytest.fixture
def puzzle() -> Puzzle:
    """One with several moves to find, each a choice."""
    return next(one for one in puzzles(GAME) if one.own_moves == 2 and len(one.line) == 3)


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object, typed: str = "") -> int:
    monkeypatch.setattr(sys, "argv", ["empedocles", "puzzles", *map(str, arguments)])
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_the_right_moves_solve_it(
    puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, answer, last = puzzle.line
    assert run(monkeypatch, GAME.name, "--id", puzzle.id, typed=f"{first}\n{last}\n") == 0
    words = said(capsys)
    assert "find the best two moves" in words
    assert f"({answer})." in words
    assert f"Right, solved! It is about {puzzle.idea.title}." in words
    assert "That was the last one." in words


def test_a_wrong_move_is_refuted_in_words(
    puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = next(move for move in puzzle.start.legal_moves if move != puzzle.line[0])
    assert run(monkeypatch, GAME.name, "--id", puzzle.id, typed=f"{wrong}\nnonsense\nquit\n") == 0
    words = said(capsys)
    assert "That is not it. " in words
    assert "this is not a move of Elemental Defenders" in words
    assert "Right" not in words


def test_moves_are_listed_in_words(
    puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, GAME.name, "--id", puzzle.id, typed="moves\nquit\n") == 0
    words, here = said(capsys), puzzle.start
    for move in here.legal_moves:
        assert f"{here.game.advised(here.state, here.action(move)).say()} ({move})" in words


def test_hints_and_the_solution_in_german(
    puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "help\nhint\nhint\nmoves\nboard\nsolution\n"
    assert run(monkeypatch, GAME.name, "--id", puzzle.id, "--language", "de", typed=typed) == 0
    words = said(capsys)
    assert "ist am Zug: Finde die zwei besten Züge." in words
    assert "Thema: " in words
    assert "Beginne mit: " in words
    place = puzzle.start
    for k, move in enumerate(puzzle.line):  # the words of each move that was to be found, and the notation of all
        if k in own_plies(puzzle.start, puzzle.line):
            assert f"{place.game.advised(place.state, place.action(move)).say('de')} ({move}" in words
        assert move in words
        place = place.play(move)
    reason = reason_of(Attempt(puzzle))
    assert reason is not None
    assert reason.say("de") in words
    assert "Das war das letzte Rätsel." in words


@pytest.mark.parametrize("game", ["fire-and-water", "ignite-and-flow", "points-of-power"])
def test_the_reason_of_a_solution_is_about_its_next_move(game: str) -> None:
    for puzzle in puzzles(find(game))[:3]:
        attempt = Attempt(puzzle)
        reason = reason_of(attempt)
        assert reason is not None
        assert reason.values.get("move") != puzzle.game.advised(puzzle.start.state, puzzle.start.action(puzzle.line[0]))
        assert attempt.ply == 0


def test_one_after_another_of_a_theme(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    theme = next(iter(themes(GAME)))
    assert run(monkeypatch, GAME.name, "--theme", theme, "--rating", 900, typed="next\nnext\nquit\n") == 0
    words = capsys.readouterr().out
    shown = [one for one in puzzles(GAME) if one.id in words]
    assert [one.theme for one in shown] == [theme] * 3
    assert run(monkeypatch, GAME.name, "--theme", "list") == 0
    assert theme in capsys.readouterr().out
    assert run(monkeypatch, GAME.name, "--theme", "romance") == 2
    assert run(monkeypatch, GAME.name, "--theme", theme, "--day") == 2


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Etc/GMT-14"])  # 26 hours apart: never the same date
def test_the_day_is_that_of_utc_wherever_one_is(
    zone: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        before = datetime.datetime.now(datetime.UTC).date()
        assert run(monkeypatch, GAME.name, "--day", typed="next\n") == 0
    finally:
        monkeypatch.undo()
        time.tzset()
    words = capsys.readouterr().out
    assert any(of_the_day(GAME, day).id in words for day in (before, today()))


def test_the_puzzle_of_the_day_is_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, GAME.name, "--day", typed="next\n") == 0
    assert "That was the last one." in said(capsys)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", [game.name for game in GAMES.values()])
def test_the_longest_solutions_are_on_the_page_of_their_puzzles(name: str, paper: str) -> None:
    longest = sorted(puzzles(find(name)), key=lambda one: len(solution_of(one).say("de")))[-PER_PAGE:]
    pages = pypdf.PdfReader(io.BytesIO(print_puzzles(longest, paper, "de"))).pages
    assert len(pages) == 1


@pytest.mark.parametrize(("language", "title"), [("en", "puzzles"), ("de", "Rätsel")])
def test_sheets_of_six(language: str, title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sheet.pdf"
    assert run(monkeypatch, GAME.name, "--print", path, "--sheets", 2, "--language", language) == 0
    pages = pypdf.PdfReader(io.BytesIO(path.read_bytes())).pages
    assert len(pages) == 2
    text = pages[0].extract_text()
    assert f"Elemental Defenders: {title}" in text
    assert ("Solutions" if language == "en" else "Lösungen") in text
    assert run(monkeypatch, GAME.name, "--print", tmp_path / "sheet.txt") == 2
