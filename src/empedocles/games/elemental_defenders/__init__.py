"""Elemental Defenders: a duel of two open hands, where every attack must be answered in kind."""

from pathlib import Path

from empedocles.game import ExactSolver, Game, Option
from empedocles.games.elemental_defenders import (
    advice,
    components,
    concepts,
    deals,
    lookups,
    moves,
    observation,
    picture,
    readings,
    rules,
    solver,
    text,
)
from empedocles.games.elemental_defenders.reasons import reason
from empedocles.language import mark as _

GAME = Game(
    name="elemental-defenders",
    title="Elemental Defenders",
    authors="Marcelo Paschoalin",
    credits=_("A game by Marcelo Paschoalin, inspired by G. Capellen's Mate, as described by Sid Sackson."),
    summary=_("Find the attack that cannot be answered in kind, as late and with as much virtue as you dare."),
    rules_version=1,
    options=(
        Option(_("mode"), tuple(text.MODES), "advanced"),
        Option(_("answer"), text.ANSWERS, "element", is_reading=True),
    ),
    seats=(2,),
    has_chance=True,
    has_teams=False,
    max_legal=rules.MAX_LEGAL,
    # Ten cards are dealt. A round is longest when one player alone has a mediator: two choices and ten exchanges.
    max_plies=lookups.HAND + 2 * (2 + 2 * lookups.HAND),
    moves=lookups.MOVES,
    rules=rules.RULES,
    encode=text.encode,
    decode=text.decode,
    describe=text.describe,
    restore=text.restore,
    diagram=text.diagram,
    reason=reason,
    folder=Path(__file__).parent,
    # In positions of weak play, four of five leads under best play are below 100 points.
    solve=ExactSolver(solver.values, solver.facts, 100, deals.known, deals.summary, solver.solved, solver.ROOM),
    advice=advice.ADVICE,
    view=observation.VIEW,
    interface=moves.INTERFACE,
    dangers=concepts.DANGERS,
    concepts=concepts.CONCEPTS,
    drawing=picture.DRAWING,
    printing=components.PRINTING,
    readings=readings.READINGS,
    endings=readings.ENDINGS,
)
