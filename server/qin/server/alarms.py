"""What happens when nobody does anything: clocks run out, players stay away, pauses end."""

from __future__ import annotations

import asyncio

from qin.server import playing
from qin.server.absences import Absences
from qin.server.errands import Errands
from qin.server.logs import log
from qin.server.model import State
from qin.server.offers import Offers
from qin.server.replacing import Replacing
from qin.server.table import Table
from qin.server.vacancy import Vacancy


class Alarms:
    """The timers of all tables. They are set anew whenever something happens at a table."""

    def __init__(self, offers: Offers, bot_grace_seconds: float) -> None:
        self._errands = Errands()
        self.replacing = Replacing(offers, self._errands)
        self._absences = Absences(self._errands, self.replacing, bot_grace_seconds)
        self._turns: dict[str, asyncio.TimerHandle] = {}
        offers.came = self._absences.bot_came

    def set(self, table: Table) -> None:
        if table.awaited:
            self.replacing.drop_what_is_not_called_for(table)
        if table.data.timed:
            self._set_turn(table)
        self._absences.set(table)

    def clear(self, table: Table) -> None:
        """Nothing happens at this table any more by itself."""
        if handle := self._turns.pop(table.data.table_id, None):
            handle.cancel()
        self._absences.clear(table)

    def stop(self) -> None:
        """Nothing happens by itself any more: the server stops."""
        for handle in self._turns.values():
            handle.cancel()
        self._absences.stop()
        self._errands.stop()

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
            self._turns[name] = self._errands.later(
                table.turn_since + pause, lambda: table.happen(playing.next_game)
            )
        elif table.clock is not None and seat not in table.awaited:
            vacancy = Vacancy.by_the_clock(table, seat)
            self._turns[name] = self._errands.later(
                table.turn_since + table.clock.remaining[seat] / 1000,
                lambda: self._time_is_out(table, vacancy),
            )

    async def _time_is_out(self, table: Table, vacancy: Vacancy) -> None:
        if vacancy.holds(table):
            log("time is out", table=table.data.table_id, seat=vacancy.seat + 1)
            await self.replacing.replace(table, vacancy)
