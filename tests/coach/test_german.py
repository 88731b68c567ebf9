"""What the coach says in German agrees with what is counted, and every idea fits into all sentences."""

from __future__ import annotations

import re

import pytest

from empedocles.coach import claims
from empedocles.coach.claims import _text
from empedocles.coach.measures import gone, other_number, what
from empedocles.game import Game, Idea
from empedocles.games import all_games
from empedocles.language import NOT_ONE, Message, Number, Term, alone, translate
from empedocles.position import Position

IDEAS = [(game, idea) for game in all_games().values() for idea in game.concepts]
MEASURED = [(game, idea) for game, idea in IDEAS if idea.measure]
DONE = [(game, idea) for game, idea in IDEAS if idea.deeds]
# The articles and numbers with which an accusative begins.
ACCUSATIVE = re.compile(r"(noch |insgesamt )*(k?eine?n?|zwei|das|den|die|Tugend|nichts|1|2)\b")


def ids(cases: list[tuple[Game, Idea]]) -> list[str]:
    return [f"{game.name} {idea.name}" for game, idea in cases]


@pytest.mark.parametrize(("game", "idea"), MEASURED, ids=ids(MEASURED))
def test_none_and_one_are_said_with_what_is_counted(game: Game, idea: Idea) -> None:
    """A bare none or one would need the gender of what is counted."""
    assert idea.words
    for n in range(3):
        said = idea.words(n).say("de")
        assert ACCUSATIVE.match(said), said
        for other in range(3):
            if other != n and n:
                text = _text(n, other, idea.worth > 0)
                assert "{other}" not in translate(text, "de") or other != 1


@pytest.mark.parametrize(("game", "idea"), MEASURED, ids=ids(MEASURED))
def test_none_by_itself_agrees_with_none_of_it(game: Game, idea: Idea) -> None:
    """After "zwei Tempel" comes "keinen", since it is "einen Tempel"."""
    assert idea.words
    none, (article, *_rest) = Message("{n}", {"n": other_number(idea, 0)}).say("de"), idea.words(1).say("de").split()
    assert none in {"einen": ("keinen",), "eine": ("keine",), "ein": ("keins",)}.get(article, (none, "nicht"))


@pytest.mark.parametrize(("game", "idea"), MEASURED, ids=ids(MEASURED))
def test_what_is_lost_is_had_no_more(game: Game, idea: Idea) -> None:
    assert idea.words
    lost = translate(idea.gone or idea.words(0).text, "de")
    assert re.match(r"keine?n? |nichts ", lost)
    assert "mehr" in re.split(r"[ ,]+", lost)


def test_what_is_lost_is_said_with_its_places_or_its_number() -> None:
    position = Position(
        "points-of-power players=2 board=cross fire=h4,j9,k9,j10,k10,h11,i11,j11,k11 air=h1,j1,k1,g2,j2,k2,j3,k3,j4 "
        "earth=a1,b1,c1,a2,b2,c2,a3,mp,d10 water=b8,d8,a10,b10,c10,a11,b11,c11 moved=FAEW quiet=12 to-move=1"
    )
    ideas = {idea.name: idea for idea in position.game.concepts}
    on_the_plane = ideas["loose"]._replace(places=lambda _s, _seat: ["mp"])
    said = what(on_the_plane, position, 0, 1).say("de")
    assert said == "eine Figur, die gefahrlos geschlagen werden kann (auf der materiellen Ebene)"
    lost = "keine Figur mehr, die gefahrlos geschlagen werden kann"
    assert gone(on_the_plane, position, 0, 1).say("de") == f"{lost} (vorher: auf der materiellen Ebene)"
    assert gone(on_the_plane._replace(places=None), position, 0, 4).say("de") == f"{lost} (vorher: vier)"
    assert gone(on_the_plane._replace(places=None), position, 0, 1).say("de") == lost


def test_masculine_words_are_in_the_accusative() -> None:
    words = {idea.name: idea.words for game, idea in IDEAS if game.name == "ignite-and-flow" and idea.words}
    said = [words["threatened-temple"](n).say("de") for n in range(3)]
    assert said == ["keinen Tempel neben Feuer", "einen Tempel neben Feuer", "zwei Tempel neben Feuer"]
    values = {
        "player": Term("White"),
        "when": claims.AFTER_THIS[0],
        "instead": claims.ELSE[0],
        "other": alone(NOT_ONE)(0),
    }
    compared = Message(claims.FEARS_NOT_SO, values | {"what": words["threatened-temple"](1)})
    assert compared.say("de") == "Danach hat Weiß einen Tempel neben Feuer, nach dem besseren Zug keinen."
    assert compared.say() == (
        "After this, White has to worry about one temple beside fire; after the better move, not one."
    )


@pytest.mark.parametrize(("game", "idea"), MEASURED, ids=ids(MEASURED))
def test_what_to_pay_attention_to_is_no_clause(game: Game, idea: Idea) -> None:
    """In German, a verb follows: "mehr auf … achten"."""
    assert "," not in translate(idea.title, "de")


@pytest.mark.parametrize(("game", "idea"), DONE, ids=ids(DONE))
def test_what_is_done_has_phrases_for_summaries(game: Game, idea: Idea) -> None:
    assert idea.do
    assert translate(idea.do, "de").endswith("n")
    if idea.did:
        assert "more" in idea.did.split()
        german = translate(idea.did, "de")
        assert "mehr" in german.split() or "öfter" in german.split()
        assert re.search(r"(t|en)$", german)


def test_small_numbers_are_written_out_and_points_are_not() -> None:
    text = "gain {n} squares of land"
    assert [Message(text, {"n": Number(n)}).say() for n in (2, 12, 13)] == [
        "gain two squares of land",
        "gain twelve squares of land",
        "gain 13 squares of land",
    ]
    assert Message(text, {"n": Number(12)}).say("de") == "zwölf Felder Land gewinnen"
    assert Message("{move} ({n} points)", {"move": "x", "n": 2}).say("de") == "x (2 Punkte)"
