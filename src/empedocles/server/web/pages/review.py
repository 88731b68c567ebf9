"""The review pages: choosing or importing a match, and going through it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from empedocles.core.kernel import CHANCE
from empedocles.language import Message, translate
from empedocles.language import mark as _
from empedocles.play.analysis import MARKS
from empedocles.play.match import Match
from empedocles.render.themes import PREFIX
from empedocles.server.domain import opponents
from empedocles.server.domain.table import OVER, PLAYING, Table
from empedocles.server.web import views
from empedocles.server.web.pages import lists, words
from empedocles.server.web.pages.templates import language_of, page
from empedocles.server.web.problems import CONFLICT
from empedocles.server.web.reports import Reports
from empedocles.server.web.routes.review import may_review
from empedocles.server.web.routes.searching import engine_files
from empedocles.server.web.routes.tables import Here, MatchId, Visitor, in_thread

LINES = ("ink-line", "red-line", "green-line", "gold-line")  # for games whose seats have no colours

# Texts for the script, which shows them after the template was rendered.
WORDS = {
    "start": _("Starting position"),
    "turn": _("{player} to move"),
    "over": _("The game is over"),
    "chance": _("Chance moves next"),
    "best": _("best"),
    "better": _("Better"),
    "line": _("Line"),
    "noBetter": _("The engine finds nothing better."),
    "showWhy": _("Show it"),
    "afterBetter": _("After the better move"),
    "afterThis": _("After this move"),
    "whyNot": _("Why not this move?"),
    "asGood": _("It is about as good as the best one."),
    "turning": _("The turning point"),
    "costliest": _("The costliest move"),
    "strengths": _("Strengths: {list}"),
    "weaknesses": _("To work on: {list}"),
    "step": _("{at} of {all} moves."),
    "nextMove": _("Next: {move}"),
    "lineEnd": _("This is where it leads."),
    "thinking": _("The engine is thinking …"),
    "loading": _("Loading the engine …"),
    "counted": _("{number} simulations, {depth} moves deep"),
    "visits": _("{number} of them for this move"),
    "memory": _("In this browser, with {megabytes} MB of memory"),
    "settled": _("Exact: nothing is left to find out."),
    "nowBest": _("Best so far: {move}, {value}"),
    "search": _("Think"),
    "searchOn": _("Think on"),
    "pauseSearch": _("Stop thinking"),
    "win": _("win"),
    "loss": _("loss"),
    "draw": _("draw"),
    "exactly": _("{value} exactly"),
    "analysing": _("Analysing: {known} of {total} moves"),
    "analysed": _("Values for the player who moved, from −1 (lost) to +1 (won)."),
    "analysedPoints": _("Exact: the final lead of the player who moved, if both sides play their best."),
    "analysisFailed": _("The analysis failed."),
    "busy": _("The engine is busy with other matches. Please try again in a minute."),
    "summary": _("{player}: {counts}; {lost} lost per move"),
    "noMistakes": _("no mistakes marked"),
    "graph": _("Evaluation of the match, move by move, one line for each side"),
    "variation": _("Your line from move {number}"),
    "unknownMove": _("That is not a legal move here."),
    "chosen": _("{target} chosen"),
    "copied": _("Link copied."),
    "making": _("Creating the file …"),
    "failed": _("That did not work. Please try again."),
    "guest": _("Guest"),
    "confirm": _("Play it"),
    "play": _("Play"),
    "pause": _("Pause"),
    "points": _("points"),
}

router = APIRouter(include_in_schema=False)


@router.get("/review")
async def choose(request: Request, service: Here, player: Visitor) -> HTMLResponse:
    """Import a record, or choose one of your own matches."""
    found = await service.store.of_player(player.id, 50) if player else []
    language = language_of(request)
    tables = [table async for table in service.tables(found) if table.status == OVER or views.is_imported(table)]
    mine = lists.lines(tables, language, player.id if player else "")
    return page(request, "review_import.html", mine=mine, words=words.of_script(WORDS, language))


@router.get("/review/{match}")
async def review(match: MatchId, request: Request, service: Here, player: Visitor) -> HTMLResponse:
    table = await service.table(match)
    if not may_review(table, player.id if player else ""):
        players = _players(table, language_of(request))
        return page(request, "review_running.html", CONFLICT, table=table, players=players)
    reports: Reports = request.app.state.reports
    told = await reports.words(table, language_of(request))
    return await in_thread(request, _page, request, table, told, player.id if player else "")


def _page(request: Request, table: Table, told: list[str], player: str) -> HTMLResponse:
    """Render the page, in a thread: it may have thousands of rows."""
    language, seat = language_of(request), views.side_of(table, player)
    return page(
        request,
        "review.html",
        table=table,
        rows=_rows(table, told, _known(table, language)),
        players=_players(table, language),
        result=result(table, language, player),
        going=table.status == PLAYING and not views.is_imported(table),
        sizes=[_size(table.match, wide, seat) for wide in (True, False)],
        opponents=opponents.names(table.game),
        seats=table.game.seat_names(len(table.seats), language),
        lines=_lines(table),
        facts=_facts(table, seat, language),
        words=words.of_script(WORDS, language),
    )


def _lines(table: Table) -> list[str]:
    """The class of each side's line in the graph: the colour of its first seat."""
    drawing = table.game.drawing
    known = drawing.lines if drawing and drawing.lines else LINES
    return [f"{PREFIX}{known[seat % len(known)]}" for seat in dict.fromkeys(table.sides())]


