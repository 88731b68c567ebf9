"""What players of Elemental Defenders talk about: what moves do, and what hands are good for.

The unit of all worths is a point of the round. Those of what a seat has are rounded from a linear fit of the solver's
values over positions of weak play.

In one file, as in every game: whoever looks for a concept finds all of them here.
"""

from __future__ import annotations

from typing import NamedTuple

from empedocles.core.bits import bit, count, has, members
from empedocles.core.kernel import CHANCE, State
from empedocles.game import Deed, Idea
from empedocles.games.elemental_defenders.lookups import (
    CARD,
    CHALLENGE,
    HAND,
    MEDIATOR,
    MYSTICS,
    NAMES,
    NO_MEDIATOR,
    VIRTUE,
    element,
)
from empedocles.games.elemental_defenders.moves import DECLINE, card_name, card_of
from empedocles.games.elemental_defenders.rules import (
    NO_CARD,
    RIGHTEOUS,
    UNDECIDED,
    answers,
    attacker,
    exchange,
    is_righteous,
    points,
)
from empedocles.games.elemental_defenders.solver import children
from empedocles.language import NONE, NONE_AT_ALL, NOT_ONE, Message, alone, counted, valued
from empedocles.language import mark as _

GREAT = 10  # the virtue of a Warden; a Mystic has more


# ── Attacks that could come ──────────────────────────────────────────────────────────────────────────────────────────


class Attack(NamedTuple):
    """An attack that cannot be answered."""

    points: int
    card: int


def _attacked(s: State, seat: int, card: int) -> State:
    """The state after an attack of a seat, in turn or not, with a card of its hand; the round does not end by it."""
    then = s.copy()
    then.mover, then.led, then.challenge = seat, card, 0
    then.hands[seat] ^= bit(card)
    return then


def _replies(s: State, seat: int, card: int) -> list[int]:
    """The cards with which the other could answer if a seat attacked with a card, without a challenge."""
    return members(answers(_attacked(s, seat, card), 1 - seat))


def _free(s: State, seat: int) -> list[int]:
    """ED-11: the cards of a seat that the other could not answer now; a challenge never leaves fewer answers."""
    return [card for card in _held(s, seat) if not _replies(s, seat, card)]


def _held(s: State, seat: int) -> list[int]:
    """The cards with which a seat could still attack in this round."""
    return [] if s.over or s.mover == CHANCE else members(s.hands[seat])


def _threat(s: State, seat: int) -> Attack | None:
    """Between two exchanges, the attack with which a seat would win the most if it were its turn."""
    found = (Attack(int(points(_attacked(s, seat, card), seat)), card) for card in _free(s, seat))
    return max(found, default=None)


def _is_attack(before: State, action: int) -> bool:
    return action >= CARD and before.led == NO_CARD


def _is_answer(before: State, action: int) -> bool:
    return action >= CARD and before.led != NO_CARD


def _ended(before: State, after: State) -> bool:
    """Whether the move between two states ended a round."""
    return bool(after.over) or after.second != before.second


def _outcomes(before: State, after: State) -> list[tuple[int, State]]:
    """The answers to an attack and where they lead, as long as the round goes on after all of them; else none."""
    found = [] if _ended(before, after) else list(children(after))
    return [] if any(_ended(after, then) for _answer, then in found) else found


def _deed(text: str, told: tuple[str, str] | None, worth: float, victim: int | None, n: int = 0, **cards: int) -> Deed:
    """A deed told of cards, by the names that they have in the texts.

    `told` says it after the words of its move, and to those who know the move.
    """
    values = {name: card_name(card) for name, card in cards.items()} | {"n": n}
    deed = Deed(Message(text, values), worth, victim, tuple(NAMES[card] for card in cards.values()))
    return deed._replace(told=told[0], news=told[1]) if told else deed


# ── The end of a round ───────────────────────────────────────────────────────────────────────────────────────────────


def _won(before: State, after: State) -> int:
    return int(sum(after.scores) - sum(before.scores))


def _won_righteously(before: State, action: int) -> bool:
    seat = int(before.mover)
    return bool(is_righteous(_attacked(before, seat, card_of(action)), seat))


