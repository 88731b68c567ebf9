"""A match summed up: every number in the sentences is counted again here, in another way."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from empedocles.agents import SearchAgent
from empedocles.agents import find as find_agent
from empedocles.coach import claims
from empedocles.coach.summary import ABOUT, ALLOWED, MISSED, Slip, Tally, sentences, tally
from empedocles.game import Game
from empedocles.games import find
from empedocles.language import LANGUAGES, Message, Term
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


def seats_named(match: Match, clause: Message, viewer: int | None) -> list[int]:
    """Whom a clause is about: the reader's side, or those who are named."""
    seats, sides = range(match.position.seats), match.game.sides(match.position.seats)
    if "player" not in clause.values:
        assert viewer is not None
        return [seat for seat in seats if sides[seat] == sides[viewer]]
    named = clause.values["player"]
    said = {one.say() for one in (named, *named.values.values()) if isinstance(one, Message)}
    both = [(match.game.subject(len(sides), seat), match.game.seat_name(len(sides), seat)) for seat in seats]
    return [seat for seat in seats if said & {name.say() for name in both[seat]}]


def terms_in(message: Message) -> list[str]:
    """The phrases of ideas in a message, in order."""
    found = []
    for value in message.values.values():
        if isinstance(value, Message):
            found += terms_in(value)
        elif isinstance(value, Term):
            found.append(str(value))
    return found


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_every_comparison_can_be_counted_again(name: str, options: dict[str, object]) -> None:
    match, remarks, told = gone_through(find(name), options)
    done, did = counted(match, remarks), {idea.did: idea.title for idea in match.game.concepts if idea.did}
    sides = match.game.sides(match.position.seats)
    for viewer in (None, *range(match.position.seats)):
        said = told.sentences(viewer)
        assert 1 <= len(said) <= 3
        assert all(one.say(language)[0].isupper() for one in said for language in LANGUAGES)
        for clause in [said[0].values.get(which) for which in ("one", "two")]:
            if clause is None:
                continue
            own, phrases = seats_named(match, clause, viewer), terms_in(clause.values["done"])
            assert phrases
            for phrase in phrases:
                sums = Counter(dict.fromkeys(sides, 0))
                for seat, side in enumerate(sides):
                    sums[side] += done[seat, did[phrase]]
                assert sums.pop(sides[own[0]]) > max(sums.values())


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_habits_are_mistakes_made_more_than_once(name: str, options: dict[str, object]) -> None:
    match, _remarks, told = gone_through(find(name), options)
    for viewer in (None, *range(match.position.seats)):
        for sentence in told.sentences(viewer):
            if "things" in sentence.values:
                slips = told.counted.mistakes(seats_named(match, sentence, viewer))
                ideas = {idea.name: idea for idea in match.game.concepts}
                often = [ideas[slip.concept] for slip, n in slips.items() if n > 1 and slip.concept in ideas]
                assert set(terms_in(sentence.values["things"])) <= {
                    phrase for idea in often for phrase in (idea.do, idea.title)
                }


def test_nobody_is_praised_and_blamed_for_the_same() -> None:
    game = find("fire-and-water")
    counted = Tally(game, 2)
    counted.deeds[0, "won-majorities"], counted.worth[0, "won-majorities"] = 5, 5
    counted.slips[0, Slip(MISSED, "won-majorities")] = 4
    first, last = (one.say() for one in sentences(counted, None))
    assert first == "Red won more majorities."
    assert last.startswith("No single move")
    counted.slips[0, Slip(MISSED, "claims")] = 2
    assert sentences(counted, None)[1].say() == (
        "Red would have done better to take more of the chances to claim elementals."
    )


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_strengths_and_weaknesses_are_counted(name: str, options: dict[str, object]) -> None:
    match, remarks, told = gone_through(find(name), options)
    done, seats = counted(match, remarks), range(match.position.seats)
    did = {idea.did: idea.title for idea in match.game.concepts if idea.did}
    for seat in seats:
        strong, weak = told.strengths(seat), told.weaknesses(seat)
        assert len(strong) <= 3
        assert len(weak) <= 3
        for one in strong:
            (phrase,) = terms_in(one)
            others = [done[other, did[phrase]] for other in seats if other != seat]
            assert done[seat, did[phrase]] > sum(others) / len(others)
        marked = sum(remark.seat == seat and bool(remark.mark) for remark in remarks)
        assert bool(weak) == bool(marked)
        assert all("{" not in one.say(language) for one in (*strong, *weak) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (0.2, -0.1, "No single move turned the match: many small things added up."),  # 70 % to 45 %
        (0.2, -0.4, "The match turned on move 1 (White places fire on c3): your chances fell from about 70"),
        (-0.1, -0.6, "No single move turned the match; most was lost by move 1 (White places fire on c3): your"),
    ],
)
def test_a_turning_point_is_where_the_lead_changed(before: float, after: float, said: str) -> None:
    match = Match(Position.start(find("ignite-and-flow"), {})).play("Fc3")
    remark = Remark(0, 0, Evaluation("Fc3", after, line=("Fc3",)), Evaluation("Ec3", before, line=("Ec3",)))
    told = story(match, [remark])
    assert told.sentences(0)[-1].say().startswith(said)
    assert (told.turning is not None) == ("The match turned" in said)
    assert told.costliest == (0 if "most was lost" in said else None)
    assert "your" not in told.sentences(1)[-1].say()


def test_a_turning_point_says_what_stood_on_the_board_then() -> None:
    pieces = (
        "fire=g2,j8,j9,k9,j10,i11,j11,k11 air=i1,j1,k1,j2,k2,d4,j4 earth=a1,b1,d1,a2,b2,d2,a3,b4,e10 "
        "water=a8,f8,a9,i9,b10,a11,b11,c11"
    )
    start = Position(f"points-of-power players=4 board=cross {pieces} moved=FAEW quiet=19 to-move=0")
    better, played = Evaluation("j8-i7", 0.7, line=("j8-i7",)), Evaluation("i11-i10", -0.4, line=("i11-i10",))
    told = story(Match(start).play("i11-i10"), [Remark(0, 0, played, better)])
    state = "then had to worry about one piece that can be captured without risk (j8)."
    assert [told.sentences(viewer)[-1].say().partition("; ")[2] for viewer in (0, 1)] == [
        f"you {state}",
        f"Fire {state}",
    ]


def test_a_mistake_is_about_what_its_main_claim_says() -> None:
    match, remarks, told = gone_through(find("ignite-and-flow"), {})
    slips: Counter[tuple[int, Slip]] = Counter()
    for remark in remarks:
        if remark.mark and (why := remark.explained(match.at(remark.ply))):
            claim = why.claims[0]
            missed = claim.words.text in (claims.COULD, claims.COULD_NEXT, claims.COULD_SOON, claims.COULD_LATER)
            kind = MISSED if missed else ALLOWED if "{deed}" in claim.words.text else ABOUT
            slips[remark.seat, Slip(kind, claim.concept)] += 1
    assert told.counted.slips == slips
    assert slips, "a weak match has mistakes"


def test_you_are_the_one_who_reads() -> None:
    _, _, told = gone_through(find("elemental-defenders"), {})
    anybody, mine = (" ".join(one.say() for one in told.sentences(viewer)) for viewer in (None, 0))
    assert "Dawn" in anybody
    assert "You" in mine
    assert "Dawn w" not in mine


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
    assert cost.say() == "the chances fell from about 90\N{NO-BREAK SPACE}% to 30\N{NO-BREAK SPACE}%"
