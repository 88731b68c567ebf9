"""Training on the smallest of games, of which the truth is known: whoever leaves a multiple of four stones wins."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from learn.tiny import DIGEST, STONES, digest_of_two_rounds

from empedocles.core.kernel import UNIT
from empedocles.errors import BadValue, UnknownName
from empedocles.games import find
from empedocles.learn.report import write_report
from empedocles.learn.training import LOG, STATE, Plan, Training
from empedocles.networks import FILE, read
from empedocles.position import Position


@pytest.fixture
def start() -> Position:
    return Position.start(STONES, {"heap": "large"})


def test_the_truth_about_a_tiny_game_is_learnt(start: Position, tmp_path: Path) -> None:
    training = Training(Plan(start), tmp_path)
    for _ in range(60):
        training.round()
    logits = training.table[1:18] / UNIT
    for heap, logit in enumerate(logits, start=1):
        if heap % 4:
            assert logit > 1, f"whoever moves wins with {heap} stones"
        else:
            assert logit < -1, f"whoever moves loses with {heap} stones"
    assert training.measure(200) > 0.6


def test_a_run_does_not_depend_on_interruptions_or_threads(start: Position, tmp_path: Path) -> None:
    whole = Training(Plan(start, seed=5), tmp_path / "whole")
    for _ in range(4):
        whole.round()
    begun = Training(Plan(start, seed=5), tmp_path / "parts", threads=2)
    for _ in range(2):
        begun.round()
    begun.save()
    resumed = Training(Plan(start, seed=5), tmp_path / "parts")
    for _ in range(2):
        resumed.round()
    assert (resumed.games, resumed.plies) == (whole.games, whole.plies)
    np.testing.assert_array_equal(resumed.table, whole.table)
    for mine, theirs in zip(resumed.memory, whole.memory, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_run_learns_the_same_bits_compiled_and_interpreted(tmp_path: Path) -> None:
    assert digest_of_two_rounds(tmp_path) == DIGEST, "the test of training on CUDA says the same, interpreted"


def test_a_look_is_noted_and_saved(start: Position, tmp_path: Path) -> None:
    training = Training(Plan(start), tmp_path)
    (progress,) = training.run(0.01)
    (line,) = (tmp_path / LOG).read_text().splitlines()
    assert json.loads(line) == progress._asdict()
    assert progress.games == training.games > 0
    assert read(tmp_path / FILE, STONES).card["games"] == training.games
    assert "<svg" in write_report(tmp_path, training.plan).read_text()
    assert not list(training.run(0.01)), "it has trained for so long already"


def test_another_run_in_the_folder_is_refused(start: Position, tmp_path: Path) -> None:
    Training(Plan(start, seed=1), tmp_path).save()
    with pytest.raises(BadValue, match=r"has a run of .*'seed': 1.*, not of .*'seed': 2.*; give another folder"):
        Training(Plan(start, seed=2), tmp_path)
    (tmp_path / STATE).write_bytes(b"PK damaged")
    with pytest.raises(BadValue, match="is damaged"):
        Training(Plan(start, seed=1), tmp_path)


def test_what_cannot_be_trained_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="Elemental Defenders names no features, which a network needs"):
        Plan(Position.start(find("elemental-defenders"), {}))
    stones = Position.start(STONES, {})
    with pytest.raises(UnknownName, match="unknown device 'tpu': there are cpu, cuda"):
        Plan(stones, device="tpu")
    with pytest.raises(BadValue, match="a round has at least 1 game, not -1"):
        Plan(stones, games=-1)
    with pytest.raises(BadValue, match="a teacher is asked on the processor"):
        Plan(stones, device="cuda", teacher="net:run")
    with pytest.raises(BadValue, match="a seed is a whole number from 0"):
        Plan(stones, seed=-1)
    with pytest.raises(BadValue, match="at least 1 thread, not 0"):
        Training(Plan(stones), tmp_path, threads=0)
