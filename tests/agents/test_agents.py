"""Agents: each chooses a legal move and says what it thinks, on one scale."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from empedocles import BadValue, UnknownName, agents, new
from empedocles.agents import AGENTS, LadderAgent, RandomAgent, SearchAgent, find
from empedocles.game import Game, Opponent
from empedocles.games import GAMES
from empedocles.play.arena import Contest, Tally, play
from empedocles.search.exact import solve
from empedocles.search.limits import Limit
from empedocles.testing.samples import all_options, random_match

LIMIT = Limit(simulations=50)


@pytest.mark.parametrize("name", list(AGENTS))
def test_agents_choose_legal_moves_and_are_repeatable(name: str, game: Game) -> None:
    position = new(game.name, seed=2).position
    move = find(name, seed=4).choose(position, LIMIT)
    assert move in position.legal_moves
    assert find(name, seed=4).choose(position, LIMIT) == move
    found = find(name, seed=4).analyse(position, LIMIT)
    assert sorted(evaluation.move for evaluation in found) == position.legal_moves
    assert all(-1 <= evaluation.value <= 1 for evaluation in found)


def test_where_a_game_is_solved_the_search_agent_proves() -> None:
    position = new("elemental-defenders", seed=2).position
    found = find("search").analyse(position, LIMIT)
    assert all(evaluation.proven for evaluation in found)
    assert {evaluation.move: evaluation.points for evaluation in found} == solve(position).moves
    assert {evaluation.value for evaluation in found} <= {-1, 0, 1}


def test_no_opponent_gains_against_exact_play() -> None:
    for seed in range(4):
        match = new("elemental-defenders", seed=seed)
        agents = [find("search"), find("random", seed)]
        while not match.is_over:
            assert match.to_move is not None
            match.play(agents[match.to_move].choose(match.position, LIMIT))
        assert match.result is not None
        assert match.result.scores[0] >= match.result.scores[1]


@pytest.mark.parametrize("name", ["hal", "alphabeta"])
def test_unknown_agents_are_refused_with_what_exists(name: str) -> None:
    with pytest.raises(UnknownName, match=rf"unknown agent '{name}': there are random, search.*level-8"):
        find(name)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x", None, True])
def test_seeds_that_are_none_are_refused(seed: Any) -> None:
    for name in ("random", "search", "level-3"):
        with pytest.raises(BadValue, match=r"a seed is a whole number from 0 to 2\*\*64 - 1, not"):
            find(name, seed)


@pytest.mark.parametrize("name", [None, 5, b"random", ["random"]])
def test_names_that_are_no_text_are_refused(name: Any) -> None:
    with pytest.raises(BadValue, match="the name of an agent is text, not"):
        find(name)


@pytest.mark.parametrize("limit", [{"simulations": 1.5}, {"depth": 2.5}, {"simulations": True}, {"depth": "3"}])
def test_limits_that_are_counted_are_whole_numbers(limit: dict[str, Any]) -> None:
    with pytest.raises(BadValue, match="is a whole number above 0, not"):
        Limit(**limit)


@pytest.mark.parametrize("name", [*AGENTS, "level-1"])
def test_nobody_chooses_in_a_finished_game(name: str, game: Game) -> None:
    position = random_match(game, all_options(game)[0], seed=1).position
    for ask in (find(name).choose, find(name).analyse):
        with pytest.raises(BadValue, match="the game is over"):
            ask(position, LIMIT)


def test_an_agent_can_be_made_known(monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict(agents.all_agents())
    monkeypatch.setattr(agents, "all_agents", lambda: known)
    agents.add("Shy", RandomAgent)
    assert isinstance(find("shy", 3, GAMES["ignite-and-flow"]), RandomAgent)
    agents.add("shy", RandomAgent)  # the same again does no harm
    with pytest.raises(UnknownName, match="there is already an agent 'shy'"):
        agents.add("shy", SearchAgent)
    with pytest.raises(UnknownName, match="there is already an agent 'gnome'"):
        agents.add("gnome", RandomAgent)


# ── The ladder ───────────────────────────────────────────────────────────────────────────────────────────────────────


def opponents(game: Game) -> tuple[Opponent, ...]:
    assert game.advice is not None
    return game.advice.opponents


def test_every_game_has_eight_named_opponents_and_names_are_unique() -> None:
    names = [opponent.name for game in GAMES.values() for opponent in opponents(game)]
    assert len(names) == 8 * len(GAMES)
    assert len(set(names)) == len(names)
    assert not {name.lower() for name in names} & set(AGENTS)


def test_opponents_misjudge_and_overlook_less_from_level_to_level(game: Game) -> None:
    for weaker, stronger in pairwise(opponents(game)):
        assert stronger.learnt >= weaker.learnt
        if stronger.learnt == weaker.learnt:  # whoever judges better may search less
            assert stronger.simulations >= weaker.simulations
        assert stronger.noise <= weaker.noise
        assert stronger.overlooks <= weaker.overlooks
        assert stronger != weaker._replace(name=stronger.name)
    top = opponents(game)[-1]
    assert (top.noise, top.overlooks, top.form) == (0, 0, 0), "the strongest sees all"


@pytest.mark.parametrize("level", range(1, 9))
def test_opponents_choose_legal_moves_and_are_repeatable(level: int, game: Game) -> None:
    """With a limit of simulations, what an opponent does depends on its seed and the position alone."""
    name = opponents(game)[level - 1].name
    for options in all_options(game):
        match = random_match(game, options, seed=level, plies=20)
        moves = [find(who, seed=4).choose(match.position, Limit(simulations=300)) for who in (name, f"level-{level}")]
        assert moves[0] == moves[1]
        assert moves[0] in match.legal_moves
        used = find(name, seed=4)
        used.choose(new(game.name, seed=1).position, Limit(simulations=50))
        assert used.choose(match.position, Limit(simulations=300)) == moves[0], "whatever it was asked before"


def test_another_seed_is_another_mind(game: Game) -> None:
    position = random_match(game, all_options(game)[0], seed=5, plies=14).position
    assert len({find("level-1", seed).choose(position, LIMIT) for seed in range(20)}) > 1


def test_stronger_opponents_beat_weaker_ones(game: Game) -> None:
    contest = Contest(game.name, game.complete({}), ("level-1", "level-5"), Limit(simulations=3000), seed=2)
    tally = Tally(contest, [play(contest, task) for task in contest.tasks(6)])
    assert tally.points[1, 0] >= 5


def test_names_are_those_of_one_game() -> None:
    flow = GAMES["ignite-and-flow"]
    with pytest.raises(
        UnknownName, match=r"unknown agent 'Gnome' in Ignite and Flow: there are random.*pebble.*krakatoa"
    ):
        find("Gnome", game=flow)
    with pytest.raises(UnknownName, match=r"this opponent plays points-of-power alone; Ignite and Flow has Pebble"):
        find("Gnome").choose(new(flow.name).position, LIMIT)
    assert find("PEBBLE", game=flow).choose(new(flow.name).position, LIMIT)
    assert find("level-1", game=flow).choose(new(flow.name).position, LIMIT)


def test_a_game_without_opponents_says_so() -> None:
    with pytest.raises(UnknownName, match="has no opponent of level 9: there are Spark"):
        LadderAgent(9).choose(new("fire-and-water", seed=1).position, LIMIT)


def test_one_move_can_be_judged_by_itself(game: Game) -> None:
    position = new(game.name, seed=2).position
    move = position.legal_moves[-1]
    found = SearchAgent().judge(position, move, Limit(simulations=200))
    assert found.move == move
    assert -1 <= found.value <= 1
