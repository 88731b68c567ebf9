"""What is wrong with a move, for somebody who still looks for the right one: true, and no word about that one."""

from __future__ import annotations

from empedocles.coach.claims import Claim, explain
from empedocles.coach.lines import full_line, percent, steps
from empedocles.language import LANGUAGES, Message
from empedocles.language import mark as _
from empedocles.position import Position
from empedocles.search.limits import Evaluation


def refutation(position: Position, wrong: Evaluation, right: Evaluation) -> Message:
    """What speaks against a move: the first claim that does not betray the right one, or what the move costs."""
    claims = explain(position, wrong, right).claims
    return next(
        (claim.words for claim in claims if not _betrays(position, claim, right)), _cost(position, wrong, right)
    )


def _betrays(position: Position, claim: Claim, right: Evaluation) -> bool:
    """Whether a claim is about the line of the right move, or names it."""
    if claim.line[0] == right.move:
        return True
    advised = position.game.advised(position.state, position.action(right.move))
    return any(advised.say(language) in claim.say(language) for language in LANGUAGES)


def _cost(position: Position, wrong: Evaluation, right: Evaluation) -> Message:
    if wrong.points is not None and right.points is not None and right.points > wrong.points:
        return Message(_("With best play by both, this costs {n} points."), {"n": right.points - wrong.points})
    before, after = percent(position, right.value), percent(position, wrong.value)
    if before == after or wrong.value > right.value:
        return Message(_("Another move is clearly better."), {})
    return Message(_("Your chances fall from about {before} to {after}."), {"before": before, "after": after})


def strongest_answer(position: Position, wrong: Evaluation) -> tuple[str, ...]:
    """What follows a move, up to the first move of another side; empty if the game ends or chance decides before."""
    sides = position.game.sides(position.seats)
    line = steps(position, full_line(position, wrong))
    for ply, step in enumerate(line):
        if sides[step.seat] != sides[line[0].seat]:
            return tuple(one.move for one in line[1 : ply + 1])
    return ()
