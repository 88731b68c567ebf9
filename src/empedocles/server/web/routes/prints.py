"""Games to print and cut out, and sheets of puzzles, as PDFs: made in a worker, and cached."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from empedocles.coach.puzzles import MIDDLE, nearest
from empedocles.coach.sheets import PER_PAGE
from empedocles.game import Game
from empedocles.paper import PAPERS, THEMES, matches, paper_size
from empedocles.server.domain.refusals import Refused
from empedocles.server.web import files
from empedocles.server.web.pages.puzzles import MOST_SHEETS, game_with_puzzles
from empedocles.server.web.pages.rulebooks import known_game
from empedocles.server.web.pages.templates import language_of
from empedocles.server.web.routes.tables import Asking, Language, one_of
from empedocles.server.workers.files import Made
from empedocles.server.workers.jobs import print_pdf, print_puzzles
from empedocles.server.workers.lines import Thinkers

LONGEST_OPTION = 400  # characters: a custom board, row by row
LOOKS = ("paper", "language", "theme", "box")  # of a sheet; every other parameter is an option of the game

router = APIRouter(include_in_schema=False)


@router.get("/print/{game}.pdf")
async def sheets(
    game: Annotated[str, Field(max_length=60)],
    request: Request,
    who: Asking,
    paper: Annotated[str, Query(max_length=20)] = next(iter(PAPERS)),
    language: Language | None = None,
    theme: Annotated[str, one_of(THEMES)] = "print",
    box: bool = False,
) -> Response:
    """Boards and pieces at full size and a summary of the rules, for a game with these options."""
    found = known_game(game)
    options = _options(found, request, box)
    paper_size(paper)
    looks = {"paper": paper, "language": language or language_of(request), "theme": theme, "box": box}
    made: Made[bytes] = request.app.state.made
    thinkers: Thinkers = request.app.state.thinkers
    key = ("print", found.name, *options.items(), *looks.values())
    data = await made.get(key, lambda: thinkers.patient(who, print_pdf, found.name, options, looks))
    headers = {"content-disposition": f'inline; filename="{found.name}-{paper}.pdf"'}
    return files.answer(data, "application/pdf", headers)


@router.get("/print/{game}/puzzles.pdf")
async def puzzle_sheets(
    game: Annotated[str, Field(max_length=60)],
    request: Request,
    who: Asking,
    theme: Annotated[str, Query(max_length=60)] = "",
    rating: Annotated[int, Query(ge=0, le=5000)] = MIDDLE,
    sheets: Annotated[int, Query(ge=1, le=MOST_SHEETS)] = 1,
    paper: Annotated[str, Query(max_length=20)] = next(iter(PAPERS)),
    language: Language | None = None,
) -> Response:
    """Puzzles near a rating, six on a page, with the solutions upside down."""
    found = game_with_puzzles(game, theme)
    paper_size(paper)
    chosen = tuple(puzzle.id for puzzle in nearest(found, sheets * PER_PAGE, rating, theme or None))
    given = (found.name, chosen, paper, language or language_of(request))
    made: Made[bytes] = request.app.state.made
    thinkers: Thinkers = request.app.state.thinkers
    data = await made.get(("puzzles", *given), lambda: thinkers.patient(who, print_puzzles, *given))
    headers = {"content-disposition": f'inline; filename="{found.name}-puzzles-{paper}.pdf"'}
    return files.answer(data, "application/pdf", headers)


def _options(game: Game, request: Request, box: bool) -> dict[str, Any]:
    """All options with their values, checked here, so that a worker only gets what it can print.

    A box has pieces for every number of players, whatever the form says beside it.
    """
    if game.printing is None:
        raise Refused("no-print", f"{game.title} has nothing to print")
    asked = {name: text[: LONGEST_OPTION + 1] for name, text in request.query_params.items() if name not in LOOKS}
    if long := [name for name, text in asked.items() if len(text) > LONGEST_OPTION]:
        raise Refused("too-long", f"{long[0]!r} has more than {LONGEST_OPTION} characters")
    seating = game.seating.name if box and game.seating else ""
    options, *_ = matches(game, {name: text for name, text in asked.items() if name != seating}, box)
    return {name: value for name, value in options.items() if name != seating}
