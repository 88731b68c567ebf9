"""All deals, solved: stored values against the game's solver, and the program that made them against it, too."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import solve_deals
from conftest import INTERPRETED

import empedocles
from empedocles import Match
from empedocles.errors import BadValue
from empedocles.games.elemental_defenders import GAME, deals
from empedocles.games.elemental_defenders.lookups import CARDS, HAND, NEONATE_OF_WATER
from empedocles.games.elemental_defenders.solver import Solver, value
from empedocles.search.exact import solve

pytestmark = pytest.mark.skipif(
    INTERPRETED, reason="solving whole deals takes minutes interpreted; the solver's own tests run so"
)
SAMPLE = 40
EQUAL, ONE = (solve_deals.NOBODY, solve_deals.BOTH), (solve_deals.ATTACKER, solve_deals.DEFENDER)


def test_deals_are_numbered() -> None:
    hands = [deals.hand_of(n) for n in range(0, deals.DEALS, 997)]
    assert [deals.number_of(hand) for hand in hands] == list(range(0, deals.DEALS, 997))
    assert all(hand.bit_count() == HAND and hand >> NEONATE_OF_WATER & 1 for hand in hands)
    assert deals.DEALS == 92_378


@pytest.mark.parametrize("hand", [0, 0b11_1111_1111, 1 << NEONATE_OF_WATER])
def test_a_hand_that_does_not_attack_first_is_refused(hand: int) -> None:
    with pytest.raises(BadValue, match="the first attacker has ten cards, among them the Neonate of Water"):
        deals.number_of(hand)


def test_stored_values_are_those_of_the_solver() -> None:
    assert not solve_deals.check(SAMPLE, seed=7)


@pytest.mark.long
def test_two_solvers_agree_on_two_thousand_deals() -> None:
    assert not solve_deals.check(2000, seed=8)


@pytest.mark.parametrize("mode", deals.MODES)
def test_a_planted_error_is_found(mode: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    number = np.random.default_rng(9).choice(deals.DEALS, 2, replace=False)[1]
    tables = {name: table.copy() for name, table in deals.tables().items()}
    tables[mode][number, 3] += 1
    monkeypatch.setattr(deals, "table", tables.__getitem__)
    assert solve_deals.check(2, seed=9) == 1
    assert f"{mode} deal {number}: stored" in capsys.readouterr().out


def hands_of(mine: int, theirs: int, luck: random.Random) -> tuple[int, int]:
    cards = luck.sample(range(CARDS), mine + theirs)
    return sum(1 << card for card in cards[:mine]), sum(1 << card for card in cards[mine:])


@pytest.mark.parametrize("challenges", [False, True])
def test_working_backwards_and_looking_ahead_agree(challenges: bool) -> None:
    luck, most = random.Random(5), 4
    equal = {mediators: solve_deals.equal_hands(mediators, challenges, most) for mediators in EQUAL}
    for mediators, values in equal.items():
        for _ in range(50):
            mine, theirs = hands_of(most, most, luck)
            number = solve_deals.number(mine, theirs, solve_deals.COUNT[CARDS - most, most])
            assert values[number] == ahead(mine, theirs, 3 * (mediators == solve_deals.BOTH), challenges)


def test_both_agree_where_one_player_has_a_mediator() -> None:
    luck = random.Random(6)
    values = solve_deals.one_mediator(4)
    for _ in range(100):
        mine, theirs = hands_of(4, 5, luck)
        number = solve_deals.number(mine, theirs, solve_deals.COUNT[CARDS - 4, 5])
        assert values[number] == ahead(mine, theirs, 1, challenges=True)


def ahead(mine: int, theirs: int, mediators: int, challenges: bool) -> int:
    """The value by the game's solver, in some deal that leads there; the attacker has role 0."""
    rest = [card for card in range(CARDS) if not (mine | theirs) >> card & 1]
    dealt = mine | sum(1 << card for card in rest[: HAND - mine.bit_count()])
    solver = Solver(dealt, 1, int(challenges), 0)
    hand, other = (solver.hand(role, np.uint64(cards)) for role, cards in enumerate((mine, theirs)))
    return int(value(solver.deal, solver.memo, hand, other, 0, mediators))


@pytest.mark.parametrize("mode", deals.MODES)
def test_the_best_first_move_is_the_value_of_the_round(mode: str) -> None:
    for seed in range(SAMPLE):
        position = empedocles.new("elemental-defenders", mode=mode, seed=seed).position
        hand = int(position.state.hands[position.state.mover])
        facts = solve(position).facts
        assert deals.table(mode)[deals.number_of(hand)].max() == facts["lead in the rest of this round"]


@pytest.mark.parametrize("mode", deals.MODES)
def test_what_is_known_is_said_before_the_first_move_of_each_round(mode: str) -> None:
    match = finished(mode)
    said = [position for position in match.positions() if deals.known(position.state)]
    assert [int(position.state.second) for position in said] == [0, 1]
    row = deals.table(mode)[deals.number_of(int(said[0].state.hands[said[0].state.mover]))]
    words = solve(said[0]).known
    assert words
    assert f"Of {len(row)} first moves" in words.say()
    assert str(abs(int(row.max()))) in words.say("de")


def finished(mode: str) -> Match:
    match, luck = empedocles.new("elemental-defenders", mode=mode, seed=4), random.Random(4)
    while not match.is_over:
        match.play(luck.choice(match.legal_moves))
    return match


@pytest.mark.parametrize("options", [{"mode": "mediators"}, {"mode": "challenge"}, {"answer": "either"}])
def test_nothing_is_known_of_other_readings(options: dict[str, str]) -> None:
    assert deals.known(empedocles.new("elemental-defenders", seed=4, **options).position.state) is None


def test_a_damaged_file_is_told_once_and_hurts_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "deals.xz"
    deals.write({name: table + np.int16(name == "basic") for name, table in deals.tables().items()}, damaged)
    deals.read(damaged)  # another table is no damage
    damaged.write_bytes(damaged.read_bytes()[:-40])
    with pytest.raises(BadValue, match=r"deals\.xz cannot be read"):
        deals.read(damaged)
    monkeypatch.setattr(deals, "tables", lambda: deals.read(damaged))
    deals.is_stored.cache_clear()
    state = empedocles.new("elemental-defenders", seed=4).position.state
    with pytest.warns(UserWarning, match="is shown without its solution"):
        assert deals.known(state) is None
    assert deals.known(state) is None
    deals.is_stored.cache_clear()


def test_the_summary_counts_the_tables() -> None:
    basic = deals.table("basic")
    best = basic.max(axis=1)
    said = " ".join(message.say() for message in deals.summary())
    assert GAME.solve
    assert GAME.solve.summary is deals.summary
    assert f"{deals.share((best > 0).mean())} of the deals" in said
    with_mystic = [n for n in range(deals.DEALS) if deals.hand_of(n) & 1]  # of Earth: the first card of its hand
    assert (basic[with_mystic, 0] == best[with_mystic]).mean() == pytest.approx(deals.often_right("basic")[0])
