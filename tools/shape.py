"""Check the shape of the sources: no repeated code, and no long file without a reason.

python tools/shape.py [FOLDER]     src by default
"""

from __future__ import annotations

import ast
import itertools
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
LONGEST_REPEAT = 15  # lines of identical code
LONGEST_FILE = 400  # lines, unless the docstring gives a reason
REASON = "In one file"  # the start of that reason
CODE = (".py", ".js", ".css", ".html")


class Line(NamedTuple):
    file: Path
    number: int
    text: str


def main(folder: Path) -> int:
    files = sorted(path for path in folder.rglob("*") if path.suffix in CODE)
    problems = [*too_long(files), *repeats(files)]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


def too_long(files: Sequence[Path]) -> Iterator[str]:
    for file in files:
        text = file.read_text(encoding="utf-8")
        if (lines := text.count("\n")) > LONGEST_FILE and REASON not in _introduction(file, text):
            yield f"{_shown(file)}: {lines} lines; above {LONGEST_FILE} it begins with a reason ('{REASON}, …')"


def _introduction(file: Path, text: str) -> str:
    """The docstring of a Python file; the first comment in other languages."""
    return ast.get_docstring(ast.parse(text)) or "" if file.suffix == ".py" else text.partition("*/")[0]


# ── Repeats ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def repeats(files: Sequence[Path]) -> Iterator[str]:
    """Passages of identical code, each pair once and at its full length."""
    places: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    sources = [code(file) for file in files]
    for source, lines in enumerate(sources):
        for start in range(len(lines) - LONGEST_REPEAT):
            window = tuple(line.text for line in lines[start : start + LONGEST_REPEAT + 1])
            places[window].append((source, start))
    told: set[tuple[int, int, int]] = set()  # both sources and the passages' distance: reported once
    for found in places.values():
        for (source, start), (other, there) in itertools.pairwise(found):
            if (pair := (source, other, there - start)) not in told:
                told.add(pair)
                yield _told(sources[source], start, sources[other], there)


def _told(lines: list[Line], start: int, others: list[Line], there: int) -> str:
    length = 0
    while start + length < len(lines) and there + length < len(others):
        if lines[start + length].text != others[there + length].text:
            break
        length += 1
    here, where = lines[start], others[there]
    return f"{_shown(here.file)}:{here.number}: {length} lines as in {_shown(where.file)}:{where.number}"


def code(file: Path) -> list[Line]:
    """The significant lines: no blank ones, comments, imports or lone brackets."""
    text = file.read_text(encoding="utf-8")
    skipped = _imports(text) if file.suffix == ".py" else set()
    lines = (Line(file, number, line.strip()) for number, line in enumerate(text.splitlines(), start=1))
    return [line for line in lines if line.number not in skipped and _says(line.text)]


def _imports(text: str) -> set[int]:
    statements = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom))
    return {number for node in statements for number in range(node.lineno, (node.end_lineno or 0) + 1)}


def _says(line: str) -> bool:
    return any(map(str.isalnum, line)) and not line.startswith(("#", "//", "*", "/*"))


def _shown(file: Path) -> str:
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "src"))
