"""What the watchers of a table are sent, and what is left out of it for each of them."""

from __future__ import annotations

from collections.abc import Callable

from qin.engine import Seat
from qin.engine.tiles import HAND_SIZE
from qin.server.frames import field, fields
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
        self._table = field(watch.WatchResponse.TABLE_ID_FIELD_NUMBER, table_id.encode())
        self._events = events
        self._bodies = [event.SerializeToString() for event in events]
        self._secret = {
            place: event
            for place, event in enumerate(events)
            if event.HasField("drawn") or event.HasField("game_started")
        }
        self._chunks: dict[int, Chunk] = {}

    def __bool__(self) -> bool:
        return bool(self._bodies)

    def bodies_for(self, seat: Seat | None) -> list[bytes]:
        """Each event, serialized, as a viewer may see it."""
        bodies = list(self._bodies)
        for place, event in self._secret.items():
            public = redacted(event, seat)
            if public is not event:
                bodies[place] = public.SerializeToString()
        return bodies

    def chunk_for(self, seat: Seat | None) -> Chunk:
        viewer = 0 if seat is None or not self._concerns(seat) else seat + 1
        chunk = self._chunks.get(viewer)
        if chunk is None:
            chunk = self._chunks[viewer] = Chunk(self._message(self.bodies_for(seat)), True)
        return chunk

    def everything(self) -> bytes:
        """With all that is hidden, for the store; nothing if nothing happened."""
        return self._message(self._bodies) if self._bodies else b""

    def _message(self, bodies: list[bytes]) -> bytes:
        return self._table + fields(watch.WatchResponse.EVENTS_FIELD_NUMBER, bodies)

    def _concerns(self, seat: Seat) -> bool:
        """Whether a seat sees something that is hidden from a spectator."""
        return any(
            event.HasField("game_started") or event.drawn.seat == seat + 1
            for event in self._secret.values()
        )


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
