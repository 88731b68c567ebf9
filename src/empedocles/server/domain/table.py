"""A table: a match with people and bots around it, as the sum of what has happened there."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, assert_never

from empedocles.core.kernel import CHANCE
from empedocles.game import Game
from empedocles.games import find
from empedocles.play.match import Match
from empedocles.play.records import Record
from empedocles.position import Position
from empedocles.server.domain import opponents
from empedocles.server.domain.events import (
    BOT,
    OPEN,
    PERSON,
    Agreed,
    Claimed,
    Consented,
    Declined,
    Entry,
    Event,
    Imported,
    Joined,
    Left,
    Moved,
    Offer,
    Offered,
    RanOutOfTime,
    Rematched,
    Replaced,
    Resigned,
    Seat,
    Started,
    TookBack,
)

CHARACTERS = 500  # of comments that take as much memory as a ply
OPENING = 6  # decisions of a match that everybody may know, and look at with an engine
SECRET_BYTES = 24  # 16 of salt, so that the seed cannot be guessed from the digest, and 8 of seed

WAITING, PLAYING, OVER = "waiting", "playing", "over"


def fingerprint(position: Position) -> str:
    """What tells a position from others for somebody who wants advice about it.

    Numbers count turns, rounds and points: with another one, the advice would be the same.
    """
    kept = [field for field in position.text.split() if field.startswith("to-move=") or not _COUNTS.fullmatch(field)]
    return hashlib.sha256(" ".join(kept).encode()).hexdigest()


_COUNTS = re.compile(r"[^=]+=[\d/]+")


@dataclass(frozen=True)
class Clock:
    """None at all, minutes for all moves and an increment for each, or days for each move."""

    kind: str = "none"  # none, minutes or days
    base: float = 0.0  # seconds for the whole match, or for each move
    increment: float = 0.0  # seconds

    @property
    def counts(self) -> bool:
        return self.kind != "none"


@dataclass
class Ending:
    """How a match ended otherwise than by its rules."""

    reason: str  # resign, time, agreed or claim
    winners: frozenset[int] = frozenset()


@dataclass
class Table:
    id: str
    match: Match
    secret: bytes
    clock: Clock = field(default_factory=Clock)
    listed: bool = True
    creator: str = ""
    created: float = 0.0
    log: list[Entry] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    next: str | None = None  # the rematch
    ending: Ending | None = None
    offers: dict[Offer, int] = field(default_factory=dict)  # → the seat that asks
    consents: frozenset[str] = frozenset()  # owners who have agreed to the take-back or draw
    asked: int = 0  # the ply to go back to
    left: list[float] = field(default_factory=list)  # seconds of each seat, when `turned`
    turned: float = 0.0  # when the seat to move got its turn
    imported: int = 0  # moves that were played elsewhere, with their chance
    comments: dict[int, str] = field(default_factory=dict)  # of a record that was imported

    @property
    def number(self) -> int:
        """Entries so far, which is the number of the next one."""
        return len(self.log)

    @property
    def touched(self) -> float:
        """When something happened last, for lists: others see no change when a player forgets the match."""
        return next(entry.at for entry in reversed(self.log) if not isinstance(entry.event, Left))

    @property
    def weight(self) -> int:
        """About how much memory it takes, in plies."""
        return self.match.plies + self.number + sum(map(len, self.comments.values())) // CHARACTERS

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def status(self) -> str:
        if self.ending or self.match.is_over:
            return OVER
        return WAITING if any(seat.kind == OPEN for seat in self.seats) else PLAYING

    @property
    def commitment(self) -> str:
        """Published at the start: the secret cannot be changed afterwards."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def winners(self) -> frozenset[int]:
        if self.ending:
            return self.ending.winners
        return self.match.result.winners if self.match.result else frozenset()

    def owned(self, player: str) -> list[int]:
        return [k for k, seat in enumerate(self.seats) if player and seat.owner == player and seat.kind != OPEN]

    def kept_for(self, player: str) -> list[int]:
        """Seats that a player may take and nobody else, as in a rematch that another wants."""
        return [k for k, seat in enumerate(self.seats) if player and seat.owner == player and seat.kind == OPEN]

    @property
    def people(self) -> set[str]:
        return {seat.owner for seat in self.seats if seat.kind == PERSON}

    @property
    def contested(self) -> str:
        """The fingerprint of a position that people play against each other now; "" in the opening, and where none do.

        Openings are common knowledge: of them nobody can say which match they are asked about for.
        """
        if self.status != PLAYING or len(self.people - {""}) < 2:
            return ""
        decisions = (seat for seat, _ in self.match.history() if seat != CHANCE)
        return fingerprint(self.match.position) if len(list(itertools.islice(decisions, OPENING))) == OPENING else ""

    @property
    def bot_is_due(self) -> bool:
        mover = self.match.to_move
        return self.status == PLAYING and mover is not None and mover != CHANCE and self.seats[mover].kind == BOT

    def sides(self) -> list[int]:
        return self.game.sides(len(self.seats))

    def goes_on_without(self, seat: int) -> bool:
        """Whether people who play against a seat and against each other go on when it drops out."""
        sides = self.sides()
        people = any(other.kind == PERSON and sides[k] != sides[seat] for k, other in enumerate(self.seats))
        return len(set(sides)) > 2 and people

    def record(self) -> Record:
        names = {k: opponents.called(self.game, seat.agent) or seat.name for k, seat in enumerate(self.seats)}
        plies = self.match.plies  # some may have been taken back since
        return Record(self.match.copy(), names, comments={k: v for k, v in self.comments.items() if k <= plies})

    # ── Time ──

    def time_left(self, seat: int, now: float) -> float:
        """Seconds that a seat has, less what it is using up now."""
        running = self.status == PLAYING and self.match.to_move == seat
        return self.left[seat] - (now - self.turned if running else 0.0)

    @property
    def _running(self) -> int | None:
        """The seat whose clock runs."""
        mover = self.match.to_move
        return mover if self.clock.counts and mover != CHANCE and self.status == PLAYING else None

    def _stop_clock(self, at: float) -> None:
        """Whoever was to move has used up what has passed."""
        if self.clock.kind == "minutes" and (seat := self._running) is not None:
            self.left[seat] -= at - self.turned
        self.turned = at

    def _spend(self, at: float) -> None:
        """Stop the clock of the seat that has moved, which gets its increment, or a new day."""
        seat = self._running
        self._stop_clock(at)
        if seat is not None:
            self.left[seat] = (self.clock.base if self.clock.kind == "days" else self.left[seat]) + self.clock.increment

    # ── What happens ──

    def copy(self) -> Table:
        return replace(
            self,
            match=self.match.copy(),
            seats=self.seats.copy(),
            log=self.log.copy(),
            offers=self.offers.copy(),
            left=self.left.copy(),
        )

    def after(self, entry: Entry) -> Table:
        """A copy with one more entry. A decision is noted with the chance moves it led to."""
        twin = self.copy()
        twin.apply(entry)
        if isinstance(entry.event, Moved):
            _, *drawn = twin.match.moves_since(self.match.plies)
            twin.log[-1] = entry._replace(event=replace(entry.event, drawn=tuple(drawn)))
        return twin

    def apply(self, entry: Entry) -> None:
        """Take the next entry in; it was checked before it was written."""
        assert entry.number == self.number, f"entry {entry.number} at a table with {self.number}"
        self._take_in(entry.event, entry.at)
        self.log.append(entry)

    def _take_in(self, event: Event, at: float) -> None:
        match event:
            case Started():
                self._start(event.seats, at)
            case Imported():
                self._import(event)
                self._start(event.seats, at)
            case Moved():
                self._move(event, at)
            case TookBack():
                self._take_back(event.ply, at)
            case Offered():
                self._settle()  # one at a time, so that everybody knows what they agree to
                self.offers[event.what], self.asked = event.seat, event.ply
            case Consented():
                self.consents |= {self.seats[event.seat].owner}
            case Declined():
                self._settle()
            case Agreed():
                self._end(Ending("agreed"))
            case Resigned():
                self._lose(event.seat, "resign")
            case RanOutOfTime():
                self.left[event.seat] = 0.0
                self._lose(event.seat, "time")
            case Claimed():
                self._lose(event.seat, "claim")
            case Joined():
                self.seats[event.seat] = event.sitting
                self.turned = at  # the clock starts when the last has sat down
            case Left():
                self._leave(event)
            case Replaced():
                self._replace(event, at)
            case Rematched():
                self.next = event.match
            case _:
                assert_never(event)

    def _start(self, seats: Iterable[Seat], at: float) -> None:
        self.seats = list(seats)
        self.left = [self.clock.base] * len(self.seats)
        self.turned = at

    def _import(self, event: Imported) -> None:
        """The match's own chance moves count; from then on, they are drawn as everywhere."""
        match = Match(self.match.start, chance="manual").play(*event.moves)
        self.match = match.resume(self.match.seed)
        self.imported, self.comments = match.plies, event.comments

    def _move(self, event: Moved, at: float) -> None:
        self._spend(at)
        before = self.match.plies
        self.match.play(event.move)
        if event.drawn and (given := tuple(self.match.moves_since(before)[1:])) != event.drawn:
            raise AssertionError(f"{self.id}: chance gave {given}, the log says {event.drawn}")
        self._settle()

    def _take_back(self, ply: int, at: float) -> None:
        """Time that was spent stays spent, the mover's too."""
        self._stop_clock(at)
        while self.match.plies > ply:
            self.match.undo()
        self._settle()

    def _settle(self) -> None:
        """Whatever was offered has been answered, or has come too late."""
        self.offers.clear()
        self.consents = frozenset()

    def _lose(self, loser: int, reason: str) -> None:
        sides = self.sides()
        self._end(Ending(reason, frozenset(k for k, side in enumerate(sides) if side != sides[loser])))

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        self._settle()

    def _leave(self, event: Left) -> None:
        """A seat becomes free before all are taken; afterwards it was somebody's whom nobody knows."""
        seat = self.seats[event.seat]
        if self.status == WAITING:
            self.seats[event.seat] = Seat(OPEN, invite=seat.invite)
        else:
            self.seats[event.seat] = replace(seat, owner="", name="" if event.name_too else seat.name)

    def _replace(self, event: Replaced, at: float) -> None:
        self.seats[event.seat] = Seat(BOT, agent=event.agent)
        self.left[event.seat] = self.clock.base  # what another has used up is not held against it
        if event.seat == self.match.to_move:
            self.turned = at
        self._settle()


class Stored(NamedTuple):
    """A table as a database has it; what it is can be worked out in another process."""

    row: dict[str, Any]
    entries: list[Entry]

    @property
    def begun(self) -> Table:
        """Before anything has happened there."""
        row, secret = self.row, bytes.fromhex(self.row["secret"])
        match = start_match(row["game"], row["options"], secret, row["start"])
        given = Clock(**row["clock"]), bool(row["listed"]), row["creator"], row["created"]
        return Table(row["id"], match, secret, *given)

    @property
    def table(self) -> Table:
        table = self.begun
        for entry in self.entries:
            table.apply(entry)
        return table


def start_match(game: str, options: dict[str, Any], secret: bytes, start: str = "") -> Match:
    """A match that draws chance from the secret. Board files are not read for a stranger."""
    seed = int.from_bytes(secret[-8:], "big")
    if start:
        return Match(Position(start), seed=seed)
    found = find(game)
    return Match(Position.start(found, found.complete(options)), seed=seed)
