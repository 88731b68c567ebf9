"""A table that is taught: by another table, a function, a class of agents or a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from agents.test_policies import onnx_file
from learn.tiny import STONES

from empedocles import BadValue, MissingExtra, UnknownName, new
from empedocles.core.kernel import CHANCE, UNIT
from empedocles.engine.playout import States
from empedocles.games import GAMES
from empedocles.learn import learners, selfplay
from empedocles.learn.teachers import teacher
from empedocles.learn.training import Plan, Training
from empedocles.networks import FILE, Network, features_of, new_card
from empedocles.position import Position
from empedocles.testing.samples import random_positions

START = Position.start(STONES, {"heap": "large"})
DUEL = GAMES["elemental-defenders"]
LUCK = np.uint64(5)
MODULE = """
import numpy as np
from empedocles.agents import PolicyAgent

def policy(observations):
    return np.zeros((len(observations), 65)), observations[:, 0, 0, 0] / 2 + 0.25

class Player(PolicyAgent):
    def __init__(self, seed):
        super().__init__(policy, seed)

class Needy:
    pass

def short(observations):
    return np.zeros((len(observations), 65)), np.zeros(len(observations) + 1)

def lost(observations):
    return np.zeros((len(observations), 65)), np.full(len(observations), np.nan)

def alone(observations):
    return np.zeros(len(observations))

number = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "their_teachers.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("their_teachers", None)


# ── What is learnt ──


def known(folder: Path) -> str:
    """A teacher with a number for each heap."""
    table = np.zeros(features_of(STONES).size, np.int16)
    table[1:22] = np.random.default_rng(7).integers(-2 * UNIT, 2 * UNIT, 21)
    folder.mkdir()
    Network(table, new_card(STONES, START.options)).save(folder / FILE)
    return f"net:{folder}"


def taught(plan: Plan, folder: Path, rounds: int) -> Training:
    training = Training(plan, folder)
    for _ in range(rounds):
        training.wrong, training.errors = 0.0, 0  # of the last round alone
        training.round()
    return training


def test_a_table_that_is_taught_by_a_table_becomes_like_it(tmp_path: Path) -> None:
    plan = Plan(START, seed=2, teacher=known(tmp_path / "teacher"))
    first, last = (taught(plan, tmp_path / f"run-{rounds}", rounds) for rounds in (1, 60))
    assert first.error > 0.005
    assert last.error < 1e-4
    teaching = teacher(plan.teacher, START)
    last.save()
    learnt, heaps = teacher(f"net:{last.folder}", START), all_heaps()
    assert np.abs(learnt(heaps, LUCK) - teaching(heaps, LUCK)).max() < 0.05
    assert last.network().card["teacher"] == plan.teacher


def test_the_error_shows_when_the_opposite_is_taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the test above would see it."""
    right, plan = selfplay.learn, Plan(START, seed=2, teacher=known(tmp_path / "teacher"))
    monkeypatch.setattr(learners, "learn", lambda states, goals, *rest: right(states, -goals, *rest))
    taught(plan, tmp_path / "run", 60).save()
    monkeypatch.undo()
    assert taught(plan, tmp_path / "run", 1).error > 0.1


def test_a_taught_run_goes_on_as_if_uninterrupted(tmp_path: Path) -> None:
    plan = Plan(START, seed=3, teacher=known(tmp_path / "teacher"))
    whole = taught(plan, tmp_path / "whole", 4)
    taught(plan, tmp_path / "parts", 2).save()
    resumed = taught(plan, tmp_path / "parts", 2)
    np.testing.assert_array_equal(resumed.table, whole.table)
    with pytest.raises(BadValue, match=r"has a run of .*'teacher': .*; give another folder"):
        Training(Plan(START, seed=3), tmp_path / "parts")


def all_heaps() -> States:
    """All that come after a decision."""
    states = states_of([START] * 20)
    states["stones"] = np.arange(1, 21)
    return states


def states_of(positions: list[Position]) -> States:
    states = np.zeros(len(positions), positions[0].game.rules.state)
    for k, position in enumerate(positions):
        states[k] = position.state
    return states


# ── Who teaches ──


def test_functions_classes_and_files_teach_what_they_say(folder: Path) -> None:
    positions = [position for position in random_positions(DUEL, 40) if not position.is_over]
    states, start = states_of(positions), new(DUEL.name).start
    goals = teacher("their_teachers:policy", start)(states, LUCK)
    np.testing.assert_array_equal(teacher("their_teachers:Player", start)(states, LUCK), goals)
    decisions = [k for k, position in enumerate(positions) if position.to_move != CHANCE]
    for k in decisions:
        mover = int(positions[k].to_move or 0)
        expected = positions[k].observe(mover)[0, 0, 0] / 2 + 0.25
        assert goals[k, mover] == pytest.approx(expected)
        assert goals[k, 1 - mover] == pytest.approx(-expected)
    assert len(decisions) < len(positions), "where chance moves are due, they are drawn first"
    assert np.abs(goals).min(1).max() <= 1
    assert np.abs(goals).max(1).min() > 0


def test_a_file_teaches(folder: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra empedocles[onnx]")
    file = onnx_file(folder, game=DUEL)
    goals = teacher(f"onnx:{file}", new(DUEL.name).start)(states_of(list(random_positions(DUEL, 4))), LUCK)
    np.testing.assert_allclose(goals.sum(1), 0, atol=1e-6)
    assert np.abs(goals).max() > 0


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("pebble", UnknownName, "unknown teacher 'pebble': there are onnx:FILE, net:RUN, and MODULE:NAME"),
        ("nowhere:policy", UnknownName, "unknown teacher 'nowhere:policy': there is no module 'nowhere'"),
        ("their_teachers:none", UnknownName, "unknown teacher 'their_teachers:none': there is no 'none'"),
        ("their_teachers:number", BadValue, "is a int: a function of observations is needed"),
        ("their_teachers:Needy", BadValue, "cannot be made from a seed"),
        ("their_teachers:short", BadValue, r"values are of shape \(3,\) or \(3, 2\) here, not \(4,\)"),
        ("their_teachers:lost", BadValue, "a policy's values are finite"),
        ("their_teachers:alone", BadValue, "a policy returns logits and values"),
        ("onnx:nowhere.onnx", BadValue, "there is no file 'nowhere.onnx'"),
        ("net:nowhere", BadValue, "is not a network"),
    ],
)
def test_what_cannot_teach_is_refused(folder: Path, name: str, kind: type[Exception], said: str) -> None:
    position = next(p for p in random_positions(DUEL, 9) if p.to_move in (0, 1))
    with pytest.raises(kind, match=said):
        teacher(name, position)(states_of([position] * 3), LUCK)


def test_a_table_for_other_options_does_not_teach(tmp_path: Path) -> None:
    known(tmp_path / "teacher")
    small = Position.start(STONES, {"heap": "small"})
    with pytest.raises(BadValue, match=r"this network was trained on stones with .*large.*, not on .*small"):
        teacher(f"net:{tmp_path / 'teacher'}", small)


def test_without_onnxruntime_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"empedocles\[onnx\]"):
        teacher("onnx:network.onnx", START)
