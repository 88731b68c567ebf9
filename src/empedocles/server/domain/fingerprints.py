"""What positions are recognised by when somebody wants advice about one that people play."""

from __future__ import annotations

import hashlib
import re

from empedocles.position import Position


def fingerprint(position: Position) -> str:
    """What tells a position from others for somebody who wants advice about it.

    Numbers count turns, rounds and points: with another one, the advice would be the same.
    """
    kept = [field for field in position.text.split() if field.startswith("to-move=") or not _COUNTS.fullmatch(field)]
    return hashlib.sha256(" ".join(kept).encode()).hexdigest()


_COUNTS = re.compile(r"[^=]+=[\d/]+")
