"""Elemental Defenders in text: positions to fields and back, and the text board."""

from __future__ import annotations

from typing import Any

import numpy as np

from empedocles.core.bits import NONE, bit, count, has, members
from empedocles.core.kernel import CHANCE, State, Words
from empedocles.game import POINTS, Fields, Options
from empedocles.games.elemental_defenders.lookups import (
    BY_ELEMENT,
    CARDS,
    HAND,
    LEVELS,
    MYSTICS,
    NAMES,
    UNLIKE,
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
    deal,
    exchange,
    exchanges,
    first_attacker,
    points,
    share,
    start_round,
)
from empedocles.language import Message, Term, lines
from empedocles.language import mark as _

# The values of `mode`: whether there are mediators, and whether there is a challenge.
MODES = {_("basic"): (0, 0), _("mediators"): (1, 0), _("challenge"): (0, 1), _("advanced"): (1, 1)}
ANSWERS = (_("element"), _("either"))
SEATS = (_("Dawn"), _("Dusk"))
NOTHING = "-"
OPEN = "?"  # a mediator that may still be chosen
CHALLENGED = "!"

# What a round can bring, without mediators and with them: nothing, or a number of cards (ED-13, ED-16, ED-19) times
# virtue.
ROUND_POINTS = [
    {factor * int(virtue) for factor in factors for virtue in VIRTUE}
    for factors in (range(HAND + 1), (*range(HAND + 2), RIGHTEOUS))
]


def encode(options: Options) -> Words:
    return np.array([*MODES[options["mode"]], ANSWERS.index(options["answer"])], dtype=np.uint64)


def decode(s: State) -> dict[str, Any]:
    return {"mode": mode(s), "answer": ANSWERS[s.either]}


def mode(s: State) -> str:
    parts = int(s.with_mediators), int(s.with_challenge)
    return next(name for name, played in MODES.items() if played == parts)


# ── One line ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def describe(s: State) -> dict[str, str]:
    return {
        "dealt": _cards(s.dealt),
        "round": str(s.second + 1),
        "hands": f"{_cards(s.hands[0])}/{_cards(s.hands[1])}",
        "mediators": f"{_mediator(s, 0)}/{_mediator(s, 1)}",
        "led": _led(s),
        "scores": f"{s.scores[0]}/{s.scores[1]}",
        "to-move": "none" if s.over else "chance" if s.mover == CHANCE else str(s.mover),
    }


def _cards(cards: np.uint64) -> str:
    return "".join(NAMES[card] for card in members(cards)) or NOTHING


def _mediator(s: State, seat: int) -> str:
    card = int(s.mediators[seat])
    return NAMES[card] if card >= 0 else OPEN if card == UNDECIDED else NOTHING


def _led(s: State) -> str:
    return NOTHING if s.led == NO_CARD else NAMES[s.led] + CHALLENGED * int(s.challenge)


def restore(s: State, fields: Fields) -> None:
    _restore_deal(s, fields)
    start = s.copy()
    _restore_mediators(s, fields)
    _restore_led(s, fields)
    _restore_hands(s, fields)
    s.scores[:] = fields.numbers("scores", 0, 2 * max(ROUND_POINTS[s.with_mediators]), "0/0")
    mover = fields.mover()
    s.mover, s.over = mover or 0, mover is None
    if start.mover == CHANCE:
        _check_deal(s, start, fields)
        return
    fields.need(mover != CHANCE, "to-move", _("is 'chance' though {most} cards are dealt"), most=HAND)
    _check_mediators(s, fields)
    _check_hands(s, fields)
    _check_mover(s, fields)
    _check_end(s, fields)
    _check_scores(s, fields)


