"""The store alone: commits in groups, whole writes or none, and files that are not its own."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import stat
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from qin.server.options import Options
from qin.server.schema import APPLICATION_ID, MIGRATIONS
from qin.server.server import StartError, running
from qin.server.store import Store, StoreError
from qin.v1 import lobby_pb2
from server.players import Player, reason_of, serving
from server.storing import asked, held, record_row, rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "qin.db"


@pytest_asyncio.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    opened = Store(str(path))
    yield opened
    await opened.close()


async def writing(store: Store, name: str) -> None:
    await store.write([record_row(name)])


def files_in(place: Path) -> list[str]:
    return [file.name for file in place.iterdir()]


# ---- writing -----------------------------------------------------------------------------------


async def test_writes_that_wait_share_one_commit(store: Store, path: Path) -> None:
    async with held(store):
        writes = [store.write([record_row(f"r{number}")]) for number in range(200)]
        before = store.commits
    await asyncio.gather(*writes)
    assert store.commits == before + 2  # the one that was held, and one for all the others
    assert store.writes == 201
    assert await rows(store) == [f"r{number}" for number in range(200)]
    await store.close()
    with sqlite3.connect(path) as again:
        assert again.execute("SELECT count(*) FROM records").fetchone() == (200,)
    again.close()


async def test_many_writers_need_fewer_commits_than_writes(store: Store) -> None:
    async def writer(name: str) -> None:
        for number in range(25):
            await store.write([record_row(f"{name}-{number}")])

    await asyncio.gather(*(writer(f"w{number}") for number in range(16)))
    assert store.writes == 400
    assert store.commits < 200
    assert len(await rows(store)) == 400


async def test_of_a_failed_write_nothing_is_there_and_the_others_survive(store: Store) -> None:
    await store.write([record_row("taken")])
    async with held(store):
        good = store.write([record_row("before")])
        bad = store.write([record_row("half"), record_row("taken"), record_row("other half")])
        late = store.write([record_row("after")])
    await asyncio.gather(good, late)
    with pytest.raises(StoreError, match="UNIQUE"):
        await bad
    assert await rows(store) == ["taken", "before", "after"]


async def test_a_read_sees_what_was_written_before_it(store: Store) -> None:
    async with held(store):
        writing = store.write([record_row("first")])
        reading = asyncio.create_task(rows(store))
        await asked(store, 2)
    assert await reading == ["first"]
    await writing


async def test_who_no_longer_waits_disturbs_nobody(store: Store) -> None:
    async with held(store):
        gone = asyncio.create_task(writing(store, "gone"))
        await asked(store, 1)
        waits = store.write([record_row("waits")])
        gone.cancel()
    await waits
    assert await rows(store) == ["gone", "waits"]


async def test_who_is_called_off_ends_when_it_is_written(store: Store) -> None:
    """However often: what a table took over must be what the store has."""
    async with held(store):
        gone = asyncio.create_task(writing(store, "gone"))
        await asked(store, 1)
        for _ in range(3):
            gone.cancel()
            await asyncio.sleep(0)
            assert not gone.done()
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert await rows(store) == ["gone"]


async def test_who_is_called_off_is_told_that_nothing_was_written(store: Store) -> None:
    await store.write([record_row("taken")])
    async with held(store):
        gone = asyncio.create_task(writing(store, "taken"))
        await asked(store, 1)
        gone.cancel()
    with pytest.raises(StoreError, match="UNIQUE"):
        await gone


async def test_who_is_called_off_while_nothing_was_written_is_called_off_all_the_same(
    store: Store,
) -> None:
    """A task that goes on after such an error, as the one that tidies up does, never ended."""

    async def goes_on() -> None:
        with contextlib.suppress(StoreError):
            await writing(store, "taken")
        await asyncio.Event().wait()

    await store.write([record_row("taken")])
    async with held(store):
        gone = asyncio.create_task(goes_on())
        await asked(store, 1)
        gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.shield(gone), 10)


async def test_who_reads_need_not_wait_when_called_off(store: Store) -> None:
    async with held(store):
        gone = asyncio.create_task(rows(store))
        await asked(store, 1)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
    assert await rows(store) == []


async def test_what_is_no_statement_fails_alone(store: Store) -> None:
    """It ended the thread, and everybody waited for ever."""
    with pytest.raises(StoreError):
        await store.write([("SELECT 1",)])  # type: ignore[list-item]
    await store.write([record_row("fine")])
    assert await rows(store) == ["fine"]


async def test_what_sqlite_cannot_take_fails_alone(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.read("SELECT ?", 1 << 70)
    with pytest.raises(StoreError):
        await store.write([record_row("half"), ("SELECT ?", (1 << 70,))])
    with pytest.raises(StoreError):
        await store.read("SELECT nonsense")
    await store.write([record_row("fine")])
    assert await rows(store) == ["fine"]


class _NoWayBack:
    """A connection whose disk fails once more when a transaction is to be undone."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.failures = 1

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def execute(self, sql: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        if sql == "ROLLBACK" and self.failures:
            self.failures -= 1
            raise sqlite3.OperationalError("disk I/O error")
        return self._connection.execute(sql, values)


async def test_a_failing_rollback_does_not_end_the_store(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread would have ended, and everybody would have waited for ever."""
    monkeypatch.setattr(store, "_connection", _NoWayBack(store._connection))
    for _ in range(2):  # the second one finds the transaction of the first, and undoes it
        with pytest.raises(StoreError):
            await asyncio.wait_for(store.write([record_row("half"), ("nonsense", ())]), 5)
    await asyncio.wait_for(store.write([record_row("fine")]), 5)
    assert await rows(store) == ["fine"]


async def test_nothing_is_written_into_a_transaction_that_failed(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One statement alone is a transaction by itself, but not where another one is still open."""
    monkeypatch.setattr(store, "_connection", _NoWayBack(store._connection))
    with pytest.raises(StoreError):
        await store.write([record_row("half"), ("nonsense", ())])
    with pytest.raises(StoreError):
        await store.write([record_row("too early")])
    await store.write([record_row("fine")])
    await store.close()
    with sqlite3.connect(path) as again:
        assert again.execute("SELECT id FROM records").fetchall() == [("fine",)]
    again.close()


async def test_closing_finishes_what_was_asked_for(path: Path) -> None:
    store = Store(str(path))
    writes = [store.write([record_row(f"r{number}")]) for number in range(50)]
    await store.close()
    await asyncio.gather(*writes)
    again = Store(str(path))
    assert len(await rows(again)) == 50
    await again.close()


async def test_a_closed_store_says_so(path: Path) -> None:
    store = Store(str(path))
    await store.close()
    async with asyncio.timeout(5):
        with pytest.raises(StoreError):
            await store.write([record_row("late")])
        with pytest.raises(StoreError):
            await rows(store)


# ---- files -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("store")
async def test_a_second_server_on_the_same_file_is_refused(path: Path) -> None:
    with pytest.raises(StoreError, match="another server is using it"):
        Store(str(path))
    with pytest.raises(StartError, match="another server is using it"):
        async with running(Options(port=0, database=str(path))):
            pass


@pytest.mark.usefixtures("store")
async def test_a_second_server_in_another_process_is_refused(path: Path) -> None:
    script = (
        "import asyncio, sys; from qin.server.store import Store\n"
        "async def main(): Store(sys.argv[1])\n"
        "asyncio.run(main())"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, str(path), stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    assert process.returncode == 1
    assert b"another server is using it" in errors


async def test_the_file_is_free_once_the_server_has_stopped(path: Path) -> None:
    for _ in range(3):
        async with serving(database=str(path)) as (_, channel):
            await Player(channel).create()
    assert files_in(path.parent) == ["qin.db"]


def text_file(path: Path) -> None:
    path.write_text("Dear diary, this is not a database. " * 200)


def of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
        other.execute("INSERT INTO bookmarks VALUES ('https://example.org')")
    other.close()


def of_another_program_with_its_mark(path: Path) -> None:
    of_another_program(path)
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA application_id = 77")
        other.execute("PRAGMA user_version = 1")
    other.close()


def of_a_newer_qin(path: Path) -> None:
    with sqlite3.connect(path) as newer:
        newer.execute("CREATE TABLE tables (wonders TEXT)")
        newer.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    newer.close()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (text_file, "is not a database; name another file"),
        (of_another_program, "is a database of another program; name another file"),
        (of_another_program_with_its_mark, "is a database of another program; name another file"),
        (of_a_newer_qin, "was written by a newer qin .* update qin, or name another file"),
    ],
)
async def test_a_file_that_is_not_ours_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], words: str
) -> None:
    path = tmp_path / "file"
    make(path)
    before = path.read_bytes()
    with pytest.raises(StartError, match=words):
        async with running(Options(port=0, database=str(path))):
            pass
    assert path.read_bytes() == before
    assert files_in(tmp_path) == ["file"]


