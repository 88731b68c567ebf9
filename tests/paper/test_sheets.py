"""Sheets to cut out: everything once, at true size, nothing over anything else; and the rules in short on two pages."""

from __future__ import annotations

import io
import itertools
import re
from collections import Counter
from typing import Any

import pypdf
import pytest
import typst
from PIL import Image

from empedocles import BadValue, BoardError, Position, UnknownName
from empedocles.game import Component, Game
from empedocles.games import GAMES
from empedocles.language import LANGUAGES, translate
from empedocles.paper import PAPERS, matches, print_out
from empedocles.paper.booklet import booklet
from empedocles.paper.contents import contents
from empedocles.paper.layout import FLAP, Placed, Segment, cuts, pack, places
from empedocles.paper.markdown import to_typst
from empedocles.paper.sheets import PageText, component_pages, component_picture, preamble
from empedocles.paper.sizes import MARGIN
from empedocles.render.picture import Look
from empedocles.testing.samples import all_options

PRINTED = [game for game in GAMES.values() if game.printing]
CASES = [
    pytest.param(game, options, paper, id=" ".join([game.name, *map(str, options.values()), paper]))
    for game in PRINTED
    for options in all_options(game)
    for paper in PAPERS
]


def components(game: Game, options: dict[str, Any], language: str = "en") -> list[Component]:
    assert game.printing
    return game.printing.components(options, language)


def laid_out(parts: list[Component], paper: str) -> list[list[Placed]]:
    return [list(places(page, PAPERS[paper])) for page in pack(parts, PAPERS[paper])]


def whole_box(game: Game, language: str = "en") -> list[Component]:
    assert game.printing
    return contents(game.printing, matches(game, {}, box=True), box=True, language=language)


def square(size: float, number: int = 1, **more: Any) -> Component:
    return Component("square", number, size, size, (60, 60), '<rect class="ink" width="60" height="60"/>', **more)


# ── What is on the pages ──


def needed(game: str, options: dict[str, Any]) -> dict[str, int]:
    """What the rule book says; the supply of Ignite and Flow is unlimited, so we chose."""
    players = int(options.get("players", 2))
    tokens, markers = (15, 12) if players == 4 else (20, 16)  # FW-2
    each = {"influence marker": markers, "possession token": tokens, "leader": 1}
    return {
        "elemental-defenders": {"card": 20, "player aid": 4},  # ED-1, and two aids for each player
        "fire-and-water": {"board": 1, "elemental": 3} | {name: players * n for name, n in each.items()},
        "ignite-and-flow": {"board": 1, "fire": 18, "water": 18, "earth": 30, "desert": 24}
        | {"temple of White": 3, "temple of Black": 3},  # IF-2
        "points-of-power": {"board": 1, "Fire": 9, "Water": 9, "Earth": 9, "Air": 9},  # PP-4
    }[game]


@pytest.mark.parametrize(("game", "options", "paper"), CASES)
def test_everything_is_there_in_its_number(game: Game, options: dict[str, Any], paper: str) -> None:
    parts, laid = components(game, options), Counter[str]()
    for placed in itertools.chain(*laid_out(parts, paper)):
        laid[parts[placed.cutout.component].name] += placed.cutout.part.number == 1
    assert laid == needed(game.name, options)


def test_a_box_of_fire_and_water_has_all_that_the_original_lists() -> None:
    parts, counted = whole_box(GAMES["fire-and-water"]), Counter[str]()
    for part in parts:
        counted[part.name] += part.number
    neutral = "neutral possession token, instead of the coloured ones"
    each = {"influence marker": 16, "possession token": 20, "leader": 1}
    assert counted == {"board": 2, "elemental": 3, neutral: 60} | {name: 4 * n for name, n in each.items()}
    markers = [part.markup for part in parts if part.name == "influence marker"]
    assert len(set(markers)) == len(markers)
    assert {part.width / 23 for part in parts if part.folded} == {8, 12}


@pytest.mark.parametrize("game", PRINTED, ids=lambda game: str(game.name))
def test_a_box_has_what_any_match_needs(game: Game) -> None:
    box = {part._replace(number=1): part.number for part in whole_box(game)}
    for size in game.seating.values if game.seating else [None]:
        chosen = {game.seating.name: size} if game.seating else {}
        parts = components(game, game.complete(chosen))
        assert all(box[part._replace(number=1)] >= part.number for part in parts)
        if not game.seating:
            assert sum(box.values()) == sum(part.number for part in parts)


