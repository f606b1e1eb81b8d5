"""A crew that plays through a server, which runs on a loop in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from threading import Thread

from qin.bots.tournament.crew import Crew
from qin.bots.tournament.games import Job, Result
from qin.bots.tournament.served import House
from qin.client import Address, connect


@dataclass(frozen=True, slots=True)
class Where:
    """A server that takes given deals."""

    address: Address
    """As this machine reaches it."""
    public: Address
    """As others do."""
    offered: Callable[[str], list[str]]
    """The names of the bots that wait for a tournament there."""
    password: str = ""


@dataclass(frozen=True, slots=True)
class Served:
    """Who plays, and where."""

    crew: Crew
    where: Where


Starter = Callable[[], AbstractAsyncContextManager[Where]]
"""Runs a server as long as its context lasts. This package knows none; it is given one."""


@contextmanager
def served(start: Starter, concurrency: int, told: Callable[[Where], None]) -> Iterator[Served]:
    """Games through a server; `told` hears where it is."""
    ready: Future[tuple[House, Where]] = Future()
    stop = asyncio.Event()
    loop = asyncio.new_event_loop()
    playing: set[asyncio.Task[Result]] = set()

    async def serve() -> None:
        try:
            async with (
                start() as where,
                connect(where.address, password=where.password) as client,
            ):
                house = House(client, where.address, where.password, concurrency)
                ready.set_result((house, where))
                try:
                    await stop.wait()
                finally:
                    for task in playing:
                        task.cancel()
                    await asyncio.gather(*playing, return_exceptions=True)
                    await house.close()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
                return
            raise

    thread = Thread(target=loop.run_until_complete, args=(serve(),), name="qin-server")
    thread.start()
    try:
        house, where = ready.result()
        told(where)

        async def play(job: Job) -> Result:
            task = asyncio.current_task()
            assert task is not None
            playing.add(task)
            try:
                return await house.play(job)
            finally:
                playing.discard(task)

        def submit(job: Job) -> Future[Result]:
            return asyncio.run_coroutine_threadsafe(play(job), loop)

        yield Served(Crew(submit, lambda: concurrency, lambda: None), where)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
