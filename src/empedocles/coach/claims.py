"""Why one move is better than another: true claims about what follows best play after each.

A claim is a fact about a line: what a move in it does, or what the position after it has. Whoever doubts it plays the
line. A line may pass chance moves, such as the draw of a marker; then the claim is true however they turn out. The
largest difference between the two lines comes first. Where no concept tells them apart, only depth does, and the claim
says so.

A claim compares two moves and is silent about all others: it never says that something is so after one move only.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from empedocles.coach.lines import (
    Step,
    decisions,
    full_line,
    had,
    is_always_done,
    is_always_had,
    is_needed,
    is_prevented,
    lead,
    milestones,
    percent,
    places,
    spending,
    steps,
    up_to,
)
from empedocles.coach.measures import gone, other_number, what
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
TIMES = 2  # a claim that speaks of so many times the points that a move costs is not said without the cost

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
HAS_NOT_SO = _("{when}, {player} has {what}; {instead}, {other}.")
FEARS_ONLY = _("{when}, {player} has to worry about only {what}; {instead}, about {other}.")
FEARS = _("{when}, {player} has to worry about {what}; {instead}, about only {other}.")
FEARS_MORE = _("{when}, {player} has to worry about {what}, more than {instead}.")
FEARS_NOT_SO = _("{when}, {player} has to worry about {what}; {instead}, {other}.")
NO_LONGER = _("{when}, {player} has {gone}.")

# and of what only depth shows.
COSTS = _("With best play by both, this costs {n} points.")
COSTS_SOON = _("Over the next {moves} moves, this costs about {n} points.")
ONLY_DEPTH = _("Only looking far ahead shows it: the chances of {player} fall from about {before} to {after}.")

# The same to the player whom a claim is about.
YOU = {
    COULD_NEXT: _("Right after the better move, you can {deed}."),
    COULD_SOON: _("Soon after the better move, you can {deed}."),
    COULD_LATER: _("With best play after the better move, you can later {deed}."),
    HAS_ONLY: _("{when}, you have only {what}; {instead}, {other}."),
    HAS_NOT_SO: _("{when}, you have {what}; {instead}, {other}."),
    NO_LONGER: _("{when}, you have {gone}."),
    FEARS: _("{when}, you have to worry about {what}; {instead}, about only {other}."),
    FEARS_MORE: _("{when}, you have to worry about {what}, more than {instead}."),
    FEARS_NOT_SO: _("{when}, you have to worry about {what}; {instead}, {other}."),
    ONLY_DEPTH: _("Only looking far ahead shows it: your chances fall from about {before} to {after}."),
}

# The advice that says a claim about the better move, and so takes its place.
ADVICE = {
    COULD_NEXT: _("Better: {move}, and right afterwards {deed}."),
    COULD_SOON: _("Better: {move}; soon afterwards, {player} can {deed}."),
    COULD_LATER: _("Better: {move}; with best play, {player} can later {deed}."),
    HAS_NOT_SO: _("Better: {move}; {player} then has {what}, unlike after this move."),
    FEARS_NOT_SO: _("Better: {move}; {player} then has to worry about {what}, unlike after this move."),
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
    news: Message | None = None  # what the words of that move leave unsaid, if they say most of it
    against: tuple[str, ...] = ()  # the line after which it is not so

    def say(self, language: str = "en") -> str:
        return self.words.say(language)

    def told_to(self, seat: int | None) -> Message:
        """The words for one of the players."""
        text = self.words.text
        return Message(YOU.get(text, text), self.words.values) if seat == self.seat else self.words


@dataclass(frozen=True)
class Explanation:
    """Why a move is worse than another: at most two claims, the larger difference first."""

    move: str
    better: str
    claims: tuple[Claim, ...]
    advice: Message  # the better move, and what it is good for
    is_told_by_advice: bool = False  # whether the advice says what the first claim says
    cost: int = 0  # the points that the move costs all in all, where the main claim speaks of far more

    @property
    def is_deep(self) -> bool:
        """Whether only looking ahead tells the moves apart."""
        return self.claims[0].concept == DEPTH

    @property
    def sentences(self) -> tuple[Message, ...]:
        """At most two."""
        if not self.is_told_by_advice:
            return self.claims[0].words, self.advice
        return (Message(COSTS, {"n": self.cost}), self.advice) if self.cost else (self.advice,)

    def say(self, language: str = "en") -> str:
        return " ".join(sentence.say(language) for sentence in self.sentences)


def explain(position: Position, played: Evaluation, better: Evaluation) -> Explanation:
    """Why a move falls short of a better one."""
    worse, best = (steps(position, full_line(position, one)) for one in (played, better))
    claims = tuple(itertools.islice(_distinct(position, _found(position, worse, best)), MOST))
    claims = claims or (_depth(position, worse, best, played, better),)
    cost, told = _cost(claims[0], played, better), _told(position, better.move, claims[0])
    advice = told or _advice(position, better.move, claims[0], cost)
    return Explanation(played.move, better.move, claims, advice, bool(told), cost)


def against(position: Position, played: Evaluation, better: Evaluation) -> Iterator[Claim]:
    """All claims about what follows a move, the largest first: what a better one brings is not among them."""
    worse, best = (steps(position, full_line(position, one)) for one in (played, better))
    yield from _distinct(position, [one for one in _found(position, worse, best) if one.line[0] == played.move])


def _found(position: Position, worse: list[Step], best: list[Step]) -> list[Claim]:
    return sorted(_differences(position, worse, best), key=lambda claim: -claim.worth)


def _distinct(position: Position, claims: list[Claim]) -> Iterator[Claim]:
    """The largest claims that hold, one of each concept."""
    seen: set[str] = set()
    for claim in claims:
        if claim.worth < SMALL:
            return
        if claim.concept not in seen and (not position.game.has_chance or holds(position, claim)):
            seen.add(claim.concept)
            yield claim


def holds(position: Position, claim: Claim) -> bool:
    """Whether a claim is true however the chance moves of its lines turn out."""
    (idea,) = (idea for idea in position.game.concepts if idea.name == claim.concept)
    if claim.against:
        return all(is_always_had(position, line, idea, claim.seat or 0) for line in (claim.line, claim.against))
    return is_always_done(position, claim.line, idea, claim.words.values["deed"])


def _cost(claim: Claim, played: Evaluation, better: Evaluation) -> int:
    """The points that a move costs if a claim speaks of far more than these; else 0."""
    deed = claim.words.values.get("deed")
    if deed is None or played.points is None or better.points is None:
        return 0
    cost = better.points - played.points
    return cost if 1 < cost <= deed.values.get("n", 0) / TIMES else 0


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
            if deed.saves and not is_needed(idea, deed, line, ply, other):
                continue
            if (step.seat, idea.name, deed.targets) not in elsewhere:
                yield ply, step, idea, deed


def _claim(idea: Idea, deed: Deed, line: list[Step], ply: int, text: str) -> Claim:
    step = line[ply]
    words = Message(text, {"player": step.before.game.subject(step.before.seats, step.seat), "deed": deed.words})
    moves = tuple(one.move for one in line[: ply + 1])
    worth = deed.worth * FADING ** decisions(line[:ply])
    news = Message(deed.news, deed.words.values) if deed.told and deed.news else None
    return Claim(idea.name, words, moves, ply, worth, deed.targets, step.seat, deed.told, news)


def _threat(line: list[Step], ply: int) -> str:
    """What an opponent can do, at once or later."""
    if all(earlier.is_chance or earlier.seat == line[0].seat for earlier in line[:ply]):
        return CAN
    return CAN_SOON if decisions(line[:ply]) <= NEAR else CAN_LATER


def _chance(line: list[Step], ply: int) -> str:
    """What the player's side could have done with the better move."""
    if ply == 0:
        return COULD
    if ply == 1 and line[1].seat == line[0].seat:
        return COULD_NEXT
    return COULD_SOON if decisions(line[:ply]) <= NEAR else COULD_LATER


