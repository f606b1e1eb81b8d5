"""Servers for the benchmarks, each in a process of its own: `qin`, or the raw ceiling `echo`.

Prints the port, then serves until standard input ends. `echo` answers with as many bytes as its
request asks for, does nothing else, and is as fast as grpc.aio can be.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from qin.server.options import Limits, Options
from qin.server.server import collect_garbage_rarely, running


def _bytes(value: bytes) -> bytes:
    return value


async def unary(request: bytes, _context: Any) -> bytes:
    return bytes(int.from_bytes(request[:4], "big"))


async def both_ways(requests: AsyncIterator[bytes], _context: Any) -> AsyncIterator[bytes]:
    async for request in requests:
        yield bytes(int.from_bytes(request[:4], "big"))


async def batches(request: bytes, _context: Any) -> AsyncIterator[bytes]:
    """So many messages of such a size, one after the other."""
    count, size = int.from_bytes(request[:4], "big"), int.from_bytes(request[4:8], "big")
    body = bytes(size)
    for _ in range(count):
        yield body


async def echo() -> None:
    server = grpc.aio.server()
    handlers = {
        "Unary": grpc.unary_unary_rpc_method_handler(unary, _bytes, _bytes),
        "BothWays": grpc.stream_stream_rpc_method_handler(both_ways, _bytes, _bytes),
        "Batches": grpc.unary_stream_rpc_method_handler(batches, _bytes, _bytes),
    }
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("echo", handlers)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await _until_told()
    await server.stop(0)


async def qin(database: str) -> None:
    options = Options(port=0, database=database, allow_deals=True, limits=Limits())
    async with running(options) as server:
        print(server.port, flush=True)
        await _until_told()


async def _until_told() -> None:
    """A line asks for the memory in use; the end of the input is the end."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        if line.strip() == "memory":
            print(_resident(), flush=True)


def _resident() -> int:
    """Bytes in memory now."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
        return int(pages) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    collect_garbage_rarely()  # as `qin serve` does; for the echo as well
    asyncio.run(echo() if sys.argv[1] == "echo" else qin(sys.argv[2]))
