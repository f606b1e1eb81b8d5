"""Callers who are not who they should be, say what they should not, or say it twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.message import Message
from qin.v1 import info_pb2, lobby_pb2, offer_pb2, play_pb2, session_pb2, types_pb2, watch_pb2
from server.messages import METHODS
from server.players import (
    Player,
    new_id,
    problem_of,
    raw_call,
    raw_stream,
    reason_of,
    seated,
    serving,
)

PASSWORD = "swordfish"  # noqa: S105 - for servers that live for a moment
CONTROLS = [
    "\x1b[2J",
    "a\x07b",
    "a\nb",
    "a\rb",
    "a\x00",
    "\u202eevil",
    "a\u2028b",
    "\x9b31m",
    "\x7f",
]
ACTING = [method for method in METHODS if "request_id" in method.input_type.fields_by_name]


async def open_stream(player: Player, method: Any, request: Message) -> object:
    """The first message of a stream, which is then dropped."""
    stream = method(request, metadata=player.metadata)
    try:
        return await stream.read()
    finally:
        stream.cancel()


async def say(player: Player, table_id: str, text: str, request_id: str = "") -> Any:
    request = play_pb2.SayRequest(request_id=request_id or new_id(), table_id=table_id, text=text)
    return await player.call(player.play.Say, request)


# ---- tokens ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "authorization",
    [
        *("", "Bearer", "Bearer ", "Bearer zz", "Bearer a b", "Bearer -1", "a" * 64),
        *("Basic " + "a" * 64, "Bearer " + "g" * 64),
        *(f"Bearer {'a' * length}" for length in (62, 63, 65, 66)),
    ],
)
async def test_malformed_authorization(authorization: str) -> None:
    async with serving() as (_, channel):
        player = Player(channel)
        player.metadata = (("authorization", authorization),)
        expected: Any = (grpc.StatusCode.INVALID_ARGUMENT, "BAD_TOKEN", {})
        assert await problem_of(player.create()) == expected
        request = watch_pb2.WatchRequest(table_id="x")
        assert await problem_of(open_stream(player, player.watching.Watch, request)) == expected
        session = player.sessions.Connect(metadata=player.metadata)
        assert await problem_of(session.read()) == expected


@pytest.mark.parametrize("method", ACTING, ids=lambda method: method.name)
async def test_no_act_without_a_token(method: Any) -> None:
    async with serving() as (_, channel):
        table_id, _ = await seated(channel)
        call = raw_call(channel, f"/{method.containing_service.full_name}/{method.name}")
        fields = {"request_id": "a", "table_id": table_id}
        known = {name: fields[name] for name in fields if name in method.input_type.fields_by_name}
        request = method.input_type._concrete_class(**known)
        code, reason, _ = await problem_of(call(request.SerializeToString()))
        assert (code, reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")


async def test_a_session_needs_a_token() -> None:
    async with serving() as (_, channel):
        call = Player(channel).sessions.Connect()
        assert await problem_of(call.read()) == (
            grpc.StatusCode.UNAUTHENTICATED,
            "TOKEN_MISSING",
            {},
        )


async def test_the_token_of_somebody_else_opens_nothing() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        eve = Player(channel, "eve")
        denied = grpc.StatusCode.PERMISSION_DENIED
        for call, reason in (
            (eve.place(table_id, 0, "Rg8Rh8"), "NOT_SEATED"),
            (eve.options(table_id), "NOT_SEATED"),
            (say(eve, table_id, "hello"), "NOT_SEATED"),
            (eve.start(table_id), "NOT_OWNER"),
            (players[1].start(table_id), "NOT_OWNER"),
        ):
            assert (await problem_of(call))[:2] == (denied, reason)
        assert (await eve.snapshot(table_id)).seat == 0


async def test_two_clients_with_one_token_are_one_player() -> None:
    async with serving() as (server, channel):
        table_id, players = await seated(channel)
        turn = (await players[0].snapshot(table_id)).game.turn
        first, other = players[turn - 1], players[2 - turn]
        elsewhere = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}")
        async with elsewhere, other.watch(table_id) as witness:
            await anext(witness)
            second = Player(elsewhere, first.name, first.token)
            async with first.watch(table_id) as one, second.watch(table_id) as two:
                hands = [list((await anext(each)).snapshot.game.hand) for each in (one, two)]
                assert hands[0] == hands[1] != []
                listed = (await second.options(table_id)).options
                tried = await asyncio.gather(
                    first.place(table_id, 0, listed[0].placement),
                    second.place(table_id, 0, listed[1].placement),
                    return_exceptions=True,
                )
                failed = [each for each in tried if isinstance(each, grpc.aio.AioRpcError)]
                assert [error.code() for error in failed] == [grpc.StatusCode.ABORTED]
                moved = [(await anext(each)).events for each in (one, two)]
                assert list(moved[0]) == list(moved[1])
                assert moved[0][-1].drawn.tile
            # The other one is told that the player came once, and left once.
            presences: list[tuple[int, bool]] = []
            while (turn, False) not in presences:
                presences += [
                    (each.seat, each.connected) for each in (await anext(witness)).presences
                ]
            assert presences == [(turn, True), (turn, False)]


# ---- repeated requests -------------------------------------------------------------------------


async def test_a_repeated_request_has_the_same_answer_and_no_second_effect() -> None:
    async with serving() as (_, channel):
        owner, bob = Player(channel, "ann"), Player(channel, "bob")
        settings = types_pb2.TableSettings(board_name="bird", seats=2)
        create = lobby_pb2.CreateTableRequest(request_id="1", settings=settings)
        made = [(await owner.call(owner.lobby.CreateTable, create)).table for _ in range(3)]
        assert made[0] == made[1] == made[2]
        table_id = made[0].table_id
        for player in (owner, bob):
            join = lobby_pb2.JoinTableRequest(
                request_id="2", table_id=table_id, name=player.name, nonce=bytes(16)
            )
            await assert_repeatable(player, "LobbyService/JoinTable", join)
        start = lobby_pb2.StartTableRequest(request_id="3", table_id=table_id)
        await assert_repeatable(owner, "LobbyService/StartTable", start)
        hello = play_pb2.SayRequest(request_id="4", table_id=table_id, text="hello")
        await assert_repeatable(owner, "PlayService/Say", hello)
        player = (owner, bob)[(await owner.snapshot(table_id)).game.turn - 1]
        option = (await player.options(table_id)).options[0]
        place = play_pb2.PlaceTileRequest(
            request_id="5", table_id=table_id, placement=option.placement
        )
        await assert_repeatable(player, "PlayService/PlaceTile", place)
        resign = play_pb2.ResignRequest(request_id="6", table_id=table_id)
        await assert_repeatable(player, "PlayService/Resign", resign)
        async with owner.watch(table_id, after_sequence=1) as stream:
            kinds = [event.WhichOneof("kind") for event in (await anext(stream)).events]
        for kind in ("game_started", "said", "tile_placed", "withdrew", "game_ended"):
            assert kinds.count(kind) == 1
        listed = await owner.call(owner.lobby.ListTables, lobby_pb2.ListTablesRequest())
        assert [table.table_id for table in listed.tables] == [table_id]


async def assert_repeatable(player: Player, method: str, request: Message) -> None:
    """Four at once and one later; other content under the same id is refused."""
    call, body = raw_call(player.channel, f"/qin.v1.{method}"), request.SerializeToString()
    answers = await asyncio.gather(*(call(body, metadata=player.metadata) for _ in range(4)))
    answers.append(await call(body, metadata=player.metadata))
    assert len(set(answers)) == 1
    others: dict[str, Any] = {"text": "other", "name": "other", "expected_game": 1, "pile": 1}
    for name, value in others.items():
        if name in request.DESCRIPTOR.fields_by_name:
            changed = type(request).FromString(body)
            setattr(changed, name, value)
            again = call(changed.SerializeToString(), metadata=player.metadata)
            code, reason, _ = await problem_of(again)
            assert (code, reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")


async def test_a_request_id_is_one_of_a_token() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        sequences = [(await say(player, table_id, "hello", "same")).sequence for player in players]
        assert sequences[1] == sequences[0] + 1
        assert await reason_of(say(players[0], table_id, "else", "same")) == "REQUEST_ID_REUSED"


async def test_a_refused_request_may_be_mended_under_its_id() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        assert await reason_of(say(players[0], table_id, "", "same")) == "BAD_TEXT"
        assert (await say(players[0], table_id, "hello", "same")).sequence


@pytest.mark.parametrize("request_id", ["", "x" * 65, "a\nb", "\x1b"])
async def test_bad_request_ids(request_id: str) -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        request = play_pb2.SayRequest(request_id=request_id, table_id=table_id, text="hello")
        call = players[0].call(players[0].play.Say, request)
        assert (await problem_of(call))[:2] == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "BAD_REQUEST_ID",
        )


# ---- passwords and codes -----------------------------------------------------------------------


@pytest.mark.parametrize("password", ["", "wrong", "swordfisH", "swordfish "])
async def test_a_server_with_a_password_does_nothing_without_it(password: str) -> None:
    async with serving(password=PASSWORD) as (_, channel):
        given = (("qin-password", password),) if password else ()
        for method in METHODS:
            if method.client_streaming or method.name == "GetInfo":
                continue
            path = f"/{method.containing_service.full_name}/{method.name}"
            player = Player(channel)
            metadata = (*player.metadata, *given)
            if method.server_streaming:
                call = raw_stream(channel, path)(b"", metadata=metadata).read()
            else:
                call = raw_call(channel, path)(b"", metadata=metadata)
            assert await problem_of(call) == (
                grpc.StatusCode.UNAUTHENTICATED,
                "PASSWORD_WRONG",
                {},
            ), path
        session = Player(channel).sessions.Connect(metadata=given)
        assert await reason_of(session.read()) == "PASSWORD_WRONG"


async def test_a_server_with_a_password_says_so_and_opens_with_it() -> None:
    async with serving(password=PASSWORD) as (_, channel):
        player = Player(channel)
        info = await player.info.GetInfo(info_pb2.GetInfoRequest())
        assert info.needs_password
        player.metadata = (*player.metadata, ("qin-password", PASSWORD))
        table = await player.create()
        assert (await player.snapshot(table.table_id)).table.map == table.map


async def test_what_is_closed_stays_closed_in_a_session() -> None:
    async with serving() as (_, channel):
        owner, eve = Player(channel, "ann"), Player(channel, "eve")
        coded = (await owner.create(code="sesame")).table_id
        closed = (await owner.create(no_spectators=True)).table_id
        call: Any = eve.sessions.Connect(metadata=eve.metadata)
        tries = [(coded, "", "CODE_WRONG"), (coded, "Sesame", "CODE_WRONG"), (coded, "sesame", "")]
        tries.append((closed, "sesame", "NO_SPECTATORS"))
        for table_id, code, reason in tries:
            request = watch_pb2.WatchRequest(table_id=table_id, invite_code=code)
            command = session_pb2.Command(id=7, watch=request)
            await call.write(session_pb2.ConnectRequest(commands=[command]))
            heard = await call.read()
            while not heard.answers:
                assert not reason
                heard = await call.read()
            assert heard.answers[0].problem.reason == reason
            assert bool(reason) or heard.answers[0].HasField("watch")
        call.cancel()


# ---- control characters ------------------------------------------------------------------------


def texts(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        for part in value if field.is_repeated else (value,):
            if isinstance(part, str):
                yield part
            elif isinstance(part, Message):
                yield from texts(part)


async def test_control_characters_never_reach_anybody() -> None:
    """They are in whatever a client can write; all that others hear is clean."""
    async with serving() as (_, channel):
        owner, evil, witness = (Player(channel, name) for name in ("ann", "evil", "bob"))
        table_id = (await owner.create()).table_id
        await owner.join(table_id)
        lobby: Any = witness.lobby.WatchTables(lobby_pb2.WatchTablesRequest())
        heard: list[Any] = [await lobby.read()]
        async with witness.watch(table_id) as stream:
            heard.append(await anext(stream))
            for bad in CONTROLS:
                name = evil.join(table_id, name=bad)
                assert (await problem_of(name))[:2] == (
                    grpc.StatusCode.INVALID_ARGUMENT,
                    "BAD_NAME",
                )
                assert await reason_of(say(owner, table_id, bad)) == "BAD_TEXT"
                create = lobby_pb2.CreateTableRequest(
                    request_id=new_id(),
                    settings=types_pb2.TableSettings(board_name="bird", seats=2),
                    name=bad,
                )
                assert await reason_of(owner.call(owner.lobby.CreateTable, create)) == "BAD_NAME"
                assert await reason_of(owner.create(board_name=bad)) == "BAD_BOARD"
                await evil.info.GetInfo(info_pb2.GetInfoRequest(client=bad))
                offer = open_stream(evil, evil.offers.Offer, offer_pb2.OfferRequest(name=bad))
                assert await reason_of(offer) == "BAD_NAME"
                await owner.create(code=bad)
            for odd in ("R...\n...V", "R...\r\n...V", " R . . .\t/...V", "R...\x0c\n...V"):
                await owner.create(map=odd)
            await say(owner, table_id, "the end")
            heard.append(await anext(stream))
            assert heard[-1].events[0].said.text == "the end"
        listed = await witness.call(witness.lobby.ListTables, lobby_pb2.ListTablesRequest())
        heard += [listed, await witness.call(witness.info.GetInfo, info_pb2.GetInfoRequest())]
        while len(heard[0].tables) < len(listed.tables):
            heard[0].MergeFrom(await lobby.read())
        lobby.cancel()
        assert all(text.isprintable() for message in heard for text in texts(message))


async def test_a_stand_in_has_a_name_like_everybody() -> None:
    async with serving() as (_, channel):
        bot = Player(channel, "bot")
        offers: Any = bot.offers.Offer(offer_pb2.OfferRequest(name="bot"), metadata=bot.metadata)
        offered = asyncio.create_task(offers.read())
        clock = types_pb2.ClockSettings(move_seconds=1)
        table_id, _ = await seated(channel, clock=clock, absence=types_pb2.ABSENCE_HOUSE_BOT)
        ticket = (await offered).seat.ticket
        for bad in ("", *CONTROLS):
            assert await reason_of(bot.join(table_id, name=bad, ticket=ticket)) == "BAD_NAME"
        assert (await bot.join(table_id, ticket=ticket)).table.table_id == table_id
        offers.cancel()
