"""The README's prompt lines do what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_prompt_lines_of_the_readme() -> None:
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert found.attempted >= 10
    assert found.failed == 0


def test_links_of_the_documents_exist() -> None:
    import re

    for document in ROOT.glob("*.md"):
        for link in re.findall(r"\]\(([^):#]+)\)", document.read_text(encoding="utf-8")):
            assert (ROOT / link).exists(), f"{document.name}: {link}"
