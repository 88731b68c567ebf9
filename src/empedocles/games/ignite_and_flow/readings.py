"""What the original rules of Ignite and Flow leave open, and the rules that end a game."""

from __future__ import annotations

from empedocles.game import Ambiguity, Ending
from empedocles.language import mark as _

READINGS = (
    Ambiguity(
        "IF-8",
        "flow",
        _("Water spreads diagonally, and over two squares where they are empty."),
        {
            "straight": _("The two squares lie in one direction from the water."),
            "bent": _("The water may also turn at the first square."),
            "split": _("The water may also spread to two of its own neighbours at once."),
            "free": _("The water may also turn, or spread to two neighbours at once."),
        },
        _("The original only says how far water spreads, and the plainest way is straight on."),
    ),
    Ambiguity(
        "IF-10",
        "reactions",
        _("Fire and water react side by side; the horizontal and the diagonal are named, the vertical is not."),
        {
            "all": _("Neighbours in all eight directions react."),
            "literal": _("Horizontal and diagonal neighbours react, vertical ones do not."),
            "orthogonal": _("Only neighbours that share an edge react: the diagonal stands for the vertical."),
        },
        _("No other rule tells rows from columns, so the vertical was probably forgotten."),
    ),
    Ambiguity(
        "IF-11",
        "chain",
        _("Two of one kind and one of the other react in a chain, where one touches the other two."),
        {
            "any": _("Any of the three may be the one that touches both others."),
            "middle": _("The single element must touch both equal ones."),
        },
        _("The original does not say which one."),
    ),
    Ambiguity(
        "IF-12",
        "scorch",
        _("Four fires connected in any way, corners included, become desert."),
        {
            "any": _("Any four connected fires, also out of a larger group."),
            "exact": _("Only four fires that are a whole group."),
            "touching": _("Only four fires that all touch each other: a block of 2 × 2 squares."),
        },
        _("Any connection will do in the original, and a fifth fire does not undo it."),
    ),
)

ENDINGS = {
    15: Ending("IF-15", _("The last empty square was filled.")),
    16: Ending("IF-16", _("40 actions in a row brought no progress.")),
}
