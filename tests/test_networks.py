"""Networks as files: what is read back, what is refused, and what is used instead."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import empedocles
from empedocles import networks
from empedocles.agents import SearchAgent, find
from empedocles.core.kernel import NO_WEIGHTS
from empedocles.errors import BadValue
from empedocles.games import find as find_game
from empedocles.networks import FILE, Network, features_of, new_card, read, shipped
from empedocles.search.limits import Limit

GAME = find_game("ignite-and-flow")
OPTIONS = GAME.complete({})


@pytest.fixture
def network() -> Network:
    luck = np.random.default_rng(3)
    table = np.zeros(features_of(GAME).size, np.int16)
    table[luck.integers(0, len(table), 5000)] = luck.integers(-999, 999, 5000)
    return Network(table, new_card(GAME, OPTIONS, games=1))


def test_a_network_is_read_back(network: Network, tmp_path: Path) -> None:
    network.save(tmp_path / FILE)
    again = read(tmp_path / FILE)
    np.testing.assert_array_equal(again.table, network.table)
    assert again.card["options"] == [dict(sorted(OPTIONS.items()))]
    assert again.suits(GAME, OPTIONS)
    assert not again.suits(GAME, GAME.complete({"chain": "middle"}))


def test_damaged_files_are_refused_whatever_is_damaged(network: Network, tmp_path: Path) -> None:
    file = tmp_path / FILE
    network.save(file)
    whole = file.read_bytes()
    for damaged in (b"", whole[:100], whole[: len(whole) // 2], b"no archive", whole.replace(b"steps", b"stops")):
        file.write_bytes(damaged)
        with pytest.raises(BadValue, match="is not a network"):
            read(file, GAME)
    with pytest.raises(BadValue, match="is not a network"):
        read(tmp_path / "nowhere.npz")


def test_networks_of_something_else_are_refused(network: Network, tmp_path: Path) -> None:
    file = tmp_path / FILE
    for name, value in (("game", "points-of-power"), ("rules", 2), ("places", 41)):
        dataclasses.replace(network, card={**network.card, name: value}).save(file)
        with pytest.raises(
            BadValue, match=f"a network with {name} {value!r}, expected {new_card(GAME, OPTIONS)[name]!r}"
        ):
            read(file, GAME)
    Network(network.table[:-1], network.card).save(file)
    with pytest.raises(BadValue, match=r"a network with size \d+, expected \d+"):
        read(file, GAME)


def test_without_a_sound_network_the_hand_made_evaluation_is_used(network: Network, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"damaged")
    broken = dataclasses.replace(GAME, folder=tmp_path)
    with pytest.warns(UserWarning, match="Ignite and Flow is evaluated without its network: .* is not a network"):
        assert shipped(broken) is None
    assert networks.weights(broken, OPTIONS) is NO_WEIGHTS
    assert shipped(dataclasses.replace(GAME, folder=tmp_path / "empty")) is None
    network.save(tmp_path / FILE)
    sound = dataclasses.replace(GAME, folder=tmp_path)
    assert len(networks.weights(sound, OPTIONS).table) == features_of(GAME).size
    assert networks.weights(sound, GAME.complete({"chain": "middle"})) is NO_WEIGHTS


def test_the_shipped_network_is_sound_and_used() -> None:
    network = shipped(GAME)
    assert network
    assert (GAME.folder / FILE).stat().st_size < 1_500_000
    position = empedocles.new("ignite-and-flow").play("Ec3").play("Tc3").position
    limit = Limit(simulations=40)
    with_it, without = (SearchAgent(weights=w).analyse(position, limit) for w in (None, NO_WEIGHTS))
    assert [one.value for one in with_it] != [one.value for one in without]


def test_a_run_plays_by_the_name_of_its_folder(network: Network, tmp_path: Path) -> None:
    network.save(tmp_path / FILE)
    agent = find(f"net:{tmp_path}")
    position = empedocles.new("ignite-and-flow").play("Ec3").play("Tc3").position
    assert agent.choose(position, Limit(simulations=20)) in position.legal_moves
    with pytest.raises(BadValue, match=r"this network was trained on ignite-and-flow with .*, not on points-of-power"):
        agent.choose(empedocles.new("points-of-power").position, Limit(simulations=20))
    with pytest.raises(BadValue, match="is not a network"):
        find(f"net:{tmp_path / 'nowhere'}")
