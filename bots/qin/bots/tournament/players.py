"""Who plays a seat over the protocol: a process with Python bots, a program, or a remote bot."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from abc import ABC, abstractmethod
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from qin.bots.program import ProgramError, environment_of, running
from qin.bots.spec import Command, Spec
from qin.bots.tournament.games import CRASH, SILENCE, Job, Times
from qin.bots.tournament.memory import limit_memory_of
from qin.bots.tournament.referee import LOADING_SECONDS, Faulty
from qin.client import Address, CallError, Client, Table, new_token

ABSENT_SECONDS = 10.0
"""What a remote bot may take to come back, beyond a decision; it has got ready long before."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat at a table, and all that it takes to play it."""

    client: Client
    """Of whoever runs the tournament; it owns the table."""
    address: Address
    password: str
    table_id: str
    job: Job
    seat: int
    token: str

    @property
    def name(self) -> str:
        return self.job.names[self.seat]

    @property
    def table(self) -> Table:
        """The table as the bot on the seat has it."""
        return self.client.with_token(self.token).table(self.table_id)


class Player(ABC):
    """Plays one seat of one game; `Faulty` is raised where it fails."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.times = Times()

    @abstractmethod
    async def sit(self) -> None:
        """Get ready and sit down."""

    @abstractmethod
    async def play(self) -> None:
        """Return when the bot is done; a fault is raised at once."""


class Sitters:
    """Processes that play Python bots, used again as long as nothing goes wrong in them."""

    def __init__(self) -> None:
        self._idle: list[Process] = []

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Process]:
        process = self._idle.pop() if self._idle else await _start_sitter()
        try:
            yield process
        except BaseException:
            await _kill(process)
            raise
        self._idle.append(process)

    async def close(self) -> None:
        for process in self._idle:
            await _kill(process)


async def _start_sitter() -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "qin.bots.tournament.sitter"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env={**os.environ, "GRPC_VERBOSITY": "NONE"},
    )


async def _kill(process: Process) -> None:
    """End a process, and see it end even if whoever waits for it is told to stop as well.

    A loop that is closed before it has seen its processes end says so on the terminal.
    """
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    told_to_stop = False
    while process.returncode is None:
        try:
            await process.wait()
        except asyncio.CancelledError:
            told_to_stop = True
    if told_to_stop:
        raise asyncio.CancelledError


class PythonPlayer(Player):
    """A Python bot in a process that plays nothing else at the same time."""

    def __init__(self, place: Place, process: Process) -> None:
        super().__init__(place)
        self._process = process

    async def sit(self) -> None:
        place, job = self.place, self.place.job
        asked = {
            "server": str(place.address),
            "password": place.password,
            "table": place.table_id,
            "seat": place.seat + 1,
            "token": place.token,
            "name": place.name,
            "spec": job.seats[place.seat].spec,
            "seed": job.bot_seed(place.seat),
            "seconds": job.seconds,
            "megabytes": job.megabytes,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        facts = await self._answer()
        if "sits" not in facts:
            raise Faulty(facts["fault"]["reason"], facts["fault"]["detail"])

    async def play(self) -> None:
        facts = await self._answer()
        self.times = Times(**facts["times"])
        if facts["fault"]:
            raise Faulty(facts["fault"]["reason"], facts["fault"]["detail"])

    async def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            status = await self._process.wait()
            raise Faulty(CRASH, f"its process ended with status {status}")
        answer: dict[str, Any] = json.loads(line)
        return answer


class ProgramPlayer(Player):
    """A program in any language, freshly started."""

    def __init__(self, place: Place, process: Process) -> None:
        super().__init__(place)
        self._process = process

    async def sit(self) -> None:
        """The seat is taken for it already; it is there once it looks at the table."""
        ended = asyncio.create_task(self._process.wait())
        try:
            while not await _is_connected(self.place):
                if ended.done():
                    raise Faulty(CRASH, f"it ended with status {ended.result()} before it played")
                await asyncio.sleep(0.02)
        finally:
            ended.cancel()

    async def play(self) -> None:
        status = await self._process.wait()
        # Many a program ends when the game does; whether it was too soon shows there.
        raise Faulty(CRASH, f"it ended with status {status}")


class RemotePlayer(Player):
    """A bot that has offered itself for the tournament."""

    def __init__(self, place: Place, tournament: str) -> None:
        super().__init__(place)
        self._tournament = tournament

    async def sit(self) -> None:
        table = self.place.client.table(self.place.table_id)
        seat = self.place.seat
        while True:
            try:
                await table.add_bot(self.place.name, seat=seat + 1, tournament=self._tournament)
            except CallError as error:
                # It is not there just now, and may come back; or it is on its way already.
                if error.reason not in ("NO_SUCH_BOT", "BOT_BUSY", "SEAT_TAKEN"):
                    raise
            await asyncio.sleep(0.05)
            if await _is_connected(self.place):
                return

    async def play(self) -> None:
        await asyncio.Event().wait()  # nothing but the clock tells that it has failed


async def _is_connected(place: Place) -> bool:
    look = await place.client.table(place.table_id).look()
    return look.seats[place.seat].connected


@asynccontextmanager
async def player_for(place: Place, sitters: Sitters) -> AsyncIterator[Player]:
    """Whoever plays a seat, for as long as the game lasts."""
    entrant = place.job.seats[place.seat]
    if not entrant.spec:
        yield RemotePlayer(place, place.job.event)
        return
    spec = Spec.parse(entrant.spec)
    if not spec.is_command:
        async with sitters.one() as process:
            yield PythonPlayer(place, process)
        return
    command = spec.load()
    assert isinstance(command, Command)
    await place.table.join(place.name, seat=place.seat + 1)
    async with environment_of(
        place.address, place.table_id, place.token, place.password, place.job.bot_seed(place.seat)
    ) as environment:
        try:
            async with running(command, environment, quiet=True) as process:
                limit_memory_of(process.pid, place.job.megabytes)
                yield ProgramPlayer(place, process)
        except ProgramError as error:
            raise Faulty(CRASH, str(error)) from None


def seated(client: Client, address: Address, password: str, table_id: str, job: Job) -> list[Place]:
    return [
        Place(client, address, password, table_id, job, seat, new_token())
        for seat in range(len(job.seats))
    ]


async def sit_down(player: Player) -> None:
    patience = ABSENT_SECONDS if isinstance(player, RemotePlayer) else LOADING_SECONDS
    try:
        async with asyncio.timeout(patience + player.place.job.seconds):
            await player.sit()
    except TimeoutError:
        raise Faulty(SILENCE, "it did not sit down") from None
