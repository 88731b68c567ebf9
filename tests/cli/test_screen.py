"""A game on the whole screen, as somebody plays it who looks and presses keys."""

from __future__ import annotations

import dataclasses
import os
import pty
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import stones
from cli.terminals import PATIENCE, Terminal, sit

from empedocles import Match, Position, new
from empedocles.cli import files
from empedocles.cli.table import PERSON, Table
from empedocles.core.kernel import State
from empedocles.errors import UnknownName
from empedocles.game import Drawing, Interface
from empedocles.games import GAMES, add, all_games
from empedocles.language import Message
from empedocles.play.records import Record
from empedocles.render.picture import Box, Glyph, Look, Sheet, arrange
from empedocles.search.limits import Limit
from empedocles.testing.samples import random_match

ALMOST_OVER = "ignite-and-flow board=DDDDDD/DDDDDD/DDD1DD/DD1DDD/DDDDDD/DDDDDD to-move=0"
MIDDLE = "ignite-and-flow board=T1FW2/EE2W1/1D1F2/2WEt1/F1EE1W/1WF1D1 taken=1/0 quiet=2 to-move=0"
WIDE = 120, 30  # long sentences stay on one line


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _added() -> Iterator[None]:
    add(stones.GAME)
    yield
    del all_games()[stones.GAME.name]


def table(match: Match | None = None, *players: str, language: str = "en") -> Table:
    match = match or new("ignite-and-flow", seed=1)
    seats = players or (PERSON,) * match.position.seats
    return Table(Record(match), dict(enumerate(seats)), language, Limit(seconds=0.2))


# ── Playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_short_game_by_arrow_keys() -> None:
    here = table(Match(Position(ALMOST_OVER)))

    async def script(terminal: Terminal) -> None:
        app = terminal.app
        await terminal.press("down", "down", "down", "down", "down", "left", "left", "left", "left")
        assert app.controls.cursor == "F"
        await terminal.press("right", "enter")
        await terminal.see("Now choose an empty square for", "✗ already chosen")
        assert set(app.controls.can) == {"c3", "d4"}
        await terminal.press("tab")
        assert app.controls.cursor == "d4"
        await terminal.see("→ White places water on d4")
        await terminal.press("enter")
        assert here.match.moves == ["Wd4"]
        await terminal.press("back", "down", "left")
        assert app.controls.cursor == "c3"
        await terminal.type("E")
        await terminal.press(" ")
        await terminal.see("Black may place a temple", "[no temple]", "2 Black places earth on c3")
        await terminal.press("enter")
        await terminal.see("The game is over: White 0")

    sit(here, script)
    assert here.match.moves == ["Wd4", "Ec3", "Tc3"]
    assert files.last().match.moves == ["Wd4", "Ec3", "Tc3"]


def test_an_opponent_answers_while_the_screen_is_alive() -> None:
    here = table(None, PERSON, "alphabet")

    async def script(terminal: Terminal) -> None:
        await terminal.type("Fc3")
        await terminal.see("2 Black places earth on a1", "White places an element")

    sit(here, script)
    assert here.match.moves[:2] == ["Fc3", "Ea1"]


def test_typed_targets_completion_and_choices_taken_back() -> None:
    here = table(Match(Position(MIDDLE)))

    async def script(terminal: Terminal) -> None:
        controls = terminal.app.controls
        await terminal.type("water from the SUPPLY")
        assert list(controls.entry.chosen) == ["W"]
        await terminal.press("escape")
        assert list(controls.entry.chosen) == []
        await terminal.press("Wf", "tab")
        await terminal.see("Wf1", "Wf4")
        await terminal.press("1", "enter")
        await terminal.see("1 White places water on f1")

    sit(here, script)
    assert here.match.moves == ["Wf1"]


