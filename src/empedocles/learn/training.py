"""A training run: rounds of self-play, each with a frozen table, and what was learnt from them, kept in a folder.

A run depends on its plan alone, not on who plays its games or how often it was interrupted.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from empedocles.core.rng import checked_seed
from empedocles.engine.playout import checked_device
from empedocles.errors import BadValue
from empedocles.learn.learners import Learner, OneByOne
from empedocles.learn.players import Player, Threads
from empedocles.learn.selfplay import Memory, new_memory
from empedocles.learn.teachers import teacher
from empedocles.networks import FILE, NO_ARCHIVE, Network, features_of, new_card
from empedocles.position import Position

ROUND = {"cpu": 64, "cuda": 8192}  # games with the same table
STATE, LOG = "state.npz", "log.jsonl"
MEASURED = 2000  # games against the hand-made evaluation, one ply each, at each look
OFTEN, RARELY = 5.0, 60.0  # seconds between two looks, at first and later


@dataclass(frozen=True)
class Plan:
    """All that a run depends on."""

    start: Position
    seed: int = 0
    teacher: str = ""  # who says what positions are worth; nobody: how the games went on
    device: str = "cpu"
    games: int = 0  # of a round; 0: as many as suit the device

    def __post_init__(self) -> None:
        checked_seed(self.seed)
        features_of(self.start.game)
        if self.games < 0:
            raise BadValue(f"a round has at least 1 game, not {self.games}")
        if checked_device(self.device) != "cpu" and self.teacher:
            raise BadValue("a teacher is asked on the processor: it cannot be combined with device='cuda'")

    @property
    def round(self) -> int:
        return self.games or ROUND[self.device]

    @property
    def facts(self) -> dict[str, Any]:
        """What the file of a run says of it."""
        basic = {"game": self.start.game.name, "options": repr(self.start.options), "seed": self.seed}
        more = {"device": self.device} if self.device != "cpu" else {}
        return {**basic, "round": self.round, **more, **({"teacher": self.teacher} if self.teacher else {})}


class Progress(NamedTuple):
    """How far a run has come; the fields of a line of its log."""

    games: int
    plies: int
    seconds: float  # of training, without looks
    error: float  # mean square, of the games since the look before, each before it was learnt from
    score: float  # against the hand-made evaluation, one ply each
    rating: float  # the same as a difference in Elo


class Training:
    """Go on with the run in a folder, or begin one."""

    def __init__(self, plan: Plan, folder: Path, threads: int = 1, player: Player | None = None) -> None:
        """`threads` play on this machine, unless there is another player for that; and measure."""
        self.plan, self.folder = plan, folder
        size = features_of(plan.start.game).size
        self.table, self.memory = np.zeros(size, np.int16), new_memory(size)
        self.games, self.plies, self.seconds, self.wrong, self.errors = 0, 0, 0.0, 0.0, 0
        self.score = math.nan  # at the last look
        self.threads = Threads(plan.start, plan.seed, threads)
        self.player = player or self.threads
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / STATE).exists():
            self._resume()

    @cached_property
    def learner(self) -> Learner:
        """Made when it is needed: a run on a GPU can be looked at without one."""
        plan = self.plan
        if plan.device == "cuda":
            from empedocles.learn.gpu import AtOnce

            return AtOnce(plan.start, plan.seed, self.table, self.memory, plan.round)
        guide = teacher(plan.teacher, plan.start, plan.seed) if plan.teacher else None
        return OneByOne(plan.start, plan.seed, self.table, self.memory, self.player, guide)

    # ── Rounds ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def round(self) -> None:
        begun = time.perf_counter()
        plies, wrong, errors = self.learner.round(range(self.games, self.games + self.plan.round))
        self.games += self.plan.round
        self.plies += plies
        self.wrong += wrong
        self.errors += errors
        self.seconds += time.perf_counter() - begun

    def run(self, until: float, watch: Callable[[Training], bool] | None = None) -> Iterator[Progress]:
        """Train until it has taken so many seconds in all; see how strong it has become, and save, now and then.

        After each round, `watch` is told, and says whether to go on.
        """
        while self.seconds < until:
            pause = min(until, self.seconds + min(RARELY, max(OFTEN, self.seconds / 2)))
            while self.seconds < pause:
                self.round()
                if watch and not watch(self):
                    self.save()
                    return
            yield self.look()

    def look(self) -> Progress:
        """Measure, note and save what was reached."""
        self.score = self.measure()
        found = Progress(self.games, self.plies, round(self.seconds, 1), self.error, self.score, self.rating)
        self.wrong, self.errors = 0.0, 0
        self.save()
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(found._asdict()) + "\n")
        return found

    @property
    def error(self) -> float:
        """Mean square, since the last look."""
        return self.wrong / max(1, self.errors)

    @property
    def rating(self) -> float:
        """Against the hand-made evaluation, in Elo, at the last look; nan before it."""
        return round(elo(self.score), 1) if math.isfinite(self.score) else math.nan

    def measure(self, games: int = MEASURED) -> float:
        """The score against the hand-made evaluation, one ply each."""
        self._fetch()
        return round(self.threads.score(self.table, games), 4)

    def _fetch(self) -> None:
        if "learner" in vars(self):
            self.learner.fetch()

    # ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def save(self) -> None:
        """All that is needed to go on, and the network: whoever kills the run in between loses nothing but time."""
        self._fetch()
        counters = {"games": self.games, "plies": self.plies, "seconds": self.seconds}
        texts = {"plan": np.array(json.dumps(self.plan.facts)), "counters": np.array(json.dumps(counters))}
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
        if plan != self.plan.facts:
            raise BadValue(f"{self.folder} has a run of {plan}, not of {self.plan.facts}; give another folder")
        if table.shape != self.table.shape:
            raise BadValue(f"{self.folder / STATE} has a table of {len(table)} numbers, expected {len(self.table)}")
        self.table[:], self.memory = table, memory
        self.games, self.plies, self.seconds = counters["games"], counters["plies"], counters["seconds"]

    def network(self, least: float = 0.0) -> Network:
        """What was learnt so far; without places that were corrected by less than `least` in all."""
        table = np.where(self.memory.sizes >= least, self.table, 0).astype(np.int16)
        plan, more = self.plan, {"teacher": self.plan.teacher} if self.plan.teacher else {}
        return Network(
            table,
            new_card(
                plan.start.game,
                plan.start.options,
                games=self.games,
                plies=self.plies,
                seconds=round(self.seconds),
                seed=plan.seed,
                **more,
            ),
        )


def elo(score: float) -> float:
    """The difference in strength that lets one expect a score; that of half a game less where everything was won."""
    sure = min(1 - 0.5 / MEASURED, max(0.5 / MEASURED, score))
    return 400 * math.log10(sure / (1 - sure))
