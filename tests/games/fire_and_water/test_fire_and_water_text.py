"""Fire & Water in text: options, boards of one's own, positions and their refusals, the text board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from empedocles import BoardError, Position, PositionError, UnknownName, new
from empedocles.games.fire_and_water import GAME
from empedocles.testing.samples import random_positions

# ── Options ──────────────────────────────────────────────────────────────────────────────────────────────────────────

CROSS = """\
# A board of one's own: a cross of fire
W W W F F W W W
W W W F F W W W
W W W F F W W W
F F F F F F F F
F F F F F F F F
W W W F F W W W
W W W F F W W W
W W W F F W W W
"""
CROSS_ROWS = "WWWFFWWW/WWWFFWWW/WWWFFWWW/FFFFFFFF/FFFFFFFF/WWWFFWWW/WWWFFWWW/WWWFFWWW"
CHESSBOARD_ROWS = "/".join(["FWFWFWFW", "WFWFWFWF"] * 4)


@pytest.mark.parametrize("kind", [str, Path])
def test_fw4_a_board_file_of_ones_own(kind: Any, tmp_path: Path) -> None:
    file = tmp_path / "cross.txt"
    file.write_text(CROSS, encoding="utf-8")
    match = new("fire-and-water", board=kind(file))
    assert match.options["board"] == CROSS_ROWS
    assert match.position == new("fire-and-water", board=CROSS_ROWS).position
    assert Position(match.position.text) == match.position
    assert str(match).startswith("8    ~    ~    ~    ^    ^    ~    ~    ~\n")


def test_fw4_a_known_pattern_has_its_name() -> None:
    assert new("fire-and-water", board=CHESSBOARD_ROWS).options["board"] == "chessboard"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"board": CROSS_ROWS, "players": 3}, "row 8 of the board has 8 squares, expected 12"),
        ({"board": "/".join(["FW" * 6] * 8)}, "row 8 of the board has 12 squares, expected 8"),
        ({"board": CROSS_ROWS[:-9]}, "the board has 7 rows, expected 8"),
        ({"board": CROSS_ROWS.replace("WWWFFWWW/F", "WWWFFWW/F")}, "row 6 of the board has 7 squares, expected 8"),
    ],
)
def test_fw1_a_board_of_another_size_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BoardError, match=words):
        new("fire-and-water", **options)


def test_fw1_a_board_of_other_squares_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "earth.txt"
    file.write_text(CROSS.replace("F F F F F F F F", "F F F E E F F F", 1), encoding="utf-8")
    with pytest.raises(BoardError, match="'E' in row 5 of the board is none of F W"):
        new("fire-and-water", board=file)


def test_unknown_values_of_options() -> None:
    with pytest.raises(UnknownName, match="unknown board 'mosaic': board is medallion or chessboard or a board file"):
        new("fire-and-water", board="mosaic")
    with pytest.raises(UnknownName, match="players is 2 or 3 or 4"):
        new("fire-and-water", players=5)


def test_options_in_any_order() -> None:
    text = "fire-and-water board=chessboard players=4 to-move=0"
    assert Position(text) == new("fire-and-water", players=4, board="chessboard").position


# ── One line ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_position_comes_back_from_its_text() -> None:
    for position in random_positions(GAME, 60, seed=5):
        assert Position(position.text).state.tobytes() == position.state.tobytes()


def test_start() -> None:
    start = new("fire-and-water").position
    assert start.text == (
        "fire-and-water players=2 board=medallion "
        "elementals=- markers=-/- hands=-/- leaders=-/- tokens=-/- last=- to-move=0"
    )
    assert Position("fire-and-water to-move=0") == start


def test_fw20_the_finale_is_named_unless_it_is_the_usual_one() -> None:
    start = new("fire-and-water", finale="claims").position
    assert start.text.startswith("fire-and-water players=2 board=medallion finale=claims elementals=-")
    assert Position(start.text) == start != new("fire-and-water").position
    assert start.key != new("fire-and-water").position.key
    assert Position("fire-and-water finale=tokens to-move=0").text == new("fire-and-water").position.text


def test_defaults_make_short_texts() -> None:
    """Nothing but what matters: each player has revealed their lowest markers, nothing else is there."""
    turn = Position("fire-and-water elementals=b2,b7,g2 markers=F1d4W1d5/- to-move=1")
    assert turn.text.endswith("hands=F1W2,F1W3,F1W4/F1W1,F1W2,F1W3 leaders=-/- tokens=-/- last=- to-move=1")


def test_lists_may_have_any_order() -> None:
    one = Position(
        "fire-and-water elementals=g2,b7,b2 markers=F2a2W1a1,F1d4W1d5/- hands=F4W4,F3W3,F2W2/F1W1,F1W2,F1W3 to-move=1"
    )
    other = Position(
        "fire-and-water elementals=b2,b7,g2 markers=F1d4W1d5,F2a2W1a1/- hands=F2W2,F3W3,F4W4/F1W3,F1W2,F1W1 to-move=1"
    )
    assert one.state.tobytes() == other.state.tobytes()


def test_a_token_on_an_empty_square_may_surround_others() -> None:
    """a1 is empty but for the token of Green, and so the half on a2 has no empty neighbour."""
    markers = "F1a2W1a3,F1c1W2b1,F2c2W2b2/-"
    turn = Position(f"fire-and-water elementals=e2,e5,g3 markers={markers} tokens=a2/a1 to-move=0")
    assert "tokens=a2/a1" in turn.text


def test_a_last_token_alone_on_an_elemental_is_counted_as_one() -> None:
    """20 tokens: 18 single ones, and 3 that would be 4 if there were enough."""
    tokens = "b1,b2,c4,c5,c6,c7,c8,d5,d6,d7,d8,e1,e2,e6,e7,e8,f1,f2,f7,f8"
    over = Position(f"{FULL} leaders=h6/- tokens={tokens}/- last=1 to-move=none")
    assert over.result is not None
    assert over.result.scores == (20, -2)
    with pytest.raises(PositionError, match="Red has more than 20"):
        Position(f"{FULL} leaders=h6/- tokens={tokens},g1/- last=1 to-move=none")


def _full(leave: set[str], owners: str = "01" * 14) -> str:
    """A chessboard full of upright markers, but for some pairs and the squares below the elementals."""
    pairs = [(f"{column}{row}", f"{column}{row + 1}") for column in "abcdefgh" for row in (1, 3, 5, 7)]
    pairs = [pair for pair in pairs if not ({"b2", "d4", "f6"} | leave) & set(pair)]
    laid: tuple[list[str], list[str]] = ([], [])
    for owner, (low, high) in zip(owners, pairs, strict=False):
        fire, water = divmod(len(laid[int(owner)]), 4)
        laid[int(owner)].append(f"F{fire + 1}{low}W{water + 1}{high}")
    return f"fire-and-water board=chessboard elementals=b2,d4,f6 markers={'/'.join(map(','.join, laid))}"


FULL = _full({"h5", "h6"})
OPEN = _full({"h5", "h6", "a7", "a8"})  # two neighbouring squares are empty when leaders are on h5 and h6
CLAIMS = f"{FULL} finale=claims"
TWENTY = "c4,c5,c6,c7,c8,d5,d6,d7,d8,e1,e2,e6,e7,e8,f1,f2,f7,f8,g1,g2"
MORE = "b4,b5,b6,b7,c2,g3,g4,h1,h2,h3,a3,a4,a5,a2,b8,c1,g7,g8,h8,b3"

HERE = "fire-and-water elementals=b2,b7,g2"
LAID = f"{HERE} markers=F1d4W1d5/-"
STAR = f"{HERE} board=chessboard markers=F1e7W1e6,F1g5W2f5,F1e3W3e4,F1c5W4d5/-"
HANDS = "hands=F1W2,F1W3,F1W4/F1W1,F1W2,F1W3"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        # Elementals
        ("elementals", "fire-and-water elementals=x9 to-move=1"),
        ("elementals", "fire-and-water elementals=i4 to-move=1"),
        ("elementals", "fire-and-water elementals=a4 to-move=1"),
        ("elementals", "fire-and-water elementals=c3,c3 to-move=0"),
        ("elementals", "fire-and-water elementals=c3,d4 to-move=0"),
        ("elementals", "fire-and-water elementals=b2,b4,b6,d2 to-move=0"),
        ("elementals", "fire-and-water elementals= to-move=0"),
        ("to-move", "fire-and-water elementals=c3 to-move=0"),
        ("to-move", "fire-and-water elementals=c3 to-move=none"),
        ("to-move", "fire-and-water elementals=c3 to-move=chance"),
        ("to-move", "fire-and-water elementals=c3"),
        ("last", "fire-and-water elementals=c3 last=0 to-move=1"),
        # Nothing comes before the third elemental
        ("markers", "fire-and-water elementals=c3 markers=F1d4W1d5/- to-move=1"),
        ("leaders", "fire-and-water elementals=c3 leaders=a4/- to-move=1"),
        ("tokens", "fire-and-water elementals=c3 tokens=a4/- to-move=1"),
        ("hands", "fire-and-water elementals=c3 hands=F1W1/- to-move=1"),
        # Markers
        ("markers", f"{HERE} markers=F1d4W1d5 to-move=0"),
        ("markers", f"{HERE} markers=F1d4W1d6/- to-move=0"),
        ("markers", f"{HERE} markers=F5d4W1d5/- to-move=0"),
        ("markers", f"{HERE} markers=Ld4/- to-move=0"),
        ("markers", f"{HERE} markers=F1h4W1i4/- to-move=0"),
        ("markers", f"{HERE} markers=F1b1W1b2/- to-move=0"),
        ("markers", f"{HERE} markers=F1d4W1d5/F1d5W1d6 to-move=0"),
        ("markers", f"{HERE} markers=F1d4W1d5,F1a4W1a5/- to-move=0"),
        ("markers", f"{HERE} players=4 markers=F1d4W1d5/-/-/- to-move=0"),
        # Hands
        ("hands", f"{LAID} hands=F1W1,F1W2,F1W3/F1W1,F1W2,F1W3 to-move=0"),  # F1W1 is on the board
        ("hands", f"{LAID} hands=F2W2,F2W2,F1W3/F1W1,F1W2,F1W3 to-move=0"),
        ("hands", f"{LAID} hands=F1W2,F1W3,F1W4,F2W1/F1W1,F1W2,F1W3 to-move=0"),
        ("hands", f"{LAID} hands=F0W2,F1W3,F1W4/F1W1,F1W2,F1W3 to-move=0"),
        ("hands", f"{LAID} hands=F1W2,F1W3/F1W1,F1W2,F1W3 to-move=1"),  # a reveal is due
        ("hands", f"{LAID} hands=F1W2,F1W3,F1W4/F1W1,F1W2 to-move=chance"),  # player 1 has laid nothing
        ("hands", f"{LAID} hands=F1W2/F1W1,F1W2,F1W3 to-move=chance"),  # one at a time
        ("hands", f"{LAID},F1a4W2a5/F1h4W1h5 hands=F1W3,F1W4/F1W2,F1W3 to-move=chance".replace("/-,", ",")),
        ("hands", f"{HERE} players=4 hands=F1W1,F1W2,F1W3/-/-/- to-move=chance"),
        ("hands", f"{HERE} hands=F1W1/F1W1 to-move=chance"),  # player 1's turn to reveal comes later
        ("hands", f"{HERE} hands=F1W1/F1W1,F1W2,F1W3 to-move=chance"),  # and so does that of a whole hand
        ("hands", f"{HERE} players=3 hands=F1W1/F1W1,F1W2,F1W3/F1W1,F1W2,F1W3 to-move=chance"),
        ("hands", f"{HERE} players=3 hands=F1W1,F1W2,F1W3/-/F1W1,F1W2,F1W3 to-move=chance"),
        ("hands", f"{HERE} hands=-/- leaders=a4/- to-move=chance"),  # the setup is over
        ("to-move", f"{LAID} {HANDS} to-move=chance"),
        ("to-move", f"{HERE} to-move=chance"),
        # Leaders
        ("leaders", f"{LAID} leaders=d4/- to-move=0"),
        ("leaders", f"{LAID} leaders=a1/- to-move=0"),
        ("leaders", f"{LAID} leaders=b3/- to-move=0"),
        ("leaders", f"{LAID} leaders=e4/e4 to-move=0"),
        ("leaders", f"{LAID} leaders=e4,e5/- to-move=0"),
        ("leaders", f"{LAID} leaders=i4/- to-move=0"),
        # Tokens
        ("tokens", f"{LAID} tokens=d4/- to-move=0"),
        ("tokens", f"{STAR} tokens=e5/e5 to-move=0"),
        ("tokens", f"{STAR} tokens=e5,e5/- to-move=0"),
        ("tokens", f"{STAR} leaders=e5/- tokens=e5/- to-move=0"),
        ("tokens", f"{STAR} tokens=e9/- to-move=0"),
        ("tokens", f"{STAR.replace('g2', 'e5')} tokens=e5/- to-move=0"),  # claimed without a leader
        ("tokens", f"{FULL} leaders=h5/h6 tokens={TWENTY},g3/- last=1 to-move=none"),
        ("tokens", f"{FULL} leaders=h5/h6 tokens={TWENTY}/{MORE} last=1 to-move=none"),
        # The end
        ("last", f"{FULL} leaders=h5/h6 to-move=0"),
        ("last", f"{OPEN} leaders=h5/h6 last=1 to-move=0"),
        ("last", f"{FULL} leaders=h5/h6 last=2 to-move=0"),
        ("to-move", f"{FULL} leaders=h5/h6 last=1 to-move=1"),
        ("to-move", f"{FULL} leaders=h5/h6 last=1 to-move=chance"),
        ("to-move", f"{OPEN} leaders=h5/h6 to-move=none"),
        ("to-move", f"{OPEN} leaders=h5/h6 tokens={TWENTY}/- to-move=1"),
        ("to-move", f"{FULL} leaders=h5/h6 tokens={TWENTY}/- last=0 to-move=1"),
        ("hands", f"{FULL} leaders=h5/h6 hands=F4W3/F4W3,F4W4 last=0 to-move=1"),  # only one was due
        ("hands", f"{FULL} leaders=h5/h6 hands=F4W3/F4W4 last=1 to-move=0"),
        ("score", f"{LAID} score=3 to-move=0"),
    ],
)
def test_positions_that_cannot_be_are_refused(field: str, text: str) -> None:
    with pytest.raises(PositionError) as refused:
        Position(text)
    assert refused.value.field == field, refused.value


def test_a_dropped_reveal_is_part_of_the_position() -> None:
    """FW-20: the player of the last regular turn may have two revealed markers and some face-down."""
    uneven = _full({"h5", "h6"}, owners="01" * 12 + "0000")
    turn = Position(f"{uneven} leaders=h5/h6 hands=-/F4W1,F4W4 last=1 to-move=0")
    assert Position(turn.text).state.tobytes() == turn.state.tobytes()
    with pytest.raises(PositionError, match="Green has 2 revealed markers, expected 3"):
        Position(turn.text.replace("last=1 to-move=0", "last=0 to-move=1"))


# ── The text board ───────────────────────────────────────────────────────────────────────────────────────────────────

DRAWN = """\
8    ^    ~    ^    ~    ^    ~    ^    ~
7    ~    ^    ~    ^ 0F1~    ^    ~    ^
6    ^    ~    ^    ~ 0W1^    ~    ^    ~
5    ~    ^ 0F1~ 0W4^  E0~ 1W2^ 1F1~    ^
4    ^    ~    ^    ~ 0W3^    ~    ^    ~
3    ~    ^    ~    ^ 0F1~    ^    ~  L1^
2    ^   E~    ^    ~    ^    ~   E^    ~
1    ~    ^    ~    ^    ~    ^    ~    ^
   a    b    c    d    e    f    g    h

