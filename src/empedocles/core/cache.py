"""Where machine code is kept on disk, and what makes it too old.

Numba notices a change in a function's own file, not in the rules it calls from another file. So the folders of machine
code and the types of states are named after a digest of all sources that can matter: a changed rule never meets machine
code of the old one. Sources that cannot matter, such as drawings and texts, are no part of it.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import platformdirs

PACKAGE = Path(__file__).parent.parent
SHARED = tuple(PACKAGE / name for name in ("core", "engine", "search"))  # compiled together with a game's

_KERNEL = re.compile(r"^ *@[\w.]*kernel\b|\bkernel(?:\(| as )|^(?:from|import) numba\b", re.MULTILINE)
_IMPORT = re.compile(r"^from (\S+) import (\([^)]*\)|.*)|^import (\S+)", re.MULTILINE)


@functools.cache
def cache_folder(sources: Path) -> Path | None:
    """Where machine code of the functions in a source folder is kept, or None if nothing can be written."""
    root = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("empedocles", appauthor=False)
    folder = Path(root) / f"kernels-{digest(sources)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


@functools.cache
def digest(folder: Path) -> str:
    """Sixteen hex digits for all that a kernel in a folder can depend on: the kernel sources there and those that all
    kernels share, and the versions of Python, NumPy and Numba. Kernels of one game never call those of another.
    """
    content = hashlib.blake2b(f"{numba.__version__} {np.__version__} {sys.version}".encode(), digest_size=8)
    for file in sorted({file for each in {*SHARED, folder} for file in kernel_sources(each)}):
        content.update(file.read_bytes())
    return content.hexdigest()


@functools.cache
def kernel_sources(folder: Path) -> frozenset[Path]:
    """The files of a folder that have kernels, and the lookups that these import as they are loaded.

    A kernel cannot import anything, so imports inside functions do not count.
    """
    texts = {file: file.read_text(encoding="utf-8", errors="replace") for file in folder.rglob("*.py")}
    found: set[Path] = set()
    todo = {file for file, text in texts.items() if _KERNEL.search(text)}
    while todo:
        found |= todo
        wanted = {name for file in todo for name in _imported(texts[file])}
        todo = {file for file in texts if _module_name(file) in wanted} - found
    return frozenset(found)


def _imported(text: str) -> Iterator[str]:
    """The last names of modules that a source imports, and what it takes from them, which may be modules too."""
    for origin, names, plain in _IMPORT.findall(text):
        yield (origin or plain).rpartition(".")[2]
        yield from re.findall(r"\w+", names)


def _module_name(file: Path) -> str:
    return file.parent.name if file.stem == "__init__" else file.stem
