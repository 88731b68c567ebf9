"""Readings of Ignite and Flow: the engine beside a second set of the rules, and edge cases by their rule."""

from __future__ import annotations

import itertools
import random
import re

import pytest
from conftest import INTERPRETED
from games.ignite_and_flow.referee import Referee

from empedocles import IllegalMove, Position
from empedocles.games.ignite_and_flow import GAME, lookups
from empedocles.play.partial import CONFIRM, Partial

FEW, MANY = 2 if INTERPRETED else 16, 2000

# Options, and the moves that random play prefers, so that the rule in question is met.
BIASED = {
    "default": ({}, ".*"),
    "literal": ({"reactions": "literal"}, r"[FW]..|..\+.*"),
    "orthogonal": ({"reactions": "orthogonal"}, r"[FW]..|..\+.*"),
    "middle": ({"chain": "middle"}, r"[FW]..|.*=D.."),
    "bent": ({"flow": "bent"}, "W.*"),
    "split": ({"flow": "split"}, "W.*"),
    "free": ({"flow": "free"}, "W.*"),
    "exact": ({"scorch": "exact"}, "F.*|.*=D"),
    "touching": ({"scorch": "touching"}, "F.*|.*=D"),
    "many": ({"reactions": "orthogonal", "chain": "middle", "flow": "free", "scorch": "exact"}, r"[FW].*|..\+.*"),
}
IDLE = r"..\+..|[FW]..>..|-"  # moves that may fill no square
readings = pytest.mark.parametrize("reading", BIASED)


def at(board: str, mover: int | str = 0, **fields: object) -> Position:
    """A position from a drawing: rows separated by blanks or line ends, `.` for an empty square."""
    packed = re.sub(r"\.+", lambda dots: str(len(dots[0])), "/".join(board.split()))
    words = [f"{name}={value}" for name, value in fields.items()]
    return Position(" ".join(["ignite-and-flow", f"board={packed}", *words, f"to-move={mover}"]))


def moves(position: Position, pattern: str) -> list[str]:
    """The legal moves that match a pattern as a whole."""
    return [move for move in position.legal_moves if re.fullmatch(pattern, move)]


def refusal(position: Position, move: str) -> str:
    """The rule and the words that refuse a move."""
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    return f"{caught.value.rule}: {caught.value.message.say()}"


# ── Beside the referee ──


@readings
def test_the_referee_agrees(reading: str) -> None:
    check_games(reading, FEW)


@pytest.mark.long
@readings
def test_the_referee_agrees_over_many_games(reading: str) -> None:
    check_games(reading, MANY)


def check_games(reading: str, games: int) -> None:
    """Every other game starts in the midst of things, and every fourth with players who would rather do nothing."""
    options, liked = BIASED[reading]
    for number in range(games):
        luck = random.Random(f"{reading} {number}")
        position = crowded(options, luck) if number % 2 else Position.start(GAME, options)
        check_game(position, IDLE if number % 4 == 3 else liked, luck)


def crowded(options: dict[str, str], luck: random.Random) -> Position:
    board = luck.choices("FWED.", [luck.random() for _ in "FWED."], k=36)
    board[luck.randrange(36)] = "."
    for square in luck.sample(range(36), 6):
        board[square] = luck.choice("Tt.") if board[square] == "E" else board[square]
    rows = " ".join("".join(board[row : row + 6]) for row in range(0, 36, 6))
    while any(rows.count(temple) > 3 for temple in "Tt"):
        rows = rows.replace("T", "E", 1).replace("t", "E", 1)
    return at(rows, luck.randrange(2), quiet=luck.choice((0, 37, 39)), **options)


def check_game(position: Position, liked: str, luck: random.Random) -> None:
    referee = Referee(position.text)
    while not position.is_over:
        assert set(position.legal_moves) == referee.legal(), position.text
        preferred = moves(position, liked) if luck.random() < 0.7 else []
        move = luck.choice(preferred or position.legal_moves)
        position = position.play(move)
        referee.play(move)
        assert position.is_over or position.to_move == referee.mover
    assert position.result is not None
    assert position.ending is not None
    assert (position.result.scores, position.ending.rule) == (referee.scores(), referee.ending), position.text


