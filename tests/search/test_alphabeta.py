"""Alpha-beta: what plain minimax finds, only sooner; and no proof that is not one."""

from __future__ import annotations

import functools
import random
import threading
import time
from typing import Any

import numpy as np
import pytest

from empedocles import BadValue, Position, Result, new
from empedocles.engine.perft import perft
from empedocles.games import GAMES
from empedocles.kernel import evaluate
from empedocles.search.alphabeta import Search, search
from empedocles.search.dig import NODES, SCALE
from empedocles.search.limits import Evaluation, Limit
from empedocles.search.weakness import error
from empedocles.testing.sampling import random_match

two_sides = pytest.mark.parametrize(
    ("name", "options"),
    [("ignite-and-flow", {}), ("points-of-power", {"players": 2}), ("points-of-power", {"players": 4})],
)

WON_AT_ONCE = "points-of-power fire=f2,f4,f8,f10,i5 air=k1,e1 earth=b6,d6,h6,a5 water=a11,d11 quiet=0 to-move=0"
WON_IN_THREE = "points-of-power fire=f2,f4,f8,f10,i4 air=k1,c5 earth=b6,d6,h6,a5 water=a11,d11 quiet=0 to-move=0"


@functools.cache
def late_positions(name: str, seats: int) -> list[Position]:
    """A few moves before the end of random matches, where moves are few."""
    options = {"players": seats} if seats else {}
    matches = (random_match(GAMES[name], options, seed).positions() for seed in range(8))
    return [positions[-2 - k] for positions in matches for k in (0, 1, 3)]


@functools.cache
def minimax(position: Position, depth: int, before: int) -> float:
    """For the side to move, by looking at every move; sure results are ±2. The seat that moved before may move on."""
    state, worths = position.state, np.zeros(4, np.float32)
    seat = int(state.mover)
    if position.is_over:
        position.game.rules.returns(state, worths)
        return 2 * float(worths[seat])
    if depth <= 0 and before % 2 != seat % 2:
        evaluate(state, worths)
        return int(float(worths[seat]) * (SCALE - 1)) / SCALE
    return max(after(position, action, max(depth, 1)) for action in position.legal_actions)


def after(position: Position, move: str | int, depth: int) -> float:
    seat, then = int(position.state.mover), position.play(move)
    worth = minimax(then, depth - 1, seat)
    return worth if int(then.state.mover) % 2 == seat % 2 else -worth


def found(position: Position, depth: int, full: bool = False, **settings: Any) -> list[Evaluation]:
    one = Search(position, table=2**14, **settings)
    one.run(Limit(depth=depth), full=full)
    return one.evaluations()


@two_sides
@pytest.mark.parametrize(("depth", "most"), [(1, 200), (2, 900), (3, 6000)])
def test_moves_are_worth_what_minimax_says(name: str, options: dict[str, Any], depth: int, most: int) -> None:
    some = [p for p in late_positions(name, options.get("players", 0)) if perft(p, depth) <= most][: 5 - depth]
    assert some
    for position in some:
        worths = {move: after(position, move, depth) for move in position.legal_moves}
        each = found(position, depth, full=True)
        for one in each:
            assert one.value == pytest.approx(max(-1, min(1, worths[one.move]))), (position, one)
            assert one.proven or abs(worths[one.move]) < 2
        best = found(position, depth)[0]
        assert best.value == each[0].value
        assert worths[best.move] == max(worths.values())


@two_sides
def test_all_moves_are_listed_the_best_first_with_legal_lines(name: str, options: dict[str, Any]) -> None:
    position = random_match(GAMES[name], options, seed=3, plies=12).position
    one = Search(position)
    one.run(Limit(simulations=3000))
    moves = one.evaluations()
    assert sorted(evaluation.move for evaluation in moves) == position.legal_moves
    assert all(-1 <= evaluation.value <= moves[0].value for evaluation in moves)
    assert sum(evaluation.visits for evaluation in moves) <= 3000
    for evaluation in moves:
        then = position
        for move in evaluation.line:
            then = then.play(move)
        assert evaluation.line[0] == evaluation.move
    assert len(moves[0].line) >= 2


