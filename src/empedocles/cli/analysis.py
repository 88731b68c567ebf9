"""An annotated game, at the terminal and as a record."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from empedocles.agents import Agent
from empedocles.cli.console import console
from empedocles.core.kernel import CHANCE
from empedocles.play.analysis import MARKS, Remark, analyse, value_text
from empedocles.play.records import Record
from empedocles.play.story import story
from empedocles.search.limits import Limit

SLIGHT = 0.05  # a better move that is hardly better is shown dimly
STYLES = {"??": "bold red", "?": "red", "?!": "yellow", "": ""}


def annotate(record: Record, agent: Agent, limit: Limit) -> list[Remark]:
    """Go through a record; Ctrl-C ends that, and what was found so far is shown."""
    decisions = sum(seat != CHANCE for seat, _ in record.match.history())
    remarks: list[Remark] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("Analysing", total=decisions)
        try:
            for remark in analyse(record.match, agent, limit):
                remarks.append(remark)
                progress.advance(task)
        except KeyboardInterrupt:
            progress.stop()
            console.print(f"[yellow]Stopped after {len(remarks)} of {decisions} moves.[/]")
    return remarks


def show(record: Record, remarks: list[Remark]) -> None:
    match = record.match
    table = Table("Move", "Player", "Played", "", "Value", "Better", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for remark in remarks:
        better = (
            "" if remark.best.move == remark.played.move else escape(f"{remark.best.move}  {value_text(remark.best)}")
        )
        if better and remark.lost < SLIGHT:
            better = f"[dim]{better}[/]"
        style, name = STYLES[remark.mark], _name(record, remark.seat)
        cells = (str(remark.ply + 1), name, remark.played.move, remark.mark, value_text(remark.played))
        table.add_row(*map(escape, cells), better, style=style)
    console.print(table)
    if match.is_over:
        ending = f" {match.ending.message.say()}" if match.ending else ""
        console.print(escape(f"\n{match.position.outcome.say()}.{ending}"))
    console.print("\nValues are seen by the player who moved, from −1 to +1.")
    for seat in range(match.position.seats):
        console.print(_summary(record, seat, [remark for remark in remarks if remark.seat == seat]))


def show_reasons(record: Record, remarks: list[Remark]) -> None:
    """Each mistake that is worth a word: the move in words, and why it was one; then the match summed up."""
    told = story(record.match, remarks)
    for remark in remarks:
        position = record.match.at(remark.ply)
        if why := remark.explained(position):
            played = f"{position.words(remark.played.move).say()} {remark.mark}".strip()
            turning = " — the turning point" if remark is told.turning else ""
            console.print(f"\n[bold]{remark.ply + 1}. {escape(played)}[/]{turning}\n{escape(why.say())}")
    console.print()
    for sentence in told.sentences():
        console.print(escape(sentence.say()))
    for seat in range(record.match.position.seats):
        strong, weak = (
            ", ".join(one.say() for one in found) for found in (told.strengths(seat), told.weaknesses(seat))
        )
        console.print(
            escape(f"{_name(record, seat)}: strong in {strong or 'nothing in particular'}; mistakes {weak or 'none'}")
        )


def _summary(record: Record, seat: int, remarks: list[Remark]) -> str:
    marks = Counter(remark.mark for remark in remarks)
    mean = sum(remark.lost for remark in remarks) / max(1, len(remarks))
    counts = ", ".join(f"{marks[mark]} {mark}" for mark in MARKS)
    return escape(f"{_name(record, seat)}: {counts}; value lost per move {mean:.3f} on average")


def _name(record: Record, seat: int) -> str:
    return record.names.get(seat) or record.match.game.seat_name(record.match.position.seats, seat).say()


def annotated(record: Record, remarks: list[Remark]) -> Record:
    """The same record with the remarks as comments; comments that were there stay in front of them."""
    comments = dict(record.comments)
    for remark in remarks:
        before = comments.get(remark.ply + 1)
        comments[remark.ply + 1] = f"{before} — {remark}" if before else str(remark)
    return replace(record, comments=comments)
