"""A client of one server: what it is, what is played there, and tables of one's own.

async with connect("192.168.1.5") as client:
    table = await client.create(board="bird", seats=2)
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TypeVar

import grpc
import grpc.aio
from qin.client.address import Address
from qin.client.calls import MAY_PASS, Method, Pauses, call, new_request_id
from qin.client.channel import connected, metadata, new_token
from qin.client.errors import refusal
from qin.client.table import Table
from qin.engine import Board, board_names
from qin.v1 import (
    info_pb2,
    info_pb2_grpc,
    lobby_pb2,
    lobby_pb2_grpc,
    offer_pb2,
    offer_pb2_grpc,
    records_pb2,
    records_pb2_grpc,
    types_pb2,
)

Request = TypeVar("Request")
Response = TypeVar("Response")


@asynccontextmanager
async def connect(
    address: Address | str, *, token: str = "", password: str = ""
) -> AsyncIterator[Client]:
    """A client of the server at an address, for as long as the context lasts.

    The token is the client's own secret: who has it has the seats and tables that were taken with
    it. Without one, a new one is made.
    """
    where = Address.parse(address) if isinstance(address, str) else address
    async with connected(where) as channel:
        yield Client(where, channel, token or new_token(), password)


class Client:
    """Made by `connect`. One token has one seat at a table; for two seats make two clients."""

    def __init__(
        self, address: Address, channel: grpc.aio.Channel, token: str, password: str
    ) -> None:
        self.address = address
        self.channel = channel
        self.token = token
        self.metadata = metadata(token=token, password=password)
        self._password = password

    def with_token(self, token: str) -> Client:
        """A client with another secret over the same connection, such as for another seat."""
        return Client(self.address, self.channel, token, self._password)

    async def call(self, method: Method[Request, Response], request: Request) -> Response:
        """Any unary call of the protocol, repeated until it is answered."""
        return await call(method, request, self.metadata)

    async def info(self) -> info_pb2.GetInfoResponse:
        """Versions, boards, house bots and limits of the server."""
        stub = info_pb2_grpc.InfoServiceStub(self.channel)
        return await self.call(stub.GetInfo, info_pb2.GetInfoRequest())

    # ---- tables --------------------------------------------------------------------------------

    async def tables(
        self, state: types_pb2.TableState.ValueType = types_pb2.TABLE_STATE_UNSPECIFIED
    ) -> list[types_pb2.Table]:
        """All tables, or those in one state, newest first."""
        stub = lobby_pb2_grpc.LobbyServiceStub(self.channel)
        found: list[types_pb2.Table] = []
        page = ""
        while True:
            request = lobby_pb2.ListTablesRequest(page_token=page, state=state)
            response = await self.call(stub.ListTables, request)
            found += response.tables
            page = response.next_page_token
            if not page:
                return found

    async def watch_tables(self) -> AsyncGenerator[list[types_pb2.Table], None]:
        """All tables, newest first, and again after every change; over lost connections."""
        stub = lobby_pb2_grpc.LobbyServiceStub(self.channel)
        pauses = Pauses()
        while True:
            known: dict[str, types_pb2.Table] = {}
            complete = False
            stream = stub.WatchTables(lobby_pb2.WatchTablesRequest(), metadata=self.metadata)
            try:
                async for response in stream:
                    pauses.reset()
                    for table in response.tables:
                        known[table.table_id] = table
                    for table_id in response.removed:
                        known.pop(table_id, None)
                    complete = complete or response.complete
                    changed = response.tables or response.removed or response.complete
                    if complete and changed:
                        yield sorted(known.values(), key=_age, reverse=True)
            except grpc.aio.AioRpcError as error:
                if error.code() not in MAY_PASS:
                    raise refusal(error) from None
            finally:
                stream.cancel()
            await pauses.wait()

    async def create(
        self,
        *,
        board: Board | str,
        seats: int = 2,
        name: str = "",
        code: str = "",
        deals: Iterable[lobby_pb2.GivenDeal] = (),
        settings: types_pb2.TableSettings | None = None,
    ) -> Table:
        """A new table, which this client owns. What else can be agreed on goes into `settings`."""
        agreed = types_pb2.TableSettings()
        if settings is not None:
            agreed.CopyFrom(settings)
        agreed.seats = seats
        if isinstance(board, str):
            agreed.board_name = board
        elif board.name in board_names() and Board.named(board.name) == board:
            agreed.board_name = board.name
        else:
            agreed.map = board.map
        request = lobby_pb2.CreateTableRequest(
            request_id=new_request_id(),
            settings=agreed,
            name=name,
            invite_code=code,
            deals=deals,
        )
        stub = lobby_pb2_grpc.LobbyServiceStub(self.channel)
        response = await self.call(stub.CreateTable, request)
        return self.table(response.table.table_id, code)

    def table(self, table_id: str = "", code: str = "") -> Table:
        """A table by its name; without one, that of the address."""
        return Table(
            self.channel,
            self.metadata,
            table_id or self.address.table,
            code or self.address.code,
        )

    # ---- offers --------------------------------------------------------------------------------

    async def offer(
        self, name: str, *, tournament: str = "", seats: int = 0
    ) -> AsyncGenerator[offer_pb2.SeatOffer, None]:
        """Seats that are handed to a bot of this name, until it stops listening."""
        stub = offer_pb2_grpc.OfferServiceStub(self.channel)
        request = offer_pb2.OfferRequest(name=name, tournament=tournament, seats=seats)
        pauses = Pauses()
        while True:
            stream = stub.Offer(request, metadata=self.metadata)
            try:
                async for response in stream:
                    pauses.reset()
                    if response.HasField("seat"):
                        yield response.seat
            except grpc.aio.AioRpcError as error:
                if error.code() not in MAY_PASS:
                    raise refusal(error) from None
            finally:
                stream.cancel()
            await pauses.wait()

    # ---- records -------------------------------------------------------------------------------

    async def records(self, table_id: str = "") -> AsyncGenerator[records_pb2.RecordInfo, None]:
        """The games that were played, or those of one table, newest first."""
        stub = records_pb2_grpc.RecordsServiceStub(self.channel)
        page = ""
        while True:
            request = records_pb2.ListRecordsRequest(page_token=page, table_id=table_id)
            response = await self.call(stub.ListRecords, request)
            for info in response.records:
                yield info
            page = response.next_page_token
            if not page:
                return

    async def record(self, record_id: str) -> str:
        """The text of a record."""
        stub = records_pb2_grpc.RecordsServiceStub(self.channel)
        request = records_pb2.GetRecordRequest(record_id=record_id)
        return (await self.call(stub.GetRecord, request)).text


def _age(table: types_pb2.Table) -> tuple[int, int, str]:
    return table.created.seconds, table.created.nanos, table.table_id
