"""Checking the chance of finished matches from their records, far from the server that drew it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rich.markup import escape

from empedocles.cli.console import console
from empedocles.errors import BadValue, UnfairChance
from empedocles.play.evidence import verify
from empedocles.play.records import Record, open_records


def check(path: Path, commitment: str) -> bool:
    """Print a verdict on each match of a file; returns whether all were fair."""
    fair = True
    for number, record in enumerate(open_records(path), start=1):
        try:
            verdict = _verdict(record, commitment)
        except UnfairChance as unfair:
            fair, verdict = False, f"not fair: {unfair}"
        console.print(f"{number}. {escape(record.match.game.title)}: {escape(verdict)}", soft_wrap=True)
    return fair


def _verdict(record: Record, commitment: str) -> str:
    if record.evidence is None:
        raise BadValue("this record does not say how its chance was decided: it has no header Secret")
    seen = replace(record.evidence, commitment=commitment) if commitment else record.evidence
    draws, seats = verify(record.match, seen), sorted(seen.values)
    values = f", and from the values of seats {' and '.join(map(str, seats))}" if seats else ""
    return f"fair: all {draws} draws follow from the secret that was promised{values}"
