"""The readings of Fire & Water, and what ends it, against a second referee."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from conftest import INTERPRETED
from games.fire_and_water.referee import Referee

from empedocles import CHANCE, Position, vector
from empedocles.games.fire_and_water import GAME
from empedocles.games.fire_and_water.lookups import CLAIM, PASS

SHORT, LONG = 3 if INTERPRETED else 60, 2_000  # games per reading
FINALES = ("tokens", "claims")


def lead_the_way(moves: list[str], last_turns: bool, greed: float, luck: random.Random) -> str:
    """A move that rather lets elementals wait for the last turns, with leaders on the board to claim them."""
    wanted = {"C": 20.0 if last_turns else 0.01, "L": 0.2, "P": greed, "p": 0.1}
    kinds = sorted({move[0] for move in moves})
    kind = luck.choices(kinds, [wanted.get(kind, 1.0) for kind in kinds])[0]
    return luck.choice([move for move in moves if move[0] == kind])


def play_both(options: dict[str, Any], seed: int) -> tuple[str, str]:
    """One game, refereed twice. Returns the kinds of moves in last turns, and the rule that ended the game."""
    luck, referee, position = random.Random(seed), Referee(**options), Position.start(GAME, options)
    last_turns, greed = "", luck.choice((0.1, 20.0))  # for tokens: some greedy games end by FW-19
    while not position.is_over:
        moves = position.legal_moves
        assert len(moves) == len(set(moves))
        assert referee.moves() == set(moves), position.text
        move = lead_the_way(moves, referee.last is not None, greed, luck)
        last_turns += move[0] if referee.last is not None else ""
        position = position.play(move)
        referee.play(move)
        assert position.to_move in (None, CHANCE, referee.turn)
    assert referee.moves() == set()
    assert position.result
    assert position.ending
    assert position.result.scores == referee.scores()
    assert position.result.winners == {referee.winner()}
    assert position.ending.rule == referee.ended
    return last_turns, referee.ended


def play_many(finale: str, games: int) -> None:
    tables = itertools.cycle(itertools.product((2, 3, 4), ("medallion", "chessboard")))
    options = ({"players": players, "board": board, "finale": finale} for players, board in tables)
    ends = [play_both(next(options), seed) for seed in range(games)]
    claims = sum("C" in last_turns for last_turns, _ in ends)
    assert claims == 0 or finale == "claims"
    if not INTERPRETED:  # else there are too few games
        assert claims > games / 10 or finale == "tokens"
        assert {rule for _, rule in ends} == {"FW-19", "FW-20"}


@pytest.mark.parametrize("finale", FINALES)
def test_fw20_two_referees_agree(finale: str) -> None:
    play_many(finale, SHORT)


@pytest.mark.long
@pytest.mark.parametrize("finale", FINALES)
def test_fw20_two_referees_agree_on_many_games(finale: str) -> None:
    play_many(finale, LONG)


# ── For programs ──


@pytest.mark.skipif(INTERPRETED, reason="thousands of positions")
def test_fw20_a_batch_plays_claims_in_last_turns() -> None:
    """The only turns that allow a claim and a pass are last ones."""
    for finale in FINALES:
        batch, luck, found = vector("fire-and-water", 64, seed=1, finale=finale), np.random.default_rng(1), False
        for _ in range(60):
            masks = batch.legal_mask
            found |= bool((masks[:, CLAIM:PASS].any(axis=1) & masks[:, PASS]).any())
            batch.step(np.array([luck.choice(np.flatnonzero(mask)) for mask in masks]))
        assert found == (finale == "claims")
