"""Monte-Carlo tree search: repeatable, within its limits, honest about proofs, better than chance."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import numpy.typing as npt
import pytest

from empedocles import BadValue, Position, Result, new
from empedocles.agents import RandomAgent, SearchAgent
from empedocles.core.kernel import NO_WEIGHTS, Weights
from empedocles.game import Game, Style
from empedocles.search.exact import solve
from empedocles.search.limits import Evaluation, Limit
from empedocles.search.mcts import AT_ONCE, Search, search, simulate
from empedocles.search.tree import ROOT, UNIT, children_of
from empedocles.search.weakness import error
from empedocles.testing.samples import all_options, random_match

PLAIN = Style(rollouts=True)
WON = "points-of-power fire=f2,f4,f8,f10,i5 air=k1,e1 earth=b6,d6,h6,a5 water=a11,d11 quiet=0 to-move=0"


def plain(position: Position, simulations: int, seed: int = 0) -> Search:
    """A search by random games alone."""
    looking = Search(position, seed, PLAIN)
    looking.run(Limit(simulations=simulations))
    return looking


def test_same_seed_and_simulations_give_the_same_answer(game: Game) -> None:
    for options in all_options(game):
        position = new(game.name, seed=3, **options).position
        one, two, other = (plain(position, 200, seed).evaluations() for seed in (5, 5, 6))
        assert one == two
        assert one != other
        assert search(position, Limit(simulations=100)) == search(position, Limit(simulations=100))


def test_every_legal_move_is_evaluated_and_visits_add_up(game: Game) -> None:
    position = new(game.name, seed=3).position
    for found in (search(position, Limit(simulations=300)), plain(position, 300).evaluations()):
        assert sorted(evaluation.move for evaluation in found) == position.legal_moves
        # With an evaluation, the first simulation ends in the root.
        assert sum(evaluation.visits for evaluation in found) in (299, 300)
        assert all(-1 <= evaluation.value <= 1 for evaluation in found)
        after = position
        for move in found[0].line:
            after = after.play(move)  # a line is playable, chance moves included


def test_chance_nodes_are_drawn_from(game: Game) -> None:
    start = new(game.name, chance="manual").position
    if start.to_move == -1:
        visits = [evaluation.visits for evaluation in plain(start, 2000).evaluations()]
        assert min(visits) > 0.5 * np.mean(visits)


def test_a_node_limit_is_kept() -> None:
    position = new("ignite-and-flow").position
    for style in (PLAIN, None):
        looking = Search(position, style=style, nodes=4000)
        looking.run(Limit(simulations=2000))
        assert sum(evaluation.visits for evaluation in looking.evaluations()) in (1999, 2000)
        assert looking.tree.size[0] <= 4000
    with pytest.raises(BadValue, match="a tree needs more than"):
        Search(position, nodes=100)


def test_a_time_limit_is_kept() -> None:
    search(new("ignite-and-flow").position, Limit(simulations=1))  # compile before the clock runs
    begin = time.perf_counter()
    found = search(new("ignite-and-flow").position, Limit(seconds=0.05))
    assert time.perf_counter() - begin < 2
    assert sum(evaluation.visits for evaluation in found) >= AT_ONCE - 1


def test_a_search_can_be_stopped_asked_and_continued() -> None:
    looking, stop = Search(new("ignite-and-flow").position), threading.Event()
    thinking = threading.Thread(target=looking.run, args=(Limit(seconds=60), stop))
    thinking.start()
    while looking.done < 200:
        time.sleep(0.01)
    assert looking.evaluations()[0].visits > 0, "it answers while it thinks"
    stop.set()
    thinking.join(timeout=10)
    assert not thinking.is_alive()
    before = looking.tree.visits[ROOT]
    looking.run(Limit(simulations=100))
    assert looking.tree.visits[ROOT] == before + 100


@pytest.mark.parametrize("style", [PLAIN, None])
def test_a_search_in_pieces_makes_the_same_tree(style: Style | None) -> None:
    """However many simulations there are between two looks at the clock, and when the root is settled between them."""
    for position in (new("points-of-power").position, Position(WON)):
        whole, pieces = Search(position, style=style), Search(position, style=style)
        whole.run(Limit(simulations=2000))
        for _ in range(100):
            pieces.run(Limit(simulations=20))
        for one, other in zip(whole.tree, pieces.tree, strict=True):
            np.testing.assert_array_equal(one, other)


def test_two_threads_share_one_tree_and_lose_nothing(game: Game) -> None:
    position = new(game.name, seed=3).position
    for style in (PLAIN, None):
        looking = Search(position, style=style, threads=2)
        looking.run(Limit(simulations=3000))
        tree, seats = looking.tree, position.seats
        assert tree.visits[ROOT] == 3000
        first, n = int(tree.family[ROOT]) >> 16, children_of(int(tree.family[ROOT]))
        assert 2990 <= tree.visits[first : first + n].sum() <= 3000, "a thread may find the root busy"
        assert abs(tree.worth[:seats]).max() <= 3000 * UNIT
        assert not (tree.visits < 0).any()
        after = position
        for move in looking.evaluations()[0].line:
            after = after.play(move)


def test_what_was_found_out_about_a_later_position_is_kept(game: Game) -> None:
    match = new(game.name, seed=3)
    looking = Search(match.position, style=PLAIN)
    looking.run(Limit(simulations=3000))
    expected = looking.evaluations()[0]
    match.play(expected.move)
    assert looking.follow(match.position)
    assert looking.position == match.position
    if match.moves[-1] == expected.move:  # no chance move came in between
        assert looking.tree.visits[ROOT] == expected.visits
        found = looking.evaluations()
        assert expected.line[1] in [evaluation.move for evaluation in found if evaluation.visits == found[0].visits]
    known = int(looking.tree.visits[ROOT])
    looking.run(Limit(simulations=100))
    assert looking.tree.visits[ROOT] == known + 100
    assert not looking.follow(new(game.name, seed=4).position), "another match"


def test_a_win_in_one_move_is_found_and_proven() -> None:
    position = Position(WON)
    for found in (search(position, Limit(simulations=400)), plain(position, 4000).evaluations()):
        assert found[0].value == 1
        assert found[0].proven
        assert position.play(found[0].move).result == Result((1, 0), frozenset({0})), "i5-j6 and f2xe1 win at once"


def test_a_search_that_overlooks_moves_proves_nothing() -> None:
    looking = Search(Position(WON), overlooks=0.1, style=PLAIN)
    looking.run(Limit(simulations=4000))
    assert not any(evaluation.proven for evaluation in looking.evaluations())


def test_proofs_agree_with_the_exact_solver() -> None:
    """Late positions of a solved game are settled, and to the right value."""
    settled = 0
    for seed in range(12):
        match = random_match(new("elemental-defenders", seed=0).game, {"mode": "basic"}, seed)
        for ply in range(len(match.moves) - 7, len(match.moves)):
            position = match.at(ply)
            if position.to_move not in (0, 1):
                continue
            looking = plain(position, 3000)
            exact = {move: (points > 0) - (points < 0) for move, points in solve(position).moves.items()}
            for found in looking.evaluations():
                assert not found.proven or found.value == exact[found.move]
            if looking.tree.settled[ROOT]:
                settled += 1
                assert looking.tree.expect[position.to_move] == max(exact.values())
                assert looking.done < 3000 or looking.evaluations()[0].proven
    assert settled > 10


def test_noise_and_overlooking_are_repeatable_and_do_something(game: Game) -> None:
    position = new(game.name, seed=3).position

    def first(seed: int, noise: float, overlooks: float) -> list[str]:
        looking = Search(position, seed, noise=noise, overlooks=overlooks)
        looking.run(Limit(simulations=50))
        return [evaluation.move for evaluation in looking.evaluations()]

    assert first(1, 0.3, 0.5) == first(1, 0.3, 0.5)
    assert 0 < len(first(1, 0.0, 0.5)) < len(position.legal_moves)
    assert len(first(1, 0.0, 1.0)) == 1, "one move is always seen"
    assert {tuple(first(seed, 0.0, 0.5)) for seed in range(5)} != {tuple(first(1, 0.0, 0.5))}


def test_players_with_different_weights_meet_in_one_process(game: Game) -> None:
    if game.advice is None or not len(game.advice.weights):
        with pytest.raises(BadValue, match="has 0 weights in a row, all finite, not"):
            Search(new(game.name, seed=3).position, weights=[1.0])
        return
    own, position = game.advice.weights, new(game.name, seed=3).position

    def found(weights: Weights | npt.ArrayLike) -> list[Evaluation]:
        return SearchAgent(5, weights=weights).analyse(position, Limit(simulations=60))

    plain = found(NO_WEIGHTS)
    compiled = len(getattr(simulate, "signatures", ()))
    assert found(own) == plain, "the same weights, given as an argument"
    assert {one.move: one.value for one in found(-own)} != {one.move: one.value for one in plain}
    assert len(getattr(simulate, "signatures", ())) == compiled, "new weights compile nothing anew"
    for wrong in (own[1:], np.full(len(own), np.nan), own.reshape(2, -1)):
        with pytest.raises(BadValue, match=f"has {len(own)} weights in a row, all finite, not"):
            found(wrong)


SAME = """
import sys
from empedocles import new
from empedocles.search.mcts import Search
from empedocles.search.limits import Limit
for name in ("fire-and-water", "ignite-and-flow", "points-of-power"):
    one = Search(new(name, seed=3).position, 7, noise=0.05, overlooks=0.1)
    one.run(Limit(simulations=6))
    print([(found.move, found.visits, found.value.hex()) for found in one.evaluations()])