def test_refusals_say_why() -> None:
    here = table(new("ignite-and-flow").play("Fc3"))

    async def script(terminal: Terminal) -> None:
        await terminal.type("Fc3")
        await terminal.see("c3 is not empty: it holds fire (IF-5)")
        await terminal.type("nonsense")
        await terminal.see("this is not a move of Ignite and Flow")
        await terminal.type("F")
        await terminal.type("c3")
        assert terminal.app.controls.cursor == "c3"
        await terminal.see("✗ c3 is not empty: it holds fire (IF-5)")
        await terminal.press("r")
        await terminal.see("• IF-5 Place")
        await terminal.press("q")
        await terminal.type("rules IF-99")
        await terminal.see("There is no rule IF-99.")

    sit(here, script, *WIDE)
    assert here.match.moves == ["Fc3"]


def test_undo_hint_and_moves() -> None:
    here = table(Match(Position(ALMOST_OVER)))

    async def script(terminal: Terminal) -> None:
        await terminal.press("u")
        await terminal.see("There is nothing to take back.")
        await terminal.type("Wd4")
        await terminal.press("u")
        assert here.match.moves == []
        await terminal.press("h")
        await terminal.see("Look here: ")
        await terminal.press("h")
        await terminal.see("You could ")
        hint = terminal.app.controls.hint
        assert hint
        assert hint.move in here.match.legal_moves
        assert len(terminal.app.controls.marks().hint) == 2, "what to take, and where it goes"
        await terminal.press("h")
        await terminal.see(hint.why.say()[:30])
        await terminal.press("m")
        await terminal.see("Can be played now", "Ec3", "White places earth on c3")

    sit(here, script, *WIDE)


def test_save_and_load(tmp_path: Path) -> None:
    here = table()

    async def script(terminal: Terminal) -> None:
        await terminal.type("Fc3")
        await terminal.press("s", "enter")
        await terminal.see("Saved to ignite-and-flow-1.emp.")
        await terminal.type("Wd4")
        await terminal.press("l", "none.emp", "enter")
        await terminal.see("none.emp cannot be loaded")
        assert here.match.moves == ["Fc3", "Wd4"]
        await terminal.press("l", "ignite-and-flow-1.emp", "enter")
        await terminal.see("Loaded ignite-and-flow-1.emp.")

    sit(here, script)
    assert here.match.moves == ["Fc3"]
    assert here.is_peoples_turn


def test_another_game_can_be_loaded(tmp_path: Path) -> None:
    other = random_match(GAMES["points-of-power"], {"players": 2, "board": "cross"}, 1, plies=4)
    Path("other.emp").write_text(str(Record(other)))
    here = table(None, PERSON, "random")

    async def script(terminal: Terminal) -> None:
        await terminal.type("load other.emp")
        await terminal.see("Points of Power", "Loaded other.emp.")

    sit(here, script, *WIDE)
    assert here.record.names == {0: PERSON, 1: "random"}


# ── Games that look otherwise ────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_without_a_drawing_is_played_by_typing() -> None:
    here = table(Match(Position.start(stones.GAME, {"heap": "small"})), PERSON, "alphabet")

    async def script(terminal: Terminal) -> None:
        await terminal.see("stones", "player 0: person", "Enter")
        await terminal.press("2", "enter")
        await terminal.see("  1 2", "  2 1")
        await terminal.press("9", "enter")
        await terminal.see("this is not a move of Stones")
        await terminal.press("undo", "enter", "help", "enter")
        await terminal.see("take the last move back")
        await terminal.press("q", "q", "enter")
        assert not terminal.app.application.is_running

    sit(here, script, *WIDE)
    assert here.match.moves == []


def hand(s: State, look: Look) -> Sheet:
    """Three cards beside a board of two squares, or below it."""
    layout = arrange((120, 60), 1, (180, 60), look.wide)
    sheet = Sheet(layout, "", look)
    (x, y), (u, v) = layout.board, layout.panels[0]
    sheet.boxes = {name: Box(x + 60 * k, y) for k, name in enumerate(("a1", "b1"))}
    sheet.boxes |= {str(k + 1): Box(u + 46 * k, v, 40, 56) for k in range(int(s.stones) if s.stones < 3 else 3)}
    return sheet


