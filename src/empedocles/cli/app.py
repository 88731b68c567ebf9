"""The commands, each a few lines around what the library does."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from empedocles.cli import admin, dataset_command, module_command, puzzle_command, train_command
from empedocles.cli.console import console, say
from empedocles.cli.options import Database, GameName, OptionWords, ServedAgents
from empedocles.errors import BadValue, UnknownName
from empedocles.game import Game

if TYPE_CHECKING:
    from empedocles.play.match import Match

app = typer.Typer(
    help="Four print-and-play games about the classical elements.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(admin.app, name="admin")
app.command()(puzzle_command.puzzles)
app.command()(train_command.train)
app.command()(dataset_command.dataset)
app.command()(module_command.modules)

SCREEN_THEMES = ("dark", "light", "contrast")  # one for paper makes no sense there
Language = Annotated[str, typer.Option(help="Language of messages: en or de.")]


def parse_options(words: list[str] | None) -> dict[str, str]:
    options = {}
    for word in words or []:
        name, equals, value = word.partition("=")
        if not equals:
            raise UnknownName(f"{word!r} is not an option of the form OPTION=VALUE, such as players=3")
        if name in options:
            raise BadValue(f"the option {name!r} is given twice")
        options[name] = value
    return options


def new_match(game: str, words: list[str] | None, seed: int | None = None, chance: str = "auto") -> Match:
    from empedocles.play.match import Match
    from empedocles.position import Position

    return Match(Position.start(game, parse_options(words), files=True), seed=seed, chance=chance)


@app.command()
def games() -> None:
    """List the games and their options."""
    from empedocles.games import all_games, broken

    table = Table("Game", "Seats", "Options", "What it is", box=None, pad_edge=False, padding=(0, 2, 1, 0))
    for game in all_games().values():
        options = "\n".join(map(str, game.options))
        table.add_row(f"[bold]{game.name}[/]", _seats(game), options, f"{game.summary} {game.credit()}")
    console.print(table)
    for name, why in broken.items():
        console.print(f"[bold]{escape(name)}[/] cannot be used: {escape(why)}", soft_wrap=True)


def _seats(game: Game) -> str:
    return " or ".join(map(str, game.seats)) + (" (teams)" if game.has_teams else "")


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's name; asked for if not given.")] = None,
    options: OptionWords = None,
    people: Annotated[
        int | None,
        typer.Option(help="How many seats, from the first on, are people here.", show_default="1, or as before"),
    ] = None,
    opponent: Annotated[
        str, typer.Option(help="An agent for the other seats; `empedocles agents` lists them.")
    ] = "level-3",
    seat: Annotated[
        list[str] | None, typer.Option(metavar="SEAT=AGENT", help="Who sits where: 1=level-5, 0=person; repeatable.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="How long an opponent may think about a move.")] = 3.0,
    seed: Annotated[int | None, typer.Option(help="Seed of all chance, for a repeatable game.")] = None,
    load: Annotated[Path | None, typer.Option(help="Go on with the last match of a record.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on with the match played last at this terminal.")] = False,
    language: Language = "en",
    theme: Annotated[str, typer.Option(help="Colours of the screen: dark, light or contrast.")] = "dark",
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, without a screen.")] = False,
    silent: Annotated[bool, typer.Option("--silent", help="Opponents make no remarks.")] = False,
) -> None:
    """Play at this terminal: people, and agents in the other seats."""
    from empedocles.cli import files, table, terminal
    from empedocles.play.records import Record
    from empedocles.search.limits import Limit

    limit = Limit(seconds=seconds)
    if theme not in SCREEN_THEMES:
        raise UnknownName(f"unknown theme {theme!r}: there are {', '.join(SCREEN_THEMES)}")
    if resume or load:
        if game or (resume and load):
            raise BadValue("give one of GAME, --load and --resume, not two")
        record = files.load(load) if load else files.last()
        record.match = record.match.resume(seed)
    else:
        record = Record(new_match(game or terminal.ask_game(), options, seed=seed))
    players = table.seating(record, people, opponent, seat or [])
    sat = table.Table(record, players, language, limit)
    sat.silent = silent
    terminal.play(sat, theme, plain)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 is everywhere.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Processes that answer requests.")] = 1,
    database: Database = "",
    bots: Annotated[int, typer.Option(min=0, help="Processes that think for bots; 0 leaves it to others.")] = 1,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser, if there is one.")] = True,
    agent: ServedAgents = None,
) -> None:
    """Play in the browser: run the server, here or for others."""
    from empedocles.cli import server

    server.serve(server.settings_from(database, bots, agent or ()), host, port, workers, open_)


@app.command()
def bots(
    database: Database = "",
    workers: Annotated[int, typer.Option(min=1, help="Processes that think.")] = 1,
    agent: ServedAgents = None,
) -> None:
    """Think for the bots at all tables of a server's database, on this machine or another."""
    from empedocles.cli import server

    server.run_bots(server.settings_from(database, workers, agent or ()))


