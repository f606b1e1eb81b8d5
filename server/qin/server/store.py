"""The store: one SQLite file, one thread that writes, many commands to a commit.

Whoever awaits `write` goes on when the rows are on the disk. What comes in while the event loop
is busy, or while the thread waits for the disk, shares the next commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import threading
from collections.abc import Coroutine, Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from qin.server.options import MEMORY
from qin.server.schema import APPLICATION_ID, COMMAND_VALUES, INSERT_COMMAND, MIGRATIONS

_GATHER_SECONDS = 0.001
_GATHER_SECONDS_AT_MOST = 0.005
_ROWS_A_STATEMENT = 500  # SQLite takes 32,766 values at the most

Value = str | bytes | int | float | None
Row = tuple[Value, ...]
Statement = tuple[str, tuple[Value, ...]]


class StoreError(Exception):
    """The store cannot do it; the message says why and what to do."""

    def __init__(self, message: str, *, full: bool = False) -> None:
        super().__init__(message)
        self.full: Final = full


class _Job:
    """What one caller waits for: some statements in one transaction, or one query."""

    __slots__ = ("done", "error", "query", "rows", "statements", "wake")

    def __init__(
        self,
        wake: asyncio.Future[None],
        statements: Sequence[Statement] = (),
        query: Statement | None = None,
    ) -> None:
        self.wake = wake
        self.statements = statements
        self.query = query
        self.rows: list[Row] = []
        self.error: StoreError | None = None
        self.done = False


class Store:
    """Opened once, used from one event loop."""

    def __init__(
        self, path: str, *, durable: bool = True, migrations: Sequence[str] = MIGRATIONS
    ) -> None:
        self._path = path
        self._connection = _connect(path, len(migrations), durable=durable)
        try:
            _migrate(self._connection, path, migrations)
        except BaseException:
            self._connection.close()
            raise
        self._loop = asyncio.get_running_loop()
        self._waiting: list[_Job] = []
        self._last_size = 0
        """How many the last commit was for."""
        self._busy = False
        """Whether the thread has something to do, or is about to be given it."""
        self._groups: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="qin-store", daemon=True)
        self._closed = False
        self._thread.start()
        self.commits = 0
        """How many transactions there have been; less than writes where they were grouped."""
        self.writes = 0

    def write(self, statements: Sequence[Statement]) -> Coroutine[None, None, list[Row]]:
        """Asked for at once; done when all of it is on the disk. On `StoreError` nothing of it is.

        It cannot be called off: on `CancelledError`, too, all of it is on the disk.
        """
        return self._ask(_Job(self._loop.create_future(), statements))

    def read(self, query: str, *values: Value) -> Coroutine[None, None, list[Row]]:
        return self._ask(_Job(self._loop.create_future(), query=(query, values)))

    async def close(self) -> None:
        """Finish what was asked for, and let the file go."""
        while self._busy:
            await self.read("SELECT 1")  # comes after all that was asked before
        self._closed = True
        self._groups.put(None)
        await asyncio.to_thread(self._thread.join)

    def _ask(self, job: _Job) -> Coroutine[None, None, list[Row]]:
        if self._closed:
            raise StoreError("the server is stopping")
        self._waiting.append(job)
        if not self._busy:
            self._busy = True
            self._hand_over_soon()
        return self._outcome_of(job)

    async def _outcome_of(self, job: _Job) -> list[Row]:
        cancelled: asyncio.CancelledError | None = None
        while not job.done:
            try:
                await job.wake
            except asyncio.CancelledError as error:
                if job.query:
                    raise
                cancelled = error
                job.wake = self._loop.create_future()
        if job.error:
            if cancelled and (task := asyncio.current_task()):
                task.cancel()  # again, for where it waits next: it is to know of both
            raise job.error
        if cancelled:
            raise cancelled
        return job.rows

    def _hand_over_soon(self) -> None:
        """At once for who is alone; where many write, when for a moment no more have joined."""
        if self._last_size > 1:
            self._gather(0, self._loop.time() + _GATHER_SECONDS_AT_MOST)
        else:
            self._loop.call_soon(self._hand_over)

    def _gather(self, before: int, until: float) -> None:
        if len(self._waiting) > before and self._loop.time() < until:
            self._loop.call_later(_GATHER_SECONDS, self._gather, len(self._waiting), until)
        else:
            self._hand_over()

    def _hand_over(self) -> None:
        group, self._waiting = self._waiting, []
        self._last_size = len(group)
        self._groups.put(group)

    def _done(self, group: list[_Job]) -> None:
        for job in group:
            job.done = True
            if not job.wake.done():
                job.wake.set_result(None)
        self._busy = bool(self._waiting)
        if self._busy:
            self._hand_over_soon()

    # ---- the thread ----------------------------------------------------------------------------

    def _work(self) -> None:
        while (group := self._groups.get()) is not None:
            self._commit([job for job in group if job.query is None])
            for job in group:
                if job.query is not None:
                    self._fetch(job)
            self._loop.call_soon_threadsafe(self._done, group)
        self._connection.close()

    def _commit(self, jobs: list[_Job]) -> None:
        if not jobs:
            return
        error = self._try([statement for job in jobs for statement in job.statements])
        self.writes += len(jobs)
        if error is None:
            return
        if len(jobs) == 1:
            jobs[0].error = error
            return
        for job in jobs:  # one of them is at fault, or there is room for some: each on its own
            job.error = self._try(job.statements)

    def _try(self, statements: Sequence[Statement]) -> StoreError | None:
        try:
            merged = list(_merged(statements))
            if len(merged) == 1 and not self._connection.in_transaction:
                # By itself it is a transaction.
                self._connection.execute(*merged[0])
            else:
                self._connection.execute("BEGIN IMMEDIATE")
                for sql, values in merged:
                    self._connection.execute(sql, values)
                self._connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - the edge of the thread, which must live on
            # Where even that fails, the next BEGIN is refused, and it is tried again.
            with contextlib.suppress(sqlite3.Error):
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            return _explain(error, self._path)
        self.commits += 1
        return None

    def _fetch(self, job: _Job) -> None:
        assert job.query is not None
        try:
            job.rows = self._connection.execute(*job.query).fetchall()
        except Exception as error:  # noqa: BLE001 - as above
            job.error = _explain(error, self._path)


def _merged(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The same, with neighbouring commands as one statement: each one costs a change of threads."""
    for sql, group in groupby(statements, key=itemgetter(0)):
        rows = [values for _, values in group]
        size = _ROWS_A_STATEMENT if sql == INSERT_COMMAND else 1
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            more = f", {COMMAND_VALUES}" * (len(some) - 1)
            yield sql + more, tuple(chain.from_iterable(some))


