"""Game: what the rest of the package knows about a game, its facts and functions, in one frozen object.

In one file, as it is all that the author of a game fills in.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.boards import is_file, read_board
from empedocles.core.kernel import (
    CHANCE,
    NO_WEIGHTS,
    Actions,
    Numbers,
    Places,
    Planes,
    Rules,
    State,
    Weights,
    Words,
    Worths,
    offer,
)
from empedocles.core.maths import exp
from empedocles.core.rng import normal
from empedocles.core.solving import Leads, Room, Work
from empedocles.errors import BadValue, BrokenGame, PositionError, UnknownName
from empedocles.language import Message, Reason, Term, either, in_a_row, in_digits, plain, translate
from empedocles.language import mark as _
from empedocles.render.picture import Glyph, Look, Sheet, text_sheet

Options = Mapping[str, Any]
# A part of a summary that is only for some values of an option, or for all others: <!-- if mode = basic advanced -->
_PART = re.compile(r"^<!-- if (\w+) (!?)= ([^>]+) -->\n(.*?)^<!-- end -->\n", re.MULTILINE | re.DOTALL)
Clicks = tuple[frozenset[str], ...]  # the way to a move: groups of targets in order, each group in any order


@dataclass(frozen=True)
class Option:
    """A choice in the rules: its possible values and its default."""

    name: str
    values: tuple[Any, ...]
    default: Any
    takes_board: bool = False  # also a custom board: a file, or its rows joined by "/"
    is_reading: bool = False  # chooses between readings of the rules; texts and records name it only if not the default

    def check(self, value: Any, files: bool) -> Any:
        """The value as the rules know it: text such as "3" is taken for the number, a board file for its rows.

        Files are read only if `files`: a record from elsewhere must not open any.
        """
        for known in self.values:
            if value is known or (type(value) in (str, type(known)) and str(value) == str(known)):
                return known
        if self.takes_board and isinstance(value, (str, Path)):
            if files and is_file(Path(value)):
                return "/".join(read_board(Path(value)))
            if isinstance(value, str) and "/" in value:
                return value
            raise UnknownName(
                Message(_("unknown board {board}: {known}"), {"board": repr(str(value)), "known": self.message})
            )
        text = _("unknown value {value} for option {name}: {known}")
        raise UnknownName(Message(text, {"value": repr(value), "name": repr(self.name), "known": self.message}))

    @property
    def message(self) -> Message:
        own = [plain(_("a board file"))] if self.takes_board else []
        values = {"name": self.name, "values": either([*map(str, self.values), *own]), "default": self.default}
        return Message(_("{name} is {values} (default {default})"), values)

    def __str__(self) -> str:
        return self.message.say()


class Example(NamedTuple):
    """A position in which a reading and the default differ: a move is legal by one of them only."""

    fields: str  # of the position's text, without its game and the option
    move: str
    around: tuple[str, ...] = ()  # targets that a picture is cropped to; none: the whole picture


class Ambiguity(NamedTuple):
    """A sentence of the original rules that can be read in more ways than one, and the option that chooses a way.

    All texts are marked for translation.
    """

    rule: str  # its id in the rule book
    option: str
    sense: str  # what the original says, in our words
    readings: Mapping[Any, str]  # value of the option → what it makes of the sentence; the default is the first
    why: str  # why the default is the default
    examples: Mapping[Any, Example] = MappingProxyType({})  # of the readings that are not the default

    @property
    def default(self) -> Any:
        """The value of the option that is the usual reading: the first."""
        return next(iter(self.readings))


POINTS = in_digits(_("{n} points"), _("{n} point"), _("{n} points"))


class Ending(NamedTuple):
    """A rule that ends a game."""

    rule: str  # its id in the rule book
    words: str  # what happened, in a sentence, marked for translation

    @property
    def message(self) -> Message:
        return Message("{words} ({rule})", {"words": Term(self.words), "rule": self.rule})


def impossible(field: str, reason: Message) -> PositionError:
    """The error that names the field of a position at fault, in the reader's language."""
    values = {"field": repr(field), "reason": reason}
    return PositionError(field, reason, Message(_("position field {field}: {reason}"), values))


