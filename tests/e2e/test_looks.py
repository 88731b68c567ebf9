"""A part of what tools/looks.py checks: tables on a small phone are readable, and nothing lies on anything else."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from e2e.people import wait_for_turn
from findings import seen
from looks import House, choose

from empedocles.games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_readable_on_a_small_phone(opens: Opens, game: str) -> None:
    page = opens(360, 640, phone=True, language="de")
    page.request.post("/api/players", data={"name": "Ada"})
    page.goto(House(page.request).at(game, min(GAMES[game].seats), 0.5, 2))
    wait_for_turn(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert seen(page).findings == []
    page.reload()  # looking takes drawings apart
    wait_for_turn(page)
    choose(page)
    assert seen(page).findings == []


def test_what_is_wrong_is_found(opens: Opens) -> None:
    page = opens(360, 640, bypass_csp=True)
    page.set_content(
        """<style>* { margin: 0; white-space: nowrap } p { color: #999 } b { position: absolute; top: 0; left: 0 }
        i { display: block; overflow: hidden; width: 2rem } u { position: absolute; left: 340px }</style>
        <p>faint</p><b>over it</b><i>much too long</i><u>far out</u>"""
    )
    assert {finding.check for finding in seen(page).findings} == {"contrast", "overlap", "clipped", "sideways"}
