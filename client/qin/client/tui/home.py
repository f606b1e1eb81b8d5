"""What the screens need from whoever starts them: a server of one's own, and how to find others.

This package knows no server and no bots; the command line hands them in.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from qin.client.address import Address
from qin.client.discover import Found
from qin.engine import Board

LAN = "lan"
"""The place of games that are open to others."""


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs on this machine for a while."""

    address: Address
    """Where this client finds it."""
    place: str
    """What it is asked for by when one comes back."""
    bots: Mapping[str, str]
    """What each bot that was asked for is called at a table."""
    outside: Address | None = None
    """Where others find it; None where nobody else can."""


class Home(Protocol):
    """Serves games on this machine."""

    @property
    def opponents(self) -> Sequence[str]:
        """The bots that can be played against, the usual one first."""

    def serve(
        self, place: str, *, lan: bool, bots: Sequence[str]
    ) -> AbstractAsyncContextManager[Served]:
        """A server with these bots, for as long as the context lasts.

        `place` is one that a server had before, to go on with its games; empty for any. Raises
        `QinError` where it cannot be.
        """


Announcements = Callable[[], AsyncGenerator[Found, None]]
"""Servers on the LAN as they are heard of."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a new game is to be like, and what the player is called."""

    name: str
    board: Board
    seats: int = 2
    bots: tuple[str, ...] = ()
    password: str = ""

    @property
    def opponents(self) -> list[str]:
        """A bot for each other seat; if fewer are named they come again."""
        return [self.bots[number % len(self.bots)] for number in range(self.seats - 1)]
