"""Batches and positions: begun from many of them, indexed, gathered, and set."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import INTERPRETED
from engine.batches import LONG, check_against, facts, play_alike
from engine.unruly import GAME as UNRULY

import empedocles
from empedocles import Batch, Match, Position
from empedocles.engine.environments import NOBODY, WAIT
from empedocles.game import Game
from empedocles.testing.samples import all_options, random_match

STEPS = 5 if INTERPRETED else LONG


def some_positions(game: Game, count: int = 5, options: dict[str, Any] | None = None) -> list[Position]:
    """Of random matches at all stages, the last one just before the end; chance may be due."""
    most = 40 if INTERPRETED else None
    matches = [random_match(game, game.complete(options or {}), seed, most).positions() for seed in range(count)]
    return [positions[k * (len(positions) - 2) // (count - 1)] for k, positions in enumerate(matches)]


def played(batch: Batch, steps: int) -> Batch:
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch


# ── Begun from many positions ────────────────────────────────────────────────────────────────────────────────────────


def test_every_environment_begins_and_begins_anew_at_its_own_position(game: Game) -> None:
    for options in all_options(game)[: 1 if INTERPRETED else None]:
        positions = some_positions(game, 4, options)
        batch = empedocles.vector(game.name, positions=positions, seed=5)
        assert batch.options == options
        matches = [Match(position, seed=5 + i) for i, position in enumerate(positions)]
        ended = 0
        while not ended:
            actions = batch.random_actions()
            for i, match in enumerate(matches):
                check_against(batch, i, match)
            returns, done = batch.step(actions)
            for i, action in enumerate(actions.tolist()):
                matches[i].play(action)
                assert done[i] == matches[i].is_over
                assert tuple(returns[i].tolist()) == matches[i].position.returns
                if done[i]:
                    ended += 1
                    matches[i] = Match(positions[i], seed=batch.match_seed(i))
            if INTERPRETED:
                break
        for i, match in enumerate(matches):
            check_against(batch, i, match)


def test_resets_lead_back_to_each_position(game: Game) -> None:
    positions = some_positions(game)
    batch = played(empedocles.vector(game.name, positions=positions, seed=3), 4)
    batch.reset()
    assert list(batch) == [Match(p, seed=batch.match_seed(i)).position for i, p in enumerate(positions)]
    batch.reset(seed=8)
    assert list(batch) == [Match(p, seed=8 + i).position for i, p in enumerate(positions)]


def test_one_position_or_states_will_do(game: Game) -> None:
    positions = some_positions(game, 3)
    one = empedocles.vector(game.name, 3, positions=positions[1])
    assert list(one) == [Match(positions[1], seed=i).position for i in range(3)]
    states = np.array([position.state for position in positions], game.rules.state)
    assert list(empedocles.vector(game.name, positions=states)) == list(Batch(positions))


def test_a_start_that_chance_alone_ends_is_refused() -> None:
    with pytest.raises(empedocles.BadValue, match=r"chance alone ends the game: .*plies=2 to-move=chance"):
        Batch(lucky(), 2)


def lucky() -> Position:
    return Position.start(UNRULY, {"fault": "luck"}).play("a").play("a")


def test_a_match_that_chance_alone_ends_is_nobodys() -> None:
    batch = Batch(Position.start(UNRULY, {"fault": "luck"}), 2)
    batch[0] = lucky()
    assert (batch.done.tolist(), batch.to_move.tolist()) == ([False, False], [0, 0])
    assert (batch.plies(0), batch.plies(1)) == (0, 0)
    batch = Batch(Position.start(UNRULY, {"fault": "luck"}), 2, auto_reset=False)
    batch[0] = lucky()
    assert (batch.done.tolist(), batch.to_move.tolist()) == ([True, False], [NOBODY, 0])


# ── Indexed and gathered ─────────────────────────────────────────────────────────────────────────────────────────────


def test_indices_give_positions(game: Game) -> None:
    batch = played(empedocles.vector(game.name, 4, seed=2), 3)
    assert list(batch) == [batch[i] for i in range(4)] == [batch[i - 4] for i in range(4)]
    assert batch[np.int16(2)] in batch
    assert np.array_equal(batch.states(), np.array([position.state for position in batch], game.rules.state))


def test_a_position_and_states_stay_when_the_batch_goes_on(game: Game) -> None:
    batch = empedocles.vector(game.name, 2)
    position, states = batch[1], batch.states()
    before = position.text, states.tobytes()
    played(batch, 2)
    assert (position.text, states.tobytes()) == before


@pytest.mark.parametrize(
    ("where", "chosen"),
    [
        (slice(1, 3), [1, 2]),
        (slice(None, None, -1), [3, 2, 1, 0]),
        ([2, 0, 2, 2, -1], [2, 0, 2, 2, 3]),
        (np.array([1], np.uint8), [1]),
        (np.array([True, False, False, True]), [0, 3]),
    ],
)
@pytest.mark.parametrize("auto_reset", [True, False])
def test_gathered_environments_go_on_as_they_would(game: Game, where: Any, chosen: list[int], auto_reset: bool) -> None:
    batch = played(Batch(some_positions(game, 4), seed=6, auto_reset=auto_reset), 4)
    told, some = facts(batch), batch[where]
    assert (some.n, len(some), some.auto_reset) == (len(chosen), len(chosen), auto_reset)
    assert [some.match_seed(k) for k in range(some.n)] == [batch.match_seed(i) for i in chosen]
    assert some.seed.tolist() == [6 + i for i in chosen]
    assert all(np.array_equal(a[chosen], b) for a, b in zip(told, facts(some), strict=True))
    played(some.copy(), 3)
    assert all(np.array_equal(a, b) for a, b in zip(told, facts(batch), strict=True))
    assert play_alike(some, batch, STEPS, chosen)
    assert play_alike(some.reset(), batch.reset(), 2, chosen)


def test_gathered_environments_may_draw_from_other_seeds(game: Game) -> None:
    batch = played(Batch(Position.start(game), 2, seed=1), 3)
    some = batch.gather([1] * 4, seed=30)
    assert list(some) == [batch[1]] * 4
    assert [some.match_seed(k) for k in range(4)] == [30, 31, 32, 33]
    assert [some.plies(k) for k in range(4)] == [batch.plies(1)] * 4
    assert play_alike(some.copy(), batch.gather([1, 1, 1, 1], seed=[30, 31, 32, 33]), STEPS)
    played(some, 6)
    assert len({position.text for position in some}) > 1


@pytest.mark.parametrize("copied", [Batch.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_keep_starts_and_seeds(game: Game, copied: Callable[[Batch], Batch]) -> None:
    batch = played(Batch(some_positions(game))[[3, 1, 1]], 3)
    twin = copied(batch)
    assert play_alike(twin, batch, STEPS)
    assert list(twin.reset()) == list(batch.reset())


# ── Set ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_environment_plays_on_from_what_it_is_set_to_and_then_from_its_start(game: Game) -> None:
    batch = played(empedocles.vector(game.name, 4, seed=7, auto_reset=False), 2)
    before, seeds = facts(batch), [batch.match_seed(i) for i in range(4)]
    first, second = some_positions(game, 2)
    batch[[3, 1]] = [first, second]
    assert [batch.match_seed(i) == seeds[i] for i in range(4)] == [True, False, True, False]
    matches = {3: Match(first, seed=batch.match_seed(3)), 1: Match(second, seed=batch.match_seed(1))}
    for i, match in matches.items():
        check_against(batch, i, match)
    assert all(np.array_equal(a[[0, 2]], b[[0, 2]]) for a, b in zip(before, facts(batch), strict=True))
    for _ in range(STEPS):
        actions = batch.random_actions()
        batch.step(actions)
        for i, match in matches.items():
            if not match.is_over:
                match.play(int(actions[i]))
            assert batch[i] == match.position
    batch.reset()
    assert list(batch) == [empedocles.new(game.name, seed=batch.match_seed(i)).position for i in range(4)]


def test_environments_are_set_in_every_way_they_are_chosen(game: Game) -> None:
    batch, positions = empedocles.vector(game.name, 4), some_positions(game, 4)
    wanted = np.array([position.state for position in positions], game.rules.state)
    for where, given in (
        (slice(None), wanted),
        (np.array([True] * 4), positions),
        ([0, 1, 2, 3], tuple(positions)),
        (range(4), iter(positions)),
    ):
        batch.reset(0)
        batch[where] = given  # type: ignore[assignment]
        assert list(batch) == [Match(p, seed=batch.match_seed(i)).position for i, p in enumerate(positions)]
    batch[:] = positions[2]
    assert list(batch) == [Match(positions[2], seed=batch.match_seed(i)).position for i in range(4)]
    batch[-1] = wanted[0]
    assert batch[3] == Match(positions[0], seed=batch.match_seed(3)).position
    before = list(batch)
    batch[batch.to_move == WAIT] = []
    assert list(batch) == before


def test_a_finished_environment_can_be_set(game: Game) -> None:
    batch = empedocles.vector(game.name, 2, auto_reset=False)
    while not batch.done.all():
        batch.step(batch.random_actions())
    batch[0] = Match(Position.start(game), seed=4).position
    assert batch.done.tolist() == [False, True]
    assert batch.legal_counts[0] > 0


# ── Refused ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (3, "environments are numbered from 0 to 2: there is no 3"),
        (-4, "there is no -4"),
        ([0, 5, 1], "there is no 5"),
        (np.array([-4]), "there is no -4"),
        ([0.0, 1.0], r"a slice, whole numbers in one dimension, or a mask, not \[0.0, 1.0\]"),
        ([[0], [1]], r"not \[\[0\], \[1\]\]"),
        ("0", "not '0'"),
        (None, "not None"),
        (np.array([True, False]), r"a mask has an entry per environment, shape \(3,\), not \(2,\)"),
    ],
)
def test_environments_that_are_not_there_are_refused(where: Any, said: str) -> None:
    batch = empedocles.vector("elemental-defenders", 3)
    before = list(batch)
    with pytest.raises(empedocles.BadValue, match=said):
        _ = batch[where]
    with pytest.raises(empedocles.BadValue, match=said):
        batch[where] = batch[0]
    assert list(batch) == before


@pytest.mark.parametrize("where", [[], slice(2, 2), np.array([False] * 3)])
def test_a_batch_of_no_environments_is_refused(where: Any) -> None:
    with pytest.raises(empedocles.BadValue, match=r"a batch has at least one environment, but .* chooses none"):
        _ = empedocles.vector("elemental-defenders", 3)[where]


def good(**options: Any) -> Position:
    return empedocles.new("elemental-defenders", seed=1, **options).position


def of_another_game() -> Position:
    return empedocles.new("ignite-and-flow").position


def finished() -> Position:
    return random_match(empedocles.games()["elemental-defenders"], {"mode": "advanced"}, 1).position


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: [good(), of_another_game()], r"position 1 must be one of elemental-defenders, not Position\('ignite"),
        (lambda: [good(), good(mode="basic")], r"must have the options {'mode': 'advanced'}, not {'mode': 'basic'}"),
        (lambda: [good(), finished()], r"position 1 must have a move due, but the game is over: Position\('elemental"),
        (lambda: [good(), good().text], "position 1 must be a Position, not 'elemental-defenders"),
        (lambda: good().text, "a Position, several of them, or an array of states, not 'elemental-defenders"),
        (lambda: 7, "or an array of states, not 7"),
        (lambda: of_another_game().state, "a row of states of elemental-defenders, 48 bytes each, not shape"),
        (lambda: np.zeros(2), r"not shape \(2,\) of float64"),
    ],
)
def test_positions_that_do_not_fit_are_refused(make: Callable[[], Any], said: str) -> None:
    positions = make()
    with pytest.raises(empedocles.BadValue, match=said):
        empedocles.vector("elemental-defenders", positions=positions)
    batch = empedocles.vector("elemental-defenders", 2)
    before = list(batch)
    with pytest.raises(empedocles.BadValue, match=said):
        batch[:] = positions
    assert list(batch) == before


def test_numbers_of_positions_that_do_not_fit_are_refused() -> None:
    batch = empedocles.vector("elemental-defenders", 3)
    with pytest.raises(empedocles.BadValue, match="2 environments are set from as many positions, or from one: not 3"):
        batch[:2] = [good()] * 3
    with pytest.raises(empedocles.BadValue, match=r"every environment is set once, not as in \[0, 2, 0\]"):
        batch[[0, 2, -3]] = [good()] * 3
    with pytest.raises(empedocles.BadValue, match="one per environment, 3, or n is left out: these are 2"):
        empedocles.vector("elemental-defenders", 3, positions=[good()] * 2)
    with pytest.raises(empedocles.BadValue, match="no positions to begin from"):
        empedocles.vector("elemental-defenders", positions=[])
    with pytest.raises(empedocles.BadValue, match=r"position 0 must have the options {'mode': 'basic'}, not"):
        empedocles.vector("elemental-defenders", positions=[good()], mode="basic")
    basic = empedocles.vector("elemental-defenders", positions=[good(mode="basic")], mode="basic")
    assert basic.options["mode"] == "basic"
