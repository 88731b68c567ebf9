"""Chance that several decide together can be drawn again from a record, and no forgery passes."""

from __future__ import annotations

import copy
import io
import pickle
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import empedocles
from empedocles.cli.app import app
from empedocles.core.kernel import CHANCE
from empedocles.errors import RecordError, UnfairChance
from empedocles.play.evidence import Evidence, verify
from empedocles.play.match import Match
from empedocles.play.records import Record, read_records
from empedocles.play.shuffle import Shuffle, digest
from empedocles.position import Position

SECRET = bytes(range(32))
VALUES = {0: b"a" * 32, 1: b"b" * 32}
SHOWN = Evidence(SECRET, digest(SECRET), VALUES, {seat: digest(value) for seat, value in VALUES.items()})
WITH_CHANCE = ("fire-and-water", "elemental-defenders")


def played(game: str, shuffle: Shuffle | None, seed: int = 5) -> Match:
    luck = random.Random(seed)
    match = Match(empedocles.new(game, chance="manual").position, shuffle=shuffle, seed=seed)
    while not match.is_over:
        match.play(luck.choice(match.legal_moves))
    return match


def chance_plies(match: Match) -> list[int]:
    return [ply for ply, (seat, _) in enumerate(match.history()) if seat == CHANCE]


@pytest.mark.parametrize("game", WITH_CHANCE)
def test_a_record_tells_how_chance_was_decided(game: str) -> None:
    match = played(game, SHOWN.shuffle)
    assert verify(match, SHOWN) == len(chance_plies(match)) >= 10
    (read,) = read_records(io.StringIO(str(Record(match, evidence=SHOWN))))
    assert read.evidence == SHOWN
    assert verify(read.match, SHOWN) == verify(match, SHOWN)


