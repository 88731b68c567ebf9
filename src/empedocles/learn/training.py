"""A training run: rounds of self-play, each with a frozen table, and what was learnt from them, kept in a folder.

A run depends on its game, options and seed alone, not on how many threads play or how often it was interrupted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import NO_WEIGHTS, Actions, Weights, Worths
from empedocles.core.rng import checked_seed, random_word
from empedocles.engine.playout import States
from empedocles.errors import BadValue
from empedocles.learn.selfplay import Floats, Memory, duel, learn, new_memory, new_trace, self_play
from empedocles.networks import FILE, NO_ARCHIVE, Network, features_of, new_card
from empedocles.position import Position

ROUND = 64  # games with the same table
STATE, LOG = "state.npz", "log.jsonl"
MEASURED = 2000  # games against the hand-made evaluation, one ply each, at each look


class Progress(NamedTuple):
    """How far a run has come; the fields of a line of its log."""

    games: int
    plies: int
    seconds: float  # of training, without looks
    error: float  # mean square, of the games since the look before
    score: float  # against the hand-made evaluation, one ply each


class Desk(NamedTuple):
    """What one thread needs for itself."""

    states: States
    weights: Weights
    out: Actions
    expected: Worths
    hopes: Floats


def share(returns: Worths, ours: npt.NDArray[np.bool_]) -> float:
    """The part of a game's winners who are ours: 0 to 1, and half if two sides of any size draw."""
    best = returns == returns.max()
    return 0.5 if best.all() else float((best & ours).sum() / best.sum())


class Training:
    """Go on with the run in a folder, or begin one."""

    def __init__(self, start: Position, folder: Path, seed: int = 0, threads: int = 1) -> None:
        if threads < 1:
            raise BadValue(f"training needs at least 1 thread, not {threads}")
        self.start, self.folder, self.seed = start, folder, checked_seed(seed)
        self.features = features_of(start.game)
        self.table = np.zeros(self.features.size, np.int16)
        self.memory = new_memory(self.features.size)
        self.games, self.plies, self.seconds, self.error, self.fresh = 0, 0, 0.0, 0.0, 0
        self.desks = [self._desk() for _ in range(threads)]
        self.traces = [new_trace(start.seats, self.features.most) for _ in range(ROUND)]
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / STATE).exists():
            self._resume()

    def _desk(self) -> Desk:
        game, weights = self.start.game, NO_WEIGHTS._replace(table=self.table)
        return Desk(
            np.zeros(2, game.rules.state),
            weights._replace(places=np.empty(self.features.most, np.int32)),
            np.empty(game.max_legal, np.int16),
            np.zeros(self.start.seats, np.float32),
            np.zeros(self.start.seats),
        )

    # ── Rounds ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def round(self) -> None:
        """Play some games at once, then learn from them one after another."""
        begun, lengths = time.perf_counter(), np.zeros(ROUND, np.int64)

        def play_some(number: int, desk: Desk) -> None:
            for k in range(number, ROUND, len(self.desks)):
                desk.states[0] = self.start.state
                luck = np.uint64(random_word(np.uint64(self.seed), self.games + k))
                lengths[k] = self_play(desk.states, desk.weights, luck, desk.out, desk.expected, self.traces[k])

        self._at_once(play_some)
        for k in range(ROUND):
            self.error += learn(self.traces[k], int(lengths[k]), self.table, self.memory)
        self.games += ROUND
        self.plies += int(lengths.sum())
        self.fresh += int(lengths.sum())
        self.seconds += time.perf_counter() - begun

    def _at_once(self, work: Callable[[int, Desk], None]) -> None:
        with self.start.game.blamed(), ThreadPoolExecutor(len(self.desks)) as pool:
            list(pool.map(work, range(len(self.desks)), self.desks))  # raises what they raise

    def run(self, until: float, every: float = 60.0) -> Iterator[Progress]:
        """Train until it has taken so many seconds in all; see how strong it has become, and save, now and then."""
        while self.seconds < until:
            pause = min(until, self.seconds + every)
            while self.seconds < pause:
                self.round()
            yield self.look()

    def look(self) -> Progress:
        """Measure, note and save what was reached."""
        found = Progress(
            self.games, self.plies, round(self.seconds, 1), self.error / max(1, self.fresh), self.measure()
        )
        self.error, self.fresh = 0.0, 0
        self.save()
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(found._asdict()) + "\n")
        return found

    def measure(self, games: int = MEASURED) -> float:
        """The score against the hand-made evaluation, one ply each, seats exchanged on the same openings."""
        scores = np.zeros(games)

        def play_some(number: int, desk: Desk) -> None:
            for k in range(number, games, len(self.desks)):
                desk.states[0], side = self.start.state, k % 2
                luck = np.uint64(random_word(np.uint64(self.seed), -1 - k // 2))
                ended = duel(desk.states, desk.weights, NO_WEIGHTS, side, luck, desk.out, desk.expected, desk.hopes)
                scores[k] = share(desk.expected, np.arange(self.start.seats) % 2 == side) if ended else 0.5

        self._at_once(play_some)
        return round(float(scores.mean()), 4)

    # ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _plan(self) -> dict[str, Any]:
        return {"game": self.start.game.name, "options": repr(self.start.options), "seed": self.seed, "round": ROUND}

    def save(self) -> None:
        """All that is needed to go on, and the network: whoever kills the run in between loses nothing but time."""
        counters = {"games": self.games, "plies": self.plies, "seconds": self.seconds}
        texts = {"plan": np.array(json.dumps(self._plan())), "counters": np.array(json.dumps(counters))}
        arrays: dict[str, Any] = {"table": self.table, **self.memory._asdict(), **texts}
        fresh = self.folder / f"{STATE}.new"
        with fresh.open("wb") as out:
            np.savez_compressed(out, **arrays)
        fresh.replace(self.folder / STATE)
        self.network().save(self.folder / FILE)

    def _resume(self) -> None:
        try:
            with (self.folder / STATE).open("rb") as opened, np.load(opened) as content:
                plan, counters = json.loads(str(content["plan"])), json.loads(str(content["counters"]))
                table, memory = content["table"], Memory(*(content[name] for name in Memory._fields))
        except NO_ARCHIVE as error:
            raise BadValue(f"{self.folder / STATE} is damaged: {error}") from error
        if plan != self._plan():
            raise BadValue(f"{self.folder} has a run of {plan}, not of {self._plan()}; give another folder")
        self.table[:], self.memory = table, memory
        self.games, self.plies, self.seconds = counters["games"], counters["plies"], counters["seconds"]

    def network(self, least: float = 0.0) -> Network:
        """What was learnt so far; without places that were corrected by less than `least` in all."""
        table = np.where(self.memory.sizes >= least, self.table, 0).astype(np.int16)
        return Network(
            table,
            new_card(
                self.start.game,
                self.start.options,
                games=self.games,
                plies=self.plies,
                seconds=round(self.seconds),
                seed=self.seed,
            ),
        )
