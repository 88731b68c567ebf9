"""A long run of mixed play with everything that can go wrong: kills, floods, and nonsensical requests.

    python benchmarks/soak.py [--minutes 30] [--database postgresql] [--people 12]

Honest people, each from an address of their own, play each other and bots over WebSockets and HTTP: all four games,
with draws, take-backs, rematches, hints, imports and reviews. Meanwhile the server is killed and started again,
PostgreSQL too now and then, attackers of `attackers.py` come and go, and others send mutated requests and messages. At
the end, every acknowledged move and every list of moves sent to a client is compared with the log in the
database. Exits with 1 if anything was lost, doubled or reordered.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from attackers import PROGRAMS
from attacks import long_match, plain_record
from measures import Memory, Sample, default_limits, few_files, load_average, logs, part
from server import postgresql
from server.postgresql import PostgreSQL
from server.processes import Server, ended
from visitors import GAMES, LOST, Answer, Json, Ledger, Logged, Pair, Visitor

from empedocles.play.match import new

RATE = 2.0  # moves per second of a pair
BETWEEN_KILLS = (60.0, 90.0)  # seconds; fewer in a short run
MOST_ASKED = 150  # matches at the end: as many as one address may request at once
FLOOD, BETWEEN_FLOODS = 10.0, 30.0  # seconds
EVERY_DATABASE = 3  # every third kill includes PostgreSQL
LONG = 2000  # plies of attackers' records, few enough to be made quickly
ODD: tuple[Any, ...] = (None, True, -1, 2**63, 1e308, "", "\x00", "\ud800", "ä" * 50, "x" * 5000, [], {}, [[[[]]]])
_ID = re.compile(r"(?<=/)[A-Za-z0-9_-]{12}(?![a-z])|\?.*")  # what differs in paths
WARM_UP = 30.0  # seconds before a server's memory is checked for growth, while its processes start


@dataclass
class Generation:
    """One server process from start to end."""

    memory: Memory
    start: float

    def thirds(self) -> tuple[float, float] | None:
        """Median MB in the first and in the last third of its life; None if that was short."""
        samples = [sample.pss for sample in self.memory.samples if sample.at > self.start + WARM_UP]
        if len(samples) < 9:
            return None
        size = len(samples) // 3
        return statistics.median(samples[:size]) / 1e6, statistics.median(samples[-size:]) / 1e6


@dataclass
class Tally:
    """Counts of what happened."""

    kills: int = 0
    database_kills: int = 0
    deaths: int = 0  # of the server, without being killed
    floods: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)  # to honest people: kinds of requests and their answers
    fuzz: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)  # of this program
    slow: list[float] = field(default_factory=list)  # delays of moves between people


class Soak:
    def __init__(self, server: Server, database: PostgreSQL | None, seconds: float, people: int) -> None:
        self.server, self.database, self.seconds, self.people = server, database, seconds, people
        self.stop, self.ledger, self.tally = asyncio.Event(), Ledger(), Tally()
        self.generations: list[Generation] = []
        self.pairs: list[Pair] = []
        self.random = random.Random(13)
        self.record = Path()
        self._addresses = iter(range(1, 60_000))

    def visitor(self, patience: float = 20.0) -> Visitor:
        number = next(self._addresses)
        return Visitor(self.server.port, f"127.1.{number // 250}.{number % 250 + 1}", patience)

    async def run(self) -> None:
        beside = [self._kill, self._flood]
        kinds: list[Callable[[], Awaitable[None]]] = [self._pair, self._alone, self._review, self._fuzz]
        everybody = [*beside, *(kinds[number % len(kinds)] for number in range(self.people))]
        tasks = [asyncio.create_task(self._guarded(one)) for one in everybody]
        watching = asyncio.create_task(self._watch())
        await asyncio.sleep(self.seconds)
        self.stop.set()
        await asyncio.wait(tasks, timeout=120.0)
        for task in (*tasks, watching):
            task.cancel()
        await asyncio.gather(*tasks, watching, return_exceptions=True)
        self.tally.slow = [delay for pair in self.pairs for delay in pair.delays]

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Note this program's own failures, which must not look like success."""
        try:
            await work()
        except Exception as error:
            self.tally.failures.append(f"{work.__name__}: {error!r}")

    async def pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.stop.wait(), seconds)

    # ── What goes wrong ──

    async def _watch(self) -> None:
        self._new_generation()
        while True:
            await asyncio.to_thread(self.generations[-1].memory.look)
            await asyncio.sleep(1.0)

    def _new_generation(self) -> None:
        self.generations.append(Generation(Memory(self.server), time.monotonic()))

    async def _kill(self) -> None:
        low, high = (min(bound, self.seconds / 2) for bound in BETWEEN_KILLS)
        while not self.stop.is_set():
            until = time.monotonic() + self.random.uniform(low, high)
            while time.monotonic() < until and self.server.process.poll() is None and not self.stop.is_set():
                await self.pause(0.5)
            if self.stop.is_set():
                return
            if self.server.process.poll() is not None:
                self.tally.deaths += 1
            else:
                self.tally.kills += 1
                self.server.kill()
            if self.database and self.tally.kills % EVERY_DATABASE == 1:
                self.tally.database_kills += 1
                await asyncio.to_thread(self.database.kill)
                await asyncio.to_thread(self.database.start)
            with few_files():
                self.server.start()
            self._new_generation()

    async def _flood(self) -> None:
        program, names = str(Path(__file__).with_name("attackers.py")), sorted(PROGRAMS)
        while not self.stop.is_set():
            await self.pause(min(BETWEEN_FLOODS, self.seconds / 4))
            if self.stop.is_set():
                return
            name, seconds = self.random.choice(names), min(FLOOD, self.seconds / 4)
            self.tally.floods[name] += 1
            address = f"127.2.0.{self.random.randrange(1, 250)}"
            told = (name, str(self.server.port), address, str(seconds), str(self.record))
            process = await asyncio.create_subprocess_exec(
                sys.executable, program, *told, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
            )
            try:
                await asyncio.wait_for(process.wait(), seconds + 20.0)
            except TimeoutError:
                process.kill()
                await process.wait()

    # ── People who play each other ──

    async def _pair(self) -> None:
        pair = Pair((self.visitor(), self.visitor()), self.ledger, GAMES, again=0.5)
        pair.talk = self._talk
        self.pairs.append(pair)
        await pair.play(RATE, self.stop)

    def _talk(self, _seat: int, state: Json) -> Json | None:
        """Now and then, offer a draw or a take-back, and answer offers."""
        what, offers = None, state["offers"]
        for offer, seat in offers.items():
            if seat not in state["mine"] and self.random.random() < 0.5:
                what = self.random.choice([{"command": offer}, {"command": "decline", "text": offer}])
        if not offers and state["your_turn"] and self.random.random() < 0.03:
            what = {"command": self.random.choice(("back", "back", "draw", "resign"))}
        return {"kind": "command", "number": state["number"], **what} if what else None

    # ── People who play alone ──

    async def _alone(self) -> None:
        person, match = await self.visitor().become("Di"), ""
        while not self.stop.is_set():
            match = await self._new_match(person, match)
            await self._play(person, match)

    async def ask(self, person: Visitor, method: str, path: str, body: Any = None) -> Answer:
        """Repeat a request until it is granted or refused."""
        while True:
            answer = await person.ask(method, path, body)
            self.tally.answers[f"{_ID.sub('', path)} {_said(answer)}"] += 1
            if 0 < answer.status < 500 and answer.status != 429:
                if isinstance(answer.content, dict) and {"id", "number", "moves"} <= answer.content.keys():
                    self.ledger.hear(answer.content["id"], answer.content["number"], answer.content["moves"])
                return answer
            if self.stop.is_set():
                return answer
            await asyncio.sleep(max(0.1, answer.wait))

    async def _new_match(self, person: Visitor, last: str) -> str:
        if last and self.random.random() < 0.3:
            again = await self.ask(person, "POST", f"matches/{last}/rematch")
            if again.ok:
                return str(again.content["id"])
        game, level = self.random.choice(GAMES), f"level-{self.random.randint(1, 3)}"
        options, seats = {}, 2
        if game in ("fire-and-water", "points-of-power") and self.random.random() < 0.5:
            options, seats = {"players": 4}, 4
        others = [self.random.choice(({"kind": "here"}, {"kind": "bot", "agent": level})) for _ in range(seats - 1)]
        wanted = {"game": game, "options": options, "seats": [{"kind": "me"}, *others]}
        made = await self.ask(person, "POST", "matches", wanted)
        return str(made.content["id"]) if made.ok else ""

    async def _play(self, person: Visitor, match: str) -> None:
        while match and not self.stop.is_set():
            state = await self.ask(person, "GET", f"matches/{match}")
            if not state.ok or state.content["status"] == "over":
                return
            if not state.content["your_turn"]:
                await asyncio.sleep(0.2)
                continue
            await self._decide(person, match, state.content)
            await asyncio.sleep(0.1)

    async def _decide(self, person: Visitor, match: str, state: Json) -> None:
        number, luck = state["number"], self.random.random()
        if luck < 0.05:
            await self.ask(person, "POST", f"matches/{match}/commands", {"number": number, "kind": "back"})
        elif luck < 0.06:
            await self.ask(person, "POST", f"matches/{match}/commands", {"number": number, "kind": "resign"})
        elif luck < 0.08:
            await self.ask(person, "POST", f"matches/{match}/hint", {})
        else:
            wanted = {"number": number, "move": self.random.choice(state["legal"])}
            played = await self.ask(person, "POST", f"matches/{match}/moves", wanted)
            if played.ok:
                self.ledger.acknowledge(match, number, wanted["move"])
            elif not self.stop.is_set():
                self.tally.failures.append(f"a move was refused: {played.status} {played.content}")

    # ── People who look at matches again ──

    async def _review(self) -> None:
        person = await self.visitor().become("Ed")
        while not self.stop.is_set():
            record = plain_record(_random_match(self.random.choice(GAMES), self.random))
            made = await self.ask(person, "POST", "imports", {"record": record})
            if made.ok:
                await self._study(person, made.content["id"], len(made.content["moves"]))
            await self.pause(1.0)

    async def _study(self, person: Visitor, match: str, plies: int) -> None:
        ply = self.random.randrange(plies + 1)
        wanted: list[tuple[str, str, Any]] = [
            ("GET", f"matches/{match}/frames?start={ply}", None),
            ("GET", f"matches/{match}/picture.svg?ply={ply}", None),
            ("GET", f"matches/{match}/picture.png?ply={ply}", None),
            ("GET", f"matches/{match}/record", None),
            ("GET", f"matches/{match}/draws", None),
            ("GET", f"/review/{match}", None),
            ("POST", "positions", {"match": match, "ply": ply}),
            ("POST", "evaluations", {"match": match, "ply": ply}),
            ("POST", "analyses", {"match": match}),
            ("GET", f"matches/{match}/replay.html", None),
            ("GET", "/", None),
            ("GET", "matches?status=playing", None),
        ]
        for method, path, body in self.random.sample(wanted, 6):
            if not self.stop.is_set():
                await self.ask(person, method, path, body)
        if self.random.random() < 0.2:
            await self._play(person, match)

    # ── Requests that make no sense ──

    async def _fuzz(self) -> None:
        person = await self.visitor().become("Fi")
        while not self.stop.is_set():
            match = await self._new_match(person, "")
            if match:
                await asyncio.gather(self._fuzz_requests(person, match), self._fuzz_messages(person, match))
            await self.pause(1.0)

    async def _fuzz_requests(self, person: Visitor, match: str) -> None:
        for _ in range(40):
            if self.stop.is_set():
                return
            method, path, body = self.random.choice(_requests(match, self.random))
            answer = await self._sent_oddly(person, method, path, mutated(body, self.random))
            self.tally.fuzz[f"HTTP {answer.status or 'no answer'}"] += 1
            await asyncio.sleep(max(0.05, answer.wait))

    async def _sent_oddly(self, person: Visitor, method: str, path: str, body: Any) -> Answer:
        try:
            return await person.ask(method, path, body)
        except (ValueError, UnicodeError):  # not sendable: half a character, or an infinite number
            return await person.ask(method, path, {})

    async def _fuzz_messages(self, person: Visitor, match: str) -> None:
        with contextlib.suppress(*LOST):
            async with person.live(match) as socket:
                for _ in range(40):
                    said = json.dumps(mutated(self.random.choice(_messages(self.random)), self.random))
                    cut = said if self.random.random() < 0.8 else said[: self.random.randrange(len(said) + 1)]
                    await socket.send(cut.encode() if self.random.random() < 0.1 else cut)
                    await asyncio.sleep(0.06)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.01):
                            heard = json.loads(await socket.recv())
                            self.tally.fuzz[f"WebSocket {heard.get('code') or heard['kind']}"] += 1


