"""The `qin` command as a process on a terminal of its own."""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import sys
import termios
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pyte
from cli.served import SECONDS, environment

QIN = (sys.executable, "-m", "qin.cli")
_OWN_TERMINAL = "import fcntl, os, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
SHELL = (sys.executable, "-c", f"{_OWN_TERMINAL}; os.execvp('sh', ['sh', '-i'])")
"""A shell that owns its terminal: only under such a one can a job be stopped and go on."""


class ProcessTerminal:
    """What a process draws, and what is typed to it."""

    def __init__(self, process: Process, handle: int, columns: int, rows: int) -> None:
        self._process = process
        self._handle = handle
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._raw = b""
        self._drawn = asyncio.Event()
        asyncio.get_running_loop().add_reader(handle, self._read)

    def _read(self) -> None:
        try:
            content = os.read(self._handle, 65536)
        except OSError:  # the other end is closed
            content = b""
        if not content:
            asyncio.get_running_loop().remove_reader(self._handle)
        self._raw += content
        self._stream.feed(content)
        self._drawn.set()

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def is_sane(self) -> bool:
        """Whether the usual screen is back, with its cursor, and nobody listens to the mouse."""
        pairs = ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?1000h", b"\x1b[?1000l"))
        return all(self._raw.rfind(off) > self._raw.rfind(on) for on, off in pairs) and (
            self._raw.rfind(b"\x1b[?25h") > self._raw.rfind(b"\x1b[?25l")
        )

    def type(self, text: str) -> None:
        os.write(self._handle, text.encode())

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    async def until(self, *wanted: str) -> None:
        """Wait until all of it is on the screen."""
        try:
            async with asyncio.timeout(SECONDS):
                while not all(each in self.text for each in wanted):
                    self._drawn.clear()
                    await self._drawn.wait()
        except TimeoutError:
            raise AssertionError(f"waited for {wanted}, there is:\n{self.text}") from None

    async def ended(self) -> int:
        """Wait for the end of the process; its exit code."""
        async with asyncio.timeout(SECONDS):
            code = await self._process.wait()
        self._read()
        return code


@asynccontextmanager
async def on_terminal(
    home: Path,
    *arguments: object,
    columns: int = 80,
    rows: int = 24,
    command: Sequence[str] = QIN,
    **further: str,
) -> AsyncIterator[ProcessTerminal]:
    """A command that runs on a terminal; it is killed at the end, if it has not ended by itself."""
    handle, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.set_blocking(handle, False)
    settings = {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **further}
    process = await asyncio.create_subprocess_exec(
        *command,
        *map(str, arguments),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment(home, **settings),
        start_new_session=True,
    )
    os.close(terminal)
    try:
        yield ProcessTerminal(process, handle, columns, rows)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        asyncio.get_running_loop().remove_reader(handle)
        os.close(handle)
