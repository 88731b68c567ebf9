"""A second, slow set of the rules of Ignite and Flow, written from RULES.md with sets and tuples.

It shares nothing with the engine but the texts of options, positions and moves, so that a mistake must be made twice to
stay unseen.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

Square = tuple[int, int]  # column and row, from 0

ORTHOGONAL = {(0, 1), (1, 0), (0, -1), (-1, 0)}
DIAGONAL = {(1, 1), (1, -1), (-1, -1), (-1, 1)}
ANY = ORTHOGONAL | DIAGONAL
REACTING = {"all": ANY, "literal": DIAGONAL | {(1, 0), (-1, 0)}, "orthogonal": ORTHOGONAL}
SQUARES = {(column, row) for row in range(6) for column in range(6)}


def name(square: Square) -> str:
    return f"{'abcdef'[square[0]]}{square[1] + 1}"


def named(text: str) -> list[Square]:
    """The squares in a move's text."""
    return [("abcdef".index(column), int(row) - 1) for column, row in re.findall("([a-f])([1-6])", text)]


def joined(squares: Iterator[Square] | frozenset[Square]) -> str:
    """In board order."""
    return "+".join(map(name, sorted(squares, key=lambda square: (square[1], square[0]))))


def near(square: Square, directions: set[tuple[int, int]]) -> set[Square]:
    column, row = square
    return {(column + x, row + y) for x, y in directions} & SQUARES


def connected(start: Square, among: set[Square], directions: set[tuple[int, int]]) -> set[Square]:
    found, todo = {start}, [start]
    while todo:
        new = (near(todo.pop(), directions) & among) - found
        found |= new
        todo += new
    return found


