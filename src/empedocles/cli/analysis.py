"""An annotated game, at the terminal and as a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from empedocles.agents import Agent
from empedocles.cli.console import console, paragraph
from empedocles.core.kernel import CHANCE
from empedocles.language import Figure, Message, translate
from empedocles.language import mark as _
from empedocles.play.analysis import MARKS, Remark, analyse, value_text
from empedocles.play.records import Record
from empedocles.play.story import Story, story
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

ANALYSING, STOPPED = _("Analysing"), _("Stopped after {n} of {all} moves.")
SLIGHT = 0.05  # a better move that is hardly better is shown dimly
STYLES = {"??": "bold red", "?": "red", "?!": "yellow", "": ""}
HEADS = (_("Move"), _("Player"), _("Played"), "", _("Value"), _("Better"))
WITH_NOTATION = _("{words} ({move})")
SCALE = _("Values are seen by the player who moved, from −1 to +1.")


def annotate(record: Record, agent: Agent, limit: Limit, language: str) -> list[Remark]:
    """Go through a record; Ctrl-C ends that, and what was found so far is shown."""
    decisions = sum(seat != CHANCE for seat, _move in record.match.history())
    remarks: list[Remark] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(translate(ANALYSING, language), total=decisions)
        try:
            for remark in analyse(record.match, agent, limit):
                remarks.append(remark)
                progress.advance(task)
        except KeyboardInterrupt:
            progress.stop()
            stopped = Message(STOPPED, {"n": len(remarks), "all": decisions})
            console.print(escape(stopped.say(language)), style="yellow")
    return remarks


def show(record: Record, remarks: Sequence[Remark], language: str, explain: bool) -> None:
    report = Report(record, remarks, language)
    report.show()
    if explain:
        report.show_reasons()


class Report:
    """What was found, in the reader's language: moves in words, with their notation."""

    def __init__(self, record: Record, remarks: Sequence[Remark], language: str) -> None:
        self.record, self.remarks, self.language = record, remarks, language

    def show(self) -> None:
        """All moves with their values, how the match ended, and how each player did."""
        match = self.record.match
        heads = [translate(head, self.language) if head else "" for head in HEADS]
        table = Table(*heads, box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for remark in self.remarks:
            table.add_row(*self._row(remark), style=STYLES[remark.mark])
        console.print(table)
        if match.is_over:
            ending = f" {match.ending.message.say(self.language)}" if match.ending else ""
            console.print(escape(f"\n{match.position.outcome.say(self.language)}.{ending}"))
        console.print()
        self._say(SCALE)
        for seat in range(match.position.seats):
            self._summary(seat, [remark for remark in self.remarks if remark.seat == seat])

    def _row(self, remark: Remark) -> list[str]:
        position = self.record.match.at(remark.ply)
        cells = [str(remark.ply + 1), self._name(remark.seat), self._advised(position, remark.played.move)]
        cells = [*map(escape, [*cells, remark.mark, value_text(remark.played, self.language)]), ""]
        if remark.best.move != remark.played.move:
            value = value_text(remark.best, self.language)
            better = escape(f"{self._advised(position, remark.best.move)}  {value}")
            cells[-1] = f"[dim]{better}[/]" if remark.lost < SLIGHT else better
        return cells

    def show_reasons(self) -> None:
        """Each mistake that is worth a word: the move in words, and why it was one; then the match summed up."""
        match = self.record.match
        told = story(match, self.remarks)
        for remark in self.remarks:
            position = match.at(remark.ply)
            if why := remark.explained(position):
                played = {"words": position.words(remark.played.move), "move": remark.played.move}
                title = f"{remark.ply + 1}. {Message(WITH_NOTATION, played).say(self.language)} {remark.mark}".strip()
                console.print(f"\n[bold]{escape(title)}[/]{escape(self._standing_out(remark, told))}")
                paragraph(why.say(self.language))
        console.print()
        for sentence in told.sentences():
            paragraph(sentence.say(self.language))
        for seat in range(match.position.seats):
            self._list(seat, _("{player}, strengths: {list}."), told.strengths(seat))
            self._list(seat, _("{player}, to work on: {list}."), told.weaknesses(seat))

    def _standing_out(self, remark: Remark, told: Story) -> str:
        """What a move is called that turned the match, or else cost most."""
        if told.turning is remark:
            return f" — {translate(_('The turning point'), self.language)}"
        return f" — {translate(_('The costliest move'), self.language)}" if told.costliest == remark.ply else ""

    def comment(self, remark: Remark, explain: bool) -> str:
        """A remark for a record: what a mistake cost and why if that is wanted, else what the move is worth."""
        position = self.record.match.at(remark.ply)
        why, cost = remark.explained(position) if explain else None, remark.cost(position)
        if why and cost:
            words = cost.say(self.language)
            return f"{remark.mark} {words[0].upper()}{words[1:]}. {why.say(self.language)}".strip()
        values = {"value": self._worth(remark.played), "best": self._worth(remark.best)}
        text = _("value {value}")
        if remark.best.move != remark.played.move:
            text = _("value {value}; better: {move}, value {best}")
            values["move"] = self._advised(position, remark.best.move)
        return f"{remark.mark} {Message(text, values).say(self.language)}".strip()

    def _worth(self, evaluation: Evaluation) -> str:
        said = value_text(evaluation, self.language)
        return said if evaluation.points is None else Message(_("{value} points"), {"value": said}).say(self.language)

    def _list(self, seat: int, text: str, found: Sequence[Message]) -> None:
        if found:
            self._say(text, player=self._name(seat), list="; ".join(one.say(self.language) for one in found))

    def _summary(self, seat: int, remarks: list[Remark]) -> None:
        marks = Counter(remark.mark for remark in remarks)
        counts = ", ".join(f"{marks[mark]} {mark}" for mark in MARKS)
        mean = Figure(f"{sum(remark.lost for remark in remarks) / max(1, len(remarks)):.3f}")
        text = _("{player}: {counts}; value lost per move {mean} on average")
        self._say(text, player=self._name(seat), counts=counts, mean=mean)

    def _say(self, text: str, **values: object) -> None:
        paragraph(Message(text, values).say(self.language))

    def _advised(self, position: Position, move: str) -> str:
        """A move in words, without its player, and its notation."""
        words = position.game.advised(position.state, position.action(move))
        return Message(WITH_NOTATION, {"words": words, "move": move}).say(self.language)

    def _name(self, seat: int) -> str:
        match = self.record.match
        return self.record.names.get(seat) or match.game.seat_name(match.position.seats, seat).say(self.language)


def annotated(record: Record, remarks: Sequence[Remark], language: str = "en", explain: bool = False) -> Record:
    """The same record with the remarks as comments; comments that were there stay in front of them."""
    report, comments = Report(record, remarks, language), dict(record.comments)
    told = {remark.ply + 1: report.comment(remark, explain) for remark in remarks}
    if remarks:
        told[0] = translate(SCALE, language)
    for ply, text in told.items():
        comments[ply] = f"{comments[ply]} — {text}" if ply in comments else text
    return replace(record, comments=comments)
