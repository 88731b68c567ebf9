"""Every registered game keeps the contract, and every rule of its book has a test."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest
from conftest import INTERPRETED

from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.testing.contract import check_game, rule_ids
from empedocles.testing.playthroughs import file_name, playthrough
from empedocles.testing.samples import all_options, random_positions
from empedocles.testing.transcripts import check_perft, check_transcript, read_lines

HERE = Path(__file__).parent
PLAYTHROUGHS = [(game, options) for game in GAMES.values() for options in all_options(game)]


# Records, URLs and trained networks rely on action numbers: another number here needs another rules version.
FROZEN = {
    ("fire-and-water", 1): 3079755358,
    ("elemental-defenders", 1): 1099417930,
    ("ignite-and-flow", 1): 1444267420,
    ("points-of-power", 1): 3022954019,
}
# The same of the actions that follow those, which only readings of the rules use.
APPENDED = {
    ("ignite-and-flow", 1): 3296866400,
    ("points-of-power", 1): 3463500836,
}


def folder(game: Game) -> Path:
    return HERE / game.folder.name


def test_contract(game: Game) -> None:
    check_game(game, positions=12 if INTERPRETED else 60)


def test_action_numbers_are_frozen(game: Game) -> None:
    usual = game.actions_with(game.complete({}))
    assert checksum(game.moves[:usual]) == FROZEN[game.name, game.rules_version]
    assert checksum(game.moves[usual:]) == APPENDED.get((game.name, game.rules_version), checksum(()))


def checksum(moves: tuple[str, ...]) -> int:
    return zlib.crc32("\n".join(moves).encode())


def test_transcripts(game: Game) -> None:
    transcripts = list(read_lines(folder(game) / "conformance.jsonl"))
    assert transcripts
    for transcript in transcripts:
        check_transcript(game.name, transcript)


def test_perft(game: Game) -> None:
    entries = list(read_lines(folder(game) / "perft.jsonl"))
    assert entries
    for entry in entries:
        check_perft(game.name, entry, largest=2_000 if INTERPRETED else 10**9)


def test_text_boards_speak_the_readers_language(game: Game) -> None:
    for position in random_positions(game, 30, seed=5):
        english, german = position.board(), position.board("de")
        assert english == str(position)
        assert len(german.splitlines()) == len(english.splitlines())
        assert max(map(len, german.splitlines())) <= 82
        for seat in range(position.seats):
            own, other = (position.game.seat_name(position.seats, seat).say(language) for language in ("en", "de"))
            if own != other and own in english:
                assert other in german, position.text
                assert not re.search(rf"\b{own}\b", german), position.text


@pytest.mark.parametrize(("game", "options"), PLAYTHROUGHS, ids=lambda value: getattr(value, "name", None))
def test_playthrough(game: Game, options: dict[str, object]) -> None:
    golden = HERE / "playthroughs" / file_name(game, options)
    assert golden.exists(), "write it: python -m empedocles.testing.playthroughs tests/games/playthroughs"
    assert playthrough(game, options) == golden.read_text(encoding="utf-8")


def test_every_rule_has_a_test_named_after_it(game: Game) -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in folder(game).glob("test_*.py"))
    named = set(re.findall(r"def test_([a-z]+\d+)_", sources))
    missing = [rule for rule in rule_ids(game) if rule.replace("-", "").lower() not in named]
    assert not missing
