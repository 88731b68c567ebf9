"""Replays: the whole match is in them."""

from __future__ import annotations

import io
import json
import re

import pytest
from PIL import Image

import empedocles
from empedocles.play import replay
from empedocles.play.frames import frames
from empedocles.render.picture import Look


def short() -> empedocles.Match:
    return empedocles.new("ignite-and-flow").play("Fc3", "Wd4", "c3+d4", "Tc3")


def test_a_gif_has_a_picture_for_each_position() -> None:
    with Image.open(io.BytesIO(replay.gif(short(), seconds=0.1, scale=0.3))) as image:
        assert image.format == "GIF"
        assert getattr(image, "n_frames", 1) == 5


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_page_has_every_move_in_words_and_needs_nothing_else(language: str) -> None:
    match = short()
    page = replay.page(match, "Ann – Bo & Cy", language=language)
    found = re.search(r'id="frames">(.*?)</script>', page, re.DOTALL)
    assert found
    frames = json.loads(found[1])
    assert [ply["words"] for ply in frames["plies"][1:]] == [
        match.at(ply).words(move).say(language) for ply, move in enumerate(match.moves)
    ]
    assert "Ann – Bo &amp; Cy" in page
    assert "{{" not in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_names_are_never_taken_for_places_of_a_page() -> None:
    page = replay.page(short(), "{{SCRIPT}} – {{nobody}}")
    assert "<title>{{SCRIPT}} – {{nobody}}</title>" in page


def test_pieces_of_a_page_keep_their_ids() -> None:
    plies = frames(short(), Look())["plies"]
    temples = [{piece[0] for piece in ply["pieces"] if piece[0].startswith("temple")} for ply in plies]
    assert temples[0] == temples[-1]
    assert len(temples[0]) == 6
