"""What worker processes do: think, read records, draw. Input and output are text, bytes and numbers.

A worker imports what a job needs when it needs it: nothing of the web, and no drawing code unless it draws.

In one file, as worker processes import this module before their first job, and find all of them in it.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import json
import logging
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from empedocles.core.kernel import CHANCE
from empedocles.errors import EmpedoclesError
from empedocles.language import LANGUAGES
from empedocles.play.match import Match
from empedocles.play.records import Most, Record, read_records, record_of
from empedocles.position import Position
from empedocles.server.domain.scripts import Script

if TYPE_CHECKING:
    from empedocles.coach.claims import Explanation
    from empedocles.language import Message
    from empedocles.play.analysis import Remark
    from empedocles.play.story import Story
    from empedocles.search.limits import Evaluation

ANALYST = "search"  # exact where a game can be solved
FEW = 3  # moves worth naming
NO_CHOICE = 0.05  # seconds for a position with one move: only its value is asked for
LINE = 8  # moves of an engine's line
MOST_NODES = 600_000  # of a search tree, a third of the usual limit: about 30 MB
GIF_SCALE, PNG_SCALE = 0.6, 2.0
ZIPPED = 5  # of 9
# What one record from a stranger may hold. The longest games that the rules allow have 6,800 plies, but real matches
# end long before: with random moves, Points of Power takes about 1,100.
MOST_READ = Most(records=100, plies=3000, comments=5000, words=100_000)

log = logging.getLogger(__name__)


class Judged(NamedTuple):
    """What an engine says."""

    facts: str  # JSON, to be kept
    said: dict[str, str]  # JSON with words, for each language


# ── Thinking ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _small_trees() -> None:
    """Limit search trees: several processes think at the same time, on machines that may be small."""
    from empedocles.search import mcts

    mcts.MOST_NODES = MOST_NODES


def choose(agent: str, position: str, seed: int, seconds: float) -> str:
    """Choose a move. If an agent of another package fails, the match still goes on."""
    from empedocles import agents
    from empedocles.search.limits import Limit

    _small_trees()
    asked, limit = Position(position), Limit(seconds=seconds)
    try:
        move = agents.find(agent, seed).choose(asked, limit)
        asked.play(move)
    except Exception:
        log.exception("%s chose no move: playing a random one in %s", agent, position)
        move = agents.find("random", seed).choose(asked, limit)
    return move


def consider(position: str, ply: int, move: str, seconds: float) -> Judged:
    """The engine's remark on a move of a match."""
    from empedocles import agents
    from empedocles.play.analysis import remark
    from empedocles.search.limits import Limit

    _small_trees()
    here = Position(position)
    seconds = seconds if len(here.legal_actions) > 1 else min(seconds, NO_CHOICE)
    found = remark(here, ply, move, agents.find(ANALYST), Limit(seconds=seconds))
    return Judged(json.dumps(found.facts), _remark_words(here, found))


def where_to_begin(start: str, moves: tuple[str, ...], plies: list[int], seconds: float) -> list[int]:
    """These plies of a match, those first whose moves seem to have cost most."""
    from empedocles.play.turning import suspects

    _small_trees()
    return suspects(_again(start, moves), plies, seconds)


def look_at(position: str, seconds: float) -> Judged:
    """The engine's evaluations of a position, the best moves first."""
    from empedocles import agents
    from empedocles.search.limits import Limit

    _small_trees()
    here = Position(position)
    found = agents.find(ANALYST).analyse(here, Limit(seconds=seconds))[:FEW]
    return Judged(json.dumps([asdict(one) for one in found]), _evaluation_words(here, found))


def find_hint(position: str, seconds: float) -> dict[str, dict[str, Any]]:
    """A hint in three steps, for each language: where to look, which move, and why."""
    from empedocles import agents
    from empedocles.play.hints import hint
    from empedocles.search.limits import Limit

    _small_trees()
    found = hint(Position(position), agents.find(ANALYST), Limit(seconds=seconds))
    steps = {"where": found.where, "words": found.which, "why": found.why}
    return {
        language: {"move": found.move, "targets": list(found.targets)}
        | {name: step.say(language) for name, step in steps.items()}
        for language in LANGUAGES
    }


def find_danger(position: str, move: str) -> tuple[dict[str, str], str | None] | None:
    """What is wrong with a move, for each language, and the answer that this is about; None if nothing is."""
    from empedocles.play.dangers import danger

    _small_trees()
    found = danger(Position(position), move)
    return ({language: found.say(language) for language in LANGUAGES}, found.answer) if found else None


