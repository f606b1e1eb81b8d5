"""Tables on a real server for tests of screens, with somebody to play against."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from client.tui.terminals import Terminal, performing
from qin.client import Client, Table, connect
from qin.client.tui.stage import Stage
from qin.client.tui.table_screen import TableScreen
from qin.engine import Board
from qin.server.options import Options
from qin.server.server import Server, running
from qin.v1 import types_pb2


@dataclass
class Sitting:
    """A table that is shown on a terminal, and the ways around it."""

    terminal: Terminal
    screen: TableScreen
    server: Server
    where: str
    table: Table
    client: Client


async def random_player(where: str, table_id: str, name: str = "bob", seed: int = 1) -> None:
    """Sits down, places at random, and wants a rematch when somebody else does."""
    rng = Random(seed)
    async with connect(where) as client:
        table = client.table(table_id)
        await table.join(name)
        async with aclosing(table.watch()) as updates:
            async for _, state in updates:
                seats = state.table.seats
                mine = state.seat
                assert mine is not None
                if state.my_turn:
                    assert state.view
                    await table.place(state.view.legal.choice(rng))
                elif any(s.rematch for s in seats) and not seats[mine].rematch:
                    await table.rematch()


@asynccontextmanager
async def sitting(
    *,
    opponents: int = 1,
    board: Board | str = "bird",
    seats: int = 2,
    settings: types_pb2.TableSettings | None = None,
    owner: bool = True,
    **terminal: Any,
) -> AsyncIterator[Sitting]:
    """`ann` sits at a table of her own; random players take other seats."""
    async with running(Options(port=0)) as server:
        where = f"127.0.0.1:{server.port}"
        async with connect(where) as client:
            table = await client.create(board=board, seats=seats, settings=settings)
            await table.join("ann")
            screens: list[TableScreen] = []

            async def play(stage: Stage) -> None:
                screens.append(TableScreen(stage, client, table, owner=owner))
                await stage.show(screens[0])

            async with performing(play, **terminal) as seen:
                await seen.until("At the table", "ann")
                names = ("bob", "cho", "dee")[:opponents]
                tasks = [
                    asyncio.create_task(random_player(where, table.table_id, name, seed))
                    for seed, name in enumerate(names)
                ]
                for name in names:
                    await seen.until(name)
                try:
                    yield Sitting(seen, screens[0], server, where, table, client)
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
