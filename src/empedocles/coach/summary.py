"""A match summed up by concepts: who did what more often, what mistakes were about, and what each player is good at.

All numbers are counts: of what the moves of the match did by the rules, and of mistakes whose main claim is about a
concept. Whoever doubts one counts again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from empedocles.coach.claims import DEPTH, Explanation
from empedocles.coach.lines import deeds
from empedocles.game import Game
from empedocles.language import Message, Term, in_a_row
from empedocles.language import mark as _
from empedocles.position import Position

FEW = 3  # strengths, and as many weaknesses, of one player
NAMED = 2  # concepts in which a side is said to be ahead

ALLOWED, MISSED, ABOUT = "allowed", "missed", "about"


class Slip(NamedTuple):
    """What a mistake was about."""

    kind: str  # ALLOWED: an opponent could do it; MISSED: the player could have; ABOUT: what positions have
    concept: str


class Turn(NamedTuple):
    """The turning point of a match."""

    ply: int
    words: Message  # the move
    cost: Message  # what it cost, as the end of a sentence


@dataclass
class Tally:
    """What was counted, for each seat."""

    game: Game
    seats: int
    deeds: Counter[tuple[int, str]] = field(default_factory=Counter)  # of a seat and a concept
    worth: Counter[tuple[int, str]] = field(default_factory=Counter)
    slips: Counter[tuple[int, Slip]] = field(default_factory=Counter)

    def done(self, seats: Iterable[int], concept: str) -> int:
        return sum(self.deeds[seat, concept] for seat in seats)

    def mistakes(self, seats: Iterable[int]) -> Counter[Slip]:
        found: Counter[Slip] = Counter()
        for seat in seats:
            found.update({slip: n for (other, slip), n in self.slips.items() if other == seat})
        return found


def tally(game: Game, seats: int, played: Iterable[tuple[Position, str]], mistakes: Iterable[Explained]) -> Tally:
    """Count what moves did, and what mistakes were about."""
    counted = Tally(game, seats)
    for position, move in played:
        for idea, deed in deeds(position, move):
            counted.deeds[position.to_move or 0, idea.name] += 1
            counted.worth[position.to_move or 0, idea.name] += deed.worth  # type: ignore[assignment]
    for seat, why in mistakes:
        counted.slips[seat, slip_of(why)] += 1
    return counted


Explained = tuple[int, Explanation]  # a mistake of a seat


def slip_of(why: Explanation) -> Slip:
    claim = why.claims[0]
    if "deed" not in claim.words.values:
        return Slip(ABOUT, claim.concept)
    return Slip(MISSED if claim.line[0] == why.better else ALLOWED, claim.concept)


# ── In words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def sentences(counted: Tally, turn: Turn | None, viewer: int | None = None) -> list[Message]:
    """At most three sentences about a match, told to one of its players, or to anybody."""
    told = [_ahead(counted, viewer), _mistakes(counted, viewer), _turning(turn)]
    return [sentence for sentence in told if sentence]


def strengths(counted: Tally, seat: int) -> list[Message]:
    """What a player did more often than the others on average, what matters most first."""
    others = [other for other in range(counted.seats) if other != seat]
    more = [name for name in _concepts(counted) if counted.deeds[seat, name] * len(others) > counted.done(others, name)]
    best = sorted(more, key=lambda name: -counted.worth[seat, name])[:FEW]
    return [_counted(_title(counted.game, name), counted.deeds[seat, name]) for name in best]


def weaknesses(counted: Tally, seat: int) -> list[Message]:
    """What a player's mistakes were about, the most frequent first."""
    return [_counted(_slip(counted.game, slip), n) for slip, n in counted.mistakes([seat]).most_common(FEW)]


def _concepts(counted: Tally) -> list[str]:
    return [idea.name for idea in counted.game.concepts if idea.deeds]