def _restore_deal(s: State, fields: Fields) -> None:
    """Deal by the rules themselves, so that all other fields have their values at the start of the round."""
    dealt = _read_cards(fields, "dealt", fields.text("dealt", NOTHING))
    fields.need(len(dealt) <= HAND, "dealt", _("has {n} cards, and a player is dealt {most}"), n=len(dealt), most=HAND)
    for card in dealt:
        deal(s, card)
    if fields.number("round", 1, 2, 1) == 2:
        fields.need(len(dealt) == HAND, "round", _("is 2 though only {n} cards are dealt"), n=len(dealt))
        start_round(s, 1)


def _read_cards(fields: Fields, name: str, text: str) -> list[int]:
    fields.need(text != "", name, _("is empty: no cards are written {nothing}"), nothing=repr(NOTHING))
    cards = [] if text == NOTHING else [text[k : k + 2] for k in range(0, len(text), 2)]
    for card in cards:
        fields.need(card in NAMES, name, _("{card} is not a card"), card=repr(card))
        fields.need(cards.count(card) == 1, name, _("{card} occurs twice"), card=card)
    return [NAMES.index(card) for card in cards]


def _restore_mediators(s: State, fields: Fields) -> None:
    words = {OPEN: UNDECIDED, NOTHING: NO_CARD, **{name: card for card, name in enumerate(NAMES)}}
    for seat, word in enumerate(fields.each_seat("mediators", f"{_mediator(s, 0)}/{_mediator(s, 1)}")):
        fields.need(
            word in words,
            "mediators",
            _("{word} is neither a card nor '-' (none) nor '?' (undecided)"),
            word=repr(word),
        )
        s.mediators[seat] = words[word]


def _restore_led(s: State, fields: Fields) -> None:
    word = fields.text("led", NOTHING)
    if word == NOTHING:
        return
    name = word.removesuffix(CHALLENGED)
    fields.need(name in NAMES, "led", _("{word} is not a card"), word=repr(name))
    s.led, s.challenge = NAMES.index(name), word != name
    challenging = s.with_challenge and has(MYSTICS, int(s.led))
    fields.need(
        not s.challenge or challenging, "led", _("only a Mystic can challenge, with mode=challenge or advanced")
    )


def _restore_hands(s: State, fields: Fields) -> None:
    """Unless given, the hands are what was dealt less what lies open."""
    rest = [hand & ~_open_cards(s) for hand in s.hands]
    for seat, cards in enumerate(fields.each_seat("hands", f"{_cards(rest[0])}/{_cards(rest[1])}")):
        s.hands[seat] = NONE
        for card in _read_cards(fields, "hands", cards):
            s.hands[seat] |= bit(card)


def _open_cards(s: State) -> np.uint64:
    """The mediators and the card led."""
    cards = NONE
    for card in (int(s.led), int(s.mediators[0]), int(s.mediators[1])):
        cards |= bit(card) if card >= 0 else NONE
    return cards


# ── Invariants ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _check_deal(s: State, start: State, fields: Fields) -> None:
    for name in ("mediators", "led", "hands", "scores"):
        fields.need(
            np.array_equal(s[name], start[name]), name, _("has no other value before {most} cards are dealt"), most=HAND
        )
    fields.need(not s.over and s.mover == CHANCE, "to-move", _("is 'chance' until {most} cards are dealt"), most=HAND)


def _check_mediators(s: State, fields: Fields) -> None:
    chosen = [int(card) for card in s.mediators]
    for seat, card in enumerate(chosen):
        fields.need(
            bool(s.with_mediators) or card == NO_CARD, "mediators", _("are not part of mode={mode}"), mode=mode(s)
        )
        owned = card < 0 or has(share(s, seat), card)
        fields.need(
            owned,
            "mediators",
            _("{card} was not dealt to {player} in this round"),
            card=NAMES[card],
            player=Term(SEATS[seat]),
        )
    leader = first_attacker(s)
    before, after = chosen[leader], chosen[1 - leader]
    follows = before >= 0 or after == before
    fields.need(
        follows,
        "mediators",
        _("{player} chooses only after {other} chose a card"),
        player=Term(SEATS[1 - leader]),
        other=Term(SEATS[leader]),
    )
    fields.need(
        min(chosen) < 0 or has(UNLIKE[before], after), "mediators", _("two of them differ in element and level")
    )


