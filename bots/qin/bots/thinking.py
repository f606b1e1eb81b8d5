"""Calling a bot without stopping everything else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


async def in_background(function: Callable[[], Result]) -> Result:
    """The result of a function that may take long, or for ever.

    Its thread is a daemon: one that hangs does not keep the process from ending, as those of
    `asyncio.to_thread` would.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def think() -> None:
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            _tell(loop, _fail, done, error)
        else:
            _tell(loop, _succeed, done, result)

    threading.Thread(target=think, name="a bot is thinking", daemon=True).start()
    return await done


def _succeed(done: asyncio.Future[Result], result: Result) -> None:
    if not done.cancelled():
        done.set_result(result)


def _fail(done: asyncio.Future[Result], error: BaseException) -> None:
    if not done.cancelled():
        done.set_exception(error)


def _tell(loop: asyncio.AbstractEventLoop, *call: object) -> None:
    if not loop.is_closed():  # nobody waits any more
        loop.call_soon_threadsafe(*call)  # type: ignore[arg-type]
