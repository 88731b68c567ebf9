"""Everything that is needed to play is in view: no prompt covers a legal target, and words are large enough to read."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from e2e.browsers import Opens
from e2e.people import click_move, wait_for_turn
from playwright.sync_api import Page, expect

from empedocles.agents import find
from empedocles.core.kernel import CHANCE
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.language import LANGUAGES
from empedocles.play.frames import frame
from empedocles.play.match import Match
from empedocles.play.partial import Partial
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.search.limits import Limit
from empedocles.server.web.pages.material import introduction, lessons
from empedocles.testing.samples import random_match

PHONES = (360, 640), (390, 844)
SIZES = (*PHONES, (1280, 800))
LEAST = 11.0  # pixels of what must be read on a phone
PICTURE = 40.0  # more than the smallest letters have in any picture
STATES = 200  # of each game
WITH_OVERLAYS = 0.5  # of them have the overlays of the first games
AT_ONCE = 25  # states that a page is handed at a time
HINTS = {  # the longest that was met in matches, by language; and the longest warning
    "en": "You could set no mediator aside. With best play after this move, Evening has to beware of five attacks to "
    "each of which there is only one answer, and after another one (set the Knight of Fire aside as mediator) of none.",
    "de": "Du könntest keine Vermittlerin beiseitelegen. Bei bestem Spiel nach diesem Zug muss Abend achtgeben auf "
    "fünf Angriffe, auf die es je nur eine einzige Antwort gibt, nach einem anderen (die Ritterin des Feuers als "
    "Vermittlerin beiseitelegen) nicht.",
}
WARNINGS = {
    "en": "Morning can answer with the Mystic of Water and win the round with the Priestess of Earth: 77 points.",
    "de": "Morgen kann mit der Mystikerin des Wassers antworten und die Runde mit der Priesterin der Erde gewinnen.",
}


class Case(NamedTuple):
    """A table of one shape: what is drawn on it has one layout."""

    game: Game
    options: dict[str, Any]
    share: float  # of the states of its game


CASES = [
    Case(GAMES[name], GAMES[name].complete(options), share)
    for name, options, share in (
        ("elemental-defenders", {"mode": "advanced"}, 1),
        ("ignite-and-flow", {}, 1),
        ("points-of-power", {"players": 2}, 0.5),
        ("points-of-power", {"players": 4}, 0.5),
        ("fire-and-water", {"players": 2}, 0.3),
        ("fire-and-water", {"players": 3}, 0.3),
        ("fire-and-water", {"players": 4}, 0.4),
    )
]

# Finds the smallest letters of pictures; those outside of `frame`, if one is given, are not seen.
READ = """
  let smallest = [Infinity, ""];
  const read = (node, scale, frame) => {
    if (frame && "use text".includes(node.tagName)) {
      const { left, top, right, bottom } = node.getBoundingClientRect();
      if (Math.min(right, frame.right) - Math.max(left, frame.left) < 1) return;
      if (Math.min(bottom, frame.bottom) - Math.max(top, frame.top) < 1) return;
    }
    const matrix = node.transform?.baseVal.consolidate()?.matrix;
    const here = scale * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    if (node.tagName === "use") return read(document.querySelector(node.getAttribute("href")), here);
    if (node.tagName === "text" || node.tagName === "tspan") {
      const size = parseFloat(getComputedStyle(node).fontSize) * here;
      if (node.textContent && size < smallest[0]) smallest = [size, node.textContent];
    }
    for (const child of node.children) read(child, here, frame);
  };
