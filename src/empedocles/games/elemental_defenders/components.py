"""Elemental Defenders to print and cut out: twenty cards, and two aids for each player."""

from __future__ import annotations

import textwrap

from empedocles.game import Component, Options, Printing
from empedocles.games.elemental_defenders.cards import ART, GROUNDS, HEIGHT, WIDTH, face, letters, thing
from empedocles.games.elemental_defenders.lookups import CARDS, VIRTUE, level
from empedocles.games.elemental_defenders.text import ELEMENT_TERMS, LEVEL_TERMS, MODES
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.render.art import scaled
from empedocles.render.picture import Box, rect, text, use

SIZE = 63.0, 88.0  # millimetres, as cards for poker have
VIEW = float(WIDTH), float(HEIGHT)
COLUMN = 50  # letters in a line of an aid

# On the second aid: headings, and what follows below each.
FIRST = _("Whoever holds the Neonate of Water attacks first.")
NO_ANSWER = _("3. Else the attacker wins the round.")
ANSWERS = {
    "element": (
        FIRST,
        _("1. Answer with the same element: then the higher level attacks next."),
        _("2. Else with the same level: then the stronger element attacks next."),
        NO_ANSWER,
    ),
    "either": (
        FIRST,
        _("1. Answer with the same element: then the higher level attacks next."),
        _("2. Or with the same level: then the stronger element attacks next."),
        NO_ANSWER,
    ),
}
POINTS = (_("(10 − cards left in hand) × virtue"),)
MEDIATORS = (
    _("The attacker may set one aside at first; then the defender may, of another element and level."),
    _("A winner who set one aside scores (11 − cards left in hand) × virtue."),
    _("With only one, its owner's ninth card is also the tenth: if it wins then, it scores 22 × virtue."),
)
CHALLENGE = (
    _("Only an attacking Mystic may challenge."),
    _("Then answer with a Mystic if you hold one: the stronger element attacks next."),
)


def components(options: Options, language: str) -> list[Component]:
    with_mediators, with_challenge = MODES[options["mode"]]
    paragraphs = {_("Attack and answer"): ANSWERS[options["answer"]], _("Points"): POINTS}
    paragraphs |= {_("Mediators"): MEDIATORS} if with_mediators else {}
    paragraphs |= {_("Challenge"): CHALLENGE} if with_challenge else {}
    aids = (_ranks(language), _reminder(paragraphs, language))
    cards = [_component(_("card"), 1, face(card) + letters(level(card), language)) for card in range(CARDS)]
    return cards + [_component(_("player aid"), 2, _aid(markup)) for markup in aids]


def _component(name: str, number: int, markup: str) -> Component:
    return Component(name, number, *SIZE, VIEW, markup)


def _aid(markup: str) -> str:
    return rect("plate", Box(0, 0, *VIEW), 10) + rect("plate", Box(5, 5, WIDTH - 10, HEIGHT - 10), 7) + markup


def _ranks(language: str) -> str:
    """Levels with their virtues and elements, each from the strongest."""
    levels = "".join(_level(number, language) for number in range(len(LEVEL_TERMS)))
    elements = "".join(_element(number, language) for number in range(len(ELEMENT_TERMS)))
    return levels + '<path class="soft-line" d="M14 131H112"/>' + elements


def _level(number: int, language: str) -> str:
    y = 12 + 23.5 * number
    name = scaled(text("name", 0, 0, translate(LEVEL_TERMS[number], language)), 0.66, 35, y + 16)
    virtue = scaled(text("big", 0, 0, VIRTUE[number * len(GROUNDS)]), 0.72, 114, y + 16.5)
    return scaled(thing(number), 0.22, 8, y - 6) + name + virtue


def _element(number: int, language: str) -> str:
    x = 24 + 26 * number
    name = scaled(text("label", 0, 0, translate(ELEMENT_TERMS[number], language)), 0.72, x, 164)
    sign = scaled(use(f"emblem-{GROUNDS[number]}"), 0.3, x - 9, 135)
    return sign + name


def _reminder(paragraphs: dict[str, tuple[str, ...]], language: str) -> str:
    drawn, y = "", 4.5
    for heading, items in paragraphs.items():
        y += 11
        drawn += scaled(text("name", 0, 0, translate(heading, language)), 0.46, 11, y)
        for item in items:
            y += 1.2
            for line in textwrap.wrap(translate(item, language), COLUMN):
                y += 6.1
                drawn += scaled(text("words", 0, 0, line), 0.35, 11, y)
    return drawn


PRINTING = Printing(ART, components)
