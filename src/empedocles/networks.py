"""Trained networks: the table of numbers that a game's evaluation reads, and a card that says how it was made.

A network is a file `network.npz` in its game's folder, or in that of a training run. It is for the options it was
trained on; with others, and if the file is damaged, the hand-made evaluation is used.
"""

from __future__ import annotations

import functools
import hashlib
import json
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from empedocles.core.kernel import NO_WEIGHTS, Table, Weights
from empedocles.errors import BadValue
from empedocles.game import Features, Game, Options
from empedocles.games import find

FILE = "network.npz"
VERSION = 1  # of the file

Card = Mapping[str, Any]
NO_ARCHIVE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error)  # of a damaged file


@dataclass(frozen=True)
class Network:
    """A trained table, and what to know about it."""

    table: Table = field(repr=False)
    card: Card  # the game, the options, how it was trained and how strong it was found to be

    def weights(self) -> Weights:
        """For an evaluation. Threads need room of their own: `weights().with_room()`."""
        return NO_WEIGHTS._replace(table=self.table, places=np.empty(self.card["places"], np.int32))

    def suits(self, game: Game, options: Options) -> bool:
        """Whether it was trained on this game with these options."""
        return bool(self.card["game"] == game.name and _plain(options) in self.card["options"])

    def check(self, game: Game, options: Options) -> None:
        """Refuse positions of anything else than it was trained on."""
        if not self.suits(game, options):
            known = f"{self.card['game']} with {self.card['options']}"
            raise BadValue(f"this network was trained on {known}, not on {game.name} with {options}")

    def save(self, file: Path) -> None:
        """Only places with a number other than 0 are kept."""
        places = np.flatnonzero(self.table)
        steps = np.diff(places, prepend=0).astype(np.uint32)
        values = self.table[places]
        card = {**self.card, "version": VERSION, "size": len(self.table), "digest": _digest(steps, values)}
        with file.open("wb") as out:
            np.savez_compressed(
                out, steps=steps, values=values, card=np.frombuffer(json.dumps(card).encode(), np.uint8)
            )


def read(file: Path, game: Game | None = None) -> Network:
    """A network from a file; BadValue if it is damaged, or made for something else than a game as it is here."""
    try:
        with file.open("rb") as opened, np.load(opened) as content:
            steps, values, card = content["steps"], content["values"], json.loads(content["card"].tobytes())
    except NO_ARCHIVE as error:
        raise BadValue(f"{file} is not a network: {error}") from error
    if card.get("digest") != _digest(steps, values):
        raise BadValue(f"{file} is damaged: its digest is another than its card says")
    game = game or find(card["game"])
    features = features_of(game)
    expected = {"version": VERSION, "game": game.name, "rules": game.rules_version, "size": features.size}
    for name, value in (expected | {"places": features.most}).items():
        if card.get(name) != value:
            raise BadValue(f"{file} is a network with {name} {card.get(name)!r}, expected {value!r}")
    table = np.zeros(features.size, np.int16)
    table[np.cumsum(steps, dtype=np.int64)] = values
    return Network(table, card)


def features_of(game: Game) -> Features:
    if game.advice is None or game.advice.features is None:
        raise BadValue(f"{game.title} names no features, which a network needs")
    return game.advice.features


def new_card(game: Game, options: Options, **more: Any) -> dict[str, Any]:
    features = features_of(game)
    return {
        "game": game.name,
        "rules": game.rules_version,
        "places": features.most,
        "options": [_plain(options)],
        **more,
    }


@functools.cache
def shipped(game: Game) -> Network | None:
    """The network that comes with a game; None, with a warning, if its file is damaged."""
    file = game.folder / FILE
    if game.advice is None or game.advice.features is None or not file.exists():
        return None
    try:
        return read(file, game)
    except BadValue as error:
        warnings.warn(f"{game.title} is evaluated without its network: {error}", stacklevel=2)
        return None


def weights(game: Game, options: Options) -> Weights:
    """What an evaluation weighs with: the game's network where it was trained on these options."""
    network = shipped(game)
    return network.weights() if network and network.suits(game, options) else NO_WEIGHTS


def _plain(options: Options) -> dict[str, Any]:
    return {name: value for name, value in sorted(options.items()) if isinstance(value, (str, int))}


def _digest(steps: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> str:
    return hashlib.sha256(steps.tobytes() + values.tobytes()).hexdigest()
