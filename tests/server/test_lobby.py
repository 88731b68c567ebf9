"""Lists on pages: the lobby that pages follow, whose move it is, and the small pictures beside each table."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from server.people import House, Person

from empedocles.games import all_games
from empedocles.server.web.pages import lists

CLOCK = {"kind": "minutes", "base": 900, "increment": 10}


def line_of(text: str, match: str) -> str:
    """What a list says about a table."""
    found = re.search(rf'<li data-table="{match}">(.*?)</li>', text, re.DOTALL)
    assert found, f"{match} is not in this list"
    return " ".join(re.sub(r"<[^>]*>", " ", found[1]).split())


def test_the_lobby_says_how_a_table_is_played_and_where_to_sit(house: House) -> None:
    ada, bo = house.person("Ada"), house.person("Bo")
    ada.do(ada.create("points-of-power", "me", "level-4")["id"], "resign")
    options = {"board": "wheel", "stuck": "passes"}
    match = ada.create("points-of-power", "me", "open", clock=CLOCK, options=options)["id"]
    text = house.client.get("/lobby", headers=bo.headers).text
    told = line_of(text, match)
    for part in ("Ada – open seat", "15 min + 10 s per move", "board: wheel", "rules read differently", "level 3"):
        assert part in told
    assert f'href="/t/{match}#sit"' in text
    german = house.client.get("/lobby", headers=bo.headers | {"accept-language": "de"}).text
    assert "15 min + 10 s pro Zug" in line_of(german, match)
    own = house.client.get("/lobby", headers=ada.headers).text
    assert "waiting for players" in line_of(own, match)  # among one's own, and nowhere else
    assert "#sit" not in own


def test_an_unchanged_lobby_is_not_sent_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = house.person("Ada")
    first = house.client.get("/lobby")
    unchanged = {"if-none-match": first.headers["etag"]}
    assert house.client.get("/lobby", headers=unchanged).status_code == 304
    match = ada.create("ignite-and-flow", "me", "open")["id"]
    assert house.client.get("/lobby", headers=unchanged).status_code == 304  # read once for all who ask now
    monkeypatch.setattr(lists, "FRESH", 0.0)
    assert match in house.client.get("/lobby", headers=unchanged).text


def test_only_what_waits_for_the_reader_in_person_is_their_move(house: House) -> None:
    ada = house.person("Ada")
    own = ada.create("ignite-and-flow", "me", "level-1")
    shared = ada.create("ignite-and-flow", "me", "here")
    people = [{"kind": "me"}, {"kind": "here", "name": "Zoë"}]
    named = ada.ok("POST", "", {"game": "ignite-and-flow", "seats": people})
    record = house.client.get(f"/api/matches/{named['id']}/record").text
    imported = house.client.post("/api/imports", json={"record": record}, headers=ada.headers).json()
    assert all(state["your_turn"] for state in (own, shared, named, imported))
    assert [state["my_move"] for state in (own, shared, named, imported)] == [True, False, False, False]
    page = house.client.get("/me", headers=ada.headers).text
    assert "your move" in line_of(page, own["id"])
    assert "Ada to move" in line_of(page, named["id"])
    assert "imported" in line_of(page, imported["id"])
    assert page.index(own["id"]) < min(page.index(other["id"]) for other in (shared, named, imported))


def test_team_mates_of_one_person_are_still_their_move(house: House) -> None:
    ada = house.person("Ada")
    state = ada.create("points-of-power", "me", "level-1", "me", "level-1", options={"players": 4})
    assert state["my_move"]


def test_a_waiting_table_can_be_cancelled_or_left(house: House) -> None:
    ada, bo = house.person("Ada"), house.person("Bo")
    match = ada.create("points-of-power", "me", "open", "open", "link", options={"players": 4})["id"]
    page = house.client.get("/", headers=ada.headers).text
    assert f'data-invite="{match}"' in page
    assert "Cancel" in line_of(page, match)
    bo.ok("POST", f"{match}/join", {})
    assert "Leave" in line_of(house.client.get("/me", headers=ada.headers).text, match)


# ── Small pictures ───────────────────────────────────────────────────────────────────────────────────────────────────


def pictured(ada: Person, path: str) -> str:
    found = ada.client.get(path, headers=ada.headers | {"accept-encoding": "identity"})
    assert found.status_code == 200
    assert found.headers["content-type"] == "image/svg+xml"
    ElementTree.fromstring(found.text)
    return str(found.text)


@pytest.mark.parametrize("game", all_games())
def test_a_small_picture_shows_the_board_and_no_names(house: House, game: str) -> None:
    ada = house.person("Ada")
    match = ada.create(game, "me", "here")["id"]
    before = pictured(ada, f"/t/{match}/small.svg")
    assert "Ada" not in before
    assert "data-target" not in before
    assert set(re.findall(r'href="#([^"]+)"', before)) <= set(re.findall(r'id="([^"]+)"', before))
    assert len(before) < 40_000
    ada.play(match)
    assert pictured(ada, f"/t/{match}/small.svg") != before


def test_a_browser_keeps_a_small_picture_until_the_position_changes(house: House) -> None:
    ada = house.person("Ada")
    begun = ada.create("ignite-and-flow", "me", "here")["id"]
    state = ada.play(begun)
    match, number = state["id"], state["number"]
    page = house.client.get("/me", headers=ada.headers).text
    assert f"/t/{match}/small.svg?number={number}&amp;theme=light" in page
    assert f"/t/{match}/small.svg?number={number}&amp;theme=dark" in page
    ada.create("ignite-and-flow", "me", "here")
    ada.create("ignite-and-flow", "me", "here")
    page = house.client.get("/me", headers=ada.headers).text
    assert len(set(re.findall(r'src="(/start/[^"]+)"', page))) == 1  # matches that begin alike share a picture
    lasting = house.client.get(f"/t/{match}/small.svg?number={number}").headers["cache-control"]
    ada.play(match)
    late = house.client.get(f"/t/{match}/small.svg?number={number}").headers["cache-control"]
    assert (lasting, late) == ("private, max-age=86400", "private, no-cache")


def test_starting_positions_have_pictures_with_the_usual_options(house: House) -> None:
    ada = house.person("Ada")
    assert pictured(ada, "/start/points-of-power.svg?board=wheel") != pictured(ada, "/start/points-of-power.svg")
    for path in ("points-of-power.svg?board=aaa/bbb", "chess.svg", "points-of-power.svg?players=3"):
        assert house.client.get(f"/start/{path}").status_code == 404


# ── QR codes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_links_to_this_server_become_codes(house: House) -> None:
    code = house.client.post("/qr", json={"link": "http://testserver/t/abc#join=secret&seat=1"})
    assert code.headers["content-type"] == "image/svg+xml"
    assert "secret" not in code.text
    for link in ("https://elsewhere.example/", "http://testserver.elsewhere.example/", "testserver", ""):
        refused = house.client.post("/qr", json={"link": link})
        assert (refused.status_code, refused.json()["code"]) == (422, "bad-link")
    assert house.client.post("/qr", json={"link": "http://testserver/" + 300 * "x"}).status_code == 422
