"""Who plays a seat and stays away: a player as long as the table lets him, a bot for moments."""

from __future__ import annotations

import asyncio
import time

from qin.engine import Seat
from qin.server.errands import Errands
from qin.server.logs import log
from qin.server.replacing import Replacing
from qin.server.table import Table
from qin.server.vacancy import Vacancy, is_away

_Key = tuple[str, Seat]


class Absences:
    """The timers for seats whose player, or whose bot, is gone while a game is on."""

    def __init__(self, errands: Errands, replacing: Replacing, bot_grace_seconds: float) -> None:
        self._errands = errands
        self._replacing = replacing
        self._grace = bot_grace_seconds
        self._gone: dict[_Key, tuple[bytes, float]] = {}
        """Who is away, and since when."""
        self._timers: dict[_Key, asyncio.TimerHandle] = {}
        self._seeking: dict[_Key, Table] = {}
        """Seats that another bot is to have, as soon as there is one."""

    def set(self, table: Table) -> None:
        settings, chairs = table.data.settings, table.data.chairs
        for number, chair in enumerate(chairs):
            if settings.absence_seconds or chair.played_by_bot:
                self._set(table, Seat(number))

    def clear(self, table: Table) -> None:
        for seat in range(table.data.players):
            self._is_here((table.data.table_id, Seat(seat)))

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()

    def bot_came(self) -> None:
        """There is a bot more: seats that are played by none have waited for it."""
        seeking, self._seeking = self._seeking, {}
        for (_, seat), table in seeking.items():
            self._set(table, seat)

    # ---- one seat ------------------------------------------------------------------------------

    def _set(self, table: Table, seat: Seat) -> None:
        key = (table.data.table_id, seat)
        player = table.data.chairs[seat].player
        if not is_away(table, seat):
            self._is_here(key)
            return
        if key not in self._gone or self._gone[key][0] != player:
            self._is_here(key)
            self._gone[key] = (player, time.monotonic())
        if timer := self._timers.pop(key, None):
            timer.cancel()
        if seat in table.awaited:
            return
        dues = [self._due(table, seat)]
        if table.data.chairs[seat].played_by_bot and key not in self._seeking:
            dues.append(self._since(table, seat) + self._grace)
        if when := min((due for due in dues if due is not None), default=None):
            self._timers[key] = self._errands.later(when, lambda: self._stays_away(table, seat))

    def _is_here(self, key: _Key) -> None:
        self._gone.pop(key, None)
        self._seeking.pop(key, None)
        if timer := self._timers.pop(key, None):
            timer.cancel()

    def _since(self, table: Table, seat: Seat) -> float:
        """Since when nothing is heard of who plays a seat. One may also play without watching."""
        player, gone = self._gone[table.data.table_id, seat]
        return max(gone, table.acted.get(player, gone))

    def _due(self, table: Table, seat: Seat) -> float | None:
        """When what the table chose is to happen; None for never."""
        seconds = table.data.settings.absence_seconds
        return self._since(table, seat) + seconds if seconds else None

    async def _stays_away(self, table: Table, seat: Seat) -> None:
        key = (table.data.table_id, seat)
        if key not in self._gone or seat in table.awaited or not is_away(table, seat):
            return
        chair = table.data.chairs[seat]
        now, due = time.monotonic(), self._due(table, seat)
        final = due is not None and now >= due
        vacancy = Vacancy.by_absence(table, seat, final=final)
        if final:
            log("player stays away", table=table.data.table_id, seat=seat + 1)
            await self._replacing.replace(table, vacancy)
        elif chair.played_by_bot and now >= self._since(table, seat) + self._grace:
            log("bot is gone", table=table.data.table_id, seat=seat + 1)
            if not self._replacing.hand_to_bot(table, vacancy):
                self._seeking[key] = table
                self._set(table, seat)
        else:
            self._set(table, seat)  # something was heard of him meanwhile
