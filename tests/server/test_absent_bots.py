"""Bots that die, are busy, or come back: a game goes on with another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from qin.server.model import TableData
from qin.server.server import Server
from qin.v1 import lobby_pb2, types_pb2
from server.house_bots import STANDS_IN, Bot, add_bot, bots, leave, table_of, tickets, until
from server.players import Player, new_id, problem_of, reason_of, serving
from server.scenes import resign
from server.storing import fill_up, no_more_room, room_again
from server.test_expiry import KEEP, wait_until_removed

GRACE = 0.05


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "qin.db")


async def against(bot: Bot, ann: Player, **settings: Any) -> str:
    """A game of Ann against a bot that has a seat of its own, and is to move."""
    first: dict[str, Any] = {"first": types_pb2.FIRST_SEAT_NAMED, "first_seat": 2}
    table_id = (await ann.create(**{**first, **settings})).table_id
    await ann.join(table_id)
    await add_bot(ann, table_id, bot.player.name)
    await bot.sit(await bot.offered())
    await ann.start(table_id)
    return table_id


async def play_out(table_id: str, players: list[Player]) -> None:
    game = (await players[0].snapshot(table_id)).game
    while game.turn:
        player = players[game.turn - 1]
        option = (await player.options(table_id)).options[0]
        await player.place(table_id, game.ply, option.placement)
        game = (await players[0].snapshot(table_id)).game


# ---- a bot dies --------------------------------------------------------------------------------


async def test_a_house_bot_that_dies_is_followed_by_one_of_its_name() -> None:
    """Though the table has neither clock nor absence, and another bot has less to do."""
    async with serving(bot_grace_seconds=GRACE) as (server, channel):
        ann = Player(channel)
        first, _other = await bots(channel, "greedy", "other")
        table_id = await against(first, ann)
        async with ann.watch(table_id) as stream:
            before = (await anext(stream)).snapshot
            async with first.player.watch(table_id) as playing:
                hand = (await anext(playing)).snapshot.game.hand
                first.stream.cancel()
                while first.player.name in server.hall.offers.house_bots():
                    await table_of(ann, table_id)
                (second,) = await bots(channel, "greedy")
                assert not tickets(server, table_id)
            offer = await second.offered()
            joined = await second.sit(offer, "another")
            assert joined.seat == 2
            seat = joined.table.seats[1]
            assert (seat.name, seat.bot, seat.stand_in) == (before.table.seats[1].name, True, False)
            snapshot = await second.player.snapshot(table_id)
            assert list(snapshot.game.hand) == list(hand)
            assert snapshot.sequence == before.sequence
            assert await reason_of(first.player.options(table_id)) == "NOT_SEATED"
            async with second.player.watch(table_id) as playing:
                await anext(playing)
                await play_out(table_id, [ann, second.player])


async def test_a_stand_in_that_dies_is_followed_by_any_bot() -> None:
    async with serving(bot_grace_seconds=GRACE) as (_, channel):
        ann, bob = Player(channel), Player(channel, "bob")
        (first,) = await bots(channel, "greedy")
        table_id = (await ann.create(**STANDS_IN)).table_id
        await ann.join(table_id)
        await bob.join(table_id)
        async with ann.watch(table_id) as stream:
            await ann.start(table_id)
            await first.sit(await first.offered())
            async with first.player.watch(table_id) as playing:
                await anext(playing)
                first.stream.cancel()
                (second,) = await bots(channel, "other")
            await second.sit(await second.offered())
            stood_in = [(await until(stream, "stand_in"))[0].stand_in.bot for _ in range(2)]
            assert stood_in == ["greedy", "other"]
            assert await reason_of(first.player.options(table_id)) == "NOT_SEATED"
            async with bob.watch(table_id) as back:
                await anext(back)
                assert (await until(stream, "stand_in"))[0].stand_in.bot == ""
            seat = (await table_of(ann, table_id)).seats[1]
            assert (seat.name, seat.stand_in) == ("bob", False)


async def test_a_bot_that_comes_later_plays_on_at_once() -> None:
    async with serving(bot_grace_seconds=GRACE) as (server, channel):
        ann = Player(channel)
        (first,) = await bots(channel, "greedy")
        table_id = await against(first, ann)
        first.stream.cancel()
        seeking = server.hall.alarms._absences._seeking
        while (table_id, 1) not in seeking:
            await table_of(ann, table_id)
        assert not (await table_of(ann, table_id)).seats[1].awaits_bot
        (second,) = await bots(channel, "other")
        await second.sit(await second.offered())
        await play_out(table_id, [ann, second.player])


@pytest.mark.parametrize("bot_first", [True, False])
async def test_a_restarted_server_goes_on_with_restarted_bots(
    path: str, *, bot_first: bool
) -> None:
    async with serving(database=path) as (_, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy")
        table_id = await against(bot, ann)
        async with bot.player.watch(table_id) as playing:
            await anext(playing)
            option = (await bot.player.options(table_id)).options[0]
            await bot.player.place(table_id, 0, option.placement)
        snapshot = await ann.snapshot(table_id)
    async with serving(database=path, bot_grace_seconds=GRACE) as (_, channel):
        ann = Player(channel, token=ann.token)
        bot = Bot(channel, "greedy")
        if bot_first:
            await bot.ready()
        async with ann.watch(table_id, after_sequence=snapshot.sequence) as stream:
            await anext(stream)
            await bot.sit(await bot.offered())
            await play_out(table_id, [ann, bot.player])
            assert (await until(stream, "series_ended"))[0].sequence > snapshot.sequence


async def test_a_house_bot_that_is_back_keeps_its_chair() -> None:
    async with serving(bot_grace_seconds=GRACE) as (server, channel):
        ann = Player(channel)
        first, second = await bots(channel, "greedy", "other")
        table_id = await against(first, ann)
        first.stream.cancel()
        offer = await second.offered()
        async with first.player.watch(table_id) as playing:
            assert (await anext(playing)).snapshot.seat == 2
            assert not tickets(server, table_id)
            assert await reason_of(second.sit(offer)) == "TICKET_WRONG"
            assert (await first.player.options(table_id)).options


async def test_a_house_bot_may_be_asked_to_play_on_for_itself() -> None:
    async with serving(bot_grace_seconds=GRACE) as (_, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy")
        table_id = await against(bot, ann)
        assert (await bot.sit(await bot.offered())).seat == 2
        await play_out(table_id, [ann, bot.player])


async def test_a_bot_that_does_not_come_is_followed_by_another() -> None:
    """And no seat forfeits at a table where nobody ever has to be there."""
    async with serving(bot_grace_seconds=GRACE, ticket_seconds=GRACE) as (_, channel):
        ann = Player(channel)
        first, second = await bots(channel, "greedy", "other")
        table_id = await against(first, ann)
        await first.offered()  # and it does nothing about it
        await second.sit(await second.offered())
        assert not (await ann.snapshot(table_id)).game.out


async def test_without_another_bot_a_dead_one_forfeits_as_anybody_does() -> None:
    async with serving(bot_grace_seconds=GRACE) as (_, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy")
        table_id = await against(bot, ann, absence_seconds=1)
        async with ann.watch(table_id) as stream:
            bot.stream.cancel()
            withdrew, _ = await until(stream, "withdrew")
            assert (withdrew.withdrew.seat, withdrew.withdrew.forfeit) == (2, True)


async def test_a_table_that_an_older_server_kept_is_read() -> None:
    async with serving() as (server, channel):
        table_id = (await Player(channel).create()).table_id
        data = (await server.hall.table(table_id)).data
        body = json.loads(data.to_json())
        for newer in ("address", "withdrawals"):
            del body[newer]
        for chair in body["chairs"]:
            del chair["offered"]
        assert TableData.from_json(table_id, data.created, "open", json.dumps(body)) == data


# ---- places ------------------------------------------------------------------------------------


async def remove(owner: Player, table_id: str, seat: int) -> None:
    request = lobby_pb2.RemoveSeatRequest(request_id=new_id(), table_id=table_id, seat=seat)
    await owner.call(owner.lobby.RemoveSeat, request)


async def test_a_bot_that_has_its_seats_is_busy_and_one_that_left_is_not() -> None:
    async with serving() as (_, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy", seats=1)
        table_id = (await ann.create(3)).table_id
        for give_back in (
            lambda: leave(bot.player, table_id),
            lambda: remove(ann, table_id, 1),
            None,
        ):
            await add_bot(ann, table_id, "greedy")
            assert (await problem_of(add_bot(ann, table_id, "greedy")))[:2] == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "BOT_BUSY",
            )
            await bot.sit(await bot.offered())
            assert await reason_of(add_bot(ann, table_id, "greedy")) == "BOT_BUSY"
            if give_back:
                await give_back()
        assert await reason_of(add_bot(ann, table_id, "other")) == "NO_SUCH_BOT"


async def test_a_ticket_that_is_taken_back_leaves_the_bot_free() -> None:
    async with serving() as (_, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy", seats=1)
        table_id = (await ann.create()).table_id
        await add_bot(ann, table_id, "greedy")
        await remove(ann, table_id, 1)
        assert await reason_of(bot.sit(await bot.offered())) == "TICKET_WRONG"
        await add_bot(ann, table_id, "greedy")
        await bot.sit(await bot.offered())


async def test_a_bot_has_time_for_others_when_the_series_is_over() -> None:
    async with serving() as (_, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy", seats=1)
        table_id = await against(bot, ann)
        assert await reason_of(against(bot, ann)) == "BOT_BUSY"
        await resign(ann, table_id)
        await against(bot, ann)


# ---- a full disk -------------------------------------------------------------------------------


async def test_a_refused_wish_for_a_bot_leaves_no_mark(path: str) -> None:
    async with serving(database=path) as (server, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy", seats=1)
        table_id = (await ann.create()).table_id
        await no_more_room(server.hall.store)
        await fill_up(server.hall.store, table_id)
        assert await reason_of(add_bot(ann, table_id, "greedy")) == "STORE_FULL"
        await nothing_is_left(server, ann, table_id)
        await room_again(server.hall.store)
        await add_bot(ann, table_id, "greedy")
        await bot.sit(await bot.offered())


async def nothing_is_left(server: Server, ann: Player, table_id: str) -> None:
    assert not tickets(server, table_id)
    assert not any(seat.awaits_bot for seat in (await table_of(ann, table_id)).seats)


async def test_a_ticket_that_could_not_be_used_is_still_good(path: str) -> None:
    async with serving(database=path) as (server, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy")
        table_id = (await ann.create()).table_id
        await add_bot(ann, table_id, "greedy")
        offer = await bot.offered()
        await no_more_room(server.hall.store)
        await fill_up(server.hall.store, table_id)
        assert await reason_of(bot.sit(offer)) == "STORE_FULL"
        assert await reason_of(remove(ann, table_id, 1)) == "STORE_FULL"
        assert (await table_of(ann, table_id)).seats[0].awaits_bot
        await room_again(server.hall.store)
        assert (await bot.sit(offer)).seat == 1
        await nothing_is_left(server, ann, table_id)


# ---- expiry ------------------------------------------------------------------------------------


async def test_a_table_where_only_bots_wait_goes() -> None:
    async with serving(keep_seconds=KEEP) as (_, channel):
        ann = Player(channel)
        (bot,) = await bots(channel, "greedy")
        table_id = (await ann.create()).table_id
        await add_bot(ann, table_id, "greedy")
        await bot.sit(await bot.offered())
        async with bot.player.watch(table_id) as stream:
            await anext(stream)
            await wait_until_removed(ann, table_id)
