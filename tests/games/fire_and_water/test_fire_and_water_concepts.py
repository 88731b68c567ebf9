"""The concepts of Fire & Water: whatever is said of a move or a position, the second referee says as well."""

from __future__ import annotations

import pytest
from conftest import INTERPRETED
from games.fire_and_water.facts import NAMES, after, expected, located, recounted, referee_of
from games.fire_and_water.referee import Referee

from empedocles.game import Deed
from empedocles.games.fire_and_water import GAME
from empedocles.games.fire_and_water.moves import advised
from empedocles.language import Message, Number
from empedocles.position import Position
from empedocles.testing.samples import random_match

IDEAS = {idea.name: idea for idea in GAME.concepts}
SEEDS = range(1 if INTERPRETED else 2)  # matches with each combination of options


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
    if len(referee.elementals) == 3 and not referee.ended:
        read = referee_of(position)
        assert vars(read) == {**vars(referee), "elementals": read.elementals}
        assert set(read.elementals) == set(referee.elementals)
    for seat in range(position.seats):
        for name, squares in located(referee, seat).items():
            assert (find := IDEAS[name].places)
            assert set(find(position.state, seat)) == squares, (position.text, seat, name)
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
