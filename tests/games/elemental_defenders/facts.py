"""What is true of moves and hands in Elemental Defenders, recounted from positions as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from empedocles import Position
from empedocles.game import Deed
from empedocles.testing.claims import Facts

VIRTUES = {"M": 11, "W": 10, "P": 4, "K": 3, "N": 7}
LEVELS, ELEMENTS = "MWPKN", "efaw"
WORDS = {"Mystic": "M", "Warden": "W", "Priestess": "P", "Knight": "K", "Neonate": "N"}
CARD = re.compile(r"(Mystic|Warden|Priestess|Knight|Neonate) of (Earth|Fire|Air|Water)")


# ── The rules once more, on text ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Table:
    """A position as its text says it is."""

    mover: str
    round: str
    hands: tuple[frozenset[str], frozenset[str]]
    mediators: tuple[str, ...]
    led: str
    scores: tuple[int, ...]
    either: bool

    @classmethod
    def of(cls, position: Position) -> Table:
        fields = dict(field.split("=", 1) for field in position.text.split()[1:])
        hands = [frozenset(re.findall("[A-Z][a-z]", hand)) for hand in fields["hands"].split("/")]
        scores = tuple(map(int, fields["scores"].split("/")))
        either = position.options["answer"] == "either"
        mediators = tuple(fields["mediators"].split("/"))
        return cls(fields["to-move"], fields["round"], (hands[0], hands[1]), mediators, fields["led"], scores, either)

    @property
    def seat(self) -> int:
        return int(self.mover)

    def has_mediator(self, seat: int) -> bool:
        return self.mediators[seat] not in "-?"

    def answers(self, seat: int, attack: str) -> frozenset[str]:
        """The cards with which a seat answers an attack: ED-9, ED-10, ED-21."""
        hand = self.hands[seat]
        mystics = frozenset(card for card in hand if card[0] == "M")
        if attack.endswith("!") and mystics:
            return mystics
        by_element = frozenset(card for card in hand if card[1] == attack[1])
        by_level = frozenset(card for card in hand if card[0] == attack[0])
        return by_element | by_level if self.either else by_element or by_level

    def wins(self, seat: int) -> dict[str, int]:
        """The cards that win the round if a seat attacks next, with their points: ED-13, ED-16, ED-19."""
        if self.mover in ("none", "chance"):
            return {}
        hand, own = self.hands[seat], self.has_mediator(seat)
        last = own and not self.has_mediator(1 - seat) and len(hand) == len(self.hands[1 - seat])
        factor = 22 if last else 10 + own - (len(hand) - 1)
        return {card: factor * VIRTUES[card[0]] for card in hand if not self.answers(1 - seat, card)}

    def ended(self, later: Table) -> bool:
        return later.mover == "none" or later.round != self.round


def strength(card: str) -> tuple[int, int]:
    """Smaller is stronger, for an attack and its answer."""
    return LEVELS.index(card[0]), ELEMENTS.index(card[1])


def cards(words: str) -> list[str]:
    return [WORDS[level] + element[0].lower() for level, element in CARD.findall(words)]


def number(words: str) -> int:
    return int(re.findall(r"\d+", words)[-1])


# ── What deeds say ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Told:
    """A move, where it leads, and what is said of it."""

    position: Position
    move: str
    deed: Deed

    @property
    def words(self) -> str:
        return self.deed.words.say()

    @property
    def before(self) -> Table:
        return Table.of(self.position)

    @property
    def after(self) -> Table:
        return Table.of(self.position.play(self.move))

    @property
    def outcomes(self) -> dict[str, Table]:
        then = self.position.play(self.move)
        return {move: Table.of(then.play(move)) for move in then.legal_moves}


def won(told: Told) -> int:
    return sum(told.after.scores) - sum(told.before.scores)


def check_victory(told: Told) -> None:
    seat = told.before.seat
    assert cards(told.words) == [told.move[:2]]
    assert number(told.words) == won(told) == told.deed.worth == told.before.wins(seat)[told.move[:2]]
    assert told.after.scores[seat] > told.before.scores[seat]


def check_righteous(told: Told) -> None:
    check_victory(told)
    assert won(told) == 22 * VIRTUES[told.move[0]]
    assert told.before.has_mediator(told.before.seat)


def check_tie(told: Told) -> None:
    assert told.before.led != "-"
    assert told.before.ended(told.after)
    assert won(told) == 0
    assert cards(told.words) == [told.move]


def check_turned_tables(told: Told) -> None:
    card, attack = cards(told.words)
    assert card == told.move
    assert told.after.mover == told.before.mover
    assert strength(card) < strength(told.before.led)
    assert (
        number(told.words) == told.after.wins(told.after.seat)[attack] == max(told.after.wins(told.after.seat).values())
    )


def check_forced_win(told: Told) -> None:
    assert told.outcomes
    assert {then.mover for then in told.outcomes.values()} == {told.before.mover}
    best = [max(then.wins(then.seat).values()) for then in told.outcomes.values()]
    assert number(told.words) == min(best)


def check_parry(told: Told) -> None:
    card, threat = cards(told.words)
    other = 1 - told.before.seat
    siblings = [Table.of(told.position.play(move)) for move in told.position.legal_moves]
    lost = [then.wins(other)[threat] for then in siblings if then.seat == other and threat in then.wins(other)]
    assert card == told.move
    assert max(lost) == number(told.words)
    if told.words.startswith("take over"):
        assert told.after.seat != other
        assert threat in told.after.wins(other)
    else:
        assert told.after.answers(told.before.seat, threat)
        assert told.after.seat != other or not told.after.wins(other)


def check_kept_attack(told: Told) -> None:
    card, threat = cards(told.words)
    other = 1 - told.before.seat
    assert card == told.move[:2]
    assert {then.mover for then in told.outcomes.values()} == {told.before.mover}
    assert number(told.words) == max(then.wins(other).get(threat, 0) for then in told.outcomes.values())


def check_guard(told: Told) -> None:
    card, attack = cards(told.words)
    ((answer, then),) = told.outcomes.items()
    assert answer == card
    assert told.after.answers(1 - told.before.seat, attack)
    assert attack in then.wins(told.before.seat)


def check_virtue(told: Told) -> None:
    card, own = cards(told.words)
    assert own == told.move[:2]
    assert list(told.outcomes) == [card]
    assert number(told.words) == VIRTUES[card[0]] >= 10 > VIRTUES[own[0]]


def check_challenge(told: Told) -> None:
    assert told.move.endswith("!")
    assert {answer[0] for answer in told.outcomes} == {"M"}
    assert {answer[0] for answer in told.before.answers(1 - told.before.seat, told.move[:2])} != {"M"}


def check_mediator(told: Told) -> None:
    seat, card = told.before.seat, told.move[1:]
    assert told.after.mediators[seat] == card
    assert cards(told.words) == [card]
    plain = replace(told.after, mediators=("-", "-"))
    for attack, points in told.after.wins(seat).items():
        assert points == plain.wins(seat)[attack] + VIRTUES[attack[0]]
    assert ("no tenth" in told.words) == told.after.has_mediator(1 - seat)


def check_declined(told: Told) -> None:
    assert told.after.mediators[told.before.seat] == "-"
    assert ("the other has none in this round" in told.words) == (told.after.mediators == ("-", "-"))
    assert len(told.after.hands[told.before.seat]) == 10


def check_tenth(told: Told) -> None:
    (card,) = cards(told.words)
    (owner,) = [seat for seat in range(2) if told.after.has_mediator(seat)]
    assert told.after.hands[owner] == {card} <= {told.move, told.before.led.removesuffix("!")}
    assert len(told.after.hands[1 - owner]) == 1
    assert told.after.mover == told.before.mover
    assert ("left to answer" in told.words) == (told.after.seat != owner)
    if told.after.seat == owner:
        assert number(told.words) == 22 * VIRTUES[card[0]]


CHECKS = {
    "righteous-victories": check_righteous,
    "victories": check_victory,
    "turned-tables": check_turned_tables,
    "forced-wins": check_forced_win,
    "parries": check_parry,
    "kept-attacks": check_kept_attack,
    "guards-forced-out": check_guard,
    "tenth-exchanges": check_tenth,
    "ties": check_tie,
    "challenges": check_challenge,
    "virtue-drawn-out": check_virtue,
    "mediators": check_mediator,
    "mediators-declined": check_declined,
}


# ── What a seat has ───────────────────────────────────────────────────────────────────────────────────────────────────


def lasting(table: Table, seat: int) -> int:
    found = [(card, table.answers(1 - seat, card)) for card in table.hands[seat]]
    return sum(bool(answers) and all(strength(card) < strength(a) for a in answers) for card, answers in found)


def attacks(table: Table, seat: int) -> bool:
    if table.mover in ("none", "chance"):
        return False
    if table.mediators[table.seat] == "?":  # ED-14, ED-15: the attacker chooses first
        first = table.seat if table.mediators[1 - table.seat] == "?" else 1 - table.seat
        return first == seat
    return (table.seat == seat) == (table.led == "-")


def recount(table: Table, seat: int) -> dict[str, int]:
    held = table.hands[seat]
    if table.mover in ("none", "chance"):  # there is nothing left to attack with
        table = replace(table, hands=(frozenset(), frozenset()))
    mine, theirs = table.hands[seat], table.hands[1 - seat]
    free = table.wins(seat)
    return {
        "free-cards": len(free),
        "free-virtue": max((VIRTUES[card[0]] for card in free), default=0),
        "lasting-cards": lasting(table, seat),
        "last-guards": sum(len(table.answers(seat, card)) == 1 for card in theirs),
        "lone-elements": len({card[1] for card in mine} - {card[1] for card in theirs}),
        "virtue-in-hand": sum(VIRTUES[card[0]] for card in held),
        "mystics-in-hand": sum(card[0] == "M" for card in held),
        "attack-held": attacks(table, seat),
    }


def does(position: Position, move: str, concept: str, deed: Deed) -> bool:
    """Whether a move does what is said; what is not so fails in a check."""
    CHECKS[concept](Told(position, move, deed))
    return True


def has(position: Position, seat: int) -> dict[str, int]:
    return recount(Table.of(position), seat)


def places(position: Position, seat: int) -> dict[str, set[str]]:
    return {"free-cards": set(Table.of(position).wins(seat))}


def looms(position: Position, deed: Deed, other: Position) -> bool:
    """Whether the card that a deed wards off may win the round next, after another move."""
    before, _card, threat = Table.of(position), *cards(deed.words.say())
    after, foe = Table.of(other), str(1 - before.seat)
    then = [after] if after.led == "-" else [Table.of(other.play(move)) for move in other.legal_moves]
    return any(one.mover == foe and not before.ended(one) and threat in one.wins(int(foe)) for one in then)


FACTS = Facts(does, has, places, looms)
