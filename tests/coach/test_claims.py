"""Whatever the coach claims is true: each claim is checked by playing its line."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from games.elemental_defenders import facts as elemental_defenders
from games.fire_and_water import facts as fire_and_water
from games.ignite_and_flow import facts as ignite_and_flow
from games.points_of_power import facts as points_of_power

from empedocles.agents import SearchAgent
from empedocles.coach.claims import DEPTH, explain
from empedocles.coach.lines import deeds
from empedocles.games import find
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit
from empedocles.testing.claims import check_explanation, mistakes
from empedocles.testing.concepts import check_concepts

FACTS = {
    "fire-and-water": fire_and_water.FACTS,
    "elemental-defenders": elemental_defenders.FACTS,
    "ignite-and-flow": ignite_and_flow.FACTS,
    "points-of-power": points_of_power.FACTS,
}


@pytest.mark.parametrize("name", FACTS)
def test_claims_are_true(name: str) -> None:
    for position, _remark, why in mistakes(find(name), 25):
        check_explanation(position, why, FACTS[name])


def test_examples_of_the_documentation_are_true() -> None:
    docs = Path(__file__).parents[2] / "docs"
    for mistake in tomllib.loads((docs / "reasons.toml").read_text(encoding="utf-8"))["mistake"]:
        position = Position(mistake["position"])
        found = (Evaluation(**one | {"line": tuple(one["line"])}) for one in (mistake["played"], mistake["better"]))
        check_explanation(position, explain(position, *found), FACTS[position.game.name])


@pytest.mark.long
@pytest.mark.parametrize("name", FACTS)
def test_explanations_are_true_and_helpful(name: str) -> None:
    """benchmarks/reasons.py does the same with more of them, on all cores."""
    concepts: Counter[str] = Counter()
    for position, _remark, why in mistakes(find(name), 500, seed=1):
        check_explanation(position, why, FACTS[name])
        concepts[why.claims[0].concept] += 1
    assert concepts[DEPTH] <= 0.1 * concepts.total()
    assert max(concepts.values()) <= 0.5 * concepts.total()


def test_what_positions_have_is_not_compared_with_the_end_of_a_match() -> None:
    """Nobody answers the Knight of Air, and the match is over: no more cards then keep the attack."""
    hands = "hands=MeMfMwWePePfPwNeNf/WfWwPaKeKfKaKwNaNw"
    facts = f"dealt=MaWfWwPaKeKfKaKwNaNw round=2 {hands} mediators=-/- led=- scores=9/0 to-move=1"
    position = Position(f"elemental-defenders mode=mediators {facts}")
    assert position.play("Ka").is_over
    why = explain(position, Evaluation("Ww", -1.0, -119, line=("Ww",)), Evaluation("Ka", -1.0, -3, line=("Ka",)))
    assert [claim.concept for claim in why.claims] == ["victories"]  # which moves do, and with nothing left to parry


def test_what_is_called_prevented_is_asked_of_the_second_referee() -> None:
    """Water on d8 leaves, so that it is not captured; another piece of Water could move instead, and it would be."""
    pieces = "fire=h4,j9,k9,j10,k10,h11,i11,j11,k11 air=h1,j1,k1,g2,j2,k2,j3,k3,j4 earth=a1,b1,c1,a2,b2,c2,a3,mp,d10"
    water = "water=b8,d8,a10,b10,c10,a11,b11,c11"
    position = Position(f"points-of-power players=2 board=cross {pieces} {water} moved=FAEW quiet=12 to-move=1")
    played, better = Evaluation("b8-b7", -0.7, line=("b8-b7", "mpxd8")), Evaluation("d8-c7", -0.6, line=("d8-c7",))
    why = explain(position, played, better)
    assert why.say().endswith("move Water from d8 to c7; that prevents it.")
    facts = points_of_power.FACTS
    check_explanation(position, why, facts)
    with pytest.raises(AssertionError, match="mpxd8 does it: capture Water on d8"):
        check_explanation(position, replace(why, better="b8-a8", claims=why.claims[:1]), facts)


def test_a_win_that_another_card_brings_as_well_is_not_prevented() -> None:
    """The Knight of Water answers the Knight of Air by its level; then the Neonate of Air wins the same round."""
    hands = "hands=MaKfKaNfNa/WeWwPfPwKwNw mediators=-/- led=Mw scores=60/0 to-move=1"
    position = Position(f"elemental-defenders mode=challenge dealt=MeWeWfWaWwPePfPwKwNw round=2 {hands}")
    better = Evaluation("Kw", -1.0, -137, line=("Kw", "Na", "Nw", "Ma"))
    why = explain(position, Evaluation("Pw", -1.0, -148, line=("Pw", "Ka")), better)
    assert why.claims[0].concept == "forced-wins"
    assert why.say().endswith("Better: answer with the Knight of Water; all in all, that saves 11 points.")
    check_explanation(position, why, elemental_defenders.FACTS)


def test_what_a_position_has_is_not_called_prevented() -> None:
    """Another move of the opponent would give them some of it after the better move, too."""
    board = "board=E1FEFF/DFFFDF/TEFEEF/EE1FFF/FDEDDF/FFWEEt taken=2/1 quiet=0 due=action to-move=1"
    position = Position(f"ignite-and-flow reactions=all scorch=touching {board}")
    better = Evaluation("Fd3>d4", -0.87, line=("Fd3>d4", "Ff2>f1"))
    why = explain(position, Evaluation("Wb6", -0.9, line=("Wb6", "Wc3")), better)
    assert why.claims[0].against
    assert why.advice.say() == "Better: burn from d3 to d4."


def test_what_positions_have_is_not_compared_with_another_round() -> None:
    """The Knight of Earth ends the round, and both have new hands."""
    cards = "dealt=MaMwWeWaPeKeKfKwNeNa round=1 hands=KeNe/PaNw mediators=Mw/Wf"
    position = Position(f"elemental-defenders mode=advanced {cards} led=- scores=0/0 to-move=0")
    assert "round=2" in position.play("Ke").text
    why = explain(position, Evaluation("Ke", 1.0, 30, line=("Ke",)), Evaluation("Ne", 1.0, 33, line=("Ne",)))
    assert not any(claim.against for claim in why.claims)


DEALT = "elemental-defenders mode=advanced answer=either dealt=MeMaWeWwPePfPaPwKeKa round=1"


def test_what_wards_off_nothing_is_no_reason() -> None:
    """The Priestess of Water keeps the attack from the Warden of Air; that of Earth has no answer, and wins."""
    position = Position(f"{DEALT} hands=PePw/WaNw mediators=Pa/Nf led=- scores=0/0 to-move=0")
    assert "kept-attacks" in [idea.name for idea, _deed in deeds(position, "Pw")]
    played, better = Evaluation("Pe", 1.0, 40, line=("Pe",)), Evaluation("Pw", 1.0, 44, line=("Pw",))
    assert "kept-attacks" not in [claim.concept for claim in explain(position, played, better).claims]


@pytest.mark.parametrize(
    ("played", "is_needed"),
    [("Pe", False), ("Pf", True)],  # the Warden of Fire answers the Priestess of Fire, and the other attacks
)
def test_what_is_warded_off_may_come_after_the_other_move(played: str, is_needed: bool) -> None:
    position = Position(f"{DEALT} hands=PePfPw/WaWfNw mediators=Pa/Nf led=- scores=0/0 to-move=0")
    ((idea, deed),) = [one for one in deeds(position, "Pw") if one[0].name == "kept-attacks"]
    other = position.play(played)
    assert idea.looms
    assert (
        idea.looms(position.state, deed, other.state) is is_needed is elemental_defenders.looms(position, deed, other)
    )


FOUNDING = "ignite-and-flow reactions=literal board=2W3/4FW/2E2T/3FW1/FT3E/1E4 taken=0/0 quiet=0 due=temple to-move=0"
TAKING = (
    "fire-and-water players=2 board=medallion elementals=c7,f7,g5 markers=F1c3W1b3,F1g1W3g2,F2g7W1g8,F2e4W2d4,F3d2W2d1,"
    "F3h6W3h7,F4a3W2a4,F4c1W3c2,F4b8W4b7/F1e6W1e5,F1d6W2d7,F1a5W4b5,F2a7W1a8,F2b2W2a2,F2c4W3c5,F2f6W4g6,F3e3W1e2,"
    "F3f2W2f3,F3d8W3c8,F3b6W4a6,F4h2W1h3,F4a1W4b1 hands=F1W4,F3W1,F3W4/F1W3,F4W2,F4W3 leaders=e8/f1 "
    "tokens=a8,c1,c8,d3,h8/b7 last=- to-move=1"
)


@pytest.mark.parametrize(
    ("text", "played", "better", "concept", "says"),
    [
        (FOUNDING, "Tf2", "-", "unowned-earth", False),  # a temple uses up the earth that it stands on
        (FOUNDING, "Tb1", "-", "unowned-earth", True),  # but the last one that is left could have stood elsewhere
        (TAKING, "F4h5W3h4", "Pa6", "tokens", False),  # whoever takes a square has a token there
        (TAKING, "Pa6", "Pa7", "ready", False),  # each uses up the square it takes
        (TAKING, "Pa6", "F4h5W3h4", "ready", True),  # 14 instead of eleven: more than the one that is used up
    ],
)
def test_what_a_move_itself_uses_up_or_puts_down_is_no_reason(
    text: str, played: str, better: str, concept: str, says: bool
) -> None:
    position = Position(text)
    why = explain(position, *(Evaluation(move, value, line=(move,)) for move, value in ((played, -0.5), (better, 0.5))))
    assert (concept in [claim.concept for claim in why.claims]) == says
    check_explanation(position, why, FACTS[position.game.name])


def test_what_the_first_move_puts_down_is_no_reason_later() -> None:
    """Red takes a square in both lines, and Green only with the better move: of course it then has a token more."""
    position = Position(TAKING)
    played = Evaluation("F4h5W3h4", -0.5, line=("F4h5W3h4", "Pg6"))
    why = explain(position, played, Evaluation("Pa6", 0.5, line=("Pa6", "Pg6")))
    assert "tokens" not in [claim.concept for claim in why.claims]


def test_a_game_without_concepts_gets_reasons_of_depth() -> None:
    game = replace(find("ignite-and-flow"), concepts=())
    position = Position.of(game, game.start({}))
    first, second = position.legal_moves[:2]
    why = explain(position, Evaluation(first, -0.5, line=(first,)), Evaluation(second, 0.5, line=(second,)))
    assert why.is_deep
    assert why.say().startswith("Only looking far ahead shows it: the chances of White fall from about 95")


def test_an_agent_that_explains_gives_reasons() -> None:
    position = Match(Position.start("ignite-and-flow")).play("Ec3").play("Tc3").play("Fc4").position
    found = SearchAgent(explains=True).analyse(position, Limit(simulations=500))
    assert not found[0].reasons
    claim, advice = found[-1].reasons
    assert claim.say().endswith(".")
    assert advice.say().startswith("Better: ")
    assert not any(one.reasons for one in SearchAgent().analyse(position, Limit(simulations=100)))


@pytest.mark.parametrize("name", FACTS)
def test_concepts_are_what_the_coach_expects(name: str) -> None:
    check_concepts(find(name))