def refute(
    position: str, wrong: str, line: tuple[str, ...], worth: tuple[float, int | None], seconds: float
) -> tuple[dict[str, str], tuple[str, ...]]:
    """What is wrong with a move in a puzzle, for each language, and what follows, up to an opponent's answer.

    `line` begins with the right move, of which the words say nothing; `worth` is its value, and points where known.
    """
    from empedocles.coach.refutations import refutation, strongest_answer
    from empedocles.search.limits import Evaluation

    _small_trees()
    here = Position(position)
    played = _judged(here, wrong, seconds)
    told = refutation(here, played, Evaluation(line[0], *worth, line=line))
    return {language: told.say(language) for language in LANGUAGES}, strongest_answer(here, played)


def _judged(position: Position, move: str, seconds: float) -> Evaluation:
    """The engine's evaluation of a move, with the answer to it also where a proof needs no line."""
    from empedocles.agents.searchers import SearchAgent
    from empedocles.search.limits import Limit

    agent, limit, after = SearchAgent(), Limit(seconds=seconds), position.play(move)
    found = agent.judge(position, move, limit)
    if len(found.line) > 1 or after.is_over or after.to_move == CHANCE:
        return found
    return replace(found, line=(move, *(agent.analyse(after, limit)[0].line or ())))


def describe_remarks(start: str, moves: tuple[str, ...], stored: list[str]) -> list[dict[str, str]]:
    """Remarks on a match that were stored without words, up to the first that this version cannot read."""
    from empedocles.play.analysis import Remark

    match, said = _again(start, moves), []
    with contextlib.suppress(EmpedoclesError, ValueError, TypeError, KeyError):
        for facts in stored:
            found = Remark.of(json.loads(facts))
            said.append(_remark_words(match.at(found.ply), found))
    return said


def describe_evaluations(position: str, stored: str) -> dict[str, str] | None:
    """Evaluations that were stored without words; None if this version cannot read them."""
    from empedocles.play.analysis import evaluation_of

    with contextlib.suppress(EmpedoclesError, ValueError, TypeError, KeyError):
        return _evaluation_words(Position(position), [evaluation_of(facts) for facts in json.loads(stored)])
    return None


def find_turning_point(
    start: str, moves: tuple[str, ...], seats: list[int], stored: list[str], seconds: float
) -> dict[str, str]:
    """The weightiest mistake of these seats: JSON for each language, "null" if there is none.

    It is one of the stored remarks, which are about all moves of these seats. Without any, a quick search finds it.
    """
    from empedocles.play.analysis import Remark
    from empedocles.play.turning import turning_point, weightiest

    _small_trees()
    match = _again(start, moves)
    if stored:
        found = weightiest((Remark.of(json.loads(facts)) for facts in stored), match.position)
    else:
        found = turning_point(match, seats, seconds)
    return {language: _text(found and turning_view(match.at(found.ply), found, language)) for language in LANGUAGES}


def sum_up(start: str, moves: tuple[str, ...], stored: list[str]) -> dict[str, list[str]]:
    """A match summed up by the remarks on all its moves: JSON for each language, for anybody and then for each seat."""
    from empedocles.play.analysis import Remark
    from empedocles.play.story import story

    match = _again(start, moves)
    told = story(match, [Remark.of(json.loads(facts)) for facts in stored])
    viewers = (None, *range(match.position.seats))
    return {language: [_text(story_view(told, viewer, language)) for viewer in viewers] for language in LANGUAGES}


def story_view(story: Story, viewer: int | None, language: str) -> dict[str, Any]:
    seats = range(story.counted.seats)
    return {
        "turning": story.turning.ply if story.turning else None,
        "costliest": story.costliest,
        "sentences": [sentence.say(language) for sentence in story.sentences(viewer)],
        "players": [
            {
                "seat": seat,
                "strengths": [one.say(language) for one in story.strengths(seat)],
                "weaknesses": [one.say(language) for one in story.weaknesses(seat)],
            }
            for seat in seats
        ],
    }


def turning_view(position: Position, remark: Remark, language: str) -> dict[str, Any]:
    from empedocles.coach.lines import chances

    return {
        "ply": remark.ply,
        "seat": remark.seat,
        "turned": remark.turns(position),
        "move": remark.played.move,
        "words": position.words(remark.played.move).say(language),
        "before": round(remark.best.value, 4),
        "after": round(remark.played.value, 4),
        "chances": [chances(position, one.value) for one in (remark.best, remark.played)],
    }


def _remark_words(position: Position, remark: Remark) -> dict[str, str]:
    why = remark.explained(position)
    return {language: _text(remark_view(position, remark, why, language)) for language in LANGUAGES}


def _evaluation_words(position: Position, found: list[Evaluation]) -> dict[str, str]:
    return {language: _text([evaluation_view(position, one, language) for one in found]) for language in LANGUAGES}


def _text(view: Any) -> str:
    return json.dumps(view, ensure_ascii=False)


def remark_view(position: Position, remark: Remark, why: Explanation | None, language: str) -> dict[str, Any]:
    return {
        "ply": remark.ply,
        "seat": remark.seat,
        "mark": remark.mark,
        "lost": round(remark.lost, 4),
        "points_lost": remark.points_lost,
        "cost": _said(remark.cost(position), language),
        "played": evaluation_view(position, remark.played, language),
        "best": evaluation_view(position, remark.best, language),
        "reason": why and reason_view(position, why, language),
    }


