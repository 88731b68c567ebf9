"""The add-a-game template is a real game: it keeps the contract, and is found by its entry point."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import INTERPRETED
from modules.questions import answer, of_options
from modules.test_modules import in_node
from stones import GAME

import empedocles
from empedocles.coach.claims import explain
from empedocles.engine.perft import perft
from empedocles.games import add, all_games
from empedocles.search.limits import Evaluation
from empedocles.testing.concepts import check_concepts
from empedocles.testing.contract import check_game

TEMPLATE = Path(__file__).parent.parent / "examples" / "add_a_game"


@pytest.fixture(autouse=True)
def _added() -> Iterator[None]:
    add(GAME)
    yield
    del all_games()[GAME.name]


def test_the_template_keeps_the_contract() -> None:
    check_game(GAME)


def test_the_concepts_of_the_template_give_reasons() -> None:
    check_concepts(GAME)
    position = empedocles.Position("stones stones=5 to-move=0")
    why = explain(position, Evaluation("2", -1.0, line=("2", "3")), Evaluation("1", 1.0, line=("1", "3", "1")))
    assert why.say() == "After this, player 1 can take the last stone and win. Better: 1."
    assert [claim.concept for claim in why.claims] == ["wins", "reach"]


def test_st1_heap_and_first_player() -> None:
    match = empedocles.new("stones", heap="large")
    assert match.to_move == 0
    assert "21 of 21 stones" in str(match)


def test_st2_one_to_three_stones() -> None:
    match = empedocles.new("stones")
    assert match.legal_moves == ["1", "2", "3"]
    with pytest.raises(empedocles.IllegalMove, match="there are only 2 stones, not 3") as caught:
        empedocles.Position("stones stones=2 to-move=0").play("3")
    assert caught.value.rule == "ST-2"


def test_st3_last_stone_wins() -> None:
    position = empedocles.Position("stones stones=1 to-move=1").play("1")
    assert position.result == empedocles.Result((0, 1), frozenset({1}))


def test_perft_of_the_template() -> None:
    assert [perft(empedocles.new("stones").position, depth) for depth in range(1, 5)] == [3, 9, 27, 81]


def test_a_game_is_added_once_only() -> None:
    with pytest.raises(empedocles.UnknownName, match="there is already a game 'ignite-and-flow'"):
        add(dataclasses.replace(GAME, name="ignite-and-flow"))


def command_beside_it(folder: Path, *words: str) -> str:
    """Run the command with what `pip install` would leave behind: the package and its metadata on the path."""
    metadata = folder / "stones_for_empedocles-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stones-for-empedocles\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[empedocles.games]\nstones = stones:GAME\n")
    path = os.pathsep.join([str(folder), str(TEMPLATE), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "empedocles", *words]
    environment = os.environ | {"PYTHONPATH": path}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def test_installed_games_are_found_by_entry_point(tmp_path: Path) -> None:
    assert command_beside_it(tmp_path, "perft", "stones", "3").startswith("27 ")


@pytest.mark.skipif(INTERPRETED, reason="a module is compared with compiled code")
def test_its_module_is_built_by_the_same_command(tmp_path: Path) -> None:
    if find_spec("ziglang") is None:
        pytest.skip("modules cannot be built here: the extra wasm is not installed")
    command_beside_it(tmp_path, "modules", "stones", "--into", str(tmp_path))
    asked = [
        question for number, options in enumerate(GAME.variants()) for question in of_options(GAME, options, number)
    ]
    for question, found in zip(asked, in_node(GAME, tmp_path / "stones", asked), strict=True):
        assert found == answer(GAME, question), question
