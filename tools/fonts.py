"""Make the fonts of pages, pictures and print: parts of Vollkorn, from Debian's package of it.

python tools/fonts.py fonts-vollkorn_4.105-2_all.deb

`apt-get download fonts-vollkorn` gets the package. What this writes is committed: nobody needs the package to build or
to use Empedocles.
"""

from __future__ import annotations

import hashlib
import io
import sys
import tarfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent.parent / "src" / "empedocles" / "render" / "fonts"
PACKAGE = "0c7039de3ede6c96727829635c5b10a536114029cbddf98e14716578d936307f"  # SHA-256
INSIDE = "./usr/share/fonts/truetype/vollkorn/Vollkorn-{}.ttf"
STYLES = {"Regular": "regular", "Bold": "bold", "Italic": "italic"}
FAMILY = "Empedocles Serif"  # not Vollkorn: its digits are others, and a reader may have the whole font

LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "ĄąĆćČčĎďĘęĚěĞğİıŁłŃńŇňŐőŒœŘřŚśŞşŠšŤťŮůŰűŹźŻżŽž")]
SIGNS = [*map(ord, "‐‑–—‘’‚“”„†•…‰′″‹›€−∞≈≠≤≥←↑→↓↔■□▲△▶▷▼▽◀◁◆◇")]
FEATURES = ["ccmp", "kern", "liga", "mark"]


def unpacked(package: bytes) -> tarfile.TarFile:
    """The files of a Debian package: an `ar` archive, whose last member is a tar file."""
    at = len(b"!<arch>\n")
    while at < len(package):
        name, size = package[at : at + 16].strip(), int(package[at + 48 : at + 58])
        if name.startswith(b"data.tar"):
            return tarfile.open(fileobj=io.BytesIO(package[at + 60 : at + 60 + size]))
        at += 60 + size + size % 2
    raise SystemExit("this is not a Debian package: it has no data")


def figures(font: TTFont) -> None:
    """Make digits tall and equally wide: Vollkorn's usual ones hang below the line, and columns of them do not align.

    A feature of the font would do that too, but not in pictures on paper, whose digits are always the usual ones.
    """
    tall = {ord(digit): f"{font.getBestCmap()[ord(digit)]}.tf" for digit in "0123456789"}
    for table in font["cmap"].tables:
        table.cmap.update(tall)


def rename(font: TTFont, style: str) -> None:
    names = {1: FAMILY, 2: style, 3: f"{FAMILY} {style}", 4: f"{FAMILY} {style}", 6: f"EmpedoclesSerif-{style}"}
    table = font["name"]
    table.names = [entry for entry in table.names if entry.nameID in (0, 5, 13, 14)]  # copyright, version and licence
    for number, value in names.items():
        table.setName(value, number, 3, 1, 0x409)


def part(source: bytes, style: str) -> TTFont:
    font = TTFont(io.BytesIO(source), recalcTimestamp=False)
    figures(font)
    options = subset.Options(layout_features=FEATURES, hinting=False, name_IDs=["*"], notdef_outline=True)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=[*LETTERS, *SIGNS])
    chosen.subset(font)
    rename(font, style)
    return font


def main(package: Path) -> None:
    content = package.read_bytes()
    if hashlib.sha256(content).hexdigest() != PACKAGE:
        raise SystemExit(f"{package} is not the package that the fonts were made from")
    with unpacked(content) as files:
        for style, name in STYLES.items():
            found = files.extractfile(INSIDE.format(style))
            assert found is not None
            font = part(found.read(), style)
            font.save(FOLDER / f"{name}.ttf")
            font.flavor = "woff2"
            font.save(FOLDER / f"{name}.woff2")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
