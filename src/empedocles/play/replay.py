"""A match as something to watch: an animated GIF, or a page that needs nothing but a browser."""

from __future__ import annotations

import io
import json
import re
from html import escape
from pathlib import Path
from typing import Any

from empedocles.extras import Extra
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.play.frames import frames
from empedocles.play.match import Match
from empedocles.render import fonts, themes
from empedocles.render.picture import Look

LAST = 4  # the last picture stays this many times as long as the others
COLOURS = 128  # of a GIF
WORDS = {
    "START": _("start"),
    "FIRST": _("first position"),
    "BACK": _("one move back"),
    "PLAY": _("play or pause"),
    "NEXT": _("one move on"),
    "END": _("last position"),
}

_MODULES = re.compile(r"^import .*\n|^export ", re.MULTILINE)  # what only separate files need


def gif(match: Match, seconds: float = 0.8, scale: float = 1.0, **looks: Any) -> bytes:
    with Extra("pictures"):
        from PIL import Image

    from empedocles.render.formats import png

    def shown(ply: int) -> Image.Image:
        (picture,) = png([match.draw(ply, **looks)], scale)
        return Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE)

    # One after the other: all pages of a long match as pixels would take gigabytes.
    rest = map(shown, range(1, match.plies + 1))
    duration = [round(1000 * seconds)] * match.plies + [round(1000 * LAST * seconds)]
    data = io.BytesIO()
    shown(0).save(data, "GIF", save_all=True, append_images=rest, duration=duration, loop=0, optimize=True)
    return data.getvalue()


def page(match: Match, title: str = "", **looks: Any) -> str:
    """A page with the whole match, to go back and forth in. Light or dark as the reader likes."""
    look = Look(**looks)
    here = Path(__file__).parent
    first = match.draw(0, last=False, **looks)
    values = {
        "LANGUAGE": look.language,
        "TITLE": escape(title or translate(match.game.title, look.language)),
        "FONTS": fonts.rules(fonts.in_data),
        "FAMILIES": fonts.FONTS,
        "STYLE": themes.style_sheet(),
        "LIGHT": themes.variables("light"),
        "DARK": themes.variables("dark"),
        "LIGHT_PAPER": themes.PALETTES["light"].paper,
        "DARK_PAPER": themes.PALETTES["dark"].paper,
        "LIGHT_INK": themes.PALETTES["light"].ink,
        "DARK_INK": themes.PALETTES["dark"].ink,
        "PICTURE": first.for_page,
        "FRAMES": json.dumps(frames(match, look), ensure_ascii=False).replace("</", "<\\/"),
        "SCRIPT": _script(here / "static" / "motion.js", here / "static" / "picture.js", here / "replay.js"),
        **{name: translate(word, look.language) for name, word in WORDS.items()},
    }
    text = (here / "replay.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda place: values[place[1]], text)


def _script(*modules: Path) -> str:
    """Modules as one script: a page without a server can load no other file."""
    return "".join(_MODULES.sub("", module.read_text(encoding="utf-8")) for module in modules)
