"""Where a review begins: with the moves that cost most, by glances that leave time for the review itself."""

from __future__ import annotations

from typing import Any

import pytest

from empedocles.agents import LadderAgent, SearchAgent
from empedocles.play import turning
from empedocles.play.analysis import Remark, remark
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit
from empedocles.server.workers.jobs import turning_view

QUICKLY, CLOSELY = Limit(simulations=200), Limit(simulations=5000)
SOON = 4  # moves that are looked at closely within a few seconds


def played(game: str, options: dict[str, Any], levels: tuple[int, ...], seed: int, moves: int = 60) -> Match:
    match = Match(Position.start(game, options), seed=seed)
    players = [LadderAgent(level, seed) for level in levels]
    while match.to_move is not None and len(match.moves) < moves:
        match.play(players[match.to_move].choose(match.position, QUICKLY))
    return match


@pytest.mark.parametrize(("seats", "levels"), [(4, (5, 6, 5, 6)), (2, (6, 6))])
def test_the_first_suspects_cost_something_even_where_hardly_any_move_does(seats: int, levels: tuple[int, ...]) -> None:
    match = played("points-of-power", {"players": seats}, levels, seed=20)
    order = turning.suspects(match, range(match.plies), seconds=60)
    assert sorted(order) == list(range(match.plies))
    looked = [remark(match.at(ply), ply, match.move(ply + 1), SearchAgent(), CLOSELY) for ply in order[:SOON]]
    assert any(one.is_worth_a_word for one in looked)


def test_whoever_was_behind_all_the_time_is_told_the_costliest_move() -> None:
    match = Match(Position.start("ignite-and-flow", {})).play("Fc3").play("Fc4").play("Fd3")

    def fell(ply: int, before: float, after: float) -> Remark:
        return Remark(ply, ply % 2, Evaluation(match.move(ply + 1), after), Evaluation("Ec3", before))

    slight, lost, turned = fell(0, -0.1, -0.15), fell(1, -0.1, -1), fell(2, 0.3, -0.2)
    assert turning.weightiest([slight], match.position) is None
    assert turning.weightiest([slight, lost], match.position) is lost
    assert turning.weightiest([slight, lost, turned], match.position) is turned
    assert [turning_view(match.at(one.ply), one, "en")["turned"] for one in (lost, turned)] == [False, True]


def test_without_time_moves_are_looked_at_as_they_were_played() -> None:
    match = played("points-of-power", {"players": 2}, (1, 1), seed=1, moves=6)
    assert turning.suspects(match, range(6), seconds=0) == list(range(6))
