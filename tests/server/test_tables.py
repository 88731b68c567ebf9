"""What people can do at a table, through the API."""

from __future__ import annotations

import time
from typing import Any

import pytest
from server.people import House, Person, play_out

import empedocles
from empedocles.server.domain import table as tables
from empedocles.server.domain.openings import new_id


def test_two_people_play_a_whole_match(house_on: House) -> None:
    ada, bo, match = house_on.pair()
    end = play_out(match, ada, bo)
    assert end["status"] == "over"
    assert ada.refused("POST", f"{match}/moves", {"number": end["number"], "move": "Fc3"}) == (409, "over")
    assert [seat["mine"] for seat in bo.look(match)["seats"]] == [False, True]


def test_every_game_can_be_played(house: House) -> None:
    ada = house.person("Ada")
    for game in house.client.get("/api/games").json():
        match = ada.create(game["name"], *["me", *["here"] * (game["seats"][0] - 1)])["id"]
        assert play_out(match, ada)["status"] == "over"


def test_a_repeated_move_changes_nothing(house_on: House) -> None:
    ada, bo, match = house_on.pair()
    number = ada.look(match)["number"]
    wanted = {"number": number, "move": "Fc3"}
    first = ada.ok("POST", f"{match}/moves", wanted)
    assert ada.ok("POST", f"{match}/moves", wanted)["number"] == first["number"]
    bo.play(match, "Wd4")
    again = ada.ok("POST", f"{match}/moves", wanted)  # the first answer was lost, and the other has moved meanwhile
    assert (again["number"], again["moves"]) == (first["number"] + 1, ["Fc3", "Wd4"])
    assert bo.refused("POST", f"{match}/moves", wanted) == (409, "late")


def test_a_late_move_is_refused_with_the_number_to_use(house: House) -> None:
    ada, bo, match = house.pair()
    ada.play(match, "Fc3")
    late = bo.ask("POST", f"{match}/moves", {"number": 1, "move": "Wd4"})
    assert (late.status_code, late.json()["code"], late.json()["number"]) == (409, "late", ada.look(match)["number"])


def test_who_may_move_and_what(house: House) -> None:
    ada, bo, match = house.pair()
    number = ada.look(match)["number"]
    assert bo.refused("POST", f"{match}/moves", {"number": number, "move": "Fc3"}) == (403, "not-your-turn")
    assert house.person("Eve").refused("POST", f"{match}/moves", {"number": number, "move": "Fc3"})[0] == 403
    nobody = Person(house.client, "")
    assert nobody.refused("POST", f"{match}/moves", {"number": number, "move": "Fc3"}) == (401, "no-player")
    for move in ("", " ", "Fc3 Wd4", "Zz9", "c3+d4 Tc3", "\ud800", "\x00", "Fc3\n"):
        refused = ada.ask("POST", f"{match}/moves", {"number": number, "move": move})
        assert refused.status_code == 422, (move, refused.text)
    ada.play(match, "Fc3")
    refused = bo.ask("POST", f"{match}/moves", {"number": number + 1, "move": "Wc3"})
    assert (refused.status_code, refused.json()["code"]) == (422, "illegal-move")
    assert refused.json()["rule"].startswith("IF-")
    assert bo.look(match)["moves"] == ["Fc3"]


def test_waiting_for_others(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "open")["id"]
    assert ada.refused("POST", f"{match}/moves", {"number": 1, "move": "Fc3"}) == (409, "waiting")


# ── Sitting down ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_open_seats_and_links(house_on: House) -> None:
    ada, bo, eve = map(house_on.person, ("Ada", "Bo", "Eve"))
    table = ada.create("ignite-and-flow", "me", "link")
    match, invite = table["id"], table["invites"]["1"]
    assert bo.refused("POST", f"{match}/join", {}) == (409, "no-seat")
    assert bo.refused("POST", f"{match}/join", {"invite": "guess"}) == (403, "bad-invite")
    assert bo.ok("POST", f"{match}/join", {"invite": invite})["mine"] == [1]
    assert bo.ok("POST", f"{match}/join", {"invite": invite})["mine"] == [1]  # the link opened once more
    assert eve.refused("POST", f"{match}/join", {"invite": invite}) == (403, "bad-invite")
    assert eve.refused("POST", f"{match}/join", {"seat": 7}) == (409, "no-seat")


