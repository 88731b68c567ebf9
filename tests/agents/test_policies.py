"""Networks of others as agents: functions, and files of the format ONNX."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from empedocles import BadValue, MissingExtra, agents, new
from empedocles.agents import PolicyAgent
from empedocles.agents.policies import OnnxPolicy
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.arena import Contest, Played, run
from empedocles.search.limits import Limit

LIMIT = Limit(simulations=40)
FLOW = GAMES["ignite-and-flow"]


def test_a_function_plays_any_game(game: Game) -> None:
    position = new(game.name, seed=2).position
    agent = PolicyAgent(
        lambda planes: (planes.mean(1).reshape(len(planes), -1)[:, :1] + np.zeros(size), planes[:, 0, 0, 0])
    )
    size = position.n_actions
    found = agent.analyse(position, LIMIT)
    assert sorted(one.move for one in found) == position.legal_moves
    assert all(-1 <= one.value <= 1 for one in found)
    assert agent.choose(position, LIMIT) == found[0].move, "whatever it was asked before"
    assert agent.choose(position, Limit(seconds=0.01)) in position.legal_moves


# ── Files ──


def onnx_file(
    folder: Path, batch: Any = "n", game: Game = FLOW, names: tuple[str, str] = ("logits", "values"), inputs: int = 1
) -> Path:
    """A network of one layer with weights from a seed."""
    onnx = pytest.importorskip("onnx", reason="makes the networks of the tests")
    from onnx import TensorProto, helper, numpy_helper

    shape, actions = game.needed_view().shape, game.actions_with(game.complete({}))
    rng, size = np.random.default_rng(1), int(np.prod(shape))
    weights = {
        "policy": rng.normal(size=(size, actions), scale=0.1).astype(np.float32),
        "worth": rng.normal(size=(size, 1), scale=0.1).astype(np.float32),
    }
    nodes = [
        helper.make_node("Flatten", ["observations"], ["flat"]),
        helper.make_node("MatMul", ["flat", "policy"], [names[0]]),
        helper.make_node("MatMul", ["flat", "worth"], ["worth_of"]),
        helper.make_node("Tanh", ["worth_of"], [names[1]]),
    ]
    observations = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [batch, *shape])
        for name in ("observations", "more")[:inputs]
    ]
    outputs = [
        helper.make_tensor_value_info(names[0], TensorProto.FLOAT, [batch, actions]),
        helper.make_tensor_value_info(names[1], TensorProto.FLOAT, [batch, 1]),
    ]
    outputs.sort(key=lambda output: names.index(output.name), reverse=names[0] == "actions")
    given = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "network", observations, outputs, given)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "network.onnx"))
    return folder / "network.onnx"


def test_a_file_plays_by_its_name_and_as_its_function_does(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra empedocles[onnx]")
    file, position = onnx_file(tmp_path), new("ignite-and-flow").position
    planes = np.stack([position.observe(), position.play("Ec3").observe()])
    logits, values = OnnxPolicy(file)(planes)
    assert (logits.shape, values.shape) == ((2, position.n_actions), (2, 1))
    found = agents.find(f"onnx:{file}", 3).analyse(position, LIMIT)
    assert found == PolicyAgent(OnnxPolicy(file), 3).analyse(position, LIMIT)
    assert found != PolicyAgent(lambda planes: (np.zeros((len(planes), 3546)), np.zeros(len(planes)))).analyse(
        position, LIMIT
    )


@pytest.mark.parametrize(("batch", "names"), [(1, ("logits", "values")), (3, ("a", "b")), ("n", ("actions", "value"))])
def test_files_of_other_shapes_answer_alike(batch: Any, names: tuple[str, str], tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra empedocles[onnx]")
    position = new("ignite-and-flow").position
    usual = PolicyAgent(OnnxPolicy(onnx_file(tmp_path))).analyse(position, LIMIT)
    other = PolicyAgent(OnnxPolicy(onnx_file(tmp_path, batch, names=names))).analyse(position, LIMIT)
    assert [one.visits for one in other] == [one.visits for one in usual]


def test_the_arena_plays_files_in_two_processes(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra empedocles[onnx]")
    name = f"onnx:{onnx_file(tmp_path)}"
    contest = Contest(FLOW.name, FLOW.complete({}), (name, "random"), Limit(simulations=4), seed=1)
    games = list(run(contest, contest.tasks(2), jobs=2))
    assert all(isinstance(game, Played) for game in games), games


def test_files_that_are_no_network_for_this_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra empedocles[onnx]")
    with pytest.raises(BadValue, match="there is no file"):
        agents.find(f"onnx:{tmp_path / 'nowhere.onnx'}")
    (tmp_path / "network.onnx").write_bytes(b"nonsense")
    with pytest.raises(BadValue, match="is not an ONNX network"):
        agents.find(f"onnx:{tmp_path / 'network.onnx'}")
    with pytest.raises(
        BadValue, match=r"needs one input of floats \[n, planes, rows, columns\]; it has observations.*mo"
    ):
        OnnxPolicy(onnx_file(tmp_path, inputs=2))
    agent = agents.find(f"onnx:{onnx_file(tmp_path)}")
    with pytest.raises(BadValue, match="was trained on observations of 18 × 6 × 6; here they are 23 × 11 × 11"):
        agent.choose(new("points-of-power").position, LIMIT)


def test_without_onnxruntime_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"empedocles\[onnx\]"):
        agents.find("onnx:network.onnx")
