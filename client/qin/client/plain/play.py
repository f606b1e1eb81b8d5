"""From the lobby to a table and back, line by line."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from qin.client.address import Address
from qin.client.client import connect
from qin.client.plain.console import Console
from qin.client.plain.lobby import Create, PlainLobby
from qin.client.plain.table import PlainTable
from qin.client.plain.tutorial import teach_plain
from qin.client.table_words import tell_problem
from qin.client.tui.home import Announcements, Home, Wishes
from qin.client.tui.keeping import SeatKeeper
from qin.client.tui.lobby_model import (
    AskAddress,
    Choice,
    GoOn,
    Host,
    Join,
    LobbyModel,
    NewGame,
    Quit,
    Tutorial,
    Watch,
)
from qin.client.tui.seating import Seated, Seating
from qin.engine import QinError
from qin.v1 import types_pb2 as pb


async def play_plain(
    console: Console,
    home: Home,
    keeper: SeatKeeper,
    announcements: Announcements,
    wishes: Wishes,
    server: Address | None = None,
    *,
    first: Choice | None = None,
) -> None:
    """Until the player quits. A server that was asked for with a table is gone to at once, or
    what is to be done first."""
    model = LobbyModel(wishes, home.opponents, server)
    plain = _Plain(console, model, Seating(home, keeper), announcements)
    listening = asyncio.create_task(plain.lobby.listen())
    try:
        await plain.run(first)
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


class _Plain:
    def __init__(
        self,
        console: Console,
        model: LobbyModel,
        seating: Seating,
        announcements: Announcements,
    ) -> None:
        self._console = console
        self._model = model
        self._seating = seating
        self.lobby = PlainLobby(console, model, announcements)

    async def run(self, first: Choice | None) -> None:
        server = self._model.server
        choice: Choice | Create | None = first
        if choice is None and server is not None and server.table:
            choice = Join(server)
        while True:
            if choice is None:
                self._model.kept = tuple(self._seating.keeper.seats())
                choice = await self.lobby.choose()
            if isinstance(choice, Quit):
                self._console.tell("Goodbye.")
                return
            try:
                choice = await self._follow(choice)
            except (QinError, OSError) as problem:
                self._model.message = tell_problem(problem)
                choice = None

    async def _follow(self, choice: Choice | Create) -> Choice | None:
        wishes, seating = self._model.wishes, self._seating
        match choice:
            case NewGame():
                self._console.tell("Opening the table.")
                await self._sit(seating.here(wishes, lan=False))
            case Host():
                self._console.tell("Opening the table to your network.")
                await self._sit(seating.here(wishes, lan=True))
            case Create():
                assert self._model.server is not None
                await self._sit(seating.at(wishes, self._model.server))
            case GoOn(kept):
                self._console.tell("Going back to the table.")
                await self._sit(seating.back(wishes, kept))
            case Join(address) if not address.table:
                return await self._at(address)
            case Join(address):
                await self._sit(seating.joined(wishes, address))
            case Watch(address):
                await self._sit(seating.looking_on(wishes, address))
            case Tutorial():
                await teach_plain(self._console)
            case Quit() | AskAddress():
                pass
        return None

    async def _sit(self, seat: AbstractAsyncContextManager[Seated]) -> None:
        async with seat as seated:
            await PlainTable(self._console, seated, self._seating.keeper).run()

    async def _at(self, address: Address) -> Choice | None:
        """A server without a table: its only open table, or else the lobby with all of them."""
        self._model.server = address
        async with connect(address, password=self._model.wishes.password) as client:
            tables = await client.tables(pb.TABLE_STATE_OPEN)
        free = [table for table in tables if any(not seat.name for seat in table.seats)]
        if len(free) == 1:
            return Join(replace(address, table=free[0].table_id))
        told = "type tables to choose one" if free else "type create to open one"
        self._console.tell(f"{len(free) or 'No'} tables are open at {address.target}; {told}.")
        return None
