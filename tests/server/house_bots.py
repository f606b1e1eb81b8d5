"""Bots that offer themselves and sit down where they are sent, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
from qin.server.server import Server
from qin.v1 import info_pb2, lobby_pb2, offer_pb2, types_pb2, watch_pb2
from server.players import Player, new_id

STANDS_IN: dict[str, Any] = {
    "absence": types_pb2.ABSENCE_HOUSE_BOT,
    "absence_seconds": 1,
    "first": types_pb2.FIRST_SEAT_NAMED,
    "first_seat": 2,
}
"""Settings with which a bot stands in for who stays away for a second; seat 2 starts."""


class Bot:
    """A bot on an Offer stream that sits down where it is sent."""

    def __init__(self, channel: grpc.aio.Channel, name: str, seats: int = 0) -> None:
        self.player = Player(channel, name)
        request = offer_pb2.OfferRequest(name=name, seats=seats)
        self.stream: Any = self.player.offers.Offer(request, metadata=self.player.metadata)

    async def ready(self) -> None:
        """Wait until the server knows of it."""
        while True:
            info = await self.player.call(self.player.info.GetInfo, info_pb2.GetInfoRequest())
            if self.player.name in info.house_bots:
                return

    async def offered(self) -> offer_pb2.SeatOffer:
        async with asyncio.timeout(10):
            while True:
                response: offer_pb2.OfferResponse = await self.stream.read()
                if response.HasField("seat"):
                    return response.seat

    async def sit(self, offer: offer_pb2.SeatOffer, name: str = "") -> lobby_pb2.JoinTableResponse:
        return await self.player.join(
            offer.table_id, ticket=offer.ticket, name=name or self.player.name
        )


async def bots(channel: grpc.aio.Channel, *names: str, seats: int = 0) -> list[Bot]:
    """Bots that the server knows of."""
    made = [Bot(channel, name, seats) for name in names]
    for bot in made:
        await bot.ready()
    return made


async def add_bot(owner: Player, table_id: str, bot: str) -> lobby_pb2.AddBotResponse:
    request = lobby_pb2.AddBotRequest(request_id=new_id(), table_id=table_id, bot=bot)
    response: lobby_pb2.AddBotResponse = await owner.call(owner.lobby.AddBot, request)
    return response


async def leave(player: Player, table_id: str) -> types_pb2.Table:
    request = lobby_pb2.LeaveTableRequest(request_id=new_id(), table_id=table_id)
    response: lobby_pb2.LeaveTableResponse = await player.call(player.lobby.LeaveTable, request)
    return response.table


async def table_of(player: Player, table_id: str) -> types_pb2.Table:
    request = lobby_pb2.GetTableRequest(table_id=table_id)
    response: lobby_pb2.GetTableResponse = await player.call(player.lobby.GetTable, request)
    return response.table


async def until(
    stream: AsyncIterator[watch_pb2.WatchResponse], kind: str
) -> tuple[types_pb2.Event, list[types_pb2.Event]]:
    """Read a watch until an event of a kind; gives it, and all events up to it."""
    seen: list[types_pb2.Event] = []
    async with asyncio.timeout(10):
        async for response in stream:
            for event in response.events:
                seen.append(event)
                if event.WhichOneof("kind") == kind:
                    return event, seen
    raise AssertionError(f"the stream ended without {kind}")


def tickets(server: Server, table_id: str) -> int:
    """How many tickets to a table are under way: what there is not cannot expire either."""
    return len(server.hall.offers.tickets(table_id))
