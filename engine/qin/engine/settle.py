"""What a tile causes: the second step of a turn, in the order of the rulebook.

1. Provinces (R5), both colours of the tile at once: pagodas go home, then pagodas are placed.
2. Villages: the same (R6).

Pagodas are placed by the active player first, then clockwise; whoever places the last of his own
ends the game there and then, and nothing after it happens (R7).
"""

from __future__ import annotations

from typing import NamedTuple

from qin.engine.board import Board
from qin.engine.events import (
    Connected,
    Conquered,
    Event,
    Expanded,
    Founded,
    Joined,
    Major,
)
from qin.engine.realm import MAJOR_SIZE, Province, Realm, owner_of_joined
from qin.engine.spaces import Mask, Space
from qin.engine.tiles import Colour, Seat

Holders = tuple[Seat | None, ...]


class Half(NamedTuple):
    """One colour of a tile on the board: one space, or both spaces of a tile of one colour."""

    colour: Colour
    spaces: Mask
    around: Mask
    """The spaces beside them."""


class Settlement:
    """One tile being settled: copied once from a position, then changed in place."""

    __slots__ = ("active", "board", "events", "free", "over", "realms", "reserves", "stirred")

    def __init__(
        self,
        board: Board,
        free: Mask,
        realms: tuple[Realm, ...],
        reserves: tuple[int, ...],
        active: Seat,
        events: list[Event],
    ) -> None:
        self.board = board
        self.free = free
        self.realms = list(realms)
        self.reserves = list(reserves)
        self.active = active
        self.events = events
        self.over = False
        """Whether the last pagoda of a player has been placed."""
        self.stirred: Mask = 0
        """Squares of villages whose neighbourhood has changed."""

    # ---- provinces -----------------------------------------------------------------------------

    def settle_provinces(self, halves: list[Half]) -> None:
        """Found, expand and join."""
        growths = []
        for half in halves:
            realm = self.realms[half.colour]
            if half.around & realm.spaces or half.spaces & (half.spaces - 1):
                growths.append(self._grow(realm, half))
            else:
                self.realms[half.colour] = realm.with_single(half.spaces)
        if len(growths) == 2:
            growths.sort(key=self._turn_of)
        for growth in growths:
            self._build(growth)

    def _turn_of(self, growth: _Growth) -> int:
        return (growth.owner - self.active) % len(self.reserves)

    def _grow(self, realm: Realm, half: Half) -> _Growth:
        """See what becomes of a colour, and send home the pagodas that must leave."""
        colour, laid, around = half
        group = laid | around & realm.spaces
        swallowed = [province for province in realm.provinces if province.border & laid]
        if not swallowed:
            missing = 2 if group.bit_count() >= MAJOR_SIZE else 1
            return _Growth(colour, group, swallowed, self.active, 0, missing)
        if len(swallowed) == 1:
            old = swallowed[0]
            group |= old.spaces
            missing = 1 if old.pagodas == 1 and group.bit_count() >= MAJOR_SIZE else 0
            return _Growth(colour, group, swallowed, old.owner, old.pagodas, missing)
        owner = owner_of_joined(swallowed)
        standing = 0
        for province in swallowed:
            group |= province.spaces
            if province.owner == owner:
                standing += province.pagodas
            else:
                self.reserves[province.owner] += province.pagodas
        if standing > 2:
            self.reserves[owner] += standing - 2
            standing = 2
        return _Growth(colour, group, swallowed, owner, standing, 2 - standing)

    def _build(self, growth: _Growth) -> None:
        """Place the pagodas of one province, unless the game is over already."""
        colour, group, swallowed, owner, standing, missing = growth
        built = 0
        if missing and not self.over:
            left = self.reserves[owner]
            built = min(missing, left)  # R8: the last one will do for a double pagoda
            self.reserves[owner] = left - built
            self.over = built == left
        province = Province(self.board, self.free, group, owner, standing + built)
        self.realms[colour] = self.realms[colour].with_province(province, swallowed)
        if not swallowed:
            if built:
                self.events.append(Founded(owner, colour, group, built))
        elif len(swallowed) == 1:
            self.events.append(Expanded(owner, colour, group))
            if built:
                self.events.append(Major(owner, colour, group))
        else:
            self.events.append(
                Joined(owner, colour, group, built, self._went_home(swallowed, owner, standing))
            )
        if len(swallowed) == 1 and not built:
            self.stirred |= province.villages & ~swallowed[0].villages
        else:
            self.stirred |= province.villages

    def _went_home(self, swallowed: list[Province], owner: Seat, standing: int) -> tuple[int, ...]:
        went_home = [0] * len(self.reserves)
        for province in swallowed:
            went_home[province.owner] += province.pagodas
        went_home[owner] -= standing
        return tuple(went_home)

    # ---- villages ------------------------------------------------------------------------------

    def settle_villages(self, holders: Holders) -> Holders:
        """Connect and conquer where the provinces have changed."""
        takings = self._takings(holders) if self.stirred else []
        if not takings:
            return holders
        reserves = self.reserves
        after = list(holders)
        for _, number, _ in takings:
            holder = holders[number]
            if holder is not None:
                reserves[holder] += 1
                after[number] = None
        takings.sort()
        for _, number, seat in takings:
            loser = holders[number]
            village = self.board.villages[number]
            reserves[seat] -= 1
            after[number] = seat
            self.events.append(
                Connected(seat, village) if loser is None else Conquered(seat, loser, village)
            )
            if not reserves[seat]:
                self.over = True
                break
        return tuple(after)

    def _takings(self, holders: Holders) -> list[tuple[int, int, Seat]]:
        """Who takes which village: the seat's turn to place, the village's number, the seat."""
        takings = []
        board = self.board
        stirred = self.stirred
        while stirred:
            number = board.village_number[Space(stirred.bit_length() - 1)]
            village = board.villages[number]
            stirred &= ~village
            leader = self._leader_beside(village)
            if leader is not None and leader != holders[number]:
                turn = (leader - self.active) % len(self.reserves)
                takings.append((turn, number, leader))
        return takings

    def _leader_beside(self, village: Mask) -> Seat | None:
        """The seat with more pagodas on provinces beside the village than every other (R4)."""
        pagodas = [0] * len(self.reserves)
        for realm in self.realms:
            for province in realm.provinces:
                if province.villages & village:
                    pagodas[province.owner] += province.pagodas
        most = max(pagodas)
        if not most or pagodas.count(most) > 1:
            return None
        return Seat(pagodas.index(most))


class _Growth(NamedTuple):
    """What is to become of one colour of the tile."""

    colour: Colour
    spaces: Mask
    """The group that the tile's spaces now belong to."""
    swallowed: list[Province]
    """The provinces that were there before."""
    owner: Seat
    standing: int
    """The owner's pagodas that stay on it."""
    missing: int
    """The owner's pagodas that are to be placed."""
