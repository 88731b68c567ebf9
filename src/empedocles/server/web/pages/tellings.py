"""A game as one would tell it to a friend: a text with examples in pictures, above the numbered rules.

`TELLING.md` has a title, a paragraph, a list of facts (`- **Players:** two`) and sections. A scene in it (see
`empedocles.scenes`) is followed by a numbered list with the caption of each picture.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from empedocles import scenes
from empedocles.game import Game
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.play.match import Match
from empedocles.render.picture import Box, Look, Sheet, still
from empedocles.scenes import Scene
from empedocles.server.web.guests import alone

LARGE = 350.0  # pictures of this width, in units of the drawing, need more room than others


class Heading(NamedTuple):
    anchor: str
    title: str


class Telling(NamedTuple):
    introduction: str  # markup, as all below
    facts: str
    body: str
    sections: tuple[Heading, ...]


@functools.lru_cache(maxsize=64)
def telling(game: Game, language: str, art: bool) -> Telling | None:
    """None if the game has none, or it cannot be read. The first picture brings the artwork of all, if `art`."""
    with alone(game, "the telling"):
        text = game.telling(language)
        return _Writer(language, art).telling(text) if text is not None else None
    return None


class _Writer:
    """Writes one telling as markup, front to back."""

    def __init__(self, language: str, art: bool) -> None:
        self.language, self.art = language, art
        self.markdown = MarkdownIt("commonmark", {"html": False})

    def telling(self, text: str) -> Telling:
        tree = SyntaxTreeNode(self.markdown.parse(text)).children
        start = next((k for k, node in enumerate(tree) if _is_section(node)), len(tree))
        opening = [node for node in tree[:start] if node.tag != "h1"]
        facts = [node for node in opening if node.type == "bullet_list"]
        sections = tuple(_headings(tree[start:]))
        return Telling(
            "".join(map(self._markup, (node for node in opening if node not in facts))),
            "".join(map(self._markup, facts)),
            "".join(self._body(tree[start:], sections)),
            sections,
        )

    def _markup(self, node: SyntaxTreeNode) -> str:
        return str(self.markdown.renderer.render(node.to_tokens(), self.markdown.options, {}))

    def _body(self, nodes: list[SyntaxTreeNode], sections: tuple[Heading, ...]) -> Iterator[str]:
        """The sections; the list after a scene becomes its captions."""
        anchors = iter(sections)
        used = None
        for node, after in itertools.pairwise([*nodes, None]):
            if node is None or node is used:
                continue
            if _is_section(node):
                _opening(node).attrSet("id", next(anchors).anchor)
            if _is_scene(node):
                used = after if after is not None and after.type == "ordered_list" else None
                yield self._scene(node, used)
            else:
                yield self._markup(node)

    # ── Scenes ──

    def _scene(self, fence: SyntaxTreeNode, captions: SyntaxTreeNode | None) -> str:
        words = [self._caption(item) for item in captions.children] if captions else []
        scene = scenes.read(fence.info, fence.content)
        pairs = itertools.zip_longest(pictures(scene, self.language, self.art), words, fillvalue="")
        label = escape(translate(_("An example in pictures"), self.language))
        looks = "scene large" if _part(scene).width > LARGE else "scene"
        figures = "".join(itertools.starmap(_figure, pairs))
        self.art = False
        return f'<ol class="{looks}" aria-label="{label}">{figures}</ol>\n'

    def _caption(self, item: SyntaxTreeNode) -> str:
        return "".join(self._markup(inline) for paragraph in item.children for inline in paragraph.children)


def pictures(scene: Scene, language: str = "en", art: bool = False) -> Iterator[str]:
    """The pictures of a scene, for a page; the first with the artwork of all, if `art`."""
    match = Match(scene.start, seed=0, chance="manual")
    game, part = match.game, _part(scene)
    title = translate(game.title, language)
    look = Look(language=language, wide=False, overlays=scene.overlays)  # tall pictures have large words, for phones
    for done, ahead in itertools.pairwise([(), *scene.lines, ()]):
        for move in done:
            match.play(move)
        state, shown = match.position.state, match.marked(match.plies, look) if done else look
        sheet = game.sheet(state, _pointed(match, ahead, game.sheet(state, shown), part))
        yield still(game.name, sheet, part, title, str(match.position), art and not match.plies).for_page


def _part(scene: Scene) -> Box:
    """The part of the board that all pictures of a scene show."""
    return scene.start.game.sheet(scene.start.state, Look(wide=False)).around(scene.corners)


def _pointed(match: Match, ahead: tuple[str, ...], sheet: Sheet, part: Box) -> Look:
    """A look that points out what comes next: an arrow where something goes from one place to another."""
    arrows, chosen, seat = [], set[str](), match.to_move
    trial = match.copy()
    for move in itertools.takewhile(lambda _move: trial.to_move == seat, ahead):
        groups = match.game.paths[trial.position.action(move)]
        seen = {target for group in groups for target in group if _inside(sheet.boxes.get(target), part)}
        if len(groups) > 1 and len(seen) == sum(map(len, groups)) == len(groups):
            arrows.append(trial.way(move))
        else:
            chosen |= seen
        trial.play(move)
    return replace(sheet.look, arrows=arrows, chosen=chosen)


def _inside(box: Box | None, part: Box) -> bool:
    if box is None:
        return False
    x, y = box.centre
    return part.x <= x <= part.x + part.width and part.y <= y <= part.y + part.height


def _figure(picture: str, words: str) -> str:
    return f"<li><figure>{picture}<figcaption>{words}</figcaption></figure></li>"


# ── Markdown ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _is_section(node: SyntaxTreeNode) -> bool:
    return node.type == "heading" and node.tag == "h2"


def _is_scene(node: SyntaxTreeNode) -> bool:
    return node.type == "fence" and node.info.split()[:1] == [scenes.FENCE]


def _headings(nodes: list[SyntaxTreeNode]) -> Iterator[Heading]:
    titles = (node.children[0].content for node in nodes if _is_section(node))
    return (Heading(f"told-{number}", title) for number, title in enumerate(titles, start=1))


def _opening(node: SyntaxTreeNode) -> Token:
    assert node.nester_tokens is not None
    return node.nester_tokens.opening