def test_lists_show_what_is_listed(house_on: House) -> None:
    ada, bo = house_on.person("Ada"), house_on.person("Bo")
    shown = ada.create("ignite-and-flow", "me", "open")["id"]
    ada.create("ignite-and-flow", "me", "open", listed=False)
    ids = [table["id"] for table in house_on.client.get("/api/matches").json()]
    assert ids == [shown]
    assert len(ada.ok("GET", "?status=mine")) == 2
    assert bo.ok("GET", "?status=mine") == []
    bo.ok("POST", f"{shown}/join", {})
    assert [table["id"] for table in house_on.client.get("/api/matches?status=playing").json()] == [shown]


def test_seats_must_fit_the_game(house: House) -> None:
    ada = house.person("Ada")
    for seats in (["me"], ["me"] * 3, ["me", "nobody-1"]):
        wanted = [{"kind": "bot", "agent": s} if "-" in s else {"kind": s} for s in seats]
        assert ada.ask("POST", "", {"game": "ignite-and-flow", "seats": wanted}).status_code == 422
    assert ada.ask("POST", "", {"game": "chess", "seats": [{"kind": "me"}] * 2}).status_code == 422
    for name, answer in (("gnome", 422), ("pebble", 201)):
        wanted = [{"kind": "me"}, {"kind": "bot", "agent": name}]
        assert ada.ask("POST", "", {"game": "ignite-and-flow", "seats": wanted}).status_code == answer


def test_a_start_must_be_of_the_game_and_options_asked_for(house: House) -> None:
    ada = house.person("Ada")
    start = empedocles.new("ignite-and-flow", reactions="literal").play("Fc3").position.text
    wanted: dict[str, Any] = {"game": "ignite-and-flow", "seats": [{"kind": "me"}] * 2, "start": start}
    assert ada.ok("POST", "", wanted)["options"] == ada.ok("POST", "", wanted | {"options": {}})["options"]
    assert ada.ok("POST", "", wanted | {"options": {"reactions": "literal"}})["position"] == start
    refused = ada.ask("POST", "", wanted | {"options": {"reactions": "all"}})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-start")
    assert "reactions=all" in refused.json()["message"]
    assert "reactions=literal" in refused.json()["message"]
    assert ada.refused("POST", "", wanted | {"game": "elemental-defenders"}) == (422, "bad-start")
    for options in ({"reactions": "none"}, {"colour": "red"}):
        assert ada.ask("POST", "", wanted | {"options": options}).status_code == 422


def test_no_file_of_the_server_is_read(house: House) -> None:
    ada = house.person("Ada")
    for wanted in ({"options": {"board": "/etc/passwd"}}, {"start": "points-of-power board=/etc/passwd"}):
        answer = ada.ask("POST", "", {"game": "points-of-power", "seats": [{"kind": "me"}] * 2} | wanted)
        assert answer.status_code == 422
        assert "root:" not in answer.text


# ── Taking back ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_take_back_alone(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    assert ada.may_not(match, "back") == "nothing-to-undo"
    ada.play(match, "Fc3")
    ada.play(match, "Wd4")
    assert ada.do(match, "back")["moves"] == ["Fc3"]
    assert ada.do(match, "back")["moves"] == []


def test_take_back_by_consent(house_on: House) -> None:
    ada, bo, match = house_on.pair()
    ada.play(match, "Fc3")
    asked = ada.do(match, "back")
    assert (asked["moves"], asked["offers"]) == (["Fc3"], {"back": 0})
    assert ada.may_not(match, "back") == "asked"
    assert bo.do(match, "decline", "back")["offers"] == {}
    ada.do(match, "back")
    assert bo.do(match, "back")["moves"] == []
    ada.play(match, "Fc3")
    ada.do(match, "back")
    assert bo.play(match, "Wd4")["offers"] == {}  # moving on is an answer too
    assert bo.may_not(match, "decline", "back") == "no-offer"