def _said(answer: Answer) -> str:
    if isinstance(answer.content, dict) and "code" in answer.content and not answer.ok:
        return f"{answer.status} {answer.content['code']}: {answer.content.get('message', '')[:60]}"
    return str(answer.status or "no answer")


def _random_match(game: str, luck: random.Random) -> Any:
    match = new(game, seed=luck.randrange(2**32))
    for _ in range(luck.randrange(5, 60)):
        if match.is_over:
            break
        match.play(luck.choice(match.legal_moves))
    return match


def _requests(match: str, luck: random.Random) -> list[tuple[str, str, Any]]:
    number = luck.randrange(5)
    return [
        ("POST", "players", {"name": "Fi"}),
        ("POST", "matches", {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {}}),
        ("POST", f"matches/{match}/moves", {"number": number, "move": "Fc3"}),
        ("POST", f"matches/{match}/commands", {"number": number, "kind": "back", "text": ""}),
        ("POST", f"matches/{match}/join", {"seat": 1, "invite": "x"}),
        ("POST", f"matches/{match}/rematch", {}),
        ("POST", "positions", {"match": match, "ply": number, "moves": ["Fc3"], "luck": 1}),
        ("POST", "evaluations", {"position": "ignite-and-flow", "moves": []}),
        ("POST", "records", {"record": '[Game "ignite-and-flow"]\n\n1. Fc3\nend\n'}),
        ("POST", "imports", {"record": '[Game "points-of-power"]\n\nc3-d4\nend\n'}),
        ("POST", "analyses", {"match": match, "language": "de"}),
        ("GET", f"matches/{match}/picture.svg?ply={luck.choice((0, 10**5, -1, 'x'))}", None),
        ("GET", f"matches/{match}/why?target=c3&chosen=F", None),
        ("GET", f"matches/{luck.choice(('x', '..', '%00', '🔥', match * 3))}", None),
        ("DELETE", f"matches/{luck.choice(('x', match[:-1]))}", None),
    ]


