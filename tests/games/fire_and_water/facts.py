"""What is true of moves and positions of Fire & Water, by the second referee: without the code of the concepts."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator

from games.fire_and_water.referee import Referee

from empedocles.game import Deed
from empedocles.position import Position
from empedocles.testing.claims import Facts

NAMES = ("Red", "Green", "Gold", "Violet")
ELEMENTS = {"F": "fire", "W": "water"}


def after(referee: Referee, move: str) -> Referee:
    """A copy that has played a move; what never changes is shared."""
    constant = (referee.squares, referee.beside, referee.around, referee.fire)
    then = copy.deepcopy(referee, {id(part): part for part in constant})
    then.play(move)
    return then


def ahead(referee: Referee, square: str) -> int | None:
    """Who has more influence on a square than everybody else."""
    sums = referee.influence(square)
    return sums.index(max(sums)) if sums.count(max(sums)) == 1 else None


def led(referee: Referee, seat: int, empty: range) -> set[str]:
    """Squares that a seat could take but for their empty neighbours, by the number of these."""
    free = referee.squares - set(referee.tokens) - set(referee.elementals) - {referee.leaders.get(seat, "")}
    vacant = referee.empty
    return {q for q in free if len(referee.beside[q] & vacant) in empty and ahead(referee, q) == seat}


def still_plays(referee: Referee, seat: int) -> bool:
    if referee.ended or referee.last is None:
        return not referee.ended
    turns, player = [], referee.turn
    while player != referee.last:
        turns.append(player)
        player = (player + 1) % referee.players
    return seat in turns


def may(referee: Referee, seat: int, kind: str) -> set[str]:
    """Squares for moves of a kind, if it were a seat's turn."""
    then = copy.copy(referee)
    then.turn, then.revealing = seat, False
    return {move[1:] for move in then.moves() if move[0] == kind} if still_plays(referee, seat) else set()


def rivals_on_leader(referee: Referee, seat: int) -> int:
    return int(referee.has_leader(seat) and ahead(referee, referee.leaders[seat]) not in (None, seat))


def gentlest(referee: Referee, seat: int) -> set[str]:
    """Unclaimed elementals beside which a seat has the lowest sum."""
    allowed = still_plays(referee, seat) and (referee.last is None or referee.finale == "claims")
    if not allowed or (seat in referee.leaders and not referee.has_leader(seat)):
        return set()
    sums = {square: referee.touch(square) for square in referee.elementals if square not in referee.tokens}
    return {
        square
        for square, all_ in sums.items()
        if any(all_) and 0 < all_[seat] == min(n for n in all_ if n) and all_.count(all_[seat]) == 1
    }


def recounted(referee: Referee, seat: int) -> dict[str, int]:
    return {
        "tokens": 20 - 5 * (referee.players == 4) - referee.left[seat],
        "danger": rivals_on_leader(referee, seat),
        "leader": int(referee.has_leader(seat)),
        "elementals": len(gentlest(referee, seat)),
        "ready": len(may(referee, seat, "P")),
        "soon": len(led(referee, seat, range(1, 2))),
        "later": len(led(referee, seat, range(2, 5))),
        "hand": sum(int(marker[1]) + int(marker[3]) for marker in referee.shown[seat]),
    }


def located(referee: Referee, seat: int) -> dict[str, set[str]]:
    """The squares of what is counted."""
    return {
        "danger": {referee.leaders[seat]} if rivals_on_leader(referee, seat) else set(),
        "elementals": gentlest(referee, seat),
        "ready": may(referee, seat, "P"),
        "soon": led(referee, seat, range(1, 2)),
    }


def expected(before: Referee, move: str, then: Referee) -> dict[str, list[str]]:
    """What is to be said of a move, by the names of the concepts."""
    return {
        "wins": list(winning(before, then)),
        "conquests": list(conquering(before, move, then)),
        "claims": list(claiming(before, move, then)),
        "spoilt-claims": list(spoiling(before, then)),
        "last-turns": list(hastening(before, then)),
        "threats": list(threatening(before, then)),
        "rescues": list(rescuing(before, then)),
        "won-majorities": list(majorities(before, then, by_mover=True)),
        "broken-majorities": list(majorities(before, then, by_mover=False)),
        "silenced": list(silencing(before, move, then)),
    }


def whose(referee: Referee, two: str, more: str, other: int) -> str:
    return two if referee.players == 2 else more.replace("OTHER", NAMES[other])


def not_mover(referee: Referee) -> Iterator[int]:
    return (seat for seat in referee.all if seat != referee.turn)


def winning(before: Referee, then: Referee) -> Iterator[str]:
    if then.ended and then.winner() == before.turn:
        last_token = then.ended == "FW-19"
        yield "place the last token and win at once" if last_token else "take the last turn of the game and win"


def conquering(before: Referee, move: str, then: Referee) -> Iterator[str]:
    for other in not_mover(before):
        if before.has_leader(other) and not then.has_leader(other):
            mine, theirs = (then.scores()[seat] - before.scores()[seat] for seat in (before.turn, other))
            leader = whose(before, "the leader", "OTHER's leader", other)
            yield f"conquer {leader} on {move[1:]} (a swing of {mine - theirs} points)"


