"""Elo by maximum likelihood: the Bradley–Terry model, a draw counted as half a win and half a loss.

Between agents of which one took every point there is no finite difference: the likelihood grows without end. Such
agents are not pulled together by invented draws; they get an infinite rating and, from their games, a bound on it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ELO = 400 / math.log(10)  # points of Elo in one unit of log odds
NORMAL = 1.959964  # standard deviations to either side that hold 95 %
UNLIKELY = 0.05  # a bound is where results as clean as those seen would have this probability
STEPS = 100  # of Newton's method; some ten suffice

Matrix = npt.NDArray[np.float64]


class Rating(NamedTuple):
    """On a scale with mean 0 over the largest group of agents between whom differences are finite.

    Above or below that group `elo` is infinite and one end of the 95 % interval is a bound; `elo` is NaN for agents
    whom no chain of games compares with the group.
    """

    elo: float
    low: float
    high: float


def rate(points: npt.ArrayLike) -> list[Rating]:
    """Ratings from a matrix of points: row i, column j has what i scored against j over all their games."""
    won = np.array(points, np.float64)
    np.fill_diagonal(won, 0)
    reach = _reach(won)
    group = _reference(won, reach)
    elo, error = _fit(won[np.ix_(group, group)])
    ratings = dict(zip(group, map(_finite, elo, error), strict=True))
    fitted = dict(zip(group, elo, strict=True))
    return [ratings.get(i) or _beyond(won, reach, i, fitted) for i in range(len(won))]


def expected(difference: float) -> float:
    """The score that a lead of `difference` Elo promises."""
    return 1 / (1 + math.exp(-difference / ELO))


def wilson(points: float, games: float) -> tuple[float, float]:
    """95 % interval of a score, by Wilson; with draws, which vary less than wins and losses, it is on the wide side."""
    mean, z = points / games, NORMAL**2 / games
    half = math.sqrt(z * (mean * (1 - mean) + z / 4))
    return max(0.0, (mean + z / 2 - half) / (1 + z)), min(1.0, (mean + z / 2 + half) / (1 + z))


# ── Who can be compared with whom ──


def _reach(won: Matrix) -> npt.NDArray[np.bool_]:
    """Whether there is a chain from i to j in which each scored against the next; everybody reaches themselves."""
    reach = (won > 0) | np.eye(len(won), dtype=bool)
    for k in range(len(won)):
        reach |= np.outer(reach[:, k], reach[k])
    return reach


def _reference(won: Matrix, reach: npt.NDArray[np.bool_]) -> list[int]:
    """The agents between whom differences are finite (Ford's condition: chains both ways): the largest such group.

    Among equally large ones it is one that has played, then the one in the middle, then the weaker.
    """
    mutual = reach & reach.T
    played = (won + won.T).sum(1) > 0
    below, above = reach.sum(1).tolist(), reach.sum(0).tolist()
    chosen = max(range(len(won)), key=lambda i: (mutual[i].sum(), played[i], -abs(above[i] - below[i]), -below[i]))
    return np.flatnonzero(mutual[chosen]).tolist()


def _beyond(won: Matrix, reach: npt.NDArray[np.bool_], i: int, group: dict[int, float]) -> Rating:
    """The rating of an agent who is infinitely far from the group, or not comparable with it."""
    up, down = (bool(way[i, list(group)].any()) for way in (reach, reach.T))
    if up == down:
        return Rating(math.nan, -math.inf, math.inf)
    games = [(elo if up else -elo, won[i, j] + won[j, i]) for j, elo in group.items()]
    bound = _bound([(elo, n) for elo, n in games if n])
    return Rating(math.inf, bound, math.inf) if up else Rating(-math.inf, -math.inf, -bound)


def _bound(beaten: list[tuple[float, float]]) -> float:
    """The Elo at which winning all of these games (rating of the opponent, games) has probability UNLIKELY."""
    if not beaten:
        return -math.inf
    low, high = (end + min(elo for elo, _ in beaten) for end in (-4000.0, 8000.0))
    for _ in range(60):
        middle = (low + high) / 2
        likelihood = math.prod(expected(middle - elo) ** n for elo, n in beaten)
        low, high = (middle, high) if likelihood < UNLIKELY else (low, middle)
    return low


# ── The fit ──


def _fit(won: Matrix) -> tuple[list[float], list[float]]:
    """Elo with mean 0 and its standard errors, for agents who can all be compared."""
    games, strength = won + won.T, np.zeros(len(won))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (won - games * chance).sum(1)
        weights = games * chance * (1 - chance)
        information = np.diag(weights.sum(1)) - weights
        # The information knows differences only: its pseudo-inverse keeps the mean where it is.
        inverse = np.linalg.pinv(information, hermitian=True)
        step = inverse @ gradient
        strength += np.clip(step, -1, 1)  # far from the top of the likelihood a full step can overshoot
        if np.abs(step).max() < 1e-10:
            break
    strength -= strength.mean()
    return (strength * ELO).tolist(), (np.sqrt(np.diag(inverse)) * ELO).tolist()


def _finite(elo: float, error: float) -> Rating:
    return Rating(elo, elo - NORMAL * error, elo + NORMAL * error)
