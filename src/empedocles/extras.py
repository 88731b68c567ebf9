"""Optional dependencies: what only one feature needs is installed with an extra.

with Extra("pictures"):
    import typst
"""

from __future__ import annotations

from importlib.util import find_spec
from types import TracebackType

from empedocles.errors import MissingExtra


class Extra:
    """A context in which a failed import says which extra to install."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, ImportError) and not isinstance(error, MissingExtra):
            raise MissingExtra(self.name, str(error)) from error

    def check(self, *modules: str) -> None:
        """Refuse early if a module is missing, without importing any."""
        if missing := [module for module in modules if find_spec(module) is None]:
            raise MissingExtra(self.name, f"No module named {', '.join(map(repr, missing))}")
