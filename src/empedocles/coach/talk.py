"""What opponents say during a match: short remarks about what has just happened, in the concepts of their game.

A remark speaks of a move that is on the board, and never of what may come or of how good anything is: it is no hint.
Sayings are rarer than one in five moves, and depend on the match and a seed alone, so that reloading repeats them.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from empedocles.coach.lines import deeds
from empedocles.core.kernel import CHANCE
from empedocles.game import Game
from empedocles.language import Message
from empedocles.language import mark as _
from empedocles.opponents import Cast, cast_of
from empedocles.position import Position

PAUSE = 6  # decisions from one remark to the next, at least
ODDS = 2  # of this many moves that are worth a remark, one gets it


class Voice(NamedTuple):
    """How somebody talks. What was done is an infinitive, last in its sentence, so that every deed fits."""

    own: tuple[str, ...]  # of what it has done itself
    yours: tuple[str, ...]  # of what a person has done


VOICES = {
    "merry": Voice(
        (
            _("Hee! I just had to {deed}."),
            _("At last! I have always wanted to {deed}!"),
            _("Guess what I got to do? I got to {deed}!"),
        ),
        (
            _("Oh! You managed to {deed}!"),
            _("Oops. Nobody told me that you could {deed}."),
            _("Hey! You really got to {deed}!"),
        ),
    ),
    "gruff": Voice(
        (
            _("Hm. Somebody had to {deed}."),
            _("No fuss. I had to {deed}."),
            _("Honest work: to {deed}."),
        ),
        (
            _("Hmph. I did not ask you to {deed}."),
            _("So you had to {deed}."),
            _("I saw that. You got to {deed}."),
        ),
    ),
    "proud": Voice(
        (
            _("Watch and learn how to {deed}."),
            _("It was my pleasure to {deed}."),
            _("Others dream of it. I was free to {deed}."),
        ),
        (
            _("You dared to {deed}."),
            _("So that is what you came for: to {deed}."),
            _("So you, too, know how to {deed}."),
        ),
    ),
    "calm": Voice(
        (
            _("I thought it over, and chose to {deed}."),
            _("Sometimes one has to {deed}."),
            _("It was time to {deed}."),
        ),
        (
            _("I see. You chose to {deed}."),
            _("So that was on your mind: to {deed}."),
            _("You wanted to {deed}, and so it is."),
        ),
    ),
}


class Saying(NamedTuple):
    ply: int  # the number of moves then played
    seat: int  # who says it
    words: Message


def voices(game: Game, levels: Mapping[int, int]) -> dict[int, str]:
    """How the opponents at a table talk, by seat, given their levels; those without a voice are silent."""
    known = cast_of(game).characters
    found = {seat: known[level - 1].voice for seat, level in levels.items() if 1 <= level <= len(known)}
    return {seat: voice for seat, voice in found.items() if voice in VOICES}


def may_talk(game: Game, seats: int, levels: Mapping[int, int]) -> bool:
    """Whether opponents talk: in a match of bots against people, not of people against each other."""
    sides = game.sides(seats)
    people = {sides[seat] for seat in range(seats) if seat not in levels}
    return len(people) == 1 and bool(voices(game, levels))


def remark(before: Position, move: str | int, ply: int, speakers: Mapping[int, str], seed: str) -> Saying | None:
    """What is said after the move with number `ply`, from 1; None if nothing. `speakers` have voices, by seat."""
    if _draw(seed, ply, "speaks", ODDS) or before.to_move in (None, CHANCE):
        return None
    told = _told(before, before.action(move), cast_of(before.game))
    if told is None:
        return None
    deed, victim = told
    mover = before.to_move or 0
    if mover in speakers:
        variants = VOICES[speakers[mover]].own
        return _said(variants, ply, mover, deed, seed)
    seat = _listener(before, mover, victim, speakers)
    return None if seat is None else _said(VOICES[speakers[seat]].yours, ply, seat, deed, seed)


def _said(variants: tuple[str, ...], ply: int, seat: int, deed: Message, seed: str) -> Saying:
    """The next of the variants: remarks that follow each other differ."""
    text = variants[(_draw(seed, 0, "words", len(variants)) + ply // PAUSE) % len(variants)]
    return Saying(ply, seat, Message(text, {"deed": deed}))


def _told(before: Position, action: int, cast: Cast) -> tuple[Message, int | None] | None:
    """The greatest thing that a move does and that may be spoken of, and to whom; None if there is none."""
    done = [found for found in deeds(before, action) if found[0].name in cast.spoken | cast.plainly]
    if not done:
        return None
    idea, deed = max(done, key=lambda found: found[1].worth)
    if idea.name in cast.plainly:
        return before.game.advised(before.state, action), deed.victim
    return deed.words, deed.victim


def _listener(before: Position, mover: int, victim: int | None, speakers: Mapping[int, str]) -> int | None:
    """Who answers a person: the victim, or the next opponent on another side."""
    if victim in speakers:
        return victim
    sides, seats = before.game.sides(before.seats), before.seats
    order = ((mover + step) % seats for step in range(1, seats))
    return next((seat for seat in order if seat in speakers and sides[seat] != sides[mover]), None)


def _draw(seed: str, ply: int, what: str, n: int) -> int:
    return zlib.crc32(f"{seed} {ply} {what}".encode()) % n


class Talk:
    """The remarks of one match, move by move."""

    def __init__(self, speakers: Mapping[int, str], seed: str) -> None:
        self.speakers, self.seed = speakers, seed
        self.moves: list[str] = []  # those that were heard
        self.sayings: list[Saying] = []
        self._quiet = 0  # decisions since the last remark

    def is_about(self, moves: Sequence[str]) -> bool:
        """Whether a match begins with what was heard; it does not after a take-back."""
        return self.moves == list(moves[: len(self.moves)])

    def hear(self, before: Position, move: str) -> Saying | None:
        """The next move, and what is said about it."""
        self.moves.append(move)
        if before.to_move in (None, CHANCE):
            return None
        self._quiet += 1
        if (
            not self.speakers
            or self._quiet < PAUSE
            or (said := remark(before, move, len(self.moves), self.speakers, self.seed)) is None
        ):
            return None
        self._quiet = 0
        self.sayings.append(said)
        return said
