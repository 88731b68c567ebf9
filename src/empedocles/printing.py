"""A game to print, cut out and play: boards and pieces at true size, and the rules in short, as a PDF."""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import replace

from empedocles.errors import UnknownName
from empedocles.game import Game, Options, Printing
from empedocles.games import all_games
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.position import Position
from empedocles.render.art import CELL
from empedocles.render.markdown import quoted, to_typst
from empedocles.render.packing import paper_size
from empedocles.render.paper import typeset
from empedocles.render.picture import Box, Look, Picture, still
from empedocles.render.sheets import Wording, component_pages, drawn, preamble

THEMES = ("print", "light", "contrast")  # a dark one would be a page full of ink
SQUARE = 10.0  # mm, in the diagrams of the rules in short
LABELS = 24.0, 20.0  # room for coordinates beside and below the squares of a diagram, in units of the drawing
LINE = 1.5  # room for the lines around the squares

# The rules in short: two columns, a title across both.
BOOKLET = """\
#set columns(gutter: 8mm)
#set text(size: 10pt)
#set par(justify: true, leading: 0.6em, spacing: 0.95em)
#set list(body-indent: 0.45em, spacing: 0.75em, marker: text(fill: luma(40%), [•]))
#set enum(body-indent: 0.45em, spacing: 0.75em)
#set table(align: left, inset: (x: 3pt, y: 2.8pt), stroke: (_, y) => (bottom: if y == 0 { 0.6pt } else { hair }))
#show table.cell.where(y: 0): strong
#show table: set par(justify: false)
#show table: set text(hyphenate: false)
#show table: it => block(width: 100%, breakable: false, align(center, text(size: 9.5pt, it)))
#show heading.where(level: 1): it => place(top, float: true, scope: "parent", clearance: 4mm, {
  text(size: 20pt, it.body)
  v(-3mm)
  line(length: 100%, stroke: 0.6pt)
})
#show heading.where(level: 2): it => block(above: 1.2em, below: 0.65em, sticky: true, text(size: 12pt, it.body))
#show regex("[A-Z]{2}-\\d+"): box
#show regex("\\([A-Z]{2}-\\d+[^()]*\\)"): it => text(size: 0.8em, fill: luma(35%), it)
#let becomes = box(baseline: 50%, inset: (x: 2mm), text(size: 14pt, sym.arrow.r))
"""


def print_out(
    game: Game, options: Options, paper: str = "a4", language: str = "en", theme: str = "print", files: bool = False
) -> bytes:
    """The PDF of all that is needed to play a game with these options; board files are read if `files`."""
    if theme not in THEMES:
        raise UnknownName(f"unknown theme {theme!r} for paper: there are {', '.join(THEMES)}")
    size, printing = paper_size(paper), _printing(game)
    options = game.complete(options, files)
    game.encode(options)  # refuses a board that does not fit
    words = Wording(game.title, language, translate(printing.note, language) if printing.note else "")
    components = printing.components(options, language)
    pictures = (drawn(component, printing.art, game.name, theme) for component in components)
    inputs = {str(number): str(shown) for number, shown in enumerate(pictures)}
    source = preamble(words, size) + component_pages(components, words, size)
    return typeset(source + _booklet(game, Look(theme, language), inputs), inputs)


def _printing(game: Game) -> Printing:
    if game.printing is None:
        known = [other.name for other in all_games().values() if other.printing]
        raise UnknownName(f"{game.title} has nothing to print; there is something for {', '.join(known)}")
    return game.printing


# ── The rules in short ───────────────────────────────────────────────────────────────────────────────────────────────


def _booklet(game: Game, look: Look, inputs: dict[str, str]) -> str:
    """The rules in short as pages of a document, whose inputs get the diagrams; nothing where there are none."""
    text = game.short_rules(look.language)
    if text is None:
        return ""
    header = quoted(translate(_("the rules in short"), look.language))
    page = f"#set page(margin: (x: 18mm, top: 16mm, bottom: 15mm), columns: 2, background: frame({header}))\n"

    def figure(info: str, content: str) -> str:
        return _figure(_diagrams(info.split()[1:], content.splitlines(), look), inputs) if game.drawing else ""

    return page + BOOKLET + to_typst(text, figure)


def _figure(pictures: list[Picture], inputs: dict[str, str]) -> str:
    """Pictures beside each other, made smaller where the column is too narrow."""
    images = []
    for shown in pictures:
        name = f"figure-{len(inputs)}"
        inputs[name] = str(shown)
        size = f"width: {shown.width * SQUARE / CELL:g}mm"
        images.append(f'box(baseline: 50%, image(bytes(sys.inputs.at("{name}")), format: "svg", {size}))')
    row = " + becomes + ".join(images)
    return (
        f"#block(width: 100%, above: 0.8em, below: 0.7em, align(center, layout(size => shrunk(size.width, {row}))))\n"
    )


def _diagrams(shown: list[str], lines: list[str], look: Look) -> list[Picture]:
    """A position, and what becomes of it with the moves of each further line: the part between some targets.

    What is shown are the names of targets in its corners, and of overlays.
    """
    positions = [Position(lines[0])]
    for moves in lines[1:]:
        positions.append(functools.reduce(Position.play, moves.split(), positions[-1]))
    overlays = positions[0].game.drawing.overlays if positions[0].game.drawing else ()
    look = replace(look, wide=False, overlays=[name for name in shown if name in overlays])
    return [_diagram(position, [name for name in shown if name not in overlays], look) for position in positions]


def _diagram(position: Position, corners: list[str], look: Look) -> Picture:
    sheet = position.game.sheet(position.state, look)
    part = _with_labels(Box.around([sheet.boxes[target] for target in corners]), sheet.boxes.values())
    return still(position.game.name, sheet, part, position.game.title)


def _with_labels(part: Box, targets: Collection[Box]) -> Box:
    """A part of a board with its coordinates, which are where there are no squares beside and below it."""
    (x, y), (left, below) = part.centre, LABELS
    if any(_inside(box, part.x - LABELS[0] / 2, y) for box in targets):
        left = LINE
    if any(_inside(box, x, part.y + part.height + LABELS[1] / 2) for box in targets):
        below = LINE
    return Box(part.x - left, part.y - LINE, left + part.width + LINE, LINE + part.height + below)


def _inside(box: Box, x: float, y: float) -> bool:
    return box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height
