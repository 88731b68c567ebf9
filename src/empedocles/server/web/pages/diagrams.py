"""Small pictures of positions, cut out of the drawings of games, for pages that explain."""

from __future__ import annotations

from typing import Any

from empedocles.language import translate
from empedocles.position import Position
from empedocles.render.picture import Look, still
from empedocles.server.web.pages.material import Diagram
from empedocles.server.web.thumbnails import clear_beside


def cut(position: Position, around: tuple[str, ...], art: bool = True, **looks: Any) -> str:
    """A picture of part of a position, for a page; without its art if an earlier picture on the page has it."""
    game, look = position.game, Look(**looks)
    sheet, title = game.sheet(position.state, look), translate(game.title, look.language)
    part = sheet.around(around)
    clear_beside(sheet, part)
    return still(game.name, sheet, part, title, str(position), art).for_page


def figure(diagram: Diagram, language: str, art: bool = True) -> str:
    return cut(
        Position(diagram.position),
        diagram.around,
        art,
        language=language,
        wide=False,  # tall pictures have large words, for phones
        chosen=diagram.marked,
        arrows=diagram.arrows,
        overlays=diagram.overlays,
    )
