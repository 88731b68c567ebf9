"""Where machine code is kept on disk, and what makes it too old.

Numba notices a change in a function's own file, not in the rules it calls from another file. So the folders of machine
code and the types of states are named after a digest of all sources that can matter: a changed rule never meets machine
code of the old one.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
from pathlib import Path

import numba
import numpy as np
import platformdirs

PACKAGE = Path(__file__).parent.parent
KERNEL_SOURCES = ("core/*.py", "engine/*.py", "search/*.py")  # of this package, beside those of the games


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
def digest(sources: Path) -> str:
    """Sixteen hex digits for all that a kernel in a folder can depend on: the Python sources there and those that all
    kernels share, and the versions of Python, NumPy and Numba. Kernels of one game never call those of another.
    """
    shared = (file for pattern in KERNEL_SOURCES for file in PACKAGE.glob(pattern))
    content = hashlib.blake2b(f"{numba.__version__} {np.__version__} {sys.version}".encode(), digest_size=8)
    for file in sorted({*shared, *sources.rglob("*.py")}):
        content.update(file.read_bytes())
    return content.hexdigest()
