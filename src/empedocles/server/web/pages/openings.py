"""The form for a new table: the game and its options, who plays, and how much time there is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from empedocles.game import Ambiguity, Game, Option
from empedocles.games import all_games, find
from empedocles.language import mark as _
from empedocles.language import translate
from empedocles.server.domain.table import Clock
from empedocles.server.web.faces import cast
from empedocles.server.web.pages import lists, material, words
from empedocles.server.web.pages.beginnings import beginning
from empedocles.server.web.pages.templates import language_of, page
from empedocles.server.web.routes.tables import Here, Visitor

FEW = 5  # values that are shown side by side; more are in a menu
CLOCKS = (Clock(), Clock("minutes", 300, 3), Clock("minutes", 900, 10), Clock("days", 3 * lists.DAY))
USUAL_CLOCK = 0

# With whom: what is chosen for all seats but the first.
COMPANY = {
    "bot": _("the computer"),
    "link": _("a friend, by link"),
    "here": _("a friend, on this device"),
    "open": _("anyone"),
}

# How strong opponents are, by their place on the ladder, from 0 to 1.
STRENGTHS = (
    (0.0, _("still learning, and overlooks a lot")),
    (0.25, _("plays casually and forgives mistakes")),
    (0.45, _("knows what matters, but looks only a little ahead")),
    (0.65, _("plays well and uses most mistakes")),
    (0.9, _("strong: overlooks hardly anything")),
)
STRONGEST = _("as strong as this program can play")
PERFECT = _("plays perfectly")

router = APIRouter(include_in_schema=False)


@router.get("/new")
async def new_table(
    request: Request,
    service: Here,
    player: Visitor,
    game: Annotated[str, Query(max_length=60)] = "",
    seat: Annotated[str, Query(max_length=20)] = "bot",
) -> HTMLResponse:
    found = find(game) if game else next(iter(all_games().values()))
    language, read = language_of(request), _only_readings(found)
    begins = await beginning(request, service, player.id if player else "", found)
    company = {kind: text for kind, text in COMPANY.items() if kind != "bot" or found.opponents}
    return page(
        request,
        "new.html",
        player=player,
        game=found,
        options=[
            option_view(option, language, proposed=begins.options)
            for option in found.options
            if option.name not in read
        ],
        readings=[option_view(found.option(name), language, entry) for name, entry in read.items()],
        seat_names={seats: found.seat_names(seats, language) for seats in found.seats},
        sides={seats: found.sides(seats) for seats in found.seats},
        seating=found.seating.name if found.seating else "",
        opponents=(rungs := ladder(found, language)),
        told=[{"about": rung.about, "beaten": rung.beaten} for rung in rungs],
        guests=list(request.app.state.settings.own_agents),
        company=company,
        proposed=seat if seat in company else next(iter(company)),
        first=begins.level,
        introduction=(introduced := material.introduction(found)),
        also=introduced.also if introduced else (),
        lessons=bool(material.lessons(found)),
        few=FEW,
        clocks=[(clock, lists.clock_words(clock, language)) for clock in CLOCKS],
        usual_clock=USUAL_CLOCK,
        guest=words.GUEST,
        words=words.of_script(words.SCRIPTS, language),
    )


class Rung(NamedTuple):
    name: str
    about: str
    beaten: str = ""  # how


def ladder(game: Game, language: str) -> list[Rung]:
    """A game's opponents, the weakest first, with what they are like."""
    known = cast(game).characters
    return [
        Rung(one.name, one.line(language) or _strength(game, place, len(known), language), one.beaten(language))
        for place, one in enumerate(known)
    ]


def _strength(game: Game, place: int, number: int, language: str) -> str:
    """How strong an opponent is whom nobody has described."""
    if place == number - 1:
        return translate(PERFECT if game.solve else STRONGEST, language)
    return translate(next(text for least, text in reversed(STRENGTHS) if place >= least * (number - 1)), language)


def _only_readings(game: Game) -> dict[str, Ambiguity]:
    """The options that choose nothing but a reading: every value is in the register."""
    entries = {entry.option: entry for entry in game.readings if not game.option(entry.option).takes_board}
    return {name: entry for name, entry in entries.items() if set(entry.readings) == set(game.option(name).values)}


def option_view(
    option: Option, language: str, entry: Ambiguity | None = None, proposed: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """An option; of a reading, with the sentence that is ambiguous, and in whole sentences."""
    default = (proposed or {}).get(option.name, option.default)
    said = entry.readings if entry else {value: str(value) for value in option.values}
    return {
        "name": option.name,
        "label": translate(option.name, language),
        "values": [(value, translate(text, language)) for value, text in said.items()],
        "default": default,
        "board": option.takes_board,
        "start": urlencode({option.name: default}),
        "rule": entry.rule if entry else "",
        "sense": translate(entry.sense, language) if entry else "",
    }
