"""A terminal for tests: keys go in, and what a person would see comes out."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from empedocles.cli.screen.application import Screen
from empedocles.cli.table import Table

KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D"}
KEYS |= {"enter": "\r", "tab": "\t", "back": "\x7f", "escape": "\x1b", "ctrl-c": "\x03", "end": "\x1b[F"}
PATIENCE = 120.0  # seconds: a search may have to be compiled first

Script = Callable[["Terminal"], Awaitable[None]]


class Terminal(io.StringIO):
    """What is written to it is shown on an emulated screen."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        super().__init__()
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self.keys: PipeInput
        self.app: Screen

    def write(self, text: str) -> int:
        self._stream.feed(text)
        return len(text)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def colours(self, character: str) -> set[tuple[str, str]]:
        """Ground and ink of a character, wherever it is."""
        cells = (self.screen.buffer[row][column] for row in range(self.screen.lines) for column in range(80))
        return {(cell.bg, cell.fg) for cell in cells if cell.data == character}

    async def press(self, *keys: str) -> None:
        """Press keys by name, or type a text, one after the other; then look."""
        for key in keys:
            self.keys.send_text(KEYS.get(key, key))
            await self._settle()

    async def type(self, line: str) -> None:
        await self.press("/", line, "enter")

    async def _settle(self) -> None:
        await asyncio.sleep(0.08)  # longer than an escape character takes to be a key
        drawn = -1
        while self.app.application.is_running and drawn != self.app.application.render_counter:
            drawn = self.app.application.render_counter
            await asyncio.sleep(0.01)

    async def see(self, *words: str) -> None:
        """Wait until all words are on the screen."""
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        while not all(word in self.text for word in words):
            assert loop.time() < end, f"{words} not seen in\n{self.text}"
            await asyncio.sleep(0.02)


def sit(table: Table, script: Script, columns: int = 80, rows: int = 24, theme: str = "dark") -> Terminal:
    """Let a script play at a table; it quits if the script does not."""
    terminal = Terminal(columns, rows)

    async def run(keys: PipeInput) -> None:
        output = Vt100_Output(terminal, lambda: Size(rows, columns), term="xterm", enable_cpr=False)
        terminal.keys, terminal.app = keys, Screen(table, theme, keys=keys, output=output)
        application = terminal.app.application
        task = asyncio.create_task(application.run_async(pre_run=terminal.app.controls.start))
        try:
            await terminal._settle()
            await script(terminal)
        finally:
            if application.is_running:
                application.exit()
            await task

    with create_pipe_input() as keys:
        asyncio.run(run(keys))
    return terminal
