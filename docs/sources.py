"""Includes documents from elsewhere in the project in the pages of the site.

A fence in a page is replaced before the page is read:

```{source} README.md    sections of a document, one title per line; all of it without titles
```{rules} GAME          a game as told to a friend, then its rule book with the diagrams of its folder beside the rules
```{gallery}             a picture of each game, linked to its rule book
```{reasons}             mistakes with their boards, explained
```{solved}              what is known of games that are solved completely
```{readings}            the register of readings: ambiguous sentences, and the options that choose
```{endings}             what ends each game, by the rule that does

Links in documents are changed to lead to their targets on the site. The comments after the fields of classes become
their text in the reference.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import tomllib
from collections.abc import Callable
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from empedocles import scenes
from empedocles.coach.claims import explain
from empedocles.differences import difference
from empedocles.game import Ambiguity, Game
from empedocles.games import GAMES
from empedocles.games.elemental_defenders import deals
from empedocles.games.elemental_defenders.moves import card_name
from empedocles.language import LANGUAGES
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.render import themes
from empedocles.render.picture import Look, still
from empedocles.scenes import Scene
from empedocles.search.limits import Evaluation
from empedocles.server.web.pages.tellings import pictures

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGES = {  # documents that are pages of the site, by path
    "README.md": "index",
    "ARCHITECTURE.md": "architecture",
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
    "benchmarks/README.md": "benchmarks",
    **{f"src/empedocles/games/{game.folder.name}/RULES.md": f"games/{game.name}" for game in GAMES.values()},
}

FENCE = re.compile(
    r"^```\{(source|rules|gallery|readings|endings|reasons|solved)\} ?(.*)\n((?:.+\n)*?)```$", re.MULTILINE
)
PROMPTS = re.compile(r"^(```pycon\n.*?)\n+```$", re.MULTILINE | re.DOTALL)  # only tests need the blank line
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
SCENE = re.compile(r"^~~~(position.*)\n((?:.+\n)*?)~~~$", re.MULTILINE)
RULE = re.compile(r"- \*\*([A-Z]{2}-\d+)\*\*")
MENTION = re.compile(r"(?<![*\w])([A-Z]{2}-\d+)\b")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", write_style)
    app.connect("source-read", read)
    app.connect("autodoc-process-docstring", explain_field)
    return {"parallel_read_safe": True}


def read(_app: Sphinx, page: str, source: list[str]) -> None:
    parts: dict[str, Callable[[str, str], str]] = {
        "source": lambda name, titles: relinked(sections(ROOT / name, titles.splitlines()), ROOT / name, page),
        "rules": lambda name, _: rule_book(GAMES[name]),
        "gallery": lambda *_: gallery(),
        "readings": lambda *_: readings(),
        "endings": lambda *_: endings(),
        "reasons": lambda *_: reasons(),
        "solved": lambda *_: solved(),
    }
    text = relinked(source[0], DOCS / f"{page}.md", page)
    text = FENCE.sub(lambda fence: parts[fence[1]](fence[2], fence[3]), text)
    source[0] = PROMPTS.sub(r"\1\n```", text)


# ── Documents ────────────────────────────────────────────────────────────────────────────────────────────────────────


def sections(document: Path, titles: list[str]) -> str:
    """The sections with these titles, in this order."""
    text = document.read_text(encoding="utf-8")
    if not titles:
        return text
    found = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", text, re.MULTILINE))
    return "\n".join(f"## {title}\n{found[title]}" for title in titles)


def relinked(text: str, document: Path, page: str) -> str:
    """A document's text with its links as seen from a page."""

    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        path, hash_, anchor = target.partition("#")
        file = (document.parent / path).resolve()
        if not path or ":" in target or not file.exists():
            return found[0]
        if file.is_dir():
            return words
        inside = file.relative_to(ROOT).as_posix()
        goal = f"{PAGES[inside]}.md" if inside in PAGES else os.path.relpath(file, DOCS)
        return f"[{words}]({os.path.relpath(DOCS / goal, (DOCS / page).parent)}{hash_}{anchor})"

    return LINK.sub(link, text).replace('<img src="docs/', '<img src="')


