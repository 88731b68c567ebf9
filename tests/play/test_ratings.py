"""Elo by maximum likelihood: known values, symmetries, intervals that hold the truth, and honest infinities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from empedocles.play.ratings import ELO, NORMAL, expected, rate, wilson


def test_two_agents_have_the_textbook_difference() -> None:
    one, two = rate([[0, 75], [25, 0]])
    assert one.elo - two.elo == pytest.approx(400 * math.log10(3))
    assert one.elo == pytest.approx(-two.elo)
    # The difference has standard error ELO / sqrt(n p q); each of the two moves half of it.
    assert one.high - one.elo == pytest.approx(NORMAL * ELO / math.sqrt(100 * 0.75 * 0.25) / 2)


def test_a_transitive_table_is_reproduced_exactly() -> None:
    truth = [200.0, 50.0, -250.0]
    points = [[100 * expected(a - b) for b in truth] for a in truth]
    assert [rating.elo for rating in rate(points)] == pytest.approx(truth)


def test_expected_is_the_elo_formula() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)


@given(st.lists(st.integers(1, 40), min_size=12, max_size=12), st.permutations(range(4)))
def test_names_do_not_matter_and_swapping_all_results_mirrors(numbers: list[int], order: list[int]) -> None:
    points = np.zeros((4, 4))
    points[~np.eye(4, dtype=bool)] = numbers
    ratings = rate(points)
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    shuffled = rate(points[np.ix_(order, order)])
    for place, i in enumerate(order):
        assert shuffled[place] == pytest.approx(ratings[i], abs=1e-5)
    for rating, mirrored in zip(ratings, rate(points.T), strict=True):
        assert (mirrored.elo, mirrored.low) == pytest.approx((-rating.elo, -rating.high), abs=1e-5)


def test_intervals_hold_the_truth_nineteen_times_of_twenty() -> None:
    rng, truth = np.random.default_rng(7), np.array([150.0, 60.0, -30.0, -180.0])
    inside, runs = 0, 250
    for _ in range(runs):
        points = np.zeros((4, 4))
        for i in range(4):
            for j in range(i):
                points[i, j] = rng.binomial(100, expected(truth[i] - truth[j]))
                points[j, i] = 100 - points[i, j]
        inside += sum(rating.low <= elo <= rating.high for rating, elo in zip(rate(points), truth, strict=True))
    assert 0.935 < inside / (4 * runs) < 0.965


def test_who_won_everything_is_infinitely_strong_with_a_bound() -> None:
    winner, loser = rate([[0, 20], [0, 0]])
    assert (loser.elo, loser.low, loser.high) == (0, 0, 0)
    assert (winner.elo, winner.high) == (math.inf, math.inf)
    assert expected(winner.low) ** 20 == pytest.approx(0.05)
    assert rate([[0, 0], [20, 0]]) == [loser, winner]


def test_who_lost_everything_has_a_bound_above() -> None:
    one, two, beaten = rate([[0, 5, 10], [5, 0, 10], [0, 0, 0]])
    assert (one.elo, two.elo) == pytest.approx((0, 0))
    assert (beaten.elo, beaten.low) == (-math.inf, -math.inf)
    assert expected(-beaten.high) ** 20 == pytest.approx(0.05)


def test_the_finite_ones_are_rated_as_if_the_clean_winner_had_not_played() -> None:
    points = [[0, 10, 10, 10], [0, 0, 6, 7], [0, 4, 0, 5], [0, 3, 5, 0]]
    best, *others = rate(points)
    assert best.elo == math.inf
    assert others == rate([row[1:] for row in points[1:]])


def test_agents_who_never_met_are_not_compared() -> None:
    ratings = rate([[0, 5, 0, 0], [5, 0, 0, 0], [0, 0, 0, 3], [0, 0, 4, 0]])
    assert [math.isnan(rating.elo) for rating in ratings] == [False, False, True, True]
    assert all(math.isnan(rating.elo) for rating in rate(np.zeros((3, 3)))[1:])


def test_a_chain_of_clean_wins_is_seen_from_its_middle() -> None:
    top, middle, bottom = rate([[0, 4, 4], [0, 0, 4], [0, 0, 0]])
    assert middle.elo == 0
    assert expected(top.low) ** 4 == pytest.approx(0.05)
    assert (bottom.elo, bottom.high) == (-math.inf, -top.low)


def test_without_a_game_against_the_reference_there_is_no_bound() -> None:
    first, second, third, fourth = rate([[0, 4, 0, 0], [0, 0, 4, 0], [0, 0, 0, 4], [0, 0, 0, 0]])
    assert (first.elo, first.low) == (math.inf, -math.inf)
    assert (second.elo, third.elo, fourth.elo) == (math.inf, 0, -math.inf)


def test_wilson() -> None:
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
