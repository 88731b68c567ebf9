"""Rule books as pages: Markdown with a link to every rule, marked house rulings, and diagrams beside the rules."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse
from markdown_it import MarkdownIt
from markdown_it.token import Token

from empedocles.differences import difference
from empedocles.game import Ambiguity, Game
from empedocles.games import all_games
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.server.web.guests import alone
from empedocles.server.web.pages import material
from empedocles.server.web.pages.diagrams import cut, figure
from empedocles.server.web.pages.openings import option_view
from empedocles.server.web.pages.site import showcase
from empedocles.server.web.pages.tellings import telling
from empedocles.server.web.pages.templates import language_of, page

RULING = {"en": "(house ruling)", "de": "(Hausregel)"}  # as written in the books
RULINGS = "rulings"  # the anchor of their explanation

_RULE = re.compile(r"\b[A-Z]+-\d+\b")
_SENTENCE = re.compile(r"(?<=[.!?]) ")

router = APIRouter(include_in_schema=False)


class Section(NamedTuple):
    anchor: str
    title: str
    rules: tuple[str, ...]


class Book(NamedTuple):
    title: str
    introduction: str  # plain text
    body: str
    sections: tuple[Section, ...]
    rules: dict[str, str]  # the text of each rule, by its id
    rulings: tuple[str, ...]  # the rules that contain a house ruling
    meaning: str  # the book's own explanation of a house ruling


@functools.lru_cache(maxsize=64)
def book(game: Game, language: str) -> Book:
    return _Reader(game, language).book()


def first_sentence(book: Book) -> str:
    return _SENTENCE.split(book.introduction)[0]


# ── From Markdown ────────────────────────────────────────────────────────────────────────────────────────────────────


def _html(kind: str, content: str) -> Token:
    return Token(kind, "", 0, content=content)


def _plain(token: Token) -> str:
    return "".join(" " if child.type == "softbreak" else child.content for child in token.children or ())


def _anchor(rule: str) -> str:
    return f'<a class="ref" href="#{rule}">{rule}</a>'


class _Reader:
    """Reads one book, front to back."""

    def __init__(self, game: Game, language: str) -> None:
        self.game, self.language = game, language
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        self.tokens = self.markdown.parse(game.rule_book(language))
        self.known = {rule for token in self.tokens if (rule := _rule_of(token))}
        self.meaning = next((text for text in map(_plain, self._inlines()) if text.startswith(RULING[language])), "")
        self.open: list[str] = []  # the rules of the enclosing list items
        self.rulings: list[str] = []
        self.has_art = False

    def _inlines(self) -> Iterator[Token]:
        return (token for token in self.tokens if token.type == "inline")

    def book(self) -> Book:
        title, introduction, start = self._opening()
        sections = tuple(self._sections())
        rules = {rule: self._text(k) for k, token in enumerate(self.tokens) if (rule := _rule_of(token))}
        body = self._render(list(self._body(start)))
        return Book(title, introduction, body, sections, rules, tuple(self.rulings), self.meaning)

    def _opening(self) -> tuple[str, str, int]:
        """Title, introduction, and the index of the rest; a book may lack any of them."""
        opening, at = {"h1": self.game.title, "p": self.game.summary}, 0
        for tag in opening:
            if at < len(self.tokens) and self.tokens[at].tag == tag:
                opening[tag] = _plain(self.tokens[at + 1])
                at += 3  # its opening, content and closing tokens
        return opening["h1"], opening["p"], at

    def _render(self, tokens: list[Token]) -> str:
        return str(self.markdown.renderer.render(tokens, self.markdown.options, {}))

    def _sections(self) -> Iterator[Section]:
        headings = [k for k, token in enumerate(self.tokens) if token.type == "heading_open" and token.tag == "h2"]
        for number, (start, stop) in enumerate(itertools.pairwise([*headings, len(self.tokens)]), start=1):
            rules = (rule for token in self.tokens[start:stop] if (rule := _rule_of(token)))
            yield Section(f"section-{number}", _plain(self.tokens[start + 1]), tuple(rules))

    # ── The body: what is added to the tokens of a book ──

    def _body(self, start: int) -> Iterator[Token]:
        number = itertools.count(1)
        for k in range(start, len(self.tokens)):
            token = self.tokens[k]
            if token.type == "heading_open" and token.tag == "h2":
                token.attrSet("id", f"section-{next(number)}")
            if token.type == "list_item_open":
                self.open.append(self._rule_at(k))
                yield from self._opened(token, self.open[-1])
            elif token.type == "list_item_close":
                yield from self._closed(self.open.pop())
                yield token
            elif token.type == "table_open":
                yield from (_html("html_block", '<div class="table" tabindex="0">'), token)
            elif token.type == "table_close":
                yield from (token, _html("html_block", "</div>"))
            else:
                yield self._linked(token)

    def _rule_at(self, item: int) -> str:
        """The rule that a list item states; the anchor of rulings if it explains them; else ""."""
        inline = self.tokens[item + 2]
        return RULINGS if _plain(inline) == self.meaning else _rule_of(inline)

    def _opened(self, item: Token, rule: str) -> Iterator[Token]:
        if rule:
            item.attrSet("id", rule)
            item.attrSet("class", "rule" if rule in self.known else "meaning")
        yield item
        if rule in self.known:
            label = escape(translate(_("Link to rule {rule}"), self.language).format(rule=rule))
            link = f'<a class="rule-id" href="#{rule}" title="{label}">{rule}<span aria-hidden="true">#</span></a>'
            yield _html("html_block", f'{link}<div class="rule-text">')

    def _closed(self, rule: str) -> Iterator[Token]:
        if rule in self.known:
            yield _html("html_block", "</div>" + "".join(self._figures(rule)))

    def _figures(self, rule: str) -> Iterator[str]:
        for diagram in material.diagrams(self.game):
            if diagram.rule == rule:
                yield self._figure(diagram)

    def _figure(self, diagram: material.Diagram) -> str:
        """A diagram as markup; "" if it cannot be drawn."""
        with alone(self.game, f"the diagram of {diagram.rule}"):
            drawn = figure(diagram, self.language, art=not self.has_art)
            self.has_art = True
            looks = "diagram broad" if diagram.broad else "diagram"
            caption = escape(diagram.caption[self.language])
            return f'<figure class="{looks}"><div>{drawn}</div><figcaption>{caption}</figcaption></figure>'
        return ""

    # ── Inside a paragraph ──

    def _linked(self, token: Token) -> Token:
        """Turn rule ids into links, and marks of rulings into badges."""
        if token.type == "inline":
            token.children = list(self._children(_solid(token)[3 if _rule_of(token) else 0 :]))
        return token

    def _children(self, children: list[Token]) -> Iterator[Token]:
        for k, child in enumerate(children):
            if child.type == "text" and child.content == RULING[self.language]:
                yield self._badge(next((rule for rule in self.open if rule in self.known), ""))
            elif child.type == "text":
                yield from self._references(child.content)
            elif not any(near.content == RULING[self.language] for near in children[max(0, k - 1) : k + 2]):
                yield child  # without the emphasis around a ruling's mark

    def _badge(self, rule: str) -> Token:
        word = escape(RULING[self.language].strip("()"))
        if not rule:
            return _html("html_inline", f'<span class="ruling">{word}</span>')
        if rule not in self.rulings:
            self.rulings.append(rule)
        meaning = escape(self.meaning, quote=True)
        return _html("html_inline", f'<a class="ruling" href="#{RULINGS}" title="{meaning}">{word}</a>')

    def _references(self, text: str) -> Iterator[Token]:
        end = 0
        for found in _RULE.finditer(text):
            if found[0] in self.known:
                yield _html("text", text[end : found.start()])
                yield _html("html_inline", _anchor(found[0]))
                end = found.end()
        yield _html("text", text[end:])

    def _text(self, at: int) -> str:
        """The text of a rule, for pages that quote it."""
        return _plain(self.tokens[at]).removeprefix(_rule_of(self.tokens[at])).strip()


def _solid(token: Token) -> list[Token]:
    """A paragraph's tokens, without the empty texts that the parser adds."""
    return [child for child in token.children or () if child.type != "text" or child.content]


