"""`empedocles dataset`: what can be asked of it, and its progress. The work is in `empedocles.play.datasets`."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from empedocles.cli.console import console, say
from empedocles.cli.options import OptionWords
from empedocles.errors import BadValue
from empedocles.extras import Extra

if TYPE_CHECKING:
    from empedocles.play.arena import Played
    from empedocles.play.datasets import Plan, Rows

GAMES, SIMULATIONS = 100, 200


def dataset(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's name, for self-play.")] = None,
    options: OptionWords = None,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("dataset.parquet"),
    games: Annotated[int | None, typer.Option(min=1, help="Matches of self-play.", show_default=str(GAMES))] = None,
    first: Annotated[int, typer.Option(min=0, help="The number of the first: parts can be made on many machines.")] = 0,
    results: Annotated[Path | None, typer.Option("--from", help="A results file of the arena, instead.")] = None,
    simulations: Annotated[
        int | None, typer.Option(help="For each decision; with --from, only if given.", show_default=str(SIMULATIONS))
    ] = None,
    agent: Annotated[str, typer.Option(help="Who thinks, and plays in all seats.")] = "search",
    seed: Annotated[int, typer.Option(help="Of all chance: the same seed makes the same dataset.")] = 0,
    varied: Annotated[int, typer.Option(help="First decisions of a match, drawn in proportion to visits.")] = 20,
    planes: Annotated[bool, typer.Option("--planes", help="Also what the seat to move sees, as planes.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Matches at a time.", show_default="one per core")] = None,
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A Ray cluster: auto, local, ray://HOST:10001.")] = "",
) -> None:
    """Write matches of an agent with itself, or of the arena, as a Parquet file to learn from."""
    from empedocles.cli.files import need_folder

    if (game is None) == (results is None):
        raise BadValue("give a GAME for self-play, or the arena's results with --from: one of the two")
    if results and (games or options or first):
        raise BadValue("--from takes all matches of a results file, with their options: no --games, no --first")
    need_folder(out)
    Extra("dataset").check("pyarrow")
    plan, played = _planned(game, options, results, agent, simulations, seed, varied, planes)
    matches, number = _matches(plan, played, games or GAMES, first, jobs, cluster)
    _write(out, plan, matches, number)


def _planned(
    game: str | None,
    options: list[str] | None,
    results: Path | None,
    agent: str,
    simulations: int | None,
    seed: int,
    varied: int,
    planes: bool,
) -> tuple[Plan, list[Played] | None]:
    from empedocles.cli.app import new_match
    from empedocles.play.datasets import Plan
    from empedocles.play.results import read_results

    if results:
        start, played = read_results(results)
        return Plan(start, agent, simulations, seed, 0, planes), played
    assert game is not None
    start = new_match(game, options, chance="manual").start
    return Plan(start, agent, SIMULATIONS if simulations is None else simulations, seed, varied, planes), None


def _matches(
    plan: Plan, played: list[Played] | None, games: int, first: int, jobs: int | None, cluster: str
) -> tuple[Iterator[Rows], int]:
    from empedocles.play.datasets import replays, self_play

    if played is None:
        return self_play(plan, games, first, jobs, cluster), games
    return replays(plan, played, jobs, cluster), len(played)


def _write(out: Path, plan: Plan, matches: Iterator[Rows], number: int) -> None:
    from empedocles.play.datasets import save

    # Closed also when writing fails: processes are waiting.
    ending = contextlib.closing(matches) if isinstance(matches, Generator) else contextlib.nullcontext(matches)
    with ending as found:
        rows = save(out, plan, _counted(found, number))
    say(f"{rows:,} decisions of {number:,} matches are in {out}.")


def _counted(matches: Iterable[Rows], number: int) -> Iterator[Rows]:
    """The matches, with a bar while there is somebody to see it."""
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("Matches"), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield from progress.track(matches, total=number)
