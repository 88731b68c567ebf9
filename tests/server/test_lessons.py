"""Lessons: exactly the accepted moves solve the task, every other move has its answer, and the API judges so."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest
from markupsafe import escape

from empedocles.core.bits import count, has
from empedocles.games import GAMES
from empedocles.games.fire_and_water.lookups import FIRE, NAMES
from empedocles.games.fire_and_water.lookups import WATER as WATER_NUMBERS
from empedocles.games.fire_and_water.rules import of_seat, sums, surrounded
from empedocles.games.ignite_and_flow.lookups import DESERT, EARTH, WATER
from empedocles.games.ignite_and_flow.lookups import FIRE as FLAMES
from empedocles.language import LANGUAGES
from empedocles.play.partial import Partial
from empedocles.position import Position
from empedocles.server.settings import Settings
from empedocles.server.web.app import create_app
from empedocles.server.web.pages import material as teaching
from empedocles.testing.contract import rule_ids

LESSONS = [(game, lesson) for game in GAMES.values() for lesson in teaching.lessons(game)]
BY_NAME = {(game.name, lesson.name): lesson for game, lesson in LESSONS}
every_lesson = pytest.mark.parametrize(
    ("game", "lesson"), [(game.name, lesson.name) for game, lesson in LESSONS], ids=str
)


# ── What the tasks ask for, as facts of the positions before and after ──


Goal = Callable[[Position, Position], bool]


def points(position: Position, seat: int = 0) -> int:
    scores = np.zeros(position.seats, np.int32)
    position.game.rules.scores(position.state, scores)
    return int(scores[seat])


def gains(number: int) -> Goal:
    return lambda before, after: points(after) - points(before) == number


def wins(_before: Position, after: Position) -> bool:
    return after.result is not None and after.result.winners == {0}


def forces_a_win(_before: Position, after: Position) -> bool:
    """Whatever the others do, seat 0 wins in the end."""
    return won(after, {})


def won(position: Position, known: dict[str, bool]) -> bool:
    """Whether seat 0 wins by best play, found by playing everything; there must be no chance move left."""
    if position.result is not None:
        return 0 in position.result.winners
    if position.text not in known:
        mine = position.to_move == 0
        outcomes = (won(position.play(move), known) == mine for move in reversed(position.legal_moves))
        known[position.text] = any(outcomes) == mine
    return known[position.text]


def wins_next_turn(_before: Position, after: Position) -> bool:
    """Every answer allows seat 0 to win at once."""
    replies = map(after.play, after.legal_moves)
    return all(any(wins(reply, reply.play(move)) for move in reply.legal_moves) for reply in replies)


def is_best(before: Position, after: Position) -> bool:
    """No move leads to more points, by the exact solver; the seat to move is 0."""
    assert before.game.solve is not None
    return lead(after) == max(before.game.solve.values(before.state).values())


def lead(position: Position) -> int:
    assert position.game.solve is not None
    if position.result is not None:
        return position.result.scores[0] - position.result.scores[1]
    best = max(position.game.solve.values(position.state).values())
    return best if position.to_move == 0 else -best


def attacks_next(_before: Position, after: Position) -> bool:
    return after.to_move == 0


def more(element: int, number: int) -> Goal:
    """The goal of `number` more squares of an element, in Ignite and Flow."""
    return lambda before, after: count(after.state.ground[element]) - count(before.state.ground[element]) == number


def burnt(before: Position, after: Position) -> bool:
    return bool(after.state.taken[0] > before.state.taken[0])


def quenched(_before: Position, after: Position) -> bool:
    return points(after) == 3 and not after.state.ground[FLAMES]


def field(position: Position, name: str) -> set[str]:
    found = re.search(rf" {name}=(\S*)", position.text)
    assert found is not None
    return set(found[1].split(","))


def captures(before: Position, after: Position) -> bool:
    return any(len(field(after, element)) < len(field(before, element)) for element in ("air", "water"))


def held(position: Position) -> int:
    """The number of points of power that Fire and Earth hold."""
    return len((field(position, "fire") | field(position, "earth")) & {"f2", "f4", "f8", "f10", "b6", "d6", "h6", "j6"})


def takes_a_point(before: Position, after: Position) -> bool:
    return held(after) == held(before) + 1


def in_safety(before: Position, after: Position) -> bool:
    return takes_a_point(before, after) and not any("x" in move for move in after.legal_moves)


def influence(position: Position, square: str, seat: int) -> int:
    return int(of_seat(sums(position.state, NAMES.index(square), FIRE), seat))


def leads_on_b7(_before: Position, after: Position) -> bool:
    return influence(after, "b7", 0) > influence(after, "b7", 1)


def may_take_b8(before: Position, after: Position) -> bool:
    tokens_placed = bool(after.state.placed[0] > before.state.placed[0])
    return tokens_placed and "Pb8" in Position(after.text.replace("to-move=1", "to-move=0")).legal_moves


def safe_for_good(before: Position, after: Position) -> bool:
    """The leader was placed where Green has no influence, and none can be added: no square beside it is empty."""
    state = after.state
    cell = int(state.leader[0])
    if cell == before.state.leader[0] or not has(surrounded(state, 0), cell):
        return False
    return not of_seat(sums(state, cell, FIRE if has(state.fire[0], cell) else WATER_NUMBERS), 1)


def spares_the_strong(_before: Position, after: Position) -> bool:
    """The mediator is no Mystic and no Warden."""
    return int(after.state.mediators[0]) >= 8


GOALS: dict[tuple[str, str], Goal] = {
    ("ignite-and-flow", "goal"): gains(1),
    ("ignite-and-flow", "react"): more(EARTH, 2),
    ("ignite-and-flow", "temple"): gains(3),
    ("ignite-and-flow", "burn"): burnt,
    ("ignite-and-flow", "flow"): more(WATER, 2),
    ("ignite-and-flow", "flood"): gains(3),
    ("ignite-and-flow", "chain"): quenched,
    ("ignite-and-flow", "scorch"): more(DESERT, 4),
    ("ignite-and-flow", "last-square"): wins,
    ("ignite-and-flow", "nobody"): wins,
    ("elemental-defenders", "same-element"): attacks_next,
    ("elemental-defenders", "same-level"): attacks_next,
    ("elemental-defenders", "no-answer"): wins,
    ("elemental-defenders", "virtue"): is_best,
    ("elemental-defenders", "patience"): is_best,
    ("elemental-defenders", "mediator"): spares_the_strong,
    ("elemental-defenders", "tenth"): is_best,
    ("elemental-defenders", "challenge"): is_best,
    ("elemental-defenders", "thrift"): is_best,
    ("points-of-power", "step"): lambda _before, after: "mp" in field(after, "fire"),
    ("points-of-power", "capture"): captures,
    ("points-of-power", "safe"): captures,
    ("points-of-power", "flee"): in_safety,
    ("points-of-power", "exposed"): takes_a_point,
    ("points-of-power", "last-exposed"): wins,
    ("points-of-power", "eight"): wins,
    ("points-of-power", "edge"): wins_next_turn,
    ("fire-and-water", "elemental"): lambda _before, after: "g7" in field(after, "elementals"),
    ("fire-and-water", "influence"): leads_on_b7,
    ("fire-and-water", "possession"): gains(1),
    ("fire-and-water", "tip"): may_take_b8,
    ("fire-and-water", "leader"): safe_for_good,
    ("fire-and-water", "conquer"): gains(2),
    ("fire-and-water", "claim"): gains(2),
    ("fire-and-water", "last-tokens"): wins,
    ("fire-and-water", "last-turns"): wins,
    ("fire-and-water", "before-it-ends"): forces_a_win,
}


@every_lesson
def test_exactly_the_accepted_moves_do_the_task(game: str, lesson: str) -> None:
    taught, goal = BY_NAME[game, lesson], GOALS[game, lesson]
    before = Position(taught.position)
    assert {move for move in before.legal_moves if goal(before, before.play(move))} == set(taught.accepted)


@every_lesson
def test_a_lesson_can_be_played_and_every_other_move_has_its_answer(game: str, lesson: str) -> None:
    taught = BY_NAME[game, lesson]
    position = Position(taught.position)
    assert position.text == taught.position, "written as positions write themselves"
    assert position.game.name == game
    assert position.to_move == 0
    others = [move for move in position.legal_moves if move not in taught.accepted]
    assert others, "there is something to choose from"
    said = {words["en"] for words in map(taught.answer, others)}
    assert said == {words["en"] for _pattern, words in taught.wrong}, "an answer that no move gets"


@every_lesson
def test_the_accepted_moves_can_be_clicked(game: str, lesson: str) -> None:
    taught = BY_NAME[game, lesson]
    for move in taught.accepted:
        entry = Partial(Position(taught.position))
        for group in GAMES[game].paths[GAMES[game].action_of[move]]:
            for target in sorted(group):
                entry = entry.choose(target)
        assert entry.whole == move


@every_lesson
def test_everything_is_said_in_every_language(game: str, lesson: str) -> None:
    taught = BY_NAME[game, lesson]
    assert taught.rule in rule_ids(GAMES[game])
    for words in (
        taught.about or taught.title,
        taught.title,
        taught.task,
        taught.hint,
        taught.done,
        *(words for _pattern, words in taught.wrong),
    ):
        assert set(words) == set(LANGUAGES)
        assert all(words.values())
        assert words["en"] != words["de"]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_has_five_to_ten_lessons(game: Any) -> None:
    names = [lesson.name for lesson in teaching.lessons(game)]
    assert 5 <= len(names) == len(set(names)) <= 10


# ── The API and the pages ──


def ask(method: str, path: str, **wanted: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(create_app(Settings(bots=0)))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **wanted)

    return asyncio.run(asked())


def judged(path: str, language: str = "en", **tried: Any) -> dict[str, Any]:
    response = ask("POST", f"/api/lessons/{path}", json=tried, headers={"cookie": f"language={language}"})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_a_right_move_is_right_and_shown() -> None:
    answer = judged("ignite-and-flow/4", move="Fc3>c4")
    assert answer["verdict"] == "right"
    assert answer["words"] == BY_NAME["ignite-and-flow", "burn"].done["en"]
    assert answer["said"] == "White burns from c3 to c4 and destroys the temple there"
    assert any(piece[0].startswith("fire") for piece in answer["frame"]["pieces"])


def test_a_legal_move_that_is_not_the_task_is_answered_in_the_readers_language() -> None:
    answer = judged("fire-and-water/2", "de", move="F2b6W2b5")
    assert answer["verdict"] == "other"
    assert answer["words"] == "2 gegen 2: Ein Gleichstand ist keine Mehrheit."


def test_an_illegal_move_is_answered_with_its_rule() -> None:
    answer = judged("points-of-power/6", move="g10-f10")
    assert (answer["verdict"], answer["rule"]) == ("illegal", "PP-12")
    assert "frame" not in answer


def test_a_text_that_is_no_move_is_illegal_without_a_rule() -> None:
    answer = judged("points-of-power/6", move="<b>")
    assert (answer["verdict"], answer["rule"]) == ("illegal", None)


def test_a_target_that_cannot_be_chosen_is_answered_with_its_rule() -> None:
    answer = judged("elemental-defenders/3", chosen=["Me"])
    assert (answer["verdict"], answer["rule"]) == ("illegal", "ED-10")
    nothing = judged("elemental-defenders/3", chosen=["confirm", "nowhere"])
    assert (nothing["verdict"], nothing["rule"]) == ("illegal", None)


def test_who_is_stuck_is_shown_how_it_goes() -> None:
    answer = judged("elemental-defenders/8", show=True)
    assert (answer["verdict"], answer["move"]) == ("shown", "Me!")


@pytest.mark.parametrize(
    ("path", "status"), [("ignite-and-flow/0", 404), ("ignite-and-flow/99", 404), ("chess/1", 422)]
)
def test_lessons_that_do_not_exist(path: str, status: int) -> None:
    assert ask("POST", f"/api/lessons/{path}", json={"move": "a1"}).status_code == status
    assert ask("GET", f"/learn/{path}").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_of_lessons(language: str) -> None:
    cookie = {"cookie": f"language={language}"}
    shelf = ask("GET", "/learn", headers=cookie).text
    for game in GAMES.values():
        assert f'href="/learn/{game.name}"' in shelf
        lessons = teaching.lessons(game)
        page = ask("GET", f"/learn/{game.name}/{len(lessons)}", headers=cookie).text
        assert escape(lessons[-1].title[language]) in page
        assert "style=" not in page, "the policy for pages allows no style attributes"
        assert 'class="button next play"' in page, "after the last lesson comes a match"


def test_a_phone_gets_the_tall_picture_first() -> None:
    phone = ask("GET", "/learn/ignite-and-flow", headers={"user-agent": "Mozilla/5.0 (Linux; Android 14) Mobile"})
    assert 'data-wide="0"' in phone.text
    assert 'data-wide="1"' in ask("GET", "/learn/ignite-and-flow").text


def test_a_lesson_asks_for_the_next_choice() -> None:
    path = "/api/lessons/elemental-defenders/{}/leads?target=Me"
    asked = ask("GET", path.format(8), headers={"cookie": "language=de"}).json()
    assert asked["next"].startswith("Spiele sie so aus, oder wähle „Herausforderung“")
    assert ask("GET", path.format(99)).json()["code"] == "unknown-lesson"
