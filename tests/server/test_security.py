"""What strangers cannot do, and cannot learn."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from fastapi import WebSocketDisconnect
from server.fixtures import opened
from server.people import House
from sqlalchemy.exc import OperationalError

import empedocles
from empedocles.play.records import Record
from empedocles.server.limits.budgets import Allowance
from empedocles.server.limits.processor import Processor
from empedocles.server.web.security import COOKIE, HEADERS, LARGEST_BODY, Guard

FOREIGN = {"origin": "https://evil.example"}


def test_the_cookie_is_for_this_site_and_no_script(house: House) -> None:
    made = house.client.post("/api/players", json={"name": "Ada"})
    cookie = made.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert "secure" not in cookie  # over plain HTTP, as on the reader's own machine, browsers would drop it
    assert house.client.get("/api/players/me").json()["name"] == "Ada"


def test_the_cookie_is_secure_where_the_connection_is(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db")) as house:
        made = house.client.post("https://testserver/api/players", json={"name": "Ada"})
        assert "secure" in made.headers["set-cookie"].lower()
    with opened(str(tmp_path / "b.db"), secure=True) as house:
        assert "secure" in house.client.post("/api/players", json={"name": "Ada"}).headers["set-cookie"].lower()


def test_foreign_pages_can_do_nothing(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    house.client.cookies.set(COOKIE, ada.token)
    for headers in (FOREIGN, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}):
        for method, path in (("POST", f"/api/matches/{match}/moves"), ("DELETE", f"/api/matches/{match}")):
            refused = house.client.request(method, path, json={"number": 1, "move": "Fc3"}, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "foreign-origin")
    ours = {"origin": "http://testserver"}
    played = house.client.post(f"/api/matches/{match}/moves", json={"number": 1, "move": "Fc3"}, headers=ours)
    assert played.status_code == 200


def test_foreign_pages_cannot_listen(house: House) -> None:
    match = house.person("Ada").create("ignite-and-flow", "me", "here")["id"]
    path = f"/api/matches/{match}/live"
    for headers in (FOREIGN, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        with pytest.raises(WebSocketDisconnect), house.client.websocket_connect(path, headers=headers):
            pass
    with house.client.websocket_connect(path, headers={"origin": "http://testserver"}) as socket:
        socket.send_json({"kind": "hello"})
        assert socket.receive_json()["kind"] == "state"


def test_tokens(house: House) -> None:
    ada = house.person("Ada")
    client = house.client
    assert client.get("/api/players/me", headers=ada.headers).json()["id"] == ada.id
    for wrong in ("Bearer ", "Bearer x", f"Basic {ada.token}", ada.token, "Bearer " + "é" * 40):
        assert client.get("/api/players/me", headers={b"authorization": wrong.encode()}).status_code == 401
    assert client.post("/api/players/here", json={"token": "x"}).status_code == 403
    half = {"content": b'{"token": "\\ud800"}', "headers": {"content-type": "application/json"}}
    assert client.post("/api/players/here", **half).status_code in (403, 422)  # type: ignore[arg-type]
    assert client.post("/api/players/here", json={"token": ada.token}).json()["id"] == ada.id
    assert client.get("/api/players/me").json()["id"] == ada.id  # by the cookie now


def test_the_database_holds_no_token_and_no_invite(house: House, tmp_path: Path) -> None:
    ada = house.person("Ada")
    invite = ada.create("ignite-and-flow", "me", "link")["invites"]["1"]
    held = b"".join(file.read_bytes() for file in tmp_path.glob("empedocles.db*"))
    assert b"Ada" in held
    assert ada.token.encode() not in held
    assert invite.encode() not in held


def test_too_many_requests(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), rate=1.0, burst=5.0) as house:
        answers = [house.client.get("/api/games").status_code for _ in range(8)]
        refused = house.client.get("/api/games")
    assert answers == [200] * 5 + [429] * 3
    assert refused.headers["retry-after"] == "1"


def test_bodies_have_a_limit(house: House) -> None:
    large = b'{"record": "' + b"x" * LARGEST_BODY + b'"}'
    told = house.client.post("/api/records", content=large)
    assert (told.status_code, told.json()["code"]) == (413, "too-large")
    untold = house.client.post("/api/records", content=iter([large[:1000], large[1000:]]))
    assert (untold.status_code, untold.json()["code"]) == (413, "too-large")


def test_pages_may_load_and_run_our_own_files_only(house: House) -> None:
    for path in ("/themes.css", "/static/base.css", "/api/games", "/nothing-here"):
        headers = house.client.get(path).headers
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert "unsafe" not in headers["content-security-policy"]
        assert policy["frame-ancestors"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_only_the_worker_that_searches_may_compile(house: House) -> None:
    page, worker = (
        house.client.get(f"/static/{file}.js").headers["content-security-policy"]
        for file in ("engine/thinker", "engine/worker")
    )
    assert worker.replace(" 'wasm-unsafe-eval'", "") == page
    assert "script-src 'self' 'wasm-unsafe-eval';" in worker


def test_browsers_ask_whether_a_script_is_the_latest(house: House) -> None:
    first = house.client.get("/static/base.css")
    assert first.headers["cache-control"] == "no-cache"
    again = house.client.get("/static/base.css", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("origin", ["http://[", "null", "", "http://testserver.example", "testserver"])
def test_an_origin_that_is_not_ours_or_no_address_is_refused(house: House, origin: str) -> None:
    answer = house.client.post("/api/players", json={"name": "Ada"}, headers={"origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign-origin")


def test_a_failure_is_answered_with_the_headers_of_all_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.service, "latest", None)
    answer = house.client.get("/api/matches/abc")
    assert answer.status_code == 500
    assert all(answer.headers[name] == value for name, value in HEADERS.items())


def test_names_are_escaped_in_pictures_and_records(house: House) -> None:
    ada = house.person("<b>Ada")
    match = ada.create("elemental-defenders", "me", "here")["id"]
    picture = house.client.get(f"/api/matches/{match}/picture.svg").text
    assert "<b>" not in picture
    assert "&lt;b&gt;Ada" in picture
    record = house.client.get(f"/api/matches/{match}/record")
    assert record.headers["content-type"].startswith("text/plain")
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        frame = socket.receive_json()["frame"]
    assert "<b>" not in str(frame)


def test_names_of_an_imported_record_are_cleaned_as_others_are(house_on: House) -> None:
    ada = house_on.person("Ada")
    names = {0: "\x00Eve\x07\u202e " + "x" * 60, 1: "\x1b"}
    record = str(Record(empedocles.new("elemental-defenders", seed=1), names))
    made = house_on.client.post("/api/imports", json={"record": record}, headers=ada.headers)
    assert made.status_code == 201, made.text
    assert [seat["name"] for seat in made.json()["seats"]] == ["Eve " + "x" * 36, ""]
    picture = house_on.client.get(f"/api/matches/{made.json()['id']}/picture.svg")
    assert ElementTree.fromstring(picture.text).tag.endswith("svg")


def test_an_error_of_ours_tells_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ada = house.person("Ada")

    async def fail(*_: object) -> None:
        raise OperationalError("SELECT secret FROM matches", {"secret": "5ec4e7"}, OSError("disk on fire"), True)

    monkeypatch.setattr(house.service.store, "load", fail)
    answer = ada.ask("GET", "abc")
    assert answer.status_code == 500
    assert answer.json()["code"] == "failed"
    for leak in ("Traceback", "SELECT", "fire", "store.py"):
        assert leak not in answer.text


def test_secrets_are_in_no_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ada = house.person("Ada")
    table = ada.create("fire-and-water", "me", "link")
    secret = house.client.portal.call(house.service.table, table["id"]).secret  # type: ignore[union-attr]
    house.person("Bo").ok("POST", f"{table['id']}/join", {"invite": table["invites"]["1"]})

    async def twice() -> None:
        again = await house.service.store.load(table["id"])
        await house.service.store.add(again)  # the database refuses, and says why

    with pytest.raises(Exception, match="UNIQUE") as refused:
        house.client.portal.call(twice)  # type: ignore[union-attr]
    said = caplog.text + str(refused.value)
    assert secret.hex() not in said
    assert ada.token not in said
    assert table["invites"]["1"] not in said


def test_secrets_are_never_asked_for_in_an_address(house: House) -> None:
    """Browsers, proxies and logs keep addresses, so tokens and invites travel in headers and bodies."""
    described = house.client.get("/api/openapi.json").json()
    for path, methods in described["paths"].items():
        for what in methods.values():
            asked = {parameter["name"] for parameter in what.get("parameters", []) if parameter["in"] != "header"}
            assert not asked & {"token", "invite", "secret", "password"}, path


def test_whoever_looks_after_the_server_waits_for_no_visitor_of_the_same_address() -> None:
    async def scene() -> None:
        asked: list[str] = []
        busy = asyncio.Event()

        async def app(scope: Any, _receive: Any, _send: Any) -> None:
            asked.append(scope["path"])
            if scope["path"] == "/":
                await busy.wait()

        guard = Guard(app, Allowance(1e6, 1e6), 1, Processor(Allowance(1e6, 1e6)))

        async def ask(path: str) -> None:
            scope = {"type": "http", "method": "GET", "path": path, "headers": [], "client": ("192.0.2.1", 1)}
            await guard(scope, None, None)  # type: ignore[arg-type]

        tasks = [asyncio.create_task(ask("/")) for _ in range(3)]
        await asyncio.sleep(0)
        await asyncio.wait_for(asyncio.gather(ask("/health"), ask("/api/matches/a/moves")), 5)
        assert asked == ["/", "/health", "/api/matches/a/moves"]
        busy.set()
        await asyncio.gather(*tasks)
        assert asked[3:] == ["/", "/"]

    asyncio.run(scene())
