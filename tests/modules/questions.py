"""What the tests ask a module, and what the CPU says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from empedocles import networks
from empedocles.agents.searchers import LadderAgent, SearchAgent
from empedocles.core.kernel import CHANCE, NO_WEIGHTS, evaluate
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit
from empedocles.search.mcts import Search, nodes_for
from empedocles.search.tree import USED
from empedocles.testing.samples import random_match
from empedocles.testing.transcripts import read_lines

DATA = Path(__file__).parents[1] / "games"
Json = dict[str, Any]
SIMULATIONS = 250
LARGEST = 30_000  # move sequences to count
SEED = 2**64 - 59  # has more bits than a number of JavaScript


def questions(game: Game, transcripts: int | None = None) -> list[Json]:
    """Of everything a little; of the transcripts so many, or all."""
    asked = [*of_transcripts(game, transcripts), *of_perft(game)]
    for number, options in enumerate(game.variants()):
        asked += of_options(game, options, number)
    return asked


def of_transcripts(game: Game, number: int | None) -> Iterator[Json]:
    for transcript in list(read_lines(DATA / game.folder.name / "conformance.jsonl"))[:number]:
        expected = {name: transcript[name] for name in ("plies", "scores", "winners")}
        yield {
            "ask": "transcript",
            "moves": transcript["moves"],
            "expected": expected,
            **at(game, transcript["options"]),
        }


def of_perft(game: Game) -> Iterator[Json]:
    for entry in read_lines(DATA / game.folder.name / "perft.jsonl"):
        start = Position.start(game, entry["options"])
        actions = []
        for move in entry["moves"]:
            actions.append(start.action(move))
            start = start.play(move)
        for depth, expected in enumerate(entry["perft"], start=1):
            if expected <= LARGEST:
                place = at(game, entry["options"], actions)
                yield {"ask": "perft", "depth": depth, "expected": expected, **place}


def of_options(game: Game, options: Json, number: int) -> Iterator[Json]:
    """Random games, searches with and without a network, weak opponents, and the exact solver."""
    yield {"ask": "playouts", "games": 30, "seed": str(number), **at(game, options)}
    match = random_match(game, options, number, plies=25 + 2 * number)
    while match.is_over or match.to_move == CHANCE:
        match.undo()
    place = at(game, options, [match.game.action_of[move] for move in match.moves])
    yield {"ask": "position", **place}
    told = {"seed": str(SEED - number), "simulations": SIMULATIONS}
    trained = {"trained": bool(networks.weights(game, match.options).table.size)}
    yield {"ask": "search", **trained, **told, **place}
    yield {"ask": "search", "only": match.legal_moves[-1], **told, **place}
    then = moves_on(match.position)
    yield {"ask": "search", "then": then, **told, **place}
    yield {"ask": "search", "noise": 0.25, "overlooks": 0.2, **told, **place}
    for level in range(1, len(game.opponents) + 1)[number % 3 :: 3]:
        yield {"ask": "choose", "level": level, "seed": str(number), "most": SIMULATIONS, **trained, **place}
        yield {"ask": "think", "level": level, "seed": str(SEED), "most": SIMULATIONS, **trained, **place}
    if game.solve:
        yield {"ask": "solve", **place}


def moves_on(position: Position) -> list[int]:
    """A move that a search expects and one that may follow, chance or not: to positions that it has looked at."""
    search = Search(position, SEED, nodes=nodes_for(position.game, SIMULATIONS), weights=NO_WEIGHTS)
    search.run(Limit(simulations=SIMULATIONS))
    line = search.evaluations()[0].line[:2]
    return [position.game.action_of[move] for move in line]


def at(game: Game, options: Json, actions: list[int] | None = None) -> Json:
    """A position as a module gets there."""
    words = np.asarray(game.encode(game.complete(options)), np.uint64).tolist()
    return {"words": list(map(str, words)), "actions": actions or [], "options": dict(options)}


# ── What the CPU says ────────────────────────────────────────────────────────────────────────────────────────────────


def answer(game: Game, question: Json) -> Any:
    if "expected" in question:
        return question["expected"]
    position = Position.start(game, question["options"])
    for action in question["actions"]:
        position = position.play(action)
    return {"playouts": played, "position": described, "search": searched, "choose": chosen, "think": thought}.get(
        question["ask"], solved
    )(position, question)


def played(position: Position, question: Json) -> Any:
    found = playouts(position, question["games"], int(question["seed"]))
    return [found.plies.tolist(), digest(found.states)]


def described(position: Position, question: Json) -> Any:
    state = np.zeros(1, position.game.rules.state)
    state[0] = position.state
    return [list(state.tobytes()), str(position.key), int(position.game.rules.ending(position.state))]


def searched(position: Position, question: Json) -> Any:
    game, simulations = position.game, question["simulations"]
    weights = networks.weights(game, position.options) if question.get("trained") else NO_WEIGHTS
    told = {name: question.get(name, 0.0) for name in ("noise", "overlooks")}
    nodes, only = nodes_for(game, simulations), question.get("only")
    search = Search(position, int(question["seed"]), nodes=nodes, weights=weights, only=only, **told)
    search.run(Limit(simulations=simulations))
    judged = np.zeros(position.seats, np.float32)
    evaluate(position.state, weights.with_room(), judged)
    found = [judged.tolist(), tree_of(search), summed(search.evaluations())]
    for action in question.get("then", []):
        position = position.play(action)
        found.append(search.follow(position))
        search.run(Limit(simulations=simulations))
        found += [tree_of(search), summed(search.evaluations())]
    return found


def tree_of(search: Search) -> str:
    tree, used = search.tree, int(search.tree.size[USED])
    rows = [array[:used] for array in (tree.family, tree.action, tree.mover, tree.settled, tree.visits, tree.prior)]
    rows += [array[: used * search.position.seats] for array in (tree.worth, tree.expect)]
    return digest(*rows)


def chosen(position: Position, question: Json) -> Any:
    return opponent(question).choose(position, Limit(simulations=question["most"]))


def thought(position: Position, question: Json) -> Any:
    return summed(opponent(question).analyse(position, Limit(simulations=question["most"])))


def solved(position: Position, question: Json) -> Any:
    return summed(SearchAgent().analyse(position, Limit(simulations=1)))


def opponent(question: Json) -> LadderAgent:
    return LadderAgent(question["level"], int(question["seed"]))


def summed(evaluations: list[Evaluation]) -> Any:
    return [[e.move, e.value, e.visits, e.proven, e.points, list(e.line)] for e in evaluations]


def digest(*arrays: np.ndarray[Any, Any]) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()
