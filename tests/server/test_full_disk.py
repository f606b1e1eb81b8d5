"""A full disk: moves are refused and said to be, nothing is half there, and the game goes on."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from grpc import StatusCode
from qin.v1 import lobby_pb2, play_pb2, types_pb2
from server.players import Player, new_id, play_out, problem_of, reason_of, seated, serving
from server.storing import check_gapless, fill_up, no_more_room, records_of, room_again, views


async def next_move(
    table_id: str, players: list[Player]
) -> tuple[Player, play_pb2.PlaceTileRequest]:
    """Some move that is open to whoever is to move."""
    game = (await players[0].snapshot(table_id)).game
    player = players[game.turn - 1]
    option = (await player.options(table_id)).options[0]
    request = play_pb2.PlaceTileRequest(
        request_id=new_id(),
        table_id=table_id,
        expected_ply=game.ply,
        placement=option.placement,
    )
    return player, request


async def move_until_full(
    table_id: str, players: list[Player]
) -> tuple[Player, play_pb2.PlaceTileRequest]:
    """Play until the store has no room for a move; gives the move that was refused."""
    while True:
        player, request = await next_move(table_id, players)
        try:
            await player.call(player.play.PlaceTile, request)
        except Exception:  # noqa: BLE001 - whatever it is, it comes again and is looked at
            return player, request


async def test_moves_are_refused_while_the_disk_is_full(tmp_path: Path) -> None:
    path = str(tmp_path / "qin.db")
    async with serving(database=path) as (server, channel):
        table_id, players = await seated(channel, ["ann", "bob", "cho"])
        viewers = [*players, Player(channel, "eve")]
        start = (await players[0].snapshot(table_id)).sequence
        async with viewers[-1].watch(table_id, after_sequence=start) as stream:
            await no_more_room(server.hall.store)
            player, refused = await move_until_full(table_id, players)
            before = await views(table_id, viewers)
            for _ in range(3):
                code, reason, _ = await problem_of(player.call(player.play.PlaceTile, refused))
                assert (code, reason) == (StatusCode.RESOURCE_EXHAUSTED, "STORE_FULL")
            assert await views(table_id, viewers) == before

            await room_again(server.hall.store)
            answer = await player.call(player.play.PlaceTile, refused)
            again = await player.call(player.play.PlaceTile, refused)
            assert answer.ply == refused.expected_ply + 1
            assert again == answer
            seen: list[types_pb2.Event] = []
            async with asyncio.timeout(20):
                while not seen or seen[-1].sequence < answer.events[-1].sequence:
                    seen += (await anext(stream)).events
            check_gapless(seen, start)
        await play_out(table_id, players, lambda _: 0)
        before = await views(table_id, viewers)
    async with serving(database=path) as (_, channel):
        back = [Player(channel, viewer.name, viewer.token) for viewer in viewers]
        assert await views(table_id, back) == before
        assert len(await records_of(back[0], table_id)) == 1


async def test_other_commands_are_refused_as_well(tmp_path: Path) -> None:
    async with serving(database=str(tmp_path / "qin.db")) as (server, channel):
        table_id, players = await seated(channel)
        ann = players[0]
        open_table = await ann.create()
        await no_more_room(server.hall.store)
        await fill_up(server.hall.store, table_id)
        before = await views(open_table.table_id, [ann])
        create = lobby_pb2.CreateTableRequest(request_id=new_id(), settings=open_table.settings)
        nonce = b"n" * 16
        join = lobby_pb2.JoinTableRequest(
            request_id=new_id(), table_id=open_table.table_id, name="ann", nonce=nonce
        )
        for _ in range(2):
            assert await reason_of(ann.call(ann.lobby.CreateTable, create)) == "STORE_FULL"
            assert await reason_of(ann.call(ann.lobby.JoinTable, join)) == "STORE_FULL"
        assert await views(open_table.table_id, [ann]) == before
        listed = await ann.call(ann.lobby.ListTables, lobby_pb2.ListTablesRequest())
        assert len(listed.tables) == len(server.hall) == 2

        await room_again(server.hall.store)
        created = await ann.call(ann.lobby.CreateTable, create)
        assert (await ann.call(ann.lobby.JoinTable, join)).seat == 1
        assert len(server.hall) == 3
        await views(created.table.table_id, [ann])


async def test_what_time_brings_is_made_up_for_when_there_is_room(tmp_path: Path) -> None:
    async with serving(database=str(tmp_path / "qin.db")) as (server, channel):
        table_id, players = await seated(channel, games=2, pause_seconds=1)
        async with players[1].watch(table_id) as stream:
            await players[0].call(
                players[0].play.Resign,
                play_pb2.ResignRequest(request_id=new_id(), table_id=table_id),
            )
            await no_more_room(server.hall.store)
            await fill_up(server.hall.store, table_id)
            # The pause ends while nothing can be written.
            await asyncio.sleep(1.2)
            assert (await players[1].snapshot(table_id)).game.game == 1
            await room_again(server.hall.store)
            async with asyncio.timeout(8):
                async for response in stream:
                    if any(event.game_started.game == 2 for event in response.events):
                        break


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own that is soon full."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    try:
        mounted = os.geteuid() == 0 and not subprocess.run(mount, check=False).returncode
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("needs the right to mount a file system")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)  # noqa: S607


async def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    path = str(small_disk / "qin.db")
    async with serving(database=path) as (server, channel):
        table_id, players = await seated(channel)
        await fill_up(server.hall.store, table_id)
        player, refused = await move_until_full(table_id, players)
        before = await views(table_id, players)
        code, reason, _ = await problem_of(player.call(player.play.PlaceTile, refused))
        assert (code, reason) == (StatusCode.RESOURCE_EXHAUSTED, "STORE_FULL")
        assert await views(table_id, players) == before
        assert len(server.hall) == 1
    async with serving(database=path) as (_, channel):
        players = [Player(channel, each.name, each.token) for each in players]
        assert await views(table_id, players) == before
        (same,) = (each for each in players if each.token == player.token)
        assert await reason_of(same.call(same.play.PlaceTile, refused)) == "STORE_FULL"
        subprocess.run(  # noqa: ASYNC221 - done in no time
            ["mount", "-o", "remount,size=8m", str(small_disk)],  # noqa: S607
            check=True,
        )
        await same.call(same.play.PlaceTile, refused)
        await play_out(table_id, players, lambda _: 0)
        assert (await players[0].snapshot(table_id)).table.state == types_pb2.TABLE_STATE_FINISHED
