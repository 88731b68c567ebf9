"""Sheets to print and cut out, as Typst source: components at true size, and a ruler to check it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.paper.layout import FLAP, Cutout, Page, Placed, Segment, cuts, marks, pack, places
from empedocles.paper.markdown import quoted
from empedocles.paper.sizes import MARGIN, Paper
from empedocles.render.fonts import FAMILY
from empedocles.render.picture import Picture

if TYPE_CHECKING:
    from empedocles.game import Component

HEADER = 4.4  # from the edge of the page
RULER = 6.2
INDENT = 2.5  # of a flap's far corners, so that it hides below the next part

# What every document begins with: `frame` is what each page has around its contents.
PREAMBLE = """\
#let hair = 0.25pt + luma(45%)
#let grey(body) = text(size: 6.5pt, fill: luma(25%), body)
#let shrunk(width, body) = layout(_ => {
  let wanted = measure(body).width
  if wanted <= width { body } else { scale(width / wanted * 100%, origin: left + horizon, reflow: true, body) }
})
#let ruler(x, y) = {
  let stroke(from, to) = place(top + left, line(start: from, end: to, stroke: 0.3pt))
  let tick(at, length) = stroke((x + at, y), (x + at, y + length))
  let long(k, all, half) = if calc.rem(k, all) == 0 { 1.7mm } else if calc.rem(k, half) == 0 { 1.2mm } else { 0.7mm }
  stroke((x, y), (x + 2in, y))
  for k in range(51) { tick(k * 1mm, -long(k, 10, 5)) }
  for k in range(17) { tick(k * 0.125in, long(k, 8, 4)) }
  place(top + left, dx: x + 52mm, dy: y - 1.8mm, text(5.5pt)[50 mm])
  place(top + left, dx: x + 52mm, dy: y + 0.4mm, text(5.5pt)[2 in])
}
#let frame(words) = {
  let inner = paper.width - 2 * margin
  let numbers = context pages(counter(page).get().first(), counter(page).final().first())
  let line(width, left, right) = box(width: width, grey(grid(columns: (1fr, auto), left, right)))
  let words = strong(title) + h(3mm) + words
  place(top + left, dx: margin, dy: header, line(inner, shrunk(inner - 25mm, words), numbers))
  ruler(margin, paper.height - foot)
  let beside = inner - 62mm
  let below(lift, words, last) = place(top + left, dx: margin + 62mm, dy: paper.height - foot - lift,
    box(width: beside, grey(shrunk(beside, words + h(4mm) + h(1fr) + last))))
  if note == "" { below(1.2mm, hint, credit) } else { below(2.6mm, hint, note); below(-0.4mm, "", credit) }
}
"""


class PageText(NamedTuple):
    """What every page says."""

    title: str
    language: str = "en"
    credit: str = ""
    note: str = ""  # about the components


def _page(words: PageText, paper: Paper) -> str:
    """The page's own measures and words, for the preamble."""
    numbers = quoted(translate(_("page {page} of {pages}"), words.language))
    numbers = numbers.replace("{page}", '" + str(n) + "').replace("{pages}", '" + str(m) + "')
    hint = translate(_("Print at actual size (100 %), and check it with this ruler."), words.language)
    return (
        f"#let paper = (width: {paper.width:g}mm, height: {paper.height:g}mm)\n"
        f"#let margin = {MARGIN:g}mm\n#let header = {HEADER:g}mm\n#let foot = {RULER:g}mm\n"
        f"#let title = {quoted(words.title)}\n#let hint = {quoted(hint)}\n#let note = {quoted(words.note)}\n"
        f"#let credit = {quoted(words.credit)}\n"
        f"#let pages(n, m) = {numbers}\n"
        f'#set text(font: "{FAMILY}", lang: "{words.language}")\n'
        f"#set page(width: paper.width, height: paper.height, margin: 0mm)\n"
    )


def preamble(words: PageText, paper: Paper) -> str:
    return _page(words, paper) + PREAMBLE


# ── Components ───────────────────────────────────────────────────────────────────────────────────────────────────────


