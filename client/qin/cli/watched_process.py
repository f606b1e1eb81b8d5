"""A process that is watched: how much memory it takes, what it leaves behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

_MARK = "QIN_CHECK"
"""In the environment of the process and of all that it starts: so they are found again."""
_EVERY = 0.05
"""Seconds between two looks at the memory."""


@dataclass(slots=True)
class Watched:
    """What was seen of a process; complete when its context is left."""

    process: Process
    exit_code: int | None = None
    """None if it had to be ended."""
    said: str = ""
    """Its last line on standard error."""
    left_behind: int = 0
    """Processes that were still there after it."""
    memory: int = 0
    """The most bytes that were seen, with all that it started."""
    too_hungry: bool = False

    @property
    def fate(self) -> str:
        """What became of it, as far as it is known; empty if there is nothing to tell."""
        if self.too_hungry:
            return "it was ended for its memory"
        if self.said or not self.exit_code:
            return self.said
        return f"its process ended with exit code {self.exit_code}"


@asynccontextmanager
async def watched(words: Sequence[str], *, memory: int, grace: float) -> AsyncIterator[Watched]:
    """A process that has some seconds to end once the context is left; nothing of it stays.

    If it takes more memory than it may, it is ended at once.
    """
    mark = secrets.token_hex(8)
    process = await asyncio.create_subprocess_exec(
        *words,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
        env={**os.environ, _MARK: mark},
        start_new_session=True,
    )
    seen = Watched(process)
    looking = asyncio.create_task(_look_on(mark, seen, memory))
    saying = asyncio.create_task(_last_line(process))
    try:
        yield seen
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                seen.exit_code = await process.wait()
        seen.left_behind = len([pid for pid in _marked(mark) if pid != process.pid])
    finally:
        looking.cancel()
        _kill(mark)
        if process.returncode is None:
            # Not process.kill(): where the process has just died that takes its exit code away.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        seen.said = await saying


async def _look_on(mark: str, seen: Watched, most: int) -> None:
    while not seen.too_hungry:
        seen.memory = max(seen.memory, sum(map(_resident, _marked(mark))))
        if seen.memory > most:
            seen.too_hungry = True
            _kill(mark)
        await asyncio.sleep(_EVERY)


def _marked(mark: str) -> list[int]:
    """The processes with the mark in their environment, where the system tells: on Linux."""
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def _kill(mark: str) -> None:
    for pid in _marked(mark):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def _last_line(process: Process) -> str:
    last = b""
    assert process.stderr
    with contextlib.suppress(ValueError):  # a line without end
        async for line in process.stderr:
            last = line if line.strip() else last
    return last.decode("utf-8", "replace").strip()