def righteous_victories(before: State, action: int, after: State) -> list[Deed]:
    """ED-19."""
    if not _won(before, after) or not _won_righteously(before, action):
        return []
    text = _("win the round righteously with the {card} ({n} points)")
    told = _("{move} and win the round righteously ({n} points)"), _("You win the round righteously ({n} points).")
    return [_deed(text, told, _won(before, after), 1 - int(before.mover), _won(before, after), card=card_of(action))]


def victories(before: State, action: int, after: State) -> list[Deed]:
    """ED-11."""
    if not _won(before, after) or _won_righteously(before, action):
        return []
    text = _("win the round with the {card}, which has no answer ({n} points)")
    told = (
        _("{move}, which has no answer and wins the round ({n} points)"),
        _("There is no answer to it, and you win the round ({n} points)."),
    )
    return [_deed(text, told, _won(before, after), 1 - int(before.mover), _won(before, after), card=card_of(action))]


def ties(before: State, action: int, after: State) -> list[Deed]:
    """ED-12."""
    if not _is_answer(before, action) or not _ended(before, after):
        return []
    text = _("answer the last attack with the {card}, so that nobody wins the round")
    told = _("{move}, so that nobody wins the round"), _("Then nobody wins the round.")
    return [_deed(text, told, 10, None, card=card_of(action))]


# ── The end of a round in sight ──────────────────────────────────────────────────────────────────────────────────────


def turned_tables(before: State, action: int, after: State) -> list[Deed]:
    """ED-9, ED-10: an answer that wins the attack, with an attack to come that cannot be answered."""
    seat = int(before.mover)
    if not _is_answer(before, action) or _ended(before, after) or after.mover != seat:
        return []
    if not (won := _threat(after, seat)):
        return []
    text = _("take over the attack with the {card}, after which no card answers the {next} ({n} points)")
    told = (
        _("{move} and take over the attack, after which no card answers the {next} ({n} points)"),
        _("You take over the attack, and then no card answers the {next} ({n} points)."),
    )
    return [_deed(text, told, 0.9 * won.points, 1 - seat, won.points, card=card_of(action), next=won.card)]


def forced_wins(before: State, action: int, after: State) -> list[Deed]:
    """An attack after which every answer meets one that cannot be answered."""
    if not _is_attack(before, action) or not (outcomes := _outcomes(before, after)):
        return []
    seat = int(before.mover)
    found = [_threat(then, seat) if then.mover == seat else None for _answer, then in outcomes]
    if None in found:
        return []
    least = min(won.points for won in found if won)
    text = _("attack with the {card} and win the round after any answer (at least {n} points)")
    told = (
        _("{move} and win the round after any answer (at least {n} points)"),
        _("You can then win the round after any answer (at least {n} points)."),
    )
    return [_deed(text, told, 0.8 * least, 1 - seat, least, card=card_of(action))]


def parries(before: State, action: int, after: State) -> list[Deed]:
    """An answer after which the attacker cannot win at once, as after another answer."""
    other = 1 - int(before.mover)
    if not _is_answer(before, action) or _ended(before, after) or (after.mover == other and _threat(after, other)):
        return []
    found = [_threat(then, other) for _answer, then in children(before) if then.mover == other]
    if not (worst := max((won for won in found if won), default=None)):
        return []
    text = _("take over the attack with the {card}, before the {next} wins the round ({n} points)")
    told = (
        _("{move} and take over the attack, before the {next} wins the round ({n} points)"),
        _("You take over the attack, before the {next} wins the round ({n} points)."),
    )
    if _replies(after, other, worst.card):
        text = _("answer with the {card} and keep an answer to the {next}, which would win the round ({n} points)")
        told = (
            _("{move} and keep an answer to the {next}, which would win the round ({n} points)"),
            _("You keep an answer to the {next}, which would win the round ({n} points)."),
        )
    parry = _deed(text, told, 0.7 * worst.points, None, worst.points, card=card_of(action), next=worst.card)
    return [parry._replace(saves=True)]


