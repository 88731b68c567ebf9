"""The twenty cards as artwork: a thing for each level, which carries the emblem of the element.

A face is drawn on WIDTH by HEIGHT, two units for a millimetre of a printed card. Ground, emblem and colour tell the
element; the thing in the window, the pips below it (five for a Mystic, one for a Neonate) and the name tell the level.
"""

from __future__ import annotations

import functools
import math

from empedocles.games.elemental_defenders.lookups import CARDS, ELEMENTS, NAMES, VIRTUE, element, level
from empedocles.games.elemental_defenders.text import LEVEL_TERMS
from empedocles.language import translate
from empedocles.render.art import CELL, EMBLEMS, scaled, tile
from empedocles.render.picture import Box, define, rect, text, use
from empedocles.render.themes import PLACEHOLDER

WIDTH, HEIGHT = 126, 176
MINI = 34, 46  # a card so small that it has an emblem and its virtue only, as in the corners of large ones
MICRO = 30, 20  # and one where they are side by side
CHIP = 20, 16  # and one that has its virtue only: its row says the element
GROUNDS = tuple(name.lower() for name in ELEMENTS)

MIDDLE = WIDTH / 2
LARGE = 0.85  # the scale of a title on a small screen
DISC = 19  # the radius of the corner with the virtue there
FITTING, LONGEST_TITLE = 9, 124  # letters of a title that fit as they are, and the width of a longer one
WINDOW = "M17 134V70A46 46 0 0 1 109 70V134Z"


def ground(card: int) -> str:
    return GROUNDS[element(card)]


# ── The thing of each level ──────────────────────────────────────────────────────────────────────────────────────────


def _path(shape: str) -> str:
    return f'<path d="{shape}"/>'


def _disc(y: float, radius: float) -> str:
    return f'<circle cx="{MIDDLE:g}" cy="{y:g}" r="{radius:g}"/>'


def star(x: float, y: float, *radii: float) -> str:
    """A star whose corners have the radii in turn, four times over, the first one upwards."""
    turns = [math.tau * k / (4 * len(radii)) for k in range(4 * len(radii))]
    reach = [radii[k % len(radii)] for k in range(len(turns))]
    corners = (f"{x + r * math.sin(a):.1f} {y - r * math.cos(a):.1f}" for r, a in zip(reach, turns, strict=True))
    return f"M{'L'.join(corners)}Z"


def _leaf(x: float, y: float, turn: float, length: float) -> str:
    """A leaf that grows from x, y, turned by some degrees from upright."""
    a, b = length * math.sin(math.radians(turn)), -length * math.cos(math.radians(turn))
    there, back = (f"Q{x + 0.45 * a + side * b:.1f} {y + 0.45 * b - side * a:.1f}" for side in (0.34, -0.34))
    return f"M{x:g} {y:g}{there} {x + a:.1f} {y + b:.1f}{back} {x:g} {y:g}Z"


def _leaves(*left: tuple[float, float, float, float]) -> str:
    """Leaves on the left and, mirrored, on the right."""
    return "".join(_leaf(x, y, turn, size) + _leaf(WIDTH - x, y, -turn, size) for x, y, turn, size in left)


_LAUREL = _leaves(
    (52, 90, -76, 17), (44, 81, -56, 17), (38.5, 70, -32, 17), (38, 57, -6, 17),
    (45, 83, 12, 13), (39.5, 73, 28, 13), (38, 61, 44, 13),
)  # fmt: skip