class Fields:
    """The `name=value` fields of a position's text, read one by one; errors name the field at fault."""

    def __init__(self, values: Mapping[str, str], seats: int) -> None:
        self._values = dict(values)
        self.seats = seats

    def text(self, name: str, default: str | None = None) -> str:
        value = self._values.pop(name, default)
        if value is None:
            raise impossible(name, plain(_("is missing")))
        return value

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        text = self.text(name, None if default is None else str(default))
        return self._number(name, text, low, high)

    def _number(self, name: str, text: str, low: int, high: int) -> int:
        fits = text.isdecimal() and len(text) <= len(str(high)) and low <= int(text) <= high
        self.need(
            fits, name, _("{text} is not a number from {low} to {high}"), text=repr(text[:40]), low=low, high=high
        )
        return int(text)

    def choice(self, name: str, known: tuple[str, ...], default: str | None = None) -> int:
        """The index of a word in a list of known ones."""
        text = self.text(name, default)
        self.need(text in known, name, _("{text} is not one of {known}"), text=repr(text), known=", ".join(known))
        return known.index(text)

    def each_seat(self, name: str, default: str | None = None) -> list[str]:
        """One part per seat, joined by `/`."""
        parts = self.text(name, default).split("/")
        self.need(
            len(parts) == self.seats,
            name,
            _("has {n} parts joined by '/', expected one per seat: {seats}"),
            n=len(parts),
            seats=self.seats,
        )
        return parts

    def numbers(self, name: str, low: int, high: int, default: str | None = None) -> list[int]:
        """One number per seat."""
        return [self._number(name, part, low, high) for part in self.each_seat(name, default)]

    def mover(self) -> int | None:
        """The field `to-move`: a seat, CHANCE, or None when the game is over."""
        known = (*(str(seat) for seat in range(self.seats)), "chance", "none")
        index = self.choice("to-move", known)
        return None if known[index] == "none" else CHANCE if known[index] == "chance" else index

    def need(self, holds: bool, name: str, otherwise: str, /, **values: Any) -> None:
        """Refuse the position, naming the field at fault, unless `holds`.

        What to say otherwise may be marked for translation; values go into its braces.
        """
        if not holds:
            raise impossible(name, Message(otherwise, values) if values else plain(otherwise))

    def done(self) -> None:
        for name in self._values:
            raise impossible(name, plain(_("is not a field of this game's positions")))


class ExactSolver(NamedTuple):
    """Best play by both of two players, for games in which it can be found outright."""

    values: Callable[[State], dict[int, int]]  # legal action → lead in points at the end, for the seat to move
    facts: Callable[[State], dict[str, int]]  # more that a reader may like to know, by name
    scale: int = 0  # points that weigh as much as half the way from a loss to a win; 0: they decide the game, no more
    known: Callable[[State], Message | None] | None = None  # what a complete solution says of a start; None elsewhere
    summary: Callable[[], Sequence[Message]] | None = None  # and of the game as a whole
    # The kernel behind `values`, with the memory that it needs, for browsers: see `Work`.
    kernel: Callable[[State, Work, Actions, Leads], int] | None = None  # the legal actions and their leads; how many
    room: Room | None = None


class Style(NamedTuple):
    """How a search plays a game best; benchmarks/README.md says how that was measured."""

    exploration: float = 1.0  # how much a tree search tries what looks worse
    sharpness: float = 8.0  # how much it trusts the evaluation: moves that differ by 1/sharpness differ by e in prior
    rollouts: bool = False  # random games to the end instead of the evaluation, as where a game offers none


FORM = 2**62  # the counter of the draw for an opponent's form; its search uses small ones


class Opponent(NamedTuple):
    """One level of a game's ladder. Weak ones search little, misjudge positions and overlook moves, as people do."""

    name: str
    simulations: int  # how far it looks ahead, unless the game is solved
    noise: float = 0.0  # by how much it misjudges: a standard deviation, from −1 to 1, or in points in a solved game
    overlooks: float = 0.0  # the part of all moves that it does not see, its own and the others'
    form: float = 0.0  # how much that varies from match to match: the standard deviation of its logarithm
    learnt: bool = False  # judges by the game's trained network, where there is one, not by the hand-made evaluation

    def on_the_day(self, seed: int) -> Opponent:
        """The opponent as it is in one match: people have good days and bad ones."""
        worse = exp(self.form * normal(np.uint64(seed), FORM))
        return self._replace(
            simulations=max(1, round(self.simulations / (worse * worse))),
            noise=self.noise * worse,
            overlooks=min(0.9, self.overlooks * worse),
        )


