"""Fire & Water: two to four players spread their influence and take possession of squares."""

from pathlib import Path

from empedocles.game import Game, Option
from empedocles.games.fire_and_water import (
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
from empedocles.games.fire_and_water.reasons import reason
from empedocles.language import mark as _

GAME = Game(
    name="fire-and-water",
    title=_("Fire & Water"),
    authors="Jens Bernsdorf",
    credits=_("A game by Jens Bernsdorf. Its English rules were translated by Scott Borrer and Jens Bernsdorf."),
    summary=_("Spread fire and water, own the squares where your influence is greatest, and win the elementals over."),
    rules_version=1,
    options=(
        Option(_("players"), (2, 3, 4), 2),
        Option(_("board"), text.BOARDS, "medallion", takes_board=True),
        Option(_("finale"), text.FINALES, "tokens", is_reading=True),
    ),
    seats=(2, 3, 4),
    has_chance=True,
    has_teams=False,
    max_legal=rules.MAX_LEGAL,
    # With 4 players: 3 elementals, 48 reveals, at most 46 markers on 93 squares, 4 leaders and 60 tokens. As long as
    # two neighbouring squares are empty somebody has a marker for them, so no more than 3 passes follow each of these
    # actions. There are 3 last turns. With 3 players there are as many squares, markers and tokens.
    max_plies=3 + 48 + 4 * (46 + 4 + 60) + 3,
    moves=lookups.MOVES,
    rules=rules.RULES,
    encode=text.encode,
    decode=text.decode,
    describe=text.describe,
    restore=text.restore,
    diagram=text.diagram,
    reason=reason,
    readings=readings.READINGS,
    endings=readings.ENDINGS,
    folder=Path(__file__).parent,
    advice=advice.ADVICE,
    view=observation.VIEW,
    interface=moves.INTERFACE,
    dangers=concepts.DANGERS,
    concepts=concepts.CONCEPTS,
    drawing=picture.DRAWING,
    printing=components.PRINTING,
)
