"""What a bot is tried with: awkward games at a server of its own, and a process that is watched."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from qin.bots import Spec
from qin.bots.seat import BotSeat
from qin.cli.severing import severing
from qin.cli.watched_process import Watched, watched
from qin.client import Address, Client, Table, TableState
from qin.engine import Board, Deal, Ending, Record, Seat, parse_record
from qin.engine.tiles import format_tiles
from qin.v1.lobby_pb2 import GivenDeal
from qin.v1.types_pb2 import TABLE_STATE_FINISHED, ClockSettings, TableSettings

_GRACE = 5.0
"""Seconds that a bot has to sit down, and to end when all is over, beside its time."""


class Trial(NamedTuple):
    """A game that a bot is tried in."""

    name: str
    board: Board
    players: int
    seat: int
    """The bot's, from 0."""


def _wide_map() -> str:
    rows = [["."] * 26 for _ in range(26)]
    for kind, column, row in (("R", 3, 3), ("Y", 12, 20), ("B", 22, 8), ("V", 5, 5), ("V", 15, 10)):
        rows[row][column] = kind
    return "/".join("".join(row) for row in rows)


TRIALS = (
    Trial("two on bird", Board.named("bird"), 2, 0),
    Trial("three on lion", Board.named("lion"), 3, 1),
    Trial("four on bird", Board.named("bird"), 4, 3),
    Trial("a board of twelve spaces", Board.parse("R..V/..Y./B..."), 2, 1),
    Trial(
        "a board like a ring", Board.parse("R....../.#####./.#VVV#./.#####./.....Y./......B"), 3, 2
    ),
    Trial("the largest board, to the last tile", Board.parse(_wide_map()), 2, 0),
)


@dataclass(slots=True)
class Course:
    """How a trial went."""

    trial: Trial
    record: Record | None = None
    """None if the game did not come to its end."""
    slowest: float = 0.0
    """Seconds that the bot took for a choice, as the table saw it."""
    refused: list[str] = field(default_factory=list)
    """The reasons of its placements that the server refused."""
    came: bool = False
    """Whether the bot sat down."""
    seen: Watched | None = None
    """What was seen of its process."""

    @property
    def out_of_time(self) -> bool:
        """Whether its time ran out, or it stayed away."""
        return self._withdrew(Ending.FORFEIT, "forfeit")

    @property
    def gave_up(self) -> bool:
        return self._withdrew(Ending.RESIGNED, "resign")

    def _withdrew(self, ending: Ending, word: str) -> bool:
        if self.record is None:
            return False
        mine = f"{self.trial.seat + 1}={word}"
        texts = str(self.record).split()
        lost = self.trial.seat not in self.record.outcome.winners
        return mine in texts or (self.record.outcome.ending is ending and lost)


class Trials:
    """Runs trials at a server that allows given deals."""

    def __init__(self, client: Client, spec: Spec, *, seconds: int, memory: int) -> None:
        self._client = client
        self._spec = spec
        self._seconds = seconds
        self._memory = memory

    async def run(self, trial: Trial, *, cut: bool = False, seed: str = "check") -> Course:
        """One game; with `cut` all connections of the bot are lost in the middle of it."""
        course = Course(trial)
        owner = self._client.with_token(secrets.token_hex(32))
        table = await self._table(owner, trial)
        async with contextlib.AsyncExitStack() as stack:
            address = Address("127.0.0.1", self._client.address.port, table.table_id)
            sever: Callable[[], None] | None = None
            if cut:
                port, sever = await stack.enter_async_context(severing(address.port))
                address = Address("127.0.0.1", port, table.table_id)
            stack.enter_context(_refusals(table.table_id, course.refused))
            words = (
                *(sys.executable, "-m", "qin.cli", "bot", "run", self._spec.text, str(address)),
                *("--quiet", "--seed", seed, "--seat", str(trial.seat + 1)),
            )
            course.seen = await stack.enter_async_context(
                watched(words, memory=self._memory, grace=_GRACE)
            )
            course.came = await self._seated(table, trial, course.seen.process)
            if course.came:
                opponents = await self._opponents(table, trial)
                await table.start()
                await self._game(table, course, sever)
                for task in opponents:
                    task.cancel()
                await asyncio.gather(*opponents, return_exceptions=True)
        return course

    async def _table(self, owner: Client, trial: Trial) -> Table:
        deal = Deal.shuffled(trial.players, Random(f"check/{trial.name}"))
        given = GivenDeal(
            hands="/".join(format_tiles(hand) for hand in deal.hands),
            piles="/".join(format_tiles(pile) for pile in deal.piles),
            first=1,
        )
        settings = TableSettings(clock=ClockSettings(move_seconds=self._seconds))
        return await owner.create(
            board=trial.board, seats=trial.players, deals=[given], settings=settings
        )

    async def _seated(self, table: Table, trial: Trial, process: Process) -> bool:
        """Whether the bot sits down, before its time is over or its process ends."""

        async def sits() -> bool:
            async with aclosing(table.watch()) as updates:
                async for _, state in updates:
                    if state.table.seats[trial.seat].connected:
                        return True
            return False

        sitting, ended = asyncio.create_task(sits()), asyncio.create_task(process.wait())
        try:
            await asyncio.wait(
                {sitting, ended},
                timeout=self._seconds + _GRACE,
                return_when=asyncio.FIRST_COMPLETED,
            )
            return sitting.done() and await sitting
        finally:
            for task in (sitting, ended):
                task.cancel()
            await asyncio.gather(sitting, ended, return_exceptions=True)

    async def _opponents(self, table: Table, trial: Trial) -> list[asyncio.Task[int]]:
        random = Spec.parse("random").load_python()
        tasks = []
        for number in range(trial.players):
            if number != trial.seat:
                client = self._client.with_token(secrets.token_hex(32))
                mine = client.table(table.table_id)
                await mine.join("opponent", seat=number + 1)
                seat = BotSeat(mine, random, f"{trial.name}/{number}")
                tasks.append(asyncio.create_task(seat.play()))
        return tasks

    async def _game(
        self,
        table: Table,
        course: Course,
        sever: Callable[[], None] | None,
    ) -> None:
        """Look on until the game is over; without the bot its clock ends it."""
        began: float | None = None
        async with aclosing(table.watch()) as updates:
            async for _, state in updates:
                began = _timed(course, state, began)
                if sever and state.view and state.view.ply >= 4:
                    sever()
                    sever = None
                if state.table.state == TABLE_STATE_FINISHED:
                    async for info in self._client.records(table.table_id):
                        course.record = parse_record(await self._client.record(info.record_id))
                    return


def _timed(course: Course, state: TableState, began: float | None) -> float | None:
    """Measure how long the bot's turns take; gives when the present one began."""
    view = state.view
    now = time.monotonic()
    mine = view is not None and view.outcome is None and view.turn == Seat(course.trial.seat)
    if began is not None:
        course.slowest = max(course.slowest, now - began)
    return now if mine else None


@contextlib.contextmanager
def _refusals(table_id: str, reasons: list[str]) -> Iterator[None]:
    """Note the reasons of placements that the server in this process refuses at a table."""

    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            facts = getattr(record, "facts", {})
            if record.msg == "placement refused" and facts.get("table") == table_id:
                reasons.append(str(facts["reason"]))

    logger, handler = logging.getLogger("qin.server"), Noting()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