@app.command()
def health(
    database: Database = "",
    url: Annotated[str, typer.Option(help="Ask the server at this address instead: http://127.0.0.1:8000.")] = "",
) -> None:
    """Say what is wrong with the server or the bots of this machine; exits with 1 if something is."""
    from empedocles.cli import admin

    if wrong := admin.server_problem(url) if url else admin.local_problem(database):
        console.print(escape(wrong), soft_wrap=True)
        raise typer.Exit(1)
    console.print("ok")


@app.command()
def agents() -> None:
    """List the agents that can take a seat: every game's opponents, and some that play any game."""
    from empedocles.agents import all_agents, ladder
    from empedocles.games import all_games

    for game in all_games().values():
        names = [opponent.name.lower() for opponent in game.opponents]
        console.print(f"[bold]{game.title}[/], from gentle to strong: {', '.join(names) or 'none'}")
    rest = [name for name in all_agents() if name not in ladder() or name.startswith("level-")]
    console.print(f"[bold]Any game[/]: {', '.join(rest)}")
    console.print("Also net:FOLDER and onnx:FILE, trained networks, and MODULE:CLASS, a class", soft_wrap=True)


@app.command()
def analyse(
    record: Annotated[Path, typer.Argument(help="A record (.emp); its last match is analysed.")],
    agent: Annotated[str, typer.Option(help="Who analyses.")] = "search",
    seconds: Annotated[float | None, typer.Option(help="How long to look at a position.", show_default="0.5")] = None,
    simulations: Annotated[int | None, typer.Option(help="How many simulations, for repeatable figures.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Also write the annotated record here.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also say why mistakes are mistakes.")] = False,
    language: Language = "en",
) -> None:
    """Annotate a match: the value of each move, the best alternative, marks for mistakes."""
    from empedocles import agents
    from empedocles.cli import analysis, files
    from empedocles.search.limits import Limit

    limit = Limit(0.5 if seconds is None and simulations is None else seconds, simulations)
    if output:
        files.need_folder(output)  # before thinking
    found = files.load(record)
    chosen = agents.analyst(agent, game=found.match.game)
    if not found.match.moves:
        raise BadValue(f"{record} has no moves to analyse")
    remarks = analysis.annotate(found, chosen, limit, language)
    analysis.show(found, remarks, language, explain)
    if output:
        files.save(analysis.annotated(found, remarks, language, explain), output)
        console.print(f"Written to {escape(str(output))}.")


