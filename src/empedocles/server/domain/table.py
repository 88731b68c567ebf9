"""A table: a match with people and bots around it, as it follows from its events."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import assert_never

from empedocles.core.kernel import CHANCE
from empedocles.game import Game
from empedocles.play.evidence import Evidence
from empedocles.play.match import Match
from empedocles.play.records import Record
from empedocles.play.shuffle import Shuffle, digest
from empedocles.server.domain import opponents
from empedocles.server.domain.events import (
    BOT,
    OPEN,
    PERSON,
    Agreed,
    Cancelled,
    Claimed,
    Committed,
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
    Opened,
    RanOutOfTime,
    Rematched,
    Replaced,
    Resigned,
    Seat,
    Started,
    TookBack,
)
from empedocles.server.domain.fingerprints import fingerprint

CHARACTERS = 500  # in comments that take as much memory as a ply
OPENING = 6  # first decisions, which are common knowledge: engines may evaluate them

WAITING, PLAYING, OVER = "waiting", "playing", "over"


@dataclass(frozen=True)
class Clock:
    """No clock, or minutes for all moves and an increment for each, or days for each move."""

    kind: str = "none"  # none, minutes or days
    base: float = 0.0  # seconds for the whole match, or for each move
    increment: float = 0.0  # seconds

    @property
    def counts(self) -> bool:
        return self.kind != "none"


@dataclass
class Ending:
    """How a match ended, if not by its rules."""

    reason: str  # resign, time, agreed, claim or cancelled
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
    turned: float = 0.0  # when the seat to move got its turn, or players their part in the shuffle
    commitments: dict[int, str] = field(default_factory=dict)  # seat → the digest of its player's value, "" for none
    values: dict[int, str] = field(default_factory=dict)  # seat → the value, once it was opened
    imported: int = 0  # moves that were played elsewhere, with their chance
    comments: dict[int, str] = field(default_factory=dict)  # of a record that was imported

    @property
    def number(self) -> int:
        """The number of entries, which is also the number of the next one."""
        return len(self.log)

    @property
    def touched(self) -> float:
        """When something last happened, for lists; a player's deleting it for themselves does not count."""
        return next(entry.at for entry in reversed(self.log) if not isinstance(entry.event, Left))

    @property
    def weight(self) -> int:
        """Roughly the memory it takes, in plies."""
        return self.match.plies + self.number + sum(map(len, self.comments.values())) // CHARACTERS

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def status(self) -> str:
        if self.ending or self.match.is_over:
            return OVER
        return PLAYING if self.is_full and self.is_dealt else WAITING

    @property
    def is_full(self) -> bool:
        return all(seat.kind != OPEN for seat in self.seats)

    @property
    def winners(self) -> frozenset[int]:
        if self.ending:
            return self.ending.winners
        return self.match.result.winners if self.match.result else frozenset()

    def owned(self, player: str) -> list[int]:
        return [k for k, seat in enumerate(self.seats) if player and seat.owner == player and seat.kind != OPEN]

    def kept_for(self, player: str) -> list[int]:
        """Seats that only this player may take, as in a rematch that another player asked for."""
        return [k for k, seat in enumerate(self.seats) if player and seat.owner == player and seat.kind == OPEN]

    @property
    def people(self) -> set[str]:
        return {seat.owner for seat in self.seats if seat.kind == PERSON}

    @property
    def contested(self) -> str:
        """The fingerprint of a position that people are playing against each other; "" otherwise, and in the opening.

        Openings are common knowledge: many matches share them.
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
        """Whether others play on when a seat drops out: among three or more sides, if people are left on the others."""
        sides = self.sides()
        people = any(other.kind == PERSON and sides[k] != sides[seat] for k, other in enumerate(self.seats))
        return len(set(sides)) > 2 and people

    def record(self) -> Record:
        names = {k: opponents.called(self.game, seat.agent) or seat.name for k, seat in enumerate(self.seats)}
        plies = self.match.plies  # moves may have been taken back since
        comments = {ply: text for ply, text in self.comments.items() if ply <= plies}
        return Record(self.match.copy(), names, comments=comments, evidence=self.evidence)

    # ── Chance ──

    @property
    def commitment(self) -> str:
        """The secret's digest, published at the start, so that the secret cannot be changed afterwards."""
        return digest(self.secret)

    @property
    def is_dealt(self) -> bool:
        """Whether the outcome of chance is settled. Older tables were dealt before anybody sat down."""
        return self.match.chance == "auto"

    @property
    def shufflers(self) -> list[int]:
        """The first seat of each player who takes part in deciding chance."""
        first: dict[str, int] = {}
        for number, seat in enumerate(self.seats):
            if seat.shuffles and seat.kind == PERSON and self.game.has_chance:
                first.setdefault(seat.owner, number)
        return list(first.values())

    @property
    def opens(self) -> bool:
        """Whether values may be opened: all are seated and committed, so that nobody can choose theirs to fit."""
        return self.is_full and all(seat in self.commitments for seat in self.shufflers)

    @property
    def awaited(self) -> list[int]:
        """Seats whose commitment, or whose value once `opens`, is missing."""
        if self.is_dealt:
            return []
        if not self.opens:
            return [seat for seat in self.shufflers if seat not in self.commitments]
        return [seat for seat in self.shufflers if self.commitments[seat] and seat not in self.values]

    @property
    def shuffle(self) -> Shuffle:
        return Shuffle(self.secret, tuple(bytes.fromhex(value) for _seat, value in sorted(self.values.items())))

    @property
    def evidence(self) -> Evidence | None:
        """The evidence by which anybody can check the chance of a finished match."""
        if self.status != OVER or not self.is_dealt or not self.game.has_chance:
            return None
        values = {seat: bytes.fromhex(value) for seat, value in self.values.items()}
        commitments = {seat: commitment for seat, commitment in self.commitments.items() if commitment}
        return Evidence(self.secret, self.commitment, values, commitments, self.imported)

    # ── Time ──

    def time_left(self, seat: int, now: float) -> float:
        """Seconds that a seat has left, without those it is using now."""
        running = self.status == PLAYING and self.match.to_move == seat
        return self.left[seat] - (now - self.turned if running else 0.0)

    @property
    def _running(self) -> int | None:
        """The seat whose clock runs."""
        mover = self.match.to_move
        return mover if self.clock.counts and mover != CHANCE and self.status == PLAYING else None

    def _stop_clock(self, at: float) -> None:
        """Charge the time that has passed to the seat to move."""
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
            commitments=self.commitments.copy(),
            values=self.values.copy(),
        )

    def after(self, entry: Entry) -> Table:
        """A copy with one more entry, which includes the chance moves that followed."""
        twin = self.copy()
        twin.apply(entry)
        if isinstance(entry.event, Started | Joined | Opened | Moved):
            played = 1 if isinstance(entry.event, Moved) else 0
            drawn = tuple(twin.match.moves_since(self.match.plies + played))
            twin.log[-1] = entry._replace(event=replace(entry.event, drawn=drawn))
        return twin

    def apply(self, entry: Entry) -> None:
        """Apply the next entry; it was checked before it was written."""
        assert entry.number == self.number, f"entry {entry.number} at a table with {self.number}"
        self._take_in(entry.event, entry.at)
        if not self.is_dealt and not self.ending and self.opens and not self.awaited:
            self._deal(entry)
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
                self.turned = at  # the clock starts when the last player has sat down
            case Committed():
                self.commitments[event.seat] = event.digest
                self.turned = at
            case Opened():
                self.values[event.seat] = event.value
            case Cancelled():
                self._end(Ending("cancelled"))
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
        """Imported chance moves are replayed; later ones are drawn as usual."""
        match = Match(self.match.start, chance="manual").play(*event.moves)
        self.match = match.resume(shuffle=self.match.shuffle) if self.is_dealt else match
        self.imported, self.comments = match.plies, event.comments

    def _move(self, event: Moved, at: float) -> None:
        self._spend(at)
        before = self.match.plies
        self.match.play(event.move)
        self._check_drawn(event.drawn, before + 1)
        self._settle()

    def _deal(self, entry: Entry) -> None:
        """Start the match: all players have given their part, so chance can be drawn."""
        before, self.turned = self.match.plies, entry.at
        self.match = self.match.resume(shuffle=self.shuffle)
        if isinstance(entry.event, Started | Joined | Opened):
            self._check_drawn(entry.event.drawn, before)

    def _check_drawn(self, noted: tuple[str, ...], since: int) -> None:
        """Check that the same chance moves are drawn again: a later version must not change matches."""
        if noted and (given := tuple(self.match.moves_since(since))) != noted:
            raise AssertionError(f"{self.id}: chance gave {given}, the log says {noted}")

    def _take_back(self, ply: int, at: float) -> None:
        """Take back moves; time that was spent stays spent, the mover's too."""
        self._stop_clock(at)
        while self.match.plies > ply:
            self.match.undo()
        self._settle()

    def _settle(self) -> None:
        """Clear all offers: they have been answered, or came too late."""
        self.offers.clear()
        self.consents = frozenset()

    def _lose(self, loser: int, reason: str) -> None:
        sides = self.sides()
        self._end(Ending(reason, frozenset(k for k, side in enumerate(sides) if side != sides[loser])))

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        self._settle()

    def _leave(self, event: Left) -> None:
        """Before the start the seat becomes free; afterwards it belongs to an unknown player.

        Whoever leaves in the middle of the shuffle ends it: another must not sit down knowing others' values.
        """
        seat = self.seats[event.seat]
        if self.status == WAITING and not self.is_full:
            self.seats[event.seat] = Seat(OPEN, invite=seat.invite)
            self.commitments.pop(event.seat, None)
        else:
            if self.status == WAITING:
                self._end(Ending("cancelled"))
            self.seats[event.seat] = replace(seat, owner="", name="" if event.name_too else seat.name)

    def _replace(self, event: Replaced, at: float) -> None:
        self.seats[event.seat] = Seat(BOT, agent=event.agent)
        self.left[event.seat] = self.clock.base  # the time that the player used is not held against the bot
        if event.seat == self.match.to_move:
            self.turned = at
        self._settle()
