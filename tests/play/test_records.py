"""Records: they round-trip, and a record that is not a game is refused with line, move and rule."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import empedocles
from empedocles import Position, PositionError, RecordError
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.match import Match
from empedocles.play.records import Most, Record, open_records, read_records, write_records
from empedocles.testing.samples import all_options, random_match

SMALL = Record(
    empedocles.new("ignite-and-flow").play("Fc3", "Wd4", "c3+d4", "Tc3"),
    {0: "Ada", 1: 'Bo "the\\wave"'},
    "2026-11-15",
    {0: "a start", 3: "Land!"},
)


def read(text: str) -> list[Record]:
    return list(read_records(io.StringIO(text)))


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read(text)
    return caught.value


def test_a_record_reads_as_documented() -> None:
    assert str(SMALL).splitlines() == [
        '[Game "ignite-and-flow"]',
        '[Rules "1"]',
        '[Option reactions "all"]',
        '[Seat 0 "Ada"]',
        '[Seat 1 "Bo \\"the\\\\wave\\""]',
        '[Date "2026-11-15"]',
        '[Result "*"]',
        "",
        "{a start} 1. Fc3 2. Wd4 3. c3+d4 {Land!} Tc3",
        str(SMALL).splitlines()[-1],
    ]
    assert re.fullmatch(r"checked: 4 moves, [0-9a-f]{8}", str(SMALL).splitlines()[-1])


def same(one: Record, two: Record) -> bool:
    return (one.match.moves, one.match.position, one.names, one.date, one.comments) == (
        two.match.moves,
        two.match.position,
        two.names,
        two.date,
        two.comments,
    )


def test_whole_matches_round_trip(game: Game) -> None:
    records = [Record(random_match(game, options, seed=4), {0: "Käthe"}) for options in all_options(game)]
    file = io.StringIO()
    write_records(file, records)
    file.seek(0)
    found = list(read_records(file))
    assert len(found) == len(records)
    assert all(map(same, found, records))
    assert all(record.match.is_over for record in found)


@given(
    st.sampled_from(list(GAMES.values())),
    st.integers(0, 40),
    st.dictionaries(st.integers(0, 1), st.text()),
    st.dictionaries(st.integers(0, 5), st.text(st.characters(exclude_characters="{}"))),
)
def test_any_names_and_comments_round_trip(
    game: Game, plies: int, names: dict[int, str], notes: dict[int, str]
) -> None:
    match = random_match(game, all_options(game)[0], seed=plies, plies=plies)
    comments = {ply: " ".join(text.split()) for ply, text in notes.items() if ply <= len(match.moves)}
    record = Record(match, names, "", comments)
    assert same(read(str(record))[0], record)


def test_a_match_from_a_set_up_position_round_trips() -> None:
    start = Position("ignite-and-flow board=6/6/2FW2/6/6/6 to-move=1")
    record = Record(Match(start).play("c4+d4", "Tc4", "Fa1"))
    assert "[Position " in str(record)
    found = read(str(record))[0]
    assert same(found, record)
    assert found.match.start == start


def test_files_are_streamed() -> None:
    """The first record is there before the second, broken one is read."""
    records = read_records(io.StringIO(f'{SMALL}\n[Game "nonsense"]\nend\n'))
    assert same(next(records), SMALL)
    with pytest.raises(RecordError, match="unknown game 'nonsense'"):
        next(records)


def test_a_record_by_hand_may_end_plainly() -> None:
    match = read('[Game "ignite-and-flow"]\n1. Fc3\n2. Wd4 {two\nlines}\nend\n')[0]
    assert match.match.moves == ["Fc3", "Wd4"]
    assert match.comments == {2: "two lines"}


def test_no_record_in_an_empty_file() -> None:
    assert read("") == []
    assert read("\n\n") == []


def test_every_truncation_is_refused() -> None:
    text = str(SMALL).rstrip("\n")
    for length in range(1, len(text)):
        error = refused(text[:length])
        assert 1 <= error.line <= 10


def test_an_illegal_move_is_refused_with_line_move_and_rule() -> None:
    error = refused(str(SMALL).replace("2. Wd4", "\n2. Fc3"))
    assert (error.line, error.move, error.rule) == (10, "Fc3", "IF-5")
    assert "c3 is not empty" in error.reason
    assert refused(str(SMALL).replace("Wd4", "Wd9")).move == "Wd9"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Wd4 3. c3+d4", "Wc4 3. c3+c4", "the record was changed"),
        ('reactions "all"', 'reactions "literal"', "the record was changed"),
        ('reactions "all"', 'reactions "some"', "unknown value 'some'"),
        ('reactions "all"', 'colour "red"', "unknown option 'colour'"),
        ('[Result "*"]', '[Result "1-0, won by 0"]', "the result is given as '1-0, won by 0', the moves lead to '*'"),
        ('[Rules "1"]', '[Rules "99"]', "played by version '99'"),
        ('[Game "ignite-and-flow"]\n', "", "the header Game is missing"),
        ("4 moves", f"{'9' * 5000} moves", "this is no move|cut off|is no"),
        ('[Seat 0 "Ada"]', '[Seat 0 "\\ud800"]', "is not a header"),
        ('[Game "ignite-and-flow"]', '[Game "go"]', "unknown game 'go'"),
        ('[Date "2026-11-15"]', "[Date 2026-11-15]", "is not a header"),
        ('[Date "2026-11-15"]', '[Game "ignite-and-flow"]', "given twice"),
        ("[Seat 1 ", "[Seat 2 ", "there is no seat '2'"),
        ("{Land!}", "{Land!", "cut off"),
        ("{Land!}", "Land!}", "not|this is no move"),
        ("{Land!}", "}", "a lone '}'"),
        ("4 moves", "5 moves", "the record was changed"),
    ],
)
def test_edited_records_are_refused(old: str, new: str, said: str) -> None:
    text = str(SMALL)
    assert old in text
    assert re.search(said, str(refused(text.replace(old, new))))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('[Game "ignite-and-flow"]', '[Game "go"]', 1),
        ('[Game "ignite-and-flow"]', '[Event "none"]', 1),
        ('[Rules "1"]', '[Rules "99"]', 2),
        ('[Option reactions "all"]', '[Option reactions "some"]', 3),
        ('[Option reactions "all"]', '[Option colour "red"]', 3),
        ('[Date "2026-11-15"]', '[Position "ignite-and-flow board=6"]', 6),
        ('[Date "2026-11-15"]', '[Position "points-of-power"]', 6),
        ('[Result "*"]', '[Result "1-0, won by 0"]', 7),
    ],
)
def test_a_wrong_header_is_found_in_its_own_line(old: str, new: str, line: int) -> None:
    assert old in str(SMALL)
    assert refused(str(SMALL).replace(old, new)).line == line


def test_moves_after_the_end_are_refused(game: Game) -> None:
    record = Record(random_match(game, all_options(game)[0], seed=6))
    text = str(record)
    error = refused(text.replace("\nchecked", f"\n{game.moves[0]}\nchecked"))
    assert error.move == game.moves[0]
    assert error.rule


@given(st.data())
def test_damaged_records_are_refused_or_the_same_game(data: st.DataObject) -> None:
    text = str(SMALL)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 4)))
    damaged = text[:start] + data.draw(st.text(max_size=4)) + text[end:]
    try:
        found = read(damaged)
    except RecordError as error:
        assert error.line >= 1
    else:
        assert all(record.match.moves == SMALL.match.moves for record in found)


@given(st.text())
def test_garbage_is_refused(text: str) -> None:
    try:
        assert read(text) == []
    except RecordError as error:
        assert error.line >= 1


def test_a_record_never_reads_files(tmp_path: Path) -> None:
    """A board file's path in somebody else's record is not opened, though a caller's own is."""
    file = tmp_path / "board.txt"
    file.write_text("FWFWFWFW\n" * 8)
    assert empedocles.new("fire-and-water", board=str(file)).options["board"] == "/".join(["FWFWFWFW"] * 8)
    assert "the board has" in str(refused(f'[Game "fire-and-water"]\n[Option board "{file}"]\nend\n'))
    assert "unknown board 'board.txt'" in str(refused('[Game "fire-and-water"]\n[Option board "board.txt"]\nend\n'))
    with pytest.raises(empedocles.BoardError):
        Position(f"fire-and-water board={file} to-move=0")


