"""The server that a tournament plays through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from qin.bots.tournament.serving import Where
from qin.client import Address
from qin.server.options import Options
from qin.server.server import running

_KEEP_SECONDS = 60.0
"""Tables are many here, and of no use once their record is fetched."""


@asynccontextmanager
async def embedded_server() -> AsyncIterator[Where]:
    """A server of this process, for this machine, that keeps nothing."""
    options = Options(port=0, allow_deals=True, keep_seconds=_KEEP_SECONDS)
    async with running(options) as server:
        yield Where(Address("127.0.0.1", server.port))