def test_if15_if16_what_ended_a_game() -> None:
    full = at("WWWWWW WWWWWW WWWWWW WWWWWW WWWWWW .WWWWW", quiet=39)
    assert full.ending is None
    assert ending(full.play("Fa1")) == "IF-15"
    stale = at("...... ...... DEDDDD DFDDDD DDDDDD DDDDDD", quiet=39)
    assert ending(stale.play("Fb3>b4")) == "IF-16"
    both = at("WWWWWW WWWWWW WWWWWW WWWWWW WWWWWW WWWWWW", "none", quiet=40)
    assert ending(both) == "IF-15", "the full board comes first"


def ending(position: Position) -> str:
    assert position.ending is not None
    return position.ending.rule


# ── IF-8: flow ──

SPRING = """
    ......
    ......
    ......
    ..W...
    ......
    ......
    """


def test_if8_bent_water_may_turn() -> None:
    position = at(SPRING, flow="bent")
    ways = ["b2>a3", "b2>c1", "b4>a3", "b4>c5", "d2>c1", "d2>e3", "d4>c5", "d4>e3"]
    assert moves(position, "W..>..>..") == [f"Wc3>{way}" for way in ways]
    assert "Wc3>e5" in position.legal_moves, "straight on keeps its notation"
    assert not moves(position, r"W..>..\+..")
    assert "board=6/6/3W2/2W1W1/6/6 " in position.play("Wc3>d4>e3").text
    assert {"Wc3>d4>c3", "Wc3>d4>e5", "Wc3>c4>d5"}.isdisjoint(GAME.moves), "neither back, nor straight on, nor sideways"


def test_if8_bent_needs_two_empty_squares() -> None:
    position = at("...... ...... ...D.. ..W.F. .E.... ..T...", flow="bent")
    assert refusal(position, "Wc3>d4>c5") == "IF-14: d4 is desert, which never changes"
    assert refusal(position, "Wc3>d2>e3") == "IF-8: e3 is not empty: it holds fire"
    assert refusal(position, "Wc3>b2>a3") == "IF-8: b2 is not empty: it holds earth"
    assert refusal(position, "Wd3>e4>f3") == "IF-8: there is no water on d3"
    assert refusal(position, "Wc3>d2>c1") == "IF-8: c1 is not empty: it holds earth", "IF-9 stays one square"


def test_if8_split_water_spreads_to_two_squares_at_once() -> None:
    position = at(SPRING, flow="split")
    ways = ["b2+b4", "b2+d2", "b2+d4", "b4+d4", "d2+b4", "d2+d4"]
    assert moves(position, r"W..>..\+..") == [f"Wc3>{way}" for way in ways]
    assert "Wc3>e5" in position.legal_moves
    assert not moves(position, "W..>..>..")
    assert "board=6/6/3W2/2W3/1W4/6 " in position.play("Wc3>b2+d4").text


def test_if8_split_into_earth_is_not_allowed() -> None:
    """IF-9 stays one square, even where the water might enter the earth alone."""
    position = at("...... ...... ...ET. ..W... ...... ......", flow="split")
    assert "Wc3>d4" in position.legal_moves
    assert refusal(position, "Wc3>b2+d4") == "IF-8: d4 is not empty: it holds earth"


def test_if8_free_is_bent_and_split() -> None:
    straight, bent, split, free = (set(at(SPRING, flow=flow).legal_moves) for flow in lookups.ACTIONS_WITH)
    assert straight < bent < free == bent | split
    assert straight == bent & split


@pytest.mark.parametrize("flow", ["straight", "split"])
def test_if8_turning_is_refused_by_the_option(flow: str) -> None:
    assert refusal(at(SPRING, flow=flow), "Wc3>d4>e3") == f"IF-8: water does not turn with flow={flow}"


@pytest.mark.parametrize("flow", ["straight", "bent"])
def test_if8_splitting_is_refused_by_the_option(flow: str) -> None:
    said = f"IF-8: water does not split with flow={flow}"
    assert refusal(at(SPRING, flow=flow), "Wc3>b2+d4") == said


