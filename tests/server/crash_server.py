"""A server in a process of its own, made to be killed: python crash_server.py DATABASE.

It loads everything first, then waits for a line with the port, so that a server that is killed is
replaced in no time. It ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import sys

from qin.server.options import Options
from qin.server.server import StartError, running

PATIENCE = 50
"""How often to try a port that is not free yet, ten times a second."""


async def main(database: str) -> None:
    sys.stdout.write("loaded\n")
    sys.stdout.flush()
    line = await asyncio.to_thread(sys.stdin.readline)
    if not line:
        return
    for attempt in range(PATIENCE):
        try:
            await serve(Options(port=int(line), database=database, heartbeat_seconds=1))
        except StartError as error:
            if attempt == PATIENCE - 1 or "cannot listen" not in str(error):
                raise
            await asyncio.sleep(0.1)
        else:
            return


async def serve(options: Options) -> None:
    async with running(options) as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