def test_who_has_passed_the_turn_takes_back_all_of_it(house_on: House) -> None:
    ada = house_on.person("Ada")
    match = ada.create("ignite-and-flow", "me", "level-1")["id"]  # no bots run here
    ada.play(match, "Ef1")
    assert ada.do(match, "back")["moves"] == []
    ada.play(match, "Ef1")
    assert ada.play(match, "-")["to_move"] == 1
    assert house_on.service._tables[match].match.last_targets(2) == {"E", "f1", "-"}
    assert ada.do(match, "back")["moves"] == []


def test_take_back_never_goes_past_a_revealed_marker_among_people(house: House) -> None:
    people = [house.person(name) for name in ("Ada", "Bo")]
    match = people[0].create("fire-and-water", "me", "open")["id"]
    people[1].ok("POST", f"{match}/join", {})
    refused = False
    for _ in range(200):
        for person in people:
            state = person.look(match)
            if not state["your_turn"]:
                continue
            before = len(state["moves"])
            person.play(match)
            drawn = any(move.startswith("+") for move in person.look(match)["moves"][before:])
            if drawn:
                refused = True
                assert person.may_not(match, "back") == "revealed"
        if refused or people[0].look(match)["status"] == "over":
            break
    assert refused


def test_take_back_needs_everybody(house: House) -> None:
    ada, bo, cy = (house.person(name) for name in ("Ada", "Bo", "Cy"))
    match = ada.create("fire-and-water", "me", "open", "open", options={"players": 3})["id"]
    for person in (bo, cy):
        person.ok("POST", f"{match}/join", {})
    ada.play(match)
    ada.do(match, "back")
    assert bo.do(match, "back")["consents"] == [1]
    assert (ada.may_not(match, "back"), bo.may_not(match, "back")) == ("asked", "agreed")
    assert cy.do(match, "back")["moves"] == []


# ── Ending ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_resign(house_on: House) -> None:
    ada, bo, match = house_on.pair()
    number = ada.look(match)["number"]
    end = ada.do(match, "resign", number=number)
    assert (end["status"], end["ending"], end["winners"]) == ("over", "resign", [1])
    assert ada.do(match, "resign", number=number)["number"] == end["number"]  # repeated
    assert bo.may_not(match, "resign") == "over"


def three(house: House, **more: Any) -> tuple[list[Person], str]:
    """Three people at a table, in turn order."""
    people = [house.person(name) for name in ("Ada", "Bo", "Cy")]
    match = people[0].create("fire-and-water", "me", "open", "open", options={"players": 3}, **more)["id"]
    for person in people[1:]:
        person.ok("POST", f"{match}/join", {})
    return people, match


def test_the_others_play_on_when_one_of_three_resigns(house: House) -> None:
    (ada, bo, cy), match = three(house)
    left = bo.do(match, "resign")
    assert (left["status"], [seat["kind"] for seat in left["seats"]]) == ("playing", ["person", "bot", "person"])
    assert bo.may_not(match, "resign") == "not-seated"
    ada.do(match, "resign")
    end = cy.do(match, "resign")  # nobody is left to play on
    assert (end["ending"], end["winners"]) == ("resign", [0, 1])


def test_a_repeated_resignation_among_three_is_answered_as_the_first(house_on: House) -> None:
    (ada, bo, cy), match = three(house_on)
    wanted = {"number": ada.look(match)["number"], "kind": "resign"}
    first = bo.ok("POST", f"{match}/commands", wanted)
    assert first["seats"][1]["kind"] == "bot"
    house_on.service._tables.clear()  # another process is asked
    again = bo.ok("POST", f"{match}/commands", wanted)
    assert again | {"gone_in": 0} == first | {"gone_in": 0}
    assert cy.refused("POST", f"{match}/commands", wanted) == (409, "late")  # not a repetition: it is her own request
    assert house_on.person("Eve").refused("POST", f"{match}/commands", wanted) == (403, "not-seated")


