"""The linter of shapes finds what is written twice, and files that are long without a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
import shape

PASSAGE = [f"value_{number} = {number}" for number in range(shape.LONGEST_REPEAT + 1)]


def write(folder: Path, name: str, lines: list[str]) -> None:
    (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")


def test_a_passage_that_is_written_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "one.py", ["first = 1", *PASSAGE])
    write(tmp_path, "two.py", ["def wrapped():", "", "    # moved", *(f"    {line}" for line in PASSAGE)])
    assert shape.main(tmp_path) == 1
    assert capsys.readouterr().out == f"{tmp_path}/one.py:2: 16 lines as in {tmp_path}/two.py:4\n"


def test_short_repeats_and_imports_are_allowed(tmp_path: Path) -> None:
    imports = ["from one import (", *(f"    name_{number}," for number in range(30)), ")"]
    write(tmp_path, "one.py", [*imports, *PASSAGE[1:]])
    write(tmp_path, "two.py", [*imports, "other = 2", *PASSAGE[1:]])
    assert shape.main(tmp_path) == 0


def test_a_long_file_gives_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"value_{number} = {number}" for number in range(shape.LONGEST_FILE)]
    write(tmp_path, "long.py", ['"""Numbers."""', *lines])
    write(tmp_path, "short.py", ["x = 1"])
    assert shape.main(tmp_path) == 1
    assert "long.py: 401 lines" in capsys.readouterr().out
    write(tmp_path, "long.py", ['"""Numbers. In one file, since they are in order."""', *lines])
    assert shape.main(tmp_path) == 0
