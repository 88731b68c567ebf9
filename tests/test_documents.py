"""The documents do what they say: prompt lines run, commands exist, links lead somewhere."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from empedocles.cli.app import app

ROOT = Path(__file__).parent.parent
DOCUMENTS = {str(path.relative_to(ROOT)): path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in DOCUMENTS.items()}
PROMPTS = [name for name, text in TEXTS.items() if "\n>>> " in text and name != "docs/research.md"]  # which has its own
COMMANDS = [
    pytest.param(found, id=f"{name}: {found}")
    for name, text in TEXTS.items()
    for found in re.findall(r"^    empedocles ((?:\S+ ?)+?)(?:  .*)?$", text, re.MULTILINE)
]


def test_there_is_something_to_run() -> None:
    assert {"README.md", "docs/index.md", "docs/install.md", "docs/designers.md", "docs/stability.md"} <= set(PROMPTS)
    assert len(COMMANDS) >= 15


@pytest.mark.parametrize("name", PROMPTS)
def test_prompt_lines(name: str) -> None:
    found = doctest.testfile(str(DOCUMENTS[name]), module_relative=False, encoding="utf-8")
    assert found.attempted
    assert found.failed == 0


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_exist(line: str) -> None:
    words = shlex.split(line)
    command: Any = get_command(app)
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    command.make_context("empedocles", words)  # refuses what it does not know


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    for link in re.findall(r"\]\(([^):#]+)\)", TEXTS[name]):
        assert (DOCUMENTS[name].parent / link).exists(), link