@app.command()
def show(
    record: Annotated[Path, typer.Argument(help="A record (.emp), with one or more matches.")],
    ply: Annotated[int | None, typer.Option(help="Show the position after this many moves.")] = None,
    every: Annotated[bool, typer.Option(help="Show every position.")] = False,
    language: Language = "en",
) -> None:
    """Verify a record and show its matches."""
    from empedocles.play.records import open_records

    if every and ply is not None:
        raise BadValue("either --ply or --every, not both")
    for number, found in enumerate(open_records(record), start=1):
        console.rule(f"{number}. {found.match.game.title}")
        say(str(found))
        positions = found.match.positions()
        for position in positions if every else [found.match.at(len(positions) - 1 if ply is None else ply)]:
            say(f"{position.board(language)}\n")
            if position.is_over:
                ending = [position.ending.message.say(language)] if position.ending else []
                say(" ".join([f"{position.outcome.say(language)}.", *ending]))


@app.command()
def verify(
    record: Annotated[Path, typer.Argument(help="A record (.emp) that a table's page or the server has written.")],
    commitment: Annotated[str, typer.Option(help="The digest of the secret that you saw before the match.")] = "",
) -> None:
    """Check that the chance of finished matches was fair, without the server; exits with 1 if it was not."""
    from empedocles.cli import chance

    if not chance.check(record, commitment):
        raise typer.Exit(1)


@app.command("print")
def print_(
    game: GameName,
    options: OptionWords = None,
    paper: Annotated[str, typer.Option(help="Size of the paper: a4 or letter.")] = "a4",
    language: Language = "en",
    theme: Annotated[
        str, typer.Option(help="In greys, in colour, in strong contrast: print, light, contrast.")
    ] = "print",
    box: Annotated[bool, typer.Option("--box", help="All pieces, for every number of players.")] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The file to write.", show_default="GAME.pdf")
    ] = None,
) -> None:
    """Make a PDF to print, cut out and play: boards, pieces and cards at true size, and the rules in short."""
    from empedocles.games import find
    from empedocles.paper import print_out

    path = output or Path(f"{game}.pdf")
    if path.suffix.lower() != ".pdf":
        raise BadValue(f"{str(path)!r} must end in .pdf")
    path.write_bytes(print_out(find(game), parse_options(options), paper, language, theme, files=True, box=box))
    console.print(f"Written to {escape(str(path))}: print it at 100 %, and check the size with the ruler on each page.")


@app.command()
def draw(
    source: Annotated[str, typer.Argument(metavar="RECORD|POSITION", help="A record (.emp), or a position's text.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="A picture (.svg, .png, .pdf) or a replay of the match (.gif, .html)."),
    ],
    ply: Annotated[
        int | None, typer.Option(help="The position after this many moves.", show_default="the last")
    ] = None,
    theme: Annotated[str, typer.Option(help="light, dark, contrast or print.")] = "light",
    overlay: Annotated[list[str] | None, typer.Option(help="Show more, such as influence; repeatable.")] = None,
    tall: Annotated[bool, typer.Option(help="A picture for a phone: panels above and below the board.")] = False,
    scale: Annotated[float, typer.Option(min=0.1, max=10, help="Pixels per unit of the drawing.")] = 1.5,
    seconds: Annotated[float, typer.Option(min=0.02, max=60, help="How long a GIF shows each position.")] = 0.8,
    language: Language = "en",
) -> None:
    """Draw a position, or a whole match as a replay."""
    from empedocles.cli import pictures

    looks = {"theme": theme, "overlays": overlay or [], "wide": not tall, "language": language}
    pictures.run(source, output, ply, seconds, scale, **looks)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=1, help="Length of the move sequences to count.")],
    options: OptionWords = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count for each first move.")] = False,
    moves: Annotated[str, typer.Option(help="Moves to play first, separated by blanks.")] = "",
) -> None:
    """Count the move sequences of a length, chance moves included."""
    from empedocles.engine import perft as engine

    position = new_match(game, options, chance="manual").play(*moves.split()).position
    engine.perft(position, 1)  # compile before time is measured
    start = time.perf_counter()
    if divide:
        counts = engine.divide(position, depth)
        for move, count in counts.items():
            console.print(f"{escape(move)}: {count}")
        total = sum(counts.values())
    else:
        total = engine.perft(position, depth)
    seconds = time.perf_counter() - start
    console.print(f"[bold]{total}[/] sequences of {depth} in {seconds:.3f} s")


