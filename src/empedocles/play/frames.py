"""A match as frames: what changes from one position to the next, for pages that have its picture already."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from empedocles.core.kernel import State
from empedocles.play.match import Match
from empedocles.render.picture import Box, Look, follow, layers
from empedocles.render.themes import for_page

CHANGING = ("panels", "last", "notes", "arrows")
MOST_MARKUP = 2048  # remembered: most of a frame was in the one before

page_markup = functools.lru_cache(maxsize=MOST_MARKUP)(for_page)


def frame(
    match: Match, ply: int, look: Look, write: Callable[[str], Any] | None = None, state: State | None = None
) -> dict[str, Any]:
    """The position after `ply` moves: pieces as [id, x, y, markup], the other layers that change, boxes of targets.

    `write` gives what to put in the place of a markup; `state` is drawn instead, if the move led to it in passing.
    """
    game = match.game
    sheet = game.sheet(match.at(ply).state if state is None else state, match.marked(ply, look))
    ids = match.ids(ply, sheet.pieces) if state is None else follow(match.ids(ply - 1), sheet.pieces)
    changing = CHANGING if game.drawing else ("ground", *CHANGING)  # without artwork, the board is text
    drawn = layers(sheet, ids, changing)

    def written(markup: str) -> Any:
        text = page_markup(markup, game.name)
        return write(text) if write else text

    pieces = [[f"{p.kind}-{ids[p.kind, p.place]}", p.x, p.y, written(p.markup)] for p in sheet.pieces]
    boxes = [_rounded(target, box) for target, box in sheet.boxes.items()]
    return {"ply": ply, "pieces": pieces, **{name: written(drawn[name]) for name in changing}, "boxes": boxes}


@functools.lru_cache(maxsize=4096)  # most of them never move
def _rounded(target: str, box: Box) -> list[Any]:
    return [target, *(round(side, 1) for side in box)]


def frames(match: Match, look: Look, start: int = 0, stop: int | None = None) -> dict[str, Any]:
    """Frames only to look at, each with its move in words. Markup that occurs often is written once."""
    texts: dict[str, int] = {}

    def number(markup: str) -> int:
        return texts.setdefault(markup, len(texts))

    last, plies = match.plies + 1, []
    for ply in range(start, last if stop is None else min(stop, last)):
        plies.append({**frame(match, ply, look, number), "words": in_words(match, ply, look.language)})
        del plies[-1]["boxes"]
    return {"texts": list(texts), "plies": plies}


def in_words(match: Match, ply: int, language: str) -> str:
    """Move number `ply` in words; "" for the start."""
    return match.at(ply - 1).words(match.move(ply)).say(language) if ply else ""
