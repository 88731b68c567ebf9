"""Golden playthroughs: one random match per game and options, as text that a person can read.

python -m empedocles.testing.playthroughs FOLDER      writes them all anew; review the difference
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.match import Match
from empedocles.testing.samples import all_options, random_match

DRAWN = 6  # boards that are drawn, spread over the match
LINES = 150  # positions written as a line; in a longer match they are spread over it


def playthrough(game: Game, options: dict[str, Any]) -> str:
    match = random_match(game, options, seed=2)
    every, shown = (max(1, len(match.moves) // n) for n in (DRAWN - 1, LINES))
    lines = [f"{game.title}, rules version {game.rules_version}, {game.named(options)}", ""]
    for ply, position in enumerate(match.positions()):
        if ply % shown and ply % every and not position.is_over:
            continue
        lines += [f"{ply}. {match.moves[ply - 1]}" if ply else "start", position.text]
        moves = position.legal_moves
        lines += [f"to move {position.to_move}, {len(moves)} legal: {' '.join(moves[:6])} …", ""]
        if ply % every == 0 or position.is_over:
            lines += [str(position), ""]
    return "\n".join([*lines, _result(match), ""])


def _result(match: Match) -> str:
    assert match.result is not None
    return f"scores {match.result.scores}, winners {sorted(match.result.winners)}"


def file_name(game: Game, options: dict[str, Any]) -> str:
    return "-".join([game.name, *map(str, game.named(options).values())]) + ".txt"


def write_all(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for game in GAMES.values():
        for options in all_options(game):
            (folder / file_name(game, options)).write_text(playthrough(game, options), encoding="utf-8")


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
