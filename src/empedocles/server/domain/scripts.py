"""A match as it travels between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from empedocles.render.picture import Ids


@dataclass(frozen=True)
class Script:
    """A match as start and moves, which were checked by the sender."""

    game: str
    options: dict[str, Any]
    start: str
    moves: list[str]
    names: dict[int, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    ids: dict[int, Ids] = field(default_factory=dict)  # of pieces: computing them takes seconds for a long match
