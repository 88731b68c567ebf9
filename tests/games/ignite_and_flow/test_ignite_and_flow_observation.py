"""What learning programs see of Ignite and Flow: everything, and only symmetries that the rules have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from empedocles import Position
from empedocles.core.kernel import Planes
from empedocles.game import Symmetry
from empedocles.games.ignite_and_flow import GAME
from empedocles.games.ignite_and_flow.lookups import SIZE
from empedocles.games.ignite_and_flow.observation import PLANES, VIEW, symmetries
from empedocles.games.ignite_and_flow.rules import PATIENCE, TEMPLES
from empedocles.testing.samples import random_positions
from empedocles.testing.views import check_symmetries, check_view

ALL: dict[str, object] = {"reactions": "all"}
LITERAL: dict[str, object] = {"reactions": "literal"}
LAST_CHOICE = Position("ignite-and-flow board=6/6/6/6/6/3TEE taken=1/1 quiet=40 due=temple to-move=0")


class Seen:
    """The planes of a seat, by name."""

    def __init__(self, planes: Planes) -> None:
        self._planes = dict(zip((plane.name for plane in PLANES), planes, strict=True))

    def where(self, name: str) -> set[tuple[int, int]]:
        """Rows and columns of the squares with a 1."""
        plane = self._planes[name]
        assert set(np.unique(plane).tolist()) <= {0, 1}
        return set(zip(*(axis.tolist() for axis in plane.nonzero()), strict=True))

    def number(self, name: str, largest: int = 1) -> int:
        """A count, or a flag, which is the same on all squares."""
        plane = self._planes[name]
        assert len(np.unique(plane)) == 1
        return round(float(plane[0, 0]) * largest)


def text_of(seen: Seen, seat: int) -> str:
    """The position, from what a seat sees."""
    mover = "none" if seen.number("game over") else str(seat if seen.number("my turn") else 1 - seat)
    mine, theirs = (str(seen.number(f"{whose} temples taken", TEMPLES)) for whose in ("my", "their"))
    fields = {
        **readings_of(seen),
        "board": board_of(seen, seat),
        "taken": f"{theirs}/{mine}" if seat else f"{mine}/{theirs}",
        "quiet": seen.number("actions without progress", PATIENCE),
        "due": "temple" if seen.number("temple choice") else "action",
        "to-move": mover,
    }
    return " ".join([GAME.name, *(f"{name}={value}" for name, value in fields.items())])


def readings_of(seen: Seen) -> dict[str, str]:
    """The four options, from the one plane that has them all."""
    number = seen.number("literal reactions", 96)
    reactions, others = ("literal", 96 - number) if number > 72 else divided(number, 48, ("all", "orthogonal"))
    chain, others = divided(others, 12, ("any", "middle"))
    flow, others = divided(others, 3, ("straight", "bent", "split", "free"))
    scorch = ("any", "exact", "touching")[others]
    return {"reactions": reactions, "chain": chain, "flow": flow, "scorch": scorch}


def divided(number: int, by: int, words: tuple[str, ...]) -> tuple[str, int]:
    return words[number // by], number % by


def board_of(seen: Seen, seat: int) -> str:
    temples = "tT" if seat else "Tt"
    planes = zip(("fire", "water", "earth", "desert", "my temples", "their temples"), f"FWED{temples}", strict=True)
    letters = {square: letter for name, letter in planes for square in seen.where(name)}
    assert seen.where("empty") == {(row, column) for row in range(SIZE) for column in range(SIZE)} - letters.keys()
    rows = ("".join(letters.get((row, column), "1") for column in range(SIZE)) for row in reversed(range(SIZE)))
    return "/".join(rows)


def test_the_whole_position_is_in_the_planes_of_either_seat() -> None:
    for position in [LAST_CHOICE, *random_positions(GAME, 120, seed=4)]:
        for seat in range(2):
            seen = Seen(position.observe(seat))
            assert Position(text_of(seen, seat)) == position
            for owner, whose in ((seat, "my"), (1 - seat, "their")):
                lost = int(position.state.taken[1 - owner])
                unused = seen.number(f"{whose} temples unused", TEMPLES)
                assert unused == TEMPLES - lost - len(seen.where(f"{whose} temples"))


def test_a_seat_sees_its_own_land_and_that_of_the_opponent() -> None:
    position = Position("ignite-and-flow board=TEF3/1EF3/EFF3/6/2TEt1/E5 to-move=0")
    shared = {(1, 2), (1, 3), (1, 4)}
    white, black = shared | {(5, 0), (5, 1), (4, 1)}, shared
    for seat, mine, theirs in ((0, white, black), (1, black, white)):
        seen = Seen(position.observe(seat))
        assert seen.where("my land") == mine
        assert seen.where("their land") == theirs


def test_contract_of_views() -> None:
    check_view(GAME)


def test_all_turns_of_the_board_are_symmetries_unless_rows_and_columns_differ() -> None:
    assert len(symmetries(ALL)) == 8
    assert len(symmetries(LITERAL)) == 4
    assert len(symmetries({"reactions": "orthogonal"})) == 8


def test_symmetries_have_the_actions_that_the_options_use() -> None:
    for options in GAME.variants():
        used = GAME.actions_with(options)
        assert all(sorted(found.actions) == list(range(used)) for found in symmetries(options))


def test_readings_leave_the_observations_of_others_as_they_were() -> None:
    assert not Position.start(GAME, ALL).observe()[-1].any()
    assert (Position.start(GAME, LITERAL).observe()[-1] == 1).all()


UNTURNED, *_, TURNED = symmetries(ALL)
UNTRUE = {
    "rows and columns differ": (LITERAL, TURNED),
    "squares alone": (ALL, TURNED._replace(actions=UNTURNED.actions)),
    "moves alone": (ALL, TURNED._replace(cells=UNTURNED.cells)),
    "White begins": (ALL, UNTURNED._replace(seats=(1, 0))),
}


@pytest.mark.parametrize(("options", "symmetry"), UNTRUE.values(), ids=UNTRUE)
def test_what_is_no_symmetry_is_refused(options: dict[str, object], symmetry: Symmetry) -> None:
    view = VIEW._replace(symmetries=lambda _: (UNTURNED, symmetry))
    with pytest.raises(AssertionError):
        check_symmetries(replace(GAME, view=view), options)
