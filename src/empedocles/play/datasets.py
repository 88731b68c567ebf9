"""Datasets for learning: what an agent thinks of the positions of whole matches, as a Parquet file.

A row is a decision; chance moves have none. The schema is in docs/research.md, and the file's metadata say what it was
made of. A match of self-play is a function of the plan and its number: so parts of a dataset can be made anywhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from empedocles import agents
from empedocles.agents import Agent
from empedocles.core.rng import checked_seed, draw, random_word
from empedocles.errors import BadValue, EmpedoclesError
from empedocles.extras import Extra
from empedocles.play.arena import Played, check_jobs, spread
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

FORMAT = 1  # of the schema
METADATA = b"empedocles"  # where it is in the file's metadata
AT_ONCE = 64  # matches written together
VALUES = 16_000_000  # numbers of observations that are kept until they are written, at most


@dataclass(frozen=True)
class Plan:
    """What every match of a dataset depends on, beside its number."""

    start: Position
    agent: str = "search"
    simulations: int | None = 200  # for each decision; None: nobody looks at the positions of matches that are given
    seed: int = 0
    varied: int = 20  # so many decisions of a match are drawn in proportion to visits; the others are the best
    planes: bool = False  # whether rows have the observation

    def __post_init__(self) -> None:
        checked_seed(self.seed)
        if self.varied < 0:
            raise BadValue(f"the number of varied decisions is 0 or more, not {self.varied}")
        if self.planes:
            self.start.game.needed_view()
        if self.simulations is not None:
            Limit(simulations=self.simulations)
            self.analyst(0)

    @property
    def facts(self) -> dict[str, Any]:
        """What the file says of itself."""
        game = self.start.game
        return {
            "dataset": FORMAT,
            "game": game.name,
            "options": game.named(self.start.options),
            "rules": game.rules_version,
            "version": version("empedocles"),
            "agent": self.agent if self.simulations else None,
            "simulations": self.simulations,
            "seed": self.seed,
            "varied": self.varied,
            "planes": list(game.needed_view().shape) if self.planes else None,
        }

    def analyst(self, seed: int) -> Agent:
        """The agent of one match; it sits in all seats."""
        # Half the range: others' agents may keep their seed in a signed word.
        return agents.analyst(self.agent, seed // 2, self.start.game)


class Decision(NamedTuple):
    """One row, but for what its match decides; the fields are those of the schema."""

    ply: int
    seat: int
    state: str
    actions: list[int]
    visits: list[int] | None
    values: list[float | None] | None
    value: float | None
    played: int
    planes: Any  # a flat array, or None


class Rows(NamedTuple):
    """The decisions of one match."""

    match: int
    outcome: tuple[float, ...]
    decisions: list[Decision]


# ── Matches ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def self_play(plan: Plan, games: int, first: int = 0, jobs: int | None = None, cluster: str = "") -> Iterator[Rows]:
    """Matches number `first` to `first + games − 1`, played in several processes, in order."""
    if games < 1 or first < 0:
        raise BadValue(f"a dataset has 1 match or more, and the first has a number from 0, not {games} from {first}")
    if plan.simulations is None:
        raise BadValue("self-play needs a number of simulations")
    return _spread(play, plan, range(first, first + games), jobs, cluster)


def replays(plan: Plan, played: Iterable[Played], jobs: int | None = None, cluster: str = "") -> Iterator[Rows]:
    """Matches that were played, with what the agent thinks of them if the plan has simulations."""
    return _spread(replay, plan, played, jobs, cluster)


def _spread(work: Any, plan: Plan, tasks: Iterable[Any], jobs: int | None, cluster: str) -> Iterator[Rows]:
    if jobs == 1 and not cluster:
        return (work(plan, task) for task in tasks)
    check_jobs(jobs)
    return spread(work, plan, tasks, jobs, cluster, ordered=True)


def match_seed(plan: Plan, number: int) -> int:
    """The seed of a match: of its chance moves, of the agent and of the decisions that are drawn."""
    return int(random_word(np.uint64(plan.seed), number))


def play(plan: Plan, number: int) -> Rows:
    """Match `number` of self-play."""
    seed = match_seed(plan, number)
    match, analyst = Match(plan.start, seed=seed), plan.analyst(seed)
    decisions: list[Decision] = []
    while not match.is_over:
        position = match.position
        found = _analysis(plan, analyst, position)
        move = _drawn(found, seed, match.plies) if len(decisions) < plan.varied else found[0].move
        decisions.append(_decision(plan, position, match.plies, move, found, analyst))
        match.play(move)
    return Rows(number, match.position.returns, decisions)


def replay(plan: Plan, played: Played) -> Rows:
    """A match that was played; BadValue if it breaks the rules or did not end as it says."""
    match, analyst = Match(plan.start, chance="manual"), _looker(plan, played.seed)
    decisions: list[Decision] = []
    try:
        for move in played.moves.split():
            position = match.position
            if position.to_move in range(position.seats):
                found = _analysis(plan, analyst, position) if analyst else []
                decisions.append(_decision(plan, position, match.plies, move, found, analyst))
            match.play(move)
    except EmpedoclesError as error:
        raise BadValue(f"game {played.number} cannot be replayed: {error}") from error
    if not match.is_over or np.abs(np.subtract(match.position.returns, played.returns)).max() > 1e-5:
        raise BadValue(f"game {played.number} does not end as it says: with {played.returns}")
    return Rows(played.number, match.position.returns, decisions)


def _looker(plan: Plan, seed: int) -> Agent | None:
    return plan.analyst(seed) if plan.simulations else None


def _analysis(plan: Plan, analyst: Agent, position: Position) -> list[Evaluation]:
    return analyst.analyse(position, Limit(simulations=plan.simulations))


def _drawn(found: list[Evaluation], seed: int, ply: int) -> str:
    """A move in proportion to its visits; the best where nothing was counted."""
    left = draw(np.uint64(seed), -1 - ply, sum(one.visits for one in found) or 1)  # chance draws from 0 up
    for one in found:
        left -= one.visits
        if left < 0:
            return one.move
    return found[0].move


def _decision(
    plan: Plan, position: Position, ply: int, move: str, found: list[Evaluation], analyst: Agent | None
) -> Decision:
    known = {position.action(one.move): one for one in found}
    actions, planes = position.legal_actions, position.observe().ravel() if plan.planes else None
    seat, state, played = int(position.to_move or 0), position.text, position.action(move)
    if not found:
        return Decision(ply, seat, state, actions, None, None, None, played, planes)
    visits = [known[action].visits if action in known else 0 for action in actions]
    if not getattr(analyst, "evaluates", True):
        return Decision(ply, seat, state, actions, visits, None, None, played, planes)
    values = [known[action].value if action in known else None for action in actions]
    return Decision(ply, seat, state, actions, visits, values, found[0].value, played, planes)


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def save(file: Path, plan: Plan, matches: Iterable[Rows]) -> int:
    """Write a dataset; returns how many rows it has. The file is there once it is whole."""
    with Extra("dataset"):
        from pyarrow import parquet
    if file.exists():
        raise BadValue(f"{file} is there already: delete it, or give another name")
    half, schema, rows = file.with_name(f".{file.name}.{os.getpid()}"), schema_of(plan), 0
    try:
        with parquet.ParquetWriter(half, schema, compression="zstd") as writer:
            for some in _batched(matches, plan):
                table = _table(some, schema)
                writer.write_table(table)
                rows += table.num_rows
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)
    return rows


def schema_of(plan: Plan) -> Any:
    """The columns, as PyArrow's types."""
    with Extra("dataset"):
        import pyarrow as pa
    columns = {
        "match": pa.int32(),
        "ply": pa.int32(),
        "seat": pa.int8(),
        "state": pa.string(),
        "actions": pa.list_(pa.int16()),
        "visits": pa.list_(pa.int32()),
        "values": pa.list_(pa.float32()),
        "value": pa.float32(),
        "played": pa.int16(),
        "outcome": pa.list_(pa.float32(), plan.start.seats),
    }
    if plan.planes:
        columns["planes"] = pa.list_(pa.float32(), int(np.prod(plan.start.game.needed_view().shape)))
    return pa.schema(columns.items(), {METADATA: json.dumps(plan.facts, ensure_ascii=False).encode()})


