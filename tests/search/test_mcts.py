"""Monte-Carlo tree search: repeatable, within its limits, and better than chance."""

from __future__ import annotations

import numpy as np
import pytest

from empedocles import BadValue, Position, Result, new
from empedocles.agents import RandomAgent, SearchAgent
from empedocles.game import Game
from empedocles.search.limits import Limit
from empedocles.search.mcts import AT_ONCE, search
from empedocles.testing.sampling import all_options, random_match


def test_same_seed_and_simulations_give_the_same_answer(game: Game) -> None:
    for options in all_options(game):
        position = new(game.name, seed=3, **options).position
        one, two = (search(position, Limit(simulations=200), seed=5) for _ in range(2))
        assert one == two
        assert one != search(position, Limit(simulations=200), seed=6)


def test_every_legal_move_is_evaluated_and_visits_add_up(game: Game) -> None:
    position = new(game.name, seed=3).position
    found = search(position, Limit(simulations=300))
    assert sorted(evaluation.move for evaluation in found) == position.legal_moves
    assert sum(evaluation.visits for evaluation in found) == 300
    assert all(-1 <= evaluation.value <= 1 for evaluation in found)
    after = position
    for move in found[0].line:
        after = after.play(move)  # a line is playable, chance moves included


def test_chance_nodes_are_drawn_from(game: Game) -> None:
    start = new(game.name, chance="manual").position
    if start.to_move == -1:
        visits = [evaluation.visits for evaluation in search(start, Limit(simulations=2000))]
        assert min(visits) > 0.5 * np.mean(visits)


def test_a_node_limit_is_kept() -> None:
    position = new("ignite-and-flow").position
    small = search(position, Limit(simulations=2000), nodes=4000)
    assert sum(evaluation.visits for evaluation in small) == 2000
    with pytest.raises(BadValue, match="a tree needs more than"):
        search(position, Limit(simulations=10), nodes=100)


def test_a_time_limit_is_kept() -> None:
    found = search(new("ignite-and-flow").position, Limit(seconds=0.05))
    assert sum(evaluation.visits for evaluation in found) >= AT_ONCE


def test_a_win_in_one_move_is_found() -> None:
    position = Position(
        "points-of-power fire=f2,f4,f8,f10,i5 air=k1,e1 earth=b6,d6,h6,a5 water=a11,d11 quiet=0 to-move=0"
    )
    best = search(position, Limit(simulations=400))[0]
    assert best.value == 1
    assert position.play(best.move).result == Result((1, 0), frozenset({0})), "i5-j6 and f2xe1 win at once"


@pytest.mark.parametrize("name", ["fire-and-water", "ignite-and-flow"])
def test_search_beats_chance(name: str) -> None:
    won = 0
    for seed in range(6):
        match = new(name, seed=seed)
        agents = [SearchAgent(seed), RandomAgent(seed)]
        while not match.is_over:
            seat = match.to_move
            assert seat is not None
            match.play(agents[seat ^ seed % 2].choose(match.position, Limit(simulations=150)))
        assert match.result is not None
        won += seed % 2 in match.result.winners
    assert won >= 5


def test_finished_games_and_bad_limits_are_refused(game: Game) -> None:
    with pytest.raises(BadValue, match="the game is over"):
        search(random_match(game, all_options(game)[0], seed=1).position, Limit(simulations=10))
    for wrong in ({}, {"seconds": 0}, {"simulations": -1}, {"seconds": "1"}, {"simulations": True}):
        with pytest.raises(BadValue, match="a limit"):
            Limit(**wrong)