async def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=str(tmp_path)):
        Store(str(tmp_path))


async def test_nobody_else_may_read_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "shared" / "qin.db"
    store = Store(str(path))
    await store.write([record_row("a")])
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files][:2] == ["qin.db", "qin.db-wal"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    await store.close()


async def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    store = Store(str(path))
    await store.write([record_row("r")])
    await store.close()


# ---- versions ----------------------------------------------------------------------------------


def version_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(version)


async def test_an_older_store_is_migrated_with_all_that_is_in_it(path: Path) -> None:
    old = Store(str(path), migrations=MIGRATIONS[:1])
    await old.write([record_row("r1", "t1"), record_row("r2", "t1")])
    await old.close()
    assert version_of(path) == 1
    async with serving(database=str(path)) as (server, channel):
        assert await rows(server.hall.store) == ["r1", "r2"]
        await Player(channel).create()
    assert version_of(path) == len(MIGRATIONS)
    async with serving(database=str(path)) as (server, channel):
        assert len(server.hall) == 1


async def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    old = Store(str(path), migrations=MIGRATIONS[:1])
    await old.write([record_row("r1")])
    await old.close()
    broken = (MIGRATIONS[0], "CREATE TABLE more (x); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreError, match="nowhere"):
        Store(str(path), migrations=broken)
    assert version_of(path) == 1
    again = Store(str(path))
    assert await rows(again) == ["r1"]
    assert not await again.read("SELECT 1 FROM sqlite_master WHERE name = 'more'")
    await again.close()


# ---- nothing -----------------------------------------------------------------------------------


async def test_memory_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with serving(database=":memory:") as (_, channel):
        table = await Player(channel).create()
    async with serving(database=":memory:") as (server, channel):
        player = Player(channel)
        request = lobby_pb2.GetTableRequest(table_id=table.table_id)
        assert await reason_of(player.call(player.lobby.GetTable, request)) == "NO_SUCH_TABLE"
        assert len(server.hall) == 0
    assert not files_in(tmp_path)
