"""The public names and what they promise."""

from __future__ import annotations

import copy
import os
import pickle
import pydoc
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import empedocles
from empedocles.game import Game
from empedocles.testing.samples import all_options, random_match

PUBLIC = [name for name in dir(empedocles) if not name.startswith("_")]


def test_public_names_exist() -> None:
    assert {"CHANCE", "Match", "Position", "games", "new", "vector"} <= set(PUBLIC)
    assert all(getattr(empedocles, name) is not None for name in PUBLIC)
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(empedocles, "nonsense")  # noqa: B009 # a type checker refuses the plain way


def test_help_fits_on_two_screens_and_names_what_is_public() -> None:
    text = pydoc.plain(pydoc.render_doc(empedocles))
    assert len(text.splitlines()) <= 100
    assert [name for name in [*PUBLIC, "empedocles.agents"] if name not in text] == []


def test_the_version_is_that_of_the_package() -> None:
    assert empedocles.__version__ == metadata.version("empedocles")


def test_type_checkers_know_the_public_names_and_no_others(tmp_path: Path) -> None:
    client = tmp_path / "client.py"
    uses = "\n".join(f"empedocles.{name}" for name in [*PUBLIC, "__version__"])
    client.write_text(
        "import empedocles\n"
        f"{uses}\n"
        'match: empedocles.Match = empedocles.new("ignite-and-flow")\n'
        "empedocles.nwe\n"
        "match.paly\n"
    )
    checker = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", f"--cache-dir={tmp_path}"]
    found = subprocess.run(
        [*checker, str(client)],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(Path(empedocles.__file__).parents[1])},
    )
    errors = [line for line in found.stdout.splitlines() if "client.py" in line]
    assert len(errors) == 2, found.stdout
    assert '"nwe"' in errors[0]
    assert '"paly"' in errors[1]


def test_import_alone_loads_neither_numpy_nor_numba() -> None:
    code = "import empedocles, sys; print({'numpy', 'numba', 'rich', 'typer'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout == "set()\n"


def test_games_lists_the_games_with_their_options() -> None:
    games = empedocles.games()
    assert list(games) == ["fire-and-water", "elemental-defenders", "ignite-and-flow", "points-of-power"]
    assert [option.name for option in games["fire-and-water"].options] == ["players", "board", "finale"]
    assert "players is 2 or 3 or 4" in str(games["fire-and-water"])


def test_new_match_starts_at_the_start(game: Game) -> None:
    match = empedocles.new(game.name, seed=7)
    assert match.to_move in range(match.position.seats)
    assert not match.is_over
    assert match.result is None
    assert match.legal_moves == sorted(match.legal_moves)


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (("chess",), {}, "unknown game 'chess': there are fire-and-water, elemental-defenders"),
        ((7,), {}, "unknown game 7"),
        (
            ("ignite-and-flow",),
            {"colour": 1},
            "unknown option 'colour' of ignite-and-flow: reactions is all or literal",
        ),
        (("ignite-and-flow",), {"reactions": "none"}, "unknown value 'none' for option 'reactions'"),
        (("fire-and-water",), {"players": 5}, "unknown value 5 for option 'players': players is 2 or 3 or 4"),
        (("fire-and-water",), {"players": 2.0}, "unknown value 2.0"),
        (("fire-and-water",), {"players": True}, "unknown value True"),
        (
            ("fire-and-water",),
            {"board": "none"},
            "unknown board 'none': board is medallion or chessboard or a board file",
        ),
        (("points-of-power",), {"board": 3}, "unknown value 3 for option 'board'"),
        (("elemental-defenders",), {"chance": "maybe"}, "unknown value 'maybe' for chance: there are auto, manual"),
    ],
)
def test_unknown_names_are_refused_with_what_exists(
    arguments: tuple[str], options: dict[str, object], said: str
) -> None:
    with pytest.raises(empedocles.UnknownName) as caught:
        empedocles.new(*arguments, **options)  # type: ignore[arg-type]
    assert said in str(caught.value)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_wrong_seeds_are_refused(seed: object) -> None:
    with pytest.raises(ValueError, match="a seed is a whole number"):
        empedocles.new("elemental-defenders", seed=seed)  # type: ignore[arg-type]