class Features(NamedTuple):
    """What a trained network of a game sees: a position has some places in a table, whose numbers are added up."""

    places: Callable[[State, int, Places], int]  # those that count for a seat; how many
    size: int  # of the table
    most: int  # places that one position has


class Advice(NamedTuple):
    """What a game knows about playing it well."""

    evaluate: Callable[[State, Weights, Worths], None] | None  # what each seat can expect while the game is on
    style: Style = Style()
    opponents: tuple[Opponent, ...] = ()  # the weakest first
    weights: Numbers = NO_WEIGHTS.numbers  # the defaults of `evaluate`; others must be as many
    features: Features | None = None
    certainty: float = 1.0  # the odds between strong players are those of a value to this power


class Plane(NamedTuple):
    """One plane of an observation: what a number on a square stands for."""

    name: str
    meaning: str


class Symmetry(NamedTuple):
    """A way to turn a match into another that the rules do not distinguish, as index maps for data augmentation.

    Seen by `seats[seat]`, the image of a position has `image[p, cell] = planes[self.planes[p], self.cells[cell]]`,
    where `planes` is what `seat` sees before and `cell` counts row by row. Action `a` becomes `actions[a]`.
    """

    name: str
    cells: npt.NDArray[np.intp]
    planes: npt.NDArray[np.intp]
    actions: npt.NDArray[np.intp]
    seats: tuple[int, ...]

    def then(self, other: Symmetry) -> Symmetry:
        """First this one, then the other."""
        return Symmetry(
            f"{self.name}, then {other.name}",
            self.cells[other.cells],
            self.planes[other.planes],
            other.actions[self.actions],
            tuple(other.seats[seat] for seat in self.seats),
        )

    def observation(self, planes: Planes) -> Planes:
        """The image of an observation, or of a batch of them."""
        flat = planes.reshape(*planes.shape[:-2], -1)
        return flat[..., self.planes, :][..., self.cells].reshape(planes.shape)


class View(NamedTuple):
    """A game for learning programs: what a seat sees, from its own side, as planes of numbers from 0 to 1."""

    planes: tuple[Plane, ...]
    rows: int
    columns: int
    observe: Callable[[State, int, Planes], None]  # writes all planes
    symmetries: Callable[[Options], tuple[Symmetry, ...]]  # the first changes nothing

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.planes), self.rows, self.columns


class Bags(NamedTuple):
    """Chance that draws without putting back, so that a page, which knows no rules, can tell what could have come."""

    contents: Callable[[State], Sequence[int]]  # the actions in each bag when a game begins, in order
    drawn_from: Callable[[State], int]  # the number of the bag that the next chance move draws from


class Count(NamedTuple):
    """Something that counts, and how much of it each seat has."""

    what: Message
    values: tuple[int, ...]  # one for each seat; team-mates share theirs
    worth: int = 1  # points for each; 0 where it decides the game but gives no points


class Tally(NamedTuple):
    """The score of a position, taken apart as the rule book counts it: the sum of all counts is each seat's score.

    If no count gives points, the game is not won by points, and its scores are only for programs.
    """

    aim: Message  # what wins, in a few words
    counts: tuple[Count, ...]
    note: Message | None = None  # what is at stake now, in a few words


class Milestone(NamedTuple):
    """A move that ends a part of a game, such as a round."""

    message: Message  # what happened, and what it brought
    rule: str  # its id in the rule book
    state: State  # how the table looks at that moment, before the next part begins; only to be drawn


