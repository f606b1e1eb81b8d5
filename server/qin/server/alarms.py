"""What happens when nobody does anything: clocks run out, players stay away, pauses end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine

from qin.engine import Seat
from qin.server import playing
from qin.server.logs import log
from qin.server.model import State
from qin.server.offers import Offers, Ticket
from qin.server.problems import Problem
from qin.server.table import Table
from qin.v1 import types_pb2 as pb

Action = Callable[[], Coroutine[None, None, None]]

_RETRY_SECONDS = 1.0


class Alarms:
    """The timers of all tables. They are set anew whenever something happens at a table."""

    def __init__(self, offers: Offers) -> None:
        self._offers = offers
        self._turns: dict[str, asyncio.TimerHandle] = {}
        self._absences: dict[tuple[str, Seat], asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def set(self, table: Table) -> None:
        if not table.data.timed:
            return
        self._set_turn(table)
        if table.data.settings.absence_seconds:
            for seat in range(table.data.players):
                self._set_absence(table, Seat(seat))

    def clear(self, table: Table) -> None:
        """Nothing happens at this table any more by itself."""
        if handle := self._turns.pop(table.data.table_id, None):
            handle.cancel()
        for seat in range(table.data.players):
            self._clear_absence(table, Seat(seat))

    # ---- turns and pauses ----------------------------------------------------------------------

    def _set_turn(self, table: Table) -> None:
        name = table.data.table_id
        if handle := self._turns.pop(name, None):
            handle.cancel()
        if table.data.state is not State.PLAYING or table.game is None:
            return
        seat = table.running
        if seat is None:
            pause = table.data.settings.pause_seconds
            self._turns[name] = self._later(
                table.turn_since + pause, lambda: table.happen(playing.next_game)
            )
        elif table.clock is not None and seat not in table.awaited:
            ply, number = table.game.ply, table.game_number
            self._turns[name] = self._later(
                table.turn_since + table.clock.remaining[seat] / 1000,
                lambda: self._time_is_out(table, seat, number, ply),
            )

    async def _time_is_out(self, table: Table, seat: Seat, number: int, ply: int) -> None:
        game = table.game
        if game is not None and (table.game_number, game.ply, table.running) == (number, ply, seat):
            log("time is out", table=table.data.table_id, seat=seat + 1)
            await self._replace(table, seat)

    # ---- absences ------------------------------------------------------------------------------

    def _set_absence(self, table: Table, seat: Seat) -> None:
        game = table.game
        chair = table.data.chairs[seat]
        away = (
            table.running is not None
            and game is not None
            and seat not in game.out
            and not chair.stand_in_token
            and not table.connected(seat)
            and seat not in table.awaited
        )
        if not away:
            self._clear_absence(table, seat)
        elif (table.data.table_id, seat) not in self._absences:
            since = max(table.acted.get(chair.token, 0.0), time.monotonic())
            self._wait_for(table, seat, since)

    def _wait_for(self, table: Table, seat: Seat, since: float) -> None:
        self._absences[table.data.table_id, seat] = self._later(
            since + table.data.settings.absence_seconds, lambda: self._stays_away(table, seat)
        )

    async def _stays_away(self, table: Table, seat: Seat) -> None:
        self._clear_absence(table, seat)
        seconds = table.data.settings.absence_seconds
        acted = table.acted.get(table.data.chairs[seat].token, float("-inf"))
        if time.monotonic() - acted < seconds:
            self._wait_for(table, seat, acted)  # plays without watching
            return
        log("player stays away", table=table.data.table_id, seat=seat + 1)
        await self._replace(table, seat)

    def _clear_absence(self, table: Table, seat: Seat) -> None:
        if handle := self._absences.pop((table.data.table_id, seat), None):
            handle.cancel()

    # ---- what the table chose ------------------------------------------------------------------

    async def _replace(self, table: Table, seat: Seat) -> None:
        """A house bot takes over, or the seat forfeits."""
        chair = table.data.chairs[seat]
        wants_bot = table.data.settings.absence == pb.ABSENCE_HOUSE_BOT
        if wants_bot and not chair.bot and not chair.stand_in_token:
            try:
                ticket = self._offers.hand_seat(
                    "",
                    table.data.table_id,
                    seat,
                    stand_in=True,
                    expired=lambda _: self.start(lambda: self._bot_stays_away(table, seat)),
                )
            except Problem:
                pass  # no bot waits for a seat
            else:
                table.awaited[seat] = ticket.bot
                return
        await table.happen(lambda draft: playing.forfeit(draft, seat))

    async def _bot_stays_away(self, table: Table, seat: Seat) -> None:
        table.awaited.pop(seat, None)
        await table.happen(lambda draft: playing.forfeit(draft, seat))

    def bot_was_expected(self, table: Table) -> Callable[[Ticket], None]:
        """What to do when a bot that was asked for does not come to an open table."""

        def give_up(ticket: Ticket) -> None:
            table.awaited.pop(ticket.seat, None)
            table.tell_table()
            log("bot did not come", table=ticket.table_id, seat=ticket.seat + 1, bot=ticket.bot)

        return give_up

    # ---- timers --------------------------------------------------------------------------------

    def stop(self) -> None:
        """Nothing happens by itself any more: the server stops."""
        for handle in (*self._turns.values(), *self._absences.values()):
            handle.cancel()
        for task in self._tasks:
            task.cancel()

    def start(self, action: Action) -> None:
        """Do it beside everything else."""
        task = asyncio.create_task(_persist(action))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _later(self, when: float, action: Action) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        return loop.call_later(max(0, when - time.monotonic()), self.start, action)


async def _persist(action: Action) -> None:
    """Try until the store can take it. Any other refusal means that it is not called for."""
    while True:
        try:
            await action()
        except Problem as problem:
            log("alarm refused", reason=problem.reason)
            if problem.reason not in ("STORE_FULL", "STORE_FAILED"):
                return
            await asyncio.sleep(_RETRY_SECONDS)
        else:
            return
