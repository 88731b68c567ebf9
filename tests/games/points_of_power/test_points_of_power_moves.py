"""Points of Power for people: clicks, words, and what a position is said to be."""

from __future__ import annotations

import pytest

from empedocles import Position, new
from empedocles.games.points_of_power import GAME
from empedocles.play.partial import Partial
from empedocles.render.picture import Look

MIDDLE = (
    "points-of-power players=2 board=cross fire=i9,h8,mp,j6,k11 air=g9,i7,k1,h6 earth=a1,b2,e8,d7 water=d8,i8,e4,d6 "
    "moved=FAEW quiet=37 to-move={}"
)


@pytest.mark.parametrize(
    ("seat", "move", "words"),
    [
        (0, "i9-i10", "Fire steps from i9 to i10"),
        (0, "e8-f8", "Earth steps from e8 onto the point of power f8"),
        (0, "mp-f4", "Fire steps from the material plane onto the point of power f4"),
        (0, "mp-h5", "Fire steps from the material plane to h5"),
        (0, "h8xi7", "Fire captures Air on i7 from h8"),
        (1, "i8xh8", "Water captures Fire on h8 from i8"),
        (1, "d8xmp", "Water captures Fire on the material plane from d8"),
    ],
)
def test_words_name_the_element(seat: int, move: str, words: str) -> None:
    assert Position(MIDDLE.format(seat)).words(move).say() == words


def test_words_of_the_material_plane() -> None:
    position = Position(MIDDLE.format(0).replace("h8,mp", "h8,g8"))
    assert position.words("g8-mp").say() == "Fire steps from g8 onto the material plane"
    hunted = Position(MIDDLE.format(0).replace("i7,k1", "g8,k1"))
    assert hunted.words("mpxg8").say() == "Fire captures Air on g8 from the material plane"


def test_a_move_is_two_clicks() -> None:
    entry = Partial(Position(MIDDLE.format(1)))
    assert {"d8", "e4", "h6"} <= set(entry.targets)
    entry = entry.choose("d8")
    assert "mp" in entry.targets
    assert entry.choose("mp").move == "d8xmp"


def test_seats_are_elements() -> None:
    assert GAME.seat_name(2, 1).say() == "Air and Water"
    assert [GAME.seat_name(4, seat).say() for seat in range(4)] == ["Fire", "Air", "Earth", "Water"]


def status(position: Position) -> list[str]:
    assert GAME.interface
    return [line.say() for line in GAME.interface.status(position.state)]


def test_status() -> None:
    assert status(Position(MIDDLE.format(1))) == [
        "Fire: 5 left, 2 exposed",
        "Air: 4 left, 2 exposed",
        "Earth: 4 left, 2 exposed",
        "Water: 4 left, 3 exposed",
        "Points of power: Fire and Earth 1, Air and Water 2, free 5",
        "37 of 200 turns without a capture",
        "Air and Water to move",
    ]


def test_status_in_the_opening() -> None:
    match = new("points-of-power")
    assert status(match.position)[-1] == "Turn 1 of the opening: Fire or Earth moves"
    assert status(match.play("i9-h8", "c9-d8").position)[-1] == "Turn 3 of the opening: Earth moves"


def test_status_at_the_end() -> None:
    position = Position(MIDDLE.format(1).replace("i9,h8,mp,j6,k11", "mp")).play("d8xmp")
    assert status(position)[-2:] == ["Air and Water win", "the game is over: fire has no pieces left"]


WAITING = "players=4 stuck=passes fire=j5,k5,j4 air=k4 earth=a7,b7 water=h11,h10 to-move=1"


def test_a_pass_is_one_click() -> None:
    position = Position(f"points-of-power {WAITING}")
    entry = Partial(position)
    assert set(entry.targets) == {"pass"}
    assert entry.leads_to("pass").say() == "Air passes"
    assert entry.choose("pass").move == "pass"
    assert status(position)[-1] == "Air has no legal move and passes"
    assert "pass" in GAME.sheet(position.state, Look()).boxes
    assert "pass" not in GAME.sheet(new("points-of-power", players=4).position.state, Look()).boxes


@pytest.mark.parametrize(
    ("air", "players", "words"),
    [
        ("mp", 2, "Air has no pieces left: Air and Water lose. (PP-15)"),
        ("mp,f2,i1", 4, "Air has no exposed piece left: Air and Water lose. (PP-16)"),
        ("mp,g9", 2, ""),
    ],
)
def test_the_element_that_ends_a_match_is_named(air: str, players: int, words: str) -> None:
    position = Position(f"points-of-power players={players} fire=h8,h7 air={air} earth=d3,d4 water=a5,a6 to-move=0")
    assert GAME.interface
    assert GAME.interface.milestone
    end = GAME.interface.milestone(position.state, position.action("h8xmp"))
    assert position.play("h8xmp").is_over == bool(words)
    assert (f"{end.message.say()} ({end.rule})" if end else "") == words
