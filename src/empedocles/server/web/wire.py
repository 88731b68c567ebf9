"""The messages between server, pages and programs, typed once: HTTP answers, WebSocket messages, and data for scripts.

OpenAPI describes the API with these models, and `tools/messages.py` generates the types that the browser code is
checked against. The server does not validate what it sends, which would slow it down: tests do that. In one file, so
that there is one vocabulary.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter

from empedocles.language import LANGUAGES

API_VERSION = "1.2"  # minor: something was added; major: something was removed

Seat = Annotated[int, Field(ge=0)]
Move = str
Language = Annotated[str, Field(pattern=f"^({'|'.join(LANGUAGES)})$", json_schema_extra={"enum": list(LANGUAGES)})]
Choice = Annotated[tuple[Move, str], Field(description="A move and its clicks: groups joined by |, targets by blanks.")]
Values = dict[str, str | int]
Layout = tuple[float, float, float]  # width, height, and how much of the height must be seen at once
Digest = Annotated[str, Field(pattern="^([0-9a-f]{64})?$", description='SHA-256 in hexadecimal; "" for none.')]
Value = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="32 random bytes in hexadecimal.")]
EntryNumber = Annotated[int, Field(ge=0, le=10**6)]


class Told(BaseModel):
    """A message from the server: it has these fields, and no others."""

    model_config = ConfigDict(extra="forbid")


# ── Anywhere ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Problem(Told):
    """Why something was refused."""

    code: Annotated[str, Field(description="Stable: programs may rely on it.")]
    message: str
    rule: Annotated[str | None, Field(description="The rule that an illegal move breaks.")] = None
    move: Annotated[str | None, Field(description="The illegal move.")] = None
    number: Annotated[int | None, Field(description="The table's current number, if the request came too late.")] = None
    retry: Annotated[int | None, Field(description="Seconds after which to try again.")] = None
    reason: Annotated[str | None, Field(description="Why somebody is banned.")] = None
    until: Annotated[float | None, Field(description="Until when.")] = None


class Player(Told):
    id: str
    name: str


class NewPlayer(Player):
    token: Annotated[str, Field(description="Keep it: it alone identifies you.")]


class MyToken(Told):
    token: str


class Option(Told):
    name: str
    values: list[str | int]
    default: str | int
    board: Annotated[bool, Field(description="Whether a custom board is allowed.")]


class Game(Told):
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


# ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class SeatAt(Told):
    kind: Literal["person", "bot", "open"]
    name: str
    level: int | None
    link: bool
    mine: bool


class Clock(Told):
    kind: Literal["none", "minutes", "days"]
    base: float
    increment: float


class ShuffleAt(Told):
    """How chance is decided: each player who takes part commits to a random value, and opens it once all have."""

    opens: Annotated[bool, Field(description="Whether all are seated and committed: values may be opened.")]
    awaited: Annotated[list[Seat], Field(description="Seats whose commitment is missing; once `opens`, whose value.")]
    commitments: Annotated[dict[Seat, str], Field(description='SHA-256 of each value; "" of whoever gives none.')]
    values: Annotated[dict[Seat, str], Field(description="Those that were opened, in hexadecimal.")]


class Summary(Told):
    """A table in a list."""

    id: str
    game: str
    title: str
    status: Literal["waiting", "playing", "over"]
    number: Annotated[int, Field(ge=1, description="The number of the entry that the next request writes.")]
    plies: Annotated[int, Field(ge=0)]
    to_move: int | None
    seats: list[SeatAt]
    winners: list[Seat] | None
    created: float
    my_move: Annotated[bool, Field(description="Whether you are awaited: false if several play on your device.")]


class Situation(Summary):
    """The state of a table, without its moves."""

    options: Values
    position: str
    seat_names: list[str]
    mine: list[Seat]
    order: Annotated[list[Seat], Field(description="One seat of each side, the reader's own first: to tell scores.")]
    alone: bool
    shared: Annotated[bool, Field(description="Whether you have several seats, for people on one device.")]
    your_turn: bool
    clock: Clock
    left: Annotated[list[float] | None, Field(description="Seconds left for each seat.")]
    here: list[bool]
    gone_in: float | None
    offers: dict[Literal["draw", "back"], Seat]
    asked: Annotated[int | None, Field(description="The ply to go back to.")]
    consents: list[Seat]
    ending: Annotated[
        Literal["resign", "time", "agreed", "claim", "cancelled"] | None, Field(description="If not by the rules.")
    ]
    rule: Annotated[str | None, Field(description="The rule that ended the match, in games that say so.")]
    scores: list[int] | None
    commitment: Annotated[str, Field(description="SHA-256 of the secret.")]
    secret: Annotated[str | None, Field(description="In hexadecimal, once the match is over.")]
    shuffle: Annotated[ShuffleAt | None, Field(description="Before and after a match with chance.")]
    next: str | None
    imported: int


class TableState(Situation):
    """The state of a table."""

    moves: list[Move]


class LegalState(TableState):
    legal: Annotated[list[Move], Field(description="The legal moves, if it is your turn.")]


class NewTable(TableState):
    invites: Annotated[dict[str, str], Field(description="The secrets of the links to seats, by seat number.")]


class Draw(Told):
    ply: int
    bag: Annotated[int | None, Field(description="Which one was drawn from, in games that say so.")]
    outcomes: list[Move]
    move: Move


class Draws(Told):
    commitment: str
    secret: str | None
    commitments: dict[Seat, str]
    values: dict[Seat, str]
    draws: list[Draw]


class ReadRecord(Told):
    game: str
    options: Values
    start: str
    moves: list[Move]


class Help(Told):
    """Why something cannot be chosen."""

    message: str | None
    rule: str | None = None


class Leads(Told):
    """What a choice means: the move, once it is one, and else what was chosen so far."""

    message: str
    next: Annotated[str | None, Field(description="What to choose then; null if nothing can follow.")] = None
    ghost: Annotated[str, Field(description="What it would place, as markup; empty if that is still open.")] = ""


class Hint(Told):
    """A hint in three steps: where to look, which move, and why."""

    where: str
    targets: list[str]
    move: Move
    words: str
    why: str
    arrows: str


class MoveWarning(Told):
    """What is wrong with a move."""

    words: str
    arrows: Annotated[str, Field(description="The answer that the words are about, if any, drawn for the board.")]


class WarningAnswer(Told):
    warning: Annotated[MoveWarning | None, Field(description="Null if nothing is wrong.")]


class Frame(Told):
    """The parts of a picture that change, as markup."""

    ply: int
    pieces: list[list[Any]]
    panels: str
    last: str
    notes: str
    arrows: str
    boxes: list[list[Any]] = []


class Count(Told):
    """Something that counts, for each seat."""

    what: str
    values: list[int]
    worth: Annotated[int, Field(description="Points for each; 0 where it decides the game but gives no points.")]


class Tally(Told):
    """The score taken apart."""

    aim: str
    rows: list[Count]
    totals: Annotated[list[int] | None, Field(description="None if the game is not won by points.")]
    note: Annotated[str, Field(description="What is at stake now.")]


class LiveFrame(Frame):
    status: list[str]
    tally: Tally | None = None


class Milestone(Told):
    """A move that ended a part of the game, such as a round."""

    ply: Annotated[int, Field(description="The number of moves then played.")]
    words: str
    rule: str
    frame: Annotated[LiveFrame | None, Field(description="The table at that moment, if it is news to the reader.")]


class Saying(Told):
    """What an opponent says about a move."""

    ply: Annotated[int, Field(description="The number of moves then played.")]
    seat: Seat
    words: str


# ── A live table ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Hello(BaseModel):
    """How the reader wants to see the table from now on, and whether it needs the whole picture."""

    kind: Literal["hello"]
    language: Language = "en"
    wide: bool = True
    overlays: Annotated[list[Annotated[str, Field(max_length=30)]], Field(max_length=8)] = []
    picture: bool = False
    seat: Seat | None = None


class Play(BaseModel):
    kind: Literal["play"]
    number: EntryNumber
    move: Annotated[str, Field(max_length=60)]


class Command(BaseModel):
    """Anything else a player does at a table. Until 1.0 its kind was `do`, and the command `what`."""

    kind: Literal["command", "do"]
    number: EntryNumber
    command: Annotated[str, Field(max_length=20, validation_alias=AliasChoices("command", "what"))]
    text: Annotated[str, Field(max_length=60)] = ""


class Commit(BaseModel):
    """The digest of the player's random value for the shuffle; "" leaves it to the others."""

    kind: Literal["commit"]
    digest: Digest


