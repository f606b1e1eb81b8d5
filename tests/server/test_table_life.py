"""The life of a table: create, join, start, play, leave, rematch, series."""

from __future__ import annotations

import secrets
from random import Random
from typing import Any

import grpc.aio
import pytest
from qin.engine import parse_record
from qin.v1 import lobby_pb2, play_pb2, records_pb2, types_pb2, watch_pb2
from server.players import Player, new_id, play_out, problem_of, reason_of, seated, serving

SMALL = "R.../..Y./B.V./...."
"""A board on which a game is short."""


def first_choice(_count: int) -> int:
    return 0


async def rematch(player: Player, table_id: str) -> types_pb2.Table:
    request = lobby_pb2.RematchRequest(
        request_id=new_id(), table_id=table_id, nonce=secrets.token_bytes(16)
    )
    response: lobby_pb2.RematchResponse = await player.call(player.lobby.Rematch, request)
    return response.table


async def leave(player: Player, table_id: str) -> types_pb2.Table:
    request = lobby_pb2.LeaveTableRequest(request_id=new_id(), table_id=table_id)
    response: lobby_pb2.LeaveTableResponse = await player.call(player.lobby.LeaveTable, request)
    return response.table


async def resign(player: Player, table_id: str) -> list[types_pb2.Event]:
    request = play_pb2.ResignRequest(request_id=new_id(), table_id=table_id)
    response: play_pb2.ResignResponse = await player.call(player.play.Resign, request)
    return list(response.events)


async def say(player: Player, table_id: str, text: str) -> int:
    request = play_pb2.SayRequest(request_id=new_id(), table_id=table_id, text=text)
    response: play_pb2.SayResponse = await player.call(player.play.Say, request)
    return response.sequence


async def remove(player: Player, table_id: str, seat: int) -> types_pb2.Table:
    request = lobby_pb2.RemoveSeatRequest(request_id=new_id(), table_id=table_id, seat=seat)
    response: lobby_pb2.RemoveSeatResponse = await player.call(player.lobby.RemoveSeat, request)
    return response.table


async def records_of(player: Player, table_id: str) -> list[str]:
    """The texts of all records of a table, oldest first."""
    listed = await player.call(
        player.records.ListRecords, records_pb2.ListRecordsRequest(table_id=table_id)
    )
    texts = []
    for known in reversed(listed.records):
        request = records_pb2.GetRecordRequest(record_id=known.record_id)
        texts.append((await player.call(player.records.GetRecord, request)).text)
    return texts


async def test_an_owner_need_not_sit() -> None:
    async with serving() as (_, channel):
        owner, ann, bob = (Player(channel, name) for name in ("owner", "ann", "bob"))
        table = await owner.create()
        assert table.state == types_pb2.TABLE_STATE_OPEN
        assert (await ann.join(table.table_id)).seat == 1
        assert (await bob.join(table.table_id)).seat == 2
        assert await reason_of(ann.start(table.table_id)) == "NOT_OWNER"
        started = await owner.start(table.table_id)
        assert started.state == types_pb2.TABLE_STATE_PLAYING
        assert (await owner.snapshot(table.table_id)).seat == 0


async def test_seats_are_chosen_or_given() -> None:
    async with serving() as (_, channel):
        ann, bob, cho = (Player(channel, name) for name in ("ann", "ann", "cho"))
        table_id = (await ann.create(3)).table_id
        assert (await ann.join(table_id, seat=2)).seat == 2
        assert await reason_of(bob.join(table_id, seat=2)) == "SEAT_TAKEN"
        assert await reason_of(bob.join(table_id, seat=4)) == "BAD_SEAT"
        joined = await bob.join(table_id)
        assert joined.seat == 1
        assert [seat.name for seat in joined.table.seats] == ["ann-2", "ann", ""]
        assert await reason_of(ann.start(table_id)) == "SEATS_FREE"
        assert (await ann.join(table_id)).seat == 2, "joining again gives the same seat"
        assert (await cho.join(table_id)).seat == 3
        assert await reason_of(Player(channel, "dan").join(table_id)) == "NO_FREE_SEAT"


