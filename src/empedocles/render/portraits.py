"""Portraits of opponents: small round medallions, printed like woodcuts from a few named features (features.toml).

The stronger an opponent, the grander its medallion: it has as many studs as its level, and its rim is of gold in the
upper half of the ladder.
"""

from __future__ import annotations

import functools
import math
import tomllib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from empedocles.errors import UnknownName
from empedocles.render.art import CELL, ELEMENTS
from empedocles.render.picture import Picture
from empedocles.render.themes import PLACEHOLDER

MIDDLE = CELL / 2
EDGE, RIM, GROUND = 28.5, 28.2, 24.6  # radii
BAND = (RIM + GROUND) / 2
RANKS, GOLDEN, NOTCHED, RADIANT = 8, 5, 7, 8  # of these many ranks, those from which a medallion is grander
STUD, MOST_STUDS = 13.0, 20  # degrees from one stud to the next

FILLS = {
    "e": "earth-deep",
    "r": "fire-face",
    "w": "on-black",
    "k": "on-white",
    "g": "lit",
}  # by role: see features.toml
LINES = {"l": "contour", "c": "cut", "L": "on-black-line"}

# What those who have no portrait of their own are made of.
PLAIN = (("fire", "spark"), ("water", "drop"), ("earth", "stone"), ("air", "wave"))
PLAIN_EYES = ("round", "dots", "sleepy", "happy", "sly", "stern")
PLAIN_MOUTHS = ("smile", "oh", "smirk", "calm", "flat", "laugh")

Strokes = tuple[tuple[str, str], ...]  # role, path


class Face(NamedTuple):
    strokes: Strokes
    at: tuple[float, float]  # between the eyes
    scale: float  # of eyes, nose, mouth and beard


@functools.cache
def _features() -> dict[str, dict[str, Any]]:
    read = tomllib.loads(Path(__file__).with_name("features.toml").read_text(encoding="utf-8"))
    faces = {
        name: Face(_strokes(one["strokes"]), tuple(one["at"]), one["scale"]) for name, one in read.pop("face").items()
    }
    others = {kind: {name: _strokes(one) for name, one in known.items()} for kind, known in read.items()}
    return {"face": faces, **others}


def _strokes(rows: Sequence[Sequence[str]]) -> Strokes:
    return tuple((role, path) for role, path in rows)


@dataclass(frozen=True)
class Portrait:
    """What a face is made of: names of features, and one or two elements that colour them."""

    elements: tuple[str, ...]
    face: str
    eyes: str = ""
    mouth: str = ""
    hair: str = ""
    nose: str = ""
    beard: str = ""
    ornaments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = _features()
        for kind in ("face", "eyes", "mouth", "hair", "nose", "beard"):
            if getattr(self, kind) or kind == "face":
                _check(getattr(self, kind), known[kind], f"a portrait's {kind}")
        for name in self.ornaments:
            _check(name, known["behind"] | known["before"], "a portrait's ornament")
        for element in self.elements:
            _check(element, ELEMENTS, "an element")
        if not 1 <= len(self.elements) <= 2:
            raise UnknownName(f"a portrait has one or two elements, not {len(self.elements)}")


def _check(name: str, known: Iterable[str], what: str) -> None:
    if name not in known:
        raise UnknownName(f"{name!r} is not {what}: there are {', '.join(known)}")


def plain(name: str, level: int) -> Portrait:
    """A portrait for an opponent without one: it follows from the name and the level, and so stays the same."""
    luck = zlib.crc32(f"{name} {level}".encode())
    luck, kind = divmod(luck, len(PLAIN))
    luck, eyes = divmod(luck, len(PLAIN_EYES))
    element, face = PLAIN[kind]
    return Portrait((element,), face, PLAIN_EYES[eyes], PLAIN_MOUTHS[luck % len(PLAIN_MOUTHS)])


def draw(portrait: Portrait, name: str, level: int, levels: int, theme: str = "light") -> Picture:
    """The medallion of an opponent that has `level` of `levels`, as large as a square of a board."""
    rank = max(1, math.ceil(RANKS * level / levels))
    size = f'viewBox="0 0 {CELL} {CELL}" width="{CELL}" height="{CELL}"'
    markup = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{escape(name)}</title>'
        f'<clipPath id="{PLACEHOLDER}disc">{_circle("", RIM - 1)}</clipPath>{_medallion(portrait.elements[0], rank)}'
        f'<g class="carved" clip-path="url(#{PLACEHOLDER}disc)">{_person(portrait)}</g>'
        f"{_rim(portrait.elements[-1], rank, level)}</svg>"
    )
    return Picture("portrait", markup, CELL, CELL, theme)


