"""What is said of moves and hands in Elemental Defenders is true, recounted from positions as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

import empedocles
from empedocles import Match, Position
from empedocles.game import Deed
from empedocles.games.elemental_defenders import GAME
from empedocles.testing.samples import random_match

IDEAS = {idea.name: idea for idea in GAME.concepts}
DEEDS = [name for name, idea in IDEAS.items() if idea.deeds]
MEASURES = [name for name, idea in IDEAS.items() if idea.measure]
VARIANTS = GAME.variants()
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
    assert ("none in this round" in told.words) == (told.after.mediators == ("-", "-"))
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


def told_of(name: str, position: Position, move: str) -> Iterator[Told]:
    deeds = IDEAS[name].deeds
    assert deeds
    state = position.state.copy()
    for deed in deeds(position.state, position.action(move), position.play(move).state):
        yield Told(position, move, deed)
    assert position.state == state


def samples() -> Iterator[tuple[Position, str]]:
    """Moves of random matches in all variants; random play often leaves a round to its last card."""
    for seed in range(3):
        for options in VARIANTS:
            match = random_match(GAME, options, seed)
            yield from zip(match.positions()[10:-1], match.moves[10:], strict=True)


SAMPLES = list(samples())


@pytest.mark.parametrize("name", DEEDS)
def test_what_deeds_say_is_true(name: str) -> None:
    for position, move in SAMPLES:
        for told in told_of(name, position, move):
            CHECKS[name](told)
            assert told.words[0].islower()
            assert not set(told.words) & set("{}")
            assert told.deed.worth > 0
            assert told.deed.victim in (None, 1 - told.before.seat)
            assert set(told.deed.targets) <= {*cards(told.words), "no-mediator"}
            assert told.deed.targets


def test_every_kind_of_deed_has_a_check() -> None:
    assert set(CHECKS) == set(DEEDS)


def test_dealing_does_nothing() -> None:
    position = Position.start(GAME, {})
    assert not [name for name in DEEDS for _ in told_of(name, position, "+Mw")]
    assert not [name for name in MEASURES if name not in HANDS and measured(name, position.play("+Mw"), 0)]


# ── Completeness: wins and mediators are never passed over ───────────────────────────────────────────────────────────


def test_every_round_that_ends_is_told_once() -> None:
    for position, move in SAMPLES:
        before, after = Table.of(position), Table.of(position.play(move))
        names = ("righteous-victories", "victories", "ties")
        assert sum(1 for name in names for _ in told_of(name, position, move)) == before.ended(after)


# ── Hand-made positions ──────────────────────────────────────────────────────────────────────────────────────────────

EXAMPLE = "+Pw +Ke +Ma +Kw +Kf +Wf +Nw +We +Wa +Pf"  # the rule book's
BEGUN = "mPw m- Ke Ne Ma! Mf Ww Kw"


def played(moves: str, mode: str = "advanced") -> Match:
    return empedocles.new("elemental-defenders", mode=mode, chance="manual").play(*f"{EXAMPLE} {moves}".split())


@pytest.mark.parametrize(
    ("name", "before", "move", "words"),
    [
        ("victories", f"{BEGUN} Nf Kf", "Wf", "win the round with the Warden of Fire, which has no answer (70 points)"),
        (
            "mediators",
            "",
            "mPw",
            "set the Priestess of Water aside as mediator, so that a win counts one card more",
        ),
        ("mediators-declined", "", "m-", "decline a mediator, so that there is none in this round"),
        ("challenges", "mPw m- Ke Ne", "Ma!", "force out a Mystic by challenging with the Mystic of Air"),
    ],
)
def test_the_example_of_the_rule_book(name: str, before: str, move: str, words: str) -> None:
    (told,) = told_of(name, played(before).position, move)
    assert told.words == words


ONE = "elemental-defenders mode=advanced dealt=MaMwWfPwKeKfKwNfNaNw round=1 mediators=Na/Ww"
TWO = "elemental-defenders mode=advanced dealt=MeMaMwWeWfWaPePaKeNe round=2 scores=90/0 mediators=Kf/Me"
ALONE = "elemental-defenders mode=advanced dealt=MeMaMwWeWwPaKwNfNaNw round=2 scores=0/30 mediators=-/Na"
BASIC = "elemental-defenders mode=basic dealt=MeMaWfWaPeKwNeNfNaNw round=2 scores=0/30"
OPEN = "elemental-defenders mode=advanced dealt=MeMaMwPePwKeKfKaNeNf round=1 mediators=-/-"


@pytest.mark.parametrize(
    ("name", "text", "move", "words"),
    [
        (
            "righteous-victories",
            f"{ALONE} hands=Kf/Mw to-move=1",
            "Mw",
            "win the round righteously with the Mystic of Water (242 points)",
        ),
        (
            "turned-tables",
            f"{OPEN} hands=MeMaKeNe/MfWaNw led=Na to-move=0",
            "Ma",
            "take over the attack with the Mystic of Air, after which nothing answers the Knight of Earth (24 points)",
        ),
        (
            "forced-wins",
            f"{ONE} hands=WfNf/WeWa to-move=1",
            "We",
            "attack with the Warden of Earth and win the round after any answer (at least 110 points)",
        ),
        (
            "parries",
            f"{TWO} hands=WwPwNf/WeWf led=Mw to-move=0",
            "Pw",
            "answer with the Priestess of Water and keep an answer to the Warden of Earth, "
            "which would win the round (100 points)",
        ),
        (
            "parries",
            f"{BASIC} hands=MwWwPfPaPw/MeMaWaKwNaNw led=Ka to-move=1",
            "Ma",
            "take over the attack with the Mystic of Air, before the Priestess of Fire wins the round (24 points)",
        ),
        (
            "kept-attacks",
            f"{ONE} hands=WfNf/WeWa to-move=1",
            "We",
            "keep the attack with the Warden of Earth, so that the Neonate of Fire does not win the round next "
            "(77 points)",
        ),
        (
            "guards-forced-out",
            f"{ONE} hands=WfNf/WeWa to-move=1",
            "We",
            "force out the Warden of Fire, without which nothing answers the Warden of Air",
        ),
        (
            "tenth-exchanges",
            f"{ALONE} hands=Kf/Mw led=Pw to-move=1",
            "Mw",
            "attack in the tenth exchange with the Mystic of Water again (242 points for a righteous victory)",
        ),
        (
            "tenth-exchanges",
            f"{ALONE} hands=MfWf/- led=Nf to-move=0",
            "Mf",
            "attack in the tenth exchange, where only the Neonate of Fire is left to answer",
        ),
        (
            "ties",
            f"{TWO} hands=Nf/- led=Wf to-move=0",
            "Nf",
            "answer the last attack with the Neonate of Fire, so that nobody wins the round",
        ),
        (
            "virtue-drawn-out",
            f"{ALONE} hands=PeNeMf/WeNw to-move=0",
            "Ne",
            "force out the Warden of Earth (virtue 10) with the Neonate of Earth",
        ),
    ],
)
def test_positions_made_for_it(name: str, text: str, move: str, words: str) -> None:
    (told,) = told_of(name, Position(text), move)
    assert told.words == words
    CHECKS[name](told)


@pytest.mark.parametrize(
    ("name", "text", "move"),
    [
        ("victories", f"{ONE} hands=WfNf/WeWa to-move=1", "We"),  # answered
        ("forced-wins", f"{ONE} hands=WfPwKf/WePeKa to-move=1", "We"),  # the Priestess and the Knight are answered
        ("parries", f"{TWO} hands=WwPwNf/WeWf led=Mw to-move=0", "Ww"),  # loses at once
        ("tenth-exchanges", f"{ALONE} hands=Kf/Nw led=Pw to-move=1", "Nw"),  # the other attacks
        ("challenges", f"{TWO} hands=MfWw/MwWe to-move=1", "Mw"),  # not declared
        ("virtue-drawn-out", f"{ALONE} hands=PeNeMf/WeNw to-move=0", "Mf"),  # not answered
    ],
)
def test_positions_where_it_is_not_said(name: str, text: str, move: str) -> None:
    assert not list(told_of(name, Position(text), move))


# ── What a seat has ──────────────────────────────────────────────────────────────────────────────────────────────────

HANDS = ("virtue-in-hand", "mystics-in-hand")


def measured(name: str, position: Position, seat: int) -> int:
    measure = IDEAS[name].measure
    assert measure
    return measure(position.state, seat)


def lasting(table: Table, seat: int) -> int:
    found = [(card, table.answers(1 - seat, card)) for card in table.hands[seat]]
    return sum(bool(answers) and all(strength(card) < strength(a) for a in answers) for card, answers in found)


def attacks(table: Table, seat: int) -> bool:
    return table.seat == seat if table.led == "-" else table.seat != seat


def recount(table: Table, seat: int) -> dict[str, int]:
    mine, theirs = table.hands[seat], table.hands[1 - seat]
    free = table.wins(seat)
    return {
        "free-cards": len(free),
        "free-virtue": max((VIRTUES[card[0]] for card in free), default=0),
        "lasting-cards": lasting(table, seat),
        "last-guards": sum(len(table.answers(seat, card)) == 1 for card in theirs),
        "missing-elements": len({card[1] for card in theirs} - {card[1] for card in mine}),
        "virtue-in-hand": sum(VIRTUES[card[0]] for card in mine),
        "mystics-in-hand": sum(card[0] == "M" for card in mine),
        "attack-held": attacks(table, seat),
    }


def test_measures_are_what_one_counts() -> None:
    for position, _move in SAMPLES[::5]:
        table = Table.of(position)
        for seat in range(2):
            assert {name: measured(name, position, seat) for name in MEASURES} == recount(table, seat)


@pytest.mark.parametrize("name", MEASURES)
def test_measures_are_said_in_words(name: str) -> None:
    words = IDEAS[name].words
    assert words
    none, one, some = (words(n).say() for n in range(3))
    assert none.startswith("no ")
    assert name == "attack-held" or re.search(r"\b(1|one)\b", one)
    assert name == "attack-held" or re.search(r"\b(2|two)\b", some)
    assert not set(none + one + some) & set("{}")
    assert IDEAS[name].worth


def test_nothing_is_left_to_attack_with_after_the_match() -> None:
    match = random_match(GAME, {}, 1)
    assert {measured(name, match.position, seat) for name in MEASURES if name not in HANDS for seat in range(2)} == {0}


# ── Moves as advice ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "move", "words"),
    [
        ("", "mPw", "set the Priestess of Water aside as mediator"),
        ("", "m-", "set no mediator aside"),
        ("m-", "Ma", "attack with the Mystic of Air"),
        ("m-", "Ma!", "attack with the Mystic of Air and challenge"),
        ("m- Ke", "Ne", "answer with the Neonate of Earth"),
    ],
)
def test_advice(before: str, move: str, words: str) -> None:
    position = played(before).position
    assert GAME.advised(position.state, position.action(move)).say() == words


def test_advice_tells_a_deal_as_ever() -> None:
    position = Position.start(GAME, {})
    assert GAME.advised(position.state, position.action("+Mw")) == position.words("+Mw")
