"""Draw the README's picture: a game of Ignite and Flow on the screen of a terminal.

python tools/picture.py docs/terminal.svg
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

import empedocles
from empedocles.cli.screen.canvas import Colours, Line
from empedocles.cli.screen.controls import Controls
from empedocles.cli.screen.display import Display
from empedocles.cli.screen.thinker import Thinker
from empedocles.cli.table import Table
from empedocles.play.records import Record
from empedocles.search.limits import Limit

POSITION = "ignite-and-flow board=T1FW2/EE2W1/1D1F2/2WEt1/F1EE1W/1WF1D1 taken=1/0 quiet=2 to-move=0"
MOVES = ("Ff4", "-", "We6", "-")
SIZE = 92, 24


def view() -> Display:
    match = empedocles.Match(empedocles.Position(POSITION)).play(*MOVES)
    table = Table(Record(match), {0: "person", 1: "geyser"}, "en", Limit(seconds=1))
    controls = Controls(table, Thinker(lambda _call: None, lambda _error: None), lambda: None)
    controls.choose("c3")
    controls.cursor = "d4"
    return Display(controls, Colours("dark"))


def rich(line: Line, plain: str) -> Text:
    """A line in Rich's styles, which write `on` before the background colour."""
    text = Text()
    for style, words, *_handler in line:
        known = style.replace("class:keys", plain).replace("class:key", f"{plain} bold")
        text.append(words, known.replace("bg:", "on ").replace("fg:", ""))
    return text


def draw() -> str:
    shown, (columns, rows) = view(), SIZE
    console = Console(record=True, width=columns, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in [*shown.body(columns, rows - 1), [*shown.keys(columns, typing=False), ("class:keys", " " * columns)]]:
        console.print(rich(line, shown.colours.words("soft")), soft_wrap=True, crop=True)
    picture = console.export_svg(title="empedocles play ignite-and-flow", unique_id="empedocles")
    return re.sub(r"@font-face \{.*?\}\n", "", picture, flags=re.DOTALL)  # no fonts from the network


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(), encoding="utf-8")
