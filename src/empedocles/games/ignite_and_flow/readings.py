"""What the original rules of Ignite and Flow leave open, and the rules that end a game."""

from __future__ import annotations

from empedocles.game import Ambiguity, Ending, Example
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
        {
            "bent": Example("board=6/6/6/2W3/6/6 to-move=0", "Wc3>d4>e3", ("b2", "f5")),
            "split": Example("board=6/6/6/2W3/6/6 to-move=0", "Wc3>b2+d4", ("a1", "e5")),
            "free": Example("board=6/6/6/2W3/6/6 to-move=0", "Wc3>b4+d4", ("a2", "e5")),
        },
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
        {
            "literal": Example("board=6/6/6/1W4/1F4/6 to-move=0", "b2+b3", ("a1", "d4")),
            "orthogonal": Example("board=6/6/6/2W3/1F4/6 to-move=0", "b2+c3", ("a1", "d4")),
        },
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
        {"middle": Example("board=6/6/6/6/1FFW2/6 to-move=0", "b2+c2+d2=Dc2", ("a1", "e3"))},
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
        {
            "exact": Example("board=6/6/6/3F2/1FFFF1/6 to-move=0", "b2+c2+d2+e2=D", ("a1", "f4")),
            "touching": Example("board=6/6/6/6/1FFFF1/6 to-move=0", "b2+c2+d2+e2=D", ("a1", "f4")),
        },
    ),
)

ENDINGS = {
    15: Ending("IF-15", _("The last empty square was filled.")),
    16: Ending("IF-16", _("40 actions in a row brought no progress.")),
}
