"""Pictures as pixels and on paper, through Typst: it needs no system libraries and takes our own fonts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from empedocles.extras import Extra
from empedocles.render import fonts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from empedocles.render.picture import Picture

POINTS = 0.75  # of paper, per unit of a drawing (a pixel of CSS)
FONTS: dict[str, Any] = {"font_paths": [fonts.FOLDER], "ignore_system_fonts": True}  # the same on every machine


def _source(pictures: Sequence[Picture]) -> tuple[bytes, dict[str, str]]:
    """One page per picture, of its own size."""
    pages = "\n".join(
        f"#page(width: {POINTS * picture.width:g}pt, height: {POINTS * picture.height:g}pt, margin: 0pt)"
        f'[#image(bytes(sys.inputs.at("{number}")), format: "svg", width: 100%)]'
        for number, picture in enumerate(pictures)
    )
    return pages.encode(), {str(number): str(picture) for number, picture in enumerate(pictures)}


def png(pictures: Sequence[Picture], scale: float = 2.0) -> list[bytes]:
    """Each picture as a PNG, with `scale` pixels per unit of the drawing."""
    with Extra("pictures"):
        import typst

    source, inputs = _source(pictures)
    found = typst.compile(source, format="png", ppi=scale * 72 / POINTS, sys_inputs=inputs, **FONTS)
    return found if isinstance(found, list) else [found]


def pdf(pictures: Sequence[Picture]) -> bytes:
    source, inputs = _source(pictures)
    return typeset(source.decode(), inputs)


def typeset(source: str, inputs: dict[str, str]) -> bytes:
    """A Typst document as a PDF; it finds the inputs in `sys.inputs`."""
    with Extra("pictures"):
        import typst

    made: bytes = typst.compile(source.encode(), sys_inputs=inputs, **FONTS)
    return made
