"""A match summed up by concepts, as a good player would: who did what more often, what to work on, what turned it.

All of it rests on counts: of what the moves of the match did by the rules, and of mistakes whose main claim is about a
concept. Whoever doubts a sentence counts again. What stood on the board after the costliest move is a claim about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from empedocles.coach import claims
from empedocles.coach.claims import DEPTH, Claim, Explanation
from empedocles.coach.lines import deeds
from empedocles.game import Game
from empedocles.language import Message, Sentence, Term, all_of
from empedocles.language import mark as _
from empedocles.position import Position

FEW = 3  # strengths, and as many weaknesses, of one player
NAMED = 2  # concepts in which a side is said to be ahead, and habits that it should change
OFTEN = 2  # times that make a habit

ALLOWED, MISSED, ABOUT = "allowed", "missed", "about"


class Slip(NamedTuple):
    """What a mistake was about."""

    kind: str  # ALLOWED: an opponent could do it; MISSED: the player could have; ABOUT: what positions have
    concept: str


# What a position had right after a move, as the end of a sentence; to the player whom it is about, and to others.
STATES = {
    claims.HAS: (_("you then had {what}"), _("{player} then had {what}")),
    claims.HAS_ONLY: (_("you then had only {what}"), _("{player} then had only {what}")),
    claims.NO_LONGER: (_("you then had {gone}"), _("{player} then had {gone}")),
    claims.FEARS: (_("you then had to worry about {what}"), _("{player} then had to worry about {what}")),
    claims.FEARS_ONLY: (
        _("you then had to worry about only {what}"),
        _("{player} then had to worry about only {what}"),
    ),
}
STATES |= {claims.HAS_MORE: STATES[claims.HAS], claims.HAS_NOT_SO: STATES[claims.HAS]}
STATES |= {claims.FEARS_MORE: STATES[claims.FEARS], claims.FEARS_NOT_SO: STATES[claims.FEARS]}


class Turn(NamedTuple):
    """The move of a match that cost most, if that was much."""

    ply: int
    seat: int
    words: Message  # the move
    cost: Message  # what it cost, as the end of a sentence
    own: Message  # the same, told to the player who made the move
    turned: bool  # whether it turned the match
    state: Claim | None = None  # what stood on the board then, and not after the better move


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


def state_of(why: Explanation) -> Claim | None:
    """The largest claim about the position right after a move that was a mistake."""
    return next((one for one in why.claims if one.against and one.line == (why.move,)), None)


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


AHEAD = "ahead"
RESOLUTIONS = {
    ALLOWED: _("give others fewer chances to {things}"),
    MISSED: _("take more of the chances to {things}"),
    ABOUT: _("pay more attention to {things}"),
    AHEAD: _("look further ahead"),
}


# ── In words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def sentences(counted: Tally, turn: Turn | None, viewer: int | None = None) -> list[Message]:
    """At most three sentences about a match, told to one of its players, or to anybody."""
    praised = _praised(counted, viewer)
    told = [_ahead(counted, viewer, praised), _habits(counted, viewer, praised), _turning(counted, turn, viewer)]
    return [sentence for sentence in told if sentence]


def strengths(counted: Tally, seat: int) -> list[Message]:
    """What a player did more often than the others on average, what matters most first."""
    others = [other for other in range(counted.seats) if other != seat]
    more = [name for name in _concepts(counted) if counted.deeds[seat, name] * len(others) > counted.done(others, name)]
    best = sorted(more, key=lambda name: -counted.worth[seat, name])[:FEW]
    return [_did(counted.game, name) for name in best]


def weaknesses(counted: Tally, seat: int) -> list[Message]:
    """What a player could do better, judging by the mistakes, the most frequent first."""
    return _resolutions(counted.game, [slip for slip, _n in counted.mistakes([seat]).most_common(FEW)])


Praise = list[tuple[list[int], list[str]]]  # the seats of sides, and the concepts in which each is ahead


def _concepts(counted: Tally) -> list[str]:
    return [idea.name for idea in counted.game.concepts if idea.deeds and idea.did]


def _sides(counted: Tally, viewer: int | None) -> list[list[int]]:
    """The seats of each side, the viewer's first."""
    sides = counted.game.sides(counted.seats)
    own = None if viewer is None else sides[viewer]
    order = sorted(dict.fromkeys(sides), key=lambda side: (side != own, side))
    return [[seat for seat in range(counted.seats) if sides[seat] == side] for side in order]


def _praised(counted: Tally, viewer: int | None) -> Praise:
    """In which concepts two sides did more than any other: the viewer's first, or those that did more."""
    sides = _sides(counted, viewer)
    leads = [(seats, _leads(counted, seats, [other for other in sides if other is not seats])) for seats in sides]
    return sorted((one for one in leads if one[1]), key=lambda one: (viewer not in one[0], -len(one[1])))[:2]


