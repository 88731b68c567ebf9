"""Draw the pictures of the documents: positions from games between strong agents, and the opponents of each game.

python tools/pictures.py docs
"""

from __future__ import annotations

import sys
from pathlib import Path

from empedocles.games import GAMES
from empedocles.opponents import characters
from empedocles.position import Position
from empedocles.render.art import CELL, scaled
from empedocles.render.picture import Picture

WIDE = 1.5  # of a portrait, to the next one

POSITIONS = (
    "fire-and-water players=2 board=medallion elementals=b7,d5,g6 markers=F1f5W1f6,F1c6W2d6,F1c7W3c8,F2d8W3d7,F3e7W1e8,"
    "F3g7W4f7,F4f2W1e2,F4f8W2g8,F4e4W3d4/F1g5W2g4,F1c5W3b5,F1b6W4a6,F2h2W3h3,F2b2W4c2,F3h4W2h5,F3g3W4g2,F4h6W4h7 "
    "hands=F2W2,F3W2,F4W4/F1W1,F3W1,F4W2 leaders=e6/g1 "
    "tokens=d6,d7,d8,e8,f8,g2,g7,g8/c6,h1,h2,h3,h4,h5,h6,h7,h8 to-move=1",
    "elemental-defenders mode=advanced dealt=MaMwWeWwPfPaKeKwNeNa "
    "hands=MaMwWeWwPaNe/WfWaPePwNfNw mediators=-/- to-move=1",
    "ignite-and-flow board=FFtEE1/DDEW2/EED3/TEE3/ED2F1/EE1W2 to-move=1",
    "points-of-power players=2 fire=d4,j6,j8,f10,i10,j10,k10,j11,k11 air=h1,j1,k1,f2,k2,h4,k4 "
    "earth=a1,b1,c1,a2,b2,b3,a4,d8 water=b6,a8,f8,a10,b10,a11,b11,c11,f11 quiet=5 to-move=0",
)


def main(folder: Path) -> None:
    for text in POSITIONS:
        position = Position(text)
        position.draw().save(folder / f"{position.game.name}.svg")
    for name in GAMES:
        (folder / f"{name}-opponents.svg").write_text(ladder(name), encoding="utf-8")


def ladder(game: str) -> str:
    """The portraits of a game's opponents in a row, the weakest first."""
    known = characters(game)
    step = WIDE * CELL
    faces = "".join(scaled(_inner(one.portrait()), WIDE * 0.9, k * step) for k, one in enumerate(known))
    size = f'viewBox="0 0 {step * len(known):g} {step:g}" width="{step * len(known):g}" height="{step:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>Opponents</title>{faces}</svg>\n'


def _inner(portrait: Picture) -> str:
    """A portrait's shapes, without the element around them and its title, which is shown below."""
    return str(portrait).partition("</title>")[2].removesuffix("</svg>")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
