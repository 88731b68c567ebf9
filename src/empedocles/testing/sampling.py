"""The older name of `empedocles.testing.samples`."""

from __future__ import annotations

from empedocles.testing.samples import all_options, random_match, random_positions

__all__ = ["all_options", "random_match", "random_positions"]
