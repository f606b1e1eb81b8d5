"""Everything that one viewer of a table is ever sent, as bytes, while a story is played there."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import urllib.request
from collections.abc import AsyncIterator, Callable, Container, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import grpc.aio
from google.protobuf.message import Message
from qin.engine import Deal, Seat
from qin.server.logs import JsonLines
from qin.server.options import Options
from qin.server.server import Server, running
from qin.v1 import lobby_pb2, play_pb2, records_pb2, session_pb2, types_pb2, watch_pb2
from server.players import Player, raw_call, raw_session, raw_stream, until
from server.retelling import BOARD, Act, Story, given

NAMES = ("ann", "bob", "cho", "dan")
_STOPPING = watch_pb2.Closing(reason=watch_pb2.Closing.REASON_SERVER_STOPPING)


class Moment(NamedTuple):
    """One answer, or the opening of one stream."""

    act: int
    """How many acts there had been."""
    what: str
    body: bytes
    kind: type[Message] | None
    """How to read it; None for an error."""


class Mark(NamedTuple):
    """What there was to read at one point of the story."""

    moments: int
    logs: str
    metrics: str


@dataclass
class Tape:
    """All that one viewer was sent, and all that the server said of itself."""

    moments: list[Moment] = field(default_factory=list)
    streams: dict[str, bytes] = field(default_factory=dict)
    marks: dict[int, Mark] = field(default_factory=dict)


class Taping:
    """One viewer at one table with the recorder running."""

    def __init__(self, server: Server, me: Player, table_id: str) -> None:
        self.tape = Tape()
        self._server = server
        self._me = me
        self._table_id = table_id
        self._act = 0
        self._ids = 0
        self._standing = 0
        self._session: Any = None
        self._answered: dict[int, asyncio.Future[None]] = {}

    # ---- asking --------------------------------------------------------------------------------

    def _keep(self, what: str, body: bytes, kind: type[Message] | None) -> None:
        anonymous = body.replace(self._table_id.encode(), b"table1")
        self.tape.moments.append(Moment(self._act, what, anonymous, kind))

    def new_id(self) -> str:
        self._ids += 1
        return f"poke-{self._ids}"

    async def ask(self, method: str, request: Message, kind: type[Message]) -> None:
        """A unary call, with every byte of its answer or its error."""
        call = raw_call(self._me.channel, f"/qin.v1.{method}")
        try:
            body = await call(request.SerializeToString(), metadata=self._me.metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            self._keep(method, _facts(error), None)
        else:
            self._keep(method, body, kind)

    async def open(self, **fields: Any) -> bytes:
        """A fresh watch: the first message, which has everything up to now."""
        request = watch_pb2.WatchRequest(table_id=self._table_id, **fields)
        call = self._raw_stream("WatchService/Watch", request)
        body = b""
        try:
            body = await call.read()
            self._keep(f"Watch {fields}", body, watch_pb2.WatchResponse)
        except grpc.aio.AioRpcError as error:
            self._keep(f"Watch {fields}", _facts(error), None)
        finally:
            call.cancel()
        await until(lambda: len(self._server.hall.streams) == self._standing)
        return body

    def _raw_stream(self, method: str, request: Message) -> Any:
        call = raw_stream(self._me.channel, f"/qin.v1.{method}")
        return call(request.SerializeToString(), metadata=self._me.metadata)

    async def command(self, **command: Any) -> None:
        """One command of the session; its answer is on the stream."""
        self._ids += 1
        self._answered[self._ids] = asyncio.get_running_loop().create_future()
        made = session_pb2.Command(id=self._ids, **command)
        request = session_pb2.ConnectRequest(commands=[made])
        await self._session.write(request.SerializeToString())
        await asyncio.wait_for(self._answered[self._ids], 20)

    # ---- streams -------------------------------------------------------------------------------

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """A watch, a watch of the lobby and a session, from now until the server ends them."""
        mine = watch_pb2.WatchRequest(table_id=self._table_id, effects=True)
        connect = raw_session(self._me.channel, "/qin.v1.SessionService/Connect")
        everything = lobby_pb2.WatchTablesRequest()
        beginnings: dict[str, Callable[[], Any]] = {
            "watch": lambda: self._raw_stream("WatchService/Watch", mine),
            "lobby": lambda: self._raw_stream("LobbyService/WatchTables", everything),
            "session": lambda: connect(metadata=self._me.metadata),
        }
        calls: list[Any] = []
        tasks = []
        # A call begins when it is made. Each waits for the one before, of which it may tell.
        for name, begin in beginnings.items():
            calls.append(call := begin())
            begun = asyncio.Event()
            tasks.append(asyncio.create_task(self._collect(name, call, begun)))
            if name == "session":
                self._session = call
                await self.command(watch=mine)
            await begun.wait()
        self._standing = len(self._server.hall.streams)
        try:
            yield
            await asyncio.wait_for(asyncio.gather(*tasks), 20)
        finally:
            for call in calls:
                call.cancel()
        self._cut_closings()

    async def _collect(self, name: str, call: Any, begun: asyncio.Event) -> None:
        heard = bytearray()
        async for body in call:
            heard += body
            begun.set()
            if name == "session":
                for answer in session_pb2.ConnectResponse.FromString(body).answers:
                    self._answered[answer.id].set_result(None)
        anonymous = bytes(heard).replace(self._table_id.encode(), b"table1")
        self.tape.streams[name] = anonymous

    def _cut_closings(self) -> None:
        """The server was stopped: that is the end of the tape, not of the game."""
        stopping = watch_pb2.WatchResponse(closing=_STOPPING)
        endings = {
            "watch": watch_pb2.WatchResponse(table_id="table1", closing=_STOPPING),
            "session": session_pb2.ConnectResponse(updates=[stopping]),
        }
        for name, message in endings.items():
            ending = message.SerializeToString()
            assert self.tape.streams[name].endswith(ending)
            self.tape.streams[name] = self.tape.streams[name].removesuffix(ending)

    # ---- poking --------------------------------------------------------------------------------

    async def poke(self, act: int) -> None:
        """Ask for everything that can be asked for, and for some that cannot."""
        self._act = act
        table_id = self._table_id
        snapshot = watch_pb2.WatchResponse.FromString(await self.open(effects=True)).snapshot
        sequence, ply = snapshot.sequence, snapshot.game.ply
        for after in sorted({1, sequence // 2, sequence} - {0}):
            await self.open(after_sequence=after, options=True)
        await self.open(after_sequence=sequence + 1)
        get, listed = lobby_pb2.GetTableRequest(table_id=table_id), lobby_pb2.ListTablesRequest()
        await self.ask("LobbyService/GetTable", get, lobby_pb2.GetTableResponse)
        await self.ask("LobbyService/ListTables", listed, lobby_pb2.ListTablesResponse)
        known = records_pb2.ListRecordsRequest(table_id=table_id)
        await self.ask("RecordsService/ListRecords", known, records_pb2.ListRecordsResponse)
        options = play_pb2.ListPlacementsRequest(table_id=table_id, effects=True)
        await self.ask("PlayService/ListPlacements", options, play_pb2.ListPlacementsResponse)
        await self.command(list_placements=options)
        for number, placement in enumerate(_PLACEMENTS):
            preview = play_pb2.PreviewPlacementRequest(table_id=table_id, placement=placement)
            # One beyond the last pile, so that even what is allowed is refused in the end.
            place = play_pb2.PlaceTileRequest(
                request_id=self.new_id(),
                table_id=table_id,
                expected_ply=ply + (number == 1),
                placement=placement,
                pile=5,
            )
            if number % 2:
                await self.command(preview_placement=preview)
                await self.command(place_tile=place)
            else:
                response = play_pb2.PreviewPlacementResponse
                await self.ask("PlayService/PreviewPlacement", preview, response)
                await self.ask("PlayService/PlaceTile", place, play_pb2.PlaceTileResponse)
        await self.command(unwatch=table_id)
        again = watch_pb2.WatchRequest(table_id=table_id, after_sequence=1, effects=True)
        await self.command(watch=again)

    def mark(self, act: int, logs: str, metrics: str) -> None:
        self.tape.marks[act] = Mark(len(self.tape.moments), logs, metrics)


def _facts(error: grpc.aio.AioRpcError) -> bytes:
    """All that a client is told of an error."""
    facts = (error.code(), error.details(), sorted(error.trailing_metadata() or ()))
    return repr(facts).encode()


_PLACEMENTS = (
    *("Rg8Rh8", "Yf7Yg8", "Bf5Bf4", "Rh9Yi9", "Yh7Bi7", "Bh5Rg4"),  # beside the start spaces
    *("Ra1Rb1", "Ya1Bd9", "Ba13Ba12", "Rg9Yg8", "no placement"),
)


async def tape(
    told: Story,
    deals: tuple[Deal, Deal],
    viewer: Seat | None,
    pokes: Container[int],
    *,
    metrics: bool = False,
) -> Tape:
    """Play a story with its first game dealt as given; stop the server after the last act."""
    port = free_port() if metrics else None
    async with AsyncExitStack() as stack:
        logged = stack.enter_context(_logs())
        # The channel stays open while the server stops, which has last words to say.
        stopping = await stack.enter_async_context(AsyncExitStack())
        options = Options(port=0, allow_deals=True, heartbeat_seconds=3600, metrics_port=port)
        server = await stopping.enter_async_context(running(options))
        address = f"127.0.0.1:{server.port}"
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(address))
        players = [Player(channel, name) for name in NAMES[: told.players]]
        eve = Player(channel, "eve")
        table_id = await _table(players, deals)
        me = eve if viewer is None else players[viewer]
        taping = Taping(server, me, table_id)
        for player in (*players, eve):
            if player is not me:
                await anext(await stopping.enter_async_context(player.watch(table_id)))
        async with taping.listening():
            await players[0].start(table_id)
            for number in range(len(told.acts) + 1):
                if number in pokes:
                    await taping.poke(number)
                    figures = await _metrics(port) if port else ""
                    taping.mark(number, _anonymous(logged, table_id, server.port), figures)
                if number < len(told.acts):
                    await _do(taping, told.acts[number], players, me, table_id, number)
            await stopping.aclose()
    return without_record_id(taping.tape)


def without_record_id(taped: Tape) -> Tape:
    """A finished game's record has a name that is drawn by lot, such as a table's."""
    events = watch_pb2.WatchResponse.FromString(taped.streams["watch"]).events
    for name in [event.game_ended.record_id for event in events if event.HasField("game_ended")]:
        drawn, same = name.encode(), b"r" * len(name)
        taped.moments = [
            moment._replace(body=moment.body.replace(drawn, same)) for moment in taped.moments
        ]
        taped.streams = {key: body.replace(drawn, same) for key, body in taped.streams.items()}
    return taped


async def _table(players: list[Player], deals: tuple[Deal, Deal]) -> str:
    """A table for two games, of which the second is not dealt while we listen."""
    settings = types_pb2.TableSettings(
        board_name=BOARD, seats=len(players), games=2, pause_seconds=3600
    )
    request = lobby_pb2.CreateTableRequest(
        request_id="create", settings=settings, deals=map(given, deals)
    )
    table_id: str = (await players[0].call(players[0].lobby.CreateTable, request)).table.table_id
    for player in players:
        await player.join(table_id, nonce=bytes(16))
    return table_id


async def _do(
    taping: Taping, act: Act, players: list[Player], me: Player, table_id: str, number: int
) -> None:
    player = players[act.seat]
    if not act.placement:
        resign = play_pb2.ResignRequest(request_id=f"a{number}", table_id=table_id)
        if player is me:
            await taping.ask("PlayService/Resign", resign, play_pb2.ResignResponse)
        else:
            await player.call(player.play.Resign, resign)
        return
    snapshot = await player.options(table_id)
    place = play_pb2.PlaceTileRequest(
        request_id=f"a{number}",
        table_id=table_id,
        expected_ply=snapshot.ply,
        placement=act.placement,
        pile=act.pile,
    )
    if player is not me:
        await player.call(player.play.PlaceTile, place)
    elif number % 3:
        await taping.ask("PlayService/PlaceTile", place, play_pb2.PlaceTileResponse)
        await taping.ask("PlayService/PlaceTile", place, play_pb2.PlaceTileResponse)  # again
    else:
        await taping.command(place_tile=place)


# ---- what the server says of itself ------------------------------------------------------------


@contextmanager
def _logs() -> Iterator[list[str]]:
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(JsonLines().format(record))

    logger, handler = logging.getLogger("qin.server"), Keep()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _anonymous(lines: list[str], table_id: str, port: int) -> str:
    kept = [{k: v for k, v in json.loads(line).items() if k != "time"} for line in lines]
    text = "\n".join(json.dumps(line) for line in kept)
    return text.replace(table_id, "table1").replace(str(port), "port")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _metrics(port: int) -> str:
    """The figures, without those that are times."""

    def fetch() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as page:
            text: str = page.read().decode()
            return text

    lines = (await asyncio.to_thread(fetch)).splitlines()
    return "\n".join(line for line in lines if not re.search("_(sum|bucket|created)[{ ]", line))
