"""What is true of moves and positions of Ignite and Flow, by the referee: without the code of the concepts."""

from __future__ import annotations

from games.ignite_and_flow.referee import ORTHOGONAL, Referee, Square, name, near

from empedocles import Position
from empedocles.game import Deed
from empedocles.testing.claims import Facts

# ── What positions have ───────────────────────────────────────────────────────────────────────────────────────────────


def land(referee: Referee, seat: int) -> set[Square]:
    """IF-17."""
    return {square for square in referee.holding("E") if referee.owners(square) == {seat}}


def heated(referee: Referee) -> set[Square]:
    return {square for fire in referee.holding("F") for square in near(fire, ORTHOGONAL)}


def standing(referee: Referee, seat: int) -> set[Square]:
    return {square for square, owner in referee.temples.items() if owner == seat}


def can_found(referee: Referee, seat: int) -> bool:
    return len(standing(referee, seat)) + referee.taken[1 - seat] < 3


def reactive(referee: Referee) -> set[Square]:
    """IF-10."""
    pairs = [("F", "W"), ("W", "F")]
    return {
        square
        for one, other in pairs
        for square in referee.holding(one)
        if near(square, referee.reacting) & referee.holding(other)
    }


def shore(squares: set[Square]) -> set[Square]:
    return {other for square in squares for other in near(square, ORTHOGONAL)}


def contact(referee: Referee, seat: int) -> int:
    mine, theirs = land(referee, seat), land(referee, 1 - seat)
    meeting = shore(mine) & shore(theirs) & (referee.empty | reactive(referee))
    return len(mine) if meeting else 0


def prospects(referee: Referee, seat: int) -> set[Square]:
    return shore(land(referee, seat)) & reactive(referee)


def unowned(referee: Referee, seat: int) -> set[Square]:
    free = {square for square in referee.holding("E") if not referee.owners(square)}
    return free if can_found(referee, seat) else set()


def recounted(referee: Referee, seat: int) -> dict[str, int]:
    return {
        "temples": 3 - referee.taken[1 - seat],
        "threatened-temple": len(standing(referee, seat) & heated(referee)),
        "land": len(land(referee, seat)),
        "exposed-land": len(land(referee, seat) & heated(referee)),
        "prospects": len(prospects(referee, seat)),
        "unowned-earth": len(unowned(referee, seat)),
        "contact": contact(referee, seat),
    }


# ── What moves do ─────────────────────────────────────────────────────────────────────────────────────────────────────


def played(position: Position, move: str) -> Referee:
    referee = Referee(position.text)
    referee.play(move)
    return referee


def expected(before: Referee, after: Referee) -> dict[str, tuple[int | None, set[Square]]]:
    """By concept: the number that is said, and the squares it is about."""
    seat, other = before.mover, 1 - before.mover
    burnt, new = standing(before, other) - standing(after, other), standing(after, seat) - standing(before, seat)
    won, lost = len(land(after, seat)) - len(land(before, seat)), len(land(before, other)) - len(land(after, other))
    found: dict[str, tuple[int | None, set[Square]]] = {}
    if burnt:
        found["burnt-temple"] = (4, burnt)
    if new and won > 1:
        found["new-temple"] = (won, new)
    if won > 1 and standing(after, seat) == standing(before, seat):
        found["grown-land"] = (won, land(after, seat) - land(before, seat))
    if lost > 1 and standing(after, other) == standing(before, other):
        found["ruined-land"] = (lost, land(before, other) - land(after, other))
    return found


def does(position: Position, move: str, concept: str, deed: Deed) -> bool:
    """Whether a move does what is said."""
    before, after = Referee(position.text), played(position, move)
    number, squares = expected(before, after).get(concept, (None, set()))
    is_told_rightly = concept != "ruined-land" or deed.words.say().startswith(how_land_was_ruined(before, after))
    is_last = not standing(after, 1 - before.mover) and after.taken[before.mover] == 3
    return (
        deed.words.values["n"] == number
        and set(deed.targets) <= {name(square) for square in squares}
        and (concept != "burnt-temple" or deed.words.say().startswith("burn the last temple") == is_last)
        and is_told_rightly
    )


def how_land_was_ruined(before: Referee, after: Referee) -> str:
    gone = land(before, 1 - before.mover) - land(after, 1 - before.mover)
    shared = {square for square in gone & after.holding("E") if after.owners(square) == {0, 1}}
    return "join" if shared == gone else "cut off"


def has(position: Position, seat: int) -> dict[str, int]:
    return recounted(Referee(position.text), seat)


def places(position: Position, seat: int) -> dict[str, set[str]]:
    referee = Referee(position.text)
    found = {
        "threatened-temple": standing(referee, seat) & heated(referee),
        "prospects": prospects(referee, seat),
        "unowned-earth": unowned(referee, seat),
    }
    return {concept: {name(square) for square in squares} for concept, squares in found.items()}


FACTS = Facts(does, has, places)
