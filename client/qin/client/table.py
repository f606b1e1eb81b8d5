"""One table of a server: sit down, play, look on."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import NamedTuple, TypeVar

import grpc.aio
from qin.client.calls import Method, call, new_request_id
from qin.client.channel import Metadata
from qin.client.errors import ClientError
from qin.client.events import table_event
from qin.client.follow import follow, past
from qin.client.happenings import (
    ConnectionBack,
    ConnectionLost,
    End,
    PresenceChanged,
    TableEvent,
    WatchEnded,
)
from qin.client.state import TableState
from qin.engine import Placement, Seat
from qin.engine.shuffle import NONCE_BYTES
from qin.v1 import lobby_pb2, lobby_pb2_grpc, play_pb2, play_pb2_grpc, types_pb2
from qin.v1.watch_pb2 import Closing, WatchRequest, WatchResponse

Request = TypeVar("Request")
Response = TypeVar("Response")

_ENDS = {
    Closing.REASON_TABLE_REMOVED: End.TABLE_REMOVED,
    Closing.REASON_SEAT_LOST: End.SEAT_LOST,
}


PAST = 500
"""So many events are told to one who comes late."""


class Update(NamedTuple):
    """What a watch brings at a time: what happened, and the table after it."""

    events: tuple[TableEvent, ...]
    """Empty at first, and where only clocks or seats changed."""
    state: TableState


class Table:
    """Made by a client. Acting calls are safe: repeated until they are answered, done once."""

    def __init__(
        self, channel: grpc.aio.Channel, sent: Metadata, table_id: str, code: str = ""
    ) -> None:
        self.table_id = table_id
        self.code = code
        self.known: TableState | None = None
        """The table as the last update of a watch told it."""
        self._channel = channel
        self._metadata = sent
        self._lobby = lobby_pb2_grpc.LobbyServiceStub(channel)
        self._play = play_pb2_grpc.PlayServiceStub(channel)

    @property
    def state(self) -> TableState:
        """The table as the watch tells it. Watch it first."""
        if self.known is None:
            raise ClientError(f"table {self.table_id} is not watched yet")
        return self.known

    async def _call(self, method: Method[Request, Response], request: Request) -> Response:
        return await call(method, request, self._metadata)

    # ---- looking on ----------------------------------------------------------------------------

    async def watch(self) -> AsyncGenerator[Update, None]:
        """What happens, as it happens, until the table is gone; nothing is missed or told twice.

        Use it in `contextlib.aclosing`, or let it run to its end.
        """
        away = False
        responses = follow(self._channel, self.table_id, self._metadata, code=self.code)
        async with aclosing(responses):
            async for response in responses:
                if isinstance(response, ConnectionLost):
                    away = True
                    yield Update((response,), self.state)
                    continue
                for part in _parts(response):
                    happened = self._take(part)
                    if away:
                        happened = (ConnectionBack(), *(happened or ()))
                        away = False
                    if happened is not None:
                        yield Update(happened, self.state)

    async def past(self) -> list[TableEvent]:
        """What happened before the state that is known: for who comes in the midst of a game."""
        known = self.state.sequence
        after = max(1, known - PAST)  # after 0 a watch opens with a snapshot
        request = WatchRequest(table_id=self.table_id, invite_code=self.code, after_sequence=after)
        if after >= known:
            return []
        events = await past(self._channel, request, self._metadata, until=known)
        return [table_event(event) for event in events]

    def _take(self, response: WatchResponse) -> tuple[TableEvent, ...] | None:
        """Bring the state up to date; tells what happened, None if nothing did."""
        if response.HasField("snapshot"):
            self.known = TableState.of(response.snapshot)
            if response.HasField("clocks"):
                self.known, _ = self.known.after(WatchResponse(clocks=response.clocks))
            return ()
        before = self.state
        self.known, events = before.after(response)
        happened: list[TableEvent] = list(events)
        happened += (
            PresenceChanged(Seat(each.seat - 1), each.connected)
            for each in response.presences
            if before.table.seats[each.seat - 1].connected != each.connected
        )
        if response.closing.reason in _ENDS:
            happened.append(WatchEnded(_ENDS[response.closing.reason]))
        changed = happened or response.HasField("table") or response.HasField("clocks")
        return tuple(happened) if changed else None

    # ---- the lobby -----------------------------------------------------------------------------

    async def look(self) -> types_pb2.Table:
        """The table as the server tells it now."""
        request = lobby_pb2.GetTableRequest(table_id=self.table_id)
        return (await self._call(self._lobby.GetTable, request)).table

    async def join(self, name: str, *, seat: int = 0, age: int = 0, ticket: str = "") -> Seat:
        """Sit down: on any free seat, on a seat by its number from 1, or on that of a ticket.

        Joining again with the same token gives the same seat.
        """
        request = lobby_pb2.JoinTableRequest(
            request_id=new_request_id(),
            table_id=self.table_id,
            seat=seat,
            name=name,
            nonce=secrets.token_bytes(NONCE_BYTES),
            age=age,
            invite_code=self.code,
            ticket=ticket,
        )
        mine = Seat((await self._call(self._lobby.JoinTable, request)).seat - 1)
        if self.known is not None:
            self.known = replace(self.known, seat=mine)  # a watch goes on as that of the seat
        return mine

    async def leave(self) -> None:
        """Stand up; while a game is on this is to resign."""
        request = lobby_pb2.LeaveTableRequest(request_id=new_request_id(), table_id=self.table_id)
        await self._call(self._lobby.LeaveTable, request)

    async def add_bot(self, bot: str, *, seat: int = 0, tournament: str = "") -> Seat:
        """Ask for a house bot, or one that waits for a tournament; it sits down a moment later."""
        request = lobby_pb2.AddBotRequest(
            request_id=new_request_id(),
            table_id=self.table_id,
            seat=seat,
            bot=bot,
            tournament=tournament,
        )
        response = await self._call(self._lobby.AddBot, request)
        self._learn(response.table)
        return Seat(response.seat - 1)

    async def free(self, seat: Seat) -> None:
        """Free a seat, from a player or a bot."""
        request = lobby_pb2.RemoveSeatRequest(
            request_id=new_request_id(), table_id=self.table_id, seat=seat + 1
        )
        self._learn((await self._call(self._lobby.RemoveSeat, request)).table)

    async def start(self) -> None:
        """Start the series."""
        request = lobby_pb2.StartTableRequest(request_id=new_request_id(), table_id=self.table_id)
        self._learn((await self._call(self._lobby.StartTable, request)).table)

    async def rematch(self) -> None:
        """Ask for another series; it starts when everybody has asked."""
        request = lobby_pb2.RematchRequest(
            request_id=new_request_id(),
            table_id=self.table_id,
            nonce=secrets.token_bytes(NONCE_BYTES),
        )
        self._learn((await self._call(self._lobby.Rematch, request)).table)

    def _learn(self, table: types_pb2.Table) -> None:
        """Know what a call has changed before the watch tells it."""
        if self.known is not None:
            self.known = replace(self.known, table=table)

    # ---- playing -------------------------------------------------------------------------------

    async def place(self, placement: Placement | str, *, pile: int = 0) -> None:
        """Place a tile in the game that is on as the watch tells it, and draw.

        Pile 0 is the fullest. The state has it at once; what happened comes with the watch.
        """
        state = self.state
        request = play_pb2.PlaceTileRequest(
            request_id=new_request_id(),
            table_id=self.table_id,
            expected_ply=state.view.ply if state.view else 0,
            expected_game=state.game,
            placement=str(placement),
            pile=pile,
        )
        self._hear(await self._call(self._play.PlaceTile, request))

    async def resign(self) -> None:
        """Give up the game that is on."""
        request = play_pb2.ResignRequest(
            request_id=new_request_id(), table_id=self.table_id, expected_game=self.state.game
        )
        self._hear(await self._call(self._play.Resign, request))

    def _hear(self, answer: play_pb2.PlaceTileResponse | play_pb2.ResignResponse) -> None:
        """Know what a call caused before the watch tells it, unless there is more between."""
        if self.known and answer.events[0].sequence == self.known.sequence + 1:
            first = next(_parts(WatchResponse(events=answer.events)))
            self.known, _ = self.known.after(first)

    async def say(self, text: str) -> None:
        """Say something to all at the table."""
        request = play_pb2.SayRequest(
            request_id=new_request_id(), table_id=self.table_id, text=text
        )
        await self._call(self._play.Say, request)


def _parts(response: WatchResponse) -> Iterator[WatchResponse]:
    """A message, cut after each start and end of a game: no game hides another."""
    done = 0
    for place, event in enumerate(response.events, 1):
        if event.WhichOneof("kind") in ("game_started", "game_ended"):
            if place == len(response.events):
                break
            yield WatchResponse(events=response.events[done:place])
            done = place
    rest = response
    if done:
        rest = WatchResponse()
        rest.CopyFrom(response)
        del rest.events[:done]
    yield rest
