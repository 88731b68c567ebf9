"""Agents that look ahead: the strongest we have, and the ladder of weaker ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles import networks
from empedocles.agents.simple import Analyst
from empedocles.coach.claims import explain
from empedocles.core.bits import stir
from empedocles.core.kernel import Weights
from empedocles.core.rng import normal
from empedocles.errors import BadValue, UnknownName
from empedocles.game import Game, Opponent
from empedocles.position import Position
from empedocles.search import exact
from empedocles.search.limits import Evaluation, Limit
from empedocles.search.mcts import Search, nodes_for
from empedocles.search.weakness import seen_of


class SearchAgent(Analyst):
    """Exact where the game can be solved, a tree search elsewhere.

    It keeps what it found out about later positions of the same match. It judges positions by the game's trained
    network, where there is one for the options, or by other `weights`: NO_WEIGHTS are the hand-made evaluation's. If
    it `explains`, `analyse` gives the reasons why a move falls short of the best.
    """

    def __init__(
        self, seed: int = 0, threads: int = 1, weights: Weights | npt.ArrayLike | None = None, explains: bool = False
    ) -> None:
        self.seed, self.threads, self.weights, self.explains = seed, threads, weights, explains
        self._search: Search | None = None

    def __getstate__(self) -> dict[str, Any]:
        # A copy without the tree would play differently, and a copied tree takes 100 MB.
        if self._search is not None:
            raise BadValue("a search that has begun cannot be copied or pickled; make a new agent with the same seed")
        return vars(self)

    def choose(self, position: Position, limit: Limit) -> str:
        if can_be_solved(position):
            return next(iter(exact.values(position)))  # without the line to the end, which takes longer
        return super().choose(position, limit)

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        found = self._looked(position, limit)
        return [_explained(position, one, found[0]) for one in found] if self.explains else found

    def _looked(self, position: Position, limit: Limit) -> list[Evaluation]:
        if can_be_solved(position):
            return _proven(exact.solve(position))
        if self._search is None or not self._search.follow(position):
            self._search = Search(position, self.seed, threads=self.threads, weights=self._weights(position))
        self._search.run(limit)
        return self._search.evaluations()

    def judge(self, position: Position, move: str, limit: Limit) -> Evaluation:
        """Evaluate one move, with the whole limit spent on it."""
        if can_be_solved(position):
            return next(found for found in _proven(exact.solve(position)) if found.move == move)
        search = Search(position, self.seed, only=move, threads=self.threads, weights=self._weights(position))
        search.run(limit)
        return search.evaluations()[0]

    def _weights(self, position: Position) -> Weights | npt.ArrayLike:
        return networks.weights(position.game, position.options) if self.weights is None else self.weights


class NetworkAgent(SearchAgent):
    """A tree search with the network of a training run: `net:FOLDER`."""

    def __init__(self, folder: str, seed: int = 0) -> None:
        network = networks.read(Path(folder) / networks.FILE)
        super().__init__(seed, weights=network.weights())
        self.network = network

    def _looked(self, position: Position, limit: Limit) -> list[Evaluation]:
        self.network.check(position.game, position.options)
        return super()._looked(position, limit)


def _explained(position: Position, one: Evaluation, best: Evaluation) -> Evaluation:
    if one.move == best.move or (one.value, one.points) == (best.value, best.points):
        return one
    return replace(one, reasons=explain(position, one, best).sentences)


class LadderAgent(Analyst):
    """One of a game's named opponents, by its level from 1 up. A limit can only make it weaker.

    What it thinks of a position depends on its seed and the position alone.
    """

    def __init__(
        self, level: int, seed: int = 0, game: str | None = None, weights: npt.ArrayLike | None = None
    ) -> None:
        self.level, self.seed, self.game, self.weights = level, seed, game, weights

    def choose(self, position: Position, limit: Limit) -> str:
        moves = position.legal_moves
        self._check(position.game)
        return moves[0] if len(moves) == 1 else super().choose(position, limit)

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        self._check(position.game)
        return think(position, opponent_of(position.game, self.level), limit, self.seed, self.weights)

    def _check(self, game: Game) -> None:
        if self.game not in (None, game.name):
            raise UnknownName(f"this opponent plays {self.game} alone; {game.title} has {_names(game)}")


def think(
    position: Position, opponent: Opponent, limit: Limit, seed: int, weights: Weights | npt.ArrayLike | None = None
) -> list[Evaluation]:
    """How an opponent evaluates the moves of a position."""
    opponent = opponent.on_the_day(seed)
    if can_be_solved(position):
        return _blurred(position, opponent, seed)
    limit = limit.within(Limit(simulations=opponent.simulations))
    nodes = nodes_for(position.game, limit.simulations or 1)
    if weights is None and opponent.learnt:
        weights = networks.weights(position.game, position.options)
    search = Search(position, seed, noise=opponent.noise, overlooks=opponent.overlooks, nodes=nodes, weights=weights)
    search.run(limit)
    return search.evaluations()


def opponent_of(game: Game, level: int) -> Opponent:
    if not 1 <= level <= len(game.opponents):
        raise UnknownName(f"{game.title} has no opponent of level {level}: there are {_names(game)}")
    return game.opponents[level - 1]


def _names(game: Game) -> str:
    return ", ".join(opponent.name for opponent in game.opponents) or "none"


def can_be_solved(position: Position) -> bool:
    return position.game.solve is not None and position.to_move in range(position.seats)


def _proven(solution: exact.Solution) -> list[Evaluation]:
    """Exact values on the scale of estimates: a win is 1 whatever its points, and more points come first."""
    line = solution.line
    return [
        Evaluation(
            move,
            _outcome(points),
            points,
            proven=True,
            depth=len(line) if move == line[0] else 1,
            line=line if move == line[0] else (move,),
        )
        for move, points in solution.moves.items()
    ]


def _blurred(position: Position, opponent: Opponent, seed: int) -> list[Evaluation]:
    """Exact values as an opponent sees them: misjudged, by little more often than by much, and some overlooked."""
    values, luck = exact.values(position), np.uint64(stir(np.uint64(seed), np.uint64(position.key)))
    actions = np.array(position.legal_actions, np.int16)
    seen = set(actions[: seen_of(luck, opponent.overlooks, actions, len(actions))].tolist())
    points = {
        move: worth + opponent.noise * normal(luck, action)
        for move, worth in values.items()
        if (action := position.action(move)) in seen
    }
    sure = not (opponent.noise or opponent.overlooks)
    found = [
        Evaluation(m, _outcome(worth), round(worth), proven=sure, depth=1, line=(m,)) for m, worth in points.items()
    ]
    return sorted(found, key=lambda evaluation: -points[evaluation.move])


def _outcome(points: float) -> float:
    return float((points > 0) - (points < 0))
