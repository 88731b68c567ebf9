"""Warnings before bad moves: what an engine can prove or confirm, in words that beginners understand.

A move is dangerous if it loses at once although another does not, or if it costs much compared to the best. What an
answer does to the player is said as everywhere, by the deeds of the game's concepts: those in `Game.dangers` are worth
a warning. Else the coach says what follows best play. All searches have fixed seeds and sizes, so the
same move in the same position is always judged alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from empedocles.agents.searchers import can_be_solved
from empedocles.coach.claims import COSTS, DEPTH, Claim, explain
from empedocles.coach.lines import percent
from empedocles.core.kernel import CHANCE
from empedocles.language import Message, Sentence
from empedocles.language import mark as _
from empedocles.position import Position
from empedocles.search import exact
from empedocles.search.limits import Evaluation, Limit
from empedocles.search.mcts import Search, nodes_for

GLANCE = 800  # simulations of a first look
CLOSER = 2500  # of a closer look, if something seems wrong
FINAL = 10_000  # of the last look at the move and a better one, before anything is said
MUCH = 0.35  # of what a player can expect, from −1 to 1, if a concept says why
MUCH_UNEXPLAINED = 0.5  # if none does
MUCH_IN_POINTS, MUCH_IN_POINTS_UNEXPLAINED = 30, 80  # the same where a game is solved
SOME_POINTS = 3  # that are worth mentioning
ALIKE = 0.1  # answers that differ by less are equally strong,
SELDOM = 20  # unless a search has looked at one this many times less often
MOST_OUTCOMES = 32  # of chance between a move and its answer


@dataclass(frozen=True)
class Danger:
    """Why a move is dangerous."""

    move: str
    answer: str | None  # the answer that the words are about, if they are about one
    better: str  # a move without this danger
    words: Message  # what happens then: a fact
    cost: Message | None  # what that costs, unless the words say it
    fatal: bool = False  # whether it costs the game at once
    claim: Claim | None = None  # the coach's claim that the words are from, if they are

    def say(self, language: str = "en") -> str:
        """One or two sentences."""
        return " ".join(part.say(language) for part in (self.words, self.cost) if part)


def danger(position: Position, move: str) -> Danger | None:
    """What is wrong with a move; None if nothing is, or nothing better is at hand."""
    if position.to_move not in range(position.seats) or len(position.legal_actions) < 2:
        return None
    if can_be_solved(position):
        return _solved(position, move)
    advice = position.game.advice
    return _searched(position, move) if advice and advice.evaluate else None  # random games would take too long


# ── Judging ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _solved(position: Position, move: str) -> Danger | None:
    points = exact.values(position)
    better = next(iter(points))
    lost = points[better] - points[move]
    if lost < MUCH_IN_POINTS:
        return None
    cost = Message(COSTS, {"n": lost})
    one, best = (Evaluation(each, 0.0, points[each]) for each in (move, better))
    return _described(position, one, best, cost, lost >= MUCH_IN_POINTS_UNEXPLAINED)


def _searched(position: Position, move: str) -> Danger | None:
    all_moves, this_move = _search(position), _search(position, move)
    best, played = _evaluated(all_moves, GLANCE)[0], _evaluated(this_move, GLANCE)[0]
    if best.move == move or best.value <= -1:
        return None
    if played.proven and played.value < 0 and (answers := _fatal(position, move)) is not None:
        return _fatal_danger(position, move, answers)
    if best.value - played.value < MUCH:
        return None
    best, played = _evaluated(all_moves, CLOSER)[0], _evaluated(this_move, CLOSER)[0]
    if best.move == move or best.value - played.value < MUCH:
        return None
    # By itself, the best move may turn out to be worse: the more moves a search looks at, the less it knows of each.
    best, played = _evaluated(_search(position, best.move), FINAL)[0], _evaluated(this_move, FINAL)[0]
    lost = best.value - played.value
    if lost < MUCH:
        return None
    values = {"before": percent(position, best.value), "after": percent(position, played.value)}
    cost = Message(_("Your chances fall from about {before} to {after}."), values)
    return _described(position, played, best, cost, lost >= MUCH_UNEXPLAINED, this_move)


def _search(position: Position, only: str | None = None) -> Search:
    return Search(position, only=only, nodes=nodes_for(position.game, FINAL))


def _evaluated(search: Search, simulations: int) -> list[Evaluation]:
    """What a search says after a number of simulations, the best first."""
    if search.done < simulations:
        search.run(Limit(simulations=simulations - search.done))
    return search.evaluations()


# ── Losing at once ───────────────────────────────────────────────────────────────────────────────────────────────────


def _fatal(position: Position, move: str) -> list[str] | None:
    """The answers with which an opponent can win at once after a move, whatever chance brings.

    An empty list if the move itself loses the game; None if it is not lost at once.
    """
    seat = position.to_move
    assert seat is not None
    after = position.play(move)
    if after.is_over:
        return [] if after.returns[seat] < 0 else None
    situations = outcomes(after)
    if not situations or not all(is_opponent(position, one.to_move) for one in situations):
        return None
    wins = [{answer for answer in one.legal_moves if _wins(one, answer, seat)} for one in situations]
    return sorted(set.intersection(*wins)) or None


def _wins(position: Position, answer: str, loser: int) -> bool:
    """Whether an answer ends the game, and its player wins while another loses."""
    winner, end = position.to_move, position.play(answer)
    assert winner is not None
    return end.is_over and end.returns[winner] > 0 > end.returns[loser]


def _fatal_danger(position: Position, move: str, answers: list[str]) -> Danger | None:
    found = _evaluated(_search(position), CLOSER)
    better = next((one.move for one in found if one.value > -1 and _fatal(position, one.move) is None), None)
    if better is None:
        return None
    if not answers:
        return Danger(move, None, better, Message(_("This ends the game, and you lose it."), {}), None, fatal=True)
    after = outcomes(position.play(move))[0]
    for answer in answers:
        if words := _concept(position, after, answer):
            cost = Message(_("That loses the game at once."), {})
            return Danger(move, answer, better, words, cost, fatal=True)
    words = Message(_("This loses the game at once: {answer}."), {"answer": after.words(answers[0])})
    return Danger(move, answers[0], better, words, None, fatal=True)


# ── In words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _described(
    position: Position, played: Evaluation, best: Evaluation, cost: Message, grave: bool, search: Search | None = None
) -> Danger | None:
    """The danger in a strong answer to a move. What no concept explains must be grave to be mentioned."""
    move, better = played.move, best.move
    situations = outcomes(position.play(move))
    if situations and all(is_opponent(position, one.to_move) for one in situations):
        after = situations[0]
        for answer in _strong(after, search):
            words = _concept(position, after, answer)
            certain = all(after.action(answer) in other.legal_actions for other in situations)
            if words and certain and not _still_there(position, better, words):
                return Danger(move, answer, better, words, cost)
    if (points := _gain(position, better) - _gain(position, move)) >= SOME_POINTS:
        return Danger(
            move, None, better, Message(_("Another move makes {n} points more at once."), {"n": points}), cost
        )
    if not grave:
        return None
    claim = _claimed(position, played, best)
    words = claim.told_to(position.to_move) if claim else Message(_("There is a much better move here."), {})
    return Danger(move, None, better, words, cost, claim=claim)


def _claimed(position: Position, played: Evaluation, best: Evaluation) -> Claim | None:
    """What the coach says about the move itself; not about the better one, which would give it away."""
    found = explain(position, played, best).claims
    return next((claim for claim in found if claim.concept != DEPTH and claim.line[0] == played.move), None)


def _strong(position: Position, search: Search | None) -> list[str]:
    """The best answers, by what is already known of them."""
    if search is None:
        points = exact.values(position)
        return [move for move, lead in points.items() if lead == max(points.values())]
    if not search.follow(position):
        search = _search(position)
    found = _evaluated(search, search.done + GLANCE)
    often = [one for one in found if one.visits >= found[0].visits / SELDOM]
    return [one.move for one in often if one.value > found[0].value - ALIKE]


def _concept(before: Position, after: Position, answer: str) -> Message | None:
    """What an answer does, in the game's own words."""
    return next(_concepts(before, after, [after.action(answer)]), None)


