"""Entering a move by clicks: legal moves filtered by the targets chosen so far. No rule is known here.

A move's path is a row of groups of targets: the groups in order, the targets of a group in any order. Where a whole
path is also the beginning of a longer one, CONFIRM ends it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from empedocles.errors import BadValue
from empedocles.game import Clicks, Game
from empedocles.language import Message, Reason, translate
from empedocles.language import mark as _
from empedocles.position import Position

CONFIRM = "confirm"
MOST_REASONS = 200  # refused moves that are looked at to say why a target cannot be chosen


def after(path: Clicks, chosen: tuple[str, ...]) -> Clicks | None:
    """What is left of a path; None if it does not begin so."""
    for target in chosen:
        if not path or target not in path[0]:
            return None
        rest = path[0] - {target}
        path = (rest, *path[1:]) if rest else path[1:]
    return path


@dataclass(frozen=True)
class Partial:
    """A move being entered in a position."""

    position: Position
    chosen: tuple[str, ...] = ()

    @cached_property
    def _left(self) -> dict[int, Clicks]:
        """Legal actions that begin so, with what is left of their paths."""
        targets = self.chosen[:-1] if CONFIRM in self.chosen[-1:] else self.chosen
        ways = ((action, after(self.position.game.paths[action], targets)) for action in self.position.legal_actions)
        left = {action: path for action, path in ways if path is not None}
        return left if targets is self.chosen else {action: path for action, path in left.items() if not path}

    @property
    def moves(self) -> list[str]:
        """The legal moves that begin so."""
        return sorted(self.position.game.moves[action] for action in self._left)

    @cached_property
    def whole(self) -> str | None:
        """The move that these targets are, whether or not they could go on."""
        found = [action for action, path in self._left.items() if not path]
        assert len(found) <= 1, f"{self.chosen} are {len(found)} moves of {self.position!r}"
        return self.position.game.moves[found[0]] if found else None

    @property
    def move(self) -> str | None:
        """The move, once nothing else can follow or it was confirmed."""
        return self.whole if not self.targets else None

    @cached_property
    def targets(self) -> list[str]:
        """What can be chosen next."""
        following = {target for path in self._left.values() if path for target in path[0]}
        return sorted(following) + ([CONFIRM] if following and self.whole else [])

    def choose(self, target: str) -> Partial:
        if target not in self.targets:
            some = ", ".join(self.targets[:8]) + (" …" if len(self.targets) > 8 else "")
            raise BadValue(f"{target!r} cannot be chosen here: expected {some or 'nothing more, the move is whole'}")
        return Partial(self.position, (*self.chosen, target))

    def back(self) -> Partial:
        return Partial(self.position, self.chosen[:-1])

    def leads_to(self, target: str) -> Message:
        """What choosing a target means: the move, if it is one then; else the target's name."""
        then = self.choose(target)
        if (move := then.move or (then.whole if len(then.moves) == 1 else None)) is not None:
            return self.position.words(move)
        if target == CONFIRM:
            return Message(_("confirm"), {})
        return Message(_("{target} …"), {"target": self.position.game.target(target)})

    def why_not(self, target: str) -> Reason | None:
        """Why a target cannot be chosen: the commonest reason against moves that begin so; rather one that names it.

        Of equally common reasons it is the one against the shortest move, and then against the most like a legal one.
        None if no move begins so.
        """
        if target in self.targets:
            return None
        game, chosen = self.position.game, (*self.chosen, target)
        begun = [action for action in range(game.n_actions) if after(game.paths[action], chosen) is not None]
        reasons = {action: reason for action in begun[:MOST_REASONS] if (reason := self.position.reason(action))}
        named = {
            action: reason for action, reason in reasons.items() if target in map(str, reason.message.values.values())
        }
        reasons = named or reasons
        rules = Counter(reason.rule for reason in reasons.values())

        def rank(action: int) -> tuple[int, int, int]:
            return -rules[reasons[action].rule], sum(map(len, game.paths[action])), self._unlike(action)

        return reasons[min(reasons, key=rank)] if reasons else None

    def _unlike(self, action: int) -> int:
        """How far an action is from the legal ones: those of a kind have numbers close together."""
        return min((abs(action - legal) for legal in self.position.legal_actions), default=0)


def called(game: Game, target: str, language: str) -> str:
    """A target in words."""
    return translate(_("confirm"), language) if target == CONFIRM else game.target(target).say(language)
