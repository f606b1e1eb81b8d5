"""The bidirectional stream: the same commands and the same errors, for many tables at once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.message import Message
from qin.server.options import Options
from qin.server.server import running
from qin.v1 import play_pb2, session_pb2, types_pb2, watch_pb2
from server.players import (
    Player,
    new_id,
    problem_in,
    raw_session,
    read_to_the_end,
    seated,
    serving,
    until,
)


class Talk:
    """A session as a client sees it."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.call: Any = player.sessions.Connect(metadata=player.metadata)
        self.updates: defaultdict[str, list[watch_pb2.WatchResponse]] = defaultdict(list)
        self.order: list[int] = []
        """The ids of all answers as they came."""
        self.over = asyncio.create_task(self._listen())
        self._ids = 0
        self._waiting: dict[int, asyncio.Future[session_pb2.Answer]] = {}
        self._news = asyncio.Condition()
        self._writing = asyncio.Lock()

    async def _listen(self) -> None:
        async for message in self.call:
            async with self._news:
                for answer in message.answers:
                    self.order.append(answer.id)
                    self._waiting.pop(answer.id).set_result(answer)
                for update in message.updates:
                    self.updates[update.table_id].append(update)
                self._news.notify_all()

    async def ask(self, *commands: dict[str, Any]) -> list[session_pb2.Answer]:
        """Some commands in one message; gives the answers in the order of the commands."""
        loop = asyncio.get_running_loop()
        made, futures = [], []
        for command in commands:
            self._ids += 1
            made.append(session_pb2.Command(id=self._ids, **command))
            futures.append(loop.create_future())
            self._waiting[self._ids] = futures[-1]
        async with self._writing:
            await self.call.write(session_pb2.ConnectRequest(commands=made))
        return await asyncio.wait_for(asyncio.gather(*futures), 20)

    async def one(self, **command: Any) -> session_pb2.Answer:
        return (await self.ask(command))[0]

    def events(self, table_id: str) -> list[types_pb2.Event]:
        return [event for update in self.updates[table_id] for event in update.events]

    async def heard(self, table_id: str, sequence: int) -> None:
        """Wait for an event."""
        async with asyncio.timeout(20), self._news:
            await self._news.wait_for(
                lambda: any(event.sequence >= sequence for event in self.events(table_id))
            )


@asynccontextmanager
async def talking(player: Player) -> AsyncIterator[Talk]:
    talk = Talk(player)
    try:
        yield talk
    finally:
        talk.call.cancel()
        await asyncio.gather(talk.over, return_exceptions=True)


def placing(table_id: str, ply: int, placement: str) -> play_pb2.PlaceTileRequest:
    return play_pb2.PlaceTileRequest(
        request_id=new_id(), table_id=table_id, expected_ply=ply, placement=placement
    )


def saying(table_id: str, text: str) -> play_pb2.SayRequest:
    return play_pb2.SayRequest(request_id=new_id(), table_id=table_id, text=text)


async def test_whole_games_at_several_tables_in_one_session_each() -> None:
    """Two players, three tables at once, one stream each; nothing else is called."""
    async with serving() as (_, channel):
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        tables = []
        for _ in range(3):
            table_id = (await ann.create()).table_id
            for player in (ann, bob):
                await player.join(table_id)
            tables.append(table_id)
        async with talking(ann) as first, talking(bob) as second:
            for talk in (first, second):
                watch = [{"watch": watch_pb2.WatchRequest(table_id=each)} for each in tables]
                assert [each.WhichOneof("result") for each in await talk.ask(*watch)] == [
                    "watch"
                ] * 3
            for table_id in tables:
                await ann.start(table_id)
            await asyncio.gather(*(play_out(table_id, (first, second)) for table_id in tables))
            for table_id in tables:
                for talk in (first, second):
                    numbers = [event.sequence for event in talk.events(table_id)]
                    assert numbers == list(range(3, 3 + len(numbers)))
                    assert talk.events(table_id)[-1].HasField("series_ended")


async def play_out(table_id: str, talks: tuple[Talk, Talk]) -> None:
    rng = Random(1)
    lists = {"list_placements": play_pb2.ListPlacementsRequest(table_id=table_id)}
    for _ in range(200):
        for talk in talks:
            (answer,) = await talk.ask(lists)
            options = answer.list_placements.options
            if options:
                chosen = options[int(rng.random() * len(options))].placement
                place = placing(table_id, answer.list_placements.ply, chosen)
                done = await talk.one(place_tile=place)
                assert done.place_tile.ply > answer.list_placements.ply
                last = done.place_tile.events[-1]
                if last.HasField("series_ended"):
                    for each in talks:
                        await each.heard(table_id, last.sequence)
                    return
    pytest.fail("a game without an end")


