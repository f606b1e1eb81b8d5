"""A bot in any language: a program that plays a seat over the protocol by itself.

It finds what it needs in its environment:

QIN_SERVER    HOST:PORT
QIN_TABLE     the table; the seat is taken already
QIN_TOKEN     the seat's secret
QIN_CERT      the file of the server's certificate; not set for plain text
QIN_PASSWORD  the server's password; not set where there is none
QIN_SEED      its chance, as a text
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

from qin.bots.seat import BotFault, is_over
from qin.bots.spec import Command
from qin.client import Address, Table
from qin.client.channel import trusted_certificate
from qin.client.happenings import GameEnded, SeriesEnded, WatchEnded
from qin.engine import QinError

_RESTARTS = 3
"""So often a program that ended too soon is started again in a series."""
_GRACE = 3.0
"""Seconds that a program has to end by itself once all is over, and when it is told to."""


class ProgramError(QinError):
    """A program that cannot be started."""


@asynccontextmanager
async def running(
    command: Command, environment: Mapping[str, str], *, quiet: bool = False
) -> AsyncIterator[Process]:
    """The program, for as long as the context lasts; nothing of it is left behind.

    What it says is for people, not for who reads our output; if it is to be quiet, for nobody.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command.words,
            stdin=DEVNULL,
            stdout=DEVNULL if quiet else sys.stderr.fileno(),
            stderr=DEVNULL if quiet else None,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    except OSError as error:
        raise ProgramError(
            f"{command.words[0]} cannot be started: {(error.strerror or str(error)).lower()}"
        ) from None
    try:
        yield process
    finally:
        await _end(process)


async def _end(process: Process) -> None:
    """End a program and all that it has started."""
    for kill in (False, True):
        _signal(process, kill=kill)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await process.wait()
            break
    _signal(process, kill=True)  # what it started, and left behind


def _signal(process: Process, *, kill: bool) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill() if kill else process.terminate()
        else:
            os.killpg(process.pid, signal.SIGKILL if kill else signal.SIGTERM)


@asynccontextmanager
async def environment_of(
    address: Address, table_id: str, token: str, password: str, seed: str
) -> AsyncIterator[dict[str, str]]:
    """What a program finds in its environment; the file of the certificate is there as long."""
    with tempfile.TemporaryDirectory(prefix="qin-") as folder:
        found = {
            "QIN_SERVER": address.target,
            "QIN_TABLE": table_id,
            "QIN_TOKEN": token,
            "QIN_SEED": seed,
        }
        if password:
            found["QIN_PASSWORD"] = password
        if address.pin:
            file = Path(folder) / "certificate.pem"
            file.write_bytes(await trusted_certificate(address))
            found["QIN_CERT"] = str(file)
        yield found


async def play_program(table: Table, command: Command, environment: Mapping[str, str]) -> int:
    """Let a program play the series of a table; tells how many games came to their end.

    A program that ends too soon is started again, and finds the game where it is. One that keeps
    failing resigns, so that nobody waits for it.
    """
    watching = asyncio.create_task(_games_of(table))
    try:
        for _ in range(_RESTARTS + 1):
            async with running(command, environment) as process:
                ended = asyncio.create_task(process.wait())
                await asyncio.wait({ended, watching}, return_when=asyncio.FIRST_COMPLETED)
                if not watching.done():
                    continue
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_GRACE):
                        await asyncio.shield(ended)
                return watching.result()
        await table.leave()  # to resign, or to stand in no longer
        raise BotFault(
            f"{command.words[0]} ended {_RESTARTS + 1} times before the series was over,"
            f" the last time with exit code {process.returncode}"
        )
    finally:
        watching.cancel()


async def _games_of(table: Table) -> int:
    games = 0
    async with aclosing(table.watch()) as updates:
        async for events, state in updates:
            for event in events:
                games += isinstance(event, GameEnded)
                if isinstance(event, SeriesEnded | WatchEnded):
                    return games
            if is_over(state):
                break
    return games
