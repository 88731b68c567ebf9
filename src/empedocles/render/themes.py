"""Themes: what each class of a drawing looks like.

Drawings name classes only. In a browser the page's style sheet gives them their looks, so that one drawing serves every
reader; a drawing that stands alone has them as attributes of its shapes (`apply`). There are no style
attributes or elements, which strict pages refuse.
"""

from __future__ import annotations

import functools
import re
import zlib
from typing import NamedTuple

from empedocles.errors import UnknownName
from empedocles.render import fonts

Looks = dict[str, str]  # attributes of SVG by name

PREFIX = "e-"  # of classes in pages, which have others too
PLACEHOLDER = "\ue000"  # before the ids of artwork: drawings in one document may be of several games and themes


class Palette(NamedTuple):
    paper: str
    plate: str  # panels and empty squares
    void: str
    frame: str
    ink: str
    soft: str
    mark: str  # legal targets, what is chosen, arrows
    last: str
    fire: tuple[str, str, str, str]  # ground, its pattern, emblem, light in the emblem
    water: tuple[str, str, str, str]
    earth: tuple[str, str, str, str]
    air: tuple[str, str, str, str]
    desert: tuple[str, str, str, str]
    red: str
    green: str
    gold: str
    violet: str
    white: str
    black: str
    line: float = 1.0  # how heavy all lines are


PALETTES = {
    "light": Palette(
        paper="#f5edda",
        plate="#fbf6e9",
        void="#efe4cb",
        frame="#d9c7a3",
        ink="#2e2721",
        soft="#685c50",
        mark="#1b7064",
        last="#e2a72e",
        fire=("#f3c3a6", "#d98a66", "#b8401f", "#f7d08a"),
        water=("#bcd8e3", "#86b3c8", "#1f6390", "#d9eef7"),
        earth=("#cfcca4", "#aba876", "#5d6530", "#dcdcb4"),
        air=("#ecf0f2", "#bccad4", "#5c7286", "#ffffff"),
        desert=("#f1e2b8", "#c39c4c", "#a67a26", "#fdf3d2"),
        red="#b5342c",
        green="#38703c",
        gold="#d09a28",
        violet="#6b4a91",
        white="#fdfaf2",
        black="#2b2521",
    ),
    "dark": Palette(
        paper="#1d1a17",
        plate="#2a2521",
        void="#25211d",
        frame="#463d34",
        ink="#efe6d6",
        soft="#bdb09f",
        mark="#5fd0bd",
        last="#e0a93a",
        fire=("#5c2d1e", "#8f4a31", "#f28a57", "#5c2d1e"),
        water=("#1e4152", "#336880", "#7cc3e4", "#1e4152"),
        earth=("#3d4126", "#60663c", "#bcc67a", "#3d4126"),
        air=("#3c454e", "#5d6b78", "#c3d3df", "#3c454e"),
        desert=("#4f4328", "#8a7440", "#e6c36f", "#4f4328"),
        red="#bf3b30",
        green="#427547",
        gold="#dcae45",
        violet="#7f55b4",
        white="#f3ecdf",
        black="#0f0d0b",
    ),
    "contrast": Palette(
        paper="#ffffff",
        plate="#ffffff",
        void="#ffffff",
        frame="#000000",
        ink="#000000",
        soft="#222222",
        mark="#0000c8",
        last="#ff9d00",
        fire=("#ffd2bf", "#b00000", "#900000", "#ffffff"),
        water=("#c4e2ff", "#00429d", "#002f73", "#ffffff"),
        earth=("#d9edbd", "#2a5a00", "#1b3d00", "#ffffff"),
        air=("#f7f7f7", "#444444", "#111111", "#ffffff"),
        desert=("#fff1ad", "#6b4a00", "#5a3d00", "#ffffff"),
        red="#c00000",
        green="#006b0d",
        gold="#ffb700",
        violet="#5c00a3",
        white="#ffffff",
        black="#000000",
        line=1.6,
    ),
    "print": Palette(
        paper="#ffffff",
        plate="#ffffff",
        void="#ffffff",
        frame="#9a9a9a",
        ink="#000000",
        soft="#444444",
        mark="#000000",
        last="#bbbbbb",
        fire=("#e4e4e4", "#7d7d7d", "#1a1a1a", "#ffffff"),
        water=("#fafafa", "#8f8f8f", "#4a4a4a", "#ffffff"),
        earth=("#d2d2d2", "#8a8a8a", "#333333", "#ffffff"),
        air=("#ffffff", "#a8a8a8", "#5e5e5e", "#ffffff"),
        desert=("#f1f1f1", "#6e6e6e", "#6e6e6e", "#ffffff"),
        red="#5a5a5a",
        green="#a6a6a6",
        gold="#e2e2e2",
        violet="#757575",
        white="#ffffff",
        black="#222222",
    ),
}
THEMES = tuple(PALETTES)
COLOURS = ("red", "green", "gold", "violet", "white", "black")  # of seats


