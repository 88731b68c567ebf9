"""Puzzles in words, and on paper: six a page, with the solutions upside down."""

from __future__ import annotations

from collections.abc import Sequence

from empedocles.coach.puzzles import Puzzle
from empedocles.errors import BadValue
from empedocles.language import Message, Number, Term, in_a_row
from empedocles.language import mark as _
from empedocles.paper.exercises import PER_PAGE, Exercise, exercise_pages

__all__ = ["PER_PAGE", "print_puzzles", "solution_of", "task_of"]


def task_of(puzzle: Puzzle) -> Message:
    """Who is to move, and how many moves there are to find."""
    player = puzzle.game.seat_name(puzzle.start.seats, puzzle.start.to_move or 0)
    if puzzle.own_moves == 1:
        return Message(_("{player} to move: find the best move."), {"player": player})
    return Message(_("{player} to move: find the best {n} moves."), {"player": player, "n": Number(puzzle.own_moves)})


def solution_of(puzzle: Puzzle, ply: int = 0) -> Message:
    """The moves of the line, from one on: the notation of all, and the first in words."""
    place = puzzle.start
    for move in puzzle.line[:ply]:
        place = place.play(move)
    first = puzzle.game.advised(place.state, place.action(puzzle.line[ply]))
    moves = in_a_row(puzzle.line[ply:], ", ")
    return Message(_("{first} ({moves})"), {"first": first, "moves": moves})


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
