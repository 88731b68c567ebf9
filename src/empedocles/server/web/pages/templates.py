"""Rendering pages from templates, in the reader's language and theme."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

import jinja2
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from empedocles.games import all_games
from empedocles.language import LANGUAGES, translate
from empedocles.paper import PAPERS
from empedocles.render import fonts, themes

HERE = Path(__file__).parents[1]
SCREENS = tuple(theme for theme in themes.THEMES if theme != "print")
INTERFACE = ("paper", "plate", "void", "frame", "ink", "soft", "mark", "last", "red", "green")  # colours of pages too

router = APIRouter(include_in_schema=False)
templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def language_of(request: Request) -> str:
    """The reader's choice, or else the browser's."""
    chosen = request.cookies.get("language", "")
    if chosen in LANGUAGES:
        return chosen
    wanted = (part.split(";")[0].strip()[:2].lower() for part in request.headers.get("accept-language", "").split(","))
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])


def theme_of(request: Request) -> str:
    """The reader's choice; "" leaves it to the browser."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in themes.THEMES else ""


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    language = language_of(request)
    text = templates.get_template(template).render(
        _=functools.partial(translate, language=language),
        language=language,
        languages=LANGUAGES,
        theme=theme_of(request),
        themes=SCREENS,
        games=list(all_games().values()),
        papers=list(PAPERS),
        path=request.url.path,
        status=status,
        font=font_address(fonts.FACES[0]),
        style=_style_version(),
        **values,
    )
    return HTMLResponse(text, status)


def font_address(face: fonts.Face) -> str:
    return f"/fonts/{face.name}.woff2?{fonts.version()}"


@functools.cache
def _style_sheet() -> str:
    def declared(theme: str) -> str:
        palette = themes.PALETTES[theme]
        colours = {name: getattr(palette, name) for name in INTERFACE}
        for name in ("red", "green"):  # of pieces in drawings, of texts in pages
            for ground in (palette.paper, palette.plate):
                colours[name] = themes.readable(colours[name], ground, palette.ink)
        own = ";".join(f"--{name}:{colour}" for name, colour in colours.items())
        return f"{own};{themes.variables(theme)}"

    rules = [f":root{{{declared('light')}}}", f"@media (prefers-color-scheme: dark){{:root{{{declared('dark')}}}}}"]
    rules += [f"[data-theme={theme}]{{{declared(theme)}}}" for theme in themes.THEMES]
    rules += [f":root{{--fonts:{fonts.FONTS}}}", fonts.rules(font_address), fonts.substitutes()]
    return "\n".join([*rules, themes.style_sheet()])


@functools.cache
def _style_version() -> str:
    return hashlib.blake2b(_style_sheet().encode(), digest_size=4).hexdigest()


@router.get("/themes.css")
async def style_sheet() -> Response:
    """The style sheet of all drawings, in every theme."""
    return Response(_style_sheet(), media_type="text/css", headers={"cache-control": "max-age=3600"})


@router.get("/fonts/{name}.woff2")
async def font(name: str) -> Response:
    """A font, for ever: its address has its version."""
    face = next((face for face in fonts.FACES if face.name == name), None)
    if face is None:
        raise HTTPException(404)
    return Response(
        face.data, media_type="font/woff2", headers={"cache-control": "public, max-age=31536000, immutable"}
    )
