"""A game of another package that fails on a page fails alone: lists show the others, and the log says what is wrong."""

from __future__ import annotations

import dataclasses
import itertools
import logging
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from server.fixtures import opened
from server.people import House
from stones import GAME as STONES

from empedocles.cli import warmup
from empedocles.errors import BrokenGame
from empedocles.game import Drawing, Game, Interface
from empedocles.games import GAMES, add, all_games, broken, find
from empedocles.language import Message
from empedocles.server.web.problems import problem

HTML = {"accept": "text/html"}
GERMAN = {"accept": "text/html", "cookie": "language=de"}
LISTS = ("/", "/rules", "/learn", "/new", "/review", "/api/games")
RULES = "# Pebbles\n\nTake *pebbles*.\n\nA remark.\n\n- **PB-1** Take one.\n- **PB-2** Take two, as in PB-1.\n"

numbers = itertools.count(1)  # pages cache what they show of a game by its name

Announce = Callable[..., Game]


@pytest.fixture
def announce(tmp_path: Path) -> Iterator[Announce]:
    """Registers a game that is Stones except for some files and facts."""
    before = dict(all_games())

    def announced(files: dict[str, str | bytes | None], **facts: Any) -> Game:
        folder = tmp_path / f"guest-{next(numbers)}"
        shutil.copytree(STONES.folder, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        for name, content in files.items():
            if content is None:
                (folder / name).unlink()
            else:
                (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        game = dataclasses.replace(STONES, name=folder.name, title=folder.name.title(), folder=folder, **facts)
        add(game)
        return game

    yield announced
    all_games().clear()
    all_games().update(before)
    broken.clear()


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Callable[[], House]]:
    """Starts a server on demand, after games were registered."""
    running = []

    def start() -> House:
        running.append(opened(str(tmp_path / "empedocles.db")))
        return running[-1].__enter__()

    yield start
    for one in running:
        one.__exit__(None, None, None)


def check_lists(house: House) -> dict[str, str]:
    """Check that all pages with several games answer, twice, and show ours."""
    for path in LISTS:
        house.client.get(path, headers=HTML)
    texts = {}
    for path in LISTS:
        answer = house.client.get(path, headers=HTML)
        assert answer.status_code == 200, path
        texts[path] = answer.text
    assert all("ignite-and-flow" in texts[path] for path in LISTS if path != "/review")
    return texts


def warnings_of(caplog: pytest.LogCaptureFixture, game: Game) -> list[str]:
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    return [message for message in told if game.name in message]


# ── Rule books ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_book_of_the_template_is_a_page_with_sections(announce: Announce, open_house: Any) -> None:
    game, house = announce({}), open_house()
    for headers, sections in ((HTML, ["Options", "Set-up", "A turn"]), (GERMAN, ["Optionen", "Aufbau", "Ein Zug"])):
        page = house.client.get(f"/rules/{game.name}", headers=headers).text
        assert all(f"{name}</h2>" in page for name in sections)
        assert all(f'id="ST-{number}"' in page for number in (1, 2, 3))
    assert f'href="/rules/{game.name}"' in check_lists(house)["/rules"]


def test_a_book_needs_no_sections(announce: Announce, open_house: Any, caplog: pytest.LogCaptureFixture) -> None:
    game, house = announce({"RULES.md": RULES}), open_house()
    page = house.client.get(f"/rules/{game.name}", headers=HTML).text
    assert "Take pebbles." in page
    assert "A remark." in page
    assert 'id="PB-2"' in page
    assert '<a class="ref" href="#PB-1">' in page
    assert "Pebbles" in check_lists(house)["/rules"]
    assert warnings_of(caplog, game) == []


@pytest.mark.parametrize(
    "text", ["", "no title", "- **PB-1** a rule", "## A section only", "- \n- \n", "# Only a title"]
)
def test_a_book_may_be_anything(announce: Announce, open_house: Any, text: str) -> None:
    game, house = announce({"RULES.md": text}), open_house()
    assert house.client.get(f"/rules/{game.name}", headers=HTML).status_code == 200
    assert f'href="/rules/{game.name}"' in check_lists(house)["/rules"]


def test_without_a_translation_a_book_is_shown_as_it_is(announce: Announce, open_house: Any) -> None:
    game, house = announce({"RULES.de.md": None}), open_house()
    page = house.client.get(f"/rules/{game.name}", headers=GERMAN).text
    assert "Whoever takes the last stone wins." in page
    assert house.client.get("/rules", headers=GERMAN).status_code == 200


def test_a_game_may_come_without_a_book(announce: Announce, open_house: Any) -> None:
    game, house = announce({"RULES.de.md": None, "RULES.md": None}), open_house()
    assert game.summary in house.client.get(f"/rules/{game.name}", headers=HTML).text
    check_lists(house)


def test_a_book_that_cannot_be_read_is_left_out(
    announce: Announce, open_house: Any, caplog: pytest.LogCaptureFixture
) -> None:
    game, house = announce({"RULES.md": b"\xff\xfe no text"}), open_house()
    assert f'href="/rules/{game.name}"' not in check_lists(house)["/rules"]
    assert warnings_of(caplog, game) == [f"the rule book of the game {game.name} cannot be shown:"]
    answer = house.client.get(f"/rules/{game.name}", headers=HTML)
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "Traceback" not in answer.text
    assert "UnicodeDecodeError" not in answer.text


# ── Lessons, diagrams and pictures ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["lessons.toml", "diagrams.toml"])
@pytest.mark.parametrize(
    "content", ["[[[", "[[lesson]]\nname = 1\n[[diagram]]\nrule = 1\n", "lesson = 7\ndiagram = 7\n"]
)
def test_files_for_learners_that_cannot_be_read_are_left_out(
    announce: Announce, open_house: Any, caplog: pytest.LogCaptureFixture, name: str, content: str
) -> None:
    game, house = announce({name: content}), open_house()
    texts = check_lists(house)
    assert f'href="/rules/{game.name}"' in texts["/rules"]
    assert f'href="/learn/{game.name}"' not in texts["/learn"] + texts["/"] + texts["/rules"]
    assert house.client.get(f"/rules/{game.name}", headers=HTML).status_code == 200
    assert warnings_of(caplog, game) == [f"{name} of the game {game.name} cannot be shown:"]


def test_a_diagram_of_no_position_is_left_out(
    announce: Announce, open_house: Any, caplog: pytest.LogCaptureFixture
) -> None:
    lines = ["[[diagram]]", 'rule = "ST-1"', 'position = "nonsense"', 'caption = { en = "x", de = "x" }']
    game, house = announce({"diagrams.toml": "\n".join(lines)}), open_house()
    page = house.client.get(f"/rules/{game.name}", headers=HTML)
    assert page.status_code == 200
    assert "<figure" not in page.text
    assert warnings_of(caplog, game) == [f"the diagram of ST-1 of the game {game.name} cannot be shown:"]


def failing(*_given: Any) -> Any:
    raise ZeroDivisionError("a mistake in a guest")


def test_a_game_that_cannot_be_drawn_is_shown_without_a_picture(
    announce: Announce, open_house: Any, caplog: pytest.LogCaptureFixture
) -> None:
    game, house = announce({}, drawing=Drawing(failing, failing, {})), open_house()
    texts = check_lists(house)
    assert f'action="/play/{game.name}"' in texts["/"]
    assert f'href="/rules/{game.name}"' in texts["/rules"]
    assert warnings_of(caplog, game) == [f"a picture of the game {game.name} cannot be shown:"]


def test_a_game_whose_seats_have_no_names_hides_no_other_table(announce: Announce, open_house: Any) -> None:
    names = {"fails": False}

    def seats(number: int) -> tuple[str, ...]:
        return failing() if names["fails"] else ("one", "two")[:number]

    said = Message("{move}", {"move": "x"})
    clicks = Interface(lambda a: (frozenset({str(a)}),), lambda _s, _a: said, lambda _t: said, lambda _s: [], seats)
    game, house = announce({}, interface=clicks), open_house()
    ada = house.person("Ada")
    for name in (game.name, "ignite-and-flow"):
        ada.create(name, "me", "open")
    names["fails"] = True
    page = house.client.get("/", headers=HTML | ada.headers).text
    assert "Ignite and Flow" in page
    assert page.count('href="/t/') == 1
    assert house.client.get("/me", headers=HTML | ada.headers).status_code == 200
    assert house.client.get("/review", headers=HTML | ada.headers).status_code == 200


def test_a_game_that_cannot_be_described_is_left_out_of_the_list(announce: Announce, open_house: Any) -> None:
    game, house = announce({}, drawing=Drawing(failing, failing, None)), open_house()  # type: ignore[arg-type]
    assert game.name not in check_lists(house)["/api/games"]


# ── Rules that do not work ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_that_does_not_compile_keeps_no_server_from_starting(
    announce: Announce, open_house: Any, caplog: pytest.LogCaptureFixture
) -> None:
    game = announce({}, rules=STONES.rules._replace(new=failing))
    house = open_house()
    check_lists(house)
    assert game.name not in all_games()
    assert any("cannot be compiled" in message for message in warnings_of(caplog, game))
    ada = house.person("Ada")
    seats = [{"kind": "me"}, {"kind": "here"}]
    answer = ada.ask("POST", "", {"game": game.name, "seats": seats})
    assert answer.status_code == 422
    assert "a mistake in a guest" in answer.json()["message"]
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    assert ada.play(match)["number"] == 2


def test_a_game_that_does_not_compile_is_left_out_when_all_are_compiled(
    announce: Announce, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []

    def use(game: Game) -> None:
        failing() if "guest" in game.name else compiled.append(game.name)

    monkeypatch.setattr(warmup, "USES", {"the rules": use})
    game = announce({})
    warmup.compile_all([game, GAMES["ignite-and-flow"]])
    assert compiled == ["ignite-and-flow"]
    with pytest.raises(LookupError, match="its rules cannot be compiled: a mistake in a guest"):
        find(game.name)


def test_broken_rules_are_not_the_fault_of_who_asks() -> None:
    status, content = problem(BrokenGame("the rules of pebbles are broken: no legal moves"))
    assert (status, content["code"]) == (500, "broken-game")
    assert "pebbles" in content["message"]
