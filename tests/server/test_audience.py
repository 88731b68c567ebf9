"""However many watch, players get in; and one address cannot take all spectators' places."""

from __future__ import annotations

import contextlib
import functools
from pathlib import Path
from typing import Any

import pytest
from fastapi import WebSocketDisconnect
from server.fixtures import opened
from server.people import House, Person, next_kind
from starlette.testclient import WebSocketDenialResponse, WebSocketTestSession

from empedocles.server.domain.refusals import Refused
from empedocles.server.limits.audience import Audience
from empedocles.server.settings import Settings
from empedocles.server.web import views
from empedocles.server.web.routes import live as sockets
from empedocles.server.web.routes.live import MOST_REFUSED, REPLACED, TRY_AGAIN_LATER


def ended(socket: WebSocketTestSession) -> tuple[dict[str, Any], int]:
    """The last problem, and the code with which the connection is closed."""
    problem: dict[str, Any] = {}
    try:
        while True:
            problem = next_kind(socket, "problem")
    except WebSocketDisconnect as closed:
        return problem, closed.code


def hello(socket: WebSocketTestSession) -> dict[str, Any]:
    socket.send_json({"kind": "hello"})
    return next_kind(socket, "state")


def watching(house: House, match: str, count: int, stack: contextlib.ExitStack) -> list[WebSocketTestSession]:
    eve = Person(house.client, "")
    found = [stack.enter_context(eve.live(match)) for _ in range(count)]
    for socket in found:
        hello(socket)
    return found


def test_a_player_gets_in_where_spectators_fill_a_table_and_cannot_be_claimed_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SILENCE", 0.1)
    with opened(str(tmp_path / "a.db"), spectators=3, abandoned=0.4) as house, contextlib.ExitStack() as stack:
        ada, bo, match = house.pair()
        ada.play(match, "Fc3")
        watching(house, match, 3, stack)
        with Person(house.client, "").live(match) as refused:
            problem, code = ended(refused)
        assert (problem["code"], problem["retry"] > 0, code) == ("crowded", True, TRY_AGAIN_LATER)
        his = stack.enter_context(bo.live(match))
        assert hello(his)["state"]["your_turn"]
        for _ in range(6):  # signs of life, for longer than it takes to count as gone
            next_kind(his, "ping")
        assert ada.may_not(match, "claim") == "not-gone"
        his.send_json({"kind": "play", "number": bo.look(match)["number"], "move": bo.look(match)["legal"][0]})
        assert next_kind(his, "state")["state"]["plies"] == 2


def test_one_address_watches_no_more_than_its_part() -> None:
    audience = Audience(Settings(spectators=4, spectators_each=2, spectating=3))
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(audience.watch("one", "here"))
        with pytest.raises(Refused, match="from your address"), audience.watch("one", "here"):
            pass
        stack.enter_context(audience.watch("two", "here"))
        with pytest.raises(Refused, match="from your address"), audience.watch("three", "here"):
            pass
        for _ in range(2):
            stack.enter_context(audience.watch("one", "there"))
        with pytest.raises(Refused, match="too many people are watching:") as full, audience.watch("one", "elsewhere"):
            pass
        assert full.value.retry
    with audience.watch("three", "here"):  # all have left
        pass


def test_of_all_windows_of_an_address_the_one_who_has_most_gives_way() -> None:
    audience = Audience(Settings(windows=8, windows_in_all=3))
    gone: list[int] = []
    with contextlib.ExitStack() as stack:
        for number, player in enumerate(("bo", "ada", "ada", "cy", "di")):
            stack.enter_context(audience.sit("one", "here", player, functools.partial(gone.append, number)))
        assert gone == [1, 0]
        assert [audience.windows("one", player) for player in ("bo", "ada", "cy", "di")] == [0, 1, 1, 1]
        stack.enter_context(audience.sit("one", "there", "ada", gone.clear))  # elsewhere there is room
    assert not audience._by_place
    assert not audience._by_household


def test_the_oldest_window_of_a_player_ends_and_the_player_is_still_there(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), windows=2) as house, contextlib.ExitStack() as stack:
        ada, _, match = house.pair()
        first, second = (stack.enter_context(ada.live(match)) for _ in range(2))
        hello(first)
        hello(second)
        third = stack.enter_context(ada.live(match))
        problem, code = ended(first)
        assert (problem["code"], code) == ("replaced", REPLACED)
        assert hello(third)["state"]["here"][0]
        assert hello(second)["state"]["here"][0]


def test_a_spectator_who_says_no_hello_makes_room(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), hello_seconds=0.1) as house:
        ada, _, match = house.pair()
        with ada.live(match) as hers, Person(house.client, "").live(match) as socket:
            assert ended(socket)[0]["code"] == "no-hello"
            assert hello(hers)["kind"] == "state"


def test_a_household_that_talks_too_much_is_closed_and_still_plays(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), messages=0.1, messages_burst=8.0) as house:
        ada, _, match = house.pair()
        with ada.live(match) as hers, contextlib.ExitStack() as stack:
            number = hello(hers)["state"]["number"]
            one, two = (stack.enter_context(Person(house.client, "").live(match)) for _ in range(2))
            for _ in range(4):
                one.send_json({"kind": "ping"})
            for _ in range(4):
                two.send_json({"kind": "ping"})
            problem = next_kind(two, "problem")  # although each alone sent little
            assert (problem["code"], problem["retry"] > 0) == ("too-many-requests", True)
            hers.send_json({"kind": "play", "number": number, "move": "Fc3"})
            assert next_kind(hers, "state")["moves"] == ["Fc3"]


def test_who_goes_on_when_told_to_wait_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    with opened(str(tmp_path / "a.db"), messages=0.001, messages_burst=1.0) as house:
        _, _, match = house.pair()
        with Person(house.client, "").live(match) as socket:
            for _ in range(MOST_REFUSED + 2):
                socket.send_text("nonsense")
            problem, code = ended(socket)
        assert (problem["code"], code) == ("too-many-requests", TRY_AGAIN_LATER)


def test_hello_again_and_again_draws_nothing_anew(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo, match = house.pair()
    for who, move in ((ada, "Fc3"), (bo, "Wd4"), (ada, "Fa1")):
        who.play(match, move)
    made: list[str] = []

    def counted(name: str) -> None:
        make = getattr(views, name)

        def making(*given: Any) -> Any:
            made.append(name)
            return make(*given)

        monkeypatch.setattr(views, name, making)

    counted("words")
    counted("frame")
    with contextlib.ExitStack() as stack:
        for socket in watching(house, match, 3, stack):
            for _ in range(10):
                assert len(hello(socket)["words"]) == 3
    assert sorted(made) == ["frame", "words"]


def test_a_refused_websocket_is_told_when_to_come_back(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), rate=0.1, burst=5.0) as house:
        _, _, match = house.pair()
        house.client.get("/api/games")  # the last request for a while
        with pytest.raises(WebSocketDenialResponse) as refused, Person(house.client, "").live(match):
            pass
        assert refused.value.status_code == 429
        assert int(refused.value.headers["retry-after"]) > 0
        assert refused.value.json()["retry"] > 0
        assert "content-security-policy" in refused.value.headers
