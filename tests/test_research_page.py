"""The page for researchers: its lines run, its tables are those of the games, and what it links to exists."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
PARTS = re.findall(r"^### (.+?)$(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
SECTIONS = {title: text for title, text in PARTS if ">>>" in text}
# Not everywhere, unlike all others: PyTorch, of the extra `train`, and a GPU.
PYTORCH = {"On a GPU", "PyTorch and JAX", "Searches on a GPU"}


def test_every_interface_is_shown() -> None:
    shown = {
        "The library",
        "Arrays",
        "Batches and positions",
        *PYTORCH,
        "Gymnasium",
        "PettingZoo",
        "OpenSpiel",
        "More data by symmetry",
        "Agents of your own",
        "Networks of your own",
        "Datasets",
    }
    assert set(SECTIONS) == shown


@pytest.mark.parametrize("title", SECTIONS)
def test_prompt_lines(title: str) -> None:
    if "import jax" not in SECTIONS[title]:
        run(title)
        return
    # In a process of its own: JAX starts threads, which goes badly with other tests that fork.
    code = f"import test_research_page as page; page.run({title!r})"
    tried = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=Path(__file__).parent
    )
    assert tried.returncode == 0, tried.stdout + tried.stderr


def run(title: str) -> None:
    text = SECTIONS[title]
    if title in PYTORCH and not _pytorch_has_gpu():
        text = text.replace('device="cuda"', 'device="cpu"')
    found = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(text, {}, title, None, 0))
    assert found.attempted >= 5
    assert found.failed == 0


def _pytorch_has_gpu() -> bool:
    torch = pytest.importorskip("torch", reason="needs PyTorch, of the extra empedocles[train]")
    from numba import cuda

    return bool(torch.cuda.is_available() and cuda.is_available())


def test_tables_are_those_of_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python benchmarks/facts.py --quick` would change nothing."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import facts

    for section, rows in facts.quick_sections().items():
        assert "\n".join([f"<!-- {section} -->", *rows, f"<!-- end of {section} -->"]) in PAGE, section


def test_links_exist() -> None:
    for link in re.findall(r"\]\(([^):#]+)\)", PAGE):
        assert (ROOT / "docs" / link).exists(), link


def test_the_version_to_cite_is_this_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {project['version']}\n" in citation
    assert f"\nlicense: {project['license'].removesuffix(' AND OFL-1.1')}\n" in citation  # fonts are not cited
    assert f"version = {{{project['version']}}}" in PAGE
    from empedocles.games import GAMES

    for game in GAMES.values():
        family = game.authors.split()[-1]
        assert family in citation
        assert game.title in citation
        assert family in PAGE