def kept_attacks(before: State, action: int, after: State) -> list[Deed]:
    """An attack that no answer beats, while the other waits with one that cannot be answered."""
    if not _is_attack(before, action) or not (outcomes := _outcomes(before, after)):
        return []
    seat, other = int(before.mover), 1 - int(before.mover)
    if any(then.mover != seat for _answer, then in outcomes):
        return []
    found = [_threat(then, other) for _answer, then in outcomes]
    if not (worst := max((won for won in found if won), default=None)):
        return []
    text = _("keep the attack with the {card}, so that the {next} does not win the round next ({n} points)")
    told = (
        _("{move} and keep the attack, so that the {next} does not win the round next ({n} points)"),
        _("You keep the attack, so that the {next} does not win the round next ({n} points)."),
    )
    kept = _deed(text, told, 0.5 * worst.points, None, worst.points, card=card_of(action), next=worst.card)
    return [kept._replace(saves=True)]


def still_comes(before: State, deed: Deed, after: State) -> bool:
    """Whether the attack that a deed wards off can come next after another move."""
    other, card = 1 - int(before.mover), NAMES.index(deed.targets[1])
    places = [after] if after.led == NO_CARD else [then for _answer, then in children(after)]
    between = [then for then in places if not _ended(before, then) and then.mover == other]
    return any(card in _free(then, other) for then in between)


# ── Cards forced out ─────────────────────────────────────────────────────────────────────────────────────────────────


def guards_forced_out(before: State, action: int, after: State) -> list[Deed]:
    """An attack whose only answer is missed later."""
    outcomes = _outcomes(before, after) if _is_attack(before, action) else []
    if len(outcomes) != 1:
        return []
    seat, (answer, then) = int(before.mover), outcomes[0]
    opened = [card for card in _free(then, seat) if card not in _free(after, seat)]
    if not opened:
        return []
    next_card = max(opened, key=lambda card: (VIRTUE[card], -card))
    text = _("force out the {card}, without which no card answers the {next}")
    worth = int(points(_attacked(then, seat, next_card), seat)) / 3
    return [_deed(text, None, worth, 1 - seat, card=card_of(answer), next=next_card)]


def virtue_drawn_out(before: State, action: int, after: State) -> list[Deed]:
    """A Warden or Mystic forced out by a card of small virtue."""
    outcomes = _outcomes(before, after) if _is_attack(before, action) else []
    if len(outcomes) != 1 or VIRTUE[card_of(action)] >= GREAT:
        return []
    card = card_of(outcomes[0][0])
    if VIRTUE[card] < GREAT:
        return []
    text = _("force out the {card} (virtue {n}) with the {own}")
    told = _("{move}, which forces out the {card} (virtue {n})"), _("That forces out the {card} (virtue {n}).")
    return [_deed(text, told, 6, 1 - int(before.mover), int(VIRTUE[card]), card=card, own=card_of(action))]


def challenges(before: State, action: int, after: State) -> list[Deed]:
    """ED-21: a challenge that a Mystic must answer, where another card could have answered."""
    seat = int(before.mover)
    if action < CHALLENGE or _ended(before, after) or not after.hands[1 - seat] & MYSTICS:
        return []
    card = card_of(action)
    if all(has(MYSTICS, reply) for reply in _replies(before, seat, card)):
        return []
    text = _("force out a Mystic by challenging with the {card}")
    told = _("{move}, which forces out a Mystic"), _("That forces out a Mystic.")
    return [_deed(text, told, 8, 1 - seat, card=card)]


# ── Mediators ────────────────────────────────────────────────────────────────────────────────────────────────────────


def mediators(before: State, action: int, after: State) -> list[Deed]:
    """ED-16, ED-17."""
    if not MEDIATOR <= action < NO_MEDIATOR:
        return []
    first = after.mediators[1 - before.mover] == UNDECIDED
    text = _("set the {card} aside as mediator, so that a win counts one card more and there is no tenth exchange")
    told = (
        _("{move}, so that a win counts one card more and there is no tenth exchange"),
        _("Then a win counts one card more, and there is no tenth exchange."),
    )
    if first:
        text = _("set the {card} aside as mediator, so that a win counts one card more")
        told = _("{move}, so that a win counts one card more"), _("Then a win counts one card more.")
    return [_deed(text, told, 5, None, card=card_of(action))]


