"""Points of Power once more, straight from RULES.md: sets of names, no lookups, and nothing of the engine.

Slow and plain, for comparing: what may be played, what a move leads to, and which rule ends the game.
"""

from __future__ import annotations

from typing import NamedTuple

ELEMENTS = "FAEW"  # in the turn order of four players
PREY = {"W": "F", "F": "A", "A": "E", "E": "W"}  # PP-10
SIDES = ({"F", "E"}, {"A", "W"})  # PP-5
MP = "mp"


class Board(NamedTuple):
    """What the squares are, and which of them touch."""

    kinds: dict[str, str]  # square → its letter in the drawing; `mp` once
    touching: dict[str, set[str]]

    @property
    def points(self) -> set[str]:
        return {square for square, kind in self.kinds.items() if kind == "*"}


def read_board(drawing: str) -> Board:
    lines = drawing.split("/")
    letters = {
        (x, y): letter for y, line in enumerate(reversed(lines), 1) for x, letter in enumerate(line, 1) if letter != "-"
    }
    names = {at: MP if letter == "m" else f"{chr(96 + at[0])}{at[1]}" for at, letter in letters.items()}
    touching: dict[str, set[str]] = {name: set() for name in names.values()}
    for (x, y), name in names.items():
        near = {names[x + dx, y + dy] for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (x + dx, y + dy) in names}
        touching[name] |= near - {name}
    return Board({names[at]: letter for at, letter in letters.items()}, touching)


class Referee:
    """A game in progress."""

    def __init__(self, drawing: str, players: int, stuck: str) -> None:
        self.board, self.players, self.stuck = read_board(drawing), players, stuck
        self.pieces = {square: kind for square, kind in self.board.kinds.items() if kind in ELEMENTS}  # PP-4
        self.turns, self.quiet = 0, 0
        self.had: set[str] = set()  # elements that have had their turn of the opening
        self.rule = ""  # that ended the game
        self.winner: int | None = None  # the side

    @property
    def mover(self) -> int:
        return self.turns % self.players

    def hand(self, player: int) -> set[str]:
        """PP-6: the elements of a player."""
        return SIDES[player] if self.players == 2 else {ELEMENTS[player]}

    def exposed(self, pieces: dict[str, str], element: str) -> set[str]:
        """PP-11."""
        kinds = self.board.kinds
        return {at for at, what in pieces.items() if what == element and kinds[at] not in {"*", element}}

    def moves(self) -> dict[str, dict[str, str]]:
        """The legal moves of the player to move, and the pieces after each."""
        if self.rule:
            return {}
        found = self._steps(self.mover)
        return found or {"pass": self.pieces}

    def _steps(self, player: int) -> dict[str, dict[str, str]]:
        found = {}
        for start, element in self.pieces.items():
            if element not in self.hand(player) or (len(self.had) < 4 and element in self.had):  # PP-6, PP-9
                continue
            for end in self.board.touching[start]:  # PP-7
                other = self.pieces.get(end)
                victim = other == PREY[element] and end in self.exposed(self.pieces, PREY[element])
                if other is not None and not victim:  # PP-8, PP-10
                    continue
                after = {at: what for at, what in self.pieces.items() if at != start} | {end: element}
                if self._keeps_exposed(player, after, element, end):
                    found[f"{start}{'x' if victim else '-'}{end}"] = after
        return found

    def _keeps_exposed(self, player: int, after: dict[str, str], element: str, end: str) -> bool:
        """PP-12."""
        if self._holds_all(after, player % 2) or not set(ELEMENTS) <= {*after.values()}:
            return True
        if len(self.had) < 4:
            return end in self.exposed(after, element)
        return all(self.exposed(after, one) for one in self.hand(player))

    def _holds_all(self, pieces: dict[str, str], side: int) -> bool:
        return all(pieces.get(point) in SIDES[side] for point in self.board.points)

    def play(self, move: str) -> None:
        player, after = self.mover, self.moves()[move]
        moved = {*self.hand(player)} if move == "pass" else {after[move.replace("x", "-").split("-")[1]]}
        self.had |= moved
        self.quiet = 0 if "x" in move else self.quiet + 1
        self.pieces = after
        self.turns += 1
        self._end(player % 2)

    def _end(self, side: int) -> None:
        """PP-13, after a move of this side."""
        others = SIDES[1 - side]
        if self._holds_all(self.pieces, side):
            self.rule, self.winner = "PP-14", side
        elif not others <= {*self.pieces.values()}:
            self.rule, self.winner = "PP-15", side
        elif self.turns >= 4 and not all(self.exposed(self.pieces, element) for element in others):
            self.rule, self.winner = "PP-16", side
        elif self.quiet == 200:
            self.rule = "PP-17"
        elif not self._steps(self.mover) and not (self.players == 4 and self.stuck == "passes"):
            self.rule, self.winner = "PP-18", side
