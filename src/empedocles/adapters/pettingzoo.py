"""PettingZoo's interface: every game as an environment of agents who move in turns (AEC), in both styles of making one.

>>> import pettingzoo
>>> import empedocles.adapters.pettingzoo
>>> env = pettingzoo.make("aec", "empedocles/fire_and_water-v1", players=3)

>>> from empedocles.adapters.pettingzoo import fire_and_water_v1
>>> env = fire_and_water_v1.env(players=3, render_mode="human")

The version is that of the rules. Options are keywords; every other combination of their values has an id of its own
too, such as `empedocles/fire_and_water_players_3-v1`: see `IDS`. An observation has planes from the agent's own side
(`game.view` says what they mean) and an action mask; the mask is in `info` as well, so that `last(observe=False)` is
enough to play. Chance moves are drawn inside: `reset(seed=7)` plays the same as `empedocles.new(…, seed=7)`.

`raw_env` refuses an illegal action with `IllegalMove` and goes on; `env` ends the game as PettingZoo's own do, with −1
for whoever made it. A running environment can be copied and pickled.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.errors import BadValue, UnknownName
from empedocles.extras import Extra
from empedocles.game import Game
from empedocles.games import all_games
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.render.formats import png

with Extra("research"):
    import gymnasium
    import pettingzoo
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from pettingzoo.utils import wrappers

NAMESPACE = "empedocles"
RENDER_MODES = ("ansi", "rgb_array", "human")
FRAMES_PER_SECOND = 2  # in a window: slow enough to follow
ILLEGAL = -1.0  # the reward of an illegal action, where that ends the game

Mask = npt.NDArray[np.int8]
Pixels = npt.NDArray[np.uint8]


class GameEnv(pettingzoo.AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A match as an environment; `match` is what is being played."""

    match: Match

    def __init__(self, game: Game, render_mode: str | None = None, **options: Any) -> None:
        if game.view is None:
            raise BadValue(
                f"{game.name} cannot be an environment: its Game has no view, so there is nothing to observe"
            )
        if render_mode not in (None, *RENDER_MODES):
            raise UnknownName(f"unknown render mode {render_mode!r}: there are {', '.join(RENDER_MODES)}")
        super().__init__()
        self.metadata: dict[str, Any] = {
            "name": module_name(game),
            "render_modes": list(RENDER_MODES),
            "render_fps": FRAMES_PER_SECOND,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._start = Position.start(game, options, files=True)
        self._seats = {f"player_{seat}": seat for seat in range(self._start.seats)}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(self._start.n_actions) for agent in self._seats}
        self.observation_spaces = {agent: _observation_space(self._start) for agent in self._seats}
        self._seeds = random.Random()
        self._window = Window(game.title)

    @property
    def game(self) -> Game:
        return self._start.game

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    # ── Playing ──

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new match. Without a seed it follows from the last one given: whole training runs can be repeated."""
        self.match = Match(self._start, seed=self._seeds.getrandbits(64) if seed is None else seed)
        if seed is not None:
            self._seeds.seed(self.match.seed)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._look()

    def step(self, action: Any) -> None:
        self._need_players()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.match.play(action.item() if isinstance(action, np.ndarray) and action.ndim == 0 else action)
        self._cumulative_rewards[agent] = 0.0
        if self.match.is_over:
            self.rewards = dict(zip(self.agents, self.match.position.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._look()

    def last(self, observe: bool = True) -> Any:
        self._need_players()
        return super().last(observe)

    def _need_players(self) -> None:
        self._need_match()
        if not self.agents:
            raise ResetNeeded("this match is over, and nobody is left: call reset() to play the next")

    def _need_match(self) -> None:
        if not hasattr(self, "match"):
            raise ResetNeeded("there is no match yet: call reset() first")

    def _look(self) -> None:
        """Find whose turn it is and what is legal, and show it."""
        self.agent_selection = self.agents[self.match.to_move or 0]
        self.infos = {agent: {"action_mask": self._mask(seat)} for agent, seat in self._seats.items()}
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        self._need_match()
        if agent not in self._seats:
            raise UnknownName(f"unknown agent {agent!r}: there are {', '.join(self._seats)}")
        seat = self._seats[agent]
        return {"observation": self.match.position.observe(seat), "action_mask": self._mask(seat)}

    def _mask(self, seat: int) -> Mask:
        """All zeros but for the seat to move."""
        mask = np.zeros(self._start.n_actions, np.int8)
        if seat == self.match.to_move:
            mask[self.match.position.legal_actions] = 1
        return mask

    # ── Showing ──

    def render(self) -> Any:
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() shows nothing: make the environment with a render_mode of {RENDER_MODES}")
            return None
        self._need_match()
        if self.render_mode == "ansi":
            return str(self.match)
        if self.render_mode == "rgb_array":
            return self._pixels()
        self._window.show(self._pixels(), self.metadata["render_fps"])
        return None

    def _pixels(self) -> Pixels:
        with Extra("research"):
            from PIL import Image

        picture = png([self.match.draw()], scale=1.0)[0]
        return np.array(Image.open(io.BytesIO(picture)).convert("RGB"))

    def close(self) -> None:
        self._window.close()


def _observation_space(start: Position) -> spaces.Space[Any]:
    planes = spaces.Box(0, 1, start.game.needed_view().shape, np.float32)
    return spaces.Dict({"observation": planes, "action_mask": spaces.Box(0, 1, (start.n_actions,), np.int8)})


class Window:
    """A window on the screen, opened when there is something to show."""

    def __init__(self, title: str) -> None:
        self.title, self.is_open = title, False

    def show(self, pixels: Pixels, frames_per_second: float) -> None:
        with Extra("research"):
            import pygame

        if not self.is_open:
            pygame.display.init()
            pygame.display.set_caption(self.title)
            self.is_open = True
        height, width, _ = pixels.shape
        screen = pygame.display.get_surface()
        if screen is None or screen.get_size() != (width, height):
            screen = pygame.display.set_mode((width, height))
        pygame.surfarray.blit_array(screen, pixels.swapaxes(0, 1))
        pygame.event.pump()
        pygame.display.flip()
        pygame.time.wait(round(1000 / frames_per_second))

    def close(self) -> None:
        if self.is_open:
            import pygame

            pygame.display.quit()
            self.is_open = False

    def __reduce__(self) -> tuple[type[Window], tuple[str]]:
        # A copy of an environment, or one in another process, opens a window of its own.
        return Window, (self.title,)


# ── Ids ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Environment(NamedTuple):
    """A game in the style of PettingZoo's modules: `fire_and_water_v1.env(players=3)`."""

    game: Game

    def raw_env(self, **options: Any) -> GameEnv:
        return GameEnv(self.game, **options)

    def env(self, **options: Any) -> pettingzoo.AECEnv[str, Any, Any]:
        terminating = wrappers.TerminateIllegalWrapper(self.raw_env(**options), illegal_reward=ILLEGAL)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(terminating))


