"""The crash test: random games by several clients, `kill -9` at random moments, many times."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import grpc.aio
from qin.engine import Record
from qin.server import wire
from qin.v1 import types_pb2
from server.crash_clients import OPTIONS, Client, Counts, Ledger
from server.players import Player
from server.storing import events_after, records_of

SERVER = Path(__file__).parent / "crash_server.py"
KILLS = 15
TABLES = ((2, 1), (3, 2), (4, 1), (2, 3))
"""Seats, and games of a series."""
LOOK_BACK = 500
"""Events; all of them are looked at in the end."""


class Servers:
    """One that serves, and the next one, which is loaded and waits."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._started: list[Process] = []
        self.port = 0

    async def load(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(SERVER), str(self._database), stdin=PIPE, stdout=PIPE
        )
        self._started.append(process)
        assert process.stdout
        assert await process.stdout.readline() == b"loaded\n"
        return process

    async def serve(self, process: Process) -> None:
        """Let it serve, where the one before did."""
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{self.port}\n".encode())
        async with asyncio.timeout(20):
            self.port = int(await process.stdout.readline())

    async def end(self) -> None:
        for process in self._started:
            if process.returncode is None:
                process.kill()
            assert process.stdin
            process.stdin.close()
            await process.wait()


@asynccontextmanager
async def servers_on(database: Path) -> AsyncIterator[Servers]:
    servers = Servers(database)
    try:
        yield servers
    finally:
        await servers.end()


async def sit_down(port: int, number: int, seats: int, games: int, counts: Counts) -> list[Client]:
    """A table with all seats taken, and its game on."""
    clients = [
        Client(port, f"{name}{number}", 100 * number + seat, counts)
        for seat, name in enumerate(("ann", "bob", "cho", "dan")[:seats], start=1)
    ]
    ledger = Ledger(await clients[0].create(seats, games))
    for seat, client in enumerate(clients, start=1):
        client.ledger = ledger
        await client.join(seat)
    await clients[0].start()
    return clients


# ---- looking after each restart ----------------------------------------------------------------


async def audit(port: int, clients: list[Client], rng: Random, look_back: int) -> None:
    """Everything that was acknowledged, and everything that anybody has seen, is still there."""
    ledger = clients[0].ledger
    acknowledged, seen = ledger.acknowledged, max(ledger.events, default=1)
    after = max(1, min(acknowledged, seen) - look_back)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=OPTIONS) as channel:
        await channel.channel_ready()  # a busy machine may need more than one attempt
        stranger = Player(channel, "eve")
        snapshot = await stranger.snapshot(ledger.table_id)
        assert snapshot.sequence >= max(acknowledged, seen)
        events = await events_after(stranger, ledger.table_id, after)
        ledger.note(events)
        game = snapshot.game
        index = ledger.games_until(snapshot.sequence)
        ledger.positions[index, game.ply] = (game.cells, list(game.reserves))
        client = rng.choice(clients)
        same = Player(channel, client.player.name, client.player.token)
        own = await events_after(same, ledger.table_id, after)
        ledger.note(own)
        for event in own:
            assert client.own.get(event.sequence, event) == event


# ---- looking at the end ------------------------------------------------------------------------


def games_in(ledger: Ledger) -> Iterator[list[types_pb2.Event]]:
    """What was told of each game, without numbers, times and talk."""
    assert sorted(ledger.events) == list(range(min(ledger.events), max(ledger.events) + 1))
    game: list[types_pb2.Event] = []
    for _, event in sorted(ledger.events.items()):
        kind = event.WhichOneof("kind")
        if kind == "game_started":
            game = []
        elif kind not in {"said", "seat_taken", "series_ended"}:
            game.append(bare(event))
        if kind == "game_ended":
            yield game


def bare(event: types_pb2.Event) -> types_pb2.Event:
    told = types_pb2.Event()
    told.CopyFrom(event)
    for name in ("sequence", "time"):
        told.ClearField(name)
    if told.HasField("game_ended"):
        told.game_ended.ClearField("game")
        told.game_ended.ClearField("record_id")
    if told.HasField("drawn"):
        told.drawn.ClearField("tile")
    return told


def check_record(record: Record, told: list[types_pb2.Event], ledger: Ledger, index: int) -> None:
    """The record tells the same game as the clients were told, and as the snapshots showed."""
    replayed = []
    for game, events in record.replay():
        reserves = game.position.reserves
        replayed += [bare(wire.event(event, game)) for event in events]
        if shown := ledger.positions.get((index, game.ply)):
            cells = "/".join("".join(row) for row in game.position.tokens())
            assert shown == (cells, list(reserves))
    assert replayed == told


async def check_table(port: int, clients: list[Client], games: int) -> int:
    """All that can be known of a table; tells how many games were played."""
    ledger = clients[0].ledger
    await audit(port, clients, Random(0), look_back=sys.maxsize)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        for client in clients:
            same = Player(channel, client.player.name, client.player.token)
            everything = {
                event.sequence: event for event in await events_after(same, ledger.table_id, 1)
            }
            assert all(everything[event.sequence] == event for event in client.log)
            assert all(everything[number] == event for number, event in client.own.items())
        records = await records_of(Player(channel), ledger.table_id)
    told = list(games_in(ledger))
    assert len(records) == len(told)
    for index, (record, events) in enumerate(zip(records, told, strict=True), start=1):
        check_record(record, events, ledger, index)
        series = (index - 1) // games
        nonces = [client.nonces[series].hex() for client in clients]
        assert record.tags["Nonces"] == "/".join(nonces)
        assert record.tags["Salt"]
    return len(records)


# ---- the test ----------------------------------------------------------------------------------


async def test_kill_minus_nine_at_random_moments(tmp_path: Path) -> None:
    rng = Random(3)
    counts = Counts()
    async with servers_on(tmp_path / "qin.db") as servers:
        serving = await servers.load()
        await servers.serve(serving)
        enough = asyncio.Event()

        async def table(number: int, seats: int, games: int) -> None:
            clients = await sit_down(servers.port, number, seats, games, counts)
            tables.append((clients, games))
            await asyncio.gather(*(client.play(enough) for client in clients))

        tables: list[tuple[list[Client], int]] = []
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            for number, (seats, games) in enumerate(TABLES, start=1):
                group.create_task(table(number, seats, games))
            for _ in range(KILLS):
                following = await servers.load()
                await asyncio.sleep(rng.uniform(0, 0.6))
                serving.kill()
                await serving.wait()
                serving = following
                await servers.serve(serving)
                for clients, _ in tables:
                    await audit(servers.port, clients, rng, LOOK_BACK)
            enough.set()

        played = [await check_table(servers.port, clients, games) for clients, games in tables]
        for clients, _ in tables:
            for client in clients:
                await client.channel.close()
    assert len(played) == len(TABLES)
    assert all(played)
    assert counts.lost
    assert counts.resumed >= KILLS
