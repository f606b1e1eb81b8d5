"""Clients that play on, whatever happens to their server, and note all that they are told."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import grpc
import grpc.aio
from qin.v1 import lobby_pb2, play_pb2, types_pb2, watch_pb2
from server.players import Player
from server.storing import check_gapless

LOST = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
"""What a call fails with when its server is gone: nobody knows whether it was carried out."""
OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),  # a connection of its own for each client
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 100),
)


def public(event: types_pb2.Event) -> types_pb2.Event:
    """An event as a spectator sees it."""
    shown = types_pb2.Event()
    shown.CopyFrom(event)
    if shown.HasField("drawn"):
        shown.drawn.ClearField("tile")
    if shown.HasField("game_started"):
        shown.game_started.ClearField("hand")
    return shown


@dataclass
class Ledger:
    """All that any client was ever told of one table. What was told once never changes."""

    table_id: str = ""
    events: dict[int, types_pb2.Event] = field(default_factory=dict)
    """By sequence number, as a spectator sees them."""
    acknowledged: int = 0
    """The highest number in any answer."""
    positions: dict[tuple[int, int], tuple[str, list[int]]] = field(default_factory=dict)
    """Cells and reserves by game (counted over all series) and ply, from snapshots."""
    goes_on: dict[int, bool] = field(default_factory=dict)
    """Whether there is a rematch, by the number of the event that ended a series."""

    def note(self, events: list[types_pb2.Event]) -> None:
        for event in events:
            told = public(event)
            assert self.events.setdefault(event.sequence, told) == told

    def acknowledge(self, events: list[types_pb2.Event]) -> None:
        self.note(events)
        self.acknowledged = max([self.acknowledged, *(event.sequence for event in events)])

    def games_until(self, sequence: int) -> int:
        return sum(
            event.HasField("game_started")
            for number, event in self.events.items()
            if number <= sequence
        )


@dataclass
class Counts:
    """What happened, to see that the test tests something."""

    lost: int = 0
    """Answers that never came."""
    there: int = 0
    """Requests without an answer that had been carried out wholly."""
    not_there: int = 0
    """Requests without an answer of which nothing was there."""
    resumed: int = 0


class Client:
    """One player: watches, moves when asked to, repeats what got no answer."""

    def __init__(self, port: int, name: str, seed: int, counts: Counts) -> None:
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=OPTIONS)
        self.player = Player(self.channel, name, f"{seed:064x}")
        self.ledger = Ledger()
        self.log: list[types_pb2.Event] = []
        """Every event as this seat sees it, since the first watch."""
        self.own: dict[int, types_pb2.Event] = {}
        """Events from answers to this client, by number."""
        self.nonces: list[bytes] = []
        """One for each series."""
        self._rng = Random(seed)
        self._seed = seed
        self._ids = itertools.count(1)
        self._counts = counts
        self._first = 0

    def new_id(self) -> str:
        return f"{self._seed}-{next(self._ids)}"

    def nonce(self) -> bytes:
        self.nonces.append(self._rng.randbytes(16))
        return self.nonces[-1]

    async def ask(self, method: Callable[..., Awaitable[Any]], request: Any) -> Any:
        """Ask until there is an answer, always with the same request."""
        lost_at: float | None = None
        while True:
            try:
                response = await method(
                    request, metadata=self.player.metadata, timeout=10, wait_for_ready=True
                )
            except grpc.aio.AioRpcError as error:
                if error.code() not in LOST:
                    raise
                self._counts.lost += 1
                lost_at = time.time()
            else:
                break
        if isinstance(response, play_pb2.PlaceTileResponse | play_pb2.ResignResponse):
            events = list(response.events)
            check_gapless(events, events[0].sequence - 1)
            self.ledger.acknowledge(events)
            self.own.update((event.sequence, event) for event in events)
            if lost_at:
                carried_out = events[0].time.ToMicroseconds() / 1e6 < lost_at
                self._counts.there += carried_out
                self._counts.not_there += not carried_out
        return response

    # ---- sitting down --------------------------------------------------------------------------

    async def create(self, seats: int, games: int) -> str:
        settings = types_pb2.TableSettings(board_name="bird", seats=seats, games=games)
        request = lobby_pb2.CreateTableRequest(request_id=self.new_id(), settings=settings)
        response = await self.ask(self.player.lobby.CreateTable, request)
        return str(response.table.table_id)

    async def join(self, seat: int) -> None:
        request = lobby_pb2.JoinTableRequest(
            request_id=self.new_id(),
            table_id=self.ledger.table_id,
            seat=seat,
            name=self.player.name,
            nonce=self.nonce(),
        )
        response = await self.ask(self.player.lobby.JoinTable, request)
        assert response.seat == seat

    async def start(self) -> None:
        request = lobby_pb2.StartTableRequest(
            request_id=self.new_id(), table_id=self.ledger.table_id
        )
        await self.ask(self.player.lobby.StartTable, request)

    async def rematch(self) -> None:
        request = lobby_pb2.RematchRequest(
            request_id=self.new_id(), table_id=self.ledger.table_id, nonce=self.nonce()
        )
        await self.ask(self.player.lobby.Rematch, request)

    # ---- playing -------------------------------------------------------------------------------

    async def play(self, enough: asyncio.Event) -> None:
        """Play series after series until told that it is enough, and the last one to its end."""
        over = False
        while not over:
            last = self.log[-1].sequence if self.log else self._first
            request = watch_pb2.WatchRequest(
                table_id=self.ledger.table_id, after_sequence=last, options=True
            )
            stream = self.player.watching.Watch(
                request, metadata=self.player.metadata, wait_for_ready=True
            )
            try:
                async for response in stream:
                    over = await self._hear(response, enough)
                    if over:
                        break
            except grpc.aio.AioRpcError as error:
                if error.code() not in LOST:
                    raise
                self._counts.resumed += 1
            finally:
                stream.cancel()

    async def _hear(self, response: watch_pb2.WatchResponse, enough: asyncio.Event) -> bool:
        if response.HasField("snapshot"):
            self._first = response.snapshot.sequence
        over = goes_on = False
        for event in response.events:
            last = self.log[-1].sequence if self.log else self._first
            assert event.sequence == last + 1
            self.log.append(event)
            if event.HasField("series_ended"):
                over = True
                goes_on = self.ledger.goes_on.setdefault(event.sequence, not enough.is_set())
        self.ledger.note(list(response.events))
        if response.HasField("options"):
            await self._move(response.options)
        if over and goes_on:
            await self.rematch()
        return over and not goes_on

    async def _move(self, options: watch_pb2.Options) -> None:
        table_id, chance = self.ledger.table_id, self._rng.random()
        if chance < 0.05:
            text = f"{self.player.name} thinks at ply {options.ply}"
            say = play_pb2.SayRequest(request_id=self.new_id(), table_id=table_id, text=text)
            said = await self.ask(self.player.play.Say, say)
            self.ledger.acknowledged = max(self.ledger.acknowledged, said.sequence)
        if chance > 0.97:
            resign = play_pb2.ResignRequest(request_id=self.new_id(), table_id=table_id)
            await self.ask(self.player.play.Resign, resign)
            return
        place = play_pb2.PlaceTileRequest(
            request_id=self.new_id(),
            table_id=table_id,
            expected_ply=options.ply,
            placement=self._rng.choice(options.options).placement,
        )
        await self.ask(self.player.play.PlaceTile, place)
