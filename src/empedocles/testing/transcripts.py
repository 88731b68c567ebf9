"""Transcripts and perft files: what an independent engine says about a game, ply by ply."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from empedocles.engine.perft import divide, perft
from empedocles.play.match import new


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def check_transcript(game: str, transcript: dict[str, Any]) -> None:
    """Play a transcript and compare whose turn it is and the legal moves at every ply, and the result."""
    match = new(game, chance="manual", **transcript["options"])
    for ply, expected in enumerate(transcript["plies"]):
        moves = match.legal_moves
        found = [match.to_move, len(moves), zlib.crc32("\n".join(moves).encode())]
        assert found == expected, f"ply {ply}: {found}, expected {expected} in {match.position!r}\n{moves}"
        match.play(*transcript["moves"][ply : ply + 1])
    assert match.result is not None
    assert list(match.result.scores) == transcript["scores"]
    assert sorted(match.result.winners) == transcript["winners"]


def check_perft(game: str, entry: dict[str, Any], largest: int) -> None:
    """Compare the numbers of move sequences up to a size that the back-end can count in good time."""
    position = new(game, chance="manual", **entry["options"]).play(*entry["moves"]).position
    for depth, expected in enumerate(entry["perft"], start=1):
        if expected <= largest:
            found = perft(position, depth)
            assert found == expected, f"depth {depth}: {found}, expected {expected}\n{divide(position, depth)}"
