"""More than a server puts up with. What counts per address does not count for this machine."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import grpc.aio
import pytest
from qin.server.callers import Caller, stranger_at
from qin.server.options import Limits, Options
from qin.server.problems import Problem
from qin.server.rpc import Calls
from qin.v1 import info_pb2, lobby_pb2, play_pb2, session_pb2
from server.players import (
    Player,
    from_elsewhere,
    new_id,
    problem_in,
    problem_of,
    reason_of,
    seated,
    serving,
)

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_requests_of_another_machine_are_counted() -> None:
    async with from_elsewhere(requests_per_second=10) as (server, channel):
        far = Player(channel)
        table_id = (await far.create()).table_id
        request = info_pb2.GetInfoRequest()
        calls = (far.call(far.info.GetInfo, request) for _ in range(30))
        tried = await asyncio.gather(*calls, return_exceptions=True)
        refused = [each for each in tried if isinstance(each, grpc.aio.AioRpcError)]
        assert len(refused) >= 20
        assert {problem_in(each)[:2] for each in refused} == {(EXHAUSTED, "TOO_MANY_REQUESTS")}
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as local:
            near = Player(local)
            for _ in range(30):
                await near.call(near.info.GetInfo, request)
            assert (await near.snapshot(table_id)).table.table_id == table_id


async def test_guesses_at_the_password_are_counted() -> None:
    async with from_elsewhere(password="tea", requests_per_second=10) as (_, channel):  # noqa: S106
        far = Player(channel)
        guesses = (
            far.lobby.ListTables(
                lobby_pb2.ListTablesRequest(), metadata=(("qin-password", f"guess {number}"),)
            )
            for number in range(30)
        )
        tried = await asyncio.gather(*guesses, return_exceptions=True)
        problems = [problem_in(each) for each in tried if isinstance(each, grpc.aio.AioRpcError)]
        assert len(problems) == 30
        reasons = [reason for _, reason, _ in problems]
        assert reasons.count("PASSWORD_WRONG") <= 10
        assert (EXHAUSTED, "TOO_MANY_REQUESTS", {"limit": "10"}) in problems


async def test_commands_of_a_session_are_counted() -> None:
    async with from_elsewhere(requests_per_second=10) as (_, channel):
        far = Player(channel)
        table_id = (await far.create()).table_id
        call = far.sessions.Connect(metadata=far.metadata)
        commands = [
            session_pb2.Command(
                id=number,
                say=play_pb2.SayRequest(request_id=new_id(), table_id=table_id, text="hello"),
            )
            for number in range(1, 31)
        ]
        await call.write(session_pb2.ConnectRequest(commands=commands))
        await call.done_writing()
        answers = [answer async for message in call for answer in message.answers]
        assert sorted(answer.id for answer in answers) == list(range(1, 31))
        refused = [answer.problem for answer in answers if answer.HasField("problem")]
        assert {problem.reason for problem in refused} == {"TOO_MANY_REQUESTS"}
        assert len(refused) >= 20


async def test_empty_commands_of_a_session_are_counted() -> None:
    async with from_elsewhere(requests_per_second=10) as (_, channel):
        far = Player(channel)
        call = far.sessions.Connect(metadata=far.metadata)
        empty = [session_pb2.Command(id=number) for number in range(1, 101)]
        await call.write(session_pb2.ConnectRequest(commands=empty))
        await call.done_writing()
        answers = [answer async for message in call for answer in message.answers]
        reasons = [answer.problem.reason for answer in answers]
        assert sorted(set(reasons)) == ["NO_COMMAND", "TOO_MANY_REQUESTS"]
        assert reasons.count("NO_COMMAND") < 10


async def test_tables_of_another_machine_are_counted() -> None:
    async with from_elsewhere(tables_per_address=2) as (server, channel):
        first, second = Player(channel), Player(channel)
        await first.create()
        await second.create()
        for player in (first, second):
            assert (await problem_of(player.create()))[:2] == (EXHAUSTED, "TOO_MANY_TABLES")
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as local:
            for _ in range(3):
                await Player(local).create()


async def test_tables_that_are_made_at_once_are_counted_also_after_a_restart(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "qin.db")
    async with from_elsewhere(path, tables_per_address=3) as (server, channel):
        far = Player(channel)
        tried = await asyncio.gather(*(far.create() for _ in range(10)), return_exceptions=True)
        refused = [each for each in tried if isinstance(each, grpc.aio.AioRpcError)]
        assert {problem_in(each)[:2] for each in refused} == {(EXHAUSTED, "TOO_MANY_TABLES")}
        assert len(server.hall) == 3
    async with from_elsewhere(path, tables_per_address=3) as (server, channel):
        assert await reason_of(Player(channel).create()) == "TOO_MANY_TABLES"
        tomorrow = time.time() + server.hall.options.keep_seconds + 1
        assert await server.hall.expire(tomorrow) == 3
        await Player(channel).create()


def test_the_counter_forgets_after_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    calls = Calls(Options(limits=Limits(requests_per_second=3)), lambda *_: None, lambda: False)
    far, other = (Caller(b"", f"ipv4:192.0.2.{n}", local=False) for n in (7, 8))

    def allowed(caller: Caller) -> bool:
        try:
            calls.count(caller)
        except Problem as problem:
            return problem.reason != "TOO_MANY_REQUESTS"
        return True

    assert [allowed(far) for _ in range(5)] == [True] * 3 + [False] * 2
    assert allowed(other)
    now[0] += 1.01
    assert [allowed(far) for _ in range(5)] == [True] * 3 + [False] * 2
    assert all(allowed(Caller(b"", "ipv4:127.0.0.1", local=True)) for _ in range(50))
    now[0] += 61
    calls.forget_the_quiet()
    assert not calls._recent


@pytest.mark.parametrize(
    ("peer", "local"),
    [
        ("ipv4:127.0.0.1:50000", True),
        ("ipv4:127.9.9.9:50000", True),
        ("ipv6:[::1]:50000", True),
        ("ipv6:%5B::1%5D:50000", True),
        ("unix:/run/qin", True),
        ("ipv4:192.0.2.7:50000", False),
        ("ipv6:[2001:db8::7]:50000", False),
        ("ipv6:%5B2001:db8::7%5D:50000", False),
        ("somewhere", False),
    ],
)
def test_who_calls_from_this_machine(peer: str, *, local: bool) -> None:
    caller = stranger_at(peer)
    assert caller.local is local
    assert "50000" not in caller.address


async def test_watchers_of_a_table_are_counted_but_players_always_come_in() -> None:
    async with serving(limits=Limits(watchers_per_table=3)) as (_, channel):
        table_id, players = await seated(channel)
        async with AsyncExitStack() as stack:
            for _ in range(3):
                stream = await stack.enter_async_context(Player(channel).watch(table_id))
                await anext(stream)
            assert await problem_of(Player(channel).snapshot(table_id)) == (
                EXHAUSTED,
                "TOO_MANY_WATCHERS",
                {"limit": "3"},
            )
            for player in players:
                assert (await player.snapshot(table_id)).game.hand


async def test_a_name_and_a_text_have_their_length() -> None:
    async with serving() as (_, channel):
        ann = Player(channel)
        limits = (await ann.call(ann.info.GetInfo, info_pb2.GetInfoRequest())).limits
        table_id = (await ann.create()).table_id
        long = "é" * limits.name_length
        assert await reason_of(ann.join(table_id, name=long + "x")) == "BAD_NAME"
        assert (await ann.join(table_id, name=long)).table.seats[0].name == long
        say = play_pb2.SayRequest(request_id="a", table_id=table_id, text="é" * limits.chat_length)
        assert (await ann.call(ann.play.Say, say)).sequence
        say.request_id, say.text = "b", say.text + "x"
        assert (await problem_of(ann.call(ann.play.Say, say)))[:2] == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "BAD_TEXT",
        )


async def test_a_map_and_a_series_have_their_size() -> None:
    async with serving() as (_, channel):
        ann = Player(channel)
        limits = (await ann.call(ann.info.GetInfo, info_pb2.GetInfoRequest())).limits
        side = limits.map_side

        def square(size: int) -> str:
            return "/".join(["R" + "." * (size - 1)] + ["." * size] * (size - 1))

        assert (await ann.create(map=square(side))).map == square(side)
        for wrong in (square(side + 1), square(200), "." * 50_000, "/" * 50_000):
            assert await reason_of(ann.create(map=wrong)) == "BAD_BOARD"
        assert (await ann.create(games=limits.games)).settings.games == limits.games
        for games in (limits.games + 1, 2**32 - 1):
            assert await reason_of(ann.create(games=games)) == "BAD_SETTINGS"


async def test_pages_are_never_too_long() -> None:
    async with serving(limits=Limits(page_size=3)) as (_, channel):
        ann = Player(channel)
        for _ in range(5):
            await ann.create()
        for size in (0, 4, 2**32 - 1):
            request = lobby_pb2.ListTablesRequest(page_size=size)
            listed = await ann.call(ann.lobby.ListTables, request)
            assert len(listed.tables) == 3
            assert listed.next_page_token
