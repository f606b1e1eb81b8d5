"""The server beside a raw grpc.aio server on the same machine, in one run.

Client and servers are processes of their own. What counts are the ratios. The store is on, but for
the fan-out: each line of a chat waits for the disk, and it is the watchers who are measured there.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from qin.v1 import lobby_pb2, play_pb2, session_pb2, types_pb2, watch_pb2
from rig import Client, hosted, requests, script, table_for

IN_FLIGHT = 64
GAMES = 3 * IN_FLIGHT
"""One after the other at each table in flight, so that few moves are made when some are done."""
WATCHERS = 100
ROUNDS = 7
"""Of ours and the raw ceiling in turn, so that both meet the same machine."""

Pair = tuple[float, float]
"""Our rate, and that of the raw ceiling."""


# ---- the measurements --------------------------------------------------------------------------


async def raw_unary(address: str, seconds: float, sent: int, answered: int) -> float:
    """The same bytes up and down, with the same metadata."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.unary_unary("/echo/Unary")
        metadata = Client(channel).metadata
        request = answered.to_bytes(4, "big") + bytes(sent - 4)
        return await _rate(lambda: call(request, metadata=metadata), seconds)


async def _rate(call: Callable[[], Any], seconds: float) -> float:
    done = 0
    end = time.perf_counter() + seconds

    async def worker() -> None:
        nonlocal done
        while time.perf_counter() < end:
            await call()
            done += 1

    began = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))
    return done / (time.perf_counter() - began)


async def placed_by_unary_calls(address: str, games: int) -> tuple[float, int, int]:
    """Moves a second over many tables; also the mean size of request and answer."""
    async with grpc.aio.insecure_channel(address) as channel:
        players = [Client(channel), Client(channel)]
        scripts = [script(seed) for seed in range(games)]
        names = [await table_for(players, each, n) for n, each in enumerate(scripts)]
        prepared = [requests(name, each) for name, each in zip(names, scripts, strict=True)]
        sizes: list[tuple[int, int]] = []
        waiting = iter(prepared)

        async def worker() -> None:
            for moves in waiting:
                for turn, request in moves:
                    player = players[turn]
                    answer = await player.play.PlaceTile(request, metadata=player.metadata)
                    sizes.append((request.ByteSize(), answer.ByteSize()))

        began = time.perf_counter()
        await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))
        elapsed = time.perf_counter() - began
        sent = round(statistics.mean(size[0] for size in sizes))
        answered = round(statistics.mean(size[1] for size in sizes))
        return len(sizes) / elapsed, sent, answered


