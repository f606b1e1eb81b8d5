"""Clocks, absence, stand-ins and presence: what happens when somebody does nothing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from typing import Any

import grpc.aio
import pytest
from qin.v1 import lobby_pb2, play_pb2, types_pb2, watch_pb2
from server.house_bots import Bot, add_bot, until
from server.players import Player, new_id, reason_of, seated, serving

PER_MOVE = types_pb2.ClockSettings(move_seconds=1)


async def presence(stream: AsyncIterator[watch_pb2.WatchResponse]) -> tuple[int, bool]:
    async with asyncio.timeout(10):
        async for response in stream:
            for told in response.presences:
                return told.seat, told.connected
    raise AssertionError("the stream ended")


# ---- clocks ------------------------------------------------------------------------------------


async def test_a_seat_whose_time_runs_out_forfeits() -> None:
    async with serving() as (_, channel):
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        table_id = (await ann.create(clock=PER_MOVE)).table_id
        await ann.join(table_id)
        await bob.join(table_id)
        async with bob.watch(table_id) as stream:
            await ann.start(table_id)
            withdrew, _ = await until(stream, "withdrew")
            assert withdrew.withdrew.forfeit
        snapshot = await ann.snapshot(table_id)
        assert snapshot.game.outcome.ending == types_pb2.ENDING_FORFEIT
        assert list(snapshot.game.outcome.winners) == [3 - withdrew.withdrew.seat]


async def test_a_move_stops_the_clock_of_one_and_starts_that_of_the_other() -> None:
    total = types_pb2.ClockSettings(total_seconds=60, increment_seconds=5)
    async with serving() as (_, channel):
        table_id, players = await seated(channel, clock=total)
        async with players[0].watch(table_id) as stream:
            opening = await anext(stream)
            first = opening.snapshot.game.turn
            assert opening.clocks.running == first
            listed = await players[first - 1].options(table_id)
            await players[first - 1].place(table_id, 0, listed.options[0].placement)
            clocks = types_pb2.Clocks()
            while not clocks.running:
                clocks = (await anext(stream)).clocks
        assert clocks.running == 3 - first
        assert 64_000 < clocks.remaining_ms[first - 1] <= 65_000
        assert 59_000 < clocks.remaining_ms[2 - first] <= 60_000


async def test_out_of_turn_resigning_does_not_give_time_back() -> None:
    total = types_pb2.ClockSettings(total_seconds=60)
    async with serving() as (_, channel):
        table_id, players = await seated(channel, ["ann", "bob", "cho"], clock=total)
        async with players[0].watch(table_id) as stream:
            before = (await anext(stream)).clocks
            waiting = next(seat for seat in (1, 2, 3) if seat != before.running)
            resigning = players[waiting - 1]
            await resigning.call(
                resigning.play.Resign,
                play_pb2.ResignRequest(request_id=new_id(), table_id=table_id),
            )
            after = types_pb2.Clocks()
            while not after.running:
                after = (await anext(stream)).clocks
        assert after.running == before.running
        running = before.running - 1
        assert after.remaining_ms[running] <= before.remaining_ms[running]


# ---- absence -----------------------------------------------------------------------------------


async def test_a_player_who_stays_away_forfeits() -> None:
    async with serving() as (_, channel):
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        table_id = (await ann.create(absence_seconds=1)).table_id
        await ann.join(table_id)
        await bob.join(table_id)
        async with bob.watch(table_id) as stream:
            await ann.start(table_id)
            withdrew, _ = await until(stream, "withdrew")
        assert withdrew.withdrew.seat == 1
        assert withdrew.withdrew.forfeit


async def test_presence_is_told_and_a_player_comes_back_on_another_connection() -> None:
    async with serving() as (server, channel):
        table_id, (ann, bob) = await seated(channel)
        async with ann.watch(table_id) as stream:
            await anext(stream)
            async with bob.watch(table_id) as other:
                await anext(other)
                assert await presence(stream) == (2, True)
            assert await presence(stream) == (2, False)
            async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as elsewhere:
                again = Player(elsewhere, "bob", token=bob.token)
                async with again.watch(table_id) as other:
                    snapshot = (await anext(other)).snapshot
                    assert snapshot.seat == 2
                    assert len(snapshot.game.hand) == 3
                    assert await presence(stream) == (2, True)


# ---- bots --------------------------------------------------------------------------------------


async def test_a_house_bot_takes_a_seat_that_it_was_asked_for() -> None:
    async with serving() as (_, channel):
        ann, bot = Player(channel, "ann"), Bot(channel, "greedy")
        await bot.ready()
        table_id = (await ann.create()).table_id
        await ann.join(table_id)
        asked = await add_bot(ann, table_id, "greedy")
        assert asked.table.seats[asked.seat - 1].awaits_bot
        human = Player(channel, "bob")
        assert await reason_of(human.join(table_id)) == "NO_FREE_SEAT"
        joined = await bot.sit(await bot.offered())
        assert joined.seat == asked.seat
        assert joined.table.seats[joined.seat - 1].bot
        assert (await ann.start(table_id)).state == types_pb2.TABLE_STATE_PLAYING


async def test_a_bot_that_nobody_offers() -> None:
    async with serving() as (_, channel):
        ann = Player(channel, "ann")
        table_id = (await ann.create()).table_id
        assert await reason_of(add_bot(ann, table_id, "greedy")) == "NO_SUCH_BOT"


async def test_a_ticket_opens_one_seat_once() -> None:
    async with serving() as (_, channel):
        ann, bot = Player(channel, "ann"), Bot(channel, "greedy")
        await bot.ready()
        table_id = (await ann.create(3)).table_id
        await add_bot(ann, table_id, "greedy")
        offer = await bot.offered()
        wrong = Player(channel, "eve").join(table_id, ticket="0" * 32)
        assert await reason_of(wrong) == "TICKET_WRONG"
        await ann.join(table_id)
        assert await reason_of(ann.join(table_id, ticket=offer.ticket)) == "TICKET_WRONG"
        bad = Player(channel, "eve").join(table_id, ticket=offer.ticket, name="\x1b[2J")
        assert await reason_of(bad) == "BAD_NAME"
        request = lobby_pb2.JoinTableRequest(
            request_id="join",
            table_id=table_id,
            ticket=offer.ticket,
            name="greedy",
            nonce=secrets.token_bytes(16),
        )
        once = await bot.player.call(bot.player.lobby.JoinTable, request)
        again = await bot.player.call(bot.player.lobby.JoinTable, request)
        assert once == again
        stolen = Player(channel, "eve").join(table_id, ticket=offer.ticket)
        assert await reason_of(stolen) == "TICKET_WRONG"


async def test_a_house_bot_that_does_not_come_leaves_the_seat_free() -> None:
    async with serving(ticket_seconds=0.05) as (_, channel):
        ann, bot, bob = Player(channel, "ann"), Bot(channel, "greedy"), Player(channel, "bob")
        await bot.ready()
        table_id = (await ann.create()).table_id
        await ann.join(table_id)
        await add_bot(ann, table_id, "greedy")
        async with asyncio.timeout(5):
            while await reason_or_joined(bob, table_id) == "NO_FREE_SEAT":
                pass
        late = bot.sit(await bot.offered())
        assert await reason_of(late) == "TICKET_WRONG"


async def reason_or_joined(player: Player, table_id: str) -> str:
    try:
        return await reason_of(player.join(table_id))
    except AssertionError:
        return "joined"


async def test_a_house_bot_stands_in_until_the_player_is_back() -> None:
    async with serving() as (_, channel):
        bot = Bot(channel, "greedy")
        await bot.ready()
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        settings: dict[str, Any] = {
            "absence": types_pb2.ABSENCE_HOUSE_BOT,
            "absence_seconds": 1,
            "first": types_pb2.FIRST_SEAT_NAMED,
            "first_seat": 2,
        }
        table_id = (await ann.create(**settings)).table_id
        await ann.join(table_id)
        await bob.join(table_id)
        async with ann.watch(table_id) as stream:
            await ann.start(table_id)
            offer = await bot.offered()
            assert (await bot.sit(offer)).seat == 2
            stood_in, _ = await until(stream, "stand_in")
            assert (stood_in.stand_in.seat, stood_in.stand_in.bot) == (2, "greedy")
            async with bot.player.watch(table_id) as bots_view:
                assert len((await anext(bots_view)).snapshot.game.hand) == 3
                listed = await bot.player.options(table_id)
                await bot.player.place(table_id, 0, listed.options[0].placement)
                async with bob.watch(table_id) as back:
                    assert (await anext(back)).snapshot.seat == 2
                    returned, _ = await until(stream, "stand_in")
                    assert returned.stand_in.bot == ""
                async with asyncio.timeout(5):
                    closing = [r.closing.reason async for r in bots_view if r.HasField("closing")]
        assert closing == [watch_pb2.Closing.REASON_SEAT_LOST]
        assert await reason_of(bot.player.options(table_id)) == "NOT_SEATED"


async def test_without_a_bot_an_absent_player_forfeits() -> None:
    async with serving() as (_, channel):
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        settings: dict[str, Any] = {
            "absence": types_pb2.ABSENCE_HOUSE_BOT,
            "absence_seconds": 1,
        }
        table_id = (await ann.create(**settings)).table_id
        await ann.join(table_id)
        await bob.join(table_id)
        async with ann.watch(table_id) as stream:
            await ann.start(table_id)
            withdrew, _ = await until(stream, "withdrew")
        assert withdrew.withdrew.seat == 2


# ---- watching ----------------------------------------------------------------------------------


async def test_a_watch_resumes_where_it_was() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        ann = players[0]
        first = await ann.snapshot(table_id)
        for text in ("one", "two", "three"):
            say = play_pb2.SayRequest(request_id=new_id(), table_id=table_id, text=text)
            await ann.call(ann.play.Say, say)
        async with ann.watch(table_id, after_sequence=first.sequence + 1) as stream:
            missed = (await anext(stream)).events
        assert [event.said.text for event in missed] == ["two", "three"]
        assert [event.sequence for event in missed] == [first.sequence + 2, first.sequence + 3]
        async with ann.watch(table_id, after_sequence=999) as stream:
            assert await reason_of(anext(stream)) == "SEQUENCE_UNKNOWN"


async def test_options_come_with_the_turn() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        turn = (await players[0].snapshot(table_id)).game.turn
        mover, other = players[turn - 1], players[2 - turn]
        async with other.watch(table_id, options=True, effects=True) as stream:
            assert not (await anext(stream)).HasField("options")
            listed = await mover.options(table_id)
            await mover.place(table_id, 0, listed.options[-1].placement)
            options = watch_pb2.Options()
            while not options.options:
                options = (await anext(stream)).options
        assert options.ply == 1
        assert any(option.effects for option in options.options)
        asked = await other.options(table_id, effects=True)
        assert list(asked.options) == list(options.options)


async def test_a_silent_stream_gives_signs_of_life() -> None:
    async with serving(heartbeat_seconds=0.05) as (_, channel):
        table_id, (ann, _) = await seated(channel)
        async with ann.watch(table_id) as stream:
            await anext(stream)
            async with asyncio.timeout(5):
                assert (await anext(stream)).heartbeat.time.seconds > 0


@pytest.mark.parametrize("players", [2, 4])
async def test_previews_tell_what_placing_does(players: int) -> None:
    async with serving() as (_, channel):
        table_id, seats = await seated(channel, ["ann", "bob", "cho", "dan"][:players])
        for _ in range(6):
            game = (await seats[0].snapshot(table_id)).game
            mover = seats[game.turn - 1]
            listed = await mover.options(table_id, effects=True)
            option = max(listed.options, key=lambda each: len(each.effects))
            preview = await mover.call(
                mover.play.PreviewPlacement,
                play_pb2.PreviewPlacementRequest(table_id=table_id, placement=option.placement),
            )
            assert preview.option == option
            placed = await mover.place(table_id, game.ply, option.placement)
            settled = [e for e in placed.events if e.WhichOneof("kind") not in NOT_EFFECTS]
            for event in settled:
                event.ClearField("sequence")
                event.ClearField("time")
            assert settled == list(option.effects)


NOT_EFFECTS = ("tile_placed", "drawn", "game_ended", "series_ended", "passed")