CARDS = dataclasses.replace(
    stones.GAME,
    interface=Interface(
        clicks=lambda action: (frozenset({stones.GAME.moves[action]}),),
        words=lambda s, action: Message("{seat} takes {n}", {"seat": s.mover, "n": action + 1}),
        target=lambda target: Message("card {n}", {"n": target}),
        status=lambda s: [Message("{n} left", {"n": s.stones})],
        seats=lambda _seats: ("One", "Two"),
    ),
    drawing=Drawing(
        hand,
        lambda s: {str(k + 1): Glyph(f"+{k + 1}", "fire", "fire-deep") for k in range(min(3, int(s.stones)))},
        {},
    ),
)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 30), (60, 20)])
def test_cards_are_chosen_by_arrow_keys(columns: int, rows: int) -> None:
    here = table(Match(Position.start(CARDS, {"heap": "small"})))

    async def script(terminal: Terminal) -> None:
        rects = terminal.app.display.rects
        assert set(rects) == {"a1", "b1", "1", "2", "3", "confirm"}
        assert all(rects[a].right < rects[b].left + 1 for a, b in (("1", "2"), ("2", "3"))), "cards lie apart"
        await terminal.see("+1", "+2", "+3", "confirm", "left")
        while terminal.app.controls.cursor != "1":
            await terminal.press("left" if terminal.app.controls.cursor in ("2", "3") else "down")
        await terminal.press("right", "right", "enter")
        await terminal.see("0 takes 3")

    sit(here, script, columns, rows)
    assert here.match.moves == ["3"]


# ── Leaving ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Slow:
    """An agent that thinks until it is told to stop."""

    def __init__(self) -> None:
        self.enough = threading.Event()

    def choose(self, position: Position, limit: Limit) -> str:
        self.enough.wait(60)
        return position.legal_moves[0]


@pytest.mark.parametrize("key", ["q", "ctrl-c"])
def test_leaving_while_an_opponent_thinks(key: str) -> None:
    here = table(None, PERSON, "random")
    slow = here.agents[1] = Slow()  # type: ignore[assignment]

    async def script(terminal: Terminal) -> None:
        await terminal.type("Fc3")
        await terminal.see("Black is thinking …")
        await terminal.press("left", "enter", "m")
        await terminal.see("Can be played now")
        await terminal.press("escape", key)
        assert not terminal.app.application.is_running
        assert terminal.app.thinker.busy
        slow.enough.set()

    sit(here, script)
    assert here.match.moves == ["Fc3"]
    assert files.last().match.moves == ["Fc3"]


def test_a_move_can_be_taken_back_while_an_opponent_thinks() -> None:
    here = table(None, PERSON, "random")
    slow = here.agents[1] = Slow()  # type: ignore[assignment]

    async def script(terminal: Terminal) -> None:
        await terminal.type("Fc3")
        await terminal.press("u")
        slow.enough.set()
        await terminal.type("Wc3")
        await terminal.see("2 Black places earth on a1")

    sit(here, script)
    assert here.match.moves[:2] == ["Wc3", "Ea1"]


def test_what_an_agent_does_wrong_ends_the_game_as_an_error() -> None:
    here = table(None, PERSON, "level-8")
    here.agents[1] = Broken()  # type: ignore[assignment]

    async def script(terminal: Terminal) -> None:
        await terminal.type("Fc3")
        while terminal.app.application.is_running:
            await terminal.press("left")

    with pytest.raises(UnknownName, match="no opponent"):
        sit(here, script)


class Broken:
    def choose(self, position: Position, limit: Limit) -> str:
        raise UnknownName("no opponent of this level")


