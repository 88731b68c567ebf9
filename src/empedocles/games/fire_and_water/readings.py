"""Where the original rules of Fire & Water can be read in more ways than one, and what ends a game."""

from __future__ import annotations

from empedocles.game import Ambiguity, Ending, Example
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
        examples={
            "chessboard": Example(
                "players=2 elementals=b7,c4,f5 markers=F1d2W1c2,F1c8W3b8,F2d5W4c5,F4g3W2g4,F4d3W4d4/F1e2W1e1,F2b3W3b4,"
                "F2e3W4e4,F3c7W4c6,F4h3W3h4 hands=F1W2,F1W4,F2W1/F1W3,F2W2,F3W1 to-move=1",
                "Pd4",
                ("b2", "f6"),
            )
        },
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
        examples={
            "claims": Example(
                "players=2 elementals=d5,e7,f4 markers=F1a5W1a4,F1d7W3c7,F2b1W1b2,F2e2W2d2,F2b6W3a6,F2c4W4d4,F3c2W1c1,"
                "F3g8W2f8,F3b8W3b7,F3h3W4h2,F4c3W3b3,F4g3W4g4/F1d1W1e1,F1a2W2a1,F1f7W3g7,F1f1W4f2,F2e3W2e4,F2e8W3d8,"
                "F3h6W1g6,F3g2W2g1,F3c6W3c5,F3h5W4g5,F4a7W1a8,F4f6W3e6,F4f5W4e5 hands=F1W4,F4W1,F4W2/F2W1,F4W2 "
                "leaders=b4/h7 tokens=a7,b2/a8,e2 last=1 to-move=0",
                "Ce7",
                ("c5", "g8"),
            )
        },
    ),
)
ENDINGS = {
    LAST_TOKEN: Ending("FW-19", _("A player has placed their last token.")),
    LAST_TURNS: Ending("FW-20", _("No marker fits any more, and everyone has had their last turn.")),
}
