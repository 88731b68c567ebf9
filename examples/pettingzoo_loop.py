"""PettingZoo's usual loop: agents that choose random legal actions play a few matches.

    python examples/pettingzoo_loop.py empedocles/fire_and_water_players_3-v1 10

Put your own policy into `choose`.
"""

import sys
from typing import Any

import numpy as np
import pettingzoo

import empedocles.adapters.pettingzoo

LUCK = np.random.default_rng(7)


def choose(observation: Any) -> int:
    """`observation` has the planes that the agent sees, and a mask of the legal actions."""
    return int(LUCK.choice(np.flatnonzero(observation["action_mask"])))


def play(env: Any, seed: int | None) -> dict[str, float]:
    """Play one match; returns the total reward of each agent."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        env.step(None if terminated or truncated else choose(observation))
    return total


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} ID MATCHES\nids: {', '.join(empedocles.adapters.pettingzoo.IDS)}")
    env = pettingzoo.make("aec", sys.argv[1])
    for number in range(int(sys.argv[2])):
        print(play(env, seed=7 if number == 0 else None))
