"""The clocks of a game: how much time each seat has left, and what a move does to that."""

from __future__ import annotations

from typing import NamedTuple

from qin.engine import Seat
from qin.v1 import types_pb2 as pb


class Clock(NamedTuple):
    """The time left at the beginning of a turn. Who measures it is the table."""

    settings: pb.ClockSettings
    remaining: tuple[int, ...]
    """Milliseconds by seat."""

    @classmethod
    def start(cls, settings: pb.ClockSettings, players: int) -> Clock | None:
        """The clocks of a new game; None where there are none."""
        seconds = settings.total_seconds or settings.move_seconds
        return cls(settings, (seconds * 1000,) * players) if seconds else None

    def left(self, seat: Seat, elapsed: int) -> int:
        return max(0, self.remaining[seat] - elapsed)

    def after_move(self, seat: Seat, elapsed: int) -> Clock:
        """The clocks when a seat has moved after so many milliseconds."""
        if self.settings.move_seconds:
            return self
        return self._with(seat, self.left(seat, elapsed) + self.settings.increment_seconds * 1000)

    def anew(self, seat: Seat) -> Clock:
        """The clocks when somebody else takes over a seat whose time has run out."""
        return self._with(seat, (self.settings.total_seconds or self.settings.move_seconds) * 1000)

    def _with(self, seat: Seat, milliseconds: int) -> Clock:
        remaining = (*self.remaining[:seat], milliseconds, *self.remaining[seat + 1 :])
        return self._replace(remaining=remaining)

    def message(self, running: Seat | None, elapsed: int) -> pb.Clocks:
        remaining = list(self.remaining)
        if running is not None:
            remaining[running] = self.left(running, elapsed)
        return pb.Clocks(remaining_ms=remaining, running=0 if running is None else running + 1)
