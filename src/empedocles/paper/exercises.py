"""Positions to think about on paper: six a page, each with its task, and the solutions upside down below."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from empedocles.extras import Extra
from empedocles.game import Game
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.paper.markdown import quoted
from empedocles.paper.sizes import MARGIN, paper_size
from empedocles.position import Position
from empedocles.render.fonts import FAMILY
from empedocles.render.formats import typeset
from empedocles.render.picture import Look, still

PER_PAGE = 6
EDGE, GUTTER = 1.3 * MARGIN, 8.0  # mm
AROUND = 22.0  # for the title, and between rows
LINE, CHARACTER = 3.6, 1.35  # of the solutions: the height of a line, and the width of a character
ABOVE = 14.0  # a picture: who is to move, and the theme

STYLE = """\
#let stars(n, all) = for k in range(all) {
  box(baseline: -0.5pt, polygon(
    fill: if k < n { luma(20%) } else { white }, stroke: 0.4pt + luma(20%),
    ..range(10).map(i => {
      let r = if calc.even(i) { 3.4pt } else { 1.4pt }
      (3.4pt + r * calc.sin(i * 36deg), 3.4pt - r * calc.cos(i * 36deg))
    })))
  h(1pt)
}
#let exercise(number, picture, task, theme, difficulty, tall) = block(width: 100%, {
  grid(columns: (auto, 1fr, auto), column-gutter: 2mm, align: (left, left, right),
    strong(number), text(fill: luma(30%), theme), stars(difficulty, 5))
  v(-1.5mm)
  line(length: 100%, stroke: 0.4pt + luma(60%))
  v(-1.5mm)
  strong(task)
  v(-0.5mm)
  block(height: tall, width: 100%, align(center + horizon,
    image(bytes(sys.inputs.at(picture)), format: "svg", width: 100%, height: 100%, fit: "contain")))
})
#let solutions(title, items) = align(bottom, rotate(180deg, reflow: true, block(width: 100%, {
  line(length: 100%, stroke: 0.4pt + luma(60%))
  v(-1.5mm)
  text(size: 7.5pt, { strong(title); h(2mm); items.join(h(3mm)) })
})))
"""


class Exercise(NamedTuple):
    """A position with a task; all texts are in the reader's language but the theme, which is marked for translation."""

    position: Position
    task: str
    theme: str
    stars: int  # how difficult it is, up to 5
    solution: str


def exercise_pages(exercises: Sequence[Exercise], paper: str, language: str, theme: str) -> bytes:
    """The PDF of exercises from one game."""
    Extra("print").check("typst")
    size, game = paper_size(paper), exercises[0].position.game
    # A picture has half of the width, and a third of what remains below the title and above the solutions.
    width, numbered = size.width - 2 * EDGE, list(enumerate(exercises))
    pages = [numbered[k : k + PER_PAGE] for k in range(0, len(numbered), PER_PAGE)]
    below = max(_height_of_solutions([one.solution for _k, one in page], width) for page in pages)
    room = (width - GUTTER) / 2, (size.height - 2 * EDGE - AROUND - below) / 3 - ABOVE
    looks = [Look(theme, language, wide=wide) for wide in (True, False)]
    inputs = {f"picture-{k}": _picture(exercise.position, looks, room) for k, exercise in enumerate(exercises)}
    source = (
        f"#set page(width: {size.width:g}mm, height: {size.height:g}mm, margin: {EDGE:g}mm)\n"
        f'#set text(font: "{FAMILY}", lang: "{language}", size: 9pt)\n#set par(leading: 0.5em)\n{STYLE}'
    )
    parts = [_page(page, game, room[1], language) for page in pages]
    return typeset(source + "#pagebreak()\n".join(parts), inputs)


def _height_of_solutions(solutions: Sequence[str], width: float) -> float:
    """In millimetres: those of one line go side by side, longer ones have lines of their own."""
    parts = [(len(solution) + 5) * CHARACTER / width for solution in solutions]
    return LINE * (1 + ceil(sum(part for part in parts if part <= 1)) + sum(ceil(part) for part in parts if part > 1))


def _picture(position: Position, looks: Sequence[Look], room: tuple[float, float]) -> str:
    """The picture in which everything is largest where it has this much room."""
    sheets = [position.game.sheet(position.state, look) for look in looks]
    sheet = max(sheets, key=lambda sheet: min(room[0] / sheet.whole.width, room[1] / sheet.whole.height))
    return str(still(position.game.name, sheet, sheet.whole, position.game.title))


def _page(page: Sequence[tuple[int, Exercise]], game: Game, tall: float, language: str) -> str:
    cells = ",\n".join(
        f'exercise("{k + 1}", "picture-{k}", {quoted(one.task)}, {quoted(translate(one.theme, language))}, '
        f"{one.stars}, {tall:g}mm)"
        for k, one in page
    )
    answers = ", ".join(f"box[*{k + 1}* #{quoted(one.solution)}]" for k, one in page)
    heading = quoted(translate(_("{game}: puzzles"), language).format(game=game.title))
    credit = quoted(game.credit(language))
    solved = quoted(translate(_("Solutions"), language))
    return (
        f"#text(size: 14pt, strong({heading})) #h(1fr) #text(size: 7.5pt, fill: luma(30%), {credit})\n#v(-1mm)\n"
        f"#grid(columns: (1fr, 1fr), column-gutter: {GUTTER:g}mm, row-gutter: 4mm,\n{cells})\n"
        f"#v(1fr)\n#solutions({solved}, ({answers},))\n"
    )
