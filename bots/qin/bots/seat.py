"""A Python bot on a seat of a table, over the protocol."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, NoReturn

from qin.bots.arena import Choice, IllegalAnswer, ask
from qin.bots.bot import Bot
from qin.bots.spec import PythonBot
from qin.bots.thinking import in_background, place_of
from qin.client import CallError, Table, TableState, Update
from qin.client.happenings import GameEnded, GameStarted, SeriesEnded, WatchEnded
from qin.engine import QinError
from qin.v1.types_pb2 import TABLE_STATE_FINISHED

_TOO_LATE = frozenset({"STALE_PLY", "GAME_OVER", "NOT_YOUR_TURN", "NO_GAME"})
"""Refusals that only say that the game has gone on without us."""


class BotFault(QinError):
    """A bot that failed, in its own code or by its answer. The seat has resigned the game."""


class _Thinking(NamedTuple):
    """A move that is being thought about."""

    task: asyncio.Task[Bot]
    moment: tuple[int, int] | None
    """The game and the ply that it is for; None where only a bot is made for a new game."""


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
        self._thinking: _Thinking | None = None
        self._decided: tuple[int, int] | None = None
        """The game and the ply of the last choice."""
        self._rematches = False
        self._fault: BotFault | None = None

    async def play(self, *, rematches: bool = False) -> int:
        """Play until the series is over; with rematches until the table is gone.

        A rematch is agreed to as soon as a player who is no house bot wishes for one. Tells how
        many games were played to their end.
        """
        self._rematches = rematches
        updates = self.table.watch()
        coming: asyncio.Task[Update] | None = None
        try:
            while True:
                coming = coming or asyncio.create_task(anext(updates))
                waiting = {coming} if self._thinking is None else {coming, self._thinking.task}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if self._thinking is not None and self._thinking.task.done():
                    thought, self._thinking = self._thinking, None
                    await thought.task
                    self._consider()
                if coming.done():
                    update, coming = coming.result(), None
                    if await self._is_over(update):
                        if self._fault:
                            raise self._fault  # the end may come before the answer to resigning
                        return self.games
        finally:
            for task in (coming, self._thinking and self._thinking.task):
                if task is not None:
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
            self._thinking = None
            await updates.aclose()

    async def _is_over(self, update: Update) -> bool:
        """Take in what happened, and begin to think if it is our turn; tells if all is over."""
        events, state = update
        for event in events:
            if isinstance(event, GameStarted):
                self._bot = self._decided = None
            elif isinstance(event, GameEnded):
                await self._end(state)
            elif isinstance(event, WatchEnded) or (
                isinstance(event, SeriesEnded) and not self._rematches
            ):
                return True
        if not self._rematches and is_over(state):
            return True
        self._consider()
        if not state.playing and self._rematches and _others_wish(state):
            await self.table.rematch()
        return False

    def _consider(self) -> None:
        """Begin to think, if there is something to think about; stop where it is too late."""
        state = self.table.state
        view = state.view
        moment = (state.game, view.ply) if view and state.my_turn else None
        if self._thinking is not None:
            if self._thinking.moment in (None, moment):
                return
            # The game went on without us: our time is out, or all others have left.
            self._thinking.task.cancel()
            self._thinking = None
        if not state.playing or (self._bot is not None and moment in (None, self._decided)):
            return
        task = asyncio.create_task(self._move(state) if moment else self._begin(state))
        self._thinking = _Thinking(task, moment)

    async def _begin(self, state: TableState) -> Bot:
        """A fresh bot for a game."""
        view = state.view
        assert view is not None
        self.choices = []
        seed = f"{self._seed}/{self.games + 1}"

        def begin() -> Bot:
            bot = self._make(seed)
            bot.game_starts(view)
            return bot

        try:
            bot = await in_background(begin)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the edge of somebody else's code
            await self._give_up(_failure(error), error)
        self._bot = bot
        return bot

    async def _move(self, state: TableState) -> Bot:
        view = state.view
        assert view is not None
        bot = self._bot or await self._begin(state)
        seconds = state.clocks.left(view.seat) if state.clocks and view.seat is not None else None

        def think() -> Choice:
            if seconds is not None:
                bot.time_left(seconds)
            return ask(bot, view)

        try:
            choice = await in_background(think)
        except IllegalAnswer as error:
            await self._give_up(str(error), error)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - likewise
            await self._give_up(_failure(error), error)
        self._decided = (state.game, view.ply)
        self.choices.append(choice)
        await self._place(choice)
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
            except (Exception, SystemExit) as error:
                raise BotFault(f"after a game {_failure(error)}") from error

    async def _give_up(self, why: str, cause: BaseException) -> NoReturn:
        """Nobody is to wait for a bot that is broken. A seat of somebody else is only left."""
        self._fault = BotFault(why)
        self._fault.__cause__ = cause
        state = self.table.state
        stands_in = state.seat is not None and state.table.seats[state.seat].stand_in
        try:
            await (self.table.leave() if stands_in else self.table.resign())
        except CallError as error:
            if error.reason not in _TOO_LATE:
                raise
        raise self._fault


def _failure(error: BaseException) -> str:
    return f"the bot failed: {type(error).__name__}: {error}{place_of(error)}"


def is_over(state: TableState) -> bool:
    """Whether the series was over before we looked, and we wait for no other one."""
    finished = state.table.state == TABLE_STATE_FINISHED
    return finished and not (state.seat is not None and state.table.seats[state.seat].rematch)


def _others_wish(state: TableState) -> bool:
    """Whether somebody wants to play again, and we have not said that we do."""
    if state.seat is None:
        return False
    mine = state.table.seats[state.seat]
    if mine.rematch or mine.stand_in:  # who stands in cannot wish for anything
        return False
    return any(seat.rematch and not seat.bot for seat in state.table.seats)
