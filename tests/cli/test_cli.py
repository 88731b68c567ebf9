"""The command line, as users call it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from empedocles import Position, new
from empedocles.cli.analysis import annotated
from empedocles.cli.console import console, paragraph
from empedocles.differences import Difference, differences
from empedocles.games import GAMES
from empedocles.play.evidence import Evidence
from empedocles.play.match import Match
from empedocles.play.records import Record, read_records
from empedocles.play.shuffle import BYTES, digest
from empedocles.testing.samples import random_match


def run(*arguments: str, typed: str = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command; a folder is where it runs and where it keeps the last match."""
    environment = os.environ | {"COLUMNS": "100", "TERM": "dumb"} | ({"XDG_STATE_HOME": str(folder)} if folder else {})
    return subprocess.run(
        [sys.executable, "-m", "empedocles", *arguments],
        check=False,
        input=typed,
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
    )


def test_games() -> None:
    found = run("games")
    assert found.returncode == 0
    assert all(name in found.stdout for name in GAMES)
    assert "players is 2 or 3 or 4" in found.stdout


def test_help_names_every_command() -> None:
    found = run("--help")
    assert all(name in found.stdout for name in ("games", "play", "show", "perft", "arena", "bench", "warm"))


def test_perft_with_options_moves_and_divide() -> None:
    assert run("perft", "ignite-and-flow", "2").stdout.startswith("7916 ")
    found = run("perft", "ignite-and-flow", "2", "reactions=literal", "--moves", "Fc3 Wd4", "--divide")
    counts = dict(line.split(": ") for line in found.stdout.splitlines() if ": " in line)
    assert counts["Ea1"].isdecimal()
    assert found.stdout.splitlines()[-1].startswith(str(sum(map(int, counts.values()))))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["perft", "chess", "2"], "unknown game 'chess'"),
        (["perft", "ignite-and-flow", "2", "colour=red"], "unknown option 'colour'"),
        (["perft", "ignite-and-flow", "2", "red"], "is not an option of the form"),
        (["perft", "ignite-and-flow", "1", "--moves", "Fc3 Fc3"], "c3 is not empty"),
        (["perft", "ignite-and-flow", "0"], "Invalid value"),
        (["play", "ignite-and-flow", "--people", "3"], "ignite-and-flow has 2 seats here, for 0 to 2 people, not 3"),
        (["play", "ignite-and-flow", "--language", "xx"], "unknown language 'xx'"),
        (["play", "ignite-and-flow", "--seed", "-3"], "a seed is a whole number"),
        (["play", "ignite-and-flow", "--theme", "print"], "unknown theme 'print': there are dark, light, contrast"),
        (["play", "ignite-and-flow", "--opponent", "gnome"], "unknown agent 'gnome' in Ignite and Flow: there are"),
        (["play", "ignite-and-flow", "--seat", "1=Gnome"], "unknown agent 'gnome' in Ignite and Flow: there are"),
        (["show", "no-such-file.emp"], "No such file"),
        (["bench", "chess"], "unknown game 'chess'"),
    ],
)
def test_bad_input_gets_a_clear_error(arguments: list[str], said: str) -> None:
    found = run(*arguments)
    assert found.returncode == 2
    assert said in found.stderr
    assert "Traceback" not in found.stderr


def test_play_refuses_lists_undoes_saves_and_resumes(tmp_path: Path) -> None:
    typed = [
        "Fc3",
        "Fc3",
        "nonsense",
        "moves Ea",
        "moves zz",
        "rules IF-5",
        "rules IF-99",
        "save",
        "help",
        "Wd4",
        "undo",
        "save game.emp",
        "quit",
        "",
    ]
    found = run("play", "ignite-and-flow", "--people", "2", typed="\n".join(typed), folder=tmp_path)
    assert found.returncode == 0, found.stderr
    for said in (
        "c3 is not empty: it holds fire (IF-5)",
        "this is not a move of Ignite and Flow",
        "Ea1  Ea2",
        "No legal move begins with zz",
        "Place",
        "There is no rule IF-99",
        "Save where?",
        "Saved to game.emp",
        "Continue later with: empedocles play --resume",
    ):
        assert said in found.stdout, said
    with (tmp_path / "game.emp").open() as file:
        assert next(read_records(file)).match.moves == ["Fc3"]
    again = run("play", "--resume", "--people", "2", typed="Wd4\nquit\n", folder=tmp_path)
    assert "there is" not in again.stderr
    with (tmp_path / "empedocles" / "last.emp").open() as file:
        assert next(read_records(file)).match.moves == ["Fc3", "Wd4"]


