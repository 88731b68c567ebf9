"""What all tests share: the registered games, and which back-end this run is about."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from empedocles.game import Game
from empedocles.games import GAMES

pytest_plugins = ["e2e.browsers", "server.fixtures"]

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT") == "1"

# The first example of a run may have to wait for a compiler: no deadline. Fixed examples: a failure can be repeated.
settings.register_profile(
    "fixed", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=60
)
settings.load_profile("fixed")


@pytest.fixture(params=list(GAMES.values()), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    found: Game = request.param
    return found
