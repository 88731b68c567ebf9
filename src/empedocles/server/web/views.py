"""A table as its readers see it: JSON for programs and pages. Pages know no rules; they rely on what is here."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

from empedocles.core.kernel import CHANCE
from empedocles.game import Game, Milestone
from empedocles.games import all_games, find
from empedocles.play import frames
from empedocles.play.match import Match
from empedocles.play.partial import Partial
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.server.domain import opponents
from empedocles.server.domain.events import OPEN, Imported, Seat
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
        "my_move": is_my_move(table, player),
    }


def is_my_move(table: Table, player: str) -> bool:
    """Whether a table waits for the reader: not where both sides share this device, nor in an imported match."""
    mine, sides = table.owned(player), table.sides()
    if table.status != PLAYING or table.match.to_move not in mine or is_imported(table):
        return False
    return len({sides[seat] for seat in mine}) == 1


def is_shared(table: Table, player: str) -> bool:
    """Whether the reader has several seats: then other people play on the same device."""
    return len(table.owned(player)) > 1


def is_imported(table: Table) -> bool:
    return isinstance(table.log[0].event, Imported)


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


def order(table: Table, player: str = "") -> list[int]:
    """One seat of each side, the reader's own side first: the order in which scores are told."""
    sides = table.sides()
    own = next((sides[seat] for seat in table.owned(player)), 0)
    return sorted((sides.index(side) for side in dict.fromkeys(sides)), key=lambda seat: sides[seat] != own)


def score(table: Table, player: str = "") -> str:
    """The final score, the reader's own side first; "" if points do not decide, or the rules did not end the match."""
    if table.match.result is None or table.ending or not by_points(table.match.position):
        return ""
    return "\u00a0:\u00a0".join(str(table.match.result.scores[seat]) for seat in order(table, player))


def by_points(position: Position) -> bool:
    """Whether the game is won by points; if not, its scores are only for programs."""
    taken_apart = position.game.interface.tally if position.game.interface else None
    return taken_apart is None or any(count.worth for count in taken_apart(position.state).counts)


def tally(position: Position, language: str) -> dict[str, Any] | None:
    """The score taken apart; None if the game does not do that."""
    if position.game.interface is None or position.game.interface.tally is None:
        return None
    aim, counts, note = position.game.interface.tally(position.state)
    rows = [{"what": row.what.say(language), "values": list(row.values), "worth": row.worth} for row in counts]
    totals = [sum(row.worth * row.values[seat] for row in counts) for seat in range(position.seats)]
    return {
        "aim": aim.say(language),
        "rows": rows,
        "totals": totals if any(row.worth for row in counts) else None,
        "note": note.say(language) if note else "",
    }


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
        "order": order(table, player),
        "alone": table.people <= {player, ""},
        "shared": is_shared(table, player),
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


def prompt(match: Match, language: str) -> str:
    """What the player to move is to choose first."""
    asked = Partial(match.position).prompt
    return asked.say(language) if asked else ""


def target_names(match: Match, language: str) -> dict[str, str]:
    """The names of the targets of legal moves."""
    paths, game = match.game.paths, match.game
    targets = {target for action in match.position.legal_actions for group in paths[action] for target in group}
    return {target: game.described(match.position.state, target).say(language) for target in sorted(targets)}


def missing(match: Match, shown: list[list[Any]], language: str) -> dict[str, str]:
    """The names of the targets of legal moves that are not among the boxes shown."""
    paths = (match.game.paths[action] for action in match.position.legal_actions)
    targets = {target for path in paths for group in path for target in group} - {box[0] for box in shown}
    return {target: match.game.target(target).say(language) for target in sorted(targets)}


def frame(match: Match, ply: int, look: Look) -> dict[str, Any]:
    """What changes from move to move: a page updates its picture with it."""
    position, look = match.at(ply), replace(look, ended=look.ended and ply == match.plies)
    told = status(position, look.language)
    return {
        **frames.frame(match, ply, look),
        "status": told[:-1] if look.ended else told,
        "tally": tally(position, look.language),
    }


def status(position: Position, language: str) -> list[str]:
    """The status of each seat and what comes next, in words."""
    told = position.game.interface.status(position.state) if position.game.interface else []
    return [line.say(language) for line in told]


# ── The ends of parts of a game, such as rounds ──────────────────────────────────────────────────────────────────────


def milestones(match: Match, start: int, stop: int) -> dict[int, Milestone]:
    """The moves from ply `start` on that end a part of the game, by the number of moves then played."""
    ends = match.game.interface.milestone if match.game.interface else None
    if ends is None:
        return {}
    actions = map(match.game.action_of.__getitem__, match.moves_since(start)[: stop - start])
    found = ((ply + 1, ends(match.at(ply).state, action)) for ply, action in enumerate(actions, start))
    return {ply: one for ply, one in found if one}


def milestone_frame(match: Match, ply: int, milestone: Milestone, look: Look) -> dict[str, Any]:
    """The table at the moment when a part of the game ended."""
    position = Position.of(match.game, milestone.state)
    drawn = frames.frame(match, ply, look, state=milestone.state)
    return {**drawn, "status": status(position, look.language), "tally": tally(position, look.language)}


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


def side_of(table: Table, player: str, wanted: int | None = None) -> int | None:
    """The seat at whose side a player looks at the table: of several, the one that is wanted, or else the first."""
    own = table.owned(player)
    return wanted if wanted in own else next(iter(own), None)


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
