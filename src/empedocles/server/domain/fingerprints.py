"""Fingerprints, which identify positions that people are playing when somebody asks for advice."""

from __future__ import annotations

import hashlib
import re

from empedocles.position import Position


def fingerprint(position: Position) -> str:
    """Identifies a position for the purpose of advice.

    It leaves out numbers, which count turns, rounds and points: advice would be the same with others.
    """
    kept = [field for field in position.text.split() if field.startswith("to-move=") or not _COUNTS.fullmatch(field)]
    return hashlib.sha256(" ".join(kept).encode()).hexdigest()


_COUNTS = re.compile(r"[^=]+=[\d/]+")
