"""A server that stops and starts again finds every table where it was."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from qin.server.options import Limits, Options
from qin.server.server import running
from qin.v1 import lobby_pb2, play_pb2, records_pb2, types_pb2, watch_pb2
from server.players import Player, reason_of, seated, serving
from server.scenes import (
    SCENES,
    Scene,
    in_the_pause_of_a_series,
    make_moves,
    mid_game,
    resign,
    say,
    with_a_clock,
)
from server.storing import check_gapless, events_after, records_of, views

MakeScene = Callable[[grpc.aio.Channel], Awaitable[Scene]]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "qin.db")


async def table_of(player: Player, table_id: str) -> types_pb2.Table:
    request = lobby_pb2.GetTableRequest(table_id=table_id)
    response: lobby_pb2.GetTableResponse = await player.call(player.lobby.GetTable, request)
    return response.table


# ---- tables ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", SCENES, ids=lambda make: make.__name__)
async def test_a_table_is_where_it_was(path: str, make: MakeScene) -> None:
    async with serving(database=path) as (_, channel):
        scene = await make(channel)
        viewers = scene.viewers(channel)
        before = await views(scene.table_id, viewers, scene.code)
        told = [await events_after(one, scene.table_id, 1, scene.code) for one in viewers]
    async with serving(database=path) as (_, channel):
        viewers = scene.viewers(channel)
        assert await views(scene.table_id, viewers, scene.code) == before
        again = [await events_after(one, scene.table_id, 1, scene.code) for one in viewers]
        assert again == told
        if scene.code:
            stranger = Player(channel, "mallory")
            assert await reason_of(stranger.snapshot(scene.table_id)) == "CODE_WRONG"


async def test_all_tables_are_listed_as_before_and_go_on(path: str) -> None:
    async with serving(database=path) as (_, channel):
        scenes = [await make(channel) for make in SCENES]
        ann = Player(channel)
        before = await ann.call(ann.lobby.ListTables, lobby_pb2.ListTablesRequest())
    async with serving(database=path) as (server, channel):
        ann = Player(channel)
        after = await ann.call(ann.lobby.ListTables, lobby_pb2.ListTablesRequest())
        assert after == before
        assert len(after.tables) == len(SCENES)
        stream: Any = ann.lobby.WatchTables(lobby_pb2.WatchTablesRequest())
        assert list((await stream.read()).tables) == list(after.tables)
        stream.cancel()
        # Only where time is running anybody has to be woken up for that.
        assert [table.data.timed for table in server.hall.awake()] == [True, True]
        assert [await table_of(ann, table.table_id) for table in after.tables] == list(after.tables)
        for scene, table in zip(scenes, reversed(after.tables), strict=True):
            assert scene.table_id == table.table_id
            players = scene.viewers(channel)
            if table.state == types_pb2.TABLE_STATE_PLAYING and table.game == 1:
                game = (await players[0].snapshot(scene.table_id)).game
                if game.turn:
                    await make_moves(scene.table_id, players, 3)


@pytest.mark.parametrize("make", [mid_game, in_the_pause_of_a_series])
async def test_a_game_is_played_to_its_end_after_restarts(path: str, make: MakeScene) -> None:
    async with serving(database=path) as (_, channel):
        scene = await make(channel)
    for _ in range(3):
        async with serving(database=path) as (server, channel):
            players = scene.viewers(channel)
            if not (await players[0].snapshot(scene.table_id)).game.turn:
                break
            await make_moves(scene.table_id, players, 2)
    async with serving(database=path) as (server, channel):
        players = scene.viewers(channel)
        for player in players[:3]:
            game = (await players[0].snapshot(scene.table_id)).game
            if game.turn and players.index(player) + 1 not in game.out:
                await resign(player, scene.table_id)
        assert len(await records_of(players[0], scene.table_id)) == 1
        assert len(server.hall) == 1


# ---- watching ----------------------------------------------------------------------------------


async def test_a_watch_is_told_of_the_end_and_resumes_without_a_gap(path: str) -> None:
    async with running(Options(port=0, database=path)) as server:
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}")
        table_id, players = await seated(channel)
        names = [(player.name, player.token) for player in players]
        request = watch_pb2.WatchRequest(table_id=table_id, after_sequence=1)
        watching = players[0].watching.Watch(request, metadata=players[0].metadata)
        await make_moves(table_id, players, 5)
    # The server has stopped while the watch was open, and nothing of it was read.
    async with asyncio.timeout(20):
        responses = [response async for response in watching]
    assert responses[-1].closing.reason == watch_pb2.Closing.REASON_SERVER_STOPPING
    seen = [event for response in responses for event in response.events]
    check_gapless(seen, 1)
    assert sum(event.HasField("tile_placed") for event in seen) == 5
    await channel.close()
    async with serving(database=path) as (_, channel):
        players = [Player(channel, name, token) for name, token in names]
        await say(players[1], table_id, "are you there?")
        await make_moves(table_id, players, 4)
        missed = await events_after(players[0], table_id, seen[-1].sequence)
        assert missed[0].said.text == "are you there?"
        assert seen + missed == await events_after(players[0], table_id, 1)
        beyond = missed[-1].sequence + 1
        async with players[0].watch(table_id, after_sequence=beyond) as stream:
            assert await reason_of(anext(stream)) == "SEQUENCE_UNKNOWN"


async def test_whoever_was_away_for_long_is_told_everything(path: str) -> None:
    async with serving(database=path) as (_, channel):
        table_id, players = await seated(channel)
        await asyncio.gather(*(say(players[0], table_id, "x" * 300) for _ in range(450)))
        name, token = players[1].name, players[1].token
    # Far more than may wait for a watcher that reads too slowly.
    async with serving(database=path, limits=Limits(backlog_bytes=10_000)) as (_, channel):
        missed = await events_after(Player(channel, name, token), table_id, 1)
        assert sum(event.HasField("said") for event in missed) == 450


# ---- repeating ---------------------------------------------------------------------------------


async def test_a_request_repeated_after_a_restart_gives_the_same_answer(path: str) -> None:
    async with serving(database=path) as (_, channel):
        ann, bob = Player(channel), Player(channel, "bob")
        create = lobby_pb2.CreateTableRequest(
            request_id="create", settings=types_pb2.TableSettings(board_name="bird", seats=2)
        )
        table_id = (await ann.call(ann.lobby.CreateTable, create)).table.table_id
        fields = {"table_id": table_id, "nonce": b"n" * 16}
        asked: list[tuple[str, str, str, Any]] = [
            ("ann", "lobby", "CreateTable", create),
            *(
                (
                    name,
                    "lobby",
                    "JoinTable",
                    lobby_pb2.JoinTableRequest(request_id="j", name=name, **fields),
                )
                for name in ("ann", "bob")
            ),
            (
                "ann",
                "lobby",
                "StartTable",
                lobby_pb2.StartTableRequest(request_id="s", table_id=table_id),
            ),
            (
                "bob",
                "play",
                "Say",
                play_pb2.SayRequest(request_id="hi", table_id=table_id, text="hi"),
            ),
        ]
        both = {"ann": ann, "bob": bob}

        async def ask(name: str, service: str, method: str, request: Any) -> bytes:
            player = both[name]
            call = getattr(getattr(player, service), method)
            response: bytes = (await player.call(call, request)).SerializeToString()
            return response

        answers = [await ask(*each) for each in asked]
        game = (await ann.snapshot(table_id)).game
        mover = "ann" if game.turn == 1 else "bob"
        option = (await both[mover].options(table_id)).options[0]
        place = play_pb2.PlaceTileRequest(
            request_id="p", table_id=table_id, placement=option.placement, pile=2
        )
        asked += [
            (mover, "play", "PlaceTile", place),
            ("bob", "play", "Resign", play_pb2.ResignRequest(request_id="r", table_id=table_id)),
        ]
        answers += [await ask(*each) for each in asked[-2:]]
        before = await views(table_id, [ann, bob])
        tokens = {name: player.token for name, player in both.items()}
    async with serving(database=path) as (server, channel):
        both = {name: Player(channel, name, token) for name, token in tokens.items()}
        assert [await ask(*each) for each in asked] == answers
        assert await views(table_id, both.values()) == before
        assert len(server.hall) == 1
        other = play_pb2.SayRequest(request_id="p", table_id=table_id, text="something else")
        spoken = both[mover].call(both[mover].play.Say, other)
        assert await reason_of(spoken) == "REQUEST_ID_REUSED"
        other_table = lobby_pb2.CreateTableRequest(
            request_id="create", settings=types_pb2.TableSettings(board_name="bird", seats=3)
        )
        created = both["ann"].call(both["ann"].lobby.CreateTable, other_table)
        assert await reason_of(created) == "REQUEST_ID_REUSED"


# ---- time --------------------------------------------------------------------------------------


async def clocks_of(player: Player, table_id: str) -> types_pb2.Clocks:
    async with player.watch(table_id) as stream:
        return (await anext(stream)).clocks


async def test_clocks_stand_while_the_server_is_down(path: str) -> None:
    async with serving(database=path) as (_, channel):
        scene = await with_a_clock(channel)
        before = await clocks_of(scene.players[0], scene.table_id)
        began = time.monotonic()
    await asyncio.sleep(0.6)
    down = time.monotonic() - began
    async with serving(database=path) as (_, channel):
        after = await clocks_of(scene.viewers(channel)[0], scene.table_id)
    assert after.running == before.running
    for seat, (left, was) in enumerate(
        zip(after.remaining_ms, before.remaining_ms, strict=True), start=1
    ):
        if seat != after.running:
            assert left == was
        else:
            assert left > was - down * 1000 / 2


async def test_a_clock_goes_on_after_a_restart_though_nobody_comes(path: str) -> None:
    clock = types_pb2.ClockSettings(move_seconds=1)
    async with serving(database=path) as (_, channel):
        table_id, players = await seated(channel, clock=clock)
        name, token = players[0].name, players[0].token
    await asyncio.sleep(1.1)  # longer than the time for a move
    began = time.monotonic()
    async with serving(database=path) as (server, channel):
        assert [table.data.table_id for table in server.hall.awake()] == [table_id]
        async with asyncio.timeout(5), Player(channel, name, token).watch(table_id) as stream:
            assert (await anext(stream)).snapshot.table.state == types_pb2.TABLE_STATE_PLAYING
            async for response in stream:
                if response.events:
                    break
        assert response.events[0].withdrew.forfeit
        assert time.monotonic() - began > 0.95


async def test_a_pause_ends_after_a_restart(path: str) -> None:
    async with serving(database=path) as (_, channel):
        table_id, players = await seated(channel, games=2, pause_seconds=1)
        await resign(players[0], table_id)
        name, token = players[0].name, players[0].token
    async with serving(database=path) as (_, channel), asyncio.timeout(5):
        ann = Player(channel, name, token)
        async with ann.watch(table_id) as stream:
            assert (await anext(stream)).snapshot.game.game == 1
            async for response in stream:
                if response.events:
                    break
        assert response.events[0].game_started.game == 2
        assert len(response.events[0].game_started.hand) == 3


# ---- records -----------------------------------------------------------------------------------


async def test_records_stay_and_are_paged(path: str) -> None:
    tables: list[str] = []
    async with serving(database=path) as (_, channel):
        for number in range(7):
            table_id, players = await seated(channel)
            await make_moves(table_id, players, number % 3 + 1)
            await resign(players[number % 2], table_id)
            tables.append(table_id)
        hidden, players = await seated(channel, no_spectators=True)
        await resign(players[0], hidden)
        token = players[0].token
    async with serving(database=path) as (_, channel):
        ann = Player(channel)
        sizes: list[int] = []
        request = records_pb2.ListRecordsRequest(page_size=3)
        while request.page_token or not sizes:
            listed = await ann.call(ann.records.ListRecords, request)
            sizes.append(len(listed.records))
            request.page_token = listed.next_page_token
        assert sizes == [3, 3, 1]
        records = [*await records_of(ann), *await records_of(Player(channel, token=token), hidden)]
        assert [record.tags["Table"] for record in records] == [*tables, hidden]
        assert all("Salt" in record.tags for record in records)
        for wrong in ("-1", "x", "9" * 19, "9" * 100, "\N{ARABIC-INDIC DIGIT ONE}"):
            request.page_token = wrong
            assert await reason_of(ann.call(ann.records.ListRecords, request)) == "BAD_PAGE_TOKEN"
        await ann.create()  # the store is well