def _measured(position: Position, worse: list[Step], best: list[Step]) -> Iterator[Claim]:
    """What positions have: right after the moves, and where the lines lead as far as both go.

    Nothing of it is compared with the end of a match, after which nobody needs it, or with that of a round, after which
    it is counted anew.
    """
    number = min(decisions(worse), decisions(best))
    for later in sorted({1, number}):
        lines = up_to(worse, later), up_to(best, later)
        one, two = (line[-1].after for line in lines)
        is_as_far = one.is_over == two.is_over and milestones(lines[0]) == milestones(lines[1])
        if is_as_far and (later == 1 or one.to_move == two.to_move):
            yield from _compared(position, *lines)


def _compared(position: Position, worse: list[Step], best: list[Step]) -> Iterator[Claim]:
    seat, sides = position.to_move or 0, position.game.sides(position.seats)
    one, two = worse[-1].after, best[-1].after
    moves = [tuple(step.move for step in line) for line in (worse, best)]
    for idea in position.game.concepts:
        if idea.measure is None or idea.words is None:
            continue
        for other in range(position.seats):
            has, could = int(idea.measure(one.state, other)), int(idea.measure(two.state, other))
            lost = (could - has) * idea.worth * (1 if sides[other] == sides[seat] else -1)
            if lost <= 0:
                continue
            spent = [spending(line, idea, other) for line in (worse, best)]
            lost = min(lost, lost + (spent[1] - spent[0]) * idea.worth * (1 if sides[other] == sides[seat] else -1))
            if lost <= 0:
                continue
            (line, against), end = (moves, one) if has else (moves[::-1], two)
            words = _having(idea, end, other, (has, could), len(worse) > 1)
            if not has and len(worse) == 1 and (before := had(worse[0], idea, other)):
                (line, against), end = moves, position
                words = _no_longer(idea, position, other, before)
            worth, where = lost * FADING ** (decisions(worse) - 1), places(idea, end.state, other)
            yield Claim(idea.name, words, line, len(line) - 1, worth, where, other, against=against)


