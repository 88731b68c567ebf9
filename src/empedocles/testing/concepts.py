"""What the coach relies on, checked for any game: `check_concepts(GAME)` in a game's own tests.

Whether a sentence is true only the rule book can say: count it again in a test of your own.
"""

from __future__ import annotations

from empedocles.coach.lines import deeds
from empedocles.core.kernel import CHANCE
from empedocles.game import Game, Idea
from empedocles.language import LANGUAGES
from empedocles.position import Position
from empedocles.testing.samples import random_positions


def check_concepts(game: Game, positions: int = 60) -> None:
    """Everything below."""
    names = [idea.name for idea in game.concepts]
    assert len(set(names)) == len(names)
    assert set(game.dangers) <= {idea.name for idea in game.concepts if idea.deeds}
    for idea in game.concepts:
        assert idea.title
        assert idea.deeds or idea.measure, f"{idea.name} speaks neither of moves nor of positions"
        assert not idea.deeds or idea.do, f"{idea.name} says nothing that one could do"
        assert not idea.measure or (idea.words and idea.worth), f"{idea.name} has no words, or no worth"
    for position in random_positions(game, positions):
        check_deeds(position)
        for idea in game.concepts:
            check_measure(position, idea)


def check_deeds(position: Position, moves: int = 20) -> None:
    """Deeds can be said, are worth something to the mover, and are done to somebody else."""
    if position.to_move == CHANCE:
        return
    for action in position.legal_actions[:moves]:
        before = position.state
        for idea, deed in deeds(position, action):
            assert all("{" not in deed.words.say(language) for language in LANGUAGES)
            assert deed.worth > 0, f"{idea.name} in {position!r}"
            assert deed.victim is None or deed.victim in set(range(position.seats)) - {position.to_move}
        assert before.tobytes() == position.state.tobytes()


def check_measure(position: Position, idea: Idea) -> None:
    """What a seat has is a number from 0, and can be said; it is in as many places."""
    if not idea.measure or not idea.words:
        return
    for seat in range(position.seats):
        state = position.state
        number = int(idea.measure(state, seat))
        assert number >= 0
        assert all("{" not in idea.words(number).say(language) for language in LANGUAGES)
        assert not idea.places or len(idea.places(state, seat)) == number, f"{idea.name} in {position!r}"
        assert state.tobytes() == position.state.tobytes()
