"""Search by anybody's policy and values: it is stronger than they are, certain where the game is, and repeatable."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from empedocles import BadValue, Match, Position, new, vector
from empedocles.agents import search_all
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.search import guided
from empedocles.search.guided import GuidedSearch, Policy, relation
from empedocles.search.limits import Limit
from empedocles.testing.samples import all_options, random_match

Floats = npt.NDArray[np.float32]
FOUR = {"players": 4}


def policy(position: Position, values: Callable[[Floats], Floats] = lambda planes: planes[:, 0, 0, 0] * 0) -> Policy:
    """All moves are equally likely, and values follow from what is seen."""
    return lambda planes: (np.zeros((len(planes), position.n_actions), np.float32), values(planes))


def searched(position: Position, simulations: int, f: Policy | None = None, **how: Any) -> GuidedSearch:
    search = GuidedSearch([position], f or policy(position), **{"simulations": simulations, **how})
    search.run(Limit(simulations=simulations))
    return search


# ── Strength ──


def tokens(seats: int, column: bool = True) -> Callable[[Floats], Floats]:
    """Fire & Water: whoever has fewer tokens left than the others is ahead."""

    def values(planes: Floats) -> Floats:
        left = planes[:, 9 : 9 + 25 * seats : 25, 0, 0]
        ahead: Floats = np.tanh(4 * (left.mean(1, keepdims=True) - left))
        return ahead if column else ahead[:, 0]

    return values


def land(planes: Floats) -> Floats:
    """Ignite and Flow: whoever has more land and temples is ahead."""
    mine, theirs = (planes[:, [first, first + 2]].sum((1, 2, 3)) for first in (5, 6))
    ahead: Floats = np.tanh((mine - theirs) / 4)
    return ahead


@pytest.mark.parametrize(
    ("game", "options", "values"),
    [
        ("ignite-and-flow", {}, land),
        ("fire-and-water", FOUR, tokens(4)),
        ("fire-and-water", {}, tokens(2, column=False)),
    ],
)
def test_more_simulations_win(game: str, options: dict[str, Any], values: Callable[[Floats], Floats]) -> None:
    batch = vector(game, n=16, seed=3, auto_reset=False, **options)
    f, strong = policy(batch[0], values), np.arange(batch.n) % batch.seats  # the seat that thinks longer
    seed = 0
    while (batch.to_move >= 0).any():
        much, little = (search_all(batch, f, simulations, seed) for simulations in (160, 4))
        batch.step(np.where(batch.to_move == strong, much.actions, little.actions))
        seed += 1
    ours = np.array([batch[k].returns[strong[k]] for k in range(batch.n)])
    assert (ours > 0).sum() >= 16 // batch.seats + 5, ours


# ── What is certain ──


def test_a_move_that_wins_is_found_whatever_the_function_says(game: Game) -> None:
    for options in all_options(game)[:3]:
        before = winning(game, options)
        won = before.to_move
        f = policy(before, lambda planes: np.ones(len(planes), np.float32))
        found = searched(before, 3, f).evaluations()[0]
        assert found.proven
        assert found.value == 1
        assert before.play(found.move).returns[won or 0] == 1


def winning(game: Game, options: dict[str, Any]) -> Position:
    """A position in which the seat to move can win at once."""
    for seed in range(200):
        match = random_match(game, options, seed=seed)
        before = match.at(match.plies - 1)
        if before.to_move in range(before.seats) and match.position.returns[before.to_move or 0] == 1:
            return before
    raise AssertionError("random matches do not end with a win by the last move")


def test_a_solved_position_needs_no_more_simulations() -> None:
    match = random_match(GAMES["elemental-defenders"], {"mode": "basic"}, seed=3)
    near = [match.at(ply) for ply in range(match.plies - 8, match.plies)]
    position = next(one for one in near if one.to_move in range(2) and len(one.legal_moves) > 1)
    search = searched(position, 100_000)
    assert search.done < 100_000
    assert all(one.proven for one in search.evaluations())
    search.run(Limit(seconds=5))  # returns at once


def test_a_full_tree_is_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guided, "MOST_NODES", 1)  # room for two families, if they are large
    for position in (new("fire-and-water", seed=1, players=4).position, new("elemental-defenders", seed=1).position):
        search = searched(position, 300)
        assert search.done == 300
        assert search.visits().sum() == 299


# ── What it is told ──


def test_values_are_those_of_the_seat_to_move_and_its_successors() -> None:
    match = new("fire-and-water", seed=2, players=3)
    while match.to_move != 1:
        match.play(match.legal_moves[0])
    by_seat = np.array([0.5, 0.25, -0.75], np.float32)
    search = searched(match.position, 1, policy(match.position, lambda planes: np.tile(by_seat, (len(planes), 1))))
    np.testing.assert_allclose(search.values(), [[-0.75, 0.5, 0.25]])
    search = searched(match.position, 1, policy(match.position, lambda planes: np.full(len(planes), 0.8, np.float32)))
    np.testing.assert_allclose(search.values(), [[-0.4, 0.8, -0.4]], atol=1e-6)


def test_one_value_says_what_friends_and_others_can_expect() -> None:
    assert relation(GAMES["ignite-and-flow"], 2).tolist() == [1, -1]
    assert relation(GAMES["fire-and-water"], 3).tolist() == [1, -0.5, -0.5]
    assert relation(GAMES["points-of-power"], 4).tolist() == [1, -1, 1, -1]


def test_moves_are_tried_as_the_policy_says_and_none_that_is_illegal() -> None:
    position = new("points-of-power").position
    action = position.legal_actions[5]

    def f(planes: Floats) -> tuple[Floats, Floats]:
        logits = np.full((len(planes), position.n_actions), -2.0, np.float32)
        logits[:, action], logits[:, 0] = 5, 100
        return logits, np.zeros((len(planes), 1), np.float32)

    (visits,) = searched(position, 100, f).visits()
    assert visits.argmax() == action
    assert visits.sum() == 99
    assert set(np.flatnonzero(visits)) <= set(position.legal_actions)
    hidden = searched(position, 50, lambda planes: (np.full((len(planes), position.n_actions), -np.inf), f(planes)[1]))
    assert (hidden.visits() > 0).sum() > 20, "all alike"


@pytest.mark.parametrize("how", [{}, {"at_once": 1}, {"at_once": 30}, {"fixed": True}])
def test_every_simulation_is_counted_and_repeatable(how: dict[str, Any], game: Game) -> None:
    position = new(game.name, seed=2).position
    one, two = (searched(position, 90, seed=5, **how) for _ in range(2))
    assert one.visits().sum() == 89
    assert one.evaluations() == two.evaluations()
    assert sorted(found.move for found in one.evaluations()) == position.legal_moves


def test_a_fixed_function_sees_one_shape_and_answers_the_same() -> None:
    position, shapes = new("ignite-and-flow").position, set()
    f = policy(position, land)

    def seen(planes: Floats) -> Any:
        shapes.add(planes.shape)
        return f(planes)

    fixed = searched(position, 40, seen, fixed=True)
    assert len(shapes) == 1
    assert fixed.evaluations() == searched(position, 40, f).evaluations()


def test_another_seed_draws_other_chances() -> None:
    position = new("fire-and-water", seed=1).position
    f = policy(position, tokens(2))
    assert searched(position, 300, f, seed=1).evaluations() != searched(position, 300, f, seed=2).evaluations()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "a policy returns logits and values, two arrays, not NoneType"),
        (lambda n: (np.zeros((n, 7)), np.zeros(n)), r"logits are of shape \(1, 3546\) here, not \(1, 7\)"),
        (lambda n: (np.zeros((n, 3546)), np.zeros((n, 3))), r"values are of shape \(1,\) or \(1, 2\) here"),
        (lambda n: (np.zeros((n, 3546)), np.full(n, np.nan)), "its values finite: some are not"),
        (lambda n: (np.full((n, 3546), np.nan), np.zeros(n)), "logits are numbers"),
        (lambda n: ("?", np.zeros(n)), "a policy returns arrays of numbers, not str"),
    ],
)
def test_answers_that_are_none_are_refused(answer: Any, said: str) -> None:
    with pytest.raises(BadValue, match=said):
        searched(new("ignite-and-flow").position, 5, lambda planes: answer and answer(len(planes)))


def test_positions_that_cannot_be_searched_are_refused() -> None:
    flow, over = new("ignite-and-flow").position, random_match(GAMES["ignite-and-flow"], {}, seed=1).position
    for positions, said in (
        ([], "no position to search"),
        ([over], "the game is over"),
        ([new("elemental-defenders", chance="manual").position], "a chance move is due"),
        ([flow, new("points-of-power").position], "one game with the same options"),
        ([flow, new("ignite-and-flow", chain="middle").position], "one game with the same options"),
    ):
        with pytest.raises(BadValue, match=said):
            GuidedSearch(positions, policy(flow))
    with pytest.raises(BadValue, match="needs a limit of seconds or simulations"):
        GuidedSearch([flow], policy(flow)).run(Limit(depth=3))
    with pytest.raises(BadValue, match="at least 1 leaf"):
        GuidedSearch([flow], policy(flow), at_once=0)


# ── Many at once ──


def test_a_batch_is_searched_with_its_finished_environments_left_out() -> None:
    game = GAMES["elemental-defenders"]
    over = random_match(game, {}, seed=1).position
    positions = [new(game.name, seed=1).position, over, new(game.name, seed=2).position]
    found = search_all(positions, policy(over), 30)
    assert found.actions[1] == -1
    assert found.visits[1].sum() == 0
    np.testing.assert_array_equal(found.values[1], np.array(over.returns, np.float32))
    for k in (0, 2):
        assert found.actions[k] in positions[k].legal_actions
        assert found.visits[k].sum() == 29
    assert search_all([over], policy(over), 30).actions.tolist() == [-1]


def test_noise_makes_self_play_try_more() -> None:
    batch = vector("ignite-and-flow", n=3)
    f = policy(batch[0], land)
    quiet, noisy, same = (search_all(batch, f, 40, noise=part) for part in (0.0, 0.5, 0.5))
    assert (quiet.visits != noisy.visits).any()
    assert (noisy.visits[0] != noisy.visits[1]).any()
    np.testing.assert_array_equal(noisy.visits, same.visits)
    with pytest.raises(BadValue, match="the part of the noise is a number from 0 to 1, not 2"):
        search_all(batch, f, 4, noise=2)


# ── Others' arrays ──


def test_pytorch_answers() -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch, of the extra empedocles[train]")
    position = new("ignite-and-flow").position
    torch.manual_seed(1)
    network = torch.nn.Linear(18 * 6 * 6, position.n_actions + 1).double()

    def f(planes: Floats) -> Any:
        out = network(torch.from_numpy(planes).flatten(1).double())
        return out[:, 1:], out[:, 0].tanh()

    assert searched(position, 20, f).visits().sum() == 19


def test_jax_answers() -> None:
    """In a process of its own: JAX starts threads, which goes badly with other tests that fork."""
    pytest.importorskip("jax", reason="needs JAX")
    code = """
import jax, empedocles
from empedocles.agents import PolicyAgent
from empedocles.search.limits import Limit
position = empedocles.new("ignite-and-flow").position
f = jax.jit(lambda planes: (jax.numpy.zeros((len(planes), position.n_actions)), planes.mean((1, 2, 3))))
assert PolicyAgent(f, fixed=True).choose(position, Limit(simulations=20)) in position.legal_moves
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_matches_are_played_to_the_end() -> None:
    """Teams of two, with captures and passes, by a policy that knows nothing."""
    match = Match(Position.start("points-of-power", FOUR), seed=1)
    f = policy(
        match.position, lambda planes: np.tanh(planes[:, [0, 2]].sum((1, 2, 3)) - planes[:, [1, 3]].sum((1, 2, 3)))
    )
    for _ in range(60):
        if match.is_over:
            break
        match.play(searched(match.position, 8, f).evaluations()[0].move)
    assert match.plies
