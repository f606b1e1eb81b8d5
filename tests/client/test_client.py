"""The client library against a real server on a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from qin.client import CallError, Client, ConnectError, Table, TableState, connect
from qin.client.happenings import (
    ConnectionBack,
    ConnectionLost,
    End,
    GameEnded,
    GameStarted,
    PresenceChanged,
    Said,
    SeatTaken,
    SeriesEnded,
    TableEvent,
    WatchEnded,
)
from qin.engine import Board, Seat, View, parse_record, view_of
from qin.server import hall
from qin.server.options import Options
from qin.server.server import Server, running
from qin.v1 import types_pb2
from server.players import until

SECONDS = 30


@asynccontextmanager
async def served(**options: object) -> AsyncIterator[tuple[Server, str]]:
    async with running(Options(port=0, **options)) as server:  # type: ignore[arg-type]
        yield server, f"127.0.0.1:{server.port}"


async def play(table: Table, rng: Random, seen: list[tuple[int, View]] | None = None) -> TableState:
    """Place at random until the series is over; notes every view of a turn."""
    async with asyncio.timeout(SECONDS), aclosing(table.watch()) as updates:
        async for events, state in updates:
            if seen is not None and state.view is not None:
                seen.append((state.sequence, state.view))
            if state.my_turn:
                assert state.view is not None
                await table.place(state.view.legal.choice(rng))
            if any(isinstance(event, SeriesEnded) for event in events):
                return state
    raise AssertionError("the table went before the series was over")


async def two_at_a_table(one: Client, other: Client, **settings: object) -> tuple[Table, Table]:
    agreed = types_pb2.TableSettings(**settings)  # type: ignore[arg-type]
    table = await one.create(board="bird", settings=agreed)
    await table.join("ann")
    joined = other.table(table.table_id)
    await joined.join("bob")
    return table, joined


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_the_state_that_is_kept_is_what_a_snapshot_tells(players: int) -> None:
    """Over a whole series, for every seat and a spectator."""
    rng = Random(players)
    async with served() as (server, where), connect(where) as owner, asyncio.TaskGroup() as tasks:
        settings = types_pb2.TableSettings(games=2)
        table = await owner.create(board="lion", seats=players, settings=settings)
        hall_table = await server.hall.table(table.table_id)
        seen: list[tuple[int, View]] = []
        watching = owner.table(table.table_id)
        looking_on = tasks.create_task(_look_on(watching, seen))

        async def sit(number: int) -> TableState:
            async with connect(where) as client:
                mine = client.table(table.table_id)
                await mine.join(f"player {number}")
                return await play(mine, rng, seen)

        playing = [tasks.create_task(sit(number)) for number in range(players)]
        await until(lambda: not any(chair.free for chair in hall_table.data.chairs))
        await table.start()
        finals = [await task for task in (*playing, looking_on)]
        game = hall_table.game
        assert game is not None
        for state in finals:
            assert state.view == view_of(game, state.seat)
        assert {state.seat for state in finals} == {None, *range(players)}
    assert len(seen) > 100
    by_moment: dict[tuple[int, Seat | None], View] = {}
    for sequence, view in seen:
        assert by_moment.setdefault((sequence, view.seat), view) == view


async def _look_on(table: Table, seen: list[tuple[int, View]]) -> TableState:
    async with aclosing(table.watch()) as updates:
        async for events, state in updates:
            if state.view is not None:
                seen.append((state.sequence, state.view))
            if any(isinstance(event, SeriesEnded) for event in events):
                return state
    raise AssertionError


async def test_what_happens_comes_as_typed_events_in_order() -> None:
    async with served() as (_, where), connect(where) as ann, connect(where) as bob:
        table = await ann.create(board="bird")
        happened: list[TableEvent] = []
        ready = asyncio.Event()

        async def listen() -> None:
            async for events, _ in table.watch():
                ready.set()
                happened.extend(events)
                if any(isinstance(event, SeriesEnded) for event in events):
                    return

        listening = asyncio.create_task(listen())
        await ready.wait()
        await table.join("ann")
        other = bob.table(table.table_id)
        await other.join("bob")
        await table.start()
        await table.say("good luck")
        async with aclosing(other.watch()) as updates:
            await anext(updates)
            await other.resign()
            await asyncio.wait_for(listening, SECONDS)
        assert table.state.seat == 0
        kinds = [type(event) for event in happened if not isinstance(event, PresenceChanged)]
        assert kinds[:4] == [SeatTaken, SeatTaken, GameStarted, Said]
        assert kinds[-2:] == [GameEnded, SeriesEnded]
        ended = next(event for event in happened if isinstance(event, GameEnded))
        assert ended.outcome.winners == (0,)
        record = parse_record(await ann.record(ended.record_id))
        assert record.seats == ("ann", "bob")
        assert [info.record_id async for info in ann.records()] == [ended.record_id]
        numbered = [event for event in happened if not isinstance(event, PresenceChanged)]
        late = bob.with_token("").table(table.table_id)
        async with aclosing(late.watch()) as updates:
            await anext(updates)
            assert await late.past() == numbered[1:]  # all but the very first event


async def test_a_restarted_server_is_come_back_to_and_nothing_is_missed(tmp_path: Path) -> None:
    database = str(tmp_path / "qin.db")
    rng = Random(5)
    async with served(database=database) as (server, where):
        port = server.port
        ann, bob = connect(where), connect(where)
        clients = [await ann.__aenter__(), await bob.__aenter__()]
        tables = await two_at_a_table(clients[0], clients[1])
        await tables[0].start()
        updates = tables[0].watch()
        first = await anext(updates)
        assert first.state.playing
        playing = asyncio.create_task(play(tables[1], rng))
        await until(lambda: tables[1].known is not None)
        if first.state.my_turn:
            assert first.state.view
            await tables[0].place(first.state.view.legal[0])
        await until_ply(updates, 1)
    try:
        lost = await until_event(updates, ConnectionLost)
        async with running(Options(port=port, database=database)):
            back = await until_event(updates, ConnectionBack)
            assert back.sequence >= lost.sequence
            await updates.aclose()
            final = await play(tables[0], rng)
            assert (await asyncio.wait_for(playing, SECONDS)).view is not None
            assert final.view
            assert final.view.outcome
    finally:
        await ann.__aexit__(None, None, None)
        await bob.__aexit__(None, None, None)


async def test_a_lost_connection_is_told_once_and_in_plain_words(tmp_path: Path) -> None:
    database = str(tmp_path / "qin.db")
    context = running(Options(port=0, database=database))
    server = await context.__aenter__()
    told: list[TableEvent] = []
    async with connect(f"127.0.0.1:{server.port}") as client:
        table = await client.create(board="bird")

        async def watch() -> None:
            async with aclosing(table.watch()) as updates:
                async for events, _ in updates:
                    told.extend(events)
                    if ConnectionBack() in events:
                        return

        watching = asyncio.create_task(watch())
        await until(lambda: table.known is not None)
        await context.__aexit__(None, None, None)
        with pytest.raises(ConnectError) as caught:
            await anext(client.table(table.table_id).watch())
        await asyncio.sleep(0.5)  # it is tried again a few times
        async with running(Options(port=server.port, database=database)):
            await asyncio.wait_for(watching, SECONDS)
    assert [type(event) for event in told] == [ConnectionLost, ConnectionBack]
    assert len(str(caught.value)) < 60
    assert "ipv4" not in str(caught.value)


async def until_ply(updates: AsyncIterator[object], ply: int) -> None:
    async with asyncio.timeout(SECONDS):
        while True:
            update = await anext(updates)
            assert isinstance(update, tuple)
            if update[1].view.ply >= ply:
                return


async def until_event(updates: AsyncIterator[object], kind: type[object]) -> TableState:
    async with asyncio.timeout(SECONDS):
        while True:
            update = await anext(updates)
            assert isinstance(update, tuple)
            events, state = update
            assert isinstance(state, TableState)
            if any(isinstance(event, kind) for event in events):
                return state


async def test_a_call_outlasts_a_restart(tmp_path: Path) -> None:
    database = str(tmp_path / "qin.db")
    async with served(database=database) as (server, where):
        port = server.port
        context = connect(where)
        client = await context.__aenter__()
    try:
        calling = asyncio.create_task(client.create(board="bird"))
        await asyncio.sleep(0)
        async with running(Options(port=port, database=database)):
            table = await asyncio.wait_for(calling, SECONDS)
            assert [each.table_id for each in await client.tables()] == [table.table_id]
    finally:
        await context.__aexit__(None, None, None)


async def test_a_refusal_has_a_reason_and_facts() -> None:
    async with served() as (_, where), connect(where) as ann, connect(where) as bob:
        table, other = await two_at_a_table(ann, bob)
        with pytest.raises(CallError) as refused:
            await other.start()
        assert refused.value.reason == "NOT_OWNER"
        await table.start()
        async with aclosing(other.watch()) as updates:
            state = (await anext(updates)).state
            assert state.view
            with pytest.raises(CallError) as refused:
                await other.place("Ra1Ra2")
            expected = {"NOT_YOUR_TURN"} if state.view.turn == 0 else {"NOT_IN_HAND", "NO_CONTACT"}
            assert refused.value.reason in expected | {"NOT_GRASSLAND"}
        with pytest.raises(CallError, match="there is no table 'nosuch'") as refused:
            await anext(ann.table("nosuch").watch())
        assert refused.value.reason == "NO_SUCH_TABLE"


async def test_nobody_there_is_a_connect_error() -> None:
    async with served() as (_, where):
        pass
    with pytest.raises(ConnectError, match="nobody answers"):
        async with connect(where):
            pass


async def test_a_seat_that_is_freed_ends_the_watch() -> None:
    async with served() as (_, where), connect(where) as ann, connect(where) as bob:
        table, other = await two_at_a_table(ann, bob)
        updates = other.watch()
        await anext(updates)
        await table.free(Seat(1))
        async with asyncio.timeout(SECONDS):
            *_, last = [update async for update in updates]
        assert last.events[-1] == WatchEnded(End.SEAT_LOST)


async def test_wishes_for_a_rematch_and_awaited_bots_are_told_though_they_are_no_events() -> None:
    async with served() as (_, where), connect(where) as ann, connect(where) as bob:
        table, other = await two_at_a_table(ann, bob)
        await table.start()
        async with aclosing(table.watch()) as updates:
            await anext(updates)
            await table.resign()
            await until_event(updates, SeriesEnded)
            await other.rematch()
            async with asyncio.timeout(SECONDS):
                async for _, state in updates:
                    if state.table.seats[1].rematch:
                        break
            await table.rematch()
            assert (await until_event(updates, GameStarted)).game == 1


async def test_the_first_list_of_tables_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the server sends it in pieces."""
    monkeypatch.setattr(hall, "TABLES_PER_MESSAGE", 2)
    async with served() as (_, where), connect(where) as ann:
        made = [(await ann.create(board="bird")).table_id for _ in range(5)]
        async with asyncio.timeout(SECONDS), aclosing(ann.watch_tables()) as lists:
            assert {table.table_id for table in await anext(lists)} == {*made}


async def test_tables_are_watched() -> None:
    async with served() as (_, where), connect(where) as ann, connect(where) as bob:
        async with asyncio.timeout(SECONDS), aclosing(ann.watch_tables()) as lists:
            assert await anext(lists) == []
            first = await bob.create(board=Board.parse("R..V/..Y./B..."))
            assert [each.table_id for each in await anext(lists)] == [first.table_id]
            second = await bob.create(board=Board.named("lion"), seats=4, code="tea")
            tables = await anext(lists)
        assert [each.table_id for each in tables] == [second.table_id, first.table_id]
        assert [each.board_name for each in tables] == ["lion", "custom"]
        with pytest.raises(CallError) as refused:
            await ann.table(second.table_id).join("ann")
        assert refused.value.reason == "CODE_WRONG"
        assert await ann.table(second.table_id, "tea").join("ann", seat=3) == 2
