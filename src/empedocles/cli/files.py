"""Matches on this machine: the one played last at this terminal, and files."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import platformdirs

from empedocles.errors import BadValue
from empedocles.play.records import Record, open_records


def autosave() -> Path:
    """Where the match at this terminal is kept after every move, so that nothing is lost."""
    return platformdirs.user_state_path("empedocles", appauthor=False, ensure_exists=False) / "last.emp"


def load(path: Path) -> Record:
    """The last match of a file."""
    return list(open_records(path))[-1]


def last() -> Record:
    """The match played last at this terminal."""
    if not autosave().exists():
        raise BadValue("no match has been played at this terminal yet")
    return load(autosave())


def need_folder(path: Path) -> None:
    """Refuse to write where there is no folder, rather than to make one with a mistyped name."""
    if not path.parent.is_dir():
        raise BadValue(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")


def save(record: Record, path: Path) -> None:
    """Write a record so that a crash leaves the old or the new one, never half of one."""
    record.date = record.date or datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    need_folder(path)
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(str(record), encoding="utf-8")
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
