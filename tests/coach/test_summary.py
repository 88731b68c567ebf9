"""A match summed up: every number in the sentences is counted again here, in another way."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from empedocles.agents import SearchAgent
from empedocles.agents import find as find_agent
from empedocles.coach import claims
from empedocles.coach.summary import ABOUT, ALLOWED, MISSED, Slip, tally
from empedocles.game import Game
from empedocles.games import find
from empedocles.language import LANGUAGES, Message
from empedocles.play.analysis import MARKS, Remark, analyse
from empedocles.play.match import Match
from empedocles.play.story import Story, story
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

VARIANTS = [
    ("fire-and-water", {"players": 2}),
    ("fire-and-water", {"players": 3}),
    ("elemental-defenders", {}),
    ("ignite-and-flow", {}),
    ("points-of-power", {"players": 2}),
    ("points-of-power", {"players": 4}),
]


def gone_through(game: Game, options: dict[str, object]) -> tuple[Match, list[Remark], Story]:
    match = Match(Position.start(game, game.complete(options)), seed=7)
    rng = random.Random(5)
    players = [find_agent(f"level-{rng.randint(1, 3)}", seat) for seat in range(match.position.seats)]
    while not match.is_over and match.plies < 60:
        match.play(players[match.to_move or 0].choose(match.position, Limit(seconds=5.0)))
    remarks = list(analyse(match, SearchAgent(), Limit(simulations=300)))
    return match, remarks, story(match, remarks)


def counted(match: Match, remarks: list[Remark]) -> Counter[tuple[int, str]]:
    """What the moves of each seat did, from the concepts of the game and the states alone."""
    found: Counter[tuple[int, str]] = Counter()
    for remark in remarks:
        before, after = match.at(remark.ply), match.at(remark.ply + 1)
        action = match.game.action_of[match.moves[remark.ply]]
        for idea in match.game.concepts:
            if idea.deeds:
                found[remark.seat, idea.title] += len(idea.deeds(before.state, action, after.state))
    return found


def parts_of(sentence: Message) -> list[Message]:
    return list(sentence.values["parts"].values.values())


def seats_of(match: Match, part: Message, viewer: int | None) -> list[int]:
    seats = range(match.position.seats)
    sides = match.game.sides(match.position.seats)
    if "player" not in part.values:
        assert viewer is not None
        return [seat for seat in seats if sides[seat] == sides[viewer]]
    names = list(part.values["player"].values.values())
    return [seat for seat in seats if match.game.seat_name(match.position.seats, seat) in names]


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_every_number_can_be_counted_again(name: str, options: dict[str, object]) -> None:
    match, remarks, told = gone_through(find(name), options)
    done = counted(match, remarks)
    for viewer in (None, *range(match.position.seats)):
        said = told.sentences(viewer)
        assert 1 <= len(said) <= 3
        for sentence in said:
            if sentence.text.startswith("More often"):
                check_comparisons(match, done, sentence, viewer)
            if sentence.text.startswith("Mistakes"):
                check_mistakes(match, remarks, sentence, viewer)


def check_comparisons(match: Match, done: Counter[tuple[int, str]], sentence: Message, viewer: int | None) -> None:
    sides = match.game.sides(match.position.seats)
    for part in parts_of(sentence):
        own = seats_of(match, part, viewer)
        for thing in part.values["things"].values.values():
            title = str(thing.values["what"].values["title"])
            sums = Counter(dict.fromkeys(sides, 0))
            for seat, side in enumerate(sides):
                sums[side] += done[seat, title]
            mine = sums.pop(sides[own[0]])
            assert thing.values["n"] == mine > max(sums.values())
            others = sum(sums.values())
            assert thing.values.get("other", others) == others
            assert thing.values.get("all", mine + others) == mine + others


def check_mistakes(match: Match, remarks: list[Remark], sentence: Message, viewer: int | None) -> None:
    for part in parts_of(sentence):
        own = seats_of(match, part, viewer)
        marked = [remark for remark in remarks if remark.seat in own and remark.mark]
        things = part.values["things"]
        assert things.values["n"] == len(marked)
        assert things.values["k"] <= len(marked)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_strengths_and_weaknesses_are_counted(name: str, options: dict[str, object]) -> None:
    match, remarks, told = gone_through(find(name), options)
    done, seats = counted(match, remarks), range(match.position.seats)
    for seat in seats:
        strong, weak = told.strengths(seat), told.weaknesses(seat)
        assert len(strong) <= 3
        assert len(weak) <= 3
        for one in strong:
            title = str(one.values["what"].values["title"])
            others = [done[other, title] for other in seats if other != seat]
            assert one.values["n"] == done[seat, title] > sum(others) / len(others)
        marked = sum(remark.seat == seat and bool(remark.mark) for remark in remarks)
        assert sum(one.values["n"] for one in weak) <= marked
        assert bool(weak) == bool(marked)
        assert all("{" not in one.say(language) for one in (*strong, *weak) for language in LANGUAGES)


def test_a_mistake_is_about_what_its_main_claim_says() -> None:
    match, remarks, told = gone_through(find("ignite-and-flow"), {})
    slips: Counter[tuple[int, Slip]] = Counter()
    for remark in remarks:
        if remark.mark and (why := remark.explained(match.at(remark.ply))):
            claim = why.claims[0]
            missed = claim.words.text in (claims.COULD, claims.COULD_NEXT, claims.COULD_SOON, claims.PARTNER_COULD)
            kind = MISSED if missed else ALLOWED if "{deed}" in claim.words.text else ABOUT
            slips[remark.seat, Slip(kind, claim.concept)] += 1
    assert told.counted.slips == slips
    assert slips, "a weak match has mistakes"


def test_you_are_the_one_who_reads() -> None:
    _, _, told = gone_through(find("elemental-defenders"), {})
    anybody, mine = (" ".join(one.say() for one in told.sentences(viewer)) for viewer in (None, 0))
    assert "by Dawn" in anybody
    assert "by you" in mine
    assert "by Dawn" not in mine


def test_a_match_without_moves_has_nothing_to_tell() -> None:
    match = Match(Position.start(find("ignite-and-flow"), {}))
    told = story(match, [])
    assert [one.say() for one in told.sentences()] == ["No single move turned the match."]
    assert told.strengths(0) == told.weaknesses(0) == []
    assert tally(match.game, 2, [], []).deeds == {}


# ── Marks by points ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("lost", "mark"), [(5, ""), (12, "?!"), (30, "?"), (60, "??"), (120, "??")])
def test_points_thrown_away_are_marked_though_the_winner_stays_the_same(lost: int, mark: str) -> None:
    scale = find("elemental-defenders").solve.scale  # type: ignore[union-attr]
    best, played = Evaluation("a", 1.0, 200, proven=True), Evaluation("b", 1.0, 200 - lost, proven=True)
    told = Remark(0, 0, played, best, scale)
    assert (told.lost, told.points_lost, told.mark) == (0, lost, mark)
    here = Position.start(find("elemental-defenders"), {})
    cost = told.cost(here)
    assert cost
    assert cost.say() == f"it cost {lost} points; the match stayed won"
    assert Remark.of(told.facts).mark == mark
    assert set(MARKS) == {"??", "?", "?!"}


def test_chances_are_said_where_points_are_not_known() -> None:
    here = Position.start(find("ignite-and-flow"), {})
    cost = Remark(0, 0, Evaluation("a", -0.2), Evaluation("b", 0.4)).cost(here)
    assert cost
    assert cost.say() == "the chances fell from about 70\N{NO-BREAK SPACE}% to 40\N{NO-BREAK SPACE}%"
