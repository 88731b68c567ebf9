"""What a choice would place, before it is played: the pieces that its move brings to its targets."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from empedocles.play.partial import Partial, after
from empedocles.render.marks import holds
from empedocles.render.picture import Box, Look, Piece, group, rect


def ghost(entry: Partial, look: Look) -> str:
    """The markup of what the chosen targets place; "" for nothing, or if it is still open.

    If more targets have to follow, only what lies on those chosen is shown: of a marker, the half that is placed.
    """
    game, position = entry.position.game, entry.position
    move = entry.whole or _some_move(entry)
    if move is None or not game.drawing:
        return ""
    then = position.play(move)
    before = game.sheet(position.state, look)
    reached = game.sheet(then.state, replace(look, before=position.state))
    targets = {target for clicked in game.paths[game.action_of[move]] for target in clicked}
    boxes = [box for target, box in reached.boxes.items() if target in targets]
    new = [piece for piece in reached.pieces if piece not in set(before.pieces) and _lies_in(piece, boxes)]
    drawn = "".join(group(piece.x, piece.y, piece.markup) for piece in new)
    if entry.whole:
        return "".join(_cover(box) for box in boxes if any(_lies_in(piece, [box]) for piece in new)) + drawn
    if not drawn:
        return ""
    return "".join(_seen_through(reached.boxes[target], drawn) for target in entry.chosen if target in reached.boxes)


def _some_move(entry: Partial) -> str | None:
    """A move that goes on as chosen, where all of them place the same so far: not within a group in any order."""
    if len(entry.chosen) < 2 or not (moves := entry.moves):
        return None
    path = entry.position.game.paths[entry.position.game.action_of[moves[0]]]
    rest = after(path, entry.chosen) or ()
    return moves[0] if path[len(path) - len(rest) :] == rest else None


def _cover(box: Box) -> str:
    """Hides a card of an earlier move: what is written on two cards, one seen through the other, cannot be read."""
    return rect("paper", box, 6) if box.height > box.width else ""


def _lies_in(piece: Piece, boxes: Collection[Box]) -> bool:
    return any(holds(box, piece) for box in boxes)


def _seen_through(box: Box, drawn: str) -> str:
    """The part of a drawing that lies in a box."""
    x, y, width, height = (f"{side:g}" for side in box)
    return f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{x} {y} {width} {height}">{drawn}</svg>'