def test_a_position_of_another_game_or_option_is_refused() -> None:
    start = "ignite-and-flow reactions=literal board=6/6/6/6/6/6 to-move=0"
    other = f'[Game "points-of-power"]\n[Position "{start}"]\nend\n'
    assert "contradict the header Position" in str(refused(other))
    option = f'[Game "ignite-and-flow"]\n[Option reactions "all"]\n[Position "{start}"]\nend\n'
    assert "contradict the header Position" in str(refused(option))
    assert read(f'[Game "ignite-and-flow"]\n[Position "{start}"]\nend\n')[0].match.options["reactions"] == "literal"


def test_comments_in_a_row_are_kept() -> None:
    assert read('[Game "ignite-and-flow"]\n1. Fc3 {one} {two}\nend\n')[0].comments == {1: "one two"}


def test_what_could_not_be_read_again_is_not_written() -> None:
    match = empedocles.new("ignite-and-flow").play("Fc3")
    with pytest.raises(empedocles.BadValue, match="there is no seat 7"):
        str(Record(match, {7: "x"}))
    with pytest.raises(empedocles.BadValue, match="there is no move 2"):
        str(Record(match, comments={2: "x"}))


def test_files_that_are_no_records_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "noise.emp"
    wrong = str(SMALL).replace('[Rules "1"]', '[Rules "99"]').encode()
    for content, said in (
        (b"\xff\xfe\x00", r"noise\.emp, line 1: this is not a text file"),
        (b"", r"noise\.emp, line 1: this file holds no match"),
        (wrong, r"noise\.emp, line 2: played by version '99'"),
    ):
        file.write_bytes(content)
        with pytest.raises(RecordError, match=said):
            list(open_records(file))
    file.write_bytes(b"\xef\xbb\xbf" + str(SMALL).encode())
    assert same(next(open_records(file)), SMALL), "a byte order mark does no harm"
    with pytest.raises(TypeError, match="use io"):
        list(read_records(str(SMALL)))


