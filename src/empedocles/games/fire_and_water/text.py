"""Fire & Water in text: options and positions to fields and back, and the text board.

In one file, as what is written must be read, and each field of a position is checked against the others.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles.boards import check_board, find_board
from empedocles.core.bits import members, two_words
from empedocles.core.kernel import CHANCE, State, Words
from empedocles.game import Fields, Options
from empedocles.games.fire_and_water.lookups import (
    COLUMNS,
    FIRE,
    HALF_CELL,
    LEADER,
    MARKER,
    MARKER_SET,
    MARKERS,
    MOVES,
    NAMES,
    NO_HALF,
    PASS,
    PLACES,
    ROWS,
    SUPPLY,
    TOKEN,
    WATER,
)
from empedocles.games.fire_and_water.rules import (
    CLAIMS_TOO,
    ELEMENTALS,
    HAND,
    MAX_LEGAL,
    NO_CELL,
    NO_SEAT,
    NOT_LAID,
    act,
    covered,
    crowded,
    elemental_cells,
    elementals_left,
    leader_cells,
    leader_stands,
    legal,
    place_elemental,
    reveal_due,
    score,
    setting_up,
    surrounded,
    tokens_for,
    winner,
)
from empedocles.language import Message, Term, in_digits, lines
from empedocles.language import mark as _
from empedocles.render.textboard import grid

BOARDS = (_("medallion"), _("chessboard"))
FINALES = (_("tokens"), _("claims"))  # by what the rules call TOKENS_ONLY and CLAIMS_TOO
LETTERS = "FW"  # fire and water
SEATS = (_("Red"), _("Green"), _("Gold"), _("Violet"))
NOTHING = "-"
GROUND = "^~"  # fire and water squares of the text board

_PLACEMENTS = {move: MARKER + k for k, move in enumerate(MOVES[MARKER:LEADER])}


# ── Options ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def encode(options: Options) -> Words:
    players = options["players"]
    return np.array(
        [players, *fire_squares(players, options["board"]), FINALES.index(options["finale"])], dtype=np.uint64
    )


def fire_squares(players: int, board: str) -> Words:
    """The fire squares of a board, by its name or its rows."""
    files = {name: Path(__file__).parent / "boards" / f"{name}-{COLUMNS[players]}x{ROWS}.txt" for name in BOARDS}
    rows = find_board(board, files)
    check_board(rows, COLUMNS[players], ROWS, LETTERS)
    fire = (
        column * ROWS + ROWS - 1 - k for k, row in enumerate(rows) for column in range(len(row)) if row[column] == "F"
    )
    return np.array(two_words(fire))


def decode(s: State) -> dict[str, Any]:
    named = _named_boards(int(s.seats)).get(tuple(s.fire.tolist()))
    return {"players": int(s.seats), "board": named or "/".join(_rows(s)), "finale": FINALES[s.finale]}


@functools.cache
def _named_boards(players: int) -> dict[tuple[int, ...], str]:
    return {tuple(fire_squares(players, name).tolist()): name for name in BOARDS}


def _rows(s: State) -> list[str]:
    columns = range(COLUMNS[s.seats])
    return ["".join(LETTERS[ground(s, column * ROWS + row)] for column in columns) for row in reversed(range(ROWS))]


# ── What a state holds ───────────────────────────────────────────────────────────────────────────────────────────────


def holds(word: int | np.uint64, cell: int) -> bool:
    """Whether a cell is in a set, by the set's word for it, which compiled kernels return as a plain integer."""
    return bool(int(word) >> (cell & 63) & 1)


def contains(cells: Words, cell: int) -> bool:
    return holds(cells[cell >> 6], cell)


def ground(s: State, cell: int) -> int:
    return FIRE if contains(s.fire, cell) else WATER


def actions(s: State) -> npt.NDArray[np.int16]:
    """The legal actions."""
    out = np.empty(MAX_LEGAL, np.int16)
    return out[: legal(s, out)]


def some_action(s: State) -> int:
    """A legal action."""
    return int(actions(s)[0])


def _placements(s: State, seat: int) -> list[str]:
    laid = ((m, int(s.laid[seat, m])) for m in range(len(MARKERS)))
    return [MOVES[MARKER + m * PLACES + place] for m, place in laid if place != NOT_LAID]