def _check_hands(s: State, fields: Fields) -> None:
    for seat in range(2):
        stray = s.hands[seat] & share(s, 1 - seat)
        fields.need(
            not stray,
            "hands",
            _("{cards} was not dealt to {player} in this round"),
            cards=_cards(stray),
            player=Term(SEATS[seat]),
        )
    twice = (s.hands[0] | s.hands[1]) & _open_cards(s)
    fields.need(not twice, "hands", _("{cards} is in hand and also on the table"), cards=_cards(twice))
    undecided = UNDECIDED in s.mediators
    fields.need(not undecided or s.led == NO_CARD, "led", _("an attack comes after the choice of mediators"))
    whole = count(s.hands[0] | s.hands[1] | _open_cards(s)) == CARDS
    fields.need(not undecided or whole, "hands", _("no card has been played before the choice of mediators"))
    fields.need(_balanced(s), "hands", _("both players have played equally many cards"))


def _balanced(s: State) -> bool:
    held = [count(hand) for hand in s.hands]
    held[attacker(s)] += s.led != NO_CARD
    alone = [seat for seat in range(2) if s.mediators[seat] >= 0 > s.mediators[1 - seat]]
    if not alone:
        return held[0] == held[1]
    # ED-18: one card fewer than the other player, but the last one twice.
    mine, theirs = held[alone[0]], held[1 - alone[0]]
    return mine == max(theirs - 1, min(theirs, 1))


def _check_mover(s: State, fields: Fields) -> None:
    leader = first_attacker(s)
    if s.led != NO_CARD:
        fields.need(
            bool(s.over) or s.mover != attacker(s),
            "to-move",
            _("{card} is {player}'s attack"),
            card=_led(s),
            player=Term(SEATS[attacker(s)]),
        )
        fields.need(
            exchange(s) > 1 or attacker(s) == leader,
            "led",
            _("{player} holds Nw and attacks first"),
            player=Term(SEATS[leader]),
        )
    elif s.mediators[leader] >= 0 and s.mediators[1 - leader] == UNDECIDED:
        fields.need(
            s.mover == 1 - leader,
            "to-move",
            _("the choice of a mediator is {player}'s"),
            player=Term(SEATS[1 - leader]),
        )
    else:
        fields.need(
            exchange(s) > 1 or s.mover == leader,
            "to-move",
            _("{player} holds Nw and comes first"),
            player=Term(SEATS[leader]),
        )


def _check_end(s: State, fields: Fields) -> None:
    won = s.led != NO_CARD and not answers(s, 1 - attacker(s))
    tied = s.led == NO_CARD and not s.hands[0] | s.hands[1]
    if s.over:
        ended = s.second == 1 and (won or tied)
        fields.need(ended, "to-move", _("is 'none' only when the second round is won or no cards are left"))
    fields.need(bool(s.over) or not won, "led", _("{card} cannot be answered: it has won the round"), card=_led(s))
    fields.need(bool(s.over) or not tied, "hands", _("no cards are left: the round has ended"))


def _check_scores(s: State, fields: Fields) -> None:
    first = [int(score) for score in s.scores]  # what the first round brought
    if s.over and s.led != NO_CARD:
        first[attacker(s)] -= points(s, attacker(s))
    fields.need(s.second == 1 or not any(first), "scores", _("nobody scores before the end of a round"))
    fields.need(min(first) == 0, "scores", _("only the winner of a round scores"))
    fields.need(max(first) in ROUND_POINTS[s.with_mediators], "scores", _("no round brings {n} points"), n=max(first))


# ── The text board ────────────────────────────────────────────────────────────────────────────────────────────────────