# ── Games ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def rule_book(game: Game) -> str:
    """A rule book with an anchor and diagrams at each rule, and links wherever the book names one; the game as told to
    a friend comes first.
    """
    figures = _figures(game)
    title, _, rules = game.rule_book().partition("\n")
    told = ["", f"*{game.credit()}*", *_telling(game).splitlines()]
    lines = [title, *told, "", "## The rules in full", *rules.splitlines()]
    for start in reversed(range(len(lines))):
        if found := RULE.match(lines[start]):
            end = _end(lines, start)
            lines[end:end] = ["", *(f"  {figure}" for figure in figures[found[1]]), ""]
    return RULE.sub(_target, MENTION.sub(_mention, "\n".join(lines)))


def _telling(game: Game) -> str:
    """A telling without its title; pictures stand above their captions."""
    text = game.telling() or ""
    return SCENE.sub(lambda fence: _scene(scenes.read(fence[1], fence[2])), text.partition("\n")[2])


def _scene(scene: Scene) -> str:
    """Pictures side by side, on one line: a blank one would end the markup."""
    drawn = "".join(pictures(scene)).replace("\n", " ")
    return f'<div class="scene">{drawn}</div>\n'


def _target(rule: re.Match[str]) -> str:
    return f'- <strong class="rule" id="{rule[1].lower()}">{rule[1]}</strong>'


def _mention(rule: re.Match[str]) -> str:
    return f'<a href="#{rule[1].lower()}">{rule[1]}</a>'


def _end(lines: list[str], start: int) -> int:
    """The end of the list item that starts at `start`."""
    return next((k for k in range(start + 1, len(lines)) if lines[k] and not lines[k].startswith(" ")), len(lines))


def _figures(game: Game) -> dict[str, list[str]]:
    """The diagrams of each rule; the first on the page contains the artwork that all of them use."""
    figures: dict[str, list[str]] = {found: [] for found in RULE.findall(game.rule_book())}
    for number, diagram in enumerate(_data(game)["diagram"]):
        figures[diagram["rule"]].append(_figure(game, diagram, art=number == 0))
    return figures


def _figure(game: Game, diagram: dict[str, Any], art: bool) -> str:
    arrows = [tuple(path) for path in diagram.get("arrows", ())]
    around = diagram.get("around", ())
    wide = diagram.get("broad", False) or bool(around)  # as on the rule pages
    look = Look(wide=wide, chosen=diagram.get("marked", ()), arrows=arrows)
    sheet = game.sheet(Position(diagram["position"]).state, look)
    caption = diagram["caption"]["en"]
    drawn = still(game.name, sheet, sheet.around(around), caption, art=art).for_page
    return f'<figure class="diagram">{drawn}<figcaption>{escape(caption)}</figcaption></figure>'


def gallery() -> str:
    return f'<div class="gallery">{"".join(map(_card, GAMES.values()))}</div>'


def _card(game: Game) -> str:
    start = Position.start(game)
    position = functools.reduce(Position.play, _data(game)["showcase"].split(), start)
    sheet = game.sheet(position.state, Look())
    drawn = still(game.name, sheet, sheet.whole, game.title).for_page
    words = f"<strong>{escape(game.title)}</strong><span>{escape(game.summary)}</span>"
    words += f"<small>{escape(game.credit())}</small>"
    return f'<a href="games/{game.name}.html">{drawn}{words}</a>'


def readings() -> str:
    """The register of all games, as one section for each."""
    return "\n".join(
        f"## {game.title}\n\n" + "\n".join(_reading(game, entry) for entry in game.readings) for game in GAMES.values()
    )


def _reading(game: Game, entry: Ambiguity) -> str:
    default = entry.default
    rows = [
        f"| `{entry.option}={value}`{' (default)' if value == default else ''} | {words} |"
        for value, words in entry.readings.items()
    ]
    rule = _linked(game, entry.rule)
    examples = "".join(_example(game, entry, value) for value in entry.readings)
    lines = [f"<strong>{rule}</strong> {entry.sense}\n", "| option | reading |", "|---|---|", *rows, f"\n{entry.why}\n"]
    return "\n".join([*lines, f'<div class="scene">{examples}</div>\n'])


def _example(game: Game, entry: Ambiguity, value: Any) -> str:
    """What a reading changes, as a picture; "" for the default."""
    found = difference(game, entry, value)
    if found is None:
        return ""
    sheet = game.sheet(found.position.state, Look(wide=bool(found.around), chosen=found.targets))
    drawn = still(game.name, sheet, sheet.around(found.around), game.title).for_page.replace("\n", " ")
    caption = f"<code>{entry.option}={value}</code> {escape(found.message.say())} <code>{escape(found.move)}</code>"
    return f'<figure class="diagram">{drawn}<figcaption>{caption}</figcaption></figure>'