def _messages(luck: random.Random) -> list[Json]:
    return [
        {"kind": "hello", "language": "en", "wide": True, "overlays": [], "picture": True},
        {"kind": "play", "number": luck.randrange(5), "move": "Fc3"},
        {"kind": "command", "number": luck.randrange(5), "command": "back", "text": ""},
        {"kind": "show", "ply": luck.choice((0, 3, 10**6))},
        {"kind": "ping"},
    ]


def mutated(value: Any, luck: random.Random) -> Any:
    """The value, sometimes with something odd in it."""
    if luck.random() < 0.15:
        return luck.choice(ODD)
    if isinstance(value, dict):
        return {name: mutated(part, luck) for name, part in value.items() if luck.random() > 0.05}
    if isinstance(value, list):
        return [mutated(part, luck) for part in value] * luck.choice((1, 1, 1, 2, 50))
    if isinstance(value, str) and value and luck.random() < 0.3:
        place = luck.randrange(len(value))
        return value[:place] + luck.choice(("", "\n", "{", '"', "é", "0")) + value[place + luck.randrange(2) :]
    return value


# ── Report ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def report(soak: Soak, wrong: list[str], said: str, begin: float) -> None:
    tally, ledger = soak.tally, soak.ledger
    print(f"load average: {load_average()}")
    print(f"killed: {tally.kills} servers, {tally.database_kills} databases; died by themselves: {tally.deaths}")
    print(f"floods: {_counted(tally.floods)}")
    print(f"fuzz: {_counted(tally.fuzz)}")
    print(f"honest requests: {_counted(tally.answers, 40)}")
    slow = " / ".join(f"{1000 * part(tally.slow, share):.0f} ms" for share in (0.5, 0.99, 1.0)) if tally.slow else "–"
    print(f"moves between people: {len(tally.slow)}, median / 99 % / slowest {slow}")
    print(f"matches of pairs: {sum(pair.matches for pair in soak.pairs)}")
    print(f"refused to pairs: {_counted(sum((pair.refused for pair in soak.pairs), Counter()))}")
    print(f"failures in the server's log: {_counted(_failures(said))}")
    _report_memory(soak, begin)
    print(f"acknowledged moves: {len(ledger.acknowledged)}, lists of moves told: {len(ledger.told)}")
    print(f"lost, doubled or reordered: {len(wrong)}", *wrong[:20], sep="\n")
    for failure in tally.failures[:20]:
        print(failure)


