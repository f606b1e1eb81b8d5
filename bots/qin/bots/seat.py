"""A Python bot on a seat of a table, over the protocol."""

from __future__ import annotations

from contextlib import aclosing

from qin.bots.arena import Choice, IllegalAnswer, ask
from qin.bots.bot import Bot
from qin.bots.spec import PythonBot
from qin.bots.thinking import in_background
from qin.client import CallError, Table, TableState
from qin.client.happenings import GameEnded, GameStarted, SeriesEnded, WatchEnded
from qin.engine import QinError, View

_TOO_LATE = frozenset({"STALE_PLY", "GAME_OVER", "NOT_YOUR_TURN", "NO_GAME"})
"""Refusals that only say that the game has gone on without us."""


class BotFault(QinError):
    """A bot that failed, in its own code or by its answer. The seat has resigned the game."""


class BotSeat:
    """Plays the games of a table with a fresh bot each. Sit down before."""

    def __init__(self, table: Table, make: PythonBot, seed: str) -> None:
        self.table = table
        self.games = 0
        """How many have come to their end."""
        self.choices: list[Choice] = []
        """What the bot chose in the game that is on."""
        self._make = make
        self._seed = seed
        self._bot: Bot | None = None

    async def play(self, *, rematches: bool = False) -> int:
        """Play until the series is over; with rematches until the table is gone.

        A rematch is agreed to as soon as a player who is no house bot wishes for one. Tells how
        many games were played to their end.
        """
        last = WatchEnded if rematches else WatchEnded | SeriesEnded
        async with aclosing(self.table.watch()) as updates:
            async for events, state in updates:
                for event in events:
                    if isinstance(event, GameStarted):
                        self._bot = None
                    elif isinstance(event, GameEnded):
                        await self._end(state)
                    elif isinstance(event, last):
                        return self.games
                if state.playing:
                    await self._move(state)
                elif rematches and _others_wish(state):
                    await self.table.rematch()
        return self.games

    async def _move(self, state: TableState) -> None:
        view = state.view
        assert view is not None
        try:
            bot = self._bot or await self._begin(view, state.game)
            if not state.my_turn or view.seat in view.out:
                return
            if state.clocks and view.seat is not None:
                bot.time_left(state.clocks.left(view.seat))
            choice = await in_background(lambda: ask(bot, view))
        except IllegalAnswer as error:
            await self._give_up(str(error), error)
        except Exception as error:  # noqa: BLE001 - the edge of somebody else's code
            await self._give_up(f"the bot failed: {type(error).__name__}: {error}", error)
        else:
            self.choices.append(choice)
            await self._place(choice)

    async def _begin(self, view: View, game: int) -> Bot:
        self.choices = []
        self._bot = bot = self._make(f"{self._seed}/{game}")
        await in_background(lambda: bot.game_starts(view))
        return bot

    async def _place(self, choice: Choice) -> None:
        try:
            await self.table.place(choice.placement)
        except CallError as error:
            if error.reason not in _TOO_LATE:
                raise

    async def _end(self, state: TableState) -> None:
        self.games += 1
        bot, self._bot = self._bot, None
        if bot is not None and state.view is not None:
            view = state.view
            try:
                await in_background(lambda: bot.game_ended(view))
            except Exception as error:
                text = f"the bot failed after a game: {type(error).__name__}: {error}"
                raise BotFault(text) from error

    async def _give_up(self, why: str, cause: Exception) -> None:
        """Nobody is to wait for a bot that is broken."""
        try:
            await self.table.resign()
        except CallError as error:
            if error.reason not in _TOO_LATE:
                raise
        raise BotFault(why) from cause


def _others_wish(state: TableState) -> bool:
    """Whether somebody wants to play again, and we have not said that we do."""
    if state.seat is None or state.table.seats[state.seat].rematch:
        return False
    return any(seat.rematch and not seat.bot for seat in state.table.seats)
