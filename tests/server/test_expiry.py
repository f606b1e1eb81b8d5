"""Tables that nobody is at go after a while; their records stay."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from qin.v1 import lobby_pb2, watch_pb2
from server.house_bots import Bot, add_bot
from server.players import Player, reason_of, seated, serving
from server.scenes import make_moves, resign, say
from server.storing import Hold, records_of

KEEP = 0.8
"""Seconds; long enough to make the tables, short enough to wait for."""


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "qin.db")


async def get(player: Player, table_id: str) -> lobby_pb2.GetTableResponse:
    request = lobby_pb2.GetTableRequest(table_id=table_id)
    response: lobby_pb2.GetTableResponse = await player.call(player.lobby.GetTable, request)
    return response


async def wait_until_removed(player: Player, *table_ids: str) -> set[str]:
    """By the lobby's stream; gives all tables that it names as gone."""
    removed: set[str] = set()
    stream = player.lobby.WatchTables(lobby_pb2.WatchTablesRequest(), metadata=player.metadata)
    try:
        async with asyncio.timeout(10):
            async for response in stream:
                if response.complete:
                    left = {table.table_id for table in response.tables}
                    removed |= set(table_ids) - left
                removed |= set(response.removed)
                if removed.issuperset(table_ids):
                    break
    finally:
        stream.cancel()
    return removed


async def test_empty_abandoned_and_finished_tables_go_and_records_stay(path: str) -> None:
    async with serving(database=path, keep_seconds=KEEP) as (server, channel):
        ann = Player(channel)
        empty = (await ann.create()).table_id
        finished, players = await seated(channel)
        await resign(players[0], finished)
        abandoned, players = await seated(channel)
        await make_moves(abandoned, players, 2)
        await wait_until_removed(ann, empty, finished, abandoned)
        for table_id in (empty, finished, abandoned):
            assert await reason_of(get(ann, table_id)) == "NO_SUCH_TABLE"
        assert await reason_of(say(players[0], abandoned, "hello?")) == "NO_SUCH_TABLE"
        assert len(await records_of(ann, finished)) == 1
        assert len(server.hall) == 0
        assert await server.hall.store.read("SELECT count(*) FROM commands") == [(0,)]
    async with serving(database=path) as (server, channel):
        assert len(server.hall) == 0
        assert len(await records_of(Player(channel), finished)) == 1


async def test_a_table_that_is_watched_stays(path: str) -> None:
    async with serving(database=path, keep_seconds=KEEP) as (server, channel):
        ann = Player(channel)
        watched = (await ann.create()).table_id
        async with Player(channel, "eve").watch(watched) as stream:
            await anext(stream)
            later = (await ann.create()).table_id
            removed = await wait_until_removed(ann, later)
            assert watched not in removed
            # Whoever loses the connection has as long as anybody else to come back.
            stream_gone = time.time()
        async with asyncio.timeout(5):
            while (await get(ann, watched)).table.spectators:
                pass
        await server.hall.expire(stream_gone)
        await get(ann, watched)
        await wait_until_removed(ann, watched)


async def test_a_table_where_something_happens_stays(path: str) -> None:
    async with serving(database=path, keep_seconds=KEEP) as (_, channel):
        busy, players = await seated(channel)
        quiet = (await players[0].create()).table_id
        waiting = asyncio.create_task(wait_until_removed(players[1], quiet))
        while not waiting.done():
            await say(players[0], busy, "still here")
            await asyncio.wait([waiting], timeout=KEEP / 20)
        assert busy not in waiting.result()
        await get(players[0], busy)


async def test_old_tables_go_when_the_server_comes_back(path: str) -> None:
    async with serving(database=path) as (_, channel):
        table_id, players = await seated(channel)
        await make_moves(table_id, players, 1)
    await asyncio.sleep(KEEP)
    async with serving(database=path, keep_seconds=KEEP) as (server, channel):
        assert len(server.hall) == 1
        await wait_until_removed(Player(channel), table_id)
        assert len(server.hall) == 0


async def test_who_comes_while_a_table_is_removed_is_told(path: str) -> None:
    async with serving(database=path) as (server, channel):
        table_id, players = await seated(channel)
        hold = Hold(server.hall.store)
        await server.hall.store.read(
            "CREATE TEMP TRIGGER slowly BEFORE DELETE ON main.tables BEGIN SELECT hold(); END"
        )
        tomorrow = time.time() + server.hall.options.keep_seconds + 1
        expiring = asyncio.create_task(server.hall.expire(tomorrow))
        await hold.arrived()
        async with players[0].watch(table_id) as stream, asyncio.timeout(5):
            assert (await anext(stream)).snapshot.game.turn
            speaking = asyncio.create_task(reason_of(say(players[1], table_id, "wait!")))
            hold.release()
            responses = [response async for response in stream]
        assert responses[-1].closing.reason == watch_pb2.Closing.REASON_TABLE_REMOVED
        assert await expiring == 1
        assert await speaking == "NO_SUCH_TABLE"
        assert await reason_of(get(players[0], table_id)) == "NO_SUCH_TABLE"


async def test_a_removed_table_does_not_come_back_to_the_lobby() -> None:
    """Though a watch of it ends only after the lobby was told that it is gone."""
    async with serving() as (server, channel):
        ann, bot = Player(channel), Bot(channel, "greedy")
        await bot.ready()
        table_id = (await ann.create()).table_id
        await add_bot(ann, table_id, "greedy")
        await bot.sit(await bot.offered())
        lobby: Any = ann.lobby.WatchTables(lobby_pb2.WatchTablesRequest(), metadata=ann.metadata)
        assert (await lobby.read()).complete
        async with bot.player.watch(table_id) as stream, asyncio.timeout(5):
            await anext(stream)
            await server.hall.expire(time.time() + server.hall.options.keep_seconds + 1)
            assert [response async for response in stream][-1].HasField("closing")
        later = (await ann.create()).table_id
        told: list[str] = []
        async with asyncio.timeout(5):
            while later not in told:
                response = await lobby.read()
                told += [table.table_id for table in response.tables]
                told += [f"-{name}" for name in response.removed]
        assert told[told.index(f"-{table_id}") :] == [f"-{table_id}", later]
        lobby.cancel()
