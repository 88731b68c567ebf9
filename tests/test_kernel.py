"""The decorator, the cache on disk, and dispatch by state type."""

from __future__ import annotations

import dataclasses
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import platformdirs
import pytest
from stones import GAME as STONES

import empedocles
from empedocles.core.cache import SHARED, cache_folder, digest, kernel_sources
from empedocles.core.kernel import State, no_opinion, offered, register, state_type
from empedocles.game import Advice
from empedocles.games import GAMES

PACKAGE = Path(empedocles.__file__).parent
FIRST_MOVE = "import empedocles; print(empedocles.new('ignite-and-flow').legal_moves[0])"


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=os.environ | environment
    )


def test_states_are_aligned_and_small() -> None:
    for game in GAMES.values():
        state = game.rules.state
        assert state.isalignedstruct
        assert state.itemsize <= 512
        assert state.type is State


def test_two_games_with_one_state_type_are_refused() -> None:
    rules = next(iter(GAMES.values())).rules
    assert register(rules) is rules, "registering again changes nothing"
    twin = rules._replace(play=print)
    with pytest.raises(TypeError, match="same state type"):
        register(twin)


def test_states_that_are_too_large_are_refused() -> None:
    rules = next(iter(GAMES.values())).rules
    state = state_type([("cells", np.int8, 600)], __file__)
    with pytest.raises(TypeError, match="may have 512 bytes, this one has"):
        register(rules._replace(state=state))


def test_field_names_that_records_have_already_are_refused() -> None:
    with pytest.raises(TypeError, match="cannot have a field 'round'"):
        state_type([("round", np.int8)], __file__)


def test_a_game_registers_what_its_record_names() -> None:
    for game in GAMES.values():
        state = game.rules.state
        assert game.view is not None
        assert game.advice is not None
        assert offered("observe", state) is game.view.observe
        assert offered("evaluate", state) is (game.advice.evaluate or no_opinion)


def test_an_evaluation_or_observation_of_another_form_is_refused() -> None:
    with pytest.raises(TypeError, match=r"evaluate takes \(s, weights, out\), but this game's takes \(s, out\)"):
        dataclasses.replace(STONES, advice=Advice(lambda s, out: None))  # type: ignore[arg-type, misc]
    view = next(iter(GAMES.values())).view
    assert view is not None
    with pytest.raises(TypeError, match=r"observe takes \(s, seat, planes\), but this game's takes \(s\)"):
        dataclasses.replace(STONES, view=view._replace(observe=lambda s: None))


def test_two_evaluations_of_one_state_type_are_refused() -> None:
    game = GAMES["ignite-and-flow"]
    with pytest.raises(TypeError, match="another game with the same state type has its own evaluate"):
        dataclasses.replace(game, advice=Advice(lambda s, weights, out: None))


def test_every_kernel_source_is_part_of_the_digest() -> None:
    """A file with kernels that the digest does not cover could leave stale machine code behind."""
    folders = [*SHARED, PACKAGE / "learn", PACKAGE / "modules", *(game.folder for game in GAMES.values())]
    covered = {file for folder in folders for file in kernel_sources(folder)}
    for file in PACKAGE.rglob("*.py"):
        if re.search(r"^@(tiny_)?kernel$", file.read_text(encoding="utf-8"), re.MULTILINE):
            assert file in covered, file
    assert {game.folder / "lookups.py" for game in GAMES.values()} <= covered, "lookups are compiled into kernels"


DIGESTS = """
from empedocles.core.cache import digest
from empedocles.games import GAMES
print([digest(game.folder) for game in GAMES.values()], [game.rules.state.names[-1] for game in GAMES.values()])
"""
WORDS = [PACKAGE / name for name in ("paper/booklet.py", "game.py", "position.py", "search/exact.py")]
WORDS += [
    folder / name
    for folder in (game.folder for game in GAMES.values())
    for name in ("__init__.py", "components.py", "moves.py", "picture.py", "reasons.py", "text.py")
]


