"""Puzzles as pages: all games at a glance, and a board to solve them on, one after another."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse

from empedocles.coach.puzzles import Puzzle, Skill, of_the_day, puzzles, themes
from empedocles.game import Game
from empedocles.games import all_games
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.render.picture import Look
from empedocles.server.domain.moments import now
from empedocles.server.web.guests import alone
from empedocles.server.web.pages import material, words
from empedocles.server.web.pages.rulebooks import known_game
from empedocles.server.web.pages.templates import language_of, page
from empedocles.server.web.routes.puzzles import LONGEST_NOTE, REASONS, PuzzleId, puzzle_of, skill_view

router = APIRouter(include_in_schema=False)

MOST_SHEETS = 5  # to print at once

WORDS = {  # for the scripts
    "begin": _("Your move. The board marks what you can choose."),
    "step": _("Move {n} of {all}"),
    "right": _("Right!"),
    "goOn": _("Now find the next move."),
    "solved": _("Solved!"),
    "wrong": _("Not the best move."),
    "refuting": _("Looking for the answer …"),
    "answer": _("The strongest answer: {move}."),
    "illegal": _("Not allowed:"),
    "shown": _("This is the solution."),
    "noMove": _("you cannot use this here"),
    "rule": _("Rule {rule}"),
    "rating": _("Rating {rating}"),
    "rated": _("Rating {rating} ({change})"),
    "found": _("{n} of {all} opponents find it"),
    "stars": _("Difficulty {n} of {all}"),
    "days": _("{n} days in a row"),
    "day": _("1 day in a row"),
    "run": _("{n} solved in a row"),
    "dayDone": _("solved"),
    "allSeen": _("You have seen every puzzle here. Start again from the first?"),
    "startOver": _("Start again"),
    "reallyReset": _("Forget your ratings, your streaks, and which puzzles you have seen?"),
    "reset": _("Forget them"),
    "cancel": _("Cancel"),
    "reported": _("Thank you. Somebody will look at it."),
    "copied": _("Link copied."),
    "guest": words.GUEST,
}


def today() -> date:
    """The day whose puzzle it is: the same for everybody, wherever they are."""
    return datetime.fromtimestamp(now(), UTC).date()


class Stock(NamedTuple):
    """The puzzles of a game, as the page of all games shows them."""

    game: Game
    day: Puzzle
    number: int
    themes: list[tuple[str, str, int]]  # name, title and number of puzzles


def stocks(language: str) -> list[Stock]:
    """All games that have puzzles; those whose puzzles cannot be read are left out."""
    found = []
    for game in all_games().values():
        with alone(game, "puzzles"):
            if known := puzzles(game):
                number = Counter(puzzle.theme for puzzle in known)
                offered = [(name, translate(idea.title, language), number[name]) for name, idea in themes(game).items()]
                found.append(Stock(game, of_the_day(game, today()), len(known), offered))
    return found


@router.get("/puzzles")
def choose(request: Request) -> HTMLResponse:
    language = language_of(request)
    return page(
        request,
        "puzzles.html",
        stocks=stocks(language),
        day=today().isoformat(),
        most_sheets=MOST_SHEETS,
        words=words.of_script(WORDS, language),
    )


@router.get("/puzzles/{game}")
def one_after_another(request: Request, game: str, theme: Annotated[str, Query(max_length=60)] = "") -> HTMLResponse:
    """Puzzles at the reader's level; which that is, the page knows."""
    found = game_with_puzzles(game, theme)
    return _page(request, puzzles(found)[0], theme=theme)


@router.get("/puzzles/{game}/day")
def puzzle_of_the_day(request: Request, game: str) -> HTMLResponse:
    found = of_the_day(game_with_puzzles(game), today())
    return _page(request, found, id=found.id, day=today().isoformat())


@router.get("/puzzles/{game}/{puzzle}")
def one(request: Request, game: str, puzzle: PuzzleId) -> HTMLResponse:
    found = puzzle_of(game_with_puzzles(game).name, puzzle)
    return _page(request, found, id=found.id)


def game_with_puzzles(name: str, theme: str = "") -> Game:
    """A game with puzzles, of this theme if one is given; a 404 if there are none."""
    game = known_game(name)
    if not material.has_puzzles(game):
        raise HTTPException(404, f"{game.title} has no puzzles")
    if theme and theme not in themes(game):
        raise HTTPException(404, f"{game.title} has no puzzles with the theme {theme!r}")
    return game


def _page(request: Request, puzzle: Puzzle, **given: str) -> HTMLResponse:
    game, language = puzzle.game, language_of(request)
    facts: dict[str, Any] = {"game": game.name, "language": language, "id": "", "theme": "", "day": ""}
    facts |= given | {"skill": skill_view(Skill())}
    return page(
        request,
        "puzzle.html",
        game=game,
        sizes=[_size(puzzle, wide) for wide in (True, False)],
        theme_title=translate(themes(game)[facts["theme"]].title, language) if facts["theme"] else "",
        reasons={name: translate(text, language) for name, text in REASONS.items()},
        longest=LONGEST_NOTE,
        facts=facts,
        words=words.of_script(WORDS, language),
    )


def _size(puzzle: Puzzle, wide: bool) -> tuple[float, float]:
    layout = puzzle.game.sheet(puzzle.start.state, Look(wide=wide, seat=puzzle.start.to_move)).layout
    return layout.width, layout.height
