"""A hint in three steps, from one look at the position: where to look, which move, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from empedocles.agents import Agent
from empedocles.coach import claims
from empedocles.coach.claims import Claim, explain
from empedocles.coach.lines import percent
from empedocles.language import Message, all_of, in_a_row
from empedocles.language import mark as _
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

FEW = 3  # other moves that the best one is compared with
LESS = 0.02  # by which another move falls short at least, from −1 to 1
NAMED = 3  # places that the words name

# A claim against another move, as a reason for the best one; claims about what positions have say it of either move.
REASONS = {
    claims.CAN: _("Another move ({move}) would let {player} {deed}."),
    claims.CAN_SOON: _("Another move ({move}) would soon let {player} {deed}."),
    claims.CAN_LATER: _("With best play after another move ({move}), {player} can later {deed}."),
    claims.COULD: _("It lets you {deed}."),
    claims.COULD_NEXT: _("Right afterwards, {player} can {deed}."),
    claims.COULD_SOON: _("Soon afterwards, {player} can {deed}."),
    claims.COULD_LATER: _("With best play, {player} can later {deed}."),
    claims.COSTS: _("With best play by both, another move ({move}) would cost {n} points."),
    claims.COSTS_SOON: _("Over the next {moves} moves, another one ({move}) would cost about {n} points."),
    claims.ONLY_DEPTH: _(
        "Only looking far ahead shows it: with another move ({move}), your chances are {after}, not {before}."
    ),
}
YOU = {
    claims.COULD_NEXT: _("Right afterwards, you can {deed}."),
    claims.COULD_SOON: _("Soon afterwards, you can {deed}."),
    claims.COULD_LATER: _("With best play, you can later {deed}."),
}
# How a claim about what positions have calls the move that it speaks against, and the better one.
OTHERWISE = {
    claims.AFTER_THIS[0]: _("After another move ({move})"),
    claims.AFTER_THIS[1]: _("With best play after another move ({move})"),
    claims.AFTER_BETTER[0]: _("After this move"),
    claims.AFTER_BETTER[1]: _("With best play after this move"),
    claims.ELSE[0]: _("after this one"),
    claims.ELSE[1]: _("after another ({move})"),
}


class Reason(NamedTuple):
    """A claim against another move, and the points that this one costs where the claim speaks of far more; else 0."""

    move: str
    claim: Claim
    cost: int


@dataclass(frozen=True)
class Hint:
    move: str
    targets: tuple[str, ...]  # where to look
    where: Message
    which: Message
    why: Message

    @property
    def steps(self) -> tuple[Message, Message, Message]:
        """What is told, one step after the other."""
        return self.where, self.which, self.why


def hint(position: Position, agent: Agent, limit: Limit) -> Hint:
    """The best move that an agent finds, with its reason."""
    found = agent.analyse(position, limit)
    best = found[0]
    reason = next(_reasons(position, found), None)
    targets = _claimed(reason) or _entered(position, best.move)
    which = position.game.advised(position.state, position.action(best.move))
    return Hint(
        best.move,
        targets,
        _where(position, targets),
        Message(_("You could {move}."), {"move": which}),
        _reason(position, reason) if reason else _without_reason(position, found),
    )


def why(position: Position, found: Sequence[Evaluation]) -> Message | None:
    """Why the first of these moves is better than the others, to the player to move; None if that cannot be said."""
    reason = next(_reasons(position, found), None)
    return _said(position, reason) if reason else None


def _reasons(position: Position, found: Sequence[Evaluation]) -> Iterator[Reason]:
    """Why other good moves fall short of the best: first what concepts say, then what only depth shows."""
    best = found[0]
    deep = []
    for other in _worse(found):
        why = explain(position, other, best)
        costs = (why.cost, *(0 for _claim in why.claims[1:]))
        reasons = [Reason(other.move, claim, cost) for claim, cost in zip(why.claims, costs, strict=True)]
        if not why.is_deep:
            yield from (reason for reason in reasons if _is_new(reason.claim))
        elif _is_visible(reasons[0].claim):
            deep += reasons
    yield from deep


def _worse(found: Sequence[Evaluation]) -> list[Evaluation]:
    """The best of the moves that fall short."""
    return [one for one in found[1:] if _falls_short(one, found[0])][:FEW]


def _is_new(claim: Claim) -> bool:
    """Whether a claim says more than the words of the move that are told before it."""
    return claim.words.text != claims.COULD or claim.told is None or claim.news is not None


def _is_visible(claim: Claim) -> bool:
    """Whether what only depth shows can be seen in the numbers that are said."""
    values = claim.words.values
    return "before" not in values or values["before"] != values["after"]


def _falls_short(one: Evaluation, best: Evaluation) -> bool:
    return best.value - one.value >= LESS or (best.points or 0) > (one.points or 0)


def _claimed(reason: Reason | None) -> tuple[str, ...]:
    """What the reason is about."""
    return () if reason is None else reason.claim.targets


def _where(position: Position, targets: tuple[str, ...]) -> Message:
    """Where to look, or what to think about if nothing can lie there, as on a pass."""
    places, drawing = {"places": _named(position, targets)}, position.game.drawing
    if drawing and not set(targets) & set(drawing.glyphs(position.state)):
        return Message(_("Think about this choice: {places}."), places)
    return Message(_("Look here: {places}."), places)


def _entered(position: Position, move: str) -> tuple[str, ...]:
    """Where a move leads: what is clicked last when it is entered."""
    path = position.game.paths[position.action(move)]
    return tuple(sorted(path[-1])) if path else ()


def _named(position: Position, targets: tuple[str, ...]) -> Message:
    names = [position.game.described(position.state, target) for target in targets[:NAMED]]
    return all_of(names) if names else in_a_row(names, "")


def _reason(position: Position, reason: Reason) -> Message:
    said = _said(position, reason)
    if not reason.cost:
        return said
    return Message(_("{why} All in all, that makes a difference of {n} points."), {"why": said, "n": reason.cost})


def _said(position: Position, reason: Reason) -> Message:
    """A reason, to the player who is to move and knows the best move."""
    claim = reason.claim
    if claim.words.text == claims.COULD and claim.news:
        return claim.news
    words = claim.told_to(position.to_move)
    move = {"move": position.game.advised(position.state, position.action(reason.move))}
    if "when" in words.values:
        calls = {name: Message(OTHERWISE[words.values[name]], move) for name in ("when", "instead")}
        return Message(words.text, words.values | calls)
    texts = REASONS | (YOU if claim.seat == position.to_move else {})
    return Message(texts[claim.words.text], words.values | move)


def _without_reason(position: Position, found: Sequence[Evaluation]) -> Message:
    if len(found) == 1:
        return Message(_("It is the only move."), {})
    for other in _worse(found):
        before, after = (percent(position, one.value) for one in (found[0], other))
        if before != after:
            move = position.game.advised(position.state, position.action(other.move))
            text = _("With another move ({move}), your chances are {after}, not {before}.")
            return Message(text, {"move": move, "before": before, "after": after})
    return Message(_("Other moves are about as good: the engine sees hardly any difference."), {})
