"""One attacker against everybody else: what honest visitors notice, and what the server uses.

    python benchmarks/attacks.py [--only NAME ...] [--seconds 30] [--database postgresql] [--list]

Starts a real server for each attack, with default limits and 1,024 files, and lets people use it: two who play each
other over WebSockets at a steady rate, and one who plays against a bot, asks for hints, pictures and reviews, and opens
the front page over new connections. Then an attacker of `attackers.py`, with half a core and an address of its own,
does its worst. The delay of a move counts from sending it to the opponent's client receiving it. At the end, every
acknowledged move and every list of moves sent to a client is compared with the log in the database.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from attackers import PROGRAMS
from measures import Memory, default_limits, few_files, load_average, logs, part
from server import postgresql
from server.processes import Server, ended
from visitors import LOST, Guest, Ledger, Pair, Visitor

from empedocles.play.match import Match, new
from empedocles.server.workers.jobs import MOST_READ

NOTHING = "nothing"  # no attack, for comparison
RATE = 5.0  # moves per second of the pair
LONGEST_MOVE, MOST_MEMORY = 0.150, 1000.0  # nobody is harmed within these seconds for 99 % of moves, and MB
SOON = {"hint": 5.0, "picture": 5.0, "front page": 1.0, "bot": 5.0, "review": 30.0}  # seconds for most answers
WARM = 60.0  # seconds at most for the first hint, picture and review
QUIET = 190  # moves without a capture; 200 end a match of Points of Power
SPARE = 100  # moves left before that, so that play can go on for a while
AWAY = 3.0  # seconds until somebody who lost the connection is back
ABANDONED = "10"  # seconds instead of two minutes, to save waiting


@dataclass
class Figures:
    """The figures of one attack."""

    name: str
    delays: list[float] = field(default_factory=list)
    expected: float = 0.0  # moves
    answers: dict[str, list[tuple[int, float]]] = field(default_factory=dict)  # to the guest: status and seconds
    attacker: dict[str, Any] = field(default_factory=dict)
    rss: float = 0.0
    pss: float = 0.0
    lost: list[str] = field(default_factory=list)
    more: list[str] = field(default_factory=list)  # harm specific to this attack
    load: str = ""

    @property
    def harm(self) -> list[str]:
        found = self.more.copy()
        if not self.delays or part(self.delays, 0.99) > LONGEST_MOVE:
            found.append("moves")
        if len(self.delays) < 0.8 * self.expected:
            found.append(f"{len(self.delays)} of {self.expected:.0f} moves")
        found += [what for what, soon in SOON.items() if _is_harmed(self.answers.get(what, []), soon)]
        if max(self.rss, self.pss) > MOST_MEMORY:
            found.append("memory")
        return found + (["LOST"] if self.lost else [])


def _is_harmed(answers: list[tuple[int, float]], soon: float) -> bool:
    """Whether more than one in ten was refused or late."""
    wrong = sum(not 200 <= status < 300 or seconds > soon for status, seconds in answers)
    return wrong > 0.1 * len(answers)


# ── A match as long as can be ────────────────────────────────────────────────────────────────────────────────────────


def long_match(plies: int = MOST_READ.plies, seed: int = 1) -> Match:
    """An unfinished match of Points of Power with as few captures as the rules allow."""
    match, luck, quiet = new("points-of-power"), random.Random(seed), 0
    while len(match.moves) < plies:
        moves = match.legal_moves
        luck.shuffle(moves)
        moves.sort(key=lambda move: ("x" in move) != (quiet >= QUIET))
        move = next((move for move in moves if not match.position.play(move).is_over), None)
        if move is None:
            break
        quiet = 0 if "x" in move else quiet + 1
        match.play(move)
    return match.until(max(0, len(match.moves) - SPARE))


def plain_record(match: Match) -> str:
    """The record without numbers and checksum, so that many moves fit in few bytes."""
    return f'[Game "{match.game.name}"]\n\n{" ".join(match.moves)}\nend\n'


# ── One attack ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Scene:
    """A server with its honest visitors, and the attacker as a process."""

    def __init__(self, server: Server, record: Path, seconds: float) -> None:
        self.server, self.record, self.seconds = server, record, seconds
        self.ledger, self.stop = Ledger(), asyncio.Event()
        self.pair = Pair((self.visitor("127.0.0.3"), self.visitor("127.0.0.4")), self.ledger)
        self.guest = Guest(self.visitor("127.0.0.5"))
        self.said: dict[str, Any] = {}  # facts from the attacker
        self.news = asyncio.Event()

    def visitor(self, address: str) -> Visitor:
        return Visitor(self.server.port, address)

    @contextlib.asynccontextmanager
    async def people(self) -> AsyncIterator[None]:
        await self.guest.settle_in()
        tasks = [asyncio.create_task(self.pair.play(RATE, self.stop)), asyncio.create_task(self.guest.stay(self.stop))]
        try:
            yield
        finally:
            self.stop.set()
            await asyncio.wait(tasks, timeout=90.0)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def attack(self, name: str, address: str = "127.0.0.2") -> None:
        if name == NOTHING:
            await asyncio.sleep(self.seconds)
            return
        program = str(Path(__file__).with_name("attackers.py"))
        told = (name, str(self.server.port), address, str(self.seconds), str(self.record))
        process = await asyncio.create_subprocess_exec(
            sys.executable, program, *told, stdout=asyncio.subprocess.PIPE, limit=2**20
        )
        assert process.stdout
        try:
            async for line in process.stdout:
                self.said |= json.loads(line)
                self.news.set()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def warm(self) -> None:
        """Wait until each process of the server has done its first work, which may include compiling."""
        end = time.monotonic() + min(WARM, 2 * self.seconds)
        while time.monotonic() < end and not all(self.guest.answers.get(what) for what in SOON):
            await asyncio.sleep(0.1)

    async def hears(self, fact: str) -> Any:
        """Wait for a fact from the attacker."""
        while fact not in self.said:
            self.news.clear()
            await self.news.wait()
        return self.said[fact]


async def measure(name: str, server: Server, record: Path, seconds: float) -> tuple[Figures, Ledger]:
    scene, memory, figures = Scene(server, record, seconds), Memory(server), Figures(name)
    watching = asyncio.create_task(memory.watch())
    try:
        async with scene.people():
            await scene.warm()
            scene.pair.delays.clear()
            scene.guest.answers.clear()
            start = time.monotonic()
            harmed = asyncio.create_task(HARMED.get(name, _nobody)(scene))
            await scene.attack(name)
            figures.expected = RATE * (time.monotonic() - start)
            figures.load = load_average()
            with contextlib.suppress(TimeoutError):
                figures.more = await asyncio.wait_for(harmed, 30.0)
    finally:
        watching.cancel()
    figures.delays, figures.attacker = scene.pair.delays, scene.said
    figures.answers = {
        what: [(answer.status, answer.seconds) for answer in answers] for what, answers in scene.guest.answers.items()
    }
    figures.rss, figures.pss = memory.peak("rss"), memory.peak("pss")
    return figures, scene.ledger


async def _nobody(_scene: Scene) -> list[str]:
    return []


async def _locked_out(scene: Scene) -> list[str]:
    """The attacker's opponent: sits down, loses the connection when the table is full, and wants to come back."""
    victim = await scene.visitor("127.0.0.6").become("Cy")
    match = await scene.hears("table")
    end = time.monotonic() + scene.seconds - AWAY  # before the attacker leaves by itself
    await victim.ask("POST", f"matches/{match}/join", {})
    back, tries = 0, 0
    with contextlib.suppress(*LOST):
        async with victim.live(match) as socket:
            await socket.send('{"kind": "hello"}')
            await scene.hears("full")
    await asyncio.sleep(AWAY)
    while time.monotonic() < end:
        tries += 1
        with contextlib.suppress(*LOST):
            async with victim.live(match) as socket:
                await socket.send('{"kind": "hello"}')
                async with asyncio.timeout(5.0):
                    back += json.loads(await socket.recv())["kind"] == "state"
                await asyncio.sleep(1.0)
        await asyncio.sleep(0.5)
    await scene.hears("cpu")
    found = [] if back else [f"locked out ({tries} tries)"]
    return found + (["won by claim"] if scene.said.get("claimed") else [])


