"""Announcing a server on the LAN with zeroconf, and under which addresses the LAN finds it.

What is announced, anybody may know: name, version, port, how many tables are open, whether a
password is needed, and the pin of the certificate. No password, no invite code, no player.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import ifaddr
from qin.server.logs import log
from qin.server.store import StoreError
from qin.v1.conventions import PROTOCOL_VERSION, SERVICE_TYPE
from zeroconf import Error as ZeroconfError
from zeroconf import InterfaceChoice, IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

_LONGEST_NAME = 63
"""Bytes of a label in DNS."""
_LOOK_SECONDS = 2.0
"""How often the number of open tables is looked up; the LAN need not know it sooner."""
_RETRY_SECONDS = 30.0
_FAREWELL_SECONDS = 2.0

CountTables = Callable[[], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Announcement:
    """What the LAN is told of a server."""

    name: str
    """For people to choose by."""
    version: str
    port: int
    addresses: Sequence[str]
    """IPv4, the likeliest first."""
    pin: str = ""
    """Of the certificate; empty for plain text."""
    needs_password: bool = False

    def service(self, host: str, tables: int) -> AsyncServiceInfo:
        name = _shortened(self.name)
        # A dot would part the name into two labels of DNS.
        instance = name.replace(".", "-")
        return AsyncServiceInfo(
            SERVICE_TYPE,
            f"{instance}.{SERVICE_TYPE}",
            port=self.port,
            parsed_addresses=list(self.addresses),
            server=host,
            properties={
                "name": name,
                "version": self.version,
                "protocol": str(PROTOCOL_VERSION),
                "tables": str(tables),
                "password": "yes" if self.needs_password else "no",
                "pin": self.pin,
            },
        )


@asynccontextmanager
async def announced(
    announcement: Announcement,
    count_tables: CountTables,
    *,
    interfaces: Sequence[str] | None = None,
    look_seconds: float = _LOOK_SECONDS,
) -> AsyncIterator[None]:
    """Announce a server while the context lasts. Nothing waits for it, and no failure stops it."""
    task = asyncio.create_task(
        _keep_announced(announcement, count_tables, interfaces, look_seconds)
    )
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _keep_announced(
    announcement: Announcement,
    count_tables: CountTables,
    interfaces: Sequence[str] | None,
    look_seconds: float,
) -> None:
    while True:
        try:
            await _announce(announcement, count_tables, interfaces, look_seconds)
        except (OSError, ZeroconfError) as error:
            # A machine without a network serves itself, and may get a network later.
            log("announcing failed", problem=f"{type(error).__name__}: {error}")
        await asyncio.sleep(_RETRY_SECONDS)


async def _announce(
    announcement: Announcement,
    count_tables: CountTables,
    interfaces: Sequence[str] | None,
    look_seconds: float,
) -> None:
    """Until cancelled: tell of the server, and of the number of its open tables when it changes."""
    zeroconf = AsyncZeroconf(
        interfaces=list(interfaces) if interfaces else InterfaceChoice.All,
        ip_version=IPVersion.V4Only,
    )
    # A name of our own: the machine's may be announced by the system already.
    host = f"qin-{secrets.token_hex(4)}.local."
    try:
        tables = await _count(count_tables, 0)
        service = announcement.service(host, tables)
        await (await zeroconf.async_register_service(service, allow_name_change=True))
        log("server announced", name=service.name, tables=tables)
        while True:
            await asyncio.sleep(look_seconds)
            now = await _count(count_tables, tables)
            if now != tables:
                tables = now
                # The name that was given: another server may have had ours.
                given, service = service.name, announcement.service(host, tables)
                service.name = given
                await (await zeroconf.async_update_service(service))
    finally:
        with contextlib.suppress(TimeoutError, OSError, ZeroconfError):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()


async def _count(count_tables: CountTables, otherwise: int) -> int:
    try:
        return await count_tables()
    except StoreError as error:
        log("counting tables failed", problem=str(error))
        return otherwise


def own_addresses() -> list[str]:
    """The IPv4 addresses of this machine on its networks, the likeliest first."""
    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    outside = [
        address
        for address in found
        if not (ipaddress.ip_address(address).is_loopback or address.startswith("169.254."))
    ]
    likely = _address_towards("224.0.0.251")
    return sorted(outside, key=lambda address: address != likely)


def _address_towards(destination: str) -> str:
    """From which address this machine would send; nothing is sent. Empty without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((destination, 5353))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
        return address


def _shortened(name: str) -> str:
    return name.encode()[:_LONGEST_NAME].decode(errors="ignore").strip() or "qin"
