"""Why somebody else is to play a seat, and whether that is still so."""

from __future__ import annotations

import time
from typing import NamedTuple

from qin.engine import Seat
from qin.server.table import Table


def is_away(table: Table, seat: Seat) -> bool:
    """Whether a game is on, and whoever plays a seat of it is not connected."""
    game = table.game
    return (
        table.running is not None
        and game is not None
        and seat not in game.out
        and not table.audience.has(table.data.chairs[seat].player)
    )


class Vacancy(NamedTuple):
    """A seat whose player stays away, or whose time has run out."""

    seat: Seat
    player: bytes
    """Hash of the token of whoever was to play it."""
    noticed: float
    """When, by the monotonic clock."""
    final: bool
    """Whether the seat forfeits if nobody else comes."""
    turn: tuple[int, int] | None = None
    """The number of the game and the ply at which the time ran out; None for who stays away."""

    @classmethod
    def by_absence(cls, table: Table, seat: Seat, *, final: bool) -> Vacancy:
        return cls(seat, table.data.chairs[seat].player, time.monotonic(), final)

    @classmethod
    def by_the_clock(cls, table: Table, seat: Seat) -> Vacancy:
        assert table.game is not None
        turn = (table.game_number, table.game.ply)
        return cls(seat, table.data.chairs[seat].player, time.monotonic(), True, turn)

    def holds(self, table: Table) -> bool:
        """Not if the player has come back or has moved, or somebody else has taken over."""
        if table.data.chairs[self.seat].player != self.player:
            return False
        if self.turn is not None:
            game = table.game
            here = game and (table.game_number, game.ply)
            return table.running == self.seat and here == self.turn
        acted = table.acted.get(self.player, self.noticed)
        return is_away(table, self.seat) and acted <= self.noticed

    def out_of_time(self, table: Table) -> bool:
        """Whether who takes over needs a clock of his own."""
        if self.turn is not None:
            return True
        clock = table.clock
        return (
            clock is not None
            and table.running == self.seat
            and not clock.left(self.seat, table.elapsed())
        )
