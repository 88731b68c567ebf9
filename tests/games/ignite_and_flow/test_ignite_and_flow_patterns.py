"""What a trained network sees: windows that mirror images of a position share."""

from __future__ import annotations

import random

import numpy as np
import pytest

from empedocles.core.kernel import NO_WEIGHTS, Weights, evaluate, features
from empedocles.games import find
from empedocles.games.ignite_and_flow.patterns import FILLED, GROUPS, SIZE_OF_TABLE, WINDOWS, acting
from empedocles.position import Position
from empedocles.testing.samples import random_match

GAME = find("ignite-and-flow")


def places(position: Position, seat: int) -> list[int]:
    room = np.zeros(WINDOWS, np.int32)
    n = features(position.state, seat, room)
    return [int(place) for place in room[:n]]


def table(seed: int) -> Weights:
    """A table of random numbers, the same on every back-end."""
    numbers = np.random.default_rng(seed).integers(-200, 200, SIZE_OF_TABLE).astype(np.int16)
    return NO_WEIGHTS._replace(table=numbers, places=np.zeros(WINDOWS, np.int32))


def worths(position: Position, weights: Weights) -> list[float]:
    out = np.zeros(2, np.float32)
    evaluate(position.state, weights, out)
    return [float(worth) for worth in out]


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    luck, found = random.Random(7), []
    for seed in range(12):
        match = random_match(GAME, GAME.complete({}), seed)
        found += [match.at(ply) for ply in luck.sample(range(len(match.moves)), 3)]
    return [position for position in found if not position.is_over]


def test_only_who_acts_next_is_looked_at(positions: list[Position]) -> None:
    for position in positions:
        actor = acting(position.state)
        assert len(places(position, actor)) == WINDOWS == 40
        assert places(position, 1 - actor) == []
        assert all(0 <= place < SIZE_OF_TABLE for place in places(position, actor))


def test_windows_share_places_with_their_images() -> None:
    """Turned and mirrored boards have the same places, in another order."""
    options, match = GAME.complete({}), random_match(GAME, GAME.complete({}), 3)
    assert GAME.view
    original = match.at(12)
    for symmetry in GAME.view.symmetries(options):
        image = Position.start(GAME, options)
        for move in match.moves[:12]:
            image = image.play(GAME.moves[symmetry.actions[GAME.moves.index(move)]])
        assert sorted(places(image, acting(image.state))) == sorted(places(original, acting(original.state)))


def test_a_window_of_one_kind_has_one_place_for_each_part_of_the_board() -> None:
    empty = places(Position.start(GAME, {}), 0)
    assert len(set(empty)) == GROUPS == SIZE_OF_TABLE // FILLED**2


def test_a_table_changes_worths_by_the_sum_of_its_places(positions: list[Position]) -> None:
    for position in positions:
        weights, actor = table(1), acting(position.state)
        plain, judged = worths(position, NO_WEIGHTS)[actor], worths(position, weights)[actor]
        total = sum(int(weights.table[place]) for place in places(position, actor))
        assert np.sign(judged - plain) == np.sign(total)
        assert np.arctanh(judged / 0.999) * 2 == pytest.approx(np.arctanh(plain / 0.999) * 2 + total / 2048, abs=2e-2)
        assert worths(position, weights)[1 - actor] == -judged


def test_worths_have_the_same_bits_on_every_back_end(positions: list[Position]) -> None:
    """These were computed by compiled code."""
    found = np.array([worths(position, table(2)) for position in positions[:12]], np.float32)
    assert [hex(word) for word in found[:, 0].view(np.uint32)] == KNOWN


KNOWN = [
    "0x3f6a4a34",
    "0xbd15b09f",
    "0x3f5a14a2",
    "0x3e66a7e8",
    "0xbe510fe0",
    "0x3d50e02d",
    "0xbf5eb574",
    "0x3ea952df",
    "0x3da578c7",
    "0xbf3106dd",
    "0xbf1caa05",
    "0xbe42cb1f",
]
