"""Moves of Elemental Defenders for people: the clicks that enter them, and their words.

Targets are cards by name, `no-mediator` and `challenge`.
"""

from __future__ import annotations

from typing import Any

from empedocles.core.bits import count
from empedocles.core.kernel import CHANCE, State
from empedocles.game import POINTS, Bags, Clicks, Count, Interface, Milestone, Tally
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
    VIRTUE,
    element,
    level,
)
from empedocles.games.elemental_defenders.rules import (
    NO_CARD,
    RIGHTEOUS,
    UNDECIDED,
    answers,
    attacker,
    exchange,
    exchanges,
    is_righteous,
    play,
    points,
)
from empedocles.games.elemental_defenders.text import ELEMENT_TERMS, LEVEL_TERMS, OF_ELEMENT, SEATS
from empedocles.language import Message, Term
from empedocles.language import mark as _

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
    return {"level": LEVEL_TERMS[level(card)], "of": OF_ELEMENT[element(card)]}


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


def advised(s: State, action: int) -> Message:
    """A move as something that its player could do."""
    if action < MEDIATOR:
        return words(s, action)
    if action == NO_MEDIATOR:
        return Message(_("set no mediator aside"), {})
    return Message(_infinitive(s, action), _card(card_of(action)))


def _infinitive(s: State, action: int) -> str:
    if action < NO_MEDIATOR:
        return _("set the {level} {of} aside as mediator")
    if action >= CHALLENGE:
        return _("attack with the {level} {of} and challenge")
    if s.led == NO_CARD:
        return _("attack with the {level} {of}")
    return _("answer with the {level} {of}")


def target(name: str) -> Message:
    if name == DECLINE:
        return Message(_("no mediator"), {})
    if name == DECLARE:
        return Message(_("challenge"), {})
    return card_name(NAMES.index(name))


def prompt(s: State, chosen: tuple[str, ...], _can: frozenset[str], _whole: bool) -> Message:
    if chosen:
        return Message(_("Play it as it is, or choose “challenge”: they must answer with a Mystic if they can"), {})
    if s.mediators[s.mover] == UNDECIDED:
        return _mediator_prompt(s)
    if s.led == NO_CARD:
        return Message(_("Choose a card to attack with"), {})
    return Message(_answer_prompt(s), _card(int(s.led)) | {"element": ELEMENT_TERMS[element(int(s.led))]})


def _mediator_prompt(s: State) -> Message:
    other = int(s.mediators[1 - s.mover])
    if other == UNDECIDED:
        return Message(_("Choose a card to set aside as your mediator, or “no mediator”"), {})
    differing = _("Choose your mediator, which is no {level} and not {of}, or “no mediator”")
    return Message(differing, _card(other))


def _answer_prompt(s: State) -> str:
    by_element, by_level = ways(s)
    if by_element and by_level:
        return _("Answer the {level} {of} with {element} or another {level}")
    if by_element:
        return _("Answer the {level} {of} with {element}")
    if s.challenge:
        return _("Answer the challenge of the {level} {of} with another {level}")
    return _("Answer the {level} {of} with another {level}")


def status(s: State) -> list[Message]:
    return [_seat(s, 0), _seat(s, 1), moment(s), due(s)]


def _seat(s: State, seat: int) -> Message:
    card, cards = int(s.mediators[seat]), count(s.hands[seat])
    values = {"player": Term(SEATS[seat]), "points": POINTS(int(s.scores[seat])), "cards": cards}
    if card >= 0:
        line = _("{player}: {points}, {cards} cards in hand, mediator: {level} {of}")
        return Message(line, values | _card(card))
    none = s.with_mediators and card == NO_CARD
    with_none = _("{player}: {points}, {cards} cards in hand, no mediator")
    return Message(with_none if none else _("{player}: {points}, {cards} cards in hand"), values)


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
        return outcome(s) if s.second else _round_outcome(s)
    if s.mover == CHANCE:
        values: dict[str, Any] = {"player": Term(SEATS[0]), "n": count(s.dealt) + 1, "all": HAND}
        return Message(_("{player} is dealt card {n} of {all}"), values)
    player = {"player": Term(SEATS[s.mover])}
    if s.mediators[s.mover] == UNDECIDED:
        return _mediator_due(s, player)
    if s.led == NO_CARD:
        return Message(_("{player} is to attack"), player)
    return Message(_answer_due(s), player | _card(int(s.led)) | {"element": ELEMENT_TERMS[element(int(s.led))]})