def test_who_resigns_against_bots_alone_has_lost(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("fire-and-water", "me", "level-1", "level-1", options={"players": 3})["id"]
    end = ada.do(match, "resign")
    assert (end["status"], end["mine"], end["winners"]) == ("over", [0], [1, 2])


def test_draw(house: House) -> None:
    ada, bo, match = house.pair()
    assert ada.do(match, "draw")["offers"] == {"draw": 0}
    assert ada.may_not(match, "draw") == "asked"
    assert bo.do(match, "decline", "draw")["status"] == "playing"
    bo.do(match, "draw")
    end = ada.do(match, "draw")
    assert (end["ending"], end["winners"]) == ("agreed", [])
    alone = ada.create("ignite-and-flow", "me", "level-1")["id"]
    assert ada.may_not(alone, "draw") == "no-person"


def test_who_may_command(house: House) -> None:
    ada, bo, match = house.pair()
    assert house.person("Eve").may_not(match, "resign") == "not-seated"
    assert ada.may_not(match, "dance") == "unknown-command"
    number = ada.look(match)["number"]
    ada.play(match, "Fc3")
    assert bo.may_not(match, "resign", number=number) == "late"
    assert bo.may_not(match, "resign", number=number + 5) == "late"


def test_claim_and_bot_when_somebody_is_gone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo, match = house.pair()
    assert ada.may_not(match, "claim") == "not-gone"  # it is her own turn
    ada.play(match, "Fc3")
    assert ada.may_not(match, "claim") == "not-gone"  # he was here just now
    monkeypatch.setattr(house.service.seen, "abandoned", 0.0)
    assert bo.may_not(match, "claim") == "not-gone"
    assert ada.may_not(match, "bot", "nobody") == "unknown-name"
    assert ada.may_not(match, "bot", "gnome") == "unknown-name"  # plays another game
    taken = ada.do(match, "bot", "level-1")
    assert taken["seats"][1]["kind"] == "bot"
    assert bo.refused("POST", f"{match}/moves", {"number": taken["number"], "move": "Wd4"})[0] == 403
    ada, bo, match = house.pair()
    ada.play(match, "Fc3")
    end = ada.do(match, "claim")
    assert (end["ending"], end["winners"]) == ("claim", [0])


def test_who_is_connected_to_another_process_is_not_gone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, _, match = house.pair()
    ada.play(match, "Fc3")
    pass_time(house, match, 1000)
    house.client.portal.call(house.service.store.saw, [(match, 1)], time.time())  # type: ignore[union-attr]
    assert ada.may_not(match, "claim") == "not-gone"


# ── Clocks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def pass_time(house: House, match: str, seconds: float) -> tables.Table:
    """Let time pass for the seat to move."""
    assert house.client.portal
    table: tables.Table = house.client.portal.call(house.service.table, match)
    table.turned -= seconds
    return table


def test_clocks_run_and_flags_fall(house_on: House) -> None:
    ada, bo, match = house_on.pair(clock={"kind": "minutes", "base": 60, "increment": 60})
    assert ada.look(match)["left"][1] == 60.0
    assert ada.play(match, "Fc3")["left"][0] > 60.0  # the increment
    pass_time(house_on, match, 60)
    state = bo.look(match)
    if state["status"] == "playing":  # the clocks have not been checked yet: a late move does not help
        assert bo.refused("POST", f"{match}/moves", {"number": state["number"], "move": "Wd4"}) == (409, "over")
    end = bo.look(match)
    assert (end["ending"], end["winners"]) == ("time", [0])
    assert end["left"][1] == 0.0


def test_flags_fall_by_themselves(house: House) -> None:
    ada, _, match = house.pair(clock={"kind": "minutes", "base": 0.2})
    for _ in range(50):
        if ada.look(match)["status"] == "over":
            break
        time.sleep(0.1)
    assert ada.look(match)["ending"] == "time"


def test_the_others_play_on_when_the_time_of_one_of_three_is_out(house: House) -> None:
    (ada, bo, _), match = three(house, clock={"kind": "minutes", "base": 60})
    assert house.client.portal
    pass_time(house, match, 60)
    house.client.portal.call(house.service.flag, match)
    state = bo.look(match)
    assert (state["status"], state["seats"][0]["kind"], state["to_move"], state["mine"]) == ("playing", "bot", 0, [1])
    assert ada.look(match)["mine"] == []
    assert state["left"][0] > 0.0
    pass_time(house, match, 60)
    house.client.portal.call(house.service.flag, match)
    assert bo.look(match)["number"] == state["number"]  # a bot is not replaced by a bot


def test_a_program_that_asks_now_and_then_is_there(house: House) -> None:
    ada, bo, match = house.pair()
    ada.play(match, "Fc3")
    house.service._tables[match].turned -= 3600  # he has been thinking for an hour
    house.service.seen.clear()
    assert ada.look(match)["gone_in"] < 0
    bo.look(match)
    assert ada.may_not(match, "claim") == "not-gone"


def test_nobody_claims_a_win_over_two(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    (_, bo, _), match = three(house)
    monkeypatch.setattr(house.service.seen, "abandoned", 0.0)
    assert bo.may_not(match, "claim") == "no-claim"
    assert bo.do(match, "bot")["seats"][0]["kind"] == "bot"


def test_days_start_anew_with_each_move(house: House) -> None:
    ada, bo, match = house.pair(clock={"kind": "days", "base": 86400})
    ada.play(match, "Fc3")
    bo.play(match, "Wd4")
    assert ada.look(match)["left"] == pytest.approx([86400, 86400], abs=60)
    assert ada.may_not(match, "claim") == "not-gone"


def test_a_clock_needs_time(house: House) -> None:
    ada = house.person("Ada")
    wanted: dict[str, Any] = {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "open"}]}
    for clock in ({"kind": "minutes", "base": 0}, {"kind": "hours"}, {"kind": "minutes", "base": -1}):
        assert ada.ask("POST", "", wanted | {"clock": clock}).status_code == 422