def test_same_seed_same_chance_and_undo_never_rerolls() -> None:
    one, two = (empedocles.new("elemental-defenders", seed=7) for _ in range(2))
    assert one.moves == two.moves
    assert len(one.moves) == 10
    assert one.moves != empedocles.new("elemental-defenders", seed=8).moves
    three = empedocles.new("fire-and-water", seed=3).play("Eb2", "Eg7", "Eb7")
    drawn = three.moves
    assert [move[0] for move in drawn] == ["E"] * 3 + ["+"] * 6
    assert three.undo().moves == ["Eb2", "Eg7"]
    assert three.play("Eb7").moves == drawn


def test_manual_chance_is_the_callers() -> None:
    match = empedocles.new("elemental-defenders", chance="manual")
    assert match.to_move == empedocles.CHANCE
    assert match.play("+Mw").moves == ["+Mw"]
    assert match.undo().moves == []


def test_undo_at_the_start_is_refused(game: Game) -> None:
    match = empedocles.new(game.name, seed=1)
    before = match.moves
    with pytest.raises(empedocles.NothingToUndo, match="nothing to undo"):
        match.undo()
    assert match.moves == before


@pytest.mark.parametrize("move", [None, 1.5, b"Fc3", ["Fc3"], True])
def test_moves_of_wrong_type_are_refused(move: object) -> None:
    match = empedocles.new("ignite-and-flow")
    with pytest.raises(TypeError, match="a move is text or an action number"):
        match.play(move)  # type: ignore[arg-type]
    assert match.moves == []


def test_unreadable_and_out_of_range_moves_are_refused(game: Game) -> None:
    match = empedocles.new(game.name, seed=1)
    before = match.position
    for move in ("", "nonsense", " ", "Fc3 ", -1, game.n_actions, np.int64(10**6)):
        with pytest.raises(empedocles.UnreadableMove) as caught:
            match.play(move)  # type: ignore[arg-type]
        assert caught.value.rule is None
        assert caught.value.move == str(move)
    assert match.position is before


@given(st.text())
def test_garbage_is_no_move(text: str) -> None:
    for name, game in empedocles.games().items():
        if text not in game.action_of:
            with pytest.raises(empedocles.UnreadableMove):
                empedocles.new(name, seed=1).position.play(text)


@given(st.text(st.sampled_from("FWAEm*./ \n#x\0")) | st.just("x" * 5000))
def test_garbage_is_no_board(text: str) -> None:
    for name in ("fire-and-water", "points-of-power"):
        with pytest.raises((empedocles.BoardError, empedocles.UnknownName)):
            empedocles.new(name, board=text)


def test_an_illegal_move_among_several_changes_nothing() -> None:
    match = empedocles.new("ignite-and-flow").play("Fc3")
    with pytest.raises(empedocles.IllegalMove) as caught:
        match.play("Wd4", "Fc3")
    assert match.moves == ["Fc3"]
    error = caught.value
    assert (error.move, error.rule, error.reason) == ("Fc3", "IF-5", "c3 is not empty: it holds fire")
    assert isinstance(error, ValueError)
    assert "illegal move 'Fc3': c3 is not empty: it holds fire (IF-5) in <ignite-and-flow" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_moves_after_the_end_name_a_rule(game: Game) -> None:
    match = random_match(game, all_options(game)[0], seed=5)
    assert match.to_move is None
    assert match.legal_moves == []
    assert match.result is not None
    for move in (game.moves[0], game.n_actions - 1):
        with pytest.raises(empedocles.IllegalMove) as caught:
            match.play(move)
        assert caught.value.rule


def test_copies_are_independent(game: Game) -> None:
    match = empedocles.new(game.name, seed=1)
    match.play(match.legal_moves[0])
    for twin in (match.copy(), copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
        before = match.position
        assert (twin.positions(), twin.moves, twin.seed, twin.chance) == (match.positions(), match.moves, 1, "auto")
        twin.play(twin.legal_moves[0])
        assert match.position is before
        assert twin.undo().position == before


@given(st.data())
def test_undo_takes_back_what_play_did(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(list(empedocles.games().values())))
    options = data.draw(st.sampled_from(all_options(game)))
    match = empedocles.new(game.name, seed=data.draw(st.integers(0, 2**64 - 1)), **options)
    before = []
    for _ in range(data.draw(st.integers(1, 25))):
        if match.is_over:
            break
        before.append((match.position, match.moves))
        match.play(match.legal_moves[data.draw(st.integers(0, len(match.legal_moves) - 1))])
    for position, moves in reversed(before):
        match.undo()
        assert (match.position, match.moves) == (position, moves)


def test_actions_can_be_played_by_number(game: Game) -> None:
    match = empedocles.new(game.name, seed=1)
    action = match.position.legal_actions[0]
    assert match.play(action).moves.count(game.moves[action]) == 1