# ── One line ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def describe(s: State) -> dict[str, str]:
    seats = range(s.seats)
    return {
        "elementals": _joined(NAMES[cell] for cell in members(s.elementals)),
        "markers": "/".join(_joined(_placements(s, seat)) for seat in seats),
        "hands": "/".join(_joined(MARKERS[m] for m in members(s.revealed[seat])) for seat in seats),
        "leaders": "/".join(NOTHING if s.leader[seat] == NO_CELL else NAMES[s.leader[seat]] for seat in seats),
        "tokens": "/".join(_joined(NAMES[cell] for cell in members(s.tokens[seat])) for seat in seats),
        "last": NOTHING if s.last == NO_SEAT else str(s.last),
        "to-move": "none" if s.over else "chance" if s.mover == CHANCE else str(s.mover),
    }


def _joined(items: Iterable[str]) -> str:
    return ",".join(items) or NOTHING


def restore(s: State, fields: Fields) -> None:
    """Put everything on the board by the actions that would have put it there; whose turn it is comes last."""
    _restore_elementals(s, fields)
    _restore_markers(s, fields)
    _restore_leaders(s, fields)
    _restore_tokens(s, fields)
    _restore_hands(s, fields)
    _restore_turn(s, fields)


def _split(text: str) -> list[str]:
    return [] if text == NOTHING else text.split(",")


def _lists(s: State, fields: Fields, name: str, default: list[str] | None = None) -> list[list[str]]:
    """One list per seat."""
    lists = [_split(part) for part in fields.each_seat(name, "/".join(default or [NOTHING] * fields.seats))]
    fields.need(
        not (any(lists) and elementals_left(s)),
        name,
        _("nothing is there before all {most} elementals are placed"),
        most=ELEMENTALS,
    )
    return lists


def _cell(s: State, fields: Fields, field: str, name: str) -> int:
    fields.need(
        name in NAMES[: COLUMNS[s.seats] * ROWS], field, _("{word} is not a square of the board"), word=repr(name)
    )
    return NAMES.index(name)


def _restore_elementals(s: State, fields: Fields) -> None:
    for name in _split(fields.text("elementals", NOTHING)):
        cell = _cell(s, fields, "elementals", name)
        fields.need(elementals_left(s) > 0, "elementals", _("there are more than {most}"), most=ELEMENTALS)
        allowed = holds(elemental_cells(s, cell >> 6), cell)
        fields.need(
            allowed, "elementals", _("{word} is on the edge, or is another elemental or a neighbour of one"), word=name
        )
        place_elemental(s, cell)


def _restore_markers(s: State, fields: Fields) -> None:
    for seat, moves in enumerate(_lists(s, fields, "markers")):
        for move in moves:
            fields.need(
                move in _PLACEMENTS,
                "markers",
                _("{move} is no marker on two neighbouring squares, such as F4c3W3c4"),
                move=repr(move),
            )
            marker, place = divmod(_PLACEMENTS[move] - MARKER, PLACES)
            _take_marker(s, fields, "markers", seat, marker)
            for cell in HALF_CELL[:, place].tolist():
                fields.need(
                    contains(s.empty, cell),
                    "markers",
                    _("{square} of {move} is occupied or not on the board"),
                    square=NAMES[cell],
                    move=move,
                )
            s.turn = seat
            act(s, _PLACEMENTS[move])


def _take_marker(s: State, fields: Fields, field: str, seat: int, marker: int) -> None:
    """Take one of the face-down markers."""
    known = MARKER_SET[s.seats] >> marker & 1
    fields.need(
        bool(known), field, _("{marker} is no marker in a game of {seats}"), marker=MARKERS[marker], seats=fields.seats
    )
    left = int(s.hidden[seat]) >> marker & 1
    fields.need(
        bool(left), field, _("{player} has only one {marker}"), player=Term(SEATS[seat]), marker=MARKERS[marker]
    )
    s.hidden[seat] = int(s.hidden[seat]) & ~(1 << marker)


def _restore_leaders(s: State, fields: Fields) -> None:
    for seat, names in enumerate(_lists(s, fields, "leaders")):
        fields.need(len(names) <= 1, "leaders", _("{player} has more than one"), player=Term(SEATS[seat]))
        for name in names:
            cell = _cell(s, fields, "leaders", name)
            allowed = holds(leader_cells(s, cell >> 6), cell)
            fields.need(allowed, "leaders", _("{word} is occupied, a corner, or next to an elemental"), word=name)
            s.turn = seat
            act(s, LEADER + cell)


