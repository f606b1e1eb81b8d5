"""For tests of what is kept: hold a store up, let it run out of room, compare before and after."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager

import pytest
from qin.engine import Record, parse_record
from qin.server.store import Statement, Store, StoreError
from qin.v1 import records_pb2, types_pb2, watch_pb2
from server.players import Player

MOST_PAGES = 4294967294


class Hold:
    """Stops the store's thread within a statement that calls the SQL function `hold`."""

    def __init__(self, store: Store) -> None:
        self._arrived, self._gate = threading.Event(), threading.Event()
        store._connection.create_function("hold", 0, self._hold)

    def _hold(self) -> int:
        self._arrived.set()
        self._gate.wait(20)
        return 0

    async def arrived(self) -> None:
        await asyncio.to_thread(self._arrived.wait, 20)

    def release(self) -> None:
        self._gate.set()


@asynccontextmanager
async def held(store: Store) -> AsyncIterator[None]:
    """The store stands within a commit; whatever is written meanwhile waits for the next one."""
    hold = Hold(store)
    holding = store.write([("SELECT hold()", ())])
    await hold.arrived()
    try:
        yield
    finally:
        hold.release()
        await holding


async def asked(store: Store, jobs: int = 1) -> None:
    """Wait until so many jobs wait for a store that is held."""
    async with asyncio.timeout(20):
        while len(store._waiting) < jobs:  # noqa: ASYNC110 - there is no event for that
            await asyncio.sleep(0)


async def no_more_room(store: Store) -> None:
    """From now on SQLite refuses to let the file grow, with SQLITE_FULL as on a full disk."""
    await store.read("PRAGMA max_page_count = 1")


async def fill_up(store: Store, table_id: str) -> None:
    """Use up the room that is left where the rows of this table lie."""
    row = "INSERT INTO commands VALUES (?, ?, 0, NULL, NULL, NULL, NULL, x'', 0, '', '')"
    with pytest.raises(StoreError) as full:  # noqa: PT012 - some of them go through
        for number in itertools.count(1):
            await store.write([(row, (f"{table_id}~", number))])
    assert full.value.full


async def room_again(store: Store) -> None:
    await store.read(f"PRAGMA max_page_count = {MOST_PAGES}")


def record_row(record_id: str, table_id: str = "t") -> Statement:
    """A row that is easy to count; its id is unique."""
    return (
        "INSERT INTO records (id, table_id, public, info, text) VALUES (?, ?, 1, x'', '')",
        (record_id, table_id),
    )


async def rows(store: Store) -> list[str]:
    """The ids of the rows that are there."""
    return [str(row[0]) for row in await store.read("SELECT id FROM records ORDER BY number")]


def still(snapshot: watch_pb2.Snapshot) -> bytes:
    """A snapshot without who is connected just now: what must survive a restart."""
    kept = watch_pb2.Snapshot()
    kept.CopyFrom(snapshot)
    kept.table.spectators = 0
    for seat in kept.table.seats:
        seat.connected = False
    return kept.SerializeToString(deterministic=True)


async def views(table_id: str, viewers: Iterable[Player], code: str = "") -> list[bytes]:
    """The table as each of them sees it."""
    return [still(await viewer.snapshot(table_id, code)) for viewer in viewers]


async def events_after(
    player: Player, table_id: str, sequence: int, code: str = ""
) -> list[types_pb2.Event]:
    """What a viewer missed since an event, by a resumed watch; there must be no gap in it."""
    events: list[types_pb2.Event] = []
    watch = player.watch(table_id, after_sequence=sequence, invite_code=code)
    async with asyncio.timeout(20), watch as stream:
        async for response in stream:
            events += response.events
            if response.presences:  # who is here comes last
                break
    check_gapless(events, sequence)
    return events


def check_gapless(events: Sequence[types_pb2.Event], after: int) -> None:
    numbers = [event.sequence for event in events]
    assert numbers == list(range(after + 1, after + 1 + len(events)))


async def records_of(player: Player, table_id: str = "") -> list[Record]:
    """The records of a table, or of all, oldest first; each of them is checked."""
    found: list[Record] = []
    listing = records_pb2.ListRecordsRequest(table_id=table_id, page_size=3)
    while True:
        listed = await player.call(player.records.ListRecords, listing)
        for info in listed.records:
            request = records_pb2.GetRecordRequest(record_id=info.record_id)
            text = (await player.call(player.records.GetRecord, request)).text
            record = parse_record(text)
            record.check()
            found.append(record)
        if not listed.next_page_token:
            return found[::-1]
        listing.page_token = listed.next_page_token
