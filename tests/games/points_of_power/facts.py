"""What is true of moves and positions of Points of Power, by the referee and the text of positions."""

from __future__ import annotations

import copy
from collections.abc import Callable

from games.points_of_power.referee import ELEMENTS, SIDES, Referee

from empedocles import Position
from empedocles.boards import parse
from empedocles.game import Deed
from empedocles.games.points_of_power.board import BOARDS
from empedocles.testing.claims import Facts

NAMES = {"fire": "F", "air": "A", "earth": "E", "water": "W"}
DRAWN = {name: "/".join(parse(path.read_text(encoding="utf-8"))) for name, path in BOARDS.items()}


# ── The same again, from the referee ─────────────────────────────────────────────────────────────────────────────────


def fields_of(position: Position) -> dict[str, str]:
    return dict(field.split("=") for field in position.text.split()[1:])


def referee(position: Position, seat: int) -> Referee:
    """A referee who thinks that it is a seat's turn."""
    fields = fields_of(position)
    game = Referee(DRAWN[fields["board"]], position.seats, str(position.options["stuck"]))
    game.pieces = {
        square: letter for name, letter in NAMES.items() for square in fields[name].split(",") if fields[name] != "-"
    }
    game.had, game.quiet = set(fields["moved"]) & set(ELEMENTS), int(fields["quiet"])
    return turn_of(game, seat)


def turn_of(game: Referee, seat: int) -> Referee:
    game = copy.copy(game)
    game.had = set(ELEMENTS) if game.hand(seat) <= game.had else set(game.had)
    game.turns = 4 + seat if len(game.had) == 4 else 3 if len(game.had) == 3 and 3 % game.players == seat else seat
    return game


def risks(position: Position, seat: int) -> dict[str, list[set[str]]]:
    """Squares of pieces that can be captured → for each capture, the squares from which it can be avenged."""
    if position.is_over:
        return {}
    hunter = (seat + 1) % 2 if position.seats == 2 else {0: 3, 1: 0, 2: 1, 3: 2}[seat]
    avenger = seat if position.seats == 2 else (seat + 2) % 4
    game, found = referee(position, hunter), dict[str, list[set[str]]]()
    for move in (move for move in game.moves() if "x" in move):
        then, square = copy.copy(game), move.split("x")[1]
        then.had = set(game.had)
        then.play(move)
        answers = [] if then.rule else [m.split("x") for m in turn_of(then, avenger).moves() if "x" in m]
        found.setdefault(square, []).append({start for start, end in answers if end == square})
    return found


def loose(position: Position, seat: int) -> set[str]:
    return {square for square, ways in risks(position, seat).items() if set() in ways}


def exposed_of(position: Position, seat: int) -> dict[str, set[str]]:
    game = referee(position, seat)
    return {element: game.exposed(game.pieces, element) for element in game.hand(seat)}


def last_exposed(position: Position, square: str) -> bool:
    game = referee(position, 0)
    return game.exposed(game.pieces, game.pieces[square]) == {square}


def near(game: Referee, elements: set[str]) -> set[str]:
    return {end for start, what in game.pieces.items() if what in elements for end in game.board.touching[start]}


def near_points(position: Position, seat: int) -> set[str]:
    game = referee(position, seat)
    found: set[str] = (near(game, game.hand(seat)) & game.board.points) - set(game.pieces)
    return found


def prey_near(position: Position, seat: int) -> int:
    game, touching = referee(position, seat), referee(position, seat).board.touching
    hunted = {"F": "A", "A": "E", "E": "W", "W": "F"}
    total = 0
    for element in game.hand(seat):
        for square in game.exposed(game.pieces, hunted[element]):
            at_once = any(game.pieces.get(by) == element for by in touching[square])
            ways = [by for by in touching[square] if by not in game.pieces]
            total += not at_once and any(game.pieces.get(start) == element for by in ways for start in touching[by])
    return total


def room(position: Position, seat: int) -> int:
    game = referee(position, seat)
    hunters = {"A": "F", "E": "A", "W": "E", "F": "W"}
    return len(
        {
            square
            for e in game.hand(seat)
            for square in near(game, {e}) - near(game, {hunters[e]}) - set(game.pieces)
            if game.board.kinds[square] not in ("*", e)
        }
    )


def only_guards(position: Position, seat: int) -> set[str]:
    partner = seat if position.seats == 2 else (seat + 2) % 4
    ways = [way for ways in risks(position, partner).values() for way in ways]
    return {min(way) for way in ways if len(way) == 1}


