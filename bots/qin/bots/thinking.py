"""Calling a bot without stopping everything else."""

from __future__ import annotations

import asyncio
import sysconfig
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
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


def place_of(error: BaseException) -> str:
    """Where in its author's own code a bot failed, such as ` (mine.py, line 12)`."""
    installed = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
    places = [
        f" ({Path(frame.f_code.co_filename).name}, line {line})"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not frame.f_globals.get("__name__", "").startswith("qin.")
        and not frame.f_code.co_filename.startswith(("<", *installed))
    ]
    return places[-1] if places else ""


def _succeed(done: asyncio.Future[Result], result: Result) -> None:
    if not done.cancelled():
        done.set_result(result)


def _fail(done: asyncio.Future[Result], error: BaseException) -> None:
    if not done.cancelled():
        done.set_exception(error)


def _tell(loop: asyncio.AbstractEventLoop, *call: object) -> None:
    if not loop.is_closed():  # nobody waits any more
        loop.call_soon_threadsafe(*call)  # type: ignore[arg-type]