async def _hidden(scene: Scene) -> list[str]:
    """Whether somebody who comes later finds the guest's open table, in the lobby and on the front page."""
    await scene.hears("cpu")
    lobby = await scene.visitor("127.0.0.6").ask("GET", "matches?status=waiting&limit=100")
    front = await scene.visitor("127.0.0.6").ask("GET", "/")
    listed = lobby.ok and scene.guest.table in [table["id"] for table in lobby.content]
    shown = front.ok and scene.guest.table in front.content
    return ([] if listed else ["not in the lobby"]) + ([] if shown else ["not on the front page"])


HARMED: dict[str, Callable[[Scene], Coroutine[Any, Any, list[str]]]] = {
    "spectators": _locked_out,
    "tables": _hidden,
    "rematches": _hidden,
}

# ── All of them ──────────────────────────────────────────────────────────────────────────────────────────────────────


def run(names: list[str], folder: Path, database: str, record: Path, seconds: float) -> Iterator[Figures]:
    """Attack a server, with one attacker after another."""
    with few_files():
        server = Server(folder, database, **default_limits(EMPEDOCLES_ABANDONED=ABANDONED))
    with ended(server):
        server.wait()
        for name in names:
            figures, ledger = asyncio.run(measure(name, server, record, seconds))
            figures.lost = ledger.compare(logs(database))
            if server.process.poll() is not None:
                figures.more.append(f"the server died with {server.process.returncode}")
            yield figures


