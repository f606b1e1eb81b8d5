"""Small clients for tests: the generated stubs over a real socket, and nothing else."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from qin.server.options import MEMORY, Limits, Options
from qin.server.server import Server, running
from qin.v1 import (
    info_pb2_grpc,
    lobby_pb2,
    lobby_pb2_grpc,
    offer_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    records_pb2_grpc,
    session_pb2_grpc,
    types_pb2,
    watch_pb2,
    watch_pb2_grpc,
)

_IDS = itertools.count(1)


def new_id() -> str:
    """A fresh request id."""
    return f"r{next(_IDS)}"


class Player:
    """One client with a secret of its own."""

    def __init__(self, channel: grpc.aio.Channel, name: str = "ann", token: str = "") -> None:
        self.channel = channel
        self.name = name
        self.token = token or secrets.token_hex(32)
        self.metadata: tuple[tuple[str, str], ...] = (("authorization", f"Bearer {self.token}"),)
        self.info = info_pb2_grpc.InfoServiceStub(channel)
        self.lobby = lobby_pb2_grpc.LobbyServiceStub(channel)
        self.play = play_pb2_grpc.PlayServiceStub(channel)
        self.watching = watch_pb2_grpc.WatchServiceStub(channel)
        self.sessions = session_pb2_grpc.SessionServiceStub(channel)
        self.offers = offer_pb2_grpc.OfferServiceStub(channel)
        self.records = records_pb2_grpc.RecordsServiceStub(channel)

    async def call(self, method: Callable[..., Awaitable[Any]], request: Any) -> Any:
        return await method(request, metadata=self.metadata, timeout=20)

    async def create(self, seats: int = 2, code: str = "", **settings: Any) -> types_pb2.Table:
        if "map" not in settings:
            settings.setdefault("board_name", "bird")
        request = lobby_pb2.CreateTableRequest(
            request_id=new_id(),
            settings=types_pb2.TableSettings(seats=seats, **settings),
            invite_code=code,
        )
        response: lobby_pb2.CreateTableResponse = await self.call(self.lobby.CreateTable, request)
        return response.table

    async def join(self, table_id: str, **fields: Any) -> lobby_pb2.JoinTableResponse:
        fields.setdefault("nonce", secrets.token_bytes(16))
        fields.setdefault("name", self.name)
        request = lobby_pb2.JoinTableRequest(request_id=new_id(), table_id=table_id, **fields)
        response: lobby_pb2.JoinTableResponse = await self.call(self.lobby.JoinTable, request)
        return response

    async def start(self, table_id: str) -> types_pb2.Table:
        request = lobby_pb2.StartTableRequest(request_id=new_id(), table_id=table_id)
        response: lobby_pb2.StartTableResponse = await self.call(self.lobby.StartTable, request)
        return response.table

    async def place(
        self, table_id: str, ply: int, placement: str, pile: int = 0
    ) -> play_pb2.PlaceTileResponse:
        request = play_pb2.PlaceTileRequest(
            request_id=new_id(),
            table_id=table_id,
            expected_ply=ply,
            placement=placement,
            pile=pile,
        )
        response: play_pb2.PlaceTileResponse = await self.call(self.play.PlaceTile, request)
        return response

    async def options(
        self, table_id: str, *, effects: bool = False
    ) -> play_pb2.ListPlacementsResponse:
        request = play_pb2.ListPlacementsRequest(table_id=table_id, effects=effects)
        response: play_pb2.ListPlacementsResponse = await self.call(
            self.play.ListPlacements, request
        )
        return response

    async def snapshot(self, table_id: str, code: str = "") -> watch_pb2.Snapshot:
        async with self.watch(table_id, invite_code=code) as stream:
            return (await anext(stream)).snapshot

    @asynccontextmanager
    async def watch(
        self, table_id: str, **fields: Any
    ) -> AsyncIterator[AsyncIterator[watch_pb2.WatchResponse]]:
        """Watch a table; the call is cancelled at the end, whatever happens."""
        request = watch_pb2.WatchRequest(table_id=table_id, **fields)
        stream = self.watching.Watch(request, metadata=self.metadata)
        try:
            yield aiter(stream)
        finally:
            stream.cancel()


@asynccontextmanager
async def serving(**options: Any) -> AsyncIterator[tuple[Server, grpc.aio.Channel]]:
    """A real server on a real socket, and a channel to it."""
    options.setdefault("port", 0)
    async with (
        running(Options(**options)) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        yield server, channel


def address_of_this_machine() -> str:
    """One that is not loopback. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
        return "" if address.startswith("127.") else address