class Referee:
    """One game, from the text of a position on."""

    def __init__(self, position: str) -> None:
        fields = dict(word.split("=") for word in position.split()[1:])
        self.reacting = REACTING[fields["reactions"]]
        self.chain, self.scorch = fields.get("chain", "any"), fields.get("scorch", "any")
        self.flow = fields.get("flow", "straight")
        self.board: dict[Square, str] = {}
        self.temples: dict[Square, int] = {}
        rows = re.sub(r"\d", lambda digit: "." * int(digit[0]), fields["board"]).split("/")
        for row, letters in enumerate(reversed(rows)):
            for column, letter in enumerate(letters):
                self._put((column, row), letter)
        self.taken = [int(number) for number in fields["taken"].split("/")]
        self.quiet, self.choosing = int(fields["quiet"]), fields["due"] == "temple"
        self.mover = int(fields["to-move"])
        self.ending: str | None = None

    def _put(self, square: Square, letter: str) -> None:
        if letter in "Tt":
            self.temples[square] = "Tt".index(letter)
        if letter != ".":
            self.board[square] = "E" if letter in "Tt" else letter

    def holding(self, elements: str) -> set[Square]:
        return {square for square, element in self.board.items() if element in elements}

    @property
    def empty(self) -> set[Square]:
        return SQUARES - set(self.board)

    def landmass(self, square: Square) -> set[Square]:
        return connected(square, self.holding("E"), ORTHOGONAL)

    def owners(self, square: Square) -> set[int]:
        """Whose temples the landmass of an earth square carries."""
        return {self.temples[land] for land in self.landmass(square) if land in self.temples}

    # ── Legal moves ──

    def legal(self) -> set[str]:
        if self.ending:
            return set()
        if self.choosing:
            return {"-"} | {f"T{name(square)}" for square in self.sites()}
        kinds = (self.places(), self.burns(), self.flows(), self.pairs(), self.chains(), self.scorches())
        return set(itertools.chain(*kinds))

    def sites(self) -> set[Square]:
        standing = sum(owner == self.mover for owner in self.temples.values())
        if standing + self.taken[1 - self.mover] == 3:
            return set()
        free = self.holding("E") - set(self.temples)
        return {square for square in free if 1 - self.mover not in self.owners(square)}

    def places(self) -> Iterator[str]:
        return (f"{element}{name(square)}" for square in self.empty for element in "FWE")

    def burns(self) -> Iterator[str]:
        for fire in self.holding("F"):
            for square in near(fire, ORTHOGONAL) & (self.empty | self.holding("E")):
                yield f"F{name(fire)}>{name(square)}"

    def flows(self) -> Iterator[str]:
        for water in self.holding("W"):
            for square in near(water, DIAGONAL) & self.holding("E"):
                if square not in self.temples and self.mover in self.owners(square):
                    yield f"W{name(water)}>{name(square)}"
            free = near(water, DIAGONAL) & self.empty
            for one in free:
                yield f"W{name(water)}>{name(one)}"
                for two in near(one, DIAGONAL) & self.empty:
                    yield from self.second_step(water, one, two)
            if self.flow in ("split", "free"):
                for both in itertools.combinations(free, 2):
                    yield f"W{name(water)}>{joined(frozenset(both))}"

    def second_step(self, water: Square, one: Square, two: Square) -> Iterator[str]:
        if (two[0] - one[0], two[1] - one[1]) == (one[0] - water[0], one[1] - water[1]):
            yield f"W{name(water)}>{name(two)}"
        elif self.flow in ("bent", "free"):
            yield f"W{name(water)}>{name(one)}>{name(two)}"

    def pairs(self) -> Iterator[str]:
        for fire in self.holding("F"):
            for water in near(fire, self.reacting) & self.holding("W"):
                yield joined(frozenset({fire, water}))

    def chains(self) -> Iterator[str]:
        reactive = self.holding("FW")
        for centre in reactive:
            for ends in itertools.combinations(near(centre, self.reacting) & reactive, 2):
                three = frozenset({centre, *ends})
                fires = three & self.holding("F")
                equal = fires if len(fires) == 2 else three - fires
                if len(equal) == 2 and (self.chain == "any" or centre not in equal):
                    yield from (f"{joined(three)}=D{name(desert)}" for desert in equal)

    def scorches(self) -> Iterator[str]:
        fires = self.holding("F")
        touching = {fire: near(fire, ANY) & fires for fire in fires}
        groups = {frozenset({fire}) for fire in fires}
        for _ in range(3):
            groups = {some | {more} for some in groups for fire in some for more in touching[fire] - some}
        return (f"{joined(four)}=D" for four in groups if self.may_scorch(four, touching))

    def may_scorch(self, four: frozenset[Square], touching: dict[Square, set[Square]]) -> bool:
        if self.scorch == "exact":
            return all(touching[fire] <= four for fire in four)
        if self.scorch == "touching":
            return all(four - {fire} <= touching[fire] for fire in four)
        return True

    # ── Playing ──

    def play(self, move: str) -> None:
        if self.choosing:
            if move != "-":
                self.temples[named(move)[0]] = self.mover
                self.quiet = 0
            self.end_turn()
            return
        progress = self.change(move)
        self.quiet = 0 if progress else self.quiet + 1
        self.choosing = bool(self.sites())
        if not self.choosing:
            self.end_turn()

    def change(self, move: str) -> bool:
        """Change the board; whether that is progress."""
        filled, deserts, standing = len(self.board), len(self.holding("D")), len(self.temples)
        for square, element in self.changes(move):
            self.board[square] = element
            if element == "F" and square in self.temples:
                self.taken[1 - self.temples.pop(square)] += 1
        return (len(self.board), len(self.holding("D")), len(self.temples)) != (filled, deserts, standing)

    def changes(self, move: str) -> list[tuple[Square, str]]:
        squares, element = named(move), move[0]
        if move.endswith("=D"):
            return [(square, "D") for square in squares]
        if "=D" in move:
            return [(square, "D" if square == squares[3] else "E") for square in squares[:3]]
        if element not in "FWE":
            return [(square, "E") for square in squares]
        new = squares[1:] or squares
        if len(squares) == 2 and abs(squares[0][0] - squares[1][0]) == 2:  # over the square between them
            new.append(((squares[0][0] + squares[1][0]) // 2, (squares[0][1] + squares[1][1]) // 2))
        return [(square, element) for square in new]

    def end_turn(self) -> None:
        self.choosing, self.mover = False, 1 - self.mover
        if not self.empty:
            self.ending = "IF-15"
        elif self.quiet >= 40:
            self.ending = "IF-16"

    def scores(self) -> tuple[int, int]:
        points = [4 * taken for taken in self.taken]
        for land in {frozenset(self.landmass(square)) for square in self.temples}:
            owners = self.owners(min(land))
            if len(owners) == 1:
                points[owners.pop()] += len(land)
        return points[0], points[1]
