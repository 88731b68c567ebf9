"""Nothing is written or read outside an array, whatever a game, a position or an action number is like."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable

import numpy as np
import pytest
from engine.unruly import GAME, LENGTH

from empedocles import Batch
from empedocles.engine.perft import perft
from empedocles.engine.playout import playouts
from empedocles.errors import BrokenGame
from empedocles.game import Game
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search import mcts
from empedocles.search.limits import Limit
from empedocles.testing.samples import all_options

CANARY = -12345


def broken(fault: str) -> Position:
    return Position.start(GAME, {"fault": fault})


def in_a_match(start: Position) -> None:
    match = Match(start)
    while not match.is_over:
        match.play(match.legal_moves[0])


def in_playouts(start: Position) -> None:
    playouts(start, 3)


def in_perft(start: Position) -> None:
    perft(start, 5)


def in_a_tree(start: Position) -> None:
    mcts.search(start, Limit(simulations=300))


def in_a_batch(start: Position) -> None:
    batch = Batch(start, 3, seed=1)
    for _ in range(2 * LENGTH):
        _ = batch.legal_mask
        batch.step(batch.random_actions())


WAYS = (in_a_match, in_playouts, in_perft, in_a_tree, in_a_batch)


@pytest.mark.parametrize("way", WAYS)
def test_a_game_that_keeps_its_promises_is_played(way: Callable[[Position], None]) -> None:
    way(broken("none"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", ["written", "listed", "read"])
def test_a_list_too_long_or_an_index_outside_names_the_game(way: Callable[[Position], None], fault: str) -> None:
    with pytest.raises(BrokenGame, match="the rules of unruly are broken"):
        way(broken(fault))


def test_a_list_too_long_names_the_bound() -> None:
    position = broken("listed").play("a").play("a")
    with pytest.raises(BrokenGame, match="1000 legal moves, max_legal is 4, in unruly fault=listed plies=2"):
        _ = position.legal_moves


@pytest.mark.parametrize("way", [in_playouts, in_perft, in_a_tree, in_a_batch])
@pytest.mark.parametrize("fault", ["mover", "empty"])
def test_a_turn_of_nobody_or_without_moves_is_told(way: Callable[[Position], None], fault: str) -> None:
    with pytest.raises(BrokenGame, match="max_legal=4"):
        way(broken(fault))


@pytest.mark.parametrize("way", [in_playouts, in_a_tree, in_a_batch])
def test_a_number_that_is_no_action_harms_nothing(way: Callable[[Position], None]) -> None:
    with contextlib.suppress(BrokenGame):  # said where the number has to become a move
        way(broken("action"))


# ── Our own games ────────────────────────────────────────────────────────────────────────────────────────────────────


def positions(game: Game, options: dict[str, object], matches: int) -> list[Position]:
    found = []
    for seed in range(matches):
        match, luck = Match(Position.start(game, options), seed=seed), random.Random(seed)
        while not match.is_over:
            match.play(luck.choice(match.legal_moves))
        found += luck.sample(match.positions(), min(8, match.plies))
    return found


def test_a_buffer_of_any_size_is_filled_to_its_end_at_most(game: Game) -> None:
    for options in all_options(game):
        for position in positions(game, options, 2):
            actions = position.legal_actions
            for size in {1, len(actions) // 3, len(actions) // 2, max(1, len(actions) - 1), len(actions)} - {0}:
                memory = np.full(game.max_legal + 8, CANARY, np.int16)
                assert game.rules.legal(position.state, memory[:size]) == len(actions)
                assert (memory[size:] == CANARY).all()
                if size == len(actions):
                    assert sorted(memory[:size].tolist()) == actions


def test_any_action_number_stays_inside_the_state(game: Game) -> None:
    """Interpreted, where NumPy checks every index; `step(check=False)` leaves such states behind."""
    out, worths = np.empty(game.max_legal, np.int16), np.zeros(4, np.float32)
    for options in all_options(game):
        luck = random.Random(5)
        for position in positions(game, options, 1):
            state = position.state
            for action in (0, game.n_actions - 1, *(luck.randrange(game.n_actions) for _ in range(12))):
                game.rules.play(state, action)
                n = game.rules.legal(state, out)
                assert n >= 0
                game.rules.returns(state, worths)
                game.rules.key(state)


def test_numbers_that_are_no_actions_are_ignored_unchecked(game: Game) -> None:
    batch = Batch(Position.start(game), 4, seed=3)
    before = [batch[i] for i in range(4)]
    batch.step(np.array([game.n_actions, 2**40, -7, 32_767 + game.n_actions]), check=False)
    assert [batch[i] for i in range(4)] == before