def component_picture(component: Component, art: str, game: str, theme: str) -> Picture:
    width, height = component.view
    markup = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" class="picture"><defs>{art}</defs>{component.markup}</svg>'
    )
    return Picture(game, markup, width, height, theme)


def component_pages(components: Sequence[Component], words: PageText, paper: Paper) -> str:
    """Pages with all components; their drawings are inputs of the document, named by their places in the list."""
    images = "".join(_image(number, component) for number, component in enumerate(components))
    return images + "".join(_sheet(page, components, words, paper) for page in pack(components, paper))


def _image(number: int, component: Component) -> str:
    size = f"width: {component.width:g}mm, height: {component.height:g}mm"
    return f'#let c{number} = image(bytes(sys.inputs.at("{number}")), format: "svg", {size}, fit: "stretch")\n'


def _sheet(page: Page, components: Sequence[Component], words: PageText, paper: Paper) -> str:
    laid = list(places(page, paper))
    content = [
        *(_place(placed) for placed in laid),
        *(_line(segment) for segment in (*cuts(page, paper), *marks(page, paper))),
        *(flap for placed in laid for flap in _flaps(placed, words.language)),
    ]
    said = quoted(_contents(laid, components, words.language))
    return f"#page(background: frame({said}))[\n" + "\n".join(content) + "\n]\n"


def _contents(laid: list[Placed], components: Sequence[Component], language: str) -> str:
    """What is on a page: 18 × fire, 6 × temple."""
    counted = Counter(_name(placed.cutout, components, language) for placed in laid)
    return ", ".join(name if n == 1 else f"{n} × {name}" for name, n in counted.items())


def _name(cutout: Cutout, components: Sequence[Component], language: str) -> str:
    name = translate(components[cutout.component].name, language)
    if cutout.part.of == 1:
        return name
    part = translate(_("part {part} of {parts}"), language).format(part=cutout.part.number, parts=cutout.part.of)
    return f"{name} ({part})"


def _place(placed: Placed) -> str:
    cutout, x, y = placed
    image = f"c{cutout.component}"
    if cutout.turned:
        image = f"rotate(90deg, reflow: true, {image})"
    if cutout.part.of > 1:
        left, top = cutout.shown
        shifted = f"place(dx: {-left:g}mm, dy: {-top:g}mm, {image})"
        image = f"box(width: {cutout.width:g}mm, height: {cutout.height:g}mm, clip: true, {shifted})"
    return f"#place(dx: {x:g}mm, dy: {y:g}mm, {image})"


def _line(segment: Segment) -> str:
    x0, y0, x1, y1 = (f"{value:g}mm" for value in segment)
    return f"#place(line(start: ({x0}, {y0}), end: ({x1}, {y1}), stroke: hair))"


def _flaps(placed: Placed, language: str) -> list[str]:
    """Beyond the edge of a part of a board: where the next part is glued on."""
    cutout, x, y = placed
    right, bottom = x + cutout.width, y + cutout.height
    flaps = []
    if cutout.part.right:
        corners = [(right, y), (right + FLAP, y + INDENT), (right + FLAP, bottom - INDENT), (right, bottom)]
        flaps.append(_flap(corners, _glue(cutout.part.right, language), turned=True))
    if cutout.part.below:
        corners = [(x, bottom), (x + INDENT, bottom + FLAP), (right - INDENT, bottom + FLAP), (right, bottom)]
        flaps.append(_flap(corners, _glue(cutout.part.below, language), turned=False))
    return flaps


def _glue(part: int, language: str) -> str:
    return translate(_("glue part {part} on here"), language).format(part=part)


def _flap(corners: list[tuple[float, float]], words: str, turned: bool) -> str:
    outline = ", ".join(f"({x:g}mm, {y:g}mm)" for x, y in corners)
    x, y = (sum(values) / len(corners) for values in zip(*corners, strict=True))
    said = f"grey({quoted(words)})"
    said = f"rotate(90deg, reflow: true, {said})" if turned else said
    middle = f"place(dx: {x:g}mm, dy: {y:g}mm, place(center + horizon, box({said})))"
    return f"#place(polygon(fill: luma(94%), stroke: hair, {outline}))\n#{middle}"
