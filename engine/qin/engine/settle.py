"""What a tile causes: the second step of a turn, in the order of the rulebook.

1. Provinces (R5), both colours of the tile at once: pagodas go home, then pagodas are placed.
2. Villages: the same (R6).

Pagodas are placed by the active player first, then clockwise; whoever places the last of his own
ends the game there and then, and nothing after it happens (R7).
"""

from __future__ import annotations

from qin.engine.board import Board
from qin.engine.events import (
    Connected,
    Conquered,
    Event,
    Expanded,
    Founded,
    Joined,
    Lost,
    Major,
)
from qin.engine.realm import MAJOR_SIZE, Province, Realm, owner_of_joined
from qin.engine.spaces import Mask, Space
from qin.engine.tiles import Colour, Seat

Holders = tuple[Seat | None, ...]

Growth = tuple[Colour, Mask, list[Province], Seat, int, int]
"""What is to become of one colour of the tile: the colour, the group that the tile's spaces now
belong to, the provinces that were there before, the owner, how many of the owner's pagodas stand
there, and how many are to be placed."""


class Settlement:
    """One tile being settled: copied once from a position, then changed in place."""

    __slots__ = (
        "active",
        "board",
        "events",
        "free",
        "growths",
        "over",
        "realms",
        "reserves",
        "stirred",
    )

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
        self.growths: list[Growth] = []
        self.over = False
        """Whether the last pagoda of a player has been placed."""
        self.stirred: Mask = 0
        """Squares of villages whose neighbourhood has changed."""

    # ---- provinces -----------------------------------------------------------------------------

    def lay(self, colour: Colour, laid: Mask, around: Mask) -> None:
        """One colour of the tile comes to lie: see what becomes of it, and send pagodas home."""
        realm = self.realms[colour]
        touched = around & realm.spaces
        if not touched and not laid & (laid - 1):
            self.realms[colour] = realm.with_single(laid)
            return
        group = laid | touched
        swallowed = [old for old in realm.provinces if old.border & laid] if touched else []
        if not swallowed:
            owner, standing = self.active, 0
            missing = 2 if group.bit_count() >= MAJOR_SIZE else 1
        elif len(swallowed) == 1:
            old = swallowed[0]
            group |= old.spaces
            owner, standing = old.owner, old.pagodas
            missing = 1 if standing == 1 and group.bit_count() >= MAJOR_SIZE else 0
        else:
            for old in swallowed:
                group |= old.spaces
            owner = owner_of_joined(swallowed)
            standing = self._send_home(swallowed, owner)
            missing = 2 - standing
        self.growths.append((colour, group, swallowed, owner, standing, missing))

    def _send_home(self, swallowed: list[Province], owner: Seat) -> int:
        """Everybody's pagodas but a double pagoda of the owner leave; tells how many stay."""
        standing = 0
        for province in swallowed:
            if province.owner == owner:
                standing += province.pagodas
            else:
                self.reserves[province.owner] += province.pagodas
        if standing > 2:
            self.reserves[owner] += standing - 2
            standing = 2
        return standing

    def settle_provinces(self) -> None:
        """Place the pagodas of what was founded, expanded and joined."""
        growths = self.growths
        if len(growths) == 2:
            growths.sort(key=self._turn_of)
        for growth in growths:
            self._build(growth)

    def _turn_of(self, growth: Growth) -> int:
        owner = growth[3]
        return (owner - self.active) % len(self.reserves)

    def _build(self, growth: Growth) -> None:
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
        takings = self._takings(holders)
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
            if self.over:
                if loser is not None:
                    self.events.append(Lost(loser, village))
                continue
            reserves[seat] -= 1
            after[number] = seat
            self.events.append(
                Connected(seat, village) if loser is None else Conquered(seat, loser, village)
            )
            self.over = not reserves[seat]
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
