"""A match gone through again by an agent: what each move was worth, and what would have been better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from empedocles.agents import Agent
from empedocles.coach.claims import Explanation, explain
from empedocles.coach.lines import percent
from empedocles.errors import BadValue
from empedocles.language import Figure, Message, Term, translate
from empedocles.language import mark as _
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

# By how much a move must fall short of the best, from −1 to 1, to be marked. Proofs and estimates are marked
# alike; small differences of estimates say nothing. Where a game is solved, points count too, as parts of its scale.
MARKS = {"??": 0.6, "?": 0.3, "?!": 0.12}
WORTH_A_WORD, POINTS_WORTH_A_WORD = 0.1, 3

# How much of the chance to win a move must give away to turn a match, or to be the worst of it worth a word. A fall
# from 60 % to 45 % is one of many.
MUCH = 0.2
NEARLY = 0.01  # as near to an even match as that is even
CHANCES = _("the chances fell from about {before} to {after}")

# What a solved match was before a mistake and after it, as the signs of its lead.
OUTCOMES = {
    (1, 1): _("the match stayed won"),
    (0, 0): _("the match stayed drawn"),
    (-1, -1): _("the match stayed lost"),
    (1, 0): _("a won match became a draw"),
    (1, -1): _("a won match was lost by it"),
    (0, -1): _("a drawn match was lost by it"),
}


@dataclass(frozen=True)
class Remark:
    """What an agent says about one move of a match."""

    ply: int  # moves before it, chance moves included
    seat: int
    played: Evaluation
    best: Evaluation  # the same if nothing better was found
    scale: int = 0  # points that count like a value of 1; see ExactSolver

    @property
    def lost(self) -> float:
        """How much of the value the move gave away."""
        return max(0.0, self.best.value - self.played.value)

    @property
    def mark(self) -> str:
        """`??`, `?` or `?!` for a mistake of that weight, else empty."""
        return next((mark for mark, least in MARKS.items() if self.weight >= least), "")

    @property
    def weight(self) -> float:
        """How grave the mistake is: by its value or by its points, whichever is more."""
        return max(self.lost, self.points_lost / self.scale if self.scale else 0.0)

    @property
    def points_lost(self) -> int:
        """Points that the move gave away, where they are known."""
        return max(0, (self.best.points or 0) - (self.played.points or 0))

    @property
    def is_worth_a_word(self) -> bool:
        """Whether the move gave away enough to explain it, in value or in points."""
        return self.lost >= WORTH_A_WORD or self.points_lost >= POINTS_WORTH_A_WORD

    def costs_much(self, position: Position) -> bool:
        """Whether the move gave away much of the chance to win."""
        sides = len(set(position.game.sides(position.seats)))
        return self.weight * (sides - 1) / sides >= MUCH

    def turns(self, position: Position) -> bool:
        """Whether the move can be called the turning point of a match: from even or better to even or worse."""
        return self.costs_much(position) and self.best.value >= -NEARLY and self.played.value <= NEARLY

    def cost(self, position: Position) -> Message | None:
        """What the move cost, as the end of a sentence; None if it was hardly anything."""
        if not self.is_worth_a_word:
            return None
        if self.best.points is None or self.played.points is None:
            values = {"before": percent(position, self.best.value), "after": percent(position, self.played.value)}
            return Message(CHANCES, values)
        outcome = OUTCOMES[_sign(self.best.points), _sign(self.played.points)]
        return Message(_("it cost {n} points; {outcome}"), {"n": self.points_lost, "outcome": Term(outcome)})

    def explained(self, position: Position) -> Explanation | None:
        """Why the move was a mistake; None if it was none, or a small one."""
        return explain(position, self.played, self.best) if self.is_worth_a_word else None

    @property
    def facts(self) -> dict[str, Any]:
        """All of it as JSON."""
        return asdict(self)

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Remark:
        played, best = (evaluation_of(facts[name]) for name in ("played", "best"))
        return cls(facts["ply"], facts["seat"], played, best, facts.get("scale", 0))


def _sign(points: int) -> int:
    return (points > 0) - (points < 0)


def evaluation_of(facts: dict[str, Any]) -> Evaluation:
    """An evaluation from the fields that `asdict` gives, read from JSON."""
    return Evaluation(**{**facts, "line": tuple(facts["line"]), "reasons": ()})  # words are made anew


def value_text(evaluation: Evaluation, language: str = "en") -> str:
    """A value as people read it: `+0.25` for an estimate; `win`, `draw +0` … for a proof, with points where known."""
    if not evaluation.proven:
        return _figure(round(evaluation.value, 2) + 0.0).say(language)  # + 0.0: there is no −0
    word = translate(_("win") if evaluation.value > 0 else _("loss") if evaluation.value < 0 else _("draw"), language)
    if abs(evaluation.value) not in (0, 1):  # a proven mean over chance
        word = Message(_("{value} exactly"), {"value": _figure(evaluation.value)}).say(language)
    return word if evaluation.points is None else f"{word} {evaluation.points:+d}"


def _figure(value: float) -> Message:
    return Message("{value}", {"value": Figure(f"{value:+.2f}")})


def analyse(match: Match, agent: Agent, limit: Limit) -> Iterator[Remark]:
    """A remark on every decision of a match, one after the other."""
    if not getattr(agent, "evaluates", True):
        raise BadValue(f"{type(agent).__name__} does not say what moves are worth: ask one who does, such as search")
    for ply, (seat, move) in enumerate(match.history()):
        if seat in range(match.position.seats):
            yield remark(match.at(ply), ply, move, agent, limit)


def remark(position: Position, ply: int, move: str, agent: Agent, limit: Limit) -> Remark:
    assert position.to_move is not None
    found = agent.analyse(position, limit)
    best = found[0]
    played = best if best.move == move else _judged(position, move, agent, limit, found)
    # A closer look at the move played may find that it was better than the best of a shorter look.
    scale = position.game.solve.scale if position.game.solve else 0
    found_best = played if played.value > best.value and not best.proven else best
    return Remark(ply, position.to_move, played, found_best, scale)


def _judged(position: Position, move: str, agent: Agent, limit: Limit, found: list[Evaluation]) -> Evaluation:
    """The move's value by a search of its own if the agent can do that, else what its analysis says of it."""
    if hasattr(agent, "judge"):
        judged: Evaluation = agent.judge(position, move, limit)
        return judged
    return next((evaluation for evaluation in found if evaluation.move == move), Evaluation(move, found[-1].value))
