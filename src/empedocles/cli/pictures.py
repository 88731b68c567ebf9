"""`empedocles draw`: a position as a picture, or a whole match as something to watch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from empedocles.cli import files
from empedocles.errors import BadValue, UnknownName
from empedocles.language import translate
from empedocles.play import replay
from empedocles.play.records import Record, record_of

PICTURES, REPLAYS = (".svg", ".png", ".pdf"), (".gif", ".html")


def load(source: str) -> Record:
    """The last match of a record, or one that starts at a position given by its text."""
    if record := record_of(source):
        return record
    if not Path(source).is_file():
        raise BadValue(f"{source!r} is neither a record (.emp) nor a position, which begins with a game's name")
    return files.load(Path(source))


def run(source: str, output: Path, ply: int | None, seconds: float, scale: float, **looks: Any) -> None:
    kind = output.suffix.lower()
    if kind not in PICTURES + REPLAYS:
        raise UnknownName(f"cannot draw {output.name!r}: its name must end in {', '.join(PICTURES + REPLAYS)}")
    if kind in REPLAYS and ply is not None:
        raise BadValue(f"--ply is for one picture; {output.name} is a whole match")
    translate("", looks["language"])  # an unknown language is refused before anything is drawn
    record = load(source)
    looks["names"] = record.names
    if kind == ".gif":
        output.write_bytes(replay.gif(record.match, seconds, scale, **looks))
    elif kind == ".html":
        title = " – ".join(record.names.values())
        output.write_text(replay.page(record.match, title, **looks), encoding="utf-8")
    else:
        record.match.draw(ply, **looks).save(output, scale)