def test_a_box_is_for_no_single_number_of_players() -> None:
    game = GAMES["fire-and-water"]
    with pytest.raises(BadValue, match="a box is for every number of players: leave out players=4"):
        print_out(game, {"players": 4}, box=True)
    with pytest.raises(BoardError, match="12"):  # fits two players, but no more
        print_out(game, {"board": "/".join(["FWFWFWFW"] * 8)}, box=True)


@pytest.mark.parametrize(("game", "options", "paper"), CASES)
def test_pieces_have_their_size_and_do_not_overlap(game: Game, options: dict[str, Any], paper: str) -> None:
    parts, size = components(game, options), PAPERS[paper]
    for page in laid_out(parts, paper):
        for cutout, x, y in page:
            part = parts[cutout.component]
            if cutout.part.of == 1:
                measures = (part.height, part.width) if cutout.turned else (part.width, part.height)
                assert (cutout.width, cutout.height) == pytest.approx(measures)
            assert x >= MARGIN - 1e-6
            assert y >= MARGIN - 1e-6
            assert x + cutout.width <= size.width - MARGIN + 1e-6
            assert y + cutout.height <= size.height - MARGIN + 1e-6
        assert not any(overlap(a, b) for a, b in itertools.combinations(page, 2))


def overlap(a: Placed, b: Placed) -> bool:
    return (
        a.x < b.x + b.cutout.width - 1e-6
        and b.x < a.x + a.cutout.width - 1e-6
        and a.y < b.y + b.cutout.height - 1e-6
        and b.y < a.y + a.cutout.height - 1e-6
    )


@pytest.mark.parametrize(("game", "options", "paper"), CASES)
def test_no_cut_is_made_twice(game: Game, options: dict[str, Any], paper: str) -> None:
    for page in pack(components(game, options), PAPERS[paper]):
        lines: dict[tuple[bool, float], list[tuple[float, float]]] = {}
        for line in cuts(page, PAPERS[paper]):
            key, span = across(line)
            lines.setdefault(key, []).append(span)
        for spans in lines.values():
            assert all(end <= start + 1e-6 for (_, end), (start, _) in itertools.pairwise(sorted(spans)))


def across(line: Segment) -> tuple[tuple[bool, float], tuple[float, float]]:
    """Which line it lies on, and from where to where."""
    x0, y0, x1, y1 = line
    return ((True, round(y0, 4)), (x0, x1)) if y0 == y1 else ((False, round(x0, 4)), (y0, y1))


@pytest.mark.parametrize("game", PRINTED, ids=lambda game: str(game.name))
def test_components_fit_few_pages(game: Game) -> None:
    for options, paper in itertools.product(all_options(game), PAPERS):
        parts = components(game, options)
        ink = sum(part.number * part.width * part.height for part in parts)
        room = PAPERS[paper].room[0] * PAPERS[paper].room[1]
        assert len(pack(parts, PAPERS[paper])) <= ink / room / 0.6 + 2


def test_pieces_are_turned_where_more_fit_so() -> None:
    card = Component("card", 20, 63, 88, (63, 88), "")
    assert [len(page) for page in laid_out([card], "a4")] == [9, 9, 2]
    assert [len(page) for page in laid_out([card], "letter")] == [8, 8, 4]


# ── Boards ──


@pytest.mark.parametrize("paper", PAPERS)
def test_a_board_that_fits_turned_is_turned(paper: str) -> None:
    (page,) = laid_out([Component("board", 1, 250, 150, (600, 360), "", folded=True)], paper)
    assert page[0].cutout.turned
    assert page[0].cutout.part.of == 1


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("columns", "rows"), [(12, 8), (11, 11), (20, 20), (8, 30)])
def test_a_large_board_is_split_between_squares(columns: int, rows: int, paper: str) -> None:
    view = columns * 60 + 40, rows * 60 + 40
    board = Component("board", 1, view[0] / 2, view[1] / 2, view, "", folded=True, corner=(20, 20))
    laid = [placed.cutout for page in laid_out([board], paper) for placed in page]
    assert sum(cutout.width * cutout.height for cutout in laid) == pytest.approx(board.width * board.height)
    for cutout in laid:
        assert len(laid) == cutout.part.of > 1
        assert all(at == 0 or (at - 10) % 30 == pytest.approx(0, abs=1e-6) for at in cutout.shown)
        assert cutout.width + FLAP * (cutout.part.right > 0) <= PAPERS[paper].room[0]
        assert cutout.height + FLAP * (cutout.part.below > 0) <= PAPERS[paper].room[1]