def _sides(counted: Tally, viewer: int | None) -> list[list[int]]:
    """The seats of each side, the viewer's first."""
    sides = counted.game.sides(counted.seats)
    own = None if viewer is None else sides[viewer]
    order = sorted(dict.fromkeys(sides), key=lambda side: (side != own, side))
    return [[seat for seat in range(counted.seats) if sides[seat] == side] for side in order]


def _ahead(counted: Tally, viewer: int | None) -> Message | None:
    """In which concepts each side did more than any other."""
    sides = _sides(counted, viewer)
    leads = [(seats, _leads(counted, seats, [other for other in sides if other is not seats])) for seats in sides]
    parts = [_part(counted, seats, viewer, in_a_row(things, ", ")) for seats, things in leads if things]
    return Message(_("More often {parts}."), {"parts": in_a_row(parts, "; ")}) if parts else None


def _leads(counted: Tally, seats: list[int], others: Sequence[list[int]]) -> list[Message]:
    """The concepts in which a side is ahead, those first in which that matters most."""
    ahead = {}
    for name in _concepts(counted):
        mine, theirs = counted.done(seats, name), [counted.done(other, name) for other in others]
        if mine > max(theirs):
            worth = sum(counted.worth[seat, name] for seat in seats)
            ahead[name] = worth * (mine - max(theirs)) / mine
    best = sorted(ahead, key=lambda name: -ahead[name])[:NAMED]
    return [_comparison(counted, name, seats, others) for name in best]


def _comparison(counted: Tally, name: str, seats: list[int], others: Sequence[list[int]]) -> Message:
    mine, theirs = counted.done(seats, name), [counted.done(other, name) for other in others]
    values = {"what": _title(counted.game, name), "n": mine}
    if len(theirs) == 1:
        return Message(_("{what} ({n} to {other})"), values | {"other": theirs[0]})
    return Message(_("{what} ({n} of {all})"), values | {"all": mine + sum(theirs)})


def _mistakes(counted: Tally, viewer: int | None) -> Message | None:
    """How many mistakes each side made, and what they were about most often."""
    parts = []
    for seats in _sides(counted, viewer):
        if found := counted.mistakes(seats):
            slip, most = found.most_common(1)[0]
            values = {"n": found.total(), "what": _slip(counted.game, slip), "k": most}
            text = _("{n}, most often {what} ({k})") if most > 1 else _("{n}, for example {what}")
            parts.append(_part(counted, seats, viewer, Message(text, values)))
    return Message(_("Mistakes {parts}."), {"parts": in_a_row(parts, "; ")}) if parts else None


def _part(counted: Tally, seats: list[int], viewer: int | None, things: Message) -> Message:
    """What is said of one side."""
    if viewer in seats:
        text = _("by you: {things}") if len(seats) == 1 else _("by your team: {things}")
        return Message(text, {"things": things})
    player = in_a_row([counted.game.seat_name(counted.seats, seat) for seat in seats], ", ")
    return Message(_("by {player}: {things}"), {"player": player, "things": things})


def _turning(turn: Turn | None) -> Message:
    if turn is None:
        return Message(_("No single move turned the match."), {})
    values = {"n": turn.ply + 1, "move": turn.words, "cost": turn.cost}
    return Message(_("The turning point was move {n} ({move}): {cost}."), values)


def _title(game: Game, concept: str) -> Message:
    return Message("{title}", {"title": Term(next(idea.title for idea in game.concepts if idea.name == concept))})


def _slip(game: Game, slip: Slip) -> Message:
    if slip.concept == DEPTH:
        return Message(_("seen only far ahead"), {})
    texts = {ALLOWED: _("allowing {what}"), MISSED: _("missing {what}"), ABOUT: _("about {what}")}
    return Message(texts[slip.kind], {"what": _title(game, slip.concept)})


def _counted(what: Message, n: int) -> Message:
    return Message("{what} ({n})", {"what": what, "n": n})
