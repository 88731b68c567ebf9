"""Numbers that positions have for a seat, in words: how many of something, where, and none of it any more."""

from __future__ import annotations

from empedocles.coach.lines import places
from empedocles.game import Idea
from empedocles.language import Message, Number, Term, all_of
from empedocles.language import mark as _
from empedocles.position import Position

NAMED = 3  # places that the words name
NOTHING = Term(_("nothing of the kind"))


def what(idea: Idea, position: Position, seat: int, number: int) -> Message:
    """A measured number in words, with its places if they are few."""
    assert idea.words
    words, where = idea.words(number), _where(idea, position, seat)
    return Message("{what} ({places})", {"what": words, "places": where}) if where else words


def gone(idea: Idea, before: Position, seat: int, number: int) -> Message:
    """None any more of what a seat had before, with its places if they were few, or else the number."""
    assert idea.words
    words = Message(idea.gone, {}) if idea.gone else idea.words(0)
    # One is not said: in German, its form depends on what is counted.
    had = _where(idea, before, seat) or (other_number(idea, number) if number > 1 else None)
    return Message(_("{what} (before: {had})"), {"what": words, "had": had}) if had else words


def _where(idea: Idea, position: Position, seat: int) -> Message | None:
    """The places of what a seat has, if they are few."""
    where = [position.game.located(one) for one in places(idea, position.state, seat)]
    return all_of(where) if 0 < len(where) <= NAMED else None


def other_number(idea: Idea, number: int) -> Message | Number | Term:
    """The second number of a comparison."""
    if idea.other:
        return idea.other(number)
    return Number(number) if number else NOTHING
