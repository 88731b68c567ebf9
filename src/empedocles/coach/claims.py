"""Why one move is better than another: true claims about what follows best play after each.

A claim is a fact about a line: what a move in it does, or what the position after it has. Whoever doubts it plays the
line. The largest difference between the two lines comes first. Where no concept tells them apart, only depth does, and
the claim says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from empedocles.coach.lines import Step, deeds, full_line, steps
from empedocles.core.kernel import CHANCE
from empedocles.game import Deed, Idea
from empedocles.language import Message, Number, Term
from empedocles.language import mark as _
from empedocles.position import Position
from empedocles.search.limits import Evaluation

DEPTH = "depth"  # the concept of claims that no concept explains
FADING = 0.85  # what happens a move later matters this much less
SMALL = 0.25  # differences below this are not worth a sentence
MOST = 2  # claims about one move
NEAR = 4  # moves later that are soon; what comes after that depends on many more choices

# What a claim says of what moves do,
CAN = _("After this, {player} can {deed}.")
CAN_SOON = _("Soon after this, {player} can {deed}.")
CAN_LATER = _("With best play after this, {player} can later {deed}.")
COULD = _("Here it was possible to {deed}.")
COULD_NEXT = _("Right after the better move, {player} can {deed}.")
COULD_SOON = _("Soon after the better move, {player} can {deed}.")
COULD_LATER = _("With best play after the better move, {player} can later {deed}.")

# of what positions have, after one move and `instead` after the other,
HAS_ONLY = _("{when}, {player} has only {what}; {instead}, {other}.")
HAS = _("{when}, {player} has {what}; {instead}, only {other}.")
HAS_MORE = _("{when}, {player} has {what}, more than {instead}.")
HAS_NOT_SO = _("{when}, {player} has {what}; not so {instead}.")
FEARS_ONLY = _("{when}, {player} has to worry about only {what}; {instead}, about {other}.")
FEARS = _("{when}, {player} has to worry about {what}; {instead}, about only {other}.")
FEARS_MORE = _("{when}, {player} has to worry about {what}, more than {instead}.")
FEARS_NOT_SO = _("{when}, {player} has to worry about {what}; not so {instead}.")

# and of what only depth shows.
COSTS = _("With best play by both, this costs {n} points.")
COSTS_SOON = _("Over the next {moves} moves, this costs about {n} points.")
ONLY_DEPTH = _("Only looking far ahead shows it: the chances fall from about {before} to {after}.")

# The same to the player whom a claim is about.
YOU = {
    COULD_NEXT: _("Right after the better move, you can {deed}."),
    COULD_SOON: _("Soon after the better move, you can {deed}."),
    COULD_LATER: _("With best play after the better move, you can later {deed}."),
    HAS_ONLY: _("{when}, you have only {what}; {instead}, {other}."),
    HAS_NOT_SO: _("{when}, you have {what}; not so {instead}."),
    FEARS: _("{when}, you have to worry about {what}; {instead}, about only {other}."),
    FEARS_MORE: _("{when}, you have to worry about {what}, more than {instead}."),
    FEARS_NOT_SO: _("{when}, you have to worry about {what}; not so {instead}."),
}

# The advice that says a claim about the better move, and so takes its place.
ADVICE = {
    COULD_NEXT: _("Better: {move}, and right afterwards {deed}."),
    COULD_SOON: _("Better: {move}; soon afterwards, {player} can {deed}."),
    COULD_LATER: _("Better: {move}; with best play, {player} can later {deed}."),
    HAS_NOT_SO: _("Better: {move}; only then does {player} have {what}."),
    FEARS_NOT_SO: _("Better: {move}; only then does {player} have to worry about {what}."),
}
ADVICE_LATER = {
    HAS_NOT_SO: _("Better: {move}; with best play, {player} then has {what}."),
    FEARS_NOT_SO: _("Better: {move}; with best play, {player} then has to worry about {what}."),
}


@dataclass(frozen=True)
class Claim:
    """A fact that speaks for or against a move, and the line that shows it."""

    concept: str  # the name of an idea of the game, or DEPTH
    words: Message
    line: tuple[str, ...]  # from the position in question
    ply: int  # the move of the line that it is about; the last one if it is about the position after it
    worth: float
    targets: tuple[str, ...] = ()  # where to look
    seat: int | None = None  # whom it is about
    told: str | None = None  # how the words of the move that does it say it, too
    against: tuple[str, ...] = ()  # the line after which it is not so

    def say(self, language: str = "en") -> str:
        return self.words.say(language)

    def told_to(self, seat: int | None) -> Message:
        """The words for one of the players."""
        return (
            Message(YOU.get(self.words.text, self.words.text), self.words.values) if seat == self.seat else self.words
        )


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
            yield _claim(idea, deed, worse, ply, _threat(worse, ply))
    for ply, step, idea, deed in _done(best, worse):
        if sides[step.seat] == sides[seat] and (deed.victim is None or sides[deed.victim] != sides[seat]):
            yield _claim(idea, deed, best, ply, _chance(best, ply))
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


def _claim(idea: Idea, deed: Deed, line: list[Step], ply: int, text: str) -> Claim:
    step = line[ply]
    words = Message(text, {"player": step.before.game.subject(step.before.seats, step.seat), "deed": deed.words})
    moves = tuple(one.move for one in line[: ply + 1])
    return Claim(idea.name, words, moves, ply, deed.worth * FADING**ply, deed.targets, step.seat, deed.told)


def _threat(line: list[Step], ply: int) -> str:
    """What an opponent can do, at once or later."""
    if all(earlier.seat == line[0].seat for earlier in line[:ply]):
        return CAN
    return CAN_SOON if ply <= NEAR else CAN_LATER


def _chance(line: list[Step], ply: int) -> str:
    """What the player's side could have done with the better move."""
    if ply == 0:
        return COULD
    if ply == 1 and line[1].seat == line[0].seat:
        return COULD_NEXT
    return COULD_SOON if ply <= NEAR else COULD_LATER


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
                lines = [tuple(step.move for step in line[: ply + 1]) for line in (worse, best)]
                line, against = lines if has else reversed(lines)
                words = _having(position.game.subject(position.seats, other), idea, has, could, ply)
                yield Claim(idea.name, words, line, ply, lost * FADING**ply, (), other, None, against)