def mediators_declined(before: State, action: int, _after: State) -> list[Deed]:
    """ED-14, ED-18."""
    if action != NO_MEDIATOR:
        return []
    first = before.mediators[1 - before.mover] == UNDECIDED
    text = _("keep all ten cards, so that only the other mediator counts and there may be a tenth exchange")
    told = _("{move}, so that only the other one counts and there may be a tenth exchange")
    news = _("Then only the other mediator counts, and there may be a tenth exchange.")
    if first:
        text = _("decline a mediator, so that the other has none in this round, either")
        told = _("{move}, so that the other has none in this round, either")
        news = _("Then the other has none in this round, either.")
    return [Deed(Message(text, {}), 5, None, (DECLINE,), told=told, news=news)]


def tenth_exchanges(before: State, action: int, after: State) -> list[Deed]:
    """ED-18, ED-19: an answer that brings the attack of the tenth exchange, where one player has a mediator."""
    seat = int(before.mover)
    if not _is_answer(before, action) or _ended(before, after) or exchange(after) != HAND or after.mover != seat:
        return []
    owner = next((player for player in range(2) if after.mediators[player] >= 0), None)
    if owner is None:
        return []
    card = members(after.hands[owner])[0]
    attacking = _("attack in the tenth exchange with the {card} again ({n} points for a righteous victory)")
    answering = _("attack in the tenth exchange, where only the {card} is left to answer")
    text = attacking if owner == seat else answering
    return [_deed(text, None, 10, 1 - seat, RIGHTEOUS * int(VIRTUE[card]), card=card)]


# ── What a seat has ──────────────────────────────────────────────────────────────────────────────────────────────────


def free_cards(s: State, seat: int) -> int:
    """ED-11: the cards that the other hand cannot answer."""
    return len(_free(s, seat))


def free_places(s: State, seat: int) -> list[str]:
    return [NAMES[card] for card in _free(s, seat)]


def free_virtue(s: State, seat: int) -> int:
    """ED-13: the greatest virtue among them."""
    return max((int(VIRTUE[card]) for card in _free(s, seat)), default=0)


def lasting_cards(s: State, seat: int) -> int:
    """ED-9, ED-10: the cards that can be answered, but only by weaker ones, so that the seat attacks again."""
    return sum(card < min(_replies(s, seat, card), default=NO_CARD) for card in _held(s, seat))


def last_guards(s: State, seat: int) -> int:
    """The cards of the other that a seat can answer with one card only."""
    return sum(len(_replies(s, 1 - seat, card)) == 1 for card in _held(s, 1 - seat))


def lone_elements(s: State, seat: int) -> int:
    """The elements that a seat can attack with and the other cannot follow."""
    mine, theirs = ({element(card) for card in _held(s, player)} for player in (seat, 1 - seat))
    return len(mine - theirs)


def virtue_in_hand(s: State, seat: int) -> int:
    return sum(int(VIRTUE[card]) for card in members(s.hands[seat]))


def mystics_in_hand(s: State, seat: int) -> int:
    return count(s.hands[seat] & MYSTICS)


def attack_held(s: State, seat: int) -> int:
    """ED-6, ED-10: whether a seat attacks next, or has attacked."""
    if s.over or s.mover == CHANCE:
        return 0
    mine, theirs = (int(s.mediators[player]) for player in (s.mover, 1 - s.mover))
    is_defending = mine == UNDECIDED != theirs  # ED-15: the attacker has chosen a mediator first
    return int((attacker(s) == seat) != is_defending)


# ── In words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


