"""What a database keeps of analyses, without a database."""

from __future__ import annotations


class Shelf:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, int], tuple[str, str]] = {}
        self.answers: dict[str, str] = {}

    async def remarks(self, match: str) -> dict[int, tuple[str, str]]:
        return {ply: kept for (of, ply), kept in self.kept.items() if of == match}

    async def keep_remark(self, match: str, ply: int, way: str, body: str) -> None:
        self.kept[match, ply] = way, body

    async def evaluations(self, position: str) -> str | None:
        return self.answers.get(position)

    async def keep_evaluations(self, position: str, match: str, body: str) -> None:
        self.answers[position] = body
