"""Ignite and Flow, rule by rule. Boards are drawn with row 6 on top: F W E D, temples T (White) and t (Black)."""

from __future__ import annotations

import itertools
import random
import re

import numpy as np
import pytest

from empedocles import IllegalMove, Match, Position, PositionError, Result, new
from empedocles.games.ignite_and_flow import GAME, lookups
from empedocles.testing.contract import check_legal
from empedocles.testing.samples import random_positions

EMPTY = "6/6/6/6/6/6"


def at(board: str, mover: int | str = 0, *, literal: bool = False, **fields: object) -> Position:
    """A position from a drawing: rows separated by blanks or line ends, `.` for an empty square."""
    packed = re.sub(r"\.+", lambda dots: str(len(dots[0])), "/".join(board.split()))
    words = [f"{name.replace('_', '-')}={value}" for name, value in fields.items()]
    option = "literal" if literal else "all"
    return Position(" ".join(["ignite-and-flow", f"reactions={option}", f"board={packed}", *words, f"to-move={mover}"]))


def moves(position: Position, pattern: str) -> list[str]:
    """The legal moves that match a pattern as a whole."""
    return [move for move in position.legal_moves if re.fullmatch(pattern, move)]


def rule(position: Position, move: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    assert caught.value.rule
    return caught.value.rule


def board_of(position: Position) -> str:
    found = re.search(r"board=(\S+)", position.text)
    assert found
    return found[1]


# ── Board and material ──


def test_if1_board_is_empty_at_the_start() -> None:
    match = new("ignite-and-flow")
    assert board_of(match.position) == EMPTY
    assert len(match.legal_moves) == 3 * 36
    with pytest.raises(IllegalMove):
        match.play("Fg1")
    with pytest.raises(IllegalMove):
        match.play("Fa7")


def test_if2_three_temples_each() -> None:
    board = "T.T.T. ...... E.E.E. ...... t.t.t. ......"
    after = at(board).play("Fb6")
    assert after.to_move == 1, "White has no temple left: no choice"
    two = at("T.T... ...... E.E.E. ...... t.t.t. ......").play("Ff6")
    assert moves(two, "T..") == ["Ta4", "Tc4", "Te4"]


def test_if2_a_taken_temple_does_not_come_back() -> None:
    position = at("T.T... ...... E..... ...... ...... ......", taken="0/1").play("Fb1")
    assert position.to_move == 1


def test_if3_landmass_is_connected_orthogonally_and_includes_temples() -> None:
    position = at(
        """
        ......
        ......
        ..tE..
        ..E.E.
        ...E..
        ......
        """,
        due="temple",
    )
    assert moves(position, "T..") == ["Td2", "Te3"], (
        "c3, d4 and c4 are one landmass; diagonal squares are not part of it"
    )


# ── A turn ──


def test_if4_action_then_temple_choice_by_the_same_player() -> None:
    match = new("ignite-and-flow").play("Ec3")
    assert match.to_move == 0
    assert match.legal_moves == ["-", "Tc3"]
    assert rule(match.position, "Fa1") == "IF-4"
    assert match.play("-").to_move == 1
    assert rule(match.position, "-") == "IF-4"
    assert rule(match.position, "Tc3") == "IF-4"


def test_if5_place_fire_water_earth_on_empty_squares_only() -> None:
    position = at("...... ...... ..FWED ...... ...... ......")
    for cell in ("c4", "d4", "e4"):
        assert rule(position, f"E{cell}") == "IF-5"
    assert len(moves(position, "[FWE]..")) == 3 * 32
    assert "Da1" not in GAME.moves


def test_if6_burn_spreads_to_orthogonal_empty_or_earth() -> None:
    position = at(
        """
        ......
        ..E...
        .WFD..
        ......
        ......
        ......
        """
    )
    assert moves(position, "F..>..") == ["Fc4>c3", "Fc4>c5"]
    assert rule(position, "Fc4>b4") == "IF-6"
    why = position.reason("Fc4>b4")
    assert why is not None
    assert why.say() == "b4 holds water: fire spreads to empty squares and earth only"
    assert rule(position, "Fc4>d4") == "IF-14"
    assert rule(position, "Fa1>a2") == "IF-6"
    assert board_of(position.play("Fc4>c5")) == "6/2F3/1WFD2/6/6/6"


def test_if7_burnt_temple_goes_to_its_owners_opponent_whoever_burns() -> None:
    board = "...... ...... ..FT.. ...... ...... ......"
    for mover in (0, 1):
        after = at(board, mover).play("Fc4>d4")
        assert "taken=0/1" in after.text
        assert board_of(after) == "6/6/2FF2/6/6/6"
    assert "taken=1/0" in at("...... ...... ..Ft.. ...... ...... ......", 1).play("Fc4>d4").text


def test_if8_flow_one_or_two_diagonal_empty_squares() -> None:
    position = at(
        """
        ......
        ...D..
        ..W...
        .F....
        ......
        ......
        """
    )
    assert moves(position, "W..>..") == ["Wc4>a6", "Wc4>b5", "Wc4>d3", "Wc4>e2"]
    assert board_of(position.play("Wc4>e2")) == "6/3D2/2W3/1F1W2/4W1/6"
    assert rule(position, "Wc4>e6") == "IF-14", "desert in between"
    assert rule(position, "Wc4>a2") == "IF-8", "fire in between"
    assert rule(position, "Wc4>b3") == "IF-8"
    assert rule(position, "Wa1>b2") == "IF-8"
    blocked = at("...... ...... ..W... ...... ....D. ......")
    assert rule(blocked, "Wc4>e2") == "IF-14"


def test_if9_flow_into_earth_of_a_landmass_with_an_own_temple() -> None:
    position = at(
        """
        ......
        .W....
        ..ET..
        .W..tE
        ..E..W
        ......
        """
    )
    assert moves(position, "W..>c4") == ["Wb3>c4", "Wb5>c4"]
    assert board_of(position.play("Wb5>c4")) == "6/1W4/2WT2/1W2tE/2E2W/6"
    assert rule(position, "Wb3>c2") == "IF-9", "no temple on its landmass"
    assert rule(position, "Wf2>e3") == "IF-9", "the square itself carries a temple"
    black = at(board_of(position), 1)
    assert rule(black, "Wb5>c4") == "IF-9", "the temple there is White's"


def test_if9_no_flow_over_an_empty_square_into_earth() -> None:
    position = at("...... ...... ...ET. ...... .W.... ......")
    assert rule(position, "Wb2>d4") == "IF-8"
    assert "Wb2>c3" in position.legal_moves


PAIR_BOARD = """
    ......
    .W.W..
    ..F...
    .WWW..
    ......
    ......
    """


def test_if10_pair_in_all_directions() -> None:
    pairs = moves(at(PAIR_BOARD), r"..\+..")
    assert pairs == ["b3+c4", "c3+c4", "c4+b5", "c4+d5", "d3+c4"]
    assert board_of(at(PAIR_BOARD).play("c3+c4")) == "6/1W1W2/2E3/1WEW2/6/6"
    assert rule(at(PAIR_BOARD), "b3+c3") == "IF-10"
    assert rule(at(PAIR_BOARD), "a1+b1") == "IF-10"


def test_if10_literal_has_no_vertical_pairs() -> None:
    position = at(PAIR_BOARD, literal=True)
    assert moves(position, r"..\+..") == ["b3+c4", "c4+b5", "c4+d5", "d3+c4"]
    assert rule(position, "c3+c4") == "IF-10"


def test_if11_chain_any_square_may_be_the_middle() -> None:
    bent = at("...... ...... ...... ..W... ..F... ..F...")
    assert moves(bent, r".*=D..") == ["c1+c2+c3=Dc1", "c1+c2+c3=Dc2"], "fire–fire–water: the fires are the equal ones"
    middle = at("...... ...... ...... ..F... ..W... ..F...")
    assert moves(middle, r".*=D..") == ["c1+c2+c3=Dc1", "c1+c2+c3=Dc3"], "fire–water–fire"
    after = middle.play("c1+c2+c3=Dc1")
    assert board_of(after) == "6/6/6/2E3/2E3/2D3"
    assert moves(middle, r"..\+..") == ["c1+c2", "c2+c3"], "reacting only two remains allowed"


def test_if11_refusals() -> None:
    position = at("...... ...... ...... ..W... ..F... ..F...")
    assert rule(position, "c1+c2+c3=Dc3") == "IF-11", "the odd one may not become desert"
    assert rule(position, "b1+c1+c2=Dc1") == "IF-11", "an empty square"
    assert rule(at("...... ...... ...... ..F... ..F... ..F..."), "c1+c2+c3=Dc1") == "IF-11", "no water"
    assert "a1+c1+e1=Da1" not in GAME.moves, "not neighbours at all"


def test_if11_literal_needs_one_square_linked_to_both_others() -> None:
    column = "...... ...... ...... ..W... ..F... ..F..."
    assert moves(at(column, literal=True), r".*=D..") == []
    assert rule(at(column, literal=True), "c1+c2+c3=Dc1") == "IF-11"
    corner = "...... ...... ...... ...... ..F... ..FW.."  # c1–d1 horizontal, c2–d1 diagonal, c1–c2 vertical
    assert moves(at(corner, literal=True), r".*=D..") == ["c1+d1+c2=Dc1", "c1+d1+c2=Dc2"]


def test_if12_scorch_four_connected_fires() -> None:
    position = at("...... ...... ...F.. ..F... FF.... ......")
    assert moves(position, ".*=D") == ["a2+b2+c3+d4=D"]
    assert board_of(position.play("a2+b2+c3+d4=D")) == "6/6/3D2/2D3/DD4/6"
    five = at("...... ...... ...F.. ..F... FF.... F.....")
    assert moves(five, ".*=D") == ["a1+a2+b2+c3=D", "a1+b2+c3+d4=D", "a2+b2+c3+d4=D"]
    assert rule(position, "a1+a2+b2+c3=D") == "IF-12"


def test_if12_scorch_ignores_the_reactions_option() -> None:
    column = "...... ...... ..F... ..F... ..F... ..F..."
    for literal in (False, True):
        assert moves(at(column, literal=literal), ".*=D") == ["c1+c2+c3+c4=D"]


def test_if13_temple_on_earth_without_the_opponent() -> None:
    position = at("E.Et.T ...... E.TE.. ...... W..... ......", due="temple")
    assert moves(position, "T..") == ["Ta4", "Ta6", "Td4"]
    assert rule(position, "Tc6") == "IF-13", "Black's temple stands on that landmass"
    assert rule(position, "Tc4") == "IF-13", "there is a temple already"
    assert rule(position, "Ta2") == "IF-13", "water"
    assert rule(position, "Tb1") == "IF-13", "empty"
    assert rule(position, "Fb1") == "IF-4"


def test_if13_no_choice_without_a_square() -> None:
    assert at("Et.... ...... ...... ...... ...... ......").play("Ff1").to_move == 1


def test_if14_desert_never_changes() -> None:
    position = at("...... .T.... ..EFD. ..DDW. ...... ......")
    for move in ("Fd4>e4", "Fd4>d3", "Ee4"):
        assert rule(position, move) == "IF-14"
    for after in map(position.play, position.legal_moves):
        assert after.text.split()[2].count("D") >= 3


# ── End ──

FULL_BUT_A1 = "WWWWWW WWWWWW WWWWWW WWWWWW WWWWWW .EWWWW"


def test_if15_ends_with_the_turn_that_fills_the_board() -> None:
    assert at("WWWWWW WWWWWW WWWWWW WWWWWW WWWWWW .WWWWW").play("Fa1").is_over
    position = at(FULL_BUT_A1).play("Wa1")
    assert not position.is_over
    assert position.legal_moves == ["-", "Tb1"], "that player may still place a temple"
    assert position.play("Tb1").result is not None
    assert position.play("-").is_over
    assert rule(position.play("-"), "Fa1") == "IF-15"


# A fire and a water in a corner of desert: White can only burn back and forth … nothing there is progress.
STALE = """
    E.....
    DD....
    DDDDDD
    EEEEEE
    FDDDDD
    DDDDDD
    """


def test_if16_forty_actions_without_progress() -> None:
    position = at(STALE, quiet=38).play("Fa2>a3")
    assert "quiet=39" in position.text
    assert position.legal_moves[0] == "-"
    position = position.play("-")
    assert not position.is_over
    last = position.play("Fa3>b3")
    assert "quiet=40" in last.text
    assert not last.is_over, "the fortieth action's temple choice is still offered"
    assert last.play("-").is_over
    assert rule(last.play("-"), "Fa6") == "IF-16"
    on = last.play("Tc3")
    assert not on.is_over, "placing a temple is progress"
    assert "quiet=0" in on.text


def test_if16_ends_without_a_temple_choice() -> None:
    board = STALE.replace("E.....", "......").replace("EEEEEE", "DEDDDD").replace("FDDDDD", "DFDDDD")
    position = at(board, quiet=39)
    assert position.play("Fb2>b3").is_over, "no temple could be placed"
    assert not at(board, quiet=38).play("Fb2>b3").is_over


@pytest.mark.parametrize(
    ("board", "move"),
    [
        ("...... ...... ...... ...... ...... ......", "Fa1"),
        ("...... ...... ...... ...... ...... F.....", "Fa1>b1"),
        ("...... ...... ...... ...... ...... W.....", "Wa1>c3"),
        ("...... ...... ...... ...... ...... FWF...", "a1+b1+c1=Da1"),
        ("...... ...... ...... ...... ...... FFFF..", "a1+b1+c1+d1=D"),
        ("...... ...... ...... ...... ...... FT....", "Fa1>b1"),
    ],
)
def test_if16_progress_resets_the_clock(board: str, move: str) -> None:
    assert "quiet=0" in at(board, quiet=39).play(move).text


@pytest.mark.parametrize(
    ("board", "move"),
    [
        ("...... ...... ...... ...... ...... FE....", "Fa1>b1"),
        ("...... ...... ...... ...... ...... FW....", "a1+b1"),
        ("...... ...... ...... ...... .ET... W.....", "Wa1>b2"),
    ],
)
def test_if16_what_is_no_progress(board: str, move: str) -> None:
    assert "quiet=8" in at(board, quiet=7).play(move).text


def test_if17_example_to_hold() -> None:
    """Black: {a2,a3} and {f1} and a temple taken = 7; White: a landmass of four = 4; a shared one counts for nobody."""
    board = """
        DDEEDD
        DEDDEE
        DDEEDE
        EDETDT
        tDtDDD
        DEDDDt
        """
    match = Match(at(board, "none", taken="0/1"))
    assert match.result is not None
    assert match.result.scores == (4, 7)
    assert match.result.winners == {1}


def test_if17_score_counts_each_landmass_once() -> None:
    position = at("TTE... ...... ...... ...... ...... .....t", "0")
    assert "White (temple T): 3 points" in str(position)
    assert "Black (temple t): 1 point," in str(position)


def test_if18_more_points_win_equal_points_draw() -> None:
    full = "DDDDDD DDDDDD DDDDDD DDDDDD DDDDDD {}"
    assert at(full.format("TEDtDD"), "none").result == Result((2, 1), frozenset({0}))
    assert at(full.format("TDDtED"), "none").result == Result((1, 2), frozenset({1}))
    assert at(full.format("TDDtDD"), "none").result == Result((1, 1), frozenset())


# ── Positions by hand ──


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("board=6/6/6/6/6 to-move=0", "board"),
        ("board=6/6/6/6/6/5 to-move=0", "board"),
        ("board=6/6/6/6/6/5X to-move=0", "board"),
        ("board=TTTT2/6/6/6/6/6 to-move=0", "taken"),
        ("board=TTT3/6/6/6/6/6 taken=0/1 to-move=0", "taken"),
        (f"board={EMPTY} taken=0 to-move=0", "taken"),
        (f"board={EMPTY} taken=4/0 to-move=0", "taken"),
        (f"board={EMPTY} quiet=41 to-move=0", "quiet"),
        (f"board={EMPTY} quiet=x to-move=0", "quiet"),
        (f"board={EMPTY} quiet=40 to-move=0", "to-move"),
        (f"board={EMPTY} due=temple to-move=0", "due"),
        (f"board={EMPTY} due=tea to-move=0", "due"),
        (f"board={EMPTY} to-move=chance", "to-move"),
        (f"board={EMPTY} to-move=none", "to-move"),
        ("board=DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDDD to-move=0", "to-move"),
    ],
)
def test_positions_that_break_an_invariant_are_refused(text: str, field: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position(f"ignite-and-flow {text}")
    assert caught.value.field == field


def test_lookups_print_the_map_in_their_docstring() -> None:
    rows = [" ".join(f"{cell:2}" for cell in lookups.CELLS[row * 6 :][:6]) for row in range(6)]
    assert lookups.__doc__ is not None
    for number, row in enumerate(rows, start=1):
        assert f"{number} | {row}" in lookups.__doc__


def test_number_of_shapes() -> None:
    assert [len(lookups.PAIRS), len(lookups.TRIPLES), len(lookups.FOURS)] == [4, 20, 110]
    assert GAME.actions_with(GAME.complete({})) == 3546


# ── How many moves there can be ──


def test_worst_positions_fit_the_buffer() -> None:
    """Fire nearly everywhere is the most that a search over boards has found; half fire, half water has most chains."""
    almost = at("FFFFFF FFFFFF FFFFFF FFFFFF FFFFFF FFFFF.")
    assert len(almost.legal_moves) == 1696
    rng = random.Random(7)
    for share in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        board = "".join(rng.choices("FW", [share, 1 - share], k=35)) + "."
        for literal in (False, True):
            check_legal(at(" ".join(board[k : k + 6] for k in range(0, 36, 6)), literal=literal))


def test_a_board_full_of_fire_fits_the_buffer_too() -> None:
    """No player ever meets it, since the game is over; all 1,747 sets of four are there."""
    s = at("FFFFFF FFFFFF FFFFFF FFFFFF FFFFFF FFFFF.").state
    s.ground[lookups.FIRE] = lookups.BOARD
    out = np.full(GAME.max_legal, -1, np.int16)
    assert GAME.rules.legal(s, out) == 1747
    assert len(set(out[:1747].tolist())) == 1747


def test_legal_moves_of_any_board_agree_with_the_reasons() -> None:
    """Boards that play rarely reaches: random squares."""
    rng = random.Random(3)
    for number in range(12):
        rows = ["".join(rng.choices("FWED1", [4, 4, 2, 1, 2], k=6)) for _ in range(6)]
        position = at("/".join(rows), number % 2, literal=number % 3 == 0)
        if not position.is_over:
            refused = {a for a in range(GAME.n_actions) if position.reason(a) is not None}
            assert refused == set(range(GAME.n_actions)) - set(position.legal_actions)


# ── Symmetries ──

SQUARES = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]


