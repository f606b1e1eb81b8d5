"""What a server does by itself, beside the calls: now or later, until the store can take it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine

from qin.server.logs import log
from qin.server.problems import Problem

Errand = Callable[[], Coroutine[None, None, None]]

_RETRY_SECONDS = 1.0


class Errands:
    """Those that are under way."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, errand: Errand) -> None:
        """Do it beside everything else."""
        task = asyncio.create_task(_persist(errand))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def later(self, when: float, errand: Errand) -> asyncio.TimerHandle:
        """Do it at a time of the monotonic clock."""
        loop = asyncio.get_running_loop()
        return loop.call_later(max(0, when - time.monotonic()), self.start, errand)

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()


async def _persist(errand: Errand) -> None:
    """Try until the store can take it. Any other refusal means that it is not called for."""
    while True:
        try:
            await errand()
        except Problem as problem:
            log("alarm refused", reason=problem.reason)
            if problem.reason not in ("STORE_FULL", "STORE_FAILED"):
                return
            await asyncio.sleep(_RETRY_SECONDS)
        else:
            return
