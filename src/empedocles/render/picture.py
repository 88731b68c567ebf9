"""Pictures: a game puts ground, panels, pieces and notes on a sheet; all that games share is added here, as SVG.

ground     the board, which never changes in a match
panels     what each seat has, scores, whose turn it is
pieces     each with an id that it keeps from one position to the next
last       squares of the last move
notes      overlays
marks      what may be chosen now, and what is chosen
arrows     moves worth a look
targets    everything that can be clicked, unseen
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from empedocles.errors import UnknownName
from empedocles.render import fonts, marks, themes
from empedocles.render.art import CELL, scaled

if TYPE_CHECKING:
    from empedocles.core.kernel import State  # which needs Numba, and a drawing does not

GAP = 14  # between the board, the panels and the edge
LEFT, TOP, RIGHT, BOTTOM = 24, 8, 8, 24  # around what is cut out: rows are named at the left, columns below


@dataclass(frozen=True)
class Look:
    """How a position is to be shown."""

    theme: str = "light"
    language: str = "en"
    wide: bool = True  # panels beside the board; else above and below, as on a phone
    seat: int | None = None  # at whose side the reader sits: its hand and its side are the nearest, below
    overlays: Collection[str] = ()
    targets: Collection[str] = ()  # those that may be chosen now
    chosen: Collection[str] = ()
    last: Collection[str] = ()  # targets of the last move
    before: State | None = None  # the state before the last move
    arrows: Collection[tuple[str, ...]] = ()  # each through its targets; a ring around a single one
    names: Mapping[int, str] = field(default_factory=dict)  # of players, shown beside the names of their seats
    ended: bool = False  # the match was ended by its players or the clock: nobody is to move

    def __post_init__(self) -> None:
        themes.classes(self.theme)  # an unknown one is refused now, not when the picture is written

    def player(self, seat: int, room: int) -> str:
        """The name of a seat's player in at most `room` letters; "" if it is not known."""
        name = self.names.get(seat, "")
        return name if len(name) <= room else name[: room - 1] + "…"


class Box(NamedTuple):
    x: float
    y: float
    width: float = CELL
    height: float = CELL

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    @classmethod
    def around(cls, boxes: Collection[Box]) -> Box:
        """The smallest box that holds all of these."""
        left, top = min(box.x for box in boxes), min(box.y for box in boxes)
        right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
        return cls(left, top, right - left, bottom - top)


class Piece(NamedTuple):
    """Something that moves. Pieces of one kind are alike, and each keeps its id when it stays or moves."""

    kind: str
    place: str
    x: float
    y: float
    markup: str


class Glyph(NamedTuple):
    """What a terminal shows on a target: at most four characters, and two classes of a theme."""

    text: str
    ground: str = "void"  # its fill is the background
    ink: str = "ink"  # its fill is the colour of the text


class Layout(NamedTuple):
    """Where the board and the panels are."""

    width: float
    height: float
    board: tuple[float, float]
    panels: tuple[tuple[float, float], ...]
    fold: float = 0  # the height that must be seen at once, on a tall sheet; all of it if 0

    @property
    def first(self) -> float:
        """The height that must be seen at once."""
        return self.fold or self.height