@app.command()
def solve(
    game: GameName,
    options: OptionWords = None,
    deal: Annotated[str, typer.Option(help="The first chance moves, separated by blanks, such as 'Pw Ke Ma …'.")] = "",
    moves: Annotated[str, typer.Option(help="Moves to play first, separated by blanks.")] = "",
    seed: Annotated[int | None, typer.Option(help="Draw the chance moves from this seed instead.")] = None,
) -> None:
    """Print the exact value of a position, its best moves and a line of best play."""
    from empedocles.search import exact

    if deal and seed is not None:
        raise BadValue("either --deal or --seed, not both")
    chance = "manual" if deal else "auto"
    drawn = [card if card.startswith("+") else f"+{card}" for card in deal.split()]
    position = new_match(game, options, seed=seed, chance=chance).play(*drawn, *moves.split()).position
    solution = exact.solve(position)
    console.print(f"{escape(str(position))}\n")
    outcome = {1: "win", 0: "draw", -1: "loss"}[solution.value]
    player = position.game.seat_name(position.seats, position.to_move or 0).say()
    console.print(f"Under best play: a [bold]{outcome}[/] for {player}, lead {solution.points:+d}")
    for name, number in solution.facts.items():
        console.print(f"{name}: {number:+d}")
    if solution.known:
        console.print(solution.known.say())
    console.print(f"best moves: [bold]{escape(' '.join(solution.best))}[/]")
    others = [f"{move} {points:+d}" for move, points in solution.moves.items() if points != solution.points]
    console.print(f"other moves: {escape(', '.join(others) or 'none')}")
    console.print(f"best line: {escape(' '.join(solution.line))}")


@app.command()
def arena(
    game: GameName,
    words: Annotated[
        list[str], typer.Argument(metavar="AGENT AGENT... [OPTION=VALUE]...", help="Agents, and options of the game.")
    ],
    games: Annotated[int, typer.Option(help="Games for each pair of agents: an even number.")] = 100,
    seconds: Annotated[float | None, typer.Option(help="How long an agent may think about a move.")] = None,
    simulations: Annotated[
        int | None, typer.Option(help="How many simulations instead, for repeatable results.", show_default="1000")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all chance, the agents' included.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Games at the same time.", show_default="one per core")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(help="Where games are kept; goes on with a file.", show_default="arena-GAME.jsonl")
    ] = None,
    cluster: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster: auto, local, ray://HOST:10001.")
    ] = "",
) -> None:
    """Let agents play each other, and rate them. The same command goes on with what was interrupted."""
    from empedocles.cli import arena as contests
    from empedocles.games import find
    from empedocles.play.arena import Contest
    from empedocles.search.limits import Limit

    if seconds is not None and simulations is not None:
        raise BadValue("either --seconds or --simulations, not both")
    found = find(game)
    options = found.complete(parse_options([word for word in words if "=" in word]), files=True)
    limit = Limit(seconds, 1000 if seconds is None and simulations is None else simulations)
    contest = Contest(game, options, tuple(word for word in words if "=" not in word), limit, seed)
    contests.run(contest, games, jobs, results or Path(f"arena-{game}.jsonl"), cluster)


@app.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games.")] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long to measure each game.")] = 3.0,
    startup: Annotated[bool, typer.Option(help="Also measure start-up and compile times, in new processes.")] = True,
) -> None:
    """Measure random playouts per second, beside OpenSpiel if it is installed."""
    from empedocles.cli import bench as benchmarks

    benchmarks.run(games or [], seconds, startup)


@app.command()
def warm() -> None:
    """Compile the rules and the opponents of all games now, so that no match waits later."""
    from empedocles.cli.warmup import compile_all
    from empedocles.games import all_games

    compile_all(all_games().values())
