"""Finding servers on the LAN.

Anybody on the LAN can announce anything, so nothing here is to be trusted: a pin that came this
way keeps out those who only listen, not one who poses as the server. Where that matters, use the
line that the server printed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from qin.client.address import Address, AddressError
from qin.v1.conventions import SERVICE_TYPE
from zeroconf import InterfaceChoice, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

SECONDS = 1.5
"""Enough to hear of every server that is up."""


@dataclass(frozen=True, slots=True)
class Found:
    """A server that announced itself."""

    name: str
    address: Address
    version: str
    protocol: int
    """The version of the contract that it speaks; 0 if it does not say."""
    open_tables: int
    needs_password: bool


async def discover(
    seconds: float = SECONDS, *, interfaces: Sequence[str] | None = None
) -> list[Found]:
    """Every server that is heard of within some seconds, by name."""
    found: dict[Address, Found] = {}
    try:
        async with asyncio.timeout(seconds):
            async with aclosing(announcements(interfaces=interfaces)) as servers:
                async for server in servers:
                    found[server.address] = server
    except TimeoutError:
        pass
    except OSError:
        return []  # there is no network, so nobody is on it
    return sorted(found.values(), key=lambda server: (server.name, server.address.target))


async def announcements(*, interfaces: Sequence[str] | None = None) -> AsyncGenerator[Found, None]:
    """Every server as it is heard of, and again when it has news; without end."""
    zeroconf = AsyncZeroconf(
        interfaces=list(interfaces) if interfaces else InterfaceChoice.All,
        ip_version=IPVersion.V4Only,
    )
    names: asyncio.Queue[str] = asyncio.Queue()

    def heard(
        zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        del zeroconf, service_type
        if state_change is not ServiceStateChange.Removed:
            names.put_nowait(name)

    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE_TYPE, handlers=[heard])
    try:
        while True:
            info = AsyncServiceInfo(SERVICE_TYPE, await names.get())
            if await info.async_request(zeroconf.zeroconf, timeout=1000) and (
                server := _read(info)
            ):
                yield server
    finally:
        await browser.async_cancel()
        await zeroconf.async_close()


def _read(info: AsyncServiceInfo) -> Found | None:
    """What a server says of itself; None where that makes no sense."""
    told = {key: value or "" for key, value in info.decoded_properties.items()}
    hosts = info.parsed_addresses(IPVersion.V4Only)
    try:
        address = Address(hosts[0], info.port or 0, pin=told.get("pin", ""))
    except (AddressError, IndexError):
        return None
    name = told.get("name", "")
    return Found(
        name=name if name.isprintable() and name else address.target,
        address=address,
        version=told.get("version", ""),
        protocol=_number(told.get("protocol", "")),
        open_tables=_number(told.get("tables", "")),
        needs_password=told.get("password") == "yes",
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
