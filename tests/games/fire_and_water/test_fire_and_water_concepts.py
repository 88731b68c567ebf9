"""The concepts of Fire & Water: whatever is said of a move or a position, the second referee says as well."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import pytest
from conftest import INTERPRETED
from games.fire_and_water.referee import Referee

from empedocles.game import Deed
from empedocles.games.fire_and_water import GAME
from empedocles.games.fire_and_water.moves import advised
from empedocles.language import Message, Number
from empedocles.position import Position
from empedocles.testing.samples import random_match

IDEAS = {idea.name: idea for idea in GAME.concepts}
NAMES = ("Red", "Green", "Gold", "Violet")
ELEMENTS = {"F": "fire", "W": "water"}
SEEDS = range(1 if INTERPRETED else 2)  # matches with each combination of options


# ── What the second referee says ─────────────────────────────────────────────────────────────────────────────────────


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


def gentlest(referee: Referee, seat: int) -> int:
    """Unclaimed elementals beside which a seat has the lowest sum."""
    allowed = still_plays(referee, seat) and (referee.last is None or referee.finale == "claims")
    if not allowed or (seat in referee.leaders and not referee.has_leader(seat)):
        return 0
    sums = [referee.touch(square) for square in referee.elementals if square not in referee.tokens]
    return sum(
        0 < all_[seat] == min(n for n in all_ if n) and all_.count(all_[seat]) == 1 for all_ in sums if any(all_)
    )


def recounted(referee: Referee, seat: int) -> dict[str, int]:
    return {
        "tokens": 20 - 5 * (referee.players == 4) - referee.left[seat],
        "danger": rivals_on_leader(referee, seat),
        "leader": int(referee.has_leader(seat)),
        "elementals": gentlest(referee, seat),
        "ready": len(may(referee, seat, "P")),
        "soon": len(led(referee, seat, range(1, 2))),
        "later": len(led(referee, seat, range(2, 5))),
        "hand": sum(int(marker[1]) + int(marker[3]) for marker in referee.shown[seat]),
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


# ── Random matches ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_whatever_is_said_is_true_and_all_of_it_is_said() -> None:
    seen: set[str] = set()
    for options in GAME.variants():
        for seed in SEEDS:
            seen |= compare(options, seed)
    assert INTERPRETED or seen >= set(IDEAS) - {"rescues"}  # which are rare: see the known ones below


def compare(options: dict[str, object], seed: int) -> set[str]:
    """Go through a match with both referees. Returns the concepts that came up."""
    match = random_match(GAME, dict(options), seed)
    referee, seen = Referee(**options), set()  # type: ignore[arg-type]
    for k, (position, move) in enumerate(zip(match.positions(), match.moves, strict=False)):
        then = after(referee, move)
        if move[0] in "FLPCp" and (move[0] in "PCp" or k % 6 == 0 or then.last is not None):
            seen |= compare_deeds(position, move, expected(referee, move, then))
        if k % 15 == 0 or then.last is not None:
            seen |= compare_measures(position.play(move), then)
        referee = then
    return seen


def compare_deeds(position: Position, move: str, all_said: dict[str, list[str]]) -> set[str]:
    deeds = all_deeds(position, move)
    for name, said in all_said.items():
        assert sorted(deed.words.say() for deed in deeds[name]) == sorted(said), (position.text, move, name)
        for deed in deeds[name]:
            check_deed(position, deed)
    return {name for name, said in all_said.items() if said}


def all_deeds(position: Position, move: str) -> dict[str, list[Deed]]:
    """By the names of the concepts."""
    before, action, then = position.state, position.action(move), position.play(move).state
    found = {idea.name: list(idea.deeds(before, action, then)) for idea in GAME.concepts if idea.deeds}
    assert before.tobytes() == position.state.tobytes()
    return found


def check_deed(position: Position, deed: Deed) -> None:
    words = deed.words.say()
    assert deed.worth > 0
    assert deed.victim is None or deed.victim in set(range(position.seats)) - {position.to_move}
    assert "{" not in words
    assert all(target in words or "win" in words for target in deed.targets)
    named = [name for name in NAMES if name in words]
    assert named == ([] if position.seats == 2 or deed.victim is None else [NAMES[deed.victim]])


def compare_measures(position: Position, referee: Referee) -> set[str]:
    seen = set()
    for seat in range(position.seats):
        for name, number in recounted(referee, seat).items():
            idea = IDEAS[name]
            assert idea.measure
            assert idea.words
            assert idea.measure(position.state, seat) == number, (position.text, seat, name)
            said = idea.words(number).say()
            counts = {str(number), "one" if number == 1 else Message("{n}", {"n": Number(number)}).say()}
            assert said.startswith("no") if not number else counts & set(said.split()) or said.startswith("a leader")
            seen |= {name} if number else set()
    return seen


# ── Each concept once ────────────────────────────────────────────────────────────────────────────────────────────────

BOARD = "fire-and-water board=chessboard"
# Around e5, a water square: 3 and 1 of Red, 2 and 3 of Green
STAR = f"{BOARD} markers=F1e7W3e6,F1g5W1f5/F1e3W2e4,F2c5W3d5 hands=F4W1,F4W3,F4W4/F1W1,F4W3,F4W4"
TURN = f"{STAR} elementals=b2,b7,g2"
HANDS = "hands=F4W1,F4W3,F4W4/F1W3,F4W2,F4W4"
# Around e5, with e6 empty: 1 of Red; 1 or 2, and 3 of Green
GAP = f"{BOARD} elementals=b2,b7,g2 {HANDS} to-move=0 markers=F1g5W1f5"
WEAK_GREEN, STRONG_GREEN = "F1e3W1e4,F2c5W3d5", "F1e3W2e4,F2c5W3d5"
# On e5, a fire 4 of Green, with 6 of Red around and 1 of Green
LOUD = f"{BOARD} elementals=b2,b7,g2 {HANDS} to-move=0 markers=F1e7W3e6,F1g5W1f5,F2c5W2d5/F4e5W1e4"
# Red could claim e5, and Green conquer h2
CLAIMANT = (
    f"{BOARD} elementals=b2,b7,e5 leaders=h2/- to-move=1 hands=F4W1,F4W2,F4W4/F1W1,F4W2,F4W4"
    " markers=F1e7W3e6,F1g5W1f5,F2h1W2g1/F1e3W2e4,F2c5W3d5,F2h4W2h3,F4g3W3g2"
)


@pytest.mark.parametrize(
    ("position", "move", "name", "words"),
    [
        (f"{TURN} leaders=e5/- to-move=1", "Pe5", "conquests", "conquer the leader on e5 (a swing of 4 points)"),
        (f"{STAR} elementals=b2,b7,e5 leaders=h2/- to-move=0", "Ce5", "claims", "claim the elemental on e5 (2 points)"),
        (CLAIMANT, "Ph2", "spoilt-claims", "spoil the claim to the elemental on e5"),
        (f"{GAP}/{WEAK_GREEN} leaders=-/e5", "F4e7W4e6", "threats", "get ready to conquer the leader on e5"),
        (f"{GAP}/{WEAK_GREEN} leaders=e5/-", "F4e7W4e6", "rescues", "bring the leader on e5 out of danger"),
        (f"{GAP}/{WEAK_GREEN}", "F4e7W4e6", "won-majorities", "win the majority on e5"),
        (f"{GAP}/{STRONG_GREEN}", "F4e7W4e6", "broken-majorities", "break the majority on e5"),
        (LOUD, "Pe5", "silenced", "silence the fire 4 on e5"),
    ],
)
def test_known_deeds(position: str, move: str, name: str, words: str) -> None:
    (deed,) = all_deeds(Position(position), move)[name]
    assert deed.words.say() == words
    assert all(target in words for target in deed.targets)


def test_measures_of_a_known_position() -> None:
    position = Position(f"{TURN} leaders=e5/- to-move=1")
    found = {
        idea.name: [idea.measure(position.state, seat) for seat in range(2)] for idea in GAME.concepts if idea.measure
    }
    assert found["ready"] == [0, 1]  # e5, for Green
    assert found["danger"] == found["leader"] == [1, 0]
    assert found["hand"] == [5 + 7 + 8, 2 + 7 + 8]


@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        (f"{BOARD} elementals=c3 to-move=1", "Ee5", "place an elemental on e5"),
        (f"{TURN} to-move=0", "F4c3W3c4", "lay fire 4 on c3 and water 3 on c4"),
        (f"{TURN} to-move=1", "Lb5", "place the leader on b5"),
        (f"{TURN} to-move=1", "Pe5", "take possession of e5"),
        (f"{TURN} leaders=e5/- to-move=1", "Pe5", "conquer Red's leader on e5"),
        (f"{STAR} elementals=b2,b7,e5 leaders=h2/- to-move=0", "Ce5", "claim the elemental on e5"),
        (f"{TURN} to-move=1", "pass", "pass"),
        (
            f"{BOARD} elementals=b2,b7,g2 hands=F1W1/- to-move=chance",
            "+F4W3",
            "Red's marker fire 4, water 3 is revealed",
        ),
    ],
)
def test_advised_moves_are_infinitives(position: str, move: str, words: str) -> None:
    assert advised(Position(position).state, GAME.action_of[move]).say() == words


def test_one_and_many_differ() -> None:
    for idea in GAME.concepts:
        if idea.words and idea.name not in ("hand", "danger", "leader"):  # which are not counted one by one
            assert idea.words(1).say() != idea.words(2).say().replace("two", "one")
