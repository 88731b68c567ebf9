"""OpenSpiel's interface: importing this module makes every game known to `pyspiel`, as `empedocles_…`.

>>> import pyspiel
>>> import empedocles.adapters.openspiel
>>> game = pyspiel.load_game("empedocles_fire_and_water(players=3)")

The options of a game are its parameters. Action numbers are the game's own, also of chance moves, which are nodes of
their own with equal probabilities; action strings are the texts of moves, and `str(state)` is the text of a position.
Nothing is hidden in these games: what a player is told is the whole position, as planes from that player's own side.

OpenSpiel's bots and searches play them, the tree searches in Python and in C++ included. Its releases 1.6.15 to 2.0.2
crash in the `step` of the C++ `MCTSBot` on any game written in Python, their own too; there `mcts_search` still works.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from empedocles.core.kernel import CHANCE, Planes
from empedocles.errors import BadValue
from empedocles.extras import Extra
from empedocles.game import Game
from empedocles.games import all_games
from empedocles.position import Position

with Extra("research"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame


def spiel_name(game: Game) -> str:
    return "empedocles_" + game.name.replace("-", "_")


def register(game: Game) -> None:
    """Register a game with `pyspiel`, such as one in a notebook, unless it is registered already."""
    if spiel_name(game) not in pyspiel.registered_names():
        maker = partial(SpielGame, game)
        # OpenSpiel lets go of it after Python has ended: if that were the last reference, the process would crash.
        maker.itself = maker  # type: ignore[attr-defined]
        pyspiel.register_game(_game_type(game), maker)


def _game_type(game: Game) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=spiel_name(game),
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if game.has_chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,  # also between teams: the contract of our games says so
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=game.view is not None,
        parameter_specification={option.name: option.default for option in game.options},
    )


def _game_info(start: Position) -> Any:
    game, actions = start.game, start.n_actions
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=actions if game.has_chance else 0,  # chance moves are numbered among the others
        num_players=start.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=game.max_plies,
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options."""

    def __init__(self, game: Game, options: Mapping[str, Any] | None = None) -> None:
        self.rules = game
        self.options = game.complete(options or {}, files=True)
        self.start = Position.start(game, self.options)
        super().__init__(_game_type(game), _game_info(self.start), self.options)

    def new_initial_state(self, position: str | None = None) -> SpielState:
        """At the beginning, or at a position of this game and these options, given by its text."""
        return SpielState(self, self.start if position is None else self._position(position))

    def _position(self, text: str) -> Position:
        position = Position(text)
        if position.game is not self.rules or position.options != self.start.options:
            options = " ".join(f"{name}={value}" for name, value in self.start.options.items())
            raise BadValue(f"this game is {self.rules.name} with {options}, and {text!r} is a position of another")
        return position

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.rules, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position with its history."""

    def __init__(self, game: SpielGame, start: Position) -> None:
        super().__init__(game)
        self.position = start

    def current_player(self) -> int:
        seat = self.position.to_move
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def _legal_actions(self, _player: int) -> list[int]:
        return self.position.legal_actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.position.legal_actions
        return [(action, 1 / len(outcomes)) for action in outcomes]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.position.game.moves[action]

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        return balanced(self.position.returns)

    def __str__(self) -> str:
        return self.position.text


def balanced(returns: Sequence[float]) -> list[float]:
    """Returns whose gains and losses are exactly equal: OpenSpiel is stricter than our kernels' single precision."""
    gains, losses = sum(max(worth, 0) for worth in returns), sum(max(-worth, 0) for worth in returns)
    less = min(gains, losses)  # what is larger shrinks, so that nobody gets more than 1
    return [worth * less / (gains if worth > 0 else losses) if worth else 0.0 for worth in returns]


class Observer:
    """What a player sees, as OpenSpiel expects it: `tensor` with named parts in `dict`, and a string."""

    def __init__(self, game: Game, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations, such as {params}")
        self.tensor: Planes | None = None
        self.dict: dict[str, Planes] = {}
        if game.view:
            planes = np.zeros(game.view.shape, np.float32)
            self.tensor, self.dict = planes.reshape(-1), {"observation": planes}

    def set_from(self, state: SpielState, player: int) -> None:
        for planes in self.dict.values():
            planes[:] = state.position.observe(player)

    def string_from(self, state: SpielState, _player: int) -> str:
        return state.position.text


assert int(pyspiel.PlayerId.CHANCE) == CHANCE
for _game in all_games().values():
    register(_game)
