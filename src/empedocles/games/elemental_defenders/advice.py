"""How to play Elemental Defenders: the solver knows. The weaker opponents see its values as through fog."""

from __future__ import annotations

from empedocles.game import Advice, Opponent, Style

OPPONENTS = (
    Opponent("Nymph", 1, noise=300, overlooks=0.5),
    Opponent("Faun", 1, noise=118, overlooks=0.2),
    Opponent("Satyr", 1, noise=63, overlooks=0.07),
    Opponent("Centaur", 1, noise=34, overlooks=0.035),
    Opponent("Griffin", 1, noise=20, overlooks=0.024),
    Opponent("Sphinx", 1, noise=12, overlooks=0.015),
    Opponent("Titan", 1, noise=5.5, overlooks=0.007),
    Opponent("Oracle", 1),
)

# Random games judge no worse than an evaluation would, and nothing that looks ahead comes near the solver.
ADVICE = Advice(None, Style(rollouts=True), OPPONENTS)