# By what is added to the element's name for a class: filled, light, lines, and lines of light.
STAFF = {
    "-deep": _path(
        "M60.5 90H65.5L64.5 126L63 131L61.5 126Z"
        "M63 108C44 108 34 96 35 82C41 92 50 98 63 98C76 98 85 92 91 82C92 96 82 108 63 108Z"
    )
    + _path(star(63, 66, 33, 13, 23, 13) + star(40, 118, 7, 2) + star(86, 118, 7, 2))
    + _disc(113, 4.5),
    "-glow": _disc(66, 15),
    "-deep-line": _disc(66, 12.5),
}
SHIELD = {
    "-deep": _path("M32 41H44V48H57V41H69V48H82V41H94V90C94 110 80 121 63 129C46 121 32 110 32 90Z"),
    "-glow": _path("M38 54H88V90C88 105 77 114 63 121C49 114 38 105 38 90Z"),
    "-deep-line": _path(
        "M41 57H85V90C85 103 75.5 111 63 117.5C50.5 111 41 103 41 90ZM44 101L63 109L82 101M49 107L63 113L77 107"
    ),
}
CHALICE = {
    "-deep": _path(
        "M33 70.5H93V76H90C89 93 80 104 68 107L67 117C76 118 85 122 87 131"
        "H39C41 122 50 118 59 117L58 107C46 104 37 93 36 76H33Z"
    ),
    "-glow": _path("M40.5 81H85.5C84.5 86 82.5 90 80 93H46C43.5 90 41.5 86 40.5 81Z") + _disc(112, 5.5),
    "-deep-line": _path(
        "M40.5 81L46 93L51.7 81L57.4 93L63 81L68.6 93L74.3 81L80 93L85.5 81"
        "M41 62L35 66M38 52H28M44 42L38 37M85 62L91 66M88 52H98M82 42L88 37"
    ),
    "-glow-line": _path("M47 127H79"),
}
SWORD = {
    "-deep": _path(_LAUREL + "M59.5 105H66.5V121H59.5Z")
    + _path(
        "M37 99C46 95 54 97 63 97C72 97 80 95 89 99C91 103 89 107 86 106"
        "C79 103 71 105 63 105C55 105 47 103 40 106C37 107 35 103 37 99Z"
    )
    + _disc(125, 6),
    "-glow": _path("M63 29L69 40V90H57V40Z") + _disc(100, 13.5),
    "-deep-line": _path("M63 42V82M57 93C46 89 38 77 38 55M69 93C80 89 88 77 88 55"),
}
BUD = {
    "-deep": _path("M61 98H65V124H61ZM37 131C44 124 53 121.5 63 121.5C73 121.5 82 124 89 131Z")
    + _path("M63 122C52 124 39 119 35 104C49 103 60 109 63 122ZM63 122C74 124 87 119 91 104C77 103 66 109 63 122Z")
    + _path(
        "M63 101C46 101 36 88 37 70C45 74 51 79 54 86C57 83 60 81 63 79"
        "C66 81 69 83 72 86C75 79 81 74 89 70C90 88 80 101 63 101Z"
    ),
    "-glow": _path(
        "M63 31C77 45 83 60 81 74.5C77 77.5 74 81 72 86C69 83 66 81 63 79"
        "C60 81 57 83 54 86C52 81 49 77.5 45 74.5C43 60 49 45 63 31Z"
    ),
    "-deep-line": _path("M63 31C57 38 54 44 53 50M63 31C69 38 72 44 73 50"),
    "-glow-line": _path(
        "M43 81C46 88 51 93 57 95M83 81C80 88 75 93 69 95M57 118C50 116 45 113 41 108.5M69 118C76 116 81 113 85 108.5"
    ),
}
THINGS = (STAFF, SHIELD, CHALICE, SWORD, BUD)
EMBLEM_ON = ((53, 56, 20), (44, 58, 38), (46, 33, 34), (53, 90, 20), (50, 48, 26))  # x, y and size


# ── Faces ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _weave(name: str) -> str:
    """The ground of an element, finer than on a board."""
    size = f'width="{CELL}" height="{CELL}" patternUnits="userSpaceOnUse" patternTransform="scale(0.5)"'
    return f'<pattern id="{PLACEHOLDER}weave-{name}" {size}>{tile(name)}</pattern>'


def _blank(name: str) -> str:
    """What the cards of an element have in common."""
    frame = 'x="5" y="5" width="116" height="166" rx="7"'
    rim = f'<rect {frame} stroke-width="1.2"/><path stroke-width="1" d="{WINDOW}"/>'
    return (
        rect("plate", Box(0, 0, WIDTH, HEIGHT), 10)
        + f'<rect {frame} fill="url(#{PLACEHOLDER}weave-{name})"/>'
        + f'<path class="plate" d="{WINDOW}"/><g class="{name}-deep-line">{rim}</g>'
        + "".join(f'<circle class="plate" cx="{x}" cy="22.5" r="15.5"/>' for x in (22.5, 103.5))
        + rect("plate", Box(9, 133, 108, 36), 5)
        + scaled(use(f"emblem-{name}"), 0.4, 91.5, 10.5)
    )


def letters(number: int, language: str) -> str:
    """What the cards of a level say in words and numbers."""
    virtue = scaled(text("number", 0, 0, VIRTUE[number * len(ELEMENTS)]), 0.85, 22.5, 30)
    title = scaled(text("number", 0, 0, translate(LEVEL_TERMS[number], language)), 0.7, MIDDLE, 163)
    return virtue + title + text("label", 18, 146, NAMES[number * len(ELEMENTS)][0])