def arrange(board: tuple[float, float], panels: int, panel: tuple[float, float], wide: bool) -> Layout:
    """Panels in a column to the right of the board; or in rows below it, as many in a row as fit."""
    (width, height), (across, down) = board, panel
    if wide:
        top = max(GAP, GAP + (height - panels * (down + GAP) + GAP) / 2)
        places = [(width + 2 * GAP, top + k * (down + GAP)) for k in range(panels)]
        bottom = max(height, panels * (down + GAP) - GAP)
        return Layout(width + across + 3 * GAP, bottom + 2 * GAP, (GAP, GAP), tuple(places))
    row = max(1, int((width + GAP) // (across + GAP)))
    indent = GAP + (max(width, across) - min(row, panels) * (across + GAP) + GAP) / 2
    places = [(indent + k % row * (across + GAP), height + 2 * GAP + k // row * (down + GAP)) for k in range(panels)]
    rows = -(-panels // row)
    return Layout(max(width, across) + 2 * GAP, height + 2 * GAP + rows * (down + GAP), (GAP, GAP), tuple(places))


class Sheet:
    """What a game draws on."""

    def __init__(self, layout: Layout, art: str, look: Look) -> None:
        self.layout, self.art, self.look = layout, art, look
        self.ground: list[str] = []
        self.panels: list[str] = []
        self.pieces: list[Piece] = []
        self.notes: list[str] = []
        self.boxes: dict[str, Box] = {}  # of each target
        self.motions: Mapping[str, str] = {}  # of kinds of pieces

    def piece(self, kind: str, place: str, x: float, y: float, markup: str) -> None:
        self.pieces.append(Piece(kind, place, x, y, markup))

    @property
    def whole(self) -> Box:
        return Box(0, 0, self.layout.width, self.layout.height)

    def around(self, targets: Iterable[str]) -> Box:
        """The part that shows some targets and the coordinates beside them; the whole sheet for none."""
        boxes = [self.boxes[target] for target in targets if target in self.boxes]
        if not boxes:
            return self.whole
        x, y, across, down = Box.around(boxes)
        left, top = max(0.0, x - LEFT), max(0.0, y - TOP)
        right, bottom = min(self.layout.width, x + across + RIGHT), min(self.layout.height, y + down + BOTTOM)
        return Box(left, top, right - left, bottom - top)


# ── Building blocks ──────────────────────────────────────────────────────────────────────────────────────────────────


_remembered = functools.lru_cache(maxsize=4096, typed=True)  # most of a drawing was in the one before


def define(art: Mapping[str, str]) -> str:
    """Artwork by name, for `use`."""
    return "".join(f'<g id="{themes.PLACEHOLDER}{name}">{markup}</g>' for name, markup in art.items())


@_remembered
def use(name: str, x: float = 0, y: float = 0, looks: str = "") -> str:
    at = (f' x="{x:g}"' if x else "") + (f' y="{y:g}"' if y else "")
    return f'<use href="#{themes.PLACEHOLDER}{name}"{at}{_class(looks)}/>'


@_remembered
def rect(looks: str, box: Box, corner: float = 0) -> str:
    x, y, width, height = box
    rounded = f' rx="{corner:g}"' if corner else ""
    return f'<rect{_class(looks)} x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{rounded}/>'


@_remembered
def text(looks: str, x: float, y: float, words: object, more: str = "") -> str:
    """Words that must be readable on a small screen, and `more` after them that need not be."""
    extra = f'<tspan class="small" dx="6">{escape(more)}</tspan>' if more else ""
    return f'<text{_class(looks)} x="{x:g}" y="{y:g}">{escape(str(words))}{extra}</text>'


def group(x: float, y: float, markup: str, looks: str = "") -> str:
    return f'<g{_class(looks)} transform="translate({x:g} {y:g})">{markup}</g>'


def _class(looks: str) -> str:
    return f' class="{looks}"' if looks else ""


def button(box: Box, sign: str, active: bool, scale: float = 1) -> str:
    """A plate with a short word on it, larger than other signs by `scale`; faded while it cannot be used."""
    x, y = box.centre
    word = text("sign", x, y + 5, sign) if scale == 1 else scaled(text("sign", 0, 0, sign), scale, x, y + 5 * scale)
    plate = rect("button", box, 8) + word
    return plate if active else f'<g class="faded">{plate}</g>'


def coordinates(columns: int, rows: int, x: float, y: float, scale: float = 1, turned: bool = False) -> str:
    """Letters below and numbers beside a board whose squares are drawn from x, y; the other way round if it is turned.

    `scale` makes them larger than other labels.
    """
    letters, numbers = [chr(ord("a") + k) for k in range(columns)], [str(row) for row in range(rows, 0, -1)]
    below, beside = (numbers[::-1], letters) if turned else (letters, numbers)
    bottom = y + len(beside) * CELL + 11 + 5 * scale
    signs = [(sign, x + (k + 0.5) * CELL, bottom) for k, sign in enumerate(below)]
    signs += [(sign, x - 11, y + (k + 0.5) * CELL + 5 * scale) for k, sign in enumerate(beside)]
    if scale == 1:
        return f'<g class="label">{"".join(text("", a, b, sign) for sign, a, b in signs)}</g>'
    return f'<g class="label">{"".join(scaled(text("", 0, 0, sign), scale, a, b) for sign, a, b in signs)}</g>'


def seat_panel(
    at: tuple[float, float], size: tuple[float, float], title: str, score: object, active: bool, who: str = ""
) -> str:
    """The plate of one seat with its name, its score at the right, and a heavy rim when it is to move."""
    (x, y), (width, height) = at, size
    plate = rect("plate-active" if active else "plate", Box(x, y, width, height), 10)
    return plate + text("name", x + 14, y + 25, title, who) + text("big", x + width - 14, y + 27, score)


def text_sheet(diagram: str, look: Look) -> Sheet:
    """A text board as a picture, for games without artwork."""
    lines = diagram.splitlines()
    size = (9 * max(map(len, lines), default=0), 20 * len(lines))
    sheet = Sheet(arrange(size, 0, (0, 0), wide=True), "", look)
    sheet.ground = [text("board", GAP, GAP + 20 * k + 14, line.replace(" ", "\u00a0")) for k, line in enumerate(lines)]
    return sheet


# ── Identity ─────────────────────────────────────────────────────────────────────────────────────────────────────────

Ids = dict[tuple[str, str], int]  # kind and place → the number that makes an id with the kind


def follow(before: Ids, pieces: Iterable[Piece]) -> Ids:
    """The ids one move later: a piece that left its place is the one of its kind that came to a new place."""
    here = [(piece.kind, piece.place) for piece in pieces]
    ids = {key: before[key] for key in here if key in before}
    moved: defaultdict[str, list[int]] = defaultdict(list)
    used: defaultdict[str, int] = defaultdict(int)
    for key, number in before.items():
        used[key[0]] = max(used[key[0]], number + 1)
        if key not in ids:
            moved[key[0]].append(number)
    for key in here:
        if key not in ids:
            kind = key[0]
            ids[key] = moved[kind].pop(0) if moved[kind] else used[kind]
            used[kind] = max(used[kind], ids[key] + 1)
    return ids


# ── SVG ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Picture:
    """A drawing: shown by notebooks, `str` is its SVG, `save` writes it as SVG, PNG or PDF by the file's ending."""

    game: str
    markup: str = field(repr=False)  # with classes, before any theme
    width: float
    height: float
    theme: str = "light"

    def __str__(self) -> str:
        return themes.apply(self.markup, self.theme, self.game)

    @property
    def for_page(self) -> str:
        """SVG for a page that has the style sheet (`themes.style_sheet`, `themes.variables`), whatever the theme."""
        return themes.for_page(self.markup, self.game)

    def _repr_svg_(self) -> str:
        return str(self)

    def _with_fonts(self) -> str:
        """SVG that looks the same everywhere: it has the fonts in it. In a page, `str` is enough."""
        head, more, rest = str(self).partition(">")
        return f"{head}{more}<style>{fonts.rules(fonts.in_data, fonts.IN_PICTURES)}</style>{rest}"

    def save(self, path: str | Path, scale: float = 2.0) -> None:
        from empedocles.render import formats

        kind = Path(path).suffix.lower()
        if kind == ".svg":
            data = self._with_fonts().encode()
        elif kind == ".png":
            data = formats.png([self], scale)[0]
        elif kind == ".pdf":
            data = formats.pdf([self])
        else:
            raise UnknownName(f"cannot draw {Path(path).name!r}: a picture's name ends in .svg, .png or .pdf")
        Path(path).write_bytes(data)


LAYERS: dict[str, Callable[[Sheet, Ids], Iterable[str]]] = {  # what lies over what, the lowest first
    "ground": lambda sheet, _ids: sheet.ground,
    "panels": lambda sheet, _ids: sheet.panels,
    "pieces": lambda sheet, ids: (_piece(piece, ids) for piece in sheet.pieces),
    "last": lambda sheet, _ids: marks.last_move(sheet.look.last, sheet.boxes, sheet.pieces),
    "notes": lambda sheet, _ids: sheet.notes,
    "marks": lambda sheet, _ids: (_mark(sheet, name, box) for name, box in sheet.boxes.items()),
    "arrows": lambda sheet, _ids: (f"<g>{marks.arrow(sheet.boxes, path)}</g>" for path in sheet.look.arrows),
    "targets": lambda sheet, _ids: (_target(sheet.look, name, box) for name, box in sheet.boxes.items()),
}


def layers(sheet: Sheet, ids: Ids, wanted: Iterable[str] = tuple(LAYERS)) -> dict[str, str]:
    return {name: "".join(LAYERS[name](sheet, ids)) for name in wanted}


def picture(game: str, sheet: Sheet, title: str, description: str, ids: Ids | None = None) -> Picture:
    drawn = layers(sheet, follow({}, sheet.pieces) if ids is None else ids)
    return _framed(game, sheet, sheet.whole, f"{_about(title, description)}<defs>{sheet.art}</defs>", drawn)


def still(game: str, sheet: Sheet, part: Box, title: str, description: str = "", art: bool = True) -> Picture:
    """A part of a picture, only to look at. Several may stand on one page; the first has the art that all of them use.

    So nothing has an id, and only marked targets are drawn.
    """
    look = sheet.look
    marked = [(name, box) for name, box in sheet.boxes.items() if name in look.chosen or name in look.targets]
    drawn = layers(sheet, {}) | {"targets": "".join(_target(look, name, box) for name, box in marked)}
    used = f"<defs>{sheet.art}</defs>" if art else ""
    return _framed(game, sheet, part, _about(title, description) + used, drawn)


def _about(title: str, description: str) -> str:
    return f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"


def _framed(game: str, sheet: Sheet, part: Box, head: str, drawn: Mapping[str, str]) -> Picture:
    x, y, width, height = part
    markup = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x:g} {y:g} {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" class="picture"{_motions(sheet)}>{head}'
        + rect("paper", sheet.whole)
        + "".join(f'<g data-layer="{name}">{content}</g>' for name, content in drawn.items())
        + "</svg>"
    )
    return Picture(game, markup, width, height, sheet.look.theme)


def _motions(sheet: Sheet) -> str:
    told = " ".join(f"{kind}:{motion}" for kind, motion in sheet.motions.items())
    return f' data-motions="{escape(told)}"' if told else ""


def _piece(piece: Piece, ids: Ids) -> str:
    kind, place, x, y, markup = piece
    named = f'id="{kind}-{ids[kind, place]}" ' if ids else ""
    return f'<g {named}transform="translate({x:g} {y:g})">{markup}</g>'


def _mark(sheet: Sheet, target: str, box: Box) -> str:
    if target in sheet.look.chosen:
        return marks.ring(box)
    return marks.possible(box, sheet.boxes, sheet.pieces) if target in sheet.look.targets else ""


def _target(look: Look, target: str, box: Box) -> str:
    return _area(target, box, " chosen" if target in look.chosen else " can" if target in look.targets else "")


@functools.lru_cache(maxsize=4096)
def _area(target: str, box: Box, state: str) -> str:
    x, y, width, height = box
    inset = 2.5
    return (
        f'<rect data-target="{escape(target)}" class="target{state}" x="{x + inset:g}" y="{y + inset:g}" '
        f'width="{width - 2 * inset:g}" height="{height - 2 * inset:g}" rx="6"/>'
    )
