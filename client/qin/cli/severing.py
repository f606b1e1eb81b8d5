"""A way to a server that can be cut in the middle of a game."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


@asynccontextmanager
async def severing(port: int) -> AsyncIterator[tuple[int, Callable[[], None]]]:
    """A way to a port that can be cut: gives its own port, and what cuts all its connections."""
    writers: set[asyncio.StreamWriter] = set()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
        both = {writer, there_writer}
        writers.update(both)
        try:
            await asyncio.gather(carry(reader, there_writer), carry(there_reader, writer))
        finally:
            writers.difference_update(both)
            for each in both:
                each.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)

    def cut() -> None:
        for writer in list(writers):
            writer.transport.abort()

    try:
        yield server.sockets[0].getsockname()[1], cut
    finally:
        server.close()
        cut()
        await server.wait_closed()
