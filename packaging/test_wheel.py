"""Runs in an environment that has only the built wheel: everything a user needs is inside."""

from __future__ import annotations

import gzip
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import empedocles
from empedocles.games import GAMES
from empedocles.language import translate
from empedocles.modules.files import CARD, CODE, is_fresh

SOURCES = Path(__file__).parents[1] / "src" / "empedocles"


def test_it_is_the_installed_package() -> None:
    assert Path(sys.prefix).resolve() in Path(empedocles.__file__).resolve().parents


def test_data_files_are_inside() -> None:
    package = files("empedocles")
    wanted = ["py.typed", "locales/de/LC_MESSAGES/empedocles.mo", "render/fonts/regular.ttf", "render/fonts/OFL.txt"]
    for game in ("fire_and_water", "elemental_defenders", "ignite_and_flow", "points_of_power"):
        wanted += [f"games/{game}/RULES.md", f"games/{game}/RULES.de.md"]
    wanted += [
        f"games/fire_and_water/boards/{name}-{size}.txt"
        for name in ("medallion", "chessboard")
        for size in ("8x8", "12x8")
    ]
    wanted += [f"games/points_of_power/boards/{board}.txt" for board in ("cross", "wheel")]
    assert [name for name in wanted if not package.joinpath(name).is_file()] == []


@pytest.mark.skipif(
    not list(SOURCES.glob(f"games/*/{CODE}")), reason="the modules were not built: the extra wasm is not installed"
)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_modules_are_inside(name: str) -> None:
    assert is_fresh(GAMES[name])
    code, card = ((GAMES[name].folder / file).read_bytes() for file in (CODE, CARD))
    assert len(gzip.compress(code)) + len(gzip.compress(card)) < 150_000


@pytest.mark.parametrize("name", ["fire-and-water", "elemental-defenders", "ignite-and-flow", "points-of-power"])
def test_games_can_be_played(name: str) -> None:
    match = empedocles.new(name, seed=1)
    for _ in range(5):
        match.play(match.legal_moves[0])
    assert empedocles.Position(match.position.text) == match.position
    assert "ED-" in match.game.rule_book("de") or match.game.rule_book("de")


def test_german_catalogue() -> None:
    assert translate("fire", "de") == "Feuer"


def test_command() -> None:
    command = Path(sys.executable).with_name("empedocles")
    found = subprocess.run([command, "perft", "ignite-and-flow", "2"], check=True, capture_output=True, text=True)
    assert found.stdout.startswith("7916 ")


def test_a_match_in_the_terminal_needs_no_extra() -> None:
    command = Path(sys.executable).with_name("empedocles")
    found = subprocess.run(
        [command, "play", "ignite-and-flow"], check=True, input="Fc3\n-\n", capture_output=True, text=True
    )
    assert found.stdout.count("a b c d e f") > 1, "a board after the move, too"
    import empedocles.cli.screen.application  # noqa: F401 # what a terminal shows instead of a pipe


def test_drawings_need_no_extra(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("empedocles")
    picture = tmp_path / "start.svg"
    position = empedocles.new("ignite-and-flow").position.text
    subprocess.run([command, "draw", position, "-o", picture], check=True, capture_output=True)
    assert picture.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["serve", "--no-open"], "server"),
        (["print", "ignite-and-flow"], "print"),
        (["draw", "ignite-and-flow board=6/6/6/6/6/6 to-move=0", "-o", "start.png"], "pictures"),
        (["dataset", "ignite-and-flow"], "dataset"),
        (["play", "ignite-and-flow", "--opponent", "onnx:network.onnx"], "onnx"),
        (["modules", "ignite-and-flow", "--into", "."], "wasm"),
    ],
)
def test_features_ask_for_their_extras(arguments: list[str], extra: str, tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("empedocles")
    found = subprocess.run([command, *arguments], check=False, capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 2
    assert f"'empedocles[{extra}]'" in found.stderr