# ── Afterwards ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_rematch_with_seats_exchanged(house_on: House) -> None:
    ada, bo, match = house_on.pair()
    assert ada.refused("POST", f"{match}/rematch") == (409, "not-over")
    ada.do(match, "resign")
    first, eve = bo.ok("POST", f"{match}/rematch"), house_on.person("Eve")
    assert (first["mine"], first["status"], first["seats"][1]["name"]) == ([0], "waiting", "Ada")
    assert bo.ok("POST", f"{match}/rematch")["number"] == first["number"]
    assert eve.refused("POST", f"{first['id']}/join", {}) == (409, "no-seat"), "it is kept for Ada"
    assert eve.refused("POST", f"{first['id']}/join", {"seat": 1}) == (409, "no-seat")
    second = ada.ok("POST", f"{match}/rematch")
    assert first["id"] == second["id"] == ada.look(match)["next"]
    assert (second["mine"], second["status"]) == ([1], "playing")
    assert second["commitment"] != ada.look(match)["commitment"]
    assert len(ada.ok("GET", "?status=mine")) == 2
    assert eve.refused("POST", f"{match}/rematch") == (403, "not-seated")


def test_a_rematch_that_was_deleted_can_be_had_again(house_on: House) -> None:
    ada, _, match = house_on.pair()
    ada.do(match, "resign")
    first = ada.ok("POST", f"{match}/rematch")["id"]
    assert ada.ask("DELETE", first).status_code == 204
    again = ada.ok("POST", f"{match}/rematch")["id"]
    assert again != first
    assert ada.look(match)["next"] == again


def test_who_leaves_before_all_are_there_frees_the_seat(house_on: House) -> None:
    ada, bo, cy = (house_on.person(name) for name in ("Ada", "Bo", "Cy"))
    match = ada.create("fire-and-water", "me", "open", "open", options={"players": 3})["id"]
    bo.ok("POST", f"{match}/join", {})
    assert bo.ask("DELETE", match).status_code == 204
    assert [seat["kind"] for seat in ada.look(match)["seats"]] == ["person", "open", "open"]
    assert bo.ok("GET", "?status=mine") == []
    for person in (cy, bo):
        assert person.ok("POST", f"{match}/join", {})["mine"] == [1 if person is cy else 2]


