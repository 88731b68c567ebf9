"""What a choice would place is what its move places, and nothing else."""

from __future__ import annotations

import re

import pytest

import empedocles
from empedocles.games import GAMES
from empedocles.play.ghosts import ghost
from empedocles.play.partial import Partial
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.testing.samples import random_match


def shown(position: Position, *targets: str) -> str:
    return ghost(Partial(position, targets), Look())


def used(markup: str) -> list[str]:
    """The names of the artwork."""
    return re.findall(r'href="#\W?([\w-]+)"', markup)


def test_an_element_is_seen_on_its_square_but_not_in_the_supply() -> None:
    start = empedocles.new("ignite-and-flow").position
    assert used(shown(start, "F", "c3")) == ["fire"]
    assert shown(start, "F") == ""


def test_a_reaction_shows_the_land_that_rises() -> None:
    position = empedocles.new("ignite-and-flow").play("Fc3", "Wd3").position
    assert used(shown(position, "c3", "d3")) == ["earth", "earth"]


def test_a_card_hides_what_lies_below_it() -> None:
    match = random_match(GAMES["elemental-defenders"], {"mode": "basic"}, seed=1)
    attack, answer = (shown(match.at(ply), match.moves[ply]) for ply in (22, 23))
    assert attack.startswith("<rect ")
    assert answer.startswith("<rect ")
    assert "<rect " not in shown(empedocles.new("ignite-and-flow").position, "F", "c3"), "a square stays in view"


def test_what_depends_on_further_targets_is_not_shown() -> None:
    chain = Position("ignite-and-flow board=6/6/6/1WEF2/2W2W/1W4 to-move=0")
    open_ones = [target for target in Partial(chain, ("d3",)).targets if not Partial(chain, ("d3", target)).whole]
    assert open_ones
    assert not any(shown(chain, "d3", target) for target in open_ones)


def test_of_a_marker_the_half_is_seen_that_is_placed_then_both() -> None:
    match = empedocles.new("fire-and-water", seed=1)
    while not any(target.startswith("F") for target in Partial(match.position).targets):
        match.play(match.legal_moves[0])
    marker = next(target for target in Partial(match.position).targets if target.startswith("F"))
    first = Partial(match.position, (marker,)).targets[5]
    half = shown(match.position, marker, first)
    assert half.startswith("<svg "), "seen through the square of this half"
    second = Partial(match.position, (marker, first)).targets[0]
    whole = shown(match.position, marker, first, second)
    assert not whole.startswith("<svg ")
    assert whole in half or len(used(whole)) == len(used(half))


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_move_that_places_something_shows_it(name: str) -> None:
    match = random_match(GAMES[name], {}, seed=2)
    for ply in range(0, match.plies, 7):
        position = match.at(ply)
        if position.to_move in (None, empedocles.CHANCE):
            continue
        for move in position.legal_moves[::5]:
            path = match.game.paths[match.game.action_of[move]]
            targets = tuple(target for group in path for target in sorted(group))
            places = any(target in match.game.sheet(position.play(move).state, Look()).boxes for target in targets)
            buttons = {"pass", "-", "no-mediator"} & set(targets)
            assert bool(shown(position, *targets)) == (places and not buttons), f"{move} in {position}"
