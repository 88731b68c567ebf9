"""Stones: the smallest game that fulfils the contract. Copy this folder to start a game of your own."""

from pathlib import Path

from empedocles.game import Game, Option
from stones import concepts, lookups, rules, text
from stones.reasons import reason

GAME = Game(
    name="stones",
    title="Stones",
    authors="tradition",
    summary="Take the last stone.",
    rules_version=1,
    options=(Option("heap", tuple(lookups.HEAPS), "small"),),
    seats=(2,),
    has_chance=False,
    has_teams=False,
    max_legal=lookups.MOST,
    max_plies=21,  # one stone at a time from the large heap
    moves=lookups.MOVES,
    rules=rules.RULES,
    encode=text.encode,
    decode=text.decode,
    describe=text.describe,
    restore=text.restore,
    diagram=text.diagram,
    reason=reason,
    concepts=concepts.CONCEPTS,
    dangers=concepts.DANGERS,
    folder=Path(__file__).parent,
)
