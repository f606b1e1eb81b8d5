"""A terminal that is not there: keys go in by a pipe, what is drawn comes out as text and colours.

with Emulator(80, 24) as terminal:
    showing = asyncio.create_task(terminal.stage().run(play))
    terminal.press("l")
    await terminal.until("move 1 of 64")
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import Self, TextIO, cast

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output
from qin.client.tui.stage import Stage
from qin.client.tui.theme import Theme

SECONDS = 20
"""Far more than anything here takes."""

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "left": "\x1b[D",
    "right": "\x1b[C",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    "space": " ",
    "ctrl-c": "\x03",
}


class _Drawn:
    """What prompt_toolkit takes for standard output."""

    encoding = "utf-8"

    def __init__(self, columns: int, lines: int) -> None:
        self.screen = pyte.Screen(columns, lines)
        self.drawn = asyncio.Event()
        self._stream = pyte.Stream(self.screen)

    def write(self, text: str) -> int:
        self._stream.feed(text)
        return len(text)

    def flush(self) -> None:
        self.drawn.set()

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return -1


class Emulator:
    """A terminal of a size, for as long as the context lasts."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self._drawn = _Drawn(columns, lines)
        self._stack = ExitStack()
        self.input: PipeInput

    def __enter__(self) -> Self:
        self.input = self._stack.enter_context(create_pipe_input())
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def screen(self) -> pyte.Screen:
        return self._drawn.screen

    @property
    def output(self) -> Output:
        size = Size(self.screen.lines, self.screen.columns)
        return Vt100_Output(
            cast("TextIO", self._drawn), lambda: size, term="xterm", enable_cpr=False
        )

    def stage(self, theme: Theme | None = None) -> Stage:
        """A stage that draws here."""
        look = theme or Theme(depth=ColorDepth.DEPTH_24_BIT)
        return Stage(look, typed=self.input, output=self.output)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, *keys: str) -> None:
        """Keys by their names; whatever is no name is typed as it is."""
        for key in keys:
            self.input.send_text(KEYS.get(key, key))

    def click(self, column: int, line: int) -> None:
        """With the left button, from 0."""
        for end in "Mm":
            self.input.send_text(f"\x1b[<0;{column + 1};{line + 1}{end}")

    def wheel(self, column: int, line: int, *, down: bool = True) -> None:
        self.input.send_text(f"\x1b[<{65 if down else 64};{column + 1};{line + 1}M")

    async def until(self, found: str | Callable[[str], bool]) -> str:
        """Wait until a text is on the screen, or something is true of it."""
        try:
            async with asyncio.timeout(SECONDS):
                while True:
                    self._drawn.drawn.clear()
                    text = self.text
                    if found in text if isinstance(found, str) else found(text):
                        return text
                    await self._drawn.drawn.wait()
        except TimeoutError:
            raise AssertionError(f"not on the screen: {found}\n{self.text}") from None