def _rule_of(token: Token) -> str:
    """The rule id that a paragraph starts with, in bold; "" if it does not."""
    match _solid(token):
        case [first, second, *_] if first.type == "strong_open" and _RULE.fullmatch(second.content):
            return second.content
    return ""


# ── Pages ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def known_game(name: str) -> Game:
    game = all_games().get(name)
    if game is None:
        raise HTTPException(404, f"there is no game {name[:60]!r}")
    return game


@router.get("/rules")
def rules(request: Request) -> HTMLResponse:
    language = language_of(request)
    return page(request, "rules.html", shelf=shelf(language))


class Volume(NamedTuple):
    """A book on the shelf, with its cover picture and the names of its game's lessons."""

    game: Game
    book: Book
    cover: str
    lessons: list[str]
    words: str


def shelf(language: str) -> list[Volume]:
    """The books of all games, except those that cannot be read."""
    volumes = []
    for game in all_games().values():
        with alone(game, "the rule book"):
            read, lessons = book(game, language), [lesson.name for lesson in material.lessons(game)]
            volumes.append(Volume(game, read, showcase(game.name, language), lessons, first_sentence(read)))
    return volumes


@router.get("/rules/{game}")
def rule_book(request: Request, game: str) -> HTMLResponse:
    found = known_game(game)
    language, lessons = language_of(request), len(material.lessons(found))
    options = [option_view(option, language) for option in found.options]
    reference = book(found, language)
    told = telling(found, language, art="<defs>" not in reference.body)
    drawn = "<defs>" in reference.body or told is not None
    return page(
        request,
        "rulebook.html",
        game=found,
        book=reference,
        telling=told,
        lessons=lessons,
        options=options,
        tables=names_of_players(found, language),
        readings=_readings(found, language, art=not drawn),
        solved=_solved(found, language),
    )


