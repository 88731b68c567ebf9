"""OpenSpiel's own tests of consistency, and its bots."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts, random_agent
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

from empedocles import new
from empedocles.adapters import openspiel
from empedocles.errors import BadValue, IllegalMove, UnknownName
from empedocles.game import Game
from empedocles.games import GAMES, all_games
from empedocles.testing.samples import all_options

SMALL = "empedocles_elemental_defenders"
CASES = [(game, options) for game in GAMES.values() for options in all_options(game)]
every_option = pytest.mark.parametrize(("game", "options"), CASES, ids=[f"{g.name} {o}" for g, o in CASES])


def loaded(game: Game, options: dict[str, Any]) -> Any:
    return pyspiel.load_game(openspiel.spiel_name(game), options)


def decision(game: Any) -> Any:
    """The first state in which a player has the choice."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


@every_option
def test_openspiels_simulations_find_no_fault(game: Game, options: dict[str, Any]) -> None:
    # Serialising replays the whole history, at every ply: too long for the longest games.
    pyspiel.random_sim_test(loaded(game, options), num_sims=2, serialize=not game.has_teams, verbose=False)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_openspiels_test_of_its_python_games_finds_no_fault(game: Game) -> None:
    games_sim_test.GamesSimTest().sim_game(loaded(game, {}))


@every_option
def test_facts(game: Game, options: dict[str, Any]) -> None:
    spiel = loaded(game, options)
    kind = spiel.get_type()
    assert spiel.num_players() == options.get("players", 2)
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert spiel.utility_sum() == 0
    assert (kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC) == game.has_chance
    assert (spiel.min_utility(), spiel.max_utility()) == (-1, 1)
    assert spiel.max_game_length() == game.max_plies
    assert spiel.num_distinct_actions() == game.actions_with(options)
    assert str(pyspiel.load_game(str(spiel))) == str(spiel)
    assert pickle.loads(pickle.dumps(spiel)).get_parameters() == options


def test_action_strings_are_moves_and_chance_is_uniform() -> None:
    state = pyspiel.load_game(SMALL).new_initial_state()
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert {chance for _, chance in outcomes} == {1 / 20}
    assert {state.action_to_string(action) for action, _ in outcomes} == set(state.position.legal_moves)
    assert state.string_to_action("+We") == state.position.action("+We")
    assert str(state) == state.position.text


def test_states_are_cloned_and_pickled() -> None:
    state = decision(pyspiel.load_game(SMALL, {"mode": "basic"}))
    twins = [state.clone(), pickle.loads(pickle.dumps(state)), _serialised(state)]
    for twin in twins:
        assert (str(twin), twin.history()) == (str(state), state.history())
        twin.apply_action(twin.legal_actions()[0])
        assert str(twin) != str(state)


def test_states_may_begin_at_a_position() -> None:
    game = pyspiel.load_game(SMALL, {"mode": "basic"})
    there = decision(game)
    state = game.new_initial_state(str(there))
    assert (str(state), state.history()) == (str(there), [])
    state.apply_action(state.legal_actions()[0])
    there.apply_action(there.legal_actions()[0])
    for twin in (state, state.clone(), pickle.loads(pickle.dumps(state)), _serialised(state)):
        assert str(twin) == str(there)
    for wrong in (str(decision(pyspiel.load_game(SMALL, {"mode": "advanced"}))), new("ignite-and-flow").position.text):
        with pytest.raises(BadValue, match="this game is elemental-defenders with mode=basic"):
            game.new_initial_state(wrong)
    with pytest.raises(UnknownName, match="unknown game 'nonsense'"):
        game.new_initial_state("nonsense")


def _serialised(state: Any) -> Any:
    return pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]


def test_a_pickled_state_needs_no_import_before() -> None:
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    state = decision(pyspiel.load_game(SMALL))
    found = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(state), check=True, capture_output=True)
    assert found.stdout.decode().strip() == str(state)


