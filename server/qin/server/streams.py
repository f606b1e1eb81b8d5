"""Open streams: what waits for each, signs of life, and their end when the server stops.

A stream is a list of serialized messages that waits to be read. Whoever reads too slowly is told
and dropped, and comes back for what it missed; nobody ever waits for a reader.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Chunk(NamedTuple):
    """A serialized message of a stream."""

    body: bytes
    joinable: bool
    """Whether it holds nothing but repeated fields: such messages may be sent as one, end to end,
    because that is how protobuf merges them."""


class Stream:
    """Messages that wait for one reader."""

    def __init__(
        self, limit: int, heartbeat: Callable[[], Chunk], stopping: Chunk, too_slow: Chunk
    ) -> None:
        self._limit = limit
        self._heartbeat = heartbeat
        self._stopping = stopping
        self._too_slow = too_slow
        self._chunks: list[Chunk] = []
        self._size = 0
        self._loop = asyncio.get_running_loop()
        self._more: asyncio.Future[None] | None = None
        """What the reader waits for where there was nothing left to read."""
        self._reader = asyncio.current_task()
        self.closed = False
        """Whether nothing more is to come."""
        self._beats_since_closed = 0

    def put(self, chunk: Chunk) -> None:
        if self.closed:
            return
        self._size += len(chunk.body)
        if self._size > self._limit:
            self._chunks.clear()
            self.close(self._too_slow)
            return
        if not self._chunks:  # else the reader has been woken already
            self._wake()
        self._chunks.append(chunk)

    def put_first(self, chunks: Iterable[Chunk]) -> None:
        """What was before the stream began, however much that is."""
        if not self.closed:
            self._chunks += chunks
            self._wake()

    def close(self, *last: Chunk) -> None:
        """Nothing more after these."""
        if not self.closed:
            self._chunks += last
            self.closed = True
            self._wake()

    def stop(self) -> None:
        self.close(self._stopping)

    def beat(self) -> None:
        """A sign of life where there is nothing else; the end for who never reads to the end."""
        if self.closed:
            self._beats_since_closed += 1
            if self._beats_since_closed > 1 and self._reader is not None:
                self._reader.cancel()
        elif not self._chunks:
            self.put(self._heartbeat())

    def _wake(self) -> None:
        if self._more and not self._more.done():
            self._more.set_result(None)

    async def next(self) -> list[bytes]:
        """All that has come, joined where that can be; nothing once the stream is at its end."""
        while not self._chunks:
            if self.closed:
                return []
            self._more = self._loop.create_future()
            await self._more
        chunks, self._chunks, self._size = self._chunks, [], 0
        bodies: list[bytes] = []
        run: list[bytes] = []
        for body, joinable in chunks:
            if joinable:
                run.append(body)
                continue
            if run:
                bodies.append(b"".join(run))
                run = []
            bodies.append(body)
        if run:
            bodies.append(b"".join(run))
        return bodies


class Streams:
    """All open streams of a server."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: set[Stream] = set()
        self._none_left = asyncio.Event()
        self.stopping = False

    def __len__(self) -> int:
        return len(self._open)

    def open(self, heartbeat: Callable[[], Chunk], stopping: Chunk, too_slow: Chunk) -> Stream:
        stream = Stream(self._limit, heartbeat, stopping, too_slow)
        self._open.add(stream)
        if self.stopping:
            stream.stop()
        return stream

    def forget(self, stream: Stream) -> None:
        self._open.discard(stream)
        if not self._open:
            self._none_left.set()

    async def beat(self, seconds: float) -> None:
        """Signs of life, for ever."""
        while True:
            await asyncio.sleep(seconds)
            for stream in list(self._open):
                stream.beat()

    async def stop(self, seconds: float) -> None:
        """Tell all of them that the server stops, and wait a little until they have heard it."""
        self.stopping = True
        for stream in list(self._open):
            stream.stop()
        if self._open:
            self._none_left.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._none_left.wait(), seconds)
