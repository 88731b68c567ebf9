"""First lessons: a position, one task, and an answer to every move that is tried."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse
from pydantic import Field

from empedocles.errors import IllegalMove
from empedocles.games import find
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.play.match import Match
from empedocles.play.partial import Partial
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.server.domain import opponents
from empedocles.server.domain.refusals import Refused
from empedocles.server.web import views
from empedocles.server.web.leads import leads
from empedocles.server.web.pages import material, words
from empedocles.server.web.pages.diagrams import close_up
from empedocles.server.web.pages.material import Lesson
from empedocles.server.web.pages.rulebooks import book, known_game, shelf
from empedocles.server.web.pages.templates import language_of, page
from empedocles.server.web.routes.moves import Chosen, Target
from empedocles.server.web.routes.tables import Body, GameName

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api")

RIGHT, OTHER, ILLEGAL, SHOWN = "right", "other", "illegal", "shown"  # verdicts on a try

WORDS = {  # for the lesson's script
    "right": _("Right!"),
    "other": _("A legal move, but not the solution."),
    "illegal": _("Not allowed:"),
    "shown": _("Here is the solution."),
    "rule": _("Rule {rule}"),
    "solved": _("done"),
    "begin": _("Your move. The board marks what you can choose."),
    "guest": words.GUEST,
}


def _match(lesson: Lesson) -> Match:
    return Match(Position(lesson.position), seed=0, chance="manual")


# ── The API ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Try(Body):
    """A move, or targets of which the last cannot be chosen, or a request for the solution."""

    move: Annotated[str, Field(max_length=60)] = ""
    chosen: list[Target] = Field(default_factory=list, max_length=12)
    show: bool = False
    wide: bool = True  # the layout of the picture


@api.post("/lessons/{game}/{number}")
def attempt(game: GameName, number: int, tried: Try, request: Request) -> dict[str, Any]:
    """The verdict on a try: right, legal but not the solution, or illegal, and why."""
    return judged(_lesson(game, number), tried, language_of(request))


@api.get("/lessons/{game}/{number}/leads")
def follow(
    game: GameName, number: int, target: Target, chosen: Chosen, request: Request, wide: bool = True
) -> dict[str, str | None]:
    """What choosing a target after others means, what it places, what comes next; its name if it cannot be chosen."""
    entry = Partial(Position(_lesson(game, number).position), tuple(chosen))
    look = Look(language=language_of(request), wide=wide, seat=entry.position.to_move)
    return leads(entry, target, look)


def _lesson(game: str, number: int) -> Lesson:
    lessons = material.lessons(find(game))
    if not 1 <= number <= len(lessons):
        raise Refused("unknown-lesson", f"{game} has {len(lessons)} lessons, but none numbered {number}")
    return lessons[number - 1]


def judged(lesson: Lesson, tried: Try, language: str) -> dict[str, Any]:
    match = _match(lesson)
    look = Look(language=language, wide=tried.wide, seat=match.to_move, overlays=lesson.overlays)
    if tried.show:
        return _shown(match, lesson.accepted[0], SHOWN, lesson.done[language], look)
    if tried.chosen:
        return _refused(match.position, tried.chosen, language)
    try:
        match.position.play(tried.move)
    except IllegalMove as error:
        return {"verdict": ILLEGAL, "words": error.message.say(language), "rule": error.rule}
    right = tried.move in lesson.accepted
    answer = lesson.done if right else lesson.answer(tried.move)
    return _shown(match, tried.move, RIGHT if right else OTHER, answer[language], look)


def _refused(position: Position, chosen: list[str], language: str) -> dict[str, Any]:
    reason = Partial(position, tuple(chosen[:-1])).why_not(chosen[-1])
    if reason:
        return {"verdict": ILLEGAL, "words": reason.say(language), "rule": reason.rule}
    return {"verdict": ILLEGAL, "words": translate(_("you cannot use this here"), language), "rule": None}


def _shown(match: Match, move: str, verdict: str, words: str, look: Look) -> dict[str, Any]:
    said = match.position.words(move).say(look.language)
    match.play(move)
    frame = views.frame(match, 1, look)
    return {"verdict": verdict, "words": words, "rule": None, "move": move, "said": said, "frame": frame}


# ── Pages ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/introduction/{game}")
def introduction(request: Request, game: GameName) -> HTMLResponse:
    """The game in three pictures: part of a page, fetched by a table when it is needed."""
    language, found = language_of(request), material.introduction(find(game))
    if found is None:
        raise HTTPException(404)
    steps = [
        (close_up(step, language, art=number == 0), step.caption[language]) for number, step in enumerate(found.steps)
    ]
    return page(request, "introduction.html", steps=steps, goal=found.goal[language])


@router.get("/learn")
def learn(request: Request) -> HTMLResponse:
    taught = [volume for volume in shelf(language_of(request)) if volume.lessons]
    return page(request, "learn.html", shelf=taught)


@router.get("/learn/{game}")
@router.get("/learn/{game}/{number}")
def lesson(request: Request, game: str, number: int = 1) -> HTMLResponse:
    found = known_game(game)
    lessons, language = material.lessons(found), language_of(request)
    if not 1 <= number <= len(lessons):
        raise HTTPException(404, f"{found.title} has no lesson {number}")
    chosen, match = lessons[number - 1], _match(lessons[number - 1])
    return page(
        request,
        "lesson.html",
        game=found,
        book=book(found, language),
        lessons=lessons,
        number=number,
        lesson=chosen,
        text_board=str(match.position),
        lines=views.status(match.position, language),
        pictures=[(wide, _drawn(match, chosen, language, wide)) for wide in _arrangements(request)],
        opponent=next(iter(opponents.names(found)), ""),
        facts=_facts(match, chosen, language),
        words=words.of_script(WORDS, language),
        seats=found.seats[0],
    )


def _drawn(match: Match, lesson: Lesson, language: str, wide: bool) -> str:
    return match.draw(language=language, wide=wide, seat=match.to_move, overlays=lesson.overlays).for_page


def _arrangements(request: Request) -> tuple[bool, bool]:
    """Whether a picture is wide: first the layout that probably suits this reader, then the other."""
    small = request.headers.get("sec-ch-ua-mobile") == "?1" or "Mobi" in request.headers.get("user-agent", "")
    return not small, small


def _facts(match: Match, lesson: Lesson, language: str) -> dict[str, Any]:
    """The data for the lesson's script."""
    choices, entry = views.choices(match), Partial(match.position)
    targets = sorted({target for _move, path in choices for target in path.replace("|", " ").split(" ")})
    return {
        "game": match.game.name,
        "name": lesson.name,
        "choices": choices,
        "names": {target: entry.described(target).say(language) for target in targets},
    }
