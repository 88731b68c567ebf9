"""What is said about opponents is true of the figures that were measured, and the figures can be measured again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from empedocles.errors import BadValue
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.language import LANGUAGES
from empedocles.opponents import Character, cast_of, characters

FEW = 3  # of eight: what a trait claims is true of no more
NOTABLE = 0.5  # standard deviations from the ladder's mean, at least
EVEN = 0.8  # and at most, for whoever has no traits

# trait → the figure that shows it, and whether it is high
TRAITS = {
    "aggressive": ("attack", True),
    "peaceful": ("attack", False),
    "greedy": ("takes", True),
    "modest": ("takes", False),
    "forgetful": ("misses", True),
    "attentive": ("misses", False),
    "daring": ("risk", True),
    "careful": ("risk", False),
    "erratic": ("blunders", True),
    "steady": ("blunders", False),
}
FIGURES = sorted({figure for figure, _high in TRAITS.values()})
ALL = [(game, one) for game in GAMES.values() for one in characters(game)]


def score(one: Character, ladder: tuple[Character, ...], figure: str) -> float:
    """How far a figure is from the ladder's mean, in standard deviations."""
    values = [other.figures[figure] for other in ladder]
    return float((one.figures[figure] - np.mean(values)) / np.std(values))


def has(trait: str, one: Character, ladder: tuple[Character, ...]) -> bool:
    if trait == "balanced":
        return all(abs(score(one, ladder, figure)) <= EVEN for figure in FIGURES)
    figure, high = TRAITS[trait]
    sign = 1 if high else -1
    ahead = sum(sign * other.figures[figure] > sign * one.figures[figure] for other in ladder)
    return ahead < FEW and sign * score(one, ladder, figure) >= NOTABLE


@pytest.mark.parametrize(("game", "one"), ALL, ids=lambda value: getattr(value, "name", ""))
def test_the_traits_of_an_opponent_are_measured(game: Game, one: Character) -> None:
    assert one.traits
    wrong = [trait for trait in one.traits if not has(trait, one, characters(game))]
    assert not wrong, (one.name, wrong, dict(one.figures))


@pytest.mark.parametrize(("game", "one"), ALL, ids=lambda value: getattr(value, "name", ""))
def test_character_and_advice_are_one_sentence_in_each_language(game: Game, one: Character) -> None:
    for language in LANGUAGES:
        for said in (one.line(language), one.beaten(language)):
            assert said.endswith("."), (game.name, one.name)
            assert 30 <= len(said) <= 150, (game.name, one.name, said)
    assert one.line("de") != one.line("en")


def test_no_two_opponents_are_described_alike() -> None:
    for words in (Character.line, Character.beaten):
        assert len({words(one) for _game, one in ALL}) == len(ALL)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_figures_say_when_they_were_measured(game: Game) -> None:
    assert "games against each neighbour, seeds from" in cast_of(game).measured
    assert all(one.figures["moves"] >= 400 for one in characters(game))


def test_a_sample_measured_again_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the quickest game: the weakest misses more and is bolder than the strongest, as the figures say."""
    benchmarks = Path(__file__).parents[2] / "benchmarks"
    if not benchmarks.is_dir():
        pytest.skip("the benchmarks are not part of an installed package")
    monkeypatch.syspath_prepend(str(benchmarks))
    from characters import Counts, played

    weak, strong = Counts(), Counts()
    for number in range(12):
        weak += played("elemental-defenders", 1, number)[0]
        strong += played("elemental-defenders", 7, number)[1]
    first, *_others, last = characters("elemental-defenders")
    for figure in ("takes", "misses"):
        stored = first.figures[figure] - last.figures[figure]
        again = weak.figures()[figure] - strong.figures()[figure]
        assert stored * again > 0, (figure, stored, again)
    assert abs(weak.figures()["attack"] - first.figures["attack"]) < 8


def test_an_opponent_that_the_game_does_not_have_is_refused(tmp_path: Path) -> None:
    (tmp_path / "opponents.toml").write_text('[[opponent]]\nname = "Nobody"\n')
    with pytest.raises(BadValue, match="'Nobody', who is none of its opponents: Spark"):
        cast_of(replace(GAMES["fire-and-water"], folder=tmp_path))
    (tmp_path / "opponents.toml").write_text(
        '[[opponent]]\nname = "Spark"\nportrait = { elements = ["fire"], face = "potato" }\n'
    )
    with pytest.raises(BadValue, match=r"the portrait of Spark in opponents\.toml: 'potato'"):
        cast_of(replace(GAMES["fire-and-water"], folder=tmp_path))


def test_a_game_without_a_file_has_plain_silent_opponents(tmp_path: Path) -> None:
    cast = cast_of(replace(GAMES["fire-and-water"], folder=tmp_path))
    assert [one.name for one in cast.characters][:2] == ["Spark", "Dew"]
    assert not cast.spoken
    assert {one.voice for one in cast.characters} == {""}
