"""Libraries that are installed only by who wants them."""

from __future__ import annotations


def missing(library: str, error: ImportError) -> ImportError:
    return ImportError(f"{library} is not installed ({error}): python -m pip install 'empedocles[research]'")
