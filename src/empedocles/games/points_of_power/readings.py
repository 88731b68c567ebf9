"""Where the original rules of Points of Power leave a choice, and what ends a game."""

from __future__ import annotations

from empedocles.game import Ambiguity, Ending
from empedocles.language import mark as _

READINGS = (
    Ambiguity(
        "PP-1",
        "board",
        _("The board is to be assembled as in a drawing, which is lost; the text names the kinds of squares."),
        {
            "cross": _("The planes lie in the corners, the points of power on the lines through the middle."),
            "wheel": _("The planes lie at the sides, the points of power on the diagonals; the corners are cut off."),
        },
        _("The planes have the letters A to D: from left to right and from the top down, these are the corners."),
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
    ),
)

ENDINGS = {
    14: Ending("PP-14", _("One side has all points of power.")),
    15: Ending("PP-15", _("An element has no pieces left.")),
    16: Ending("PP-16", _("An element has no exposed piece left.")),
    17: Ending("PP-17", _("Nothing was captured in 200 turns in a row.")),
    18: Ending("PP-18", _("A player had no legal move.")),
}
