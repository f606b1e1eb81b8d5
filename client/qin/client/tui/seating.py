"""From a choice in the lobby to a seat: servers are started or called, tables made or joined."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from qin.client.address import Address
from qin.client.channel import new_token
from qin.client.client import Client, connect
from qin.client.errors import CallError
from qin.client.table import Table
from qin.client.tui.home import LAN, Home, Served, Wishes
from qin.client.tui.keeping import KeptSeat, SeatKeeper
from qin.v1 import types_pb2 as pb

_GONE = ("NO_SUCH_TABLE", "NOT_OPEN", "NO_FREE_SEAT")
"""Why a seat that was kept is not there any more."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A table, and what one is there."""

    client: Client
    table: Table
    kept: KeptSeat | None = None
    """The seat; None for one who looks on."""
    invitation: str = ""
    """The line to pass on; empty where nobody else can come."""
    starts_when_full: bool = False

    @property
    def owner(self) -> bool:
        return self.kept is not None and self.kept.owner


class Seating:
    """Everything is closed again when its context is left; seats are kept."""

    def __init__(self, home: Home, keeper: SeatKeeper) -> None:
        self._home = home
        self.keeper = keeper

    @asynccontextmanager
    async def here(self, wishes: Wishes, *, lan: bool) -> AsyncIterator[Seated]:
        """A new game that this machine serves: against bots, or for friends on the LAN."""
        bots = list(dict.fromkeys(self._home.opponents if lan else wishes.opponents))
        settings = pb.TableSettings()
        if lan:  # a bot plays on for who stays away; alone one may take one's time
            settings = pb.TableSettings(absence=pb.ABSENCE_HOUSE_BOT, absence_seconds=120)
        token = new_token()
        async with (
            self._home.serve("", lan=lan, bots=bots) as served,
            connect(served.address, token=token) as client,
        ):
            table = await _created(client, wishes, settings)
            if not lan:
                for bot in wishes.opponents:
                    await table.add_bot(served.bots[bot])
            kept = KeptSeat(
                table.table_id, token, "", served.place, owner=True, bots="\n".join(bots)
            )
            yield Seated(client, table, kept, _invitation(served, table), starts_when_full=not lan)

    @asynccontextmanager
    async def at(self, wishes: Wishes, address: Address) -> AsyncIterator[Seated]:
        """A new table at another server."""
        token = new_token()
        async with connect(address, token=token, password=wishes.password) as client:
            table = await _created(client, wishes, pb.TableSettings())
            kept = KeptSeat(table.table_id, token, _bare(address), owner=True)
            line = f"qin play '{replace(address, table=table.table_id)}'"
            yield Seated(client, table, kept, line)

    @asynccontextmanager
    async def joined(self, wishes: Wishes, address: Address) -> AsyncIterator[Seated]:
        """A seat at a table of another server; the same one if one had one there."""
        known = self.keeper.find(_bare(address), address.table)
        kept = known or KeptSeat(address.table, new_token(), _bare(address))
        async with connect(address, token=kept.token, password=wishes.password) as client:
            table = client.table(address.table, address.code)
            await table.join(wishes.name)
            yield Seated(client, table, kept)

    @asynccontextmanager
    async def back(self, wishes: Wishes, kept: KeptSeat) -> AsyncIterator[Seated]:
        """A game that was left."""
        if not kept.place:
            async with connect(kept.address, token=kept.token, password=wishes.password) as client:
                yield await self._again(wishes, client, kept, "")
            return
        lan = kept.place == LAN
        async with (
            self._home.serve(kept.place, lan=lan, bots=kept.bots.splitlines()) as served,
            connect(served.address, token=kept.token) as client,
        ):
            line = _invitation(served, client.table(kept.table))
            yield await self._again(wishes, client, kept, line)

    async def _again(
        self, wishes: Wishes, client: Client, kept: KeptSeat, invitation: str
    ) -> Seated:
        table = client.table(kept.table)
        try:
            await table.join(wishes.name)
        except CallError as error:
            if error.reason in _GONE:
                self.keeper.forget(kept)
            raise
        return Seated(client, table, kept, invitation)

    @asynccontextmanager
    async def looking_on(self, wishes: Wishes, address: Address) -> AsyncIterator[Seated]:
        async with connect(address, password=wishes.password) as client:
            yield Seated(client, client.table(address.table, address.code))


async def _created(client: Client, wishes: Wishes, settings: pb.TableSettings) -> Table:
    table = await client.create(
        board=wishes.board, seats=wishes.seats, name=wishes.name, settings=settings
    )
    await table.join(wishes.name)
    return table


def _bare(address: Address) -> str:
    return str(replace(address, table="", code=""))


def _invitation(served: Served, table: Table) -> str:
    if served.outside is None:
        return ""
    return f"qin play '{replace(served.outside, table=table.table_id)}'"
