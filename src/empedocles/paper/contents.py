"""What there is to print: the components for one match, or a whole box for matches of every size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from empedocles.errors import BadValue
from empedocles.game import Component, Game, Options, Printing


def matches(game: Game, options: Options, box: bool, files: bool = False) -> list[dict[str, Any]]:
    """The complete options of the match to print for; in a box, of one for each number of players.

    Boards that do not fit are refused, and board files are read if `files`.
    """
    seating = game.seating if box else None
    if seating and seating.name in options:
        raise BadValue(f"a box is for every number of players: leave out {seating.name}={options[seating.name]}")
    sizes: Iterable[dict[str, Any]] = [{seating.name: value} for value in seating.values] if seating else [{}]
    chosen = [game.complete({**options, **size}, files) for size in sizes]
    for each in chosen:
        game.encode(each)  # refuses a board that does not fit
    return chosen


def contents(printing: Printing, chosen: Iterable[Options], box: bool, language: str) -> list[Component]:
    """Each component as often as the match that needs most of it does; in a box, the spares as well."""
    most: Counter[Component] = Counter()
    for options in chosen:
        most |= _counted(printing.components(options, language))
    if box:
        most += _counted(printing.spares)
    return [component._replace(number=number) for component, number in most.items()]


def _counted(components: Iterable[Component]) -> Counter[Component]:
    """Equal components, and how many of them there are."""
    counted: Counter[Component] = Counter()
    for component in components:
        counted[component._replace(number=1)] += component.number
    return counted
