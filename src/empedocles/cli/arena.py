"""The arena at the terminal: progress while games are played, and the standings."""

from __future__ import annotations

import contextlib
import math
import signal
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from empedocles.cli.console import console, errors
from empedocles.games import find
from empedocles.play.arena import Contest, Failed, Played, Tally, prepare
from empedocles.play.arena import run as play_games
from empedocles.play.ratings import Rating, rate
from empedocles.play.results import Results

SHOWN_FAILURES = 5
INTERRUPTED = 130  # the exit status of a program ended by Ctrl-C
LONGEST_OPTION = 24
NO_NUMBER = "[dim]> and < are 95 % bounds: every point won, or lost, against the others.[/]"


def run(contest: Contest, games: int, jobs: int | None, path: Path, cluster: str) -> None:
    tasks = list(contest.tasks(games))
    with Results(path, contest) as results:
        played = [results.games[task.number] for task in tasks if task.number in results.games]
        session = _Session(contest, Tally(contest, played), len(tasks))
        _introduce(contest, games, path, len(played))
        todo = [task for task in tasks if task.number not in results.games]
        with (
            _interrupts() as interrupted,
            contextlib.closing(play_games(contest, todo, jobs, cluster)) as finished,
            session.live(),
            contextlib.suppress(KeyboardInterrupt),
        ):
            for game in finished if todo else ():
                if not isinstance(game, Failed):
                    results.add(game)
                session.count(game)
                if interrupted:
                    break
    session.conclude()
    if interrupted:
        console.print("[bold]Interrupted.[/] All games so far are kept; the same command plays the others.")
        raise typer.Exit(INTERRUPTED)
    if session.failures:
        raise typer.Exit(1)


@contextlib.contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Ctrl-C raises as always and is noted too: raised inside a callback of a library, the exception can get lost."""
    noted: list[int] = []

    def note(number: int, _frame: object) -> None:
        noted.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


def _introduce(contest: Contest, games: int, path: Path, there: int) -> None:
    game = find(contest.game)
    options = " ".join(f"{name}={str(value)[:LONGEST_OPTION]}" for name, value in game.named(contest.options).items())
    limit = contest.limit
    thinking = f"{limit.seconds:g} s" if limit.seconds else f"{limit.simulations} simulations"
    console.print(f"[bold]{game.title}[/] {escape(options)}: {thinking} a move, seed {contest.seed}")
    kept = f", {there} of them played before" if there else ""
    total = games * len(contest.pairs)
    console.print(f"{games} games a pair, {total} in all{kept}; kept in {escape(str(path))}", soft_wrap=True)
    with console.status("Getting ready"):
        prepare(contest)


class _Session:
    """What this run of the program has seen, beside the tally of all games."""

    def __init__(self, contest: Contest, tally: Tally, total: int) -> None:
        self.contest, self.tally = contest, tally
        self.failures: list[Failed] = []
        self.started, self.before = time.perf_counter(), tally.total
        self.progress = Progress(
            TextColumn("Playing"),
            BarColumn(None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            expand=True,
        )
        self.bar = self.progress.add_task("games", total=total, completed=tally.total)

    def count(self, game: Played | Failed) -> None:
        if isinstance(game, Failed):
            self.failures.append(game)
        else:
            self.tally.add(game)
        self.progress.update(self.bar, completed=self.tally.total)

    @contextlib.contextmanager
    def live(self) -> Iterator[None]:
        """Standings and a bar while games are played; nothing if the output is not a terminal."""
        if not console.is_terminal:
            yield
            return
        with Live(get_renderable=self._progress, console=console, transient=True, refresh_per_second=4):
            yield

    def _progress(self) -> RenderableType:
        return Group("", standings(self.tally), "", self.progress)

    def conclude(self) -> None:
        tally, seconds = self.tally, time.perf_counter() - self.started
        console.print()
        if tally.total:
            console.print(standings(tally))
            if not all(math.isfinite(rating.elo) for rating in rate(tally.evidence)):
                console.print(NO_NUMBER)
            console.print()
            console.print(encounters(tally))
            console.print()
            if tally.endings:
                console.print(endings(tally))
                console.print()
            console.print(f"{_games(tally.total)}, {tally.plies / tally.total:.1f} plies on average.", end=" ")
        now = tally.total - self.before
        speed = f", {now / seconds:.1f} a second" if now else ""
        console.print(f"{_games(now)} played now in {seconds:.1f} s{speed}.")
        for failure in islice(self.failures, SHOWN_FAILURES):
            errors.print(f"[bold red]Failed:[/] {escape(str(failure))}", soft_wrap=True)
        if self.failures:
            errors.print(f"{_games(len(self.failures))} failed; the same command tries them again.")


def _games(number: int) -> str:
    return f"{number} game{'' if number == 1 else 's'}"


# ── Standings ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def standings(tally: Tally) -> Table:
    """The agents, the strongest first."""
    table = _table("Agent", "Games", "Points", "Score", "Draws", "Elo", "± 95 %")
    games, points, draws = (counted.sum(1) for counted in (tally.games, tally.points, tally.draws))
    rows = []
    for i, (name, rating) in enumerate(zip(tally.contest.agents, rate(tally.evidence), strict=True)):
        score = points[i] / games[i] if games[i] else math.nan
        row = [
            name,
            str(games[i]),
            f"{points[i]:.1f}",
            _percent(score),
            str(draws[i]),
            *(_elo(rating) if games[i] else ("–", "")),
        ]
        rows.append((-math.inf if math.isnan(rating.elo) else rating.elo, score, row))
    for *_, row in sorted(rows, key=lambda each: each[:2], reverse=True):
        table.add_row(*row)
    return table


def encounters(tally: Tally) -> Table:
    """How the first agent of each pair did against the second."""
    table = _table("Pair", "Games", "Score", "95 % interval", "Draws")
    for one, two in tally.contest.pairs:
        i, j = tally.contest.agents.index(one), tally.contest.agents.index(two)
        if n := int(tally.games[i, j]):
            points, (low, high) = tally.points[i, j], tally.interval(i, j)
            interval = f"{100 * low:.1f} to {100 * high:.1f} %"
            table.add_row(f"{one} – {two}", str(n), _percent(points / n), interval, _percent(tally.draws[i, j] / n))
    return table


def endings(tally: Tally) -> Table:
    """How often each rule ended a game."""
    known = {ending.rule: ending.message.say("en") for ending in find(tally.contest.game).endings.values()}
    table = _table("Ended by", "Games", "Share")
    for rule, number in tally.endings.most_common():
        table.add_row(known.get(rule, rule), str(number), _percent(number / tally.endings.total()))
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="left" if column == columns[0] else "right", no_wrap=column != columns[0])
    return table


def _percent(part: float) -> str:
    return "–" if math.isnan(part) else f"{100 * part:.1f} %"


def _elo(rating: Rating) -> tuple[str, str]:
    """A rating and its margin; a clean score has no finite rating, only a bound."""
    if math.isnan(rating.elo):
        return "–", ""
    if math.isinf(rating.elo):
        bound, sign = (rating.low, ">") if rating.elo > 0 else (rating.high, "<")
        return (f"{sign} {bound:+.0f}" if math.isfinite(bound) else f"{sign}{sign}"), ""
    margin = rating.high - rating.elo
    return f"{round(rating.elo):+d}" if round(rating.elo) else "0", f"{margin:.0f}" if margin else ""
