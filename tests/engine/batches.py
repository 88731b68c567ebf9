"""What tests of batches share."""

from __future__ import annotations

from typing import Any

import numpy as np
from conftest import INTERPRETED

from empedocles import Batch, Match
from empedocles.engine.environments import NO_ACTION, NOBODY

MANY = 3 if INTERPRETED else 100  # eight times as many take several threads
LONG = 40 if INTERPRETED else 150

Facts = tuple[np.ndarray[Any, Any], ...]


def facts(batch: Batch) -> Facts:
    """All that a user sees of a batch."""
    always = batch.to_move, batch.returns, batch.done, batch.legal_counts, batch.legal_actions, batch.legal_mask
    seen = (batch.observe(), batch.observe(batch.seats - 1).copy()) if batch.game.view else ()
    return tuple(array.copy() for array in (*always, batch.random_actions(), *seen))


def play_alike(one: Batch, two: Batch, steps: int, where: Any = slice(None)) -> bool:
    """Do all environments of a batch play what those of another do, or some of them?"""
    for _ in range(steps):
        if not all(np.array_equal(a, b[where]) for a, b in zip(facts(one), facts(two), strict=True)):
            return False
        one.step(one.random_actions())
        two.step(two.random_actions())
    return True


def check_against(batch: Batch, i: int, match: Match) -> None:
    position = match.position
    legal = position.legal_actions
    count = int(batch.legal_counts[i])
    assert batch[i] == position
    assert batch.plies(i) == len(match.moves)
    assert batch.to_move[i] == (NOBODY if match.is_over else match.to_move)
    assert sorted(batch.legal_actions[i, :count].tolist()) == legal
    assert np.all(batch.legal_actions[i, count:] == NO_ACTION)
    assert np.flatnonzero(batch.legal_mask[i]).tolist() == legal
    if batch.game.view:
        assert np.array_equal(batch.observe()[i], position.observe())
        assert np.array_equal(batch.observe(0)[i], position.observe(0))