@pytest.mark.parametrize("game", WITH_CHANCE)
def test_undoing_and_copying_draw_the_same(game: str) -> None:
    match = played(game, SHOWN.shuffle)
    moves = match.moves
    again = match.copy()
    for twin in (again, copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
        while any(seat != CHANCE for seat, _ in twin.history()):
            twin.undo()
        luck = random.Random(5)
        while not twin.is_over:
            twin.play(luck.choice(twin.legal_moves))
        assert twin.moves == moves


def test_every_outcome_is_about_as_likely() -> None:
    counts = Counter(Shuffle(SECRET, (b"a" * 32,)).pick(ply, 5) for ply in range(5000))
    assert sorted(counts) == [0, 1, 2, 3, 4]
    assert all(abs(count - 1000) < 120 for count in counts.values())


def test_everything_counts_for_a_draw() -> None:
    def draws(shuffle: Shuffle) -> list[int]:
        return [shuffle.pick(ply, 1000) for ply in range(20)]

    known = draws(SHOWN.shuffle)
    others = [
        Shuffle(b"\1" * 32, SHOWN.shuffle.values),
        Shuffle(SECRET, SHOWN.shuffle.values[::-1]),
        Shuffle(SECRET, SHOWN.shuffle.values[:1]),
        Shuffle(SECRET),
    ]
    assert len({tuple(draws(other)) for other in others} | {tuple(known)}) == 5


def test_an_older_secret_decides_alone_as_it_did() -> None:
    secret = bytes(16) + (77).to_bytes(8, "big")
    match, seeded = played("fire-and-water", Shuffle(secret)), played("fire-and-water", None, seed=77)
    drawn = [match.moves[ply] for ply in chance_plies(match)[:6]]
    assert drawn == [seeded.moves[ply] for ply in chance_plies(seeded)[:6]]
    shown = Evidence(secret, digest(secret))
    assert verify(match, shown) == len(chance_plies(match))
    with pytest.raises(UnfairChance, match="decides alone"):
        verify(match, replace(shown, values={0: b"a" * 32}, commitments={0: digest(b"a" * 32)}))


def other_draw(match: Match) -> Match:
    """The match until a late draw, with another outcome."""
    ply = chance_plies(match)[9]
    forged = match.until(ply)
    forged.play(next(move for move in forged.legal_moves if move != match.moves[ply]))
    return forged


FORGERIES: dict[str, tuple[Callable[[Evidence], Evidence], str]] = {
    "another secret": (lambda e: replace(e, secret=b"\1" * 32), "not the one that was promised"),
    "another secret with its digest": (
        lambda e: replace(e, secret=b"\1" * 32, commitment=digest(b"\1" * 32)),
        r"draw \d+ was",
    ),
    "a short secret": (lambda e: replace(e, secret=b"\1", commitment=digest(b"\1")), "has 32 bytes"),
    "another value": (lambda e: replace(e, values=VALUES | {1: b"c" * 32}), "value of seat 1 is not"),
    "another value with its digest": (
        lambda e: replace(e, values={0: b"a" * 32, 1: b"c" * 32}, commitments={**e.commitments, 1: digest(b"c" * 32)}),
        r"draw \d+ was",
    ),
    "a value left out": (lambda e: replace(e, values={0: b"a" * 32}), "seat 1 promised is missing"),
    "a value and its promise left out": (
        lambda e: replace(e, values={0: b"a" * 32}, commitments={0: digest(b"a" * 32)}),
        r"draw \d+ was",
    ),
    "a value nobody promised": (
        lambda e: replace(e, commitments={0: digest(b"a" * 32)}),
        "seat 1 opened a value without",
    ),
    "values exchanged": (
        lambda e: replace(e, values={0: VALUES[1], 1: VALUES[0]}),
        "value of seat 0 is not",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found(name: str) -> None:
    forge, why = FORGERIES[name]
    with pytest.raises(UnfairChance, match=why):
        verify(played("fire-and-water", SHOWN.shuffle), forge(SHOWN))


def test_a_draw_that_does_not_follow_is_named() -> None:
    forged = other_draw(played("fire-and-water", SHOWN.shuffle))
    with pytest.raises(UnfairChance) as found:
        verify(forged, SHOWN)
    assert found.value.ply == chance_plies(forged)[-1]


def test_draws_of_another_place_are_not_judged() -> None:
    elsewhere = played("fire-and-water", None).until(30)
    match = elsewhere.resume(shuffle=SHOWN.shuffle)
    while not match.is_over:
        match.play(match.legal_moves[0])
    assert verify(match, replace(SHOWN, start=30)) > 0
    with pytest.raises(UnfairChance):
        verify(match, SHOWN)


@pytest.mark.parametrize(
    ("header", "why"),
    [('[Secret "xyz"]', "hexadecimal"), ('[Secret "00"]\n[Value 7 "00"]', "no seat '7'")],
)
def test_a_record_with_odd_evidence_is_refused(header: str, why: str) -> None:
    text = f'[Game "fire-and-water"]\n{header}\n\nEc3\nend\n'
    with pytest.raises(RecordError, match=why):
        list(read_records(io.StringIO(text)))


def test_verify_says_whether_a_record_is_fair(tmp_path: Path) -> None:
    file, match = tmp_path / "match.emp", played("elemental-defenders", SHOWN.shuffle)
    file.write_text(str(Record(match, evidence=SHOWN)), encoding="utf-8")
    run = CliRunner().invoke(app, ["verify", str(file)])
    assert run.exit_code == 0
    assert (
        "fair: all 10 draws follow from the secret that was promised, and from the values of seats 0 and 1"
        in run.output
    )
    other = CliRunner().invoke(app, ["verify", str(file), "--commitment", digest(b"another")])
    assert other.exit_code == 1
    assert "not fair: the secret is not the one that was promised" in other.output
    forged = other_draw(Match(Position.start(match.game, match.options), shuffle=SHOWN.shuffle))
    file.write_text(str(Record(forged, evidence=SHOWN)), encoding="utf-8")
    assert "not fair: draw 10 was" in CliRunner().invoke(app, ["verify", str(file)]).output
    file.write_text(str(Record(match)), encoding="utf-8")
    assert "no header Secret" in str(CliRunner().invoke(app, ["verify", str(file)]).exception)
