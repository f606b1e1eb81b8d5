"""What happened at a table, with all that is hidden, to be told again to those who missed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qin.engine import Seat
from qin.server.watching import redacted
from qin.v1 import types_pb2 as pb
from qin.v1 import watch_pb2 as watch

CHAT_KEPT = 30


class Past(NamedTuple):
    """The events of one command."""

    last_sequence: int
    everything: bytes
    """A serialized WatchResponse."""


class History:
    """The events of a table in order."""

    __slots__ = ("_past", "chat", "sequence")

    def __init__(self) -> None:
        self._past: list[Past] = []
        self.sequence = 0
        """The number of the last event."""
        self.chat: list[pb.Event] = []
        """The last things said."""

    def add(self, everything: bytes, events: Sequence[pb.Event]) -> None:
        """The events of one command, serialized and not."""
        if not events:
            return
        self.sequence = events[-1].sequence
        self._past.append(Past(self.sequence, everything))
        if said := [event for event in events if event.HasField("said")]:
            self.chat = [*self.chat, *said][-CHAT_KEPT:]

    def after(self, sequence: int, seat: Seat | None) -> Iterator[pb.Event]:
        """The events after a number, as a viewer may see them."""
        first = len(self._past)
        while first and self._past[first - 1].last_sequence > sequence:
            first -= 1
        for past in self._past[first:]:
            for event in watch.WatchResponse.FromString(past.everything).events:
                if event.sequence > sequence:
                    yield redacted(event, seat)