^ fire square  ~ water square  0F4 fire 4 of Red  L0 leader  [0] token
E elemental  E0 claimed by Red

            points  tokens left  leader        revealed        face-down
> 0 Red          2           18  on a5         F1W2 F2W1 F2W2         10
  1 Green        0           20  on h3         F1W1 F1W3 F1W4         12

Red places a marker, the leader or a token, or claims an elemental."""


def test_diagram() -> None:
    markers = "F1e7W1e6,F1e3W3e4,F1c5W4d5/F1g5W2f5"
    turn = Position(
        f"fire-and-water board=chessboard elementals=b2,e5,g2 markers={markers} leaders=a5/h3 tokens=e5/- to-move=0"
    )
    assert str(turn) == DRAWN.replace("5    ~", "5  L0~")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fire-and-water elementals=c3 to-move=1", "Green places an elemental; 2 are left."),
        (f"{HERE} hands=F1W1,F1W2,F1W3/- to-move=chance", "Chance: a marker of Green is revealed."),
        (f"{FULL} leaders=h5/h6 last=1 to-move=0", "Red has a last turn: a token or a pass."),
        (
            f"{FULL} finale=claims leaders=h5/h6 last=1 to-move=0",
            "Red has a last turn: a token, a claim or a pass.",
        ),
        (f"{FULL} leaders=h5/h6 last=1 to-move=none", "The game is over: Green wins."),
        (f"{FULL} leaders=-/h6 tokens=-/h5 last=1 to-move=0", "Red has a last turn: a token or a pass."),
    ],
)
def test_diagram_says_what_is_due(text: str, words: str) -> None:
    assert str(Position(text)).splitlines()[-1] == words


def test_diagram_shows_conquests_and_tokens() -> None:
    drawn = str(Position(f"{STAR} leaders=-/e5 tokens=e5/- to-move=1"))
    assert "5    ~    ^ 0F1~ 0W4^ [0]~ 0W2^ 0F1~    ^" in drawn
    assert "  0 Red          0           18  not placed" in drawn
    assert "> 1 Green       -2           20  conquered" in drawn


def test_diagrams_are_80_columns_wide_at_most() -> None:
    for position in random_positions(GAME, 30, seed=6):
        assert max(map(len, str(position).splitlines())) <= 80
