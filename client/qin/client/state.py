"""A table as a client knows it, kept up to date from what a watch brings."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from qin.client.events import table_event
from qin.client.happenings import Said, TableEvent
from qin.client.views import view_after, view_at_start, view_of_message
from qin.engine import Board, Seat, View
from qin.v1 import types_pb2 as pb
from qin.v1.watch_pb2 import Snapshot, WatchResponse

CHAT = 50
"""So many of the last things said are kept."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time that each seat had left when the client heard of it."""

    seconds: tuple[float, ...]
    running: Seat | None
    since: float
    """When that was, by `time.monotonic()`."""

    def left(self, seat: Seat) -> float:
        """The seconds that a seat has left now."""
        spent = time.monotonic() - self.since if seat == self.running else 0.0
        return max(0.0, self.seconds[seat] - spent)


@dataclass(frozen=True, slots=True)
class TableState:
    """A value: each change gives a new one."""

    table: pb.Table
    """Seats, settings and state, as the server last told them. Not to be changed."""
    board: Board
    seat: Seat | None
    """The client's own seat; None for a spectator."""
    sequence: int
    """The number of the last event that is in it."""
    view: View | None = None
    """The game that is on, or was played last, as far as the client may see it."""
    game: int = 0
    """The number of this game in its series."""
    first: Seat | None = None
    """The seat that started it."""
    clocks: Clocks | None = None
    chat: tuple[Said, ...] = ()
    """The last things said."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> TableState:
        table = snapshot.table
        board = Board.parse(table.map, name=table.board_name)
        seat = Seat(snapshot.seat - 1) if snapshot.seat else None
        said = [table_event(event) for event in snapshot.chat]
        state = cls(
            table=table,
            board=board,
            seat=seat,
            sequence=snapshot.sequence,
            chat=tuple(each for each in said if isinstance(each, Said)),
        )
        if not snapshot.HasField("game"):
            return state
        game = snapshot.game
        view = view_of_message(game, board, len(table.seats), seat)
        return replace(state, view=view, game=game.game, first=Seat(game.first - 1))

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the table; `seat 2` where nobody sits."""
        return tuple(seat.name or f"seat {seat.seat}" for seat in self.table.seats)

    @property
    def playing(self) -> bool:
        """Whether a game is on."""
        return self.view is not None and self.view.outcome is None

    @property
    def my_turn(self) -> bool:
        """Whether the client is to place a tile. The server passes for a seat that must."""
        view = self.view
        return (
            view is not None
            and view.outcome is None
            and view.seat is not None
            and view.turn == view.seat
        )

    def after(self, response: WatchResponse) -> tuple[TableState, list[TableEvent]]:
        """The state after a message that is no snapshot, and what happened in it."""
        state = self
        events: list[TableEvent] = []
        for message in response.events:
            event = table_event(message)
            if message.sequence > state.sequence:  # else it came with the answer to a call
                state = _after_event(state, message, event)
            events.append(event)
        if response.HasField("table"):
            state = replace(state, table=response.table)
        if response.presences:
            state = replace(state, table=_with_presences(state.table, response))
        if response.HasField("clocks"):
            state = replace(state, clocks=_clocks(response.clocks))
        return state, events


def _after_event(state: TableState, message: pb.Event, event: TableEvent) -> TableState:
    state = replace(state, sequence=message.sequence)
    if isinstance(event, Said):
        return replace(state, chat=(*state.chat, event)[-CHAT:])
    if message.HasField("game_started"):
        started = message.game_started
        view = view_at_start(started, state.board, state.seat)
        return replace(state, view=view, game=started.game, first=view.turn, clocks=None)
    if state.view is None:
        return state
    return replace(state, view=view_after(state.view, message))


def _clocks(message: pb.Clocks) -> Clocks:
    return Clocks(
        seconds=tuple(each / 1000 for each in message.remaining_ms),
        running=Seat(message.running - 1) if message.running else None,
        since=time.monotonic(),
    )


def _with_presences(table: pb.Table, response: WatchResponse) -> pb.Table:
    changed = pb.Table()
    changed.CopyFrom(table)
    for presence in response.presences:
        changed.seats[presence.seat - 1].connected = presence.connected
    return changed
