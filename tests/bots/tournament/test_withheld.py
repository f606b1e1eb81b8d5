"""A deal comes again, so nobody but the runner gets a record before the last game on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from bots.test_seat import given, python_bot
from qin.bots.seat import BotSeat
from qin.cli.tournament_server import Hosting
from qin.client import CallError, Client, connect, new_token
from qin.engine import Deal, Seat


@asynccontextmanager
async def tournament_server() -> AsyncIterator[Client]:
    async with Hosting().server() as where, connect(where.address) as client:
        yield client


async def test_only_the_owner_of_the_table_gets_its_record() -> None:
    async with tournament_server() as owner:
        deal = given(Deal.shuffled(2, Random(1)), Seat(0))
        table = await owner.create(board="bird", seats=2, deals=[deal])
        players = [owner.with_token(new_token()) for _ in range(2)]
        tasks = []
        for number, player in enumerate(players):
            mine = player.table(table.table_id)
            await mine.join(f"bot {number}")
            seat = BotSeat(mine, python_bot("random"), str(number))
            tasks.append(asyncio.create_task(seat.play()))
        await table.start()
        await asyncio.wait_for(asyncio.gather(*tasks), 60)
        (info,) = [info async for info in owner.records(table.table_id)]
        assert (await owner.record(info.record_id)).startswith('[Qin "1"]')
        for other in (*players, owner.with_token(new_token())):
            with pytest.raises(CallError) as refused:
                await other.record(info.record_id)
            assert refused.value.reason == "NO_SUCH_RECORD"
