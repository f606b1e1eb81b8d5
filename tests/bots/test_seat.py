"""Python bots on seats of a real server."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from random import Random

import pytest
from qin.bots import Bot, Options, PythonBot, Spec
from qin.bots.arena import play
from qin.bots.runner import Runner
from qin.bots.seat import BotFault, BotSeat
from qin.client import Client, Table, connect
from qin.client.happenings import GameEnded, SeriesEnded, StandIn
from qin.engine import Board, Deal, LegalPlacement, Outcome, Seat, View, parse_record
from qin.engine.tiles import format_tiles
from qin.server.options import Options as ServerOptions
from qin.server.server import running
from qin.v1 import lobby_pb2, types_pb2
from server.players import until_so

SECONDS = 60


@asynccontextmanager
async def served(**options: object) -> AsyncIterator[Client]:
    async with (
        running(ServerOptions(port=0, **options)) as server,  # type: ignore[arg-type]
        connect(f"127.0.0.1:{server.port}") as client,
    ):
        yield client


def python_bot(text: str) -> PythonBot:
    return Spec.parse(text).load_python()


async def seat_bots(
    owner: Client, table: Table, bots: Sequence[PythonBot], **options: bool
) -> list[asyncio.Task[int]]:
    """Seat bots at a table, in the order of the seats, and let them play."""
    tasks = []
    for number, bot in enumerate(bots):
        mine = owner.with_token(f"{number:064x}").table(table.table_id)
        await mine.join(f"bot {number}")
        seat = BotSeat(mine, bot, f"seed/{number}")
        tasks.append(asyncio.create_task(seat.play(**options)))
    return tasks


async def offered(client: Client, *names: str) -> None:
    async def so() -> bool:
        return sorted((await client.info()).house_bots) == sorted(names)

    await until_so(so)


async def all_seated(table: Table) -> None:
    async def so() -> bool:
        return all(seat.connected for seat in (await table.look()).seats)

    await until_so(so)


def given(deal: Deal, first: int) -> lobby_pb2.GivenDeal:
    return lobby_pb2.GivenDeal(
        hands="/".join(format_tiles(hand) for hand in deal.hands),
        piles="/".join(format_tiles(pile) for pile in deal.piles),
        first=first + 1,
    )


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_game_over_the_protocol_is_the_game_in_the_arena(players: int) -> None:
    """The same deal, the same seeds: move by move the same game."""
    specs = ["greedy", "random", "greedy", "random"][:players]
    deal = Deal.shuffled(players, Random(players))
    board = Board.named("lion")
    first = Seat(players - 1)
    bots = [python_bot(text)(f"seed/{number}/1") for number, text in enumerate(specs)]
    alone = play(board, deal, bots, first=first).record
    async with served(allow_deals=True) as client:
        table = await client.create(board=board, seats=players, deals=[given(deal, first)])
        tasks = await seat_bots(client, table, [python_bot(text) for text in specs])
        await table.start()
        assert await asyncio.wait_for(asyncio.gather(*tasks), SECONDS) == [1] * players
        (info,) = [info async for info in client.records()]
        served_record = parse_record(await client.record(info.record_id))
    assert served_record.rounds == alone.rounds
    assert served_record.outcome == alone.outcome


class Noting(Bot):
    """Notes what it is told."""

    told: list[tuple[str, int, Outcome | None]] = []  # noqa: RUF012 - one list for the whole test

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view
        return options.choice(self.rng)

    def game_starts(self, view: View) -> None:
        self.told.append(("starts", view.ply, view.outcome))

    def game_ended(self, view: View) -> None:
        self.told.append(("ended", view.ply, view.outcome))

    def time_left(self, seconds: float) -> None:
        assert 0 < seconds <= 60
        self.told.append(("time", int(seconds > 50), None))


async def test_a_bot_is_told_of_start_end_and_time_and_is_fresh_each_game() -> None:
    Noting.told.clear()
    async with served() as client:
        settings = types_pb2.TableSettings(games=2, clock=types_pb2.ClockSettings(move_seconds=60))
        table = await client.create(board="bird", settings=settings)
        bots = [PythonBot(Noting), python_bot("random")]
        tasks = await seat_bots(client, table, bots)
        await all_seated(table)
        await table.start()
        assert await asyncio.wait_for(asyncio.gather(*tasks), SECONDS) == [2, 2]
    told = [kind for kind, _, _ in Noting.told]
    assert [kind for kind in told if kind != "time"] == ["starts", "ended", "starts", "ended"]
    assert all(ply == 0 for kind, ply, _ in Noting.told if kind == "starts")
    assert all(outcome for kind, _, outcome in Noting.told if kind == "ended")
    assert told.count("time") > 20


class Failing(Bot):
    def choose(self, view: View, options: Options) -> LegalPlacement:
        del options
        raise KeyError(view.ply)


class Cheating(Bot):
    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view, options
        return "Ra1Rb1"  # type: ignore[return-value]


class Exiting(Bot):
    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view, options
        sys.exit(3)


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (Failing, r"the bot failed: KeyError: \d+ \(test_seat.py, line \d+\)"),
        (Cheating, "none of its options"),
        (Exiting, "the bot failed: SystemExit: 3"),
    ],
)
async def test_a_bot_that_fails_resigns_so_that_nobody_waits(bot: type[Bot], words: str) -> None:
    async with served() as client:
        table = await client.create(board="bird")
        tasks = await seat_bots(client, table, [PythonBot(bot), python_bot("random")])
        await table.start()
        assert await asyncio.wait_for(tasks[1], SECONDS) == 1
        with pytest.raises(BotFault, match=words):
            await tasks[0]
        (info,) = [info async for info in client.records()]
        assert list(info.outcome.winners) == [2]
        assert info.outcome.ending == types_pb2.ENDING_RESIGNED


@pytest.mark.parametrize("where", ["__init__", "game_starts", "time_left", "choose"])
async def test_a_bot_that_hangs_does_not_stop_the_other_seats_of_its_process(where: str) -> None:
    forever = threading.Event()

    def hang(*_: object) -> None:
        forever.wait()

    hanging = type("Hanging", (Noting,), {where: hang})
    async with served() as client:
        settings = types_pb2.TableSettings(clock=types_pb2.ClockSettings(move_seconds=1))
        table = await client.create(board="bird", seats=3, settings=settings)
        bots = [PythonBot(hanging), python_bot("random"), python_bot("random")]
        tasks = await seat_bots(client, table, bots)
        await table.start()
        assert await asyncio.wait_for(asyncio.gather(*tasks), SECONDS) == [1, 1, 1]
        (info,) = [info async for info in client.records()]
        assert 1 not in info.outcome.winners
    forever.set()


async def test_offered_bots_are_handed_seats_play_and_agree_to_a_rematch() -> None:
    async with served() as client, asyncio.TaskGroup() as tasks:
        offers = [
            tasks.create_task(Runner(python_bot(name), name, "1").offer(client, games=None))
            for name in ("greedy", "random")
        ]
        await offered(client, "greedy", "random")
        owner = client.with_token("ab" * 32)
        table = await owner.create(board="lion", seats=3)
        for name in ("greedy", "greedy", "random"):
            await table.add_bot(name)
        series = 0
        async with asyncio.timeout(SECONDS):
            async for events, state in table.watch():
                if state.table.state == types_pb2.TABLE_STATE_OPEN and all(
                    seat.name for seat in state.table.seats
                ):
                    assert state.names == ("greedy", "greedy-2", "random")
                    await table.start()
                if any(isinstance(event, GameEnded) for event in events):
                    series += 1
                    break
        for offer in offers:
            offer.cancel()
    assert series == 1


async def test_a_bot_agrees_to_the_rematch_that_a_player_wishes_for() -> None:
    async with served() as client:
        offering = asyncio.create_task(
            Runner(python_bot("greedy"), "greedy", "1").offer(client, games=None)
        )
        await offered(client, "greedy")
        table = await client.with_token("ab" * 32).create(board="bird")
        await table.join("ann")
        await table.add_bot("greedy")
        ended = 0
        async with asyncio.timeout(SECONDS):
            async for events, state in table.watch():
                if state.table.state == types_pb2.TABLE_STATE_OPEN and all(
                    seat.name for seat in state.table.seats
                ):
                    await table.start()
                if state.my_turn:
                    assert state.view
                    await table.place(state.view.legal[0])
                if any(isinstance(event, GameEnded) for event in events):
                    ended += 1
                    if ended == 2:
                        break
                    await table.rematch()
        offering.cancel()
        assert [info.table_id async for info in client.records()] == [table.table_id] * 2


async def test_a_runner_joins_a_table_and_plays_its_series() -> None:
    async with served() as client:
        settings = types_pb2.TableSettings(games=2)
        table = await client.create(board="bird", code="tea", settings=settings)
        lines: list[str] = []
        runners = [
            Runner(python_bot("random"), "random", str(number), told=lines.append)
            for number in range(2)
        ]
        tasks = [
            asyncio.create_task(
                runner.join(client.with_token(f"{n:064x}"), table.table_id, code="tea", seat=n + 1)
            )
            for n, runner in enumerate(runners)
        ]
        await all_seated(table)
        await table.start()
        assert await asyncio.wait_for(asyncio.gather(*tasks), SECONDS) == [2, 2]
        assert sorted(lines) == [
            f"random sits on seat {n} of table {table.table_id}" for n in (1, 2)
        ]


async def test_a_bot_that_was_offered_for_some_games_leaves_after_them() -> None:
    async with served() as client:
        offering = asyncio.create_task(
            Runner(python_bot("random"), "random", "1").offer(client, games=1)
        )
        await offered(client, "random")
        table = await client.with_token("ab" * 32).create(board="bird")
        for _ in range(2):
            await table.add_bot("random")
        await all_seated(table)
        await table.start()
        assert await asyncio.wait_for(offering, SECONDS) in (1, 2)


async def test_a_house_bot_stands_in_for_an_absent_player_until_he_is_back() -> None:
    async with served() as client:
        offering = asyncio.create_task(
            Runner(python_bot("greedy"), "greedy", "1").offer(client, games=None)
        )
        await offered(client, "greedy")
        settings = types_pb2.TableSettings(
            absence=types_pb2.ABSENCE_HOUSE_BOT,
            absence_seconds=1,
            first=types_pb2.FIRST_SEAT_NAMED,
            first_seat=1,
        )
        table = await client.with_token("ab" * 32).create(board="bird", settings=settings)
        await table.join("ann")
        away = client.with_token("cd" * 32).table(table.table_id)
        await away.join("bob")  # and does not watch: he is not there
        await table.start()
        stood_in: list[str] = []
        bob: asyncio.Task[int] | None = None
        async with asyncio.timeout(SECONDS), aclosing(table.watch()) as updates:
            async for events, state in updates:
                stood_in += [event.bot for event in events if isinstance(event, StandIn)]
                if stood_in == ["greedy"] and bob is None and state.my_turn:
                    bob = asyncio.create_task(BotSeat(away, python_bot("random"), "2").play())
                if state.my_turn and (bob is None or stood_in == ["greedy", ""]):
                    assert state.view
                    await table.place(state.view.legal[0])
                if any(isinstance(event, SeriesEnded) for event in events):
                    break
        assert stood_in == ["greedy", ""]
        assert bob is not None
        assert await bob == 1
        offering.cancel()
        (info,) = [info async for info in client.records()]
        assert list(info.seats) == ["ann", "bob"]


async def test_a_series_that_was_over_before_the_bot_looked_is_over() -> None:
    async with served() as client:
        table = await client.create(board="bird")
        await table.join("ann")
        late = client.with_token("cd" * 32).table(table.table_id)
        await late.join("bob")
        await table.start()
        async with aclosing(table.watch()) as updates:
            await anext(updates)
            await table.resign()
        seat = BotSeat(late, python_bot("random"), "1")
        assert await asyncio.wait_for(seat.play(), SECONDS) == 0
