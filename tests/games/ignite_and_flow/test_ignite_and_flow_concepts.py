"""What is said about moves and positions of Ignite and Flow, against the referee."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from games.ignite_and_flow.facts import does, expected, has, how_land_was_ruined, places, played
from games.ignite_and_flow.referee import Referee

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


@pytest.mark.parametrize("number", range(4))
def test_measures_are_what_one_counts(number: int) -> None:
    for position, _move, _after in SAMPLES[number::4]:
        for seat in range(2):
            found = {name: int(idea.measure(position.state, seat)) for name, idea in MEASURES.items() if idea.measure}
            assert found == has(position, seat), (position.text, seat)
            where = {name: set(idea.places(position.state, seat)) for name, idea in MEASURES.items() if idea.places}
            assert where == places(position, seat)


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


def test_whatever_is_said_of_a_move_is_true_and_all_of_it_is_said() -> None:
    seen = set()
    for position, move, after in SAMPLES:
        said = list(told(position, move, after))
        facts = expected(Referee(position.text), played(position, move))
        assert {name for name, _ in said} == set(facts), (position.text, move)
        for concept, deed in said:
            assert does(position, move, concept, deed), (position.text, move)
            assert deed.worth > 0
        seen |= set(facts)
    assert seen == {name for name, idea in IDEAS.items() if idea.deeds}


def test_how_land_was_ruined_is_said_as_it_was() -> None:
    for position, move, after in SAMPLES:
        before, then = Referee(position.text), played(position, move)
        for concept, deed in told(position, move, after):
            if concept == "ruined-land":
                assert deed.words.say().startswith(how_land_was_ruined(before, then)), (position.text, move)


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
