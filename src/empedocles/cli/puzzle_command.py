"""`empedocles puzzles`: what can be asked of it. Solving is in `puzzles`, which takes longer to import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from empedocles.errors import BadValue


def puzzles(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's name; asked for if not given.")] = None,
    theme: Annotated[str | None, typer.Option(help="Only puzzles with this theme; `list` names them.")] = None,
    day: Annotated[bool, typer.Option("--day", help="The puzzle of the day.")] = False,
    rating: Annotated[int, typer.Option(help="How difficult the first one is; 1500 is in the middle.")] = 1500,
    name: Annotated[str | None, typer.Option("--id", help="This puzzle.")] = None,
    print_: Annotated[Path | None, typer.Option("--print", help="Write sheets of six to this PDF instead.")] = None,
    sheets: Annotated[int, typer.Option(min=1, max=30, help="How many of them.")] = 1,
    paper: Annotated[str, typer.Option(help="Size of the paper: a4 or letter.")] = "a4",
    language: Annotated[str, typer.Option(help="Language of messages: en or de.")] = "en",
) -> None:
    """Solve puzzles: positions from games in which one move is right. Or print them."""
    from empedocles.cli import puzzles as solving
    from empedocles.cli import terminal
    from empedocles.coach import puzzles as known
    from empedocles.games import find

    if sum(given is not None for given in (theme, name)) + day > 1:
        raise BadValue("give one of --theme, --day and --id, not two")
    chosen = find(game or terminal.ask_game())
    if theme == "list":
        return solving.list_themes(chosen, language)
    choice = solving.Choice(chosen, rating, theme, known.today() if day else None, name)
    if print_:
        return solving.print_sheets(choice, print_, sheets, paper, language)
    return solving.Solving(choice, language).run()