def _players(table: Table, language: str) -> list[tuple[str, str]]:
    """The names of the seats, with the names of their players."""
    names = table.game.seat_names(len(table.seats), language)
    return [(name, views.called(table.game, seat)) for name, seat in zip(names, table.seats, strict=True)]


def result(table: Table, language: str, player: str = "") -> str:
    if table.status != OVER:
        return translate(_("not over yet"), language)
    won = _who_won(table, language)
    if table.ending:
        return f"{won} {translate(words.ENDINGS[table.ending.reason], language)}"
    ended = table.match.ending
    return " · ".join(filter(None, (won, views.score(table, player), ended.message.say(language) if ended else "")))


def _who_won(table: Table, language: str) -> str:
    names, winners = table.game.seat_names(len(table.seats), language), sorted(table.winners)
    if not winners:
        return translate(_("a draw"), language)
    return Message(_("a win for {names}"), {"names": ", ".join(names[seat] for seat in winners)}).say(language)


def _rows(table: Table, words: list[str], known: dict[int, str]) -> list[dict[str, Any]]:
    """The moves, numbered by turns as in records."""
    rows: list[dict[str, Any]] = []
    turns = table.match.turn_numbers()
    for ply, (seat, move) in enumerate(table.match.history()):
        rows.append(
            {
                "ply": ply + 1,
                "number": f"{turns[ply]}." if ply in turns else "",
                "move": move,
                "words": words[ply],
                "chance": seat == CHANCE,
                "comment": " ".join(filter(None, (table.comments.get(ply + 1, ""), known.get(ply + 1, "")))),
            }
        )
    return rows


def _known(table: Table, language: str) -> dict[int, str]:
    """What a complete solution of the game says of positions, by how many moves lead to them."""
    solver, known = table.game.solve, {}
    if solver and solver.known:
        for ply, position in enumerate(table.match.positions()):
            if said := solver.known(position.state):
                known[ply] = said.say(language)
    return known


def _size(match: Match, wide: bool, seat: int | None) -> tuple[float, float]:
    drawn = match.draw(0, wide=wide, seat=seat)
    return drawn.width, drawn.height


def _facts(table: Table, seat: int | None, language: str) -> dict[str, Any]:
    match = table.match
    return {
        "id": table.id,
        "game": table.game.name,
        "language": language,
        "plies": match.plies,
        "moves": match.moves,
        "movers": views.movers(match, 0),
        "seats": table.game.seat_names(len(table.seats), language),
        "sides": table.sides(),
        "seat": seat,
        "lines": _lines(table),
        "end": [round(value, 4) for value in match.position.returns] if match.is_over else None,
        "lead": _lead(match) if match.is_over and table.game.solve else None,
        "marks": list(MARKS),
        "engine": engine_files(table.game, match.position.options),
    }


def _lead(match: Match) -> list[int]:
    """The lead of each of the two seats, in points."""
    assert match.result
    one, two = match.result.scores
    return [one - two, two - one]