# ── How much there may be ────────────────────────────────────────────────────────────────────────────────────────────

HEAD = '[Game "points-of-power"]\n\n'


def test_moves_are_not_counted_anew_for_each_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    moves, asked = Match.moves, 0

    def counted(match: Match) -> list[str]:
        nonlocal asked
        asked += 1
        found: list[str] = moves.fget(match)  # type: ignore[attr-defined]
        return found

    text = str(SMALL).replace("{Land!}", "{} " * 1000)
    monkeypatch.setattr(Match, "moves", property(counted))
    (found,) = read(text)
    assert found.comments[3].strip() == ""
    assert asked <= 2, "for the check alone"


def test_a_comment_over_many_lines_is_read_line_by_line() -> None:
    lines = 400_000
    text = HEAD + "{a\n" + "b\n" * lines + "c}\nend\n"
    start = time.process_time()
    (found,) = read(text)
    assert time.process_time() - start < 20, "a quarter of a second; put together anew for each line, minutes"
    assert found.comments[0] == f"a {'b ' * lines}c"


def test_comments_on_one_move_are_put_together() -> None:
    (found,) = read(f"{HEAD}{{ one}} {{two\nthree}} {{}} {{four}}\nend\n")
    assert found.comments == {0: "one two three  four"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}end\n" * 3, "line 9: more than 2 records in one text"),
        (str(SMALL), "line 9: more than 3 moves in one text"),
        (f"{HEAD}{'{} ' * 5}\nend\n", "line 3: more than 4 comments in one text"),
        (f"{HEAD}{{1234567890123}}\nend\n", "line 3: more than 12 characters of comments in one text"),
    ],
)
def test_a_text_from_a_stranger_holds_no_more_than_it_may(text: str, said: str) -> None:
    with pytest.raises(RecordError) as caught:
        list(read_records(io.StringIO(text), Most(records=2, plies=3, comments=4, words=12)))
    assert str(caught.value).startswith(said)
    assert read(text), "a file of one's own may hold any number"


def test_headers_are_limited() -> None:
    error = refused("".join(f'[Option a{k} "b"]\n' for k in range(101)))
    assert (error.line, error.reason) == (101, "a record has at most 100 headers")


@pytest.mark.parametrize("line", ["[" + "x" * 1000, f"1. {'9' * 1000}", f'[Game "ignite-and-flow"]\n{"z" * 1000}'])
def test_an_error_quotes_no_more_than_helps(line: str) -> None:
    assert len(str(refused(f"{line}\nend\n"))) < 400


@pytest.mark.parametrize(
    ("header", "german"),
    [
        (
            'Option flow "x"',
            "Zeile 3: unbekannter Wert 'x' für die Option 'flow': "
            "flow ist straight oder bent oder split oder free (Vorgabe straight)",
        ),
        ('Option flo "x"', "Zeile 3: unbekannte Option 'flo' von ignite-and-flow: reactions ist all oder literal"),
        (
            'Position "ignite-and-flow board=6/6/6/6/6/7"',
            "Zeile 3: Angabe 'board' der Stellung: Reihe 1 hat 7 Felder statt 6",
        ),
        ('Position "ignite-and-flow to-move=0"', "Zeile 3: Angabe 'board' der Stellung: fehlt"),
    ],
)
def test_errors_of_headers_in_german(header: str, german: str) -> None:
    with pytest.raises(RecordError) as caught:
        next(read_records(io.StringIO(f'[Game "ignite-and-flow"]\n[Rules "1"]\n[{header}]\n\n1. Fc3\nend\n')))
    assert caught.value.say("de").startswith(german)


def test_braces_in_a_position_are_told_as_they_are() -> None:
    with pytest.raises(PositionError) as caught:
        Position("ignite-and-flow board=6/6/6/6/6/{}4 to-move=0")
    assert (
        caught.value.say("de")
        == "Angabe 'board' der Stellung: '{' in Reihe 1 ist weder F W E D T t noch eine Zahl leerer Felder"
    )
