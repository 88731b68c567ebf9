"""A table as its readers see it: JSON for programs and pages. Pages know no rules; they rely on what is here."""

from __future__ import annotations

import functools
from typing import Any

from empedocles.core.kernel import CHANCE
from empedocles.game import Game
from empedocles.games import all_games, find
from empedocles.play import frames
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.server.domain import opponents
from empedocles.server.domain.events import OPEN, Seat
from empedocles.server.domain.moments import now
from empedocles.server.domain.presence import Seen
from empedocles.server.domain.table import OVER, PLAYING, Table
from empedocles.server.web.guests import alone


def game_view(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "authors": game.authors,
        "summary": game.summary,
        "seats": list(game.seats),
        "teams": game.has_teams,
        "chance": game.has_chance,
        "options": [
            {"name": option.name, "values": list(option.values), "default": option.default, "board": option.takes_board}
            for option in game.options
        ],
        "opponents": opponents.names(game),
        "overlays": dict(game.overlays),
    }


def games_view() -> list[dict[str, Any]]:
    views = []
    for game in all_games().values():
        with alone(game, "a list of games"):
            views.append(game_view(game))
    return views


def summary(table: Table, player: str = "") -> dict[str, Any]:
    """A line in a list of tables."""
    game, status = table.game, table.status
    return {
        "id": table.id,
        "game": game.name,
        "title": game.title,
        "status": status,
        "number": table.number,
        "plies": table.match.plies,
        "to_move": table.match.to_move if status == PLAYING else None,
        "seats": [_seat(game, seat, player) for seat in table.seats],
        "winners": sorted(table.winners) if status == OVER else None,
        "created": table.created,
    }


def _seat(game: Game, seat: Seat, player: str) -> dict[str, Any]:
    return {
        "kind": seat.kind,
        "name": called(game, seat),
        "level": opponents.level(game, seat.agent),
        "link": bool(seat.invite) or (seat.kind == OPEN and seat.owner not in ("", player)),
        "mine": bool(player) and seat.owner == player and seat.kind != OPEN,
    }


def called(game: Game, seat: Seat) -> str:
    """The name of the player or bot in a seat."""
    return opponents.called(game, seat.agent) or seat.name


def state(table: Table, player: str = "", seen: Seen | None = None) -> dict[str, Any]:
    """Everything that a reader may know about a table, without its pictures."""
    moment, match, mine = now(), table.match, table.owned(player)
    seen = Seen() if seen is None else seen
    line = summary(table, player)
    status = line["status"]
    return {
        **line,
        "options": match.options,
        "position": match.position.text,
        "moves": match.moves,
        "seat_names": _seat_names(table.game.name, len(table.seats)),
        "mine": mine,
        "alone": table.people <= {player, ""},
        "your_turn": status == PLAYING and match.to_move in mine,
        "clock": vars(table.clock),
        "left": [round(table.time_left(seat, moment), 1) for seat in range(len(table.seats))]
        if table.clock.counts
        else None,
        "here": seen.here(table, moment),
        "gone_in": seen.gone_in(table, moment),
        "offers": table.offers,
        "asked": table.asked if "back" in table.offers else None,
        "consents": [number for number, seat in enumerate(table.seats) if seat.owner in table.consents],
        "ending": table.ending.reason if table.ending else None,
        "rule": match.ending.rule if match.ending else None,
        "scores": list(match.result.scores) if match.result else None,
        "commitment": table.commitment,
        "secret": table.secret.hex() if status == OVER else None,
        "shuffle": shuffle(table) if status != PLAYING and table.game.has_chance else None,
        "next": table.next,
        "imported": table.imported,
    }


def shuffle(table: Table) -> dict[str, Any]:
    """How chance is decided, for players who take part and for anybody who checks it."""
    return {
        "opens": table.opens,
        "awaited": table.awaited,
        "commitments": table.commitments,
        "values": table.values,
    }


@functools.cache
def _seat_names(game: str, seats: int) -> list[str]:
    return find(game).seat_names(seats)


def choices(match: Match) -> list[list[str]]:
    """Every legal move with its clicks: groups in order, joined by |; targets of a group, joined by blanks."""
    if match.to_move is None or match.to_move == CHANCE:
        return []
    name, moves = match.game.name, match.game.moves
    return [[moves[action], _clicks(name, action)] for action in match.position.legal_actions]


@functools.lru_cache(maxsize=50_000)
def _clicks(game: str, action: int) -> str:
    return "|".join(" ".join(sorted(group)) for group in find(game).paths[action])


def frame(match: Match, ply: int, look: Look) -> dict[str, Any]:
    """What changes from move to move: a page updates its picture with it."""
    return {**frames.frame(match, ply, look), "status": status(match.at(ply), look.language)}


def status(position: Position, language: str) -> list[str]:
    """The status of each seat and what comes next, in words."""
    told = position.game.interface.status(position.state) if position.game.interface else []
    return [line.say(language) for line in told]


def words(match: Match, start: int, language: str, stop: int | None = None) -> list[str]:
    """The moves from ply `start` on, in words."""
    moves = match.moves_since(start)[: None if stop is None else stop - start]
    return [match.at(ply).words(move).say(language) for ply, move in enumerate(moves, start=start)]


def movers(match: Match, start: int, stop: int | None = None) -> list[int | None]:
    """The seats that made the moves from ply `start` on; None for chance."""
    return [mover(match.at(ply)) for ply in range(start, match.plies if stop is None else stop)]


def mover(position: Position) -> int | None:
    """The seat to move; None for chance, or when the game is over."""
    return None if position.to_move == CHANCE else position.to_move


def names(table: Table) -> dict[int, str]:
    """The players' names by seat, for pictures."""
    return {seat: called(table.game, one) for seat, one in enumerate(table.seats) if one.name or one.agent}


def draws(match: Match, start: int = 0) -> list[dict[str, Any]]:
    """Every draw of chance with its possible outcomes, so that anybody can check it with the secret."""
    bags = match.game.interface.bags if match.game.interface else None
    found = []
    for ply, (seat, move) in enumerate(match.history()):
        if seat == CHANCE and ply >= start:
            position = match.at(ply)
            outcomes = [match.game.moves[action] for action in position.legal_actions]
            bag = bags.drawn_from(position.state) if bags else None
            found.append({"ply": ply, "bag": bag, "outcomes": outcomes, "move": move})
            if position is not match.position:
                position.forget()
    return found
