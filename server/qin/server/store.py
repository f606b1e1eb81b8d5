"""The store: one SQLite file, one thread that writes, many commands to a commit.

Whoever awaits `write` goes on when the rows are on the disk. While the thread waits for the disk,
further writes queue up and share the next commit.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from qin.server.options import MEMORY
from qin.server.schema import APPLICATION_ID, MIGRATIONS

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

    __slots__ = ("error", "future", "query", "rows", "statements")

    def __init__(
        self,
        future: asyncio.Future[list[Row]],
        statements: Sequence[Statement] = (),
        query: Statement | None = None,
    ) -> None:
        self.future = future
        self.statements = statements
        self.query = query
        self.rows: list[Row] = []
        self.error: Exception | None = None


class Store:
    """Opened once, used from one event loop."""

    def __init__(
        self, path: str, *, durable: bool = True, migrations: Sequence[str] = MIGRATIONS
    ) -> None:
        self._path = path
        self._connection = _connect(path, durable=durable)
        try:
            _migrate(self._connection, path, migrations)
        except BaseException:
            self._connection.close()
            raise
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name="qin-store", daemon=True)
        self._thread.start()
        self.commits = 0
        """How many transactions there have been; less than writes where they were grouped."""
        self.writes = 0

    def write(self, statements: Sequence[Statement]) -> asyncio.Future[list[Row]]:
        """Done when all of it is on the disk; on `StoreError` nothing of it is."""
        job = _Job(self._loop.create_future(), statements)
        self._jobs.put(job)
        return job.future

    async def read(self, query: str, *values: Value) -> list[Row]:
        job = _Job(self._loop.create_future(), query=(query, values))
        self._jobs.put(job)
        return await job.future

    async def close(self) -> None:
        """Finish what was asked for, and let the file go."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    # ---- the thread ----------------------------------------------------------------------------

    def _work(self) -> None:
        closing = False
        while not closing:
            waiting = [self._jobs.get()]
            while not self._jobs.empty():
                waiting.append(self._jobs.get())
            closing = None in waiting
            jobs = [job for job in waiting if job is not None]
            self._commit([job for job in jobs if job.query is None])
            for job in jobs:
                if job.query is not None:
                    self._fetch(job)
            self._loop.call_soon_threadsafe(_wake, jobs)
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
            self._connection.execute("BEGIN IMMEDIATE")
            for sql, values in statements:
                self._connection.execute(sql, values)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            return _explain(error, self._path)
        self.commits += 1
        return None

    def _fetch(self, job: _Job) -> None:
        assert job.query is not None
        try:
            job.rows = self._connection.execute(*job.query).fetchall()
        except sqlite3.Error as error:
            job.error = _explain(error, self._path)


def _wake(jobs: list[_Job]) -> None:
    for job in jobs:
        if job.future.done():
            continue  # whoever waited has gone
        if job.error:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.rows)


def _connect(path: str, *, durable: bool) -> sqlite3.Connection:
    try:
        if path != MEMORY:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path}: cannot be opened: {error}") from None
    try:
        # Held until the process ends, however it ends: a second server is refused.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        connection.close()
        raise _explain(error, path) from None
    return connection


def _migrate(connection: sqlite3.Connection, path: str, migrations: Sequence[str]) -> None:
    (found,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if found != APPLICATION_ID and objects:
        raise StoreError(f"{path}: is a database of another program; name another file")
    if version > len(migrations):
        raise StoreError(
            f"{path}: was written by a newer qin (version {version} of the store, this one knows"
            f" {len(migrations)}); update qin, or name another file"
        )
    try:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for number in range(version, len(migrations)):
            # executescript ends a transaction that is open, so it brings its own.
            connection.executescript(
                f"BEGIN; {migrations[number]} PRAGMA user_version = {number + 1}; COMMIT;"
            )
    except sqlite3.Error as error:
        raise _explain(error, path) from None


def _explain(error: sqlite3.Error, path: str) -> StoreError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return StoreError("the server's disk is full; nothing was changed", full=True)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreError(f"{path}: another server is using it; stop it, or name another file")
    if name.startswith("SQLITE_NOTADB"):
        return StoreError(f"{path}: is not a database; name another file")
    return StoreError(f"{path}: {error}")
