"""Refusals over a thousand random positions of each game: always a rule and a sentence about what is wrong here."""

from __future__ import annotations

import random
import re
from collections import defaultdict

from conftest import INTERPRETED

from empedocles.game import Game
from empedocles.testing.contract import rule_ids
from empedocles.testing.samples import random_positions

POSITIONS = 30 if INTERPRETED else 1000
EACH_KIND = 4  # actions tried of each kind of move, in each position

# Random play never reaches these refusals; each game's own tests build positions for them.
RARE = {
    "fire-and-water": {"FW-19"},
    "elemental-defenders": {"ED-18"},
    "ignite-and-flow": {"IF-16"},
    "points-of-power": {"PP-9", "PP-14", "PP-15", "PP-16", "PP-17"},
}


def kinds(game: Game) -> list[list[int]]:
    """Action numbers by the form of their text: squares, values and cards do not count."""
    groups = defaultdict(list)
    for action, move in enumerate(game.moves):
        groups[re.sub(r"[A-Z][a-z]$|[a-l]\d+|(?<=[FW])\d", "·", move)].append(action)
    return list(groups.values())


def sources(game: Game) -> str:
    return (game.folder / "reasons.py").read_text(encoding="utf-8")


def test_every_refusal_names_a_rule_and_every_refusing_rule_occurs(game: Game) -> None:
    rng = random.Random(1)
    book, groups = set(rule_ids(game)), kinds(game)
    seen: set[str] = set()
    refused = 0
    for position in random_positions(game, POSITIONS, seed=18):
        legal = set(position.legal_actions)
        for group in groups:
            for action in rng.sample(group, min(EACH_KIND, len(group))):
                why = position.reason(action)
                assert (why is None) == (action in legal), (game.moves[action], why, position)
                if why is not None:
                    assert why.rule in book
                    assert why.say("en")
                    seen.add(why.rule)
                    refused += 1
    assert refused > POSITIONS
    if not INTERPRETED:
        possible = set(re.findall(r'"([A-Z]{2}-\d+)"', sources(game)))
        assert possible - seen <= RARE[game.name], "rules that reasons.py can name but that never refused a move"


def test_there_is_no_catch_all(game: Game) -> None:
    """A sentence that names no cell, card or number is about the moment: it is said of every move of that kind."""
    rng = random.Random(2)
    for position in random_positions(game, POSITIONS // 4, seed=23):
        for group in kinds(game):
            why = [position.reason(action) for action in rng.sample(group, min(EACH_KIND, len(group)))]
            plain = {reason.message.text for reason in why if reason and not reason.message.values}
            assert not plain or all(reason and reason.message.text in plain for reason in why), (position, why)