class Deed(NamedTuple):
    """Something that a move does by the rules, worth talking about."""

    words: Message  # what the mover does, as an infinitive: "burn the temple on c3 (4 points)"
    worth: float  # how much it matters to the mover, in one unit for all concepts of a game
    victim: int | None = None  # the seat that it is done to
    targets: tuple[str, ...] = ()  # where to look
    saves: bool = False  # whether it only wards off a danger
    # The words of its move and what else there is to say, "{move} ({n} points)", with the values of the words, where
    # the two would repeat each other. None: "{move}, and so {deed}".
    told: str | None = None
    # With `told`: what there is to say to those who know the move, in a sentence, "That is worth {n} points.", with the
    # values of the words. None: nothing, since the move says it all.
    news: str | None = None


class Idea(NamedTuple):
    """A concept of a game: something that players talk about, which moves do or positions have.

    What moves do comes from `deeds`. What a position has for a seat comes from `measure`, said as a noun phrase,
    "two temples beside fire": a seat has it, or has to worry about it if that is bad. When a match is summed up,
    `did` follows "you" or the name of a player, and `do` follows "chances to".
    """

    name: str  # for programs
    title: str  # for people, as a plural, marked for translation: "burnt temples"
    deeds: Callable[[State, int, State], Sequence[Deed]] | None = None  # of an action: the states before and after it
    measure: Callable[[State, int], int] | None = None  # how much of it a seat has
    words: Callable[[int], Message] | None = None  # a measured number in words
    worth: float = 0.0  # of one more of what is measured, to its seat, in the unit of deeds; negative: bad to have
    # Marked for translation; in German a participle and an infinitive, which end with the verb.
    did: str = ""  # "burnt more temples"; empty if nobody does it often
    do: str = ""  # "burn temples"
    places: Callable[[State, int], Sequence[str]] | None = None  # the targets at which a seat has what is measured
    # How the second number of a comparison is said, "one of virtue 4", and none of it by itself, "not one". None: as a
    # number, since it counts the same.
    other: Callable[[int], Message] | None = None
    # What a seat has that has lost it all, marked for translation: "no temple beside fire any more". Empty: none of it.
    gone: str = ""
    # For deeds that ward off a danger: the state before the deed, the deed, and the state after another move instead;
    # whether the danger threatens there, too. None: always, as long as the match goes on.
    looms: Callable[[State, Deed, State], bool] | None = None
    is_placed: bool = False  # whether moves put down what is measured: then what a move itself adds goes without saying


class Interface(NamedTuple):
    """A game's moves for people: how they are clicked, and what they are called."""

    clicks: Callable[[int], Clicks]  # the way to an action
    words: Callable[[State, int], Message]  # an action in a state
    target: Callable[[str], Message]  # a target's name
    status: Callable[[State], list[Message]]  # what each seat has, and what is due: a line each
    seats: Callable[[int], tuple[str, ...]]  # number of seats → their names, marked for translation
    bags: Bags | None = None  # if its chance draws without putting back
    # What to choose next, in a sentence: after these targets, from those, and whether a move could end here.
    prompt: Callable[[State, tuple[str, ...], frozenset[str], bool], Message] | None = None
    described: Callable[[State, str], Message] | None = None  # a target with what lies on it; None: its name alone
    located: Callable[[str], Message] | None = None  # a target as where something is, "on the hill"; None: its name
    tally: Callable[[State], Tally] | None = None
    milestone: Callable[[State, int], Milestone | None] | None = None  # an action in a state; None for most of them
    # An action as an infinitive, "place water on b3": what a reader could do. None: its words.
    advice: Callable[[State, int], Message] | None = None
    # Number of seats → their names as subjects of sentences, marked for translation. None: the names of the seats.
    subjects: Callable[[int], tuple[str, ...]] | None = None


class Drawing(NamedTuple):
    """A game's picture. Pieces move as `burn`, `flow`, `rise`, `drift`, `turn` or `settle`; others fade in and out."""

    sheet: Callable[[State, Look], Sheet]
    glyphs: Callable[[State], dict[str, Glyph]]  # what stands on each target, for terminals
    overlays: Mapping[str, str]  # name → what it shows, marked for translation
    lines: tuple[str, ...] = ()  # the class of a line in each seat's colour, for graphs
    motions: Mapping[str, str] = MappingProxyType({})  # kind of pieces, or what several kinds begin with → motion