CONTRAST = 4.5  # least, of text on its ground
MARKED = 6.4  # the same before the mark of a target covers both


def _parts(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG defines it, from 1 to 21."""

    def luminance(colour: str) -> float:
        parts = (part / 255 for part in _parts(colour))
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable(colour: str, ground: str, ink: str, least: float = CONTRAST) -> str:
    """A colour for text on this ground: with as much ink in it as reading needs."""
    for share in range(10):
        parts = zip(_parts(colour), _parts(ink), strict=True)
        mixed = "#" + "".join(f"{round(own + (dark - own) * share / 10):02x}" for own, dark in parts)
        if contrast(mixed, ground) >= least:
            return mixed
    return ink


def _line(colour: str, width: float, opacity: float = 1) -> Looks:
    looks = {"fill": "none", "stroke": colour, "stroke-width": f"{width:g}"}
    looks |= {"stroke-linecap": "round", "stroke-linejoin": "round"}
    return looks | ({"stroke-opacity": f"{opacity:g}"} if opacity < 1 else {})


def _shape(fill: str, line: str, width: float) -> Looks:
    return {"fill": fill, "stroke": line, "stroke-width": f"{width:g}"}


def _text(colour: str, size: float, weight: str = "normal") -> Looks:
    return {"fill": colour, "stroke": "none", "font-size": f"{size:g}", "font-weight": weight}


def _drawn_on(ink: str, *grounds: str) -> str:
    """The first of some grounds on which ink can be read well; the last if none is."""
    return next((ground for ground in grounds if contrast(ink, ground) >= CONTRAST), grounds[-1])


def _classes(p: Palette) -> dict[str, Looks]:
    looks: dict[str, Looks] = {
        "picture": {"font-family": fonts.FONTS},
        "paper": {"fill": p.paper},
        "plate": _shape(p.plate, p.frame, p.line),
        "plate-active": _shape(p.plate, p.mark, 2.5 * p.line),
        "void": _shape(p.void, p.frame, p.line),
        "frame": _shape("none", p.ink, 2 * p.line),
        "ink": {"fill": p.ink},
        "soft": {"fill": p.soft},
        "ink-line": _line(p.ink, 1.5 * p.line),
        "soft-line": _line(p.soft, p.line),
        "shadow": {"fill": "#000000", "fill-opacity": "0.22"},
        "faded": {"opacity": "0.35"},
        "name": _text(p.ink, 17, "bold"),
        "big": _text(p.ink, 22, "bold") | {"text-anchor": "end"},
        "ends": {"text-anchor": "end"},
        "number": _text(p.ink, 26, "bold") | {"text-anchor": "middle"},
        "words": _text(p.ink, 14),
        "small": _text(p.soft, 12),
        "label": _text(p.soft, 13) | {"text-anchor": "middle"},
        "board": _text(p.ink, 15) | {"font-family": "'DejaVu Sans Mono', monospace"},
        "button": _shape(p.plate, p.soft, 1.2 * p.line),
        "sign": _text(p.ink, 15) | {"text-anchor": "middle"},
        "last": _shape(p.last, p.last, 4 * p.line) | {"fill-opacity": "0.2"},
        "target": {"fill": "#000000", "fill-opacity": "0"},
        "can": {"fill": p.mark, "fill-opacity": "0"},
        "chosen": {"fill": p.mark, "fill-opacity": "0"},
        "dot": _shape(p.mark, p.paper, 2 * p.line),
        "tick": _line(p.mark, 3 * p.line),
        "tick-rim": _line(p.paper, 6 * p.line, 0.8),
        "ring": _line(p.mark, 4 * p.line),
        "ring-rim": _line(p.paper, 6.5 * p.line, 0.8),
        "corner": _shape(p.last, p.ink, 1.5 * p.line),
        "arrow": _line(p.mark, 6 * p.line),
        "arrow-rim": _line(p.paper, 10 * p.line, 0.8),
        "arrow-head": _shape(p.mark, p.paper, 2 * p.line),
        "halo": _line(p.mark, 4.5 * p.line) | {"stroke-dasharray": "7 9"},
        "halo-rim": _line(p.paper, 7 * p.line, 0.8),
        "note": _text(p.mark, 14, "bold") | {"text-anchor": "middle"},
        "note-line": _line(p.mark, 2.5 * p.line),
        "note-plate": _shape(p.paper, p.mark, p.line),
        "warn": _line(p.red, 3 * p.line),
        "carved": {"stroke": p.black, "stroke-width": f"{1.4 * p.line:g}", "stroke-linejoin": "round"},
        "contour": _line(p.black, 1.6 * p.line),
        "cut": _line(p.black, 0.8 * p.line),
        "flat": {"stroke": "none"},
        "lit": {"fill": p.gold},
        "gold-band": _line(p.gold, 3.6),
        "stud": _shape(p.white, p.black, 0.7 * p.line),
    }
    for element in ("fire", "water", "earth", "air", "desert"):
        ground, pattern, deep, glow = getattr(p, element)
        looks[element] = {"fill": ground}
        looks[f"{element}-edge"] = _shape(ground, deep, 1.5 * p.line)
        looks[f"{element}-line"] = _line(pattern, 1.6 * p.line)
        looks[f"{element}-deep"] = {"fill": deep}
        looks[f"{element}-deep-line"] = _line(deep, 4 * p.line)
        looks[f"{element}-band"] = _line(deep, 3.6)
        looks[f"{element}-face"] = {"fill": _drawn_on(p.black, pattern, deep, ground)}
        looks[f"{element}-glow"] = {"fill": glow}
        looks[f"{element}-glow-line"] = _line(glow, 2.2 * p.line)
        looks[f"{element}-number"] = _text(readable(deep, ground, p.ink, MARKED), 26, "bold") | {
            "text-anchor": "middle"
        }
    for colour in COLOURS:
        fill = getattr(p, colour)
        on = p.white if contrast(p.white, fill) > contrast(p.black, fill) else p.black
        looks[colour] = _shape(fill, p.ink if colour != "black" else max(p.ink, p.soft), 1.2 * p.line)
        looks[f"{colour}-line"] = _line(fill, 3 * p.line)
        looks[f"{colour}-tint"] = {"fill": fill, "fill-opacity": "0.3"}
        looks[f"on-{colour}"] = {"fill": on}
        looks[f"on-{colour}-line"] = _line(on, 1.6 * p.line)
        looks[f"on-{colour}-text"] = _text(on, 15, "bold") | {"text-anchor": "middle"}
    return looks


@functools.cache
def classes(theme: str) -> dict[str, Looks]:
    """The looks of each class."""
    if theme not in PALETTES:
        raise UnknownName(f"unknown theme {theme!r}: there are {', '.join(THEMES)}")
    return _classes(PALETTES[theme])


@functools.lru_cache(maxsize=4096)
def _attributes(theme: str, names: str) -> str:
    looks: Looks = {}
    for name in names.split():
        looks |= classes(theme)[name]
    return " ".join(f'{name}="{value}"' for name, value in looks.items())


@functools.lru_cache(maxsize=4096)
def _prefixed(names: str) -> str:
    return f'class="{" ".join(f"{PREFIX}{name}" for name in names.split())}"'


_CLASS = re.compile(r'class="([^"]*)"')


def apply(svg: str, theme: str, game: str) -> str:
    """A drawing that stands alone: classes become attributes."""
    classes(theme)  # an unknown one is refused also where there is nothing to change
    return _CLASS.sub(lambda found: _attributes(theme, found[1]), svg).replace(PLACEHOLDER, _scope(theme, game))


@functools.cache
def _scope(theme: str, game: str) -> str:
    """What begins the ids of artwork in one theme: short, as a drawing has hundreds of them."""
    return f"{PREFIX}{zlib.crc32(f'{game} {theme}'.encode()) % 36**4:x}-"


def for_page(svg: str, game: str) -> str:
    """A drawing for a page that has the style sheet."""
    return _CLASS.sub(lambda found: _prefixed(found[1]), svg).replace(PLACEHOLDER, f"{game}-")


# What `use` copies is seen by rules with one class only, and inherits variables: so the rules are the same for all
# themes, and a theme is a set of variables.


def style_sheet() -> str:
    """The rules for the classes of all drawings."""
    return "\n".join(f".{PREFIX}{name}{{{_rule(name)}}}" for name in classes(THEMES[0]))


def _rule(name: str) -> str:
    return ";".join(
        f"{attribute}:{_css(attribute, value) if _constant(name, attribute) else f'var(--{PREFIX}{name}-{attribute})'}"
        for attribute, value in classes(THEMES[0])[name].items()
    )


def variables(theme: str) -> str:
    """The declarations that make a theme, for the element that is to have it."""
    return ";".join(
        f"--{PREFIX}{name}-{attribute}:{_css(attribute, value)}"
        for name, looks in classes(theme).items()
        for attribute, value in looks.items()
        if not _constant(name, attribute)
    )


def _constant(name: str, attribute: str) -> bool:
    return len({classes(theme)[name][attribute] for theme in THEMES}) == 1


def _css(attribute: str, value: str) -> str:
    return f"{value}px" if attribute == "font-size" else value
