"""Pages are light: over the wire, compressed, as a browser with nothing kept receives them."""

from __future__ import annotations

import re
import zlib
from typing import Any

import pytest
from e2e.browsers import Opens
from playwright.sync_api import Page, expect

from empedocles.coach.puzzles import puzzles
from empedocles.games import GAMES
from empedocles.server.limits.connections import COMPRESSION

FRONT, TABLE, FONTS = 100_000, 200_000, 60_000  # bytes at most
FRAME = 4  # bytes at least that a message over a WebSocket has before its content, if it is longer than 125


def weights(page: Page, address: str) -> dict[str, int]:
    """What opening a page transfers: bytes by address, and "live" for what comes over the WebSocket.

    Chromium tells a message after unpacking it, so it is packed again, as the server did if both had agreed on that.
    """
    network, addresses, sizes = page.context.new_cdp_session(page), {}, {"live": 0}
    packer: list[Any] = []

    def arrived(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["response"]["url"]

    def finished(event: dict[str, Any]) -> None:
        if address := addresses.get(event["requestId"]):  # not of the page before
            sizes[address] = round(event["encodedDataLength"])

    def agreed(event: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in event["response"]["headers"].items()}
        extension = headers.get("sec-websocket-extensions", "")
        if "permessage-deflate" in extension:
            assert "server_no_context_takeover" not in extension  # each message is packed with what came before it
            bits = re.search(r"server_max_window_bits=(\d+)", extension)
            packer[:] = [zlib.compressobj(COMPRESSION, wbits=-int(bits[1] if bits else 15))]

    def told(event: dict[str, Any]) -> None:
        content = event["response"]["payloadData"].encode()
        if packer:
            content = packer[0].compress(content) + packer[0].flush(zlib.Z_SYNC_FLUSH)
        sizes["live"] += FRAME + len(content)

    network.on("Network.responseReceived", arrived)
    network.on("Network.loadingFinished", finished)
    network.on("Network.webSocketHandshakeResponseReceived", agreed)
    network.on("Network.webSocketFrameReceived", told)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.evaluate("() => document.fonts.ready")
    network.detach()
    return sizes


def _check(sizes: dict[str, int], most: int) -> None:
    fonts = sum(size for address, size in sizes.items() if ".woff2" in address)
    assert 0 < fonts <= FONTS
    assert sum(sizes.values()) - fonts <= most, sizes
    print(f"{sum(sizes.values()) - fonts:,} bytes without fonts, {sizes['live']:,} of them live; fonts {fonts:,}")


@pytest.mark.parametrize("players", [2, 4])
def test_front_and_table_are_light(opens: Opens, players: int) -> None:
    page = opens()
    _check(weights(page, "/"), FRONT)
    page.request.post("/api/players", data={"name": "Ada"})
    seats = [{"kind": "me"}, *({"kind": "here", "name": name} for name in ("Bo", "Cy", "Di")[: players - 1])]
    wanted = {"game": "fire-and-water", "options": {"players": players}, "seats": seats}
    table = weights(page, f"/t/{page.request.post('/api/matches', data=wanted).json()['id']}")
    _check(table, TABLE)
    assert table["live"] > FRAME


@pytest.mark.parametrize("game", ["elemental-defenders", "fire-and-water"])
def test_the_table_of_a_newcomer_is_light_with_its_introduction_and_overlays(opens: Opens, game: str) -> None:
    page = opens(newcomer=True)
    page.goto("/")
    page.locator(f"[action='/play/{game}'] button").click()
    page.wait_for_selector("#introduction[open]")
    _check(weights(page, page.url), TABLE)
    expect(page.locator("#introduction .steps svg")).to_have_count(3)


def test_puzzles_are_light(opens: Opens) -> None:
    page = opens()
    for address, most in (("/puzzles", FRONT), (f"/puzzles/{next(filter(puzzles, GAMES.values())).name}", TABLE)):
        sizes = weights(page, address)
        assert sum(size for name, size in sizes.items() if ".woff2" not in name) <= most, sizes


def test_browsers_may_keep_fonts(opens: Opens) -> None:
    page = opens()
    page.goto("/")
    address = page.get_attribute("link[rel=preload][as=font]", "href")
    answer = page.request.get(address or "")
    assert answer.headers["content-type"] == "font/woff2"
    assert "immutable" in answer.headers["cache-control"]
    assert page.request.get("/fonts/other.woff2").status == 404
    assert page.evaluate("document.fonts.check('17px \"Empedocles Serif\"')")
