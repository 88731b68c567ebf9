"""The puzzles that are shipped, out of all that were found: many themes, all degrees of difficulty."""

from __future__ import annotations

import functools
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from empedocles.coach.lines import deeds
from empedocles.coach.puzzles import EIGHT, LONGEST, Puzzle, identity, own_plies
from empedocles.play.mining.candidates import OFTEN, is_obvious
from empedocles.play.mining.checks import rated
from empedocles.play.mining.glances import does_most, is_idle
from empedocles.play.mining.judging import meets_chance
from empedocles.position import Position

LARGEST = 0.4  # the part of a selection that one theme may have
FAIR = 0.25  # beyond this part, puzzles that are about something else as well move to that theme


def selected(found: Iterable[Puzzle], most: int, least: int) -> list[Puzzle]:
    """At most `most` puzzles, the themes as equal as can be; themes with few are left out if `least` remain.

    If one theme would have too large a part, fewer are taken of it, but `least` in all.
    """
    themes: dict[str, list[Puzzle]] = defaultdict(list)
    for puzzle in balanced([by_deeds(puzzle) for puzzle in enough(found, least)]):
        themes[puzzle.theme].append(puzzle)
    common = {theme: group for theme, group in themes.items() if len(group) >= EIGHT}
    if sum(map(len, common.values())) >= least:
        themes = defaultdict(list, common)
    number = most
    while number > least and _largest(themes, number) > LARGEST * number:
        number -= 1
    quotas = _quotas({theme: len(group) for theme, group in themes.items()}, number)
    return [puzzle for theme, group in themes.items() for puzzle in spread(group, quotas[theme])]


def fit(found: Iterable[Puzzle]) -> list[Puzzle]:
    """The puzzles in which no chance move can come up, without what is nothing to find in their lines."""
    calm = [puzzle for puzzle in found if not meets_chance(puzzle.start)]
    whole = [(puzzle, one) for puzzle in calm if (one := trimmed(puzzle))]
    return [puzzle if one.line == puzzle.line else rated(one) for puzzle, one in whole]


def enough(found: Iterable[Puzzle], least: int) -> list[Puzzle]:
    """Each puzzle once that is not obvious, and of those from one game with the same answer the most difficult one.

    If those are too few, the most difficult others: first obvious ones, those with the least drawbacks first, then
    those with the same answer. Of two of which one begins on the other's line, only one is ever taken.
    """
    each = {puzzle.id: puzzle for puzzle in found}
    drawbacks = {puzzle.id: drawback(puzzle) for puzzle in each.values()}
    ordered = apart(sorted(each.values(), key=lambda one: (drawbacks[one.id], -one.rating, -len(one.line), one.id)))
    first: dict[tuple[str, str], Puzzle] = {}
    for puzzle in ordered:
        first.setdefault(answer_of(puzzle), puzzle)
    kept = [puzzle for puzzle in first.values() if not drawbacks[puzzle.id]]
    others = [puzzle for puzzle in first.values() if drawbacks[puzzle.id]]
    others += [puzzle for puzzle in ordered if puzzle not in first.values()]
    return kept + others[: max(0, least - len(kept))]


def drawback(puzzle: Puzzle) -> int:
    """What speaks against a puzzle.

    0: nothing. 1: it is obvious. 2: the weakest opponent finds it at least every other time. 3: its move also does
    the most at once, as the only capture on the board does.
    """
    if not is_obvious(puzzle.start, puzzle.line[0]):
        return 0
    if puzzle.solved[0] < OFTEN:
        return 1
    return 3 if does_most(puzzle.start, puzzle.line[0]) else 2


def apart(ordered: Iterable[Puzzle]) -> list[Puzzle]:
    """The puzzles that neither begin on the line of an earlier one nor pass where an earlier one begins."""
    taken, begun, passed = list[Puzzle](), set[str](), set[str]()
    for puzzle in ordered:
        on_line = places_on_line(puzzle)
        if puzzle.id not in passed and begun.isdisjoint(on_line):
            taken.append(puzzle)
            begun.add(puzzle.id)
            passed |= on_line
    return taken


def places_on_line(puzzle: Puzzle) -> set[str]:
    """The identities of the positions in which a line goes on: a puzzle that began there would show no more than it."""
    return {identity(_before(puzzle, ply)) for ply in range(1, len(puzzle.line))}


def answer_of(puzzle: Puzzle) -> tuple[str, str]:
    """The game that a puzzle comes from and its first move: puzzles that share both are much alike."""
    return puzzle.source.rpartition(",")[0], puzzle.line[0]


def trimmed(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle up to the first move that is nothing to find, not too long, ending with a choice; None if empty."""
    own: list[int] = []
    for ply in own_plies(puzzle.start, puzzle.line)[:LONGEST]:
        if is_idle(_before(puzzle, ply), puzzle.line[ply]):
            break
        own.append(ply)
    while len(own) > 1 and len(_before(puzzle, own[-1]).legal_actions) == 1:
        own.pop()
    return replace(puzzle, line=puzzle.line[: own[-1] + 1]) if own else None


def _before(puzzle: Puzzle, ply: int) -> Position:
    return functools.reduce(Position.play, puzzle.line[:ply], puzzle.start)


def by_deeds(puzzle: Puzzle) -> Puzzle:
    """The puzzle under what the solver's moves do, if that is worth as much as the measure that is its theme so far.

    Measures compare the right move with the second best, and may tell more about that.
    """
    done = done_in(puzzle)
    greatest = max(done, key=lambda name: (done[name], name), default="")
    if puzzle.idea.deeds or not greatest or done[greatest] < abs(puzzle.idea.worth):
        return puzzle
    return replace(puzzle, theme=greatest)


def balanced(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The same puzzles, some of them under another theme of theirs: out of rare themes, and out of large ones."""
    others = {puzzle.id: done_in(puzzle).keys() - {puzzle.theme} for puzzle in puzzles}
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


def done_in(puzzle: Puzzle) -> dict[str, float]:
    """The concepts of what the solver's moves do, with the worth of the greatest such deed."""
    found: dict[str, float] = {}
    for ply in own_plies(puzzle.start, puzzle.line):
        for idea, deed in deeds(_before(puzzle, ply), puzzle.line[ply]):
            found[idea.name] = max(deed.worth, found.get(idea.name, deed.worth))
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
    number = Counter(map(answer_of, puzzles))
    parts: dict[str, Counter[Any]] = {
        "obvious": Counter(is_obvious(puzzle.start, puzzle.line[0]) for puzzle in puzzles),
        "answers in one game": Counter(number.values()),
        "themes": Counter(puzzle.theme for puzzle in puzzles),
        "moves to find": Counter(puzzle.own_moves for puzzle in puzzles),
        "checked by": Counter(puzzle.by for puzzle in puzzles),
        "stars": Counter(puzzle.stars for puzzle in puzzles),
    }
    return "\n".join(
        f"  {name}: " + ", ".join(f"{what} {n}" for what, n in sorted(counter.items(), key=lambda item: -item[1]))
        for name, counter in parts.items()
    )