def _restore_tokens(s: State, fields: Fields) -> None:
    lists = _lists(s, fields, "tokens")
    placed = [(seat, _cell(s, fields, "tokens", name)) for seat, names in enumerate(lists) for name in names]
    # Those on empty squares come first: they may be what surrounds the others.
    for seat, cell in sorted(placed, key=lambda one: not contains(s.empty, one[1])):
        _restore_token(s, fields, seat, cell)
    for seat in range(fields.seats):
        numbers = [tokens_for(s, cell) for owner, cell in placed if owner == seat]
        alone = 1 if 2 in numbers else 0  # the last token, where two belong
        fields.need(
            sum(numbers) - alone <= SUPPLY[s.seats],
            "tokens",
            _("{player} has more than {most}"),
            player=Term(SEATS[seat]),
            most=SUPPLY[s.seats],
        )


def _restore_token(s: State, fields: Fields, seat: int, cell: int) -> None:
    name, word = NAMES[cell], cell >> 6
    fields.need(not holds(covered(s, word), cell), "tokens", _("{word} is named twice"), word=name)
    fields.need(
        s.leader[seat] != cell,
        "tokens",
        _("{player} has a token on their own leader on {word}"),
        player=Term(SEATS[seat]),
        word=name,
    )
    fields.need(holds(surrounded(s, word), cell), "tokens", _("{word} has an empty neighbour"), word=name)
    allowed = s.leader[seat] != NO_CELL or not contains(s.elementals, cell)
    fields.need(
        allowed, "tokens", _("{player} has claimed {word} without a leader"), player=Term(SEATS[seat]), word=name
    )
    s.turn = seat
    act(s, TOKEN + cell)


def _restore_hands(s: State, fields: Fields) -> None:
    """Unless said otherwise, each player has revealed the lowest of their markers."""
    size = 0 if elementals_left(s) else HAND
    lowest = [_joined(MARKERS[m] for m in members(s.hidden[seat])[:size]) for seat in range(fields.seats)]
    for seat, names in enumerate(_lists(s, fields, "hands", lowest)):
        fields.need(
            len(names) <= HAND,
            "hands",
            _("{player} has more than {most} revealed markers"),
            player=Term(SEATS[seat]),
            most=HAND,
        )
        for name in names:
            fields.need(name in MARKERS, "hands", _("{word} is no marker, such as F4W3"), word=repr(name))
            _take_marker(s, fields, "hands", seat, MARKERS.index(name))
            s.revealed[seat] = int(s.revealed[seat]) | 1 << MARKERS.index(name)


def _restore_turn(s: State, fields: Fields) -> None:
    s.last = fields.choice("last", (NOTHING, *map(str, range(fields.seats))), NOTHING) - 1
    named = s.last != NO_SEAT
    fields.need(
        crowded(s) == named, "last", _("names a player when no two neighbouring squares are empty, and only then")
    )
    mover = fields.mover()
    _check_end(s, fields, mover)
    s.over, s.mover = mover is None, mover or 0
    if elementals_left(s):
        s.turn = (ELEMENTALS - elementals_left(s)) % fields.seats
        fields.need(mover == s.turn, "to-move", _("{player} places the next elemental"), player=Term(SEATS[s.turn]))
    else:
        s.turn = _restore_reveal(s, fields) if mover == CHANCE else s.mover
        fields.need(
            not named or mover != s.last,
            "to-move",
            _("{player} has made the last regular turn"),
            player=Term(SEATS[s.mover]),
        )
        _check_hands(s, fields)


def _check_end(s: State, fields: Fields, mover: int | None) -> None:
    done = [seat for seat in range(fields.seats) if s.placed[seat] == SUPPLY[s.seats]]
    fields.need(len(done) <= 1, "tokens", _("more than one player has placed the last token"))
    fields.need(mover is None or not done, "to-move", _("a player has placed the last token, so it is 'none'"))
    ended = bool(done) or s.last != NO_SEAT
    fields.need(mover is not None or ended, "to-move", _("is 'none' only after the last token or the last turns"))


def _restore_reveal(s: State, fields: Fields) -> int:
    """The seat whose marker is to be revealed."""
    due = [seat for seat in range(fields.seats) if reveal_due(s, seat)]
    fields.need(bool(due) and s.last == NO_SEAT, "to-move", _("is 'chance' though no marker is to be revealed"))
    return due[0]


