"""Plies per second of one core, in random games through every interface, measured in turn.

`python benchmarks/adapters.py`. The legal actions are listed at every ply, and observations made where a row says so.
Chance plies always count, also where the interface draws them itself. Playouts are compiled as a whole; everything
else is driven from Python, ply by ply.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation

import empedocles
from empedocles.adapters import openspiel, pettingzoo
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.position import Position

ROUNDS = 5
SECONDS = 0.5  # of processor time per row and round, which other work on the machine affects less

Games = Callable[[int], int]  # plays one or more games from a seed; returns the number of plies


def playout(game: Game) -> Games:
    start = Position.start(game)
    return lambda seed: int(playouts(start, 100, seed=100 * seed).plies.sum())


def kernels(game: Game) -> Games:
    out = np.empty(game.max_legal, np.int16)

    def play(seed: int) -> int:
        luck, s, plies = random.Random(seed), game.start({}), 0
        while not s.over:
            n = game.rules.legal(s, out)
            game.rules.play(s, int(out[luck.randrange(n)]))
            plies += 1
        return plies

    return play


def match(game: Game) -> Games:
    def play(seed: int) -> int:
        luck, match = random.Random(seed), empedocles.new(game.name, seed=seed)
        while not match.is_over:
            match.play(luck.choice(match.position.legal_actions))
        return len(match.moves)

    return play


def zoo(game: Game, wrapped: bool, observe: bool) -> Games:
    module = getattr(pettingzoo, pettingzoo.module_name(game))
    env = module.env() if wrapped else module.raw_env()

    def play(seed: int) -> int:
        luck = random.Random(seed)
        env.reset(seed=seed)
        for _ in env.agent_iter():
            _, _, over, cut, info = env.last(observe)
            env.step(None if over or cut else int(luck.choice(np.flatnonzero(info["action_mask"]))))
        return len(env.unwrapped.match.moves)

    return play


def spiel(game: Game, observe: bool) -> Games:
    loaded = pyspiel.load_game(openspiel.spiel_name(game))
    observation = make_observation(loaded)

    def play(seed: int) -> int:
        luck, state, plies = random.Random(seed), loaded.new_initial_state(), 0
        while not state.is_terminal():
            if observe and not state.is_chance_node():
                observation.set_from(state, state.current_player())
            state.apply_action(luck.choice(state.legal_actions()))
            plies += 1
        return plies

    return play


def rows(game: Game) -> dict[str, Games]:
    return {
        "compiled playouts": playout(game),
        "kernels from Python": kernels(game),
        "Match": match(game),
        "PettingZoo raw_env": zoo(game, wrapped=False, observe=False),
        "PettingZoo raw_env, observing": zoo(game, wrapped=False, observe=True),
        "PettingZoo env, observing": zoo(game, wrapped=True, observe=True),
        "OpenSpiel": spiel(game, observe=False),
        "OpenSpiel, observing": spiel(game, observe=True),
    }


def rate(play: Games, seed: int) -> float:
    plies, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        plies += play(seed)
        seed += 1
    return plies / spent


def measured(game: Game) -> dict[str, float]:
    """The median rate of each row."""
    players = rows(game)
    for play in players.values():  # compile first
        play(0)
    rounds = [{name: rate(play, 1000 * number) for name, play in players.items()} for number in range(ROUNDS)]
    return {name: statistics.median(each[name] for each in rounds) for name in players}


def main() -> None:
    for game in GAMES.values():
        rates = measured(game)
        for name, found in rates.items():
            print(f"{game.title:20} {name:30} {found:12,.0f} plies/s  × {found / rates['Match']:.2f}", flush=True)


if __name__ == "__main__":
    main()
