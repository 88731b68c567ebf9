"""Why moves of Elemental Defenders are refused: the rule, and what is wrong here."""

from __future__ import annotations

import random

import pytest

from empedocles import IllegalMove, Position
from empedocles.games.elemental_defenders import GAME
from empedocles.games.elemental_defenders.lookups import CARD, CHALLENGE, DEAL, MEDIATOR

MINE = "MaWeWfWaPfPwKeKfKwNw"
START = f"elemental-defenders dealt={MINE}"
BASIC, MEDIATORS, CHALLENGES = (
    f"elemental-defenders mode={mode} dealt={MINE}" for mode in ("basic", "mediators", "challenge")
)
EITHER = f"{START} answer=either"

REFUSALS = [
    ("ED-4", "elemental-defenders dealt=MaWe to-move=chance", "+We", "Warden of Earth is dealt already"),
    ("ED-4", "elemental-defenders dealt=MaWe to-move=chance", "Ma", "the cards are still being dealt"),
    ("ED-4", "elemental-defenders dealt=MaWe to-move=chance", "m-", "the cards are still being dealt"),
    ("ED-4", f"{START} to-move=0", "+Me", "all cards are dealt"),
    ("ED-8", f"{START} mediators=-/- hands=WfKe/NaMe to-move=0", "Na", "Neonate of Air is a card of Dusk"),
    ("ED-8", f"{START} mediators=-/- hands=WfKe/NaMe to-move=0", "Kf", "Knight of Fire has been played already"),
    ("ED-8", f"{START} mediators=-/- hands=WfKe/NaMe to-move=0", "Ma!", "Mystic of Air has been played already"),
    (
        "ED-9",
        f"{START} mediators=-/- hands=KeNw/MfWwNa led=Wf to-move=1",
        "Ww",
        "Warden of Water does not answer Warden of Fire: Dusk holds Fire and must play it",
    ),
    ("ED-9", f"{START} mediators=-/- hands=KeNw/MfWwNa led=Wf to-move=1", "Ke", "Knight of Earth is a card of Dawn"),
    (
        "ED-9",
        f"{START} mediators=-/- hands=KeNw/MfWwNa led=Wf to-move=1",
        "Nf",
        "Neonate of Fire has been played already",
    ),
    (
        "ED-10",
        f"{START} mediators=-/- hands=KeNw/MeWwNa led=Wf to-move=1",
        "Na",
        "Neonate of Air does not answer Warden of Fire: without Fire, Dusk must play a Warden",
    ),
    (
        "ED-10",
        f"{START} mediators=-/- hands=KeNw/MeWwNe led=Ma to-move=1",
        "Ww",
        "Warden of Water does not answer Mystic of Air: without Air, Dusk must play a Mystic",
    ),
    (
        "ED-11",
        f"{START} round=2 mediators=-/- hands=MeMwNa/KeNw led=Wf scores=0/80 to-move=none",
        "Ke",
        "the match is over: Warden of Fire has won the second round",
    ),
    (
        "ED-12",
        f"{START} round=2 mediators=-/- hands=-/- to-move=none",
        "+Me",
        "the match is over: in the second round all cards are played and nobody has won",
    ),
    ("ED-14", f"{START} to-move=0", "Ke", "Dawn first chooses a mediator or declines with 'm-'"),
    ("ED-14", f"{START} to-move=0", "Ma!", "Dawn first chooses a mediator or declines with 'm-'"),
    ("ED-14", f"{START} to-move=0", "mMe", "Mystic of Earth is not in the hand of Dawn"),
    (
        "ED-14",
        f"{START} mediators=-/- to-move=0",
        "m-",
        "mediators are chosen before the first attack, and this choice has been made",
    ),
    (
        "ED-14",
        f"{START} mediators=-/- hands=WfKe/NaMe to-move=1",
        "mNa",
        "Dawn declined to set a mediator aside, so Dusk had no such choice",
    ),
    ("ED-14", f"{BASIC} to-move=0", "mPw", "mediators are not part of this game: its mode is basic"),
    ("ED-14", f"{CHALLENGES} to-move=0", "mPw", "mediators are not part of this game: its mode is challenge"),
    (
        "ED-15",
        f"{START} mediators=Pw/- hands=WfKe/NaMeMf to-move=1",
        "m-",
        "mediators are chosen before the first attack, and this choice has been made",
    ),
    ("ED-15", f"{START} mediators=Pw/? to-move=1", "Ka", "Dusk first chooses a mediator or declines with 'm-'"),
    (
        "ED-15",
        f"{START} mediators=Pw/? to-move=1",
        "mMw",
        "Mystic of Water has the element of the other mediator, Priestess of Water",
    ),
    (
        "ED-15",
        f"{START} mediators=Pw/? to-move=1",
        "mPa",
        "Priestess of Air has the level of the other mediator, Priestess of Water",
    ),
    ("ED-15", f"{START} mediators=Pw/? to-move=1", "mKe", "Knight of Earth is not in the hand of Dusk"),
    (
        "ED-16",
        f"{START} mediators=Pw/- to-move=0",
        "Pw",
        "Priestess of Water is a mediator and takes no further part in the round",
    ),
    (
        "ED-16",
        f"{START} mediators=Pw/Ka hands=KeNw/MfWwNa led=Wf to-move=1",
        "Ka",
        "Knight of Air is a mediator and takes no further part in the round",
    ),
    (
        "ED-18",
        f"{START} mediators=Pw/- hands=Wf/Na to-move=0",
        "Kf",
        "in the tenth exchange Dawn plays Warden of Fire again",
    ),
    (
        "ED-18",
        f"{START} mediators=Pw/- hands=Wf/- led=Nf to-move=0",
        "Kf",
        "in the tenth exchange Dawn plays Warden of Fire again",
    ),
    (
        "ED-21",
        f"{START} mediators=-/- hands=KeNw/MfPaNa led=Ma! to-move=1",
        "Pa",
        "Priestess of Air does not answer the challenge Mystic of Air: Dusk holds a Mystic and must play it",
    ),
    (
        "ED-21",
        f"{START} mediators=-/- hands=KeNw/MfPaNa led=Ma! to-move=1",
        "Ne",
        "Neonate of Earth has been played already",
    ),
    (
        "ED-21",
        f"{START} mediators=-/- hands=KeNw/MfPaNa led=Ma! to-move=1",
        "Mf!",
        "a challenge goes with an attack, and Mystic of Air waits for an answer",
    ),
    ("ED-21", f"{BASIC} to-move=0", "Ma!", "challenges are not part of this game: its mode is basic"),
    ("ED-21", f"{BASIC} led=Ma to-move=1", "Mf!", "challenges are not part of this game: its mode is basic"),
    (
        "ED-21",
        f"{MEDIATORS} mediators=-/- to-move=0",
        "Ma!",
        "challenges are not part of this game: its mode is mediators",
    ),
    (
        "ED-9",
        f"{EITHER} mediators=-/- hands=KeNw/MfWwNa led=Wf to-move=1",
        "Na",
        "Neonate of Air does not answer Warden of Fire: Dusk must play Fire or a Warden (answer=either)",
    ),
    (
        "ED-9",
        f"{EITHER} mediators=-/- hands=KeNw/WwNaNe led=Wf to-move=1",
        "Nf",
        "Neonate of Fire has been played already",
    ),
    (
        "ED-21",
        f"{EITHER} mediators=-/- hands=KeNw/MfPaNa led=Ma! to-move=1",
        "Pa",
        "Priestess of Air does not answer the challenge Mystic of Air: Dusk holds a Mystic and must play it",
    ),
    (
        "ED-9",
        f"{EITHER} mediators=-/- hands=KeNw/WwPaNa led=Ma! to-move=1",
        "Ww",
        "Warden of Water does not answer Mystic of Air: Dusk must play Air or a Mystic (answer=either)",
    ),
    (
        "ED-19",
        f"{START} round=2 mediators=-/Pw hands=Ka/- led=Wf scores=0/220 to-move=none",
        "Ka",
        "the match is over: Warden of Fire has won the second round, a righteous victory",
    ),
]


