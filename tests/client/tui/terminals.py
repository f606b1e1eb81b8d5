"""A terminal for tests: keys go in through a pipe, and what is drawn is read off a screen."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from qin.client.tui.stage import Stage
from qin.client.tui.theme import Theme

SECONDS = 30
"""Far more than anything here takes."""

KEYS = {
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "enter": "\r",
    "tab": "\t",
    "s-tab": "\x1b[Z",
    "escape": "\x1b",
    "f1": "\x1bOP",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "c-c": "\x03",
}


class _Wire(io.StringIO):
    """What a program writes to its terminal."""

    def __init__(self, feed: Callable[[str], None]) -> None:
        super().__init__()
        self._feed = feed

    def write(self, text: str) -> int:
        self._feed(text)
        return len(text)


class Terminal:
    """Shows a stage."""

    def __init__(self, pipe: PipeInput, columns: int, rows: int, theme: Theme) -> None:
        self.screen = pyte.Screen(columns, rows)
        stream = pyte.Stream(self.screen)
        self.raw: list[str] = []

        def feed(text: str) -> None:
            self.raw.append(text)
            stream.feed(text)

        self._pipe = pipe
        self._drawn = asyncio.Event()
        self._size = Size(rows=rows, columns=columns)
        output = Vt100_Output(
            _Wire(feed),
            lambda: self._size,
            term="xterm-256color",
            default_color_depth=theme.depth,
            enable_cpr=False,
        )
        self.stage = Stage(theme, typed=pipe, output=output)
        self.stage.app.after_render += lambda _: self._drawn.set()

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def press(self, *keys: str) -> None:
        """Keys by their names, or characters."""
        for key in keys:
            self._pipe.send_text(KEYS.get(key, key))

    def type(self, text: str) -> None:
        self._pipe.send_text(f"{text}\r")

    def click(self, column: int, row: int) -> None:
        """Press and release the left button, both counted from 0."""
        at = f"{column + 1};{row + 1}"
        self._pipe.send_text(f"\x1b[<0;{at}M\x1b[<0;{at}m")

    def wheel(self, column: int, row: int) -> None:
        self._pipe.send_text(f"\x1b[<65;{column + 1};{row + 1}M")

    def resize(self, columns: int, rows: int) -> None:
        self._size = Size(rows=rows, columns=columns)
        self.screen.resize(rows, columns)
        self.stage.app._on_resize()

    def find(self, text: str) -> tuple[int, int]:
        """Where a text stands, as column and row."""
        for row, line in enumerate(self.screen.display):
            if text in line:
                return line.index(text), row
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text}")

    async def until(self, *wanted: str | Callable[[], bool], gone: str = "") -> None:
        """Wait until all of it is to be seen, or true; looks after every drawing."""

        def fulfilled() -> bool:
            seen = self.text
            if gone and gone in seen:
                return False
            return all(each in seen if isinstance(each, str) else each() for each in wanted)

        try:
            async with asyncio.timeout(SECONDS):
                while not fulfilled():
                    self._drawn.clear()
                    await self._drawn.wait()
        except TimeoutError:
            raise AssertionError(f"waited for {wanted}, there is:\n{self.text}") from None


@asynccontextmanager
async def performing(
    play: Callable[[Stage], Coroutine[None, None, None]],
    *,
    columns: int = 80,
    rows: int = 24,
    theme: Theme | None = None,
) -> AsyncIterator[Terminal]:
    """A play on a stage of its own. It is quit in the end, if it is not over by then."""
    look = theme or Theme(depth=ColorDepth.DEPTH_24_BIT)
    with create_pipe_input() as pipe:
        terminal = Terminal(pipe, columns, rows, look)
        running = asyncio.create_task(terminal.stage.run(play))
        try:
            yield terminal
        finally:
            terminal.stage.quit()
            async with asyncio.timeout(SECONDS):
                await running
