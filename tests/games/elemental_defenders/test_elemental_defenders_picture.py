"""The table of Elemental Defenders as a picture, and its cards on paper."""

from __future__ import annotations

import re
from html import unescape
from importlib.resources import files
from itertools import pairwise

import pytest
from PIL import ImageFont

import empedocles
from empedocles import Match, Position
from empedocles.games.elemental_defenders import GAME
from empedocles.games.elemental_defenders.cards import HEIGHT, WIDTH
from empedocles.games.elemental_defenders.lookups import NAMES
from empedocles.games.elemental_defenders.overlays import WINS
from empedocles.games.elemental_defenders.places import RAISED, places
from empedocles.language import LANGUAGES
from empedocles.render.picture import Box, Look, Sheet

DEAL = "+Pw +Ke +Ma +Kw +Kf +Wf +Nw +We +Wa +Pf"
MIDDLE = "mPw m- Ke Ne Ma! Mf Ww Kw Nf"


def played(moves: str, mode: str = "advanced", answer: str = "element") -> Match:
    return empedocles.new("elemental-defenders", mode=mode, answer=answer, chance="manual").play(*moves.split())


def drawn(match: Match, **looks: object) -> Sheet:
    return GAME.sheet(match.position.state, Look(**looks))  # type: ignore[arg-type]


def where(sheet: Sheet) -> dict[str, str]:
    return {piece.kind.removeprefix("card-"): piece.place for piece in sheet.pieces}


def test_every_card_lies_somewhere() -> None:
    found = where(drawn(played(f"{DEAL} {MIDDLE}")))
    assert set(found) == set(NAMES)
    assert {card for card, place in found.items() if place == "overview"} == {"Ke", "Ne", "Ma", "Mf", "Ww", "Kw"}
    assert (found["Nf"], found["Pw"], found["We"]) == ("led", "mediator", "hand")


def test_undealt_cards_lie_on_the_table() -> None:
    found = where(drawn(played("+Pw +Ke")))
    assert {card for card, place in found.items() if place == "hand"} == {"Pw", "Ke"}
    assert list(found.values()).count("overview") == 18


def test_a_card_keeps_its_id_from_hand_to_table() -> None:
    match = played(f"{DEAL} m- Ke Ne")
    for ply in range(10, 14):
        assert match.draw(ply).markup.count('id="card-Ke-0"') == 1


@pytest.mark.parametrize("wide", [True, False])
def test_an_attack_and_its_answer_lie_together_until_the_next_attack(wide: bool) -> None:
    match, layout = played(f"{DEAL} m- Ke Ne Nw"), places(wide)
    attacked, answered, again = (
        GAME.sheet(match.at(ply).state, match.marked(ply, Look(wide=wide))) for ply in (12, 13, 14)
    )
    assert attacked.boxes["Ke"] == layout.led
    assert (answered.boxes["Ke"], answered.boxes["Ne"]) == layout.exchange
    assert not overlap(*layout.exchange), "both are read, also while the answer is only a choice"
    assert layout.exchange[0] == layout.led
    assert again.boxes["Ne"] == layout.overview[NAMES.index("Ne")]
    alone = GAME.sheet(match.at(13).state, Look(wide=wide))
    assert alone.boxes["Ne"] == again.boxes["Ne"], "a position alone does not know what was played last"


def test_hands_are_sorted_by_element_then_level() -> None:
    boxes = drawn(played(DEAL)).boxes
    hand = ["We", "Ke", "Wf", "Pf", "Kf", "Ma", "Wa", "Pw", "Kw", "Nw"]
    assert all(boxes[one].x < boxes[two].x for one, two in pairwise(hand))


def test_cards_that_answer_stand_out() -> None:
    before, after = (drawn(played(f"{DEAL} {moves}", mode="basic")).boxes for moves in ("", "Ke"))
    raised = [card for card in NAMES if after[card].y == before[card].y + RAISED]
    assert sorted(raised) == ["Me", "Ne", "Pe"]


@pytest.mark.parametrize("wide", [True, False])
def test_nothing_lies_on_anything_else(wide: bool) -> None:
    sheet = drawn(played(f"{DEAL} {MIDDLE}"), wide=wide)
    boxes = list(sheet.boxes.values())
    assert not [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if overlap(a, b)]
    width, height = places(wide).layout[:2]
    assert all(min(b.x, b.y) >= 0 and b.x + b.width <= width and b.y + b.height <= height for b in boxes)


def overlap(a: Box, b: Box) -> bool:
    across = a.x < b.x + b.width and b.x < a.x + a.width
    return across and a.y < b.y + b.height and b.y < a.y + a.height


def test_what_is_due_is_said() -> None:
    picture = played(f"{DEAL} m- Ma!").draw(names={0: "Anna"})
    for words in (
        "Dusk must answer with another Mystic",
        "exchange 1 of at most 10",
        "challenge!",
        "Anna",
        "round 1: –",
    ):
        assert words in picture.markup


