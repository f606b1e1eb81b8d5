"""A table that was stored, as it was: its events are read, and its game is played again."""

from __future__ import annotations

from collections.abc import Callable

from qin.engine import Game, parse_record
from qin.engine.record import Move, play_move
from qin.engine.shuffle import Stream, shuffled_deal
from qin.server.clock import Clock
from qin.server.draft import Step
from qin.server.model import TableData
from qin.server.requests import Answered
from qin.server.store import Row, Store
from qin.server.table import Table


async def revive(table_id: str, store: Store, changed: Callable[[Table], None]) -> Table | None:
    """The table of that name; None if there is none."""
    found = await store.read("SELECT created, state, body FROM tables WHERE id = ?", table_id)
    if not found:
        return None
    created, state, body = found[0]
    data = TableData.from_json(table_id, float(created or 0), str(state), str(body))
    table = Table(data, store, changed)
    commands = await store.read(
        "SELECT time, caller, request_id, digest, response, events, game, moves, clocks"
        " FROM commands WHERE table_id = ? ORDER BY number",
        table_id,
    )
    for row in commands:
        _remember(table, row)
    index = max((int(row[6] or 0) for row in commands), default=0)
    if index:
        moves = [move for row in commands if row[6] == index for move in str(row[7]).split()]
        clocks = next((str(row[8]) for row in reversed(commands) if row[6] == index), "")
        if index <= data.recorded:
            await _resume_finished(table, store)
        else:
            _resume_running(table, moves, clocks)
    return table


def _remember(table: Table, row: Row) -> None:
    when, caller, request_id, digest, response, events, *_ = row
    assert isinstance(when, float)
    assert isinstance(events, bytes)
    table.remember(when, events)
    if isinstance(caller, bytes) and isinstance(digest, bytes) and isinstance(response, bytes):
        table.remember_answer((caller, str(request_id)), Answered(digest, response))


def _resume_running(table: Table, moves: list[str], clocks: str) -> None:
    data = table.data
    number = len(data.series.games) + 1
    if data.deals:
        given = data.deals[number - 1]
        start = Game.start(data.board, given.deal, given.first)
    else:
        nonces = [chair.nonce for chair in data.chairs]
        deal = shuffled_deal(Stream(data.salt, number, nonces), data.players)
        start = Game.start(data.board, deal, data.series.next_first)
    game, steps = start, list[Step]()
    for move in moves:
        steps.append((game.turn, Move(move)))
        game, _ = play_move(game, Move(move))
    clock = Clock.start(data.settings.clock, data.players)
    if clock and clocks:
        clock = clock._replace(remaining=tuple(map(int, clocks.split())))
    table.resume(start, game, steps, clock)


async def _resume_finished(table: Table, store: Store) -> None:
    """The last game is over: its record has it all."""
    found = await store.read(
        "SELECT text FROM records WHERE table_id = ? ORDER BY number DESC LIMIT 1",
        table.data.table_id,
    )
    replayed = list(parse_record(str(found[0][0])).replay())
    table.resume(replayed[0][0], replayed[-1][0], [], None)
