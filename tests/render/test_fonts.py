"""Our own fonts: light enough for a page, complete enough for our texts, and in every file that leaves the house."""

from __future__ import annotations

import io
from pathlib import Path

import catalogues
import pypdf
import pytest
from fontTools.ttLib import TTFont

import empedocles
from empedocles.games import GAMES
from empedocles.paper import print_out
from empedocles.render import fonts

MOST = 60_000  # bytes that a page loads


def characters(face: fonts.Face) -> dict[int, str]:
    found: dict[int, str] = TTFont(fonts.FOLDER / f"{face.name}.woff2").getBestCmap()
    return found


def test_a_page_loads_at_most_60_kilobytes_of_fonts() -> None:
    assert sum(len(face.data) for face in fonts.FACES) <= MOST


@pytest.mark.parametrize("face", fonts.FACES, ids=lambda face: str(face.name))
def test_fonts_have_all_letters_of_our_messages(face: fonts.Face) -> None:
    messages = [
        str(text) for path in catalogues.paths() for found in catalogues.read(path) for text in (found.id, found.string)
    ]
    used = {letter for text in messages for letter in text if letter.isalnum() or letter in "–−…„“”’×·→"}
    assert "ß" in used
    assert not used - set(map(chr, characters(face)))


@pytest.mark.parametrize("face", fonts.FACES, ids=lambda face: str(face.name))
@pytest.mark.parametrize("kind", ["woff2", "ttf"])
def test_digits_are_equally_wide_and_stand_on_the_line(face: fonts.Face, kind: str) -> None:
    font = TTFont(fonts.FOLDER / f"{face.name}.{kind}")
    names = [font.getBestCmap()[ord(digit)] for digit in "0123456789"]
    assert len({font["hmtx"][name][0] for name in names}) == 1
    assert all(font["glyf"][name].yMin > -30 for name in names)


def test_a_saved_picture_has_its_fonts(tmp_path: Path) -> None:
    picture = empedocles.new("ignite-and-flow").draw()
    picture.save(tmp_path / "board.svg")
    picture.save(tmp_path / "board.pdf")
    assert fonts.in_data(fonts.FACES[0]) in (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert "data:font" not in str(picture), "the style sheet of a page has them"
    assert embedded((tmp_path / "board.pdf").read_bytes()) == {"EmpedoclesSerif-Bold", "EmpedoclesSerif-Regular"}


def test_sheets_and_rules_on_paper_are_set_in_our_fonts() -> None:
    names = embedded(print_out(GAMES["ignite-and-flow"], {}, language="de"))
    ours = {f"EmpedoclesSerif-{style}" for style in ("Regular", "Bold", "Italic")}
    assert ours <= names <= ours | {"DejaVuSansMono"}


def embedded(document: bytes) -> set[str]:
    """The fonts in a PDF, without the letters that begin a part's name."""
    found: set[str] = set()

    def search(resources: pypdf.generic.DictionaryObject) -> None:
        for font in resources.get("/Font", {}).values():
            found.add(font.get_object()["/BaseFont"].rpartition("+")[2])
        for drawn in resources.get("/XObject", {}).values():
            if "/Resources" in drawn.get_object():
                search(drawn.get_object()["/Resources"].get_object())

    for page in pypdf.PdfReader(io.BytesIO(document)).pages:
        search(page["/Resources"].get_object())  # type: ignore[arg-type]
    return found