async def test_a_seat_is_left_and_taken_by_another() -> None:
    async with serving() as (_, channel):
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        table_id = (await ann.create()).table_id
        await ann.join(table_id)
        assert [seat.name for seat in (await leave(ann, table_id)).seats] == ["", ""]
        assert await reason_of(leave(ann, table_id)) == "NOT_SEATED"
        await bob.join(table_id)
        assert await reason_of(remove(bob, table_id, 1)) == "NOT_OWNER"
        assert [seat.name for seat in (await remove(ann, table_id, 1)).seats] == ["", ""]


async def test_an_invite_code_is_needed_to_join_and_to_watch() -> None:
    async with serving() as (_, channel):
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        table = await ann.create(code="sesame")
        assert table.needs_code
        assert await reason_of(bob.join(table.table_id)) == "CODE_WRONG"
        assert await reason_of(bob.snapshot(table.table_id)) == "CODE_WRONG"
        assert (await bob.snapshot(table.table_id, code="sesame")).seat == 0
        assert (await ann.join(table.table_id)).seat == 1, "the owner needs none"
        assert (await bob.join(table.table_id, invite_code="sesame")).seat == 2
        assert (await bob.snapshot(table.table_id)).seat == 2


async def test_a_table_without_spectators() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel, no_spectators=True)
        assert (await players[1].snapshot(table_id)).seat == 2
        assert await reason_of(Player(channel).snapshot(table_id)) == "NO_SPECTATORS"


async def test_resigning_ends_a_game_of_two() -> None:
    async with serving() as (_, channel):
        table_id, (ann, bob) = await seated(channel)
        events = await resign(bob, table_id)
        kinds = [event.WhichOneof("kind") for event in events]
        assert kinds == ["withdrew", "game_ended", "series_ended"]
        assert list(events[1].game_ended.outcome.winners) == [1]
        (text,) = await records_of(ann, table_id)
        assert parse_record(text).check().outcome
        assert await reason_of(ann.place(table_id, 0, "Rc4Yd4")) == "GAME_OVER"


async def test_who_resigned_a_one_game_series_is_not_announced_as_its_winner() -> None:
    """Though he has placed more pagodas than the one who won."""
    async with serving() as (_, channel):
        table_id, players = await seated(channel, first=types_pb2.FIRST_SEAT_NAMED, first_seat=1)
        for ply in range(4):
            player = players[ply % 2]
            listed = (await player.options(table_id, effects=True)).options
            founding = [option for option in listed if option.effects]
            others = [option for option in listed if not option.effects]
            chosen = (founding, others)[ply % 2] or listed
            await player.place(table_id, ply, chosen[0].placement)
        reserves = (await players[0].snapshot(table_id)).game.reserves
        assert reserves[0] < reserves[1]
        ended = {event.WhichOneof("kind"): event for event in await resign(players[0], table_id)}
        assert list(ended["game_ended"].game_ended.outcome.winners) == [2]
        assert list(ended["game_ended"].game_ended.reserves) == list(reserves)
        assert list(ended["series_ended"].series_ended.totals) == [24, reserves[1]]
        assert list(ended["series_ended"].series_ended.winners) == [2]


async def test_leaving_while_a_game_is_on_is_to_resign() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel, ["ann", "bob", "cho"])
        await leave(players[2], table_id)
        snapshot = await players[0].snapshot(table_id)
        assert list(snapshot.game.out) == [3]
        assert snapshot.table.seats[2].name == "cho"
        assert snapshot.table.state == types_pb2.TABLE_STATE_PLAYING


async def test_a_series_with_totals_and_a_starting_seat_that_moves_on() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(
            channel, map=SMALL, games=3, first=types_pb2.FIRST_SEAT_NAMED, first_seat=2
        )
        rng = Random(5)
        firsts, totals = [], [0, 0]
        for game in (1, 2, 3):
            snapshot = await players[0].snapshot(table_id)
            assert snapshot.game.game == game
            firsts.append(snapshot.game.first)
            before = len(await records_of(players[0], table_id))
            while len(await records_of(players[0], table_id)) == before:
                view = (await players[0].snapshot(table_id)).game
                mover = players[view.turn - 1]
                listed = await mover.options(table_id)
                option = listed.options[int(rng.random() * len(listed.options))]
                await mover.place(table_id, view.ply, option.placement)
        assert firsts == [2, 1, 2]
        texts = await records_of(players[0], table_id)
        assert len(texts) == 3
        for number, text in enumerate(texts, start=1):
            record = parse_record(text)
            record.check()
            assert record.tags["Game"] == str(number)
            assert record.tags["Salt"], "revealed at the end of the series"
            totals = [a + b for a, b in zip(totals, record.reserves, strict=True)]
        table = (await players[0].snapshot(table_id)).table
        assert table.state == types_pb2.TABLE_STATE_FINISHED
        assert list(table.totals) == totals


