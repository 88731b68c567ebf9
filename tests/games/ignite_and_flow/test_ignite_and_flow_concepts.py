"""What is said about moves and positions of Ignite and Flow, against the referee."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from games.ignite_and_flow.referee import ORTHOGONAL, Referee, Square, name, near

from empedocles import Position
from empedocles.game import Deed
from empedocles.games.ignite_and_flow import GAME
from empedocles.testing.samples import random_match

IDEAS = {idea.name: idea for idea in GAME.concepts}
MEASURES = {name: idea for name, idea in IDEAS.items() if idea.measure}


def samples() -> Iterator[tuple[Position, str, Position]]:
    """Moves of random matches with every combination of options."""
    for seed, options in enumerate(GAME.variants()):
        match = random_match(GAME, options, seed)
        for ply in range(0, match.plies, 3):
            yield match.at(ply), match.move(ply + 1), match.at(ply + 1)


SAMPLES = list(samples())


# ── Counted again ────────────────────────────────────────────────────────────────────────────────────────────────────


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


def recounted(referee: Referee, seat: int) -> dict[str, int]:
    unowned = {square for square in referee.holding("E") if not referee.owners(square)}
    return {
        "temples": 3 - referee.taken[1 - seat],
        "threatened-temple": len(standing(referee, seat) & heated(referee)),
        "land": len(land(referee, seat)),
        "exposed-land": len(land(referee, seat) & heated(referee)),
        "prospects": len(shore(land(referee, seat)) & reactive(referee)),
        "unowned-earth": len(unowned) if can_found(referee, seat) else 0,
        "contact": contact(referee, seat),
    }


@pytest.mark.parametrize("number", range(4))
def test_measures_are_what_one_counts(number: int) -> None:
    for position, _move, _after in SAMPLES[number::4]:
        referee = Referee(position.text)
        for seat in range(2):
            found = {name: int(idea.measure(position.state, seat)) for name, idea in MEASURES.items() if idea.measure}
            assert found == recounted(referee, seat), (position.text, seat)


@pytest.mark.parametrize("name", MEASURES)
def test_measures_are_said_in_words(name: str) -> None:
    words = IDEAS[name].words
    assert words
    none, one, some = (words(n).say() for n in range(3))
    assert none.startswith("no ")
    assert one.startswith("one ")
    assert some.startswith("two ")


# ── What moves do ────────────────────────────────────────────────────────────────────────────────────────────────────


def told(position: Position, move: str, after: Position) -> Iterator[tuple[str, Deed]]:
    action = position.action(move)
    for idea in GAME.concepts:
        for deed in idea.deeds(position.state, action, after.state) if idea.deeds else ():
            yield idea.name, deed


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


def test_whatever_is_said_of_a_move_is_true_and_all_of_it_is_said() -> None:
    seen = set()
    for position, move, after in SAMPLES:
        said = list(told(position, move, after))
        facts = expected(Referee(position.text), played(position, move))
        assert {name for name, _ in said} == set(facts), (position.text, move)
        for concept, deed in said:
            number, squares = facts[concept]
            assert deed.words.values["n"] == number
            assert set(deed.targets) <= {name(square) for square in squares}
            assert deed.worth > 0
        seen |= set(facts)
    assert seen == {name for name, idea in IDEAS.items() if idea.deeds}


def test_how_land_was_ruined_is_said_as_it_was() -> None:
    for position, move, after in SAMPLES:
        before, then = Referee(position.text), played(position, move)
        for concept, deed in told(position, move, after):
            if concept == "ruined-land":
                gone = land(before, 1 - before.mover) - land(then, 1 - before.mover)
                shared = {square for square in gone & then.holding("E") if then.owners(square) == {0, 1}}
                assert deed.words.say().startswith("join" if shared == gone else "cut off"), (position.text, move)


@pytest.mark.parametrize(
    ("board", "taken", "move", "words"),
    [
        ("6/6/2tF2/6/6/6", "0/0", "Fd4>c4", "burn the temple on c4 (4 points)"),
        ("6/6/2tF2/6/6/6", "2/0", "Fd4>c4", "burn the last temple, on c4 (4 points)"),
        ("6/6/6/6/1F4/tEE3", "0/0", "Fb2>b1", "cut off two squares of land"),
        ("6/6/6/6/6/tE1T2", "0/0", "Ec1", "join landmasses, making two squares count for nobody"),
    ],
)
def test_what_moves_do_to_the_other(board: str, taken: str, move: str, words: str) -> None:
    position = Position(f"ignite-and-flow reactions=all board={board} taken={taken} quiet=0 due=action to-move=0")
    assert [deed.words.say() for _, deed in told(position, move, position.play(move))] == [words]
