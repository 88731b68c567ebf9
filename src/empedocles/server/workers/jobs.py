"""What worker processes do: think, read records, draw. Input and output are text, bytes and numbers.

A worker imports what a job needs when it needs it: nothing of the web, and no drawing code unless it draws.
"""

from __future__ import annotations

import functools
import gzip
import io
import json
import logging
from typing import TYPE_CHECKING, Any

from empedocles.errors import EmpedoclesError
from empedocles.language import LANGUAGES
from empedocles.play.match import Match
from empedocles.play.records import Most, Record, read_records, record_of
from empedocles.position import Position
from empedocles.server.domain.scripts import Script

if TYPE_CHECKING:
    from empedocles.play.analysis import Remark
    from empedocles.search.limits import Evaluation

ANALYST = "search"  # exact where a game can be solved
FEW = 3  # moves worth naming
LINE = 8  # moves of a line
MOST_NODES = 600_000  # of a search tree, a third of the usual limit: about 30 MB
GIF_SCALE, PNG_SCALE = 0.6, 2.0
ZIPPED = 5  # of 9
# What one record from a stranger may hold. The longest games that the rules allow have 6,800 plies, but real matches
# end long before: with random moves, Points of Power takes about 1,100.
MOST_READ = Most(records=100, plies=3000, comments=5000, words=100_000)

log = logging.getLogger(__name__)


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


def consider(position: str, ply: int, move: str, seconds: float) -> dict[str, str]:
    """The engine's remark on a move of a match: JSON for each language."""
    from empedocles import agents
    from empedocles.play.analysis import remark
    from empedocles.search.limits import Limit

    _small_trees()
    here = Position(position)
    found = remark(here, ply, move, agents.find(ANALYST), Limit(seconds=seconds))
    return {language: json.dumps(remark_view(here, found, language), ensure_ascii=False) for language in LANGUAGES}


def look_at(position: str, seconds: float) -> dict[str, str]:
    """The engine's evaluations of a position, the best moves first: JSON for each language."""
    from empedocles import agents
    from empedocles.search.limits import Limit

    _small_trees()
    here = Position(position)
    found = agents.find(ANALYST).analyse(here, Limit(seconds=seconds))[:FEW]
    return {
        language: json.dumps([evaluation_view(here, one, language) for one in found], ensure_ascii=False)
        for language in LANGUAGES
    }


def remark_view(position: Position, remark: Remark, language: str) -> dict[str, Any]:
    return {
        "ply": remark.ply,
        "seat": remark.seat,
        "mark": remark.mark,
        "lost": round(remark.lost, 4),
        "played": evaluation_view(position, remark.played, language),
        "best": evaluation_view(position, remark.best, language),
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
        "line": _line(position, evaluation, language),
    }


def _line(position: Position, evaluation: Evaluation, language: str) -> list[list[str]]:
    """The moves of a line, each with its words."""
    line: list[list[str]] = []
    for move in (evaluation.line or (evaluation.move,))[:LINE]:
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


def draw_gif(start: str, moves: tuple[str, ...], looks: dict[str, Any]) -> bytes:
    from empedocles.play import replay

    return replay.gif(_again(start, moves), scale=GIF_SCALE, **looks)


def print_pdf(game: str, options: dict[str, Any], looks: dict[str, Any]) -> bytes:
    from empedocles.games import find
    from empedocles.paper import print_out

    return print_out(find(game), options, **looks)
