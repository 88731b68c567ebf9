"""Moves of Elemental Defenders for people: the clicks that enter them, and their words.

Targets are cards by name, `no-mediator` and `challenge`.
"""

from __future__ import annotations

from typing import Any

from empedocles.core.bits import count
from empedocles.core.kernel import CHANCE, State
from empedocles.game import Bags, Clicks, Interface
from empedocles.games.elemental_defenders.lookups import (
    CARD,
    CHALLENGE,
    DEAL,
    HAND,
    MEDIATOR,
    MYSTIC,
    NAMES,
    NO_MEDIATOR,
    SAME_ELEMENT,
    SAME_LEVEL,
    element,
    level,
)
from empedocles.games.elemental_defenders.rules import NO_CARD, UNDECIDED, answers, exchange, exchanges, play
from empedocles.language import Message, Term
from empedocles.language import mark as _

SEATS = (_("Dawn"), _("Dusk"))
LEVELS = (Term(_("Mystic")), Term(_("Warden")), Term(_("Priestess")), Term(_("Knight")), Term(_("Neonate")))
ELEMENTS = (Term(_("Earth")), Term(_("Fire")), Term(_("Air")), Term(_("Water")))
OF_ELEMENT = (Term(_("of Earth")), Term(_("of Fire")), Term(_("of Air")), Term(_("of Water")))
DECLINE = "no-mediator"
DECLARE = "challenge"


def card_of(action: int) -> int:
    """The card that an action deals, sets aside or plays."""
    start = max(start for start in (DEAL, MEDIATOR, CARD, CHALLENGE) if start <= action)
    return action - start + (MYSTIC if start == CHALLENGE else 0)


def clicks(action: int) -> Clicks:
    if action == NO_MEDIATOR:
        return (frozenset({DECLINE}),)
    card = frozenset({NAMES[card_of(action)]})
    return (card, frozenset({DECLARE})) if action >= CHALLENGE else (card,)


# ── Words ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _card(card: int) -> dict[str, Any]:
    """A card as values of a sentence, in which it is "the {level} {of}"."""
    return {"level": LEVELS[level(card)], "of": OF_ELEMENT[element(card)]}


def card_name(card: int) -> Message:
    return Message("{level} {of}", _card(card))


def words(s: State, action: int) -> Message:
    player = {"player": Term(SEATS[max(int(s.mover), 0)])}  # chance deals to the first seat
    if action == NO_MEDIATOR:
        return Message(_("{player} sets no mediator aside"), player)
    then = s.copy()
    play(then, action)
    gained = {"round": int(s.second) + 1, "points": int(sum(then.scores) - sum(s.scores))}
    sentence = _last_sentence(s, action) if then.over or then.second != s.second else _sentence(s, action)
    return Message(sentence, player | _card(card_of(action)) | gained)


def _sentence(s: State, action: int) -> str:
    if action < MEDIATOR:
        return _("The {level} {of} is dealt to {player}")
    if action < NO_MEDIATOR:
        return _("{player} sets the {level} {of} aside as mediator")
    if action >= CHALLENGE:
        return _("{player} attacks with the {level} {of} and challenges")
    if s.led == NO_CARD:
        return _("{player} attacks with the {level} {of}")
    return _("{player} answers with the {level} {of}")


def _last_sentence(s: State, action: int) -> str:
    """The sentence for a move that ends a round."""
    if action >= CHALLENGE:
        return _("{player} challenges with the {level} {of}, gets no answer, and wins round {round}: {points} points")
    if s.led == NO_CARD:
        return _("{player} attacks with the {level} {of}, gets no answer, and wins round {round}: {points} points")
    return _("{player} answers with the {level} {of}, the last card: nobody wins round {round}")


def target(name: str) -> Message:
    if name == DECLINE:
        return Message(_("no mediator"), {})
    if name == DECLARE:
        return Message(_("challenge"), {})
    return card_name(NAMES.index(name))