IDS: dict[str, dict[str, Any]] = {}  # id → the options it stands for
_environments: dict[str, Environment] = {}


def module_name(game: Game) -> str:
    return f"{game.name.replace('-', '_')}_v{game.rules_version}"


def register(game: Game) -> None:
    """Register the ids of a game, such as one in a notebook. Without a view it has none: nothing can be observed."""
    if game.view is None or module_name(game) in _environments:
        return
    made = _environments[module_name(game)] = Environment(game)
    for words, options in _variants(game):
        name = "_".join([f"{NAMESPACE}/{game.name}", *words]).replace("-", "_")
        IDS[f"{name}-v{game.rules_version}"] = options
        if hasattr(pettingzoo, "register"):  # since 1.27
            pettingzoo.register("aec", f"{name}-v{game.rules_version}", made.env, kwargs=options)


def _variants(game: Game) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Every combination of option values, and the words that tell it from the usual one."""
    for chosen in game.variants():
        unusual = {option.name: chosen[option.name] for option in game.options if chosen[option.name] != option.default}
        yield [f"{name}_{value}" for name, value in unusual.items()], unusual


def __getattr__(name: str) -> Environment:
    if name not in _environments:
        raise AttributeError(f"no environment {name!r}: there are {', '.join(_environments)}")
    return _environments[name]


def __dir__() -> list[str]:
    return [*globals(), *_environments]


for _game in all_games().values():
    register(_game)
