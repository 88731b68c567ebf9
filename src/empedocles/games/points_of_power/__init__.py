"""Points of Power: two sides of two elements each hunt one another around the points of power."""

from pathlib import Path

from empedocles.game import Game, Option
from empedocles.games.points_of_power import (
    advice,
    board,
    components,
    concepts,
    lookups,
    moves,
    observation,
    picture,
    rules,
    text,
)
from empedocles.games.points_of_power.readings import ENDINGS, READINGS
from empedocles.games.points_of_power.reasons import reason
from empedocles.language import mark as _

GAME = Game(
    name="points-of-power",
    title="Points of Power",
    authors="unknown",
    credits=_("Author unknown: the original rules name neither author nor game. This name is ours."),
    summary=_("Hold all eight points of power, or hunt an enemy element down, while none of yours may hide."),
    rules_version=1,
    options=(
        Option(_("players"), (2, 4), 2),
        Option(_("board"), tuple(board.BOARDS), "cross", takes_board=True),
        Option(_("stuck"), (_("loses"), _("passes")), "loses", is_reading=True),
    ),
    seats=(2, 4),
    has_chance=False,
    has_teams=True,
    max_legal=rules.MAX_LEGAL,
    # At most 32 captures leave every element a piece, each within 200 turns of the one before; the next capture, or the
    # 200th turn without one, ends the game.
    max_plies=rules.PATIENCE * (4 * (rules.PIECES - 1) + 1),
    moves=lookups.MOVES,
    rules=rules.RULES,
    encode=board.encode,
    decode=board.decode,
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
    readings=READINGS,
    endings=ENDINGS,
    used_actions=board.used_actions,
)
