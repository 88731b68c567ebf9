"""The fonts of pages, pictures and print: parts of Vollkorn, with tall digits of one width.

`tools/fonts.py` makes them. Vollkorn is licensed under the SIL Open Font License, see OFL.txt.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
FAMILY = "Empedocles Serif"


class Face(NamedTuple):
    name: str
    weight: int = 400
    style: str = "normal"

    @property
    def data(self) -> bytes:
        """For browsers."""
        return (FOLDER / f"{self.name}.woff2").read_bytes()


FACES = (Face("regular"), Face("bold", 700), Face("italic", 400, "italic"))
IN_PICTURES = FACES[:2]

# Until our own font is there, another one takes the same room. The widths are averages of its letters by their
# frequency in English, for Georgia (Windows and macOS), Noto Serif (Android) and Times (elsewhere).
ASCENT, DESCENT, WIDTH = 0.952, 0.441, 0.438
SUBSTITUTES = {
    "Georgia": (0.4458, ("Georgia",)),
    "Noto": (0.481, ("Noto Serif",)),
    "Times": (0.4063, ("Times New Roman", "Liberation Serif")),
}
FONTS = ", ".join(
    [
        *(f"'{name}'" for name in (FAMILY, *(f"Empedocles {other}" for other in SUBSTITUTES), "Libertinus Serif")),
        "Palatino",
        "Georgia",
        "serif",
    ]
)


@functools.cache
def version() -> str:
    """Another one whenever a font changes, for addresses that browsers may keep for ever."""
    return hashlib.sha256(b"".join(face.data for face in FACES)).hexdigest()[:8]


def in_data(face: Face) -> str:
    """The address of a font that is inside the file that uses it."""
    return f"data:font/woff2;base64,{base64.b64encode(face.data).decode()}"


def rules(address: Callable[[Face], str], faces: Collection[Face] = FACES) -> str:
    """The rules of a style sheet that load these fonts."""
    return "\n".join(
        f'@font-face{{font-family:"{FAMILY}";font-weight:{face.weight};font-style:{face.style};font-display:swap;'
        f'src:url("{address(face)}") format("woff2")}}'
        for face in faces
    )


def substitutes() -> str:
    """The rules of a style sheet for what is shown until the fonts are loaded: nothing moves when they are."""
    return "\n".join(
        f'@font-face{{font-family:"Empedocles {name}";src:{",".join(f"local({local!r})" for local in found)};'
        f"size-adjust:{WIDTH / width:.1%};ascent-override:{ASCENT * width / WIDTH:.1%};"
        f"descent-override:{DESCENT * width / WIDTH:.1%};line-gap-override:0%}}"
        for name, (width, found) in SUBSTITUTES.items()
    )