@pytest.mark.parametrize("name", list(GAMES))
def test_random_players_finish_a_game(name: str, tmp_path: Path) -> None:
    found = run("play", name, "--people", "0", "--opponent", "random", "--seed", "3", folder=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "The game is over" in found.stdout


def test_play_in_german(tmp_path: Path) -> None:
    found = run("play", "ignite-and-flow", "--language", "de", "--people", "2", typed="Fc3\nFc3\n", folder=tmp_path)
    assert "c3 ist nicht leer" in found.stdout
    assert "> Schwarz (Tempel t): 0 Punkte" in found.stdout
    assert "Schwarz am Zug: eine Aktion\n\nSchwarz> " in found.stdout
    assert "Black" not in found.stdout
    record = tmp_path / "empedocles" / "last.emp"
    shown = run("show", str(record), "--language", "de").stdout
    assert "Schwarz am Zug: eine Aktion" in shown


def test_play_asks_for_a_game(tmp_path: Path) -> None:
    found = run("play", typed="3\nquit\n", folder=tmp_path)
    assert "which game?" in found.stdout
    assert "White to move" in found.stdout


def test_show_verifies_and_draws(tmp_path: Path) -> None:
    record = tmp_path / "game.emp"
    match = random_match(GAMES["ignite-and-flow"], {"reactions": "all"}, seed=1)
    record.write_text(str(Record(match, {0: "Ada"})))
    found = run("show", str(record))
    assert "Ada" in found.stdout
    assert "The game is over." in found.stdout
    assert run("show", str(record), "--ply", "0").stdout.count("36 of 36 squares empty") == 1
    assert run("show", str(record), "--every").stdout.count("squares empty") == len(match.moves) + 1
    assert run("show", str(record), "--ply", "9999").returncode == 2
    record.write_text(record.read_text().replace("1. ", "1. Zz9 "))
    broken = run("show", str(record))
    assert broken.returncode == 2
    assert "move 'Zz9'" in broken.stderr


def test_bench_measures(tmp_path: Path) -> None:
    found = run("bench", "elemental-defenders", "--seconds", "0.05", "--no-startup")
    assert found.returncode == 0, found.stderr
    assert "Elemental Defenders" in found.stdout


def test_solve_prints_value_best_moves_and_line() -> None:
    found = run("solve", "elemental-defenders", "mode=basic", "--deal", "Pw Ke Ma Kw Kf Wf Nw We Wa Pf")
    assert found.returncode == 0, found.stderr
    assert "Under best play: a draw for Dawn, lead +0" in found.stdout
    assert "best moves: " in found.stdout
    assert "best line: " in found.stdout
    refused = run("solve", "points-of-power")
    assert (refused.returncode, refused.stderr.strip()) == (2, "Error: Points of Power has no exact solver")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "ignite-and-flow", "seed=3"], "unknown option 'seed'"),
        (["perft", "ignite-and-flow", "2", "chance=auto"], "unknown option 'chance'"),
        (["perft", "fire-and-water", "2", "players=2", "players=3"], "given twice"),
        (["play", "ignite-and-flow", "--resume"], "one of GAME, --load and --resume"),
        (["play", "--resume"], "no match has been played"),
        (
            ["play", "ignite-and-flow", "--opponent", "hal"],
            "unknown agent 'hal' in Ignite and Flow: there are random, search",
        ),
        (["play", "ignite-and-flow", "--seconds", "0"], "a limit of seconds"),
        (["play", "ignite-and-flow", "--seat", "2=random"], "a seat from 0 to 1"),
        (["play", "ignite-and-flow", "--seat", "random"], "does not say who sits where"),
        (["play", "ignite-and-flow", "--seat", "1=hal"], "unknown agent 'hal'"),
        (["solve", "elemental-defenders", "--deal", "Pw", "--seed", "1"], "either --deal or --seed"),
    ],
)
def test_contradictions_are_refused(arguments: list[str], said: str, tmp_path: Path) -> None:
    found = run(*arguments, folder=tmp_path)
    assert found.returncode == 2
    assert said in found.stderr
    assert "Traceback" not in found.stderr


def test_perft_beyond_the_longest_match_is_zero() -> None:
    assert run("perft", "elemental-defenders", "1000000000").stdout.startswith("0 sequences")


def test_undo_before_the_first_own_move_changes_nothing(tmp_path: Path) -> None:
    """The opponent began: there is nothing of one's own to take back, and nothing is drawn or played anew."""
    game = ["play", "elemental-defenders", "mode=basic", "--seed", "1"]
    found = run(*game, typed="undo\nundo\nquit\n", folder=tmp_path)
    assert found.stdout.count("There is nothing to take back.") == 2
    assert len(re.findall(r"Dusk [a-z].*\(\S+\)\.", found.stdout)) == 1


