"""Who watches a table, and who of its players is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from qin.server.model import TableData
from qin.server.streams import Chunk
from qin.server.watching import Watcher
from qin.v1 import watch_pb2 as watch


def is_person(watcher: Watcher, data: TableData) -> bool:
    """Whether it is not a bot that waits here for somebody to come."""
    seat = data.chair_of(watcher.token)
    return seat is None or not (data.chairs[seat].bot or data.stands_in(seat, watcher.token))


class Audience:
    """The watchers of one table. A player is there who has a watch open."""

    __slots__ = ("_present", "_watchers")

    def __init__(self) -> None:
        self._watchers: dict[Watcher, None] = {}
        self._present: Counter[bytes] = Counter()
        """How many watches each token has open."""

    def __iter__(self) -> Iterator[Watcher]:
        """In the order in which they came."""
        return iter(list(self._watchers))

    def __len__(self) -> int:
        return len(self._watchers)

    def spectators(self) -> int:
        return sum(watcher.seat is None for watcher in self._watchers)

    def has(self, token: bytes) -> bool:
        return self._present[token] > 0

    def watches(self, token: bytes) -> int:
        """How many watches a token has open."""
        return self._present[token]

    def people(self, data: TableData) -> int:
        """How many there are for whom a table is kept."""
        return sum(is_person(watcher, data) for watcher in self._watchers)

    def enter(self, watcher: Watcher, data: TableData) -> None:
        """The others are told, if it is a player who was not there."""
        if watcher.token:
            self._present[watcher.token] += 1
            if self._present[watcher.token] == 1:
                self._tell_presence(watcher.token, data, connected=True)
        self._watchers[watcher] = None

    def leave(self, watcher: Watcher, data: TableData) -> None:
        if watcher not in self._watchers:
            return  # the server has ended this watch already
        del self._watchers[watcher]
        if watcher.token:
            self._present[watcher.token] -= 1
            if not self._present[watcher.token]:
                del self._present[watcher.token]
                self._tell_presence(watcher.token, data, connected=False)

    def take_seats(self, data: TableData) -> None:
        """Whoever watches and has sat down sees from now on what the seat sees."""
        for watcher in self._watchers:
            watcher.seat = data.chair_of(watcher.token)

    def tell_seating(self, before: TableData, data: TableData) -> None:
        """Tell of those who sat down while they watched; who lost a seat sees no more."""
        had, have = before.tokens(), data.tokens()
        for token in have - had:
            if self.has(token):
                self._tell_presence(token, data, connected=True)
        for token in had - have:
            self.close(watch.Closing.REASON_SEAT_LOST, data, token)

    def close(
        self, reason: watch.Closing.Reason.ValueType, data: TableData, token: bytes | None = None
    ) -> None:
        """End all watches, or those of one token."""
        closing = watch.WatchResponse(table_id=data.table_id, closing=watch.Closing(reason=reason))
        chunk = Chunk(closing.SerializeToString(), joinable=False)
        for watcher in self:
            if token is None or watcher.token == token:
                self.leave(watcher, data)
                watcher.gone(chunk)

    def _tell_presence(self, token: bytes, data: TableData, *, connected: bool) -> None:
        """Unnumbered, and not stored: it is true only while the server runs."""
        presences = [
            watch.Presence(seat=seat + 1, connected=connected)
            for seat, chair in enumerate(data.chairs)
            if chair.token == token
        ]
        if presences:
            response = watch.WatchResponse(table_id=data.table_id, presences=presences)
            chunk = Chunk(response.SerializeToString(), joinable=True)
            for watcher in self:
                watcher.put(chunk)
