"""A hint in three steps, from one look at the position: where to look, which move, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from empedocles.agents import Agent
from empedocles.coach import claims
from empedocles.coach.claims import Explanation, explain
from empedocles.language import Message, in_a_row
from empedocles.language import mark as _
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

FEW = 3  # other moves that the best one is compared with
LESS = 0.02  # by which another move falls short at least, from −1 to 1
NAMED = 3  # places that the words name

# A claim against another move, as a reason for the best one.
REASONS = {
    claims.CAN: _("Another move ({move}) would let {player} {deed}."),
    claims.CAN_SOON: _("Within {n} moves, another one ({move}) would let {player} {deed}."),
    claims.COULD: _("It lets you {deed}."),
    claims.COULD_NEXT: _("Right afterwards, you can {deed}."),
    claims.COULD_SOON: _("Within {n} moves, you can then {deed}."),
    claims.PARTNER_COULD: _("Within {n} moves, {player} can then {deed}."),
    claims.HAS: _("Another move ({move}) would leave {player} with {what}."),
    claims.HAS_NOT_AS_MANY: _("Another move ({move}) would leave {player} with {what}, this one with {other}."),
    claims.GIVES: _("It leaves {player} with {what}."),
    claims.GIVES_ANY: _("It leaves {player} with {what}, another move ({move}) with none."),
    claims.HAS_SOON: _("After {n} moves of best play, another one ({move}) would leave {player} with {what}."),
    claims.HAS_NOT_AS_MANY_SOON: _(
        "After {n} moves of best play, another one ({move}) would leave {player} with {what}, this one with {other}."
    ),
    claims.GIVES_SOON: _("After {n} moves of best play, it leaves {player} with {what}."),
    claims.GIVES_ANY_SOON: _(
        "After {n} moves of best play, it leaves {player} with {what}, another move ({move}) with none."
    ),
    claims.COSTS: _("With best play by both, another move ({move}) would cost {n} points."),
    claims.COSTS_SOON: _("Over the next {moves} moves, another one ({move}) would cost about {n} points."),
    claims.ONLY_DEPTH: _(
        "Only looking far ahead shows it: with another move ({move}), chances are {after}, not {before}."
    ),
}


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
        Message(_("Look here: {places}."), {"places": _named(position, targets)}),
        Message(_("You could {move}."), {"move": which}),
        _said(position, reason) if reason else _without_reason(found),
    )


def _reasons(position: Position, found: Sequence[Evaluation]) -> Iterator[Explanation]:
    """Why other good moves fall short of the best: first what concepts say, then what only depth shows."""
    best = found[0]
    others = [one for one in found[1:] if _falls_short(one, best)][:FEW]
    deep = []
    for other in others:
        why = explain(position, other, best)
        if not why.is_deep:
            yield why
        elif _is_visible(why):
            deep.append(why)
    yield from deep


def _is_visible(why: Explanation) -> bool:
    """Whether what only depth shows can be seen in the numbers that are said."""
    values = why.claims[0].words.values
    return "before" not in values or values["before"] != values["after"]


def _falls_short(one: Evaluation, best: Evaluation) -> bool:
    return best.value - one.value >= LESS or (best.points or 0) > (one.points or 0)


def _claimed(reason: Explanation | None) -> tuple[str, ...]:
    """What the reason is about."""
    return () if reason is None else reason.claims[0].targets


def _entered(position: Position, move: str) -> tuple[str, ...]:
    """Where a move leads: what is clicked last when it is entered."""
    path = position.game.paths[position.action(move)]
    return tuple(sorted(path[-1])) if path else ()


def _named(position: Position, targets: tuple[str, ...]) -> Message:
    names = [position.game.described(position.state, target) for target in targets[:NAMED]]
    if len(names) < 2:
        return in_a_row(names, "")
    return Message(_("{some} and {last}"), {"some": in_a_row(names[:-1], ", "), "last": names[-1]})


def _said(position: Position, reason: Explanation) -> Message:
    words = reason.claims[0].words
    other = position.game.advised(position.state, position.action(reason.move))
    return Message(REASONS[words.text], words.values | {"move": other})


def _without_reason(found: Sequence[Evaluation]) -> Message:
    if len(found) == 1:
        return Message(_("It is the only move."), {})
    return Message(_("Other moves are about as good: the engine sees hardly any difference."), {})
