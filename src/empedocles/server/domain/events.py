"""What happens at a table. Each kind of event is a type, and a table follows from its events: see `table.py`.

Events are stored as a kind and a JSON object of their fields. Fields may be added with a default; renaming or dropping
one needs a migration of the database.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, Literal, NamedTuple, get_args

from pydantic import TypeAdapter
from pydantic_core import to_json

PERSON, BOT, OPEN = "person", "bot", "open"

Offer = Literal["draw", "back"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there: a person, a bot, or nobody yet."""

    kind: str
    name: str = ""
    agent: str = ""  # of a bot
    owner: str = ""  # the player whose seat it is, or for whom an open seat is kept
    invite: str = ""  # a digest of the secret in the link to it
    shuffles: bool = False  # its player takes part in deciding chance

    @property
    def is_public(self) -> bool:
        """Whether anybody may take it; other open seats are for the holder of a link, or for their owner."""
        return self.kind == OPEN and not self.invite and not self.owner


@dataclass(frozen=True, slots=True)
class Started:
    kind: ClassVar = "start"
    seats: tuple[Seat, ...]
    drawn: tuple[str, ...] = ()  # chance moves that set the game up


@dataclass(frozen=True, slots=True)
class Imported:
    """A match that began elsewhere, with its chance moves."""

    kind: ClassVar = "import"
    seats: tuple[Seat, ...]
    moves: tuple[str, ...]
    comments: dict[int, str] = field(default_factory=dict)  # by ply


@dataclass(frozen=True, slots=True)
class Moved:
    """A decision, and the chance moves that followed: they are stored, so that no later version draws differently."""

    kind: ClassVar = "move"
    seat: int
    move: str
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TookBack:
    """The match continues from an earlier ply."""

    kind: ClassVar = "back"
    seat: int
    ply: int


@dataclass(frozen=True, slots=True)
class Offered:
    kind: ClassVar = "offer"
    seat: int
    what: Offer
    ply: int = 0  # to go back to


@dataclass(frozen=True, slots=True)
class Consented:
    """The consent of one player, of several that are needed."""

    kind: ClassVar = "consent"
    seat: int
    what: Offer


@dataclass(frozen=True, slots=True)
class Declined:
    kind: ClassVar = "decline"
    seat: int
    what: Offer


@dataclass(frozen=True, slots=True)
class Agreed:
    """All have agreed to a draw."""

    kind: ClassVar = "agree"
    seat: int


@dataclass(frozen=True, slots=True)
class Resigned:
    kind: ClassVar = "resign"
    seat: int


@dataclass(frozen=True, slots=True)
class RanOutOfTime:
    kind: ClassVar = "time"
    seat: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """The win was claimed over a seat whose player is gone."""

    kind: ClassVar = "claim"
    seat: int


@dataclass(frozen=True, slots=True)
class Joined:
    kind: ClassVar = "join"
    seat: int
    sitting: Seat
    drawn: tuple[str, ...] = ()  # if nobody else is waited for


@dataclass(frozen=True, slots=True)
class Committed:
    """A player has chosen a random value for the shuffle, and shows its digest; "" leaves the shuffle to others."""

    kind: ClassVar = "commit"
    seat: int
    digest: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A player's value, which nobody could know before. The last one starts the match."""

    kind: ClassVar = "open"
    seat: int
    value: str
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The shuffle was cancelled because a seat held back its part: nothing is dealt."""

    kind: ClassVar = "cancel"
    seat: int


@dataclass(frozen=True, slots=True)
class Left:
    """A player has deleted the match from their list, or was deleted, and the name with them."""

    kind: ClassVar = "leave"
    seat: int
    name_too: bool = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """A bot has taken over."""

    kind: ClassVar = "bot"
    seat: int
    agent: str
    player: str = ""  # who gave up the seat, by resigning or running out of time


@dataclass(frozen=True, slots=True)
class Rematched:
    """Another table continues this one."""

    kind: ClassVar = "next"
    seat: int
    match: str


Event = (
    Started
    | Imported
    | Moved
    | TookBack
    | Offered
    | Consented
    | Declined
    | Agreed
    | Resigned
    | RanOutOfTime
    | Claimed
    | Joined
    | Committed
    | Opened
    | Cancelled
    | Left
    | Replaced
    | Rematched
)


class Entry(NamedTuple):
    """One event in a table's log."""

    number: int
    at: float  # seconds since 1970
    event: Event


_READERS: dict[str, TypeAdapter[Event]] = {kind.kind: TypeAdapter(kind) for kind in get_args(Event)}


def write(event: Event) -> str:
    """The fields as JSON."""
    return to_json({one.name: getattr(event, one.name) for one in fields(event)}).decode()


def read(kind: str, body: str) -> Event:
    return _READERS[kind].validate_json(body)


def plies(event: Event) -> int:
    """The number of moves to play when applying the event."""
    match event:
        case Imported(moves=moves):
            return len(moves)
        case Moved(drawn=drawn):
            return 1 + len(drawn)
        case Joined(drawn=drawn) | Opened(drawn=drawn):
            return len(drawn)
    return 0


def without(event: Event, player: str, name_too: bool) -> Event:
    """The event without a player's identity: the match remains, but not who played."""

    def hidden(seat: Seat) -> Seat:
        return replace(seat, owner="", name="" if name_too else seat.name) if seat.owner == player else seat

    match event:
        case Started(seats=seats) | Imported(seats=seats):
            return replace(event, seats=tuple(map(hidden, seats)))
        case Joined(sitting=sitting):
            return replace(event, sitting=hidden(sitting))
        case Replaced(player=gone) if gone == player:
            return replace(event, player="")
    return event
