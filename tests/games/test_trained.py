"""Networks say the same, bit by bit, compiled and interpreted; tests/cuda has the same of GPUs."""

from __future__ import annotations

import numpy as np
import pytest
from games.worths import DIGESTS, digest, positions, random_weights

from empedocles.core.kernel import evaluate
from empedocles.games import GAMES


@pytest.mark.parametrize("name", DIGESTS)
def test_a_network_says_the_same_on_all_back_ends(name: str) -> None:
    states, weights = positions(GAMES[name]), random_weights(GAMES[name])
    worths = np.zeros((len(states), 2), np.float32)
    for s, worth in zip(states, worths, strict=True):
        evaluate(s, weights, worth)
    assert len(set(worths[:, 0].tolist())) > len(states) / 2
    assert digest(worths) == DIGESTS[name]
