"""What is wrong with a move, for somebody who still looks for the right one: true, and no word about that one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from empedocles.coach import claims
from empedocles.coach.lines import Step, full_line, is_always_done, percent, steps
from empedocles.language import LANGUAGES, Message
from empedocles.language import mark as _
from empedocles.position import Position
from empedocles.search.limits import Evaluation

PART = 0.1  # of the largest difference between two moves that a lesser one must make to be told


def refutation(position: Position, wrong: Evaluation, right: Evaluation) -> Message:
    """What speaks against a move without betraying the right one; if that is not the main thing, with the cost."""
    found = claims.explain(position, wrong, right).claims
    about = [claim for claim in found if claim.line[0] == wrong.move and claim.concept != claims.DEPTH]
    main = (claim.told_to(position.to_move) for claim in about)
    if words := _kept(position, main, right):
        return words
    cost = _cost(position, wrong, right)
    words = _kept(position, _lesser(position, wrong, right, found[0].worth), right)
    return Message("{words} {cost}", {"words": words, "cost": cost}) if words else cost


def _kept(position: Position, found: Iterable[Message], right: Evaluation) -> Message | None:
    """The first words that do not name the right move."""
    advised = position.game.advised(position.state, position.action(right.move))
    names = [(advised.say(language), language) for language in LANGUAGES]
    return next((words for words in found if not any(name in words.say(language) for name, language in names)), None)


def _lesser(position: Position, wrong: Evaluation, right: Evaluation, most: float) -> Iterator[Message]:
    """What follows a move, though it is not the main thing: what the strongest answer does, claims, and the answer."""
    if line := answered(position, wrong):
        yield from _done(position, line, right)
    for claim in claims.against(position, wrong, right):
        if claim.worth >= PART * most:
            yield claim.told_to(position.to_move)
    if line:
        yield Message(_("The strongest answer: {words}."), {"words": line[-1].before.words(line[-1].move)})


def _done(position: Position, line: list[Step], right: Evaluation) -> Iterator[Message]:
    """What the last move of a line does, the largest first, unless the same side also does it after the right move."""
    last, moves = line[-1], tuple(step.move for step in line)
    player = {"player": last.before.game.subject(last.before.seats, last.seat)}
    other = steps(position, full_line(position, right))
    elsewhere = {(step.seat, idea.name, deed.targets) for step in other for idea, deed in step.deeds}
    for idea, deed in sorted(last.deeds, key=lambda found: -found[1].worth):
        is_new = (last.seat, idea.name, deed.targets) not in elsewhere
        if is_new and is_always_done(position, moves, idea, deed.words):
            yield Message(claims.CAN, player | {"deed": deed.words})


def _cost(position: Position, wrong: Evaluation, right: Evaluation) -> Message:
    if wrong.points is not None and right.points is not None and right.points > wrong.points:
        return Message(_("With best play by both, this costs {n} points."), {"n": right.points - wrong.points})
    before, after = percent(position, right.value), percent(position, wrong.value)
    if before == after or wrong.value > right.value:
        return Message(_("Another move is clearly better."), {})
    return Message(_("Your chances fall from about {before} to {after}."), {"before": before, "after": after})


def strongest_answer(position: Position, wrong: Evaluation) -> tuple[str, ...]:
    """What follows a move, up to the first move of another side; empty if the game ends or chance decides before."""
    return tuple(step.move for step in answered(position, wrong)[1:])


def answered(position: Position, wrong: Evaluation) -> list[Step]:
    """A move and what follows, up to the first move of another side; empty if none comes before the end or chance."""
    sides = position.game.sides(position.seats)
    line = steps(position, full_line(position, wrong))
    for ply, step in enumerate(line):
        if step.is_chance:
            break
        if sides[step.seat] != sides[line[0].seat]:
            return line[: ply + 1]
    return []