def status(s: State) -> list[Message]:
    return [_seat(s, 0), _seat(s, 1), moment(s), due(s)]


def _seat(s: State, seat: int) -> Message:
    card, cards = int(s.mediators[seat]), count(s.hands[seat])
    values = {"player": Term(SEATS[seat]), "points": int(s.scores[seat]), "cards": cards}
    if card >= 0:
        line = _("{player}: {points} points, {cards} cards in hand, mediator: {level} {of}")
        return Message(line, values | _card(card))
    none = s.with_mediators and card == NO_CARD
    with_none = _("{player}: {points} points, {cards} cards in hand, no mediator")
    return Message(with_none if none else _("{player}: {points} points, {cards} cards in hand"), values)


def moment(s: State) -> Message:
    """The round, and the exchange of it once attacks are made; as the second begins, how the first has ended."""
    values = {"round": int(s.second) + 1}
    if s.mover != CHANCE and s.second and not s.over and exchange(s) == 1:
        return _after_the_first(s)
    if s.mover == CHANCE or s.mediators[s.mover] == UNDECIDED or s.over:
        return Message(_("Round {round} of 2"), values)
    more = {"n": exchange(s), "all": exchanges(s)}
    return Message(_("Round {round} of 2, exchange {n} of at most {all}"), values | more)


def _after_the_first(s: State) -> Message:
    ours, theirs = (int(points) for points in s.scores)
    if ours == theirs:
        return Message(_("Nobody has won round 1. Round 2 of 2"), {})
    won = _("{player} has won round 1: {points} points. Round 2 of 2")
    return Message(won, {"player": Term(SEATS[ours < theirs]), "points": max(ours, theirs)})


def due(s: State) -> Message:
    if s.over:
        return outcome(s)
    if s.mover == CHANCE:
        values: dict[str, Any] = {"player": Term(SEATS[0]), "n": count(s.dealt) + 1, "all": HAND}
        return Message(_("{player} is dealt card {n} of {all}"), values)
    player = {"player": Term(SEATS[s.mover])}
    if s.mediators[s.mover] == UNDECIDED:
        return _mediator_due(s, player)
    if s.led == NO_CARD:
        return Message(_("{player} is to attack"), player)
    return Message(_answer_due(s), player | _card(int(s.led)) | {"element": ELEMENTS[element(int(s.led))]})


def outcome(s: State) -> Message:
    ours, theirs = (int(points) for points in s.scores)
    if ours == theirs:
        return Message(_("The match is a draw: {points} points each"), {"points": ours})
    values = {"player": Term(SEATS[ours < theirs]), "more": max(ours, theirs), "less": min(ours, theirs)}
    return Message(_("{player} wins the match by {more} to {less}"), values)


def _mediator_due(s: State, player: dict[str, Any]) -> Message:
    other = int(s.mediators[1 - s.mover])
    if other == UNDECIDED:
        return Message(_("{player} may set a mediator aside"), player)
    differing = _("{player} may set a mediator aside that is no {level} and not {of}")
    return Message(differing, player | _card(other))


def _answer_due(s: State) -> str:
    by_element, by_level = ways(s)
    if by_element and by_level:
        return _("{player} must answer the {level} {of} with {element} or another {level}")
    if by_element:
        return _("{player} must answer the {level} {of} with {element}")
    if s.challenge:
        return _("{player} must answer the challenge of the {level} {of} with another {level}")
    return _("{player} must answer the {level} {of} with another {level}")


def ways(s: State) -> tuple[bool, bool]:
    """Whether the attack can be answered by its element, and whether by its level, as a challenge with Mystics."""
    found, led = answers(s, int(s.mover)), int(s.led)
    return bool(found & SAME_ELEMENT[led]), bool(found & SAME_LEVEL[led])


BAGS = Bags(lambda _s: range(DEAL, DEAL + len(NAMES)), lambda _s: 0)
INTERFACE = Interface(clicks, words, target, status, lambda _seats: SEATS, BAGS)
