"""What happens at a table, told in words."""

from __future__ import annotations

from collections.abc import Iterator

from qin.cli.failure import printable
from qin.cli.table import drawn
from qin.cli.words import counted, listed, tell, tell_outcome
from qin.client.events import game_event, outcome
from qin.engine import Board, parse_position
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
            where = "here" if presence.connected else "away"
            yield f"      {self._name(presence.seat)} is {where}"
        if response.HasField("closing"):
            yield f"      {_CLOSINGS.get(response.closing.reason, 'the server ends the watch')}"

    def tell(self, event: pb.Event) -> str:
        """One event as a sentence without its full stop."""
        match event.WhichOneof("kind"):
            case "seat_taken":
                self._seat(event.seat_taken.seat, event.seat_taken.name)
                bot = ", a house bot," if event.seat_taken.bot else ""
                return (
                    f"{self._name(event.seat_taken.seat)}{bot} takes seat {event.seat_taken.seat}"
                )
            case "seat_left":
                name = self._name(event.seat_left.seat)
                self._seat(event.seat_left.seat, "")
                return f"{name} leaves seat {event.seat_left.seat}"
            case "game_started":
                started = event.game_started
                return f"game {started.game} starts, with {self._name(started.first)}"
            case "series_ended":
                ended = event.series_ended
                totals = [
                    f"{self._name(seat)} {total}" for seat, total in enumerate(ended.totals, 1)
                ]
                winners = listed([self._name(seat) for seat in ended.winners] or ["nobody"])
                won = "share the victory" if len(ended.winners) > 1 else "wins"
                return f"the series is over, {winners} {won}; pagodas left: {', '.join(totals)}"
            case "said":
                return f"{printable(event.said.name)}: {printable(event.said.text)}"
            case "stand_in":
                name, bot = self._name(event.stand_in.seat), printable(event.stand_in.bot)
                return f"{bot} stands in for {name}" if bot else f"{name} is back"
            case _:
                known = game_event(event)
                return tell(known, self.names) if known else "something that a newer qin can tell"

    def _numbered(self, event: pb.Event) -> str:
        return f"{event.sequence:>4}  {self.tell(event)}"

    def _snapshot(self, snapshot: Snapshot) -> Iterator[str]:
        table, game = snapshot.table, snapshot.game
        for seat in table.seats:
            self._seat(seat.seat, seat.name)
        board_name = printable(table.board_name)
        yield f"Table {printable(table.table_id)} on {board_name}: {listed(self.names)}."
        if not snapshot.HasField("game"):
            yield "No game is on yet."
            return
        board = Board.parse(table.map, name=board_name)
        position = parse_position(
            game.cells, players=len(table.seats), reserves=tuple(game.reserves), board=board
        )
        left = ", ".join(
            f"{name} {reserve}" for name, reserve in zip(self.names, game.reserves, strict=False)
        )
        state = (
            tell_outcome(outcome(game.outcome), self.names)
            if game.HasField("outcome")
            else f"{self._name(game.turn)} is to move"
        )
        yield f"Game {game.game} after {counted(game.ply, 'ply', 'plies')}: {state}."
        yield f"\n{drawn(position)}\n\nPagodas left: {left}."

    def _seat(self, seat: int, name: str) -> None:
        self.names += [f"seat {number}" for number in range(len(self.names) + 1, seat + 1)]
        self.names[seat - 1] = printable(name) or f"seat {seat}"

    def _name(self, seat: int) -> str:
        return self.names[seat - 1] if 1 <= seat <= len(self.names) else f"seat {seat}"
