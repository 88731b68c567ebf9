"""Optional dependencies: without one, its feature says which extra to install, and everything else works."""

from __future__ import annotations

import pickle
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import empedocles
from empedocles.extras import Extra
from empedocles.paper import print_out
from empedocles.play import replay

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_every_extra_that_is_asked_for_exists() -> None:
    sources = (ROOT / "src").rglob("*.py")
    named = {name for file in sources for name in re.findall(r'Extra\("(\w+)"\)', file.read_text(encoding="utf-8"))}
    assert named == {
        "arena",
        "cluster",
        "dataset",
        "onnx",
        "pictures",
        "postgresql",
        "print",
        "research",
        "server",
        "wasm",
    }
    assert named <= PROJECT["optional-dependencies"].keys()


def save_pixels(match: empedocles.Match, folder: Path) -> None:
    match.draw().save(folder / "match.png")


def save_film(match: empedocles.Match, folder: Path) -> None:
    (folder / "match.gif").write_bytes(replay.gif(match))


def print_game(match: empedocles.Match, folder: Path) -> None:
    (folder / "match.pdf").write_bytes(print_out(match.game, match.options))


@pytest.mark.parametrize(
    ("library", "use", "extra"),
    [("typst", save_pixels, "pictures"), ("PIL", save_film, "pictures"), ("typst", print_game, "print")],
)
def test_a_missing_library_is_named_with_its_extra(
    library: str,
    use: Callable[[empedocles.Match, Path], None],
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = empedocles.new("ignite-and-flow")
    monkeypatch.setitem(sys.modules, library, None)  # as if it were not installed
    with pytest.raises(empedocles.MissingExtra, match=rf"python -m pip install 'empedocles\[{extra}\]'") as caught:
        use(match, tmp_path)
    assert isinstance(caught.value, ImportError)
    assert caught.value.extra == extra
    assert library in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_other_errors_are_left_alone() -> None:
    with pytest.raises(ZeroDivisionError), Extra("print"):
        _ = 1 // 0
