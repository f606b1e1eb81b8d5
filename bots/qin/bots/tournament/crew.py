"""Who plays the games: processes of this machine, or the workers of a cluster."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

from qin.bots.tournament.games import Job, Result
from qin.bots.tournament.watchdog import Stages
from qin.engine import QinError


class ClusterError(QinError):
    """A cluster that cannot be used; the message says why and what to do."""


class Crew:
    """Plays games, so many at a time."""

    def __init__(
        self,
        submit: Callable[[Job], Future[Result]],
        size: Callable[[], int],
        interrupt: Callable[[], None],
    ) -> None:
        self.submit = submit
        self._size = size
        self.interrupt = interrupt
        """Lets the games that are on come to nothing."""

    def result(self, future: Future[Result]) -> Result:
        """What came of a game that is done."""
        return future.result()

    @property
    def wanted(self) -> int:
        """How many games should be in hand: those that are played, and a few that come next."""
        return self._size() + 2


@contextmanager
def local(concurrency: int) -> Iterator[Crew]:
    """Processes of this machine, each freshly started and watched over by a thread."""
    with Stages() as stages:
        executor = ThreadPoolExecutor(concurrency, thread_name_prefix="qin-game")
        try:
            yield Crew(
                lambda job: executor.submit(stages.play, job),
                lambda: concurrency,
                stages.interrupt,
            )
        finally:
            stages.interrupt()
            executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Crew]:
    """The workers of a Dask cluster, through its `concurrent.futures` executor.

    A worker that is lost loses the games it was at; the scheduler gives them to another one.
    """
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 - an extra
    except ImportError:
        raise ClusterError(
            "--cluster needs Dask; install it with: pip install 'qin-game[cluster]'"
        ) from None
    try:
        client: Any = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address!r} ({type(error).__name__});"
            " start one with `dask scheduler`, and give its address"
        ) from None
    with client:
        executor = client.get_executor(pure=False)

        def size() -> int:
            # Nothing is known of them while the scheduler is out of reach.
            workers = client.scheduler_info(n_workers=-1).get("workers", {})
            return 2 * sum(int(worker["nthreads"]) for worker in workers.values())

        class Workers(Crew):
            def result(self, future: Future[Result]) -> Result:
                try:
                    return super().result(future)
                except (CancelledError, KilledWorker) as error:
                    raise ClusterError(
                        f"the cluster at {address} was lost ({type(error).__name__});"
                        " all finished deals are kept, go on with `qin tournament resume`"
                    ) from None

        try:
            yield Workers(lambda job: executor.submit(play_on_worker, job), size, lambda: None)
        finally:
            executor.shutdown(wait=False)


def play_on_worker(job: Job) -> Result:
    """What a worker of a cluster does: it keeps processes that play, as this machine would."""
    return _stages_of_worker(os.getpid()).play(job)


@cache
def _stages_of_worker(_process: int) -> Stages:
    stages = Stages()
    atexit.register(stages.__exit__)
    return stages


def cores() -> int:
    """How many games this machine plays best at a time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
