"""Points of Power in text: positions to fields and back, and the text board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from empedocles.core.bits import count, members, two_words
from empedocles.core.kernel import CHANCE, State
from empedocles.game import Fields
from empedocles.games.points_of_power.board import ABSENT, LETTERS, SEATS, VOID, extent, ground
from empedocles.games.points_of_power.lookups import MP, NAMES, SIZE
from empedocles.games.points_of_power.rules import (
    ALL_MOVED,
    NOBODY,
    PATIENCE,
    PIECES,
    ending,
    exposed,
    may_pass,
    missing,
    movable,
    points,
    row_of,
    rule_after,
    size,
)
from empedocles.language import Message, Term, in_digits, lines, one_of
from empedocles.language import mark as _
from empedocles.render.textboard import grid

ELEMENTS = ("fire", "air", "earth", "water")
SIDES = ("fire-earth", "air-water")
TEAMS = ("Fire and Earth", "Air and Water")
NOTHING = "-"


def element_on(s: State, cell: int) -> int:
    """The element of the piece on a cell."""
    return next(e for e in range(4) if cell in members(row_of(s.pieces, e)))


class Standing(NamedTuple):
    """Where the pieces of an element are."""

    pieces: list[int]
    exposed: list[int]
    powerful: list[int]  # on points of power


def standings(s: State) -> list[Standing]:
    """The standing of each element."""
    power, pieces = members(points(s)), [members(cells) for cells in s.pieces.tolist()]
    return [Standing(pieces[e], members(exposed(s, e)), [c for c in pieces[e] if c in power]) for e in range(4)]


def to_move(s: State) -> list[int]:
    """The elements whose pieces may move now."""
    return [] if s.over else [e for e in range(s.mover, 4, s.seats) if any(movable(s, e))]


def opening_turn(s: State) -> int | None:
    """Which turn of the opening is due; None after it."""
    return None if s.moved == ALL_MOVED else count(np.uint64(s.moved)) + 1


def points_held(stands: list[Standing]) -> tuple[int, int]:
    """How many points of power each side has."""
    fire, air, earth, water = (len(stand.powerful) for stand in stands)
    return fire + earth, air + water


def free_points(s: State, stands: list[Standing]) -> int:
    return size(points(s)) - sum(points_held(stands))


# ── One line ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def name_of(s: State, cell: int) -> str:
    return NAMES[MP] if cell == s.mp else NAMES[cell]


def describe(s: State) -> dict[str, str]:
    pieces = {
        name: ",".join(name_of(s, c) for c in members(row_of(s.pieces, e))) or NOTHING
        for e, name in enumerate(ELEMENTS)
    }
    moved = "".join(LETTERS[e] for e in range(4) if _has_moved(s, e))
    winner = {"winner": (*SIDES, NOTHING)[s.winner]} if s.over else {}
    mover = "none" if s.over else str(s.mover)
    return {**pieces, "moved": moved or NOTHING, "quiet": str(s.quiet), **winner, "to-move": mover}


def restore(s: State, fields: Fields) -> None:
    _restore_pieces(s, fields)
    _restore_moved(s, fields)
    s.quiet = fields.number("quiet", 0, PATIENCE, 0)
    mover = fields.mover()
    fields.need(mover != CHANCE, "to-move", _("there is no chance in this game"))
    s.mover, s.over = mover or 0, mover is None
    _restore_winner(s, fields)
    _check_pieces(s, fields)
    if s.moved == ALL_MOVED:
        _check_exposed(s, fields)
    else:
        _check_opening(s, fields)
    _check_end(s, fields)


def _restore_pieces(s: State, fields: Fields) -> None:
    squares = {NAMES[c]: c for c in members(s.squares)}
    squares[NAMES[MP]] = squares.pop(NAMES[s.mp])
    holder: dict[str, str] = {}
    for e, element in enumerate(ELEMENTS):
        text = fields.text(element)
        names = [] if text == NOTHING else text.split(",")
        for name in names:
            fields.need(name in squares, element, _("{word} is not a square of the board"), word=repr(name))
            fields.need(
                name not in holder,
                element,
                _("{word} is taken already, by {element}"),
                word=name,
                element=Term(holder.get(name, "")),
            )
            holder[name] = element
        fields.need(
            len(names) <= PIECES, element, _("has {n} pieces, at most {most} are possible"), n=len(names), most=PIECES
        )
        s.pieces[e] = two_words(squares[name] for name in names)


def _restore_moved(s: State, fields: Fields) -> None:
    text = fields.text("moved", LETTERS)
    known = "".join(letter for letter in LETTERS if letter in text)
    fields.need(
        text == (known or NOTHING),
        "moved",
        _("{text} is not some of {letters} in this order, or '{nothing}'"),
        text=repr(text),
        letters=LETTERS,
        nothing=NOTHING,
    )
    s.moved = sum(1 << LETTERS.index(letter) for letter in known)


def _restore_winner(s: State, fields: Fields) -> None:
    if s.over:
        winner = fields.choice("winner", (*SIDES, NOTHING))
        s.winner = NOBODY if winner == len(SIDES) else winner
    else:
        fields.need(fields.text("winner", "") == "", "winner", _("is given only when the game is over"))


# What all positions of a game have in common; hand-written ones are held to it.


def _check_pieces(s: State, fields: Fields) -> None:
    for e, element in enumerate(ELEMENTS):
        left_or_lost = any(row_of(s.pieces, e)) or s.winner == 1 - e % 2
        fields.need(left_or_lost, element, _("has no pieces, so its side has lost"))


def _check_opening(s: State, fields: Fields) -> None:
    """PP-9: in turn order, each element that has moved took one turn; the others stand where they began."""
    turns, seats = count(np.uint64(s.moved)), int(s.seats)
    for seat in range(seats):
        had = sum(_has_moved(s, e) for e in range(seat, 4, seats))
        due = len(range(seat, turns, seats))
        order = _("in {turns} turns, {player} had {due}, but moved {had} elements")
        values = {"turns": turns, "player": Term(SEATS[seats][seat]), "due": due, "had": had}
        fields.need(had == due, "moved", order, **values)
    seat = turns % seats
    turn = {"seat": seat, "player": Term(SEATS[seats][seat]), "turn": turns + 1}
    fields.need(s.over or s.mover == seat, "to-move", _("is {seat}, {player}, in turn {turn} of the opening"), **turn)
    fields.need(s.quiet <= turns, "quiet", _("is {quiet} after {turns} turns"), quiet=s.quiet, turns=turns)
    for e, element in enumerate(ELEMENTS):
        begun = _has_moved(s, e) or bool((s.pieces[e] == s.plane[e]).all())
        fields.need(begun, element, _("has not moved, so its pieces are all on the squares of its plane"))


def _has_moved(s: State, e: int) -> bool:
    return bool(int(s.moved) >> e & 1)


def _check_exposed(s: State, fields: Fields) -> None:
    """PP-12: whoever has just moved kept an exposed piece of each element. PP-16 for the others is part of the end."""
    for e, element in enumerate(ELEMENTS):
        moved_last = s.over or s.mover % 2 != e % 2
        kept = not moved_last or any(exposed(s, e)) or _excused(s, e)
        fields.need(kept, element, _("has no exposed piece, which PP-12 does not allow after a move of its side"))


def _excused(s: State, e: int) -> bool:
    """The side has lost, or won by a move that PP-12 excuses; or turn 4, of which PP-12 asks less, is just over.

    Of two players, the second may lose the exposed piece of one element in turn 3 and has to move the other in turn 4.
    Of four, Air and Water may have passed in the opening.
    """
    decided = s.over and (s.winner == 1 - e % 2 or (s.winner == e % 2 and ending(s) in (14, 15)))
    latest = 1 if s.seats == 2 else 4 if may_pass(s) else -1  # turns without a capture at the end of the opening
    return decided or (e % 2 == 1 and s.mover == 0 and s.quiet <= latest)


def _check_end(s: State, fields: Fields) -> None:
    for side in range(2):
        field = "winner" if s.over else "to-move"
        won = _("{side} has won: it has all points of power")
        fields.need(any(missing(s, side)) or s.winner == side, field, won, side=Term(TEAMS[side]))
    if s.over:
        fields.need(ending(s) > 0, "winner", _("no rule ends the game here with this result"))
    else:
        rule = rule_after(s, (int(s.mover) - 1) % int(s.seats))
        fields.need(rule == 0, "to-move", _("is 'none' here: the game is over by PP-{rule}"), rule=rule)


# ── The text board ───────────────────────────────────────────────────────────────────────────────────────────────────


STANDING = in_digits(_("{n} pieces"), _("{n} piece"), _("{n} pieces"))


def diagram(s: State) -> Message:
    stands = standings(s)
    texts, (ours, theirs) = _texts(s, stands), points_held(stands)
    one, two = map(Term, TEAMS)
    held = {"one": one, "n": ours, "two": two, "m": theirs, "free": free_points(s, stands)}
    return lines(
        [
            grid(*extent(ground(s)), lambda column, row: texts[row * SIZE + column], width=2),
            "",
            *(_line(s, e, stands[e]) for e in range(4)),
            Message(_("  Points of power: {one} {n}, {two} {m}, free {free}"), held),
            Message(_("  {n} of {all} turns without a capture"), {"n": int(s.quiet), "all": PATIENCE}),
            Message("  {due}", {"due": _due(s)}),
        ]
    )


def _texts(s: State, stands: list[Standing]) -> list[str]:
    """For each cell the piece, then what it stands on: * a point of power, f a e w a plane, m the material plane.

    Where the board has no square, there is nothing.
    """
    marks = [letter.lower().strip(ABSENT) for letter in ground(s)]
    texts = marks.copy()
    texts[s.mp] = NAMES[MP]
    for letter, stand in zip(LETTERS, stands, strict=True):
        for c in stand.pieces:
            texts[c] = letter + marks[c].strip(VOID)
    return texts


def _line(s: State, e: int, stand: Standing) -> Message:
    pieces, loose, powerful = map(len, stand)
    values = {
        "arrow": ">" if e in to_move(s) else " ",
        "name": _name(e),
        "letter": LETTERS[e],
        "pieces": STANDING(pieces),
        "exposed": loose,
        "powerful": powerful,
    }
    return Message(_("{arrow} {name} ({letter}): {pieces}, {exposed} exposed, {powerful} on points of power"), values)


def _name(e: int) -> Term:
    return Term(ELEMENTS[e].title())


def _due(s: State) -> Message:
    if s.over:
        won = {} if s.winner == NOBODY else {"side": Term(TEAMS[s.winner])}
        result = Message(_("{side} win"), won) if won else Message(_("a draw"), {})
        return Message(_("The game is over: {result} ({rule})."), {"result": result, "rule": f"PP-{ending(s)}"})
    values = {"name": Term(SEATS[int(s.seats)][s.mover]), "turn": opening_turn(s)}
    due = Message(_("{name} to move, turn {turn} of the opening") if values["turn"] else _("{name} to move"), values)
    if s.seats == len(ELEMENTS):
        return due
    return Message("{due}: {pieces}", {"due": due, "pieces": one_of([_name(e) for e in to_move(s)])})
