"""Whether the chance of a finished match was fair, from what a server has shown and what was seen before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from empedocles.core.kernel import CHANCE
from empedocles.errors import UnfairChance
from empedocles.play.match import Match
from empedocles.play.shuffle import BYTES, OLD_BYTES, Shuffle, digest


@dataclass(frozen=True)
class Evidence:
    """Digests as they were published before the match, and what they turned out to stand for."""

    secret: bytes
    commitment: str  # the digest of the secret
    values: Mapping[int, bytes] = field(default_factory=dict)  # of players who took part, by seat
    commitments: Mapping[int, str] = field(default_factory=dict)  # the digests of those
    start: int = 0  # moves before this ply were played elsewhere

    @property
    def shuffle(self) -> Shuffle:
        return Shuffle(self.secret, tuple(value for _seat, value in sorted(self.values.items())))


def verify(match: Match, shown: Evidence) -> int:
    """Check every draw of a match, and return their number. Outcomes come from the positions, by the rules.

    Raises `UnfairChance` for the first thing that does not fit.
    """
    _check_promises(shown)
    shuffle, draws = shown.shuffle, 0
    for ply, (seat, move) in enumerate(match.history()):
        if seat == CHANCE and ply >= shown.start:
            outcomes = match.at(ply).legal_actions
            fair = match.game.moves[outcomes[shuffle.pick(ply, len(outcomes))]]
            if move != fair:
                raise UnfairChance(f"draw {ply + 1} was {move}: the secret and the values give {fair}", ply)
            draws += 1
    return draws


def _check_promises(shown: Evidence) -> None:
    if len(shown.secret) not in (BYTES, OLD_BYTES):
        raise UnfairChance(f"a secret has {BYTES} bytes (older ones {OLD_BYTES}), not {len(shown.secret)}")
    if digest(shown.secret) != shown.commitment:
        raise UnfairChance("the secret is not the one that was promised: its digest is another")
    if shown.values and len(shown.secret) == OLD_BYTES:
        raise UnfairChance("an older secret decides alone: players' values cannot have counted")
    for seat in sorted({*shown.values, *shown.commitments}):
        value = shown.values.get(seat)
        if seat not in shown.commitments:
            raise UnfairChance(f"seat {seat} opened a value without having promised one")
        if value is None:
            raise UnfairChance(f"the value that seat {seat} promised is missing")
        if len(value) != BYTES or digest(value) != shown.commitments[seat]:
            raise UnfairChance(f"the value of seat {seat} is not the one that was promised")