@contextlib.contextmanager
def databases(kind: str, folder: Path) -> Iterator[Callable[[str], str]]:
    """A function that creates a database by name."""
    if kind == "sqlite":
        yield lambda name: str(folder / f"{name}.db")
    else:
        with postgresql.running() as server:
            yield server.create


HEADLINE = (
    "| attack | moves: median / 99 % / slowest | hints | pictures | front page | bots | reviews "
    "| RSS / PSS | attacker's core | it was answered | lost | harm |"
)


def line(figures: Figures) -> str:
    """A row of the table; for the guest's requests, how many were granted and the slowest."""
    delays = figures.delays
    moves = f"{len(delays)}: " + " / ".join(_time(part(delays, share)) for share in (0.5, 0.99, 1.0))
    asked = [_granted(figures.answers.get(what, [])) for what in ("hint", "picture", "front page", "bot", "review")]
    answers: dict[str, int] = figures.attacker.get("answers", {})
    told = ", ".join(f"{count} × {answer}" for answer, count in Counter(answers).most_common(5))
    memory = f"{figures.rss:.0f} / {figures.pss:.0f} MB"
    core = f"{figures.attacker.get('cpu', 0):.0%}"
    cells = [figures.name, moves, *asked, memory, core, told, str(len(figures.lost)), ", ".join(figures.harm) or "none"]
    return f"| {' | '.join(cells)} |"


BRIEFLY = "| attack | moves made; 99 % within / slowest | RSS / PSS, MB | what others lost |\n|---|---|---|---|"


def brief(figures: Figures) -> str:
    """A row for benchmarks/README.md."""
    delays, lost = figures.delays, figures.more + [f"{len(figures.lost)} moves"] * bool(figures.lost)
    moves = f"{len(delays)}; {_time(part(delays, 0.99))} / {_time(part(delays, 1.0))}"
    for what, soon in SOON.items():
        answers = figures.answers.get(what, [])
        if _is_harmed(answers, soon):
            granted = [seconds for status, seconds in answers if 200 <= status < 300]
            refused = ", ".join({str(status or "no answer") for status, _ in answers if not 200 <= status < 300})
            few = f"{len(granted)} of {len(answers)} ({refused})"
            lost.append(f"{what}: {few if refused else f'up to {_time(max(granted))}'}")
    cells = [f"`{figures.name}`", moves, f"{figures.rss:.0f} / {figures.pss:.0f}", ", ".join(lost) or "nothing"]
    return f"| {' | '.join(cells)} |"


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _granted(answers: list[tuple[int, float]]) -> str:
    granted = [seconds for status, seconds in answers if 200 <= status < 300]
    refused = Counter(status for status, _ in answers if not 200 <= status < 300)
    text = f"{len(granted)} of {len(answers)}"
    if granted:
        text += f", {_time(part(granted, 0.5))} / {_time(max(granted))}"
    return text + "".join(f", {status or 'no answer'}" for status in refused)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="sqlite", choices=("sqlite", "postgresql"))
    parser.add_argument("--only", nargs="+", choices=[NOTHING, *PROGRAMS], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each attack")
    parser.add_argument("--shared", action="store_true", help="one server for all: quicker, but it remembers")
    parser.add_argument("--list", action="store_true", help="say which attacks there are")
    asked = parser.parse_args()
    if asked.list:
        for name, program in PROGRAMS.items():
            print(f"{name:>12}  {program.__doc__}")
        return 0
    measured: list[Figures] = []
    with tempfile.TemporaryDirectory() as given, databases(asked.database, Path(given)) as database:
        record = Path(given) / "long.emp"
        record.write_text(plain_record(long_match()), encoding="utf-8")
        print(f"{HEADLINE}\n|{'---|' * (HEADLINE.count('|') - 1)}", flush=True)
        names = asked.only or [NOTHING, *PROGRAMS]
        for some in [names] if asked.shared else [[name] for name in names]:
            for figures in run(some, Path(given), database(some[0]), record, asked.seconds):
                measured.append(figures)
                say(figures)
    print("", BRIEFLY, *map(brief, measured), sep="\n")
    return 1 if any(figures.lost for figures in measured) else 0


def say(figures: Figures) -> None:
    """Print the row, and details beside it."""
    print(line(figures), flush=True)
    said = {key: value for key, value in figures.attacker.items() if key not in ("answers", "cpu")}
    print(f"{figures.name}: load {figures.load}, {said}", *figures.lost[:5], sep="\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