TITLES = {
    "basic": _("Basic game"),
    "mediators": _("Game with mediators"),
    "challenge": _("Game with challenges"),
    "advanced": _("Advanced game"),
}
LEVEL_TERMS = (Term(_("Mystic")), Term(_("Warden")), Term(_("Priestess")), Term(_("Knight")), Term(_("Neonate")))
ELEMENT_TERMS = (Term(_("Earth")), Term(_("Fire")), Term(_("Air")), Term(_("Water")))
OF_ELEMENT = (Term(_("of Earth")), Term(_("of Fire")), Term(_("of Air")), Term(_("of Water")))


def diagram(s: State) -> Message:
    columns = dict(zip(("one", "two", "three", "four"), ELEMENT_TERMS, strict=True))
    heading = Message(_("        {one:<14}  {two:<14}  {three:<14}  {four}"), columns)
    told: list[str | Message] = [_moment(s), "", heading, _row(s, 0), _row(s, 1), "", _seat(s, 0), _seat(s, 1)]
    return lines([*told, *([_attack(s)] if s.led != NO_CARD else []), Message("  {due}", {"due": _due(s)})])


def _moment(s: State) -> Message:
    """The first line: options, round and exchange."""
    begun = not s.over and s.mover != CHANCE and s.mediators[s.mover] != UNDECIDED
    values = {
        "title": Term(TITLES[mode(s)]),
        "reading": f", answer={ANSWERS[s.either]}" if s.either else "",
        "round": s.second + 1,
        "n": exchange(s),
        "all": exchanges(s),
    }
    text = _("{title}{reading}, round {round} of 2")
    if begun:
        text = _("{title}{reading}, round {round} of 2, exchange {n} of at most {all}")
    return Message(text, values)


def _row(s: State, seat: int) -> Message:
    """A hand by elements, a place for each level."""
    arrow = ">" if not s.over and s.mover == seat else " "
    held = members(s.hands[seat])
    codes = [NAMES[card] if card in held else " ." for card in BY_ELEMENT]
    groups = (" ".join(codes[k : k + len(LEVELS)]) for k in range(0, CARDS, len(LEVELS)))
    values = {"arrow": arrow, "name": Term(SEATS[seat]), "cards": "  ".join(groups)}
    return Message(_("{arrow} {name:<4}  {cards}"), values)


def _seat(s: State, seat: int) -> Message:
    values = {"name": Term(SEATS[seat]), "points": POINTS(int(s.scores[seat])), "card": _mediator(s, seat)}
    text = _("  {name}: {points}, mediator {card}")
    if s.mediators[seat] == UNDECIDED or not s.with_mediators:
        text = _("  {name}: {points}")
    elif s.mediators[seat] == NO_CARD:
        text = _("  {name}: {points}, no mediator")
    return Message(text, values)


def _attack(s: State) -> Message:
    card = int(s.led)
    values = {
        "name": Term(SEATS[attacker(s)]),
        "card": _led(s),
        "level": LEVEL_TERMS[level(card)],
        "of": OF_ELEMENT[element(card)],
    }
    text = _("  {name} attacks with {card} ({level} {of})")
    if s.challenge:
        text = _("  {name} attacks with {card} ({level} {of}, a challenge)")
    return Message(_("{attack}: no answer") if s.over else "{attack}", {"attack": Message(text, values)})


def _due(s: State) -> Message:
    if s.over:
        return Message(_("The match is over."), {})
    if s.mover == CHANCE:
        values = {"n": count(s.dealt) + 1, "all": HAND, "one": Term(SEATS[0]), "two": Term(SEATS[1])}
        return Message(_("Chance to move: card {n} of {all} for {one}, the rest is {two}'s"), values)
    text = _("{name} to move: an attack") if s.led == NO_CARD else _("{name} to move: an answer to {card}")
    if s.mediators[s.mover] == UNDECIDED:
        text = _("{name} to move: a mediator (m and a card) or none (m-)")
    return Message(text, {"name": Term(SEATS[s.mover]), "card": _led(s)})
