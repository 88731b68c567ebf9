"""Every reading of the rules is played at a table."""

from __future__ import annotations

import random
from typing import Any

import pytest
from server.people import House

from empedocles.differences import Difference, differences
from empedocles.game import Game
from empedocles.games import GAMES

UNUSUAL = [(game, options) for game in GAMES.values() for options in game.variants() if game.unusual_readings(options)]


@pytest.mark.parametrize(("game", "options"), UNUSUAL, ids=lambda value: getattr(value, "name", None) or str(value))
def test_a_reading_is_played_at_a_table(house: House, game: Game, options: dict[str, Any]) -> None:
    ada, luck = house.person("Ada"), random.Random(3)
    seats = [{"kind": "me"}, *({"kind": "here"} for _ in range(options.get("players", 2) - 1))]
    state = ada.ok("POST", "", {"game": game.name, "options": options, "seats": seats})
    for _ in range(8):
        legal = ada.ok("GET", state["id"])["legal"]
        state = ada.ok("POST", f"{state['id']}/moves", {"number": state["number"], "move": luck.choice(legal)})
    assert state["options"] == options
    page = house.client.get(f"/t/{state['id']}", headers=ada.headers).text
    assert all(rule in page for rule, _ in game.unusual_readings(options))


DIFFERENCES = [found for game in GAMES.values() for found in differences(game)]


@pytest.mark.parametrize("found", DIFFERENCES, ids=lambda found: f"{found.position.game.name} {found.move}")
def test_a_table_plays_what_only_a_reading_allows_and_refuses_what_it_forbids(house: House, found: Difference) -> None:
    ada, position = house.person("Ada"), found.position
    seats = [{"kind": "me"}, *({"kind": "here"} for _ in range(position.seats - 1))]
    state = ada.ok("POST", "", {"game": position.game.name, "start": position.text, "seats": seats})
    tried = {"number": state["number"], "move": found.move}
    if found.allowed:
        assert ada.ok("POST", f"{state['id']}/moves", tried)["moves"] == [found.move]
    else:
        assert ada.refused("POST", f"{state['id']}/moves", tried) == (422, "illegal-move")
