"""A third party plays: a client in another language, made from the .proto files alone."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import grpc
from needs import needs
from qin.engine import parse_record
from qin.server.certificate import kept_certificate
from qin.server.options import Options
from qin.server.server import running
from qin.v1 import records_pb2
from qin.v1.conventions import CERTIFICATE_NAME
from server.players import Player, serving

pytestmark = needs("node", "npm")

PATIENCE = 30
PASSWORD = "tea"  # noqa: S105


class Node:
    """The Node client in a process of its own; its lines are kept as they come."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.lines: list[str] = []

    async def line(self, start: str) -> str:
        """The rest of the next line that starts so."""
        assert self._process.stdout
        async with asyncio.timeout(PATIENCE):
            while text := (await self._process.stdout.readline()).decode():
                self.lines.append(text.rstrip())
                if text.startswith(start):
                    return text.removeprefix(start).strip()
        raise AssertionError(f"no line {start!r} in {self.lines}")

    async def end(self) -> int:
        """The exit code, when everything is read."""
        async with asyncio.timeout(PATIENCE):
            out, _ = await self._process.communicate()
            self.lines += out.decode().splitlines()
            return await self._process.wait()


@asynccontextmanager
async def node_client(example: Path, server: str, **variables: str) -> AsyncIterator[Node]:
    process = await asyncio.create_subprocess_exec(
        "node",
        "client.js",
        cwd=example,
        env={**os.environ, "QIN_SERVER": server, **variables},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield Node(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def play_by_watching(player: Player, table_id: str, seed: int) -> list[int]:
    """Place at random whenever there are options; tells who won."""
    rng = Random(seed)
    async with asyncio.timeout(PATIENCE), player.watch(table_id, options=True) as stream:
        async for message in stream:
            for event in message.events:
                if event.HasField("series_ended"):
                    return list(event.series_ended.winners)
            if options := message.options.options:
                chosen = options[int(rng.random() * len(options))]
                await player.place(table_id, message.options.ply, chosen.placement)
    raise AssertionError("the watch ended before the series")


async def record_of(player: Player, table_id: str) -> str:
    listed = await player.call(
        player.records.ListRecords, records_pb2.ListRecordsRequest(table_id=table_id)
    )
    (known,) = listed.records
    found = await player.call(
        player.records.GetRecord, records_pb2.GetRecordRequest(record_id=known.record_id)
    )
    text: str = found.text
    return text


async def test_node_makes_a_table_and_plays_a_whole_game(node_example: Path) -> None:
    async with (
        serving() as (server, channel),
        node_client(node_example, f"127.0.0.1:{server.port}") as node,
    ):
        table_id = await node.line("table ")
        bob = Player(channel, "bob")
        await bob.join(table_id)
        winners = await play_by_watching(bob, table_id, seed=1)
        assert await node.end() == 0, node.lines
        words = " and ".join(map(str, winners))
        assert any(f"won by seat {words};" in line for line in node.lines)
        assert node.lines[-1].endswith(": the shuffle is what salt and nonces say")
        parse_record(await record_of(bob, table_id)).check()


async def test_two_nodes_join_by_tls_with_password_and_code(
    node_example: Path, tmp_path: Path
) -> None:
    certificate = kept_certificate(tmp_path)
    options = Options(
        port=0, password=PASSWORD, certificate=(certificate.key, certificate.chain), durable=False
    )
    credentials = grpc.ssl_channel_credentials(certificate.chain)
    override = [("grpc.ssl_target_name_override", CERTIFICATE_NAME)]
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(running(options))
        address = f"127.0.0.1:{server.port}"
        channel = await stack.enter_async_context(
            grpc.aio.secure_channel(address, credentials, options=override)
        )
        ann = Player(channel)
        ann.metadata = (*ann.metadata, ("qin-password", PASSWORD))
        table = await ann.create(3, code="plum")
        await ann.join(table.table_id)
        nodes = [
            await stack.enter_async_context(
                node_client(
                    node_example,
                    address,
                    QIN_NAME=name,
                    QIN_TABLE=table.table_id,
                    QIN_CODE="plum",
                    QIN_PASSWORD=PASSWORD,
                    QIN_CERT=str(certificate.path),
                )
            )
            for name in ("cho", "dan")
        ]
        for node in nodes:
            await node.line("seat ")
        await ann.start(table.table_id)
        await play_by_watching(ann, table.table_id, seed=2)
        assert [await node.end() for node in nodes] == [0, 0], [node.lines for node in nodes]
        for node in nodes:
            assert node.lines[-1].endswith(": the shuffle is what salt and nonces say")


async def test_node_tells_why_it_is_refused(node_example: Path) -> None:
    async with (
        serving(password=PASSWORD) as (server, _),
        node_client(node_example, f"127.0.0.1:{server.port}", QIN_TABLE="nowhere") as node,
    ):
        assert await node.end() == 1
        assert node.lines[-1] == "PASSWORD_WRONG"


async def test_node_comes_back_when_the_connection_is_cut(node_example: Path) -> None:
    async with (
        serving() as (server, channel),
        cable(server.port) as (port, cut),
        node_client(node_example, f"127.0.0.1:{port}") as node,
    ):
        table_id = await node.line("table ")
        await node.line("come back with ")
        bob = Player(channel, "bob")
        await bob.join(table_id)
        await node.line("game 1 has started")
        cut()
        await node.line("connection lost; resuming after event ")
        await play_by_watching(bob, table_id, seed=3)
        assert await node.end() == 0, node.lines
        assert node.lines[-1].endswith(": the shuffle is what salt and nonces say")


@asynccontextmanager
async def cable(port: int) -> AsyncIterator[tuple[int, Cut]]:
    """A way to the server that can be cut: its own port, and what cuts every connection on it."""
    cut = Cut()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        cut.writers += [writer, far_writer]
        await asyncio.gather(pipe(reader, far_writer), pipe(far_reader, writer))

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as listening:
        try:
            yield listening.sockets[0].getsockname()[1], cut
        finally:
            cut()


class Cut:
    def __init__(self) -> None:
        self.writers: list[asyncio.StreamWriter] = []

    def __call__(self) -> None:
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()


async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()
