"""The puzzles that are shipped, out of all that were found: many themes, all degrees of difficulty."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from empedocles.coach.lines import deeds
from empedocles.coach.puzzles import EIGHT, LONGEST, Puzzle, own_plies
from empedocles.play.mining.judging import meets_chance

LARGEST = 0.4  # the part of a selection that one theme may have
FAIR = 0.25  # beyond this part, puzzles that are about something else as well move to that theme


def selected(found: Iterable[Puzzle], most: int, least: int) -> list[Puzzle]:
    """At most `most` puzzles, the themes as equal as can be; themes with few are left out if `least` remain.

    If one theme would have too large a part, fewer are taken of it, but `least` in all.
    """
    themes: dict[str, list[Puzzle]] = defaultdict(list)
    for puzzle in balanced([trimmed(puzzle) for puzzle in distinct(found, least)]):
        themes[puzzle.theme].append(puzzle)
    common = {theme: group for theme, group in themes.items() if len(group) >= EIGHT}
    if sum(map(len, common.values())) >= least:
        themes = defaultdict(list, common)
    number = most
    while number > least and _largest(themes, number) > LARGEST * number:
        number -= 1
    quotas = _quotas({theme: len(group) for theme, group in themes.items()}, number)
    return [puzzle for theme, group in themes.items() for puzzle in spread(group, quotas[theme])]


def distinct(found: Iterable[Puzzle], least: int) -> list[Puzzle]:
    """Each puzzle once, and of those from one game with the same answer the most difficult one, if `least` remain."""
    hard_first = {puzzle.id: puzzle for puzzle in sorted(found, key=lambda puzzle: (-puzzle.rating, puzzle.id))}
    kept: dict[tuple[str, str], Puzzle] = {}
    for puzzle in hard_first.values():
        kept.setdefault((puzzle.source.rpartition(",")[0], puzzle.line[0]), puzzle)
    more = [puzzle for puzzle in hard_first.values() if puzzle not in kept.values()]
    return [*kept.values(), *more[: max(0, least - len(kept))]]


def without_luck(found: Sequence[Puzzle], least: int) -> list[Puzzle]:
    """Puzzles in which no chance move can come up; if they are too few, proofs that hold whatever comes up as well."""
    lucky = {puzzle.id for puzzle in found if meets_chance(puzzle.start)}
    calm = [puzzle for puzzle in found if puzzle.id not in lucky]
    proven = [puzzle for puzzle in found if puzzle.id in lucky and puzzle.by == "proof"]
    return calm + proven[: max(0, least - len(calm))]


def trimmed(puzzle: Puzzle) -> Puzzle:
    """The puzzle without what is too long, ending with a choice."""
    own = own_plies(puzzle.start, puzzle.line)[:LONGEST]
    while len(own) > 1 and _is_forced(puzzle, own[-1]):
        own.pop()
    return replace(puzzle, line=puzzle.line[: own[-1] + 1])


def _is_forced(puzzle: Puzzle, ply: int) -> bool:
    place = puzzle.start
    for move in puzzle.line[:ply]:
        place = place.play(move)
    return len(place.legal_actions) == 1


def balanced(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The same puzzles, some of them under another theme of theirs: out of rare themes, and out of large ones."""
    others = {puzzle.id: done_in(puzzle) - {puzzle.theme} for puzzle in puzzles}
    reach = Counter(theme for puzzle in puzzles for theme in (puzzle.theme, *others[puzzle.id]))
    number = Counter(puzzle.theme for puzzle in puzzles)
    result = []
    for puzzle in sorted(puzzles, key=lambda puzzle: (len(others[puzzle.id]), puzzle.id)):
        common = [theme for theme in sorted(others[puzzle.id]) if reach[theme] >= 2 * EIGHT]
        smallest = min(common, key=lambda theme: number[theme], default=puzzle.theme)
        crowded = number[puzzle.theme] > FAIR * len(puzzles) and number[smallest] < number[puzzle.theme] - 1
        theme = smallest if crowded or number[puzzle.theme] < EIGHT else puzzle.theme
        number.subtract([puzzle.theme])
        number.update([theme])
        result.append(replace(puzzle, theme=theme))
    return result


def done_in(puzzle: Puzzle) -> set[str]:
    """The concepts of what the solver's moves do."""
    place, found = puzzle.start, set[str]()
    own = own_plies(puzzle.start, puzzle.line)
    for ply, move in enumerate(puzzle.line):
        if ply in own:
            found |= {idea.name for idea, _deed in deeds(place, move)}
        place = place.play(move)
    return found


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