def test_each_player_sees_the_position_from_its_own_side() -> None:
    state = decision(pyspiel.load_game("empedocles_ignite_and_flow"))
    state.apply_action(state.legal_actions()[0])
    observation = make_observation(state.get_game())
    for player in range(2):
        observation.set_from(state, player)
        assert np.array_equal(observation.dict["observation"], state.position.observe(player))
        assert np.array_equal(observation.tensor, state.observation_tensor(player))
        assert observation.string_from(state, player) == state.position.text
    assert state.information_state_string(0) == state.history_str()
    with pytest.raises(ValueError, match="no parameters of observations"):
        make_observation(state.get_game(), params={"size": 3})


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("FWFWFWFW\nWFWFWFWF\n" * 4, encoding="utf-8")
    game = pyspiel.load_game("empedocles_fire_and_water", {"board": str(board)})
    board.unlink()
    again = pyspiel.load_game(str(game))
    assert again.get_parameters()["board"] == game.get_parameters()["board"] == "/".join(["FWFWFWFW", "WFWFWFWF"] * 4)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(UnknownName, match="unknown value 7 for option 'players': players is 2 or 3 or 4"):
        pyspiel.load_game("empedocles_fire_and_water(players=7)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'colour'"):
        pyspiel.load_game("empedocles_fire_and_water(colour=7)")
    state = decision(pyspiel.load_game(SMALL))
    before = state.history()
    with pytest.raises(IllegalMove, match=r"illegal move '\+We': all cards are dealt \(ED-4\)"):
        state.apply_action(state.position.action("+We"))
    assert state.history() == before


def test_gains_and_losses_are_balanced() -> None:
    third = float(np.float32(1 / 3))
    for returns in ([1, -third, -third, -third], [third, third, third, -1], [0, 0], [0.5, 0.5, -1]):
        found = openspiel.balanced(returns)
        assert abs(sum(found)) < 1e-12
        assert found == pytest.approx(returns, abs=1e-7)
        assert all(abs(worth) <= 1 for worth in found)


def test_a_game_without_a_view_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    from stones import GAME

    monkeypatch.setitem(all_games(), GAME.name, GAME)
    openspiel.register(GAME)
    openspiel.register(GAME)  # again changes nothing
    game = pyspiel.load_game("empedocles_stones")
    assert not game.get_type().provides_observation_tensor
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


# ── Bots ──


def bots(game: Any) -> list[Any]:
    luck = np.random.RandomState(1)
    python = mcts.MCTSBot(game, 1.4, 5, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    return [pyspiel.make_uniform_random_bot(0, 1), python]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_openspiels_bots_play(game: Game) -> None:
    spiel = loaded(game, {})
    state = decision(spiel)
    while state.current_player():  # the random bot sits at 0
        state.apply_action(state.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)  # the bot does not keep it alive
    in_cpp = pyspiel.MCTSBot(spiel, evaluator, 1.4, 5, 100, True, 1, False)
    for bot in [*bots(spiel), in_cpp]:
        assert bot.step(state) in state.legal_actions()
    assert in_cpp.mcts_search(state).explore_count == 5


def test_both_tree_searches_find_a_win() -> None:
    """In a position with one move that wins at once, found among random ones."""
    game = pyspiel.load_game("empedocles_points_of_power")
    state, winning = _about_to_win(game)
    luck = np.random.RandomState(1)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    count = 40 * len(state.legal_actions())
    in_python = mcts.MCTSBot(game, 1.4, count, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    in_cpp = pyspiel.MCTSBot(game, evaluator, 1.4, count, 100, True, 1, False)
    assert {in_python.step(state), in_cpp.step(state)} <= winning


def _about_to_win(game: Any) -> tuple[Any, set[int]]:
    luck = np.random.default_rng(1)
    while True:
        states = [game.new_initial_state()]
        while not states[-1].is_terminal():
            states.append(states[-1].child(int(luck.choice(states[-1].legal_actions()))))
        before, after = states[-2:]
        if after.returns()[before.current_player()] == 1:
            children = {action: before.child(action) for action in before.legal_actions()}
            wins = {
                action
                for action, child in children.items()
                if child.is_terminal() and child.returns()[before.current_player()] == 1
            }
            return before, wins


def test_openspiels_learning_environment_plays() -> None:
    env = rl_environment.Environment("empedocles_fire_and_water", players=3)
    size = env.action_spec()["num_actions"]
    agents = [random_agent.RandomAgent(player, size) for player in range(3)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    assert sorted(step.rewards) == [-0.5, -0.5, 1]


def test_a_process_ends_well() -> None:
    """OpenSpiel keeps references to its games until after Python has ended."""
    code = "import pyspiel, empedocles.adapters.openspiel"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ)
