"""`empedocles draw`, as users call it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from empedocles import new
from empedocles.cli.app import app
from empedocles.errors import EmpedoclesError
from empedocles.play.records import Record


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "match.emp"
    path.write_text(str(Record(new("ignite-and-flow").play("Fc3", "Wd4", "c3+d4", "Tc3"))), encoding="utf-8")
    return path


def draw(*arguments: object) -> None:
    found = CliRunner().invoke(app, ["draw", *map(str, arguments)])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output


@pytest.mark.parametrize(
    ("name", "begins"),
    [("x.svg", b"<svg"), ("x.png", b"\x89PNG"), ("x.pdf", b"%PDF"), ("x.gif", b"GIF8"), ("x.html", b"<!doctype html>")],
)
def test_a_record_becomes_a_picture_or_a_replay(record: Path, name: str, begins: bytes) -> None:
    draw(record, "-o", record.with_name(name), "--scale", "0.5")
    assert record.with_name(name).read_bytes().startswith(begins)


def test_a_position_in_a_theme_with_an_overlay(tmp_path: Path) -> None:
    text = new("ignite-and-flow").play("Fc3", "Wd4", "c3+d4", "Tc3").position.text
    draw(text, "-o", tmp_path / "x.svg", "--theme", "dark", "--overlay", "landmasses", "--tall", "--language", "de")
    assert "Schwarz" in (tmp_path / "x.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{record}", "-o", "x.bmp"], "cannot draw 'x.bmp': its name must end in .svg, .png, .pdf, .gif, .html"),
        (["{record}", "-o", "x.gif", "--ply", "1"], "--ply is for one picture; x.gif is a whole match"),
        (["{record}", "-o", "x.svg", "--ply", "9"], "there is no position after 9 moves: this match has 4"),
        (["{record}", "-o", "x.svg", "--language", "fr"], "unknown language 'fr': there are en, de"),
        (["nothing.emp", "-o", "x.svg"], "'nothing.emp' is neither a record"),
        (["ignite-and-flow board=7", "-o", "x.svg"], "position field 'board'"),
    ],
)
def test_bad_input_is_named(record: Path, arguments: list[str], message: str) -> None:
    with pytest.raises(EmpedoclesError, match=message.replace("(", r"\(")):
        draw(*(argument.format(record=record) for argument in arguments))
    assert not Path("x.svg").exists()


def test_a_record_that_breaks_off_is_refused(record: Path) -> None:
    record.write_text(record.read_text(encoding="utf-8")[:40], encoding="utf-8")
    with pytest.raises(EmpedoclesError, match="line"):
        draw(record, "-o", record.with_name("x.gif"))


def test_a_file_that_cannot_be_written_is_named(record: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        draw(record, "-o", record.parent / "missing" / "x.svg")
