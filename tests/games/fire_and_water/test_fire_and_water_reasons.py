"""Why moves of Fire & Water are refused: the rule, and what is wrong here."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from empedocles import IllegalMove, Position
from empedocles.games.fire_and_water import GAME
from empedocles.games.fire_and_water.lookups import ACTIONS, CLAIM, ELEMENTAL, LEADER, MARKER, PASS, REVEAL, TOKEN
from empedocles.testing.samples import random_positions

KINDS = list(itertools.pairwise((ELEMENTAL, REVEAL, MARKER, LEADER, TOKEN, CLAIM, PASS, ACTIONS)))

BOARD = "fire-and-water board=chessboard"
SETUP = f"{BOARD} elementals=c3 to-move=1"
REVEALING = f"{BOARD} elementals=b2,b7,g2 hands=F1W1,F1W2/- to-move=chance"
FOUR = f"{BOARD} players=4 elementals=b2,b7,g2"
TURN = f"{BOARD} elementals=b2,b7,g2 markers=F1d4W1d5,F1d6W2d7/- leaders=f3/- to-move=0"
# Around e5, a water square: 3 and 1 of Red, 2 and 2 of Green
STAR = f"{BOARD} markers=F1e7W3e6,F1g5W1f5/F1e3W2e4,F2c5W2d5"
TIE = f"{STAR} elementals=b2,b7,g2"
SHY = f"{STAR} elementals=b2,b7,e5"
THREE = "fire-and-water players=3 markers=F1e7W3e6,F1g5W1f5/F1e3W2e4,F2c5W2d5/- elementals=b2,b7,e5"
# Green has conquered the leader of Red in a corner of the crowd
CONQUERED = (
    f"{STAR.replace('/', ',F1a2W4a3,F3a6W4a5,F4c4W3b4/')} elementals=b2,b7,e5 leaders=a4/h4 tokens=-/a4 to-move=0"
)


def crowd(last: str) -> str:
    """A chessboard full of upright markers, but for the squares below the elementals."""
    pairs = [(f"{column}{row}", f"{column}{row + 1}") for column in "abcdefgh" for row in (1, 3, 5, 7)]
    pairs = [pair for pair in pairs if not {"b2", "d4", "f6"} & set(pair)]
    names = [(fire, water) for fire in "1234" for water in "1234"]
    laid = [f"F{names[k // 2][0]}{low}W{names[k // 2][1]}{high}" for k, (low, high) in enumerate(pairs)]
    return f"{BOARD} elementals=b2,d4,f6 markers={','.join(laid[::2])}/{','.join(laid[1::2])} {last}"


WON = "c4,c5,c6,c7,c8,d5,d6,d7,d8,e1,e2,e6,e7,e8,f1,f2,f7,f8,g1,g2"

REFUSALS = [
    ("FW-1", SETUP, "Ei4", "i4 is not on the board of 2 players"),
    ("FW-1", TURN, "F1h4W1i4", "i4 is not on the board of 2 players"),
    ("FW-1", TURN.replace("f3", "-"), "Lj4", "j4 is not on the board of 2 players"),
    ("FW-1", TURN, "Pk4", "k4 is not on the board of 2 players"),
    ("FW-1", TURN, "Cl4", "l4 is not on the board of 2 players"),
    ("FW-3", f"{FOUR} hands=-/-/-/- to-move=chance", "+F2W2", "F2W2 is left out with 4 players"),
    ("FW-3", f"{FOUR} to-move=0", "F2a1W2a2", "F2W2 is left out with 4 players"),
    ("FW-5", SETUP, "Ea4", "a4 is on the edge of the board"),
    ("FW-5", SETUP, "Ec3", "an elemental is on c3 already"),
    ("FW-5", SETUP, "Ed4", "d4 is a neighbour of the elemental on c3"),
    ("FW-5", SETUP, "F1a1W1a2", "the elementals come first: 2 are still to be placed"),
    ("FW-5", SETUP, "pass", "the elementals come first: 2 are still to be placed"),
    ("FW-5", TURN, "Ee3", "all 3 elementals are placed"),
    ("FW-6", SETUP, "+F1W1", "markers are revealed after the third elemental"),
    ("FW-6", REVEALING, "+F1W2", "F1W2 of Red is not face-down any more"),
    ("FW-6", REVEALING, "La4", "a marker of Red is revealed first"),
    ("FW-8", TURN, "pass", "a pass is allowed only when no action is, and here F1a1W3a2 is"),
    ("FW-9", TURN, "+F4W4", "a marker is revealed only after one has been placed"),
    ("FW-9", TURN, "F1d4W3e4", "d4 is not empty"),
    ("FW-9", TURN, "F1e4W3d4", "d4 is not empty"),
    ("FW-9", TURN, "F1f4W3f3", "f3 is not empty"),
    ("FW-9", TURN, "F1b3W3b2", "b2 is not empty"),
    ("FW-9", TURN, "F4a1W4a2", "F4W4 of Red is still face-down"),
    ("FW-9", TURN, "F1a1W1a2", "F1W1 of Red is laid already"),
    (
        "FW-9",
        TURN.replace("to-move=0", "hands=F1W3,F1W4/F1W1,F1W2,F1W3 to-move=chance"),
        "pass",
        "a marker of Red is revealed first",
    ),
    (
        "FW-9",
        TURN.replace("to-move=0", "hands=F1W3,F1W4/F1W1,F1W2,F1W3 to-move=chance"),
        "+F1W1",
        "F1W1 of Red is not face-down any more",
    ),
    ("FW-10", TURN, "La4", "the leader of Red is on f3 already"),
    ("FW-10", TURN.replace("to-move=0", "to-move=1"), "Lf3", "f3 is not empty"),
    ("FW-10", TURN.replace("to-move=0", "to-move=1"), "Lh8", "h8 is a corner of the board"),
    ("FW-10", TURN.replace("to-move=0", "to-move=1"), "Lg3", "g3 is next to the elemental on g2"),
    ("FW-15", f"{TIE} to-move=0", "Pe5", "on e5 Red has an influence of 4, Green one of 4"),
    ("FW-15", f"{TIE} to-move=1", "Pe5", "on e5 Green has an influence of 4, Red one of 4"),
    ("FW-15", f"{TIE} to-move=0", "Pf5", "f6 next to f5 is empty"),
    ("FW-15", f"{TIE} tokens=-/e5 to-move=0", "Pe5", "a token is on e5 already"),
    ("FW-15", f"{TIE} leaders=e5/- to-move=0", "Pe5", "the leader on e5 is Red's own"),
    ("FW-15", f"{SHY} to-move=0", "Pe5", "an elemental is on e5"),
    ("FW-15", crowd("last=0 to-move=1"), "Ph8", "Green has no influence on h8"),
    ("FW-16", CONQUERED, "Lh5", "the leader of Red was conquered on a4 and cannot be placed again"),
    ("FW-18", CONQUERED, "Ce5", "the leader of Red is conquered"),
    ("FW-18", f"{SHY} leaders=h4/h5 to-move=0", "Ca5", "there is no elemental on a5"),
    ("FW-18", f"{SHY} leaders=h4/h5 to-move=0", "Cb2", "b3 next to b2 is empty"),
    ("FW-18", f"{SHY} leaders=-/h5 to-move=0", "Ce5", "Red has not placed the leader"),
    ("FW-18", f"{SHY} leaders=h4/h5 tokens=-/e5 to-move=0", "Ce5", "the elemental on e5 is claimed already"),
    (
        "FW-18",
        f"{SHY} leaders=h4/h5 to-move=0",
        "Ce5",
        "next to e5 the marker halves of Red add up to 4, those of Green to 4",
    ),
    (
        "FW-18",
        f"{THREE} leaders=h4/h5/h6 to-move=2",
        "Ce5",
        "Gold has no uncovered marker half next to e5",
    ),
    (
        "FW-19",
        crowd(f"tokens=-/{WON} last=0 to-move=none"),
        "pass",
        "the game is over: Green has placed their last token",
    ),
    ("FW-20", crowd("last=0 to-move=none"), "Pd7", "the game is over: everyone has had their last turn"),
    (
        "FW-20",
        crowd("last=0 to-move=1"),
        "Cb2",
        "elementals are claimed in last turns only with the option finale=claims",
    ),
    ("FW-18", crowd("finale=claims last=0 to-move=1"), "Cb2", "b1 next to b2 is empty"),
    (
        "FW-20",
        crowd("finale=claims last=0 to-move=1"),
        "F4b1W4b2",
        "this is a last turn: place a token, claim an elemental or pass",
    ),
    ("FW-20", crowd("last=0 to-move=1"), "F4b1W4b2", "this is a last turn: place a token or pass"),
    ("FW-20", crowd("last=0 to-move=1"), "+F4W4", "this is a last turn: place a token or pass"),
]


@pytest.mark.parametrize(
    ("rule", "text", "move", "words"), REFUSALS, ids=[f"{rule} {move}" for rule, _, move, _ in REFUSALS]
)
def test_refusal(rule: str, text: str, move: str, words: str) -> None:
    position = Position(text)
    with pytest.raises(IllegalMove) as refused:
        position.play(move)
    assert (refused.value.rule, refused.value.reason) == (rule, words)


def test_every_rule_that_can_refuse_a_move_does() -> None:
    source = "".join((GAME.folder / name).read_text(encoding="utf-8") for name in ("reasons.py", "moves.py"))
    assert set(re.findall(r'"(FW-\d+)"', source)) == {rule for rule, *_ in REFUSALS}


def test_a_move_is_refused_exactly_when_it_is_not_legal() -> None:
    rng = random.Random(1)
    for position in random_positions(GAME, 150, seed=3):
        legal = set(position.legal_actions)
        some = rng.sample(sorted(legal), min(len(legal), 10))
        for start, stop in KINDS:
            some += rng.sample(range(start, stop), min(stop - start, 8))
        for action in some:
            why = position.reason(action)
            assert (why is None) == (action in legal), f"{GAME.moves[action]}: {why} in {position!r}"