"""

# Shows states one after another as a table does. What is found is a list of problems, and the smallest letters.
CHECK = (
    f"async ({{ states, words }}) => {{ {READ}"
    + """
  const { entry } = await import("/static/table/entering.js"), { fit } = await import("/static/table/fitting.js");
  const find = (id) => document.getElementById(id), board = entry.board, problems = [];
  const button = (textContent) => Object.assign(document.createElement("button"), { textContent });
  let widest = 0;
  const overlap = (one, two) =>
    one.left < two.right && one.right > two.left && one.top < two.bottom && one.bottom > two.top;
  const open = (place, words, ...buttons) => {
    find(place).hidden = !words;
    const said = Object.assign(document.createElement("p"), { textContent: words });
    find(place).replaceChildren(said, ...buttons.map(button));
  };
  states.forEach(({ name, frame, can, prompt, detail, buttons, hint, warning }, index) => {
    find("prompt").textContent = prompt;
    find("detail").textContent = detail;
    find("choices").replaceChildren(...buttons.map(button));
    open("hint", hint, ...(detail ? ["Why?"] : []));
    open("warning", warning, "Play it", "Choose another");
    find("bar").classList.toggle("busy", Boolean(detail));
    find("bar").classList.toggle("warned", Boolean(warning));
    board.show(frame);
    board.mark(new Set(warning ? [] : can), [], new Set()); // a warning is answered first
    fit(); // which the page does before the next picture
    const bar = find("bar"), over = bar.getBoundingClientRect(), svg = board.svg;
    if (over.bottom > innerHeight) problems.push(`${name}: the prompt ends below the window`);
    const parts = [...bar.children].map((part) => part.getBoundingClientRect()).filter(({ height }) => height);
    parts.forEach((one, at) => {
      if (parts.slice(at + 1).some((two) => overlap(one, two))) problems.push(`${name}: the prompt is printed over`);
      if (one.bottom > over.bottom) problems.push(`${name}: the prompt does not end in its place`);
    });
    for (const target of svg.querySelectorAll(".e-can")) {
      const { left, top, right, bottom } = target.getBoundingClientRect();
      const covered = overlap({ left, top, right, bottom }, over);
      const outside = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
      if (covered || outside) problems.push(`${name}: ${target.dataset.target} is ${covered ? "covered" : "outside"}`);
    }
    const across = svg.getBoundingClientRect().width;
    if (hint && across < widest) problems.push(`${name}: the hint takes room from the board`);
    else widest = across;
    if (!words || index % 6) return;
    for (const place of document.querySelectorAll("body *")) {
      const said = [...place.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
      if (!said || place.closest("svg") || !place.checkVisibility()) continue;
      const size = parseFloat(getComputedStyle(place).fontSize);
      if (size > 0 && size < smallest[0]) smallest = [size, place.textContent];
    }
    for (const layer of svg.querySelectorAll("[data-layer]")) read(layer, svg.getScreenCTM().a);
  });
  return { problems, smallest };
}"""
)


def _sample(case: Case, number: int) -> Iterator[tuple[Match, int]]:
    """Positions of random matches in which a player has to decide, as matches with plies."""
    luck = random.Random(f"{case.game.name} {case.options}")
    while number > 0:
        match = random_match(case.game, case.options, luck.getrandbits(32))
        plies = _decisions(match)
        for ply in sorted(luck.sample(plies, min(20, number, len(plies)))):  # pieces are followed from ply to ply
            number -= 1
            yield match, ply


def _decisions(match: Match) -> list[int]:
    """The plies at which a player has to decide."""
    return [ply for ply in range(match.plies) if match.at(ply).to_move not in (CHANCE, None)]


def _states(match: Match, ply: int, wide: bool) -> Iterator[dict[str, Any]]:
    """What the player to move sees, before anything is chosen; for some, with a target chosen, too."""
    position, luck = match.at(ply), random.Random(ply)
    language = luck.choice(LANGUAGES)
    introduced = introduction(match.game) if luck.random() < WITH_OVERLAYS else None
    overlays = introduced.overlays if introduced else ()
    shown = frame(match, ply, Look(language=language, wide=wide, seat=position.to_move, overlays=overlays))
    said = position.words(luck.choice(position.legal_moves)).say(language)
    first = Partial(position)
    for entered in (first, *([first.choose(luck.choice(sorted(first.targets)))] if ply % 4 == 0 else [])):
        yield {
            "name": f"{position.text} {' '.join(entered.chosen)}",
            "frame": shown,
            "can": sorted(entered.targets),
            "prompt": entered.prompt.say(language) if entered.prompt else "",
            "detail": said if entered.chosen else "",
            "buttons": ["Play it", "Cancel"] if entered.chosen else [],
            "hint": HINTS[language] if ply % 3 == 1 else "",
            "warning": WARNINGS[language] if ply % 3 == 2 and entered.chosen else "",
        }


def _sit_at(page: Page, case: Case, seat: int) -> None:
    """Open a table of this shape."""
    page.request.post("/api/players", data={"name": "Ada"})
    start = next(match.at(ply) for match, ply in _sample(case, 200) if match.at(ply).to_move == seat)
    bots = {"kind": "bot", "agent": "level-1"}
    seats = [{"kind": "me"} if k == seat else bots for k in range(int(start.state.seats))]
    wanted = {"game": case.game.name, "options": case.options, "start": start.text, "seats": seats}
    page.goto(f"/t/{page.request.post('/api/matches', data=wanted).json()['id']}")
    wait_for_turn(page)


def _check(page: Page, states: Iterable[dict[str, Any]], phone: bool) -> tuple[list[str], tuple[float, str]]:
    problems: list[str] = []
    smallest = (99.0, "")
    waiting = iter(states)
    while some := list(itertools.islice(waiting, AT_ONCE)):
        found = page.evaluate(CHECK, {"states": some, "words": phone})
        problems += found["problems"]
        smallest = min(smallest, tuple(found["smallest"]))
    return problems, smallest


def _name(case: Case) -> str:
    return f"{case.game.name}-{case.options.get('players', 2)}"


def _check_all(opens: Opens, case: Case, shown: list[tuple[Match, int]], sizes: Iterable[tuple[int, int]]) -> int:
    """Check positions at each size of a window. Returns their number, with those where a target is chosen."""
    drawn: dict[bool, list[dict[str, Any]]] = {}  # by whether the picture is wide
    for width, height in sizes:
        phone = (width, height) in PHONES
        page = opens(width, height, phone=phone)
        _sit_at(page, case, seat=1)
        wide = page.evaluate("async () => (await import('/static/table/state.js')).now.wide")
        if wide not in drawn:
            drawn[wide] = [state for match, ply in shown for state in _states(match, ply, wide)]
        problems, (size, text) = _check(page, drawn[wide], phone)
        assert not problems, (len(problems), problems[:5])
        assert not phone or size >= LEAST, f"{text!r} has {size:.1f} px at {width} x {height}"
        print(f"{_name(case)} at {width} x {height}: {len(drawn[wide])} states, no letter below {size:.2f} px")
    return sum(map(len, drawn.values()))


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_no_prompt_covers_a_legal_target_and_words_can_be_read(opens: Opens, case: Case) -> None:
    sampled = list(_sample(case, round(STATES * case.share)))
    assert _check_all(opens, case, sampled, SIZES) >= len(sampled)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=_name)
def test_in_all_states_of_twenty_matches(opens: Opens, case: Case) -> None:
    """Half of them are random, and half are played by the weakest opponent."""
    matches = [_played(case, seed) for seed in range(round(20 * case.share))]
    shown = [(match, ply) for match in matches for ply in _decisions(match)]
    assert _check_all(opens, case, shown, PHONES) >= len(shown)


def _played(case: Case, seed: int) -> Match:
    if seed % 2:
        return random_match(case.game, case.options, seed)
    match, bot = Match(Position.start(case.game, case.options), seed=seed), find("level-1", seed, case.game)
    while not match.is_over:
        match.play(bot.choose(match.position, Limit(simulations=16)))
    return match


AT_HAND = """(selector) => {
  const button = document.querySelector(selector), { left, top, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (1280, 720), (1366, 657)], ids=str)