async def raw_both_ways(address: str, seconds: float, sent: int, answered: int) -> float:
    """Two streams, with so many requests in flight between them."""
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream("/echo/BothWays")
        request = answered.to_bytes(4, "big") + bytes(sent - 4)
        done = 0
        began = time.perf_counter()
        end = began + seconds

        async def one() -> None:
            nonlocal done
            stream = call()
            for _ in range(IN_FLIGHT // 2):
                await stream.write(request)
            while time.perf_counter() < end:
                await stream.read()
                done += 1
                await stream.write(request)
            stream.cancel()

        await asyncio.gather(one(), one())
        return done / (time.perf_counter() - began)


async def placed_by_sessions(address: str, games: int) -> float:
    """Moves a second over many tables, each player on one stream for all of them."""
    async with grpc.aio.insecure_channel(address) as channel:
        players = [Client(channel), Client(channel)]
        scripts = [script(seed) for seed in range(games)]
        names = [await table_for(players, each, n) for n, each in enumerate(scripts)]
        moves = [requests(name, each) for name, each in zip(names, scripts, strict=True)]
        return await Sessions(players, moves).rate()


class Sessions:
    """Two players, each on one stream, who have so many games in flight until all are played."""

    def __init__(
        self, players: list[Client], moves: list[list[tuple[int, play_pb2.PlaceTileRequest]]]
    ) -> None:
        self._streams = [player.sessions.Connect(metadata=player.metadata) for player in players]
        self._waiting: list[asyncio.Queue[session_pb2.Command]] = [asyncio.Queue() for _ in players]
        self._moves = moves
        self._left = len(moves)
        self._next = iter(range(len(moves)))
        self._finished = asyncio.Event()

    async def rate(self) -> float:
        tasks = [
            asyncio.create_task(work)
            for place, stream in enumerate(self._streams)
            for work in (self._read(stream), self._write(stream, self._waiting[place]))
        ]
        began = time.perf_counter()
        for _ in range(IN_FLIGHT):
            self._begin()
        await self._finished.wait()
        elapsed = time.perf_counter() - began
        for task in tasks:
            task.cancel()
        for stream in self._streams:
            stream.cancel()
        return sum(map(len, self._moves)) / elapsed

    def _begin(self) -> None:
        if (game := next(self._next, None)) is not None:
            self._send(game, 0)

    def _send(self, game: int, ply: int) -> None:
        turn, request = self._moves[game][ply]
        command = session_pb2.Command(id=game << 8 | ply, place_tile=request)
        self._waiting[turn].put_nowait(command)

    async def _write(self, stream: Any, queue: asyncio.Queue[session_pb2.Command]) -> None:
        """One write at a time, as gRPC wants it, with all that waits."""
        while True:
            commands = [await queue.get()]
            while not queue.empty():
                commands.append(queue.get_nowait())
            await stream.write(session_pb2.ConnectRequest(commands=commands))

    async def _read(self, stream: Any) -> None:
        async for response in stream:
            for answer in response.answers:
                assert answer.HasField("place_tile"), answer
                game, ply = answer.id >> 8, answer.id & 255
                if ply + 1 < len(self._moves[game]):
                    self._send(game, ply + 1)
                else:
                    self._begin()
                    self._left -= 1
                    if not self._left:
                        self._finished.set()


async def raw_fan_out(address: str, messages: int, sample: bytes, events: int) -> float:
    """Events a second to all watchers together, in messages as large as a sample, which each of
    them reads as often: what a client does with a message is no cost of the server's.
    """
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.unary_stream("/echo/Batches")
        request = messages.to_bytes(4, "big") + len(sample).to_bytes(4, "big")

        async def one() -> None:
            async for _ in call(request):
                watch_pb2.WatchResponse.FromString(sample)

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(WATCHERS)))
        return WATCHERS * messages * events / (time.perf_counter() - began)


async def fan_out(address: str, said: int) -> tuple[float, int, bytes, int]:
    """Events a second to all watchers together; messages, one of mean size, events in each."""
    async with grpc.aio.insecure_channel(address) as channel:
        players = [Client(channel), Client(channel)]
        name = await table_for(players, script(1), 0)
        owner = players[0]
        counts: list[tuple[int, int]] = []
        bodies: list[bytes] = []

        async def one(*, keeps: bool) -> None:
            call: Any = channel.unary_stream(
                "/qin.v1.WatchService/Watch",
                request_serializer=watch_pb2.WatchRequest.SerializeToString,
            )
            stream = call(watch_pb2.WatchRequest(table_id=name))
            seen = messages = size = 0
            try:
                async for body in stream:
                    response = watch_pb2.WatchResponse.FromString(body)
                    if response.HasField("snapshot"):
                        ready.release()
                        continue
                    if response.events:
                        messages += 1
                        size += len(body)
                        if keeps:
                            bodies.append(body)
                        seen = response.events[-1].sequence
                    if seen >= last:
                        break
            finally:
                stream.cancel()
            counts.append((messages, size))

        ready = asyncio.Semaphore(0)
        last = 3 + said
        watchers = [asyncio.create_task(one(keeps=not n)) for n in range(WATCHERS)]
        for _ in range(WATCHERS):
            await ready.acquire()
        stream = owner.sessions.Connect(metadata=owner.metadata)
        commands = [
            session_pb2.Command(
                id=n,
                say=play_pb2.SayRequest(
                    request_id=f"t{n}", table_id=name, text="the red province of ann expands"
                ),
            )
            for n in range(said)
        ]
        began = time.perf_counter()
        for start in range(0, said, 100):
            batch = session_pb2.ConnectRequest(commands=commands[start : start + 100])
            await stream.write(batch)
        await asyncio.gather(*watchers)
        elapsed = time.perf_counter() - began
        stream.cancel()
        messages = sum(count[0] for count in counts)
        mean = sum(count[1] for count in counts) / messages
        sample = min(bodies, key=lambda body: abs(len(body) - mean))
        events = max(1, WATCHERS * said // messages)
        return WATCHERS * said / elapsed, messages // WATCHERS, sample, events


async def latency(address: str) -> tuple[float, float]:
    """Milliseconds from a call to the opponent's event, one move at a time: median and p99."""
    async with grpc.aio.insecure_channel(address) as channel:
        took: list[float] = []
        for seed in range(6):
            players = [Client(channel), Client(channel)]
            given = script(seed)
            name = await table_for(players, given, seed)
            streams = [
                player.watching.Watch(
                    watch_pb2.WatchRequest(table_id=name), metadata=player.metadata
                )
                for player in players
            ]
            for stream in streams:
                await stream.read()
            for turn, request in requests(name, given):
                began = time.perf_counter()
                moving = asyncio.create_task(_place(players[turn], request))
                await _hear(streams[1 - turn], request.expected_ply + 1)
                took.append(time.perf_counter() - began)
                await moving
            for stream in streams:
                stream.cancel()
        took.sort()
        return 1000 * took[len(took) // 2], 1000 * took[int(len(took) * 0.99)]


async def _place(player: Client, request: play_pb2.PlaceTileRequest) -> None:
    await player.play.PlaceTile(request, metadata=player.metadata)


async def _hear(stream: Any, ply: int) -> None:
    while True:
        response = await stream.read()
        if any(event.tile_placed.ply == ply for event in response.events):
            return


async def create_tables(address: str, count: int) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        owner = Client(channel)
        numbers: AsyncIterator[int] = _numbers(count)

        async def worker() -> None:
            async for number in numbers:
                await owner.lobby.CreateTable(
                    lobby_pb2.CreateTableRequest(
                        request_id=f"{number}",
                        settings=types_pb2.TableSettings(board_name="bird", seats=2),
                    ),
                    metadata=owner.metadata,
                )

        await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))


