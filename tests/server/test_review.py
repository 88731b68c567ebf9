"""Reviews: who may see them, what the engine says, trying moves, import and export."""

from __future__ import annotations

import asyncio
import gc
import io
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from PIL import Image

import empedocles
from empedocles.coach.claims import explain
from empedocles.core.kernel import CHANCE
from empedocles.games import find
from empedocles.play.match import Match
from empedocles.play.records import Record, read_records
from empedocles.position import Position
from empedocles.search.limits import Evaluation
from empedocles.testing.samples import random_match

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient as Client
from server.fixtures import opened
from server.memories import Shelf
from server.people import House, Person, facts, next_kind
from server.test_lists import run

from empedocles.server.domain.table import Table
from empedocles.server.limits.budgets import Who
from empedocles.server.storage import schema
from empedocles.server.workers.analyses import Analyses
from empedocles.server.workers.files import Made
from empedocles.server.workers.jobs import Judged, reason_view


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for all these tests: an engine takes a while to start."""
    with opened(str(tmp_path_factory.mktemp("review") / "empedocles.db"), analysis_seconds=0.05) as house:
        yield house.client


@pytest.fixture(scope="module")
def ada(client: Client) -> dict[str, str]:
    return House(client).person("Ada").headers


def record(game: str = "ignite-and-flow", moves: int = 1000, **options: Any) -> Record:
    """A short match, cut off after some moves if it is longer."""
    match = empedocles.new(game, seed=5, **options)
    if game == "ignite-and-flow":
        match.play("Fc3", "Wd4", "c3+d4", "Tc3")
    while not match.is_over and len(match.moves) < moves and game != "ignite-and-flow":
        match.play(match.legal_moves[0])
    return Record(match, {0: "Ada", 1: "Bo"}, comments={1: "a quiet start"})


def imported(client: Client, who: dict[str, str], given: Record) -> dict[str, Any]:
    answer = client.post("/api/imports", json={"record": str(given)}, headers=who)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_an_imported_record_comes_back_as_it_was(client: Client, ada: dict[str, str]) -> None:
    given = record()
    state = imported(client, ada, given)
    assert state["moves"] == given.match.moves
    assert [seat["name"] for seat in state["seats"]] == ["Ada", "Bo"]
    text = client.get(f"/api/matches/{state['id']}/record").text
    (again,) = read_records(io.StringIO(text))
    assert (again.match.moves, again.comments) == (given.match.moves, {1: "a quiet start"})


def test_an_imported_record_keeps_its_own_chance(client: Client, ada: dict[str, str]) -> None:
    given = record("elemental-defenders", 14)
    state = imported(client, ada, given)
    assert state["moves"] == given.match.moves
    assert state["status"] == "playing"
    table_again = client.get(f"/api/matches/{state['id']}/draws").json()
    assert table_again["draws"] == []  # none of them was drawn here


def test_an_imported_match_is_the_same_after_a_restart(client: Client, ada: dict[str, str]) -> None:
    given = record("elemental-defenders", 14)
    state = imported(client, ada, given)
    service = House(client).service
    service._tables.clear()
    found = client.get(f"/api/matches/{state['id']}", headers=ada).json()
    assert found["moves"] == given.match.moves
    played = client.post(
        f"/api/matches/{state['id']}/moves", json={"number": 1, "move": found["legal"][0]}, headers=ada
    )
    assert played.status_code == 200, played.text
    service._tables.clear()
    assert client.get(f"/api/matches/{state['id']}").json()["moves"] == played.json()["moves"]


@pytest.mark.parametrize("text", ["", "nonsense", '[Game "ignite-and-flow"]\n\n1. Zz9\nend\n', "x" * 200_001])
def test_what_is_no_record_is_refused_in_words(client: Client, ada: dict[str, str], text: str) -> None:
    answer = client.post("/api/imports", json={"record": text}, headers=ada)
    assert answer.status_code == 422
    assert answer.json()["message"]


def test_the_text_of_a_position_can_be_imported(client: Client, ada: dict[str, str]) -> None:
    position = record().match.position
    state = client.post("/api/imports", json={"record": position.text}, headers=ada).json()
    assert (state["position"], state["moves"]) == (position.text, [])
    assert f"/review/{state['id']}" in client.get("/review", headers=ada).text


def test_players_without_a_name_are_called_as_their_seats_in_lists(client: Client, ada: dict[str, str]) -> None:
    imported(client, ada, replace(record("elemental-defenders", 14), names={}))
    listed = client.get("/me", headers=ada | {"accept-language": "de"}).text
    assert ">Morgen<" in listed
    assert ">freier Platz<" not in listed


def test_frames_come_in_pieces(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record())
    whole = client.get(f"/api/matches/{state['id']}/frames?picture=true").json()
    part = client.get(f"/api/matches/{state['id']}/frames?start=1&stop=3").json()
    assert [ply["ply"] for ply in whole["plies"]] == list(range(len(state["moves"]) + 1))
    assert [ply["ply"] for ply in part["plies"]] == [1, 2]
    assert whole["picture"].startswith("<svg")
    assert "style=" not in whole["picture"]
    assert [ply["words"] for ply in part["plies"]] == [ply["words"] for ply in whole["plies"][1:3]]


def test_a_match_is_shown_from_the_side_of_a_seat(client: Client, ada: dict[str, str]) -> None:
    address = f"/api/matches/{imported(client, ada, record())['id']}/frames?stop=1"
    white, black = (client.get(f"{address}&seat={seat}").json()["plies"][0] for seat in range(2))
    assert white["pieces"] != black["pieces"]
    refused = client.get(f"{address}&seat=2")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-value")


def test_a_match_of_others_is_reviewed_when_it_is_over(client: Client, ada: dict[str, str]) -> None:
    bo, cy = (House(client).person(name).headers for name in ("Bo", "Cy"))
    wanted = {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = client.post("/api/matches", json=wanted, headers=ada).json()["id"]
    client.post(f"/api/matches/{match}/join", json={}, headers=bo)
    for who in (ada, cy):
        assert client.post("/api/analyses", json={"match": match}, headers=who).json()["code"] == "not-over"
        assert client.post("/api/positions", json={"match": match}, headers=who).status_code == 409
        page = client.get(f"/review/{match}", headers=who)
        assert page.status_code == 409
        assert "This match is still being played." in page.text
        assert f'href="/t/{match}"' in page.text
    number = client.get(f"/api/matches/{match}").json()["number"]
    client.post(f"/api/matches/{match}/commands", json={"number": number, "kind": "resign"}, headers=ada)
    assert client.get(f"/review/{match}", headers=cy).status_code == 200
    assert client.post("/api/analyses", json={"match": match}, headers=cy).json()["done"]  # of nothing


def test_moves_can_be_tried_from_any_point(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record())
    wanted = {"match": state["id"], "ply": 1, "moves": [], "arrows": ["Wd4"]}
    here = client.post("/api/positions", json=wanted, headers=ada).json()
    assert "arrow" in here["frame"]["arrows"]
    assert here["targets"].keys() >= {"W", "d4"}
    move = "Wa1"
    assert move in [choice[0] for choice in here["choices"]]
    there = client.post("/api/positions", json={**wanted, "moves": [move], "arrows": []}, headers=ada).json()
    assert (there["moves"][0], there["words"][0]) == (move, "Black places water on a1")
    by_text = client.post("/api/positions", json={"position": here["position"], "moves": [move]}).json()
    assert by_text["position"] == there["position"]
    refused = client.post("/api/positions", json={**wanted, "moves": ["Fc3"]}, headers=ada)
    assert (refused.status_code, refused.json()["code"]) == (422, "illegal-move")


def test_what_a_choice_would_place_is_told_after_moves_that_are_tried(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record())
    wanted = {"match": state["id"], "ply": 1, "moves": [], "target": "d4", "chosen": ["W"]}
    told = client.post("/api/positions/leads", json=wanted, headers=ada).json()
    assert told["message"] == "Black places water on d4"
    assert "water" in told["ghost"]
    taken = {**wanted, "moves": ["Wd4"], "chosen": ["F"]}
    assert client.post("/api/positions/leads", json=taken, headers=ada).json()["ghost"] == ""
    refused = client.post("/api/positions/leads", json={**wanted, "seat": 2}, headers=ada)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-value")


def test_what_is_tried_does_not_show_chance_that_is_to_come(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, Record(empedocles.new("elemental-defenders", chance="manual")))
    seen = {tuple(state["moves"])}
    for luck in range(3):
        wanted = {"match": state["id"], "ply": 0, "moves": state["moves"][:1], "luck": luck}
        there = client.post("/api/positions", json=wanted, headers=ada).json()
        assert there["to_move"] in (0, 1)
        seen.add(tuple(there["moves"]))
    assert len(seen) == 4


def analysed(client: Client, match: str) -> dict[str, Any]:
    answer = client.post("/api/analyses", json={"match": match}).json()
    until = time.monotonic() + 240
    remarks = answer["remarks"]
    while not answer["done"] and time.monotonic() < until:
        time.sleep(0.2)
        answer = client.get(f"/api/analyses/{answer['id']}?since={len(remarks)}").json()
        remarks += answer["remarks"]
    return {**answer, "remarks": sorted(remarks, key=lambda remark: remark["ply"])}  # the worst moves come first


def test_an_analysis_fills_in_and_is_kept(client: Client, ada: dict[str, str]) -> None:
    match = record("elemental-defenders").match
    state = imported(client, ada, Record(match))
    found = analysed(client, state["id"])
    decisions = [ply for ply, (seat, _) in enumerate(match.history()) if seat != CHANCE]
    assert [remark["ply"] for remark in found["remarks"]] == decisions
    last = found["remarks"][-1]
    assert last["played"]["proven"]
    assert last["played"]["said"].split()[0] in ("win", "draw", "loss")
    assert last["best"]["line"][0][0] == last["best"]["move"]
    again = client.post("/api/analyses", json={"match": state["id"], "language": "de"}).json()
    assert (again["id"], again["known"]) == (found["id"], len(decisions))


def test_an_analysis_sums_up_the_match_for_each_player(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record("elemental-defenders"))
    told = analysed(client, state["id"])
    story, path = told["story"], f"/api/analyses/{told['id']}"
    assert 1 <= len(story["sentences"]) <= 3
    assert [player["seat"] for player in story["players"]] == [0, 1]
    assert story["turning"] in [None, *(remark["ply"] for remark in told["remarks"] if remark["mark"])]
    mine, german = client.get(f"{path}?seat=0").json(), client.get(f"{path}?seat=0&language=de").json()
    assert re.search(r"\b[Yy]ou", " ".join(mine["story"]["sentences"]))
    assert mine["story"]["sentences"] != german["story"]["sentences"]
    assert client.get(f"{path}?seat=2").status_code == 422


@pytest.mark.anyio
async def test_moves_that_seem_worst_are_looked_at_first() -> None:
    match, asked = random_match(find("ignite-and-flow"), {}, 3, 14), []

    class Recording:
        async def patient(self, _who: Who, work: Any, *given: Any) -> Any:
            if work.__name__ == "where_to_begin":
                return sorted(given[2], reverse=True)
            if work.__name__ == "consider":
                asked.append(given[1])
            return work(*given)

    analyses = Analyses(Recording(), 0.05, Shelf())  # type: ignore[arg-type]
    analysis = analyses.of(Table("a", match, b""), Who("here"))
    assert analysis.task
    await analysis.task
    assert asked == sorted(analysis.due, reverse=True)
    assert analysis.done


def test_any_move_that_one_tries_is_compared_with_the_best(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record("elemental-defenders", 13))
    wanted = {"match": state["id"], "ply": len(state["moves"])}
    moves = client.get(f"/api/matches/{state['id']}", headers=ada).json()["legal"]
    best = client.post("/api/evaluations", json=wanted, headers=ada).json()[0]
    found = {}
    for move in moves:
        answer = client.post("/api/explanations", json=wanted | {"moves": [move]}, headers=ada)
        assert answer.status_code == 200, answer.text
        found[move] = answer.json()
    assert found[best["move"]]["reason"] is None
    for move, remark in found.items():
        assert remark["played"]["move"] == move
        assert remark["points_lost"] == best["points"] - remark["played"]["points"]
        assert bool(remark["reason"]) == (remark["points_lost"] >= 3)
        if reason := remark["reason"]:
            first = {True: best["move"], False: move}
            assert reason["line"][0][0] == first[reason["better"]]
            assert not reason["against"] or reason["against"][0][0] == first[not reason["better"]]
    assert any(remark["reason"] for remark in found.values())


SQUARES = (
    "fire-and-water players=2 board=medallion elementals=c7,f7,g5 markers=F1c3W1b3,F1g1W3g2,F2g7W1g8,F2e4W2d4,F3d2W2d1,"
    "F3h6W3h7,F4a3W2a4,F4c1W3c2,F4b8W4b7/F1e6W1e5,F1d6W2d7,F1a5W4b5,F2a7W1a8,F2b2W2a2,F2c4W3c5,F2f6W4g6,F3e3W1e2,"
    "F3f2W2f3,F3d8W3c8,F3b6W4a6,F4h2W1h3,F4a1W4b1 hands=F1W4,F3W1,F3W4/F1W3,F4W2,F4W3 leaders=e8/f1 "
    "tokens=a8,c1,c8,d3,h8/b7 last=- to-move=1"
)


def test_a_comparison_has_the_lines_of_both_moves() -> None:
    position = Position(SQUARES)
    played, better = Evaluation("Pa6", -0.5, line=("Pa6",)), Evaluation("F4h5W3h4", 0.5, line=("F4h5W3h4",))
    told = reason_view(position, explain(position, played, better), "en")
    assert told["words"].startswith(
        "After this, Green has only eleven squares ready to be taken; after the better move"
    )
    assert told["line"] == [["Pa6", "Green takes possession of a6"]]
    assert told["against"] == [["F4h5W3h4", "Green lays fire 4 on h5 and water 3 on h4"]]
    assert not told["better"]


@pytest.mark.parametrize(("moves", "status"), [([], 422), (["nonsense"], 422)])
def test_what_is_no_move_is_not_explained(client: Client, ada: dict[str, str], moves: list[str], status: int) -> None:
    state = imported(client, ada, record("elemental-defenders", 14))
    wanted = {"match": state["id"], "ply": len(state["moves"]), "moves": moves}
    answer = client.post("/api/explanations", json=wanted, headers=ada)
    assert (answer.status_code, bool(answer.json()["message"])) == (status, True)


def test_the_engine_answers_in_a_position(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record("elemental-defenders", 20))
    found = client.post("/api/evaluations", json={"match": state["id"], "ply": len(state["moves"])}, headers=ada).json()
    assert found[0]["move"] in [line[0] for line in found[0]["line"]]
    assert found[0]["value"] >= found[-1]["value"]


def test_chance_has_no_seat_in_a_review_nor_at_a_table(client: Client, ada: dict[str, str]) -> None:
    given = record("elemental-defenders", 14).match
    state = imported(client, ada, Record(given))
    with client.websocket_connect(f"/api/matches/{state['id']}/live") as socket:
        socket.send_json({"kind": "hello"})
        movers = next_kind(socket, "state")["movers"]
    assert None in movers
    assert facts(House(client), f"/review/{state['id']}", ada)["movers"] == movers
    tried = client.post("/api/positions", json={"position": given.start.text, "moves": given.moves}).json()
    assert tried["movers"][: len(movers)] == movers
    start = client.post("/api/positions", json={"position": given.start.text}).json()
    assert (start["to_move"], start["over"]) == (None, False)


class Stumbling:
    """Thinkers that fail once, at a ply of a match."""

    def __init__(self, ply: int) -> None:
        self.ply: int | None = ply

    async def patient(self, _who: Who, _work: object, _position: str, ply: int, *_: object) -> Judged:
        if ply == self.ply:
            self.ply = None
            raise OSError("a worker has died")
        return Judged("{}", {"en": "{}"})


@pytest.mark.anyio
async def test_an_analysis_that_failed_goes_on_when_it_is_asked_for_again() -> None:
    match = record().match
    table = Table("a", match, b"")
    analyses = Analyses(Stumbling(2), 0.05, Shelf())  # type: ignore[arg-type]
    known = []
    for _ in range(3):
        analysis = analyses.of(table, Who("here"))
        if analysis.task:
            await analysis.task
        known.append((analysis.failed, len(analysis.remarks)))
    assert known == [(True, 2), (False, len(match.moves)), (False, len(match.moves))]


@pytest.mark.anyio
async def test_an_analysis_goes_on_after_a_restart_unless_moves_were_taken_back() -> None:
    match, shelf, asked = record().match, Shelf(), []

    class Recording:
        async def patient(self, _who: Who, work: Any, *given: Any) -> Any:
            asked.append(work.__name__)
            return work(*given)

    async def analysed(match: Match) -> tuple[list[str], list[str]]:
        asked.clear()
        analysis = Analyses(Recording(), 0.05, shelf).of(Table("a", match, b""), Who("here"))  # type: ignore[arg-type]
        assert analysis.task
        await analysis.task
        assert not analysis.failed
        return [said["en"] for said in analysis.remarks], asked

    remarks, work = await analysed(match)
    assert (len(remarks), work) == (4, ["consider"] * 4 + ["sum_up"])
    again, work = await analysed(match)
    assert (again, work) == (remarks, ["describe_remarks", "sum_up"])
    other = match.until(2).play("Ec4")
    changed, work = await analysed(other)
    assert (changed[:2], work) == (remarks[:2], ["describe_remarks", "consider", "sum_up"])
    shelf.kept["a", 1] = (shelf.kept["a", 1][0], '{"of another": "version"}')
    assert (await analysed(other))[1] == ["describe_remarks", "consider", "consider", "sum_up"]


def think_here(house: House) -> list[str]:
    """Do the work of other processes in this one, which starts faster; the names of the jobs done."""
    done: list[str] = []

    async def think(_who: Who, work: Any, *given: Any) -> Any:
        done.append(work.__name__)
        return await asyncio.to_thread(work, *given)

    thinkers = house.client.app.state.thinkers  # type: ignore[attr-defined]
    thinkers.asked = thinkers.patient = think
    return done


def test_analyses_survive_a_restart_and_are_deleted_with_the_match(database: str) -> None:
    given = record("elemental-defenders")
    with opened(database) as house:
        think_here(house)
        ada = house.person("Ada")
        state = imported(house.client, ada.headers, given)
        found = analysed(house.client, state["id"])
        wanted = {"match": state["id"], "ply": state["plies"] - 2}
        answer = house.client.post("/api/evaluations", json=wanted).json()
    with opened(database) as house:
        done = think_here(house)
        assert analysed(house.client, state["id"])["remarks"] == found["remarks"]
        assert house.client.post("/api/evaluations", json=wanted).json() == answer
        assert set(done) == {"describe_remarks", "describe_evaluations", "sum_up"}
        store = house.service.store
        for trimmed, left in ((len(found["remarks"]), len(found["remarks"])), (3, 3)):
            run(house, store.trim_analyses, trimmed, 1)
            assert len(run(house, store.remarks, state["id"])) == left
        Person(house.client, ada.token).ask("DELETE", state["id"])
        for kept in (schema.remarks, schema.evaluations):
            assert not run(house, store.rows, sa.select(kept))


def test_the_turning_point_of_a_match_is_the_worst_mistake_of_those_who_lost(
    client: Client, ada: dict[str, str]
) -> None:
    game = find("elemental-defenders")
    given = random_match(game, game.complete({}), 3)
    assert given.result
    (loser,) = {0, 1} - given.result.winners
    state = imported(client, ada, Record(given))
    path = f"/api/matches/{state['id']}/turning-point"
    quick = client.get(path).json()
    remarks = [one for one in analysed(client, state["id"])["remarks"] if one["seat"] == loser]
    worst = max(one["lost"] for one in remarks)
    assert worst > 0
    assert (quick["seat"], quick["before"] - quick["after"]) == (loser, worst)
    assert quick["move"] == given.move(quick["ply"] + 1)
    client.app.state.analyses._answers = Made(1000, len)  # type: ignore[attr-defined]
    assert client.get(path).json() == quick  # by the stored analysis, as this game is solved
    other = client.get(f"{path}?seat={1 - loser}&language=de").json()
    assert other is None or other["seat"] == 1 - loser
    assert client.get(f"{path}?seat=2").status_code == 422


def test_only_matches_that_are_over_have_a_turning_point(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record("elemental-defenders", 14))
    refused = client.get(f"/api/matches/{state['id']}/turning-point")
    assert (refused.status_code, refused.json()["code"]) == (409, "not-over")


def test_a_position_that_somebody_tries_is_saved_as_a_picture(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record())
    wanted = {"match": state["id"], "ply": 1, "moves": ["Ea1"], "theme": "dark"}
    tried = client.post("/api/positions/picture", json=wanted, headers=ada)
    assert tried.headers["content-type"] == "image/svg+xml"
    match = empedocles.new("ignite-and-flow").play("Fc3", "Ea1")
    assert tried.text == str(match.draw(theme="dark", names={0: "Ada", 1: "Bo"}))
    png = client.post("/api/positions/picture", json=wanted | {"kind": "png"}, headers=ada)
    with Image.open(io.BytesIO(png.content)) as picture:
        assert picture.format == "PNG"
    refused = client.post("/api/positions/picture", json=wanted | {"moves": ["Ec3"]}, headers=ada)
    assert (refused.status_code, refused.json()["code"]) == (422, "illegal-move")


def test_an_unknown_analysis_is_said_to_be_unknown(client: Client) -> None:
    answer = client.get("/api/analyses/nothing.1")
    assert (answer.status_code, answer.json()["code"]) == (404, "no-analysis")


def test_a_match_can_be_taken_along(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record())
    base = f"/api/matches/{state['id']}"
    with Image.open(io.BytesIO(client.get(f"{base}/replay.gif").content)) as film:
        assert getattr(film, "n_frames", 1) == len(state["moves"]) + 1
    with Image.open(io.BytesIO(client.get(f"{base}/picture.png?ply=1&theme=dark").content)) as picture:
        assert picture.format == "PNG"
    page = client.get(f"{base}/replay.html")
    assert "attachment" in page.headers["content-disposition"]
    assert "White places fire on c3" in page.text


def test_the_pages_say_all_moves(client: Client, ada: dict[str, str]) -> None:
    state = imported(client, ada, record())
    page = client.get(f"/review/{state['id']}", headers=ada).text
    assert "White places fire on c3" in page
    assert "a quiet start" in page
    assert " style=" not in page
    assert f"/review/{state['id']}" in client.get("/review", headers=ada).text


def test_playing_on_from_a_position(client: Client, ada: dict[str, str]) -> None:
    position = record().match.position
    wanted = {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "me"}], "start": position.text}
    table = client.post("/api/matches", json=wanted, headers=ada).json()
    assert table["position"] == position.text


@pytest.mark.anyio
async def test_a_file_is_made_once() -> None:
    made, times = Made[bytes](most=5), 0

    async def make() -> bytes:
        nonlocal times
        times += 1
        return b"abc"

    assert [await made.get("a", make), await made.get("a", make)] == [b"abc"] * 2
    assert times == 1
    await made.get("b", make)  # too large for both to be kept
    await made.get("a", make)
    assert times == 3


@pytest.mark.anyio
async def test_a_file_that_fails_when_its_reader_has_left_is_no_loose_end() -> None:
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, complaint: complaints.append(complaint))
    made, leave = Made[bytes](), asyncio.Event()

    async def make() -> bytes:
        await leave.wait()
        raise OSError("no space left")

    reader = asyncio.create_task(made.get("a", make))
    await asyncio.sleep(0)
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)
    leave.set()
    while made._making:
        await asyncio.sleep(0)
    gc.collect()  # unretrieved exceptions would be reported now
    assert complaints == []


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