def _check_hands(s: State, fields: Fields) -> None:
    """A hand is short only if a reveal is due, or was when the last regular turn ended."""
    short, in_setup = int(s.turn) if s.mover == CHANCE else int(s.last), s.mover == CHANCE and setting_up(s)
    for seat in range(fields.seats):
        shown = len(members(s.revealed[seat]))
        after_marker = seat == short and shown == HAND - 1 and bool(_placements(s, seat))
        # FW-6: one seat after the other reveals all its markers, so that those after the one at it show none.
        expected = 0 if in_setup and seat > short else HAND
        explained = shown == 0 if in_setup and seat > short else after_marker or not reveal_due(s, seat)
        fields.need(
            explained or (in_setup and seat == short),
            "hands",
            _("{player} has {shown} revealed markers, expected {expected}"),
            player=Term(SEATS[seat]),
            shown=shown,
            expected=expected,
        )


# ── The text board ───────────────────────────────────────────────────────────────────────────────────────────────────


LEGEND = _("""\
^ fire square  ~ water square  0F4 fire 4 of Red  L0 leader  [0] token
E elemental  E0 claimed by Red""")
HEADING = _("            points  tokens left  leader        revealed        face-down")


def diagram(s: State) -> Message:
    contents, fire = _contents(s), set(members(s.fire))

    def square(column: int, row: int) -> str:
        cell = column * ROWS + row
        return f"{contents.get(cell, ''):>3}{GROUND[FIRE if cell in fire else WATER]}"

    board = grid(COLUMNS[s.seats], ROWS, square, width=4)
    seats = [_seat_line(s, seat) for seat in range(s.seats)]
    return lines([board, "", Message(LEGEND, {}), "", Message(HEADING, {}), *seats, "", _due(s)])


def _contents(s: State) -> dict[int, str]:
    """What stands on each square; tokens hide all but elementals."""
    found = {
        cell: f"{(half - 1) // 8}{LETTERS[(half - 1) // 4 % 2]}{(half - 1) % 4 + 1}"
        for cell, half in enumerate(s.half.tolist())
        if half != NO_HALF
    }
    found |= {cell: f"L{seat}" for seat, cell in enumerate(s.leader.tolist()) if cell != NO_CELL}
    elementals = set(members(s.elementals))
    found |= dict.fromkeys(elementals, "E")
    for seat in range(s.seats):
        found |= {cell: f"E{seat}" if cell in elementals else f"[{seat}]" for cell in members(s.tokens[seat])}
    return found


def _seat_line(s: State, seat: int) -> Message:
    values = {
        "arrow": ">" if s.mover == seat and not s.over else " ",
        "seat": seat,
        "name": Term(SEATS[seat]),
        "points": score(s, seat),
        "left": int(SUPPLY[s.seats] - s.placed[seat]),
        "leader": _leader(s, seat),
        "hand": " ".join(MARKERS[m] for m in members(s.revealed[seat])) or NOTHING,
        "hidden": len(members(s.hidden[seat])),
    }
    # In columns as wide as those of the heading.
    return Message(_("{arrow} {seat} {name:<6}{points:>8}{left:>13}  {leader:<14}{hand:<16}{hidden:>9}"), values)


def _leader(s: State, seat: int) -> Message:
    if s.leader[seat] == NO_CELL:
        return Message(_("not placed"), {})
    if not leader_stands(s, seat):
        return Message(_("conquered"), {})
    return Message(_("on {square}"), {"square": NAMES[s.leader[seat]]})


TO_PLACE = in_digits(_("none is left"), _("{n} is left"), _("{n} are left"))


def _due(s: State) -> Message:
    if s.over:
        return Message(_("The game is over: {name} wins."), {"name": Term(SEATS[winner(s)])})
    if s.mover == CHANCE:
        return Message(_("Chance: a marker of {name} is revealed."), {"name": Term(SEATS[s.turn])})
    values = {"name": Term(SEATS[s.mover])}
    if elementals_left(s):
        return Message(_("{name} places an elemental; {left}."), values | {"left": TO_PLACE(elementals_left(s))})
    if s.last != NO_SEAT:
        claims = s.finale == CLAIMS_TOO
        last = _("{name} has a last turn: a token or a pass.")
        return Message(_("{name} has a last turn: a token, a claim or a pass.") if claims else last, values)
    if some_action(s) == PASS:
        return Message(_("{name} can only pass."), values)
    return Message(_("{name} places a marker, the leader or a token, or claims an elemental."), values)