def test_a_win_at_once_is_found_and_ends_the_search() -> None:
    position = Position(WON_AT_ONCE)
    best = search(position, Limit(depth=30))[0]
    assert (best.value, best.proven, best.depth) == (1, True, 1)
    assert position.play(best.move).result == Result((1, 0), frozenset({0}))


def test_a_win_in_three_is_found_and_proven() -> None:
    position = Position(WON_IN_THREE)
    assert not search(position, Limit(depth=2))[0].proven
    best = search(position, Limit(depth=3))[0]
    assert (best.value, best.proven) == (1, True)
    assert after(position, best.move, 3) == 2


def ending_of_ignite_and_flow(rng: random.Random) -> Position | None:
    """Land and desert but for two or three free squares: few moves are left."""
    cells = rng.choices("EDDD", k=36)
    for at, cell in zip(rng.sample(range(36), 7), "1TttFW1", strict=True):
        cells[at] = cell
    board = "/".join("".join(cells[row : row + 6]) for row in range(0, 36, 6))
    try:
        position = Position(f"ignite-and-flow board={board} taken=0/0 quiet=38 due=action to-move=0")
    except ValueError:
        return None
    return None if any(perft(position, depth) > 800 for depth in range(1, 9)) else position


def test_proofs_hold_to_the_end_of_the_game() -> None:
    rng = random.Random(1)
    endings = [position for _ in range(150) if (position := ending_of_ignite_and_flow(rng))][:6]
    assert len(endings) == 6
    results = set()
    for position in endings:
        moves = found(position, depth=30, full=True)
        assert all(one.proven for one in moves), "draws are proven where every line was looked at to its end"
        for one in moves:
            assert 2 * one.value == after(position, one.move, 99), (position, one)
        best = found(position, depth=30)[0]
        assert (best.value, best.proven) == (moves[0].value, True)
        results.add(best.value)
    assert len(results) > 1


@two_sides
def test_proofs_of_a_narrow_search_hold(name: str, options: dict[str, Any]) -> None:
    proofs = 0
    for position in late_positions(name, options.get("players", 0))[:10]:
        for one in found(position, depth=3, noise=0.1):
            if one.proven and one.value and perft(position, 3) < 30_000:
                assert after(position, one.move, 3) == 2 * one.value, (position, one)
                proofs += 1
    assert proofs


@two_sides
def test_same_seed_and_limit_give_the_same_answer(name: str, options: dict[str, Any]) -> None:
    position = random_match(GAMES[name], options, seed=3, plies=8).position
    for settings in ({}, {"noise": 0.2}, {"overlooks": 0.3}):
        one, two = (search(position, Limit(simulations=2500), seed=5, **settings) for _ in range(2))
        assert one == two


def test_of_equal_moves_the_seed_decides() -> None:
    start = new("ignite-and-flow").position  # whose symmetries make equal moves
    assert len({search(start, Limit(depth=1), seed=seed)[0].move for seed in range(6)}) > 1


def test_a_search_goes_on_where_it_stopped() -> None:
    one = Search(new("points-of-power").position)
    one.run(Limit(depth=1))
    assert one.depth == 1
    one.run(Limit(depth=3))
    assert one.depth == 3
    nodes = int(one.work.control[NODES])
    one.run(Limit(simulations=500))
    assert int(one.work.control[NODES]) == nodes + 500
    one.run(Limit(depth=3), full=True)
    assert {evaluation.depth for evaluation in one.evaluations()} == {3}


def test_what_is_known_serves_later_positions() -> None:
    one = Search(new("points-of-power").position)
    one.run(Limit(depth=4))
    line, before = one.evaluations()[0].line, int(one.work.control[NODES])
    later = one.position.play(line[0]).play(line[1])
    assert one.follow(later)
    one.run(Limit(depth=2))
    fresh = Search(later)
    fresh.run(Limit(depth=2))
    assert int(one.work.control[NODES]) - before < int(fresh.work.control[NODES])
    assert not one.follow(new("ignite-and-flow").position)