"""


def test_searches_are_the_same_interpreted_and_compiled() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", SAME],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"NUMBA_DISABLE_JIT": interpreted},
        ).stdout
        for interpreted in ("0", "1")
    }
    assert len(answers) == 1


def test_errors_of_judgement_have_the_given_size() -> None:
    words = np.random.default_rng(1).integers(0, 2**64, 4000, np.uint64)
    errors = [3**0.5 * error(np.uint64(word), 0) for word in words]  # as scaled by the search
    assert abs(np.mean(errors)) < 0.05
    assert 0.95 < np.std(errors) < 1.05


def test_one_move_can_be_looked_at_alone(game: Game) -> None:
    position = new(game.name, seed=3).position
    move = position.legal_moves[-1]
    looking = Search(position, only=move)
    looking.run(Limit(simulations=50))
    (found,) = looking.evaluations()
    assert (found.move, found.visits) == (move, 50)


@pytest.mark.parametrize("name", ["fire-and-water", "ignite-and-flow"])
def test_search_beats_chance(name: str) -> None:
    won = 0
    for seed in range(6):
        match = new(name, seed=seed)
        chance = RandomAgent(seed)
        while not match.is_over:
            mine = match.to_move == seed % 2
            here = match.position
            match.play(plain(here, 150).evaluations()[0].move if mine else chance.choose(here, Limit(simulations=1)))
        assert match.result is not None
        won += seed % 2 in match.result.winners
    assert won >= 5


def test_finished_games_and_bad_limits_are_refused(game: Game) -> None:
    with pytest.raises(BadValue, match="the game is over"):
        search(random_match(game, all_options(game)[0], seed=1).position, Limit(simulations=10))
    with pytest.raises(BadValue, match="needs a limit of seconds or simulations"):
        search(new(game.name, seed=1).position, Limit(depth=3))
    with pytest.raises(BadValue, match="at least 1 thread"):
        Search(new(game.name, seed=1).position, threads=0)
    for wrong in ({}, {"seconds": 0}, {"simulations": -1}, {"seconds": "1"}, {"simulations": True}, {"depth": 0}):
        with pytest.raises(BadValue, match="a limit"):
            Limit(**wrong)
