"""The sizes of paper to print on, in millimetres."""

from __future__ import annotations

from typing import NamedTuple

from empedocles.errors import UnknownName

MARGIN = 10.0  # of a page; its header and its ruler are in there


class Paper(NamedTuple):
    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN


PAPERS = {"a4": Paper(210, 297), "letter": Paper(215.9, 279.4)}


def paper_size(name: str) -> Paper:
    if name not in PAPERS:
        raise UnknownName(f"unknown paper {name!r}: there is {', '.join(PAPERS)}")
    return PAPERS[name]
