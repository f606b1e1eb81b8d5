"""Watching, on a stream of its own or within a session for many tables at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, NamedTuple

from qin.server import wire
from qin.server.callers import Caller
from qin.server.frames import Answer, field, serialize
from qin.server.hall import Hall
from qin.server.problems import Problem, refuse
from qin.server.rpc import unexpected
from qin.server.services import PlayService, viewer
from qin.server.store import StoreError
from qin.server.streams import Chunk, Stream
from qin.server.table import Table
from qin.server.watching import Watcher
from qin.v1 import session_pb2 as session
from qin.v1 import watch_pb2 as watch

UNDER_WAY = 128
"""Commands of one session that are worked on at a time. While there are so many nothing more is
read, so that HTTP/2 holds the client back, and one session cannot keep the loop from the others."""

_ANSWERS = session.ConnectResponse.ANSWERS_FIELD_NUMBER
_UPDATES = session.ConnectResponse.UPDATES_FIELD_NUMBER


class WatchService:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def watch(self, caller: Caller, request: watch.WatchRequest) -> AsyncIterator[Answer]:
        table = await self._hall.table(request.table_id)
        stream = self._hall.streams.open(
            lambda: _chunk(watch.WatchResponse(heartbeat=wire.heartbeat())),
            _closing(request.table_id, watch.Closing.REASON_SERVER_STOPPING),
            _closing(request.table_id, watch.Closing.REASON_TOO_SLOW),
        )
        watcher = None
        try:
            reader = Reader(stream.put, stream.put_first, stream.close)
            watcher = start_watch(self._hall, table, caller, request, reader)
            while bodies := await stream.next():
                for body in bodies:
                    yield body
        finally:
            if watcher:
                table.leave(watcher)
            self._hall.streams.forget(stream)


class Reader(NamedTuple):
    """How a watcher is reached."""

    put: Callable[[Chunk], None]
    put_first: Callable[[Iterable[Chunk]], None]
    gone: Callable[[Chunk], None]


def start_watch(
    hall: Hall, table: Table, caller: Caller, request: watch.WatchRequest, reader: Reader
) -> Watcher:
    """Send what there is, and from now on everything that happens."""
    seat = viewer(table, caller, request.invite_code, hall.options.limits)
    table.check_sequence(request.after_sequence)
    watcher = Watcher(reader.put, caller.token, seat, request, reader.gone)
    table.enter(watcher)
    reader.put_first(table.opening(watcher, request.after_sequence))
    hall.changed(table)
    if seat is not None and not table.data.stands_in(seat, caller.token):
        hall.alarms.replacing.player_is_back(table, seat)
    return watcher


class SessionService:
    def __init__(self, hall: Hall, play: PlayService, count: Callable[[Caller], None]) -> None:
        self._hall = hall
        self._play = play
        self._count = count

    async def connect(
        self, caller: Caller, requests: AsyncIterator[session.ConnectRequest]
    ) -> AsyncIterator[Answer]:
        caller.needs_token()
        stream = self._hall.streams.open(
            lambda: _update(watch.WatchResponse(heartbeat=wire.heartbeat()).SerializeToString()),
            _update(_closing("", watch.Closing.REASON_SERVER_STOPPING).body),
            _update(_closing("", watch.Closing.REASON_TOO_SLOW).body),
        )
        talk = Talk(self._hall, self._play, caller, stream, self._count)
        reading = asyncio.create_task(talk.read(requests))
        try:
            while bodies := await stream.next():
                for body in bodies:
                    yield body
            if talk.problem:
                raise talk.problem
        finally:
            reading.cancel()
            talk.end()
            self._hall.streams.forget(stream)


class Talk:
    """One session: commands come in, answers and news go out."""

    def __init__(
        self,
        hall: Hall,
        play: PlayService,
        caller: Caller,
        stream: Stream,
        count: Callable[[Caller], None],
    ) -> None:
        self._hall = hall
        self._caller = caller
        self._stream = stream
        self._count = count
        self._watches: dict[str, tuple[Table, Watcher]] = {}
        self._last: dict[str, asyncio.Task[None]] = {}
        """The command under way at each table: the next one there waits for it."""
        self._room = asyncio.Semaphore(UNDER_WAY)
        self._most = hall.options.limits.commands_per_message
        self._ended = False
        self.problem: Problem | None = None
        """Why the server ends the session, if the client sent what no session can go on with."""
        self._commands: dict[str, Callable[[Caller, Any], Awaitable[Answer]]] = {
            "place_tile": play.place_tile,
            "resign": play.resign,
            "say": play.say,
            "list_placements": play.list_placements,
            "preview_placement": play.preview_placement,
            "watch": self._watch,
            "unwatch": self._unwatch,
        }

    async def read(self, requests: AsyncIterator[session.ConnectRequest]) -> None:
        """Take commands until there are no more. Each waits only for its own table."""
        try:
            async for request in requests:
                if len(request.commands) > self._most:
                    refuse(
                        "TOO_MANY_COMMANDS",
                        f"a message has at most {self._most} commands; the session ends",
                        limit=self._most,
                    )
                for command in request.commands:
                    await self._room.acquire()
                    self._begin(command)
        except Problem as problem:
            self.problem = problem
        except Exception:  # noqa: BLE001 - gRPC raises what it likes where it cannot parse
            self.problem = Problem("BAD_MESSAGE", "this message cannot be read; the session ends")
        if self._last:
            await asyncio.wait(self._last.values())
        self._stream.close()

    def end(self) -> None:
        self._ended = True
        for table, watcher in self._watches.values():
            table.leave(watcher)
        self._watches.clear()

    def _begin(self, command: session.Command) -> None:
        table_id = _table_of(command)
        task = asyncio.create_task(self._do(command, self._last.get(table_id)))
        self._last[table_id] = task
        task.add_done_callback(lambda done: self._forget(table_id, done))

    def _forget(self, table_id: str, done: asyncio.Task[None]) -> None:
        self._room.release()
        if self._last.get(table_id) is done:
            del self._last[table_id]

    async def _do(self, command: session.Command, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before  # it raises nothing
        kind = command.WhichOneof("command")
        number = session.Answer.DESCRIPTOR.fields_by_name[kind].number if kind else 0
        problem = None
        try:
            self._count(self._caller)
            if kind is None:
                refuse("NO_COMMAND", "the command is empty, or this server does not know it")
            body = serialize(await self._commands[kind](self._caller, getattr(command, kind)))
        except Problem as refused:
            problem = refused
        except StoreError as error:
            problem = Problem.of_store(error)
        except Exception as error:  # noqa: BLE001 - the edge of the process: logged, not told
            problem = unexpected(error, f"SessionService/{kind}")
        if problem:
            number = session.Answer.PROBLEM_FIELD_NUMBER
            body = problem.message_for_session().SerializeToString()
        answer = session.Answer(id=command.id).SerializeToString() + field(number, body)
        self._stream.put(Chunk(field(_ANSWERS, answer), joinable=True))

    async def _watch(self, caller: Caller, request: watch.WatchRequest) -> Answer:
        table = await self._hall.table(request.table_id)
        if self._ended or request.table_id in self._watches:
            refuse("ALREADY_WATCHED", f"this session watches {request.table_id} already")

        def put(chunk: Chunk) -> None:
            self._stream.put(_update(chunk.body))

        def gone(chunk: Chunk) -> None:
            self._watches.pop(request.table_id, None)
            put(chunk)

        def put_first(chunks: Iterable[Chunk]) -> None:
            self._stream.put_first(_update(chunk.body) for chunk in chunks)

        watcher = start_watch(self._hall, table, caller, request, Reader(put, put_first, gone))
        self._watches[request.table_id] = (table, watcher)
        return session.WatchStarted()

    async def _unwatch(self, _caller: Caller, table_id: str) -> Answer:
        if table_id not in self._watches:
            refuse("NO_SUCH_WATCH", f"this session does not watch {table_id[:32]!r}")
        table, watcher = self._watches.pop(table_id)
        table.leave(watcher)
        return session.WatchStopped()


def _table_of(command: session.Command) -> str:
    kind = command.WhichOneof("command")
    if kind is None:
        return ""
    about: Any = getattr(command, kind)
    table_id: str = about if kind == "unwatch" else about.table_id
    return table_id


def _update(body: bytes) -> Chunk:
    return Chunk(field(_UPDATES, body), joinable=True)


def _chunk(message: watch.WatchResponse) -> Chunk:
    return Chunk(message.SerializeToString(), joinable=False)


def _closing(table_id: str, reason: watch.Closing.Reason.ValueType) -> Chunk:
    return _chunk(watch.WatchResponse(table_id=table_id, closing=watch.Closing(reason=reason)))