def _said(message: Message | None, language: str) -> str | None:
    return message.say(language) if message else None


def reason_view(position: Position, why: Explanation, language: str) -> dict[str, Any]:
    """Why a move was a mistake, and the moves that show it."""
    claim = why.claims[0]
    return {
        "concept": claim.concept,
        "words": why.say(language),
        "line": line_view(position, claim.line, language, len(claim.line)),
        "against": line_view(position, claim.against, language, len(claim.against)),
        "better": claim.line[0] == why.better,
        "targets": list(claim.targets),
    }


def evaluation_view(position: Position, evaluation: Evaluation, language: str) -> dict[str, Any]:
    from empedocles.play.analysis import value_text

    return {
        "move": evaluation.move,
        "words": position.words(evaluation.move).say(language),
        "value": round(evaluation.value, 4),
        "said": value_text(evaluation, language),
        "proven": evaluation.proven,
        "points": evaluation.points,
        "line": line_view(position, evaluation.line or (evaluation.move,), language),
    }


def line_view(position: Position, moves: tuple[str, ...], language: str, most: int = LINE) -> list[list[str]]:
    """The moves of a line, each with its words."""
    line: list[list[str]] = []
    for move in moves[:most]:
        try:
            after = position.play(move)
        except EmpedoclesError:
            break  # lines stop at chance moves
        line.append([move, position.words(move).say(language)])
        position = after
    return line


# ── Records ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_record(text: str) -> Script | None:
    """The last match of a record; None if there is none."""
    record = _last(text)
    return None if record is None else _script(record)


def _last(text: str) -> Record | None:
    record = None
    for found in read_records(io.StringIO(text), MOST_READ):  # one by one, to keep only the last
        record = found
    return record


def read_import(text: str) -> Script | None:
    """The last match of a record, or a position by its text as a match of no moves; None if there is none."""
    text = text.lstrip("\ufeff").strip()
    if position := record_of(text):
        return _script(position)
    record = _last(text)
    if record is None:
        return None
    record.match.ids(record.match.plies)
    return _script(record)


def _script(record: Record) -> Script:
    match = record.match
    said = (record.names, record.comments, match.known_ids)
    return Script(match.game.name, match.options, match.start.text, match.moves, *said)


# ── Pictures ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@functools.lru_cache(maxsize=4)  # a page asks for one part of a match after another
def _again(start: str, moves: tuple[str, ...]) -> Match:
    return Match(Position(start), chance="manual").play(*moves)


def draw_frames(start: str, moves: tuple[str, ...], looks: dict[str, Any], first: int, end: int, whole: bool) -> bytes:
    """Frames from ply `first` to `end`, with `whole` the complete picture too: as JSON, zipped."""
    return gzip.compress(frames_of(_again(start, moves), looks, first, end, whole), ZIPPED)


def frames_of(match: Match, looks: dict[str, Any], first: int, end: int, whole: bool) -> bytes:
    from empedocles.play import frames
    from empedocles.render.picture import Look

    picture = match.draw(0, last=False, **looks).for_page if whole else None
    shown = {"start": first, **frames.frames(match, Look(**looks), first, end), "picture": picture}
    return json.dumps(shown, ensure_ascii=False).encode()


def draw_page(start: str, moves: tuple[str, ...], title: str, looks: dict[str, Any]) -> bytes:
    """A page with the whole match, zipped."""
    from empedocles.play import replay

    return gzip.compress(replay.page(_again(start, moves), title, **looks).encode(), ZIPPED)


def draw_png(start: str, moves: tuple[str, ...], looks: dict[str, Any]) -> bytes:
    from empedocles.render.formats import png

    return png([_again(start, moves).draw(**looks)], PNG_SCALE)[0]


def draw_svg(start: str, moves: tuple[str, ...], looks: dict[str, Any]) -> bytes:
    return str(_again(start, moves).draw(**looks)).encode()


def draw_gif(start: str, moves: tuple[str, ...], looks: dict[str, Any]) -> bytes:
    from empedocles.play import replay

    return replay.gif(_again(start, moves), scale=GIF_SCALE, **looks)


def print_puzzles(game: str, puzzles: tuple[str, ...], paper: str, language: str) -> bytes:
    """Sheets of puzzles, which are given by their ids."""
    from empedocles.coach import sheets
    from empedocles.coach.puzzles import find as puzzle_of
    from empedocles.games import find

    return sheets.print_puzzles([puzzle_of(find(game), one) for one in puzzles], paper, language)


def print_pdf(game: str, options: dict[str, Any], looks: dict[str, Any]) -> bytes:
    from empedocles.games import find
    from empedocles.paper import print_out

    return print_out(find(game), options, **looks)
