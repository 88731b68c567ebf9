"""What the rest of the package relies on, checked for any game: `check_game(GAME)` in a game's own tests."""

from __future__ import annotations

import copy
import pickle
import random
import re
from xml.etree import ElementTree

import numpy as np

from empedocles.core.bits import NONE
from empedocles.core.kernel import CHANCE, LARGEST_STATE, rules_of
from empedocles.differences import differences
from empedocles.game import Game
from empedocles.language import LANGUAGES
from empedocles.play.match import Match
from empedocles.play.partial import CONFIRM, Partial
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.render.themes import THEMES
from empedocles.testing.samples import all_options, random_match, random_positions

MOST_CLICKS = 6
LARGEST_PICTURE = 70_000  # bytes, before they are zipped to an eighth, with all overlays and marks

_RULE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\*", re.MULTILINE)


def rule_ids(game: Game, language: str = "en") -> list[str]:
    """The ids of the rules in a game's rule book, in order."""
    return _RULE.findall(game.rule_book(language))


def check_game(game: Game, positions: int = 60) -> None:
    """Everything below."""
    check_facts(game)
    for options in all_options(game):
        check_match(game, options)
    for position in random_positions(game, positions):
        check_legal(position)
        check_identity(position)
        check_reasons(position)
        check_clicks(position)
        check_picture(position)
        check_tally(position)


def check_facts(game: Game) -> None:
    state = game.rules.state
    assert state.names is not None
    assert state.names[:3] == ("mover", "over", "seats")
    assert state.itemsize <= LARGEST_STATE
    assert len(set(game.moves)) == game.n_actions <= 2**15, "action numbers fit 16 bits, and each has its own text"
    assert not any(set(move) & set(" {}") for move in game.moves), "records use blanks and braces"
    assert rules_of(game.blank()) is game.rules
    check_readings(game)
    translated = [f"RULES.{language}.md" for language in LANGUAGES if language != "en"]
    assert all((game.folder / name).is_file() for name in ("RULES.md", *translated)), "a rule book in every language"
    books = [rule_ids(game, language) for language in LANGUAGES]
    assert books[0], "RULES.md has items that begin '- **ID** '"
    assert all(book == books[0] for book in books), "the rule books have the same rules in every language"


def check_readings(game: Game) -> None:
    """Every option for a reading is in the register, with the rule and all that it may be."""
    options = {option.name: option for option in game.options}
    assert {option.name for option in game.options if option.is_reading} <= {entry.option for entry in game.readings}
    for entry in game.readings:
        assert entry.rule in rule_ids(game)
        assert {options[entry.option].default} < set(entry.readings) <= set(options[entry.option].values)
        assert set(entry.examples) < set(entry.readings), "examples are of other readings than the default"
    for found in differences(game):
        usually = found.usual is not None and found.move in found.usual.legal_moves
        assert found.allowed != usually, f"{found.move} tells the readings apart in {found.position.text}"
    assert 0 not in game.endings, "0 means that the game is not over"
    assert {ending.rule for ending in game.endings.values()} <= set(rule_ids(game))


def check_match(game: Game, options: dict[str, object]) -> None:
    """A whole match: it ends, its options come back, and its utilities are within bounds."""
    match = random_match(game, options, seed=1)
    check_bags(match)
    assert match.options == options
    assert match.position.seats in game.seats
    assert len(match.moves) <= game.max_plies
    assert match.result is not None
    assert (match.ending is not None) == bool(game.endings)
    assert not game.rules.ending(match.start.state)
    assert len(match.result.scores) == match.position.seats
    returns = match.position.returns
    assert abs(sum(returns)) < 1e-6
    assert max(map(abs, returns)) <= 1
    shared = dict(zip(game.sides(len(returns)), returns, strict=True))
    assert all(shared[side] == value for side, value in zip(game.sides(len(returns)), returns, strict=True))
    movers = {seat for seat, _ in match.history()}
    assert (CHANCE in movers) <= game.has_chance


def check_bags(match: Match) -> None:
    """Where a game names the bags of its chance, what may come is a bag's contents less what was drawn from it."""
    if match.game.interface is None or (bags := match.game.interface.bags) is None:
        return
    contents = list(bags.contents(match.start.state))
    drawn: dict[int, set[str]] = {}
    for position, (seat, move) in zip(match.positions(), match.history(), strict=False):
        if seat == CHANCE:
            out = drawn.setdefault(bags.drawn_from(position.state), set())
            assert position.legal_actions == [action for action in contents if match.game.moves[action] not in out]
            out.add(move)


def check_legal(position: Position) -> None:
    """The kernel's list is within its buffer and without duplicates, and is empty exactly at the end."""
    game = position.game
    out = np.full(game.max_legal + 100, -1, np.int16)
    n = game.rules.legal(position.state, out)
    assert n <= game.max_legal
    assert len(set(out[:n].tolist())) == n
    assert np.all(out[:n] >= 0)
    assert np.all(out[:n] < position.n_actions)
    assert np.all(out[game.max_legal :] == -1), "nothing is written past the end of a buffer of max_legal"
    assert (n == 0) == position.is_over


