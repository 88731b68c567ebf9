"""Training at the terminal: how far the run has come, a line for each look at it, and where to find the network."""

from __future__ import annotations

import contextlib
import math
import signal
from collections.abc import Iterator
from pathlib import Path

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from empedocles.cli.console import console, say
from empedocles.learn.players import player
from empedocles.learn.report import write_report
from empedocles.learn.training import LOG, MEASURED, Plan, Training
from empedocles.learn.training import Progress as Row

INTERRUPTED = 130  # the exit status of a program ended by Ctrl-C
UNKNOWN = "–"
HEADS = f"{'minutes':>9}{'games':>12}{'plies':>14}{'plies/s':>10}{'loss':>9}{'score':>8}{'Elo':>7}"


def run(plan: Plan, folder: Path, minutes: float, threads: int | None, cluster: str) -> None:
    with player(plan.start, plan.seed, threads, cluster) as players:
        training = Training(plan, folder, 1 if cluster else threads or 1, players)
        _introduce(training, cluster)
        with _Session(training, 60 * minutes) as session:
            for row in training.run(60 * minutes, watch=session.watch):
                session.show(row)
    if session.stopped:
        say("Interrupted. All is kept; the same command goes on.")
    if (folder / LOG).exists():
        say(f"How it learnt: {write_report(folder, plan)}")
    if session.stopped:
        raise typer.Exit(INTERRUPTED)
    name = plan.start.game.name
    say(f"The network plays as net:{folder}, for example: empedocles play {name} --opponent net:{folder}")


def _introduce(training: Training, cluster: str) -> None:
    plan = training.plan
    where = f"on the Ray cluster {cluster}" if cluster else f"on {plan.device}"
    by = f"taught by {plan.teacher}" if plan.teacher else "by self-play"
    rounds = f"rounds of {plan.round:,} games, seed {plan.seed}, in {training.folder}"
    say(f"{plan.start.game.title}, {by}, {where}: {rounds}")
    if training.games:
        say(f"Going on after {training.games:,} games.")
    say(f"Score and Elo: {MEASURED:,} games against the hand-made evaluation, one ply deep each.")
    console.print(HEADS, style="bold")
    with console.status("Getting ready"):
        assert training.learner


class _Session:
    """Shows a run while it goes on, and ends it after the round in which Ctrl-C was pressed."""

    def __init__(self, training: Training, until: float) -> None:
        self.training, self.until, self.stopped = training, until, False
        columns = TextColumn("Training"), BarColumn(None), TextColumn("left"), TimeRemainingColumn()
        self.bar = Progress(*columns, console=console, expand=True)
        self.task = self.bar.add_task("", total=until, completed=round(min(until, training.seconds)))
        self.live = Live(get_renderable=self._now, console=console, refresh_per_second=2, transient=True)
        self._ending = contextlib.ExitStack()

    def __enter__(self) -> _Session:
        self._ending.enter_context(self._interrupts())
        if console.is_terminal:
            self._ending.enter_context(self.live)
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    @contextlib.contextmanager
    def _interrupts(self) -> Iterator[None]:
        """The first Ctrl-C is noted, so that a round is learnt from as a whole or not at all; another one ends it."""

        def note(_number: int, _frame: object) -> None:
            if self.stopped:
                raise KeyboardInterrupt
            self.stopped = True

        before = signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def watch(self, training: Training) -> bool:
        self.bar.update(self.task, completed=min(self.until, training.seconds))
        return not self.stopped

    def show(self, row: Row) -> None:
        say(_line(row.seconds, row.games, row.plies, row.error, row.score, row.rating))

    def _now(self) -> RenderableType:
        run = self.training
        loss = run.error if run.errors else math.nan  # just after a look
        now = _line(run.seconds, run.games, run.plies, loss, run.score, run.rating)
        return Group(Text(now, style="dim"), self.bar)


def _line(seconds: float, games: int, plies: int, loss: float, score: float, rating: float) -> str:
    speed = plies / seconds if seconds else 0
    parts = [f"{seconds / 60:>9.1f}{games:>12,}{plies:>14,}{speed:>10,.0f}"]
    parts += [f"{loss:>9.4f}" if math.isfinite(loss) else f"{UNKNOWN:>9}"]
    parts += [f"{score:>8.1%}{rating:>+7.0f}" if math.isfinite(score) else f"{UNKNOWN:>8}{UNKNOWN:>7}"]
    return "".join(parts)
