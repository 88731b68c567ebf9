"""The puzzles that are shipped, out of all that were found: many themes, all degrees of difficulty."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from empedocles.coach.puzzles import EIGHT, Puzzle

LARGEST = 0.4  # the part of a selection that one theme may have


def selected(found: Iterable[Puzzle], most: int, least: int) -> list[Puzzle]:
    """At most `most` puzzles, the themes as equal as can be; themes with few are left out if `least` remain.

    If one theme would have too large a part, fewer are taken of it, but `least` in all.
    """
    themes: dict[str, list[Puzzle]] = defaultdict(list)
    for puzzle in {puzzle.id: puzzle for puzzle in found}.values():
        themes[puzzle.theme].append(puzzle)
    common = {theme: group for theme, group in themes.items() if len(group) >= EIGHT}
    if sum(map(len, common.values())) >= least:
        themes = defaultdict(list, common)
    number = most
    while number > least and _largest(themes, number) > LARGEST * number:
        number -= 1
    quotas = _quotas({theme: len(group) for theme, group in themes.items()}, number)
    return [puzzle for theme, group in themes.items() for puzzle in spread(group, quotas[theme])]


def _largest(themes: dict[str, list[Puzzle]], number: int) -> int:
    return max(_quotas({theme: len(group) for theme, group in themes.items()}, number).values(), default=0)


def _quotas(sizes: dict[str, int], number: int) -> dict[str, int]:
    """How many to take of each theme: one after another of the one with the fewest so far."""
    taken = dict.fromkeys(sizes, 0)
    for _k in range(min(number, sum(sizes.values()))):
        theme = min((theme for theme in sizes if taken[theme] < sizes[theme]), key=lambda theme: (taken[theme], theme))
        taken[theme] += 1
    return taken


def spread(group: Sequence[Puzzle], number: int) -> list[Puzzle]:
    """Some of a group, from the easiest to the hardest in even steps."""
    ordered = sorted(group, key=lambda puzzle: (puzzle.rating, puzzle.id))
    if number >= len(ordered):
        return ordered
    return [ordered[(2 * k + 1) * len(ordered) // (2 * number)] for k in range(number)]


def write(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """The file of a game."""
    lines = (json.dumps(puzzle.facts) for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.id))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def summary(puzzles: Sequence[Puzzle]) -> str:
    """What a selection is made of."""
    parts: dict[str, Counter[Any]] = {
        "themes": Counter(puzzle.theme for puzzle in puzzles),
        "moves to find": Counter(puzzle.own_moves for puzzle in puzzles),
        "checked by": Counter(puzzle.by for puzzle in puzzles),
        "stars": Counter(puzzle.stars for puzzle in puzzles),
    }
    return "\n".join(
        f"  {name}: " + ", ".join(f"{what} {n}" for what, n in sorted(counter.items(), key=lambda item: -item[1]))
        for name, counter in parts.items()
    )