def test_parts_say_what_is_glued_to_them() -> None:
    parts = [square(300, folded=True)]
    source = component_pages(parts, PageText("Title"), PAPERS["a4"])
    assert [source.count(f"glue part {k} on here") for k in range(1, 5)] == [0, 1, 1, 2]
    assert "square (part 4 of 4)" in source


# ── Paper ──


@pytest.mark.parametrize(("paper", "points"), [("a4", (595.28, 841.89)), ("letter", (612, 792))])
def test_paper_has_its_size(paper: str, points: tuple[float, float]) -> None:
    pages = pypdf.PdfReader(io.BytesIO(print_out(GAMES["ignite-and-flow"], {}, paper))).pages
    assert {(round(float(p.mediabox.width), 2), round(float(p.mediabox.height), 2)) for p in pages} == {points}


def test_a_millimetre_is_a_millimetre() -> None:
    """Ten pixels for each: the square of ink, and the ruler below it."""
    parts, paper = [square(40)], PAPERS["a4"]
    source = preamble(PageText(""), paper) + component_pages(parts, PageText(""), paper)
    inputs = {"0": str(component_picture(parts[0], "", "none", "print"))}
    page = Image.open(io.BytesIO(typst.compile(source.encode(), format="png", ppi=254, sys_inputs=inputs))).convert("L")
    assert page.size == (2100, 2970)
    black, grey = (page.point([255 * (k < limit) for k in range(256)]) for limit in (40, 200))
    assert black.crop((0, 90, 2100, 2000)).getbbox() == pytest.approx((850, 10, 1250, 410), abs=1)
    two_inches = grey.crop((90, 2906, 615, 2911)).getbbox()
    assert two_inches
    assert (two_inches[0], two_inches[2]) == pytest.approx((10, 518), abs=2)


def test_what_lies_on_squares_of_fire_and_water_leaves_their_colour_visible() -> None:
    """A marker is on two squares, all others are on one; the page has ten pixels for each millimetre."""
    game = GAMES["fire-and-water"]
    sizes = {part.name: (part.width, part.height) for part in components(game, game.complete({}))}
    assert sizes["influence marker"] == (42, 19)
    assert sizes["possession token"] == (19, 19)
    assert sizes["leader"] == sizes["elemental"] == (20, 20)
    part = next(part for part in components(game, game.complete({})) if part.name == "influence marker")
    page = rendered(game, part._replace(number=1))
    assert page.size == (2100, 2970)
    inked = page.point([255 * (k < 128) for k in range(256)]).crop((0, 90, 2100, 2000)).getbbox()
    assert inked
    assert sorted((inked[2] - inked[0], inked[3] - inked[1])) == pytest.approx([190, 420], abs=2)


def rendered(game: Game, part: Component) -> Image.Image:
    assert game.printing
    paper, words = PAPERS["a4"], PageText("")
    source = preamble(words, paper) + component_pages([part], words, paper)
    inputs = {"0": str(component_picture(part, game.printing.art, game.name, "print"))}
    made = typst.compile(source.encode(), format="png", ppi=254, sys_inputs=inputs)
    return Image.open(io.BytesIO(made)).convert("L")


@pytest.mark.parametrize("game", PRINTED, ids=lambda game: str(game.name))
@pytest.mark.parametrize("language", LANGUAGES)
def test_fonts_are_embedded_and_all_is_drawn_with_lines(game: Game, language: str) -> None:
    reader = pypdf.PdfReader(io.BytesIO(print_out(game, {}, language=language)))
    size: Any = reader.trailer["/Size"]
    objects: list[Any] = [reader.get_object(number) for number in range(1, size)]
    kinds = [entry for entry in objects if isinstance(entry, dict)]
    descriptors = [entry for entry in kinds if entry.get("/Type") == "/FontDescriptor"]
    assert descriptors
    assert all({"/FontFile", "/FontFile2", "/FontFile3"} & set(entry) for entry in descriptors)
    assert not any(entry.get("/Subtype") == "/Image" for entry in kinds)
    assert translate(game.title, language) in reader.pages[0].extract_text()