def test_a_seeded_game_against_the_random_player_is_repeatable(tmp_path: Path) -> None:
    words = ("play", "ignite-and-flow", "--seed", "5", "--opponent", "random")
    one, two = (run(*words, typed="Fc3\n", folder=tmp_path).stdout for _ in range(2))
    assert one == two


def test_resuming_keeps_names_comments_and_people(tmp_path: Path) -> None:
    run("play", "ignite-and-flow", "--people", "2", typed="Fc3\nquit\n", folder=tmp_path)
    again = run("play", "--resume", typed="quit\n", folder=tmp_path)
    assert "Black>" in again.stdout, "the second person is still to move"
    run("play", "fire-and-water", typed="help\nquit\n", folder=tmp_path)
    assert "Black>" in run("play", "--resume", typed="quit\n", folder=tmp_path).stdout, "nothing was played since"
    named = Record(
        random_match(GAMES["ignite-and-flow"], {"reactions": "all"}, 1, plies=4), {0: "Ada"}, "", {1: "nice"}
    )
    (tmp_path / "a.emp").write_text(str(named))
    run("play", "--load", "a.emp", "--people", "2", typed="save b.emp\nsave .\nquit\n", folder=tmp_path)
    assert '[Seat 0 "Ada"]' in (tmp_path / "b.emp").read_text()
    assert "{nice}" in (tmp_path / "b.emp").read_text()


def test_terminals_without_unicode_and_noise_in_files(tmp_path: Path) -> None:
    (tmp_path / "noise.emp").write_bytes(bytes(range(256)))
    assert "not a text file" in run("show", "noise.emp", folder=tmp_path).stderr
    found = subprocess.run(
        [sys.executable, "-m", "empedocles", "play"],
        check=False,
        input="",
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "XDG_STATE_HOME": str(tmp_path)},
    )
    assert found.returncode == 0, found.stderr


def test_any_agent_takes_any_seat_and_is_kept(tmp_path: Path) -> None:
    seats = ["--seat", "0=talkative", "--seat", "1=person"]
    found = run("play", "ignite-and-flow", *seats, typed="Fa1\nquit\n", folder=tmp_path)
    assert found.returncode == 0, found.stderr
    assert len(re.findall(r"White [a-z].*\(\S+\)\.", found.stdout)) == 2
    record = (tmp_path / "empedocles" / "last.emp").read_text()
    assert '[Seat 0 "talkative"]' in record
    again = run("play", "--resume", typed="quit\n", folder=tmp_path)
    assert "Black>" in again.stdout, "the same players sit where they sat"


def test_agents_are_listed() -> None:
    found = run("agents")
    assert "Fire & Water, from gentle to strong: spark" in found.stdout
    assert "random" in found.stdout


