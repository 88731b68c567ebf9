"""What learning programs see of Elemental Defenders: everything; and no two cards are alike."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from empedocles import Position
from empedocles.core.kernel import Planes
from empedocles.game import Symmetry
from empedocles.games.elemental_defenders import GAME
from empedocles.games.elemental_defenders.lookups import (
    ACTIONS,
    CARD,
    CARDS,
    CHALLENGE,
    DEAL,
    ELEMENTS,
    LEVELS,
    MEDIATOR,
    NAMES,
    NO_MEDIATOR,
)
from empedocles.games.elemental_defenders.observation import MOST_POINTS, PLANES, VIEW, symmetries
from empedocles.testing.samples import all_options, random_positions
from empedocles.testing.views import check_symmetries, check_view

TIE = Position(
    "elemental-defenders dealt=MeWePeKeNeMfWfPfKfNf round=2 hands=-/- mediators=-/- scores=0/44 to-move=none"
)
DECK = np.arange(CARDS).reshape(len(LEVELS), len(ELEMENTS))


class Seen:
    """The planes of a seat, by name; of what belongs to a player, by the player's seat."""

    def __init__(self, planes: Planes, seat: int) -> None:
        self._planes = dict(zip((plane.name for plane in PLANES), planes, strict=True))
        self._whose = ("their", "my") if seat else ("my", "their")

    def cards(self, player: int, name: str) -> str:
        plane = self._planes[f"{self._whose[player]} {name}"]
        assert set(np.unique(plane).tolist()) <= {0, 1}
        return "".join(NAMES[card] for card in np.flatnonzero(plane)) or "-"

    def number(self, name: str, largest: int = 1) -> int:
        """A count, or a flag, which is the same for all cards."""
        plane = self._planes[name]
        assert len(np.unique(plane)) == 1
        return round(float(plane[0, 0]) * largest)

    def points(self, player: int) -> int:
        return self.number(f"{self._whose[player]} points", MOST_POINTS)

    def mediator(self, player: int) -> str:
        undecided = self.number(f"{self._whose[player]} mediator undecided")
        return "?" if undecided else self.cards(player, "mediator")

    def led(self) -> str:
        attacks = {self.cards(player, "attack") for player in range(2)} - {"-"}
        assert len(attacks) <= 1
        return (attacks.pop() if attacks else "-") + "!" * (self.number("challenge", 4) >= 3)

    def options(self) -> dict[str, str]:
        mode = ("basic", "challenge", "mediators", "advanced")[self.number("advanced", 3)]
        return {"mode": mode, "answer": "either" if self.number("challenge", 4) in (1, 3) else "element"}


def text_of(seen: Seen, seat: int) -> str:
    """The position, from what a seat sees."""
    second = seen.number("second round")
    ended, dealing = seen.number("match over"), seen.number("deal")
    fields = {
        **seen.options(),
        "dealt": seen.cards(second, "cards"),
        "round": second + 1,
        "hands": "/".join(seen.cards(player, "hand") for player in range(2)),
        "mediators": "/".join(seen.mediator(player) for player in range(2)),
        "led": seen.led(),
        "scores": "/".join(str(seen.points(player)) for player in range(2)),
        "to-move": "none" if ended else "chance" if dealing else seat if seen.number("my turn") else 1 - seat,
    }
    return " ".join([GAME.name, *(f"{name}={value}" for name, value in fields.items())])


def test_the_whole_position_is_in_the_planes_of_either_seat() -> None:
    for position in [TIE, *random_positions(GAME, 200, seed=4)]:
        for seat in range(2):
            assert Position(text_of(Seen(position.observe(seat), seat), seat)) == position


@pytest.mark.parametrize("mode", ["basic", "mediators", "challenge", "advanced"])
@pytest.mark.parametrize("answer", ["element", "either"])
def test_the_options_are_in_the_planes_before_the_deal(mode: str, answer: str) -> None:
    start = Position.start(GAME, {"mode": mode, "answer": answer})
    assert Seen(start.observe(0), 0).options() == {"mode": mode, "answer": answer}


def test_answer_either_does_not_hide_a_challenge() -> None:
    deal = "elemental-defenders answer=either dealt=MaWeWfWaPfPwKeKfKwNw mediators=-/-"
    for position in (Position(f"{deal} led=Ma! to-move=1"), Position(f"{deal} led=Ma to-move=1")):
        assert Position(text_of(Seen(position.observe(1), 1), 1)) == position


def test_cards_lie_by_level_and_element() -> None:
    position = Position.start(GAME, {"mode": "basic"}).play("+Mw").play("+We")
    assert np.argwhere(position.observe(0)[0]).tolist() == [[0, 3], [1, 0]]
    assert np.array_equal(position.observe(1)[1], position.observe(0)[0])


def test_contract_of_views() -> None:
    check_view(GAME)


def relabelled(name: str, images: list[int], seats: tuple[int, int] = (0, 1)) -> Symmetry:
    """What would be a symmetry if each card could stand for another one."""
    actions = np.arange(ACTIONS)
    for kind, end in ((DEAL, MEDIATOR), (MEDIATOR, NO_MEDIATOR), (CARD, CHALLENGE), (CHALLENGE, ACTIONS)):
        actions[kind:end] = kind + np.array(images[: end - kind])
    return symmetries({})[0]._replace(name=name, cells=np.argsort(images), actions=actions, seats=seats)


def exchanged(axis: int, one: int, other: int) -> list[int]:
    order = np.arange(DECK.shape[axis])
    order[[one, other]] = other, one
    return DECK.take(order, axis).ravel().tolist()


# Neighbours are told apart by fewer exchanges than others.
UNTRUE = [relabelled("seats", list(range(CARDS)), (1, 0))]
for _axis, _names in enumerate((LEVELS, ELEMENTS)):
    for _one, _other in itertools.pairwise(range(len(_names))):
        UNTRUE.append(relabelled(f"{_names[_one]} and {_names[_other]}", exchanged(_axis, _one, _other)))


@pytest.mark.parametrize("symmetry", UNTRUE, ids=lambda symmetry: symmetry.name)
def test_neither_seats_nor_levels_nor_elements_can_change_places(symmetry: Symmetry) -> None:
    view = VIEW._replace(symmetries=lambda options: (*symmetries(options), symmetry))
    for options in all_options(GAME):
        with pytest.raises(AssertionError):
            check_symmetries(replace(GAME, view=view), options, matches=6)
