"""A series: any number of games by the same players; the fewest pagodas left in all wins."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from random import Random
from typing import NamedTuple

from qin.engine.tiles import Seat


class FirstSeat(Enum):
    """How a table chooses who starts."""

    NAMED = "named"
    LOT = "lot"
    YOUNGEST = "youngest"


def first_seat(
    choice: FirstSeat,
    players: int,
    rng: Random,
    *,
    named: Seat = Seat(0),
    ages: Sequence[int | None] = (),
) -> Seat:
    """Who starts the first game.

    The youngest is the youngest who gave an age; among equals, and where nobody gave one, the lot
    decides.
    """
    candidates = [Seat(seat) for seat in range(players)]
    if choice is FirstSeat.NAMED:
        if named not in candidates:
            raise ValueError(f"there is no seat {named + 1} at a table of {players}")
        return named
    if choice is FirstSeat.YOUNGEST:
        given = [age for age in ages if age is not None]
        if given:
            youngest = min(given)
            candidates = [Seat(seat) for seat, age in enumerate(ages) if age == youngest]
    return candidates[int(rng.random() * len(candidates))]


class Series(NamedTuple):
    """The games played so far, as the pagodas that each seat had left at the end of each."""

    players: int
    first: Seat
    """Who started the first game."""
    games: tuple[tuple[int, ...], ...] = ()

    def after(self, reserves: Sequence[int]) -> Series:
        """The series with one more game."""
        if len(reserves) != self.players:
            raise ValueError(f"{len(reserves)} reserves for {self.players} players")
        return self._replace(games=(*self.games, tuple(reserves)))

    @property
    def next_first(self) -> Seat:
        """Who starts the next game: the starting seat moves on by one each game (R12)."""
        return Seat((self.first + len(self.games)) % self.players)

    @property
    def totals(self) -> tuple[int, ...]:
        """The pagodas left by each seat over all games."""
        return tuple(sum(game[seat] for game in self.games) for seat in range(self.players))

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has the lowest total; ties share (R12). Nobody before the first game."""
        if not self.games:
            return ()
        totals = self.totals
        lowest = min(totals)
        return tuple(Seat(seat) for seat, total in enumerate(totals) if total == lowest)