def test_beside_every_board_are_six_lines_of_moves_and_all_buttons(opens: Opens, size: tuple[int, int]) -> None:
    width, height = size
    for case in (CASES[0], CASES[-1]):
        page = opens(width, height, language="de" if case.options.get("players") else "en")
        _sit_at(page, case, seat=1)
        click_move(page)
        wait_for_turn(page)
        page.locator("[data-do=hint]").click()
        page.wait_for_selector("#hint:not([hidden])")
        buttons = ["hint", "back", "resign"]
        for button in (
            *(f"[data-do={name}]" for name in buttons),
            "[data-walk=last]",
            ".more > summary",
            "#hint button",
        ):
            assert page.evaluate(AT_HAND, button), f"{button} at {_name(case)} and {width} x {height}"
        line = page.locator("#moves li").first.evaluate("(line) => parseFloat(getComputedStyle(line).lineHeight)")
        whole = page.locator("#moves").bounding_box()
        assert whole
        assert whole["height"] >= 6 * line, f"{_name(case)} at {width} x {height}"
        assert whole["y"] + whole["height"] <= height
        page.locator("#hint button").click()
        page.locator("#hint button").click()
        log, bar = page.locator(".log").bounding_box(), page.locator("#bar").bounding_box()
        assert log
        assert bar
        assert bar["y"] + bar["height"] <= log["y"]