def large_letters(number: int, language: str) -> str:
    """The same for a small screen: only what must be read, as large as there is room for."""
    name = translate(LEVEL_TERMS[number], language)
    disc = f'<circle class="plate" cx="23.5" cy="23.5" r="{DISC:g}"/>'
    virtue = disc + scaled(text("number", 0, 0, VIRTUE[number * len(ELEMENTS)]), 0.92, 23.5, 32)
    squeezed = f' textLength="{LONGEST_TITLE:g}" lengthAdjust="spacingAndGlyphs"' if len(name) > FITTING else ""
    title = f'<text class="number"{squeezed}>{name}</text>'
    return rect("plate", Box(5, 136, 116, 35), 6) + virtue + scaled(title, LARGE, MIDDLE, 161.5)


def _pips(number: int) -> str:
    rank = len(LEVEL_TERMS) - number
    return _path("".join(f"M{MIDDLE + 12 * k - 6 * (rank - 1):g} 137l4.5 4.5l-4.5 4.5l-4.5-4.5z" for k in range(rank)))


def face(card: int, signed: bool = True) -> str:
    """A card without its letters, but for the sign of its element."""
    name, number = ground(card), level(card)
    layers = "".join(use(f"thing{looks}-{number}", looks=name + looks) for looks in THINGS[number])
    x, y, size = EMBLEM_ON[number]
    return (
        use(f"blank-{name}")
        + f'<g class="{name}-deep-line">{layers}</g>'
        + scaled(use(f"emblem-{name}"), size / CELL, x, y)
        + use(f"pips-{number}", looks=f"{name}-deep")
        + (text("label", 109, 146, name[0]) if signed else "")
    )


def thing(number: int) -> str:
    """The thing of a level in ink, without an element."""
    looks = {"-deep": "ink", "-glow": "paper", "-deep-line": "ink-line"}
    layers = (use(f"thing{layer}-{number}", looks=looks[layer]) for layer in THINGS[number] if layer in looks)
    return f'<g class="ink-line">{"".join(layers)}</g>'


def _small(name: str) -> str:
    return rect(f"{name}-edge", Box(0, 0, *MINI), 4) + scaled(use(f"emblem-{name}"), 0.36, 6.2, 2)


def mini(card: int) -> str:
    return use(f"mini-{ground(card)}") + scaled(text("number", 0, 0, VIRTUE[card]), 0.65, 17, 41)


def _smaller(name: str) -> str:
    return rect(f"{name}-edge", Box(0, 0, *MICRO), 4) + scaled(use(f"emblem-{name}"), 0.2, 2, 4)


def micro(card: int) -> str:
    return use(f"micro-{ground(card)}") + scaled(text("number", 0, 0, VIRTUE[card]), 0.46, 21, 14.4)


def chip(card: int) -> str:
    return use(f"chip-{ground(card)}") + scaled(text("number", 0, 0, VIRTUE[card]), 0.46, CHIP[0] / 2, 12.3)


def _shared() -> str:
    parts = {f"emblem-{name}": EMBLEMS[name] for name in GROUNDS}
    parts |= {f"blank-{name}": _blank(name) for name in GROUNDS} | {f"mini-{name}": _small(name) for name in GROUNDS}
    parts |= {f"micro-{name}": _smaller(name) for name in GROUNDS}
    parts |= {f"chip-{name}": rect(f"{name}-edge", Box(0, 0, *CHIP), 3) for name in GROUNDS}
    parts |= {f"pips-{number}": _pips(number) for number in range(len(LEVEL_TERMS))}
    for number, thing in enumerate(THINGS):
        parts |= {f"thing{looks}-{number}": f'<g stroke-width="1.5">{shapes}</g>' for looks, shapes in thing.items()}
    return "".join(map(_weave, GROUNDS)) + define(parts)


ART = _shared()  # in every language


@functools.cache
def faces(language: str, large: bool = False) -> str:
    """Cards to `use` with their letters, which may be large; what they are made of is in ART."""
    written = large_letters if large else letters
    levels = {f"letters-{number}": written(number, language) for number in range(len(LEVEL_TERMS))}
    cards = {f"card-{NAMES[card]}": face(card, not large) + use(f"letters-{level(card)}") for card in range(CARDS)}
    return define(levels | cards)