class Open(BaseModel):
    """The player's value, once all have committed to theirs."""

    kind: Literal["open"]
    value: Value


class Show(BaseModel):
    """A request for an earlier position, to step back through the match."""

    kind: Literal["show"]
    ply: Annotated[int, Field(ge=0, le=100_000)]


class Ping(BaseModel):
    kind: Literal["ping"]


Said = Hello | Play | Command | Commit | Open | Show | Ping
KINDS = [str(get_args(said.model_fields["kind"].annotation)[0]) for said in get_args(Said)]
SAID: TypeAdapter[Said] = TypeAdapter(Annotated[Said, Field(discriminator="kind")])


class StateMessage(Told):
    """News: the reader keeps the first `kept` moves that it has, and appends these."""

    kind: Literal["state"]
    state: Situation
    frame: LiveFrame
    kept: int
    moves: list[Move]
    words: list[str]
    movers: list[int | None]
    choices: list[Choice]
    prompt: Annotated[str, Field(description="What the reader is to choose first; empty unless it is their turn.")]
    names: Annotated[dict[str, str], Field(description="What targets are called that the picture does not show.")]
    milestones: list[Milestone] = []
    saying: Annotated[Saying | None, Field(description="What an opponent has said last.")] = None
    picture: str | None = None


class MovesMessage(Told):
    """More moves of a long match, behind the first `kept`."""

    kind: Literal["moves"]
    kept: int
    moves: list[Move]
    words: list[str]
    movers: list[int | None]


