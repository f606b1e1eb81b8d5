"""House bots: bots in processes of their own beside a server, for whoever asks for one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from qin.bots import Spec
from qin.cli.failure import Failure
from qin.client import Address, Client, connect
from qin.engine import distinct_names

_SECONDS = 20.0
"""What a bot may take until it has offered itself."""
_GRACE = 3.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0


def house_specs(text: str) -> list[Spec]:
    """Read `greedy,lookahead`, or `none`. Parameters part bots by `+`: `lookahead:width=4+greedy`.

    A bot that cannot be loaded is an error before anything is started.
    """
    if text in ("", "none"):
        return []
    separator = "+" if "+" in text or "=" in text else ","
    specs = [Spec.parse(part.strip()) for part in text.split(separator)]
    for spec in specs:
        spec.load()
    return specs


@dataclass(frozen=True, slots=True)
class _HouseBot:
    """A process to be kept alive."""

    spec: Spec
    name: str
    address: Address
    secrets: Mapping[str, str]
    """What is told to it in its environment."""
    silent: bool

    async def keep_alive(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            began = asyncio.get_running_loop().time()
            await self._run()
            lasted = asyncio.get_running_loop().time() - began
            pause = _FIRST_PAUSE if lasted > _LONGEST_PAUSE else min(2 * pause, _LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _run(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "qin.cli", "bot", "run", self.spec.text, str(self.address)),
            *("--forever", "--tied", "--quiet", "--name", self.name),
            stdin=PIPE,
            stdout=DEVNULL,
            stderr=DEVNULL if self.silent else None,
            env={**os.environ, **self.secrets},
        )
        try:
            await process.wait()
        finally:
            await _end(process)


@asynccontextmanager
async def house_bots(
    specs: Sequence[str | Spec],
    address: Address,
    password: str = "",
    secret: str = "",
    *,
    silent: bool = False,
) -> AsyncIterator[None]:
    """Bots that wait for seats at a server, each in a process of its own.

    The context is entered when all of them have offered themselves. One that ends is started
    again; all of them end with the context, and also if this process is killed. With the same
    secret as before they go on with the games that they were in. Silent ones say nothing even if
    something goes wrong, for where there is a full screen.
    """
    parsed = [Spec.parse(spec) if isinstance(spec, str) else spec for spec in specs]
    names = distinct_names([spec.name for spec in parsed])
    told = {"QIN_PASSWORD": password, "QIN_BOT_SECRET": secret}
    tasks = [
        asyncio.create_task(_HouseBot(spec, name, address, told, silent).keep_alive())
        for spec, name in zip(parsed, names, strict=True)
    ]
    try:
        if tasks:
            async with connect(address, password=password) as client:
                await _until_offered(client, set(names), tasks)
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _until_offered(
    client: Client, names: set[str], tasks: Sequence[asyncio.Task[None]]
) -> None:
    try:
        async with asyncio.timeout(_SECONDS):
            while not names <= set((await client.info()).house_bots):
                for task in tasks:
                    if task.done():
                        task.result()
                await asyncio.sleep(0.02)
    except TimeoutError:
        waiting = ", ".join(sorted(names - set((await client.info()).house_bots)))
        raise Failure(f"house bots that do not come: {waiting}") from None


async def _end(process: Process) -> None:
    """It ends by itself when its standard input does; so it does if we are killed."""
    if process.stdin:
        process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_GRACE):
            await process.wait()
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
