"""`empedocles train`: what can be asked of it. Training is in `training`, which takes longer to import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from empedocles.cli.options import GameName, OptionWords
from empedocles.errors import BadValue


def train(
    game: GameName,
    options: OptionWords = None,
    out: Annotated[Path, typer.Option(help="The folder of the run: the same command goes on with it.")] = Path("run"),
    minutes: Annotated[float, typer.Option(min=0.01, help="How long to train, earlier sittings included.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Of all chance: the same seed learns the same.")] = 0,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Games at a time; what is learnt does not depend on it.",
            show_default="1; on a cluster, one per core",
        ),
    ] = None,
    distil: Annotated[
        str,
        typer.Option(
            metavar="TEACHER",
            help="Learn what this says of positions: onnx:FILE, net:RUN, or MODULE:NAME, a policy or an agent's class.",
        ),
    ] = "",
    device: Annotated[
        str, typer.Option(help="cpu, or cuda: play thousands of games at once on a GPU, and learn there.")
    ] = "cpu",
    games: Annotated[
        int | None,
        typer.Option(
            "--round", min=1, help="Games that are played with the same table.", show_default="64; with cuda, 8192"
        ),
    ] = None,
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A Ray cluster: auto, local, ray://HOST:10001.")] = "",
) -> None:
    """Train a network for a game by self-play; it plays as the agent `net:FOLDER`."""
    from empedocles.cli import training
    from empedocles.cli.app import new_match
    from empedocles.learn.training import Plan

    if cluster and device != "cpu":
        raise BadValue(f"a cluster's cores play, or a GPU here: give --cluster or --device {device}, not both")
    start = new_match(game, options, chance="manual").position
    training.run(Plan(start, seed, distil, device, games or 0), out, minutes, threads, cluster)
