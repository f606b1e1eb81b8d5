"""What the watchers of a table are sent, and what is left out of it for each of them."""

from __future__ import annotations

from collections.abc import Callable

from qin.engine import Seat
from qin.engine.tiles import HAND_SIZE
from qin.server.streams import Chunk
from qin.v1 import types_pb2 as pb
from qin.v1 import watch_pb2 as watch


class Watcher:
    """One viewer of one table. In a session each of its tables has one."""

    __slots__ = ("effects", "gone", "options", "put", "seat", "token")

    def __init__(
        self,
        put: Callable[[Chunk], None],
        token: bytes,
        seat: Seat | None,
        request: watch.WatchRequest,
        gone: Callable[[Chunk], None],
    ) -> None:
        self.put = put
        self.token = token
        self.seat = seat
        self.options = request.options or request.effects
        self.effects = request.effects
        self.gone = gone
        """Call with the last message when the server ends the watch."""


class Batch:
    """The events of one command, as every viewer may see them. Each form is built once."""

    def __init__(self, table_id: str, events: list[pb.Event]) -> None:
        self._table_id = table_id
        self._events = events
        self._chunks: dict[int, Chunk] = {}
        self._secret = _seats_with_secrets(events)

    def __bool__(self) -> bool:
        return bool(self._events)

    def chunk_for(self, seat: Seat | None) -> Chunk:
        viewer = 0 if seat is None or seat + 1 not in self._secret else seat + 1
        chunk = self._chunks.get(viewer)
        if chunk is None:
            response = watch.WatchResponse(table_id=self._table_id, events=self.events_for(seat))
            chunk = self._chunks[viewer] = Chunk(response.SerializeToString(), True)
        return chunk

    def events_for(self, seat: Seat | None) -> list[pb.Event]:
        if not self._secret:
            return self._events
        return [redacted(event, seat) for event in self._events]

    def everything(self) -> bytes:
        """With all that is hidden, for the store; nothing if nothing happened."""
        if not self._events:
            return b""
        response = watch.WatchResponse(table_id=self._table_id, events=self._events)
        return response.SerializeToString()


def redacted(event: pb.Event, seat: Seat | None) -> pb.Event:
    """An event without what a viewer may not see. The event itself is never left out."""
    viewer = 0 if seat is None else seat + 1
    kind = event.WhichOneof("kind")
    if kind == "drawn" and event.drawn.seat != viewer:
        public = pb.Event()
        public.CopyFrom(event)
        public.drawn.ClearField("tile")
        return public
    if kind == "game_started":
        public = pb.Event()
        public.CopyFrom(event)
        # As stored it holds the hands of all seats, one after the other.
        start = (viewer - 1) * HAND_SIZE
        own = event.game_started.hand[start : start + HAND_SIZE] if viewer else []
        public.game_started.ClearField("hand")
        public.game_started.hand.extend(own)
        return public
    return event


def _seats_with_secrets(events: list[pb.Event]) -> set[int]:
    seats: set[int] = set()
    for event in events:
        if event.HasField("drawn"):
            seats.add(event.drawn.seat)
        elif event.HasField("game_started"):
            seats.update(range(1, len(event.game_started.reserves) + 1))
    return seats
