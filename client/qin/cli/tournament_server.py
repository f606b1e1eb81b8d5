"""The server that a tournament plays through: for this machine, or for bots on the LAN."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import click
import platformdirs
from qin.bots.tournament.serving import Where
from qin.cli.failure import Failure
from qin.cli.servers import password_options, the_password
from qin.client import Address
from qin.server.announce import Announcement, announced, own_addresses
from qin.server.certificate import Certificate, CertificateError, kept_certificate
from qin.server.options import Options
from qin.server.server import Server, StartError, running
from qin.v1.conventions import DEFAULT_PORT

Command = TypeVar("Command", bound=Callable[..., Any])

_KEEP_SECONDS = 60.0
"""Tables are many here, and of no use once their record is fetched."""
_HERE, _EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - --lan asks for it


@dataclass(frozen=True, slots=True)
class Hosting:
    """How bots of others come to a tournament."""

    port: int = 0
    lan: bool = False
    plaintext: bool = False
    password: str = ""

    @asynccontextmanager
    async def server(self) -> AsyncIterator[Where]:
        """A server of this process that keeps nothing."""
        certificate = self._certificate()
        options = Options(
            host=_EVERYWHERE if self.lan else _HERE,
            port=self.port,
            allow_deals=True,
            withhold_records=True,
            keep_seconds=_KEEP_SECONDS,
            password=self.password,
            certificate=(certificate.key, certificate.chain) if certificate else None,
        )
        pin = certificate.pin if certificate else ""
        async with AsyncExitStack() as stack:
            try:
                server = await stack.enter_async_context(running(options))
            except StartError as error:
                raise Failure(str(error)) from None
            if self.lan:
                await stack.enter_async_context(_announced(server, self, pin))
            outside = next(iter(own_addresses()), _HERE) if self.lan else _HERE
            yield Where(
                address=Address(_HERE, server.port, pin=pin),
                password=self.password,
                public=Address(outside, server.port, pin=pin),
                offered=server.hall.offers.names,
            )

    def _certificate(self) -> Certificate | None:
        if not self.lan or self.plaintext:
            return None
        try:
            return kept_certificate(platformdirs.user_data_path("qin", appauthor=False))
        except CertificateError as error:
            raise Failure(str(error)) from None


@asynccontextmanager
async def _announced(server: Server, hosting: Hosting, pin: str) -> AsyncIterator[None]:
    announcement = Announcement(
        name="tournament",
        version=version("qin-game"),
        port=server.port,
        addresses=own_addresses() or [_HERE],
        pin=pin,
        needs_password=bool(hosting.password),
    )

    async def no_tables() -> int:
        return 0  # none that anybody may join

    async with announced(announcement, no_tables):
        yield


def hosting_options(command: Command) -> Command:
    """Where bots of others find the tournament; `hosting` reads them."""
    options = (
        click.option("--lan", is_flag=True, help="Let bots of other machines take part."),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=DEFAULT_PORT,
            show_default=True,
            help="Where to listen; 0 for any that is free.",
        ),
        click.option("--plaintext", is_flag=True, help="With --lan: go without TLS."),
        password_options,
    )
    for option in reversed(options):
        command = option(command)
    return command


def hosting(
    *, lan: bool, port: int, plaintext: bool, password: str, password_file: Path | None
) -> Hosting:
    return Hosting(port, lan, plaintext, the_password(password, password_file))