def _batched(matches: Iterable[Rows], plan: Plan) -> Iterator[list[Rows]]:
    """Matches that are written together: few enough for the memory if they have planes."""
    size = int(np.prod(plan.start.game.needed_view().shape)) if plan.planes else 1
    some: list[Rows] = []
    for match in matches:
        some.append(match)
        if len(some) == AT_ONCE or size * sum(len(one.decisions) for one in some) > VALUES:
            yield some
            some = []
    if some:
        yield some


def _table(matches: list[Rows], schema: Any) -> Any:
    import pyarrow as pa

    rows = [one for match in matches for one in match.decisions]
    columns = {name: [getattr(one, name) for one in rows] for name in schema.names if name in Decision._fields}
    columns["match"] = [match.match for match in matches for _ in match.decisions]
    columns["outcome"] = [match.outcome for match in matches for _ in match.decisions]
    if "planes" in columns:
        columns["planes"] = _fixed(columns["planes"], schema.field("planes").type)
    return pa.table({name: columns[name] for name in schema.names}, schema=schema)


def _fixed(planes: list[Any], kind: Any) -> Any:
    """Observations as a column of lists of one length, without a Python object for each number."""
    import pyarrow as pa

    flat = np.concatenate(planes) if planes else np.empty(0, np.float32)
    return pa.FixedSizeListArray.from_arrays(pa.array(flat), kind.list_size)
