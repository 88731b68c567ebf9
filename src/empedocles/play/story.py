"""A match that was gone through, summed up: its turning point, three sentences, and what each player is good at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from empedocles.coach.summary import Tally, Turn, sentences, state_of, strengths, tally, weaknesses
from empedocles.language import Message
from empedocles.language import mark as _
from empedocles.play.analysis import CHANCES, Remark
from empedocles.play.match import Match
from empedocles.play.turning import costliest, gravest


@dataclass(frozen=True)
class Story:
    counted: Tally
    turning: Remark | None
    turn: Turn | None

    @property
    def costliest(self) -> int | None:
        """The moves before the one that cost most, if that was much and none turned the match."""
        return self.turn.ply if self.turn and not self.turn.turned else None

    def sentences(self, viewer: int | None = None) -> list[Message]:
        """At most three, told to one of the players, or to anybody."""
        return sentences(self.counted, self.turn, viewer)

    def strengths(self, seat: int) -> list[Message]:
        return strengths(self.counted, seat)

    def weaknesses(self, seat: int) -> list[Message]:
        return weaknesses(self.counted, seat)


def story(match: Match, remarks: Sequence[Remark]) -> Story:
    """Sum up a match by the remarks on all its decisions."""
    played = [(match.at(remark.ply), remark.played.move) for remark in remarks]
    explained = [(remark.seat, remark.explained(match.at(remark.ply))) for remark in remarks if remark.mark]
    mistakes = [(seat, why) for seat, why in explained if why]
    turning = gravest(remarks, match.position)
    return Story(tally(match.game, match.position.seats, played, mistakes), turning, _turn(match, turning, remarks))


def _turn(match: Match, turning: Remark | None, remarks: Sequence[Remark]) -> Turn | None:
    """The turning point, or else the move that cost most."""
    worst = turning or costliest(remarks, match.position)
    if worst is None:
        return None
    here = match.at(worst.ply)
    cost = worst.cost(here)
    assert cost, "it costs much"
    words, theirs, own = here.words(worst.played.move), cost, cost
    if cost.text == CHANCES:
        player = {"player": here.game.seat_name(here.seats, worst.seat)}
        theirs = Message(_("the chances of {player} fell from about {before} to {after}"), cost.values | player)
        own = Message(_("your chances fell from about {before} to {after}"), cost.values)
    why = worst.explained(here)
    return Turn(worst.ply, worst.seat, words, theirs, own, turning is not None, state_of(why) if why else None)
