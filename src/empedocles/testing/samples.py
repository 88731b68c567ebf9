"""Random matches and positions, reproducible by their seed."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from empedocles.game import Game
from empedocles.play.match import Match
from empedocles.position import Position


def all_options(game: Game) -> list[dict[str, Any]]:
    """Every combination of a game's option values."""
    return game.variants()


def random_match(game: Game, options: dict[str, Any], seed: int, plies: int | None = None) -> Match:
    """A match of random moves, to the end or to a number of plies.

    Half of the matches prefer some kinds of moves (by their first letter) to others: uniform play rarely meets the
    moves of which there are few.
    """
    rng = random.Random(f"{game.name} {game.named(options)} {seed}")
    weights: dict[str, float] = {}
    match = Match(Position.start(game, options), seed=seed, chance="manual")
    while not match.is_over and (plies is None or len(match.moves) < plies):
        moves = match.legal_moves
        if rng.random() < 0.5 or seed % 2:
            match.play(rng.choice(moves))
        else:
            kinds = sorted({move[0] for move in moves})
            kind = rng.choices(kinds, [weights.setdefault(k, rng.random()) for k in kinds])[0]
            match.play(rng.choice([move for move in moves if move[0] == kind]))
    return match


def random_positions(game: Game, count: int, seed: int = 0) -> Iterator[Position]:
    """`count` positions from random matches with every combination of options, finished ones included."""
    options = itertools.cycle(all_options(game))
    rng = random.Random(seed)
    while count > 0:
        positions = random_match(game, next(options), rng.getrandbits(32)).positions()
        chosen = rng.sample(positions, min(len(positions), count, 12))
        count -= len(chosen)
        yield from chosen
