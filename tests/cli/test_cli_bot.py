"""`qin bot run`, `qin bot list` and house bots, as real processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from pathlib import Path

import pytest
from cli.served import SECONDS, ran, served, started
from needs import needs_linux
from qin.client import Client, Table, connect
from qin.client.happenings import SeriesEnded
from qin.v1 import types_pb2
from server.players import serving, until, until_so


async def names_at(client: Client) -> list[str]:
    return list((await client.info()).house_bots)


async def play_out(table: Table) -> tuple[str, ...]:
    """Start when all seats are taken, look on to the end; tells who sat there."""
    async with asyncio.timeout(SECONDS):
        async for events, state in table.watch():
            if state.table.state == types_pb2.TABLE_STATE_OPEN and all(
                seat.name for seat in state.table.seats
            ):
                await table.start()
            if any(isinstance(event, SeriesEnded) for event in events):
                return state.names
    raise AssertionError


async def test_bots_join_a_table_and_end_with_its_series(tmp_path: Path) -> None:
    async with (
        serving() as (server, _),
        connect(f"127.0.0.1:{server.port}") as client,
        asyncio.TaskGroup() as tasks,
    ):
        table = await client.create(board="lion", seats=2, code="green tea")
        where = f"127.0.0.1:{server.port}"
        one = tasks.create_task(
            ran(
                tmp_path, "bot", "run", "greedy", f"qin://{where}/{table.table_id}?code=green%20tea"
            )
        )
        other = tasks.create_task(
            ran(
                tmp_path,
                *("bot", "run", "random", where, "--table", table.table_id),
                *("--code", "green tea", "--name", "dice", "--seed", "7", "--quiet"),
            )
        )
        assert sorted(await play_out(table)) == ["dice", "greedy"]
        code, out, err = await one
        assert (code, err) == (0, "")
        assert out.endswith("greedy has played 1 game\n")
        assert await other == (0, "", "")


async def test_a_bot_waits_for_seats_and_leaves_after_its_games(tmp_path: Path) -> None:
    async with serving() as (server, _), connect(f"127.0.0.1:{server.port}") as client:
        where = f"127.0.0.1:{server.port}"
        async with started(tmp_path, "bot", "run", "random", where, "--games", 2) as process:

            async def offered() -> bool:
                return await names_at(client) == ["random"]

            await until_so(offered, SECONDS)
            table = await client.create(board="bird")
            await table.add_bot("random")
            await table.add_bot("random")
            assert await play_out(table) == ("random", "random-2")
            out, _ = await asyncio.wait_for(process.communicate(), SECONDS)
            assert process.returncode == 0
            lines = out.decode().splitlines()
            assert lines[0] == f"random waits at {where} for anybody who asks for it"
            assert lines[-1] == "random has played 2 games"


async def test_house_bots_come_with_the_server_and_go_with_it(tmp_path: Path) -> None:
    async with (
        served(tmp_path, "--house-bots", "greedy,random", "--db", ":memory:") as server,
        connect(server.address) as client,
    ):

        async def offered() -> bool:
            return await names_at(client) == ["greedy", "random"]

        await until_so(offered, SECONDS)
        table = await client.create(board="bird", seats=3)
        for name in ("random", "greedy", "greedy"):
            await table.add_bot(name)
        assert await play_out(table) == ("random", "greedy", "greedy-2")
        children = _children(server.process.pid)
        await server.stop()
    await until(lambda: not any(map(_alive, children)), SECONDS)


@needs_linux
async def test_house_bots_end_when_the_server_is_killed(tmp_path: Path) -> None:
    async with (
        served(tmp_path, "--house-bots", "greedy,random", "--db", ":memory:") as server,
        connect(server.address) as client,
    ):

        async def offered() -> bool:
            return await names_at(client) == ["greedy", "random"]

        await until_so(offered, SECONDS)
        children = _children(server.process.pid)
        assert len(children) == 2
        os.kill(server.process.pid, signal.SIGKILL)
    await until(lambda: not any(map(_alive, children)), SECONDS)


@needs_linux
async def test_a_house_bot_that_dies_is_started_again(tmp_path: Path) -> None:
    async with (
        served(tmp_path, "--house-bots", "greedy", "--db", ":memory:") as server,
        connect(server.address) as client,
    ):

        async def offered() -> bool:
            return await names_at(client) == ["greedy"]

        async def gone() -> bool:
            return not await names_at(client)

        await until_so(offered, SECONDS)
        (child,) = _children(server.process.pid)
        os.kill(child, signal.SIGKILL)
        await until_so(gone, SECONDS)
        await until_so(offered, SECONDS)
        await server.stop()


async def test_house_bots_of_a_server_with_tls_and_a_password(tmp_path: Path) -> None:
    options = ("--lan", "--host", "127.0.0.1", "--house-bots", "random", "--db", ":memory:")
    async with (
        served(tmp_path, *options, QIN_PASSWORD="tea") as server,  # noqa: S106
        connect(server.address, password="tea") as client,  # noqa: S106
    ):

        async def offered() -> bool:
            return await names_at(client) == ["random"]

        await until_so(offered, SECONDS)
        await server.stop()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "greedy", "127.0.0.1:1"), "nobody answers at 127.0.0.1:1"),
        (("run", "greedy", "127.0.0.1:1/x", "--forever"), "does not wait for others"),
        (("run", "greedy", "--games", "2", "--forever"), "give --games or --forever, not both"),
        (("run", "greedy", "--name", "a/b"), "a name has no /"),
        (("run", "nosuch", "127.0.0.1:1"), "there is no bot 'nosuch'"),
        (("new", "mine.txt"), "its name must end with .py"),
        (("new", "mine.py", "--class", "1x"), "is no name for a class"),
        (("new", "mine.py", "--class", "class"), "is no name for a class"),
    ],
)
async def test_bad_arguments_are_told_in_words(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = await ran(tmp_path, "bot", *arguments)
    assert code in (1, 2)
    assert not out
    assert words in err
    assert "Traceback" not in err


async def test_an_unknown_house_bot_is_an_error_before_anything_is_served(tmp_path: Path) -> None:
    code, out, err = await ran(tmp_path, "serve", "--port", 0, "--house-bots", "greedy,nosuch")
    assert (code, out) == (1, "")
    assert "there is no bot 'nosuch'" in err


async def test_the_bots_are_listed(tmp_path: Path) -> None:
    code, out, _ = await ran(tmp_path, "bot", "list", "--json")
    assert code == 0
    listed = {each["name"]: each for each in json.loads(out)}
    assert set(listed) >= {"greedy", "lookahead", "random"}
    assert listed["greedy"]["from"] == "qin-game"
    assert "width=" in listed["lookahead"]["parameters"][0]
    code, out, _ = await ran(tmp_path, "bot", "list")
    assert "greedy " in out


def _children(pid: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (folder / "stat").read_text().rpartition(")")[2].split()[1] == str(pid):
                found.append(int(folder.name))
    return found


def _alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


async def test_a_game_with_house_bots_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    """The bots of the new server have new secrets; the seats are handed to them again."""
    database = tmp_path / "qin.db"
    house = ("--house-bots", "greedy", "--db", str(database))
    async with served(tmp_path, *house) as server:
        context = connect(server.address)
        client = await context.__aenter__()

        async def offered() -> bool:
            return await names_at(client) == ["greedy"]

        await until_so(offered, SECONDS)
        table = await client.create(board="bird", seats=3)
        await table.join("ann")
        await table.add_bot("greedy")
        await table.add_bot("greedy")
        updates = table.watch()
        async with asyncio.timeout(SECONDS):
            async for _, state in updates:
                if state.table.state == types_pb2.TABLE_STATE_OPEN and all(
                    seat.name for seat in state.table.seats
                ):
                    await table.start()
                if state.my_turn and state.view:
                    if state.view.ply > 3:
                        break
                    await table.place(state.view.legal[0])
        os.kill(server.process.pid, signal.SIGKILL)
    port = server.address.port
    try:
        async with served(tmp_path, *house, "--port", port), asyncio.timeout(SECONDS):
            async for events, state in updates:
                if state.my_turn and state.view:
                    await table.place(state.view.legal[0])
                if any(isinstance(event, SeriesEnded) for event in events):
                    assert state.names == ("ann", "greedy", "greedy-2")
                    break
    finally:
        await updates.aclose()
        await context.__aexit__(None, None, None)