class FrameMessage(Told):
    kind: Literal["frame"]
    frame: LiveFrame


class PingMessage(Told):
    kind: Literal["ping"]
    here: list[bool]


class ProblemMessage(Problem):
    kind: Literal["problem"]


Heard = StateMessage | MovesMessage | FrameMessage | PingMessage | ProblemMessage

# ── Reviews and lessons ──────────────────────────────────────────────────────────────────────────────────────────────


class NumberedFrame(Told):
    """A frame with texts replaced by their numbers."""

    ply: int
    words: str
    pieces: list[list[Any]]
    panels: int
    last: int
    notes: int
    arrows: int


class Film(Told):
    texts: list[str]
    plies: list[NumberedFrame]


class Frames(Film):
    start: int
    picture: str | None


class PositionView(Told):
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


class Evaluation(Told):
    move: Move
    words: str
    value: Annotated[float, Field(ge=-1, le=1)]
    said: str
    proven: bool
    points: int | None
    line: list[tuple[Move, str]]


class PositionState(Told):
    """A position as modules read it, and programs on a machine like the server's."""

    state: Annotated[list[int], Field(description="Bytes.")]


class Lines(Told):
    lines: Annotated[
        list[list[str]],
        Field(description="The words of each move; a line ends where chance or no legal move comes next."),
    ]


class Why(Told):
    """Why a move was a mistake, in at most two sentences, and the moves that show it."""

    concept: str
    words: str
    line: list[tuple[Move, str]]
    against: Annotated[list[tuple[Move, str]], Field(description="What a comparison compares it with; else empty.")]
    better: Annotated[bool, Field(description="Whether the line begins with the better move, instead of the mistake.")]
    targets: list[str]


class Remark(Told):
    ply: int
    seat: Seat
    mark: str
    lost: float
    points_lost: Annotated[int, Field(description="0 where points are not known.")]
    cost: Annotated[str | None, Field(description="In words; null if it was hardly anything.")]
    played: Evaluation
    best: Evaluation
    reason: Why | None


class Portrait(Told):
    """What a player did more often than the others, and what their mistakes were about."""

    seat: Seat
    strengths: list[str]
    weaknesses: list[str]


class Story(Told):
    """A match summed up."""

    turning: Annotated[int | None, Field(description="Moves before the turning point; null if there is none.")]
    costliest: Annotated[
        int | None, Field(description="Without a turning point: moves before the costliest one, if it cost much.")
    ]
    sentences: Annotated[list[str], Field(description="At most three.")]
    players: list[Portrait]


class Analysis(Told):
    id: str
    total: int
    known: int
    done: bool
    failed: bool
    story: Annotated[Story | None, Field(description="Null until all remarks are known.")]
    remarks: list[Remark]


class TurningPoint(Told):
    """The move that turned a match; if none did, the one that cost its player most."""

    ply: Annotated[int, Field(description="Moves before it.")]
    seat: Seat
    turned: Annotated[bool, Field(description="Whether the match turned on it: from even or better to even or worse.")]
    move: Move
    words: str
    before: Annotated[float, Field(description="What the player could expect, from −1, a loss, to 1, a win.")]
    after: Annotated[float, Field(description="The same after the move.")]
    chances: Annotated[list[int], Field(description="Both as matches won between strong players, in per cent.")]


class Verdict(Told):
    """The answer to a try in a lesson."""

    verdict: Literal["right", "other", "illegal", "shown"]
    words: str
    rule: str | None
    move: Move | None = None
    said: str | None = None
    frame: LiveFrame | None = None


# ── Puzzles ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Skill(Told):
    """How well somebody solves puzzles, on openskill's scale, and as a rating on the scale of puzzles."""

    mu: float
    sigma: float
    rating: int


