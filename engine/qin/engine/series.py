"""A series: any number of games by the same players; the fewest pagodas left in all wins."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from random import Random
from typing import NamedTuple

from qin.engine.tiles import PAGODAS, Seat


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
    withdrawals: tuple[int, ...] = ()
    """How many games each seat has resigned or forfeited; empty while nobody has."""

    def after(self, reserves: Sequence[int], out: Collection[Seat] = ()) -> Series:
        """The series with one more game, which some have resigned or forfeited (R14)."""
        if len(reserves) != self.players:
            raise ValueError(f"{len(reserves)} reserves for {self.players} players")
        noted = (
            PAGODAS[self.players] if seat in out else left for seat, left in enumerate(reserves)
        )
        withdrawals = self.withdrawals
        if out:
            before = withdrawals or (0,) * self.players
            withdrawals = tuple(count + (seat in out) for seat, count in enumerate(before))
        return self._replace(games=(*self.games, tuple(noted)), withdrawals=withdrawals)

    @property
    def next_first(self) -> Seat:
        """Who starts the next game: the starting seat moves on by one each game (R12)."""
        return Seat((self.first + len(self.games)) % self.players)

    @property
    def totals(self) -> tuple[int, ...]:
        """The pagodas noted for each seat over all games."""
        return tuple(sum(game[seat] for game in self.games) for seat in range(self.players))

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has the lowest total, of these who withdrew least (R14); ties share (R12).

        Nobody before the first game.
        """
        if not self.games:
            return ()
        withdrawals = self.withdrawals or (0,) * self.players
        standings = list(zip(self.totals, withdrawals, strict=True))
        best = min(standings)
        return tuple(Seat(seat) for seat, standing in enumerate(standings) if standing == best)