# ── Limits ──


@two_sides
def test_a_limit_of_positions_is_kept(name: str, options: dict[str, Any]) -> None:
    position = new(name, **options).position
    for most in (1, 7, 1000):
        one = Search(position)
        one.run(Limit(simulations=most))
        assert int(one.work.control[NODES]) == most
        assert len(one.evaluations()) == len(position.legal_moves)


def test_a_time_limit_is_kept() -> None:
    one = Search(new("points-of-power").position)
    one.run(Limit(depth=1))
    for seconds in (0.02, 0.2):
        started = time.perf_counter()
        one.run(Limit(seconds=seconds))
        assert seconds <= time.perf_counter() - started < seconds + 2  # on a busy machine


def test_it_can_be_asked_and_stopped_from_another_thread() -> None:
    one, stop = Search(new("points-of-power").position), threading.Event()
    one.run(Limit(depth=1))
    asked: list[list[Evaluation]] = []

    def ask() -> None:
        for _ in range(3):
            time.sleep(0.05)
            asked.append(one.evaluations())
        stop.set()

    thread = threading.Thread(target=ask)
    thread.start()
    started = time.perf_counter()
    one.run(Limit(seconds=60), stop)
    thread.join()
    assert time.perf_counter() - started < 30
    assert all(len(moves) == len(one.position.legal_moves) for moves in asked)


def test_an_interruption_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Search(new("points-of-power").position)

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("empedocles.search.alphabeta.wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        one.run(Limit(seconds=60))


# ── Weak opponents ──


def test_errors_of_judgement_have_the_given_size() -> None:
    words = np.random.default_rng(1).integers(0, 2**64, 4000, np.uint64)
    errors = [3**0.5 * error(np.uint64(word), 0) for word in words]  # as scaled by the searches
    assert abs(np.mean(errors)) < 0.05
    assert 0.95 < np.std(errors) < 1.05


@two_sides
def test_noise_changes_values_and_the_seed_changes_noise(name: str, options: dict[str, Any]) -> None:
    position = random_match(GAMES[name], options, seed=3, plies=8).position
    clear = {one.move: one.value for one in found(position, 1, full=True)}
    noisy = {
        seed: {one.move: one.value for one in found(position, 1, full=True, noise=0.3, seed=seed)} for seed in (1, 2)
    }
    errors = [noisy[1][move] - clear[move] for move in clear]
    assert 0.1 < np.std(errors) < 0.4
    assert noisy[1] != noisy[2]
    assert all(abs(value) <= 0.99 for value in noisy[1].values())


@two_sides
def test_the_given_part_of_moves_is_overlooked(name: str, options: dict[str, Any]) -> None:
    position = new(name, **options).position
    sizes = [len(found(position, 1, overlooks=0.4, seed=seed)) for seed in range(20)]
    assert 0.5 < np.mean(sizes) / len(position.legal_moves) < 0.7
    assert len(found(position, 3, overlooks=1.0)) == 1, "one move is always seen"


def test_who_overlooks_moves_proves_nothing() -> None:
    moves = [one for seed in range(4) for one in found(Position(WON_AT_ONCE), 2, overlooks=0.2, seed=seed)]
    assert any(one.value == 1 for one in moves)
    assert not any(one.proven for one in moves)


# ── Refusals ──


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(BadValue, match="two sides without chance"):
        Search(new("fire-and-water", seed=1).position)
    over = random_match(GAMES["ignite-and-flow"], {}, seed=1).position
    with pytest.raises(BadValue, match=r"the game is over: .* in Position\('ignite"):
        Search(over)
    start = new("ignite-and-flow").position
    with pytest.raises(BadValue, match="the game is over"):
        Search(start).follow(over)
    for wrong in ({"noise": -1}, {"overlooks": 1.1}, {"table": 1000}):
        with pytest.raises(BadValue):
            Search(start, **wrong)
