"""Pages are light: over the wire, compressed, as a browser with nothing kept receives them."""

from __future__ import annotations

from typing import Any

from e2e.browsers import Opens
from playwright.sync_api import Page

from empedocles.coach.puzzles import puzzles
from empedocles.games import GAMES

FRONT, TABLE, FONTS = 100_000, 200_000, 60_000  # bytes at most


def weights(page: Page, address: str) -> dict[str, int]:
    """What opening a page transfers: bytes by address, and "live" for what comes over the WebSocket."""
    network, addresses, sizes = page.context.new_cdp_session(page), {}, {"live": 0}

    def arrived(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["response"]["url"]

    def finished(event: dict[str, Any]) -> None:
        sizes[addresses[event["requestId"]]] = round(event["encodedDataLength"])

    def told(event: dict[str, Any]) -> None:
        sizes["live"] += len(event["response"]["payloadData"].encode())

    network.on("Network.responseReceived", arrived)
    network.on("Network.loadingFinished", finished)
    network.on("Network.webSocketFrameReceived", told)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.evaluate("() => document.fonts.ready")
    network.detach()
    return sizes


def test_front_and_table_are_light(opens: Opens) -> None:
    page = opens()
    front = weights(page, "/")
    page.request.post("/api/players", data={"name": "Ada"})
    seats = [{"kind": "me"}, {"kind": "here", "name": "Bo"}]
    made = page.request.post("/api/matches", data={"game": "fire-and-water", "seats": seats}).json()
    table = weights(page, f"/t/{made['id']}")
    for sizes, most in ((front, FRONT), (table, TABLE)):
        fonts = sum(size for address, size in sizes.items() if ".woff2" in address)
        assert 0 < fonts <= FONTS
        assert sum(sizes.values()) - fonts <= most, sizes
    assert table["live"] > 0


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
