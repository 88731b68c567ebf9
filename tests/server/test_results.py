"""Scores and results as each reader sees them: their own side first, and nobody to move once a match is over."""

from __future__ import annotations

import random
from typing import Any

import pytest
from server.people import House, Person, next_kind

from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.match import Match, new
from empedocles.server.domain.events import PERSON, Seat
from empedocles.server.domain.openings import told_apart
from empedocles.server.domain.table import Ending, Table
from empedocles.server.web import views
from empedocles.server.web.pages.review import result

# Dawn attacks with the Warden of Fire, which Dusk cannot answer: the first round ends.
ROUND = (
    "elemental-defenders mode=basic dealt=MwWeWfWaPfKfKwNeNfNa round=1 hands=WeWfPfKwNeNfNa/MeMaPePwKeKaNw"
    " mediators=-/- led=- scores=0/0 to-move=0"
)
SEATINGS = [(game, seats) for game in GAMES.values() for seats in game.seats]
IDS = [f"{game.name}-{seats}" for game, seats in SEATINGS]


def _played(game: Game, seats: int, seed: int) -> Match:
    options: dict[str, Any] = {game.seating.name: seats} if game.seating else {}
    match, luck = new(game.name, seed=seed, **options), random.Random(seed)
    while not match.is_over:
        match.play(luck.choice(match.legal_moves))
    return match


@pytest.mark.parametrize(("game", "seats"), SEATINGS, ids=IDS)
def test_scores_come_with_ones_own_side_first_from_every_seat(game: Game, seats: int) -> None:
    match = next(match for seed in range(20) if len(set((match := _played(game, seats, seed)).result.scores)) > 1)  # type: ignore[union-attr]
    table = Table("a", match, b"", seats=[Seat(PERSON, f"P{k}", owner=f"p{k}") for k in range(seats)])
    assert match.result
    scores, sides = match.result.scores, table.sides()
    for seat in range(seats):
        order, told = views.order(table, f"p{seat}"), views.score(table, f"p{seat}")
        assert sides[order[0]] == sides[seat]
        assert sorted(sides[one] for one in order) == sorted(set(sides))
        assert views.state(table, f"p{seat}")["order"] == order
        if views.by_points(match.position):
            assert told.split("\u00a0:\u00a0") == [str(scores[one]) for one in order]
            assert f" · {told}" in result(table, "en", f"p{seat}")
        else:
            assert told == ""
    assert views.order(table) == sorted(views.order(table))  # watchers see the order of seats


def test_a_list_of_games_and_a_review_tell_the_score_from_the_readers_side(house: House) -> None:
    ada, bo, match = house.pair(start="ignite-and-flow board=DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDDD/TEEDD1 to-move=0")
    ada.play(match, "Ff1")
    ada.play(match, "-")  # no other temple
    for person, won, score in ((ada, "Won", "3\u00a0:\u00a00"), (bo, "Lost", "0\u00a0:\u00a03")):
        for path in ("/me", "/", f"/review/{match}"):
            page = house.client.get(path, headers=person.headers).text
            assert score in page, path
            assert won in page or "/review/" in path


@pytest.mark.parametrize(("game", "seats"), SEATINGS, ids=IDS)
def test_nobody_is_to_move_in_a_match_that_was_resigned(house: House, game: Game, seats: int) -> None:
    ada = house.person("Ada")
    options = {game.seating.name: seats} if game.seating else {}
    match = ada.create(game.name, "me", *["bot"] * (seats - 1), options=options)["id"]
    state = ada.ok("GET", match)
    ada.ok("POST", f"{match}/commands", {"number": state["number"], "command": "resign"})
    state = ada.ok("GET", match)
    assert (state["status"], state["to_move"], state["your_turn"]) == ("over", None, False)
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        frame = next_kind(socket, "state")["frame"]
    assert "plate-active" not in frame["panels"]
    position = house.service._tables[match].match.position
    assert frame["status"] == views.status(position, "en")[:-1]  # without what would be due
    assert "plate-active" not in house.client.get(f"/api/matches/{match}/picture.svg").text


def _states(person: Person, match: str, language: str, move: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a live reader hears before a move, and after it."""
    with person.live(match) as socket:
        socket.send_json({"kind": "hello", "language": language})
        before = next_kind(socket, "state")
        socket.send_json({"kind": "play", "number": before["state"]["number"], "move": move})
        after = next_kind(socket, "state")
        while not after["moves"]:
            after = next_kind(socket, "state")
    return before, after


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            "Dusk cannot answer the Warden of Fire: Dawn wins round 1. (10 − 6 left in hand) × virtue 10 = 40 points.",
        ),
        (
            "de",
            "Abend hat keine Antwort auf die Wächterin des Feuers: Morgen gewinnt Runde 1. "
            "(10 − 6 auf der Hand) × Tugend 10 = 40 Punkte.",
        ),
    ],
)
def test_the_end_of_a_round_is_told_with_the_table_as_it_was(house: House, language: str, words: str) -> None:
    ada = house.person("Ada")
    match = ada.create("elemental-defenders", "me", "here", start=ROUND)["id"]
    before, after = _states(ada, match, language, "Wf")
    assert before["milestones"] == []
    (end,) = after["milestones"]
    assert (end["ply"], end["words"], end["rule"]) == (1, words, "ED-13")
    assert end["frame"]["tally"]["totals"] == [40, 0]
    in_round_two = {piece[0]: piece[1:3] for piece in after["frame"]["pieces"]}
    as_it_was = {piece[0]: piece[1:3] for piece in end["frame"]["pieces"]}
    assert set(as_it_was) == set(in_round_two)  # the same cards, so that pages can move them
    assert as_it_was != in_round_two
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello", "language": language})
        assert next_kind(socket, "state")["milestones"][0]["frame"] == end["frame"]  # whoever comes back may need it
        ada.play(match)
        assert next_kind(socket, "state")["milestones"][0]["frame"] is None


def test_people_on_one_device_have_different_names(house: House) -> None:
    ada = house.person("Ada")
    made = ada.ok("POST", "", {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "here"}]})
    assert [seat["name"] for seat in made["seats"]] == ["Ada", "Ada 2"]
    alike = told_apart([Seat(PERSON, name) for name in ("Ada", "ada", "Ada 2", "x" * 40, "x" * 40, "", "")])
    shown = [seat.name for seat in alike]
    assert shown == ["Ada", "ada 2", "Ada 2 2", "x" * 40, "x" * 37 + " 2", "", ""]
    assert max(map(len, shown)) <= 40


def test_a_match_that_players_ended_has_no_score_by_the_rules() -> None:
    seats = [Seat(PERSON, "Ada", owner="a"), Seat(PERSON, "Bo", owner="b")]
    table = Table("a", new("ignite-and-flow"), b"", seats=seats, ending=Ending("resign", frozenset({1})))
    assert views.score(table, "a") == ""
    assert result(table, "en", "a") == "a win for Black by resignation"