@asynccontextmanager
async def from_elsewhere(
    database: str = MEMORY, *, password: str = "", **limits: int
) -> AsyncIterator[tuple[Server, grpc.aio.Channel]]:
    """A server that is called as if from another machine."""
    address = address_of_this_machine()
    if not address:
        pytest.skip("needs an address that is not loopback")
    async with (
        serving(
            host="0.0.0.0",  # noqa: S104
            database=database,
            password=password,
            limits=Limits(**limits),
        ) as (server, _),
        grpc.aio.insecure_channel(f"{address}:{server.port}") as channel,
    ):
        yield server, channel


async def seated(
    channel: grpc.aio.Channel, names: Sequence[str] = ("ann", "bob"), **settings: Any
) -> tuple[str, list[Player]]:
    """A table with all seats taken and the game on; the first player owns it."""
    players = [Player(channel, name) for name in names]
    table = await players[0].create(len(names), **settings)
    for player in players:
        await player.join(table.table_id)
    await players[0].start(table.table_id)
    return table.table_id, players


async def play_out(table_id: str, players: Sequence[Player], choose: Callable[[int], int]) -> int:
    """Play a game to its end with unary calls alone; tells the plies."""
    snapshot = await players[0].snapshot(table_id)
    turn, ply = snapshot.game.turn, snapshot.game.ply
    while turn:
        player = players[turn - 1]
        listed = await player.options(table_id)
        option = listed.options[choose(len(listed.options))]
        response = await player.place(table_id, ply, option.placement)
        ply = response.ply
        turn = (await players[0].snapshot(table_id)).game.turn
    return ply


def problem_in(error: grpc.aio.AioRpcError) -> tuple[grpc.StatusCode, str, dict[str, str]]:
    """The code, the reason and the facts of an error; no reason where it is gRPC's own."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            assert isinstance(value, bytes)
            detail = Status.FromString(value).details[0]
            info = ErrorInfo()
            detail.Unpack(info)
            assert info.domain == "qin.v1"
            return error.code(), info.reason, dict(info.metadata)
    return error.code(), "", {}


async def problem_of(call: Awaitable[object]) -> tuple[grpc.StatusCode, str, dict[str, str]]:
    """The code, the reason and the facts of a call that must fail."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return problem_in(error)
    raise AssertionError("the call went through")


async def reason_of(call: Awaitable[object]) -> str:
    return (await problem_of(call))[1]


def raw_call(channel: grpc.aio.Channel, path: str) -> Any:
    """A unary call of bytes for bytes."""
    return channel.unary_unary(path)


def raw_stream(channel: grpc.aio.Channel, path: str) -> Any:
    """A stream of bytes, for bytes."""
    return channel.unary_stream(path)


def raw_session(channel: grpc.aio.Channel, path: str) -> Any:
    """Bytes both ways."""
    return channel.stream_stream(path)


async def read_to_the_end(call: Any) -> list[Any]:
    """All messages of a stream that the server ends; raises if it ends badly."""
    return [message async for message in call]


async def until(condition: Callable[[], bool], seconds: float = 10) -> None:
    """Wait for something that nobody tells of."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.001)


async def until_so(ask: Callable[[], Awaitable[bool]], seconds: float = 10) -> None:
    """The same, where one has to ask a server."""
    async with asyncio.timeout(seconds):
        while not await ask():  # noqa: ASYNC110 - likewise
            await asyncio.sleep(0.005)