def claiming(before: Referee, move: str, then: Referee) -> Iterator[str]:
    if set(then.tokens) & set(then.elementals) - set(before.tokens):
        n = then.scores()[before.turn] - before.scores()[before.turn]
        yield f"claim the elemental on {move[1:]} ({n} point{'s' if n > 1 else ''})"


def spoiling(before: Referee, then: Referee) -> Iterator[str]:
    for other in not_mover(before):
        if still_plays(then, other):
            for square in may(before, other, "C") - may(then, other, "C"):
                claim = whose(before, "the claim", "OTHER's claim", other)
                yield f"spoil {claim} to the elemental on {square}"


def hastening(before: Referee, then: Referee) -> Iterator[str]:
    if before.last is None and then.last is not None and then.scores()[before.turn] == max(then.scores()):
        yield "bring on the last turns while nobody has more points"


def threatening(before: Referee, then: Referee) -> Iterator[str]:
    new = may(then, before.turn, "P") - may(before, before.turn, "P")
    for other in not_mover(before):
        if then.leaders.get(other) in new:
            leader = whose(before, "the leader", "OTHER's leader", other)
            yield f"get ready to conquer {leader} on {then.leaders[other]}"


def rescuing(before: Referee, then: Referee) -> Iterator[str]:
    seat = before.turn
    if not then.ended and rivals_on_leader(before, seat) and not rivals_on_leader(then, seat):
        yield f"bring the leader on {before.leaders[seat]} out of danger"


def majorities(before: Referee, then: Referee, by_mover: bool) -> Iterator[str]:
    for other in not_mover(before):
        for square in led(before, other, range(2)) if still_plays(then, other) else ():
            if ahead(then, square) == other or square == before.leaders.get(before.turn):
                continue
            if by_mover and ahead(then, square) == before.turn:
                yield f"win the majority on {square}{whose(before, '', ' from OTHER', other)}"
            elif not by_mover and ahead(then, square) != before.turn:
                owner = whose(before, "the", "OTHER's", other)
                yield f"break {owner} majority on {square}"


def silencing(before: Referee, move: str, then: Referee) -> Iterator[str]:
    for square in set(then.tokens) - set(before.tokens):
        owner, element, value = before.halves.get(square, (before.turn, "F", 0))
        near = before.beside[square] - set(before.tokens) - set(before.elementals)
        hears = [one for one in near if (one in before.fire) == (element == "F")]
        if owner != before.turn and still_plays(then, owner) and value * len(hears) >= 4:
            assert then.influence(hears[0])[owner] < before.influence(hears[0])[owner]
            half = whose(before, "the", "OTHER's", owner)
            yield f"silence {half} {ELEMENTS[element]} {value} on {move[1:]}"


# ── From a position ──────────────────────────────────────────────────────────────────────────────────────────────────


def referee_of(position: Position) -> Referee:
    """A second referee in the middle of a match, from the text of a position."""
    fields = dict(field.split("=", 1) for field in position.text.split()[1:])
    referee = Referee(**position.options)
    referee.elementals = _listed(fields["elementals"], ",")
    for seat in referee.all:
        _seat(referee, fields, seat)
    referee.last = None if fields["last"] == "-" else int(fields["last"])
    mover = fields["to-move"]
    if mover.isdecimal():
        referee.turn = int(mover)
    elif mover == "chance":  # whose hand is short
        referee.turn = next(seat for seat in referee.all if len(referee.shown[seat]) < 3)
        referee.revealing = bool(referee.halves)
        referee.dealing = not referee.revealing
    else:
        referee.ended = "FW-19" if 0 in referee.left else "FW-20"
    return referee


def _seat(referee: Referee, fields: dict[str, str], seat: int) -> None:
    """What a seat has on the board and in hand."""
    for fire, at, water, beside in re.findall(r"F(\d)(\w\d)W(\d)(\w\d)", fields["markers"].split("/")[seat]):
        referee.halves |= {at: (seat, "F", int(fire)), beside: (seat, "W", int(water))}
        referee.hidden[seat].remove(f"F{fire}W{water}")
    referee.shown[seat] = set(_listed(fields["hands"].split("/")[seat], ","))
    referee.hidden[seat] -= referee.shown[seat]
    if (leader := fields["leaders"].split("/")[seat]) != "-":
        referee.leaders[seat] = leader
    tokens = _listed(fields["tokens"].split("/")[seat], ",")
    referee.tokens |= dict.fromkeys(tokens, seat)
    two = {*referee.elementals, *_listed(fields["leaders"].replace("/", ","), ",")}
    referee.left[seat] -= sum(1 + (square in two) for square in tokens)
    referee.left[seat] = max(0, referee.left[seat])  # where two belong, the last one may be alone


def _listed(text: str, between: str) -> list[str]:
    return [one for one in text.split(between) if one != "-"]


def does(position: Position, move: str, concept: str, deed: Deed) -> bool:
    """Whether a move does what is said."""
    before = referee_of(position)
    return deed.words.say() in expected(before, move, after(before, move))[concept]


def has(position: Position, seat: int) -> dict[str, int]:
    return recounted(referee_of(position), seat)


def places(position: Position, seat: int) -> dict[str, set[str]]:
    return located(referee_of(position), seat)


def looms(position: Position, _deed: Deed, other: Position) -> bool:
    """Whether somebody else leads on the square of the leader after another move, too."""
    then = referee_of(other)
    return not then.ended and bool(rivals_on_leader(then, position.to_move or 0))


FACTS = Facts(does, has, places, looms)
