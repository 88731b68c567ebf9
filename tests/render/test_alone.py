"""Drawing needs no game, and none of what compiles the rules."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

from empedocles import render


def test_drawings_need_neither_numba_nor_a_game() -> None:
    modules = [f"empedocles.render.{found.name}" for found in pkgutil.iter_modules(render.__path__)]
    code = f"import sys, {', '.join(modules)}; print({{'numba', 'numpy', 'empedocles.games'}} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout == "set()\n"
