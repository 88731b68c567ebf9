"""Why a move of Elemental Defenders is refused, by rule id, from the functions that decide legality."""

from __future__ import annotations

from empedocles.core.bits import first, has
from empedocles.core.kernel import CHANCE, State
from empedocles.games.elemental_defenders.lookups import (
    CARD,
    CARDS,
    CHALLENGE,
    DEAL,
    HAND,
    MEDIATOR,
    NO_MEDIATOR,
    SAME_ELEMENT,
    element,
    level,
)
from empedocles.games.elemental_defenders.moves import ELEMENTS, LEVELS, SEATS, card_name
from empedocles.games.elemental_defenders.rules import (
    NO_CARD,
    UNDECIDED,
    answers,
    attacks,
    exchange,
    possible_mediators,
    share,
    undealt,
    wanted,
)
from empedocles.language import Reason, Term, because
from empedocles.language import mark as _

PLAYERS = tuple(Term(name) for name in SEATS)

# What a card in hand lacks to be an answer, by the rule that says how to answer here.
NO_ANSWER = {
    "ED-9": _("{card} does not answer {led}: {player} holds {element} and must play it"),
    "ED-10": _("{card} does not answer {led}: without {element}, {player} must play a {level}"),
    "ED-21": _("{card} does not answer the challenge {led}: {player} holds a Mystic and must play it"),
}


def reason(s: State, a: int) -> Reason | None:
    if s.over:
        return _over(s)
    if s.mover == CHANCE or a < MEDIATOR:
        return _deal(s, a)
    if s.mediators[s.mover] == UNDECIDED or a < CARD:
        return _mediate(s, a)
    if a >= CHALLENGE and not s.advanced:
        return because("ED-21", _("challenges belong to the advanced game"))
    return _attack(s, a) if s.led == NO_CARD else _answer(s, a)


def _over(s: State) -> Reason:
    if s.led == NO_CARD:
        return because("ED-12", _("the match is over: in the second round all cards are played and nobody has won"))
    return because("ED-11", _("the match is over: {card} has won the second round"), card=card_name(s.led))


def _deal(s: State, a: int) -> Reason | None:
    if s.mover != CHANCE:
        return because("ED-4", _("all cards are dealt"))
    if a >= MEDIATOR:
        return because("ED-4", _("the cards are still being dealt"))
    if has(undealt(s), a - DEAL):
        return None
    return because("ED-4", _("{card} is dealt already"), card=card_name(a - DEAL))


def _mediate(s: State, a: int) -> Reason | None:
    seat, card = int(s.mover), a - MEDIATOR
    other = int(s.mediators[1 - seat])
    rule = "ED-15" if other >= 0 else "ED-14"
    if not s.advanced:
        return because("ED-14", _("mediators belong to the advanced game"))
    if s.mediators[seat] != UNDECIDED:
        return because("ED-14", _("mediators are chosen before the first attack, and this choice has been made"))
    if a >= CARD:
        return because(rule, _("{player} first chooses a mediator or declines with 'm-'"), player=PLAYERS[seat])
    if a == NO_MEDIATOR or has(possible_mediators(s, seat), card):
        return None
    if not has(s.hands[seat], card):
        return because(rule, _("{card} is not in the hand of {player}"), card=card_name(card), player=PLAYERS[seat])
    alike = _("{card} has the element of the other mediator, {other}")
    if not has(SAME_ELEMENT[other], card):
        alike = _("{card} has the level of the other mediator, {other}")
    return because(rule, alike, card=card_name(card), other=card_name(other))


def _attack(s: State, a: int) -> Reason | None:
    if has(attacks(s, int(s.mover)), a - CARD):
        return None
    return _not_in_hand(s, "ED-8", (a - CARD) % CARDS)


def _answer(s: State, a: int) -> Reason | None:
    seat, card, led = int(s.mover), a - CARD, int(s.led)
    if a >= CHALLENGE:
        return because("ED-21", _("a challenge goes with an attack, and {led} waits for an answer"), led=card_name(led))
    if has(answers(s, seat), card):
        return None
    by_element = wanted(s, s.hands[seat]) == SAME_ELEMENT[led]
    rule = "ED-9" if by_element else "ED-21" if s.challenge else "ED-10"
    if missing := _not_in_hand(s, rule, card):
        return missing
    kind = {"element": ELEMENTS[element(led)], "level": LEVELS[level(led)]}
    return because(rule, NO_ANSWER[rule], card=card_name(card), led=card_name(led), player=PLAYERS[seat], **kind)


def _not_in_hand(s: State, rule: str, card: int) -> Reason | None:
    """Where a card is that the player to move cannot play."""
    seat = int(s.mover)
    if has(s.hands[seat], card):
        return None
    if card in s.mediators:
        return because("ED-16", _("{card} is a mediator and takes no further part in the round"), card=card_name(card))
    if not has(share(s, seat), card):
        return because(rule, _("{card} is a card of {player}"), card=card_name(card), player=PLAYERS[1 - seat])
    if s.mediators[seat] >= 0 and exchange(s) == HAND:
        again = card_name(first(s.hands[seat]))
        return because(
            "ED-18", _("in the tenth exchange {player} plays {card} again"), player=PLAYERS[seat], card=again
        )
    return because(rule, _("{card} has been played already"), card=card_name(card))
