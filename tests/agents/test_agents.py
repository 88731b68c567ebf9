"""Agents: each chooses a legal move and says what it thinks, on one scale."""

from __future__ import annotations

import pytest

from empedocles import UnknownName, new
from empedocles.agents import AGENTS, find
from empedocles.game import Game
from empedocles.search.exact import solve
from empedocles.search.limits import Limit

LIMIT = Limit(simulations=50)


@pytest.mark.parametrize("name", list(AGENTS))
def test_agents_choose_legal_moves_and_are_repeatable(name: str, game: Game) -> None:
    position = new(game.name, seed=2).position
    move = find(name, seed=4).choose(position, LIMIT)
    assert move in position.legal_moves
    assert find(name, seed=4).choose(position, LIMIT) == move
    found = find(name, seed=4).analyse(position, LIMIT)
    assert sorted(evaluation.move for evaluation in found) == position.legal_moves


def test_where_a_game_is_solved_the_search_agent_proves() -> None:
    position = new("elemental-defenders", seed=2).position
    found = find("search").analyse(position, LIMIT)
    assert all(evaluation.proven for evaluation in found)
    assert {evaluation.move: evaluation.points for evaluation in found} == solve(position).moves
    assert {evaluation.value for evaluation in found} <= {-1, 0, 1}


def test_no_opponent_gains_against_exact_play() -> None:
    for seed in range(4):
        match = new("elemental-defenders", seed=seed)
        agents = [find("search"), find("random", seed)]
        while not match.is_over:
            assert match.to_move is not None
            match.play(agents[match.to_move].choose(match.position, LIMIT))
        assert match.result is not None
        assert match.result.scores[0] >= match.result.scores[1]


def test_unknown_agents_are_refused_with_what_exists() -> None:
    with pytest.raises(UnknownName, match="unknown agent 'hal': there are random, search"):
        find("hal")
