"""Chance that several decide together: a secret and the random values of others, none of which settles anything alone.

A server publishes the digest of its secret before a match; each player who takes part publishes the digest of a value,
and opens the value once all digests are known. So nobody can choose theirs to suit the others'. The secret is shown
when the match is over: until then nobody knows a draw to come, and afterwards anybody can draw again.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

import numpy as np

from empedocles.core.rng import draw

BYTES = 32  # of a secret, and of each value
OLD_BYTES = 24  # of older secrets: salt, and 8 of a seed that alone decided everything


@dataclass(frozen=True, slots=True)
class Shuffle:
    """All draws of a match. Each depends on its ply alone: taking a move back and playing it again changes nothing."""

    secret: bytes
    values: tuple[bytes, ...] = ()  # in the order of seats

    def pick(self, ply: int, n: int) -> int:
        """Which of `n` outcomes comes at a ply: each is equally likely, up to a bias of n / 2²⁵⁶."""
        if len(self.secret) == OLD_BYTES:
            return draw(np.uint64(int.from_bytes(self.secret[-8:], "big")), ply, n)
        word = hmac.digest(self.secret, b"".join(self.values) + ply.to_bytes(8, "big"), "sha256")
        return int.from_bytes(word, "big") * n >> 256


def digest(secret: bytes) -> str:
    """What commits somebody to a secret or a value, and tells nothing about it."""
    return hashlib.sha256(secret).hexdigest()
