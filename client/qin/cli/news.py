"""What a watch brings, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from qin.cli.table import drawn
from qin.client.events import table_event
from qin.client.happenings import PresenceChanged, SeatLeft, SeatTaken
from qin.client.state import TableState
from qin.client.table_words import tell_table
from qin.engine import Seat
from qin.engine.words import counted, listed, printable, tell_outcome
from qin.v1 import types_pb2 as pb
from qin.v1.watch_pb2 import Closing, Snapshot, WatchResponse

_CLOSINGS = {
    Closing.REASON_SERVER_STOPPING: "the server stops",
    Closing.REASON_TABLE_REMOVED: "the table is gone",
    Closing.REASON_TOO_SLOW: "the server could not wait for us",
    Closing.REASON_SEAT_LOST: "the seat was freed",
}


class News:
    """Tells what a watch brings. It remembers who sits where."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def lines(self, response: WatchResponse) -> Iterator[str]:
        if response.HasField("snapshot"):
            yield from self._snapshot(response.snapshot)
            yield from map(self._numbered, response.snapshot.chat)
        yield from map(self._numbered, response.events)
        for presence in response.presences:
            event = PresenceChanged(Seat(presence.seat - 1), presence.connected)
            yield f"      {tell_table(event, self.names)}"
        if response.HasField("closing"):
            yield f"      {_CLOSINGS.get(response.closing.reason, 'the server ends the watch')}"

    def _numbered(self, message: pb.Event) -> str:
        event = table_event(message)
        told = tell_table(event, self.names)
        if isinstance(event, SeatTaken):
            self._seat(event.seat, event.name)
        elif isinstance(event, SeatLeft):
            self._seat(event.seat, "")
        return f"{message.sequence:>4}  {told}"

    def _snapshot(self, snapshot: Snapshot) -> Iterator[str]:
        state = TableState.of(snapshot)
        for seat in snapshot.table.seats:
            self._seat(Seat(seat.seat - 1), seat.name)
        board = printable(state.board.name)
        yield f"Table {printable(snapshot.table.table_id)} on {board}: {listed(self.names)}."
        view = state.view
        if view is None:
            yield "No game is on yet."
            return
        now = (
            tell_outcome(view.outcome, self.names)
            if view.outcome
            else f"{self.names[view.turn]} is to move"
        )
        pairs = zip(self.names, view.position.reserves, strict=True)
        left = ", ".join(f"{name} {reserve}" for name, reserve in pairs)
        yield f"Game {state.game} after {counted(view.ply, 'ply', 'plies')}: {now}."
        yield f"\n{drawn(view.position)}\n\nPagodas left: {left}."

    def _seat(self, seat: Seat, name: str) -> None:
        self.names += [f"seat {number}" for number in range(len(self.names) + 1, seat + 2)]
        self.names[seat] = printable(name) or f"seat {seat + 1}"
