"""Why one move is better than another: true claims about what follows best play after each.

A claim is a fact about a line: what a move in it does, or what the position after it has. Whoever doubts it plays the
line. The largest difference between the two lines comes first. Where no concept tells them apart, only depth does, and
the claim says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from empedocles.coach.lines import Step, deeds, full_line, steps
from empedocles.core.kernel import CHANCE
from empedocles.game import Deed, Idea
from empedocles.language import Message, Term
from empedocles.language import mark as _
from empedocles.position import Position
from empedocles.search.limits import Evaluation

DEPTH = "depth"  # the concept of claims that no concept explains
FADING = 0.85  # what happens a move later matters this much less
SMALL = 0.25  # differences below this are not worth a sentence
MOST = 2  # claims about one move

# What a claim says, by what it is about.
CAN = _("After this, {player} can {deed}.")
CAN_SOON = _("After this, within {n} moves, {player} can {deed}.")
COULD = _("Here it was possible to {deed}.")
COULD_NEXT = _("Right afterwards, it would have been possible to {deed}.")
COULD_SOON = _("Within {n} moves, it would have been possible to {deed}.")
PARTNER_COULD = _("Within {n} moves, it would have been possible for {player} to {deed}.")
HAS = _("This leaves {player} with {what}.")
HAS_NOT_AS_MANY = _("This leaves {player} with {what}, the better move with {other}.")
GIVES = _("The better move leaves {player} with {what}.")
GIVES_ANY = _("The better move leaves {player} with {what}, this one with none.")
HAS_SOON = _("After {n} moves of best play, {player} has {what}.")
HAS_NOT_AS_MANY_SOON = _("After {n} moves of best play, {player} has {what}, with the better move {other}.")
GIVES_SOON = _("After {n} moves of best play, the better move leaves {player} with {what}.")
GIVES_ANY_SOON = _("After {n} moves of best play, the better move leaves {player} with {what}, this one with none.")
COSTS = _("With best play by both, this costs {n} points.")
COSTS_SOON = _("Over the next {moves} moves, this costs about {n} points.")
ONLY_DEPTH = _("Only looking far ahead shows it: the chances fall from about {before} to {after}.")


@dataclass(frozen=True)
class Claim:
    """A fact that speaks for or against a move, and the line that shows it."""

    concept: str  # the name of an idea of the game, or DEPTH
    words: Message
    line: tuple[str, ...]  # from the position in question
    ply: int  # the move of the line that it is about; the last one if it is about the position after it
    worth: float
    targets: tuple[str, ...] = ()  # where to look

    def say(self, language: str = "en") -> str:
        return self.words.say(language)


@dataclass(frozen=True)
class Explanation:
    """Why a move is worse than another: at most two claims, the larger difference first."""

    move: str
    better: str
    claims: tuple[Claim, ...]
    advice: Message  # the better move, and what it is good for
    is_told_by_advice: bool = False  # whether the advice says what the first claim says

    @property
    def is_deep(self) -> bool:
        """Whether only looking ahead tells the moves apart."""
        return self.claims[0].concept == DEPTH

    @property
    def sentences(self) -> tuple[Message, ...]:
        """At most two."""
        return (self.advice,) if self.is_told_by_advice else (self.claims[0].words, self.advice)

    def say(self, language: str = "en") -> str:
        return " ".join(sentence.say(language) for sentence in self.sentences)


def explain(position: Position, played: Evaluation, better: Evaluation) -> Explanation:
    """Why a move falls short of a better one."""
    worse, best = (steps(position, full_line(position, one)) for one in (played, better))
    found = sorted(_differences(position, worse, best), key=lambda claim: -claim.worth)
    claims = tuple(_distinct(found)) or (_depth(position, worse, best, played, better),)
    told = _told(position, better.move, claims[0])
    return Explanation(played.move, better.move, claims, told or _advice(position, better.move, claims[0]), bool(told))


def _distinct(claims: list[Claim]) -> Iterator[Claim]:
    """The largest claims, one of each concept."""
    seen: set[str] = set()
    for claim in claims:
        if claim.worth >= SMALL and claim.concept not in seen and len(seen) < MOST:
            seen.add(claim.concept)
            yield claim


# ── What differs ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _differences(position: Position, worse: list[Step], best: list[Step]) -> Iterator[Claim]:
    seat, sides = position.to_move or 0, position.game.sides(position.seats)
    for ply, step, idea, deed in _done(worse, best):
        if sides[step.seat] != sides[seat] and (deed.victim is None or sides[deed.victim] == sides[seat]):
            yield _claim(idea, deed, worse, ply, _threat(worse, ply, deed))
    for ply, step, idea, deed in _done(best, worse):
        if sides[step.seat] == sides[seat] and (deed.victim is None or sides[deed.victim] != sides[seat]):
            yield _claim(idea, deed, best, ply, _chance(best, ply, deed))
    yield from _measured(position, worse, best)


def _done(line: list[Step], other: list[Step]) -> Iterator[tuple[int, Step, Idea, Deed]]:
    """What is done in a line and not by the same seat in the other, with its place."""
    elsewhere = {(step.seat, idea.name, deed.targets) for step in other for idea, deed in step.deeds}
    for ply, step in enumerate(line):
        for idea, deed in step.deeds:
            if deed.saves and any(earlier.seat == step.seat for earlier in line[:ply]):
                continue  # from a danger that only this line brought
            if (step.seat, idea.name, deed.targets) not in elsewhere:
                yield ply, step, idea, deed


def _claim(idea: Idea, deed: Deed, line: list[Step], ply: int, words: Message) -> Claim:
    moves = tuple(step.move for step in line[: ply + 1])
    return Claim(idea.name, words, moves, ply, deed.worth * FADING**ply, deed.targets)


def _threat(line: list[Step], ply: int, deed: Deed) -> Message:
    """What an opponent can do, at once or later."""
    step = line[ply]
    values = {"player": step.before.game.subject(step.before.seats, step.seat), "deed": deed.words}
    if all(earlier.seat == line[0].seat for earlier in line[:ply]):
        return Message(CAN, values)
    return Message(CAN_SOON, values | {"n": ply})


def _chance(line: list[Step], ply: int, deed: Deed) -> Message:
    """What the player could have done with the better move."""
    if ply == 0:
        return Message(COULD, {"deed": deed.words})
    if line[ply].seat != line[0].seat:
        partner = line[ply].before.game.subject(line[ply].before.seats, line[ply].seat)
        return Message(PARTNER_COULD, {"player": partner, "deed": deed.words, "n": ply})
    if ply == 1:
        return Message(COULD_NEXT, {"deed": deed.words})
    return Message(COULD_SOON, {"deed": deed.words, "n": ply})


def _measured(position: Position, worse: list[Step], best: list[Step]) -> Iterator[Claim]:
    """What positions have: right after the moves, and where the lines lead as far as both go."""
    length = min(len(worse), len(best))
    for ply in sorted({0, length - 1}):
        if ply == 0 or worse[ply].after.to_move == best[ply].after.to_move:
            yield from _compared(position, worse, best, ply)


def _compared(position: Position, worse: list[Step], best: list[Step], ply: int) -> Iterator[Claim]:
    seat, sides = position.to_move or 0, position.game.sides(position.seats)
    one, two = worse[ply].after.state, best[ply].after.state
    for idea in position.game.concepts:
        if idea.measure is None or idea.words is None:
            continue
        for other in range(position.seats):
            has, could = int(idea.measure(one, other)), int(idea.measure(two, other))
            friend = sides[other] == sides[seat]
            lost = (could - has) * idea.worth * (1 if friend else -1)
            if lost > 0:
                moves = tuple(step.move for step in (worse if has else best)[: ply + 1])
                words = _having(position.game.subject(position.seats, other), idea.words, has, could, ply)
                yield Claim(idea.name, words, moves, ply, lost * FADING**ply)


def _having(player: Message, words: Callable[[int], Message], has: int, could: int, ply: int) -> Message:
    """What a seat has, and would have after the better move: said of the better move if it has none of it now."""
    values = {"player": player, "what": words(has or could), "other": could or Term(_("none")), "n": ply + 1}
    texts = (HAS_NOT_AS_MANY, HAS_NOT_AS_MANY_SOON) if has else (GIVES_ANY, GIVES_ANY_SOON)
    if not is_number(words):
        texts = (HAS, HAS_SOON) if has else (GIVES, GIVES_SOON)
    return Message(texts[ply > 0], values)


def is_number(words: Callable[[int], Message]) -> bool:
    """Whether something is counted, so that another number can stand for it: not if one has it or does not."""
    return "{n}" in words(2).text


# ── Where only depth decides ─────────────────────────────────────────────────────────────────────────────────────────


def _depth(position: Position, worse: list[Step], best: list[Step], played: Evaluation, better: Evaluation) -> Claim:
    length = min(len(worse), len(best))
    line = tuple(step.move for step in worse[:length])
    return Claim(DEPTH, _deep_words(position, worse, best, played, better), line, length - 1, 0.0)


def _deep_words(
    position: Position, worse: list[Step], best: list[Step], played: Evaluation, better: Evaluation
) -> Message:
    if played.points is not None and better.points is not None and better.points > played.points:
        return Message(COSTS, {"n": better.points - played.points})
    length = min(len(worse), len(best))
    lost = _lead(best[length - 1].after, position) - _lead(worse[length - 1].after, position)
    if lost > 1 and length > 1:
        return Message(COSTS_SOON, {"moves": length, "n": lost})
    values = {"before": percent(position, better.value), "after": percent(position, played.value)}
    return Message(ONLY_DEPTH, values)


def _lead(end: Position, start: Position) -> int:
    """The lead in points of the seat to move at the start over its best opponent."""
    seat, sides, scores = start.to_move or 0, start.game.sides(start.seats), np.zeros(start.seats, np.int32)
    end.game.rules.scores(end.state, scores)
    return int(scores[seat]) - max(int(scores[k]) for k in range(start.seats) if sides[k] != sides[seat])


def percent(position: Position, value: float) -> str:
    """A value as the part of matches won, a draw counting as a shared win; to the nearest five per cent."""
    sides = len(set(position.game.sides(position.seats)))
    fives = round((value * (sides - 1) + 1) / sides * 20)
    return f"{5 * min(20, max(0, fives))}\N{NO-BREAK SPACE}%"


# ── What is better ───────────────────────────────────────────────────────────────────────────────────────────────────


def _advice(position: Position, better: str, claim: Claim) -> Message:
    move = position.game.advised(position.state, position.action(better))
    if _prevents(position, better, claim):
        return Message(_("Better: {move}; that prevents it."), {"move": move})
    return Message(_("Better: {move}."), {"move": move})


def _told(position: Position, better: str, claim: Claim) -> Message | None:
    """The better move with what it does at once, which says the whole claim; None if that would repeat words."""
    deed = claim.words.values.get("deed")
    if claim.words.text != COULD or not isinstance(deed, Message):
        return None
    move = position.game.advised(position.state, position.action(better))
    said, done = move.say(), deed.say()
    if done.startswith(said):
        return Message(_("Better: {move}."), {"move": deed})
    if done.split()[0] == said.split()[0]:
        return None
    return Message(_("Better: {move}, and so {deed}."), {"move": move, "deed": deed})


def _prevents(position: Position, better: str, claim: Claim) -> bool:
    """Whether the deed that a claim speaks of, an opponent's next move, is impossible after the better move."""
    there = position
    for move in claim.line[:-1]:
        there = there.play(move)
    sides, seat = position.game.sides(position.seats), position.to_move or 0
    if not claim.targets or claim.ply != 1 or there.to_move is None or sides[there.to_move] == sides[seat]:
        return False
    after = position.play(better)
    if after.to_move in (None, CHANCE) or after.to_move != there.to_move:
        return False
    return not any(
        idea.name == claim.concept and (deed.targets == claim.targets or deed.words == claim.words.values.get("deed"))
        for answer in after.legal_actions
        for idea, deed in deeds(after, answer)
    )
