"""Whatever anybody sends, the server answers with the right code and goes on.

Bursts of calls made by hypothesis hit tables in every state, from every kind of caller, while a
game goes on at another table.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st
from qin.server.problems import CODES
from qin.v1 import info_pb2, play_pb2, records_pb2, session_pb2
from server.messages import METHODS, TABLES, Shot, shots, shots_at
from server.players import (
    Player,
    new_id,
    problem_in,
    problem_of,
    raw_call,
    raw_session,
    raw_stream,
    read_to_the_end,
    seated,
    serving,
)

EXAMPLES = settings().max_examples
"""Of the profile: each of ours is a whole server with many calls."""
CALLERS = 7
ALLOWED = {reason: code for code, reasons in CODES.items() for reason in reasons}
RECEIVED = 64 * 1024
"""What is longer gRPC itself refuses."""


class Range:
    """A server with a table in every state to shoot at, and a game that must not notice."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self.owner, self.bob = Player(channel, "ann"), Player(channel, "bob")
        self._names: dict[str, str] = {}

    async def set_up(self) -> None:
        for name in TABLES:
            table_id = (await self.owner.create(2)).table_id
            self._names[name] = table_id
            await self.owner.join(table_id)
            if name != "<open>":
                await self.bob.join(table_id)
                await self.owner.start(table_id)
        over = play_pb2.ResignRequest(request_id=new_id(), table_id=self._names["<over>"])
        await self.bob.call(self.bob.play.Resign, over)

    @asynccontextmanager
    async def witnessed(self) -> AsyncIterator[None]:
        """Another table, whose game goes on afterwards as if nothing had been."""
        table_id, players = await seated(self.channel, ["cho", "dan"])
        async with players[0].watch(table_id) as news:
            sequence = (await anext(news)).snapshot.sequence
            yield
            await self.owner.call(self.owner.info.GetInfo, info_pb2.GetInfoRequest())
            turn = (await players[0].snapshot(table_id)).game.turn
            player = players[turn - 1]
            option = (await player.options(table_id)).options[0]
            await player.place(table_id, 0, option.placement)
            heard = await anext(news)
            while not heard.events:  # heartbeats
                heard = await anext(news)
            assert heard.events[0].sequence == sequence + 1
            assert heard.events[0].tile_placed.placement == option.placement

    def metadata(self, who: int) -> tuple[tuple[str, str], ...]:
        return (
            self.owner.metadata,
            self.bob.metadata,
            (("authorization", f"bearer {'7' * 64}"),),
            (),
            (("authorization", "Bearer zz"),),
            (("authorization", "~ ~"), ("qin-password", "x" * 100)),
            (("authorization", f"Bearer {'é'.encode().hex() * 16}"),),
        )[who]

    def bytes_of(self, shot: Shot) -> bytes:
        body = shot.raw
        for name, table_id in self._names.items():
            body = body.replace(name.encode(), table_id.encode())
        return body

    async def fire(self, shot: Shot) -> None:
        """Send it, and see that the answer is one that the contract knows."""
        body = self.bytes_of(shot)
        try:
            parsed = GetMessageClass(shot.method.input_type).FromString(body)
        except DecodeError:
            parsed = None
        try:
            async with asyncio.timeout(10):
                await self._call(shot, body, parsed)
        except grpc.aio.AioRpcError as error:
            if len(body) <= RECEIVED:
                assert_foreseen(error, shot)
        else:
            assert parsed is not None, shot

    async def _call(self, shot: Shot, body: bytes, parsed: Any) -> None:
        metadata = self.metadata(shot.who)
        if not shot.method.server_streaming:
            answer = await raw_call(self.channel, shot.path)(body, metadata=metadata)
            GetMessageClass(shot.method.output_type).FromString(answer)
        elif not shot.method.client_streaming:
            call = raw_stream(self.channel, shot.path)(body, metadata=metadata)
            try:
                await call.read()
            finally:
                call.cancel()
        else:
            await self._talk(shot.path, body, metadata, parsed)

    async def _talk(self, path: str, body: bytes, metadata: Any, parsed: Any) -> None:
        """Every command of a session has its answer."""
        # A write of our own fails in gRPC's words where the server has refused the call by then.
        call = raw_session(self.channel, path)(iter([body]), metadata=metadata)
        ids = []
        try:
            async for heard in call:
                for answer in session_pb2.ConnectResponse.FromString(heard).answers:
                    ids.append(answer.id)
                    assert answer.problem.reason != "INTERNAL"
        finally:
            call.cancel()
        assert parsed is not None
        assert sorted(ids) == sorted(command.id for command in parsed.commands)