class PuzzleTurn(Told):
    """What may be entered now."""

    position: str
    text: str
    status: list[str]
    choices: list[Choice]
    targets: dict[str, str]
    prompt: str
    frame: LiveFrame


class PuzzleView(PuzzleTurn):
    """A puzzle as it begins."""

    id: str
    seat: Annotated[Seat, Field(description="Who is to find the best move: the board is shown from their side.")]
    task: str
    moves: Annotated[int, Field(ge=1, description="How many moves there are to find.")]
    picture: str


class PuzzleStep(Told):
    """A move on the board."""

    move: Move
    words: str
    frame: LiveFrame


class PuzzleAbout(Told):
    """What is told about a puzzle once it is over."""

    theme: str
    title: Annotated[str, Field(description="The theme in words.")]
    rating: int
    stars: Annotated[int, Field(ge=1, le=5)]
    solved: Annotated[list[float], Field(description="How often each level of the ladder finds the first move.")]
    line: list[tuple[Move, str]]
    record: Annotated[str, Field(description="The solution as a record, to review it.")]


class PuzzleAnswer(Told):
    """The verdict on a move in a puzzle."""

    verdict: Literal["right", "solved", "wrong"]
    steps: Annotated[list[PuzzleStep], Field(description="The move, and the answers to it if it was right.")]
    turn: Annotated[PuzzleTurn | None, Field(description="Null unless there is more to find.")]
    skill: Annotated[Skill | None, Field(description="The new one, if the answer counts.")]
    about: PuzzleAbout | None


class PuzzleSolution(Told):
    steps: Annotated[list[PuzzleStep], Field(description="What is left of the line.")]
    skill: Skill | None
    about: PuzzleAbout


class Refutation(Told):
    """What is wrong with a move, without the move that would have been right."""

    words: str
    answer: Annotated[str, Field(description="The strongest answer in words; empty if nobody else moves.")]
    frame: Annotated[LiveFrame | None, Field(description="The board before that answer, with an arrow for it.")]


# ── Facts that a page tells its script ───────────────────────────────────────────────────────────────────────────────


class Opponent(Told):
    """What the reader is told about a bot."""

    about: str
    beaten: Annotated[str, Field(description="How to beat it.")]


class NewFacts(Told):
    game: str
    seats: Annotated[dict[int, list[str]], Field(description="The seats' names, by number of seats.")]
    sides: dict[int, list[int]]
    seating: Annotated[str, Field(description='The option for the number of seats; "" if there is none.')]
    guest: str
    opponents: list[Opponent]


class Sizes(Told):
    wide: Layout
    tall: Layout


class TableFacts(Told):
    id: str
    game: str
    title: str
    language: str
    name: str
    host: Annotated[str, Field(description="The player who opened the table, if seated there.")]
    seats: list[str]
    sides: list[int]
    opponents: list[str]
    chance: bool
    adapts: Annotated[bool, Field(description="Whether a match against the next opponent would be like this.")]
    side: Annotated[Seat | None, Field(description="The seat to move, if several are yours.")]
    untouched: Annotated[bool, Field(description="Whether you began it with one click, and have not moved.")]
    start: Annotated[str, Field(description='The first position; "" if it is the usual one.')]
    bag: Annotated[list[Move] | None, Field(description="What each bag of chance holds at first, where that is known.")]
    beaten: Annotated[dict[int, str], Field(description="How to beat the opponents at this table, by level.")]
    overlays: Annotated[list[str], Field(description="Those that explain the score, for the first matches.")]
    endings: Annotated[dict[str, str], Field(description="What happened when a rule ends a match, by rule.")]
    sizes: Sizes


class LessonFacts(Told):
    game: str
    name: str
    choices: list[Choice]
    names: dict[str, str]


class PuzzleFacts(Told):
    game: str
    language: str
    id: Annotated[str, Field(description='"" for one after another.')]
    theme: Annotated[str, Field(description='"" for all.')]
    day: Annotated[str, Field(description='The date if it is the puzzle of the day, else "".')]
    skill: Annotated[Skill, Field(description="Of somebody new.")]


class EngineFiles(Told):
    """Where a browser finds what it needs to search by itself."""

    code: str
    card: str
    network: str | None


class ReviewFacts(Told):
    id: str
    game: str
    language: str
    plies: int
    moves: list[Move]
    movers: list[int | None]
    seats: list[str]
    sides: list[int]
    seat: Annotated[int | None, Field(description="At whose side the reader sits; null for one who watches.")]
    lines: list[str]
    end: list[int] | None
    lead: list[float] | None
    marks: list[str]
    engine: Annotated[EngineFiles | None, Field(description="null: the server thinks.")]