# ── The medallion ────────────────────────────────────────────────────────────────────────────────────────────────────


def _circle(looks: str, radius: float) -> str:
    named = f' class="{looks}"' if looks else ""
    return f'<circle{named} cx="{MIDDLE:g}" cy="{MIDDLE:g}" r="{radius:g}"/>'


def _point(turn: float, radius: float) -> tuple[str, str]:
    """A point around the middle; a turn of 0° is down."""
    angle = math.radians(turn)
    return f"{MIDDLE + radius * math.sin(angle):.1f}", f"{MIDDLE + radius * math.cos(angle):.1f}"


def _ray(turn: float, inner: float, outer: float) -> str:
    return f"M{' '.join(_point(turn, inner))}L{' '.join(_point(turn, outer))}"


def _medallion(element: str, rank: int) -> str:
    return _circle(element, RIM) + f'<path class="{element}-line" d="{_hatching(element, rank)}"/>'


def _hatching(element: str, rank: int) -> str:
    """The ground behind a face, hatched in the manner of its element; the grandest have rays."""
    if rank >= RADIANT:
        return "".join(_ray(turn, 14, 24) for turn in range(5, 360, 10))
    if element == "fire":
        return "".join(_ray(turn, 19 + turn // 15 % 2 * 2, 24) for turn in range(60, 301, 15))
    return "".join(_row(element, y) for y in range(10, 52, 5))


def _row(element: str, y: int) -> str:
    """A line from one side of the ground to the other: waves, gusts, or furrows."""
    half = math.sqrt(GROUND**2 - (y - MIDDLE) ** 2) - 1.5
    steps = round(half / 2)
    step, start = half / steps, f"M{MIDDLE - half:.1f} {y}"
    if element == "water":
        return f"{start}q{step / 2:.1f}-2 {step:.1f} 0" + f"t{step:.1f} 0" * (2 * steps - 1)
    if element == "air":
        return f"{start}h{half * 0.7:.1f}m{half * 0.6:.1f} 0h{half * 0.7:.1f}"
    return start + f"l{step:.1f} 1.4l{step:.1f}-1.4" * steps


def _rim(element: str, rank: int, level: int) -> str:
    """A ring that hides what sticks out, and a stud for each level."""
    ring = _circle("gold-band" if rank >= GOLDEN else f"{element}-band", BAND)
    ring += _circle("cut", GROUND) + _circle("contour", EDGE)
    if rank >= NOTCHED:
        ring += f'<path class="cut" d="{"".join(_ray(turn, 27, RIM) for turn in range(0, 360, 8))}"/>'
    studs = min(level, MOST_STUDS)
    points = (_point(STUD * (k - (studs - 1) / 2), BAND) for k in range(studs))
    return ring + f'<g class="stud">{"".join(f"""<circle cx="{x}" cy="{y}" r="1.4"/>""" for x, y in points)}</g>'


# ── The person ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _person(portrait: Portrait) -> str:
    known, paint = _features(), _Paint(portrait.elements)
    face: Face = known["face"][portrait.face]
    kinds = ("beard", "nose", "mouth", "eyes")
    inner = "".join(paint.strokes(known[kind].get(getattr(portrait, kind), ())) for kind in kinds)
    (x, y), whole = face.at, replace(paint, axis=MIDDLE)
    behind, before = (
        "".join(whole.strokes(known[place][name]) for name in portrait.ornaments if name in known[place])
        for place in ("behind", "before")
    )
    hair = whole.strokes(known["hair"].get(portrait.hair, ()))
    placed = f'<g transform="translate({x:g} {y:g}) scale({face.scale:g})">{inner}</g>'
    return behind + hair + whole.strokes(face.strokes) + placed + before


@dataclass(frozen=True)
class _Paint:
    """Strokes as SVG, in the colours of a portrait's elements."""

    elements: tuple[str, ...]
    axis: float = 0.0  # of what is drawn on both sides

    def strokes(self, strokes: Strokes) -> str:
        return "".join(self._stroke(role, path) for role, path in strokes)

    def _stroke(self, role: str, path: str) -> str:
        drawn = f'<path class="{self._looks(role[-1])}" d="{path}"/>'
        if len(role) == 1:
            return drawn
        return f'{drawn}<g transform="matrix(-1 0 0 1 {2 * self.axis:g} 0)">{drawn}</g>'

    def _looks(self, role: str) -> str:
        if role in LINES:
            return LINES[role]
        own = {"a": f"{self.elements[0]}-deep", "b": f"{self.elements[-1]}-deep"}
        own |= {"f": f"{self.elements[0]}-face", "h": f"{self.elements[-1]}-face"}
        return (FILLS | own)[role.lower()] + (" flat" if role.isupper() else "")
