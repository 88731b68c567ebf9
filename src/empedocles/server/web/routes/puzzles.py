"""The API of puzzles: one for each level of skill, verdicts on answers, why a wrong one is wrong, the solution.

The server keeps nothing about solvers: a page sends the present skill along and gets the new one back.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from empedocles.coach.puzzles import Attempt, Puzzle, Skill, Verdict, find, next_for
from empedocles.errors import BadValue, UnknownName
from empedocles.games import find as find_game
from empedocles.language import Message, translate
from empedocles.language import mark as _
from empedocles.play.match import Match
from empedocles.play.records import Record
from empedocles.render.picture import Look
from empedocles.server.domain.refusals import Refused
from empedocles.server.web import views
from empedocles.server.web.routes.tables import Allowed, Asking, Body, GameName, Here, Language, in_thread
from empedocles.server.workers.files import Made
from empedocles.server.workers.jobs import refute
from empedocles.server.workers.lines import Thinkers

THINKS = 1.0  # seconds for a wrong move
MOST_MOVES = 12  # own moves of a line
MOST_SEEN = 10_000  # puzzles
LONGEST_NOTE = 300

router = APIRouter(prefix="/api/puzzles/{game}")

PuzzleId = Annotated[str, Field(pattern="^[0-9a-f]{8}$")]
Move = Annotated[str, Field(max_length=60)]


class GivenSkill(Body):
    mu: Annotated[float, Field(ge=-100, le=150, allow_inf_nan=False)]
    sigma: Annotated[float, Field(gt=0, le=25, allow_inf_nan=False)]


class Shown(Body):
    """How the reader sees the puzzle."""

    language: Language = "en"
    wide: bool = True


def skill_view(skill: Skill) -> dict[str, Any]:
    return {"mu": skill.mu, "sigma": skill.sigma, "rating": round(skill.rating)}


def puzzle_of(game: str, puzzle: str) -> Puzzle:
    try:
        return find(find_game(game), puzzle)
    except UnknownName as error:
        raise Refused("unknown-puzzle", str(error)) from None


def match_of(puzzle: Puzzle, moves: tuple[str, ...] = ()) -> Match:
    return Match(puzzle.start, chance="manual").play(*moves)


def _look(puzzle: Puzzle, language: str, wide: bool) -> Look:
    return Look(language=language, wide=wide, seat=puzzle.start.to_move)


# ── A puzzle ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class WantedNext(Shown):
    skill: GivenSkill | None = None  # of somebody new if it is missing
    seen: list[PuzzleId] = Field(default_factory=list, max_length=MOST_SEEN)
    theme: Annotated[str, Field(max_length=60)] = ""


@router.post("")
async def next_puzzle(game: GameName, wanted: WantedNext, request: Request) -> dict[str, Any]:
    """The puzzle nearest to a skill that was not seen yet."""
    return await in_thread(request, _next, game, wanted)


def _next(game: str, wanted: WantedNext) -> dict[str, Any]:
    skill = Skill(wanted.skill.mu, wanted.skill.sigma) if wanted.skill else Skill()
    found = next_for(find_game(game), skill.rating, set(wanted.seen), wanted.theme or None)
    if found is None:
        raise Refused("no-puzzle", "you have seen every puzzle here")
    return _view(found, wanted.language, wanted.wide)


@router.get("/{puzzle}")
async def puzzle(
    game: GameName, puzzle: PuzzleId, request: Request, language: Language = "en", wide: bool = True
) -> dict[str, Any]:
    """A puzzle as it begins: its picture, and what may be chosen."""
    return await in_thread(request, _view, puzzle_of(game, puzzle), language, wide)


def _view(puzzle: Puzzle, language: str, wide: bool) -> dict[str, Any]:
    match, seat = match_of(puzzle), puzzle.start.to_move or 0
    task = Message(
        _("{player} to move: find the best move."), {"player": puzzle.game.seat_name(match.position.seats, seat)}
    )
    return {
        **_turn(match, _look(puzzle, language, wide)),
        "id": puzzle.id,
        "seat": seat,
        "task": task.say(language),
        "moves": puzzle.own_moves,
        "picture": match.draw(language=language, wide=wide, seat=seat).for_page,
    }


def _turn(match: Match, look: Look) -> dict[str, Any]:
    language = look.language
    return {
        "position": match.position.text,
        "text": str(match.position),
        "status": views.status(match.position, language),
        "choices": views.choices(match),
        "targets": views.target_names(match, language),
        "prompt": views.prompt(match, language),
        "frame": views.frame(match, match.plies, look),
    }


# ── Answers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Tried(Shown):
    """All own moves so far; the last one is the answer."""

    moves: Annotated[list[Move], Field(min_length=1, max_length=MOST_MOVES)]


class WantedVerdict(Tried):
    skill: GivenSkill | None = None  # if the answer counts


@router.post("/{puzzle}/answers")
async def answer(game: GameName, puzzle: PuzzleId, wanted: WantedVerdict, request: Request) -> dict[str, Any]:
    """Whether a move is right, with the answer to it, and the skill after it. Only a first answer should count."""
    return await in_thread(request, _judged, puzzle_of(game, puzzle), wanted)


def _judged(puzzle: Puzzle, wanted: WantedVerdict) -> dict[str, Any]:
    before, verdict, attempt = _attempted(puzzle, wanted.moves)
    wrong, language = verdict is Verdict.WRONG, wanted.language
    match = match_of(puzzle, (*puzzle.line[: attempt.ply], *(wanted.moves[-1:] if wrong else ())))
    look, done = _look(puzzle, language, wanted.wide), verdict is Verdict.SOLVED
    return {
        "verdict": verdict.value,
        "steps": _steps(match, before, look),
        "turn": _turn(match, look) if verdict is Verdict.RIGHT else None,
        "skill": _skill_after(wanted.skill, puzzle, done) if verdict is not Verdict.RIGHT else None,
        "about": about(puzzle, language) if done else None,
    }


def _attempted(puzzle: Puzzle, moves: list[str]) -> tuple[int, Verdict, Attempt]:
    """The verdict on the last move, with the moves played before it."""
    attempt, before, verdict = Attempt(puzzle), 0, Verdict.RIGHT
    for number, move in enumerate(moves, start=1):
        if verdict is not Verdict.RIGHT:
            raise BadValue(f"the puzzle {puzzle.id} is over after {number - 1} moves, the last of them {verdict}")
        before, verdict = attempt.ply, attempt.answer(move)
    return before, verdict, attempt


def _steps(match: Match, start: int, look: Look) -> list[dict[str, Any]]:
    words = views.words(match, start, look.language)
    return [
        {"move": match.move(ply), "words": said, "frame": views.frame(match, ply, look)}
        for ply, said in enumerate(words, start=start + 1)
    ]


def _skill_after(given: GivenSkill | None, puzzle: Puzzle, solved: bool) -> dict[str, Any] | None:
    return skill_view(Skill(given.mu, given.sigma).after(puzzle, solved)) if given else None


def about(puzzle: Puzzle, language: str) -> dict[str, Any]:
    match = match_of(puzzle, puzzle.line)
    return {
        "theme": puzzle.theme,
        "title": translate(puzzle.idea.title, language),
        "rating": puzzle.rating,
        "stars": puzzle.stars,
        "solved": list(puzzle.solved),
        "line": [list(step) for step in zip(match.moves, views.words(match, 0, language), strict=True)],
        "record": str(Record(match)),
    }


class WantedSolution(Shown):
    """The own moves that were found, if any."""

    moves: list[Move] = Field(default_factory=list, max_length=MOST_MOVES)
    skill: GivenSkill | None = None  # if giving up counts


@router.post("/{puzzle}/solution")
async def solution(game: GameName, puzzle: PuzzleId, wanted: WantedSolution, request: Request) -> dict[str, Any]:
    """What is left of the line, for somebody who gives up."""
    return await in_thread(request, _solution, puzzle_of(game, puzzle), wanted)


def _solution(puzzle: Puzzle, wanted: WantedSolution) -> dict[str, Any]:
    _before, verdict, attempt = _attempted(puzzle, wanted.moves)
    if verdict is not Verdict.RIGHT:
        raise BadValue(f"the puzzle {puzzle.id} goes on after right moves only, the last one here was {verdict}")
    match = match_of(puzzle, puzzle.line)
    return {
        "steps": _steps(match, attempt.ply, _look(puzzle, wanted.language, wanted.wide)),
        "skill": _skill_after(wanted.skill, puzzle, solved=False),
        "about": about(puzzle, wanted.language),
    }


# ── Wrong answers ────────────────────────────────────────────────────────────────────────────────────────────────────


@router.post("/{puzzle}/refutations")
async def refutation(game: GameName, puzzle: PuzzleId, wanted: Tried, request: Request, who: Asking) -> dict[str, Any]:
    """What is wrong with a move, and the strongest answer to it. Says nothing about the right move."""
    asked = puzzle_of(game, puzzle)
    _before, verdict, attempt = await in_thread(request, _attempted, asked, wanted.moves)
    if verdict is not Verdict.WRONG:
        raise BadValue(f"{wanted.moves[-1]} is the right move in the puzzle {asked.id}")
    made, thinkers = _workshop(request)
    wrong, line = wanted.moves[-1], asked.line[attempt.ply :]
    work = (refute, attempt.position.text, wrong, line, asked.best, THINKS)
    key = ("refutation", asked.id, game, *wanted.moves)
    words, then = json.loads(await made.get(key, lambda: _refuted(thinkers, who, work)))
    shown = await in_thread(request, _answered, asked, (*asked.line[: attempt.ply], wrong), then, wanted)
    return {"words": words[wanted.language], **shown}


def _answered(puzzle: Puzzle, moves: tuple[str, ...], then: list[str], shown: Shown) -> dict[str, Any]:
    """The answer to a wrong move, in words and on the board."""
    if not then:
        return {"answer": "", "frame": None}
    match = match_of(puzzle, (*moves, *then[:-1]))
    look = replace(_look(puzzle, shown.language, shown.wide), arrows=[match.way(then[-1])])
    said = match.position.words(then[-1]).say(shown.language)
    return {"answer": said, "frame": views.frame(match, match.plies, look)}


async def _refuted(thinkers: Thinkers, who: Asking, work: Any) -> bytes:
    return json.dumps(await thinkers.asked(who, *work)).encode()


def _workshop(request: Request) -> tuple[Made[bytes], Thinkers]:
    return request.app.state.made, request.app.state.thinkers


# ── Reports ──────────────────────────────────────────────────────────────────────────────────────────────────────────

REASONS = {
    "another": _("Another move is just as good"),
    "wrong": _("The solution is wrong"),
    "unclear": _("The explanation is unclear"),
    "dull": _("It is too obvious"),
    "other": _("Something else"),
}


class WantedReport(Body):
    reason: Literal["another", "wrong", "unclear", "dull", "other"]
    note: Annotated[str, Field(max_length=LONGEST_NOTE)] = ""


@router.post("/{puzzle}/reports", status_code=204)
async def report(
    game: GameName, puzzle: PuzzleId, wanted: WantedReport, request: Request, service: Here, quotas: Allowed
) -> Response:
    """Tell the operator that something is wrong with a puzzle."""
    asked = puzzle_of(game, puzzle)
    quotas.report(request)
    await service.store.complain(asked.game.name, asked.id, wanted.reason, " ".join(wanted.note.split()))
    return Response(status_code=204)
