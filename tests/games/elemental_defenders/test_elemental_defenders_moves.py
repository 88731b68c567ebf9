"""Moves of Elemental Defenders as clicks and words."""

from __future__ import annotations

import pytest

import empedocles
from empedocles import Match, Position
from empedocles.games.elemental_defenders import GAME
from empedocles.games.elemental_defenders.moves import status
from empedocles.play.partial import CONFIRM, Partial

ROUND = "elemental-defenders mode=advanced dealt=PwKeMaKwKfWfNwWeWaPf round=1"
DEAL = "+Pw +Ke +Ma +Kw +Kf +Wf +Nw +We +Wa +Pf"


def played(moves: str = "", mode: str = "advanced", answer: str = "element") -> Match:
    match = empedocles.new("elemental-defenders", mode=mode, answer=answer, chance="manual")
    return match.play(*f"{DEAL} {moves}".split())


def said(match: Match, move: str) -> str:
    return match.position.words(move).say()


@pytest.mark.parametrize(
    ("before", "move", "words"),
    [
        ("", "mPw", "Dawn sets the Priestess of Water aside as mediator"),
        ("", "m-", "Dawn sets no mediator aside"),
        ("m-", "Ma", "Dawn attacks with the Mystic of Air"),
        ("m-", "Ma!", "Dawn attacks with the Mystic of Air and challenges"),
        ("m- Ke", "Ne", "Dusk answers with the Neonate of Earth"),
    ],
)
def test_words(before: str, move: str, words: str) -> None:
    assert said(played(before), move) == words


@pytest.mark.parametrize(
    ("hands", "move", "words"),
    [
        ("MaKe/MfNf", "Ke", "Dawn attacks with the Knight of Earth, gets no answer, and wins round 1: 27 points"),
        ("MaKe/NeNf", "Ma!", "Dawn challenges with the Mystic of Air, gets no answer, and wins round 1: 99 points"),
    ],
)
def test_words_of_a_move_that_wins_a_round(hands: str, move: str, words: str) -> None:
    position = Position(f"{ROUND} hands={hands} mediators=-/- led=- scores=0/0 to-move=0")
    assert position.words(move).say() == words
    assert status(position.play(move).state)[2].say().startswith("Dawn has won round 1: ")


def test_words_of_a_round_without_a_winner() -> None:
    position = Position(f"{ROUND} hands=-/Mf mediators=-/- led=Ma scores=0/0 to-move=1")
    assert position.words("Mf").say() == "Dusk answers with the Mystic of Fire, the last card: nobody wins round 1"
    assert status(position.play("Mf").state)[2].say() == "Nobody has won round 1. Round 2 of 2"


def test_words_of_the_deal() -> None:
    start = empedocles.new("elemental-defenders", chance="manual")
    assert said(start, "+Mw") == "The Mystic of Water is dealt to Dawn"


def test_a_mystic_attacks_after_confirming_and_challenges_by_another_click() -> None:
    mystic = Partial(played("m-").position).choose("Ma")
    assert mystic.targets == ["challenge", CONFIRM]
    assert mystic.choose("challenge").move == "Ma!"
    assert mystic.choose(CONFIRM).move == "Ma"
    assert Partial(played(mode="challenge").position).choose("Ma").targets == ["challenge", CONFIRM]
    for mode, before in (("basic", ""), ("mediators", "m-")):
        assert Partial(played(before, mode).position).choose("Ma").move == "Ma"


def test_a_mediator_is_a_card_or_a_button() -> None:
    choice = Partial(played().position)
    assert choice.choose("no-mediator").move == "m-"
    assert choice.choose("Pw").move == "mPw"
    assert GAME.target("Pw").say() == "Priestess of Water"


@pytest.mark.parametrize(
    ("moves", "due"),
    [
        ("", "Dawn may set a mediator aside"),
        ("mPw", "Dusk may set a mediator aside that is no Priestess and not of Water"),
        ("m-", "Dawn is to attack"),
        ("m- Ke", "Dusk must answer the Knight of Earth with Earth"),
        ("m- Ma!", "Dusk must answer the challenge of the Mystic of Air with another Mystic"),
        ("m- Ke Ne Kf Nf Wf Mf Na Wa Pf", "Dusk must answer the Priestess of Fire with another Priestess"),
    ],
)
def test_what_is_due(moves: str, due: str) -> None:
    assert status(played(moves).position.state)[-1].say() == due


@pytest.mark.parametrize(
    ("moves", "due"),
    [
        ("m- Wf", "Dusk must answer the Warden of Fire with Fire or another Warden"),
        ("m- Ma!", "Dusk must answer the challenge of the Mystic of Air with another Mystic"),
        ("m- Kw", "Dusk must answer the Knight of Water with Water or another Knight"),
        ("m- Kw Ka Nf Kf Ke Ne We", "Dusk must answer the Warden of Earth with Earth or another Warden"),
        ("m- Wf Mf Na Wa Pf Nf Kf", "Dusk must answer the Knight of Fire with another Knight"),
    ],
)
def test_what_is_due_with_answer_either(moves: str, due: str) -> None:
    assert status(played(moves, answer="either").position.state)[-1].say() == due


def test_without_mediators_none_is_missing() -> None:
    for mode in ("basic", "challenge"):
        assert status(played(mode=mode).position.state)[0].say() == "Dawn: 0 points, 10 cards in hand"


def test_status_tells_seats_and_exchange() -> None:
    seats = [line.say() for line in status(played("mPw m- Ke Ne").position.state)][:3]
    assert seats == [
        "Dawn: 0 points, 8 cards in hand, mediator: Priestess of Water",
        "Dusk: 0 points, 9 cards in hand, no mediator",
        "Round 1 of 2, exchange 2 of at most 10",
    ]


def test_status_tells_the_end() -> None:
    end = empedocles.Position(
        "elemental-defenders dealt=MaWeWfWaPfPwKeKfKwNw round=2 mediators=-/Pw hands=Ka/Wf scores=70/0 to-move=1"
    ).play("Wf")
    assert status(end.state)[-1].say() == "Dusk wins the match by 220 to 70"
