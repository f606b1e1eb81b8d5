"""Players who go and come back, and the bots that stand in for them meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
from qin.server.server import Server
from qin.v1 import types_pb2, watch_pb2
from server.house_bots import STANDS_IN, Bot, bots, leave, table_of, tickets, until
from server.players import Player, from_elsewhere, reason_of, serving
from server.scenes import rematch, resign, say
from server.storing import asked, held


class Scene:
    """Ann watches; Bob, who is to move, stays away until a bot is sent for."""

    def __init__(self, server: Server, channel: grpc.aio.Channel) -> None:
        self.server = server
        self.ann, self.bob = Player(channel, "ann"), Player(channel, "bob")
        self.bot: Bot
        self.table_id = ""
        self.stream: AsyncIterator[watch_pb2.WatchResponse]


@asynccontextmanager
async def away(*, seats: int = 0, settings: dict[str, Any] = STANDS_IN, **options: Any) -> Any:
    async with serving(**options) as (server, channel):
        scene = Scene(server, channel)
        (scene.bot,) = await bots(channel, "greedy", seats=seats)
        scene.table_id = (await scene.ann.create(**settings)).table_id
        await scene.ann.join(scene.table_id)
        await scene.bob.join(scene.table_id)
        async with scene.ann.watch(scene.table_id) as scene.stream:
            await scene.ann.start(scene.table_id)
            yield scene


async def move(player: Player, table_id: str, ply: int) -> None:
    listed = await player.options(table_id)
    await player.place(table_id, ply, listed.options[0].placement)


# ---- coming back while a bot is on its way -----------------------------------------------------


async def test_a_player_who_watches_again_is_not_forfeited_when_the_ticket_expires() -> None:
    async with away() as scene:
        offer = await scene.bot.offered()
        assert (await table_of(scene.ann, scene.table_id)).seats[1].awaits_bot
        async with scene.bob.watch(scene.table_id) as back:
            assert (await anext(back)).HasField("snapshot")
            assert not (await anext(back)).table.seats[1].awaits_bot
            assert not tickets(scene.server, scene.table_id)
            assert await reason_of(scene.bot.sit(offer)) == "TICKET_WRONG"
            await move(scene.bob, scene.table_id, 0)
            _, seen = await until(scene.stream, "tile_placed")
            assert not [event for event in seen if event.HasField("withdrew")]


async def test_a_player_who_acts_without_watching_is_not_forfeited_either() -> None:
    async with away() as scene:
        offer = await scene.bot.offered()
        await say(scene.bob, scene.table_id, "wait")
        assert not tickets(scene.server, scene.table_id)
        assert await reason_of(scene.bot.sit(offer)) == "TICKET_WRONG"
        assert await scene.bot.offered()  # for he is away again


async def test_a_player_who_moves_after_his_time_ran_out_is_not_replaced() -> None:
    clock = types_pb2.ClockSettings(move_seconds=1)
    settings = {**STANDS_IN, "clock": clock, "absence_seconds": 0}
    async with away(settings=settings) as scene, scene.bob.watch(scene.table_id) as watching:
        await anext(watching)
        offer = await scene.bot.offered()
        async with scene.bob.watch(scene.table_id) as again:  # that alone gives no time
            await anext(again)
            assert tickets(scene.server, scene.table_id) == 1
        await move(scene.bob, scene.table_id, 0)
        assert await reason_of(scene.bot.sit(offer)) == "TICKET_WRONG"
        assert (await scene.bot.offered()).seat == 1  # now Ann's time runs out
        assert not (await scene.ann.snapshot(scene.table_id)).game.out


async def test_a_player_who_comes_while_the_bot_sits_down_has_the_seat() -> None:
    async with away() as scene:
        offer = await scene.bot.offered()
        async with held(scene.server.hall.store):
            sitting = asyncio.create_task(scene.bot.sit(offer))
            await asked(scene.server.hall.store)
            back = scene.bob.watching.Watch(
                watch_pb2.WatchRequest(table_id=scene.table_id), metadata=scene.bob.metadata
            )
            assert (await back.read()).snapshot.seat == 2
        await sitting
        stood_in, _ = await until(scene.stream, "stand_in")
        assert stood_in.stand_in.bot == "greedy"
        ended, _ = await until(scene.stream, "stand_in")
        assert ended.stand_in.bot == ""
        assert await reason_of(scene.bot.player.options(scene.table_id)) == "NOT_SEATED"
        back.cancel()


async def test_a_player_forfeits_when_the_bot_does_not_come() -> None:
    async with away(ticket_seconds=0.05) as scene:
        await scene.bot.offered()
        withdrew, _ = await until(scene.stream, "withdrew")
        assert (withdrew.withdrew.seat, withdrew.withdrew.forfeit) == (2, True)
        assert not (await table_of(scene.ann, scene.table_id)).seats[1].awaits_bot


# ---- clocks ------------------------------------------------------------------------------------


async def clocks(player: Player, table_id: str) -> list[int]:
    async with player.watch(table_id) as stream:
        return list((await anext(stream)).clocks.remaining_ms)


async def test_a_stand_in_gives_nobody_time() -> None:
    """Not the one who went, nor back to the opponent what he has used."""
    settings = {**STANDS_IN, "clock": types_pb2.ClockSettings(total_seconds=60)}
    async with away(settings=settings) as scene:
        table = await scene.server.hall.table(scene.table_id)
        table.turn_since -= 10  # as if Bob had thought for so long
        await move(scene.bob, scene.table_id, 0)
        table.turn_since -= 20
        offer = await scene.bot.offered()
        await scene.bot.sit(offer)
        ann, bob = await clocks(scene.ann, scene.table_id)
        assert 30_000 < ann <= 40_000
        assert 40_000 < bob <= 50_000


async def test_a_stand_in_for_one_whose_time_ran_out_has_time_to_move() -> None:
    settings = {**STANDS_IN, "clock": types_pb2.ClockSettings(move_seconds=1), "absence_seconds": 0}
    async with away(settings=settings) as scene:
        offer = await scene.bot.offered()
        await scene.bot.sit(offer)
        ann, bob = await clocks(scene.ann, scene.table_id)
        assert ann == 1000
        assert 0 < bob <= 1000
        await move(scene.bot.player, scene.table_id, 0)
        _, seen = await until(scene.stream, "tile_placed")
        assert not [event for event in seen if event.HasField("withdrew")]


# ---- what a stand-in may not do ----------------------------------------------------------------


async def test_a_stand_in_cannot_give_the_seat_away() -> None:
    async with away() as scene:
        await scene.bot.sit(await scene.bot.offered())
        bot = scene.bot.player
        assert await reason_of(resign(bot, scene.table_id)) == "ONLY_STANDS_IN"
        await say(bot, scene.table_id, "beep")
        said, _ = await until(scene.stream, "said")
        assert (said.said.seat, said.said.name) == (2, "greedy")
        table = await leave(bot, scene.table_id)
        assert (table.seats[1].name, table.seats[1].stand_in) == ("bob", False)
        assert await reason_of(bot.options(scene.table_id)) == "NOT_SEATED"
        # Nobody is out, and since Bob is still away a bot is asked for again.
        again = await scene.bot.offered()
        assert not (await scene.ann.snapshot(scene.table_id)).game.out
        await scene.bot.sit(again)
        await resign(scene.ann, scene.table_id)
        assert await reason_of(rematch(bot, scene.table_id, b"b" * 16)) == "ONLY_STANDS_IN"
        table = await leave(bot, scene.table_id)
        assert (table.seats[1].name, table.seats[1].stand_in) == ("bob", False)
        await rematch(scene.bob, scene.table_id, b"b" * 16)


async def test_a_bot_is_free_again_when_the_player_is_back() -> None:
    async with away(seats=1) as scene:
        await scene.bot.sit(await scene.bot.offered())
        async with scene.bob.watch(scene.table_id) as back:
            await anext(back)
            await until(scene.stream, "stand_in")
            returned, _ = await until(scene.stream, "stand_in")
            assert returned.stand_in.bot == ""
        assert (await scene.bot.offered()).seat == 2


async def test_bots_of_this_machine_stand_in_before_those_of_others() -> None:
    """Who stands in sees the hand, and an opponent might have offered a bot of his own."""
    async with (
        from_elsewhere() as (server, channel),
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as local,
    ):
        (far,) = await bots(channel, "far")
        (house,) = await bots(local, "house")
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        table_id = (await ann.create(**STANDS_IN)).table_id
        await ann.join(table_id)
        await bob.join(table_id)
        async with ann.watch(table_id):
            await ann.start(table_id)
            try:
                assert (await house.offered()).seat == 2
            finally:
                far.stream.cancel()
