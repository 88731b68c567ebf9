"""Chance is decided before the match by a secret that its digest commits to; afterwards, anybody can draw again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from server.people import House, play_out

from empedocles.position import Position
from empedocles.server.domain.table import Table
from empedocles.server.workers.bots import Bots

DOCS = Path(__file__).parents[2] / "docs" / "server.md"


def drawn(secret: bytes, ply: int, outcomes: list[str]) -> str:
    """By the code that the docs give to those who trust nobody."""
    code = DOCS.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(code, names)
    return str(names["drawn"](secret, ply, outcomes))


def draws(house: House, match: str) -> dict[str, Any]:
    told: dict[str, Any] = house.client.get(f"/api/matches/{match}/draws").json()
    return told


def test_draws_can_be_made_again_from_the_secret(house: House) -> None:
    ada = house.person("Ada")
    count = 0
    for game in ("fire-and-water", "elemental-defenders"):
        match = ada.create(game, "me", "here")["id"]
        before = draws(house, match)
        assert before["secret"] is None
        end = play_out(match, ada)
        told = draws(house, match)
        secret = bytes.fromhex(told["secret"])
        assert hashlib.sha256(secret).hexdigest() == before["commitment"] == end["commitment"]
        for draw in told["draws"]:
            count += 1
            assert draw["move"] == drawn(secret, draw["ply"], draw["outcomes"])
            assert end["moves"][draw["ply"]] == draw["move"]
    assert count > 20


def test_nothing_tells_the_secret_before_the_end(house: House) -> None:
    ada, bo, match = house.pair("fire-and-water")
    table = house.client.portal.call(house.service.table, match)  # type: ignore[union-attr]
    said = [ada.play(match), ada.look(match), draws(house, match), ada.ok("GET", "?status=mine")]
    said.append(house.client.get(f"/api/matches/{match}/record").text)
    with bo.live(match) as socket:
        socket.send_json({"kind": "hello"})
        said.append(socket.receive_json())
    assert table.secret.hex() not in str(said)
    assert str(table.match.seed) not in str(said)
    assert ada.do(match, "resign")["secret"] == table.secret.hex()
    assert ada.may_not(match, "back") == "over"  # who knows the secret does not play on


def test_undoing_does_not_draw_again(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("elemental-defenders", "me", "here")["id"]
    first = ada.play(match)["moves"]
    ada.do(match, "back")
    assert ada.play(match)["moves"] == first


class Spy:
    """Thinks for bots, and keeps what agents are told."""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    async def quick(self, _work: object, _agent: str, position: str, seed: int, _seconds: float) -> str:
        self.seeds.append(seed)
        return Position(position).legal_moves[0]


def test_no_agent_can_tell_draws_from_its_seed(house: House) -> None:
    match, spy = house.person("Ada").create("fire-and-water", "level-1", "level-1")["id"], Spy()
    bots, portal = Bots(house.service, spy, 1), house.client.portal  # type: ignore[arg-type]
    assert portal
    movers = []
    for _ in range(8):
        table: Table = portal.call(house.service.table, match)
        movers.append(table.match.to_move)
        portal.call(bots._serve, match)
    assert set(movers) == {0, 1}
    assert len(set(zip(movers, spy.seeds, strict=True))) == len(set(spy.seeds)) == 2  # each seat has its own
    assert all(abs(seed - table.match.seed) > 1000 for seed in spy.seeds)