def endings() -> str:
    """What ends each game, as one table."""
    rows = [
        f"| {game.title} | {_linked(game, end.rule)} | `{number}` | {end.words} |"
        for game in GAMES.values()
        for number, end in game.endings.items()
    ]
    return "\n".join(["| game | rule | number | what happened |", "|---|---|---|---|", *rows])


def solved() -> str:
    """What is known of games that are solved completely."""
    solvers = [game.solve for game in GAMES.values() if game.solve and game.solve.summary]
    found = [message.say() for solver in solvers if solver.summary for message in solver.summary()]
    rows = [
        f"| {card_name(card).say()} | {deals.share(attack)} | {deals.share(mediator)} |"
        for card, (attack, mediator) in enumerate(zip(*map(deals.often_right, deals.MODES), strict=True))
    ]
    table = ["| card | right as the first attack (basic) | right as the mediator (advanced) |", "|---|---|---|", *rows]
    return "\n".join([*(f"- {words}" for words in found), "", *table])


def _linked(game: Game, rule: str) -> str:
    return f'<a href="games/{game.name}.html#{rule.lower()}">{rule}</a>'


def reasons() -> str:
    """Explained mistakes, a section for each game."""
    with (DOCS / "reasons.toml").open("rb") as file:
        mistakes = tomllib.load(file)["mistake"]
    parts, title = [], ""
    for mistake in mistakes:
        position = Position(mistake["position"])
        if position.game.title != title:
            title = position.game.title
            parts.append(f"## {title}\n")
        parts.append(_mistake(position, *(_evaluation(mistake[name]) for name in ("played", "better"))))
    return "\n".join(parts)


def _evaluation(facts: dict[str, Any]) -> Evaluation:
    return Evaluation(**{**facts, "line": tuple(facts["line"])})


def _mistake(position: Position, played: Evaluation, better: Evaluation) -> str:
    """The board with the first move of the claim's line and what it is about, and the reason in each language."""
    why = explain(position, played, better)
    claim, match = why.claims[0], Match(position)
    look = Look(chosen=claim.targets, arrows=[match.way(claim.line[0])])
    sheet, words = position.game.sheet(position.state, look), position.words(played.move).say()
    drawn = still(position.game.name, sheet, sheet.whole, words).for_page
    said = "".join(f"<p lang={language!r}>{escape(why.say(language))}</p>" for language in LANGUAGES)
    caption = f"<figcaption><p><strong>{escape(words)}.</strong></p>{said}</figcaption>"
    return f'<figure class="reason">{drawn}{caption}</figure>\n'


@functools.cache
def _data(game: Game) -> dict[str, Any]:
    return tomllib.loads((game.folder / "diagrams.toml").read_text(encoding="utf-8"))


def write_style(app: Sphinx) -> None:
    """Write the style sheet of drawings, which follows the reader's choice of light or dark."""
    dark = themes.variables("dark")
    rules = (
        f"body{{{themes.variables('light')}}}\n"
        f'body[data-theme="dark"]{{{dark}}}\n'
        f'@media (prefers-color-scheme: dark){{body:not([data-theme="light"]){{{dark}}}}}\n'
    )
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "drawings.css").write_text(rules + themes.style_sheet(), encoding="utf-8")


# ── Reference ────────────────────────────────────────────────────────────────────────────────────────────────────────


def explain_field(_app: Sphinx, what: str, name: str, _value: object, _options: object, lines: list[str]) -> None:
    """Document a field by its comment, instead of the default text for fields of a tuple."""
    owner, _, field = name.rpartition(".")
    if what == "attribute" and (comment := _comments(owner).get(field)):
        lines[:] = [comment]
    elif lines and lines[0].startswith("Alias for field number"):
        lines.clear()


@functools.cache
def _comments(owner: str) -> dict[str, str]:
    """The comment on each field in the source of a class."""
    module, _, name = owner.rpartition(".")
    source = inspect.getsource(getattr(import_module(module), name))
    return dict(re.findall(r"^    (\w+): .*?  # (.+)$", source, re.MULTILINE))
