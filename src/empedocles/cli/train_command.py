"""`empedocles train`: what can be asked of it. Training is in `training`, which takes longer to import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from empedocles.cli.options import GameName, OptionWords


def train(
    game: GameName,
    options: OptionWords = None,
    out: Annotated[Path, typer.Option(help="The folder of the run: the same command goes on with it.")] = Path("run"),
    minutes: Annotated[float, typer.Option(min=0.01, help="How long to train, earlier sittings included.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Of all chance: the same seed learns the same.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Games at a time; what is learnt does not depend on it.")] = 1,
) -> None:
    """Train a network for a game by self-play on this machine's processor; it plays as the agent `net:FOLDER`."""
    from empedocles.cli import training
    from empedocles.cli.app import new_match

    training.run(new_match(game, options, chance="manual").position, out, minutes, seed, threads)