def outcome(s: State) -> Message:
    ours, theirs = (int(points) for points in s.scores)
    if ours == theirs:
        return Message(_("The match is a draw: {points} points each"), {"points": ours})
    values = {"player": Term(SEATS[ours < theirs]), "more": max(ours, theirs), "less": min(ours, theirs)}
    return Message(_("{player} wins the match by {more} to {less}"), values)


def _round_outcome(s: State) -> Message:
    """Of the first round, at the moment when it ends: see `milestone`."""
    if s.led == NO_CARD:
        return Message(_("Nobody wins round {round}"), {"round": 1})
    return Message(_("{player} wins round {round}"), {"player": Term(SEATS[attacker(s)]), "round": 1})


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


# ── The score ────────────────────────────────────────────────────────────────────────────────────────────────────────


def last_won(s: State) -> list[int]:
    """What each seat has won in the round that is over now."""
    won = [0, 0]
    if s.over and s.led != NO_CARD:
        won[attacker(s)] = int(points(s, attacker(s)))
    return won


def tally(s: State) -> Tally:
    """ED-7: the points of both rounds."""
    won = last_won(s)
    rounds = [tuple(int(s.scores[seat]) - won[seat] for seat in range(2)), tuple(won)]
    if not s.second:
        rounds = [tuple(int(score) for score in s.scores)]
    counts = (Count(Message(_("round {n}"), {"n": n}), brought) for n, brought in enumerate(rounds, 1))
    return Tally(Message(_("Aim: most points"), {}), tuple(counts), _stake(s))


def _stake(s: State) -> Message | None:
    """ED-13, ED-16, ED-19: what an attack that cannot be answered brings, or would bring now."""
    if s.over or s.mover == CHANCE or s.mediators[s.mover] == UNDECIDED:
        return None
    return Message(_("win now: {n} × virtue"), {"n": _factor(s, attacker(s), count(s.hands[attacker(s)]))})


def _factor(s: State, seat: int, cards: int) -> int:
    """By how much the virtue of a seat's attack counts, with so many cards in hand; before the attack, after it."""
    if is_righteous(s, seat):
        return RIGHTEOUS
    return HAND + int(s.mediators[seat] >= 0) - cards + int(s.led == NO_CARD)


def milestone(s: State, action: int) -> Milestone | None:
    """The end of a round."""
    then = s.copy()
    play(then, action)
    if not then.over and then.second == s.second:
        return None
    end = s.copy()
    end.second = 1  # so that no other round begins
    play(end, action)
    end.second = s.second
    return _round_end(s, end)


def _round_end(s: State, end: State) -> Milestone:
    values: dict[str, Any] = {"round": int(end.second) + 1}
    if end.led == NO_CARD:
        return Milestone(Message(_("All cards are played: nobody wins round {round}."), values), "ED-12", end)
    seat, card = attacker(end), int(end.led)
    left, virtue = count(end.hands[seat]), int(VIRTUE[card])
    values |= {"player": Term(SEATS[seat]), "other": Term(SEATS[1 - seat]), "left": left, "virtue": virtue}
    values |= {**_card(card), "points": int(end.scores[seat] - s.scores[seat])}
    rule, sentence = _counted(end, seat)
    return Milestone(Message(sentence, values), rule, end)


def _counted(end: State, seat: int) -> tuple[str, str]:
    """The rule by which a round is counted, and the sentence that says so."""
    if is_righteous(end, seat):
        return "ED-19", _(
            "{other} cannot answer the {level} {of}: {player} wins round {round} righteously. "
            "22 × virtue {virtue} = {points} points."
        )
    if end.mediators[seat] >= 0:
        return "ED-16", _(
            "{other} cannot answer the {level} {of}: {player} wins round {round}. "
            "(10 − {left} left in hand + 1 for the mediator) × virtue {virtue} = {points} points."
        )
    return "ED-13", _(
        "{other} cannot answer the {level} {of}: {player} wins round {round}. "
        "(10 − {left} left in hand) × virtue {virtue} = {points} points."
    )


BAGS = Bags(lambda _s: range(DEAL, DEAL + len(NAMES)), lambda _s: 0)
INTERFACE = Interface(
    clicks, words, target, status, lambda _seats: SEATS, BAGS, prompt, tally=tally, milestone=milestone, advice=advised
)
