"""What networks say of some positions, as digests: the same bits are expected of every back-end."""

from __future__ import annotations

import hashlib

import numpy as np

from empedocles.core.kernel import NO_WEIGHTS, UNIT, Weights, Worths
from empedocles.engine.playout import States
from empedocles.game import Game
from empedocles.networks import features_of
from empedocles.testing.samples import random_positions

DIGESTS = {
    "fire-and-water": "00f843b4b01295b0",
    "ignite-and-flow": "95ca2b2e220378d8",
    "points-of-power": "2bbf1981ce538ece",
}


def positions(game: Game) -> States:
    """Positions of games that are not over, with two seats."""
    found = [p for p in random_positions(game, 40, seed=6) if not p.is_over and p.seats == 2]
    states = np.zeros(len(found), game.rules.state)
    for k, position in enumerate(found):
        states[k] = position.state
    return states


def random_weights(game: Game) -> Weights:
    """A network that has an opinion of everything."""
    features = features_of(game)
    table = np.random.default_rng(6).integers(-UNIT // 8, UNIT // 8, features.size).astype(np.int16)
    return NO_WEIGHTS._replace(table=table, places=np.zeros(features.most, np.int32))


def digest(worths: Worths) -> str:
    return hashlib.sha256(worths.tobytes()).hexdigest()[:16]
