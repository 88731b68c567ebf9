"""All themes are readable."""

from __future__ import annotations

import pytest

from empedocles.render import themes
from empedocles.render.themes import CONTRAST, PALETTES, classes, contrast


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", themes.THEMES)
def test_text_stands_out_from_its_ground(theme: str) -> None:
    palette, looks = PALETTES[theme], classes(theme)
    pairs = [
        (text, ground)
        for text in (palette.ink, palette.soft, palette.mark)
        for ground in (palette.paper, palette.plate, palette.void)
    ]
    pairs += [(palette.paper, palette.ink), (palette.paper, palette.mark)]
    for element in ("fire", "water", "earth", "air", "desert"):
        ground = looks[element]["fill"]
        pairs += [(looks[f"{element}-number"]["fill"], ground), (palette.ink, ground)]
    pairs += [(looks[f"on-{colour}-text"]["fill"], looks[colour]["fill"]) for colour in themes.COLOURS]
    assert [pair for pair in pairs if contrast(*pair) < CONTRAST] == []
