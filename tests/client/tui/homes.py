"""A home for tests: a real server in this process, and bots as tasks beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from qin.bots import Spec
from qin.bots.runner import Runner
from qin.client import Address, ClientError, connect
from qin.client.discover import Found
from qin.client.tui.home import Announcements, Served
from qin.server.options import Options
from qin.server.server import running


class TestHome:
    """Serves from databases in a folder."""

    __test__ = False
    opponents = ("greedy", "random")

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.problem = ""
        """Why it cannot serve, if it is not to."""

    @asynccontextmanager
    async def serve(self, place: str, *, lan: bool, bots: Sequence[str]) -> AsyncIterator[Served]:
        if self.problem:
            raise ClientError(self.problem)
        place = place or ("lan" if lan else "play")
        async with running(Options(port=0, database=str(self._folder / f"{place}.db"))) as server:
            address = Address("127.0.0.1", server.port)
            async with connect(address) as client:
                tasks = [
                    asyncio.create_task(
                        Runner(
                            bot=Spec.parse(bot).load_python(), name=bot, seed="1", secret=f"s/{bot}"
                        ).offer(client, games=None)
                    )
                    for bot in bots
                ]
                while set(bots) - set((await client.info()).house_bots):  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
                try:
                    yield Served(
                        address, place, {bot: bot for bot in bots}, address if lan else None
                    )
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)


def announcing(*found: Found) -> Announcements:
    """A LAN on which these servers are heard of."""

    async def heard() -> AsyncGenerator[Found, None]:
        for each in found:
            yield each
        await asyncio.Event().wait()

    return heard


nobody = announcing()
"""A LAN that is silent."""
