"""A bot that plays through a server's HTTP API, using only Python's standard library.

    python examples/bot.py http://127.0.0.1:8000 ignite-and-flow

It opens a table against the weakest opponent, plays random moves, and says who won. Put your own strategy into
`choose`. A request may be sent twice: `number` says which entry of the table's log it wants to become, so a repeated
request changes nothing, and one that comes too late is refused.
"""

import json
import random
import sys
import time
import urllib.request
from typing import Any


class Server:
    def __init__(self, address: str, name: str) -> None:
        self.address, self.token = address, ""
        self.token = self.ask("POST", "players", {"name": name})["token"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"content-type": "application/json", "authorization": f"Bearer {self.token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


def choose(state: Any) -> str:
    """`state` has the position as text, all moves so far, whose turn it is, and the legal moves."""
    return str(random.choice(state["legal"]))


def play(address: str, game: str) -> Any:
    server = Server(address, "Example bot")
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "level-1"}]
    match = server.ask("POST", "matches", {"game": game, "seats": seats})["id"]
    while (state := server.ask("GET", f"matches/{match}"))["status"] != "over":
        if state["your_turn"]:
            server.ask("POST", f"matches/{match}/moves", {"number": state["number"], "move": choose(state)})
        else:
            time.sleep(0.2)
    return state


if __name__ == "__main__":
    end = play(*sys.argv[1:])
    print(f"{len(end['moves'])} moves, scores {end['scores']}, won by {end['winners']}")
