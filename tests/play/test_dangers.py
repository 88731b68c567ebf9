"""Warnings before bad moves: whatever they claim is true."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest
from coach.test_claims import FACTS as COACH

from empedocles.agents import find as find_agent
from empedocles.coach.lines import deeds
from empedocles.game import Game
from empedocles.games import find
from empedocles.language import LANGUAGES, Message
from empedocles.play.dangers import Danger, danger, outcomes
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search import exact
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search
from empedocles.testing.claims import check_claim
from empedocles.testing.samples import random_match

GAMES = ("fire-and-water", "elemental-defenders", "ignite-and-flow", "points-of-power")
BEGINNERS = ("random", "level-1", "level-2")
EACH = 12  # positions of one match
FARTHER = 50_000  # simulations, five times as many as a warning is based on
LEAST = 0.2  # of what a player can expect: more than that must be lost by a closer look, too


def beginners_moves(game: Game, count: int, seed: int = 0) -> Iterator[tuple[Position, str]]:
    """Moves of beginners, in matches with every combination of options."""
    rng, beginners = random.Random(f"{game.name} {seed}"), itertools.cycle(BEGINNERS)
    for options in itertools.cycle(game.variants()):
        match = Match(Position.start(game, options), seed=rng.getrandbits(32))
        beginner = find_agent(next(beginners), rng.getrandbits(32))
        played = []
        while not match.is_over and match.plies < 400:
            played.append((match.position, beginner.choose(match.position, Limit(seconds=5.0))))
            match.play(played[-1][1])
        chosen = rng.sample(played, min(len(played), count, EACH))
        yield from chosen
        if (count := count - len(chosen)) == 0:
            return


# ── What must be true ────────────────────────────────────────────────────────────────────────────────────────────────


def check(position: Position, found: Danger) -> None:
    """Check a warning by the rules, and by a solver or a search that looks farther."""
    assert found.better in position.legal_moves
    assert found.better != found.move
    assert all(found.words.say(language) for language in LANGUAGES)
    situations = outcomes(position.play(found.move))
    if found.answer:
        assert all(found.answer in here.legal_moves for here in situations)
        for here in situations if "deed" in found.words.values else ():
            check_answer(position, here, found.answer, found.words)
    if found.words.text == "Another move makes {n} points more at once.":
        assert points_made(position, found.better) - points_made(position, found.move) == found.words.values["n"]
    if found.claim:
        check_claim(position, found.claim, found.move, found.better, COACH[position.game.name])
    if found.fatal:
        check_loss(position, found, situations)
    elif position.game.solve:
        assert found.cost
        values = exact.values(position)
        assert values[found.better] - values[found.move] == found.cost.values["n"] >= 30
        assert values[found.better] == max(values.values())
    else:
        better, worse = (looked_at(position, move) for move in (found.better, found.move))
        assert better - worse >= LEAST, (better, worse)


def check_loss(position: Position, found: Danger, situations: list[Position]) -> None:
    """The game is lost at once after the move, and not after the better one."""
    seat = position.to_move or 0
    ends = [here.play(found.answer) if found.answer else here for here in situations]
    assert all(end.is_over and end.returns[seat] < 0 for end in ends)
    others = outcomes(position.play(found.better))
    assert not any(here.returns[seat] < 0 or loses_at_once(here, seat) for here in others)


def loses_at_once(position: Position, seat: int) -> bool:
    """Whether the next player, an opponent, can end the game as a loss for a seat."""
    if position.to_move == seat:
        return False
    return any((end := position.play(move)).is_over and end.returns[seat] < 0 for move in position.legal_moves)


def looked_at(position: Position, move: str) -> float:
    search = Search(position, seed=7, only=move)
    search.run(Limit(simulations=FARTHER))
    return search.evaluations()[0].value


def points_made(position: Position, move: str) -> int:
    """The points that a move makes at once, less those that it makes for an opponent."""
    seat, sides = position.to_move or 0, position.game.sides(position.seats)
    now, then = (scores_of(one) for one in (position, position.play(move)))
    made = [two - one for one, two in zip(now, then, strict=True)]
    return made[seat] - max(made[other] for other in range(position.seats) if sides[other] != sides[seat])


def scores_of(position: Position) -> list[int]:
    scores = np.zeros(position.seats, np.int32)
    position.game.rules.scores(position.state, scores)
    return scores.tolist()


def check_answer(before: Position, here: Position, answer: str, words: Message) -> None:
    """The answer does what is said, and not to another player."""
    assert words.values["player"] == here.game.subject(here.seats, here.to_move or 0)
    done = [(idea.name, deed) for idea, deed in deeds(here, answer) if deed.words == words.values["deed"]]
    (concept, deed), sides = done[0], here.game.sides(here.seats)
    assert concept in here.game.dangers
    assert deed.victim is None or sides[deed.victim] == sides[before.to_move or 0]
    assert COACH[here.game.name].does(here, answer, concept, deed)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [25, pytest.param(250, marks=pytest.mark.long)])
def test_what_warnings_say_is_true(game: str, count: int) -> None:
    warned = 0
    for position, move in beginners_moves(find(game), count):
        if found := danger(position, move):
            check(position, found)
            warned += 1
    assert warned <= count / 3  # beginners are not to be nagged


# ── Some of them ─────────────────────────────────────────────────────────────────────────────────────────────────────

LAST_EXPOSED = (
    "points-of-power players=2 board=cross fire=h7,h8,j8,k9,g10,i10,j10,i11,j11 air=g1,i1,i2,j2,k2,k3,i4,j4,k4 "
    "earth=d1,a2,b2,a3,b3,a4,b4,c5,d6 water=d7,f8,a9,b9,c9,a10,b10,a11,c11 moved=FAEW quiet=79 to-move=1"
)
TEMPLE = "ignite-and-flow reactions=all board=tW3F/FFF1W1/W1FWW1/F1WtW1/5W/2W2t taken=0/0 quiet=0 due=action to-move=1"
ELEMENTAL = (
    "fire-and-water players=2 board=medallion elementals=d3,d7,e5 markers=F1f8W1g8,F1g5W2g4,F1a5W3a4,F1c7W4b7,F2h5W2h6,"
    "F2b2W3a2,F2d8W4c8,F4d5W1d6,F4g7W3h7/F1f3W1f2,F1f6W3e6,F2e7W3f7,F3e3W2e4,F3h3W3h4,F3g3W4g2,F4g1W2h1,F4c3W4b3 "
    "hands=F3W3,F3W4,F4W2/F1W4,F2W4,F4W3 leaders=-/e8 tokens=f7/f8,h2 last=- to-move=0"
)
ROUND = (
    "elemental-defenders mode=basic dealt=MwWeWfWaWwPePaKeNeNw round=1 hands=MwWeWfPePaNw/MfMaPfKfKwNf "
    "mediators=-/- led=- scores=0/0 to-move=0"
)


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        (
            LAST_EXPOSED,
            "j2-j1",
            "The side of Fire and Earth can capture the last exposed piece of Water on d7 and win. That loses ",
        ),
        (TEMPLE, "Ed5", "White can burn the temple on a6 (4 points). Your chances fall from about "),
        (ELEMENTAL, "F4d2W2e2", "Green can claim the elemental on d7 (2 points). Your chances fall from about "),
        (
            ROUND,
            "Wf",
            "Dusk can take over the attack with the Mystic of Fire, after which no card answers ",
        ),
    ],
)
def test_a_danger_is_said_in_the_words_of_its_game(text: str, move: str, words: str) -> None:
    position = Position(text)
    found = danger(position, move)
    assert found
    assert found.say().startswith(words)
    assert danger(position, found.better) is None
    assert danger(position, move) == found  # the same position is always judged alike


def test_there_is_no_warning_where_there_is_no_choice() -> None:
    game = find("elemental-defenders")
    match = random_match(game, game.complete({}), seed=3)
    played = [(match.at(ply), move) for ply, (_, move) in enumerate(match.history())]
    forced = [(position, move) for position, move in played if len(position.legal_moves) == 1]
    assert forced
    assert not any(danger(position, move) for position, move in forced)
