"""A process that plays seats over the protocol, one after the other, for Python bots.

`python -m qin.bots.tournament.sitter`: a seat is a line on standard input. On standard output a
line tells that the bot sits, another one what came of it. It ends when its input does.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from threading import Thread
from typing import Any, NoReturn, TextIO

from qin.bots.arena import Choice, IllegalAnswer
from qin.bots.seat import BotFault, BotSeat
from qin.bots.spec import PythonBot, Spec
from qin.bots.tournament.games import CRASH, ILLEGAL, MEMORY, TIME, Times
from qin.bots.tournament.memory import limit_memory
from qin.bots.tournament.pipes import own_input, own_output
from qin.bots.tournament.referee import told
from qin.client import Client, Table, connect


class SeatFault(BotFault):
    """What the bot did wrong; whoever runs the tournament lets it forfeit."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class TournamentSeat(BotSeat):
    """A seat on which a bot at fault does not resign: the runner decides what becomes of it."""

    def __init__(self, table: Table, make: PythonBot, seed: str, limit: float) -> None:
        super().__init__(table, make, seed)
        self.times = Times()
        self._limit = limit

    async def _place(self, choice: Choice) -> None:
        self.times = self.times.plus(choice.seconds)
        if choice.seconds > self._limit:
            raise SeatFault(TIME, f"took {choice.seconds:.3f} of {self._limit:g} seconds")
        await super()._place(choice)

    async def _give_up(self, why: str, cause: BaseException) -> NoReturn:
        if isinstance(cause, MemoryError):
            raise SeatFault(MEMORY, "its memory is used up") from cause
        if isinstance(cause, IllegalAnswer):
            raise SeatFault(ILLEGAL, why) from cause
        raise SeatFault(CRASH, told(cause)) from cause


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started this process
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    answers = own_output()
    asyncio.run(_serve(answers))


async def _serve(answers: TextIO) -> None:
    waiting: asyncio.Queue[str] = asyncio.Queue()
    Thread(target=_read, args=(asyncio.get_running_loop(), waiting), daemon=True).start()
    load = cache(_load)

    def tell(**facts: Any) -> None:
        answers.write(json.dumps(facts) + "\n")
        answers.flush()

    asked = json.loads(await waiting.get())
    # All seats of a process are at one server, so it keeps its connection.
    async with connect(asked["server"], password=asked["password"]) as client:
        while True:
            await _play(client, load, asked, tell)
            asked = json.loads(await waiting.get())


async def _play(
    client: Client,
    load: Callable[[str], PythonBot],
    asked: dict[str, Any],
    tell: Callable[..., None],
) -> None:
    limit_memory(asked["megabytes"])
    fault = None
    times = Times()
    try:
        make = load(asked["spec"])
        table = client.with_token(asked["token"]).table(asked["table"])
        await table.join(asked["name"], seat=asked["seat"])
        tell(sits=True)
        seat = TournamentSeat(table, make, asked["seed"], asked["seconds"])
        try:
            await seat.play()
        finally:
            times = seat.times
    except SeatFault as error:
        fault = {"reason": error.reason, "detail": str(error)}
    except BotFault as error:  # once the game was over
        fault = {"reason": CRASH, "detail": told(error.__cause__ or error)}
    except Exception as error:  # noqa: BLE001 - the edge of the process
        fault = {"reason": CRASH, "detail": told(error)}
    tell(times=asdict(times), fault=fault)


def _load(spec: str) -> PythonBot:
    return Spec.parse(spec).load_python()


def _read(loop: asyncio.AbstractEventLoop, waiting: asyncio.Queue[str]) -> None:
    for line in own_input():
        loop.call_soon_threadsafe(waiting.put_nowait, line)
    os._exit(0)


if __name__ == "__main__":
    main()
