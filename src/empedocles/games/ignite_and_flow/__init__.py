"""Ignite and Flow: two players turn fire and water into land for their temples."""

from pathlib import Path

from empedocles.game import Game, Option
from empedocles.games.ignite_and_flow import (
    advice,
    components,
    concepts,
    lookups,
    moves,
    observation,
    picture,
    readings,
    rules,
    text,
)
from empedocles.games.ignite_and_flow.reasons import reason
from empedocles.language import mark as _

GAME = Game(
    name="ignite-and-flow",
    title="Ignite and Flow",
    authors="Raphael Maenle",
    credits=_("A game by Raphael Maenle. Its rules name nobody: his name was handed to us together with them."),
    summary=_("Let fire and water react into land, and place temples on it before the other does."),
    rules_version=1,
    options=(
        Option(_("reactions"), text.REACTIONS, "all"),  # also a reading, but named in all texts and records
        Option(_("chain"), text.CHAINS, "any", is_reading=True),
        Option(_("flow"), text.FLOWS, "straight", is_reading=True),
        Option(_("scorch"), text.SCORCHES, "any", is_reading=True),
    ),
    seats=(2,),
    has_chance=False,
    has_teams=False,
    max_legal=rules.MAX_LEGAL,
    # Progress is at most 36 squares filled, 36 deserts, 6 temples placed and 6 destroyed, each within 40 actions of the
    # one before; every action may be followed by a temple choice.
    max_plies=2 * rules.PATIENCE * (36 + 36 + 6 + 6 + 1),
    moves=lookups.MOVES,
    rules=rules.RULES,
    encode=text.encode,
    decode=text.decode,
    describe=text.describe,
    restore=text.restore,
    diagram=text.diagram,
    reason=reason,
    folder=Path(__file__).parent,
    advice=advice.ADVICE,
    view=observation.VIEW,
    interface=moves.INTERFACE,
    dangers=concepts.DANGERS,
    concepts=concepts.CONCEPTS,
    drawing=picture.DRAWING,
    printing=components.PRINTING,
    readings=readings.READINGS,
    endings=readings.ENDINGS,
    used_actions=lambda options: lookups.ACTIONS_WITH[options["flow"]],
)