def test_if8_readings_append_their_actions() -> None:
    turning = [action for action, move in enumerate(GAME.moves) if re.fullmatch("W..>..>..", move)]
    splitting = [action for action, move in enumerate(GAME.moves) if re.fullmatch(r"W..>..\+..", move)]
    assert turning == list(range(3546, 3706))
    assert splitting == list(range(3706, 3818))
    used = [Position.start(GAME, {"flow": flow}).n_actions for flow in lookups.ACTIONS_WITH]
    assert used == [3546, 3706, 3818, 3818]


def test_if8_more_scorches_are_ruled_out_than_flows_are_added() -> None:
    """The argument beside MAX_LEGAL: water and empty squares leave no room for so many scorches."""
    squares = [set(re.findall("[a-f][1-6]", move)) for move in GAME.moves]
    scorches = [squares[action] for action, move in enumerate(GAME.moves) if move.endswith("=D")]
    added = squares[lookups.STRAIGHT_ACTIONS :]
    assert len(added) < min(sum(not four.isdisjoint(needed) for four in scorches) for needed in added)


def test_if8_clicks() -> None:
    entry = Partial(at(SPRING, flow="free")).choose("c3").choose("d4")
    assert entry.whole == "Wc3>d4"
    assert {"c5", "e3", "b2", "b4", "d2", CONFIRM} == set(entry.targets)
    assert entry.choose(CONFIRM).move == "Wc3>d4"
    assert entry.choose("e3").move == "Wc3>d4>e3"
    assert entry.choose("b2").move == "Wc3>b2+d4", "in either order"
    plain = Partial(at(SPRING)).choose("c3").choose("d4")
    assert plain.move == "Wc3>d4", "nothing to confirm where water flows straight"


def test_if8_a_refused_click_is_not_explained_by_a_reading_that_is_not_played() -> None:
    entry = Partial(at("...... ...... ...F.. ..W... ...... ......")).choose("c3").choose("d4")
    why = entry.why_not("e3")
    assert why is not None
    assert (why.rule, why.say()) == ("IF-11", "e3 holds neither fire nor water")


def test_if8_words() -> None:
    position = at(SPRING, flow="free")
    assert position.words("Wc3>d4>e3").say() == "White lets water flow from c3 over d4 to e3"
    assert position.words("Wc3>b2+d4").say() == "White lets water flow from c3 to b2 and d4 at once"


# ── IF-10, IF-11: reactions and chains ──


def test_if10_orthogonal_pairs_share_an_edge() -> None:
    position = at("...... .WWW.. .WFW.. .WWW.. ...... ......", reactions="orthogonal")
    assert moves(position, r"..\+..") == ["b4+c4", "c3+c4", "c4+c5", "c4+d4"]
    said = "IF-10: b3 and c4 touch at a corner only: with reactions=orthogonal they do not react"
    assert refusal(position, "b3+c4") == said
    assert refusal(position, "b3+c3") == "IF-10: b3 and c3 both hold water: fire and water are needed"


def test_if10_literal_names_its_option() -> None:
    position = at("...... ...... ..W... ..F... ...... ......", reactions="literal")
    said = "IF-10: c3 and c4 are vertical neighbours, which do not react with reactions=literal"
    assert refusal(position, "c3+c4") == said


def test_if11_orthogonal_chains_need_two_edges() -> None:
    corner = at("...... ...... ...... ...... .FW... .F....", reactions="orthogonal")
    assert moves(corner, ".*=D..") == ["b1+b2+c2=Db1", "b1+b2+c2=Db2"]
    diagonal = at("...... ...... ...... ...F.. ..W... .F....", reactions="orthogonal")
    said = "IF-11: none of b1, c2, d3 shares an edge with both others, as reactions=orthogonal needs"
    assert refusal(diagonal, "b1+c2+d3=Db1") == said
    half = at("...... ...... ...... ...F.. .FW... ......", reactions="orthogonal")
    assert not moves(half, ".*=D.."), "one edge and one corner"
    assert moves(half, r"..\+..") == ["b2+c2"]


