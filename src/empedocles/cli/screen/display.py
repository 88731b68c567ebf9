"""The whole screen as lines of characters, for any size: board and panels, or a page; and the line of keys."""

from __future__ import annotations

import functools

from empedocles.cli.screen.board import Board
from empedocles.cli.screen.canvas import Canvas, Colours, Line, width, wrap
from empedocles.cli.screen.controls import Controls
from empedocles.cli.screen.layout import SQUARE, Arrangement, Footprint, Rect, Scale, arrange, least_size, place
from empedocles.cli.screen.pages import Page
from empedocles.cli.screen.panels import Panels
from empedocles.language import Message, translate
from empedocles.language import mark as _
from empedocles.play.partial import CONFIRM, target_name
from empedocles.position import Position
from empedocles.render.picture import Glyph, Look

PLAYING = (
    ("?", _("help")),
    ("q", _("quit")),
    ("/", _("type")),
    ("u", _("undo")),
    ("h", _("hint")),
    ("r", _("rules")),
    ("m", _("moves")),
    ("s", _("save")),
    ("l", _("load")),
    ("⌫", _("back")),
)
TYPING = (("Enter", _("enter")), ("Tab", _("complete")), ("Esc", _("leave")))
READING = (("↑↓", _("scroll")), ("q", _("close")))


class Display:
    def __init__(self, controls: Controls, colours: Colours) -> None:
        self.controls, self.colours = controls, colours
        self.rects: dict[str, Rect] = {}  # of the targets that are on the screen
        self._shown: Page | None = None
        self._lines: list[Line] = []
        self._scroll = self._height = 0

    def body(self, columns: int, rows: int) -> list[Line]:
        canvas = Canvas(columns, rows, self.colours.words())
        if self.controls.page:
            self._read(self.controls.page, canvas)
        elif self.controls.is_drawn:
            self._draw(canvas)
        else:
            self._write(canvas)
        return canvas.lines()

    # ── A drawn board ──

    def _draw(self, canvas: Canvas) -> None:
        shown = show(self.controls.position, self.controls.table.language)
        found = shown.arrange(canvas.columns, canvas.rows)
        self.rects = found.rects if found else {}
        if found is None:
            return self._too_small(canvas, least_size(shown.place))
        self.controls.point(self.rects)
        Board(canvas, self.colours, self.controls.marks()).paint(found, shown.glyphs, shown.buttons)
        panels = Panels(self.controls, canvas, self.colours)
        return panels.below(found.panel) if found.panel.top > found.board.top else panels.beside(found.panel)

    def _too_small(self, canvas: Canvas, need: tuple[int, int]) -> None:
        text = _(
            "The board needs {columns} × {rows} characters, this window has {width} × {height}: moves can be typed."
        )
        values = {"columns": need[0], "rows": need[1] + 1, "width": canvas.columns, "height": canvas.rows + 1}
        lines = wrap(self.controls.say(Message(text, values)), canvas.columns - 2)
        for row, line in enumerate(lines):
            canvas.put(1, row, line, self.colours.words("red", "bold"))
        top = len(lines) + 1
        Panels(self.controls, canvas, self.colours).below(Rect(1, top, canvas.columns - 2, canvas.rows - top))

    # ── A written board ──

    def _write(self, canvas: Canvas) -> None:
        """The text board of a game that has no other, and the panels where there is more room."""
        self.rects, lines = {}, str(self.controls.position).splitlines()
        across = max(map(width, lines), default=0)
        for row, line in enumerate(lines):
            canvas.put(1, row + 1, line, self.colours.words())
        panels = Panels(self.controls, canvas, self.colours)
        if canvas.columns - across > 34:
            panels.beside(Rect(across + 4, 1, canvas.columns - across - 5, canvas.rows - 1))
        else:
            top = len(lines) + 2
            panels.below(Rect(1, top, canvas.columns - 2, max(canvas.rows - top, 0)))

    # ── A page ──

    def _read(self, page: Page, canvas: Canvas) -> None:
        self._open(page, canvas.columns - 4)
        self._height = canvas.rows - 2
        self.scroll(0)
        canvas.put(2, 0, page.title, self.colours.words("can", "bold"))
        for row, line in enumerate(self._lines[self._scroll : self._scroll + self._height]):
            left = 2
            for style, text, *_handler in line:
                canvas.put(left, row + 2, text, self.colours.words("ink", style))
                left += width(text)

    def _open(self, page: Page, across: int) -> None:
        fresh, self._lines = page is not self._shown, page.lines(across)
        if fresh:
            texts = ("".join(part[1] for part in line) for line in self._lines)
            self._scroll = next((row for row, text in enumerate(texts) if page.start in text), 0)
            self._shown = page

    def scroll(self, rows: int) -> None:
        self._scroll = max(0, min(self._scroll + rows, len(self._lines) - self._height))

    def turn(self, pages: int) -> None:
        self.scroll(pages * max(1, self._height - 2))

    # ── Keys ──

    def keys(self, columns: int, typing: bool) -> Line:
        """The line of keys, as many as fit; the most important are first."""
        known = READING if self.controls.page else TYPING if typing else PLAYING
        line: Line = []
        for key, what in known:
            word = translate(what, self.controls.table.language)
            columns -= width(key) + width(word) + 3
            if columns >= 0:
                line += [("class:key", f" {key} "), ("class:keys", f"{word} ")]
        return line


class Shown:
    """What a position has to show, and where."""

    def __init__(self, position: Position, language: str) -> None:
        game = position.game
        assert game.drawing
        self.glyphs: dict[str, Glyph] = game.drawing.glyphs(position.state)
        self._boxes = {
            wide: game.sheet(position.state, Look(wide=wide, language=language)).boxes for wide in (True, False)
        }
        self.buttons = {
            target: target_name(game, target, language)
            for target in (*self._boxes[True], CONFIRM)
            if target not in self.glyphs and not SQUARE.fullmatch(target)
        }
        self._found: dict[tuple[int, int], Arrangement | None] = {}

    def place(self, wide: bool, scale: Scale) -> Footprint:
        boxes = {target: box for target, box in self._boxes[wide].items() if target not in self.buttons}
        return place(boxes, {target: glyph.text for target, glyph in self.glyphs.items()}, scale)

    def arrange(self, columns: int, rows: int) -> Arrangement | None:
        if (columns, rows) not in self._found:
            self._found[columns, rows] = arrange(self.place, self.buttons, columns, rows)
        return self._found[columns, rows]


@functools.lru_cache(maxsize=4)  # a position is drawn again whenever the cursor moves
def show(position: Position, language: str) -> Shown:
    return Shown(position, language)
