"""Puzzles in words, and on paper: six a page, with the solutions upside down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from empedocles.coach.puzzles import Puzzle, own_plies
from empedocles.errors import BadValue
from empedocles.language import Message, Number, Term, in_a_row
from empedocles.language import mark as _
from empedocles.paper.exercises import PER_PAGE, Exercise, exercise_pages
from empedocles.position import Position

__all__ = ["PER_PAGE", "print_puzzles", "solution_of", "task_of"]


def task_of(puzzle: Puzzle) -> Message:
    """Who is to move, and how many moves there are to find."""
    player = puzzle.game.seat_name(puzzle.start.seats, puzzle.start.to_move or 0)
    if puzzle.own_moves == 1:
        return Message(_("{player} to move: find the best move."), {"player": player})
    return Message(_("{player} to move: find the best {n} moves."), {"player": player, "n": Number(puzzle.own_moves)})


def solution_of(puzzle: Puzzle, ply: int = 0) -> Message:
    """The solver's moves in words, from one on, each with its notation and that of the answers to it."""
    places = list(accumulate(puzzle.line, Position.play, initial=puzzle.start))
    own = [k for k in own_plies(puzzle.start, puzzle.line) if k >= ply]
    told = []
    for k, end in zip(own, [*own[1:], len(puzzle.line)], strict=True):
        words = puzzle.game.advised(places[k].state, places[k].action(puzzle.line[k]))
        moves = in_a_row(puzzle.line[k:end], ", ")
        told.append(Message(_("{words} ({moves})"), {"words": words, "moves": moves}))
    return in_a_row(told, "; ")


def print_puzzles(puzzles: Sequence[Puzzle], paper: str = "a4", language: str = "en", theme: str = "print") -> bytes:
    """A PDF of puzzles of one game."""
    if not puzzles:
        raise BadValue("there are no puzzles to print")
    exercises = [
        Exercise(
            puzzle.start,
            task_of(puzzle).say(language),
            Term(puzzle.idea.title),
            puzzle.stars,
            solution_of(puzzle).say(language),
        )
        for puzzle in puzzles
    ]
    return exercise_pages(exercises, paper, language, theme)
