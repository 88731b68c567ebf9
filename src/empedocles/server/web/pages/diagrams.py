"""Small pictures of positions, cut out of the drawings of games, for pages that explain."""

from __future__ import annotations

from typing import Any

from empedocles.language import translate
from empedocles.position import Position
from empedocles.render.picture import Box, Look, Sheet, still
from empedocles.server.web.pages.material import Diagram
from empedocles.server.web.thumbnails import clear_beside


def cut(position: Position, around: tuple[str, ...], art: bool = True, **looks: Any) -> str:
    """A picture of part of a position, for a page; without its art if an earlier picture on the page has it."""
    sheet = position.game.sheet(position.state, Look(**looks))
    return _for_page(position, sheet, sheet.around(around), art)


def figure(diagram: Diagram, language: str, art: bool = True) -> str:
    return cut(Position(diagram.position), diagram.around, art, **_looks(diagram, language))


def close_up(diagram: Diagram, language: str, art: bool = True) -> str:
    """The same for pictures that must be small: without coordinates, which no word beside them names."""
    position = Position(diagram.position)
    sheet = position.game.sheet(position.state, Look(**_looks(diagram, language)))
    boxes = [sheet.boxes[target] for target in diagram.around]
    if diagram.pieces:
        sheet.panels = []
    return _for_page(position, sheet, Box.around(boxes) if boxes else sheet.whole, art)


def _looks(diagram: Diagram, language: str) -> dict[str, Any]:
    return {
        "language": language,
        "wide": False,  # tall pictures have large words, for phones
        "chosen": diagram.marked,
        "arrows": diagram.arrows,
        "overlays": diagram.overlays,
    }


def _for_page(position: Position, sheet: Sheet, part: Box, art: bool) -> str:
    clear_beside(sheet, part)
    title = translate(position.game.title, sheet.look.language)
    return still(position.game.name, sheet, part, title, str(position), art).for_page
