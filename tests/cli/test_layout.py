"""Boxes of a picture in characters."""

from __future__ import annotations

from empedocles.cli.screen.controls import way
from empedocles.cli.screen.layout import Footprint, Rect, Scale, arrange, place
from empedocles.render.picture import Box

BOARD = {f"{column}{row}": Box(40 + 60 * "abc".index(column), 60 * (2 - row)) for column in "abc" for row in (1, 2)}


def diagram(footprint: Footprint) -> str:
    """Each target as a block of the last character of its name."""
    page = [[" "] * footprint.width for _ in range(footprint.height)]
    for target, (left, top, width, height) in footprint.rects.items():
        for row in range(top, top + height):
            page[row][left : left + width] = target[-1] * width
    for label in footprint.labels:
        page[label.top][label.left] = label.text
    return "\n".join("".join(row).rstrip() for row in page)


def test_squares_touch_and_get_coordinates() -> None:
    assert diagram(place(BOARD, {}, Scale(4, 2))) == (
        "2 222222222222\n  222222222222\n1 111111111111\n  111111111111\n   a   b   c"
    )


def test_what_is_far_away_comes_near() -> None:
    far = {"F": Box(40, 150), "X": Box(400, 0, 60, 120)}
    assert diagram(place(BOARD | far, {}, Scale(4, 1))) == (
        "2 222222222222   XXXX\n1 111111111111   XXXX\n   a   b   c\n  FFFF"
    )


def test_narrow_cards_hold_their_text_and_lie_apart() -> None:
    cards = {str(k): Box(22 * k, 0, 20, 30) for k in range(1, 5)}
    assert diagram(place(cards, dict.fromkeys(cards, "Kw"), Scale(4, 1))) == "11 22 33 44"
    wide = {str(k): Box(65 * k, 0) for k in range(3)} | {"b": Box(0, 60, 195)}
    assert diagram(place(wide, {}, Scale(4, 2))) == ("000 1111 2222\n\nbbbbbbbbbbbbb\nbbbbbbbbbbbbb")


def test_the_largest_board_that_fits_is_taken() -> None:
    def make(wide: bool, scale: Scale) -> Footprint:
        return place(BOARD, {}, scale)

    sizes = {size: arrange(make, {"ok": "okay"}, *size) for size in ((160, 50), (60, 12), (40, 12), (20, 5))}
    across = {size: found and found.rects["a1"].width for size, found in sizes.items()}
    assert across == {(160, 50): 11, (60, 12): 9, (40, 12): 5, (20, 5): None}
    for size, found in sizes.items():
        assert found is None or found.rects["ok"].right <= size[0]


def test_arrows_go_to_the_nearest_target() -> None:
    here = Rect(10, 10, 4, 2)
    right, farther, below = Rect(14, 10, 4, 2), Rect(18, 10, 4, 2), Rect(11, 12, 6, 1)
    ways = {name: way(here, rect, "right") for name, rect in (("right", right), ("far", farther))}
    assert ways == {"right": 4.0, "far": 8.0}
    assert way(here, right, "left") is None
    assert way(here, right, "up") is None
    assert way(here, below, "down") == 3.0


def test_a_board_on_its_side_has_letters_beside_it() -> None:
    turned = {name: Box(60 * int(name[1]), 60 * "abc".index(name[0])) for name in BOARD}
    assert diagram(place(turned, {}, Scale(4, 1))) == "a 11112222\nb 11112222\nc 11112222\n   1   2"
