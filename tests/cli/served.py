"""`qin serve` and its like as processes, for tests."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qin.client.address import Address

SECONDS = 30
"""Far more than anything here takes."""


def environment(home: Path, **further: str) -> dict[str, str]:
    """A user of this machine with a home of his own."""
    cleared = {key: value for key, value in os.environ.items() if not key.startswith("QIN_")}
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "QIN_HOUSE_BOTS": "none"}
    return {**cleared, **own, **further}


@asynccontextmanager
async def started(home: Path, *arguments: object, **further: str) -> AsyncIterator[Process]:
    """A `qin` command that runs; it is killed at the end, if it has not ended by itself."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "qin.cli"),
        *map(str, arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        env=environment(home, **further),
        limit=1 << 20,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@dataclass
class Served:
    """A server in a process of its own."""

    process: Process
    facts: dict[str, Any]
    """What --json told when it was started."""

    @property
    def address(self) -> Address:
        return Address.parse(self.facts["uri"])

    async def stop(self) -> str:
        """Ask it to stop; gives what it logged."""
        self.process.terminate()
        _, err = await asyncio.wait_for(self.process.communicate(), SECONDS)
        assert self.process.returncode == 0
        return err.decode()


@asynccontextmanager
async def served(home: Path, *arguments: object, **further: str) -> AsyncIterator[Served]:
    """`qin serve --port 0 --json` with further arguments."""
    async with started(home, "serve", "--port", 0, "--json", *arguments, **further) as process:
        assert process.stdout
        line = await asyncio.wait_for(process.stdout.readline(), SECONDS)
        if not line:
            _, err = await process.communicate()
            raise AssertionError(err.decode())
        yield Served(process, json.loads(line))


async def ran(home: Path, *arguments: object, **further: str) -> tuple[int, str, str]:
    """A command from start to end: its exit code, stdout and stderr."""
    async with started(home, *arguments, **further) as process:
        out, err = await asyncio.wait_for(process.communicate(), SECONDS)
        assert process.returncode is not None
        return process.returncode, out.decode(), err.decode()
