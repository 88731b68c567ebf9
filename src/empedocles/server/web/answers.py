"""What the API answers, for its description. Nothing is checked against these when it is said: tests do that."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

Seat = Annotated[int, Field(ge=0)]
Move = str
Choice = Annotated[list[str], Field(min_length=2, max_length=2, description="A move, and the targets that enter it.")]
Values = dict[str, str | int]


class Problem(BaseModel):
    """Why something was refused."""

    code: Annotated[str, Field(description="Stable: programs may rely on it.")]
    message: str
    rule: Annotated[str | None, Field(description="The rule that an illegal move breaks.")] = None
    move: Annotated[str | None, Field(description="The illegal move.")] = None
    number: Annotated[int | None, Field(description="The table's number now, where a request came late.")] = None


class NewPlayer(BaseModel):
    id: str
    name: str
    token: Annotated[str, Field(description="Keep it: it is all that says who you are.")]


class MyToken(BaseModel):
    token: str


class Option(BaseModel):
    name: str
    values: list[str | int]
    default: str | int
    board: Annotated[bool, Field(description="Whether it may be a board of one's own.")]


class Game(BaseModel):
    name: str
    title: str
    authors: str
    summary: str
    seats: list[int]
    teams: bool
    chance: bool
    options: list[Option]
    opponents: list[str]
    overlays: dict[str, str]


class SeatAt(BaseModel):
    kind: Literal["person", "bot", "open"]
    name: str
    level: int | None
    link: bool
    mine: bool


class Clock(BaseModel):
    kind: Literal["none", "minutes", "days"]
    base: float
    increment: float


class Summary(BaseModel):
    """A table in a list."""

    id: str
    game: str
    title: str
    status: Literal["waiting", "playing", "over"]
    number: Annotated[int, Field(ge=1, description="Which entry of the log the next request is to write.")]
    plies: Annotated[int, Field(ge=0)]
    to_move: int | None
    seats: list[SeatAt]
    winners: list[Seat] | None
    created: float


class State(Summary):
    """All about a table."""

    options: Values
    position: str
    moves: list[Move]
    seat_names: list[str]
    mine: list[Seat]
    alone: bool
    your_turn: bool
    clock: Clock
    left: list[float] | None
    here: list[bool]
    gone_in: float | None
    offers: dict[str, Seat]
    asked: int | None
    consents: list[Seat]
    ending: Literal["resign", "time", "agreed", "claim"] | None
    scores: list[int] | None
    commitment: str
    secret: str | None
    next: str | None
    imported: int


class LegalState(State):
    legal: Annotated[list[Move], Field(description="The moves, if it is your turn.")]


class NewState(State):
    invites: Annotated[dict[str, str], Field(description="The secrets of links to seats, by their numbers.")]


class Draw(BaseModel):
    ply: int
    outcomes: list[Move]
    move: Move


class Draws(BaseModel):
    commitment: str
    secret: str | None
    draws: list[Draw]


class ReadRecord(BaseModel):
    game: str
    options: Values
    start: str
    moves: list[Move]


class Why(BaseModel):
    rule: str | None
    message: str | None


class Leads(BaseModel):
    message: str


class Hint(BaseModel):
    move: Move
    words: str
    arrows: str


class Frame(BaseModel):
    """The parts of a picture that change, as markup."""

    ply: int
    pieces: list[list[Any]]
    panels: str
    last: str
    notes: str
    arrows: str
    boxes: list[list[Any]]


class NumberedFrame(BaseModel):
    """The same with numbers of texts."""

    ply: int
    words: str
    pieces: list[list[Any]]
    panels: int
    last: int
    notes: int
    arrows: int


class Frames(BaseModel):
    start: int
    texts: list[str]
    plies: list[NumberedFrame]
    picture: str | None


class Position(BaseModel):
    position: str
    text: str
    status: list[str]
    moves: list[Move]
    words: list[str]
    movers: list[int | None]
    to_move: int | None
    over: bool
    scores: list[int] | None
    frame: Frame
    choices: list[Choice]
    targets: dict[str, str]


class Evaluation(BaseModel):
    move: Move
    words: str
    value: Annotated[float, Field(ge=-1, le=1)]
    said: str
    proven: bool
    points: int | None
    line: list[list[str]]


class Remark(BaseModel):
    ply: int
    seat: Seat
    mark: str
    lost: float
    played: Evaluation
    best: Evaluation


class Analysis(BaseModel):
    id: str
    total: int
    known: int
    done: bool
    failed: bool
    remarks: list[Remark]


class Verdict(BaseModel):
    """What is said to a try in a lesson."""

    verdict: Literal["right", "other", "illegal", "shown"]
    words: str
    rule: str | None
    move: Move | None = None
    said: str | None = None
    frame: Frame | None = None