def test_if11_middle_the_single_element_lies_between() -> None:
    row = at("...... ...... ...... ...... ...... FFW...", chain="middle")
    assert not moves(row, ".*=D..")
    said = "IF-11: c1 is the only water of the three, and must touch both others with chain=middle"
    assert refusal(row, "a1+b1+c1=Da1") == said
    between = at("...... ...... ...... ...... ...... FWF...", chain="middle")
    assert moves(between, ".*=D..") == ["a1+b1+c1=Da1", "a1+b1+c1=Dc1"]
    said = "IF-11: b1 is the only water of the three: one of the two equal elements becomes desert"
    assert refusal(between, "a1+b1+c1=Db1") == said


@pytest.mark.parametrize(("reactions", "legal"), [("all", True), ("literal", False), ("orthogonal", False)])
def test_if11_middle_counts_neighbours_as_reactions_do(reactions: str, legal: bool) -> None:
    """The water on c1 touches b1 at an edge and c2 at an edge, or b2 at a corner: a corner of three squares."""
    upright = at("...... ...... ...... ...... ..F... .FW...", chain="middle", reactions=reactions)
    assert bool(moves(upright, ".*=D..")) == (reactions != "literal"), "c1–c2 is vertical"
    slanted = at("...... ...... ...... ...... .F.... .FW...", chain="middle", reactions=reactions)
    assert bool(moves(slanted, ".*=D..")) == (reactions != "orthogonal"), "c1–b2 is diagonal"
    steep = at("...... ...... ...... .F.... ..W... ..F...", chain="middle", reactions=reactions)
    assert bool(moves(steep, ".*=D..")) == legal, "c2–c1 is vertical, c2–b3 is diagonal"


# ── IF-12: scorch ──


def test_if12_exact_needs_a_whole_group() -> None:
    four, five = "...... ...... ...F.. ..F... FF.... ......", "...... ...... ...F.. ..F... FF.... F....."
    assert moves(at(four, scorch="exact"), ".*=D") == ["a2+b2+c3+d4=D"]
    assert not moves(at(five, scorch="exact"), ".*=D")
    said = "IF-12: a further fire on a1 touches them: scorch=exact needs a whole group"
    assert refusal(at(five, scorch="exact"), "a2+b2+c3+d4=D") == said
    two = at("FF..FF FF..FF ...... ...... ...... F....F", scorch="exact")
    assert moves(two, ".*=D") == ["a5+b5+a6+b6=D", "e5+f5+e6+f6=D"], "single fires elsewhere do not matter"


def test_if12_touching_needs_a_block() -> None:
    position = at("...... ...... ...FFF ..FFF. FF.... FF....", scorch="touching")
    assert moves(position, ".*=D") == ["a1+b1+a2+b2=D", "d3+e3+d4+e4=D"]
    said = "IF-12: not all of a2, b2, c3, d4 touch each other, as scorch=touching needs"
    assert refusal(position, "a2+b2+c3+d4=D") == said
    assert refusal(position, "c1+d1+c2+d2=D") == "IF-12: there is no fire on c1"


@pytest.mark.parametrize("scorch", ["exact", "touching"])
@pytest.mark.parametrize("reactions", ["literal", "orthogonal"])
def test_if12_scorch_ignores_reactions(scorch: str, reactions: str) -> None:
    assert moves(at("FF.... FF.... ...... ...... ...... ......", scorch=scorch, reactions=reactions), ".*=D")


# ── What texts and learners see ──


def test_texts_name_readings_only_where_they_are_not_the_default() -> None:
    assert at(SPRING).text.startswith("ignite-and-flow reactions=all board=")
    chosen = at(SPRING, scorch="exact", chain="middle", flow="free", reactions="orthogonal")
    assert chosen.text.startswith("ignite-and-flow reactions=orthogonal chain=middle flow=free scorch=exact board=")
    assert Position(chosen.text) == chosen


def test_all_combinations_of_readings_have_keys_and_observations_of_their_own() -> None:
    combined = [
        Position.start(GAME, dict(zip((option.name for option in GAME.options), values, strict=True)))
        for values in itertools.product(*(option.values for option in GAME.options))
    ]
    assert len({position.key for position in combined}) == len(combined) == 72
    assert len({position.observe(0).tobytes() for position in combined}) == 72