def _concepts(before: Position, after: Position, answers: list[int]) -> Iterator[Message]:
    for answer in answers:
        yield from _threats(before, after, answer)
        if words := _points(before, after, answer):
            yield words


def _threats(before: Position, after: Position, answer: int) -> Iterator[Message]:
    """What an answer does, and not to another player, in the concepts that are worth a warning; the gravest first."""
    game, sides = before.game, before.game.sides(before.seats)
    player = game.subject(before.seats, after.to_move or 0)
    state, then = after.state, after.play(answer).state
    done = {idea.name: idea.deeds for idea in game.concepts if idea.deeds}
    for name in game.dangers:
        for deed in done[name](state, answer, then):
            if deed.victim is None or sides[deed.victim] == sides[before.to_move or 0]:
                yield Sentence(_("{player} can {deed}."), {"player": player, "deed": deed.words})


def _points(before: Position, after: Position, answer: int) -> Message | None:
    """What an answer takes from the player, or gives to the opponent, in points."""
    seat, other = before.to_move or 0, after.to_move or 0
    gains = _gains(after, answer)
    lost, won = -gains[seat], gains[other]
    if max(lost, won) < SOME_POINTS:
        return None
    values = {"answer": after.words(answer), "n": lost if lost >= SOME_POINTS else won}
    if lost >= SOME_POINTS:
        return Message(_("{answer}: that takes {n} points from you."), values)
    player = {"player": before.game.seat_name(before.seats, other)}
    return Message(_("{answer}: that makes {n} points for {player}."), values | player)


def _gain(position: Position, move: str) -> int:
    """The points that a move makes at once for its player, less those for the opponents."""
    gains, seat = _gains(position, position.action(move)), position.to_move or 0
    return gains[seat] - max(gain for other, gain in enumerate(gains) if is_opponent(position, other))


def _gains(position: Position, action: int) -> list[int]:
    """The points that a move makes at once for each seat."""
    rules, state = position.game.rules, position.state
    now, then = np.zeros(position.seats, np.int32), np.zeros(position.seats, np.int32)
    rules.scores(state, now)
    rules.play(state, action)
    rules.scores(state, then)
    return [int(gain) for gain in then - now]


def _still_there(position: Position, better: str, words: Message) -> bool:
    """Whether the same may happen after another move."""
    return any(
        words in _concepts(position, after, after.legal_actions)
        for after in outcomes(position.play(better))
        if is_opponent(position, after.to_move)
    )


# ── What may follow ──────────────────────────────────────────────────────────────────────────────────────────────────


def outcomes(position: Position) -> list[Position]:
    """Where chance may lead from here, until somebody decides; nothing if there are too many ways."""
    found, todo = [], [position]
    while todo:
        here = todo.pop()
        if here.to_move == CHANCE:
            todo += [here.play(action) for action in here.legal_actions]
        else:
            found.append(here)
        if len(found) + len(todo) > MOST_OUTCOMES:
            return []
    return found


def is_opponent(position: Position, seat: int | None) -> bool:
    """Whether a seat plays against the one to move in a position."""
    sides = position.game.sides(position.seats)
    return seat in range(position.seats) and sides[seat or 0] != sides[position.to_move or 0]
