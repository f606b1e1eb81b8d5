"""A whole game over a real socket with the generated stubs."""

from __future__ import annotations

from random import Random

import pytest
from qin.engine import parse_record
from qin.v1 import records_pb2, types_pb2
from server.players import Player, play_out, seated, serving


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_whole_game_by_unary_calls(players: int) -> None:
    rng = Random(players)
    async with serving() as (_, channel):
        table_id, seats = await seated(channel, ["ann", "bob", "cho", "dan"][:players])
        plies = await play_out(table_id, seats, lambda count: int(rng.random() * count))
        snapshot = await seats[0].snapshot(table_id)
        assert snapshot.table.state == types_pb2.TABLE_STATE_FINISHED
        assert snapshot.game.outcome.winners
        assert snapshot.game.ply == plies
        listed = await seats[0].call(
            seats[0].records.ListRecords, records_pb2.ListRecordsRequest(table_id=table_id)
        )
        (known,) = listed.records
        found = await seats[0].call(
            seats[0].records.GetRecord, records_pb2.GetRecordRequest(record_id=known.record_id)
        )
        game = parse_record(found.text).check()
        assert [winner + 1 for winner in (game.outcome or pytest.fail("not over")).winners] == list(
            snapshot.game.outcome.winners
        )
        assert list(game.position.reserves) == list(snapshot.game.reserves)
        assert "[Salt " in found.text


async def test_a_spectator_sees_no_tiles() -> None:
    async with serving() as (_, channel):
        table_id, _ = await seated(channel)
        seen = await Player(channel, "eve").snapshot(table_id)
        assert seen.seat == 0
        assert not seen.game.hand
        assert list(seen.game.hand_sizes) == [3, 3]
