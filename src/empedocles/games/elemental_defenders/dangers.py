"""What an answer can do to a player of Elemental Defenders, for warnings before bad moves; the gravest first."""

from __future__ import annotations

from empedocles.core.kernel import State
from empedocles.games.elemental_defenders.lookups import CARD
from empedocles.games.elemental_defenders.moves import card_name, card_of
from empedocles.games.elemental_defenders.rules import NO_CARD, play
from empedocles.games.elemental_defenders.solver import children
from empedocles.games.elemental_defenders.text import SEATS
from empedocles.language import Message, Term
from empedocles.language import mark as _


def unanswered(before: State, after: State, answer: int) -> Message | None:
    """ED-11: an attack that cannot be answered wins the round."""
    if answer < CARD or after.led != NO_CARD:
        return None
    if not (points := _won(after, answer, 1 - int(before.mover))):
        return None
    values = {"player": Term(SEATS[after.mover]), "card": card_name(card_of(answer)), "n": points}
    return Message(_("{player} can win the round with the {card}: {n} points."), values)


def turned_tables(before: State, after: State, answer: int) -> Message | None:
    """ED-9, ED-10: an answer that wins the next attack, which then cannot be answered."""
    if answer < CARD or after.led == NO_CARD:
        return None
    other, then = 1 - int(before.mover), after.copy()
    play(then, answer)
    if then.over or then.second != after.second or int(then.mover) != other:
        return None
    points, attack = max((_won(then, action, other), -action) for action, _child in children(then))
    if not points:
        return None
    cards = {"card": card_name(card_of(answer)), "next": card_name(card_of(-attack))}
    text = _("{player} can answer with the {card} and win the round with the {next}: {n} points.")
    return Message(text, {"player": Term(SEATS[other]), "n": points} | cards)


def _won(s: State, attack: int, seat: int) -> int:
    """The points for which an attack of a seat wins the round; 0 if it can be answered."""
    then = s.copy()
    play(then, attack)
    return int(then.scores[seat]) - int(s.scores[seat])


DANGERS = (unanswered, turned_tables)
