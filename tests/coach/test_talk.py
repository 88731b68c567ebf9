"""What opponents say: rare, repeatable, true, never a hint, and in every language a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from empedocles.coach.lines import deeds
from empedocles.coach.talk import PAUSE, VOICES, Saying, Talk, may_talk, remark, voices
from empedocles.core.kernel import CHANCE
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.language import LANGUAGES, Message
from empedocles.opponents import cast_of, characters
from empedocles.play.match import Match
from empedocles.testing.samples import random_match

MATCHES = 6
HINTS = ("threat", "avenge", "ready")  # words of what may come


def conversation(match: Match, seed: str, speakers: dict[int, str]) -> list[Saying]:
    talk = Talk(speakers, seed)
    for ply, move in enumerate(match.moves):
        talk.hear(match.at(ply), move)
    return talk.sayings


def matches(game: Game) -> Iterator[Match]:
    return (random_match(game, {}, seed) for seed in range(MATCHES))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_remarks_are_rarer_than_one_in_five_moves_at_every_moment(game: Game) -> None:
    said = 0
    for seed, match in enumerate(matches(game)):
        told = {one.ply for one in conversation(match, str(seed), {1: "merry"})}
        decisions = remarks = 0
        for ply in range(1, match.plies + 1):
            decisions += match.at(ply - 1).to_move != CHANCE
            remarks += ply in told
            assert 5 * remarks < decisions or not remarks
        said += remarks
    assert said, "nobody ever says anything"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_remarks_depend_on_the_match_and_the_seed_alone(game: Game) -> None:
    match = random_match(game, {}, 1)
    told = [conversation(match, str(seed), {0: "proud"}) for seed in (1, 1, 2, 3, 4)]
    assert told[0] == told[1]
    assert any(other != told[0] for other in told)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_remarks_tell_what_the_move_did_and_nothing_to_come(game: Game) -> None:
    cast = cast_of(game)
    assert cast.spoken | cast.plainly <= {idea.name for idea in game.concepts if idea.deeds}
    for seed, match in enumerate(matches(game)):
        for ply, seat, words in conversation(match, str(seed), {0: "gruff", 1: "calm"}):
            before, move = match.at(ply - 1), match.move(ply)
            done = [deed.words for idea, deed in deeds(before, move) if idea.name in cast.spoken]
            assert words.values["deed"] in [*done, game.advised(before.state, before.action(move))]
            assert seat == before.to_move, "a bot speaks of its own move"
            assert not any(hint in words.say() for hint in HINTS)


def test_a_bot_answers_what_a_person_did() -> None:
    answers = [
        one
        for seed, match in enumerate(matches(GAMES["points-of-power"]))
        for one in conversation(match, str(seed), {1: "gruff"})
        if match.at(one.ply - 1).to_move == 0
    ]
    assert answers
    assert all(one.seat == 1 and one.words.text in VOICES["gruff"].yours for one in answers)


def test_a_pause_follows_each_remark() -> None:
    match = random_match(GAMES["points-of-power"], {}, 0)
    plies = [one.ply for one in conversation(match, "x", {0: "merry", 1: "merry"})]
    assert len(plies) > 1
    assert min(after - before for before, after in pairwise(plies)) >= PAUSE


def test_chance_is_not_talked_about() -> None:
    match = random_match(GAMES["fire-and-water"], {}, 0)
    dealt = next(ply for ply in range(match.plies) if match.at(ply).to_move == CHANCE)
    assert all(remark(match.at(dealt), match.move(dealt + 1), ply, {0: "merry"}, "x") is None for ply in range(20))


def test_nobody_talks_in_matches_between_people_or_without_any() -> None:
    game = GAMES["points-of-power"]
    assert may_talk(game, 2, {1: 3})
    assert not may_talk(game, 2, {})
    assert not may_talk(game, 2, {0: 3, 1: 3})
    assert may_talk(game, 4, {1: 3, 3: 3}), "team-mates who are people"
    assert not may_talk(game, 4, {2: 3, 3: 3}), "people on both sides"
    assert not may_talk(game, 2, {1: 0}), "an agent that is none of the opponents"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_opponent_has_a_voice(game: Game) -> None:
    levels = dict(enumerate(range(1, len(game.opponents) + 1)))
    assert set(voices(game, levels)) == set(levels)
    assert {one.voice for one in characters(game)} <= set(VOICES)


def test_remarks_are_sentences_in_every_language() -> None:
    """The deed comes last but for the end of the sentence, so that any infinitive fits."""
    for voice in VOICES.values():
        for text in (*voice.own, *voice.yours):
            for language in LANGUAGES:
                said = Saying(1, 0, _of(text)).words.say(language)
                assert said[0].isupper()
                assert said[-1] in ".!"
                assert said.count("DEED") == 1
    german = {_of(text).say("de") for voice in VOICES.values() for text in (*voice.own, *voice.yours)}
    assert len(german) == sum(len(voice.own) + len(voice.yours) for voice in VOICES.values())


def _of(text: str) -> Message:
    return Message(text, {"deed": "DEED"})
