"""Where the original rules of Points of Power leave a choice, and what ends a game."""

from __future__ import annotations

from empedocles.game import Ambiguity, Ending, Example
from empedocles.language import mark as _

READINGS = (
    Ambiguity(
        "PP-1",
        "board",
        _(
            "The board is to be assembled as in a drawing, which is lost; the text names the kinds of squares "
            "(PP-1 to PP-3)."
        ),
        {
            "cross": _("The planes lie in the corners, the points of power on the lines through the middle."),
            "wheel": _("The planes lie at the sides, the points of power on the diagonals; the corners are cut off."),
        },
        _(
            "The planes have the letters A to D: from left to right and from the top down, these are the corners. "
            "A board file may have other places for planes, material plane and points, on 5 × 5 to 11 × 11 squares."
        ),
        {"wheel": Example("fire=i9,j5 air=h4,d2 earth=d4,c4 water=d7,b8 to-move=0", "j5-j6")},
    ),
    Ambiguity(
        "PP-18",
        "stuck",
        _("On each turn a player must move, and nothing is said of a player who cannot."),
        {
            "loses": _("Whoever has no legal move loses, together with the partner."),
            "passes": _("Of four players, one without a legal move passes; of two, one without a legal move loses."),
        },
        _("A player must move, and hiding is no way out: it is no excuse to have no move left."),
        {
            "passes": Example(
                "players=4 fire=j4,j5,k5 air=k4 earth=a7,b7,b8,c8,c9,d9 water=h10,h11 moved=FAEW quiet=8 to-move=1",
                "pass",
            )
        },
    ),
)

ENDINGS = {
    14: Ending("PP-14", _("One side has all points of power.")),
    15: Ending("PP-15", _("An element has no pieces left.")),
    16: Ending("PP-16", _("An element has no exposed piece left.")),
    17: Ending("PP-17", _("Nothing was captured in 200 turns in a row.")),
    18: Ending("PP-18", _("A player had no legal move.")),
}
