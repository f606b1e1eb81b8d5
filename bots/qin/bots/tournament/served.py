"""One game through a real server: a table with a given deal, a player on each seat, the record."""

from __future__ import annotations

import asyncio
import math
from contextlib import aclosing, suppress
from dataclasses import replace
from time import perf_counter

from qin.bots.tournament.games import SILENCE, TIME, Fault, Job, Result, Times, in_order
from qin.bots.tournament.players import (
    Place,
    Player,
    ProgramPlayer,
    PythonPlayer,
    RemotePlayer,
    Sitters,
    player_for,
    seated,
    sit_down,
)
from qin.bots.tournament.referee import Faulty
from qin.bots.tournament.watchdog import GRACE
from qin.client import Address, CallError, Client, Table
from qin.client.happenings import GameEnded, TableEvent
from qin.engine import (
    Game,
    Passed,
    Placed,
    Record,
    Recorder,
    Seat,
    Withdrew,
    parse_record,
)
from qin.engine.record import play_move
from qin.engine.tiles import format_tiles
from qin.v1 import lobby_pb2, types_pb2

_UNKNOWN = -1
"""The ply of a fault while the game is on; it is that of the forfeit, which the record tells."""


class House:
    """A server, as whoever runs the tournament uses it."""

    def __init__(self, client: Client, address: Address, password: str, concurrency: int) -> None:
        self._client = client
        self._address = address
        self._password = password
        self._sitters = Sitters()
        self._free = asyncio.Semaphore(concurrency)

    async def play(self, job: Job) -> Result:
        async with self._free:
            table = await self._table(job)
            places = seated(self._client, self._address, self._password, table.table_id, job)
            return await _ServedGame(table, places, self._client, self._sitters).play()

    async def close(self) -> None:
        await self._sitters.close()

    async def _table(self, job: Job) -> Table:
        deal, first = job.dealt()
        given = lobby_pb2.GivenDeal(
            hands="/".join(map(format_tiles, deal.hands)),
            piles="/".join(map(format_tiles, deal.piles)),
            first=first + 1,
        )
        settings = types_pb2.TableSettings(
            # A bot that answers late says so itself; this ends the waiting for one that does not.
            clock=types_pb2.ClockSettings(move_seconds=math.ceil(job.seconds + GRACE)),
            absence=types_pb2.ABSENCE_FORFEIT,
        )
        return await self._client.create(
            board=job.ground.board(),
            seats=len(job.seats),
            name=job.event or "tournament",
            deals=[given],
            settings=settings,
        )


