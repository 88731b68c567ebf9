"""What is wrong with the looks of a page: found by a script from its boxes (findings.js), and from its pixels here."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page

from empedocles.render.themes import CONTRAST, contrast

Colour = tuple[float, float, float]
Pixels = NDArray[np.uint8]  # height × width × 3

SHARE = 0.25  # of the ground below a text: colours that are rarer are edges and patterns
TALLEST = 2500  # pixels of a page that are looked at
STILL = 300  # milliseconds in which a page that is complete does not change
MOST_LOOKS = 10  # until then
ANALYSED = 600_000  # milliseconds for an analysis that goes on, of up to 1,100 moves: it moves everything below it
INK = 24  # difference of a colour channel where there is text

SCRIPT = (Path(__file__).parent / "findings.js").read_text(encoding="utf-8")
HIDE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, *::before, *::after, *::marker { color: transparent !important; text-shadow: none !important;
    text-decoration-color: transparent !important; caret-color: transparent !important }
    svg text, svg tspan { fill: transparent !important; stroke: transparent !important }`);
  document.adoptedStyleSheets.push(sheet);
}"""
SHOW = "() => { document.adoptedStyleSheets.pop(); }"


def _settle(page: Page) -> None:
    """Wait until a page stays as it is: what comes between two screenshots would be taken for text without contrast."""
    page.locator("progress:visible").first.wait_for(state="hidden", timeout=ANALYSED)
    before = b""
    for _ in range(MOST_LOOKS):
        now = _shot(page)
        if now == before:
            return
        before = now
        page.wait_for_timeout(STILL)


class Finding(NamedTuple):
    check: str  # contrast, overlap, clipped, sideways, unseen
    where: str
    what: str


class Seen(NamedTuple):
    picture: bytes  # PNG
    findings: list[Finding]
    smallest: float  # text of a picture, in pixels; 0 if there is none


def seen(page: Page) -> Seen:
    """Look at a page as it is now. Afterwards it has copies of its artwork: load it again before it is played on."""
    _settle(page)
    told = page.evaluate(SCRIPT)
    picture = _shot(page)
    page.evaluate(HIDE)
    with_text, ground = _pixels(picture), _pixels(_shot(page))
    page.evaluate(SHOW)
    texts = [text for text in told["texts"] if _visible(text, with_text, ground)]
    findings = [Finding(**found) for found in told["findings"]]
    findings += [*_faint(texts, ground), *_overlaps(texts)]
    sizes = [text["size"] for text in texts if text["picture"] and not text["decoration"]]
    return Seen(picture, list(dict.fromkeys(findings)), min(sizes, default=0))


def _shot(page: Page) -> bytes:
    size = page.viewport_size or {"width": 1280, "height": 800}
    height = page.evaluate("() => document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": size["width"], "height": max(size["height"], min(height, TALLEST))}
    return page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]


def _pixels(picture: bytes) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def _part(pixels: Pixels, box: list[float]) -> Pixels:
    x, y, width, height = (round(value) for value in box)
    return pixels[max(0, y) : y + max(1, height), max(0, x) : x + max(1, width)]


def _visible(text: dict[str, Any], with_text: Pixels, ground: Pixels) -> bool:
    """Whether any of it can be seen: pieces may lie on each other."""
    there, gone = _part(with_text, text["core"]), _part(ground, text["core"])
    return bool(there.size) and bool((np.abs(there.astype(int) - gone) > INK).any())


# ── Contrast ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _faint(texts: list[dict[str, Any]], ground: Pixels) -> Iterator[Finding]:
    for text in texts:
        if text["inactive"] or text["decoration"]:
            continue
        letters, opacity = _colour(text["colour"])
        worst = min(
            (contrast(_hex(_over(letters, opacity * text["opacity"], below)), _hex(below)), below)
            for below in _grounds(text, _part(ground, text["core"]))
        )
        if worst[0] < CONTRAST - 0.01:
            shown = f"{worst[0]:.1f}: {_hex(letters)} on {_hex(worst[1])}"
            yield Finding("contrast", text["where"], f"“{text['said']}” {shown}")


def _grounds(text: dict[str, Any], part: Pixels) -> list[Colour]:
    if text["outline"]:
        return [_colour(text["outline"])[0]]
    red, green, blue = (part[:, :, channel].astype(np.int64) for channel in range(3))
    colours, counts = np.unique(red << 16 | green << 8 | blue, return_counts=True)
    frequent = colours[counts >= SHARE * counts.sum()]
    chosen = frequent if len(frequent) else colours[[counts.argmax()]]
    return [(float(code >> 16), float(code >> 8 & 255), float(code & 255)) for code in chosen]


def _colour(css: str) -> tuple[Colour, float]:
    """A colour as browsers write it: rgb(1, 2, 3), rgba(1, 2, 3, 0.5), color(srgb 0.1 0.2 0.3 / 0.5)."""
    numbers = [float(number) for number in re.findall(r"[\d.]+(?:e-?\d+)?", css.replace("srgb", ""))]
    red, green, blue, opacity = (*numbers, 1.0)[:4]
    scale = 255 if css.startswith("color(") else 1
    return (scale * red, scale * green, scale * blue), opacity


def _over(colour: Colour, opacity: float, below: Colour) -> Colour:
    red, green, blue = (opacity * above + (1 - opacity) * under for above, under in zip(colour, below, strict=True))
    return red, green, blue


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour)


# ── Overlaps ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _overlaps(texts: list[dict[str, Any]]) -> Iterator[Finding]:
    """Texts that lie on each other. Boxes of one element are lines of one text."""
    shown = sorted((text for text in texts if not text["decoration"]), key=lambda text: text["core"][1])
    for number, one in enumerate(shown):
        for other in shown[number + 1 :]:
            if other["core"][1] > one["core"][1] + one["core"][3]:
                break
            if one["layer"] == other["layer"] and not _piled(one, other) and _deep(one["core"], other["core"]):
                yield Finding("overlap", one["where"], f"“{one['said']}” lies on “{other['said']}”")


def _piled(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether this is no fault: pieces may lie on anything, and the lines of one text are close to each other."""
    return bool(one["piece"] != other["piece"] or (one["where"], one["said"]) == (other["where"], other["said"]))


def _deep(one: list[float], other: list[float], slack: float = 1.5) -> bool:
    (x, y, width, height), (left, top, across, down) = one, other
    over = min(x + width, left + across) - max(x, left), min(y + height, top + down) - max(y, top)
    return min(over) > slack
