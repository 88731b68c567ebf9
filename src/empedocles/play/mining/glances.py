"""What everybody sees at once: the move that looks best, the one that does the most, one that does nothing.

Where that is all there is to see, a position is no puzzle.
"""

from __future__ import annotations

from empedocles.coach.lines import deeds
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search, nodes_for
from empedocles.search.tree import ROOT, children

CLEARLY = 0.1  # by how much a move looks better than every other, from −1 to 1


def looks_best(position: Position, move: str) -> bool:
    """Whether a move is clearly best by the game's evaluation right after it; never without an evaluation."""
    advice = position.game.advice
    if advice is None or advice.evaluate is None:
        return False
    worths = expectations(position)
    own = worths.pop(position.action(move))
    return all(own - worth > CLEARLY for worth in worths.values())


def expectations(position: Position) -> dict[int, float]:
    """What the player to move can expect of each action, at a glance."""
    search = Search(position, nodes=nodes_for(position.game, 1))
    search.run(Limit(simulations=1))
    tree, seats, seat = search.tree, position.seats, position.to_move or 0
    return {int(tree.action[child]): float(tree.expect[child * seats + seat]) for child in children(tree, ROOT)}


def does_most(position: Position, move: str) -> bool:
    """Whether what a move does at once is worth more than what any other does. To ward off a danger is not to gain."""
    gains = {action: _gain(position, action) for action in position.legal_actions}
    own = gains.pop(position.action(move))
    return own > 0 and all(gain < own for gain in gains.values())


def _gain(position: Position, action: int) -> float:
    return sum(deed.worth for _idea, deed in deeds(position, action) if not deed.saves)


def is_idle(position: Position, move: str) -> bool:
    """Whether a move does nothing worth talking about and leaves the board as it is, such as to decline something."""
    game = position.game
    if game.drawing is None or deeds(position, move):
        return False
    before, after = (game.sheet(place.state, Look()).pieces for place in (position, position.play(move)))
    return {piece[:4] for piece in before} == {piece[:4] for piece in after}  # but for their markup
