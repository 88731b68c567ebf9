"""What the original rules of Elemental Defenders leave open, and the rules that end a match."""

from __future__ import annotations

from empedocles.game import Ambiguity, Ending, Example
from empedocles.language import mark as _

READINGS = (
    Ambiguity(
        "ED-9",
        "answer",
        _("By the rules the element comes first; in the example a card of the same level would do as well."),
        {
            "element": _("Answer by element if you can, else by level."),
            "either": _("Answer by element or by level, whichever you like."),
        },
        _("It is the rule itself; the example only mentions the other way in passing."),
        {
            "either": Example(
                "dealt=MeMaWePePfKeKaKwNeNa hands=MeMaWePePfKeKwNeNa/MwWfWaWwPaPwKfNf mediators=Ka/Mf led=Nw to-move=0",
                "Ne",
            )
        },
    ),
    Ambiguity(
        "ED-14",
        "mode",
        _("Mediators and the challenge are both the advanced game; nothing says that they belong together."),
        {
            "advanced": _("Play with mediators and the challenge."),
            "mediators": _("Play with mediators only."),
            "challenge": _("Play with the challenge only."),
        },
        _("The original's example has both."),
        {
            "mediators": Example("dealt=MfMaNwWfPfPaKfKaNeNf mediators=-/- to-move=0", "Ma!"),
            "challenge": Example("dealt=MfMaNwWfPfPaKfKaNeNf to-move=0", "mPf"),
        },
    ),
)

ENDINGS = {
    11: Ending("ED-11", _("The last attack could not be answered.")),
    12: Ending("ED-12", _("No cards were left, and nobody won the last round.")),
    19: Ending("ED-19", _("The last round was a righteous victory.")),
}
