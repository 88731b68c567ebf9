"""Draw the README's picture: a few moves of Ignite and Flow at the terminal.

python tools/picture.py docs/terminal.svg
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape

import empedocles

POSITION = "ignite-and-flow board=T1FW2/EE2W1/1D1F2/2WEt1/F1EE1W/1WF1D1 taken=1/0 quiet=2 to-move=0"


def draw() -> str:
    console = Console(record=True, width=72, file=io.StringIO())
    match = empedocles.Match(empedocles.Position(POSITION))
    console.print("[bold]$[/] empedocles play ignite-and-flow\n")
    console.print(f"{escape(str(match))}\n", highlight=False)
    console.print(f"player {match.to_move}> Wc3>d2", highlight=False)
    try:
        match.play("Wc3>d2")
    except empedocles.IllegalMove as error:
        console.print(f"[red]{error.reason} ({error.rule})[/]", highlight=False)
    console.print(f"player {match.to_move}> [reverse] [/]", highlight=False)
    picture = console.export_svg(title="Empedocles", unique_id="empedocles")
    return re.sub(r"@font-face \{.*?\}\n", "", picture, flags=re.DOTALL)  # no fonts from the network


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(), encoding="utf-8")
