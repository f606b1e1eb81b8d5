"""Who asks for far too much at once gets no more than his share of the server."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import grpc
import pytest
from qin.engine import Game, Seat
from qin.server import hall, sessions, wire
from qin.v1 import info_pb2, lobby_pb2, play_pb2, session_pb2, types_pb2
from server.players import (
    Player,
    new_id,
    problem_of,
    raw_call,
    raw_session,
    read_to_the_end,
    seated,
    serving,
)
from server.scenes import make_moves

EMPTY = b"\x0a\x00"
"""An empty command in a ConnectRequest."""


async def test_a_session_full_of_empty_commands_does_not_stop_the_server() -> None:
    """Only so many of them are under way at a time; whoever else calls is answered meanwhile."""
    messages, commands = 20, 1000
    async with serving() as (_, channel):
        flooding, other = Player(channel), Player(channel)
        quiet = len(asyncio.all_tasks())
        connect = raw_session(channel, "/qin.v1.SessionService/Connect")
        call = connect(iter([EMPTY * commands] * messages), metadata=flooding.metadata)
        reading = asyncio.create_task(read_to_the_end(call))
        answered, most = 0, 0
        while not reading.done():
            await other.call(other.info.GetInfo, info_pb2.GetInfoRequest())
            answered += 1
            most = max(most, len(asyncio.all_tasks()) - quiet)
        bodies = map(session_pb2.ConnectResponse.FromString, await reading)
        reasons = [answer.problem.reason for body in bodies for answer in body.answers]
        assert reasons == ["NO_COMMAND"] * messages * commands
        assert answered > messages
        assert most < sessions.UNDER_WAY + 20


async def test_a_message_with_too_many_commands_ends_its_session_and_nothing_else() -> None:
    async with serving() as (_, channel):
        ann = Player(channel)
        table_id = (await ann.create()).table_id
        say = play_pb2.SayRequest(request_id=new_id(), table_id=table_id, text="hello")
        first = session_pb2.ConnectRequest(commands=[session_pb2.Command(id=7, say=say)])
        connect = raw_session(channel, "/qin.v1.SessionService/Connect")
        call = connect(
            iter([first.SerializeToString(), EMPTY * 1001]), metadata=ann.metadata, timeout=10
        )
        answers: list[session_pb2.Answer] = []

        async def read() -> None:
            async for body in call:
                answers.extend(session_pb2.ConnectResponse.FromString(body).answers)

        assert await problem_of(read()) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "TOO_MANY_COMMANDS",
            {"limit": "1000"},
        )
        assert [(answer.id, answer.WhichOneof("result")) for answer in answers] == [(7, "say")]
        assert len((await ann.snapshot(table_id)).chat) == 1


async def test_options_are_built_once_a_move_however_many_watch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[tuple[int, bool]] = []
    really = wire.options

    def counted(game: Game, seat: Seat, *, effects: bool) -> list[types_pb2.Option]:
        built.append((game.ply, effects))
        return really(game, seat, effects=effects)

    monkeypatch.setattr(wire, "options", counted)
    async with serving() as (_, channel), AsyncExitStack() as stack:
        table_id, players = await seated(channel)
        streams = [
            await stack.enter_async_context(player.watch(table_id, options=True, effects=effects))
            for player in players
            for effects in (False, True) * 3
        ]
        openings = [await anext(stream) for stream in streams]
        await make_moves(table_id, players, 2)
        assert sorted(built) == sorted({*built})
        listed = await players[openings[0].snapshot.game.turn - 1].options(table_id, effects=True)
        async with players[listed.ply % 2].watch(table_id, effects=True) as _:
            assert len(built) == len({*built})
        told = [opening.options for opening in openings if opening.HasField("options")]
        assert len(told) == 6
        assert sum(bool(options.options[0].effects) for options in told) <= 3


async def test_one_player_cannot_open_any_number_of_watches() -> None:
    async with serving() as (_, channel), AsyncExitStack() as stack:
        table_id, (ann, bob) = await seated(channel)
        for _ in range(7):
            stream = await stack.enter_async_context(ann.watch(table_id, effects=True))
            await anext(stream)
        async with ann.watch(table_id) as last:
            await anext(last)
            assert await problem_of(ann.snapshot(table_id)) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_WATCHERS",
                {"limit": "8"},
            )
            assert (await bob.snapshot(table_id)).seat == 2
        async with asyncio.timeout(10):
            while True:  # until the server has noticed that one has gone
                try:
                    assert (await ann.snapshot(table_id)).seat == 1
                except grpc.aio.AioRpcError:
                    continue
                break


async def test_settings_keep_nothing_that_nobody_has_looked_at() -> None:
    unknown = b"\xfa\x3e" + bytes([100]) + b"\x1b[2J" * 25  # field 1007
    settings = types_pb2.TableSettings(board_name="bird", seats=2)
    settings.clock.move_seconds = 60
    body = settings.SerializeToString() + unknown
    request = lobby_pb2.CreateTableRequest(request_id="1").SerializeToString()
    request += b"\x12" + bytes([len(body) & 127 | 128, len(body) >> 7]) + body
    async with serving() as (_, channel):
        ann = Player(channel)
        create = raw_call(channel, "/qin.v1.LobbyService/CreateTable")
        answer = await create(request, metadata=ann.metadata)
        assert b"\x1b" not in answer
        assert lobby_pb2.CreateTableResponse.FromString(answer).table.settings == settings


async def test_the_lobby_opens_in_pieces_that_any_client_can_receive(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hall, "TABLES_PER_MESSAGE", 3)
    async with serving() as (_, channel):
        ann = Player(channel)
        made: set[str] = set()
        for more in (0, 3, 4):
            made |= {(await ann.create()).table_id for _ in range(more)}
            stream = ann.lobby.WatchTables(lobby_pb2.WatchTablesRequest(), metadata=ann.metadata)
            seen: list[lobby_pb2.WatchTablesResponse] = []
            async for response in stream:
                seen.append(response)
                if response.complete:
                    break
            stream.cancel()
            assert max(len(each.tables) for each in seen) <= 3
            listed = [table.table_id for each in seen for table in each.tables]
            assert len(listed) == len(made)
            assert {*listed} == made


async def test_the_largest_tables_fit_into_a_piece() -> None:
    largest = "/".join(["R" + "." * 25] + ["." * 26] * 25)
    async with serving() as (_, channel):
        names = ["字" * 30 + number for number in "1234"]
        clock = types_pb2.ClockSettings(total_seconds=3600, increment_seconds=60)
        table_id, (ann, *_) = await seated(
            channel, names, map=largest, clock=clock, games=100, no_spectators=False
        )
        table = (await ann.snapshot(table_id)).table
        assert table.ByteSize() * hall.TABLES_PER_MESSAGE < 2 << 20