def check_identity(position: Position) -> None:
    """Text, repr, copies and pickles give the same position back."""
    twins = (
        Position(position.text),
        eval(repr(position), {"Position": Position}),
        pickle.loads(pickle.dumps(position)),
        copy.deepcopy(position),
    )
    for twin in twins:
        assert twin == position, f"{twin!r} came back from {position!r}"
        assert hash(twin) == hash(position)
        assert twin.key == position.key != NONE
        assert twin.legal_moves == position.legal_moves
    assert str(position).strip()


def check_reasons(position: Position, actions: int = 60) -> None:
    """A move is refused with a rule of the book exactly when it is not legal, in every language."""
    game = position.game
    rules = rule_ids(game)
    legal = set(position.legal_actions)
    for action in random.Random(position.key).sample(range(game.n_actions), min(actions, game.n_actions)):
        why = position.reason(action)
        assert (why is None) == (action in legal), f"{game.moves[action]}: {why} in {position!r}"
        if why is not None:
            assert why.rule in rules
            assert all(why.say(language) for language in LANGUAGES)


def check_clicks(position: Position, moves: int = 40) -> None:
    """Every legal move can be entered, in no more than six clicks, and has words of its own in every language."""
    game, luck = position.game, random.Random(position.key)
    legal = position.legal_actions
    assert len({game.paths[action] for action in legal}) == len(legal), (
        f"two moves have the same clicks in {position!r}"
    )
    for language in LANGUAGES:
        sentences = [position.words(action).say(language) for action in legal]
        assert len(set(sentences)) == len(legal), f"two moves have the same words in {position!r}"
    for action in luck.sample(legal, min(moves, len(legal))):
        _enter(position, action, luck)


def _enter(position: Position, action: int, luck: random.Random) -> None:
    entry, move = Partial(position), position.game.moves[action]
    asked = _asked(entry)
    for group in position.game.paths[action]:
        for target in luck.sample(sorted(group), len(group)):
            assert (told := entry.leads_to(target).say())
            entry = entry.choose(target)
            before, asked = asked, _asked(entry)
            assert asked != before, f"{asked!r} after {entry.chosen} again in {position!r}"
            assert asked != told or not entry.targets, f"{asked!r} only repeats what was chosen in {position!r}"
    assert entry.whole == move
    entry = entry if entry.move else entry.choose(CONFIRM)
    assert entry.move == move
    assert len(entry.chosen) <= MOST_CLICKS


def _asked(entry: Partial) -> str:
    """What asks for the next choice, in English; there are words in every language."""
    asked = [entry.prompt.say(language) if entry.prompt else "" for language in LANGUAGES]
    assert all(asked), f"nothing asks for what follows {entry.chosen} in {entry.position!r}"
    return asked[LANGUAGES.index("en")]


def check_picture(position: Position) -> None:
    """One drawing: small, well-formed, without style attributes, with unique ids and all targets of legal moves."""
    game, luck = position.game, random.Random(position.key)
    overlays = list(game.overlays)
    look = Look(
        theme=luck.choice(THEMES),
        language=luck.choice(LANGUAGES),
        wide=luck.random() < 0.5,
        seat=luck.choice([None, *range(int(position.state.seats))]),
        overlays=luck.sample(overlays, luck.randint(0, len(overlays))),
        targets=Partial(position).targets,
    )
    drawn = position.draw(look)
    for markup in (drawn.markup, str(drawn)):
        assert len(markup.encode()) < LARGEST_PICTURE
        root = ElementTree.fromstring(markup)
        assert not any("style" in element.attrib or element.tag.endswith("style") for element in root.iter())
        ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert len(set(ids)) == len(ids)
        assert root.findtext("{*}desc") == str(position)
    if game.drawing:
        sheet = game.sheet(position.state, look)
        boxes, plain = sheet.boxes, game.sheet(position.state, Look())
        assert [piece[:2] for piece in sheet.pieces] == [piece[:2] for piece in plain.pieces]  # in every look
        targets = {target for action in position.legal_actions for group in game.paths[action] for target in group}
        assert targets <= set(boxes), f"not drawn: {targets - set(boxes)}"
        assert set(game.drawing.glyphs(position.state)) <= set(boxes)
        assert all(len(glyph.text) <= 4 for glyph in game.drawing.glyphs(position.state).values())
    if game.interface:
        assert all(line.say(language) for line in game.interface.status(position.state) for language in LANGUAGES)


def check_tally(position: Position) -> None:
    """What counts adds up to the score of each seat, team-mates share theirs, and all has words in every language."""
    game, s, seats = position.game, position.state, position.seats
    if game.interface is None or game.interface.tally is None:
        return
    aim, counts, note = game.interface.tally(s)
    scores, sides = np.zeros(seats, np.int32), game.sides(seats)
    game.rules.scores(s, scores)
    assert all(len(count.values) == seats for count in counts), "one value for each seat"
    for seat, side in enumerate(sides):
        assert all(count.values[seat] == count.values[sides.index(side)] for count in counts), "team-mates share"
        total = sum(count.worth * count.values[seat] for count in counts)
        assert total == scores[seat] or not any(count.worth for count in counts), f"{counts} in {position!r}"
    said = [aim, *(count.what for count in counts), *([note] if note else [])]
    assert all(message.say(language) for message in said for language in LANGUAGES)
