"""Points of Power against a referee that knows nothing of the engine, move by move over random games."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from conftest import INTERPRETED
from games.points_of_power.referee import Board, Referee

from empedocles import Position, PositionError, new
from empedocles.boards import parse
from empedocles.games.points_of_power import GAME
from empedocles.games.points_of_power.board import BOARDS
from empedocles.testing.contract import (
    check_clicks,
    check_identity,
    check_legal,
    check_match,
    check_picture,
    check_reasons,
)
from empedocles.testing.views import check_planes, check_symmetries

# Small boards, on which elements are often hemmed in: holes, and a material plane of one, two and four cells.
NARROW = "FFF*AAA/FFF.AAA/FFF-AAA/.*.m.*./EEE-WWW/EEE.WWW/EEE*WWW"
POINTED = "FFF*AAA/FFF.AAA/FFF*AAA/*.*m*.*/EEE*WWW/EEE.WWW/EEE*WWW"
HOLES = "FFF*.*AAA/FFF-.-AAA/FFF...AAA/*--.m.--*/EEE...WWW/EEE-.-WWW/EEE*.*WWW"
TALL = "FFF.AAA/FFF-AAA/FFF*AAA/..mm.../.*mm.*./..-.-../EEE*WWW/EEE-WWW/EEE.WWW"
WIDE = "FFF....AAA/FFF*mm*AAA/FFF....AAA/-.......--/EEE*--*WWW/EEE....WWW/EEE....WWW"
# In the opening all first steps of Air lead to points of power, and those of Fire can be cut off.
WALLED = "WWW.EEE..../WWW.EEE..../WWW.EEE..../.........../mmm......../mmm.......*/mmm......../" + (
    ".......****/FFF....*AAA/FFF....*AAA/FFF....*AAA"
)
NAMED = {name: "/".join(parse(path.read_text(encoding="utf-8"))) for name, path in BOARDS.items()}
READINGS: dict[str, list[dict[str, Any]]] = {
    "boards": [{"players": p, "board": b} for p in (2, 4) for b in ("wheel", NARROW, HOLES, TALL, WIDE, WALLED)],
    "stuck": [{"players": 4, "stuck": "passes", "board": b} for b in (POINTED, NARROW, POINTED, TALL, WALLED)],
}


def room(game: Referee, move: str) -> int:
    """How many moves the next player would have; many where a move ends the game otherwise."""
    after = copy.copy(game)
    after.had = {*game.had}
    after.play(move)
    return 99 if after.rule not in {"", "PP-18"} else len(after.moves()) - ("pass" in after.moves())


def chosen(luck: random.Random, game: Referee, legal: list[str]) -> str:
    """Captures now and then, and moves that leave the next player no room: hardly any others lead to PP-18."""
    kind = luck.random()
    if kind < 0.1 and (captures := [move for move in legal if "x" in move]):
        return luck.choice(captures)
    if kind < 0.7 and len(game.pieces) < 22:
        return min(luck.sample(legal, min(10, len(legal))), key=lambda move: room(game, move))
    return luck.choice(legal)


def begun(options: dict[str, Any], luck: random.Random) -> tuple[Position, Referee]:
    """The start of a game, or a position with pieces scattered over the board, where more are hemmed in."""
    position = new("points-of-power", **options).position
    given = position.options
    game = Referee(NAMED.get(given["board"], given["board"]), given["players"], given["stuck"])
    for _ in range(200 if luck.random() < 0.7 else 0):
        pieces = scattered(luck, game.board)
        try:
            position = Position(text(position, pieces, mover := luck.randrange(game.players)))
        except PositionError:
            continue
        game.pieces, game.turns, game.had = pieces, 4 + mover, {*"FAEW"}
        break
    return position, game


def scattered(luck: random.Random, board: Board) -> dict[str, str]:
    """Few pieces of some elements, many of others: who has a single exposed piece may have no way out."""
    squares = luck.sample([*board.kinds], len(board.kinds))
    numbers = [luck.choice((1, 1, 2, 5, 9)) for _ in "FAEW"]
    elements = "".join(element * n for element, n in zip("FAEW", numbers, strict=True))
    return dict(zip(squares, elements, strict=False))


def text(position: Position, pieces: dict[str, str], mover: int) -> str:
    sets = {element: [at for at, what in pieces.items() if what == element] for element in "FAEW"}
    named = [f"{name}={','.join(sets[name[0].upper()])}" for name in ("fire", "air", "earth", "water")]
    options = [f"{name}={value}" for name, value in position.options.items()]
    return " ".join(["points-of-power", *options, *named, f"to-move={mover}"])


def compare(options: dict[str, Any], seed: int, counted: Counter[str]) -> None:
    """One game: the same moves, the same pieces and the same end."""
    luck = random.Random(f"{options} {seed}")
    position, game = begun(options, luck)
    plies = game.turns + luck.choice((10, 20, 40, 210 if seed % 10 == 0 else 10))
    while not position.is_over and game.turns < plies:
        legal = sorted(game.moves())
        assert sorted(position.legal_moves) == legal, position.text
        assert position.to_move == game.mover
        move = chosen(luck, game, legal)
        counted["passes"] += move == "pass"
        game.play(move)
        position = position.play(move)
    check_end(position, game)
    counted[game.rule] += 1


def check_end(position: Position, game: Referee) -> None:
    assert Position(position.text) == position
    assert position.is_over == bool(game.rule), position.text
    if position.is_over:
        assert position.ending is not None
        assert position.ending.rule == game.rule
        assert position.result is not None
        assert {seat % 2 for seat in position.result.winners} == ({game.winner} - {None})


@pytest.mark.skipif(INTERPRETED, reason="whole games")
@pytest.mark.parametrize("games", [24, pytest.param(2000, marks=pytest.mark.long)])
@pytest.mark.parametrize("reading", READINGS)
def test_the_referee_agrees(reading: str, games: int) -> None:
    counted: Counter[str] = Counter()
    for seed in range(games):
        compare(READINGS[reading][seed % len(READINGS[reading])], seed, counted)
    print(reading, games, dict(counted))
    assert counted["PP-15"] + counted["PP-16"]
    assert bool(counted["passes"]) == (reading == "stuck")


# ── What the rest of the package relies on, where the usual options do not lead ──


@pytest.mark.skipif(INTERPRETED, reason="whole games")
@pytest.mark.parametrize("board", ["cross", POINTED, HOLES, TALL, WIDE])
def test_the_contract_holds_on_other_boards_with_four_who_pass(board: str) -> None:
    options = GAME.complete({"players": 4, "board": board, "stuck": "passes"})
    check_match(GAME, options)
    check_symmetries(GAME, options, matches=1)
    luck = random.Random(board)
    for _ in range(6):
        position, _game = begun(options, luck)
        check_legal(position)
        check_identity(position)
        check_reasons(position)
        check_clicks(position)
        check_picture(position)
        check_planes(position, GAME.needed_view())
