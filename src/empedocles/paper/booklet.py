"""The rules in short: two pages to keep beside the board, with diagrams drawn from positions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from empedocles import scenes
from empedocles.game import Game, Options
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.paper.markdown import quoted, to_typst
from empedocles.position import Position
from empedocles.render.art import CELL
from empedocles.render.picture import Box, Look, Picture, still
from empedocles.scenes import Scene

SQUARE = 10.0  # mm, in the diagrams of the rules in short
LABELS = 24.0, 20.0  # room for coordinates beside and below the squares of a diagram, in units of the drawing
LINE = 1.5  # room for the lines around the squares

# Two columns, a title across both.
STYLE = """\
#set columns(gutter: 8mm)
#set text(size: 9.7pt)
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


def booklet(game: Game, options: Options, look: Look, inputs: dict[str, str]) -> str:
    """The rules in short as Typst pages, "" if the game has none; the diagrams are added to `inputs`."""
    text = game.short_rules(look.language, options)
    if text is None:
        return ""
    text += _readings(game, options, look.language) + f"\n*{game.credit(look.language)}*\n"
    header = quoted(translate(_("the rules in short"), look.language))
    page = f"#set page(margin: (x: 18mm, top: 16mm, bottom: 15mm), columns: 2, background: frame({header}))\n"

    def figure(info: str, content: str) -> str:
        return _figure(_diagrams(scenes.read(info, content), look), inputs) if game.drawing else ""

    return page + STYLE + to_typst(text, figure)


def _readings(game: Game, options: Options, language: str) -> str:
    """The readings that are not the usual ones, as a section: they overrule what stands above."""
    chosen = [f"- {translate(words, language)} ({rule})" for rule, words in game.unusual_readings(options)]
    title = translate(_("Read differently in this edition"), language)
    return "\n".join(["", f"## {title}", "", *chosen, ""]) if chosen else ""


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


def _diagrams(scene: Scene, look: Look) -> list[Picture]:
    look = replace(look, wide=scene.wide, overlays=scene.overlays)
    return [_diagram(position, scene.corners, look) for position in scene.positions]


def _diagram(position: Position, corners: Sequence[str], look: Look) -> Picture:
    sheet = position.game.sheet(position.state, look)
    part = _with_labels(Box.around([sheet.boxes[target] for target in corners]), sheet.boxes.values())
    return still(position.game.name, sheet, part, translate(position.game.title, look.language))


def _with_labels(part: Box, targets: Collection[Box]) -> Box:
    """A part of a board with the coordinates left of it and below, unless other squares are there."""
    (x, y), (left, below) = part.centre, LABELS
    if any(_inside(box, part.x - LABELS[0] / 2, y) for box in targets):
        left = LINE
    if any(_inside(box, x, part.y + part.height + LABELS[1] / 2) for box in targets):
        below = LINE
    return Box(part.x - left, part.y - LINE, left + part.width + LINE, LINE + part.height + below)


def _inside(box: Box, x: float, y: float) -> bool:
    return box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height