def _ahead(counted: Tally, viewer: int | None, praised: Praise) -> Message | None:
    if not praised:
        return None
    many = len(_sides(counted, viewer)) > 2
    said = [_side_did(counted, seats, viewer, names, many) for seats, names in praised]
    if len(said) == 1:
        return Sentence("{one}.", {"one": said[0]})
    return Sentence(_("{one}, but {two}."), dict(zip(("one", "two"), said, strict=True)))


def _leads(counted: Tally, seats: list[int], others: Sequence[list[int]]) -> list[str]:
    """The concepts in which a side is ahead, those first in which that matters most."""
    ahead = {}
    for name in _concepts(counted):
        mine, theirs = counted.done(seats, name), [counted.done(other, name) for other in others]
        if mine >= OFTEN and mine > max(theirs):
            worth = sum(counted.worth[seat, name] for seat in seats)
            ahead[name] = worth * (mine - max(theirs)) / mine
    return sorted(ahead, key=lambda name: -ahead[name])[:NAMED]


def _side_did(counted: Tally, seats: list[int], viewer: int | None, names: list[str], many: bool) -> Message:
    """What a side did more often than the other, or than all others."""
    done = all_of([_did(counted.game, name) for name in names])
    if many:
        done = Message(_("{done} than anybody else"), {"done": done})
    if viewer in seats:
        return Message(_("You {done}") if len(seats) == 1 else _("Your side {done}"), {"done": done})
    player = _names(counted, seats)
    return Message(_("{player} {done}") if len(seats) == 1 else _("{player} together {done}"), player | {"done": done})


def _names(counted: Tally, seats: list[int]) -> dict[str, Message]:
    """One seat as the subject of a sentence, or the names of several."""
    if len(seats) == 1:
        return {"player": counted.game.subject(counted.seats, seats[0])}
    return {"player": all_of([counted.game.seat_name(counted.seats, seat) for seat in seats])}


def _habits(counted: Tally, viewer: int | None, praised: Praise) -> Message | None:
    """What a side should have done differently: the viewer's, or the one that repeated a mistake most often."""
    found = [(seats, _blamed(counted, seats, praised)) for seats in _sides(counted, viewer)]
    if viewer is None:
        found.sort(key=lambda one: -max(one[1].values(), default=0))
    seats, slips = found[0]
    often = [slip for slip, n in slips.most_common(NAMED) if n >= OFTEN]
    if not often:
        return None
    things = {"things": all_of(_resolutions(counted.game, often))}
    if viewer in seats:
        own = _("You would have done better to {things}.")
        return Message(own if len(seats) == 1 else _("Your side would have done better to {things}."), things)
    one, many = _("{player} would have done better to {things}."), _("{player} should both have tried to {things}.")
    return Sentence(one if len(seats) == 1 else many, things | _names(counted, seats))


def _blamed(counted: Tally, seats: list[int], praised: Praise) -> Counter[Slip]:
    """The mistakes of a side, but for those in what it has just been praised for."""
    good = {name for others, names in praised if others == seats for name in names}
    return Counter({slip: n for slip, n in counted.mistakes(seats).items() if slip.concept not in good})


def _turning(counted: Tally, turn: Turn | None, viewer: int | None) -> Message:
    if turn is None and counted.slips:
        return Message(_("No single move turned the match: many small things added up."), {})
    if turn is None:
        return Message(_("No single move turned the match."), {})
    cost = turn.own if viewer == turn.seat else turn.cost
    if turn.state:
        yours, theirs = STATES[turn.state.words.text]
        state = Message(yours if viewer == turn.state.seat else theirs, turn.state.words.values)
        cost = Message(_("{cost}; {state}"), {"cost": cost, "state": state})
    values = {"n": turn.ply + 1, "move": turn.words, "cost": cost}
    if not turn.turned:
        return Message(_("No single move turned the match; most was lost by move {n} ({move}): {cost}."), values)
    return Message(_("The match turned on move {n} ({move}): {cost}."), values)


def _did(game: Game, concept: str) -> Message:
    return Message("{did}", {"did": Term(next(idea.did for idea in game.concepts if idea.name == concept))})


def _resolutions(game: Game, slips: Sequence[Slip]) -> list[Message]:
    """What to do next time, as infinitives: one for each kind of mistake."""
    ideas = {idea.name: idea for idea in game.concepts}
    things: dict[str, list[str]] = {}
    for kind, concept in slips:
        if concept == DEPTH:
            things[AHEAD] = []
        elif kind == ABOUT or not ideas[concept].do:
            things.setdefault(ABOUT, []).append(ideas[concept].title)
        else:
            things.setdefault(kind, []).append(ideas[concept].do)
    return [Message(RESOLUTIONS[kind], _listed(found)) for kind, found in things.items()]


def _listed(things: list[str]) -> dict[str, Message]:
    return {"things": all_of([Message("{thing}", {"thing": Term(thing)}) for thing in things])} if things else {}
