"""`empedocles print`, as users call it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pypdf
import pytest

from empedocles.cli import main
from empedocles.games import GAMES

OWN_BOARDS = [game.name for game in GAMES.values() if game.printing and any(o.takes_board for o in game.options)]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["empedocles", "print", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def text(path: Path, page: int) -> str:
    return pypdf.PdfReader(io.BytesIO(path.read_bytes())).pages[page].extract_text()


def test_a_game_in_german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "spiel.pdf"
    assert run(monkeypatch, "ignite-and-flow", "reactions=literal", "--language", "de", "-o", path) == 0
    assert "100 %" in capsys.readouterr().out
    assert "24 × Wüste" in text(path, 1)
    assert "Die sechs Aktionen" in text(path, -2)


def test_the_name_of_the_file_is_the_game_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "ignite-and-flow", "--paper", "letter", "--theme", "light") == 0
    assert "24 × desert" in text(tmp_path / "ignite-and-flow.pdf", 1)


def test_a_whole_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "box.pdf"
    assert run(monkeypatch, "fire-and-water", "--box", "-o", path) == 0
    pages = pypdf.PdfReader(io.BytesIO(path.read_bytes())).pages
    assert "60 × neutral possession token" in "".join(page.extract_text() for page in pages)


@pytest.mark.parametrize("game", OWN_BOARDS)
def test_a_board_of_one_s_own(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = max((GAMES[game].folder / "boards").glob("*.txt")).read_text(encoding="utf-8")
    (tmp_path / "mine.txt").write_text(known, encoding="utf-8")
    assert run(monkeypatch, game, f"board={tmp_path / 'mine.txt'}", "-o", tmp_path / "mine.pdf") == 0
    assert (tmp_path / "mine.pdf").read_bytes().startswith(b"%PDF")
    (tmp_path / "mine.txt").write_text("FW\nWF\n", encoding="utf-8")
    assert run(monkeypatch, game, f"board={tmp_path / 'mine.txt'}", "-o", tmp_path / "other.pdf") == 2
    assert not (tmp_path / "other.pdf").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "unknown game 'chess'"),
        (["ignite-and-flow", "colour=red"], "unknown option 'colour'"),
        (["fire-and-water", "players=3", "--box"], "leave out players=3"),
        (["ignite-and-flow", "--paper", "a5"], "unknown paper 'a5': there is a4, letter"),
        (["ignite-and-flow", "--theme", "dark"], "unknown theme 'dark' for paper"),
        (["ignite-and-flow", "--language", "xx"], "unknown language 'xx'"),
        (["ignite-and-flow", "-o", "board.txt"], "must end in .pdf"),
        (["ignite-and-flow", "-o", "folder.pdf"], "Is a directory"),
        (["ignite-and-flow", "-o", "nowhere/out.pdf"], "No such file or directory"),
    ],
)
def test_bad_input_gets_a_clear_error(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.pdf").mkdir()
    assert run(monkeypatch, *arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not [path for path in tmp_path.iterdir() if path.is_file()]