async def test_the_salt_stays_secret_until_the_series_is_over() -> None:
    async with serving() as (_, channel):
        table_id, (ann, bob) = await seated(channel, games=2)
        await resign(ann, table_id)
        (text,) = await records_of(ann, table_id)
        assert "[Commitment " in text
        assert "[Salt " not in text
        await resign(bob, table_id)
        for text in await records_of(ann, table_id):
            assert parse_record(text).tags["Salt"]


async def test_a_rematch_starts_when_everybody_has_asked_for_it() -> None:
    async with serving() as (_, channel):
        table_id, (ann, bob) = await seated(channel)
        before = (await ann.snapshot(table_id)).table.commitment
        assert await reason_of(rematch(ann, table_id)) == "NOT_FINISHED"
        await resign(ann, table_id)
        finished = await rematch(ann, table_id)
        assert finished.state == types_pb2.TABLE_STATE_FINISHED
        assert [seat.rematch for seat in finished.seats] == [True, False]
        assert finished.commitment != before
        again = await rematch(bob, table_id)
        assert again.state == types_pb2.TABLE_STATE_PLAYING
        assert again.commitment == finished.commitment, "it was known before the nonces"
        await resign(bob, table_id)
        texts = await records_of(ann, table_id)
        assert len(texts) == 2
        assert parse_record(texts[1]).tags["Commitment"] == finished.commitment


async def test_somebody_else_takes_a_seat_for_the_rematch() -> None:
    async with serving() as (_, channel):
        table_id, (ann, bob) = await seated(channel)
        await resign(ann, table_id)
        await leave(ann, table_id)
        await rematch(bob, table_id)
        cho = Player(channel, "cho")
        joined = await cho.join(table_id)
        assert joined.seat == 1
        assert joined.table.state == types_pb2.TABLE_STATE_PLAYING


async def test_the_youngest_starts() -> None:
    async with serving() as (_, channel):
        ann, bob, cho = (Player(channel, name) for name in ("ann", "bob", "cho"))
        table_id = (await ann.create(3, first=types_pb2.FIRST_SEAT_YOUNGEST)).table_id
        await ann.join(table_id)
        await bob.join(table_id, age=44)
        await cho.join(table_id, age=12)
        await ann.start(table_id)
        assert (await ann.snapshot(table_id)).game.first == 3


async def test_chat_reaches_everybody_and_stays() -> None:
    async with serving() as (_, channel):
        table_id, (ann, bob) = await seated(channel)
        async with bob.watch(table_id) as stream:
            await anext(stream)
            sequence = await say(ann, table_id, "good luck, Bob!")
            (event,) = (await anext(stream)).events
        assert (event.sequence, event.said.name, event.said.text) == (
            sequence,
            "ann",
            "good luck, Bob!",
        )
        late = await Player(channel, "eve").snapshot(table_id)
        assert [event.said.text for event in late.chat] == ["good luck, Bob!"]