def test_delete(house_on: House) -> None:
    ada, bo, match = house_on.pair()
    assert ada.refused("DELETE", match) == (409, "in-progress")
    assert house_on.person("Eve").refused("DELETE", match) == (403, "not-seated")
    ada.do(match, "resign")
    assert ada.ask("DELETE", match).status_code == 204
    assert ada.ok("GET", "?status=mine") == []
    assert bo.look(match)["status"] == "over"  # he keeps it
    assert bo.ask("DELETE", match).status_code == 204
    assert bo.refused("GET", match) == (404, "no-match")
    alone = ada.create("ignite-and-flow", "me", "open")["id"]
    assert ada.ask("DELETE", alone).status_code == 204


def test_a_match_deleted_elsewhere_is_noticed(house_on: House) -> None:
    ada = house_on.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    from sqlalchemy import delete

    from empedocles.server.storage import schema

    house_on.client.portal.call(house_on.service.store.commit, (delete(schema.matches), {}))  # type: ignore[union-attr]
    assert ada.refused("POST", f"{match}/moves", {"number": 1, "move": "Fc3"}) == (404, "no-match")


def test_names(house: House) -> None:
    ada = house.person("  Ada\u00a0 \n Lovelace ")
    me = house.client.get("/api/players/me", headers=ada.headers).json()
    assert me["name"] == "Ada Lovelace"
    renamed = house.client.patch("/api/players/me", json={"name": "Countess"}, headers=ada.headers)
    assert renamed.json()["name"] == "Countess"
    for name in ("", "   ", "x" * 41, "\u200b"):
        assert house.client.patch("/api/players/me", json={"name": name}, headers=ada.headers).status_code == 422


def test_records_can_be_read_again(house: House) -> None:
    ada, bo, match = house.pair()
    ada.play(match, "Fc3")
    bo.play(match, "Wd4")
    record = house.client.get(f"/api/matches/{match}/record").text
    assert '[Seat 0 "Ada"]' in record
    read = house.client.post("/api/records", json={"record": record}).json()
    assert (read["game"], read["moves"]) == ("ignite-and-flow", ["Fc3", "Wd4"])
    for wrong in ("", "nonsense", record.replace("Wd4", "Wc3"), '[Game "chess"]\n\n1. e4\nend'):
        assert house.client.post("/api/records", json={"record": wrong}).status_code == 422


def test_pictures(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("elemental-defenders", "me", "here")["id"]
    assert house.client.get(f"/api/matches/{match}/picture.svg").text.startswith("<svg")
    for query in ("ply=99", "theme=neon", "language=fr", "ply=-1"):
        assert house.client.get(f"/api/matches/{match}/picture.svg?{query}").status_code == 422


def test_a_table_is_the_sum_of_its_log(house_on: House) -> None:
    """The table in memory equals the one that a new process would read from the database."""
    ada, bo, match = house_on.pair("fire-and-water", clock={"kind": "minutes", "base": 600})
    for _ in range(8):
        for person in (ada, bo):
            if person.look(match)["your_turn"]:
                person.play(match)
    ada.do(match, "draw")
    portal, service = house_on.client.portal, house_on.service
    assert portal is not None
    kept: tables.Table = portal.call(service.table, match)
    read: tables.Table = portal.call(service.store.load, match)
    assert read.log == kept.log
    assert (read.match.moves, read.offers, read.seats) == (kept.match.moves, kept.offers, kept.seats)
    assert (read.left, read.turned) == (kept.left, kept.turned)


def test_no_id_looks_like_an_option_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-abc", "-def", "ghi"])
    monkeypatch.setattr("empedocles.server.domain.openings.secrets.token_urlsafe", lambda _bytes: next(drawn))
    assert new_id() == "ghi"
