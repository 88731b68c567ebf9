"""Lines of best play, gone through step by step: who does what, in the concepts of a game."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from empedocles.core.kernel import CHANCE, State
from empedocles.game import Deed, Idea
from empedocles.language import Message
from empedocles.position import Position
from empedocles.search import exact
from empedocles.search.limits import Evaluation

HORIZON = 8  # decisions of a line that are looked at
OUTCOMES = 300  # of the chance moves of a line, all together: a claim about what comes after them must hold for each


@dataclass(frozen=True)
class Step:
    """One move of a line."""

    before: Position
    move: str

    @cached_property
    def after(self) -> Position:
        return self.before.play(self.move)

    @property
    def seat(self) -> int:
        return self.before.to_move or 0

    @property
    def is_chance(self) -> bool:
        return self.before.to_move == CHANCE

    @cached_property
    def deeds(self) -> list[tuple[Idea, Deed]]:
        """What the move does."""
        return [] if self.is_chance else deeds(self.before, self.move)


def deeds(position: Position, move: str | int) -> list[tuple[Idea, Deed]]:
    """What a move does, in the concepts of its game."""
    action = position.action(move)
    before, after = position.state, position.play(move).state
    return [(idea, deed) for idea in position.game.concepts if idea.deeds for deed in idea.deeds(before, action, after)]


def steps(position: Position, line: Sequence[str]) -> list[Step]:
    """The moves of a line up to its last decision; it ends before a chance move with too many outcomes."""
    found: list[Step] = []
    left, outcomes = HORIZON, 1
    for move in line:
        outcomes *= len(position.legal_actions) if position.to_move == CHANCE else 1
        left -= position.to_move != CHANCE
        if position.is_over or left < 0 or outcomes > OUTCOMES:
            break
        found.append(Step(position, move))
        position = found[-1].after
    while found and found[-1].is_chance:
        found.pop()
    return found


def decisions(line: Sequence[Step]) -> int:
    return sum(not step.is_chance for step in line)


def milestones(line: list[Step]) -> int:
    """How many ends of rounds a line passes."""
    interface = line[0].before.game.interface
    if not interface or not interface.milestone:
        return 0
    ends, taken = interface.milestone, [step for step in line if not step.is_chance]
    return sum(ends(step.before.state, step.before.action(step.move)) is not None for step in taken)


def up_to(line: list[Step], number: int) -> list[Step]:
    """A line up to one of its decisions."""
    return next(line[: ply + 1] for ply in range(len(line)) if decisions(line[: ply + 1]) == number)


def spending(line: list[Step], idea: Idea, seat: int) -> int:
    """How much of what is measured a line uses up, less what its first move puts down: neither is a loss or a gain."""
    spent = sum(used_up(step, idea, seat) for step in line)
    if not idea.is_placed or not idea.measure:
        return spent
    return spent + int(idea.measure(line[0].before.state, seat)) - int(idea.measure(line[0].after.state, seat))


def used_up(step: Step, idea: Idea, seat: int) -> int:
    """How much a move uses up of what is good for its side: earth by a temple on it, a threat by carrying it out.

    That is its purpose and no loss.
    """
    sides = step.before.game.sides(step.before.seats)
    if step.is_chance or (sides[step.seat] == sides[seat]) != (idea.worth > 0) or not acts_on(step, idea, seat):
        return 0
    assert idea.measure
    return max(0, int(idea.measure(step.before.state, seat)) - int(idea.measure(step.after.state, seat)))


def had(step: Step, idea: Idea, seat: int) -> int:
    """What a seat had before a move; 0 if the move acted on it, such as by carrying out a threat."""
    return 0 if acts_on(step, idea, seat) or not idea.measure else int(idea.measure(step.before.state, seat))


def acts_on(step: Step, idea: Idea, seat: int) -> bool:
    """Whether a move goes to a place, or does something at one, where a seat has what is measured."""
    there, game = set(places(idea, step.before.state, seat)), step.before.game
    chosen = frozenset[str]().union(*game.paths[step.before.action(step.move)])
    return bool(there & chosen) or any(there & set(deed.targets) for _idea, deed in step.deeds)


def is_needed(idea: Idea, deed: Deed, line: list[Step], ply: int, other: list[Step]) -> bool:
    """Whether a deed wards off what threatens on the other line, too: no danger that only its own line brought."""
    step, instead = line[ply], other[0].after
    if instead.is_over or any(earlier.seat == step.seat for earlier in line[:ply]):
        return False
    return idea.looms is None or idea.looms(step.before.state, deed, instead.state)


def ends(position: Position, line: Sequence[str]) -> list[Position]:
    """Where a line leads, a position for each way in which its chance moves turn out; none if one forbids a move."""
    places = [position]
    for move in line:
        if len({place.to_move for place in places}) > 1:
            return []
        if places[0].to_move == CHANCE:
            places = [place.play(action) for place in places for action in place.legal_actions]
        elif all(position.action(move) in place.legal_actions for place in places):
            places = [place.play(move) for place in places]
        else:
            return []
    return places


def is_always_done(position: Position, line: Sequence[str], idea: Idea, words: Message) -> bool:
    """Whether the last move of a line is legal and does what is said, whatever chance brings."""
    befores, action = ends(position, line[:-1]), position.action(line[-1])
    return bool(befores) and all(action in one.legal_actions and _does(one, action, idea, words) for one in befores)


def _does(position: Position, action: int, idea: Idea, words: Message) -> bool:
    after = position.play(action).state
    return any(deed.words == words for deed in (idea.deeds(position.state, action, after) if idea.deeds else ()))


def is_always_had(position: Position, line: Sequence[str], idea: Idea, seat: int) -> bool:
    """Whether a seat has as much of what is measured after a line, and in the same places, whatever chance brings."""
    assert idea.measure
    found = {(int(idea.measure(end.state, seat)), places(idea, end.state, seat)) for end in ends(position, line)}
    return len(found) == 1


def places(idea: Idea, state: State, seat: int) -> tuple[str, ...]:
    """Where a seat has what an idea measures."""
    return tuple(idea.places(state, seat)) if idea.places else ()


def lead(end: Position, start: Position) -> int:
    """The lead in points of the seat to move at the start over its best opponent."""
    seat, sides, scores = start.to_move or 0, start.game.sides(start.seats), np.zeros(start.seats, np.int32)
    end.game.rules.scores(end.state, scores)
    return int(scores[seat]) - max(int(scores[k]) for k in range(start.seats) if sides[k] != sides[seat])


def chances(position: Position, value: float) -> int:
    """A value as the part of matches won between strong players, in per cent, a draw counting as a shared win.

    To the nearest five: nobody knows it better. How the odds follow from a value is measured
    (`Advice.certainty`); that of a proof is certain.
    """
    sides = len(set(position.game.sides(position.seats)))
    share = min(1.0, max(0.0, (value * (sides - 1) + 1) / sides))
    certainty = position.game.advice.certainty if position.game.advice else 1.0
    won, lost = math.pow(share * sides, certainty), math.pow((1 - share) * sides / (sides - 1), certainty)
    return 5 * round(20 * won / (won + (sides - 1) * lost))


def percent(position: Position, value: float) -> str:
    return f"{chances(position, value)}\N{NO-BREAK SPACE}%"


def full_line(position: Position, evaluation: Evaluation) -> tuple[str, ...]:
    """The line of an evaluation; where a game is solved, best play to the horizon."""
    if position.game.solve is None or len(evaluation.line) > 1:
        return evaluation.line or (evaluation.move,)
    return (evaluation.move, *_solved(position.play(evaluation.move)))


def _solved(position: Position) -> Iterator[str]:
    for _k in range(HORIZON - 1):
        if position.is_over or position.to_move == CHANCE:
            return
        move = next(iter(exact.values(position)))
        yield move
        position = position.play(move)


def is_prevented(position: Position, line: Sequence[str], concept: str, words: Message, better: str) -> bool:
    """Whether what the opponent does with the second move of a line is impossible after the better move.

    It is not if another deed of its kind brings as much, such as the same win with another card.
    """
    if len(line) != 2:
        return False
    there, after = position.play(line[0]), position.play(better)
    sides, seat = position.game.sides(position.seats), position.to_move or 0
    if there.to_move in (None, CHANCE) or sides[there.to_move or 0] == sides[seat] or after.to_move != there.to_move:
        return False
    dreaded = next(deed for deed in _deeds_of(there, line[1], concept) if deed.words == words)
    return bool(dreaded.targets) and not any(
        deed.targets == dreaded.targets or deed.words == words or deed.worth >= dreaded.worth
        for answer in after.legal_actions
        for deed in _deeds_of(after, answer, concept)
    )


def _deeds_of(position: Position, move: str | int, concept: str) -> list[Deed]:
    return [deed for idea, deed in deeds(position, move) if idea.name == concept]