AFTER_THIS = Term(_("After this")), Term(_("With best play after this"))
AFTER_BETTER = Term(_("After the better move")), Term(_("With best play after the better move"))
ELSE = Term(_("after the better move")), Term(_("after this"))


def _having(idea: Idea, end: Position, seat: int, numbers: tuple[int, int], is_later: bool) -> Message:
    """What a seat has, and would have after the better move: said of the better move if it has none of it now."""
    has, could = numbers
    when, instead = (AFTER_THIS, ELSE[0]) if has else (AFTER_BETTER, ELSE[1])
    said, other = (has, could) if has else (could, 0)
    values = {
        "player": end.game.subject(end.seats, seat),
        "what": what(idea, end, seat, said),
        "other": other_number(idea, other),
        "when": when[is_later],
        "instead": instead,
    }
    return Message(_text(said, other, idea.worth > 0), values)


def _no_longer(idea: Idea, before: Position, seat: int, number: int) -> Message:
    """What a seat had before a move and has no more."""
    values = {"player": before.game.subject(before.seats, seat), "gone": gone(idea, before, seat, number)}
    return Message(NO_LONGER, values | {"when": AFTER_THIS[0], "instead": ELSE[0]})


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
    number = min(decisions(worse), decisions(best))
    worse, best = up_to(worse, number), up_to(best, number)
    words = _deep_words(position, worse, best, played, better)
    return Claim(DEPTH, words, tuple(step.move for step in worse), len(worse) - 1, 0.0, (), position.to_move)


def _deep_words(
    position: Position, worse: list[Step], best: list[Step], played: Evaluation, better: Evaluation
) -> Message:
    if played.points is not None and better.points is not None and better.points > played.points:
        return Message(COSTS, {"n": better.points - played.points})
    lost = lead(best[-1].after, position) - lead(worse[-1].after, position)
    is_certain = not any(step.is_chance for step in worse + best)
    if lost > 1 and len(worse) > 1 and is_certain:
        return Message(COSTS_SOON, {"moves": Number(len(worse)), "n": lost})
    values = {"before": percent(position, better.value), "after": percent(position, played.value)}
    return Message(ONLY_DEPTH, values | {"player": position.game.seat_name(position.seats, position.to_move or 0)})


# ── What is better ───────────────────────────────────────────────────────────────────────────────────────────────────


def _advice(position: Position, better: str, claim: Claim, cost: int) -> Message:
    deed = claim.words.values.get("deed")
    prevents = deed is not None and is_prevented(position, claim.line, claim.concept, deed, better)
    values = {"move": position.game.advised(position.state, position.action(better)), "n": cost}
    if cost and prevents:
        return Message(_("Better: {move}; that prevents it and, all in all, saves {n} points."), values)
    if cost:
        return Message(_("Better: {move}; all in all, that saves {n} points."), values)
    if prevents:
        return Message(_("Better: {move}; that prevents it."), values)
    return Message(_("Better: {move}."), values)


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
