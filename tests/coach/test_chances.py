"""Values as chances: what is even stays even, what is certain stays certain, and the rest is as it was measured."""

from __future__ import annotations

import pytest

from empedocles.coach.lines import chances, percent
from empedocles.games import GAMES, find
from empedocles.position import Position


@pytest.mark.parametrize(("game", "players"), [(game.name, seats) for game in GAMES.values() for seats in game.seats])
def test_even_and_certain_values_are_even_and_certain_chances(game: str, players: int) -> None:
    options = {"players": players} if "players" in find(game).complete({}) else {}
    position = Position.start(game, options)
    sides = len(set(position.game.sides(position.seats)))
    assert abs(chances(position, 0) - 100 / sides) <= 2.5
    assert (chances(position, 1), chances(position, -1 / (sides - 1))) == (100, 0)
    said = [chances(position, step / 20) for step in range(-20, 21)]
    assert said == sorted(said)


def test_a_game_says_how_sure_its_values_are() -> None:
    position = Position.start("fire-and-water", {})
    assert position.game.advice
    assert position.game.advice.certainty > 2
    assert chances(position, 0.5) == 95, "of positions judged 75 %, 92 to 95 % were won"
    assert percent(position, -0.5) == "5\N{NO-BREAK SPACE}%"
