"""OpenSpiel's tree search, in C++ with random rollouts, against one of our opponents.

    python examples/openspiel_mcts.py "empedocles_fire_and_water(players=2)" level-3 200

The number is simulations per move. The search plays first; any other OpenSpiel bot can take its place.
"""

import random
import sys
from typing import Any

import pyspiel

import empedocles.adapters.openspiel  # noqa: F401 — registers the games with pyspiel
from empedocles import agents
from empedocles.search.limits import Limit


def play(game: Any, opponent: str, simulations: int, seed: int = 1) -> Any:
    """The state at the end of a match."""
    luck, state = random.Random(seed), game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)  # the bot does not keep it alive
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, True, seed, False)
    agent = agents.find(opponent, seed)
    while not state.is_terminal():
        if state.is_chance_node():
            action = luck.choice(state.legal_actions())
        elif state.current_player() == 0:
            action = bot.step(state)
        else:
            action = state.string_to_action(agent.choose(state.position, Limit(simulations=simulations)))
        print(state.action_to_string(action), end=" ", flush=True)
        state.apply_action(action)
    return state


if __name__ == "__main__":
    if len(sys.argv) != 4:
        known = (name for name in pyspiel.registered_names() if name.startswith("empedocles_"))
        sys.exit(f"usage: {sys.argv[0]} GAME OPPONENT SIMULATIONS\ngames: {', '.join(known)}")
    print(f"\n{play(pyspiel.load_game(sys.argv[1]), sys.argv[2], int(sys.argv[3])).returns()}")