async def test_every_command_answers_as_its_call_does() -> None:
    """The same request by call and by session: the same answer, or the same problem."""
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        open_table = (await players[0].create()).table_id
        turn = (await players[0].snapshot(table_id)).game.turn
        mover, waiting = players[turn - 1], players[2 - turn]
        legal = (await mover.options(table_id)).options[0].placement
        place = placing(table_id, 0, legal)
        hello = saying(table_id, "hello")
        list_, preview = play_pb2.ListPlacementsRequest, play_pb2.PreviewPlacementRequest
        cases: list[tuple[str, Message]] = [
            ("list_placements", list_(table_id=table_id)),
            ("list_placements", list_(table_id=table_id, effects=True)),
            ("list_placements", list_(table_id=open_table)),
            ("list_placements", list_(table_id="nowhere")),
            ("preview_placement", preview(table_id=table_id, placement=legal)),
            ("preview_placement", preview(table_id=table_id, placement="Ra1Ra1")),
            ("preview_placement", preview(table_id=table_id, placement="\x1b" * 5000)),
            ("place_tile", placing(table_id, 7, legal)),
            ("place_tile", placing(table_id, 0, "Re1Rf1")),
            ("place_tile", place),
            ("place_tile", place),
            ("place_tile", placing(table_id, 0, legal)),
            ("say", hello),
            ("say", hello),
            ("say", saying(table_id, "\x1b")),
            ("say", saying("nowhere", "hello")),
            ("say", play_pb2.SayRequest(table_id=table_id, text="no id")),
            ("resign", play_pb2.ResignRequest(request_id="r", table_id=table_id, expected_game=9)),
            ("resign", play_pb2.ResignRequest(request_id="r", table_id=open_table)),
            ("resign", play_pb2.ResignRequest(request_id="r", table_id=table_id)),
            ("resign", play_pb2.ResignRequest(request_id="s", table_id=table_id)),
        ]
        results = set()
        for player in (mover, waiting, Player(channel, "eve")):
            async with talking(player) as talk:
                for kind, request in cases:
                    called = await by_call(player, kind, request)
                    answer = await talk.one(**{kind: request})
                    result = answer.WhichOneof("result")
                    assert result is not None
                    assert getattr(answer, result) == called
                    results.add(answer.problem.reason or result)
        assert {"place_tile", "say", "resign", "list_placements", "preview_placement"} < results
        assert {"STALE_PLY", "NOT_SEATED", "NO_SUCH_TABLE", "BAD_TEXT", "GAME_OVER"} < results


async def by_call(player: Player, kind: str, request: Message) -> Message:
    method = getattr(player.play, "".join(word.title() for word in kind.split("_")))
    try:
        response: Message = await player.call(method, request)
    except grpc.aio.AioRpcError as error:
        code, reason, metadata = problem_in(error)
        number: int = code.value[0]
        return types_pb2.Problem(
            code=number, reason=reason, message=error.details() or "", metadata=metadata
        )
    return response


async def test_a_batch_is_taken_in_order_and_answered_by_id() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        mover = players[(await players[0].snapshot(table_id)).game.turn - 1]
        legal = (await mover.options(table_id)).options[0].placement
        lists = {"list_placements": play_pb2.ListPlacementsRequest(table_id=table_id)}
        async with talking(mover) as talk:
            watched, before, placed, after, *said, refused, nothing = await talk.ask(
                {"watch": watch_pb2.WatchRequest(table_id=table_id)},
                lists,
                {"place_tile": placing(table_id, 0, legal)},
                lists,
                *({"say": saying(table_id, str(number))} for number in range(20)),
                {"place_tile": placing(table_id, 0, legal)},
                {},
            )
            assert watched.HasField("watch")
            assert (before.list_placements.ply, len(before.list_placements.options) > 0) == (
                0,
                True,
            )
            assert placed.place_tile.ply == 1
            assert (after.list_placements.ply, len(after.list_placements.options)) == (1, 0)
            numbers = [answer.say.sequence for answer in said]
            assert numbers == list(range(numbers[0], numbers[0] + 20))
            assert refused.problem.reason == "STALE_PLY"
            assert nothing.problem.reason == "NO_COMMAND"
            assert nothing.problem.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
            assert sorted(talk.order) == list(range(1, 27))
            await talk.heard(table_id, numbers[-1])
            words = [event.said.text for event in talk.events(table_id) if event.HasField("said")]
            assert words == [str(number) for number in range(20)]