class _ServedGame:
    """A game while it is played."""

    def __init__(self, table: Table, places: list[Place], client: Client, sitters: Sitters) -> None:
        self._table = table
        self._places = places
        self._client = client
        self._sitters = sitters
        self._job = places[0].job
        self._sat = [asyncio.Event() for _ in places]
        self._faults: dict[int, Fault] = {}
        self._players: dict[int, Player] = {}
        self._seen = [Times() for _ in places]
        """How long each seat took, as seen from here."""
        self._started = False
        self._over = False

    async def play(self) -> Result:
        tasks = [asyncio.create_task(self._seat(place)) for place in self._places]
        try:
            for sat in self._sat:
                await sat.wait()
            ended = await self._game()
            await self._settle(tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for seat, player in self._players.items():
            if isinstance(player, RemotePlayer):
                await self._table.free(Seat(seat))  # it is wanted elsewhere
        text = await self._client.record(ended.record_id)
        return self._result(parse_record(text))

    # ---- the seats -----------------------------------------------------------------------------

    async def _seat(self, place: Place) -> None:
        seat = place.seat
        try:
            async with player_for(place, self._sitters) as player:
                self._players[seat] = player
                await sit_down(player)
                self._sat[seat].set()
                await player.play()
        except Faulty as fault:
            # A program may well end with the game; that it was too soon shows in the game.
            if not (self._over and isinstance(self._players.get(seat), ProgramPlayer)):
                await self._forfeit(place, fault)

    async def _forfeit(self, place: Place, fault: Faulty) -> None:
        self._blame(place.seat, fault.reason, fault.detail)
        if not self._sat[place.seat].is_set():
            # The table does not start before all sit, so somebody sits for it, and gives up.
            with suppress(CallError):
                await self._table.free(Seat(place.seat))
            await place.table.join(place.name, seat=place.seat + 1)
            self._sat[place.seat].set()
        elif self._started:
            await self._give_up(place)

    async def _give_up(self, place: Place) -> None:
        table = place.table
        table.known = self._table.known
        try:
            await table.resign()
        except CallError as error:
            if error.reason not in ("GAME_OVER", "NO_GAME", "OUT_OF_GAME", "STALE_GAME"):
                raise

    def _blame(self, seat: int, reason: str, detail: str) -> None:
        self._faults.setdefault(seat, Fault(seat + 1, reason, _UNKNOWN, detail))

    async def _settle(self, tasks: list[asyncio.Task[None]]) -> None:
        """Hear what the processes of Python bots have to say; do not wait for others."""
        telling = {
            seat: task
            for seat, task in enumerate(tasks)
            if isinstance(self._players.get(seat), PythonPlayer)
        }
        if telling:
            await asyncio.wait(telling.values(), timeout=self._job.seconds + GRACE)
        for seat, task in telling.items():
            if not task.done():
                self._blame(seat, SILENCE, f"no answer within {self._job.seconds:g} seconds")
        for task in tasks:
            if task.done():
                await task

    # ---- the game ------------------------------------------------------------------------------

    async def _game(self) -> GameEnded:
        async with aclosing(self._table.watch()) as updates:
            await anext(updates)
            await self._table.start()
            self._started = True
            began = perf_counter()
            async for events, state in updates:
                if state.playing:
                    for seat in list(self._faults):
                        if state.view and Seat(seat) not in state.view.out:
                            await self._give_up(self._places[seat])
                for event in events:
                    if isinstance(event, Placed | Passed):
                        now = perf_counter()
                        if isinstance(event, Placed):
                            self._seen[event.seat] = self._seen[event.seat].plus(now - began)
                        began = now
                    self._notice(event)
                    if isinstance(event, GameEnded):
                        self._over = True
                        return event
        raise RuntimeError("the table is gone before its game was over")

    def _notice(self, event: TableEvent) -> None:
        """A clock that has run out is a fault, unless one is known already."""
        if isinstance(event, Withdrew) and event.forfeit:
            python = isinstance(self._players.get(event.seat), PythonPlayer)
            self._blame(
                event.seat,
                SILENCE if python else TIME,
                f"no answer within {self._job.seconds:g} seconds",
            )

    def _result(self, played: Record) -> Result:
        job = self._job
        board = job.ground.board()
        game = Game.start(board, played.deal, played.first)
        recorder = Recorder(game, job.names, {"Event": job.event} if job.event else {})
        gone: dict[int, int] = {}
        for moves in played.rounds:
            for move in moves:
                after, events = play_move(game, move)
                # Who is at fault has resigned by our hand; what it did is to forfeit.
                out = [event.seat for event in events if isinstance(event, Withdrew)]
                if out and out[0] in self._faults:
                    after, events = game.withdraw(out[0], forfeit=True)
                    gone[out[0]] = game.ply
                recorder.note(game.turn, events)
                game = after
        assert game.outcome is not None
        # When it came to light we may not have heard of the last placement yet; the record knows.
        faults = [
            replace(fault, ply=gone.get(seat, game.ply)) for seat, fault in self._faults.items()
        ]
        return Result(
            game=job.game,
            deal=job.deal,
            round=job.round,
            board=job.ground.name,
            seats=job.names,
            first=played.first + 1,
            winners=tuple(seat + 1 for seat in game.outcome.winners),
            reserves=game.position.reserves,
            ending=game.outcome.ending.value,
            plies=game.ply,
            times=tuple(map(self._times, range(len(job.seats)))),
            faults=in_order(faults),
            record=str(recorder.record(game)),
        )

    def _times(self, seat: int) -> Times:
        player = self._players.get(seat)
        return player.times if isinstance(player, PythonPlayer) else self._seen[seat]
