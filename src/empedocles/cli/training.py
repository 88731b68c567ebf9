"""Training at the terminal: a line for each look at the run, and where to find the network."""

from __future__ import annotations

from pathlib import Path

import typer

from empedocles.cli.console import console, say
from empedocles.learn.report import write_report
from empedocles.learn.training import MEASURED, Progress, Training
from empedocles.position import Position

INTERRUPTED = 130  # the exit status of a program ended by Ctrl-C


def run(start: Position, folder: Path, minutes: float, seed: int, threads: int) -> None:
    training = Training(start, folder, seed, threads)
    if training.games:
        say(f"Going on after {training.games:,} games.")
    say(f"Each look plays {MEASURED:,} games against the hand-made evaluation, one ply deep each.")
    console.print(f"{'games':>12}{'plies':>14}{'minutes':>9}{'plies/s':>10}{'error':>9}{'score':>8}", style="bold")
    try:
        for progress in training.run(60 * minutes):
            say(_row(progress))
    except KeyboardInterrupt:
        training.save()
        say("Interrupted. The same command goes on.")
        raise typer.Exit(INTERRUPTED) from None
    say(f"The network plays as net:{folder}, for example: empedocles play {start.game.name} --opponent net:{folder}")
    say(f"How it learnt: {write_report(folder)}")


def _row(progress: Progress) -> str:
    games, plies, seconds, error, score = progress
    speed = plies / seconds if seconds else 0
    return f"{games:>12,}{plies:>14,}{seconds / 60:>9.1f}{speed:>10,.0f}{error:>9.4f}{score:>8.1%}"