CONCEPTS: tuple[Idea, ...] = (
    Idea(
        "righteous-victories",
        _("righteous victories"),
        righteous_victories,
        did=_("won more rounds righteously"),
        do=_("win a round righteously"),
    ),
    Idea(
        "victories",
        _("attacks that cannot be answered"),
        victories,
        did=_("won more rounds with an attack that had no answer"),
        do=_("win the round with an attack"),
    ),
    Idea(
        "turned-tables",
        _("answers that win the attack and the round"),
        turned_tables,
        did=_("took over the attack with a certain win more often"),
        do=_("take over the attack with a certain win"),
    ),
    Idea(
        "forced-wins",
        _("attacks that win after any answer"),
        forced_wins,
        did=_("attacked with a certain win more often"),
        do=_("attack with a certain win"),
    ),
    Idea(
        "parries",
        _("wins prevented by an answer"),
        parries,
        did=_("parried more threats to win the round"),
        do=_("parry threats to win the round"),
        looms=still_comes,
    ),
    Idea(
        "kept-attacks",
        _("wins prevented by keeping the attack"),
        kept_attacks,
        did=_("kept the attack in time more often"),
        do=_("keep the attack in time"),
        looms=still_comes,
    ),
    Idea(
        "guards-forced-out",
        _("guards forced out"),
        guards_forced_out,
        did=_("forced out more guards"),
        do=_("force out guards"),
    ),
    Idea("tenth-exchanges", _("tenth exchanges"), tenth_exchanges, do=_("bring on the tenth exchange")),
    Idea("ties", _("rounds that nobody wins"), ties, do=_("save the round with the last answer")),
    Idea(
        "challenges", _("Mystics forced out"), challenges, did=_("forced out more Mystics"), do=_("force out Mystics")
    ),
    Idea(
        "virtue-drawn-out",
        _("great cards forced out by small ones"),
        virtue_drawn_out,
        did=_("forced out more great cards with small ones"),
        do=_("force out great cards with small ones"),
    ),
    Idea("mediators", _("mediators set aside"), mediators, do=_("set a mediator aside")),
    Idea("mediators-declined", _("mediators declined"), mediators_declined, do=_("do without a mediator")),
    Idea(
        "free-cards",
        _("cards that cannot be answered"),
        measure=free_cards,
        words=counted(
            _("no card that cannot be answered"),
            _("one card that cannot be answered"),
            _("{n} cards that cannot be answered"),
        ),
        worth=12,
        places=free_places,
        other=alone(NONE),
        gone=_("no card any more that cannot be answered"),
    ),
    Idea(
        "free-virtue",
        _("great virtues that cannot be answered"),
        measure=free_virtue,
        words=valued(_("no card that cannot be answered"), _("a card of virtue {n} that cannot be answered")),
        worth=3,
        other=valued(_("none"), _("one of virtue {n}")),
        gone=_("no card any more that cannot be answered"),
    ),
    Idea(
        "lasting-cards",
        _("cards that keep the attack"),
        measure=lasting_cards,
        words=counted(
            _("no card that is sure to keep the attack"),
            _("one card that is sure to keep the attack"),
            _("{n} cards that are sure to keep the attack"),
        ),
        worth=5,
        other=alone(NONE),
        gone=_("no card any more that is sure to keep the attack"),
    ),
    Idea(
        "last-guards",
        _("attacks with a single answer"),
        measure=last_guards,
        words=counted(
            _("no attack with a single answer"),
            _("one attack with a single answer"),
            _("{n} attacks with a single answer each"),
        ),
        worth=-4,
        other=alone(NOT_ONE),
        gone=_("no attack to face any more with a single answer"),
    ),
    Idea(
        "lone-elements",
        _("elements that the other lacks"),
        measure=lone_elements,
        words=counted(
            _("no element that the other lacks"),
            _("one element that the other lacks"),
            _("{n} elements that the other lacks"),
        ),
        worth=2,
        other=alone(NONE_AT_ALL),
        gone=_("no element any more that the other lacks"),
    ),
    Idea(
        "virtue-in-hand",
        _("virtues kept in hand"),
        measure=virtue_in_hand,
        words=valued(_("no virtue left in hand"), _("a total virtue of {n} left in hand")),
        worth=0.5,
        other=alone(NONE),
    ),
    Idea(
        "mystics-in-hand",
        _("Mystics kept in hand"),
        measure=mystics_in_hand,
        words=counted(_("no Mystic in hand"), _("one Mystic in hand"), _("{n} Mystics in hand")),
        worth=1,
        other=alone(NONE),
        gone=_("no Mystic in hand any more"),
    ),
    Idea(
        "attack-held",
        _("the right to attack"),
        measure=attack_held,
        words=valued(_("no right to attack"), _("the right to attack")),
        worth=10,
        other=alone(_("not")),
        gone=_("no right to attack any more"),
    ),
)

DANGERS = ("righteous-victories", "victories", "turned-tables")
