"""The example bot plays a whole match against a real server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from server.processes import Server, ended

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def test_the_example_bot_plays_a_whole_match(tmp_path: Path) -> None:
    server = Server(tmp_path, str(tmp_path / "empedocles.db"), "--bots", "1")
    with ended(server):
        server.wait()
        played = subprocess.run(
            [sys.executable, BOT, server.address, "elemental-defenders"], check=False, capture_output=True, text=True
        )
        assert played.returncode == 0, played.stderr
        assert "scores" in played.stdout
        assert server.stop() == 0


def test_it_is_as_short_as_the_docs_say() -> None:
    text = BOT.read_text(encoding="utf-8")
    code = text.split('"""\n', 2)[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 40