# ── analyse ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", list(GAMES))
def test_analyse_prints_an_annotated_game(name: str, tmp_path: Path) -> None:
    match = random_match(GAMES[name], GAMES[name].complete({}), seed=1, plies=24)
    (tmp_path / "a.emp").write_text(str(Record(match, {0: "Ada"}, "", {1: "hm"})))
    found = run("analyse", "a.emp", "--simulations", "300", "-o", "b.emp", folder=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "Ada" in found.stdout
    assert "value lost per move" in found.stdout
    with (tmp_path / "b.emp").open() as file:
        record = next(read_records(file))
    assert record.match.moves == match.moves
    decisions = {ply for ply, (seat, _) in enumerate(match.history(), start=1) if seat >= 0}
    assert decisions <= set(record.comments), "every decision has a remark"
    assert record.comments[0] == "Values are seen by the player who moved, from −1 to +1."
    assert record.comments[1].startswith("hm")
    assert all("value " in record.comments[ply] for ply in decisions)
    assert any("; better: " in record.comments[ply] for ply in decisions)


@pytest.mark.parametrize(
    ("language", "cost", "better"),
    [("en", "The chances fell from about ", "Better: "), ("de", "Die Chancen ", "Besser: ")],
)
def test_an_explained_record_has_the_reasons_in_its_comments(
    language: str, cost: str, better: str, tmp_path: Path
) -> None:
    won = "points-of-power fire=f2,f4,f8,f10,i5 air=k1,e1 earth=b6,d6,h6,a5 water=a11,h4 quiet=0 to-move=0"
    match = Match(Position(won)).play("a5-a4")
    (tmp_path / "a.emp").write_text(str(Record(match, comments={1: "hm"})))
    arguments = ("--simulations", "2000", "--explain", "--language", language, "-o", "b.emp")
    found = run("analyse", "a.emp", *arguments, folder=tmp_path)
    assert found.returncode == 0, found.stderr
    with (tmp_path / "b.emp").open(encoding="utf-8") as file:
        record = next(read_records(file))
    assert record.match.moves == match.moves
    assert record.comments[1].startswith(f"hm — ?? {cost}")
    assert better in record.comments[1]


def test_a_thrown_away_win_is_marked(tmp_path: Path) -> None:
    """Fire on i5 could step onto the last point of power; left alone, it is captured, and no Fire is exposed."""
    won = "points-of-power fire=f2,f4,f8,f10,i5 air=k1,e1 earth=b6,d6,h6,a5 water=a11,h4 quiet=0 to-move=0"
    match = Match(Position(won)).play("a5-a4")
    (tmp_path / "a.emp").write_text(str(Record(match)))
    found = run("analyse", "a.emp", "--simulations", "2000", folder=tmp_path)
    table = found.stdout.partition("Values are seen")[0]
    assert "(a5-a4)" in table
    assert "??" in table
    assert "loss" in table
    assert "win" in table, "what was better is a proof too"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "Move Player Played",
                "Earth steps from a5 to a4 (a5-a4) ??",
                "The turning point",
                "Better: ",
                " 2.000 on average",
            ],
        ),
        (
            "de",
            [
                "Zug Spieler Gespielt",
                "Erde zieht von a5 nach a4 (a5-a4) ??",
                "Der Wendepunkt",
                "Besser: ",
                "im Mittel 2,000 an",
            ],
        ),
    ],
)
def test_reasons_are_told_in_the_readers_language(language: str, said: list[str], tmp_path: Path) -> None:
    won = "points-of-power fire=f2,f4,f8,f10,i5 air=k1,e1 earth=b6,d6,h6,a5 water=a11,h4 quiet=0 to-move=0"
    (tmp_path / "a.emp").write_text(str(Record(Match(Position(won)).play("a5-a4"))))
    arguments = ("analyse", "a.emp", "--simulations", "2000", "--explain", "--language", language)
    found = run(*arguments, folder=tmp_path)
    assert found.returncode == 0, found.stderr
    words = " ".join(found.stdout.split())
    assert all(one in words for one in said), words
    assert run("analyse", "a.emp", "--language", "xx", folder=tmp_path).returncode == 2


def test_a_line_never_ends_between_a_number_and_its_per_cent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "width", 20)
    paragraph("chances of about 25\N{NO-BREAK SPACE}% now")
    assert capsys.readouterr().out == "chances of about\n25\N{NO-BREAK SPACE}% now\n"


def test_an_annotated_record_still_shows_how_chance_was_decided() -> None:
    secret = bytes(BYTES)
    record = Record(new("ignite-and-flow"), {0: "Ada"}, "2026-11-15", evidence=Evidence(secret, digest(secret)))
    assert annotated(record, []) == record


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["analyse", "none.emp"], "No such file"),
        (["analyse", "start.emp"], "has no moves to analyse"),
        (["analyse", "start.emp", "--agent", "hal"], "unknown agent 'hal'"),
        (["analyse", "start.emp", "--agent", "gnome"], "unknown agent 'gnome' in Ignite and Flow"),
        (["analyse", "one.emp", "--agent", "random"], "does not say what moves are worth"),
        (["analyse", "one.emp", "-o", "none/x.emp"], "there is no folder 'none'"),
        (["analyse", "start.emp", "--seconds", "0"], "a limit of seconds"),
    ],
)
def test_what_cannot_be_analysed_is_refused(arguments: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "start.emp").write_text(str(Record(new("ignite-and-flow"))))
    (tmp_path / "one.emp").write_text(str(Record(new("ignite-and-flow").play("Fc3"))))
    found = run(*arguments, folder=tmp_path)
    assert found.returncode == 2
    assert said in found.stderr
    assert not (tmp_path / "none").exists()


DIFFERENCES = [found for game in GAMES.values() for found in differences(game)]


@pytest.mark.parametrize("found", DIFFERENCES, ids=lambda found: f"{found.position.game.name} {found.move}")
def test_every_reading_is_played_in_a_terminal(tmp_path: Path, found: Difference) -> None:
    (tmp_path / "start.emp").write_text(str(Record(Match(found.position))))
    people = str(found.position.seats)
    told = run("play", "--load", "start.emp", "--people", people, typed=f"{found.move}\nquit\n", folder=tmp_path)
    assert told.returncode == 0, told.stderr
    if not found.allowed:
        assert re.search(r"\([A-Z]{2}-\d+\)", told.stdout), "the refusal names its rule"
        return
    with (tmp_path / "empedocles" / "last.emp").open() as file:
        assert next(read_records(file)).match.moves == [found.move]