def test_bad_names_are_refused() -> None:
    game = GAMES["ignite-and-flow"]
    with pytest.raises(UnknownName, match="unknown paper 'a5': there is a4, letter"):
        print_out(game, {}, "a5")
    with pytest.raises(UnknownName, match="unknown theme 'dark' for paper: there are print, light, contrast"):
        print_out(game, {}, theme="dark")
    with pytest.raises(UnknownName, match="unknown language 'xx'"):
        print_out(game, {}, language="xx")
    with pytest.raises(UnknownName, match="unknown option 'colour'"):
        print_out(game, {"colour": "red"})


# ── The rules in short ──


def rules_named(text: str) -> set[str]:
    return set(re.findall(r"[A-Z]{2}-\d+", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_in_short_name_rules_that_exist(game: Game, language: str) -> None:
    short = game.short_rules(language)
    assert short
    assert rules_named(short) <= rules_named(game.rule_book(language))
    assert rules_named(short) == rules_named(game.short_rules() or "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("game", PRINTED, ids=lambda game: str(game.name))
def test_rules_in_short_fill_two_pages(game: Game, language: str, paper: str) -> None:
    options = game.complete({})
    pages = len(pypdf.PdfReader(io.BytesIO(print_out(game, options, paper, language))).pages)
    assert pages == len(pack(components(game, options, language), PAPERS[paper])) + 2


READINGS = [(game, options) for game in PRINTED for options in all_options(game) if game.unusual_readings(options)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "options"), READINGS, ids=lambda value: getattr(value, "name", None) or str(value))
def test_rules_in_short_name_each_reading_that_is_not_the_usual_one(
    game: Game, options: dict[str, Any], language: str
) -> None:
    title, source = translate("Read differently in this edition", language), short_rules(game, options, language)
    assert source.count(title) == 1
    added = source[source.index(title) :]
    for rule, words in game.unusual_readings(options):
        assert f"{translate(words, language)} ({rule})" in added
    assert title not in short_rules(game, game.complete({}), language)


def short_rules(game: Game, options: dict[str, Any], language: str) -> str:
    return booklet(game, options, Look("print", language), {})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "options"), READINGS, ids=lambda value: getattr(value, "name", None) or str(value))
def test_rules_in_short_fit_the_edition_printed(game: Game, options: dict[str, Any], language: str) -> None:
    short = game.short_rules(language, options)
    assert short
    assert "<!--" not in short
    own = [line for line in short.splitlines() if re.match(rf"{game.name} .*=", line)]
    assert all(Position(line) for line in own)
    if options.get("board") == "wheel":
        assert Position.start(game, {"board": "wheel"}).text in own
        assert Position.start(game).text not in own
    if "mode" in options:
        for rule, modes in (("ED-15", {"mediators", "advanced"}), ("ED-21", {"challenge", "advanced"})):
            assert (rule in rules_named(short)) == (options["mode"] in modes)


def test_rules_in_short_of_a_board_of_your_own_name_no_other_place() -> None:
    rows = "FFF*AAA/FFF.AAA/FFF*AAA/**.*.**/...m.../**.*.**/EEE*WWW/EEE.WWW/EEE*WWW"
    short = GAMES["points-of-power"].short_rules("en", {"board": rows}) or ""
    assert "this one is yours" in short
    assert "in the corners" not in short
    assert "moved=-" not in short, "no picture of another board"


def test_a_printed_reading_is_on_the_last_page() -> None:
    pages = pypdf.PdfReader(io.BytesIO(print_out(GAMES["ignite-and-flow"], {"flow": "bent"}))).pages
    text = " ".join(pages[-1].extract_text().split())
    assert "Read differently in this edition" in text
    assert "The water may also turn at the first square. (IF-8)" in text


def test_the_example_of_the_rules_in_short_counts_as_it_says() -> None:
    text = GAMES["ignite-and-flow"].short_rules() or ""
    (position,) = (Position(line) for line in text.splitlines() if line.endswith("to-move=none"))
    assert position.result
    assert position.result.scores == (4, 7)


def test_markdown_becomes_typst_and_nothing_in_it_is_code() -> None:
    text = 'A *b* **c** `d`\n\n- #x $y$ [z] "q" \\e\n\n| h |\n|---|\n| 1 |\n\n~~~info f\nbody\n~~~\n\n---\n\n***\n'
    source = to_typst(text, lambda info, content: f"#[{info}:{content.strip()}]")
    assert '#emph[#"b"]' in source
    assert '#list([#"#x $y$ [z] \\"q\\" \\\\e"])' in source
    assert "#table(columns: 1" in source
    assert "#[info f:body]" in source
    assert source.index("#pagebreak()") < source.index("#colbreak()")
    typst.compile(source.encode())