RECOUNTS: dict[str, Callable[[Position, int], int]] = {
    "last-at-risk": lambda p, seat: sum(last_exposed(p, square) for square in risks(p, seat)),
    "loose": lambda p, seat: len(loose(p, seat)),
    "covered": lambda p, seat: len(set(risks(p, seat)) - loose(p, seat)),
    "thin": lambda p, seat: [len(squares) for squares in exposed_of(p, seat).values()].count(1),
    "points-near": lambda p, seat: len(near_points(p, seat)),
    "prey-near": prey_near,
    "tied-guards": lambda p, seat: len(only_guards(p, seat)),
    "room": room,
}


# ── What moves do ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_ours(position: Position, square: str, seat: int) -> bool:
    return referee(position, 0).pieces.get(square) in SIDES[seat % 2]


def captured(before: Position, after: Position, deed: Deed) -> bool:
    """An element of the victim has lost just the square that the deed is about."""
    then, now = fields_of(before), fields_of(after)
    lost = {name: set(then[name].split(",")) - set(now[name].split(",")) for name in NAMES}
    (name,) = [name for name in NAMES if lost[name] == set(deed.targets) and now[name] != then[name]]
    return list(NAMES).index(name) % before.seats == deed.victim and name.title() in deed.words.say()


def won(rule: str, before: Position, after: Position, seat: int) -> bool:
    assert after.ending
    return after.ending.rule == rule and after.returns[seat] > 0 and not before.is_over


def avenged(after: Position, square: str, seat: int) -> bool:
    avenger = (seat - 1) % after.seats
    return any(move.endswith(f"x{square}") for move in referee(after, avenger).moves())


def holds(position: Position, seat: int) -> set[str]:
    return {square for square in referee(position, 0).board.points if is_ours(position, square, seat)}


def is_true(name: str, deed: Deed, before: Position, move: str, after: Position) -> bool:
    seat, victim = before.to_move or 0, ((before.to_move or 0) + 1) % before.seats
    rules = {"last-point": "PP-14", "last-piece": "PP-15", "last-exposed": "PP-16", "no-move": "PP-18"}
    if name in rules:
        return won(rules[name], before, after, seat)
    (square, *_), points = deed.targets, referee(before, 0).board.points
    start, end = move.replace("x", "-").split("-")
    threats = set(deed.targets) <= loose(after, victim) and not set(deed.targets) & set(risks(before, victim))
    moved = end if square == start else square
    owners = range(seat % 2, before.seats, 2)
    saved = any(square in loose(before, one) for one in owners) and not any(moved in risks(after, o) for o in owners)
    checks: dict[str, Callable[[], bool]] = {
        "saved-last": lambda: saved and last_exposed(before, square),
        "saved": lambda: saved and not last_exposed(before, square),
        "blocked": lambda: holds(before, seat + 1) == points - {square} and square == end,
        "near-last-point": lambda: holds(after, seat) == points - {square} and square not in fields_of(after).values(),
        "threatened-last": lambda: threats and last_exposed(after, square),
        "double-threat": lambda: threats and deed.words.values["n"] == len(deed.targets) > 1,
        "free-capture": lambda: captured(before, after, deed) and not avenged(after, square, seat),
        "exchange": lambda: captured(before, after, deed) and avenged(after, square, seat),
        "point": lambda: holds(after, seat) - holds(before, seat) == {square},
    }
    return checks[name]()


def does(position: Position, move: str, concept: str, deed: Deed) -> bool:
    return is_true(concept, deed, position, move, position.play(move))


def has(position: Position, seat: int) -> dict[str, int]:
    return {concept: recount(position, seat) for concept, recount in RECOUNTS.items()}


def places(position: Position, seat: int) -> dict[str, set[str]]:
    at_risk = risks(position, seat)
    return {
        "last-at-risk": {square for square in at_risk if last_exposed(position, square)},
        "loose": loose(position, seat),
        "covered": set(at_risk) - loose(position, seat),
        "points-near": near_points(position, seat),
        "tied-guards": only_guards(position, seat),
    }


def looms(position: Position, deed: Deed, other: Position) -> bool:
    """Whether a piece that a deed saves can be captured without revenge after another move, too."""
    (square,), then, now = deed.targets, fields_of(position), fields_of(other)
    (name,) = [name for name in NAMES if square in then[name].split(",")]
    squares = set(now[name].split(","))
    here = {square} & squares or squares - set(then[name].split(","))
    at_risk = any(here & loose(other, seat) for seat in range((position.to_move or 0) % 2, position.seats, 2))
    return at_risk and ("last" not in deed.words.say() or last_exposed(other, min(here)))


FACTS = Facts(does, has, places, looms)
