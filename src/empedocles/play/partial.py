"""Entering a move by clicks: legal moves filtered by the targets chosen so far. No rule is known here.

A move's path is a row of groups of targets: the groups in order, the targets of a group in any order. Where a whole
path is also the beginning of a longer one, CONFIRM ends it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from empedocles.core.kernel import CHANCE
from empedocles.errors import BadValue
from empedocles.game import Clicks, Game
from empedocles.language import Message, Reason, in_a_row, one_of, translate
from empedocles.language import mark as _
from empedocles.position import Position

CONFIRM = "confirm"
SOME = 3  # names of targets in a sentence
MOST_REASONS = 200  # refused moves that are looked at to say why a target cannot be chosen


def after(path: Clicks, chosen: tuple[str, ...]) -> Clicks | None:
    """The rest of a path after the chosen targets; None if it does not begin with them."""
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
        """Legal actions that begin with the chosen targets, and the rest of their paths."""
        targets = self.chosen[:-1] if CONFIRM in self.chosen[-1:] else self.chosen
        ways = ((action, after(self.position.game.paths[action], targets)) for action in self.position.legal_actions)
        left = {action: path for action, path in ways if path is not None}
        return left if targets is self.chosen else {action: path for action, path in left.items() if not path}

    @property
    def moves(self) -> list[str]:
        """The legal moves that begin with the chosen targets."""
        return sorted(self.position.game.moves[action] for action in self._left)

    @cached_property
    def whole(self) -> str | None:
        """The move that the chosen targets make, whether or not more could follow."""
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
            raise BadValue(f"{target!r} cannot be chosen here: expected {some or 'nothing more, the move is complete'}")
        return Partial(self.position, (*self.chosen, target))

    def back(self) -> Partial:
        return Partial(self.position, self.chosen[:-1])

    @property
    def prompt(self) -> Message | None:
        """What to choose next, in a sentence; once nothing can follow, the move in words. None if there is neither."""
        if not self.targets:
            return self.position.words(self.whole) if self.whole else None
        game, can = self.position.game, frozenset(self.targets) - {CONFIRM}
        if game.interface and game.interface.prompt and self.position.to_move != CHANCE:
            return game.interface.prompt(self.position.state, self.chosen, can, self.whole is not None)
        ask = _("Choose {targets}, or play it as it is") if self.whole else _("Choose {targets}")
        return Message(ask, {"targets": self._some(sorted(can))})

    def _some(self, targets: list[str]) -> Message:
        """The names of targets, if they are few; else of the first ones."""
        called = [self.described(target) for target in targets]
        return one_of(called) if len(called) <= SOME else in_a_row(called[:SOME], ", ", " …")

    def described(self, target: str) -> Message:
        """A target with what lies on it."""
        return self.position.game.described(self.position.state, target)

    def leads_to(self, target: str) -> Message:
        """What choosing a target means: the move, if it is one then; else the names of all targets so far."""
        then = self.choose(target)
        if (move := then.move or (then.whole if len(then.moves) == 1 else None)) is not None:
            return self.position.words(move)
        if target == CONFIRM:
            return Message(_("confirm"), {})
        return Message(_("{target} …"), {"target": in_a_row(list(map(self.described, then.chosen)), " → ")})

    def why_not(self, target: str) -> Reason | None:
        """Why a target cannot be chosen, and what to choose before it; None if no move uses this target."""
        reason = None if target in self.targets else self._against(target)
        if reason is None or not (before := self._before(target)):
            return reason
        values = {"reason": reason.message, "target": self.position.game.target(target), "first": self._some(before)}
        return Reason(reason.rule, Message(_("{reason}; before {target}, choose {first}"), values))

    def _against(self, target: str) -> Reason | None:
        """The commonest reason against the shortest moves that begin so; preferably one that names the target.

        Ties go to the move most like a legal one. After other choices, the reason must name the target: any other
        would be about something that nobody has thought of.
        """
        game, chosen = self.position.game, (*self.chosen, target)
        begun = [action for action in range(self.position.n_actions) if after(game.paths[action], chosen) is not None]
        shortest = min((_length(game.paths[action]) for action in begun), default=0)
        begun = [action for action in begun if _length(game.paths[action]) == shortest]
        reasons = {action: reason for action in begun[:MOST_REASONS] if (reason := self.position.reason(action))}
        named = {action for action, reason in reasons.items() if self._names_it(reason, target)}
        rules = Counter(reason.rule for reason in reasons.values())

        def rank(action: int) -> tuple[int, bool, int]:
            return -rules[reasons[action].rule], action not in named, self._unlike(action)

        best = min(named if self.chosen else reasons, key=rank, default=None)
        return None if best is None else reasons[best]

    def _before(self, target: str) -> list[str]:
        """What to choose first in legal moves that use the target later; nothing once something is chosen."""
        paths = [] if self.chosen else self._left.values()
        return sorted({first for path in paths if any(target in group for group in path[1:]) for first in path[0]})

    def _names_it(self, reason: Reason, target: str) -> bool:
        name = self.position.game.target(target)
        return any(value == name or target in str(value).split(", ") for value in reason.message.values.values())

    def _unlike(self, action: int) -> int:
        """How far an action is from the legal ones: those of a kind have numbers close together."""
        return min((abs(action - legal) for legal in self.position.legal_actions), default=0)


def _length(path: Clicks) -> int:
    return sum(map(len, path))


def target_name(game: Game, target: str, language: str) -> str:
    """A target in words."""
    return translate(_("confirm"), language) if target == CONFIRM else game.target(target).say(language)
