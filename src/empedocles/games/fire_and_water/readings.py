"""Where the original rules of Fire & Water can be read in more ways than one, and what ends a game."""

from __future__ import annotations

from empedocles.game import Ambiguity, Ending
from empedocles.games.fire_and_water.rules import LAST_TOKEN, LAST_TURNS
from empedocles.language import mark as _

READINGS = (
    Ambiguity(
        rule="FW-4",
        option="board",
        sense=_("The squares alternate as on a chessboard, except around the centre. The printed boards are lost."),
        readings={
            "medallion": _("Twelve squares around the centre have the other element."),
            "chessboard": _("All squares alternate, those around the centre as well."),
        },
        why=_("Its pattern is symmetric, and the original example of influence comes out right on it."),
    ),
    Ambiguity(
        rule="FW-20",
        option="finale",
        sense=_("When no marker fits any more, each other player may still place a possession token."),
        readings={
            "tokens": _("A last turn is a token on a square, or a pass."),
            "claims": _("A last turn may also claim an elemental, as a claim places tokens too."),
        },
        why=_("The original lists claiming an elemental as an action of its own and does not name it here."),
    ),
)
ENDINGS = {
    LAST_TOKEN: Ending("FW-19", _("A player has placed their last token.")),
    LAST_TURNS: Ending("FW-20", _("No marker fits any more, and everyone has had their last turn.")),
}