class Component(NamedTuple):
    """Something to cut out, as SVG, with its size in millimetres."""

    name: str  # marked for translation
    number: int  # of copies
    width: float
    height: float
    view: tuple[float, float]  # width and height of the drawing in its own units, in the same proportion
    markup: str
    folded: bool = False  # a board, which may be larger than a page
    corner: tuple[float, float] | None = None  # of a board's squares, between which it may be split


class Printing(NamedTuple):
    art: str  # SVG definitions that the components use
    components: Callable[[Options, str], list[Component]]  # all that is needed to play with these options, by language
    note: str = ""  # shown on every page, marked for translation
    spares: tuple[Component, ...] = ()  # what a box for any number of players has beyond what matches need


@dataclass(frozen=True, eq=False)
class Game:
    name: str  # as in `empedocles.new(name)`
    title: str
    authors: str
    summary: str  # one sentence for lists of games
    rules_version: int  # action numbers and rules never change within a version
    options: tuple[Option, ...]
    seats: tuple[int, ...]  # the numbers of seats it can have
    has_chance: bool
    has_teams: bool  # seats opposite each other play together: those with even numbers against the others
    max_legal: int  # size of a buffer that holds the legal actions of any position
    max_plies: int  # longest game, chance moves included
    moves: tuple[str, ...] = field(repr=False)  # the text of each action number
    rules: Rules = field(repr=False)
    encode: Callable[[Options], Words] = field(repr=False)  # options as the words that `new` takes
    decode: Callable[[State], dict[str, Any]] = field(repr=False)  # and back, from the state they are part of
    describe: Callable[[State], dict[str, str]] = field(repr=False)  # a state as fields of text
    restore: Callable[[State, Fields], None] = field(repr=False)  # and back, from the start position of the options
    # A state as a text board with all that a player needs: a message, or English.
    diagram: Callable[[State], Message | str] = field(repr=False)
    reason: Callable[[State, int], Reason | None] = field(repr=False)  # why an action is refused; None if it is legal
    folder: Path = field(repr=False)  # where RULES.md, RULES.de.md and boards/ lie
    solve: ExactSolver | None = field(repr=False, default=None)
    advice: Advice | None = field(repr=False, default=None)
    view: View | None = field(repr=False, default=None)
    interface: Interface | None = field(repr=False, default=None)
    drawing: Drawing | None = field(repr=False, default=None)
    printing: Printing | None = field(repr=False, default=None)
    readings: tuple[Ambiguity, ...] = field(repr=False, default=())
    endings: Mapping[int, Ending] = field(repr=False, default_factory=dict)  # what `rules.ending` gives → the rule
    # How many action numbers, from 0, games with these options use: readings may append some. None: all, always.
    used_actions: Callable[[Options], int] | None = field(repr=False, default=None)
    # Concepts whose deeds beginners are warned of before they allow them, by their names, the gravest first.
    dangers: tuple[str, ...] = field(repr=False, default=())
    concepts: tuple[Idea, ...] = field(repr=False, default=())  # what players talk about, for reasons in words
    credits: str = field(repr=False, default="")  # whose game it is and what it builds on, marked for translation

    def __post_init__(self) -> None:
        # Other oddities are refused when the game is announced: there the error can name its package.
        if isinstance(self.rules, Rules):
            if isinstance(self.advice, Advice) and self.advice.evaluate:
                offer(self.rules.state, self.advice.evaluate, "evaluate")
            if isinstance(self.advice, Advice) and self.advice.features:
                offer(self.rules.state, self.advice.features.places, "features")
            if isinstance(self.view, View):
                offer(self.rules.state, self.view.observe, "observe")

    @property
    def n_actions(self) -> int:
        return len(self.moves)

    def actions_with(self, options: Options) -> int:
        """How many action numbers games with these options use, from 0 on: the size of their masks."""
        return self.used_actions(options) if self.used_actions else self.n_actions

    @property
    def opponents(self) -> tuple[Opponent, ...]:
        """The weakest first; empty if the game has none."""
        return tuple(self.advice.opponents) if self.advice else ()

    @property
    def seating(self) -> Option | None:
        """The option that says how many seats there are; None if there is no choice."""
        return next((option for option in self.options if option.values == self.seats), None)

    def sides(self, seats: int) -> list[int]:
        """The side of each seat in a match of `seats`."""
        return [seat % 2 if self.has_teams else seat for seat in range(seats)]

    @functools.cached_property
    def action_of(self) -> dict[str, int]:
        """Move text → action number; there is one spelling per move."""
        return {move: action for action, move in enumerate(self.moves)}

    # ── For people: a game without an interface is played by the texts of its moves ──

    @functools.cached_property
    def paths(self) -> tuple[Clicks, ...]:
        """The clicks that enter each action."""
        if self.interface:
            return tuple(map(self.interface.clicks, range(self.n_actions)))
        return tuple((frozenset({move}),) for move in self.moves)

    def words(self, s: State, action: int) -> Message:
        """A move in words, seen from the state in which it is played."""
        return self.interface.words(s, action) if self.interface else Message("{move}", {"move": self.moves[action]})

    def advised(self, s: State, action: int) -> Message:
        """A move as something that its player could do: an infinitive, where the game has one."""
        told = self.interface.advice if self.interface else None
        return told(s, action) if told else self.words(s, action)

    def target(self, target: str) -> Message:
        """What a target is called."""
        return self.interface.target(target) if self.interface else Message("{target}", {"target": target})

    def located(self, target: str) -> Message:
        """A target as the place where something is."""
        told = self.interface.located if self.interface else None
        return told(target) if told else self.target(target)

    def described(self, s: State, target: str) -> Message:
        """A target with what lies on it, where the game says so."""
        told = self.interface.described if self.interface else None
        return told(s, target) if told else self.target(target)

    def subject(self, seats: int, seat: int) -> Message:
        """The name of a seat as the subject of a sentence, whose verb is in the singular."""
        if self.interface and self.interface.subjects:
            return Message("{name}", {"name": Term(self.interface.subjects(seats)[seat])})
        return self.seat_name(seats, seat)

    def seat_name(self, seats: int, seat: int) -> Message:
        if self.interface:
            return Message("{name}", {"name": Term(self.interface.seats(seats)[seat])})
        return Message(_("player {seat}"), {"seat": seat})

    def seat_names(self, seats: int, language: str = "en") -> list[str]:
        """The names of all seats in a match of `seats`."""
        return [self.seat_name(seats, seat).say(language) for seat in range(seats)]

    def sheet(self, s: State, look: Look) -> Sheet:
        """A state drawn, overlays included."""
        for name in look.overlays:
            if name not in self.overlays:
                known = ", ".join(self.overlays) or "none"
                raise UnknownName(f"unknown overlay {name!r} of {self.name}: there are {known}")
        if look.seat is not None and not 0 <= look.seat < s.seats:
            raise BadValue(f"there is no seat {look.seat!r} here: seats are numbered from 0 to {s.seats - 1}")
        if not self.drawing:
            return text_sheet(self.text_board(s, look.language), look)
        drawn = self.drawing.sheet(s, look)
        drawn.motions = self.drawing.motions
        return drawn

    def text_board(self, s: State, language: str = "en") -> str:
        """A state drawn in characters, with all that a player needs."""
        drawn = self.diagram(s)
        return drawn if isinstance(drawn, str) else drawn.say(language)

    @property
    def overlays(self) -> Mapping[str, str]:
        """What can be shown over a drawing: name → what it shows, marked for translation."""
        return self.drawing.overlays if self.drawing else {}

    def needed_view(self) -> View:
        """The view, for callers who cannot do without one."""
        if self.view is None:
            raise BadValue(f"{self.name} offers no observations: its Game has no view")
        return self.view

    # ── Options and states ──

    def option(self, name: str) -> Option:
        return next(option for option in self.options if option.name == name)

    def variants(self) -> list[dict[str, Any]]:
        """Every combination of option values, but of readings one at a time: all of them would be too many."""
        plain = [option for option in self.options if not option.is_reading]
        usual = {option.name: option.default for option in self.options}
        combined = itertools.product(*([(option.name, value) for value in option.values] for option in plain))
        alone = [
            [*self._needed(option.name, value), (option.name, value)]
            for option in self.options
            if option.is_reading
            for value in option.values
            if value != option.default
        ]
        return [usual | dict(chosen) for chosen in (*combined, *alone)]

    def _needed(self, reading: str, value: Any) -> list[tuple[str, Any]]:
        """The other options without which a reading may change nothing: those that its example names."""
        entries = [entry for entry in self.readings if entry.option == reading and value in entry.examples]
        fields = [word.partition("=") for entry in entries for word in entry.examples[value].fields.split()]
        known = {option.name: option for option in self.options}
        return [(name, known[name].check(text, files=False)) for name, _equals, text in fields if name in known]

    def named(self, options: Options) -> dict[str, Any]:
        """The options that texts and records name: all but readings at their default, which were no options once."""
        known = {option.name: option for option in self.options}
        return {
            name: value for name, value in options.items() if not known[name].is_reading or value != known[name].default
        }

    def unusual_readings(self, options: Options) -> list[tuple[str, str]]:
        """The rules that these options read differently from the default, each with its reading, to be translated."""
        return [
            (entry.rule, entry.readings[options[entry.option]])
            for entry in self.readings
            if options[entry.option] in entry.readings and options[entry.option] != entry.default
        ]

    def complete(self, options: Options, files: bool = False) -> dict[str, Any]:
        """All options with their values; unknown names and values are refused. Board files are read if `files`."""
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                offered = in_a_row([option.message for option in self.options], "; ")
                values = {"name": repr(name), "game": self.name, "known": offered}
                raise UnknownName(Message(_("unknown option {name} of {game}: {known}"), values))
        return {name: option.check(options.get(name, option.default), files) for name, option in known.items()}

    def start(self, options: Options, files: bool = False) -> State:
        """A new state: the start position of a game with these options. Board files are read if `files`."""
        s = self.blank()
        self.rules.new(s, self.encode(self.complete(options, files)))
        return s

    def blank(self) -> State:
        state: State = np.zeros(1, self.rules.state)[0]
        return state

    # ── Promises ──

    def broken(self, what: str = "") -> BrokenGame:
        """The error that says which game breaks which promise."""
        what = what or f"a position has no legal moves, more than max_legal={self.max_legal}, or an impossible mover"
        return BrokenGame(f"the rules of {self.name} are broken: {what}")

    @contextlib.contextmanager
    def blamed(self) -> Iterator[None]:
        """Name the game whose kernel reaches outside an array; those of other packages are checked for it."""
        try:
            yield
        except IndexError as error:
            raise self.broken(f"a kernel reaches outside an array ({error})") from error

    def credit(self, language: str = "en") -> str:
        """Whose game it is, in a sentence or two."""
        if self.credits:
            return translate(self.credits, language)
        return Message(_("A game by {authors}."), {"authors": self.authors}).say(language)

    def rule_book(self, language: str = "en") -> str:
        """The rules as Markdown: in English if there is no translation, and only the summary if there is no book."""
        return self._text("RULES", language) or f"# {self.title}\n\n{self.summary}\n"

    def telling(self, language: str = "en") -> str | None:
        """The game as one would tell it to a friend, as Markdown with scenes; None if there is no such text."""
        return self._text("TELLING", language)

    def short_rules(self, language: str = "en", options: Options | None = None) -> str | None:
        """The rules on two pages as Markdown, as far as they matter with these options; None if there is no summary."""
        path = self.folder / ("SUMMARY.md" if language == "en" else f"SUMMARY.{language}.md")
        chosen = self.complete(options or {})

        def fitting(part: re.Match[str]) -> str:
            name, unless, values, text = part.groups()
            return text if (str(chosen[name]) in values.split()) != bool(unless) else ""

        return _PART.sub(fitting, path.read_text(encoding="utf-8")) if path.is_file() else None

    def _text(self, name: str, language: str) -> str | None:
        """A text of the game's folder: in English if there is no translation, None if there is none at all."""
        for file in ([] if language == "en" else [f"{name}.{language}.md"]) + [f"{name}.md"]:
            if (path := self.folder / file).is_file():
                return path.read_text(encoding="utf-8")
        return None

    def __str__(self) -> str:
        return f"{self.title} ({self.name}): {'; '.join(map(str, self.options))}"