def test_words_and_pictures_compile_nothing_anew_and_rules_do(tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "empedocles"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def digests(*changed: Path) -> str:
        for file in changed:
            there = copy / file.relative_to(PACKAGE)
            there.write_text(there.read_text(encoding="utf-8") + "\n# a changed word\n", encoding="utf-8")
        return run(DIGESTS, PYTHONPATH=str(copy.parent), NUMBA_CACHE_DIR=str(tmp_path / "cache")).stdout

    before = digests()
    assert digests(*WORDS) == before
    for folder in (game.folder for game in GAMES.values()):
        for name in ("rules.py", "lookups.py"):
            now = digests(folder / name)
            assert now != before, (folder, name)
            before = now
    assert digests(PACKAGE / "core" / "bits.py") != before


@pytest.mark.parametrize(
    ("source", "counts"),
    [
        ("from stones import lookups", True),
        ("from stones.lookups import (\n    MOST,\n)", True),
        ("from .lookups import MOST", True),
        ("import stones.lookups", True),
        ("def later():\n    from stones import lookups", False),
    ],
)
def test_what_a_kernel_source_imports_counts(tmp_path: Path, source: str, counts: bool) -> None:
    """In games of other packages too, however they spell it."""
    folder = tmp_path / "stones"
    folder.mkdir()
    (folder / "rules.py").write_text(f"{source}\n\n@kernel\ndef play(s, a):\n    pass\n")
    (folder / "lookups.py").write_text("MOST = 3\n")
    (folder / "text.py").write_text("from stones import rules\n")
    assert kernel_sources(folder) == {folder / "rules.py"} | ({folder / "lookups.py"} if counts else set())


def test_digest_changes_with_the_sources(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "rules.py").write_text("import numba\nx = 1")
    (tmp_path / "b" / "rules.py").write_text("import numba\nx = 2")
    one, two = digest(tmp_path / "a"), digest(tmp_path / "b")
    assert one != two
    assert digest.__wrapped__(tmp_path / "a") == one


def test_second_process_uses_what_the_first_compiled(tmp_path: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    first, second = run(FIRST_MOVE, **cache), run(FIRST_MOVE, **cache)
    assert first.stdout == second.stdout == "Ea1\n"
    assert "compiling the rules of Ignite and Flow for this machine (once" in first.stderr
    assert second.stderr == ""
    assert list(tmp_path.glob("kernels-*/**/*.nbi"))


def test_without_a_writable_cache_everything_works(tmp_path: Path) -> None:
    """A file where the folder should be: not even root can write there."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    found = run(FIRST_MOVE, NUMBA_CACHE_DIR=str(blocked), NUMBA_DISABLE_JIT="0")
    assert found.stdout == "Ea1\n"
    assert found.stderr == ""
    assert blocked.read_text() == ""


def test_a_changed_rule_never_meets_old_machine_code(tmp_path: Path) -> None:
    """Compile, change a rule in one file, ask through a kernel of another file: the new rule answers."""
    copy = tmp_path / "copy" / "empedocles"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_DISABLE_JIT": "0",
        "PYTHONPATH": str(copy.parent),
    }
    code = """
import empedocles
from empedocles.engine.perft import perft
print(empedocles.__file__)
print(perft(empedocles.new("ignite-and-flow").position, 2))
"""
    before = run(code, **environment).stdout.split()
    assert before[0] == str(copy / "__init__.py")
    lookups = copy / "games" / "ignite_and_flow" / "lookups.py"
    source = lookups.read_text(encoding="utf-8")
    changed = source.replace("for d in ORTHOGONAL]", "for d in ORTHOGONAL[:1]]", 1)
    assert changed != source
    lookups.write_text(changed, encoding="utf-8")
    rules = copy / "games" / "ignite_and_flow" / "rules.py"
    source = rules.read_text(encoding="utf-8")
    changed = source.replace("    n = everywhere(BURN + 1,", "    #").replace("    n = everywhere(BURN + 2,", "    #")
    changed = changed.replace("    n = everywhere(BURN + 3,", "    #")
    assert changed != source
    rules.write_text(changed, encoding="utf-8")
    after = run(code, **environment).stdout.split()
    assert int(after[1]) < int(before[1])


def test_cache_folder_lies_in_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache_folder.__wrapped__(PACKAGE)
    assert folder is not None
    assert folder.parent == Path(platformdirs.user_cache_dir("empedocles", appauthor=False))


@pytest.mark.parametrize("name", ["kernel", "bits", "planes"])
def test_older_names_lead_to_the_core(name: str) -> None:
    """Games of other packages import them."""
    older, new = importlib.import_module(f"empedocles.{name}"), importlib.import_module(f"empedocles.core.{name}")
    public = [word for word in vars(new) if not word.startswith("_")]
    assert all(getattr(older, word) is getattr(new, word) for word in public)


def test_functions_are_named_after_the_fields_of_a_state_in_every_process() -> None:
    """Otherwise machine code that two processes have kept on disk could be taken for that of another game."""
    code = """
import sys
from numba.np.numpy_support import from_dtype
from empedocles.games import GAMES
names = sorted(GAMES, reverse=len(sys.argv) > 1)
codes = [(name, from_dtype(GAMES[name].rules.state).mangling_args) for name in names]
print(sorted(codes))
"""
    one, two = (
        subprocess.run([sys.executable, "-c", code, *order], check=True, capture_output=True, text=True).stdout
        for order in ([], ["reverse"])
    )
    assert one == two