def _counted(counter: Counter[str], most: int = 30) -> str:
    return ", ".join(f"{name} × {count}" for name, count in counter.most_common(most)) or "none"


def _failures(said: str) -> Counter[str]:
    """The last lines of tracebacks, without the parts that always differ."""
    lines = said.splitlines()
    found = [line.split(":")[0] for line in lines if line and not line[0].isspace() and "Error" in line.split(":")[0]]
    return Counter(found)


def _peak(samples: list[Sample], what: str) -> str:
    return f"{max(getattr(sample, what) for sample in samples) / 1e6:.0f}"


def _report_memory(soak: Soak, begin: float) -> None:
    samples: list[Sample] = [sample for one in soak.generations for sample in one.memory.samples]
    if not samples:
        return
    quarters: list[list[Sample]] = [[], [], [], []]
    for sample in samples:
        quarters[min(3, int(4 * (sample.at - begin) / soak.seconds))].append(sample)
    peaks = [f"{_peak(some, 'rss')} / {_peak(some, 'pss')}" for some in quarters if some]
    print(f"peak of all processes by quarters of the run, RSS / PSS in MB: {', '.join(peaks)}")
    thirds = [found for one in soak.generations if (found := one.thirds())]
    grown = ", ".join(f"{first:.0f} → {last:.0f}" for first, last in thirds)
    print(f"median PSS of each server, first → last third of its life, in MB: {grown or 'all lived shortly'}")