@pytest.mark.parametrize("size", PHONES, ids=str)
def test_words_in_the_pictures_of_rules_can_be_read_on_a_phone(opens: Opens, size: tuple[int, int]) -> None:
    page = opens(*size, phone=True)
    layers = "document.querySelectorAll('main svg [data-layer]')"
    for game in GAMES:
        page.goto(f"/rules/{game}")
        measure = f"{{ {READ} for (const layer of {layers}) read(layer, layer.getScreenCTM().a); return smallest; }}"
        found, text = page.evaluate(f"() => {measure}")
        assert LEAST <= found < PICTURE, f"{text!r} has {found:.1f} px in the rules of {game}"


# Of each picture in a part of a page: the smallest letters that are seen.
PICTURES = f"""(within) => [...document.querySelectorAll(`${{within}} svg:has([data-layer])`)].map((svg) => {{ {READ}
  const frame = svg.getBoundingClientRect();
  for (const layer of svg.querySelectorAll("[data-layer]")) read(layer, layer.getScreenCTM().a, frame);
  return smallest;
}})"""


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_words_in_the_pictures_of_introductions_and_lessons_can_be_read(opens: Opens, size: tuple[int, int]) -> None:
    page = opens(*size, phone=size in PHONES, language="de")
    for game in GAMES.values():
        page.goto(f"/new?game={game.name}")
        page.evaluate("async () => void (await import('/static/introduction.js')).introduce()")
        page.wait_for_selector("#introduction .steps svg")
        small = [one for one in page.evaluate(PICTURES, "#introduction") if one[0] < LEAST]
        assert not small, f"in the introduction of {game.name}"
        for number in range(1, len(lessons(game)) + 1) if size in PHONES else ():
            page.goto(f"/learn/{game.name}/{number}")
            small = [one for one in page.evaluate(PICTURES, ".lesson .board") if one[0] < LEAST]
            assert not small, f"in lesson {number} of {game.name}"


PHRASES = """() => {
  const frame = document.querySelector(".phrases").getBoundingClientRect();
  return [...document.querySelectorAll(".phrases > span > span")].map((phrase) => {
    const { top, right, bottom } = phrase.getBoundingClientRect();
    const cut = right > frame.right + 1 || (top < frame.bottom - 2 && bottom > frame.bottom + 2);
    return [phrase.textContent, !cut && bottom <= frame.bottom + 2, cut];
  });
}"""

CUT = """() => [...document.querySelectorAll(".seat :is(b, span, time):not(.hidden)")]
  .filter((part) => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1 && part.clientWidth)
  .map((part) => part.textContent)"""


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_aim_and_the_score_are_always_in_view_and_no_phrase_is_cut(opens: Opens, size: tuple[int, int]) -> None:
    page = opens(*size, phone=size in PHONES, language="de")
    for case in CASES:
        _sit_at(page, case, seat=1)
        phrases: list[tuple[str, bool, bool]] = page.evaluate(PHRASES)
        shown = [text for text, visible, _ in phrases if visible]
        assert shown[0].startswith("Ziel: "), _name(case)
        assert re.search(r"\d\u00a0:\u00a0", shown[1]), f"the score at {_name(case)}: {shown}"
        assert not any(cut for *_, cut in phrases), (_name(case), phrases)
        assert not page.evaluate(CUT), f"who sits at {_name(case)}"
        expect(page.locator(".seat .level")).to_have_text(["Stufe 1"] * (int(case.options.get("players", 2)) - 1))
        assert all(level.is_visible() for level in page.locator(".seat .level").all())
