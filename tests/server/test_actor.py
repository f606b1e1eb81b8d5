"""A table is an actor: commands at the same time, callers who go away, many tables at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import grpc
import grpc.aio
import pytest
from qin.v1 import info_pb2, lobby_pb2, play_pb2, types_pb2, watch_pb2
from server.players import Player, new_id, play_out, problem_of, reason_of, seated, serving
from server.scenes import make_moves, resign, say
from server.storing import (
    asked,
    check_gapless,
    events_after,
    held,
    no_more_room,
    records_of,
    room_again,
    views,
)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "qin.db")


async def moves_of(
    table_id: str, players: list[Player], count: int
) -> tuple[Player, list[play_pb2.PlaceTileRequest]]:
    """Whoever is to move, and some of the moves that are open."""
    game = (await players[0].snapshot(table_id)).game
    player = players[game.turn - 1]
    options = (await player.options(table_id)).options
    requests = [
        play_pb2.PlaceTileRequest(
            request_id=new_id(),
            table_id=table_id,
            expected_game=game.game,
            expected_ply=game.ply,
            placement=option.placement,
        )
        for option in options[:count]
    ]
    return player, requests


# ---- at the same time --------------------------------------------------------------------------


async def test_of_two_moves_at_the_same_time_one_wins() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        while (await players[0].snapshot(table_id)).game.turn:
            player, requests = await moves_of(table_id, players, 2)
            if len(requests) < 2:
                await player.call(player.play.PlaceTile, requests[0])
                continue
            ply = requests[0].expected_ply
            calls = [player.call(player.play.PlaceTile, request) for request in requests]
            answers = await asyncio.gather(*calls, return_exceptions=True)
            (won,) = (each for each in answers if isinstance(each, play_pb2.PlaceTileResponse))
            (lost,) = (each for each in answers if isinstance(each, grpc.aio.AioRpcError))
            assert won.ply > ply
            game = (await players[0].snapshot(table_id)).game
            if game.turn:
                assert lost.code() is grpc.StatusCode.ABORTED
                assert game.ply == won.ply
            else:
                assert lost.code() is grpc.StatusCode.FAILED_PRECONDITION
        for player in players:
            await events_after(player, table_id, 1)


async def test_the_loser_is_told_where_the_table_is() -> None:
    async with serving() as (server, channel):
        table_id, players = await seated(channel)
        player, (first, second) = await moves_of(table_id, players, 2)
        async with held(server.hall.store):
            calls = [
                asyncio.ensure_future(player.call(player.play.PlaceTile, first)),
                asyncio.ensure_future(problem_of(player.call(player.play.PlaceTile, second))),
            ]
            await asked(server.hall.store)
        answer, problem = await asyncio.gather(*calls)
        if isinstance(answer, tuple):
            answer, problem = problem, answer
        assert problem == (grpc.StatusCode.ABORTED, "STALE_PLY", {"ply": "1", "game": "1"})
        assert answer.ply == 1


async def test_the_same_request_twice_at_the_same_time_is_one_move() -> None:
    async with serving() as (server, channel):
        table_id, players = await seated(channel)
        player, (request,) = await moves_of(table_id, players, 1)
        async with held(server.hall.store):
            calls = [
                asyncio.ensure_future(player.call(player.play.PlaceTile, request)) for _ in range(5)
            ]
            await asked(server.hall.store)
        answers = await asyncio.gather(*calls)
        assert all(answer == answers[0] for answer in answers)
        assert (await player.snapshot(table_id)).game.ply == 1


async def test_nothing_is_acknowledged_before_it_is_stored() -> None:
    async with serving() as (server, channel):
        table_id, players = await seated(channel)
        player, (request,) = await moves_of(table_id, players, 1)
        create = lobby_pb2.CreateTableRequest(
            request_id=new_id(), settings=types_pb2.TableSettings(board_name="bird", seats=2)
        )
        before = await views(table_id, players)
        async with players[0].watch(table_id, after_sequence=1) as stream:
            await anext(stream)
            news = asyncio.create_task(_next_event(stream))
            async with held(server.hall.store):
                calls = [
                    asyncio.ensure_future(player.call(method, message))
                    for method, message in (
                        (player.play.PlaceTile, request),
                        (player.lobby.CreateTable, create),
                        (player.lobby.CreateTable, create),
                    )
                ]
                await asked(server.hall.store, 2)
                # Calls that need no store are answered meanwhile.
                for _ in range(5):
                    await player.call(player.info.GetInfo, info_pb2.GetInfoRequest())
                assert await views(table_id, players) == before
                assert not any(call.done() for call in [*calls, news])
            _, created, again = await asyncio.gather(*calls)
            assert created == again
            assert (await news).tile_placed.ply == 1


async def _next_event(stream: AsyncIterator[watch_pb2.WatchResponse]) -> types_pb2.Event:
    while not (response := await anext(stream)).events:
        pass
    return response.events[0]


# ---- callers who go away -----------------------------------------------------------------------


async def test_a_move_whose_caller_goes_away_while_it_is_written_is_there(path: str) -> None:
    async with serving(database=path) as (server, channel):
        table_id, players = await seated(channel)
        await make_moves(table_id, players, 2)
        player, (request,) = await moves_of(table_id, players, 1)
        last = (await player.snapshot(table_id)).sequence
        async with players[0].watch(table_id, after_sequence=last) as stream:
            async with held(server.hall.store):
                call = player.play.PlaceTile(request, metadata=player.metadata)
                await asked(server.hall.store)
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
            seen: list[types_pb2.Event] = []
            async with asyncio.timeout(5):
                while not seen:
                    seen += (await anext(stream)).events
        assert seen[0].tile_placed.placement == request.placement
        check_gapless(seen, last)
        answer = await player.call(player.play.PlaceTile, request)
        assert [event.sequence for event in answer.events] == [event.sequence for event in seen]
        await make_moves(table_id, players, 1)
        before = await views(table_id, players)
        names = [(player.name, player.token) for player in players]
    async with serving(database=path) as (_, channel):
        players = [Player(channel, *name) for name in names]
        assert await views(table_id, players) == before


async def test_a_move_whose_caller_goes_away_while_it_waits_for_another_is_not_there() -> None:
    async with serving() as (server, channel):
        table_id, players = await seated(channel)
        player, (request,) = await moves_of(table_id, players, 1)
        async with held(server.hall.store):
            speaking = asyncio.ensure_future(say(players[0], table_id, "hm"))
            await asked(server.hall.store)
            call = player.play.PlaceTile(request, metadata=player.metadata)
            # Answered after the move has arrived, as they come by the same connection.
            for _ in range(5):
                await player.call(player.info.GetInfo, info_pb2.GetInfoRequest())
            call.cancel()
            for _ in range(5):
                await player.call(player.info.GetInfo, info_pb2.GetInfoRequest())
        await speaking
        assert (await player.snapshot(table_id)).game.ply == 0
        await player.call(player.play.PlaceTile, request)


async def test_moves_cancelled_at_any_moment_are_there_or_not_at_all(path: str) -> None:
    rng = Random(7)
    there = gone = 0
    async with serving(database=path) as (server, channel):
        table_id, players = await seated(channel, ["ann", "bob", "cho"])
        names = [(player.name, player.token) for player in players]
        while (await players[0].snapshot(table_id)).game.turn:
            player, (request,) = await moves_of(table_id, players, 1)
            call = player.play.PlaceTile(request, metadata=player.metadata)
            waiting = asyncio.ensure_future(_ended(call))
            for _ in range(rng.randrange(40)):
                await asyncio.sleep(0)
            call.cancel()
            await waiting
            await server.hall.store.read("SELECT 1")  # comes after what was written before
            game = (await players[0].snapshot(table_id)).game
            if game.ply == request.expected_ply and game.turn:
                gone += 1
            else:
                there += 1
            answer = await player.call(player.play.PlaceTile, request)
            assert answer.events[0].tile_placed.placement == request.placement
        before = await views(table_id, players)
        told = [await events_after(player, table_id, 1) for player in players]
    assert there
    assert gone
    async with serving(database=path) as (_, channel):
        players = [Player(channel, *name) for name in names]
        assert await views(table_id, players) == before
        assert [await events_after(player, table_id, 1) for player in players] == told


async def _ended(
    call: grpc.aio.UnaryUnaryCall[play_pb2.PlaceTileRequest, play_pb2.PlaceTileResponse],
) -> None:
    try:
        await call
    except asyncio.CancelledError:
        if not call.cancelled():
            raise


async def test_a_table_whose_maker_goes_away_is_there_once() -> None:
    async with serving() as (server, channel):
        ann = Player(channel)
        create = lobby_pb2.CreateTableRequest(
            request_id=new_id(), settings=types_pb2.TableSettings(board_name="bird", seats=2)
        )
        async with held(server.hall.store):
            call = ann.lobby.CreateTable(create, metadata=ann.metadata)
            await asked(server.hall.store)
            call.cancel()
        created = await ann.call(ann.lobby.CreateTable, create)
        assert len(server.hall) == 1
        await ann.join(created.table.table_id)


async def test_a_table_whose_maker_goes_away_while_the_disk_is_full_is_not_there(
    path: str,
) -> None:
    async with serving(database=path) as (server, channel):
        ann, store = Player(channel), server.hall.store
        create = lobby_pb2.CreateTableRequest(
            request_id=new_id(),
            settings=types_pb2.TableSettings(board_name="bird", seats=2),
        )
        await no_more_room(store)
        while True:
            filler = lobby_pb2.CreateTableRequest(request_id=new_id(), settings=create.settings)
            try:
                await ann.call(ann.lobby.CreateTable, filler)
            except grpc.aio.AioRpcError:
                break
        tables = len(server.hall)
        async with held(store):
            call = ann.lobby.CreateTable(create, metadata=ann.metadata)
            await asked(store)
            call.cancel()
        assert await reason_of(ann.call(ann.lobby.CreateTable, create)) == "STORE_FULL"
        assert len(server.hall) == tables
        await room_again(store)
        created = await ann.call(ann.lobby.CreateTable, create)
        assert len(server.hall) == tables + 1
        assert await store.read(
            "SELECT count(*) FROM tables WHERE id = ?", created.table.table_id
        ) == [(1,)]


# ---- many --------------------------------------------------------------------------------------


async def test_fifty_tables_at_once(path: str) -> None:
    async with serving(database=path) as (server, channel):

        async def one(number: int) -> tuple[str, list[Player], list[bytes]]:
            rng = Random(number)
            table_id, players = await seated(
                channel, ["ann", "bob", "cho", "dan"][: 2 + number % 3]
            )
            if number % 10 == 0:
                await play_out(table_id, players, lambda count: int(rng.random() * count))
            else:
                await make_moves(table_id, players, 4 + number % 5)
            if number % 10 == 1:
                for player in players[1:]:
                    await resign(player, table_id)
            return table_id, players, await views(table_id, players)

        tables = await asyncio.gather(*(one(number) for number in range(50)))
        for table_id, players, before in tables:
            assert await views(table_id, players) == before
        assert server.hall.store.commits < server.hall.store.writes
    async with serving(database=path) as (_, channel):
        ann = Player(channel)
        for table_id, players, before in tables:
            again = [Player(channel, player.name, player.token) for player in players]
            assert await views(table_id, again) == before
        assert len(await records_of(ann)) == 10
