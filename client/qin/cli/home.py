"""Games that this machine serves by itself while somebody plays: a server, and bots beside it."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from qin.bots import Spec
from qin.cli.failure import Failure
from qin.cli.house import house_bots
from qin.cli.serve import open_tables
from qin.client.address import Address
from qin.client.errors import ClientError
from qin.client.tui.home import LAN, Served
from qin.engine import distinct_names
from qin.server.announce import Announcement, announced, own_addresses
from qin.server.certificate import Certificate, CertificateError, kept_certificate
from qin.server.options import Options
from qin.server.server import Server, StartError, running
from qin.server.store import StoreError
from qin.v1.conventions import DEFAULT_PORT

_ALONE = ("play", "play-2", "play-3", "play-4", "play-5", "play-6")
"""One for each terminal that somebody plays in at a time."""
_KEEP_SECONDS = 30 * 24 * 3600
"""A game that was left may be gone on with for a month."""


class LocalHome:
    """Keeps its games in the data directory."""

    def __init__(self, data: Path, opponents: Sequence[str], name: str = "") -> None:
        self.opponents = tuple(opponents)
        self._data = data
        self._name = name or socket.gethostname()

    @asynccontextmanager
    async def serve(self, place: str, *, lan: bool, bots: Sequence[str]) -> AsyncIterator[Served]:
        """See `qin.client.tui.home.Home`."""
        # Nobody else on this machine is to read the tiles.
        self._data.mkdir(mode=0o700, parents=True, exist_ok=True)
        async with AsyncExitStack() as stack:
            names = distinct_names([Spec.parse(bot).name for bot in bots])
            called = dict(zip(bots, names, strict=True))
            if lan:
                served = await self._open_to_lan(stack, called)
            else:
                places = [place] if place else _ALONE
                served = await self._open_here(stack, places, called)
            secret = await asyncio.to_thread(_kept_secret, self._data / "bots.key")
            try:
                await stack.enter_async_context(
                    house_bots(bots, served.address, secret=secret, silent=True)
                )
            except Failure as failure:
                raise ClientError(failure.message) from None
            yield served

    async def _open_here(
        self, stack: AsyncExitStack, places: Sequence[str], called: Mapping[str, str]
    ) -> Served:
        problem = ""
        for place in places:
            options = Options(port=0, database=self._database(place), keep_seconds=_KEEP_SECONDS)
            try:
                server = await stack.enter_async_context(running(options))
            except (StartError, StoreError) as error:
                problem = str(error)  # another terminal plays there
            else:
                return Served(Address("127.0.0.1", server.port), place, called)
        raise ClientError(problem)

    async def _open_to_lan(self, stack: AsyncExitStack, called: Mapping[str, str]) -> Served:
        try:
            certificate = kept_certificate(self._data)
        except CertificateError as error:
            raise ClientError(str(error)) from None
        server = await self._listen(stack, certificate)
        addresses = own_addresses() or ["127.0.0.1"]
        announcement = Announcement(
            name=self._name,
            version=version("qin-game"),
            port=server.port,
            addresses=addresses,
            pin=certificate.pin,
        )
        await stack.enter_async_context(announced(announcement, lambda: open_tables(server)))
        return Served(
            Address("127.0.0.1", server.port, pin=certificate.pin),
            LAN,
            called,
            Address(addresses[0], server.port, pin=certificate.pin),
        )

    async def _listen(self, stack: AsyncExitStack, certificate: Certificate) -> Server:
        """On the usual port, so that the line that friends have holds next time; else on any."""
        problem = ""
        for port in (DEFAULT_PORT, 0):
            options = Options(
                host="0.0.0.0",  # noqa: S104 - the LAN is asked for
                port=port,
                database=self._database(LAN),
                keep_seconds=_KEEP_SECONDS,
                certificate=(certificate.key, certificate.chain),
            )
            try:
                return await stack.enter_async_context(running(options))
            except (StartError, StoreError) as error:
                problem = str(error)
        raise ClientError(problem)

    def _database(self, place: str) -> str:
        return str(self._data / f"{place}.db")


def _kept_secret(path: Path) -> str:
    """By which bots know their seats again; made once, and for nobody else to read."""
    try:
        known = path.read_text("ascii").strip()
    except FileNotFoundError:
        known = ""
    if known:
        return known
    made = secrets.token_hex(32)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(made)
    return made
