"""Connections that are half open, die, or never read: nobody else notices."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc.aio
import pytest
from qin.server.options import Limits
from qin.server.server import Server
from qin.v1 import info_pb2, play_pb2, session_pb2, watch_pb2
from server.players import Player, new_id, seated, serving, until

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
HALF_OPEN = {
    "silent": b"",
    "a preface and nothing more": PREFACE,
    "half a preface": PREFACE[:10],
    "settings and nothing more": PREFACE + SETTINGS,
    "half a frame": PREFACE + SETTINGS + b"\x00\x40\x00\x01\x04\x00\x00\x00\x01half",
    "a frame that is too long": PREFACE + SETTINGS + b"\xff\xff\xff\x00\x00\x00\x00\x00\x01",
    "HTTP/1": b"GET / HTTP/1.1\r\nHost: qin\r\n\r\n",
    "TLS": bytes.fromhex("16030100a5010000a10303") + bytes(150),
    "garbage": bytes(range(256)) * 20,
}
LONG = "x" * 300
CLOSED = watch_pb2.Closing.REASON_TOO_SLOW


async def say(player: Player, table_id: str, text: str = LONG) -> int:
    request = play_pb2.SayRequest(request_id=new_id(), table_id=table_id, text=text)
    sequence: int = (await player.call(player.play.Say, request)).sequence
    return sequence


@pytest.mark.parametrize("sent", HALF_OPEN.values(), ids=HALF_OPEN.keys())
async def test_half_open_connections_hold_up_nobody(sent: bytes) -> None:
    async with serving() as (server, channel), AsyncExitStack() as stack:
        table_id, players = await seated(channel)
        for _ in range(20):
            raw = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            raw.sendall(sent)
        await players[0].call(players[0].info.GetInfo, info_pb2.GetInfoRequest())
        mover = players[(await players[0].snapshot(table_id)).game.turn - 1]
        option = (await mover.options(table_id)).options[0]
        assert (await mover.place(table_id, 0, option.placement)).ply == 1


async def assert_noticed(end: signal.Signals, **options: float) -> None:
    """The others at a table are told when the process of a player is killed, or stands still."""
    async with serving(**options) as (server, channel):
        table_id, (ann, bob) = await seated(channel)
        async with ann.watch(table_id) as stream:
            await anext(stream)
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                str(Path(__file__).with_name("silent_watcher.py")),
                f"127.0.0.1:{server.port}",
                table_id,
                bob.token,
                stdout=asyncio.subprocess.PIPE,
            )
            try:
                assert process.stdout is not None
                assert await process.stdout.readline() == b"watching\n"
                came = await presences(stream)
                process.send_signal(end)
                async with asyncio.timeout(20):
                    went = await presences(stream)
            finally:
                if process.returncode is None:
                    process.kill()
                await process.wait()
        assert [(each.seat, each.connected) for each in (*came, *went)] == [(2, True), (2, False)]
        await until(lambda: not len(server.hall.streams))


async def presences(stream: AsyncIterator[watch_pb2.WatchResponse]) -> list[watch_pb2.Presence]:
    """The next ones, whatever else comes."""
    while not (found := list((await anext(stream)).presences)):
        pass
    return found


async def test_a_client_that_is_killed_is_gone() -> None:
    await assert_noticed(signal.SIGKILL)


async def test_a_dead_connection_that_nobody_closed_is_noticed_within_seconds() -> None:
    """As of a machine that has lost its network: gRPC alone would wait for a minute or two."""
    await assert_noticed(signal.SIGSTOP, heartbeat_seconds=0.5, silence_seconds=1)


# ---- who never reads ---------------------------------------------------------------------------


@asynccontextmanager
async def crowded(heartbeat: float) -> AsyncIterator[tuple[Server, str, Player, Player]]:
    """A table on a server with little room for what waits."""
    limits = Limits(backlog_bytes=20_000)
    async with serving(limits=limits, heartbeat_seconds=heartbeat) as (server, channel):
        table_id, (ann, bob) = await seated(channel)
        yield server, table_id, ann, bob


def waiting(server: Server) -> int:
    """The bytes that wait for the stream that has most of them."""
    streams = server.hall.streams._open
    return max((sum(len(chunk.body) for chunk in each._chunks) for each in streams), default=0)


@asynccontextmanager
async def narrow(server: Server, like: Player | None = None) -> AsyncIterator[Player]:
    """A client that takes little more from the network than it reads."""
    options = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1000)]
    address = f"127.0.0.1:{server.port}"
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        yield Player(channel, "eve", like.token if like else "")


async def talk_until_dropped(server: Server, table_id: str, ann: Player, bob: Player) -> int:
    """Speak while bob reads and another does not; tells how many events there were."""
    (slow,) = server.hall.streams._open
    async with bob.watch(table_id) as stream:
        last = (await anext(stream)).snapshot.sequence
        sent = last
        while not slow.closed:
            sent = await say(ann, table_id)
            assert waiting(server) <= 20_000 + 2 * len(LONG)
            assert sent < last + 5000, "the server never minds"
        while last < sent:
            for event in (await anext(stream)).events:
                last += 1
                assert event.sequence == last
    return last


async def test_who_reads_too_slowly_is_told_and_comes_back() -> None:
    async with (
        crowded(heartbeat=3600) as (server, table_id, ann, bob),
        narrow(server) as eve,
    ):
        async with eve.watch(table_id) as slow:
            heard = [await anext(slow)]
            last = await talk_until_dropped(server, table_id, ann, bob)
            heard += [message async for message in slow]
        assert heard[-1].closing.reason == CLOSED
        known = [event.sequence for message in heard for event in message.events]
        assert known == list(range(known[0], known[0] + len(known)))
        assert known[-1] < last
        async with eve.watch(table_id, after_sequence=known[-1]) as stream:
            missed: list[int] = []
            while not missed or missed[-1] < last:
                missed += [event.sequence for event in (await anext(stream)).events]
        assert missed == list(range(known[-1] + 1, last + 1))


async def test_who_never_reads_is_dropped() -> None:
    async with (
        crowded(heartbeat=0.05) as (server, table_id, ann, bob),
        narrow(server) as eve,
        eve.watch(table_id) as slow,
    ):
        await anext(slow)
        await talk_until_dropped(server, table_id, ann, bob)
        await until(lambda: not len(server.hall.streams))
        assert not (await bob.snapshot(table_id)).table.spectators


async def test_a_session_that_never_reads_is_dropped() -> None:
    async with (
        crowded(heartbeat=0.05) as (server, table_id, ann, bob),
        narrow(server) as eve,
    ):
        call = eve.sessions.Connect(metadata=eve.metadata)
        try:
            command = session_pb2.Command(watch=watch_pb2.WatchRequest(table_id=table_id))
            await call.write(session_pb2.ConnectRequest(commands=[command]))
            await call.read()
            await talk_until_dropped(server, table_id, ann, bob)
            await until(lambda: not len(server.hall.streams))
        finally:
            call.cancel()


async def test_a_session_that_asks_and_never_reads_is_dropped() -> None:
    """Its own answers count, too."""
    async with crowded(heartbeat=0.05) as (server, table_id, ann, bob):
        mover = (ann, bob)[(await ann.snapshot(table_id)).game.turn - 1]
        await until(lambda: not len(server.hall.streams))
        async with narrow(server, mover) as greedy:
            call = greedy.sessions.Connect(metadata=greedy.metadata)
            asked = play_pb2.ListPlacementsRequest(table_id=table_id, effects=True)
            many = [session_pb2.Command(id=n, list_placements=asked) for n in range(50)]
            await call.write(session_pb2.ConnectRequest(commands=many))
            await until(lambda: len(server.hall.streams) == 1)
            await until(lambda: not len(server.hall.streams))
            call.cancel()
        option = (await mover.options(table_id)).options[0]
        assert (await mover.place(table_id, 0, option.placement)).ply == 1


async def test_a_long_past_is_no_backlog() -> None:
    """Whoever comes back after a long time gets all of it, though it is more than may wait."""
    async with crowded(heartbeat=3600) as (_, table_id, ann, bob):
        for _ in range(100):
            last = await say(ann, table_id)
        async with bob.watch(table_id, after_sequence=1) as stream:
            events: list[int] = []
            while not events or events[-1] < last:
                message = await anext(stream)
                assert not message.HasField("closing")
                events += [event.sequence for event in message.events]
        assert events == list(range(2, last + 1))
