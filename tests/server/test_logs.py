"""No secrets in a server's log, even at the most verbose level."""

from __future__ import annotations

import asyncio
import json
import logging
import logging.config
from pathlib import Path
from typing import Any

import pytest
import websockets
from server.processes import Server, ended

from empedocles.errors import BadValue
from empedocles.server.operations.logs import configuration, redacted

SECRET = "s3cr3t-W0RD_xyz"


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer {}",
        "{{'authorization': 'Bearer {}'}}",
        "(b'authorization', b'Bearer {}')",
        "authorization: Basic {}",
        "< Cookie: language=en; empedocles={}; theme=dark",
        "set-cookie: empedocles={}; HttpOnly",
        "(b'cookie', b'empedocles={}')",
        '{{"token": "{}", "name": "Ada"}}',
        '{{"kind":"join","invite":"{}"}}',
        '\'{{\\"invite\\": \\"{}\\"}}\'',
        "postgresql://me:{}@database/games",
        "postgresql+asyncpg://me:hu@{}@127.0.0.1:5432/games refused",
        "password={} host=database",
    ],
)
def test_secrets_are_hidden_wherever_they_stand(text: str) -> None:
    said = redacted(text.format(SECRET))
    assert SECRET not in said
    assert "***" in said


@pytest.mark.parametrize("text", ["a bot at abc failed", "http://127.0.0.1:8000/api/games", "tokens of others: none"])
def test_other_words_stay(text: str) -> None:
    assert redacted(text) == text


def test_also_in_a_stack_trace(capsys: pytest.CaptureFixture[str]) -> None:
    formatter: Any = logging.config.DictConfigurator(configuration("debug")).configure_formatter(
        configuration("debug")["formatters"]["plain"]
    )
    try:
        raise ValueError(f"postgresql://me:{SECRET}@host/games")
    except ValueError as error:
        record = logging.LogRecord("a", logging.ERROR, "", 0, "failed", (), (type(error), error, error.__traceback__))
    said = formatter.format(record)
    assert "Traceback" in said
    assert SECRET not in said


def test_a_level_that_does_not_exist() -> None:
    with pytest.raises(BadValue, match="EMPEDOCLES_LOG"):
        configuration("loud")


def test_a_server_that_says_everything_says_no_secret(tmp_path: Path, postgresql: Any) -> None:
    url = postgresql.create("secrets").replace("tests@", f"tests:{SECRET}@")
    server = Server(tmp_path, url, "--bots", "1", EMPEDOCLES_LOG="debug", EMPEDOCLES_METRICS=f"metrics-{SECRET}")
    with ended(server):
        server.wait()
        secrets = asyncio.run(_use(server))
        postgresql.kill()
        try:
            for path in ("matches", "players/me"):
                server.ask("GET", path, token=secrets[0])  # it fails, and says so
        finally:
            postgresql.start()
        said = server.said
    assert "DEBUG" in said
    assert "Traceback" in said
    assert not [secret for secret in (*secrets, SECRET) if secret in said]


async def _use(server: Server) -> list[str]:
    """Use everything that involves a secret: tokens, invites, cookies, private links; returns the secrets."""
    ada = server.ask("POST", "players", {"name": "Ada"})["token"]
    bo = server.ask("POST", "players", {"name": "Bo"})["token"]
    seats = [{"kind": "me"}, {"kind": "link"}]
    table = server.ask("POST", "matches", {"game": "ignite-and-flow", "seats": seats}, ada)
    invite = table["invites"]["1"]
    server.ask("POST", f"matches/{table['id']}/join", {"invite": invite}, bo)
    server.ask("POST", f"matches/{table['id']}/join", {"invite": invite + "x"}, ada)  # refused
    server.ask("POST", "players/here", {"token": bo})
    server.ask("GET", "players/me/token", token=ada)
    live = f"{server.address.replace('http', 'ws')}/api/matches/{table['id']}/live"
    for headers in ({"authorization": f"Bearer {ada}"}, {"cookie": f"empedocles={bo}"}):
        async with websockets.connect(live, additional_headers=headers) as socket:
            await socket.send(json.dumps({"kind": "hello"}))
            await socket.recv()
    return [ada, bo, invite]
