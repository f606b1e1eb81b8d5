"""Players who type, and what they are told; a server that is there already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from client.tui.homes import TestHome, announcing
from qin.client import Address
from qin.client.discover import Found
from qin.client.plain import Console, play_plain
from qin.client.tui.home import Wishes
from qin.client.tui.keeping import SeatKeeper
from qin.engine import Board
from qin.server.options import Options
from qin.server.server import running

SECONDS = 10


class Typist(Console):
    """A console without a terminal."""

    def __init__(self) -> None:
        super().__init__(self._take)
        self.told = ""
        self._read = 0
        self._more = asyncio.Event()
        self._end: asyncio.Task[None] | None = None

    def _take(self, text: str) -> None:
        self.told += text
        self._more.set()

    def ended(self, task: asyncio.Task[None]) -> None:
        """There will be no more; a fault is for whoever waits."""
        self._end = task
        self._more.set()

    async def until(self, text: str) -> str:
        """Wait for a text in what has not been read yet; gives it with what came before."""
        try:
            async with asyncio.timeout(SECONDS):
                while text not in self.told[self._read :]:
                    if self._end is not None:
                        self._end.result()
                        raise AssertionError(f"never told {text!r}:\n{self.told}")
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            raise AssertionError(f"never told {text!r}:\n{self.told}") from None
        end = self.told.index(text, self._read) + len(text)
        read, self._read = self.told[self._read : end], end
        return read

    async def enter(self, line: str, until: str) -> str:
        self.type(line)
        return await self.until(until)


@asynccontextmanager
async def playing(
    folder: Path,
    name: str,
    server: Address | None = None,
    *,
    board: str = "bird",
    found: Sequence[Found] = (),
) -> AsyncIterator[Typist]:
    """Somebody who plays line by line; who has not quit by the end of the context does so."""

    typist = Typist()
    keeper = SeatKeeper(folder / f"{name}.json")
    wishes = Wishes(
        name, Board.named(board) if board == "bird" else Board.parse(board), bots=("greedy",)
    )
    task = asyncio.create_task(
        play_plain(typist, TestHome(folder), keeper, announcing(*found), wishes, server)
    )
    task.add_done_callback(typist.ended)
    try:
        yield typist
        typist.type(None)
        await asyncio.wait_for(task, SECONDS)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def served() -> AsyncIterator[Address]:
    async with running(Options(port=0)) as server:
        yield Address("127.0.0.1", server.port)