async def test_watching_in_a_session_is_watching() -> None:
    """The same opening and the same news; unwatch ends it, and a table is watched once."""
    async with serving() as (_, channel):
        table_id, (ann, bob) = await seated(channel)
        other, _ = await seated(channel, ["cho", "dan"])
        async with talking(ann) as talk, bob.watch(table_id) as witness:
            seats = (await anext(witness)).snapshot.table.seats
            assert not seats[0].connected
            watch = watch_pb2.WatchRequest(table_id=table_id, effects=True)
            assert (await talk.one(watch=watch)).HasField("watch")
            assert [each.connected for each in (await anext(witness)).presences] == [True]
            snapshot = talk.updates[table_id][0].snapshot
            assert snapshot.seat == 1
            assert len(snapshot.game.hand) == 3
            assert (await talk.one(watch=watch)).problem.reason == "ALREADY_WATCHED"
            assert (await talk.one(unwatch=other)).problem.reason == "NO_SUCH_WATCH"
            assert (await talk.one(watch=watch_pb2.WatchRequest(table_id=other))).HasField("watch")
            assert not talk.updates[other][0].snapshot.game.hand
            last = (await talk.one(say=saying(table_id, "before"))).say.sequence
            await talk.heard(table_id, last)
            assert (await talk.one(unwatch=table_id)).HasField("unwatch")
            while not (gone := (await anext(witness)).presences):
                pass
            assert [(each.seat, each.connected) for each in gone] == [(1, False)]
            await talk.one(say=saying(table_id, "meanwhile"))
            resume = watch_pb2.WatchRequest(table_id=table_id, after_sequence=last)
            assert (await talk.one(watch=resume)).HasField("watch")
            await talk.heard(table_id, last + 1)
            assert [event.said.text for event in talk.events(table_id)] == ["before", "meanwhile"]


async def test_commands_may_stop_while_answers_come() -> None:
    """A client that has no more to say gets all answers, and then the end."""
    async with serving() as (server, channel):
        table_id, (ann, _) = await seated(channel)
        call = ann.sessions.Connect(metadata=ann.metadata)
        commands = [session_pb2.Command(id=n, say=saying(table_id, "x")) for n in range(1, 50)]
        watch = session_pb2.Command(watch=watch_pb2.WatchRequest(table_id=table_id))
        await call.write(session_pb2.ConnectRequest(commands=[watch, *commands]))
        await call.done_writing()
        answers = [answer.id async for message in call for answer in message.answers]
        assert sorted(answers) == list(range(50))
        assert await call.code() is grpc.StatusCode.OK
        await until(lambda: not len(server.hall.streams))
        assert not (await ann.snapshot(table_id)).table.seats[1].connected


async def test_a_client_that_goes_leaves_every_table() -> None:
    async with serving() as (_, channel):
        ann, eve = Player(channel, "ann"), Player(channel, "eve")
        tables = [(await ann.create()).table_id for _ in range(2)]
        for table_id in tables:
            await ann.join(table_id)
        async with eve.watch(tables[0]) as one, eve.watch(tables[1]) as two:
            await anext(one)
            await anext(two)
            async with talking(ann) as talk:
                for table_id in tables:
                    await talk.one(watch=watch_pb2.WatchRequest(table_id=table_id))
            for stream in (one, two):
                told: list[bool] = []
                while len(told) < 2:
                    told += [each.connected for each in (await anext(stream)).presences]
                assert told == [True, False]


async def test_what_cannot_be_read_ends_the_session_and_nothing_else() -> None:
    async with serving() as (_, channel):
        table_id, (ann, bob) = await seated(channel)
        async with bob.watch(table_id) as stream:
            sequence = (await anext(stream)).snapshot.sequence
            connect = raw_session(channel, "/qin.v1.SessionService/Connect")
            call = connect(metadata=ann.metadata)
            say = session_pb2.Command(id=1, say=saying(table_id, "still here"))
            await call.write(session_pb2.ConnectRequest(commands=[say]).SerializeToString())
            await call.write(b"\xff\xff\xff\xff")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await asyncio.wait_for(read_to_the_end(call), 10)
            assert problem_in(caught.value)[:2] == (
                grpc.StatusCode.INVALID_ARGUMENT,
                "BAD_MESSAGE",
            )
            (event,) = (await anext(stream)).events
            assert (event.sequence, event.said.text) == (sequence + 1, "still here")


@asynccontextmanager
async def stoppable() -> AsyncIterator[tuple[Callable[[], Awaitable[None]], grpc.aio.Channel]]:
    """A server that can be stopped while its clients are still there."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(running(Options(port=0)))
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            yield stack.aclose, channel


async def test_a_server_that_stops_says_so() -> None:
    async with stoppable() as (stop, channel):
        table_id, (ann, _) = await seated(channel)
        async with talking(ann) as talk:
            await talk.one(watch=watch_pb2.WatchRequest(table_id=table_id))
            (said,) = await talk.ask({"say": saying(table_id, "last words")})
            await stop()
            await asyncio.wait_for(talk.over, 10)
            assert talk.events(table_id)[-1].sequence == said.say.sequence
            closings = [each.closing for each in talk.updates[""] if each.HasField("closing")]
            assert [each.reason for each in closings] == [watch_pb2.Closing.REASON_SERVER_STOPPING]
            assert await talk.call.code() is grpc.StatusCode.OK
