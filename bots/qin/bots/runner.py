"""A bot at the tables of a server: at one of them, or wherever it is asked for."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from hashlib import sha256

from qin.bots.program import environment_of, play_program
from qin.bots.seat import BotSeat
from qin.bots.spec import Command, PythonBot
from qin.client import CallError, Client, new_token
from qin.v1.offer_pb2 import SeatOffer
from qin.v1.types_pb2 import TABLE_STATE_PLAYING


@dataclass(frozen=True, slots=True)
class Runner:
    """A bot, under a name, with a seed."""

    bot: PythonBot | Command
    name: str
    seed: str
    password: str = ""
    secret: str = field(default="", repr=False)
    """Where it is given, the tokens of seats are made from it: a bot that was ended in the middle
    of a game and comes back with the same secret has its seats again."""
    told: Callable[[str], None] = lambda _: None
    """Is told what goes on, a line at a time."""

    async def join(self, client: Client, table_id: str, *, code: str = "", seat: int = 0) -> int:
        """Take a seat at a table and play its series; tells how many games were played."""
        table = client.table(table_id, code)
        number = await table.join(self.name, seat=seat)
        self.told(f"{self.name} sits on seat {number + 1} of table {table_id}")
        return await self._play(client, table_id, code, f"{self.seed}/{number}")

    async def offer(self, client: Client, *, games: int | None, tournament: str = "") -> int:
        """Wait for seats, and play on all of them at once, until so many games were played.

        A seat at which the bot fails is one that it resigns; the others go on.
        """
        played = 0
        seats: set[asyncio.Task[int]] = set()
        enough = asyncio.Event()

        def done(task: asyncio.Task[int]) -> None:
            nonlocal played
            seats.discard(task)
            if task.cancelled():
                return
            error = task.exception()
            if error is None:
                played += task.result()
            else:
                self.told(f"{self.name} gives up a seat: {error}")
            if games is not None and played >= games:
                enough.set()

        async def listen() -> None:
            for resumed in await self._resume(client):
                seats.add(resumed)
                resumed.add_done_callback(done)
            offers = client.offer(self.name, tournament=tournament)
            async with aclosing(offers):
                async for offered in offers:
                    task = asyncio.create_task(self._take(client, offered, forever=games is None))
                    seats.add(task)
                    task.add_done_callback(done)

        listening = asyncio.create_task(listen())
        waiting = asyncio.create_task(enough.wait())
        try:
            await asyncio.wait({listening, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                await listening
        finally:
            left = [listening, waiting, *seats]
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
        return played

    async def _take(self, client: Client, offered: SeatOffer, *, forever: bool) -> int:
        """Play on a seat that was offered."""
        mine = client.with_token(self._token(offered.table_id, offered.seat))
        table = mine.table(offered.table_id)
        try:
            await table.join(self.name, ticket=offered.ticket)
        except CallError as error:
            if error.reason in ("TICKET_WRONG", "NO_SUCH_TABLE"):
                return 0  # it took us too long, or nobody wants us any more
            raise
        self.told(f"{self.name} sits on seat {offered.seat} of table {offered.table_id}")
        seed = f"{self.seed}/{offered.table_id}/{offered.seat}"
        return await self._play(mine, offered.table_id, "", seed, rematches=forever)

    def _token(self, table_id: str, seat: int) -> str:
        if not self.secret:
            return new_token()
        return hmac.new(self.secret.encode(), f"{table_id}/{seat}".encode(), sha256).hexdigest()

    async def _resume(self, client: Client) -> list[asyncio.Task[int]]:
        """Take up the games that were on when this bot was ended."""
        if not self.secret:
            return []
        tasks = []
        for table in await client.tables(TABLE_STATE_PLAYING):
            for seat in table.seats:
                if not seat.bot or seat.connected or not seat.name.startswith(self.name):
                    continue
                mine = client.with_token(self._token(table.table_id, seat.seat))
                try:
                    await mine.table(table.table_id).join(self.name)
                except CallError:
                    continue  # another bot's
                self.told(f"{self.name} is back on seat {seat.seat} of table {table.table_id}")
                seed = f"{self.seed}/{table.table_id}/{seat.seat}"
                playing = self._play(mine, table.table_id, "", seed, rematches=True)
                tasks.append(asyncio.create_task(playing))
        return tasks

    async def _play(
        self, client: Client, table_id: str, code: str, seed: str, *, rematches: bool = False
    ) -> int:
        table = client.table(table_id, code)
        if isinstance(self.bot, PythonBot):
            return await BotSeat(table, self.bot, seed).play(rematches=rematches)
        async with environment_of(
            client.address, table_id, client.token, self.password, seed
        ) as environment:
            return await play_program(table, self.bot, environment)
