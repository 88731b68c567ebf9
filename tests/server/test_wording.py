"""Every problem that a server reports has words in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from server.people import House

from empedocles import server
from empedocles.play.match import new
from empedocles.server.domain.events import PERSON, Seat
from empedocles.server.domain.table import Ending, Table
from empedocles.server.web.pages import words as wording
from empedocles.server.web.pages.review import result

SOURCES = Path(server.__file__).parent.rglob("*.py")
CODE = r'"([a-z]+(?:-[a-z]+)*)"'
TOLD = (rf"Refused\(\s*{CODE}", rf'"code": {CODE}', rf"code = {CODE}", rf"code = .* else {CODE}", rf"\b4\d\d, {CODE}")
BY_PAGES = {"unreachable"}  # reported by pages themselves, not by the server
SAY_MORE = {
    "illegal-move",
    "unknown-name",
    "bad-value",
}  # messages that say more than words by code: the rule, the name, the value


def test_all_codes_that_are_told_have_words_and_no_others() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    told = {code for pattern in TOLD for code in re.findall(pattern, text)}
    assert told | BY_PAGES == set(wording.PROBLEMS) | SAY_MORE


def test_all_pages_with_scripts_have_them(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    german = ada.headers | {"accept-language": "de"}
    for path in ("/new", f"/t/{match}", "/me", "/here", "/review", f"/review/{match}", "/learn/ignite-and-flow/1"):
        page = house.client.get(path, headers=german)
        assert '"not-your-turn": "Du bist nicht am Zug."' in page.text, path


def test_a_game_has_one_name_on_all_pages_of_a_language(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("fire-and-water", "me", "here")["id"]
    german = ada.headers | {"accept-language": "de"}
    paths = ("/", "/new", f"/t/{match}", "/me", "/rules", "/rules/fire-and-water", "/learn", f"/review/{match}")
    for path in paths:
        page = house.client.get(path, headers=german).text
        assert page.count("Feuer &amp; Wasser") > page.count("Fire &amp; Water") == 0, path


@pytest.mark.parametrize("reason", wording.ENDINGS)
def test_a_review_says_how_a_match_ended_as_its_table_did(reason: str) -> None:
    seats = [Seat(PERSON, "Ada"), Seat(PERSON, "Bo")]
    table = Table("a", new("ignite-and-flow"), b"", seats=seats, ending=Ending(reason, frozenset({0})))
    assert result(table, "en") == f"a win for White {wording.of_script(wording.SCRIPTS, 'en')[f'by-{reason}']}"


def test_the_reason_of_an_illegal_move_is_told_in_the_readers_language(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    ada.play(match, "Fc3")
    ada.headers["accept-language"] = "de"
    refused = ada.ask("POST", f"{match}/moves", {"number": 2, "move": "Wc3"}).json()
    assert refused["message"] == "c3 ist nicht leer: Dort liegt Feuer"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ('[Game "ignite-and-flow"]\n1. Fc3 Wc3\nend\n', "Zug 'Wc3': c3 ist nicht leer: Dort liegt Feuer (IF-5)"),
        ('[Game "chess"]\nend\n', "Zeile 1: unbekanntes Spiel 'chess'"),
        ('[Game "fire-and-water"]\n[Option board "FW/WF"]\nend\n', "Zeile 2: das Brett hat 2 Reihen statt 8"),
        ('[Game "ignite-and-flow"]\n1. Fc3\n', "abgeschnitten"),
    ],
)
def test_an_imported_record_is_refused_in_the_readers_language(house: House, record: str, said: str) -> None:
    german = house.person("Ada").headers | {"accept-language": "de"}
    refused = house.client.post("/api/imports", json={"record": record}, headers=german)
    assert said in refused.json()["message"]


def test_a_board_of_ones_own_is_refused_in_the_readers_language(house: House) -> None:
    ada = house.person("Ada")
    ada.headers["accept-language"] = "de"
    wanted = {"game": "fire-and-water", "options": {"board": "FW/WF"}, "seats": [{"kind": "me"}, {"kind": "here"}]}
    assert ada.ask("POST", "", wanted).json()["message"] == "das Brett hat 2 Reihen statt 8"
