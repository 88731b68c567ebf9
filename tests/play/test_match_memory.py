"""What a long match keeps in memory, and what it costs to ask it something."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

import empedocles
from empedocles.game import Game
from empedocles.play.match import IDS_EVERY, Match
from empedocles.render.picture import Look, follow
from empedocles.testing.samples import all_options, random_match

MOST = 1600  # bytes for a ply, of which 512 may be the state


def played(game: Game) -> Match:
    return random_match(game, next(iter(all_options(game))), seed=3)


def test_a_ply_takes_little_memory(game: Game) -> None:
    match = played(game)
    gc.collect()
    tracemalloc.start()
    try:
        again = [Match(match.start, chance="manual").play(*match.moves) for _ in range(3)]
        gc.collect()
        used = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert used / sum(one.plies for one in again) < MOST


def test_a_position_that_was_left_is_as_it_was() -> None:
    match = empedocles.new("ignite-and-flow")
    start = match.position
    legal, text = list(start.legal_moves), start.text
    match.play("Fc3")
    assert "legal_moves" not in vars(start)
    assert (start.legal_moves, start.text) == (legal, text)


def test_pieces_keep_their_ids_wherever_one_begins_to_look(game: Game) -> None:
    match = played(game)
    known = follow({}, game.sheet(match.start.state, Look()).pieces)
    expected = [known]
    for position in match.positions()[1:]:
        known = follow(known, game.sheet(position.state, Look()).pieces)
        expected.append(known)
    for ply in (match.plies, 0, match.plies // 2, match.plies // 2 + 1, IDS_EVERY, match.plies - 1):
        assert match.ids(ply) == expected[ply]
    assert len(match._ids) <= match.plies / IDS_EVERY + 6
    other = Match(match.start, chance="manual").play(*match.moves)
    other.recall(match.known_ids)
    assert other.ids(match.plies) is match.ids(match.plies)
    twin = match.until(IDS_EVERY + 1)
    assert max(twin._ids, default=0) <= IDS_EVERY + 1
    assert twin.ids(IDS_EVERY + 1) == expected[IDS_EVERY + 1]


def test_moves_can_be_asked_for_one_by_one() -> None:
    match = empedocles.new("ignite-and-flow").play("Fc3", "Wd4", "c3+d4")
    assert match.plies == 3
    assert [match.move(ply) for ply in (1, 2, 3)] == match.moves
    assert match.moves_since(1) == match.moves[1:]
    with pytest.raises(empedocles.EmpedoclesError):
        match.move(4)
    with pytest.raises(empedocles.EmpedoclesError):
        match.move(0)
