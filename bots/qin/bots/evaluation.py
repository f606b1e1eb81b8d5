"""How a seat stands in a position, in pagodas: what is on the board, and what is likely to follow.

The weights are rounded from a regression over games of searching bots: the lead some turns later,
by what could be seen on the board before. They hold for both boards that come with the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import mul
from typing import Final

from qin.engine import Mask, Position, Province, Seat, Space
from qin.engine.realm import MAJOR_SIZE
from qin.engine.spaces import ACROSS, DOWN

WON: Final = 1000.0
"""What a victory is worth: more than any pagodas."""

_GROWING = {3: 0.08, 4: 0.25}
"""A province that may still grow, by its size: the closer to a double pagoda, the better."""
_MAJOR = 0.1
"""A major province, which nobody can take any more."""
_EXPOSED = -0.25
"""A small province that one tile of anybody's would join to a rival's larger one."""
_PREY = 0.2
"""The same for the rival, if this would make a double pagoda of his single one."""
_HELD = {0: -0.6, 1: -0.2, 2: -0.1}
"""A village that is held, by the lead in pagodas beside it: no more than 0, 1, at least 2. Its
pagoda may be lost, so it is worth less than one on a province."""
_TIED = 0.2
"""A share in the most pagodas beside an empty village."""


class Judge:
    """Judges positions for one seat against those rivals who are still in the game."""

    __slots__ = ("_rivals", "seat", "share")

    def __init__(self, seat: Seat, players: int, out: Collection[Seat] = ()) -> None:
        rivals = [Seat(other) for other in range(players) if other != seat and other not in out]
        shares = [0.0] * players
        shares[seat] = 1.0
        for rival in rivals:
            shares[rival] = -1 / len(rivals)
        self.seat = seat
        self._rivals = rivals
        self.share = shares
        """What one more pagoda of each seat is worth to this one."""

    def lead(self, position: Position) -> float:
        """By how many pagodas the seat is ahead of its rivals' mean; a victory if it has won."""
        reserves = position.reserves
        return self.final(position) if 0 in reserves else -self._weighed(reserves)

    def evaluate(self, position: Position) -> float:
        """The lead, and what the position promises beyond it."""
        reserves = position.reserves
        if 0 in reserves:
            return self.final(position)
        return self._weighed(prospects(position)) - self._weighed(reserves)

    def final(self, position: Position) -> float:
        """The worth of a position in which the game is over, whatever ended it."""
        reserves = position.reserves
        lead = -self._weighed(reserves)
        best_rival = min(reserves[rival] for rival in self._rivals)
        if reserves[self.seat] == best_rival:
            return lead
        return lead + WON if reserves[self.seat] < best_rival else lead - WON

    def _weighed(self, by_seat: Iterable[float]) -> float:
        weighed: float = sum(map(mul, by_seat, self.share))
        return weighed


def prospects(position: Position) -> list[float]:
    """What each seat's provinces and villages promise beyond the pagodas that stand there."""
    promised = [0.0] * len(position.reserves)
    _weigh_provinces(position, promised)
    _weigh_joins(position, promised)
    _weigh_villages(position, promised)
    return promised


def _weigh_provinces(position: Position, promised: list[float]) -> None:
    for realm in position.realms:
        for province in realm.provinces:
            size = province.size
            if size >= MAJOR_SIZE:
                promised[province.owner] += _MAJOR
            elif size in _GROWING and province.border & position.free:
                promised[province.owner] += _GROWING[size]


def _weigh_joins(position: Position, promised: list[float]) -> None:
    free = position.free
    for realm in position.realms:
        for one, other, _, forbidden in realm.pairs:
            if not forbidden and one.owner != other.owner and _may_meet(one, other, free):
                larger, smaller = (one, other) if one.size > other.size else (other, one)
                promised[smaller.owner] += _EXPOSED
                if larger.size < MAJOR_SIZE:
                    promised[larger.owner] += _PREY


def _may_meet(one: Province, other: Province, free: Mask) -> bool:
    """Whether a single tile can still join two provinces of a colour."""
    mine, theirs = one.border & free, other.border & free
    if mine & theirs:
        return True
    across = (mine | mine >> ACROSS) & (theirs | theirs >> ACROSS) & free & free >> ACROSS
    down = (mine | mine >> DOWN) & (theirs | theirs >> DOWN) & free & free >> DOWN
    return bool(across or down)


def _weigh_villages(position: Position, promised: list[float]) -> None:
    for pagodas, holder in zip(beside_villages(position), position.holders, strict=True):
        if holder is not None:
            own = pagodas[holder]
            pagodas[holder] = 0
            promised[holder] += _HELD[min(max(own - max(pagodas), 0), 2)]
        elif most := max(pagodas):
            for seat, count in enumerate(pagodas):
                if count == most:
                    promised[seat] += _TIED


def beside_villages(position: Position) -> list[list[int]]:
    """By village and seat: the pagodas on provinces beside it."""
    board = position.board
    beside = [[0] * len(position.reserves) for _ in board.villages]
    for realm in position.realms:
        for province in realm.provinces:
            squares = province.villages
            while squares:
                number = board.village_number[Space(squares.bit_length() - 1)]
                squares &= ~board.villages[number]
                beside[number][province.owner] += province.pagodas
    return beside