def mapped(move: str, image: dict[str, str]) -> str:
    """A move after a symmetry of the board; squares joined by + are put in board order again."""
    text = re.sub(r"[a-f][1-6]", lambda square: image[square[0]], move)
    squares, equals, desert = text.partition("=")
    if "+" in squares:
        squares = "+".join(sorted(squares.split("+"), key=lambda name: (name[1], name[0])))
    return squares + equals + desert


MIRROR = dict(zip(SQUARES, (f"{'fedcba'['abcdef'.index(s[0])]}{s[1]}" for s in SQUARES), strict=True))
TURN = dict(zip(SQUARES, (f"{'abcdef'[int(s[1]) - 1]}{'abcdef'.index(s[0]) + 1}" for s in SQUARES), strict=True))
FLIP = dict(zip(SQUARES, (f"{s[0]}{7 - int(s[1])}" for s in SQUARES), strict=True))


@pytest.mark.parametrize(("image", "literal"), [(MIRROR, False), (MIRROR, True), (FLIP, True), (TURN, False)])
def test_board_symmetries(image: dict[str, str], literal: bool) -> None:
    """Mirrored play has mirrored moves and the same result; exchanging rows and columns needs reactions=all."""
    option = "literal" if literal else "all"
    rng = random.Random(5)
    one, two = (new("ignite-and-flow", reactions=option) for _ in range(2))
    while not one.is_over:
        assert sorted(mapped(move, image) for move in one.legal_moves) == two.legal_moves
        move = rng.choice(one.legal_moves)
        one.play(move)
        two.play(mapped(move, image))
    assert one.result == two.result


def test_exchanging_rows_and_columns_is_no_symmetry_of_literal() -> None:
    one = new("ignite-and-flow", reactions="literal").play("Fa1", "Wb1").legal_moves
    two = new("ignite-and-flow", reactions="literal").play("Fa1", "Wa2").legal_moves
    assert sorted(mapped(move, TURN) for move in one) != two


def test_seat_swap() -> None:
    """Exchange the colours of a position: the same moves, and scores exchanged."""
    swap = str.maketrans("Tt", "tT")
    for position in itertools.islice(random_positions(GAME, 40, seed=9), 40):
        fields = dict(word.split("=") for word in position.text.split()[1:])
        fields["board"] = fields["board"].translate(swap)
        fields["taken"] = "/".join(reversed(fields["taken"].split("/")))
        if not position.is_over:
            fields["to-move"] = str(1 - int(fields["to-move"]))
        twin = Position(" ".join(["ignite-and-flow", *(f"{k}={v}" for k, v in fields.items())]))
        assert twin.legal_moves == position.legal_moves
        scores, swapped = np.zeros(2, np.int32), np.zeros(2, np.int32)
        GAME.rules.scores(position.state, scores)
        GAME.rules.scores(twin.state, swapped)
        assert list(scores) == list(reversed(swapped))
