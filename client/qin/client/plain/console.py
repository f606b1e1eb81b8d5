"""Lines that are typed, and sentences that are told. Nothing is ever painted over."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager


class Console:
    """Where a player types and is told things."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self.heard = False
        """Whether anything was ever typed."""

    def tell(self, *lines: str) -> None:
        for line in lines:
            self._write(f"{line}\n")

    def tell_all(self, lines: Iterable[str]) -> None:
        self.tell(*lines)

    async def ask(self) -> str | None:
        """The next line; None when there will be no more."""
        line = await self._typed.get()
        if line is None:
            self._typed.put_nowait(None)  # whoever asks next is to know it, too
        else:
            self.heard = True
        return line

    def type(self, line: str | None) -> None:
        """A line was typed; None when that was the last one."""
        self._typed.put_nowait(line)


@contextmanager
def standard_console() -> Iterator[Console]:
    """A console on standard input and output."""
    loop = asyncio.get_running_loop()
    console = Console(_write)

    def typed(line: str | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(console.type, line)

    # Python waits at its end for whatever reads from sys.stdin, but not for a thread that
    # reads from the system; and not every platform can wait for a terminal and a server at once.
    threading.Thread(target=_read, args=(typed,), daemon=True).start()
    yield console


def _read(typed: Callable[[str | None], None]) -> None:
    try:
        descriptor = sys.stdin.fileno()
        decoder = codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")(errors="replace")
        rest = ""
        while content := os.read(descriptor, 4096):
            *lines, rest = (rest + decoder.decode(content)).split("\n")
            for line in lines:
                typed(line.rstrip("\r"))
        if rest:
            typed(rest)
    except (OSError, ValueError, RuntimeError):
        # Closed, or the game ended while somebody was typing.
        pass
    finally:
        _last(typed)


def _last(typed: Callable[[str | None], None]) -> None:
    try:
        typed(None)
    except RuntimeError:
        return


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
