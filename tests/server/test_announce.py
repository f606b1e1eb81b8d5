"""Announcing a server: real zeroconf, on loopback alone."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from qin.client.address import Address
from qin.client.discover import Found, announcements, discover
from qin.server.announce import Announcement, announced, own_addresses
from qin.server.store import StoreError

LOOPBACK = ["127.0.0.1"]
PIN = "ab" * 16


def multicast_works() -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        try:
            probe.sendto(b"", ("224.0.0.251", 5353))
        except OSError:
            return False
    return True


needs_multicast = pytest.mark.skipif(
    not multicast_works(), reason="this machine has no multicast on loopback"
)


def announcement(name: str = "") -> Announcement:
    """Of a name that no other test has: they may run at the same time."""
    return Announcement(
        name=name or f"Ann's v1.2 table {secrets.token_hex(4)}",
        version="0.1.0",
        port=4321,
        addresses=LOOPBACK,
        pin=PIN,
        needs_password=True,
    )


async def found(name: str, servers: AsyncIterator[Found], tables: int) -> Found:
    async with asyncio.timeout(20):
        async for server in servers:
            if server.name == name and server.open_tables == tables:
                return server
    raise AssertionError


@needs_multicast
async def test_a_server_is_found_with_its_open_tables_until_it_stops() -> None:
    count = 1

    async def count_tables() -> int:
        return count

    told = announcement()
    async with aclosing(announcements(interfaces=LOOPBACK)) as servers:
        began = time.monotonic()
        async with announced(told, count_tables, interfaces=LOOPBACK, look_seconds=0.05):
            assert time.monotonic() - began < 0.5  # registering takes longer; nobody waits for it
            first = await found(told.name, servers, 1)
            assert first == Found(
                name=told.name,
                address=Address("127.0.0.1", 4321, pin=PIN),
                version="0.1.0",
                protocol=1,
                open_tables=1,
                needs_password=True,
            )
            count = 3
            assert await found(told.name, servers, 3)
    assert told.name not in {server.name for server in await discover(0.5, interfaces=LOOPBACK)}


@needs_multicast
async def test_two_servers_of_one_name_are_both_found() -> None:
    async def none() -> int:
        return 0

    name = f"twins {secrets.token_hex(4)}"
    one = announcement(name)
    other = Announcement(name=name, version="0.1.0", port=4322, addresses=LOOPBACK)
    async with (
        announced(one, none, interfaces=LOOPBACK),
        announced(other, none, interfaces=LOOPBACK),
        aclosing(announcements(interfaces=LOOPBACK)) as servers,
    ):
        ports: set[int] = set()
        while len(ports) < 2:
            ports.add((await found(name, servers, 0)).address.port)
    assert ports == {4321, 4322}


def test_nothing_secret_is_announced() -> None:
    service = announcement("x" * 80 + "é").service("qin-1.local.", 2)
    assert service.decoded_properties == {
        "name": "x" * 63,
        "version": "0.1.0",
        "protocol": "1",
        "tables": "2",
        "password": "yes",
        "pin": PIN,
    }


class Listener(logging.Handler):
    """Waits for a line of the log."""

    def __init__(self, event: str) -> None:
        super().__init__()
        self._event = event
        self.heard = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == self._event:
            self.heard.set()


@pytest.fixture
def logger() -> logging.Logger:
    logger = logging.getLogger("qin.server")
    logger.setLevel(logging.INFO)
    return logger


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # zeroconf's socket
async def test_without_a_network_it_is_only_logged(logger: logging.Logger) -> None:
    async def none() -> int:
        return 0

    listener = Listener("announcing failed")
    logger.addHandler(listener)
    try:
        async with announced(announcement(), none, interfaces=["203.0.113.7"]):
            await asyncio.wait_for(listener.heard.wait(), 20)
    finally:
        logger.removeHandler(listener)


@needs_multicast
async def test_a_store_that_fails_is_only_logged(logger: logging.Logger) -> None:
    async def broken() -> int:
        raise StoreError("the disk is gone")

    listener, told = Listener("counting tables failed"), announcement()
    logger.addHandler(listener)
    try:
        async with (
            announced(told, broken, interfaces=LOOPBACK),
            aclosing(announcements(interfaces=LOOPBACK)) as servers,
        ):
            assert await found(told.name, servers, 0)
            assert listener.heard.is_set()
    finally:
        logger.removeHandler(listener)


def test_own_addresses_are_for_others() -> None:
    assert not [address for address in own_addresses() if address.startswith("127.")]