@pytest.mark.parametrize(
    ("mode", "shown"),
    [
        ("basic", set()),
        ("mediators", {"no mediator", "mediator"}),
        ("challenge", {"challenge"}),
        ("advanced", {"no mediator", "mediator", "challenge"}),
    ],
)
def test_a_mode_has_only_its_own_buttons_and_places(mode: str, shown: set[str]) -> None:
    markup = played(DEAL, mode).draw().markup
    words = {"no mediator", "mediator", "challenge"}
    assert {word for word in words if f">{word}<" in markup} == shown


@pytest.mark.parametrize("wide", [True, False])
def test_with_answer_either_both_ways_are_shown(wide: bool) -> None:
    markup = played(f"{DEAL} m- Wf", answer="either").draw(wide=wide).markup
    assert "Dusk must answer with Fire or another Warden" in markup
    assert {">Fire<", ">Warden<"} <= set(re.findall(r">\w+<", markup))
    assert "Dusk must answer with Fire<" in played(f"{DEAL} m- Wf").draw(wide=wide).markup


def test_rounds_are_told_apart_at_the_end() -> None:
    dealt = "dealt=MaWeWfWaPfPwKeKfKwNw round=2 mediators=-/Pw hands=Ka/Wf scores=70/0 to-move=1"
    markup = Position(f"elemental-defenders {dealt}").play("Wf").draw().markup
    assert ">round 1: 70<" in markup
    assert ">round 2: 220<" in markup


def test_overlay_counts_the_answers_and_stars_what_wins() -> None:
    def notes(moves: str) -> str:
        return "".join(drawn(played(f"{DEAL} {moves}"), overlays=["answers"]).notes)

    attack = notes(MIDDLE + " Kf")
    assert WINS in attack
    assert ">1<" in attack
    assert ">!3<" in notes("m-"), "three Mystics could answer a challenge"
    assert notes("") == notes(MIDDLE) == ""  # a mediator is due, an answer is due


@pytest.mark.parametrize("wide", [True, False])
def test_small_cards_say_their_virtue_instead_of_a_code(wide: bool) -> None:
    written = set(re.findall(r">([^<>]+)</text>", str(empedocles.new("elemental-defenders", seed=1).draw(wide=wide))))
    assert {"11", "10", "4", "3", "7"} <= written
    assert not written & set(NAMES)


def test_glyphs_of_played_cards_have_no_ground() -> None:
    assert GAME.drawing
    glyphs = GAME.drawing.glyphs(played(f"{DEAL} m- Ke Ne").position.state)
    assert (glyphs["Ke"].ground, glyphs["We"].ground, glyphs["We"].text) == ("void", "earth", "We")


@pytest.mark.parametrize("mode", ["basic", "advanced"])
def test_twenty_cards_and_aids_to_print(mode: str) -> None:
    assert GAME.printing
    components = GAME.printing.components({"mode": mode, "answer": "element"}, "de")
    assert {(c.width, c.height) for c in components} == {(63, 88)}
    cards = [c for c in components if c.name == "card"]
    assert sum(c.number for c in cards) == len({c.markup for c in cards}) == 20
    assert sum(">Wächterin<" in c.markup for c in cards) == 4


@pytest.mark.parametrize(
    ("mode", "headings"),
    [
        ("basic", set()),
        ("mediators", {"Mediators"}),
        ("challenge", {"Challenge"}),
        ("advanced", {"Mediators", "Challenge"}),
    ],
)
@pytest.mark.parametrize(
    ("answer", "second"), [("element", ">2. Else with the same level"), ("either", ">2. Or with the")]
)
def test_an_aid_has_the_rules_that_are_played(mode: str, headings: set[str], answer: str, second: str) -> None:
    assert GAME.printing
    aid = GAME.printing.components({"mode": mode, "answer": answer}, "en")[-1].markup
    assert {heading for heading in ("Mediators", "Challenge") if f">{heading}<" in aid} == headings
    assert second in aid


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("answer", ["element", "either"])
def test_the_longest_aid_has_room_on_its_card(language: str, answer: str) -> None:
    assert GAME.printing
    aid = GAME.printing.components({"mode": "advanced", "answer": answer}, language)[-1].markup
    assert max(float(y) for y in re.findall(r"translate\(11 ([\d.]+)\)", aid)) < HEIGHT - 9
    regular = ImageFont.truetype(str(files("empedocles.render.fonts") / "regular.ttf"), 100)
    lines = re.findall(r'scale\(0\.35\)"?><text class="words"[^>]*>([^<]+)<', aid)
    assert len(lines) > 15
    assert (
        max(regular.getlength(unescape(line)) for line in lines) / 100 * 14 * 0.35 < WIDTH - 11 - 8
    )  # it begins at 11; the frame is at 5
