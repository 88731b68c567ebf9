"""A second referee for Fire & Water, from the rule book alone: sets, dictionaries and no thought of speed.

It shares nothing with the engine, so that both can only agree by being right, or by misreading the book alike. Squares
and markers are their texts, players are numbers, and a half is its owner, its element and its value.
"""

from __future__ import annotations

from collections.abc import Iterator

VALUES = "1234"
SUPPLY = {2: 20, 3: 20, 4: 15}  # FW-2
LETTERS = {2: "abcdefgh", 3: "abcdefghijkl", 4: "abcdefghijkl"}  # FW-1
NUMBERS = "12345678"


class Referee:
    def __init__(self, players: int, board: str, finale: str) -> None:
        self.players, self.finale = players, finale
        self.letters = LETTERS[players]
        self.squares = {column + row for column in self.letters for row in NUMBERS}
        self.beside = {square: self._near(square, ((0, 1), (1, 0), (0, -1), (-1, 0))) for square in self.squares}
        corners = ((1, 1), (1, -1), (-1, -1), (-1, 1))
        self.around = {square: self.beside[square] | self._near(square, corners) for square in self.squares}
        self.fire = {square for square in self.squares if self._is_fire(square, board)}
        markers = {f"F{fire}W{water}" for fire in VALUES for water in VALUES if players < 4 or fire != water}  # FW-3
        self.hidden = [set(markers) for _ in range(players)]
        self.shown: list[set[str]] = [set() for _ in range(players)]
        self.halves: dict[str, tuple[int, str, int]] = {}
        self.leaders: dict[int, str] = {}
        self.tokens: dict[str, int] = {}  # square → who owns it
        self.left = [SUPPLY[players]] * players
        self.elementals: list[str] = []
        self.turn, self.dealing, self.revealing = 0, False, False
        self.last: int | None = None  # who made the last regular turn
        self.ended = ""  # by which rule

    def _near(self, square: str, steps: tuple[tuple[int, int], ...]) -> set[str]:
        moved = (chr(ord(square[0]) + x) + str(int(square[1]) + y) for x, y in steps)
        return {near for near in moved if near in self.squares}

    def _is_fire(self, square: str, board: str) -> bool:
        """FW-4."""
        column, row = self.letters.index(square[0]), int(square[1])
        middle = {2: "cdef", 3: "efgh", 4: "efgh"}[self.players]
        block = {c + r for c in middle for r in "3456"} - {middle[k] + r for k in (0, 3) for r in "36"}
        inverted = board == "medallion" and square in block
        return ((column + 8 - row) % 2 == 0) != inverted

    # ── What is where ──

    @property
    def empty(self) -> set[str]:
        return self.squares - set(self.halves) - set(self.tokens) - set(self.leaders.values()) - set(self.elementals)

    def has_leader(self, player: int) -> bool:
        return player in self.leaders and self.leaders[player] not in self.tokens

    def uncovered(self, squares: set[str]) -> list[tuple[int, str, int]]:
        return [self.halves[square] for square in squares if square in self.halves and square not in self.tokens]

    def influence(self, square: str) -> list[int]:
        element = "F" if square in self.fire else "W"
        near = self.uncovered(self.beside[square])
        return [sum(v for owner, kind, v in near if (owner, kind) == (player, element)) for player in self.all]

    def touch(self, elemental: str) -> list[int]:
        near = self.uncovered(self.beside[elemental])
        return [sum(value for owner, _, value in near if owner == player) for player in self.all]

    @property
    def all(self) -> range:
        return range(self.players)

    # ── What may be done ──

    def moves(self) -> set[str]:
        if self.ended:
            return set()
        if self.dealing or self.revealing:
            return {"+" + marker for marker in self.hidden[self.turn]}
        if len(self.elementals) < 3:
            return {"E" + square for square in self._for_elementals()}
        if self.last is not None:
            claims = {"C" + square for square in self._for_claims()} if self.finale == "claims" else set()
            return {"P" + square for square in self._for_tokens()} | claims | {"pass"}
        found = set(self._for_markers()) | {"L" + square for square in self._for_leader()}
        found |= {"P" + square for square in self._for_tokens()} | {"C" + square for square in self._for_claims()}
        return found or {"pass"}

    def _for_elementals(self) -> Iterator[str]:
        """FW-5."""
        for square in self.squares - set(self.elementals):
            if len(self.beside[square]) == 4 and not self.around[square] & set(self.elementals):
                yield square

    def _for_markers(self) -> Iterator[str]:
        """FW-9."""
        empty = self.empty
        for fire in empty:
            for water in self.beside[fire] & empty:
                for marker in self.shown[self.turn]:
                    yield f"{marker[:2]}{fire}{marker[2:]}{water}"

    def _for_leader(self) -> Iterator[str]:
        """FW-10."""
        if self.turn not in self.leaders:
            for square in self.empty:
                if len(self.beside[square]) > 2 and not self.beside[square] & set(self.elementals):
                    yield square

    def _for_tokens(self) -> Iterator[str]:
        """FW-15."""
        empty = self.empty
        for square in self.squares - set(self.tokens) - set(self.elementals) - {self.leaders.get(self.turn, "")}:
            if not self.beside[square] & empty:
                mine, *others = self._mine_first(self.influence(square))
                if all(mine > other for other in others):
                    yield square

    def _for_claims(self) -> Iterator[str]:
        """FW-18."""
        for square in self.elementals:
            held = all(near in self.halves or near in self.tokens for near in self.beside[square])
            if square not in self.tokens and held and self.has_leader(self.turn):
                mine, *others = self._mine_first(self.touch(square))
                if mine >= 1 and all(mine < other for other in others if other >= 1):
                    yield square

    def _mine_first(self, sums: list[int]) -> list[int]:
        return [sums[self.turn], *(value for player, value in enumerate(sums) if player != self.turn)]

    # ── What it does ──

    def play(self, move: str) -> None:
        if move[0] == "E":
            self._elemental(move[1:])
        elif move[0] == "+":
            self._reveal(move[1:])
        else:
            self._act(move)
            self._after_action(laid=move[0] == "F")

    def _elemental(self, square: str) -> None:
        self.elementals.append(square)
        self.turn = (self.turn + 1) % self.players
        if len(self.elementals) == 3:
            self.dealing, self.turn = True, 0

    def _reveal(self, marker: str) -> None:
        self.hidden[self.turn].remove(marker)
        self.shown[self.turn].add(marker)
        if self.revealing:  # FW-9
            self.revealing, self.turn = False, (self.turn + 1) % self.players
        elif len(self.shown[self.turn]) == 3:  # FW-6
            self.turn += 1
            if self.turn == self.players:  # FW-7
                self.dealing, self.turn = False, {2: 1, 3: 0, 4: 3}[self.players]

    def _act(self, move: str) -> None:
        if move[0] == "F":
            self.shown[self.turn].remove(move[:2] + move[4:6])
            self.halves[move[2:4]] = self.turn, "F", int(move[1])
            self.halves[move[6:8]] = self.turn, "W", int(move[5])
        elif move[0] == "L":
            self.leaders[self.turn] = move[1:]
        elif move[0] in "PC":  # FW-16, FW-18
            two = move[0] == "C" or move[1:] in self.leaders.values()
            self.tokens[move[1:]] = self.turn
            self.left[self.turn] -= min(2 if two else 1, self.left[self.turn])

    def _after_action(self, laid: bool) -> None:
        following = (self.turn + 1) % self.players
        if self.left[self.turn] == 0:
            self.ended = "FW-19"
        elif self.last is None and not any(self.beside[square] & self.empty for square in self.empty):
            self.last, self.turn = self.turn, following
        elif following == self.last:
            self.ended = "FW-20"
        elif self.last is None and laid and self.hidden[self.turn]:
            self.revealing = True
        else:
            self.turn = following

    # ── Who wins ──

    def scores(self) -> tuple[int, ...]:
        """FW-21."""
        return tuple(SUPPLY[self.players] - self.left[p] - (0 if self.has_leader(p) else 2) for p in self.all)

    def winner(self) -> int:
        """FW-22."""
        if self.ended == "FW-19":
            return self.left.index(0)
        assert self.last is not None
        order = [(self.last + k) % self.players for k in self.all]
        return max(order, key=lambda player: self.scores()[player])  # the first of the best