def test_a_real_terminal_is_left_at_once(tmp_path: Path) -> None:
    """The strongest opponent would think for a minute; the process does not wait for it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "empedocles", "play", "ignite-and-flow", "--opponent", "search", "--seconds", "60"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "LINES": "24", "COLUMNS": "80"},
    )
    os.close(theirs)
    read_until(ours, "places an element")
    os.write(ours, b"Fc3\r")
    read_until(ours, "is thinking")
    os.write(ours, b"\x03")
    started = time.monotonic()
    written = read_until(ours, "--resume")
    assert process.wait(timeout=20) == 0
    assert time.monotonic() - started < 20
    assert "\x1b[?1049l" in written, "the screen from before is back"
    assert files.last().match.moves == ["Fc3"]
    os.close(ours)


def read_until(terminal: int, words: str) -> str:
    found, end = "", time.monotonic() + PATIENCE
    while words not in found:
        assert time.monotonic() < end, found
        if select.select([terminal], [], [], 1.0)[0]:
            found += os.read(terminal, 65536).decode(errors="replace")
    return found


# ── Looks ────────────────────────────────────────────────────────────────────────────────────────────────────────────

SIZES = [(80, 24), (160, 50), (60, 20), (100, 30), (200, 24), (40, 60), (30, 8)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", list(GAMES))
def test_screens_of_every_size(name: str, columns: int, rows: int) -> None:
    game = GAMES[name]
    here = table(random_match(game, game.complete({}), seed=1, plies=14).resume(1))

    async def script(terminal: Terminal) -> None:
        view = terminal.app.display
        await terminal.press("left", "up", "?")
        lines = view.body(columns, rows - 1)
        assert len(lines) == rows - 1
        assert all(sum(len(part[1]) for part in line) == columns for line in lines)
        for rect in view.rects.values():
            assert rect.left >= 0
            assert rect.top >= 0
            assert rect.right <= columns
            assert rect.bottom < rows
        await terminal.press("escape")
        if (columns, rows) in ((80, 24), (160, 50)) and terminal.app.controls.is_drawn:
            assert view.rects, "the usual sizes show the board"
        if (columns, rows) == (30, 8) and terminal.app.controls.is_drawn:
            assert "30 × 8" in terminal.text

    sit(here, script, columns, rows)


def test_the_board_has_coordinates_colours_and_marks() -> None:
    here = table(Match(Position(MIDDLE)).play("Ff1"))

    async def script(terminal: Terminal) -> None:
        lines = terminal.screen.display
        assert [line[1] for line in lines if line[1].isdecimal()] == list("654321")
        assert any(line.split()[:6] == list("abcdef") for line in lines)
        assert "▟█▙" in terminal.text
        dark = terminal.colours("≈")
        assert any(ink == "7cc3e4" for _ground, ink in dark), "water of the dark theme"
        assert len(dark) > 1, "what can be chosen has another ground"

    sit(here, script)


def test_german() -> None:
    here = table(new("ignite-and-flow").play("Fc3"), language="de")

    async def script(terminal: Terminal) -> None:
        await terminal.type("Fc3")
        await terminal.see("c3 ist nicht leer: Dort liegt Feuer (IF-5)")
        await terminal.type("rules")
        await terminal.press("end")
        await terminal.see("Punkte")

    sit(here, script, *WIDE)


def test_older_terminals_keep_hues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLORTERM")

    async def script(terminal: Terminal) -> None:
        fire, water = ({ground for ground, _ink in terminal.colours(sign)} for sign in "▲≈")
        assert all(ground[:2] > ground[2:4] for ground in fire), "more red than green"
        assert all(ground[:2] < ground[4:] for ground in water), "more blue than red"

    sit(table(Match(Position(MIDDLE))), script)


def test_without_colours_the_cursor_is_still_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(terminal: Terminal) -> None:
        await terminal.press("up")
        cells = [cell for row in terminal.screen.buffer.values() for cell in row.values()]
        assert {(cell.bg, cell.fg) for cell in cells} == {("default", "default")}
        assert any(cell.reverse for cell in cells)

    sit(table(Match(Position(MIDDLE))), script, 60, 20)
