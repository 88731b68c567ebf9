"""The rules of Elemental Defenders once more, written from RULES.md with sets of card names; nothing here is ours.

A referee sees a match move by move: it says which moves are legal and, at the end, how it ended.
"""

from __future__ import annotations

LEVELS, ELEMENTS = "MWPKN", "efaw"  # from the strongest
DECK = frozenset(level + element for level in LEVELS for element in ELEMENTS)
VIRTUE = {"M": 11, "W": 10, "P": 4, "K": 3, "N": 7}


class Referee:
    def __init__(self, mode: str, answer: str) -> None:
        self.has_mediators = mode in ("mediators", "advanced")
        self.has_challenge = mode in ("challenge", "advanced")
        self.may_choose = answer == "either"
        self.dealt: list[str] = []
        self.totals = [0, 0]
        self.round = 0
        self.ended_by = ""  # the rule that ended the last round
        self.mover: int | None = None  # None while cards are dealt, and when the match is over
        self.attack: str | None = None  # a card, with "!" if it is a challenge

    @property
    def is_over(self) -> bool:
        return self.round == 3

    # ── Which moves are legal ──

    def legal(self) -> set[str]:
        if self.is_over:
            return set()
        if self.round == 0:
            return {f"+{card}" for card in DECK.difference(self.dealt)}
        assert self.mover is not None
        if self.mover in self.undecided:
            return {"m-"} | {f"m{card}" for card in self.hands[self.mover] if self._differs(card)}
        if self.attack is None:
            return self.hands[self.mover] | self._challenges(self.hands[self.mover])
        return self._answers(self.hands[self.mover], self.attack)

    def _differs(self, card: str) -> bool:
        """ED-15."""
        return all(card[0] != other[0] and card[1] != other[1] for other in self.mediators.values())

    def _challenges(self, hand: set[str]) -> set[str]:
        """ED-21."""
        return {f"{card}!" for card in hand if card[0] == "M"} if self.has_challenge else set()

    def _answers(self, hand: set[str], attack: str) -> set[str]:
        """ED-9, ED-10, ED-21."""
        mystics = {card for card in hand if card[0] == "M"}
        if attack.endswith("!") and mystics:
            return mystics
        elements = {card for card in hand if card[1] == attack[1]}
        levels = {card for card in hand if card[0] == attack[0]}
        if self.may_choose:
            return elements | levels
        return elements or levels

    # ── Playing ──

    def play(self, move: str) -> None:
        assert move in self.legal()
        if self.round == 0:
            self._deal(move[1:])
        elif move[0] == "m":
            self._mediate(move[1:])
        elif self.attack is None:
            self._attack(move)
        else:
            self._answer(self.attack, move)

    def _deal(self, card: str) -> None:
        self.dealt.append(card)
        if len(self.dealt) == 10:
            self._begin(1)

    def _begin(self, number: int) -> None:
        """ED-5, ED-6."""
        self.round = number
        shares = [set(self.dealt), set(DECK.difference(self.dealt))]
        self.hands = shares if number == 1 else shares[::-1]
        self.leader = next(seat for seat in (0, 1) if "Nw" in self.hands[seat])
        self.mover = self.leader
        self.undecided = {0, 1} if self.has_mediators else set()
        self.mediators: dict[int, str] = {}
        self.attack = None
        self.exchange = 1

    def _mediate(self, card: str) -> None:
        """ED-14, ED-15."""
        assert self.mover is not None
        self.undecided.remove(self.mover)
        if card == "-":
            if self.mover == self.leader:
                self.undecided.clear()
            self.mover = self.leader
            return
        self.hands[self.mover].remove(card)
        self.mediators[self.mover] = card
        self.mover = 1 - self.leader if self.mover == self.leader else self.leader

    def _attack(self, move: str) -> None:
        assert self.mover is not None
        self.hands[self.mover].remove(move[:2])
        if self._answers(self.hands[1 - self.mover], move):
            self.attack = move
            self.mover = 1 - self.mover
        else:
            self._win(self.mover, VIRTUE[move[0]])

    def _win(self, seat: int, virtue: int) -> None:
        """ED-11, ED-13, ED-16, ED-19."""
        left = len(self.hands[seat])
        if seat not in self.mediators:
            self._end("ED-11", seat, (10 - left) * virtue)
        elif self.exchange == 10:
            self._end("ED-19", seat, 22 * virtue)
        else:
            self._end("ED-11", seat, (10 - (left - 1)) * virtue)

    def _answer(self, attack: str, answer: str) -> None:
        """ED-9, ED-10, ED-17, ED-18."""
        assert self.mover is not None
        defender, attacker = self.mover, 1 - self.mover
        self.hands[defender].remove(answer)
        self.attack = None
        if self.exchange == (9 if len(self.mediators) == 2 else 10):
            self._end("ED-12", 0, 0)
            return
        if self.exchange == 9 and len(self.mediators) == 1:
            (owner,) = self.mediators
            self.hands[owner] = {answer if owner == defender else attack[:2]}
        self.exchange += 1
        self.mover = defender if self._beats(answer, attack) else attacker

    def _beats(self, answer: str, attack: str) -> bool:
        if answer[1] == attack[1]:
            return LEVELS.index(answer[0]) < LEVELS.index(attack[0])
        return ELEMENTS.index(answer[1]) < ELEMENTS.index(attack[1])

    def _end(self, rule: str, winner: int, points: int) -> None:
        """ED-12, ED-13: the end of a round."""
        self.totals[winner] += points
        self.ended_by = rule
        if self.round == 1:
            self._begin(2)
        else:
            self.round, self.mover = 3, None
