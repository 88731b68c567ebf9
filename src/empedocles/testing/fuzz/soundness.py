"""What must hold of every position, wherever it comes from."""

from __future__ import annotations

import random

import numpy as np

from empedocles.core.bits import NONE
from empedocles.core.kernel import CHANCE, NO_WEIGHTS, Actions, State
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.language import LANGUAGES
from empedocles.position import Position
from empedocles.search import exact
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search, nodes_for
from empedocles.testing.fuzz.findings import need

SPARE = 128  # room behind a buffer, to see what is written there
UNTOUCHED = -7  # an action that no kernel writes
REASONS = 6  # actions of a position that are asked about
LOOKS = 3  # positions on the way to the end that are checked in full
PICTURES, THOUGHTS = 0.04, 0.02  # the shares of positions that are drawn, and thought about
SIMULATIONS = 12


def check_sound(position: Position, luck: random.Random) -> None:
    """Its facts, its text, its legal moves and why others are refused."""
    actions = check_legal(position)
    check_text(position)
    check_reasons(position, actions, luck)
    if luck.random() < PICTURES:
        check_shown(position, luck)
    if luck.random() < THOUGHTS:
        check_thought(position, luck)


def check_legal(position: Position) -> list[int]:
    game, state = position.game, position.state
    out = _buffer(game)
    n = int(game.rules.legal(state, out))
    _check_list(game, state, out, n)
    need(position.legal_actions == sorted(out[:n].tolist()), "the door lists other actions than the kernel", position)
    return position.legal_actions


def _buffer(game: Game) -> Actions:
    return np.full(game.max_legal + SPARE, UNTOUCHED, np.int16)


def _check_list(game: Game, s: State, out: Actions, n: int) -> None:
    listed = out[:n].tolist()
    need(n <= game.max_legal, "more legal actions than max_legal", n, game.max_legal)
    need(np.all(out[game.max_legal :] == UNTOUCHED), "a kernel writes behind its buffer", n)
    need(all(0 <= action < game.n_actions for action in listed), "a legal action is no action", listed)
    need(len(set(listed)) == n, "an action is listed twice", listed)
    need((n == 0) == bool(s["over"]), "there are no legal actions exactly when the game is over", n)
    need(int(s["seats"]) in game.seats, "a game with another number of seats", int(s["seats"]))
    movers = range(CHANCE if game.has_chance else 0, int(s["seats"]))
    need(s["over"] or int(s["mover"]) in movers, "nobody at the table is to move", int(s["mover"]))


def check_text(position: Position) -> None:
    """The text gives the position back, and pickles, which are texts, with it."""
    try:
        twin = Position(position.text)
    except Exception as error:
        need(False, "a position refuses its own text", position.text, repr(error))
        raise
    need(twin.text == position.text, "another text after a round trip", position.text, twin.text)
    need(twin == position, "another position after a round trip", position.text)
    need(twin.key == position.key != NONE, "another key after a round trip", position.text)


def check_reasons(position: Position, legal: list[int], luck: random.Random) -> None:
    """Reasons are given exactly for actions that are not legal; some of each are tried."""
    numbers = range(position.game.n_actions)
    asked = luck.sample(legal, min(len(legal), REASONS // 3)) + luck.choices(numbers, k=REASONS)
    for action in asked:
        why = position.reason(action)
        need((why is None) == (action in legal), "an action is refused exactly if it is not legal", action, position)
        need(why is None or why.say(luck.choice(LANGUAGES)), "an action is refused without words", action, position)


def check_shown(position: Position, luck: random.Random) -> None:
    """For people: the text board, the picture, moves in words, what a program sees."""
    game, language = position.game, luck.choice(LANGUAGES)
    overlays = list(game.overlays)
    need(str(position).strip(), "a text board is empty", position.text)
    position.draw(
        language=language, wide=luck.random() < 0.5, overlays=luck.sample(overlays, luck.randint(0, len(overlays)))
    )
    for action in luck.sample(position.legal_actions, min(8, len(position.legal_actions))):
        need(position.words(action).say(language), "a move has no words", action, position)
    if game.interface:
        need(all(line.say(language) for line in game.interface.status(position.state)), "an empty line", position)
    if game.drawing:
        game.drawing.glyphs(position.state)
    if game.view:
        planes = [position.observe(seat) for seat in range(position.seats)]
        need(all(np.all((one >= 0) & (one <= 1)) for one in planes), "a plane has numbers outside 0 to 1", position)


def check_thought(position: Position, luck: random.Random) -> None:
    """For engines, which are asked about any position: evaluations, random games, a short search, exact values."""
    game, moves, seed = position.game, set(position.legal_moves), luck.getrandbits(32)
    if position.is_over:
        return
    if game.advice and game.advice.evaluate:
        worths = np.full(position.seats, np.nan, np.float32)
        game.advice.evaluate(position.state, NO_WEIGHTS, worths)
        need(np.all(np.abs(worths) <= 1), "an evaluation is not from −1 to 1", worths, position)
    need(len(playouts(position, 2, seed).plies) == 2, "random games are missing", position)
    if position.to_move == CHANCE:
        return
    if game.solve:
        need(set(exact.values(position)) == moves, "exact values of other moves than the legal ones", position)
    search = Search(position, seed, nodes=nodes_for(game, SIMULATIONS))
    search.run(Limit(simulations=SIMULATIONS))
    need({found.move for found in search.evaluations()} <= moves, "a search finds an illegal move", position)


# ── To the end ───────────────────────────────────────────────────────────────────────────────────────────────────────


def play_out(position: Position, luck: random.Random) -> None:
    """Random moves: the game ends in time, and all on the way have legal moves within bounds."""
    game, s, out = position.game, position.state, _buffer(position.game)
    looks = {luck.randrange(1, 60) for _ in range(LOOKS)}
    for ply in range(game.max_plies + 1):
        n = int(game.rules.legal(s, out))
        _check_list(game, s, out, n)
        if s["over"] or ply in looks:
            check_sound(Position.of(game, _copy(game, s)), luck)
        if s["over"]:
            break
        game.rules.play(s, int(out[luck.randrange(n)]))
    else:
        need(False, "a game goes on for more than max_plies", position.text)
    check_end(Position.of(game, s))


def _copy(game: Game, s: State) -> State:
    copy = np.zeros(1, game.rules.state)
    copy[0] = s
    state: State = copy[0]
    return state


def check_end(position: Position) -> None:
    result, returns = position.result, position.returns
    need(result is not None and len(result.scores) == position.seats, "a result without scores", position)
    need(abs(sum(returns)) < 1e-6 and max(map(abs, returns)) <= 1, "returns are not in balance", returns, position)