@functools.lru_cache(maxsize=64)
def _solved(game: Game, language: str) -> list[str]:
    """What is known of a game that is solved completely."""
    solver = game.solve
    return [message.say(language) for message in solver.summary()] if solver and solver.summary else []


@functools.lru_cache(maxsize=64)
def _readings(game: Game, language: str, art: bool) -> list[dict[str, Any]]:
    return [reading_view(game, entry, language, art) for entry in game.readings]


def reading_view(game: Game, entry: Ambiguity, language: str, art: bool) -> dict[str, Any]:
    """An entry of the register of readings; the default comes first."""
    default = entry.default
    readings = [
        (
            value,
            translate(entry.readings[value], language),
            value == default,
            _example(game, entry, value, language, art),
        )
        for value in entry.readings
    ]
    return {
        "rule": entry.rule,
        "sense": translate(entry.sense, language),
        "option": entry.option,
        "readings": readings,
        "why": translate(entry.why, language),
    }


def _example(game: Game, entry: Ambiguity, value: Any, language: str, art: bool) -> tuple[str, str] | None:
    """A picture of what a reading changes, and its caption."""
    with alone(game, f"the example of {entry.option}={value}"):
        if found := difference(game, entry, value):
            looks: dict[str, Any] = {"language": language, "wide": False, "chosen": found.targets}
            return cut(found.position, found.around, art, **looks), found.message.say(language)
    return None


def names_of_players(game: Game, language: str) -> list[list[str]]:
    """The players' names for each number of players; one row if a larger number only adds names."""
    tables = [game.seat_names(seats, language) for seats in game.seats]
    largest = tables[-1]
    return [largest] if all(names == largest[: len(names)] for names in tables) else tables