def _connect(path: str, versions: int, *, durable: bool) -> sqlite3.Connection:
    try:
        if path != MEMORY:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            # Nobody else on this machine is to read the tiles. What SQLite puts beside the file
            # gets the same rights.
            os.close(os.open(path, os.O_CREAT | os.O_RDONLY, 0o600))
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise StoreError(f"{path}: cannot be opened: {reason}; name another file") from None
    try:
        # Held until the process ends, however it ends: a second server is refused.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        _check_ours(connection, path, versions)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    except sqlite3.Error as error:
        connection.close()
        raise _explain(error, path) from None
    except StoreError:
        connection.close()
        raise
    return connection


def _check_ours(connection: sqlite3.Connection, path: str, versions: int) -> None:
    """Look before anything is written: what is not ours stays as it is, byte for byte."""
    (found,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if found != APPLICATION_ID and objects:
        raise StoreError(f"{path}: is a database of another program; name another file")
    if version > versions:
        raise StoreError(
            f"{path}: was written by a newer qin (version {version} of the store, this one knows"
            f" {versions}); update qin, or name another file"
        )


def _migrate(connection: sqlite3.Connection, path: str, migrations: Sequence[str]) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    try:
        for number in range(version, len(migrations)):
            # executescript ends a transaction that is open, so it brings its own.
            connection.executescript(
                f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; {migrations[number]}"
                f" PRAGMA user_version = {number + 1}; COMMIT;"
            )
    except sqlite3.Error as error:
        raise _explain(error, path) from None


def _explain(error: Exception, path: str) -> StoreError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return StoreError("the server's disk is full; nothing was changed", full=True)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreError(f"{path}: another server is using it; stop it, or name another file")
    if name.startswith("SQLITE_NOTADB"):
        return StoreError(f"{path}: is not a database; name another file")
    return StoreError(f"{path}: {error}")