async def _numbers(count: int) -> AsyncIterator[int]:
    for number in range(count):
        yield number


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each raw measurement")
    parser.add_argument("--tables", type=int, default=10_000, help="idle tables")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), options.seconds, options.tables)
    return 0


def measure(folder: Path, seconds: float, tables: int) -> None:
    with hosted("echo") as (raw, _), hosted("qin", str(folder / "play.db")) as (served, _):
        rounds = [asyncio.run(one_round(served, raw, seconds)) for _ in range(ROUNDS)]
        print(f"{IN_FLIGHT} in flight, {ROUNDS} rounds, store on, medians")
        _row("place tile by unary calls", [each[0] for each in rounds], "a second")
        _row("place tile by sessions", [each[1] for each in rounds], "a second")
        median, worst = asyncio.run(latency(served))
        print(f"move to opponent's event         {median:9.2f} ms median, {worst:.2f} ms p99")
    with hosted("echo") as (raw, _), hosted("qin", ":memory:") as (served, _):
        pairs = []
        for _ in range(ROUNDS):
            rate, messages, sample, events = asyncio.run(fan_out(served, 5000))
            pairs.append((rate, asyncio.run(raw_fan_out(raw, messages, sample, events))))
        told = f"{messages} messages each of {len(sample)} bytes, {events} events"
        print(f"{WATCHERS} watchers, {told}")
        _row("events to all watchers", pairs, "a second")
    many = str(folder / "many.db")
    with hosted("qin", many) as (served, memory):
        before = memory()
        asyncio.run(create_tables(served, tables))
        after = memory()
        print(f"idle table                       {(after - before) / tables / 1024:9.1f} KiB")
    began = time.perf_counter()
    with hosted("qin", many) as (_, memory):
        print(f"restart with {tables} tables     {time.perf_counter() - began:9.2f} s", end="")
        print(f", {memory() / 1e6:.0f} MB")


async def one_round(served: str, raw: str, seconds: float) -> tuple[Pair, Pair]:
    """Moves by unary calls and by sessions, each beside the echo of the same sizes."""
    unary, sent, answered = await placed_by_unary_calls(served, GAMES)
    one_way = await raw_unary(raw, seconds, sent, answered)
    sessions = await placed_by_sessions(served, GAMES)
    both_ways = await raw_both_ways(raw, seconds, sent, answered)
    return (unary, one_way), (sessions, both_ways)


def _row(what: str, pairs: list[Pair], unit: str) -> None:
    rate, ceiling = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(ours / raw for ours, raw in pairs)
    print(f"{what:32} {rate:9,.0f} {unit}, raw {ceiling:,.0f}: {ratio:.2f}")


if __name__ == "__main__":
    sys.exit(main())
