"""What asks for the next choice while a move is entered. Each game's contract includes that every step is asked for."""

from __future__ import annotations

import dataclasses

import pytest

import empedocles
from empedocles.games import find
from empedocles.play.partial import Partial
from empedocles.position import Position

REACTING = "ignite-and-flow board=6/3F2/2W3/2F3/6/6 to-move=0"  # fire on c3 and d5, water on c4
FIRES = "ignite-and-flow board=6/6/6/1FF3/1FF3/6 to-move=0"
FREE = "ignite-and-flow flow=free board=6/6/6/2W3/6/6 to-move=0"
TEMPLE = empedocles.new("ignite-and-flow").play("Ea1").position.text
HUNT = (
    "points-of-power players=2 board=cross fire=i9,h8,mp air=g9,k1 earth=a1,b2,e8 water=d8,e4 "
    "moved=FAEW quiet=37 to-move=0"
)
DEAL = "dealt=MeMfWaWwPwKeNeNfNaNw round=1 hands=MeMfWaWwPwKeNeNfNaNw/MaMwWeWfPePfPaKfKaKw"
ROUND = f"elemental-defenders mode=advanced {DEAL} mediators=?/? led=- scores=0/0 to-move=0"
ATTACK = f"elemental-defenders mode=challenge {DEAL} mediators=-/- led=- scores=0/0 to-move=0"


def after(start: str, *moves: str) -> str:
    position = Position(start)
    for move in moves:
        position = position.play(move)
    return position.text


def elementals() -> str:
    return empedocles.new("fire-and-water", seed=1).position.text


def markers() -> str:
    """Red has F2W3, F3W4, F4W3 and its leader."""
    match = empedocles.new("fire-and-water", seed=1)
    while not match.legal_moves[0].startswith("F"):
        match.play(match.legal_moves[0])
    return match.position.text


STUCK = (  # all of Red's markers lie on the board, and no square is surrounded
    "fire-and-water players=2 board=chessboard elementals=d3,d6,f4 markers=F1a1W1a2,F1a3W2a4,F1a5W3a6,F1a7W4a8,"
    "F2c1W1c2,F2c3W2c4,F2c5W3c6,F2c7W4c8,F3e1W1e2,F3e3W2e4,F3e5W3e6,F3e7W4e8,F4g1W1g2,F4g3W2g4,F4g5W3g6,F4g7W4g8/- "
    "hands=-/F1W1,F1W2,F1W3 leaders=h5/- tokens=-/- last=- to-move=0"
)
HEMMED_IN = "points-of-power players=4 stuck=passes fire=j5,k5,j4 air=k4 earth=a7,b7 water=h11,h10 to-move=1"