@pytest.mark.parametrize(("rule", "text", "move", "words"), REFUSALS)
def test_the_rule_and_the_words_of_a_refusal(rule: str, text: str, move: str, words: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        Position(text).play(move)
    assert refused.value.rule == rule
    assert refused.value.reason == words


def test_every_rule_that_can_refuse_a_move_does() -> None:
    ids = "ED-4 ED-8 ED-9 ED-10 ED-11 ED-12 ED-14 ED-15 ED-16 ED-18 ED-19 ED-21"
    assert {rule for rule, *_ in REFUSALS} == set(ids.split())


def test_a_challenge_that_no_mystic_can_answer_is_refused_as_any_attack() -> None:
    challenged = Position(f"{START} mediators=-/- hands=KeNw/WwPaNa led=Ma! to-move=1")
    reason = challenged.reason("Ww")
    assert reason is not None
    assert reason.rule == "ED-9"


def random_positions(number: int) -> list[Position]:
    rng = random.Random(5)
    found: list[Position] = []
    while len(found) < number:
        options = {option.name: rng.choice(option.values) for option in GAME.options}
        position = Position.start(GAME, options)
        while not position.is_over:
            position = position.play(rng.choice(position.legal_moves))
            if rng.random() < 0.3:
                found.append(position)
    return rng.sample(found, number)


def test_a_move_is_refused_exactly_if_it_is_not_legal() -> None:
    rng = random.Random(9)
    kinds = [range(DEAL, MEDIATOR), range(MEDIATOR, CARD), range(CARD, CHALLENGE), range(CHALLENGE, GAME.n_actions)]
    for position in random_positions(150):
        sample = {action for kind in kinds for action in rng.sample(kind, min(len(kind), 18))}
        for action in sample | set(position.legal_actions):
            reason = position.reason(action)
            assert (reason is None) == (action in position.legal_actions), (position, GAME.moves[action])
            assert reason is None or "{" not in reason.say()