def assert_foreseen(error: grpc.aio.AioRpcError, shot: Shot) -> None:
    code, reason, _ = problem_in(error)
    assert reason not in {"", "INTERNAL"}, (shot, error)
    assert code is ALLOWED[reason]


@asynccontextmanager
async def shooting() -> AsyncIterator[Range]:
    async with serving(heartbeat_seconds=0.05) as (_, channel):
        aim = Range(channel)
        await aim.set_up()
        async with aim.witnessed():
            yield aim


@settings(max_examples=EXAMPLES * 3 // 10)
@given(burst=st.lists(shots(CALLERS), min_size=10, max_size=40))
async def test_bursts_of_anything(burst: list[Shot]) -> None:
    async with shooting() as aim:
        await asyncio.gather(*map(aim.fire, burst))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
@settings(max_examples=EXAMPLES // 50)
@given(data=st.data())
async def test_each_method(method: Any, data: st.DataObject) -> None:
    """So that none is left out by chance: every kind of caller, garbage, and the empty message."""
    burst = data.draw(st.lists(shots_at(method, 3), min_size=20, max_size=20))
    async with shooting() as aim:
        for who in range(CALLERS):
            await aim.fire(Shot(method, b"", who))
            await aim.fire(Shot(method, b"\xff\xff\xff\xff", who))
        for shot in burst:
            await aim.fire(shot)


async def test_a_page_of_records_far_beyond_the_last() -> None:
    async with shooting() as aim:
        (method,) = (each for each in METHODS if each.name == "ListRecords")
        for digits in (18, 19, 20, 400):
            await aim.fire(Shot(method, records_pb2.ListRecordsRequest(page_token="9" * digits), 0))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
async def test_what_cannot_be_read_is_refused_as_such(method: Any) -> None:
    async with serving() as (_, channel):
        metadata = Player(channel).metadata
        path = Shot(method, b"", 0).path
        garbage = b"\xff\xff\xff\xff"
        call: Any
        if method.client_streaming:
            call = read_to_the_end(raw_session(channel, path)(iter([garbage]), metadata=metadata))
        elif method.server_streaming:
            call = read_to_the_end(raw_stream(channel, path)(garbage, metadata=metadata))
        else:
            call = raw_call(channel, path)(garbage, metadata=metadata)
        async with asyncio.timeout(10):
            code, reason, _ = await problem_of(call)
        assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_MESSAGE")


async def test_more_than_a_message_may_hold() -> None:
    async with shooting() as aim:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await aim.owner.create(map="." * 70_000)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        call = aim.owner.sessions.Connect(metadata=aim.owner.metadata)
        too_much = play_pb2.SayRequest(text="x" * 70_000)
        command = session_pb2.Command(id=1, say=too_much)
        await call.write(session_pb2.ConnectRequest(commands=[command]))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await asyncio.wait_for(read_to_the_end(call), 10)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_more_than_metadata_may_hold() -> None:
    async with shooting() as aim:
        metadata = (("authorization", "Bearer " + "a" * 40_000),)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await aim.owner.info.GetInfo(info_pb2.GetInfoRequest(), metadata=metadata)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
