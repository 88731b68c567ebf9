"""A game to print, cut out and play: boards and pieces at true size, and the rules in short, as a PDF."""

from __future__ import annotations

from empedocles.errors import UnknownName
from empedocles.extras import Extra
from empedocles.game import Game, Options, Printing
from empedocles.games import all_games
from empedocles.language import translate
from empedocles.paper.booklet import booklet
from empedocles.paper.contents import contents, matches
from empedocles.paper.sheets import PageText, component_pages, component_picture, preamble
from empedocles.paper.sizes import paper_size
from empedocles.render.formats import typeset
from empedocles.render.picture import Look

THEMES = ("print", "light", "contrast")  # a dark one would be a page full of ink


def print_out(
    game: Game,
    options: Options,
    paper: str = "a4",
    language: str = "en",
    theme: str = "print",
    files: bool = False,
    box: bool = False,
) -> bytes:
    """The PDF of all that is needed to play a game with these options; board files are read if `files`.

    With `box`, of all that is needed for any number of players.
    """
    Extra("print").check("typst")
    if theme not in THEMES:
        raise UnknownName(f"unknown theme {theme!r} for paper: there are {', '.join(THEMES)}")
    size, printing = paper_size(paper), _printing(game)
    chosen = matches(game, options, box, files)
    note = translate(printing.note, language) if printing.note else ""
    words = PageText(translate(game.title, language), language, game.credit(language), note)
    components = contents(printing, chosen, box, language)
    pictures = (component_picture(component, printing.art, game.name, theme) for component in components)
    inputs = {str(number): str(shown) for number, shown in enumerate(pictures)}
    source = preamble(words, size) + component_pages(components, words, size)
    return typeset(source + booklet(game, chosen[0], Look(theme, language), inputs), inputs)


def _printing(game: Game) -> Printing:
    if game.printing is None:
        known = [other.name for other in all_games().values() if other.printing]
        raise UnknownName(f"{game.title} has nothing to print; there is something for {', '.join(known)}")
    return game.printing
