"""The screen itself: keys, the input line, pages. All that knows prompt_toolkit's application is here."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterable

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import Style

from empedocles.cli.console import console
from empedocles.cli.screen.canvas import Colours, blend
from empedocles.cli.screen.controls import COMMANDS, DIRECTIONS, Controls, free_name
from empedocles.cli.screen.display import Display
from empedocles.cli.screen.thinker import Thinker
from empedocles.cli.table import Table

PAUSE = 0.3  # seconds between the moves of quick agents, so that people see what they do
ESCAPE = 0.05  # seconds after which an escape character is the key and not the beginning of another key
BELOW = 1  # the row of the input line and the keys
TO_THE_END = 10_000  # pages


def play(table: Table, theme: str) -> None:
    screen = Screen(table, theme, pause=PAUSE)
    with contextlib.suppress(EOFError):  # the terminal is gone
        screen.application.run(pre_run=screen.controls.start)
    if table.match.moves:
        table.keep()
        console.print(table.end().say(table.language), markup=False)
    if screen.thinker.busy:
        # An agent still thinks: it would keep the process alive, or be killed in the middle of compiled code.
        sys.stdout.flush()
        os._exit(0)


class Screen:
    """One table on a terminal."""

    def __init__(
        self, table: Table, theme: str, pause: float = 0.0, keys: Input | None = None, output: Output | None = None
    ) -> None:
        self.thinker = Thinker(self._deliver, self._fail, pause)
        self.controls = Controls(table, self.thinker, self._leave)
        output = output or create_output()
        depth = _colour_depth(output)
        self.display = Display(self.controls, Colours(theme, depth))
        self.line = Buffer(completer=Completions(self.controls), multiline=False, accept_handler=self._accept)
        self.body = Window(FormattedTextControl(self._body, focusable=True, show_cursor=False), wrap_lines=False)
        self.application: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=_style(self.display.colours),
            full_screen=True,
            color_depth=depth,
            input=keys,
            output=output,
        )
        self.application.ttimeoutlen = ESCAPE
        self._rest()

    # ── Between threads ──

    def _deliver(self, call: Callable[[], None]) -> None:
        """Call something in the thread of the screen, unless the screen is gone."""
        loop = self.application.loop
        if loop is not None and not loop.is_closed():
            with contextlib.suppress(RuntimeError):  # closed in this very moment
                loop.call_soon_threadsafe(self._then, call)

    def _then(self, call: Callable[[], None]) -> None:
        if self.application.is_running:
            call()
            self.application.invalidate()

    def _fail(self, error: BaseException) -> None:
        self.application.exit(exception=error)

    def _leave(self) -> None:
        self.application.exit()

    # ── What is where ──

    def _layout(self) -> Layout:
        prompt = BeforeInput("> ", style="class:prompt")
        line = Window(BufferControl(self.line, input_processors=[prompt]), height=1, style="class:line")
        typing = ConditionalContainer(line, has_focus(self.line))
        keys = Window(
            FormattedTextControl(self._key_line), height=1, style="class:keys", dont_extend_width=has_focus(self.line)
        )
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        whole = HSplit([self.body, VSplit([typing, keys], height=BELOW)])
        return Layout(FloatContainer(whole, [menu]), focused_element=self.body)

    def _body(self) -> StyleAndTextTuples:
        size = self.application.output.get_size()
        text: StyleAndTextTuples = []
        for line in self.display.body(size.columns, max(size.rows - BELOW, 1)):
            text += [*line, ("", "\n")]
        return text[:-1]

    def _key_line(self) -> StyleAndTextTuples:
        return self.display.keys(self.application.output.get_size().columns, self._is_typing)

    # ── The input line ──

    @property
    def _is_typing(self) -> bool:
        return self.application.layout.has_focus(self.line)

    def _type(self, text: str = "") -> None:
        self.application.layout.focus(self.line)
        self.line.document = Document(text)

    def _rest(self) -> None:
        """Leave the input line, if there is a board to point at: then keys are commands."""
        self.line.reset()
        if self.controls.is_drawn:
            self.application.layout.focus(self.body)
        else:
            self.application.layout.focus(self.line)

    def _accept(self, buffer: Buffer) -> bool:
        self.controls.submit(buffer.text)
        self._rest()
        return False

    # ── Keys ──

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        reading = Condition(lambda: self.controls.page is not None)
        for calls, when in (
            (self._board_keys(), has_focus(self.body) & ~reading),
            (self._line_keys(), has_focus(self.line) & ~reading),
            (self._page_keys(), reading),
        ):
            for key, call in calls.items():
                # An escape alone is a key here, not the beginning of another one.
                keys.add(key, filter=when, eager=key == "escape")(functools.partial(_call, call))
        keys.add(Keys.Any, filter=has_focus(self.body) & ~reading)(self._type_key)
        keys.add(Keys.Any, filter=reading)(lambda _event: None)
        for key in ("c-c", "<sigint>"):
            keys.add(key, eager=True)(lambda _event: self._leave())
        return keys

    def _board_keys(self) -> dict[str, Callable[[], None]]:
        controls, display = self.controls, self.display
        return {
            **{way: functools.partial(self._move, way) for way in DIRECTIONS},
            **{key: lambda: controls.choose(controls.cursor) for key in ("enter", " ")},
            **dict.fromkeys(("backspace", "escape"), controls.back),
            **{key: functools.partial(controls.submit, word) for key, word in COMMANDS.items() if key not in "sl"},
            "tab": lambda: controls.next(1, display.rects),
            "s-tab": lambda: controls.next(-1, display.rects),
            "s": lambda: self._type(f"save {free_name(controls.table)}"),
            "l": lambda: self._type("load "),
            "/": self._type,
        }

    def _move(self, direction: str) -> None:
        self.controls.move(direction, self.display.rects)

    def _type_key(self, event: KeyPressEvent) -> None:
        """Any unbound key starts the input line."""
        if event.data.isprintable():
            self._type(event.data)

    def _line_keys(self) -> dict[str, Callable[[], None]]:
        return {"escape": self._rest, "tab": self._complete, "s-tab": self.line.complete_previous}

    def _complete(self) -> None:
        if self.line.complete_state:
            self.line.complete_next()
        else:
            self.line.start_completion(insert_common_part=True)

    def _page_keys(self) -> dict[str, Callable[[], None]]:
        display = self.display
        return {
            "up": lambda: display.scroll(-1),
            "down": lambda: display.scroll(1),
            **dict.fromkeys(("pageup", "b"), lambda: display.turn(-1)),
            **dict.fromkeys(("pagedown", " "), lambda: display.turn(1)),
            "home": lambda: display.turn(-TO_THE_END),
            "end": lambda: display.turn(TO_THE_END),
            **dict.fromkeys(("q", "escape", "enter", "backspace"), self._close),
        }

    def _close(self) -> None:
        self.controls.page = None


def _call(call: Callable[[], None], _event: KeyPressEvent) -> None:
    call()


class Completions(Completer):
    def __init__(self, controls: Controls) -> None:
        self.controls, self.paths = controls, PathCompleter(expanduser=True)

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        command, space, name = text.partition(" ")
        if space and command in ("save", "load"):
            return self.paths.get_completions(Document(name), event)
        return (Completion(word, -len(text)) for word in self.controls.completions(text))


def _colour_depth(output: Output) -> ColorDepth:
    """All colours where the terminal says that it has them, unless the user says otherwise."""
    all_colours = os.environ.get("COLORTERM") in ("truecolor", "24bit")
    return ColorDepth.from_env() or (ColorDepth.DEPTH_24_BIT if all_colours else output.get_default_color_depth())


def _style(colours: Colours) -> Style:
    plate, key = (blend(colours.fill("paper"), colours.fill("ink"), part) for part in (0.05, 0.15))
    ink, menu = colours.fill("ink"), "completion-menu"
    return Style.from_dict(
        {
            "line": colours.style(plate, ink),
            "prompt": colours.style(plate, colours.fill("can")),
            "keys": colours.words("soft"),
            "key": colours.style(key, ink, "bold"),
            menu: colours.style(key, ink),
            f"{menu}.completion.current": f"{colours.cursor()} noreverse",
        }
    )
