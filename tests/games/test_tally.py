"""The score taken apart is the score: at every moment of random games of every variant."""

from __future__ import annotations

import numpy as np
from conftest import INTERPRETED

from empedocles.core.kernel import CHANCE, State
from empedocles.game import Game, Interface
from empedocles.language import LANGUAGES
from empedocles.position import Position
from empedocles.testing.contract import check_tally

PLIES = 100 if INTERPRETED else 10_000  # of every variant: some thousand games in all, compiled
EVERY = 7  # actions between two looks at the score


def _interface(game: Game) -> Interface:
    assert game.interface
    return game.interface


def _scores(game: Game, s: State) -> list[int]:
    found = np.zeros(int(s.seats), np.int32)
    game.rules.scores(s, found)
    return [int(score) for score in found]


def _check(game: Game, s: State) -> None:
    check_tally(Position.of(game, s.copy()))


def test_what_counts_adds_up_to_the_score(game: Game) -> None:
    assert _interface(game).tally
    luck, actions = np.random.default_rng(1), np.zeros(game.max_legal, np.int16)
    for options in game.variants():
        start, plies = game.start(options), 0
        while plies < PLIES:
            s = start.copy()
            while not s.over:
                n = game.rules.legal(s, actions)
                game.rules.play(s, int(actions[luck.integers(n)]))
                plies += 1
                if plies % EVERY == 0:
                    _check(game, s)
            _check(game, s)


# How many ends of parts a match can have: two rounds; or one, if it is lost by an element.
PARTS = {"elemental-defenders": {2}, "points-of-power": {0, 1}}


def test_parts_of_a_game_that_end_are_told_and_drawn(game: Game) -> None:
    ends = _interface(game).milestone
    if ends is None:
        return
    luck, actions, told = np.random.default_rng(2), np.zeros(game.max_legal, np.int16), []
    for options in game.variants():
        s, found = game.start(options), []
        while not s.over:
            action = int(actions[luck.integers(game.rules.legal(s, actions))])
            before = s.copy()
            if milestone := (None if s.mover == CHANCE else ends(s, action)):
                found.append(milestone)
            assert s == before  # looking changes nothing
            game.rules.play(s, action)
        assert len(found) in PARTS[game.name]
        if found:
            assert _scores(game, found[-1].state) == _scores(game, s)
            assert found[-1].state == s  # the last part ends with the game
            _check(game, found[0].state)
        told += found
        for milestone in found:
            assert f"- **{milestone.rule}**" in game.rule_book()
            assert all("{" not in milestone.message.say(language) for language in LANGUAGES)
    assert told