@pytest.mark.parametrize("text", ["", " ", "\x1b[31mred", "two\nlines", "x" * 301, "\u202eolleh"])
async def test_chat_that_is_refused(text: str) -> None:
    async with serving() as (_, channel):
        table_id, (ann, _) = await seated(channel)
        assert await reason_of(say(ann, table_id, text)) == "BAD_TEXT"
        assert await reason_of(say(Player(channel), table_id, "hi")) == "NOT_SEATED"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"seats": 5}, "BAD_SETTINGS"),
        ({"seats": 0}, "BAD_SETTINGS"),
        ({"games": 101}, "BAD_SETTINGS"),
        ({"first": types_pb2.FIRST_SEAT_NAMED}, "BAD_SETTINGS"),
        ({"first": 9}, "BAD_SETTINGS"),
        ({"absence": 9}, "BAD_SETTINGS"),
        (
            {"clock": types_pb2.ClockSettings(move_seconds=1, total_seconds=1)},
            "BAD_SETTINGS",
        ),
        ({"clock": types_pb2.ClockSettings(increment_seconds=1)}, "BAD_SETTINGS"),
        ({"board_name": "brid"}, "BAD_BOARD"),
        ({"board_name": "../bird"}, "BAD_BOARD"),
        ({"map": "R.x/..."}, "BAD_BOARD"),
        ({"map": "...../....."}, "BAD_BOARD"),
    ],
)
async def test_settings_that_are_refused(settings: dict[str, Any], reason: str) -> None:
    async with serving() as (_, channel):
        code, found, _ = await problem_of(Player(channel).create(**settings))
        assert (code, found) == (grpc.StatusCode.INVALID_ARGUMENT, reason)


async def test_deals_are_given_only_where_that_is_allowed() -> None:
    deal = lobby_pb2.GivenDeal(hands="RR RR RR/YY YY YY", piles="", first=1)
    request = lobby_pb2.CreateTableRequest(
        request_id="1",
        settings=types_pb2.TableSettings(board_name="bird", seats=2),
        deals=[deal],
    )
    async with serving() as (_, channel):
        ann = Player(channel)
        assert await reason_of(ann.call(ann.lobby.CreateTable, request)) == "DEALS_NOT_ALLOWED"
    async with serving(allow_deals=True) as (_, channel):
        ann = Player(channel)
        assert await reason_of(ann.call(ann.lobby.CreateTable, request)) == "BAD_DEAL"


async def test_lists_of_tables_are_paged_newest_first() -> None:
    async with serving() as (_, channel):
        ann = Player(channel)
        made = [(await ann.create()).table_id for _ in range(5)]
        seen: list[str] = []
        token = ""
        while True:
            request = lobby_pb2.ListTablesRequest(page_size=2, page_token=token)
            page = await ann.call(ann.lobby.ListTables, request)
            seen += [table.table_id for table in page.tables]
            token = page.next_page_token
            if not token:
                break
        assert seen == made[::-1]
        bad = lobby_pb2.ListTablesRequest(page_token="nowhere")  # noqa: S106 - no password
        assert await reason_of(ann.call(ann.lobby.ListTables, bad)) == "BAD_PAGE_TOKEN"


async def test_the_lobby_is_told_of_every_change() -> None:
    async with serving() as (_, channel):
        ann = Player(channel)
        stream = ann.lobby.WatchTables(lobby_pb2.WatchTablesRequest(), metadata=ann.metadata)
        try:
            first = await anext(aiter(stream))
            assert first.complete
            assert not first.tables
            table_id = (await ann.create()).table_id
            assert [t.table_id for t in (await anext(aiter(stream))).tables] == [table_id]
            await ann.join(table_id)
            (table,) = (await anext(aiter(stream))).tables
            assert table.seats[0].name == "ann"
        finally:
            stream.cancel()


async def test_two_games_at_once_do_not_mix() -> None:
    async with serving() as (_, channel):
        one, players = await seated(channel)
        other, others = await seated(channel, ["cho", "dan"])
        await play_out(one, players, first_choice)
        snapshot = await others[0].snapshot(other)
        assert snapshot.game.ply == 0
        assert await reason_of(players[0].place(other, 0, "Rc4Yd4")) == "NOT_SEATED"


async def test_a_player_who_watched_before_sitting_down_sees_the_own_hand() -> None:
    async with serving() as (_, channel):
        ann, bob = Player(channel, "ann"), Player(channel, "bob")
        table_id = (await ann.create()).table_id
        async with bob.watch(table_id) as stream:
            await anext(stream)
            await ann.join(table_id)
            await bob.join(table_id)
            await ann.start(table_id)
            events: list[types_pb2.Event] = []
            while not any(event.HasField("game_started") for event in events):
                response: watch_pb2.WatchResponse = await anext(stream)
                events += response.events
        assert len(events[-1].game_started.hand) == 3
        assert [event.sequence for event in events] == [1, 2, 3]