AFTER_THIS = Term(_("After this")), Term(_("With best play after this"))
AFTER_BETTER = Term(_("After the better move")), Term(_("With best play after the better move"))
ELSE = Term(_("after the better move")), Term(_("after this"))


def _having(player: Message, idea: Idea, has: int, could: int, ply: int) -> Message:
    """What a seat has, and would have after the better move: said of the better move if it has none of it now."""
    assert idea.words
    when, instead = (AFTER_THIS, ELSE[0]) if has else (AFTER_BETTER, ELSE[1])
    said, other = (has, could) if has else (could, 0)
    values = {"player": player, "what": idea.words(said), "other": Number(other), "when": when[ply > 0]}
    return Message(_text(said, other, idea.worth > 0), values | {"instead": instead})


def _text(said: int, other: int, is_good: bool) -> str:
    """How two numbers are compared. One is never the second: in German, its form depends on what is counted."""
    if said < other:
        return HAS_ONLY if is_good else FEARS_ONLY
    if other > 1:
        return HAS if is_good else FEARS
    if other == 1:
        return HAS_MORE if is_good else FEARS_MORE
    return HAS_NOT_SO if is_good else FEARS_NOT_SO


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
        return Message(COSTS_SOON, {"moves": Number(length), "n": lost})
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
    """The better move with the whole of a claim about it; None if the claim is about the move played."""
    if claim.line[0] != better or claim.concept == DEPTH:
        return None
    values = claim.words.values | {"move": position.game.advised(position.state, position.action(better))}
    if claim.words.text == COULD:
        return Message(_("Better: {done}."), {"done": _with_deed(claim, values["move"])})
    later = ADVICE_LATER if claim.ply > 0 else {}
    return Message((ADVICE | later)[claim.words.text], values)


def _with_deed(claim: Claim, move: Message) -> Message:
    """The words of a move and what it does, each once."""
    deed: Message = claim.words.values["deed"]
    if claim.told is None:
        return Message(_("{move}, and so {deed}"), {"move": move, "deed": deed})
    return Message(claim.told, deed.values | {"move": move})


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
