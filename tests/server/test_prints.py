"""Sheets to print over the network: made as requested, cached, and refused if they cannot be printed."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader
from server.people import House

from empedocles.game import Game

POINTS = 72 / 25.4  # to a millimetre


def test_every_game_prints_on_the_paper_that_is_asked_for(house: House, game: Game) -> None:
    for paper, wanted in {"a4": (210, 297), "letter": (215.9, 279.4)}.items():
        answer = house.client.get(f"/print/{game.name}.pdf", params={"paper": paper})
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/pdf"
        size = PdfReader(io.BytesIO(answer.content)).pages[0].mediabox
        millimetres = float(size.width) / POINTS, float(size.height) / POINTS
        assert millimetres == pytest.approx(wanted, abs=0.2)


def test_language_and_options_are_what_is_asked_for(house: House) -> None:
    two, four = (_pages(house, f"players={players}") for players in (2, 4))
    assert len(four) > len(two)
    assert "Regeln" in "".join(_pages(house, "language=de"))
    german = house.client.get("/print/fire-and-water.pdf", headers={"accept-language": "de"})
    assert german.content == house.client.get("/print/fire-and-water.pdf?language=de").content


def test_a_box_is_for_every_number_of_players(house: House) -> None:
    """The form sends a number of players too, which does not matter then."""
    box = _pages(house, "box=true&players=2&board=medallion")
    assert "60 × neutral possession token" in "".join(box)
    assert box == _pages(house, "box=true&players=3")
    page = house.client.get("/rules/fire-and-water").text
    assert '<input type="checkbox" name="box" value="true">' in page
    assert 'name="box"' not in house.client.get("/rules/ignite-and-flow").text


def _pages(house: House, query: str) -> list[str]:
    answer = house.client.get(f"/print/fire-and-water.pdf?{query}")
    assert answer.status_code == 200
    return [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/print/chess.pdf", 404),
        ("/print/fire-and-water.pdf?paper=a3", 422),
        ("/print/fire-and-water.pdf?players=7", 422),
        ("/print/fire-and-water.pdf?colour=red", 422),
        ("/print/fire-and-water.pdf?board=F/W", 422),
        ("/print/fire-and-water.pdf?board=/etc/passwd", 422),
        (f"/print/fire-and-water.pdf?board={'F/' * 300}", 422),
        ("/print/fire-and-water.pdf?theme=dark", 422),
        ("/print/fire-and-water.pdf?box=perhaps", 422),
        (f"/print/fire-and-water.pdf?box=true&board={'/'.join(['FWFWFWFW'] * 8)}", 422),
    ],
)
def test_what_cannot_be_printed_is_refused(house: House, path: str, status: int) -> None:
    answer = house.client.get(path)
    assert answer.status_code == status
    assert answer.json()["message"]


def test_a_sheet_is_made_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    thinkers, made = house.client.app.state.thinkers, 0  # type: ignore[attr-defined]

    async def counted(*_: object) -> bytes:
        nonlocal made
        made += 1
        return b"%PDF"

    monkeypatch.setattr(thinkers, "patient", counted)
    for query in ("", "?players=2", "?board=medallion&paper=a4"):  # all say the same
        assert house.client.get(f"/print/fire-and-water.pdf{query}").content == b"%PDF"
    assert made == 1


def test_puzzles_come_six_on_a_page(house: House) -> None:
    name, theme = "elemental-defenders", "forced-wins"
    answer = house.client.get(f"/print/{name}/puzzles.pdf?theme={theme}&sheets=2&rating=1000&paper=letter")
    assert answer.headers["content-type"] == "application/pdf"
    pages = PdfReader(io.BytesIO(answer.content)).pages
    assert len(pages) == 2
    assert float(pages[0].mediabox.width) == pytest.approx(215.9 * POINTS, abs=0.5)
    assert all(page.extract_text().count("attacks that win after any answer") == 6 for page in pages)
    german = house.client.get(f"/print/{name}/puzzles.pdf", headers={"accept-language": "de"})
    text = PdfReader(io.BytesIO(german.content)).pages[0].extract_text()
    assert "Lösungen" in text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/print/chess/puzzles.pdf", 404),
        ("/print/elemental-defenders/puzzles.pdf?theme=romance", 404),
        ("/print/elemental-defenders/puzzles.pdf?sheets=6", 422),
        ("/print/elemental-defenders/puzzles.pdf?rating=high", 422),
        ("/print/elemental-defenders/puzzles.pdf?paper=a3", 422),
    ],
)
def test_puzzles_that_cannot_be_printed_are_refused(house: House, path: str, status: int) -> None:
    assert house.client.get(path).status_code == status


def test_pages_of_puzzles_lead_to_their_sheets(house: House) -> None:
    assert 'action="/print/elemental-defenders/puzzles.pdf"' in house.client.get("/puzzles").text
    page = house.client.get("/puzzles/elemental-defenders?theme=forced-wins").text
    assert '/print/elemental-defenders/puzzles.pdf?theme=forced-wins&amp;paper=a4&amp;language=en"' in page
    assert "puzzles.pdf" not in house.client.get("/puzzles/elemental-defenders/day").text


def test_pages_lead_to_the_sheets(house: House, game: Game) -> None:
    for page in ("/", "/rules"):
        text = house.client.get(page).text
        assert f'href="/print/{game.name}.pdf?paper=letter&amp;language=en"' in text
    assert f'action="/print/{game.name}.pdf"' in house.client.get(f"/rules/{game.name}").text