@contextlib.contextmanager
def database_of(kind: str, folder: Path) -> Iterator[tuple[str, PostgreSQL | None]]:
    if kind == "sqlite":
        yield str(folder / "soak.db"), None
    else:
        with postgresql.running() as server:
            yield server.create("soak"), server


def check_told(soak: Soak, found: dict[str, list[Logged]]) -> list[str]:
    """Check that the server reports its matches as the log has them; each is replayed."""
    wrong = []
    for match in sorted({match for match, _ in soak.ledger.told})[-MOST_ASKED:]:
        state = soak.server.ask("GET", f"matches/{match}")
        if state.get("number", 0) < len(found.get(match, [])):  # bots may have moved since
            wrong.append(f"{match}: the server says {state.get('number', state)}, the log has {len(found[match])}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="sqlite", choices=("sqlite", "postgresql"))
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seconds", type=float, default=0.0, help="instead of minutes")
    parser.add_argument("--people", type=int, default=12)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as given, database_of(asked.database, Path(given)) as (address, database):
        folder = Path(given)
        with few_files():
            server = Server(folder, address, **default_limits())
        soak = Soak(server, database, asked.seconds or 60 * asked.minutes, asked.people)
        soak.record = folder / "long.emp"
        soak.record.write_text(plain_record(long_match(LONG)), encoding="utf-8")
        with ended(server):
            server.wait()
            begin = time.monotonic()
            asyncio.run(soak.run())
            server.revive()
            server.wait()
            found = logs(address)
            wrong = soak.ledger.compare(found) + check_told(soak, found)
            report(soak, wrong, server.said, begin)
    return 1 if wrong or soak.tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
