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
    MYSTICS,
    NO_MEDIATOR,
    SAME_ELEMENT,
    element,
    level,
)
from empedocles.games.elemental_defenders.moves import card_name
from empedocles.games.elemental_defenders.readings import ENDINGS
from empedocles.games.elemental_defenders.rules import (
    NO_CARD,
    UNDECIDED,
    answers,
    attacks,
    ending,
    exchange,
    first_attacker,
    possible_mediators,
    share,
    undealt,
    wanted,
)
from empedocles.games.elemental_defenders.text import ELEMENT_TERMS, LEVEL_TERMS, SEATS, mode
from empedocles.language import Reason, Term, because
from empedocles.language import mark as _

PLAYERS = tuple(Term(name) for name in SEATS)

# How the match was decided, by the number of the rule.
OVER = {
    11: _("the match is over: {card} has won the second round"),
    12: _("the match is over: in the second round all cards are played and nobody has won"),
    19: _("the match is over: {card} has won the second round, a righteous victory"),
}

# What a card in hand lacks to be an answer, by the rule that says how to answer here.
NO_ANSWER = {
    "ED-9": _("{card} does not answer {led}: {player} holds {element} and must play it"),
    "ED-10": _("{card} does not answer {led}: without {element}, {player} must play a {level}"),
    "ED-21": _("{card} does not answer the challenge {led}: {player} holds a Mystic and must play it"),
}
# The same with answer=either, unless the answer must be a Mystic.
NEITHER = _("{card} does not answer {led}: {player} must play {element} or a {level} (answer=either)")


def reason(s: State, a: int) -> Reason | None:
    if s.over:
        return _over(s)
    if s.mover == CHANCE or a < MEDIATOR:
        return _deal(s, a)
    if s.mediators[s.mover] == UNDECIDED or a < CARD:
        return _mediate(s, a)
    if a >= CHALLENGE and not s.with_challenge:
        return because("ED-21", _("challenges are not part of this game: its mode is {mode}"), mode=Term(mode(s)))
    return _attack(s, a) if s.led == NO_CARD else _answer(s, a)


def _over(s: State) -> Reason:
    number = ending(s)
    card = {} if s.led == NO_CARD else {"card": card_name(s.led)}
    return because(ENDINGS[number].rule, OVER[number], **card)


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
    if not s.with_mediators:
        return because("ED-14", _("mediators are not part of this game: its mode is {mode}"), mode=Term(mode(s)))
    if s.mediators[seat] != UNDECIDED:
        return _decided(s, seat)
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


def _decided(s: State, seat: int) -> Reason:
    """Why it is too late for a mediator."""
    leader = first_attacker(s)
    if seat == leader or s.mediators[leader] >= 0:
        rule = "ED-14" if seat == leader else "ED-15"
        return because(rule, _("mediators are chosen before the first attack, and this choice has been made"))
    declined = _("{attacker} declined to set a mediator aside, so {player} had no such choice")
    return because("ED-14", declined, attacker=PLAYERS[leader], player=PLAYERS[seat])


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
    rule = _answering_rule(s, seat)
    if missing := _not_in_hand(s, rule, card):
        return missing
    words = NEITHER if s.either and rule != "ED-21" else NO_ANSWER[rule]
    kind = {"element": ELEMENT_TERMS[element(led)], "level": LEVEL_TERMS[level(led)]}
    return because(rule, words, card=card_name(card), led=card_name(led), player=PLAYERS[seat], **kind)


def _answering_rule(s: State, seat: int) -> str:
    """The rule that says how to answer here."""
    needed = wanted(s, s.hands[seat])
    if s.challenge and needed == MYSTICS:
        return "ED-21"
    return "ED-9" if s.either or needed == SAME_ELEMENT[int(s.led)] else "ED-10"


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
