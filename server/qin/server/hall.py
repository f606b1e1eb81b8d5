"""All tables of a server: find, create, wake up, watch, expire."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterator
from typing import NamedTuple

from qin.server import seating
from qin.server.alarms import Alarms
from qin.server.asleep import READ_AT_ONCE, Asleep
from qin.server.callers import Caller, same
from qin.server.logs import log
from qin.server.offers import Offers
from qin.server.options import Options
from qin.server.problems import refuse
from qin.server.requests import Answered, Key, digest_of, key_of, repeated
from qin.server.reviving import revive
from qin.server.schema import INSERT_COMMAND
from qin.server.store import Statement, Store
from qin.server.streams import Chunk, Stream, Streams
from qin.server.table import Table
from qin.v1 import lobby_pb2 as lobby
from qin.v1 import types_pb2 as pb

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike: people read table ids to each other."""


TABLES_PER_MESSAGE = 500
"""At the opening of the lobby. gRPC refuses messages of more than 4 MB if not told otherwise, and a
table with a large map of its own has 2 kB."""


class Creation(NamedTuple):
    answered: Answered
    table_id: str


class Hall:
    """Use it on the event loop alone."""

    def __init__(self, options: Options, store: Store, streams: Streams) -> None:
        self.options = options
        self.store = store
        self.streams = streams
        self.offers = Offers(options.ticket_seconds)
        self.alarms = Alarms(self.offers, options.bot_grace_seconds)
        self._tables: dict[str, Table | None] = {}
        """Every table by its name, newest last; None while it is only in the store."""
        self._asleep = Asleep(store)
        self._reviving: dict[str, asyncio.Task[Table]] = {}
        self._created: dict[Key, Creation] = {}
        self._creating: dict[Key, tuple[bytes, asyncio.Task[bytes]]] = {}
        """Tables on their way into the store."""
        self._addresses: dict[str, str] = {}
        """From where each table was created, if that was another machine."""
        self._lobby: set[Stream] = set()
        self._told: dict[str, tuple[object, ...]] = {}
        """What the lobby was last told of each table."""

    def __len__(self) -> int:
        return len(self._tables)

    def awake(self) -> Iterator[Table]:
        """The tables that are in memory."""
        return (table for table in self._tables.values() if table is not None)

    async def open(self) -> None:
        """Find every table where it was; wake those up where time is running."""
        for table_id, timed, address in await self.store.read(
            "SELECT id, timed AND state = 'playing', json_extract(body, '$.address')"
            " FROM tables ORDER BY created"
        ):
            self._tables[str(table_id)] = None
            if address:
                self._addresses[str(table_id)] = str(address)
            if timed:
                await self.table(str(table_id))
        for row in await self.store.read(
            "SELECT table_id, caller, request_id, digest, response FROM commands WHERE number = 0"
        ):
            table_id, caller, request_id, digest, response = row
            assert isinstance(caller, bytes)
            assert isinstance(digest, bytes)
            assert isinstance(response, bytes)
            creation = Creation(Answered(digest, response), str(table_id))
            self._created[caller, str(request_id)] = creation

    # ---- finding -------------------------------------------------------------------------------

    async def table(self, table_id: str) -> Table:
        """A table by its name."""
        if table_id not in self._tables:
            refuse("NO_SUCH_TABLE", f"there is no table {table_id[:32]!r} on this server")
        table = self._tables[table_id]
        if table is not None:
            return table
        task = self._reviving.get(table_id)
        if task is None:
            task = self._reviving[table_id] = asyncio.create_task(self._revive(table_id))
        return await asyncio.shield(task)

    async def _revive(self, table_id: str) -> Table:
        try:
            table = await revive(table_id, self.store, self.changed)
            if table is None:
                refuse("NO_SUCH_TABLE", f"there is no table {table_id!r} on this server")
            self._tables[table_id] = table
            self._asleep.forget(table_id)
            self.alarms.set(table)
            return table
        finally:
            del self._reviving[table_id]

    async def _look_at(self, names: list[str]) -> None:
        """Have something to show of tables that are asleep."""
        here = [name for name in names if name in self._tables]
        await self._asleep.read([name for name in here if self._tables[name] is None])

    def _shown(self, name: str) -> pb.Table | None:
        """A table that was looked at; None if it has expired meanwhile."""
        table = self._tables.get(name)
        if table is not None:
            return table.message()
        return self._asleep.get(name) if name in self._tables else None

    async def is_at(self, token: bytes, table_id: str) -> bool:
        """Whether a token has a seat at a table, or owns it."""
        if not token or table_id not in self._tables:
            return False
        data = (await self.table(table_id)).data
        return same(token, data.owner) or data.chair_of(token) is not None

    async def owns(self, token: bytes, table_id: str) -> bool:
        """Whether a token owns a table that is there."""
        if not token or table_id not in self._tables:
            return False
        return same(token, (await self.table(table_id)).data.owner)

    async def page(
        self, size: int, page_token: str, state: pb.TableState.ValueType
    ) -> lobby.ListTablesResponse:
        """Some tables, newest first; the token is the name of the last one before."""
        names = list(reversed(self._tables))
        if page_token:
            if page_token not in self._tables:
                refuse("BAD_PAGE_TOKEN", "this page is gone; begin again without a token")
            names = names[names.index(page_token) + 1 :]
        response = lobby.ListTablesResponse()
        for place, name in enumerate(names):
            if len(response.tables) == size:
                response.next_page_token = response.tables[-1].table_id
                break
            if place % READ_AT_ONCE == 0:
                await self._look_at(names[place : place + READ_AT_ONCE])
            table = self._shown(name)
            if table and state in (pb.TABLE_STATE_UNSPECIFIED, table.state):
                response.tables.append(table)
        return response

    # ---- creating ------------------------------------------------------------------------------

    async def create(self, caller: Caller, request: lobby.CreateTableRequest) -> bytes:
        """A new table; the same one if the request is repeated."""
        key, digest = key_of(caller.needs_token(), request), digest_of(request)
        known = self._created.get(key)
        before = repeated(known.answered if known else None, digest, key)
        if before is not None:
            return before
        if key in self._creating:
            under_way, creation = self._creating[key]
            repeated(Answered(under_way, b""), digest, key)
            return await asyncio.shield(creation)
        limit = self.options.limits.tables_per_address
        if not caller.local and self._count(caller.address) >= limit:
            refuse(
                "TOO_MANY_TABLES",
                f"one address may have {limit} tables; each goes when nobody has been at it for"
                " a while",
                limit=limit,
            )
        now = time.time()
        data = seating.new_table(self._new_name(), now, caller, request, self.options)
        table = Table(data, self.store, self.changed)
        table.number = 1
        if data.address:
            self._addresses[data.table_id] = data.address
        creation = asyncio.create_task(self._store_new(table, key, digest, now))
        self._creating[key] = (digest, creation)
        return await asyncio.shield(creation)

    async def _store_new(self, table: Table, key: Key, digest: bytes, now: float) -> bytes:
        """Goes on to the end, also when the caller has gone."""
        data = table.data
        response = lobby.CreateTableResponse(table=table.message()).SerializeToString()
        try:
            await self.store.write(
                [
                    (
                        "INSERT INTO tables VALUES (?, ?, ?, ?, ?)",
                        (data.table_id, now, data.state.value, data.timed, data.to_json()),
                    ),
                    (
                        INSERT_COMMAND,
                        (data.table_id, 0, now, *key, digest, response, b"", 0, "", ""),
                    ),
                ]
            )
        except BaseException:
            self._addresses.pop(data.table_id, None)
            raise
        finally:
            del self._creating[key]
        self._tables[data.table_id] = table
        self._created[key] = Creation(Answered(digest, response), data.table_id)
        log("table created", table=data.table_id, board=data.board.name, seats=data.players)
        self.changed(table)
        return response

    def _count(self, address: str) -> int:
        return sum(known == address for known in self._addresses.values())

    def _new_name(self) -> str:
        while True:
            name = "".join(secrets.choice(_ALPHABET) for _ in range(6))
            if name not in self._tables:
                return name

    # ---- changing ------------------------------------------------------------------------------

    def changed(self, table: Table) -> None:
        """Something happened at a table: set its alarms, tell the lobby."""
        if table.removed:
            return  # somebody has noticed only now that it is gone
        data = table.data
        self.offers.settle(data)
        self.alarms.set(table)
        told = (data, tuple(table.present()), tuple(table.awaited), len(table.audience))
        if self._told.get(data.table_id) == told:
            return
        self._told[data.table_id] = told
        if self._lobby:
            response = lobby.WatchTablesResponse(tables=[table.message()])
            self._tell_lobby(response)

    def _tell_lobby(self, response: lobby.WatchTablesResponse) -> None:
        chunk = Chunk(response.SerializeToString(), joinable=True)
        for stream in list(self._lobby):
            stream.put(chunk)

    async def enter_lobby(self, stream: Stream) -> None:
        """Everything there is at first, then every change."""
        await self._look_at(list(self._tables))
        # From here on nothing is waited for, so that no change is missed.
        stream.put_first(self._everything())
        self._lobby.add(stream)

    def _everything(self) -> Iterator[Chunk]:
        """All tables, newest first, in messages that are small enough for any client."""
        messages = [table for name in reversed(self._tables) if (table := self._shown(name))]
        for start in range(0, len(messages) or 1, TABLES_PER_MESSAGE):
            end = start + TABLES_PER_MESSAGE
            some = lobby.WatchTablesResponse(
                tables=messages[start:end], complete=end >= len(messages)
            )
            yield Chunk(some.SerializeToString(), joinable=False)

    def leave_lobby(self, stream: Stream) -> None:
        self._lobby.discard(stream)

    # ---- expiring ------------------------------------------------------------------------------

    async def expire(self, now: float) -> int:
        """Remove tables that nobody has been at for a while; their records stay."""
        oldest = now - self.options.keep_seconds
        # The last command of each table, one by one: to look through all would hold up the moves.
        asleep = {
            row[0]
            for row in await self.store.read(
                "SELECT id FROM tables WHERE"
                " (SELECT time FROM commands WHERE table_id = id ORDER BY number DESC LIMIT 1) < ?",
                oldest,
            )
        }
        removed = 0
        for name, awake in list(self._tables.items()):
            if awake is None and name not in asleep:
                continue
            table = awake or await self.table(name)
            removed += await self._remove(table, oldest)
        return removed

    async def _remove(self, table: Table, unless_active_since: float) -> bool:
        name = table.data.table_id
        statements: list[Statement] = [
            ("DELETE FROM tables WHERE id = ?", (name,)),
            ("DELETE FROM commands WHERE table_id = ?", (name,)),
        ]
        if not await table.remove(unless_active_since, statements):
            return False
        self.alarms.clear(table)
        self.offers.forget(name)
        self._tables.pop(name, None)
        self._told.pop(name, None)
        self._asleep.forget(name)
        self._addresses.pop(name, None)
        for key, creation in list(self._created.items()):
            if creation.table_id == name:
                del self._created[key]
        self._tell_lobby(lobby.WatchTablesResponse(removed=[name]))
        log("table removed", table=name)
        return True