SENTENCES = [
    (STUCK, "", "You can only pass: choose “pass”", "Du kannst nur passen: Wähle „passen“"),
    (HEMMED_IN, "", "You have no legal move: choose “pass”", "Du kannst nicht ziehen: Wähle „passen“"),
    (
        "ignite-and-flow",
        "",
        "Choose fire, water or earth, then any square: one in the middle has the most neighbours",
        "Wähle Feuer, Wasser oder Erde, dann ein beliebiges Feld: In der Mitte hat es die meisten Nachbarn",
    ),
    (
        REACTING,
        "",
        "Choose an element from the supply to place it, or fire or water on the board to use it",
        "Wähle ein Element aus dem Vorrat, um es zu legen, oder Feuer oder Wasser auf dem Brett, um es zu nutzen",
    ),
    (REACTING, "F", "Now choose an empty square for fire", "Wähle jetzt ein leeres Feld für Feuer"),
    (
        REACTING,
        "c3",
        "Choose where the fire on c3 burns to, or what it reacts with",
        "Wähle, wohin das Feuer auf c3 übergreift oder womit es reagiert",
    ),
    (
        REACTING,
        "c3 c4",
        "Choose a third square that reacts, or play it: c3 and c4 become earth",
        "Wähle ein drittes Feld, das mitreagiert, oder spiele den Zug so: c3 und c4 werden zu Erde",
    ),
    (REACTING, "c3 d5", "Choose the next square that reacts", "Wähle das nächste Feld, das reagiert"),
    (
        REACTING,
        "c3 c4 d5",
        "Now choose which becomes desert: c3 or d5",
        "Wähle jetzt, was zu Wüste wird: c3 oder d5",
    ),
    (REACTING, "F a1", "White places fire on a1", "Weiß legt Feuer auf a1"),
    (FIRES, "b2 c2", "Choose another fire to scorch: 2 to go", "Wähle ein weiteres Feuer zum Versengen: noch 2"),
    (FREE, "c3", "Choose where the water on c3 flows to", "Wähle, wohin das Wasser auf c3 fließt"),
    (
        FREE,
        "c3 d4",
        "Choose another square for the water, or play it as it is",
        "Wähle noch ein Feld für das Wasser, oder spiele den Zug so",
    ),
    (
        TEMPLE,
        "",
        "Place a temple on a marked square, or choose “no temple”",
        "Setze einen Tempel auf ein markiertes Feld, oder wähle „kein Tempel“",
    ),
    (
        "points-of-power",
        "",
        "Choose the piece that moves: Fire or Earth. In the opening each element moves once",
        "Wähle die Figur, die zieht: Feuer oder Erde. In der Eröffnung zieht jedes Element einmal",
    ),
    (HUNT, "", "Choose the piece that moves: Fire or Earth", "Wähle die Figur, die zieht: Feuer oder Erde"),
    (
        HUNT,
        "h8",
        "Choose where Fire on h8 goes, or capture Air on g9",
        "Wähle, wohin Feuer auf h8 zieht, oder schlage Luft auf g9",
    ),
    (
        HUNT,
        "mp",
        "Choose where Fire on the material plane goes",
        "Wähle, wohin Feuer auf der materiellen Ebene zieht",
    ),
    (
        ROUND,
        "",
        "Choose a card to set aside as your mediator, or “no mediator”",
        "Wähle eine Karte, die du als Vermittlerin beiseitelegst, oder „keine Vermittlerin“",
    ),
    (
        after(ROUND, "mKe"),
        "",
        "Choose your mediator, which is no Knight and not of Earth, or “no mediator”",
        "Wähle deine Vermittlerin – keine Ritterin und keine der Erde – oder „keine Vermittlerin“",
    ),
    (ATTACK, "", "Choose a card to attack with", "Wähle eine Karte für den Angriff"),
    (
        ATTACK,
        "Me",
        "Play it as it is, or choose “challenge”: they must answer with a Mystic if they can",
        "Spiele sie so aus, oder wähle „Herausforderung“: Darauf muss eine Mystikerin antworten, wenn es geht",
    ),
    (
        after(ATTACK, "Wa"),
        "",
        "Answer the Warden of Air with Air",
        "Beantworte die Wächterin der Luft mit Luft",
    ),
    (
        after(ATTACK, "Me!"),
        "",
        "Answer the challenge of the Mystic of Earth with another Mystic",
        "Beantworte die Herausforderung der Mystikerin der Erde mit einer anderen Mystikerin",
    ),
    (
        elementals(),
        "",
        "First come the prizes: choose a square for an elemental, worth two tokens to its winner. Left: 3",
        "Zuerst die Preise: Wähle ein Feld für ein Elementarwesen, das zwei Besitzsteine bringt. Übrig: 3",
    ),
    (
        markers(),
        "",
        "Choose a marker to lay or your leader to place",
        "Wähle ein Plättchen zum Legen oder deinen Anführer zum Setzen",
    ),
    (markers(), "F2W3", "Now choose the square for the fire half (2)", "Wähle jetzt das Feld für die Feuerhälfte (2)"),
    (
        markers(),
        "F2W3 a1",
        "Now choose the square for the water half (3)",
        "Wähle jetzt das Feld für die Wasserhälfte (3)",
    ),
    (markers(), "leader", "Now choose the square for your leader", "Wähle jetzt das Feld für deinen Anführer"),
]


@pytest.mark.parametrize(("start", "chosen", "english", "german"), SENTENCES)
def test_a_prompt_says_what_comes_next(start: str, chosen: str, english: str, german: str) -> None:
    position = Position(start) if " " in start else empedocles.new(start).position
    prompt = Partial(position, tuple(chosen.split())).prompt
    assert prompt is not None
    assert prompt.say("en") == english
    assert prompt.say("de") == german


def test_a_piece_is_named_with_its_square() -> None:
    entry = Partial(Position(HUNT))
    assert entry.leads_to("h8").say() == "Fire on h8 …"
    assert entry.leads_to("mp").say("de") == "Feuer auf der materiellen Ebene …"
    assert Partial(Position(REACTING)).leads_to("c4").say() == "water on c4 …"


def test_a_game_without_prompts_names_some_of_what_can_be_chosen() -> None:
    game = find("ignite-and-flow")
    assert game.interface
    plain = dataclasses.replace(game, interface=game.interface._replace(prompt=None, described=None))
    position = Position.of(plain, Position(REACTING).state)
    prompts = [Partial(position, chosen).prompt for chosen in ((), ("c3", "c4"), ("c3", "c4", "d5"))]
    assert [prompt.say() for prompt in prompts if prompt] == [
        "Choose earth from the supply, fire from the supply, water from the supply …",
        "Choose d5, or play it as it is",
        "Choose c3 or d5",
    ]


def test_nothing_is_asked_for_when_nothing_can_follow() -> None:
    assert Partial(Position(REACTING), ("a1",)).prompt is None
